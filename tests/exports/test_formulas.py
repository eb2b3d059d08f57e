"""Equations as formulas in files: every row is there, and other programs read them."""

import re
from xml.etree import ElementTree

import pytest

import flexura as fx

MATH = "{http://www.w3.org/1998/Math/MathML}"


def arm():
    hub = fx.RigidBody("hub", m=1, I="J")
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho*(1 - x/(2*l))", length="l", field="w")
    return fx.derive(
        fx.Model(
            fx.Revolute(fx.ground, hub, name="theta"),
            fx.Fixed(hub, beam.start),
            fx.Torque(hub, "tau*step(t - 1) + impulse(t)"),
        )
    )


def chain():
    a, b = fx.Mass("a", m="m_a"), fx.Mass("b", m="m_b")
    return fx.derive(
        fx.Model(
            fx.Slide(fx.ground, a, name="q1"),
            fx.Slide(a, b, name="q2"),
            fx.Spring(fx.ground, a, k="K1"),
            fx.Damper(a, b, law="c*v*abs(v)"),
        )
    )


@pytest.mark.parametrize("make", [arm, chain])
def test_mathml_is_read_by_any_parser(make, tmp_path):
    equations = make()
    fx.export(equations, tmp_path / "system.mml")
    page = ElementTree.parse(tmp_path / "system.mml")
    formulas = list(page.iter(f"{MATH}math"))
    assert len(formulas) == len(equations.shown)
    for one in page.iter():
        if one.tag in (f"{MATH}mfrac", f"{MATH}mover", f"{MATH}msub", f"{MATH}msup"):
            assert len(one) == 2
        if one.tag == f"{MATH}msubsup":
            assert len(one) == 3
    assert all("=" in "".join(one.itertext()) for one in formulas)
    rates = sum(one.text == "¨" for one in page.iter(f"{MATH}mo"))
    assert rates == sum(text.count(r"\ddot") for text in re.findall(r".+", equations.latex()))


@pytest.mark.parametrize("make", [arm, chain])
def test_typst_compiles_what_is_written(make, tmp_path):
    equations = make()
    fx.export(equations, tmp_path / "system.typ")
    text = (tmp_path / "system.typ").read_text(encoding="utf-8")
    assert text.count("$") == 2 * len(equations.shown)
    typst = pytest.importorskip("typst")
    assert typst.compile(str(tmp_path / "system.typ"), format="pdf").startswith(b"%PDF")


def test_latex_is_that_of_the_equations(tmp_path):
    equations = chain()
    fx.export(equations, tmp_path / "system.tex")
    text = (tmp_path / "system.tex").read_text(encoding="utf-8")
    assert equations.latex() in text
    assert text.startswith("\\[")


@pytest.mark.parametrize("ending", ["tex", "typ", "mml"])
def test_what_has_no_equations_leaves_no_file(ending, tmp_path):
    with pytest.raises(fx.FlexuraError, match="give a model or equations"):
        fx.export(fx.SecondOrderSystem([[1.0]], None, [[1.0]]), tmp_path / f"system.{ending}")
    assert not list(tmp_path.iterdir())
