"""`derive`: one verb, several independent routes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from flexura.derivation.equations.deferred import Deferred
from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.rows import Row, Sum
from flexura.derivation.equations.steps import Step
from flexura.derivation.generalized import discrete_steps
from flexura.derivation.kane import generalized_forces, kane_rows
from flexura.derivation.kane_speeds import read_speeds
from flexura.derivation.kane_steps import kane_steps
from flexura.derivation.newton_euler import newton_euler_refusal, newton_euler_rows, newton_euler_steps
from flexura.derivation.power import power_refusal, power_rows, power_steps
from flexura.derivation.steps import surrogate_steps, variational_steps
from flexura.derivation.surrogate import surrogate_rows
from flexura.derivation.variational import variational_rows
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.symbolic.engine import Symbol
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.motion import ModelMotion

Route = tuple[Callable[[Lagrangian], tuple[Row, ...]], Callable[[Lagrangian, tuple[Row, ...]], tuple[Step, ...]]]

ROUTES: dict[str, Route] = {
    "surrogate": (surrogate_rows, lambda e, rows: surrogate_steps(e, rows) if e.fields else discrete_steps(e, rows)),
    "variational": (variational_rows, variational_steps),
}
"""The energy routes: name -> (rows, steps)."""

MOTION_ROUTES = ("kane", "newton_euler", "power")
"""Routes that need velocities, not energies alone."""


DISCRETE_ROUTES: dict[str, tuple[Route, Callable[[Lagrangian], FlexuraError | None]]] = {
    "newton_euler": ((newton_euler_rows, newton_euler_steps), newton_euler_refusal),
    "power": ((power_rows, power_steps), power_refusal),
}
"""Routes for systems of rigid bodies: name -> ((rows, steps), why it does not apply, or nothing)."""


def derive(system: Any, method: str = "surrogate", speeds: Mapping[str, Any] | None = None) -> Equations:
    """The exact equations of motion of a model or a Lagrangian, by the named route.

    Arguments:
        `system`: a model, a Lagrangian, or equations, which are derived again.
        `method`: "surrogate" (the paper's), "variational", "kane", "newton_euler" or "power"; not every one applies to
            every system, and where it does not it says why.
        `speeds`: generalized speeds for Kane's route, linear in the rates: {"v": "x_t*cos(theta) + y_t*sin(theta)"}.
    Returns fx.Equations: `.ordinary`, `.partial` and `.boundary` in SymPy, `.steps`, `.latex()`, `.to_json()`; print
    shows all of it.

    >>> import flexura as fx
    >>> bob = fx.RigidBody("bob", m=2.0, I=0.1)
    >>> model = fx.Model(fx.Revolute(fx.ground, bob.at(0, 0.5), name="theta"), fx.Torque(bob, "tau"), fx.Gravity())
    >>> print(fx.derive(model))
    Equations of motion
      θ   (I_bob + m_bob/4) θ̈ + (1/2) m_bob g sin(θ) = τ
    """
    energies = lagrangian_of(system)
    if speeds is not None and method != "kane":
        raise FlexuraError(
            f"The route {method!r} has no generalized speeds to choose", advice="use method='kane' with speeds="
        )
    if method in ROUTES:
        return _by_energies(energies, method)
    if method not in MOTION_ROUTES:
        known = ", ".join((*ROUTES, *MOTION_ROUTES))
        raise FlexuraError(f"There is no route called {method!r}", advice=f"choose one of {known}")
    if refusal := why_not(energies, method):
        raise refusal
    if method == "kane":
        return _by_kane(energies, speeds or {})
    (rows, steps), _ = DISCRETE_ROUTES[method]
    derived = completed(rows(energies), energies)
    return Equations(energies, method, derived, steps(energies, derived))


def _by_energies(energies: Lagrangian, method: str) -> Equations:
    """What could be wrong was refused with the Lagrangian, so rows and steps may wait until someone reads them."""
    rows, steps = ROUTES[method]
    derived = Deferred(lambda: completed(rows(energies), energies))
    return Equations(energies, method, derived, Deferred(lambda: steps(energies, tuple(derived))))


def _by_kane(energies: Lagrangian, given: Mapping[str, Any]) -> Equations:
    table = generalized_forces(energies, energies.motion)
    rows = kane_rows(energies, table)
    speeds = read_speeds(given, energies) if given else None
    if speeds is not None:
        rows = speeds.rows(rows, table.discrete["reactions"])
    derived = completed(rows, energies)
    rates = {name: energies.driven(f) for name, f in speeds.rates.items()} if speeds is not None else {}
    return Equations(energies, "kane", derived, kane_steps(energies, energies.motion, table, derived, speeds), rates)


def completed(rows: Iterable[Row], energies: Lagrangian) -> tuple[Row, ...]:
    """The rows of a route with prescribed motions put in, and those of first-order states as they are given."""
    told = [driven(row, energies) for row in rows if row.kind != "ordinary" or row.name not in energies.states]
    last = max((i for i, row in enumerate(told, 1) if row.kind in ("ordinary", "reaction")), default=0)
    given = [state_row(name, energies) for name in energies.states]
    return (*told[:last], *given, *told[last:])


def state_row(name: str, energies: Lagrangian) -> Row:
    """z_t = rate."""
    rate = energies.driven(energies.settled(energies.rate_of(name)))
    return Row("ordinary", name, Sum(Jet(name, t=1).symbol), Sum(rate))


def driven(row: Row, energies: Lagrangian) -> Row:
    """Put prescribed motions in; the row of a prescribed coordinate then tells the load that drives it."""
    left, right = (side.map(energies.driven) for side in (row.left, row.right)) if energies.prescribed else row.sides
    if row.kind == "ordinary" and row.name in energies.prescribed:
        return Row("reaction", row.name, Sum(Symbol(f"Q_{row.name}")), left - right)
    return Row(row.kind, row.name, left, right, row.spine)


def equations_of(system: Any) -> Equations:
    """Equations as they are; those of a model or of energies, derived."""
    if isinstance(system, Equations):
        return system
    if not can_be_derived(system):
        raise FlexuraError(
            f"This is a {type(system).__name__}, neither equations nor a system of matrices",
            advice="derive equations with fx.derive(...), or give fx.SecondOrderSystem(M, D, K)",
        )
    return derive(system)


def small_equations_of(system: Any) -> Equations:
    """Those for answers about rest and small motions: without fields that only larger deflections need."""
    equations = equations_of(system)
    energies = equations.lagrangian.of_small_motions
    if energies is equations.lagrangian:
        return equations
    return derive(energies, equations.method if equations.method in ROUTES else "surrogate")


def described(system: Any) -> Lagrangian | None:
    """The energies of energies, or of what is described by them, as a model is; None for anything else."""
    energies = system if isinstance(system, Lagrangian) else getattr(system, "lagrangian", None)
    return energies if isinstance(energies, Lagrangian) and not isinstance(system, Equations) else None


def can_be_derived(system: Any) -> bool:
    """Whether it is equations, energies, or a model that has some: what holds formulas, and not numbers only."""
    return isinstance(system, Equations) or described(system) is not None


def lagrangian_of(system: Any) -> Lagrangian:
    """The Lagrangian of whatever the user hands in."""
    energies = described(system)
    if energies is None:
        raise FlexuraError(
            f"There is nothing to derive from {type(system).__name__}", advice="give a Model or a Lagrangian"
        )
    return energies


def why_not(energies: Lagrangian, method: str) -> FlexuraError | None:
    """Why a route that needs velocities does not apply; None if it does."""
    if method in DISCRETE_ROUTES:
        return DISCRETE_ROUTES[method][1](energies)
    if isinstance(energies.motion, ModelMotion):
        return None
    return FlexuraError(
        f"The route {method!r} needs velocities, and this system was given by its energies alone",
        advice="use 'surrogate' or 'variational'",
    )
