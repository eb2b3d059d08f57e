"""Linear equations as matrices, M x'' + (D + G) x' + (K + H) x = F u(t), symmetric to the last bit.

>>> linear = second_order(system)
>>> linear.system.M, linear.system.dofs, linear.independent        # unknowns = independent @ x
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.systems.nonlinear import InputSlot, NonlinearSystem
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LinearDiscrete:
    """Matrices of a linear system; constraints are satisfied by unknowns = independent @ x."""

    system: SecondOrderSystem
    independent: Array
    whole: NonlinearSystem


def second_order(system: NonlinearSystem, shapes: Mapping[str, Callable[[InputSlot], Array]]) -> LinearDiscrete:
    """The matrices of a linear, steady system; `shapes` say how inputs of x are spread (uniform else).

    A load that is always there is the last column of F, its input called "steady".
    """
    if not system.steady:
        raise FlexuraError(
            "The system is not linear with constant coefficients; linearise it first: fx.linearise(...)."
        )
    still, u = np.zeros(system.n), system.rest
    M, steady = system.evaluate(0.0, still, still, u)
    stiffness, rates = system.jacobians(0.0, still, still, still, u, np.zeros(system.m))
    N, kept = _independent(system)
    names = tuple(dict.fromkeys(slot.name for slot in system.slots if not slot.derivative))
    columns = [system.evaluate(0.0, still, still, _unit(system, name, shapes))[1] - steady for name in names]
    if np.any(steady) and not system.explicit_time:
        names, columns = (*names, "steady"), [*columns, steady]
    M, stiffness, rates = (N.T @ one @ N for one in (M, stiffness, rates)) if system.m else (M, stiffness, rates)
    found = SecondOrderSystem(
        _half(M, 1),
        _half(rates, 1) if np.any(rates) else None,
        _half(stiffness, 1),
        G=_skew(rates),
        H=_skew(stiffness),
        F=N.T @ np.array(columns).T if columns else None,
        dofs=tuple(system.names[i] for i in kept),
        basis=N if system.m else None,
        inputs=names or None,
    )
    return LinearDiscrete(found, N, system)


def _unit(system: NonlinearSystem, name: str, shapes: Mapping[str, Callable[[InputSlot], Array]]) -> Array:
    """u with one input at one, or spread as its shape says."""
    u = system.rest
    for slot in system.slots:
        if slot.name == name and not slot.derivative:
            spread = slot.points is not None and name in shapes
            u[slot.where] = shapes[name](slot) if spread else 1.0
    return u


def _half(one: Array, sign: int) -> Array:
    return np.asarray((one + sign * one.T) / 2)


def _skew(one: Array) -> Array | None:
    """The skew part, unless it is rounding."""
    found = _half(one, -1)
    return found if np.abs(found).max(initial=0.0) > 1e-13 * np.abs(one).max(initial=0.0) else None


def _independent(system: NonlinearSystem) -> tuple[Array, list[int]]:
    """N of unknowns = N x with A N = 0: one unknown leaves with each constraint, where its coefficient is largest."""
    N, left = np.eye(system.n), list(range(system.n))
    A, b = system.velocity(0.0, np.zeros(system.n))
    if np.any(b):
        raise FlexuraError("A constraint drives the motion; linear matrices take constraints without such a term.")
    for row in A:
        slopes = row @ N
        best = max(left, key=lambda i: abs(slopes[i]), default=-1)
        if best < 0 or abs(slopes[best]) <= 1e-12 * np.abs(row).max(initial=1e-300):
            continue  # it repeats others
        left.remove(best)
        for i in left:
            N[:, i] -= N[:, best] * (slopes[i] / slopes[best])
        N[:, best] = 0.0
    return N[:, left], left
