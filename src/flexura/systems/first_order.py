"""Second-order systems as first-order ones: x' = A x + B u, where x are coordinates and their rates.

    >>> made = first_order(M, C, K, F, ("q1", "q2"))
    >>> made.A, made.B, made.states            # ("q1", "q2", "q1_t", "q2_t")
    >>> made.coordinates, made.rates           # q and q' as rows over (x, u)

What has no inertia has no rate of its own: a coordinate that only dampers resist is one state, and one that only
springs resist is none (it follows the others and the loads). A coordinate whose acceleration is an input keeps its
displacement and its rate as states. Rigid motions stay, so A may be singular.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.systems.inertia import not_positive

Array = NDArray[np.float64]
_RANK = 1e-13  # of the mass matrix, in units of its own diagonal
_ZERO = 1e-12  # of damping that must not be there, beside the largest


@dataclass(frozen=True, eq=False)
class FirstOrder:
    """x' = A x + B u, and the coordinates as rows over (x, u)."""

    A: Array
    B: Array
    states: tuple[str, ...]
    coordinates: Array

    def differentiated(self, rows: Array) -> Array:
        """The rates of rows over (x, u); nan where that would need the rate of an input."""
        n = len(self.A)
        found = rows[:, :n] @ np.hstack([self.A, self.B])
        found[np.any(rows[:, n:], axis=1)] = np.nan
        return np.asarray(found)

    @property
    def rates(self) -> Array:
        """The rates of the coordinates as rows over (x, u)."""
        return self.differentiated(self.coordinates)

    @property
    def accelerations(self) -> Array:
        """Their accelerations."""
        return self.differentiated(self.rates)


@dataclass(frozen=True, eq=False)
class _Split:
    """q = Z z + D d + S s: z has inertia, d only damping and stiffness, s only stiffness."""

    Z: Array
    D: Array
    S: Array
    inertial: list[str]
    damped: list[str]


def first_order(
    M: Array,
    C: Array,
    K: Array,
    F: Array,
    names: Sequence[str],
    driven: Sequence[int] = (),
    conditions: tuple[Array, Array] | None = None,
) -> FirstOrder:
    """M q'' + C q' + K q = F u; u is followed by the accelerations of the `driven` coordinates.

    `conditions` (A_v, A_q) hold A_v q' + A_q q = 0: they take rates away, not coordinates.
    """
    if conditions is not None and len(conditions[0]):
        return _conditioned(M, C, K, F, names, list(driven), conditions)
    n, p = len(M), list(driven)
    f = [i for i in range(n) if i not in set(p)]
    known = np.hstack([-K[np.ix_(f, p)], -C[np.ix_(f, p)], F[f], -M[np.ix_(f, p)]])
    inside = np.ix_(f, f)
    split = _split(M[inside], C[inside], [names[i] for i in f])
    return _assembled(_Rows(M[inside], C[inside], K[inside], known, split), [names[i] for i in p], f, p, F.shape[1])


@dataclass(frozen=True, eq=False)
class _Rows:
    """M q'' + C q' + K q = R g of the free coordinates, solved for what moves: rows over (z, d, z', g)."""

    M: Array
    C: Array
    K: Array
    R: Array
    split: _Split

    def solved(self) -> tuple[Array, Array, Array]:
        """z'', d' and q."""
        Z, D, S = self.split.Z, self.split.D, self.split.S
        nz, nd, g = Z.shape[1], D.shape[1], self.R.shape[1]
        q = np.hstack([Z, D, np.zeros_like(Z), np.zeros((len(Z), g))])
        if S.shape[1]:
            q = q + S @ self._static(Z, D, S, g)
        rest = -self.K @ q
        rest[:, 2 * nz + nd :] += self.R
        rest[:, nz + nd : 2 * nz + nd] -= self.C @ Z
        slow = np.asarray(np.linalg.solve(D.T @ self.C @ D, D.T @ rest), dtype=np.float64)
        return _solve_positive(Z.T @ self.M @ Z, Z.T @ (rest - self.C @ D @ slow)), slow, q

    def _static(self, Z: Array, D: Array, S: Array, g: int) -> Array:
        """s, which only springs resist, from the others and the loads."""
        size = np.abs(self.C).max(initial=0.0)
        if max(np.abs(self.C @ S).max(initial=0.0), np.abs(S.T @ self.C).max(initial=0.0)) > _ZERO * size:
            raise FlexuraError(
                "Gyroscopic terms act on a motion that has neither inertia nor damping, so the rates of the loads would"
                " be inputs",
                advice="give that motion some mass",
            )
        stiffness = S.T @ self.K @ S
        sizes = np.linalg.svd(stiffness, compute_uv=False)
        if sizes[-1] <= 1e-13 * max(np.abs(self.K).max(initial=0.0), 1e-300):
            raise FlexuraError(
                "A motion has no inertia, no damping and no stiffness, so nothing says how it moves",
                advice="give it one of them, or leave it out",
            )
        loads = np.hstack([-self.K @ Z, -self.K @ D, np.zeros_like(Z), self.R])
        return np.asarray(np.linalg.solve(stiffness, S.T @ loads))


def _assembled(rows: _Rows, driven: list[str], f: list[int], p: list[int], loads: int) -> FirstOrder:
    """A and B over the states (z, d, p, z', p') and the inputs (u, p'')."""
    moved, slow, q = rows.solved()
    nz, nd, k = rows.split.Z.shape[1], rows.split.D.shape[1], len(p)
    size = 2 * nz + nd + 2 * k
    # rows are over (z, d, z', p, p', u, a), states are (z, d, p, z', p')
    order = [*range(nz + nd), *range(nz + nd + k, 2 * nz + nd + k), *range(nz + nd, nz + nd + k)]
    order += [*range(2 * nz + nd + k, size), *range(size, size + loads + k)]

    def placed(some: Array) -> Array:
        found = np.zeros((len(some), size + loads + k))
        found[:, order] = some
        return found

    whole = np.zeros((size, size + loads + k))
    whole[:nz, nz + nd + k : 2 * nz + nd + k] = np.eye(nz)
    whole[nz : nz + nd] = placed(slow)
    whole[nz + nd : nz + nd + k, 2 * nz + nd + k : size] = np.eye(k)
    whole[nz + nd + k : 2 * nz + nd + k] = placed(moved)
    whole[2 * nz + nd + k : size, size + loads :] = np.eye(k)
    coordinates = np.zeros((len(f) + k, size + loads + k))
    coordinates[f] = placed(q)
    coordinates[p, range(nz + nd, nz + nd + k)] = 1.0
    inertial, damped = rows.split.inertial, rows.split.damped
    states = (*inertial, *damped, *driven, *(f"{name}_t" for name in (*inertial, *driven)))
    return FirstOrder(whole[:, :size], whole[:, size:], states, coordinates)


def _conditioned(
    M: Array,
    C: Array,
    K: Array,
    F: Array,
    names: Sequence[str],
    driven: list[int],
    conditions: tuple[Array, Array],
) -> FirstOrder:
    """With conditions on rates: q' = Z r + P q, r the rates that stay."""
    A_v, A_q = conditions
    n, loads, k = len(M), F.shape[1], len(driven)
    able = [i for i in range(n) if i not in set(driven)]
    pivots = scipy.linalg.qr(A_v[:, able], pivoting=True, mode="economic")[2][: len(A_v)]
    gone = sorted(able[i] for i in pivots)
    kept = [i for i in range(n) if i not in set(gone)]
    Z, P = np.zeros((n, len(kept))), np.zeros((n, n))
    Z[kept, range(len(kept))] = 1.0
    Z[gone] = -np.linalg.solve(A_v[:, gone], A_v[:, kept])
    P[gone] = -np.linalg.solve(A_v[:, gone], A_q)
    free, given = ([i for i, name in enumerate(kept) if (name in driven) == which] for which in (False, True))
    size = n + len(kept)
    v = np.hstack([P, Z, np.zeros((n, loads + k))])
    whole = np.zeros((size, size + loads + k))
    whole[:n] = v
    rest = -(C + M @ P) @ v
    rest[:, :n] -= K
    rest[:, size : size + loads] += F
    rest[:, size + loads :] -= M @ Z[:, given]
    Zf = Z[:, free]
    whole[[n + i for i in free]] = _solve_positive(Zf.T @ M @ Zf, Zf.T @ rest)
    order = [driven.index(kept[i]) for i in given]
    whole[[n + i for i in given], [size + loads + i for i in order]] = 1.0
    states = (*names, *(f"{names[i]}_t" for i in kept))
    return FirstOrder(whole[:, :size], whole[:, size:], states, np.eye(n, size + loads + k))


def _split(M: Array, C: Array, names: list[str]) -> _Split:
    """By rank: what has inertia, what has only damping, what has only stiffness."""
    moving, W = _kernel(M)
    gone = [i for i in range(len(M)) if i not in set(moving)]
    slow, S = _kernel(W.T @ ((C + C.T) / 2) @ W)
    inertial = [names[i] if not np.any(W[i]) else f"{names[i]}*" for i in moving]
    damped = [names[gone[i]] if not np.any(S[i]) else f"{names[gone[i]]}*" for i in slow]
    return _Split(np.eye(len(M))[:, moving], W[:, slow], W @ S, inertial, damped)


def _kernel(matrix: Array) -> tuple[list[int], Array]:
    """Indices where a positive matrix is not zero, and the motions where it is, each with one other index at one."""
    n = len(matrix)
    sizes = np.sqrt(np.abs(np.diagonal(matrix)))
    empty = [i for i in range(n) if sizes[i] == 0 and not np.any(matrix[i])]
    filled = [i for i in range(n) if i not in set(empty)]
    W = np.eye(n)[:, empty]
    if not filled:
        return [], W
    size = np.where(sizes[filled] > 0, sizes[filled], 1.0)
    squares, vectors = np.linalg.eigh(matrix[np.ix_(filled, filled)] / np.outer(size, size))
    null = vectors[:, np.abs(squares) <= _RANK * len(filled)] / size[:, None]
    if not null.shape[1]:
        return filled, W
    pivots = scipy.linalg.qr((null * size[:, None]).T, pivoting=True, mode="economic")[2][: null.shape[1]]
    more = np.zeros((n, null.shape[1]))
    more[filled] = null @ np.linalg.inv(null[pivots])
    held = [filled[i] for i in pivots]
    more[held] = np.eye(len(held))
    more[np.abs(more) < 1e-14 * np.abs(more).max(initial=0.0)] = 0.0
    columns = np.hstack([W, more])
    order = np.argsort([*empty, *held])
    return [i for i in filled if i not in set(held)], columns[:, order]


def _solve_positive(matrix: Array, right: Array) -> Array:
    """By Cholesky, in units of the diagonal."""
    if not len(matrix):
        return np.zeros((0, right.shape[1]))
    size = np.sqrt(np.abs(np.diagonal(matrix)))
    if np.any(size == 0):
        raise not_positive()
    try:
        factor: Any = scipy.linalg.cho_factor(matrix / np.outer(size, size))
    except np.linalg.LinAlgError:
        raise not_positive() from None
    return np.asarray(scipy.linalg.cho_solve(factor, right / size[:, None]) / size[:, None])
