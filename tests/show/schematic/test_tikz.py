"""TikZ: every part is in the file, braces and dollars balance, names are text, other pictures are refused."""

import re

import numpy as np
import pytest

import flexura as fx


def model(name: str = "beam") -> fx.Model:
    beam, tip = fx.EulerBernoulliBeam(name, EI="EI", rho="rho", length="l"), fx.Mass("tip", "m")
    return fx.Model(
        fx.Fixed(fx.ground, beam.start),
        fx.Fixed(beam.end, tip),
        fx.Spring(tip, fx.ground, k="k_s/2"),
        fx.DistributedForce(beam, "f"),
    )


def balanced(text: str) -> bool:
    plain = re.sub(r"\\[{}$%_&#]", "", text)
    lines = [line for line in plain.splitlines() if not line.lstrip().startswith("%")]
    depth = 0
    for letter in "".join(lines):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if depth < 0:
            return False
    return depth == 0 and all(line.count("$") % 2 == 0 for line in lines)


def test_a_picture_to_input_holds_every_part_and_nothing_else(tmp_path):
    path = tmp_path / "model.tikz"
    fx.plot(model(), path)
    text = path.read_text(encoding="utf-8")
    assert text.startswith(r"\begin{tikzpicture}")
    assert text.rstrip().endswith(r"\end{tikzpicture}")
    named = {line[4:] for line in text.splitlines() if line.startswith("  % ")}
    assert {"beam", "tip", "Fixed-0", "Spring-2", "line load-f"} <= named
    assert balanced(text)
    assert r"\frac{k_{s}}{2}" in text
    assert "drawn with l = 1" in text
    assert text.count(r"\draw[") > 20


def test_a_document_compiles_by_itself_as_far_as_its_frame_goes(tmp_path):
    path = tmp_path / "free.tex"
    fx.plot(fx.free_bodies(model()), path)
    text = path.read_text(encoding="utf-8")
    for needed in (r"\documentclass[tikz", r"\usetikzlibrary{arrows.meta}", r"\begin{document}", r"\end{document}"):
        assert needed in text
    assert r"V_{\mathrm{beam},\mathrm{end}}" in text or r"V_{\mathrm{beam,end}}" in text
    assert balanced(text)


def test_names_with_markup_are_text(tmp_path):
    path = tmp_path / "model.tikz"
    fx.plot(model(r"\input{x} 50% $y$ _ {"), path)
    text = path.read_text(encoding="utf-8")
    labels = [line for line in text.splitlines() if r"\node" in line]
    assert not any(r"\input{x}" in line for line in labels)
    assert any(r"\textbackslash{}input\{x\} 50\% \$y\$ \_ \{" in line for line in labels)
    assert balanced("\n".join(labels))


def test_other_pictures_are_not_written_as_tikz(tmp_path):
    with pytest.raises(fx.FlexuraError, match=r"picture of a ndarray is not written as TikZ; use \.svg or \.pdf"):
        fx.plot(np.ones(3), tmp_path / "x.tikz")
    with pytest.raises(fx.FlexuraError, match=r"no directory|does not exist|cannot be written"):
        fx.plot(model(), tmp_path / "nowhere" / "x.tikz")
