"""Linearise: expand the energies to second order about a state, and derive the linear equations from that.

    >>> linear = fx.linearise(equations, about={"theta": 0.3})
    >>> linear.lagrangian.potential                     # quadratic; what is not potential stands in `work`

With u the small motion (it keeps the names) and u0 the state, each row R(u0 + u) = 0 becomes R(u0) + R'(u0) u = 0.
R'(u0) comes from the second-order parts of the energies; where a boundary value, a constraint or a load is not linear,
its derivatives times the load it carries at u0 join in. R(u0) must vanish but for given functions of time, which are
loads. Prescribed motions are put in, so the rows of what drives them (reactions) are no part of the linear equations.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import ROUTES, derive, equations_of
from flexura.derivation.second_order import SecondOrder
from flexura.derivation.state import StatedSystem
from flexura.energy.lagrangian import Lagrangian, Origin


def linearise(
    equations: Any, about: Mapping[str, Any] | None = None, values: Mapping[str, Any] | None = None
) -> Equations:
    """The equations of small motions about zero, or about a state {"theta": 0.3, "w": "x**2", "phi_t": "Omega"}.

    A rate phi_t is a steady motion; what is not given is zero; prescribed motions stay as they are given. `values` are
    put in first, also for inputs, which so become steady loads; other inputs are small and stay as loads.
    """
    equations = equations_of(equations)
    linear = small_motions(equations.lagrangian, about or {}, values or {})
    return derive(linear, equations.method if equations.method in ROUTES else "surrogate")


def small_motions(
    energies: Lagrangian, about: Mapping[str, Any], values: Mapping[str, Any], held: Collection[str] = ()
) -> Lagrangian:
    """The energies of small motions about a state; what drives the coordinates in `held` balances their rows."""
    given = dict(values)
    system = StatedSystem(energies, about, given, held)
    known = {name: one.value for name, one in energies.parameters.items() if one.value is not None}
    if system.unbalanced and known:  # a state found for the numbers the parts carry holds for these alone
        carried = StatedSystem(energies, about, {**known, **given}, held)
        system = system if carried.unbalanced else carried
    if system.unbalanced:
        raise system.unbalance()
    linear = SecondOrder(system).lagrangian()
    return linear.changed(origin=Origin(energies, dict(about), given))
