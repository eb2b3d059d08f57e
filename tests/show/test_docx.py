"""Reports for word processors: every formula is an equation there, every letter of it arrives."""

import io
import zipfile
from xml.etree import ElementTree

import pytest

import flexura as fx
from flexura.derivation.equations.formula.omml import omml
from flexura.derivation.equations.formula.tree import (
    Branches,
    Dotted,
    Fenced,
    Fraction,
    Gap,
    Letter,
    Root,
    Scripted,
    read,
)
from flexura.gallery import EXAMPLES, example
from flexura.show.lines import lines

pytest.importorskip("docx", reason=".docx reports are written by python-docx, which is not installed")
MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"


def letters(formula) -> list[str]:
    """The letters of a formula in the order in which they are read."""
    words = []
    for node in formula:
        match node:
            case Letter(text):
                words.append(text)
            case Fraction(above, below):
                words += [*letters(above), *letters(below)]
            case Root(inner) | Dotted(inner) | Fenced(_, inner):
                words += letters(inner)
            case Scripted(base, below, above):
                words += [*letters((base,)), *letters(below), *letters(above)]
            case Branches(rows):
                words += [word for value, when in rows for word in (*letters(value), *letters(when))]
            case Gap():
                pass
    return words


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_letter_of_every_formula_arrives(name):
    equations = fx.derive(example(name))
    for row in equations.shown:
        for line in lines(row, equations.lagrangian):
            element = ElementTree.fromstring(omml(line))
            written = [one.text for one in element.iter(f"{MATH}t") if one.text and one.text.strip()]
            assert written == [word for word in letters(read(line)) if word.strip()]


def test_the_file_holds_an_equation_for_each_formula_and_a_picture(tmp_path):
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    model = fx.Model(fx.Fixed(fx.ground, beam.start))
    path = fx.report(model, tmp_path / "beam.docx", title="Beam <b> & \x07 more", modes=None)
    with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as inside:
        text = ElementTree.fromstring(inside.read("word/document.xml"))
        assert any(name.startswith("word/media/") for name in inside.namelist())
    formulas = list(text.iter(f"{MATH}oMath"))
    equations = fx.derive(model)
    rows = [*equations.shown, *(row for step in equations.steps for row in step.content)]
    assert len(formulas) >= sum(len(lines(row, equations.lagrangian)) for row in rows)
    words = "".join(
        one.text or "" for one in text.iter("{http://schemas.openxmlformats.org/wordprocessingml/2006/main}t")
    )
    assert "Beam <b> &  more" in words
