"""T(s) = s^2 M + s (D + G) + K + H in the coordinates x = q z + e of soft motions and deformations (`split`).

>>> pencil = Pencil.of(system)
>>> pencil.at(2j).solve(F)              # T(s) x = F, to full precision however soft the motions q are
>>> pencil.at_rest().kernel             # Ker (K + H), of the whole K: with what a rotation adds

The equations of the kept rows are (T q)_k z + T_kk e = b_k, those of the soft motions q'T (q z + e) = q'b; the images
of q are known without the rounding of K, so that both parts are well posed however slow the motion is.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.structures.operating.split import Split, kept_rows, rows_of, soft_split
from flexura.systems.factor import factorize
from flexura.systems.second_order import SecondOrderSystem
from flexura.systems.soft import ROUNDING, Decided, decided, without_rounding

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class SplitPencil:
    """The matrices of a system, and what they do to its soft motions from the right (K q) and from the left (K'q).

    `loss` is the factor of i structural: 1 for oscillations e^{st} with Im s > 0.
    """

    system: SecondOrderSystem
    split: Split | None
    loss: float = 1.0

    @staticmethod
    def of(system: SecondOrderSystem, loss: float = 1.0) -> SplitPencil:
        """Of a system whose soft motions are found, if it has any."""
        try:
            return SplitPencil(system, soft_split(system), loss)
        except FlexuraError:
            return SplitPencil(system, None, loss)  # the bare K is indefinite: then nothing is soft beside it

    @property
    def structural(self) -> Any:
        """The structural damping that counts, or None."""
        return self.system.structural if self.loss else None

    @property
    def real(self) -> bool:
        """Whether every matrix is real."""
        return self.structural is None

    @cached_property
    def rows(self) -> tuple[NDArray[np.int64], bool]:
        """The kept rows, and whether they come in a good order of elimination."""
        if self.split is None:
            return kept_rows(self.system, np.zeros(0, dtype=np.int64))
        return self.split.kept, self.split.natural

    @cached_property
    def q(self) -> Array:
        """The soft motions (n, r)."""
        return np.zeros((self.system.n, 0)) if self.split is None else self.split.soft.q

    @cached_property
    def noise(self) -> Array:
        """What rounding can make of q'(K + H) q."""
        if self.split is None:
            return np.zeros((0, 0))
        noise, H = self.split.soft.noise, self.system.H
        return noise if H is None else noise + ROUNDING * (np.abs(self.q).T @ (abs(H) @ np.abs(self.q)))

    @cached_property
    def images(self) -> tuple[Array, Array, Array]:
        """M q, (D + G) q and (K + H) q."""
        return self._images(1.0)

    @cached_property
    def left_images(self) -> tuple[Array, Array, Array]:
        """M'q, (D + G)'q and (K + H)'q."""
        return self._images(-1.0)

    def _images(self, sign: float) -> tuple[Array, Array, Array]:
        system, q = self.system, self.q
        rates, stiff = np.zeros(q.shape), np.zeros(q.shape) if self.split is None else self.split.soft.image
        if system.D is not None:
            rates = rates + without_rounding(system.D, q, system.rounding).image
        if system.G is not None:
            rates = rates + sign * (system.G @ q)
        if system.H is not None:
            stiff = stiff + sign * (system.H @ q)
        if self.structural is not None:
            stiff = stiff + 1j * self.loss * without_rounding(self.structural, q, system.rounding).image
        return system.M @ q, rates, stiff

    def matrix(self, s: complex) -> Any:
        """T(s); real where it can be, which is half the work."""
        system, C = self.system, self.system.rates
        total = (s * s if np.imag(s * s) else np.real(s * s)) * system.M + system.displacements
        if self.structural is not None:
            total = total + 1j * self.loss * self.structural
        return total if C is None else total + s * C

    def negative(self, s: complex) -> int | None:
        """How many eigenvalues of a symmetric T(s) are negative; None where that cannot be counted."""
        return CondensedDynamics(self, s, count=True).negative

    def at(self, s: complex) -> DynamicSolver:
        """T(s) factorized."""
        return DynamicSolver(self, s)

    def at_rest(self, transposed: bool = False) -> Rest:
        """K + H, or its transpose, factorized, and its kernel."""
        return Rest(self, transposed)


class CondensedDynamics:
    """T(s) on the kept rows factorized, and condensed onto the soft motions: the `form` (r, r) that remains."""

    def __init__(self, pencil: SplitPencil, s: complex, transposed: bool = False, count: bool = False) -> None:
        """Factorize T_kk, or that of T'; `count` asks for its pivots."""
        self.q, self.kept = pencil.q, pencil.rows[0]
        right, left = (pencil.left_images, pencil.images) if transposed else (pencil.images, pencil.left_images)
        self.A = pencil.matrix(s).T if transposed else pencil.matrix(s)
        self.moving = _combined(s, right)  # T q
        self.left = _combined(s, left).T  # q'T
        inner = rows_of(self.A, self.kept)
        symmetric, natural = pencil.system.symmetric, pencil.rows[1]
        factor = factorize(inner, what="The dynamic stiffness", symmetric=symmetric, count=count, natural=natural)
        self._inner = factor
        self._solve = _any_numbers(factor.solve, real=not np.iscomplexobj(inner))
        self.dragged = self._solve(self.moving[self.kept])
        self.form = self.left @ self.q - self.left[:, self.kept] @ self.dragged

    @property
    def negative(self) -> int | None:
        """How many eigenvalues of a symmetric T are negative (Sylvester): those of T_kk and of the form."""
        if self._inner.negative is None:
            return None
        form = (self.form + self.form.T) / 2
        unit = 1 / np.sqrt(np.where(np.diagonal(form), np.abs(np.diagonal(form)), 1.0))
        return self._inner.negative + int((np.linalg.eigvalsh(form * unit[:, None] * unit) < 0).sum())

    def parts(self, b: Array, inverse: Array, refinements: int) -> tuple[Array, Array]:
        """z and e of x = q z + e with the inverse of the form, e over all rows; refined by the residual."""
        z, e = self._once(b[self.kept], self.q.T @ b, inverse)
        for _ in range(refinements):
            rest = b - self.moving @ z - self.A @ e
            soft = self.q.T @ b - (self.left @ self.q) @ z - self.left @ e
            dz, de = self._once(rest[self.kept], soft, inverse)
            z, e = z + dz, e + de
        return z, e

    def _once(self, right: Array, soft: Array, inverse: Array) -> tuple[Array, Array]:
        inner = self._solve(right)
        z = inverse @ (soft - self.left[:, self.kept] @ inner)
        inner = inner - self.dragged @ z
        e = np.zeros((self.q.shape[0], *right.shape[1:]), dtype=inner.dtype)
        e[self.kept] = inner
        return z, e


class DynamicSolver:
    """Solutions of T(s) x = b."""

    def __init__(self, pencil: SplitPencil, s: complex, transposed: bool = False) -> None:
        """Factorize T(s), or its transpose."""
        self.condensed = CondensedDynamics(pencil, s, transposed)
        form = self.condensed.form
        size = np.sqrt(np.abs(np.diagonal(form)))
        unit = 1 / np.where(size > 0, size, 1.0)
        self._inverse = np.linalg.inv(form * unit[:, None] * unit) * unit[:, None] * unit

    def parts(self, b: Array, refinements: int = 1) -> tuple[Array, Array]:
        """z and e of x = q z + e."""
        return self.condensed.parts(b, self._inverse, refinements)

    def misses(self, b: Array, z: Array, e: Array) -> float:
        """|b - T (q z + e)| relative to |b|."""
        left = b - self.condensed.moving @ z - self.condensed.A @ e
        size = float(np.linalg.norm(b))
        return float(np.linalg.norm(left)) / size if size else 0.0

    def solve(self, b: Array, refinements: int = 1) -> Array:
        """x."""
        z, e = self.parts(b, refinements)
        return np.asarray(self.condensed.q @ z + e)


class Rest:
    """The whole stiffness K + H: its kernel, decided against rounding, and solutions of (K + H) x = b."""

    def __init__(self, pencil: SplitPencil, transposed: bool = False) -> None:
        """Condense K + H, or its transpose, onto the soft motions, and decide which combinations are free."""
        made = self.condensed = CondensedDynamics(pencil, 0.0, transposed)
        noise = pencil.noise + ROUNDING * np.abs(made.left[:, made.kept] @ made.dragged)
        self.decided: Decided = decided(made.form, noise)

    @cached_property
    def kernel(self) -> Array:
        """Ker (K + H), (n, k)."""
        free, made = self.decided.free, self.condensed
        x = np.asarray(made.q @ free, dtype=np.result_type(made.q, made.dragged, free))
        x[made.kept] -= made.dragged @ free
        return x

    def solve(self, b: Array) -> Array:
        """A solution x where b is in the range of K + H."""
        z, e = self.condensed.parts(b, self.decided.inverse, 1)
        return np.asarray(self.condensed.q @ z + e)


def _combined(s: complex, images: tuple[Array, Array, Array]) -> Array:
    M, C, K = images
    if not s:
        return K
    return np.asarray((s * s if np.imag(s * s) else np.real(s * s)) * M + K + (s * C if C.any() else 0))


def _any_numbers(solve: Any, real: bool) -> Any:
    """Real factors solve complex right-hand sides in two parts, complex factors want complex ones."""

    def split(b: Any) -> Any:
        b = np.asarray(b)
        if real:
            return solve(b.real) + 1j * solve(b.imag) if np.iscomplexobj(b) else solve(b)
        return solve(b.astype(complex))

    return split
