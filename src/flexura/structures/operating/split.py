"""x = q z + e: soft motions q of the whole and deformations e that vanish at as many held rows.

Coordinates propose six motions; those that K leaves soft are taken. Whether there are more, mechanisms, shows in the
pivots of K held at as many rows; then they are found by inverse iteration. In these coordinates neither a free body
nor one on soft mounts is lost in the rounding of K: what K does to q is known without it (`soft`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sparse
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.structures.operating.free_motions import Proposed, proposed
from flexura.structures.operating.geometry import RowGeometry, elimination_order, geometry_of
from flexura.structures.operating.kernel import (
    diagonal,
    indefinite,
    judged,
    kernel,
    really_definite,
)
from flexura.systems.factor import Factor, factorize
from flexura.systems.second_order import SecondOrderSystem
from flexura.systems.soft import Soft, free_first

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
_COUNTED = 20_000


@dataclass(frozen=True)
class Split:
    """The soft motions and the rows that hold them.

    `soft` are combinations `turn` of `motions`, the first of which are combinations of the `proposed` ones.
    """

    soft: Soft
    motions: Array
    turn: Array
    geometry: RowGeometry | None
    proposed: Proposed | None
    held: Ints
    """Rows that hold every soft motion once: K without them is stiff."""
    kept: Ints
    """All other rows, in the order of elimination."""
    natural: bool
    """Whether that order is a good one."""
    factor: Factor
    """Of the bare K on the kept rows."""


def soft_split(system: SecondOrderSystem) -> Split:
    """The soft motions of a system and rows that hold them, which it keeps; the bare K must not be indefinite."""
    if "_soft_split" not in system.__dict__:
        object.__setattr__(system, "_soft_split", _found(system))
    split: Split = system.__dict__["_soft_split"]
    return split


def _found(system: SecondOrderSystem) -> Split:
    coupled = np.flatnonzero((diagonal(system.bare) == 0) & (np.ravel(abs(system.bare).sum(axis=1)) > 0))
    if len(coupled):  # as of a multiplier: energy is taken along it together with what it couples to
        raise indefinite(len(coupled), system.names[int(coupled[0])])
    geometry = geometry_of(system)
    found = None if geometry is None else proposed(system, geometry)
    motions = np.zeros((system.n, 0)) if found is None else found.motions
    held = _hold(system, motions)
    if held is None:
        motions = _completed(system, motions)
        held = _hold(system, motions, last=True)
        assert held is not None
        motions = _refined(system, motions, held)
    assert held is not None
    soft, turn = free_first(system, motions)
    return Split(soft, motions, turn, geometry, found, held.held, held.kept, held.natural, held.factor)


def _completed(system: SecondOrderSystem, motions: Array) -> Array:
    """Motions known by geometry, and what else K leaves soft."""
    null = kernel(system.bare, system.names)
    basis, _ = np.linalg.qr(motions)
    rest = null / np.linalg.norm(null, axis=0)
    rest = rest - basis @ (basis.T @ rest)
    extra, sizes, _ = np.linalg.svd(rest, full_matrices=False)
    extra = extra[:, sizes > 1e-3]
    return np.column_stack([motions, extra / np.abs(extra).max(axis=0, initial=0.0)])


@dataclass(frozen=True)
class _Held:
    """A statically determinate set of rows, all others in the order they are eliminated, and the factors of those."""

    held: Ints
    kept: Ints
    natural: bool
    factor: Factor


def _hold(system: SecondOrderSystem, motions: Array, last: bool = False) -> _Held | None:
    """Factorize K without rows that hold every motion; None where more motions than these are free."""
    r = motions.shape[1]
    held = np.zeros(0, dtype=np.int64)
    if r:
        sizes = np.linalg.norm(motions, axis=0)
        _, order = scipy.linalg.qr((motions / sizes).T, mode="r", pivoting=True)
        held = np.sort(order[:r]).astype(np.int64)
    keep, natural = kept_rows(system, held)
    inner = rows_of(system.bare, keep)
    try:
        factor = factored(inner, natural, definite=not last)
    except FlexuraError:
        if last:
            raise
        return None
    doubtful, negative, where = judged(inner, factor)
    if negative and last:
        raise indefinite(negative, system.names[int(keep[where])])
    sound = not negative and (last or not doubtful or really_definite(inner, factor))
    return _Held(held, keep, natural, factor) if sound else None


def _refined(system: SecondOrderSystem, motions: Array, made: _Held) -> Array:
    """K x = 0 solved once more for all rows but the held: eigenvectors carry the rounding of the stiffest motion."""
    refined = motions.copy()
    refined[made.kept] -= made.factor.solve((system.bare @ motions)[made.kept])
    return refined


def factored(inner: Any, natural: bool, definite: bool) -> Factor:
    """The factors of K on the kept rows, with pivots where reading them is cheap."""
    what = "K with its rigid motions held"
    return factorize(inner, what=what, count=inner.shape[0] <= _COUNTED, definite=definite, natural=natural)


def rows_of(A: Any, keep: Ints) -> Any:
    """The rows and columns of a matrix that are kept."""
    return A[keep][:, keep] if sparse.issparse(A) else A[np.ix_(keep, keep)]


def kept_rows(system: SecondOrderSystem, held: Ints) -> tuple[Ints, bool]:
    """All rows but the held ones, in a good order of elimination where one is known."""
    order = elimination_order(system)
    free = np.ones(system.n, dtype=bool)
    free[held] = False
    return (np.flatnonzero(free), False) if order is None else (order[free[order]], True)
