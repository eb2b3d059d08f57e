"""`derive`: one verb, several independent routes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flexura.derive.steps import surrogate_steps, variational_steps
from flexura.derive.surrogate import surrogate_rows
from flexura.derive.variational import variational_rows
from flexura.energy.lagrangian import Lagrangian
from flexura.equations.equations import Equations
from flexura.equations.rows import Row, Sum
from flexura.equations.steps import Step
from flexura.errors import FlexuraError
from flexura.model.model import Model
from flexura.symbols.engine import Symbol

Route = tuple[Callable[[Lagrangian], tuple[Row, ...]], Callable[[Lagrangian, tuple[Row, ...]], tuple[Step, ...]]]

ROUTES: dict[str, Route] = {
    "surrogate": (surrogate_rows, surrogate_steps),
    "variational": (variational_rows, variational_steps),
}
"""The energy routes: name -> (rows, steps)."""

MOTION_ROUTES = ("kane", "newton_euler", "power")
"""Routes that need velocities, not energies alone."""


def derive(system: Any, method: str = "surrogate") -> Equations:
    """The exact equations of motion of a Lagrangian, by the named route.

    >>> equations = fx.derive(lagrangian)
    >>> proof = fx.derive(lagrangian, method="variational")
    """
    energies = lagrangian_of(system)
    if method in ROUTES:
        rows, steps = ROUTES[method]
        derived = tuple(driven(row, energies) for row in rows(energies))
        return Equations(energies, method, derived, steps(energies, derived))
    if method in MOTION_ROUTES:
        raise FlexuraError(why_not(energies, method))
    known = ", ".join((*ROUTES, *MOTION_ROUTES))
    raise FlexuraError(f"There is no route called {method!r}; choose one of {known}.")


def driven(row: Row, energies: Lagrangian) -> Row:
    """Put prescribed motions in; the row of a prescribed coordinate then tells the load that drives it."""
    left, right = (side.map(energies.driven) for side in (row.left, row.right)) if energies.prescribed else row.sides
    if row.kind == "ordinary" and row.name in energies.prescribed:
        return Row("reaction", row.name, Sum(Symbol(f"Q_{row.name}")), left - right)
    return Row(row.kind, row.name, left, right, row.spine)


def lagrangian_of(system: Any) -> Lagrangian:
    """The Lagrangian of whatever the user hands in."""
    if isinstance(system, Lagrangian):
        return system
    if isinstance(system, Model):
        return system.lagrangian
    raise FlexuraError(f"There is nothing to derive from {type(system).__name__}; give a Model or a Lagrangian.")


def why_not(energies: Lagrangian, method: str) -> str:
    """Why a route that needs velocities does not apply."""
    return (
        f"The route {method!r} needs velocities, and this system was given by its energies alone; use 'surrogate' or"
        " 'variational'."
    )
