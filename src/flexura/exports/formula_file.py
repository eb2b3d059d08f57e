"""Equations of motion as formulas: LaTeX (.tex), Typst (.typ) and MathML (.mml), each row of its own.

>>> fx.export(equations, "arm.tex"), fx.export(equations, "arm.typ"), fx.export(equations, "arm.mml")

.tex is an environment `aligned` to be read in with \\input, .typ a block of equations, .mml a page of MathML. For
SymPy's own expressions there is fx.export(equations, "arm.py", form="sympy"); a whole report is fx.report's.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.formula.mathml import mathml
from flexura.derivation.equations.formula.typst import typst_formula
from flexura.derivation.equations.latex import row_latex
from flexura.derivation.routes import can_be_derived, equations_of
from flexura.errors import FlexuraError


def write(thing: Any, path: Path) -> None:
    """The equations as formulas; the ending of the path says which."""
    ending = path.suffixes[-1] if path.suffixes else ""
    if not can_be_derived(thing):
        raise FlexuraError(
            f"A {type(thing).__name__} holds no equations in symbols",
            advice="give a model or equations; answers are written as .csv or .json",
        )
    equations = equations_of(thing)
    writers = {".tex": _tex, ".typ": _typst, ".mml": _mathml}
    path.write_text(writers[ending.lower()](equations), encoding="utf-8")


def _rows(equations: Equations) -> list[tuple[str, str]]:
    return [(str(row.name), row_latex(row, equations.lagrangian)) for row in equations.shown]


def _tex(equations: Equations) -> str:
    return f"\\[\n{equations.latex()}\n\\]\n"


def _typst(equations: Equations) -> str:
    return "\n".join(f"$ {typst_formula(text)} $\n" for _, text in _rows(equations))


def _mathml(equations: Equations) -> str:
    lines = "\n".join(f"<p title={quoteattr(name)}>{mathml(text)}</p>" for name, text in _rows(equations))
    head = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Equations of motion</title></head>'
    return f"{head}<body>\n{lines}\n</body></html>\n"
