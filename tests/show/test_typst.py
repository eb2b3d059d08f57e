"""Reports in Typst and PDF: every formula of every example is set, names are never markup, pictures are inside."""

import re

import numpy as np
import pytest

import flexura as fx
from flexura.derivation.equations.formula.tree import Dotted, Fenced, Fraction, Letter, Scripted, read
from flexura.derivation.equations.formula.typst import typst_formula
from flexura.errors import FlexuraError
from flexura.gallery import EXAMPLES, example
from flexura.show.lines import lines

typst = pytest.importorskip("typst", reason="PDF reports are set by the package typst, which is not installed")


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_formula_of_an_example_is_set(name):
    equations = fx.derive(example(name))
    rows = [*equations.shown, *(row for step in equations.steps for row in step.content)]
    formulas = [typst_formula(line) for row in rows for line in lines(row, equations.lagrangian)]
    assert formulas
    made = typst.compile("\n\n".join(f"$ {one} $" for one in formulas).encode(), format="pdf")
    assert made.startswith(b"%PDF")


def test_a_formula_is_read_into_its_tree():
    assert read(r"\frac{\partial^{2} w}{\partial x^{2}}") == (
        Fraction(
            (Scripted(Letter("∂"), above=(Letter("2"),)), Letter("w")),
            (Letter("∂"), Scripted(Letter("x"), above=(Letter("2"),))),
        ),
    )
    assert read(r"\left. \ddot{q}_{1} \right|_{x=l}") == (
        Scripted(
            Fenced("", (Scripted(Dotted((Letter("q"),), 2), (Letter("1"),)),), "|"),
            (Letter("x"), Letter("="), Letter("l")),
        ),
    )
    assert read(r"\mathit{EI} \text{if } y") == (Letter("EI", "italic"), Letter("if ", "text"), Letter("y"))


@pytest.mark.parametrize("latex", [r"\unknown{x}", r"\frac{a}", r"\begin{matrix} a & b \end{matrix}"])
def test_what_the_printers_never_write_is_refused(latex):
    with pytest.raises(FlexuraError):
        read(latex)


def hinged():
    beam = fx.EulerBernoulliBeam("beam", EI=10.0, rho=1.0, length=1.0)
    return fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")), beam


def test_a_pdf_holds_the_answers_that_are_given(tmp_path):
    model, beam = hinged()
    modes = fx.modes(model, 3)
    response = fx.frequency_response(model, np.linspace(1, 20, 9), "F", beam.end)
    run = fx.simulate(model, np.linspace(0, 0.2, 5), inputs={"F": 1.0})
    path = fx.report(model, tmp_path / "beam.pdf", modes=modes, response=response, run=run)
    assert path.read_bytes().startswith(b"%PDF")
    source = fx.report(model, tmp_path / "beam.typ", modes=modes, response=response, run=run).read_text()
    assert source.count("#figure(image(") == 5  # schematic, free bodies, modes, response, run
    assert f"{modes.frequencies[0]:.8g}" in source
    assert [line for line in source.splitlines() if line.startswith("= ")] == [
        f'= #"{title}";'
        for title in (
            "The system",
            "Free bodies",
            "Result",
            "Modes",
            "Frequency response",
            "Motion in time",
            "Derivation",
            "Certificate",
        )
    ]


@pytest.mark.parametrize(("ending", "kind"), [("tex", "pdf"), ("md", "svg")])
def test_pictures_stand_beside_what_cannot_hold_them(tmp_path, ending, kind):
    model, _ = hinged()
    text = fx.report(model, tmp_path / f"my beam.{ending}", modes=fx.modes(model, 2)).read_text()
    beside = sorted(path.name for path in tmp_path.iterdir())
    pictures = [f"my beam-{what}.{kind}" for what in ("free_bodies", "modes", "schematic")]
    assert beside == [*pictures, f"my beam.{ending}"]
    assert all(name in text for name in beside if name.endswith(kind))


def test_the_same_report_is_the_same_bytes(tmp_path):
    model, _ = hinged()
    first, second = (fx.report(model, tmp_path / f"{k}.html", title="Beam").read_bytes() for k in "ab")
    assert first == second


def test_titles_and_names_are_shown_and_never_run(tmp_path):
    rod = fx.Rod('#panic("x") $y$ *z* \\', EA=1.0, rho=1.0, length=1.0)
    model = fx.Model(fx.Fixed(fx.ground, rod.start))
    path = fx.report(model, tmp_path / "rod.pdf", title='"; #panic("title") <x> $ \\')
    assert path.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(("keyword", "given"), [("modes", 4), ("response", "x"), ("run", [1.0])])
def test_what_is_no_answer_is_refused_before_anything_is_written(tmp_path, keyword, given):
    model, _ = hinged()
    with pytest.raises(FlexuraError, match=rf"A report takes {keyword}= as an answer") as told:
        fx.report(model, tmp_path / "beam.html", **{keyword: given})
    assert told.value.keyword == keyword
    assert not list(tmp_path.iterdir())


def test_units_are_written_as_people_do(tmp_path):
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    text = fx.report(fx.Model(fx.Fixed(fx.ground, beam.start)), tmp_path / "beam.md").read_text()
    assert re.search(r"\| N m² \|", text)


def test_the_dots_of_a_long_sum_are_read():
    formula = r"m_{1} + \cdots + m_{5}"
    assert Letter("⋯") in read(formula)
    assert typst.compile(f"$ {typst_formula(formula)} $".encode(), format="pdf").startswith(b"%PDF")
