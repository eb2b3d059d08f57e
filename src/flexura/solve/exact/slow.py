"""Roots that are slow beside a circle: a free motion that is damped a little, soft springs on stiff members.

>>> apart = Apart.of(pencil, Z, definite=True)           # motions Z without stiffness become unknowns of their own
>>> s, X = apart.again(s, X, slow=3, zeros=1)            # the three smallest anew, from a shift of their size

Seen from afar a slow root and one at zero are nearly one, and rounding splits such a pair by its square root; and K of
a soft motion is small only where large numbers cancel. So slow roots are found from a shift of their own size, in
unknowns that make K the identity: those of the triangle R of the strains, K = F' F = R' R, and free motions beside
them, whose rows of K are zero to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse
from numpy.typing import NDArray

from flexura.solve.exact.by_strains import MOST, own_coordinates, triangle
from flexura.solve.exact.companion import around, polish
from flexura.solve.exact.lines import Array
from flexura.solve.exact.pencil import Pencil

Complex = NDArray[np.complex128]
SLOW = 1e-3  # of a circle's radius
_SOUND = 1e-11  # a residual that rounding of K does not leave
_AGAIN = 4


@dataclass(frozen=True, eq=False)
class FreeApart:
    """K + s C + s^2 M in the unknowns T, x = T z: free motions first."""

    T: Array
    K: Array
    C: Array
    M: Array

    @classmethod
    def of(cls, pencil: Pencil, Z: Array, definite: bool) -> FreeApart:
        """Of a pencil whose motions without stiffness are Z; where not all strains are positive, as it is."""
        if not definite:
            return cls(np.eye(pencil.size), *(_dense(one) for one in (pencil.K, pencil.C, pencil.M)))
        own = own_coordinates(Z)
        free, R = triangle(pencil, own)
        strained = np.zeros((pencil.size, len(free)))
        strained[free] = scipy.linalg.solve_triangular(R, np.eye(len(free)), check_finite=False)
        T = np.hstack([Z @ np.linalg.inv(Z[own]), strained])
        K = np.diag(np.r_[np.zeros(len(own)), np.ones(len(free))])
        return cls(T, K, *(T.T @ _dense(one) @ T for one in (pencil.C, pencil.M)))

    @property
    def size(self) -> int:
        """How many unknowns there are."""
        return len(self.K)

    def at(self, s: complex, s2: complex) -> Any:
        """K + s C + s^2 M."""
        return self.K + s * self.C + s2 * self.M

    def again(self, s: Complex, X: Complex, slow: int, zeros: int) -> tuple[Complex, Complex]:
        """The same roots by |s|, the `slow` smallest found anew, and again while some are slow beside those."""
        order = np.argsort(np.abs(s), kind="stable")
        s, X = s[order], X[:, order]
        for _ in range(_AGAIN):
            unit = float(np.abs(s[:slow]).max(initial=0.0))
            if slow <= zeros or unit == 0:
                break
            found, Y = around(self, 0.31 * unit, unit, _within(2 * unit), slow)
            order = np.argsort(np.abs(found), kind="stable")[:slow]
            if len(order) < slow:
                break
            s, X = np.concatenate([found[order], s[slow:]]), np.hstack([self.T @ Y[:, order], X[:, slow:]])
            slow = int((np.abs(s) < SLOW * unit).sum())
        return s, X

    def polish(self, s: complex, x: Complex) -> tuple[complex, Complex, float]:
        """As `companion.polish`."""
        found, z, residual = polish(self, s, np.asarray(np.linalg.solve(self.T, x), dtype=np.complex128))
        return found, self.T @ z, residual


class Polish:
    """Roots of a pencil to their last digits: as they are, and where rounding of K is felt, with strains apart."""

    def __init__(self, pencil: Pencil, Z: Array, definite: bool) -> None:
        self.pencil, self.Z, self.definite = pencil, Z, definite

    @cached_property
    def apart(self) -> FreeApart | None:
        """Made where it is needed, if the pencil is not too large."""
        return FreeApart.of(self.pencil, self.Z, self.definite) if self.pencil.size <= MOST else None

    def __call__(self, s: complex, x: Complex) -> tuple[complex, Complex, float]:
        """As `companion.polish`."""
        found, shape, residual = polish(self.pencil, s, x)
        if residual <= _SOUND or not self.definite or self.apart is None:
            return found, shape, residual
        return self.apart.polish(s, x)


def _within(radius: float) -> Callable[[Complex], NDArray[np.bool_]]:
    return lambda s: np.abs(s) < radius


def _dense(matrix: Any) -> Array:
    return np.asarray(matrix.toarray() if scipy.sparse.issparse(matrix) else matrix)
