"""Linear systems with constant coefficients, propagated exactly: matrix exponentials instead of steps.

>>> found = propagated(mechanics, times, q, v, breaks, scales)        # None where the system is not of that kind

The system is asked, not trusted: masses, rates, stiffness and loads are read off its answers, and its energies and
powers are compared with theirs at a state, before they are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import null_space

from flexura.solve.steppers.driven import driven
from flexura.solve.steppers.linear_exact import exact_steps
from flexura.solve.steppers.linear_inputs import Signals
from flexura.solve.steppers.mechanics import Mechanics
from flexura.solve.steppers.small import Small, inexact, products, reach, rounding, shaken, slow_modes
from flexura.solve.steppers.subspace import on_subspace
from flexura.solve.steppers.trajectory import Energy
from flexura.systems.inertia import definite
from flexura.systems.nonlinear import NonlinearSystem
from flexura.systems.second_order import SecondOrderSystem
from flexura.systems.signals.breaks import rounded_ends
from flexura.systems.signals.scales import Scales
from flexura.systems.sizes import refuse_size

Array = NDArray[np.float64]
_LARGEST = 400
_REACH = 1.0  # coordinates that loads could reach if nothing held them, of motions that may be small
_ROUNDED = float(np.finfo(np.float64).eps)
_LOST = 1e-12  # of the largest energy: what rounding of stiff members may make of that of strains, if forces are asked
_HELD = 1e-10  # of the largest: conditions that repeat others
_GRID = 257  # times at which small motions are looked at, at the least


@dataclass(frozen=True)
class Propagated:
    """Coordinates and rates at the times, and the energy balance."""

    q: Array
    v: Array
    energy: Energy
    doubt: float = 0.0  # of the motion: by products of it that were left out
    late: float = 0.0  # of the motion: by rounding of the frequencies
    rounded: float = 0.0  # of the motion: by what rounding makes of the forces, if steps were taken

    def every(self, step: int) -> Propagated:
        """Each step-th time only."""
        one = self.energy
        rows = (one.kinetic, one.potential, one.dissipated, one.supplied)
        return replace(self, q=self.q[::step], v=self.v[::step], energy=Energy(*(row[::step] for row in rows)))


@dataclass(frozen=True)
class _Matrices:
    """M a + C v + K q = steady + B u, and the share of `steady` that is not in the potential."""

    M: Array
    C: Array
    K: Array
    steady: Array
    applied: Array
    B: Array


def propagated(
    mechanics: Mechanics,
    times: Array,
    q: Array,
    v: Array,
    breaks: Sequence[float],
    scales: Scales,
    zeros: int | None = None,
) -> Propagated | None:
    """The exact motion; None where the system or a constraint is nonlinear, or depends on time by itself.

    `zeros`: how many motions have no stiffness, where that is known.
    """
    system = mechanics.system
    if system.multipliers and system.linear and not system.prescribed and not system.explicit_time:
        return _on_what_is_held(mechanics, times, q, v, breaks, scales)
    if system.prescribed and system.n <= _LARGEST:
        moved = driven(mechanics, times, q, v, breaks, scales)
        return None if moved is None else Propagated(*moved)
    plain = system.linear and not system.explicit_time and not system.multipliers and not system.prescribed
    if not plain or system.n > _LARGEST:
        return None
    found = _read(mechanics, float(times[0]))
    for matrix, what in ((found.M, "inertias"), (found.K, "stiffnesses")):
        refuse_size(float(np.abs(matrix).max(initial=1.0)), f"the {what} of the shapes")
    if not definite(found.M):  # whoever steps says which motion has no inertia
        return None
    if not _agrees(mechanics, found, float(times[0])):
        return None
    inside = sorted(one for one in breaks if times[0] < one < times[-1])
    return _stretches(mechanics, found, times, q, v, inside, scales, zeros)


def _on_what_is_held(
    mechanics: Mechanics, times: Array, q: Array, v: Array, breaks: Sequence[float], scales: Scales
) -> Propagated | None:
    """The same among the motions that linear conditions on coordinates leave; None where there are others."""
    system, zero = mechanics.system, np.zeros(mechanics.system.n)
    if not all(system.holonomic) or system.n > _LARGEST:
        return None
    t, else_where = float(times[0]), np.random.default_rng(3).normal(size=system.n)
    (A, b), (other, _), g = system.velocity(t, zero), system.velocity(t, else_where), system.position(t, zero)
    if np.any(b) or np.any(g) or not np.allclose(A, other, rtol=1e-13, atol=1e-15 * np.abs(A).max(initial=0.0)):
        return None
    N = null_space(A, rcond=_HELD)
    names = tuple(f"$held[{i}]" for i in range(N.shape[1]))
    inside = Mechanics(_without_multipliers(on_subspace(system, N, names)), mechanics.inputs)
    found = propagated(inside, times, N.T @ q, N.T @ v, breaks, scales)
    if found is None:
        return None
    whole = replace(found, q=found.q @ N.T, v=found.v @ N.T)
    whole.q[0], whole.v[0] = q, v
    return whole


def _without_multipliers(system: NonlinearSystem) -> NonlinearSystem:
    """A system whose conditions hold whatever moves: no forces are needed to see to them."""
    none = np.zeros(system.m)
    return replace(
        system,
        multipliers=(),
        holonomic=(),
        jacobians=lambda t, q, v, a, u, lam: system.jacobians(t, q, v, a, u, none),
        powers=lambda t, q, v, a, u, lam: system.powers(t, q, v, a, u, none),
    )


def _read(mechanics: Mechanics, t: float) -> _Matrices:
    system, zero = mechanics.system, np.zeros(mechanics.system.n)
    rest = system.rest
    M, f = (one.copy() for one in system.evaluate(t, zero, zero, rest))
    K, C = (one.copy() for one in system.jacobians(t, zero, zero, zero, rest, rest[:0]))
    columns = [system.evaluate(t, zero, zero, unit)[1].copy() - f for unit in np.eye(len(rest))]
    B = np.array(columns).reshape(len(rest), system.n).T
    applied = [system.powers(t, zero, unit, zero, rest, rest[:0]) for unit in np.eye(system.n)]
    lost = [unit @ C @ unit for unit in np.eye(system.n)]
    return _Matrices(M, C, K, f, np.array([p[1] - p[0] + w for p, w in zip(applied, lost, strict=True)]), B)


def _agrees(mechanics: Mechanics, one: _Matrices, t: float) -> bool:
    """Whether energies and powers are those of the matrices, at a state like any other.

    Its strains hold about as much as its rates: beside far more of one energy the other is lost in round-off.
    """
    system = mechanics.system
    random = np.random.default_rng(1)
    q, v, u = random.normal(size=system.n), random.normal(size=system.n), random.normal(size=system.load_size)
    strained = np.abs(q) @ np.abs(one.K) @ np.abs(q)
    q = q * np.sqrt(v @ one.M @ v / strained) if strained > 0 else q
    held = system.energies(t, 0 * q, 0 * v)
    kinetic, potential = system.energies(t, q, v)
    lost, given = system.powers(t, q, v, 0 * q, u, q[:0])
    wanted = (
        (kinetic - held[0], v @ one.M @ v / 2),
        (potential - held[1], q @ one.K @ q / 2 - (one.steady - one.applied) @ q),
        (lost, v @ one.C @ v),
        (given, v @ (one.applied + one.B @ u)),
    )
    q, v = np.abs(q), np.abs(v)
    sizes = (float(v @ np.abs(one.M) @ v), float(q @ np.abs(one.K) @ q), float(v @ np.abs(one.C) @ v), 1.0)
    skew = np.abs(one.K - one.K.T).max() <= 1e-10 * np.abs(one.K).max(initial=1e-300)
    return bool(skew) and all(
        abs(float(a - b)) <= 1e-8 * max(size, abs(float(a)), abs(float(b)))
        for (a, b), size in zip(wanted, sizes, strict=True)
    )


def _stretches(
    mechanics: Mechanics,
    one: _Matrices,
    times: Array,
    q: Array,
    v: Array,
    breaks: Sequence[float],
    scales: Scales,
    zeros: int | None,
) -> Propagated:
    along = _propagated(mechanics, one, times, q, v, breaks, scales, zeros)
    x, rates = along.x, along.v
    stored = mechanics.energies(times, x, rates)
    scale = Energy(stored[:, 0], stored[:, 1], along.lost, along.given, largest=along.largest).scale
    rounded = _ROUNDED * np.einsum("ti,ij,tj->t", np.abs(x), np.abs(one.K), np.abs(x)).max(initial=0.0)
    if rounded > _LOST * scale or not np.isfinite(rounded):  # forces of stiff members cancel to fewer digits than that
        held, rest = one.steady - one.applied, mechanics.energies(times[:1], 0 * x[:1], 0 * rates[:1])
        stored = along.stored + rest - np.column_stack([0 * times, x @ held])
    energy = Energy(stored[:, 0], stored[:, 1], along.lost, along.given, largest=along.largest)
    moved = np.sqrt(np.einsum("ti,ij,tj->t", x - x[0], one.M, x - x[0]).max(initial=0.0))
    late = float(np.linalg.norm(along.late) / moved) if moved else 0.0
    return Propagated(x, rates, energy, late=min(1.0, late))


def small_motion(
    mechanics: Mechanics, times: Array, q: Array, v: Array, breaks: Sequence[float], scales: Scales
) -> Propagated | None:
    """A motion about rest so small that it is that of the linearised equations; `doubt` tells how nearly, None where
    it is not small."""
    system, given_q, given_v = mechanics.system, q, v
    if system.explicit_time or system.multipliers or system.prescribed or system.n > _LARGEST:
        return None
    zero = np.zeros(system.n)
    if not definite(system.evaluate(float(times[0]), zero, zero, system.rest)[0]):
        return None
    inside = sorted(one for one in breaks if times[0] < one < times[-1])
    edges = np.array([times[0], *inside, times[-1]])
    moments = (edges[:-1, None] + np.diff(edges)[:, None] * np.linspace(1e-6, 1 - 1e-6, 9)).ravel()
    moments = np.append(times[:1], moments)
    if max(np.abs(q).max(initial=0.0), np.abs(v).max(initial=0.0)) > 1.0 or reach(mechanics, moments, q, v) > _REACH:
        return None
    noise, one = rounding(mechanics, float(times[0])), _read(mechanics, float(times[0]))
    if not (np.all(np.isfinite(one.K)) and np.all(np.isfinite(one.C))):  # a law with an infinite slope at rest
        return None
    skew = np.abs(one.K - one.K.T).max(initial=0.0) > 1e-10 * np.abs(one.K).max(initial=1e-300)
    modes = None if skew else slow_modes(one.M, one.K, float(times[-1] - times[0]))
    if modes is None or np.any(np.abs(one.steady) > noise):
        return None
    X, none = modes.X, np.zeros(len(modes.squares))
    reduced = _Matrices(np.eye(len(none)), X.T @ one.C @ X, np.diag(modes.squares), none, none, X.T @ one.B)
    peaks = _peaks(mechanics, np.concatenate([moments, scales.moments[:: 1 + len(scales.moments) // _GRID]]), times)
    grid = np.unique(np.concatenate([times, np.linspace(times[0], times[-1], _GRID), peaks]))
    start = X.T @ modes.M @ q, X.T @ modes.M @ v
    along = _propagated(mechanics, reduced, grid, *start, inside, scales)
    y, rates, lost, given, moved = along.x, along.v, along.lost, along.given, along.largest
    u = mechanics.loads(grid)
    a = u @ reduced.B.T - rates @ reduced.C.T - y * modes.squares
    x, v, a = (part @ X.T for part in (y, rates, a))
    motion = Small(grid, x, v, a, u, a @ one.M.T + v @ one.C.T + x @ one.K.T - u @ one.B.T)
    doubt = products(mechanics, modes, motion, noise)
    if doubt is None:
        return None
    doubt += inexact(modes, motion, u @ one.B.T)
    energies = (rates**2).sum(axis=1) / 2, (y**2 @ modes.squares) / 2
    shown = np.isin(grid, times)
    largest = Energy(*energies, lost, given, largest=moved).scale
    energy = Energy(*(row[shown] for row in (*energies, lost, given)), largest=largest)
    found = Propagated(motion.x[shown], motion.v[shown], energy, doubt, rounded=shaken(modes, motion, noise))
    found.q[0], found.v[0] = given_q, given_v  # as they were given, to the last bit
    return found


def _peaks(mechanics: Mechanics, moments: Array, times: Array) -> Array:
    """When each load is largest, which may be for a moment only."""
    moments = moments[(moments > times[0]) & (moments < times[-1])]
    return np.unique(moments[np.abs(mechanics.loads(moments)).argmax(axis=0)])


@dataclass(frozen=True)
class _Along:
    """Coordinates, rates, energies dissipated, supplied and stored, the largest of the first two, and `late`."""

    x: Array
    v: Array
    lost: Array
    given: Array
    stored: Array
    largest: float
    late: Array


def _propagated(
    mechanics: Mechanics,
    one: _Matrices,
    times: Array,
    q: Array,
    v: Array,
    breaks: Sequence[float],
    scales: Scales,
    zeros: int | None = None,
) -> _Along:
    """All stretches between breaks at once, so that steps of one length share their matrices."""
    ends = np.array([one for one in breaks if times[0] < one < times[-1]], dtype=np.float64)
    grid = np.union1d(times, ends)
    held = one.steady - one.applied
    B = np.column_stack([one.B, one.steady])
    edges = np.concatenate([times[:1], ends, times[-1:]])
    slack = np.array([rounded_ends(start, end) for start, end in pairwise(edges.tolist())])

    def at(moments: Array) -> Array:
        mine = np.clip(np.searchsorted(edges, moments, side="right") - 1, 0, len(slack) - 1)
        inside = np.clip(moments, edges[mine] + slack[mine], edges[mine + 1] - slack[mine])
        return np.column_stack([mechanics.loads(inside), np.ones(len(moments))])

    signals = Signals(B, at, 5 if one.B.shape[1] else 0, scales=scales, breaks=tuple(ends.tolist()))
    motion = exact_steps(_system(one), grid, q, v, signals, held, zeros)
    keep = np.isin(grid, times)
    parts = (motion.x, motion.v, motion.dissipated, motion.supplied, motion.stored)
    x, rates, lost, given, stored = (part[keep] for part in parts)
    return _Along(x, rates, lost, given, stored, float(np.abs(motion.booked).max()), motion.late)


def _system(one: _Matrices) -> SecondOrderSystem:
    C, K = one.C, one.K
    return SecondOrderSystem((one.M + one.M.T) / 2, (C + C.T) / 2, (K + K.T) / 2, G=(C - C.T) / 2)
