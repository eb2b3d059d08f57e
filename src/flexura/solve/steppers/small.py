"""Motions so small that products of them lie below what was asked for: those of the linearised equations.

    >>> modes = slow_modes(M, K, span)
    >>> doubt = products(mechanics, modes, motion, rounding(mechanics, t))        # of the motion; None: not known

Forces that are evaluated at a tiny motion may be rounding alone: of a spring that is stiff beside the load, or of
lengths that cancel. So what is not linear is looked at along the same motion many times larger, where it stands out,
and scaled back: products of two rates or coordinates fall by the square. Where they do not (friction, clearances), the
motion does not count as small. How much larger is found by trying, so that units of coordinates do not matter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.solve.steppers.mechanics import Mechanics
from flexura.systems.deadline import between_pieces
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_LARGER = 8.0  # how much larger each look is than the one before
_LOOKS = 20  # at the most: to 1e18 times the motion
_NEAR = 1e-3  # parts of a motion by which smooth forces hardly bend: what they do is rounding
_SQUARE = 1.8  # powers from which on what is not linear counts as products
_STATES = 24
_TINY = 1e-13  # changes of coordinates that show the rounding of forces
_ABOVE = 8.0  # times the rounding that was seen, from which on forces are no rounding
_SHIFT = 1e3  # radians in a run: free motions count as that fast, so that fast modes keep digits beside them; it costs
# the free ones 1e-9, which is EPS times its square
_FASTEST = 1e-10  # of the slowest mode's flexibility: what is less is rounding, and follows its loads at once
EPS = 16 * np.finfo(np.float64).eps


@dataclass(frozen=True)
class Small:
    """A motion of the linearised equations, its loads, and the forces its slow modes leave over of them."""

    t: Array
    x: Array
    v: Array
    a: Array
    u: Array
    left: Array

    @property
    def span(self) -> float:
        """How long it takes."""
        return float(self.t[-1] - self.t[0])

    @property
    def size(self) -> float:
        """The largest coordinate."""
        return float(np.abs(self.x).max(initial=0.0))


@dataclass(frozen=True)
class SmallModes:
    """Modes by frequency, X'MX = 1; how far rounding may have moved the squares, and the modes that are too fast."""

    M: Array
    K: Array
    X: Array
    squares: Array
    doubts: Array
    fast: Array
    fast_squares: Array

    def answers(self, span: float) -> Array:
        """How far a unit force moves each mode at the most: in step with it all along, or for the whole span."""
        return np.asarray(span * np.minimum(span, 1 / np.sqrt(np.maximum(self.squares, 1e-300))))

    def size(self, x: Array) -> float:
        """The largest of states in rows, in the metric of the masses."""
        return max(float(np.sqrt(np.einsum("ki,ij,kj->k", x, self.M, x).max())), 1e-300)


def slow_modes(M: Array, K: Array, span: float, fastest: float = _FASTEST) -> SmallModes | None:
    """By the inverse of the stiffness: slow modes to all digits, however stiff the fast ones are; None where a motion
    grows by itself."""
    M, K = (M + M.T) / 2, (K + K.T) / 2
    shift = (_SHIFT / span) ** 2
    whole = K + shift * M
    if np.any(np.diag(whole) <= 0):
        return None
    scale = 1 / np.sqrt(np.diag(whole))
    try:
        root = np.linalg.cholesky(scale[:, None] * whole * scale)
    except np.linalg.LinAlgError:
        return None
    half = scipy.linalg.solve_triangular(root, scale[:, None] * M * scale, lower=True)
    flexible, vectors = np.linalg.eigh(scipy.linalg.solve_triangular(root, half.T, lower=True))
    flexible = np.maximum(flexible[::-1], EPS * flexible[-1])
    shapes = scale[:, None] * scipy.linalg.solve_triangular(root.T, vectors[:, ::-1]) / np.sqrt(flexible)
    slow = flexible > fastest * flexible[0]
    squares = 1 / flexible - shift
    X, lost = shapes[:, slow], EPS * flexible[0] / flexible[slow] ** 2
    quotients, doubts = _quotients(M, K, X)
    better = doubts < lost
    best, least = np.where(better, quotients, squares[slow]), np.minimum(doubts, lost)
    if np.any(best < -1 / span**2):
        return None
    return SmallModes(M, K, X, best, least, shapes[:, ~slow], squares[~slow])


def _quotients(M: Array, K: Array, X: Array) -> tuple[Array, Array]:
    """Squares of frequencies by Rayleigh's quotient, and their doubts: what rounding makes of the sums, and what other
    modes mixed into the shapes change, of second order. Faster modes keep more digits by it than by the inverse."""
    A, B = X.T @ K @ X, X.T @ M @ X
    squares = np.diag(A) / np.diag(B)
    mixed = np.abs(A - B * squares)
    np.fill_diagonal(mixed, 0.0)
    gaps = np.maximum(np.abs(squares[:, None] - squares), 1e-300)
    size = np.abs(X)
    rounded = EPS * (
        np.einsum("ik,ik->k", size, np.abs(K) @ size) + np.abs(squares) * np.einsum("ik,ik->k", size, np.abs(M) @ size)
    )
    return squares, rounded + np.minimum(mixed, mixed**2 / gaps).sum(axis=0)


def reach(mechanics: Mechanics, times: Array, q: Array, v: Array) -> float:
    """As far as loads could drive the coordinates from rest, if nothing held them."""
    system = mechanics.system
    u = np.concatenate([system.rest[None], mechanics.loads(times)])
    still = np.zeros((len(u), len(q)))
    M, f = evaluated(system, np.full(len(u), times[0]), still, still, u)
    rates = np.abs(np.linalg.solve(M[0], (f[1:] - f[0]).T))
    gained = (np.maximum(rates[:, 1:], rates[:, :-1]) * np.diff(times)).sum(axis=1)
    return float((np.abs(q) + (times[-1] - times[0]) * (np.abs(v) + gained)).max(initial=0.0))


def rounding(mechanics: Mechanics, t: float) -> Array:
    """What rounding makes of the forces at rest: the bend of lines too short to have one."""
    system, random = mechanics.system, np.random.default_rng(5)
    steps = _TINY * random.normal(size=(8, system.n))
    q = np.concatenate([np.zeros((1, system.n)), steps, -steps])
    f = evaluated(system, np.full(len(q), t), q, 0 * q, np.tile(system.rest, (len(q), 1)))[1]
    middle, ahead, behind = f[0], f[1 : 1 + len(steps)], f[1 + len(steps) :]
    return np.asarray(_ABOVE * np.abs(ahead + behind - 2 * middle).max(axis=0))


def products(mechanics: Mechanics, modes: SmallModes, motion: Small, noise: Array) -> float | None:
    """How far what is not linear could move the system, as a part of its motion; None where that is not known."""
    if not motion.size:
        return 0.0
    some = _some(motion)
    part = Small(*(one[some] for one in (motion.t, motion.x, motion.v, motion.a, motion.u, motion.left)))
    rounded = EPS * np.abs(modes.K) @ np.abs(motion.x).max(axis=0)  # of forces, for each time that it is larger
    answers, size = modes.answers(motion.span), modes.size(motion.x)

    def look(larger: float) -> tuple[float, float]:
        behind, here, ahead = _apart(mechanics, part, larger * np.array([1 - _NEAR, 1.0, 1 + _NEAR])) @ modes.X
        apart, bend = (np.abs(one).max(axis=0) * answers for one in (here, ahead + behind - 2 * here))
        least = (noise + larger * rounded) @ np.abs(modes.X) * answers + _ABOVE * bend
        return float(np.linalg.norm(apart)), float(np.linalg.norm(least))

    near, near_least = look(1 / _LARGER)
    for larger in _LARGER ** np.arange(_LOOKS):
        between_pieces()
        far, far_least = look(float(larger))
        if not np.isfinite(far):
            return None
        if near > near_least:  # it stands out at both sizes, so it shows how it falls
            return None if far < _LARGER**_SQUARE * near else float(max(far, far_least) / larger**2 / size)
        near, near_least = far, far_least
    return float(near_least / larger**2 / size)


def _some(motion: Small) -> NDArray[np.int64]:
    """Times all along, and those at which loads, coordinates and rates are largest: pulses may be short."""
    largest = [int(np.abs(part).max(axis=1).argmax()) for part in (motion.x, motion.v, motion.a)]
    pulses = np.abs(motion.u).argmax(axis=0) if motion.u.size else np.zeros(0, np.int64)
    along = np.linspace(0, len(motion.t) - 1, _STATES).astype(np.int64)
    return np.unique(np.concatenate([along, largest, pulses]))


def shaken(modes: SmallModes, motion: Small, noise: Array) -> float:
    """How far forces that are rounding could move the system, as a part of its motion."""
    return float(np.linalg.norm(noise @ np.abs(modes.X) * modes.answers(motion.span)) / modes.size(motion.x))


def inexact(modes: SmallModes, motion: Small, loads: Array) -> float:
    """What rounding of the frequencies, and modes that are too fast to be followed, could change of a motion."""
    late = np.minimum(1.0, modes.answers(motion.span) * modes.doubts)
    carried = np.abs(motion.x @ modes.M @ modes.X).max(axis=0) * late
    at_once = np.abs(loads @ modes.fast).max(axis=0, initial=0.0) / modes.fast_squares
    return float(np.hypot(np.linalg.norm(carried), np.linalg.norm(at_once)) / modes.size(motion.x))


def _apart(mechanics: Mechanics, motion: Small, scales: Array) -> Array:
    """M a - f along the motion made larger, without what is linear of it: (scales, times, n).

    The forces at rest do not depend on time: what does by itself is not taken for small.
    """
    system, zero = mechanics.system, np.zeros(mechanics.system.n)
    times = mechanics.inside(motion.t)
    held = system.evaluate(float(times[0]), zero, zero, system.rest)[1].copy()
    q, v, a, u, left = (
        (scales[:, None, None] * one).reshape(len(scales) * len(times), one.shape[1])
        for one in (motion.x, motion.v, motion.a, motion.u, motion.left)
    )
    M, f = evaluated(system, np.tile(times, len(scales)), q, v, u)
    apart = np.einsum("kij,kj->ki", M, a) - (f - held) - left
    return np.asarray(apart.reshape(len(scales), len(times), -1))


def evaluated(system: NonlinearSystem, t: Array, q: Array, v: Array, u: Array) -> tuple[Array, Array]:
    """M and f at many states, in arrays of their own."""
    if system.stacks:
        M, f = system.evaluate(t, q, v, u)
        return M.copy(), f.copy()
    rows = [[one.copy() for one in system.evaluate(*row)] for row in zip(t.tolist(), q, v, u, strict=True)]
    return np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
