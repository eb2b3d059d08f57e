"""Equations of motion, as users hold them: self-sufficient, printable, and exactly what was derived.

>>> equations = fx.derive(lagrangian)
>>> print(equations); equations.partial["w"]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any

from flexura.arguments import checked_methods
from flexura.derivation.equations.mobility import Mobility
from flexura.derivation.equations.rows import PLAIN, Kind, Row, legible, refuse_long, refuse_many, tidy
from flexura.derivation.equations.steps import Step
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.symbolic.engine import Basic
from flexura.symbolic.jets import Jet
from flexura.symbolic.linear import linear_part
from flexura.symbolic.multiplied import all_multiplied_out, multiplied_out
from flexura.symbolic.shorten import paired

if TYPE_CHECKING:
    from flexura.derivation.named import NamedEquations

_SHOWN = 8  # names of unknowns
_MANY = 40  # coordinates
_COUNTS = "flexura.solve.mobility"  # numbers are no business of this room: who counts is asked for by name


@checked_methods
@dataclass(frozen=True)
class Equations:
    """What a derivation found: one row for each coordinate, field, end condition and constraint.

    `ordinary` and `partial` map names to SymPy equations, `boundary` lists the conditions at the ends (natural, then
    geometric), `constraints` the conditions among coordinates whose multipliers appear in `ordinary`. `speeds` are the
    generalized speeds Kane's route was asked for, in rates: rows of their names stand for those of coordinates.
    Rows and steps of the energy routes are written when they are first asked for.
    """

    lagrangian: Lagrangian
    method: str
    derived: Sequence[Row]
    steps: Sequence[Step]
    speeds: Mapping[str, Basic] = field(default_factory=dict)

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the discrete coordinates."""
        return self.lagrangian.coordinates

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields."""
        return self.lagrangian.shown(self.lagrangian.fields)

    @property
    def values(self) -> dict[str, float | None]:
        """The numbers the parts carry, by name; None for what only a load, motion or constraint names, until given."""
        known = self.lagrangian.parameters
        return {name: one.value for name, one in known.items() if one.value is not None or one.new}

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The equations multiplied out; long ones as they are shown."""
        count = sum(terms for terms, _ in self._counts)
        return self.shown if count > PLAIN else tuple(tidy(row, self.lagrangian) for row in self.derived)

    @cached_property
    def _counts(self) -> list[tuple[int, bool]]:
        if len(self.coordinates) > _MANY:  # rows have no fewer terms than the energy they come from
            refuse_many([multiplied_out(self.lagrangian.kinetic)])
        return all_multiplied_out(f for row in self.derived for side in row.sides for f in side.parts())

    @cached_property
    def shown(self) -> tuple[Row, ...]:
        """The equations as they are read: in compound angles where those are shorter."""
        refuse_many(terms for terms, waving in self._counts if not waving)  # the others may be short in waves
        return tuple(legible(row, self.lagrangian) for row in self.derived)

    @cached_property
    def named(self) -> NamedEquations:
        """The equations restated with names for angles that add up along a chain, which makes long ones short.

        >>> print(equations.named)
        """
        from flexura.derivation.named import named

        return named(self)

    def of_kind(self, *kinds: Kind) -> tuple[Row, ...]:
        """The rows of some kinds."""
        return tuple(row for kind in kinds for row in self.rows if row.kind == kind)

    def _sympy(self, *kinds: Kind) -> dict[str, Any]:
        from flexura.derivation.equations.sympy_rows import rows_to_sympy

        rows = self.of_kind(*kinds)
        return dict(zip((row.name for row in rows), rows_to_sympy(rows, self.lagrangian), strict=True))

    @cached_property
    def ordinary(self) -> dict[str, Any]:
        """The ordinary differential equation of each discrete coordinate, in SymPy."""
        return self._sympy("ordinary")

    @cached_property
    def partial(self) -> dict[str, Any]:
        """The partial differential equation of each field, in SymPy."""
        return self._sympy("partial")

    @cached_property
    def boundary(self) -> list[Any]:
        """The conditions at the ends, in SymPy: natural ones first, then those that are given."""
        return list(self._sympy("natural", "geometric").values())

    @cached_property
    def constraints(self) -> list[Any]:
        """The constraints among coordinates, in SymPy; the multiplier of the first is lambda_1, and so on."""
        return list(self._sympy("constraint").values())

    @cached_property
    def mobility(self) -> Mobility:
        """How many motions are free and which conditions repeat others; `fx.mobility` takes values and a state too."""
        found = import_module(_COUNTS).mobility(self)
        assert isinstance(found, Mobility)
        return found

    @cached_property
    def reactions(self) -> dict[str, Any]:
        """The load that drives each prescribed coordinate, in SymPy: Q_name = ...

        By Newton's and Euler's route also those at joints and welds, in ground's axes: R_theta_x = ...
        """
        from flexura.derivation.equations.sympy_rows import rows_to_sympy

        told = [row for step in self.steps for row in step.content if row.kind == "reaction"]
        rows = {row.name: row for row in (*told, *self.of_kind("reaction"))}
        return dict(zip(rows, rows_to_sympy(list(rows.values()), self.lagrangian), strict=True))

    @cached_property
    def matrices(self) -> tuple[list[list[Basic]], list[Basic]]:
        """Mass matrix and forcing in the engine: M q'' = F, for systems without fields."""
        self._without_fields("The mass matrix")
        states = self.lagrangian.states  # which have a rate and no acceleration
        residuals = [row.residual.local for row in self.derived if row.kind == "ordinary" and row.name not in states]
        accelerations = [Jet(name, t=2).symbol for name in self.coordinates if name not in states]
        split = [linear_part(f, accelerations) for f in residuals]
        return [coefficients for coefficients, _ in split], [-rest for _, rest in split]

    @cached_property
    def mass_matrix(self) -> Any:
        """M of M q'' = F in SymPy, for systems without fields."""
        return self._matrix(self.matrices[0])

    @cached_property
    def forcing(self) -> Any:
        """F of M q'' = F in SymPy (multipliers included), for systems without fields."""
        return self._matrix([[one] for one in self.matrices[1]])

    def _matrix(self, rows: list[list[Basic]]) -> Any:
        import sympy

        from flexura.derivation.equations.sympy_rows import sympy_form

        refuse_long(one for row in rows for one in row)
        form = sympy_form(self.lagrangian)
        return sympy.Matrix([[form.tree(paired(one.expand())) for one in row] for row in rows])

    def _without_fields(self, what: str) -> None:
        if self.fields:
            raise FlexuraError(
                f"{what} exists only for systems without fields, and this one has {', '.join(self.fields)}",
                advice="read .ordinary and .partial instead",
            )

    def __str__(self) -> str:
        from flexura.derivation.equations.text import rows_text

        return rows_text(self.shown, self.lagrangian)

    def latex(self) -> str:
        """The equations in LaTeX, ready for amsmath or KaTeX."""
        from flexura.derivation.equations.latex import rows_latex

        return rows_latex(self.shown, self.lagrangian)

    def __repr__(self) -> str:
        unknowns = ", ".join((*self.coordinates, *self.fields)[:_SHOWN])
        more = len(self.coordinates) + len(self.fields) - _SHOWN
        return f"<Equations of {unknowns}{f' and {more} more' * (more > 0)}, derived by the {self.method} route>"

    def _repr_html_(self) -> str | None:
        from flexura.derivation.equations.page import page

        return page(self)

    def _repr_latex_(self) -> str | None:
        try:
            return f"$$\n{self.latex()}\n$$"
        except FlexuraError:  # too long to be read
            return None

    def to_json(self) -> str:
        """Everything, losslessly, as one JSON document."""
        from flexura.derivation.equations.json_form import equations_to_json

        return equations_to_json(self)

    @classmethod
    def from_json(cls, text: str) -> Equations:
        """Read back what `to_json` wrote."""
        from flexura.derivation.equations.json_form import equations_from_json

        return equations_from_json(text)
