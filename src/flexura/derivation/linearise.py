"""Linearise: expand the energies to second order about a state, and derive the linear equations from that.

    >>> linear = fx.linearise(equations, about={"theta": 0.3})
    >>> linear.lagrangian.potential                     # quadratic; what is not potential stands in `work`

With u the small motion (it keeps the names) and u0 the state, each row R(u0 + u) = 0 becomes R(u0) + R'(u0) u = 0.
R'(u0) comes from the second-order parts of the energies; where a boundary value, a constraint or a load is not linear,
its derivatives times the load it carries at u0 join in. R(u0) must vanish but for given functions of time, which are
loads. Prescribed motions are put in, so the rows of what drives them (reactions) are no part of the linear equations.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Any

from flexura.derivation.closed_loops import still_closes
from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import ROUTES, derive, equations_of
from flexura.derivation.second_order import SecondOrder
from flexura.derivation.state import StatedSystem
from flexura.energy.lagrangian import Lagrangian, Origin
from flexura.errors import FlexuraError

_READ = (
    *("coordinates", "spines", "kinetic", "potential", "density", "work", "work_density"),
    *("boundary", "constraints", "prescribed"),
)


def linearise(
    equations: Any, about: Mapping[str, Any] | None = None, values: Mapping[str, Any] | None = None
) -> Equations:
    """The equations of small motions about zero, or about a state.

    Arguments:
        `equations`: a model or equations.
        `about`: {"theta": 0.3, "w": "x**2", "phi_t": "Omega"}, or what fx.equilibrium found, which brings its values
            along; a rate phi_t is a steady motion, what is not given is zero, prescribed motions stay as they are
            given.
        `values`: put in first, also for inputs, which so become steady loads; other inputs are small and stay as
            loads.
    Returns fx.Equations, which are linear.

    >>> import flexura as fx
    >>> bob = fx.RigidBody("bob", m=2.0, I=0.1)
    >>> model = fx.Model(fx.Revolute(fx.ground, bob.at(0, 0.5), name="theta"), fx.Torque(bob, "tau"), fx.Gravity())
    >>> print(fx.linearise(model))
    Equations of motion
      θ   (I_bob + m_bob/4) θ̈ + (1/2) m_bob g θ = τ
    """
    equations = equations_of(equations)
    linear = small_motions(equations.lagrangian.of_small_motions, about or {}, with_state(about, values))
    return derive(linear, equations.method if equations.method in ROUTES else "surrogate")


def small_motions(
    energies: Lagrangian, about: Mapping[str, Any], values: Mapping[str, Any], held: Collection[str] = ()
) -> Lagrangian:
    """The energies of small motions about a state; what drives the coordinates in `held` balances their rows."""
    given = dict(values)
    known = {name: one.value for name, one in energies.parameters.items() if one.value is not None}
    if _found_for(about, energies):  # it holds for its numbers alone, so all of them are put in
        linear = SecondOrder(StatedSystem(energies, about, {**known, **given}, held)).lagrangian()
    else:
        linear = _balanced(energies, about, given, known, held)
    put = {name: one.value for name, one in linear.parameters.items() if one.value is not None}
    still_closes(put, set(given), energies)  # asked now, because its gaps are numbers afterwards
    return linear.changed(origin=Origin(energies, dict(about), given))


def _balanced(
    energies: Lagrangian,
    about: Mapping[str, Any],
    given: Mapping[str, Any],
    known: Mapping[str, float],
    held: Collection[str],
) -> Lagrangian:
    """Small motions about a state that balances: for all numbers if it does, else for those that the parts carry."""

    def small(values: Mapping[str, Any]) -> Lagrangian:
        system = StatedSystem(energies, about, values, held)
        if system.unbalanced:
            raise system.unbalance()
        return SecondOrder(system).lagrangian()

    try:
        return small(given)
    except FlexuraError as problem:  # two inertias that are equal make a motion steady
        if not known:
            raise
        try:
            return small({**known, **given})
        except FlexuraError:
            raise problem from None


def with_state(about: Mapping[str, Any] | None, values: Mapping[str, Any] | None) -> dict[str, Any]:
    """Values together with those a state of rest was found for; refused where they contradict one another."""
    held: Mapping[str, Any] = getattr(about, "given", None) or {}
    known = getattr(getattr(about, "equations", None), "values", None) or {}
    for name, value in (values or {}).items():
        before = held.get(name, known.get(name))
        if before is not None and not _same(before, value):
            raise FlexuraError(
                f"The state was found for {name} = {before}, and values gives {value}",
                advice=f"leave {name} out of values, or find the state anew with fx.equilibrium",
                keyword=name,
            )
    return {**held, **(values or {})}


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, int | float) and isinstance(other, int | float):
        return math.isclose(one, other, rel_tol=1e-12, abs_tol=0.0)
    return bool(one == other) or str(one) == str(other)


def _found_for(about: Any, energies: Lagrangian) -> bool:
    """Whether a state says that it is one of rest of these very equations: shapes in decimals need no second look."""
    of = getattr(about, "equations", None)
    return of is not None and all(getattr(of.lagrangian, name) == getattr(energies, name) for name in _READ)
