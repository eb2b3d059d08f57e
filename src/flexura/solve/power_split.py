"""Where the power of a load goes while a free structure moves and deforms without vibrating ([S] section 7).

    F = F_intern + K x0        F_intern = M q'' + D q'        x0 = K+ F_perp, F_perp = F - F_intern
    P = F'(q' + x0') = d/dt (q''Mq' + x0'K x0)/2 + x0''F_intern + q''D q'        (primes on q, x0 here are rates)

F_parallel moves the whole; without damping it is F_intern. All of it is quasi-static: x0 follows F at once.

>>> split = fx.power_split(system, push, t, history="sin(3*t)")
>>> split.power, split.kinetic_power, split.elastic_power, split.internal_power, split.dissipated
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Measured, checked_methods
from flexura.errors import FlexuraError
from flexura.solve.runs.given import read_times
from flexura.solve.runs.matrices import simulate_system
from flexura.structures.operating.inverse import MassMetricInverse, mass_metric_inverse
from flexura.structures.operating.krylov import loads_of
from flexura.systems.second_order import SecondOrderSystem, real_stiffness
from flexura.systems.signals.signal import is_formula, read_signal

Array = NDArray[np.float64]


@checked_methods
@dataclass(frozen=True, eq=False)
class PowerSplit:
    """Forces (times, n), deformations and powers (times,) of a quasi-static motion; `notes` say how far it is one.

    `parallel` is M q (q'Mq)^-1 q'F, `perpendicular` the rest, both in the mass metric; `internal` is M q'' + D q', what
    the whole answers. `rate` is the rigid velocity of every row, `motion` and `motion_rate` that of each rigid motion.
    """

    t: Array
    load: Array
    parallel: Array
    perpendicular: Array
    internal: Array
    deformation: Array
    deformation_rate: Array
    rate: Array
    power: Array
    kinetic_power: Array
    elastic_power: Array
    internal_power: Array
    dissipated: Array
    kinetic_energy: Array
    elastic_energy: Array
    names: tuple[str, ...]
    motion: Mapping[str, Array]
    notes: tuple[str, ...]

    @property
    def residual(self) -> float:
        """What the powers miss against the power of the load, as a part of the largest of them."""
        parts = (self.kinetic_power, self.elastic_power, self.internal_power, self.dissipated)
        size = max(float(np.abs(one).max(initial=0.0)) for one in (self.power, *parts))
        return float(np.abs(self.power - sum(parts)).max(initial=0.0)) / size if size else 0.0

    def to_dataframe(self) -> Any:
        """Powers and energies over time."""
        from flexura.systems.dataframes import dataframe

        powers = ("power", "kinetic_power", "elastic_power", "internal_power", "dissipated")
        columns = {f"{one} (W)": getattr(self, one) for one in powers}
        energies = {f"{one} (J)": getattr(self, one) for one in ("kinetic_energy", "elastic_energy")}
        return dataframe({**columns, **energies}, self.t, "t (s)")


def power_split(system: SecondOrderSystem, F: Any, t: Measured, history: Any = 1.0) -> PowerSplit:
    """The power of F times its history over t: into motion, deformation, both together, and friction.

    F: (n,), or (n, k) with a list of k histories; a history is a number, text in t, a function of t or an array on t.
    The structure starts at rest. Rates of histories that are no text are differences over the points of t.
    """
    real_stiffness(system, "fx.power_split")
    if system.G is not None or system.H is not None:
        raise FlexuraError(
            "The power split is of structures that do not turn, and this one has gyroscopic or circulatory terms",
            advice="leave G and H out, or simulate it: run.energy is the balance of all energies",
        )
    times, columns = read_times(t), loads_of(system, F)
    inverse = mass_metric_inverse(system)
    a, rates = _histories(history, times, columns.shape[1])
    load, load_rate = a @ columns.T, rates @ columns.T
    z, v, accelerated = _rigid(system, inverse, columns, a, _list(history, columns.shape[1]), times)
    Q, MQ = inverse.rigid.Q, inverse.rigid.MQ
    DQ = np.zeros_like(Q) if system.D is None else np.asarray(system.D @ Q)
    internal = accelerated @ MQ.T + v @ DQ.T
    jerk = load_rate @ Q - accelerated @ (Q.T @ DQ).T  # the rate of the acceleration
    x, x_t = inverse((load - internal).T).T, inverse((load_rate - jerk @ MQ.T - accelerated @ DQ.T).T).T
    rate = v @ Q.T
    parallel = load @ Q @ MQ.T
    named = np.linalg.lstsq(inverse.rigid.motions, Q, rcond=None)[0] if Q.shape[1] else np.zeros((0, 0))
    stiff = (system.K @ x.T).T
    return PowerSplit(
        times, load, parallel, load - parallel, internal, x, x_t, rate,
        power=_each(load, rate + x_t),
        kinetic_power=np.sum(v * accelerated, axis=1),
        elastic_power=_each(stiff, x_t),
        internal_power=_each(internal, x_t),
        dissipated=_each(v, v @ (Q.T @ DQ).T),
        kinetic_energy=np.sum(v * v, axis=1) / 2,
        elastic_energy=_each(stiff, x) / 2,
        names=inverse.rigid.names,
        motion=dict(zip(inverse.rigid.names, (z @ named.T).T, strict=True)),
        notes=_notes(system, inverse, times, x, x_t),
    )  # fmt: skip


def _each(first: Array, second: Array) -> Array:
    return np.asarray(np.einsum("ti,ti->t", first, second))


def _histories(history: Any, t: Array, count: int) -> tuple[Array, Array]:
    """Histories and their rates: (times, count)."""
    values, rates = [], []
    for k, one in enumerate(_list(history, count)):
        what = "the history of the load" if count == 1 else f"the history of load {k}"
        at = np.broadcast_to(np.asarray(read_signal(one, what, t).at(t), dtype=np.float64).reshape(-1), t.shape)
        values.append(at)
        if is_formula(one):
            found = read_signal(one, what, t, derivative=1).at(t)
            rates.append(np.broadcast_to(np.asarray(found, dtype=np.float64).reshape(-1), t.shape))
        else:
            rates.append(np.gradient(at, t) if len(t) > 1 else 0 * at)
    return np.column_stack(values), np.column_stack(rates)


def _list(history: Any, count: int) -> list[Any]:
    """One history for each column."""
    given = list(history) if isinstance(history, list | tuple) and count > 1 else [history]
    if len(given) != count:
        raise FlexuraError(f"F has {count} columns and there are {len(given)} histories", advice="give one for each")
    return given


def _rigid(
    system: SecondOrderSystem, inverse: MassMetricInverse, columns: Array, a: Array, histories: list[Any], t: Array
) -> tuple[Array, Array, Array]:
    """Coordinates of the rigid motions, orthonormal in the mass metric: z'' + Q'DQ z' = Q'F; (times, r) each."""
    Q = inverse.rigid.Q
    r = Q.shape[1]
    if not r:
        return (np.zeros((len(t), 0)),) * 3
    D = None if system.D is None else Q.T @ (system.D @ Q)
    push = Q.T @ columns
    small = SecondOrderSystem(np.eye(r), None if D is None else (D + D.T) / 2, np.zeros((r, r)), F=push)
    run = simulate_system(small, t, inputs=dict(zip(small.input_names, histories, strict=True)))
    found = [np.column_stack([run[name + d] for name in small.names]) for d in ("", "_t")]
    accelerated = a @ push.T - (0 if D is None else found[1] @ D.T)
    return found[0], found[1], accelerated


def _notes(system: SecondOrderSystem, inverse: MassMetricInverse, t: Array, x: Array, x_t: Array) -> tuple[str, ...]:
    """How much of the deformation its own inertia would be: the next term of the expansion."""
    told = "Quasi-static: deformations follow the load at once, without vibration."
    size = float(np.abs(x).max(initial=0.0))
    if len(t) < 3 or not size:
        return (told,)
    accelerated = np.gradient(x_t, t, axis=0)
    late = float(np.abs(inverse(system.M @ accelerated.T)).max(initial=0.0)) / size
    return (f"{told} The inertia of the deformation itself would change it by about {late:.1g} of the largest.",)
