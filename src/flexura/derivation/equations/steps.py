"""The derivation as data: steps with a title, a sentence and formulas."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flexura.arguments import checked_methods
from flexura.derivation.equations.rows import Row
from flexura.energy.lagrangian import Lagrangian


@checked_methods
@dataclass(frozen=True)
class Step:
    """One step of a derivation: `content` holds its formulas as rows, `.formulas` shows them in SymPy."""

    number: int
    title: str
    text: str
    content: tuple[Row, ...]
    lagrangian: Lagrangian

    @cached_property
    def formulas(self) -> tuple[Any, ...]:
        """The step's formulas as SymPy equations."""
        from flexura.derivation.equations.sympy_rows import rows_to_sympy

        return rows_to_sympy(self.content, self.lagrangian)
