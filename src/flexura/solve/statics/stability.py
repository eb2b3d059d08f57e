"""Whether a state of rest is stable: the tangent stiffness on the motions that the constraints leave.

    >>> seen = stability(rest, y, p)
    >>> seen.stable, seen.negative, seen.lowest          # how many stiffnesses are negative, and the lowest of them

Where loads follow what they act on, the stiffness is not symmetric and a state may flutter while it resists every
displacement: then the roots of s^2 M + s C + K decide.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.solve.statics.rest_system import RestSystem

Array = NDArray[np.float64]
_SINGULAR, _ROUNDS = 1e-15, 8  # of a matrix whose rows and columns were made equal in so many rounds
_SKEW = 1e-8  # of a matrix that counts as symmetric
_REAL = 1e-6  # of roots that neither grow nor decay: beside a double root this is rounding


@dataclass(frozen=True, eq=False)
class Stability:
    """Stiffnesses in ascending order (of a symmetric matrix), or the determinant alone, and what they tell."""

    stiffnesses: Array
    determinant: tuple[float, float]  # its sign, and the logarithm of its size
    symmetric: bool
    stable: bool

    @property
    def negative(self) -> int:
        """How many stiffnesses are negative; of a matrix that is not symmetric, whether the determinant is."""
        return int((self.stiffnesses < 0).sum()) if self.symmetric else int(self.determinant[0] < 0)

    def test(self, which: int, reference: float) -> float:
        """A smooth quantity along a path: the stiffness with that number, or the determinant beside a reference."""
        if self.symmetric:
            return float(self.stiffnesses[which])
        sign, logarithm = self.determinant
        return float(sign * np.exp(np.clip(logarithm - reference, -700, 700)))


def stability(rest: RestSystem, y: Array, p: float) -> Stability:
    """Of one state."""
    B, _ = rest.slopes(y, p)
    K, Z, d = reduced(rest, B)
    size = float(np.abs(K).max(initial=0.0)) or 1.0
    symmetric = bool(np.abs(K - K.T).max(initial=0.0) <= _SKEW * size)
    if symmetric:
        found: Array = np.asarray(np.linalg.eigvalsh((K + K.T) / 2), dtype=np.float64)
        return Stability(found, (1.0, 0.0), True, bool((found > 0).all()))
    sign, logarithm = np.linalg.slogdet(K)
    return Stability(np.zeros(0), (float(sign), float(logarithm)), False, _quiet(rest, K, Z, d, y, p))


def reduced(rest: RestSystem, B: Array) -> tuple[Array, Array, Array]:
    """The stiffness on motions that the constraints leave, in scaled unknowns; those motions, and the scales."""
    n, d = rest.n, rest.scales(B)[: rest.n]
    K, A = B[:n, :n] / np.outer(d, d), B[n:, :n] / d
    Z = scipy.linalg.null_space(A) if len(A) else np.eye(n)
    return Z.T @ K @ Z if len(A) else K, Z, d


def neutral(rest: RestSystem, y: Array, p: float) -> bool:
    """Whether something can move without stiffness, to rounding: decided with rows and columns of equal size."""
    B, _ = rest.slopes(y, p)
    if not np.isfinite(B).all() or not len(B):
        return False
    for _ in range(_ROUNDS):
        largest = np.abs(B).max(axis=1)
        w = 1 / np.sqrt(np.where(largest > 0, largest, 1.0))
        B = B * np.outer(w, w)
    found = np.linalg.svd(B, compute_uv=False)
    return bool(found[-1] <= _SINGULAR * found[0])


def _quiet(rest: RestSystem, K: Array, Z: Array, d: Array, y: Array, p: float) -> bool:
    """Whether no root of s^2 M + s C + K grows."""
    M, C = (Z.T @ (A / np.outer(d, d)) @ Z for A in (rest.mass(y, p), rest.damping(y, p)))
    n, one = len(K), np.eye(len(K))
    first, second = np.zeros((2 * n, 2 * n)), np.zeros((2 * n, 2 * n))
    first[:n, n:], first[n:, :n], first[n:, n:] = one, -K, -C
    second[:n, :n], second[n:, n:] = one, M
    above, below = scipy.linalg.eig(first, second, right=False, homogeneous_eigvals=True)
    finite = np.abs(below) > 1e-12 * np.abs(above)
    roots = above[finite] / below[finite]
    return bool((roots.real <= _REAL * np.abs(roots)).all())


def null_vector(rest: RestSystem, y: Array, p: float) -> tuple[Array, float]:
    """The motion that meets no stiffness, and how much it is felt by a change of the parameter, 0 to 1."""
    B, c = rest.slopes(y, p)
    d = rest.scales(B)
    left, _, right = np.linalg.svd(B / np.outer(d, d))
    forces = c / d
    size = float(np.linalg.norm(forces))
    felt = abs(float(left[:, -1] @ forces)) / size if size else 0.0
    vector = right[-1] / d
    return vector, felt
