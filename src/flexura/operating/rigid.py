"""Rigid-body modes: motions without stiffness, from coordinates where they are known and from K otherwise.

Coordinates propose six motions; those that K really leaves free are kept (supports take some away). Whether there are
more, mechanisms, shows in the pivots of K held at as many rows. Without coordinates, the kernel is found by inverse
iteration, and its rank is decided by the gap between what is round-off and what is stiffness.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
import scipy.sparse as sparse
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.operating.free_motions import free_motions
from flexura.operating.geometry import Geometry, elimination_order, geometry_of
from flexura.operating.kernel import IndefiniteStiffness, diagonal, indefinite_sentence, judged, kernel, really_definite
from flexura.systems.factor import Factor, factorize
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[np.float64]
_COUNTED = 20_000


@dataclass(frozen=True)
class RigidModes:
    """Ker K: `Q` (n, r), orthonormal in the mass metric; and the same motions by name, as users think of them.

    `motions` (n, r) are unit translations and rotations about the mass centre, then mechanisms; `names` name them.
    `geometry` is None where coordinates were not given or do not fit.
    """

    Q: Array
    MQ: Array
    motions: Array
    names: tuple[str, ...]
    geometry: Geometry | None
    centre: Array | None
    held: NDArray[np.int64]
    """Rows that hold every rigid motion once: K without them is definite."""
    kept: NDArray[np.int64]
    """All other rows, in the order of elimination."""
    factor: Factor
    """Of K on the kept rows."""

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.names)

    def of(self, kind: str) -> list[int]:
        """Which columns of `motions` are of a kind: "translation", "rotation", "mechanism"."""
        return [i for i, name in enumerate(self.names) if name.startswith(kind)]


def rigid_modes(system: SecondOrderSystem) -> RigidModes:
    """Find Ker K, its names, and the factorization that everything else uses."""
    _rows_with_nothing(system)
    geometry = geometry_of(system)
    motions, centre = np.zeros((system.n, 0)), None
    names: tuple[str, ...] = ()
    if geometry is not None:
        motions, names, centre = free_motions(system, geometry)
    made = _hold(system, motions)
    if made is None:
        if not names:
            geometry, centre = None, None  # K leaves motions free, and none of them is one of the nodes
        motions, names = _completed(system, motions, names)
        made = _hold(system, motions, last=True)
    assert made is not None
    Q = _orthonormal(system, motions, names)
    return RigidModes(Q, system.M @ Q, motions, names, geometry, centre, made.held, made.kept, made.factor)


def _rows_with_nothing(system: SecondOrderSystem) -> None:
    empty = (diagonal(system.K) == 0) & (diagonal(system.M) == 0)
    if empty.any():
        shown = ", ".join(system.names[i] for i in np.flatnonzero(empty)[:5])
        raise FlexuraError(f"{shown} has neither stiffness nor mass ({int(empty.sum())} such rows); remove those rows.")


def _completed(system: SecondOrderSystem, motions: Array, names: tuple[str, ...]) -> tuple[Array, tuple[str, ...]]:
    """Motions known by geometry, and what else K leaves free."""
    null = kernel(system.K, system.names)
    if null.shape[1] < motions.shape[1]:
        raise FlexuraError(
            f"K leaves {null.shape[1]} motions free but the nodes show {motions.shape[1]}; check that nodes fit K."
        )
    basis, _ = np.linalg.qr(motions)
    rest = null / np.linalg.norm(null, axis=0)
    rest = rest - basis @ (basis.T @ rest)
    extra = np.linalg.svd(rest, full_matrices=False)[0][:, : null.shape[1] - motions.shape[1]]
    if not names:
        return extra / np.abs(extra).max(axis=0, initial=0.0), tuple(f"motion {i + 1}" for i in range(extra.shape[1]))
    columns, labels = [], []
    for column in extra.T:
        label = _moving_rows(system, column)
        columns.append(column / np.abs(column).max())
        labels.append(f"mechanism of {label}")
    return np.column_stack([motions, *columns]) if columns else motions, (*names, *labels)


def _moving_rows(system: SecondOrderSystem, column: Array) -> str:
    """The rows that move most, by name."""
    order = np.argsort(-np.abs(column), kind="stable")
    main = [i for i in order[:4] if abs(column[i]) > 0.3 * abs(column[order[0]])]
    more = int((np.abs(column) > 0.3 * abs(column[order[0]])).sum()) - len(main)
    return ", ".join(system.names[i] for i in main) + (f" and {more} more" if more else "")


# -- held rows and the mass metric -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Held:
    """A statically determinate set of rows, all others in the order they are eliminated, and the factors of those."""

    held: NDArray[np.int64]
    kept: NDArray[np.int64]
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
    inner = system.K[keep][:, keep] if sparse.issparse(system.K) else system.K[np.ix_(keep, keep)]
    counted = len(keep) <= _COUNTED
    try:
        what = "K with its rigid motions held"
        factor = factorize(inner, what=what, count=counted, definite=not last, natural=natural)
    except FlexuraError:
        if last:
            raise
        return None
    doubtful, negative, where = judged(inner, factor)
    if negative and last:
        raise IndefiniteStiffness(indefinite_sentence(negative, system.names[int(keep[where])]))
    sound = not negative and (last or not doubtful or really_definite(inner, factor))
    return _Held(held, keep, factor) if sound else None


def kept_rows(system: SecondOrderSystem, held: NDArray[np.int64]) -> tuple[NDArray[np.int64], bool]:
    """All rows but the held ones, in a good order of elimination where one is known."""
    order = elimination_order(system)
    free = np.ones(system.n, dtype=bool)
    free[held] = False
    return (np.flatnonzero(free), False) if order is None else (order[free[order]], True)


def _orthonormal(system: SecondOrderSystem, motions: Array, names: tuple[str, ...]) -> Array:
    Q = motions / np.where(np.abs(motions).max(axis=0, initial=0.0) > 0, np.abs(motions).max(axis=0, initial=0.0), 1)
    for _ in range(2):
        gram = Q.T @ (system.M @ Q)
        size = np.sqrt(np.abs(gram.diagonal()))
        largest = size.max(initial=0.0)
        for name, one, motion in zip(names, size, gram.diagonal(), strict=True):
            if not motion > 0 or one <= 1e-9 * largest:
                raise FlexuraError(f"The rigid motion {name!r} moves no mass; give mass to what it moves, or hold it.")
        try:
            lower = np.linalg.cholesky(gram / size / size[:, None]) if len(size) else gram
        except np.linalg.LinAlgError:
            raise FlexuraError("Rigid motions move no mass in some combination; give mass to what they move.") from None
        Q = scipy.linalg.solve_triangular(lower, (Q / size).T, lower=True).T if len(size) else Q
    return np.asarray(Q)


def rigid_body_modes(system: SecondOrderSystem) -> Array:
    """Ker K as columns, orthonormal in the mass metric: (n, r); mechanisms beyond rigid motions are told in a warning.

    >>> Q = fx.rigid_body_modes(system)
    >>> Q.T @ (system.M @ Q)          # the unit matrix
    """
    import warnings

    found = rigid_modes(system)
    extra = [name for name in found.names if name.startswith("mechanism")]
    if extra:
        plural = "mechanisms" if len(extra) > 1 else "mechanism"
        warnings.warn(
            f"Beyond its {found.count - len(extra)} rigid motions the structure has {len(extra)} {plural}:"
            f" {'; '.join(extra)}.",
            stacklevel=2,
        )
    return found.Q
