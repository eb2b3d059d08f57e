"""The balance of momenta of a run: what its motion gains, against what acts from outside.

    >>> balance = momentum_balance(case, curve)
    >>> balance.error, balance.motions.names

A motion q(t) that was found somehow, in few shapes perhaps, is put into the equations of all unknowns. What they are
out of balance along a rigid motion xi of everything, xi . (M a - f - A' lambda), is a force that the motion lacks, and
its integral over time the momentum that is missing: inner forces do no work along xi. So a basis that has no rigid
motions is found out, which the energies do not notice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from flexura.analyse.case import Case
from flexura.analyse.histories import Motion
from flexura.analyse.rigid_motions import AXES, RigidMotions, constant, rigid_motions
from flexura.integrate.history import Curve
from flexura.integrate.mechanics import State
from flexura.integrate.trajectory import Momentum
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_STEPS = 24  # of a run, that are looked at: those at evenly spread times stand for the others
_SOFT = 1e-12  # stiffness against a motion, of that of the unknowns it moves, that is round-off
_STEADY = 1e-9  # rates that differ less are the same
_PANELS, _MOST, _STAYS = 32, 100_000, 1e-10  # of integrals of loads: the least, the most, and when they are settled
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(6)  # exact along the curve, where masses are constant
_NODES, _WEIGHTS = (_NODES + 1) / 2, _WEIGHTS / 2


@dataclass(frozen=True, eq=False)
class Balance:
    """Momenta missing along rigid motions at some times, (times, directions), and the sizes they are measured by."""

    motions: RigidMotions
    t: Array
    missing: Array
    scales: Array

    @property
    def errors(self) -> dict[str, float]:
        """The largest momentum missing in each direction, as a part of the largest there could be."""
        worst = np.abs(self.missing).max(axis=0, initial=0.0)
        shares = np.where(self.scales > 0, worst / np.where(self.scales > 0, self.scales, 1.0), 0.0)
        return dict(zip(self.motions.names, shares.tolist(), strict=True))

    @property
    def error(self) -> float:
        """The largest of them."""
        return max(self.errors.values(), default=0.0)


def momentum_balance(case: Case, curve: Curve) -> Balance:
    """Of a motion along its curve, which is in the unknowns of the case."""
    system, mechanics = case.whole, case.mechanics
    spread = curve.t[0] + (curve.t[-1] - curve.t[0]) * (np.arange(_STEPS) + 0.5) / _STEPS
    chosen = np.unique(np.searchsorted(curve.t, spread, side="right") - 1)
    at = np.unique(np.linspace(0, len(curve.t) - 1, 2).astype(int))
    motions = rigid_motions(case.question.equations, case.question.values, system, [_state(case, curve, i) for i in at])
    if not motions.names or not curve.t[-1] > curve.t[0]:
        return _nothing(motions)
    ends = np.append(curve.t[chosen[1:]], curve.t[-1])
    widths = np.diff(curve.t)[chosen]
    nodes = (curve.t[chosen][:, None] + widths[:, None] * _NODES).ravel()
    q, v, a = curve.at(nodes)
    multipliers = mechanics.accelerations(nodes, q, v)[1] if mechanics.constrained else np.zeros((len(nodes), 0))
    q, v, a = case.all(q), case.all(v), case.all(a)
    M, left = _out_of_balance(system, nodes, q, v, a, mechanics.loads(nodes), multipliers)
    along = motions.rates(nodes, q)
    forces = np.einsum("kni,kn->ki", along, left)
    means = np.einsum("sji,j->si", forces.reshape(len(chosen), len(_NODES), -1), _WEIGHTS)
    steps = means * widths[:, None] * (curve.t[-1] - curve.t[0]) / widths.sum()
    masses = np.einsum("kni,knm,kmi->ki", along, M, along).max(axis=0)
    speeds = np.einsum("kn,knm,km->k", v, M, v).max()
    missing = np.concatenate([np.zeros((1, steps.shape[1])), np.cumsum(steps, axis=0)])
    return Balance(motions, np.append(curve.t[:1], ends), missing, np.sqrt(np.abs(masses * speeds)))


def linear_balance(case: Case, times: Array, q: Array, v: Array) -> Balance:
    """Of linear equations that were propagated exactly: momenta at the times against the integral of the loads.

    Along a motion without stiffness, d(xi . M v)/dt = xi . (loads - C v), whose last part is integrated by itself.
    """
    system, t, q, v = case.whole, float(times[0]), case.all(q), case.all(v)
    if system.prescribed:
        return _nothing(RigidMotions(held=AXES))
    ends = [State(float(times[i]), q[i], v[i], 0 * q[i], np.zeros(0)) for i in (0, -1)]
    motions = rigid_motions(case.question.equations, case.question.values, system, ends)
    if not motions.names:
        return _nothing(motions)
    zero = np.zeros(system.n)
    first, last = motions.rates(times[[0, -1]], q[[0, -1]])
    K, C = (one.copy() for one in system.jacobians(t, zero, zero, zero, system.rest, system.rest[:0]))
    M, f = (one.copy() for one in system.evaluate(t, zero, zero, system.rest))
    each = np.sqrt(np.abs(np.diag(K)))  # a soft support is one, however stiff the members are that it does not hold
    soft = (np.abs(K @ first) <= _SOFT * np.outer(each, each @ np.abs(first))).all(axis=0)
    kept = soft & (np.abs(first - last).max(axis=0) <= _STEADY)
    names = tuple(name for name, one in zip(motions.names, kept, strict=True) if one)
    left = tuple(name for name in motions.names if name not in names)
    along = first[:, kept]
    per_unit = [along.T @ (system.evaluate(t, zero, zero, unit)[1] - f) for unit in np.eye(system.load_size)]
    loads = np.array(per_unit).reshape(system.load_size, len(names))
    impulses = _integral(lambda s: case.mechanics.loads(s) @ loads, times, case.breaks)
    motions = RigidMotions(names, (*motions.held, *left), partial(constant, along))
    if impulses is None:
        return _nothing(RigidMotions(held=(*motions.held, *names)))
    given = impulses + (times - t)[:, None] * (along.T @ f) - (q - q[0]) @ C.T @ along
    missing = (v - v[0]) @ M.T @ along - given
    speeds = np.einsum("kn,nm,km->k", v, M, v).max(initial=0.0)
    masses = np.einsum("ni,nm,mi->i", along, M, along)
    return Balance(motions, times, missing, np.sqrt(np.abs(masses * speeds)) + np.abs(given).max(axis=0, initial=0.0))


def _nothing(motions: RigidMotions) -> Balance:
    count = len(motions.names)
    return Balance(motions, np.zeros(1), np.zeros((1, count)), np.zeros(count))


def _integral(f: Callable[[Array], Array], times: Array, breaks: Sequence[float]) -> Array | None:
    """The integral of f from the first time to each, panels halved until it stays; None where it does not."""
    marks = np.unique([*times, *(one for one in breaks if times[0] < one < times[-1])])
    before = None
    for halvings in range(12):
        parts = max(1, _PANELS // (len(marks) - 1)) * 2**halvings
        if parts * len(marks) > _MOST:
            return None
        grid = np.append((marks[:-1, None] + np.diff(marks)[:, None] * np.arange(parts) / parts).ravel(), marks[-1])
        h = np.diff(grid)
        values = f((grid[:-1, None] + h[:, None] * _NODES).ravel()).reshape(len(h), len(_NODES), -1)
        sums = np.concatenate(
            [np.zeros((1, values.shape[2])), np.cumsum(np.einsum("sji,j->si", values, _WEIGHTS) * h[:, None], axis=0)]
        )
        now = sums[::parts][np.searchsorted(marks, times)]
        size = np.abs(values).max(initial=0.0) * (times[-1] - times[0])
        if before is not None and np.abs(now - before).max(initial=0.0) <= _STAYS * size:
            return now
        before = now
    return None


@dataclass(frozen=True, eq=False)
class Momenta:
    """The momenta of a motion and their balance, ready to be asked for."""

    motion: Motion
    balance: Balance

    def momentum(self) -> Momentum:
        """As a record on the times of the motion."""
        motion, motions = self.motion, self.balance.motions
        along = motions.rates(motion.t, motion.q)
        found = {name: self._conjugate(along[..., i]) for i, name in enumerate(motions.names)}
        axes = [found.get(name, np.full(len(motion.t), np.nan)) for name in AXES]
        missing = [np.interp(motion.t, self.balance.t, column) for column in self.balance.missing.T]
        return Momentum(
            motion.t,
            np.column_stack(axes[:3]),
            np.column_stack(axes[3:]),
            {name: one for name, one in found.items() if name not in AXES},
            dict(zip(motions.names, missing, strict=True)),
            self.balance.errors,
            motions.held,
        )

    def _conjugate(self, along: Array) -> Array:
        """xi . dT/dv: a difference of kinetic energies, which is exact because they are quadratic."""
        motion, system = self.motion, self.motion.whole
        size = 1e-3 * (np.abs(motion.v).max(initial=0.0) or 1.0) / (np.abs(along).max(initial=0.0) or 1.0)
        both = [kinetic(system, motion.t, motion.q, motion.v + sign * size * along) for sign in (1, -1)]
        return (both[0] - both[1]) / (2 * size)


def kinetic(system: NonlinearSystem, t: Array, q: Array, v: Array) -> Array:
    """The kinetic energy at many states."""
    if system.stacks:
        return np.asarray(system.energies(t, q, v)[0]).copy()
    return np.array([float(system.energies(*row)[0]) for row in zip(t.tolist(), q, v, strict=True)])


def _state(case: Case, curve: Curve, i: int) -> State:
    q, v, a = (case.all(one[i][None])[0] for one in (curve.q, curve.v, curve.a))
    return State(float(curve.t[i]), q, v, a, np.zeros(case.whole.m))


def _out_of_balance(
    system: NonlinearSystem, t: Array, q: Array, v: Array, a: Array, u: Array, multipliers: Array
) -> tuple[Array, Array]:
    """M and M a - f - A' lambda of all unknowns at many states."""
    if system.stacks:
        M, f = (one.copy() for one in system.evaluate(t, q, v, u))
    else:
        rows = [[one.copy() for one in system.evaluate(*row)] for row in zip(t.tolist(), q, v, u, strict=True)]
        M, f = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    left = np.einsum("knm,km->kn", M, a) - f
    if system.m:
        A = [system.velocity(s, x)[0].copy() for s, x in zip(t.tolist(), q, strict=True)]
        left = left - np.einsum("kmn,km->kn", np.array(A), multipliers)
    return M, left
