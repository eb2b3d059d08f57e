"""The derivation as data: steps with a title, a sentence and formulas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from flexura.arguments import checked_methods
from flexura.derivation.equations.rows import Row
from flexura.display import Displayed, Table
from flexura.energy.lagrangian import Lagrangian


@checked_methods
@dataclass(frozen=True, repr=False)
class Step(Displayed):
    """One step of a derivation: `content` holds its formulas as rows, `.formulas` shows them in SymPy.

    `cuts`: it is the step that cuts bodies free; `fx.plot(step)` draws them then, and a notebook shows the picture.

    >>> print(equations.steps[2]), fx.plot(equations.steps[2], "free_bodies.svg")
    """

    number: int
    title: str
    text: str
    content: tuple[Row, ...]
    lagrangian: Lagrangian
    cuts: bool = False

    @property
    def is_drawn(self) -> bool:
        """Where it cuts bodies free, and the parts are known."""
        return self.cuts and self.lagrangian.geometry is not None

    def summary(self) -> str:
        """Its number and title."""
        return f"{self.number}. {self.title}"

    def told(self) -> Iterator[Table | str]:
        """What is done, and its formulas."""
        from flexura.derivation.equations.text import step_text

        yield self.summary()
        yield "\n".join(filter(None, (self.text, step_text(self.content, self.lagrangian))))

    @cached_property
    def formulas(self) -> tuple[Any, ...]:
        """The step's formulas as SymPy equations."""
        from flexura.derivation.equations.sympy_rows import rows_to_sympy

        return rows_to_sympy(self.content, self.lagrangian)
