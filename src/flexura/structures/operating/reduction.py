"""Reduced models: the equations projected on rigid motions and the first modes of the expansion.

>>> reduced = fx.reduce(system, F, 6)
>>> reduced.basis, reduced.error(omega), fx.simulate(reduced, t, inputs={"F": "sin(t)"})

The self-consistent projection (theory, section 5; [S] 5.1): x = V z with all coefficients free, V'MV z'' + V'DV z' +
V'KV z = V'F. It is symmetric and positive, so energy is kept, and exact at zero frequency.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Numbers
from flexura.errors import FlexuraError
from flexura.structures.operating.accuracy import Accuracy
from flexura.structures.operating.inverse import MassMetricInverse, mass_metric_inverse
from flexura.structures.operating.krylov import Expansion, loads_of
from flexura.systems.second_order import SecondOrderSystem, real_stiffness

Array = NDArray[np.float64]
METHODS = ("static_deformation", "modal")
_MOST = 60


def reduce(
    system: SecondOrderSystem,
    F: Numbers,
    order: int | None = None,
    method: str = "static_deformation",
    tolerance: float | None = None,
    band: Any = None,
    outputs: Numbers = None,
) -> SecondOrderSystem:
    """A small system for the loads F, (n,) or (n, inputs), with `order` elastic modes per input; rigid modes are extra.

    With `tolerance` and `band` (a frequency, or two, in rad/s) modes are added, from `order` on, until the estimated
    error in the band is below the tolerance. `outputs` (rows of n) adds the modes of a unit load at each output, which
    makes the responses there as accurate again. `method="modal"` projects on the lowest modes instead, for comparison.
    """
    loads = loads_of(system, F)
    if method not in METHODS:
        raise FlexuraError(f"method is {method!r}", advice=f"use {' or '.join(map(repr, METHODS))}")
    omega = _band(tolerance, band)
    order = _order(order, tolerance)
    real_stiffness(system, "a reduced model")
    inverse = mass_metric_inverse(system)
    sought = _with_outputs(system, loads, outputs)
    grown = _Modal(inverse, sought) if method == "modal" else Expansion(inverse, _with_friction(inverse, sought))
    grown.grow(order)
    if not inverse.rigid.count and not grown.V.shape[1]:
        raise FlexuraError(
            "order is 0 and the structure has no rigid motion, so nothing is left", advice="give order 1 or more"
        )
    made = project(inverse, grown.V, grown.KV, loads, F)
    while omega is not None and tolerance is not None:
        assert isinstance(made.estimate, Accuracy)
        worst = float(np.max(made.estimate(omega, round_off=False)))
        if worst <= tolerance:
            break
        if order >= _MOST or grown.exhausted:
            raise FlexuraError(
                f"With {order} modes per input the error in the band is still {worst:.1e}, above the tolerance"
                f" {tolerance:.1e}",
                advice=f"narrow the band (its end is {omega[-1]:g} rad/s), or raise the tolerance",
            )
        order += 1
        grown.grow(1)
        made = project(inverse, grown.V, grown.KV, loads, F)
    return made


def _band(tolerance: float | None, band: Any) -> Array | None:
    if (tolerance is None) != (band is None):
        missing = "band" if band is None else "tolerance"
        raise FlexuraError(
            f"tolerance and band belong together, and {missing} is missing", advice="give both or neither"
        )
    if band is None:
        return None
    ends = np.atleast_1d(np.asarray(band, dtype=np.float64))
    low, high = (0.0, float(ends[0])) if len(ends) == 1 else (float(ends[0]), float(ends[-1]))
    if len(ends) > 2 or not 0 <= low < high or not np.isfinite(high):
        raise FlexuraError(f"band is {band!r}", advice="give one frequency, or two ascending ones, in rad/s")
    if tolerance is None or not tolerance > 0:
        raise FlexuraError(f"tolerance is {tolerance!r}", advice="give a number greater than 0")
    return np.linspace(max(low, 1e-3 * high), high, 24)


def _order(order: Any, tolerance: float | None) -> int:
    if order is None and tolerance is not None:
        return 1
    if isinstance(order, bool) or not isinstance(order, int | np.integer) or order < 0:
        raise FlexuraError(f"order is {order!r}", advice="give a whole number of elastic modes per input, 0 or more")
    return int(order)


def _with_outputs(system: SecondOrderSystem, loads: Array, outputs: Any) -> Array:
    if outputs is None:
        return loads
    rows = np.atleast_2d(np.asarray(outputs, dtype=np.float64))
    if rows.shape[1] != system.n:
        raise FlexuraError(
            f"outputs has the shape {rows.shape}", advice=f"give {system.n} columns, one for each degree of freedom"
        )
    return np.column_stack([loads, rows.T])


def _with_friction(inverse: MassMetricInverse, loads: Array) -> Array:
    """The block starts with K+[F, D Q] where friction couples rigid motion to deformation."""
    rates = inverse.system.rates
    if rates is None or not inverse.rigid.count:
        return loads
    drag = rates @ inverse.rigid.Q
    deforming = inverse.split(drag)[1]
    size = np.linalg.norm(abs(rates) @ np.abs(inverse.rigid.Q), axis=0)
    kept = np.linalg.norm(deforming, axis=0) > 1e-10 * np.maximum(size, 1e-300)
    return np.column_stack([loads, drag[:, kept]])


class _Modal:
    """The lowest elastic modes, `blocks` for each load; the basis everybody knows, to compare with."""

    def __init__(self, inverse: MassMetricInverse, loads: Array) -> None:
        self.inverse, self.inputs = inverse, loads.shape[1]
        self.V = self.KV = np.zeros((inverse.system.n, 0))
        self.exhausted = False

    def grow(self, blocks: int = 1) -> _Modal:
        from flexura.structures.operating.elastic import elastic_modes

        if not blocks:
            return self
        squares, self.V = elastic_modes(self.inverse, self.V.shape[1] + blocks * self.inputs)
        self.KV = (self.inverse.system.M @ self.V) * squares
        return self


def project(inverse: MassMetricInverse, V: Array, KV: Array, loads: Array, F: Any) -> SecondOrderSystem:
    """V'MV, V'DV, V'KV, V'F on [rigid, elastic]."""
    system, Q = inverse.system, inverse.rigid.Q
    r, basis = Q.shape[1], np.column_stack([Q, V])
    m = basis.shape[1]
    K = np.zeros((m, m))
    K[r:, r:] = _half(V.T @ KV)
    small: dict[str, Any] = {
        "M": _half(basis.T @ (system.M @ basis)),
        "D": None if system.D is None else _half(basis.T @ (system.D @ basis)),
        "K": K,
        "G": None if system.G is None else _half(basis.T @ (system.G @ basis), -1),
        "H": None if system.H is None else _half(basis.T @ (system.H @ basis), -1),
    }
    shape = np.shape(F)
    names = (*(f"q{i + 1}" for i in range(r)), *(f"a{i}" for i in range(m - r)))
    made = SecondOrderSystem(
        **small,
        F=(basis.T @ loads).reshape((m, *shape[1:])),
        nodes=system.nodes,
        dofs=names,
        basis=basis,
        C=None if system.C is None else system.C @ basis,
        inputs=system.inputs if system.F is not None and np.shape(system.F) == shape else None,
        outputs=system.outputs,
        full=system,
    )
    return made.with_(estimate=Accuracy(inverse, made, loads, np.column_stack([0 * Q, KV])))


def _half(A: Array, sign: int = 1) -> Array:
    return np.asarray((A + sign * A.T) / 2)
