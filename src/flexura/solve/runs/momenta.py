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
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from flexura.solve.runs.case import Case
from flexura.solve.runs.histories import RunMotion
from flexura.solve.runs.rigid_motions import AXES, RigidMotions, constant, rigid_motions
from flexura.solve.steppers.history import Curve
from flexura.solve.steppers.looked import NODES, WEIGHTS, look_at, seen_at
from flexura.solve.steppers.mechanics import State
from flexura.solve.steppers.small import evaluated
from flexura.solve.steppers.trajectory import Momentum
from flexura.systems.deadline import OutOfTime, between_pieces, preparing
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
NOTICED = 10.0  # times the tolerance of the energies: momenta that miss more are told
_FEW = 48  # steps that are all looked at; of more, as many evenly, and as many at the ends of stretches and in pulses
_EDGE = 2  # steps at each end of a smooth stretch that stand for themselves
_HALVINGS = 12  # of steps, where forces have corners
_ROUGH = 0.1  # of what may be missing, shared by all steps: what halving may still change
_AT_ONCE, _LEAST = 20_000, 4  # numbers of mass matrices at a time, and stretches
_SOFT = 1e-12  # stiffness against a motion, of that of the unknowns it moves, that is round-off
_STEADY = 1e-9  # rates that differ less are the same
_PANELS, _MOST, _STAYS = 32, 100_000, 1e-10  # of integrals of loads: the least, the most, and when they are settled
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(6)  # exact along the curve, where masses are constant
_NODES, _WEIGHTS = (_NODES + 1) / 2, _WEIGHTS / 2


@dataclass(frozen=True, eq=False)
class MomentumBalance:
    """Momenta missing along rigid motions at some times, (times, directions), and the sizes they are measured by."""

    motions: RigidMotions
    t: Array
    missing: Array
    scales: Array
    steps: tuple[int, int] = (0, 0)  # that were looked at, of how many

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


def momentum_balance(case: Case, curve: Curve) -> MomentumBalance:
    """Of a motion along its curve, which is in the unknowns of the case.

    Of a long run some steps are looked at first, each for those beside it. Where these seem to miss something, all
    steps are, in parts as small as the forces ask for: what is told of a run was integrated, not extrapolated.
    """
    at = np.unique(np.linspace(0, len(curve.t) - 1, 2).astype(int))
    states = [_state(case, curve, i) for i in at]
    motions = rigid_motions(case.question.equations, case.question.values, case.whole, states)
    if not motions.names or not curve.t[-1] > curve.t[0]:
        return _nothing(motions)
    steps, forces = np.flatnonzero(np.diff(curve.t) > 0), _Forces(case, curve, motions)
    balance = _extrapolated(forces, steps, _chosen(curve, steps, case.scales.moments))
    limit = NOTICED * case.question.tolerance
    if balance.error <= limit:
        return balance
    try:
        with preparing(case.question.deadline):
            return _integrated(forces, steps, limit)
    except OutOfTime:  # what some steps tell is told, with how many they are
        return balance


def _chosen(curve: Curve, steps: NDArray[np.int64], moments: Array) -> NDArray[np.int64]:
    """Which of the steps to look at: all of few; else those at the ends of smooth stretches and in pulses, and some.

    A step stands for those up to the next one, so neighbours of an end that are chosen too have the weight one.
    """
    if len(steps) <= _FEW:
        return np.arange(len(steps))
    ends = np.array(curve.parts).reshape(-1, 2)
    near = np.concatenate([ends[:, :1] + np.arange(_EDGE), ends[:, 1:] - 1 - np.arange(_EDGE)], axis=1).ravel()
    pulses = np.searchsorted(curve.t, moments, side="right") - 1
    marked = np.flatnonzero(np.isin(steps, np.concatenate([near, near + 1, pulses, pulses + 1])))
    some = np.linspace(0, len(steps) - 1, _FEW).astype(int)
    return np.unique(np.concatenate([some, marked[:: -(-len(marked) // _FEW) or 1]]))


def _extrapolated(forces: _Forces, steps: NDArray[np.int64], chosen: NDArray[np.int64]) -> MomentumBalance:
    """The balance by the chosen steps, each with the time up to the next."""
    t, h = forces.curve.t, np.diff(forces.curve.t)
    begins = np.append(t[steps[chosen]], t[-1])
    widths = h[steps[chosen]]
    impulses = forces.of_steps(steps[chosen]) * (np.diff(begins) / widths)[:, None]
    return forces.balance(begins, impulses, (len(chosen), len(steps)))


def _integrated(forces: _Forces, steps: NDArray[np.int64], limit: float) -> MomentumBalance:
    """The balance by all steps.

    Where a force has a corner or jumps, as in friction and contacts, the curve through several steps does not follow
    it: of that curve and the one through the ends of each step alone, which misses less of the impulse is believed.
    """
    smooth = _settled(forces, steps, limit)
    alone = _settled(forces.step_by_step(steps), steps, limit)
    impulses = np.where(np.abs(smooth) <= np.abs(alone), smooth, alone)
    t = forces.curve.t
    return forces.balance(np.append(t[steps], t[-1]), impulses, (len(steps), len(steps)))


def _settled(forces: _Forces, steps: NDArray[np.int64], limit: float) -> Array:
    """The impulses of all steps, those cut in two, again and again, in which cutting changes the impulse."""
    t = forces.curve.t
    begins, widths, owners = t[steps], np.diff(t)[steps], np.arange(len(steps))
    now = forces.impulses(begins, widths)
    total = now.copy()
    for _ in range(_HALVINGS):
        begins, widths = np.concatenate([begins, begins + widths / 2]), np.tile(widths / 2, 2)
        halves = forces.impulses(begins, widths).reshape(2, len(owners), -1)
        changes = halves.sum(axis=0) - now
        np.add.at(total, owners, changes)
        rough = (np.abs(changes) > _ROUGH * limit / len(steps) * forces.scales).any(axis=1)
        if not rough.any():
            break
        begins, widths, owners = begins[np.tile(rough, 2)], widths[np.tile(rough, 2)], np.tile(owners[rough], 2)
        now = halves[:, rough].reshape(len(owners), -1)
    return total


class _Forces:
    """What the motion along a curve lacks, as impulses along its rigid motions; and the sizes they are measured by."""

    def __init__(self, case: Case, curve: Curve, motions: RigidMotions) -> None:
        self.case, self.curve, self.motions = case, curve, motions
        self.mass, self.speed = np.zeros(len(motions.names)), 0.0  # the largest seen

    @property
    def scales(self) -> Array:
        """The largest momentum that the kinetic energy allows, in each direction."""
        return np.sqrt(np.abs(self.mass * self.speed))

    def step_by_step(self, steps: NDArray[np.int64]) -> _Forces:
        """The same along curves that end with each step."""
        return _Forces(self.case, replace(self.curve, parts=[(int(i), int(i) + 1) for i in steps]), self.motions)

    def of_steps(self, steps: NDArray[np.int64]) -> Array:
        """Of whole steps, inside which the run may have been looked at before."""
        case, t = self.case, self.curve.t
        if case.whole is not case.system or not case.mechanics.together:
            return self.impulses(t[steps], t[steps + 1] - t[steps])
        look = look_at if self._size(len(steps)) <= _AT_ONCE else seen_at
        looked = look(case.mechanics, self.curve, steps)
        if looked is None:
            return self.impulses(t[steps], t[steps + 1] - t[steps])
        seen = looked.flat()
        left = np.einsum("knm,km->kn", seen.M, seen.a) - seen.f
        forces = self._along(seen.t, seen.q, seen.v, seen.M, left).reshape(len(steps), len(NODES), -1)
        return np.asarray(np.einsum("sji,j,s->si", forces, WEIGHTS, t[steps + 1] - t[steps]))

    def _size(self, stretches: int) -> int:
        return stretches * len(_NODES) * self.case.whole.n**2

    def impulses(self, begins: Array, widths: Array) -> Array:
        """Of stretches of time inside steps: (stretches, directions)."""
        parts = 1 + self._size(len(begins)) // _AT_ONCE
        parts = min(parts, 1 + len(begins) // _LEAST)
        pairs = zip(np.array_split(begins, parts), np.array_split(widths, parts), strict=True)
        return np.concatenate([self._impulses(*pair) for pair in pairs])

    def _impulses(self, begins: Array, widths: Array) -> Array:
        between_pieces()
        case, system, mechanics = self.case, self.case.whole, self.case.mechanics
        nodes = (begins[:, None] + widths[:, None] * _NODES).ravel()
        q, v, a = self.curve.at(nodes)
        multipliers = mechanics.accelerations(nodes, q, v)[1] if mechanics.constrained else np.zeros((len(nodes), 0))
        q, v, a = case.all(q), case.all(v), case.all(a)
        M, left = _out_of_balance(system, nodes, q, v, a, mechanics.loads(nodes), multipliers)
        forces = self._along(nodes, q, v, M, left).reshape(len(begins), len(_NODES), -1)
        return np.asarray(np.einsum("sji,j,s->si", forces, _WEIGHTS, widths))

    def _along(self, t: Array, q: Array, v: Array, M: Array, left: Array) -> Array:
        """What is left, along the rigid motions: (states, directions)."""
        along = self.motions.rates(t, q)
        self.mass = np.maximum(self.mass, (along * (M @ along)).sum(axis=1).max(axis=0))
        self.speed = max(self.speed, float((v * (M @ v[..., None])[..., 0]).sum(axis=1).max()))
        return np.asarray((left[:, None] @ along)[:, 0])

    def balance(self, t: Array, impulses: Array, steps: tuple[int, int]) -> MomentumBalance:
        """From the impulses between the times."""
        missing = np.concatenate([np.zeros((1, impulses.shape[1])), np.cumsum(impulses, axis=0)])
        return MomentumBalance(self.motions, t, missing, self.scales, steps)


def linear_balance(case: Case, times: Array, q: Array, v: Array) -> MomentumBalance:
    """Of linear equations that were propagated exactly: momenta at the times against the integral of the loads.

    Along a motion without stiffness, d(xi . M v)/dt = xi . (loads - C v), whose last part is integrated by itself.
    """
    system, t, q, v = case.whole, float(times[0]), case.all(q), case.all(v)
    if system.prescribed:
        return _nothing(RigidMotions(held=AXES))
    ends = [State(float(times[i]), q[i], v[i], 0 * q[i], np.zeros(system.m)) for i in (0, -1)]
    motions = rigid_motions(case.question.equations, case.question.values, system, ends)
    if not motions.names:
        return _nothing(motions)
    zero = np.zeros(system.n)
    first, last = motions.rates(times[[0, -1]], q[[0, -1]])
    K, C = (one.copy() for one in system.jacobians(t, zero, zero, zero, system.rest, np.zeros(system.m)))
    M, f = (one.copy() for one in system.evaluate(t, zero, zero, system.rest))
    A = system.velocity(t, zero)[0] if system.m else np.zeros((0, system.n))
    each = np.sqrt(np.abs(np.diag(K)))  # a soft support is one, however stiff the members are that it does not hold
    soft = (np.abs(K @ first) <= _SOFT * np.outer(each, each @ np.abs(first))).all(axis=0)
    free = (np.abs(A @ first) <= _SOFT * (np.abs(A) @ np.abs(first))).all(axis=0)  # of the forces of conditions
    kept = soft & free & (np.abs(first - last).max(axis=0) <= _STEADY)
    names = tuple(name for name, one in zip(motions.names, kept, strict=True) if one)
    left = tuple(name for name in motions.names if name not in names)
    if not names:
        return _nothing(RigidMotions(held=(*motions.held, *left)))
    along = first[:, kept]
    per_unit = [along.T @ (system.evaluate(t, zero, zero, unit)[1] - f) for unit in np.eye(system.load_size)]
    loads = np.array(per_unit).reshape(system.load_size, len(names))
    impulses = _integral(lambda s: case.mechanics.loads(s) @ loads, times, case.breaks)
    motions = RigidMotions(names, (*motions.held, *left), partial(constant, along))
    if impulses is None:
        return _nothing(RigidMotions(held=(*motions.held, *names)))
    for at, strike in case.mechanics.strikes.items():
        impulses = impulses + np.outer((times >= at) & (times > t), strike @ loads)
    given = impulses + (times - t)[:, None] * (along.T @ f) - (q - q[0]) @ C.T @ along
    missing = (v - v[0]) @ M.T @ along - given
    speeds = np.einsum("kn,nm,km->k", v, M, v).max(initial=0.0)
    masses = np.einsum("ni,nm,mi->i", along, M, along)
    return MomentumBalance(
        motions, times, missing, np.sqrt(np.abs(masses * speeds)) + np.abs(given).max(axis=0, initial=0.0)
    )


def _nothing(motions: RigidMotions) -> MomentumBalance:
    count = len(motions.names)
    return MomentumBalance(motions, np.zeros(1), np.zeros((1, count)), np.zeros(count))


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

    motion: RunMotion
    balance: MomentumBalance

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
            self.balance.steps,
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
    M, f = evaluated(system, t, q, v, u)
    left = np.einsum("knm,km->kn", M, a) - f
    if system.m:
        A = [system.velocity(s, x)[0].copy() for s, x in zip(t.tolist(), q, strict=True)]
        left = left - np.einsum("kmn,km->kn", np.array(A), multipliers)
    return M, left
