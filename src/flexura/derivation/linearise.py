"""Linearise: expand the energies to second order about a state, and derive the linear equations from that.

    >>> linear = fx.linearise(equations, about={"theta": 0.3})
    >>> linear.lagrangian.potential                     # quadratic; what is not potential stands in `work`

With u the small motion (it keeps the names) and u0 the state, each row R(u0 + u) = 0 becomes R(u0) + R'(u0) u = 0.
R'(u0) comes from the second-order parts of the energies; where a boundary value, a constraint or a load is not linear,
its derivatives times the load it carries at u0 join in. R(u0) must vanish but for given functions of time, which are
loads. Prescribed motions are put in, so the rows of what drives them (reactions) are no part of the linear equations.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import ROUTES, derive, equations_of
from flexura.derivation.second_order import SecondOrder
from flexura.derivation.state import StatedSystem


def linearise(
    equations: Any, about: Mapping[str, Any] | None = None, values: Mapping[str, Any] | None = None
) -> Equations:
    """The equations of small motions about zero, or about a state {"theta": 0.3, "w": "x**2", "phi_t": "Omega"}.

    A rate phi_t is a steady motion; what is not given is zero; prescribed motions stay as they are given. `values` are
    put in first, also for inputs, which so become steady loads; other inputs are small and stay as loads.
    """
    equations = equations_of(equations)
    given = dict(values or {})
    system = StatedSystem(equations.lagrangian, about or {}, given)
    known = {name: value for name, value in equations.values.items() if value is not None}
    if system.unbalanced and known:  # a state found for the numbers the parts carry holds for these alone
        carried = StatedSystem(equations.lagrangian, about or {}, {**known, **given})
        system = system if carried.unbalanced else carried
    if system.unbalanced:
        raise system.unbalance()
    return derive(SecondOrder(system).lagrangian(), equations.method if equations.method in ROUTES else "surrogate")
