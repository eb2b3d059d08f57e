"""The linear problem of twice the size, seen from a shift: 1/(s - shift) are the eigenvalues of one operator.

Slow roots beside a stiff structure keep their digits this way: they become the largest eigenvalues, and T(shift) x = b
is solved in the coordinates of soft motions and deformations (`operating.dynamic`). Roots at zero are taken out with
their chains. Roots that rounding split from one (a drift seen from a turning frame) are put together again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigs

from flexura.errors import FlexuraError
from flexura.structures.operating.chains import ZeroRoots
from flexura.structures.operating.dynamic import SplitPencil

Array = NDArray[Any]
_EPS = float(np.finfo(np.float64).eps)
_CLOSE = 1e-5
_SLOW = 0.1
_SPLIT = 1e4 * _EPS


class Shifted:
    """(A - shift B)^-1 B on states (x, x'), without the chains of s = 0."""

    def __init__(self, pencil: SplitPencil, zeros: ZeroRoots, shift: complex) -> None:
        """Factorize T(shift)."""
        self.n, self.shift, self.zeros, self.pencil = pencil.system.n, shift, zeros, pencil
        try:
            self.solver = pencil.at(shift)
        except np.linalg.LinAlgError:
            raise FlexuraError(f"The shift {shift:g} is a root", advice="give another near=...") from None

    def __call__(self, states: Array) -> Array:
        """Of one state or a column each."""
        system, n = self.pencil.system, self.n
        x, rate = states[:n], states[n:]
        right = system.M @ (rate + self.shift * x)
        if system.rates is not None:
            right = right + system.rates @ x
        found = -self.solver.solve(right, refinements=0)
        return self.zeros.without(np.concatenate([found, x + self.shift * found]))

    def defects(self, s: Array, X: Array) -> Array:
        """How far each x is from T(shift)^-1 (T(shift) - T(s)) x, which a mode is: relative, in units of unit mass.

        Unlike T(s) x beside |K||x|, it is as strict for slow motions of a stiff structure as for fast ones. Of roots
        that are far faster than the shift it would only show the rounding of T(shift)^-1; T(s) x beside the inertia
        s^2 m x alone is as strict, and counts where it is less.
        """
        system = self.pencil.system
        right = (self.shift**2 - s**2) * (system.M @ X)
        if system.rates is not None:
            right = right + (self.shift - s) * (system.rates @ X)
        unit = _unit(self)[: self.n, None]
        size = np.linalg.norm(X / unit, axis=0)
        seen = np.linalg.norm((self.solver.solve(right) - X) / unit, axis=0) / size
        fast = np.abs(s) > abs(self.shift)
        rest = np.linalg.norm((self.solver.condensed.A @ X - right) * unit, axis=0)
        return np.asarray(np.where(fast, np.fmin(seen, rest / (np.where(fast, np.abs(s), 1.0) ** 2 * size)), seen))

    def roots(self, mu: Array) -> Array:
        """s of eigenvalues of the operator."""
        return np.asarray(self.shift + 1 / mu)


def all_roots(operator: Shifted) -> tuple[Array, Array]:
    """Every finite root that is not zero, and its shape (n, roots)."""
    n = operator.n
    unit = _unit(operator)
    dense = operator(np.diag(unit)) / unit[:, None]
    mu, V = np.linalg.eig(dense)
    size = np.abs(mu)
    order = np.argsort(-size, kind="stable")[: 2 * n - operator.zeros.multiplicity]
    order = order[size[order] > 1e-14 * size.max(initial=0.0)]
    return operator.roots(mu[order]), unit[:n, None] * V[:n, order]


def some_roots(operator: Shifted, count: int) -> tuple[Array, Array]:
    """The roots nearest to the shift, by Arnoldi."""
    n = operator.n
    kind = np.float64 if operator.pencil.real and not np.iscomplexobj(operator.shift) else np.complex128
    unit = _unit(operator)
    linear = LinearOperator((2 * n, 2 * n), matvec=lambda z: operator(unit * z.ravel()) / unit, dtype=kind)
    start = linear @ np.random.default_rng(5).standard_normal(2 * n).astype(kind)
    count = min(count, 2 * n - operator.zeros.multiplicity - 2)
    try:
        mu, V = eigs(linear, count, v0=start, tol=1e-11, maxiter=60)
    except ArpackNoConvergence as stopped:
        mu, V = stopped.eigenvalues, stopped.eigenvectors  # far slower roots leave the others fewer digits
    return operator.roots(mu), unit[:n, None] * V[:n]


def _unit(operator: Shifted) -> Array:
    """Units of each state in which masses, and displacements and rates, are alike."""
    system = operator.pencil.system
    mass, stiff = np.abs(system.M.diagonal()), np.abs(system.K.diagonal())
    typical = np.median(stiff[mass > 0] / mass[mass > 0]) if np.any(mass > 0) else 1.0
    size = np.where(mass > 0, mass, stiff / (typical or 1.0))
    unit = 1 / np.sqrt(np.where(size > 0, size, 1.0))
    return np.concatenate([unit, unit * max(abs(operator.shift), 1e-300)])


# -- roots that belong together --------------------------------------------------------------------------------------


def _invariant(pencil: SplitPencil, zeros: ZeroRoots, shift: complex, count: int) -> tuple[Array, Array] | None:
    """The small matrix whose eigenvalues are the `count` roots nearest to a shift, and its states (2n, count).

    By block inverse iteration; None where these roots do not stand apart from the others.
    """
    operator = Shifted(pencil, zeros, shift)
    unit = _unit(operator)[:, None]
    V = np.linalg.qr(np.random.default_rng(6).standard_normal((2 * operator.n, count)) + 0j)[0]
    for _ in range(60):
        W = operator(V * unit) / unit
        small = V.conj().T @ W
        left = np.linalg.norm(W - V @ small) / np.linalg.norm(W)
        if left <= 1e-14:
            break
        V = np.linalg.qr(W)[0]
    if left > 1e-9:
        return None
    return shift * np.eye(count) + np.linalg.inv(small), V * unit


def slow_again(operator: Shifted, s: Array, X: Array) -> tuple[Array, Array]:
    """Roots that are far smaller than the shift once more from a shift of their own size, and again the slower ones."""
    shift = abs(operator.shift)
    while True:
        slow = np.abs(s) < _SLOW * shift
        if not slow.any():
            return s, X
        shift = 0.4321 * float(np.abs(s[slow]).max())
        seen = _invariant(operator.pencil, operator.zeros, shift, int(slow.sum()))
        if seen is None or not shift:
            return s, X
        roots, turn = np.linalg.eig(seen[0])
        s[slow], X[:, slow] = roots, seen[1][: operator.n] @ turn


@dataclass(frozen=True)
class RootGroup:
    """Neighbouring roots: their places in the list, and what they are when seen together."""

    places: list[int]
    roots: Array
    shapes: Array


def groups(pencil: SplitPencil, zeros: ZeroRoots, s: Array) -> list[RootGroup]:
    """Roots so near to one another that rounding may have split them from one: each group is solved as a whole."""
    found, left = [], list(range(len(s)))
    while left:
        places = [left.pop(0)]
        while True:
            centre = complex(s[places].mean())
            spread = max(float(np.abs(s[places] - centre).max()), _CLOSE * abs(centre))
            joined = [i for i in left if abs(s[i] - centre) <= 4 * spread]
            if not joined:
                break
            places, left = places + joined, [i for i in left if i not in joined]
        if len(places) > 1:
            others = np.delete(s, places)
            gap = float(np.abs(np.r_[others, others.conj(), 2 * abs(centre)] - centre).min())
            aside = min(2e-2 * abs(centre), gap / 6) * (1 if abs(centre.real) < abs(centre.imag) else 1j)
            seen = _invariant(pencil, zeros, centre + aside, len(places))
            found += [RootGroup(places, *_together(*seen, pencil.system.n))] if seen else []
    return found


def _together(block: Array, states: Array, n: int) -> tuple[Array, Array]:
    """The eigenvalues of a small matrix, which are one where rounding can have split it, and their shapes."""
    m = len(block)
    mean = complex(np.trace(block)) / m
    rest = block - mean * np.eye(m)
    if not _one_root(rest, abs(mean)):
        roots, turn = np.linalg.eig(block)
        return roots, states[:n] @ turn
    _, sizes, rows = np.linalg.svd(rest)
    alone = max(1, int((sizes <= np.sqrt(_SPLIT) * max(sizes[0], abs(mean) * np.sqrt(_SPLIT))).sum()))
    turn = rows.conj().T[:, ::-1][:, np.minimum(np.arange(m), alone - 1)]
    return np.full(m, mean), states[:n] @ turn


def _one_root(rest: Array, size: float) -> bool:
    """Whether all eigenvalues of a small matrix are zero but for rounding: |c_k| <= noise |rest|^(k-1)."""
    scale = float(np.linalg.norm(rest, 2))
    noise = _SPLIT * size
    if scale <= noise:
        return True
    coefficients = np.poly(rest)
    return all(abs(coefficients[k]) <= k * noise * scale ** (k - 1) for k in range(2, len(coefficients)))
