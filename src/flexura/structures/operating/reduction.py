"""Reduced models: the equations projected on rigid motions and a few deformations.

>>> reduced = fx.reduce(system, F, 6)
>>> reduced.basis, reduced.error(omega), fx.simulate(reduced, t, inputs={"F": "sin(t)"})
>>> fx.reduce(system, F, tolerance=1e-6, band=300.0)     # as few as that takes, damped and gyroscopic or not

The self-consistent projection (theory, section 5; [S] 5.1): x = V z with all coefficients free, V'MV z'' + V'DV z' +
V'KV z = V'F. It is symmetric and positive, so energy is kept. The basis grows around rest (`bases`), and where that
does not pay, by the response at the frequency where the error is largest (`frequencies`).
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Numbers
from flexura.errors import FlexuraError
from flexura.structures.operating.accuracy import Accuracy, Truth
from flexura.structures.operating.bases import AroundRest, CraigBampton, Modal, interface_of, with_friction
from flexura.structures.operating.inverse import MassMetricInverse, mass_metric_inverse
from flexura.structures.operating.krylov import loads_of
from flexura.structures.operating.one_input import notes_on_inputs
from flexura.systems.second_order import SecondOrderSystem, as_dense

Array = NDArray[np.float64]
METHODS = ("static_deformation", "modal", "craig_bampton")
_MOST = 60
_PAYS = 0.1  # a block around rest pays where it leaves so much of the error, or less
_GRID = 32


def reduce(
    system: SecondOrderSystem,
    F: Numbers,
    order: int | None = None,
    method: str = "static_deformation",
    tolerance: float | None = None,
    band: Any = None,
    outputs: Numbers = None,
    *,
    interface: Any = None,
) -> SecondOrderSystem:
    """A small system for the loads F, (n,) or (n, inputs), with `order` elastic modes per input; rigid modes are extra.

    With `tolerance` and `band` (a frequency, or two, in rad/s) modes are added, from `order` on, until the estimated
    error in the band is below the tolerance. `outputs` (rows of n) adds the modes of a unit load at each output, which
    makes the responses there as accurate again.

    `method="modal"` takes the lowest modes instead, one of each input's places being that of K+ F (residual vectors),
    "craig_bampton" the modes with the `interface` held (names or numbers of rows; where loads and outputs act, if not
    given), to which the constraint modes come extra. Both carry the same `.error(omega)`.
    """
    loads = loads_of(system, F)
    if method not in METHODS:
        known = ", ".join(map(repr, METHODS[:-1])) + f" or {METHODS[-1]!r}"
        raise FlexuraError(f"method is {method!r}", advice=f"use {known}")
    if interface is not None and method != "craig_bampton":
        raise FlexuraError(f"method={method!r} has no interface", advice="leave interface= out, or say 'craig_bampton'")
    omega = _band(tolerance, band)
    order = _order(order, tolerance)
    inverse = mass_metric_inverse(system)
    sought = _with_outputs(system, loads, outputs)
    grown = _started(inverse, sought, method, interface)
    grown.grow(order)
    if not inverse.rigid.count and not grown.space.count:
        raise FlexuraError(
            "order is 0 and the structure has no rigid motion, so nothing is left", advice="give order 1 or more"
        )
    truth = Truth(inverse, loads)
    made = project(inverse, grown.space.V, grown.space.KV, loads, F, truth)
    if omega is not None and tolerance is not None:
        made = _refined(grown, made, lambda V, KV: project(inverse, V, KV, loads, F, truth), truth, omega, tolerance)
    return made.with_(notes=notes_on_inputs(inverse, loads, made.input_names))


def _started(inverse: MassMetricInverse, sought: Array, method: str, interface: Any) -> Any:
    if method == "modal":
        return Modal(inverse, sought, sought.shape[1])
    if method == "craig_bampton":
        return CraigBampton(inverse, interface_of(inverse.system, sought, interface), sought.shape[1])
    return AroundRest(inverse, with_friction(inverse, sought), sought.shape[1])


def _refined(
    grown: Any, made: SecondOrderSystem, again: Any, truth: Truth, band: Array, tolerance: float
) -> SecondOrderSystem:
    """Grow until the error in the band is low enough: around rest while that pays, then where it is largest."""
    before, pays, space = np.inf, True, grown.space
    most = min(_MOST * truth.loads.shape[1] + made.n, truth.inverse.system.n)
    while True:
        points = _checked(made, band)
        errors = Accuracy(made, truth)(points, round_off=False, enough=tolerance)
        worst = float(np.max(errors))
        if worst <= tolerance:
            return made
        pays = pays and not grown.exhausted and worst <= _PAYS * before
        before, size = worst, grown.space.count
        if pays or not isinstance(grown, AroundRest):
            grown.grow(1)
        else:
            space.add(truth.visit(float(points[int(np.argmax(errors))])).right_sides(truth.loads))
        if (grown.space.count == size and not pays) or grown.space.count > most:
            raise FlexuraError(
                f"With {size} modes the error in the band is still {worst:.1e}, above the tolerance {tolerance:.1e}",
                advice=f"narrow the band (its end is {band[-1]:g} rad/s), or raise the tolerance"
                + ("" if isinstance(grown, AroundRest) else ", or use method='static_deformation'"),
            )
        made = cast(SecondOrderSystem, again(grown.space.V, grown.space.KV))


def _checked(made: SecondOrderSystem, band: Array) -> Array:
    """The frequencies looked at: a grid, and beside each resonance of the model, where errors are largest."""
    A, M = as_dense(made.K), as_dense(made.M)
    peaks = np.sqrt(np.abs(np.linalg.eigvals(np.linalg.solve(M, A))))
    peaks = np.unique(np.concatenate([0.97 * peaks, 1.03 * peaks]))
    return np.unique(np.concatenate([band, peaks[(peaks > band[0]) & (peaks < band[-1])]]))


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
    return np.linspace(max(low, 1e-3 * high), high, _GRID)


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


def project(
    inverse: MassMetricInverse, V: Array, KV: Array, loads: Array, F: Any, truth: Truth | None = None
) -> SecondOrderSystem:
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
        "structural": None if system.structural is None else _half(basis.T @ (system.structural @ basis)),
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
    return made.with_(estimate=Accuracy(made, truth or Truth(inverse, loads)))


def _half(A: Array, sign: int = 1) -> Array:
    return np.asarray((A + sign * A.T) / 2)
