"""Linear equations as matrices, M x'' + (D + G) x' + (K + H) x = F u(t), symmetric to the last bit.

>>> linear = second_order(system)
>>> linear.system.M, linear.system.dofs, linear.independent        # unknowns = independent @ x

Conditions on coordinates are satisfied by the choice of x. One that holds rates and coordinates cannot be: its
multiplier is one more unknown without inertia, A_v' lambda in the rows of what it pushes, A_v x' + A_q x = 0 its own.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.systems.conditions import eliminated
from flexura.systems.nonlinear import InputSlot, NonlinearSystem
from flexura.systems.second_order import SecondOrderSystem
from flexura.systems.sizes import refuse_size

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LinearDiscrete:
    """Matrices of a linear system; unknowns = independent @ x. The last of x may be `multipliers`."""

    system: SecondOrderSystem
    independent: Array
    whole: NonlinearSystem
    multipliers: int = 0
    whole_matrices: tuple[Array, Array] | None = None
    """D + G and K + H before they were taken apart: first-order states may tie unknowns of very different units."""


def second_order(
    system: NonlinearSystem, shapes: Mapping[str, Callable[[InputSlot], Array]], kept: Collection[str] = ()
) -> LinearDiscrete:
    """The matrices of a linear, steady system; `shapes` say how inputs of x are spread (uniform else).

    A load that is always there is the last column of F, its input called "steady". Unknowns that are `kept` are not
    those that leave with a condition, where there is another.
    """
    if not system.steady:
        raise FlexuraError(
            "The system is not linear with constant coefficients", advice="linearise it first: fx.linearise(...)"
        )
    still, u = np.zeros(system.n), system.rest
    M, steady = system.evaluate(0.0, still, still, u)
    stiffness, rates = system.jacobians(0.0, still, still, still, u, np.zeros(system.m))
    for matrix, what in ((M, "inertias"), (stiffness, "stiffnesses"), (rates, "dampings")):
        refuse_size(float(np.abs(matrix).max(initial=1.0)), f"the {what} of the shapes")
    conditions = _conditions(system)
    N, stay = _independent(system, conditions, kept)
    names = tuple(dict.fromkeys(slot.name for slot in system.slots if not slot.derivative and not slot.idle))
    columns = [system.evaluate(0.0, still, still, _unit(system, name, shapes))[1] - steady for name in names]
    if np.any(steady) and not system.explicit_time:
        names, columns = (*names, "steady"), [*columns, steady]
    M, stiffness, rates = (N.T @ one @ N for one in (M, stiffness, rates)) if system.m else (M, stiffness, rates)
    loads = N.T @ np.array(columns).T if columns else None
    mixed = [k for k in range(system.m) if conditions.mixed[k]]
    if mixed:
        A_v, A_q = conditions.rates[mixed] @ N, conditions.slopes[mixed] @ N
        _refuse_repeated(A_v, [system.multipliers[k] for k in mixed])
        M, rates, stiffness = _bordered(M, 0 * A_v), _bordered(rates, A_v), _bordered(stiffness, A_q, A_v.T)
        N = np.hstack([N, np.zeros((len(N), len(mixed)))])
        loads = None if loads is None else np.vstack([loads, np.zeros((len(mixed), loads.shape[1]))])
    found = SecondOrderSystem(
        _half(M, 1),
        _half(rates, 1) if np.any(rates) else None,
        _half(stiffness, 1),
        G=_skew(rates),
        H=_skew(stiffness),
        F=loads,
        dofs=(*(system.names[i] for i in stay), *(system.multipliers[k] for k in mixed)),
        basis=N if system.m else None,
        inputs=names or None,
    )
    return LinearDiscrete(found, N, system, len(mixed), (rates, stiffness))


@dataclass(frozen=True)
class _Conditions:
    """rates @ v + slopes @ q = 0, one a row; those among coordinates alone are given by their rates."""

    rates: Array
    slopes: Array

    @property
    def mixed(self) -> list[bool]:
        """Which hold both."""
        return [bool(np.any(row)) for row in self.slopes]


def _conditions(system: NonlinearSystem) -> _Conditions:
    A, b = system.velocity(0.0, np.zeros(system.n))
    if np.any(b):
        raise FlexuraError(
            "A constraint drives the motion", advice="linear matrices take constraints without such a term"
        )
    slopes = np.zeros((system.m, system.n))
    for k in range(system.n if system.m and not all(system.holonomic) else 0):
        slopes[:, k] = system.velocity(0.0, np.eye(system.n)[k])[1]
    return _Conditions(np.asarray(A).reshape(system.m, system.n), slopes)


def _bordered(block: Array, row: Array | None = None, column: Array | None = None) -> Array:
    """A matrix with rows and columns for multipliers."""
    m = len(row) if row is not None else 0
    return np.block([[block, np.zeros((len(block), m)) if column is None else column],
                     [np.zeros((m, len(block))) if row is None else row, np.zeros((m, m))]])  # fmt: skip


def _refuse_repeated(A: Array, names: list[str]) -> None:
    """Refuse conditions on rates that are not independent."""
    sizes = np.abs(A).max(axis=1, initial=0.0)
    found = np.linalg.svd(A / np.where(sizes > 0, sizes, 1.0)[:, None], compute_uv=False)
    if np.any(sizes == 0) or len(found) < len(A) or found[-1] <= 1e-10 * found[0]:
        raise FlexuraError(
            f"The condition{'s' * (len(names) > 1)} {', '.join(names)} on rates and coordinates repeat"
            f"{'s' * (len(names) == 1)} others or contradict them",
            advice="leave out those that follow from the rest",
        )


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


def _independent(
    system: NonlinearSystem, conditions: _Conditions, kept: Collection[str] = ()
) -> tuple[Array, list[int]]:
    """N of unknowns = N x with A N = 0: one unknown leaves with each constraint that counts."""
    plain = conditions.rates[[not mixed for mixed in conditions.mixed]]
    return eliminated(plain, system.names, kept)
