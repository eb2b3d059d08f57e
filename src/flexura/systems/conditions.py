"""Conditions A x = b among motions: how many count, decided once, in the metric of the masses (theory, section 8).

>>> count = rank(A, M)
>>> combinations(A, M, count)          # of conditions, as many as count: (m, count)
>>> N, stay = eliminated(A)            # x = N z with A N = 0, the unknowns `stay` being z

A condition counts whatever its unit, and the unit of an unknown does not matter either: rows are divided by their size
in the metric of the masses, or, where masses do not tell, rows and columns by their largest entries.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.errors import FlexuraError

Array = NDArray[np.float64]
COUNTS = 1e-9  # singular values below this part of the largest are those of conditions that repeat others
_NOTHING = 1e-14  # a condition that small beside others holds by itself
_CONTRADICTS = 1e-7  # of what stands in a condition: left over so much where no state is nearer
_LEAST = 0.1  # of unknowns: what they count at least in the size of a condition
_ROUNDS = 8  # of dividing rows and columns by their sizes


def rank(A: Array, M: Array | None = None) -> int:
    """How many conditions count."""
    S = _even(A) if M is None else weighed(A, M)
    sizes = np.linalg.norm(S, axis=1)
    kept = sizes > _NOTHING * sizes.max(initial=0.0)
    values = np.linalg.svd(S[kept] / sizes[kept, None], compute_uv=False) if kept.any() else np.zeros(0)
    return int(np.sum(values > COUNTS * values.max(initial=0.0)))


def combinations(A: Array, M: Array, count: int) -> Array:
    """As many combinations of conditions as count, orthonormal: what they span are the multipliers of least norm."""
    return np.asarray(np.linalg.svd(weighed(A, M))[0][:, :count])


def shortest(A: Array, M: Array, right: Array, count: int | None = None) -> Array:
    """x of A x = right, smallest in the metric of M, by as many combinations of its rows as count.

    Beside the constraints those that do not count have slopes of their own, as small as the way back: followed, they
    would move the system along the constraints by as much.
    """
    U, s, V = np.linalg.svd(weighed(A, M), full_matrices=False)
    kept = slice(0, count) if count is not None else s > COUNTS * s.max(initial=0.0)
    found = V[kept].T @ ((U[:, kept].T @ right) / s[kept])
    return np.asarray(scipy.linalg.solve_triangular(_factor(A, M).T, found, lower=False))


def least(A: Array, multipliers: Array) -> Array:
    """The multipliers of least norm that push as these do: A' of both is the same."""
    U, s, _ = np.linalg.svd(A, full_matrices=False)
    kept = U[:, s > COUNTS * s.max(initial=0.0)]
    return np.asarray(kept @ (kept.T @ multipliers))


def repeated(extra: int, mobility: int, multipliers: Sequence[str]) -> list[str]:
    """What to say of conditions that follow from others, of which there are `extra`: reactions are not determined."""
    if not extra:
        return []
    many = "1 condition repeats" if extra == 1 else f"{extra} conditions repeat"
    return [
        f"{many} the others wherever they hold (mobility {mobility + extra}); of the multipliers"
        f" {', '.join(multipliers)} those of least norm are given."
    ]


def contradicting(left: Array, A: Array, x: Array, more: float = 0.0) -> list[int]:
    """Which conditions no state satisfies together, from what the nearest state x to them leaves over; none: all hold.

    That is a combination of conditions whose slopes cancel, so it is made of those that contradict one another.
    """
    size = np.abs(A) @ np.maximum(np.abs(x), _LEAST) + more
    size = np.maximum(size, 1e-2 * size.max(initial=0.0))
    if np.all(np.abs(left) <= _CONTRADICTS * np.maximum(size, 1e-300)):
        return []
    return [i for i in range(len(left)) if abs(left[i]) > 1e-6 * np.abs(left).max()]


def refuse_contradicting(A: Array, constant: Array, names: Sequence[str]) -> None:
    """Refuse linear conditions A x + constant = 0 that no x satisfies together."""
    if not np.any(constant):
        return
    sizes = np.linalg.norm(A, axis=1)
    sizes = np.where(sizes > 0, sizes, 1.0)
    x = np.asarray(np.linalg.lstsq(A / sizes[:, None], -constant / sizes, rcond=COUNTS)[0], dtype=np.float64)
    left = (A @ x + constant) / sizes
    size = (np.abs(A) @ np.abs(x) + np.abs(constant)) / sizes
    if np.any(np.abs(left) > np.maximum(_CONTRADICTS * size, _NOTHING * size.max())):
        wrong = [i for i in range(len(left)) if abs(left[i]) > 1e-6 * np.abs(left).max()]
        raise contradiction(list(dict.fromkeys(names[i] for i in wrong)))


def contradiction(names: Sequence[str]) -> FlexuraError:
    """What to say of conditions that cannot be satisfied together."""
    if len(names) == 1:
        return FlexuraError(
            f"No state near the given one satisfies the condition of {names[0]}", advice="give another, or leave it out"
        )
    return FlexuraError(
        f"The conditions of {', '.join(names[:-1])} and {names[-1]} contradict one another: no state satisfies all of"
        " them",
        advice="leave one of them out, or change it",
    )


def weighed(A: Array, M: Array) -> Array:
    """Conditions on motions measured by the root of the energy they take: rows of A L'^-1, M + s A'A = L L'."""
    return np.asarray(scipy.linalg.solve_triangular(_factor(A, M), A.T, lower=True).T)


def _factor(A: Array, M: Array) -> Array:
    """The Cholesky factor of M + s A'A, which is definite where M is on the motions that are left."""
    size = np.trace(M) / max(float(np.sum(A * A)), 1e-300)
    return np.asarray(np.linalg.cholesky(M + (size or 1.0) * A.T @ A))


def eliminated(A: Array, names: Collection[str] = (), kept: Collection[str] = ()) -> tuple[Array, list[int]]:
    """N of x = N z with A N = 0: one unknown leaves with each condition that counts; and which stay.

    Condition by condition the unknown with the largest coefficient leaves; where rounding of long chains would let one
    more count, or one less, than the rank says, the largest coefficients of all leave first. Unknowns that are `kept`
    (of these `names`) leave only where no other can.
    """
    count, n = rank(A), A.shape[1]
    held = [i for i, name in enumerate(names) if name in kept]
    N, left = np.eye(n), list(range(n))
    sizes = np.abs(A).max(axis=1, initial=0.0)
    for row, size in zip(A, sizes, strict=True):
        best = _leaves(row @ N, left, held, COUNTS * size)
        if best >= 0:
            _leave(N, left, row @ N, best)
    if n - len(left) == count:
        return N[:, left], left
    N, left = np.eye(n), list(range(n))
    scaled = A / np.where(sizes > 0, sizes, 1.0)[:, None]
    for _ in range(count):
        rest = scaled @ N
        best = int(np.abs(rest[:, [i for i in left if i not in held] or left]).max(axis=1).argmax())
        _leave(N, left, rest[best], _leaves(rest[best], left, held, 0.0))
    return N[:, left], left


def _leaves(slopes: Array, left: list[int], held: list[int], least_size: float) -> int:
    """The unknown with the largest coefficient, a held one only where it must be; -1 where there is none."""
    free = [i for i in left if i not in held and abs(slopes[i]) > least_size] or left
    best = max(free, key=lambda i: abs(slopes[i]), default=-1)
    return best if best >= 0 and abs(slopes[best]) > least_size else -1


def _leave(N: Array, left: list[int], slopes: Array, best: int) -> None:
    left.remove(best)
    for i in left:
        N[:, i] -= N[:, best] * (slopes[i] / slopes[best])
    N[:, best] = 0.0


def _even(A: Array) -> Array:
    """Rows and columns divided by the roots of their sizes, until all are alike: whatever their units are."""
    S = np.array(A, dtype=np.float64)
    sizes = np.abs(S).max(axis=1, initial=0.0, keepdims=True)
    S[(np.abs(S) <= _NOTHING * sizes) | (sizes <= _NOTHING * sizes.max(initial=0.0))] = 0.0
    for _ in range(_ROUNDS):
        for axis in (0, 1):
            size = np.abs(S).max(axis=axis, initial=0.0, keepdims=True)
            S = S / np.sqrt(np.where(size > 0, size, 1.0))
    return S
