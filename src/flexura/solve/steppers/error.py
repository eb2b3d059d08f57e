"""How far a run may be from the true motion: its defects, carried along by the linearised equations.

    >>> errors = time_errors(mechanics, curve)        # at curve.t: (states, n)

A curve through the states of a run is the true motion under a small force too many: its defect, a - a(t, q, v). Summed
over a step it is the error of that step. From there on the error moves as any small change of the motion does,

    M e_tt + C e_t + K e = M defect,        K = dR/dq, C = dR/dv along the run,

so a motion that forgets its start keeps small errors, and a chaotic one lets them grow exponentially. The balance of
energies sees neither.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.solve.steppers.history import Curve
from flexura.solve.steppers.looked import NODES, Looked, look_at
from flexura.solve.steppers.mechanics import Mechanics
from flexura.systems.deadline import Deadline

Array = NDArray[np.float64]
_POWERS = np.linalg.inv(np.vander(NODES, increasing=True))  # coefficients of s^k from values at the nodes
_FACTORIALS = np.cumprod([1, 1, 2, 3, 4])
_MOST, _MOST_SINGLY = 4000, 40  # steps that are looked at; where states are evaluated one by one
_TOGETHER, _LEAST_TOGETHER = 40_000, 8  # numbers of a matrix, of all steps that are looked at together; such steps
_WORK = 3e8  # of factors, in numbers multiplied
_STRIDES, _LARGE = (8, 4), 10_000  # steps, between which slopes are straight lines; numbers of masses, from which on
_BENT = 0.01  # of slopes, by which they may leave straight lines
_REPEATED = 1e-8  # of conditions beside the largest, below which they repeat others
_FEW, _LEAST = 8, 0.03  # steps that tell what others will take; of a limit of time, spent even if it is over

# exp(z) = -1 + sum r / (z - p), the diagonal Pade approximant of order 6: vibrations keep their phase over many steps
_POLES = np.roots([-1 / 120, 1 / 10, -1 / 2, 1])
_POLES = np.sort_complex(_POLES[_POLES.imag >= -1e-12])
_RESIDUES = np.polyval([1 / 120, 1 / 10, 1 / 2, 1], _POLES) / np.polyval([-1 / 40, 1 / 5, -1 / 2], _POLES)
_TWICE = np.where(np.abs(_POLES.imag) > 1e-9, 2.0, 1.0)  # a pole and its conjugate give twice the real part


class _Slopes(NamedTuple):
    """P e_tt + C e_t + K e + L l = P d at each step: masses above constraints, and the columns of multipliers."""

    P: Array
    C: Array
    K: Array
    L: Array


def time_errors(mechanics: Mechanics, curve: Curve, most: int = _MOST) -> tuple[Array, Array, float]:
    """Times, the errors of the coordinates there to first order (times, n), and how much a small change grew.

    At most so many steps are looked at, spread over the run; each then stands for those up to the next.
    """
    n = curve.q.shape[1]
    steps = np.flatnonzero(np.diff(curve.t) > 0)
    most = min(most, _enough(mechanics, n))
    chosen = steps[:: -(-len(steps) // most) or 1]
    if not len(chosen) or not n:
        return curve.t[:1], np.zeros((1, n)), 1.0
    begins = curve.t[chosen]
    widths = np.diff(curve.t)[chosen]
    spans = np.diff(np.append(begins, curve.t[-1]))  # what each of them stands for
    sizes = np.concatenate([np.ptp(one, axis=0) for one in (curve.q, curve.v)])
    carried = _CarriedErrors(len(chosen), sizes)
    together = max(_LEAST_TOGETHER, _TOGETHER // n**2) // _STRIDES[0] * _STRIDES[0] + 1
    for first in range(0, len(chosen), together):
        some = slice(first, first + together)
        if mechanics.together:
            looked = look_at(mechanics, curve, chosen[some])
            smooth = any(low <= chosen[some][0] and chosen[some][-1] < high for low, high in curve.parts)
            defects, slopes = _out_of(mechanics, looked), _slopes_along(mechanics, looked, smooth)
        else:
            defects = _defects(mechanics, curve, begins[some], widths[some])
            slopes = _slopes(mechanics, curve, begins[some] + widths[some] / 2)
        across, pushed = _across(spans[some], defects, slopes)
        back = _back(mechanics, curve, np.append(begins, curve.t[-1])[1:][some])
        carried.on(*((across, pushed) if back is None else (back @ across, (back @ pushed[..., None])[..., 0])))
    return np.append(begins, curve.t[-1]), carried.errors, carried.growth


def affordable(mechanics: Mechanics, curve: Curve, deadline: Deadline) -> int | None:
    """How many steps there is time to look at, from the time that a few take; None where it is enough for all."""
    wanted = min(len(curve.t) - 1, _enough(mechanics, curve.q.shape[1]))
    if wanted <= _FEW or not np.isfinite(deadline.seconds):
        return None
    time_errors(mechanics, curve, 1)  # what is compiled at the first call is not counted
    began = deadline.spent
    time_errors(mechanics, curve, _FEW)
    left = max(deadline.seconds - deadline.spent, _LEAST * deadline.seconds)
    most = max(_FEW, int(_FEW * left / max(deadline.spent - began, 1e-9)))
    return most if most < wanted else None


def _enough(mechanics: Mechanics, n: int) -> int:
    return min(_MOST, max(40, int(_WORK / max(n, 1) ** 3))) if mechanics.stacks else _MOST_SINGLY


def _out_of(mechanics: Mechanics, looked: Looked) -> Array:
    """The defect along each of the steps as a polynomial in s from 0 to 1: (steps, powers, n)."""
    defects = looked.a - mechanics.solved(looked.M, looked.f)
    return np.asarray(_POWERS @ defects)


def _defects(mechanics: Mechanics, curve: Curve, begins: Array, widths: Array) -> Array:
    """The same one state after another, or with constraints."""
    nodes = (begins[:, None] + widths[:, None] * NODES).ravel()
    q, v, a = curve.at(nodes)
    defects = a - mechanics.accelerations(nodes, q, v)[0]
    return np.asarray(np.einsum("kj,sjn->skn", _POWERS, defects.reshape(len(begins), len(NODES), -1)))


def _slopes(mechanics: Mechanics, curve: Curve, times: Array) -> _Slopes:
    q, v, a = curve.at(times)
    if not mechanics.stacks:
        found = [_single(mechanics, row) for row in zip(times.tolist(), q, v, strict=True)]
        return _Slopes(*(np.array([one[k] for one in found]) for k in range(4)))
    u, (a, multipliers) = mechanics.loads(times), mechanics.accelerations(times, q, v)
    M = mechanics.system.evaluate(times, q, v, u)[0].copy()
    K, C = (one.copy() for one in mechanics.system.jacobians(times, q, v, a, u, multipliers))
    A, A_v, A_q = mechanics.counting(M, mechanics.constraint_slopes(times, q, v, a))
    none = np.zeros((len(times), A.shape[1], A.shape[1]))
    columns = np.concatenate([-np.swapaxes(A, 1, 2), none], axis=1)
    P, C, K = (np.concatenate(pair, axis=1) for pair in ((M, A), (C, A_v), (K, A_q)))
    return _Slopes(P, C, K, columns)


def _slopes_along(mechanics: Mechanics, looked: Looked, smooth: bool) -> _Slopes:
    """At the middle of each step; of many large ones as few as straight lines in between fit everywhere."""
    t, q, v, a, u, M, _ = looked.middle()

    def at(which: NDArray[np.int64]) -> Array:
        times, none = mechanics.inside(t[which]), np.zeros((len(which), 0))
        return np.stack(mechanics.system.jacobians(times, q[which], v[which], a[which], u[which], none), axis=1)

    lines = smooth and M.size > _LARGE and _steady(mechanics, looked)
    both, seen = np.empty((len(t), 2, *M.shape[1:])), np.zeros(len(t), dtype=bool)
    for stride in (*(one for one in _STRIDES if lines and len(t) % one == 1 and len(t) > 1 + one), 1):
        some = np.arange(0, len(t), stride)
        new = some[~seen[some]]
        both[new], seen[new] = at(new), True
        between = _between(t, t[some], both[some]) if stride > 1 else both
        if stride > 1 and _straight(t[some], both[some]) and _fits(looked, between):
            both = between
            break
    K, C = np.moveaxis(both, 1, 0)
    return _Slopes(M, C, K, np.zeros((*q.shape, 0)))


def _steady(mechanics: Mechanics, looked: Looked) -> bool:
    """Whether forces depend on the motion alone."""
    system = mechanics.system
    return not (system.explicit_time or system.prescribed or np.ptp(looked.u, axis=(0, 1)).any())


def _between(t: Array, known: Array, values: Array) -> Array:
    """Straight lines between known values."""
    k = np.clip(np.searchsorted(known, t, side="right") - 1, 0, len(known) - 2)
    share = ((t - known[k]) / (known[k + 1] - known[k]))[:, None, None, None]
    return np.asarray(values[k] * (1 - share) + values[k + 1] * share)


def _straight(t: Array, values: Array) -> bool:
    """Whether straight lines past every second value meet it; between neighbours they leave it by a quarter of that."""
    off = np.abs(_between(t[1:-1:2], t[::2], values[::2]) - values[1:-1:2])
    return bool((off <= 4 * _BENT * np.abs(values).max(axis=(0, 2, 3), keepdims=True)).all())


def _fits(looked: Looked, both: Array) -> bool:
    """Whether slopes explain how forces change along every step: those of a contact that few steps feel would not.

    M a - f changes by K dq + C dv + M da, with what depends on the motion alone.
    """
    first, last = ([one[:, k] for one in looked] for k in (0, -1))
    left = [np.einsum("sij,sj->si", M, a) - f for *_, a, _, M, f in (first, last)]
    (K, C), M = np.moveaxis(both, 1, 0), looked.middle()[5]
    parts = [np.einsum("sij,sj->si", X, last[k] - first[k]) for X, k in ((K, 1), (C, 2), (M, 3))]
    size = sum(np.abs(one) for one in parts)
    return bool((np.abs(sum(parts) - (left[1] - left[0])) <= _BENT * size.max(axis=1, keepdims=True)).all())


def _single(mechanics: Mechanics, row: tuple[float, Array, Array]) -> _Slopes:
    one = mechanics.newton(mechanics.state(*row))
    held = mechanics.counting(one.M[None], (one.A[None], one.A_v[None], one.A_q[None]))
    A, A_v, A_q = (slopes[0] for slopes in held)
    C, K = np.vstack([one.C, A_v]), np.vstack([one.K, A_q])
    return _Slopes(np.vstack([one.M, A]), C, K, np.vstack([-A.T, np.zeros((len(A), len(A)))]))


def _across(h: Array, defects: Array, slopes: _Slopes) -> tuple[Array, Array]:
    """What leads errors over each step, e -> exp(h J) e + h sum k! phi_k+1(h J) d_k, by resolvents.

    J leads from (e, e_t) to (e_t, e_tt); phi_k(z) = sum r / p^k / (z - p).
    """
    steps, n = len(h), defects.shape[2]
    across = np.broadcast_to(-np.eye(2 * n), (steps, 2 * n, 2 * n)).copy()
    pushed, width, unit = np.zeros((steps, 2 * n)), h[:, None, None], np.eye(n)
    for pole, residue in zip(_POLES, _TWICE * _RESIDUES, strict=True):
        pole, residue = (one.real if abs(pole.imag) < 1e-9 else one for one in (pole, residue))
        s = pole / width
        inverse = _resolvents(s, slopes) / width
        by_q, by_v = inverse @ (s * slopes.P + slopes.C), inverse @ slopes.P
        rows = (
            np.concatenate([by_q, by_v], axis=2),
            np.concatenate([s * by_q - unit / width, s * by_v], axis=2),
        )
        across -= (residue * np.concatenate(rows, axis=1)).real
        d = (
            np.einsum(
                "k,skn->sn",
                _FACTORIALS / pole ** np.arange(1, len(NODES) + 1),
                defects,
            )
            * h[:, None]
        )
        x = np.einsum("sij,sj->si", by_v, d)
        pushed -= (residue * np.concatenate([x, s[:, 0] * x], axis=1)).real
    return across, pushed


def _back(mechanics: Mechanics, curve: Curve, times: Array) -> Array | None:
    """What puts errors, and their rates, onto constraints at some times: A e = 0, A e_t + A_t e = 0, as runs are put.

    Without it a closed loop that is stretched flat, where conditions nearly repeat one another, throws far away what
    breaks them, though no run does. None where there is nothing to put, or constraints on rates alone.
    """
    system = mechanics.system
    if not mechanics.constrained or not all(system.holonomic):
        return None
    q, v, a = curve.at(times)
    n = q.shape[1]
    back = np.tile(np.eye(2 * n), (len(times), 1, 1))
    A, A_v, _ = mechanics.constraint_slopes(times, q, v, a)
    scale = 1 / np.sqrt(np.maximum(np.abs(np.diag(mechanics.mass)), 1e-12 * np.abs(mechanics.mass).max()))
    N = scale[:, None] * np.linalg.pinv(A * scale, rcond=_REPEATED)
    onto = np.eye(n) - N @ A
    back[:, :n, :n] = back[:, n:, n:] = onto
    back[:, n:, :n] = -N @ (A_v / 2) @ onto  # the rate of A is half the slope of A a + c by rates
    return back


class _CarriedErrors:
    """Errors of coordinates and rates at the ends of steps, as they are carried on from step to step.

    Beside them a change of the start, as a part of the `sizes` of coordinates and rates, tells how much the motion lets
    it grow.
    """

    def __init__(self, steps: int, sizes: Array) -> None:
        self.sizes, self._scale, self._done = sizes, np.where(sizes > 0, sizes, 1.0), 0
        self._found = np.zeros((steps + 1, len(sizes), 2))
        self._found[0, :, 1] = self._scale * np.cos(1.0 + np.arange(len(sizes)))  # in no special direction

    def on(self, across: Array, pushed: Array) -> None:
        """Over some more steps."""
        with np.errstate(over="ignore", invalid="ignore"):
            for lead, push in zip(across, pushed, strict=True):
                self._found[self._done + 1] = lead @ self._found[self._done]
                self._found[self._done + 1, :, 0] += push
                self._done += 1

    @property
    def errors(self) -> Array:
        """Of the coordinates, at the start and at the end of each step."""
        return np.nan_to_num(
            self._found[:, : len(self.sizes) // 2, 0],
            nan=np.inf,
            posinf=np.inf,
            neginf=-np.inf,
        )

    @property
    def growth(self) -> float:
        """How many times a change of the start grew at most."""
        with np.errstate(over="ignore", invalid="ignore"):
            moved = np.nan_to_num(self._found[..., 1], nan=np.inf, posinf=np.inf, neginf=-np.inf)
            changes = np.abs(moved / self._scale)[:, self.sizes > 0].max(axis=1, initial=0.0)
        return float(changes.max() / changes[0]) if changes[0] else 1.0


def _resolvents(s: NDArray[Any], slopes: _Slopes) -> NDArray[Any]:
    """The rows of (s^2 P + s C + K, L)^-1 that belong to coordinates, at each step."""
    n = slopes.P.shape[2]
    square = np.concatenate([s * (s * slopes.P + slopes.C) + slopes.K, slopes.L + 0 * s], axis=2)
    return np.asarray(np.linalg.inv(square)[:, :n])
