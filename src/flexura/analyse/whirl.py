"""Frequencies of a frame against the speed it turns at: Campbell's chart, whirl forward or backward, loss of stability.

In the turning frame a mode has an eigenvalue s. Seen from ground a circular mode that runs with the rotation has the
speed Im s + Omega, one that runs against it Omega - Im s: positive is forward whirl, negative backward.

>>> chart = fx.whirl(frame, np.linspace(0, 500, 11), axis="x")
>>> chart.speeds, chart.eigenvalues, chart.whirl, fx.critical_speed(frame, axis="x")
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse.linalg as spla
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.moving.assembly import Constants, combined
from flexura.moving.axial import factor
from flexura.moving.body import Instant
from flexura.moving.frame import BeamFrame
from flexura.moving.inertia import coefficients

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

_AXES = {"x": 0, "y": 1, "z": 2}
_DENSE = 300


@dataclass(frozen=True)
class Whirl:
    """By speed (rows) and mode (columns, by |s|): `eigenvalues` in the turning frame, `whirl` speeds seen from ground.

    `whirl` is signed, forward positive, and nan where a mode does not whirl about the axis (torsion, stretching, or
    an orbit that is not a circle). `stable` says whether no mode of that speed grows.
    """

    axis: str
    speeds: Array
    eigenvalues: Complex
    whirl: Array

    @property
    def frequencies(self) -> Array:
        """|s| in the turning frame (rad/s)."""
        return np.abs(self.eigenvalues)

    @property
    def stable(self) -> NDArray[np.bool_]:
        """Whether every mode found at a speed does not grow."""
        scale = np.abs(self.eigenvalues).max(axis=1)
        return np.asarray(self.eigenvalues.real.max(axis=1) <= 1e-7 * scale)

    def forward(self, speed: int) -> Array:
        """The forward whirl speeds at the k-th speed, ascending."""
        row = self.whirl[speed]
        return np.sort(row[row > 0])

    def backward(self, speed: int) -> Array:
        """The backward whirl speeds at the k-th speed, as positive numbers, ascending."""
        row = self.whirl[speed]
        return np.sort(-row[row <= 0])


def whirl(frame: BeamFrame, speeds: Any, axis: str = "x", count: int = 8, geometric: bool = True) -> Whirl:
    """The `count` lowest modes at each speed (rad/s) of a frame that turns about an axis through its origin."""
    if axis not in _AXES:
        raise FlexuraError(f"The frame cannot turn about {axis!r}; say 'x', 'y' or 'z'.")
    given = np.atleast_1d(np.asarray(speeds, dtype=np.float64))
    if given.ndim != 1 or not np.all(np.isfinite(given)):
        raise FlexuraError("The speeds are not a row of finite numbers; give them in rad/s.")
    constants = Constants.of(frame)
    count = min(count, constants.pattern.n)
    rows = [_at_speed(constants, float(one), _AXES[axis], count, geometric) for one in given]
    return Whirl(axis, given, np.array([row[0] for row in rows]), np.array([row[1] for row in rows]))


def _matrices(constants: Constants, speed: float, axis: int, geometric: bool) -> tuple[Any, Any, Any]:
    omega = speed * np.eye(3)[axis]
    instant = Instant(omega, np.zeros(3), np.zeros(3))
    K = constants.stiffness(instant, geometric)
    skew = constants.circulatory(omega, np.zeros(3))
    if skew is not None:
        K = K + skew
    rates = constants.gyroscopic(omega)
    if constants.damping is not None:
        rates = constants.damping if rates is None else rates + constants.damping
    pattern = constants.pattern
    return pattern.matrix(constants.mass), None if rates is None else pattern.matrix(rates), pattern.matrix(K)


def _at_speed(constants: Constants, speed: float, axis: int, count: int, geometric: bool) -> tuple[Complex, Array]:
    M, C, K = _matrices(constants, speed, axis, geometric)
    roots, shapes = (_dense if M.shape[0] <= _DENSE else _sparse)(M, C, K, count, constants.frame)
    tiny = 1e-9 * float(np.abs(roots).max())
    roots = np.where(np.abs(roots.real) < tiny, 0, roots.real) + 1j * np.where(np.abs(roots.imag) < tiny, 0, roots.imag)
    upper = np.flatnonzero(roots.imag >= 0)
    chosen = upper[np.argsort(np.abs(roots[upper]), kind="stable")][:count]
    if speed == 0:
        return roots[chosen], _at_rest(constants, roots[chosen], shapes[:, chosen], axis)
    shown = [_seen_from_ground(constants, roots[k], shapes[:, k], speed, axis) for k in chosen]
    return roots[chosen], np.array(shown)


def _at_rest(constants: Constants, roots: Complex, shapes: Complex, axis: int) -> Array:
    """Without rotation two equal frequencies across the axis are one forward and one backward whirl."""
    moved = (constants.pattern.T @ shapes).reshape(-1, 6, len(roots))
    size = np.abs(moved).max(axis=(0, 1))
    across = np.abs(moved[:, [(axis + 1) % 3, (axis + 2) % 3]]).max(axis=(0, 1)) > 1e-6 * size
    found, k = np.full(len(roots), np.nan), 0
    while k < len(roots) - 1:
        pair = roots.imag[k : k + 2]
        if across[k] and across[k + 1] and np.ptp(pair) < 1e-6 * pair[0]:
            found[k : k + 2] = pair[0], -pair[1]
            k += 1
        k += 1
    return found


def _dense(M: Any, C: Any, K: Any, count: int, frame: BeamFrame) -> tuple[Complex, Complex]:
    n = M.shape[0]
    if C is None and not (abs(K - K.T) > 1e-12 * abs(K).max()).nnz:
        squares, shapes = scipy.linalg.eigh(K.toarray(), M.toarray())
        return 1j * np.emath.sqrt(squares).astype(complex), shapes.astype(complex)
    rates = np.zeros((n, n)) if C is None else C.toarray()
    right = np.linalg.solve(M.toarray(), np.hstack([K.toarray(), rates]))
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-right[:, :n], -right[:, n:]]])
    roots, vectors = scipy.linalg.eig(A)
    return roots, vectors[:n]


def _sparse(M: Any, C: Any, K: Any, count: int, frame: BeamFrame) -> tuple[Complex, Complex]:
    """The roots nearest zero: powers of the inverse of the first-order form, one factorization of K."""
    n = M.shape[0]
    made = factor(K, frame)

    def apply(z: Array) -> Array:
        x, v = z[:n], z[n:]
        return np.concatenate([-made.solve(M @ v + (0 if C is None else C @ x)), x])

    operator = spla.LinearOperator((2 * n, 2 * n), matvec=apply, dtype=np.float64)
    inverse, vectors = spla.eigs(operator, k=min(2 * count + 4, 2 * n - 2), which="LM", v0=np.ones(2 * n))
    return 1 / inverse, vectors[:n]


def _seen_from_ground(constants: Constants, root: complex, shape: Complex, speed: float, axis: int) -> float:
    """The signed whirl speed, from the two circles that an orbit in the plane across the axis is made of."""
    moved = (constants.pattern.T @ shape).reshape(-1, 6)
    P, Q = moved[:, (axis + 1) % 3], moved[:, (axis + 2) % 3]
    ahead, behind = float(np.linalg.norm(P + 1j * Q)), float(np.linalg.norm(P - 1j * Q))
    if max(ahead, behind) < 1e-6 * max(float(np.abs(moved).max()), 1e-300):
        return float("nan")
    if min(ahead, behind) > 1e-3 * max(ahead, behind):
        return float("nan")  # two circles at once: no one whirl speed
    return root.imag + speed if ahead > behind else speed - root.imag


def critical_speed(frame: BeamFrame, axis: str = "x", geometric: bool = True) -> float:
    """The lowest speed at which K + K_omega2 + K_s + K_G is no longer positive definite; inf if there is none.

    Stiffness goes as K + Omega^2 S, so this is an eigenvalue problem, -S x = mu K x with Omega = 1/sqrt(mu): nothing is
    searched. For a shaft it is the first critical speed of forward whirl.
    """
    if axis not in _AXES:
        raise FlexuraError(f"The frame cannot turn about {axis!r}; say 'x', 'y' or 'z'.")
    constants = Constants.of(frame)
    instant = Instant(np.eye(3)[_AXES[axis]], np.zeros(3), np.zeros(3))
    cases = constants.stiffening if geometric else constants.inertial
    change = constants.pattern.matrix(-combined(0 * constants.elastic, cases, coefficients(instant)))
    K = constants.pattern.matrix(constants.elastic)
    solve = factor(K, frame)
    if K.shape[0] <= _DENSE:
        largest = float(scipy.linalg.eigvalsh(change.toarray(), K.toarray())[-1])
    else:
        inverse = spla.LinearOperator(K.shape, matvec=solve.solve, dtype=np.float64)
        largest = float(
            spla.eigsh(change, k=1, M=K, Minv=inverse, which="LA", v0=np.ones(K.shape[0]), return_eigenvectors=False)[0]
        )
    scale = float(abs(change).max() / abs(K).max())
    return float("inf") if largest <= 1e-12 * scale else float(1 / np.sqrt(largest))
