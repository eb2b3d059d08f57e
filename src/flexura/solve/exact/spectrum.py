"""All eigenvalues omega^2 of a pencil in a window, each with its vector, when their number is known from the count.

Few unknowns: one full eigenproblem. Many: slices of the window, each by block Krylov vectors around its middle (blocks,
because repeated roots hide from a single vector). Values are quotients of energies, so they keep all their digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.solve.exact.lines import Array
from flexura.solve.exact.pencil import Pencil, rotated
from flexura.systems.inertia import not_positive

_CLOSE = 1e-5
_MOST = 5  # vectors for each root, before giving up
_ERROR = 1e-7  # of a vector, before one more iteration; that of the value is its square


def whole(pencil: Pencil, count: int, under: float) -> tuple[Array, Array]:
    """The lowest `count` eigenvalues by one full eigenproblem; all of them lie above -under."""
    M, n = pencil.M, pencil.size
    stiff = pencil.K + under * M
    size = 1 / np.sqrt(np.abs(np.diagonal(stiff)))
    shifted, mass = stiff * size[:, None] * size, M * size[:, None] * size
    try:
        _, X = scipy.linalg.eigh(mass, shifted, subset_by_index=[n - count, n - 1], check_finite=False)
    except np.linalg.LinAlgError:
        raise not_positive() from None
    return settled(pencil, X[:, ::-1] * size[:, None])


def slice_of(pencil: Pencil, low: float, high: float, count: int) -> tuple[Array, Array]:
    """The eigenvalues between low and high, of which there are `count` (fewer are returned if not all were found)."""
    M = pencil.M
    middle = low + 0.4871 * (high - low)
    solve = pencil.solver(None, -middle)
    width = min(pencil.size, max(4, count // 12))
    block = _unit(M, solve(M @ np.random.default_rng(5).standard_normal((pencil.size, width))))
    basis, after, T = block[:, :0], block, np.zeros((0, 0))
    look = min(pencil.size, 2 * count + 2 * width)
    while True:
        n = basis.shape[1]
        basis = np.hstack([basis, block])
        after = solve(M @ block)
        weighted = M @ after
        column = basis.T @ weighted
        T = np.block([[T, column[:n]], [column[:n].T, (column[n:] + column[n:].T) / 2]])
        after = after - basis @ column
        after = after - basis @ (basis.T @ (M @ after))
        last = basis.shape[1] + width > min(pencil.size, _MOST * count + 20 * width)
        if basis.shape[1] >= look or last:
            mu, V, rest = _ritz(T, M, after, (low - middle, high - middle))
            if last or (len(mu) == count and np.all(rest < _ERROR * np.abs(mu))):
                break
            look = basis.shape[1] + max(2 * width, basis.shape[1] // 6)
        block = _unit(M, after)
        if not block.shape[1]:
            mu, V, _ = _ritz(T, M, after, (low - middle, high - middle))
            break
    return settled(pencil, solve(M @ (basis @ (V / mu))))


def _ritz(T: Array, M: Any, after: Array, window: tuple[float, float]) -> tuple[Array, Array, Array]:
    """mu and vectors of T whose 1/mu lie in the window, and the norm of what they leave over."""
    mu, V = np.linalg.eigh(T)
    with np.errstate(divide="ignore"):
        inside = (1 / mu > window[0]) & (1 / mu < window[1])
    mu, V = mu[inside], V[:, inside]
    left = after @ V[len(T) - after.shape[1] :]
    return mu, V, np.sqrt(np.maximum((left * (M @ left)).sum(axis=0), 0.0))


def _unit(M: Any, block: Array) -> Array:
    """The same span, orthonormal in M."""
    for _ in range(2):
        block = block @ _orthonormal(block.T @ (M @ block))
    return block


def _orthonormal(gram: Array) -> Array:
    size = 1 / np.sqrt(np.maximum(np.diagonal(gram), 1e-300))
    weights, U = np.linalg.eigh(gram * size[:, None] * size)
    kept = weights > 1e-12 * max(weights.max(initial=0.0), 1e-300)
    return np.asarray(size[:, None] * U[:, kept] / np.sqrt(weights[kept]))


def settled(pencil: Pencil, X: Array) -> tuple[Array, Array]:
    """Eigenvalues as quotients of energies, ascending, unit modal mass; close ones are separated among themselves."""
    values, mass = pencil.quotients(X)
    order = np.argsort(values, kind="stable")
    values, X = values[order], X[:, order] / np.sqrt(np.abs(mass[order]))
    near = np.abs(np.diff(values)) <= _CLOSE * np.maximum(np.abs(values[1:]), np.abs(values[:-1]))
    for a, b in runs(near):
        found, Y = rotated(pencil, X[:, a:b])
        if len(found) == b - a:
            values[a:b], X[:, a:b] = found, Y
    return values, X


def refined(pencil: Pencil, X: Array) -> tuple[Array, Array]:
    """The same span, its vectors told apart by energies from strains: the rounding of K had mixed them a little."""
    Y = rotated(pencil, X)[1]
    return settled(pencil, Y if Y.shape[1] == X.shape[1] else X)


def runs(near: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """(first, last + 1) of entries that are near their neighbours; `near` says so of each pair."""
    found: list[tuple[int, int]] = []
    for i in np.flatnonzero(near).tolist():
        if found and found[-1][1] == i + 1:
            found[-1] = found[-1][0], i + 2
        else:
            found.append((i, i + 2))
    return found
