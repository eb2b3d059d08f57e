"""Equations in the page of a notebook: the schematic, and every equation under its heading, as browsers set it.

>>> page(equations)        # None where they are too long to be read
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexura.derivation.equations.formula.mathml import mathml
from flexura.derivation.equations.latex import row_latex
from flexura.derivation.equations.layout import SECTIONS
from flexura.display import picture_element
from flexura.errors import FlexuraError

if TYPE_CHECKING:
    from flexura.derivation.equations.equations import Equations

_STYLE = "overflow-x: auto; margin: 0.4em 0 0.4em 1.5em; text-align: left"


def page(equations: Equations) -> str | None:
    """An element that needs nothing else."""
    try:
        equations.latex()
    except FlexuraError:
        return None
    parts = [picture_element(equations)] if equations.lagrangian.geometry is not None else []
    for title, kinds in SECTIONS:
        rows = [row for kind in kinds for row in equations.shown if row.kind == kind]
        parts += [f"<p><b>{title}</b></p>"] if rows else []
        parts += [f'<div style="{_STYLE}">{mathml(row_latex(row, equations.lagrangian))}</div>' for row in rows]
    return "\n".join(parts)
