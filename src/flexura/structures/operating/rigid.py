"""Rigid-body modes: motions without stiffness, from coordinates where they are known and from K otherwise.

Of the soft motions (`split`) those are free whose energy is no more than rounding can make; the others stand on soft
springs, and keep their stiffness however small it is beside the structure's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.errors import FlexuraError, warn
from flexura.structures.operating.free_motions import digits_left
from flexura.structures.operating.geometry import RowGeometry
from flexura.structures.operating.kernel import IndefiniteStiffness, diagonal, indefinite, judged
from flexura.structures.operating.split import Split, factored, rows_of, soft_split
from flexura.systems.factor import Factor
from flexura.systems.second_order import SecondOrderSystem
from flexura.systems.soft import ROUNDING, decided

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Mounted:
    """Soft motions that springs hold: x = `q` z + e, with `dragged` = K_kk^-1 (K q)_k and the springs' `stiffness`."""

    q: Array
    image: Array
    dragged: Array
    stiffness: Array


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
    geometry: RowGeometry | None
    centre: Array | None
    split: Split
    factor: Factor
    """Of K on the kept rows."""
    mounted: Mounted | None = None

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.names)

    @property
    def held(self) -> NDArray[np.int64]:
        """Rows that hold every soft motion once: K without them is definite."""
        return self.split.held

    @property
    def kept(self) -> NDArray[np.int64]:
        """All other rows, in the order of elimination."""
        return self.split.kept

    def of(self, kind: str) -> list[int]:
        """Which columns of `motions` are of a kind: "translation", "rotation", "mechanism"."""
        return [i for i, name in enumerate(self.names) if name.startswith(kind)]

    @property
    def notes(self) -> tuple[str, ...]:
        """What the rounding of K leaves open about motions that are free, or on soft springs."""
        soft, notes = self.split.soft, []
        advice = "give soft springs apart, SecondOrderSystem(M, D, K, springs=...), and they keep every digit"
        if soft.doubt > _TOLD:
            notes.append(
                f"Springs that are soft beside K were summed into it: the rounding of K can change their stiffness by"
                f" up to {soft.doubt:.1e} of it; {advice}."
            )
        if soft.doubt > 0 and self.split.proposed is not None and self.split.proposed.coefficients.size:
            digits = int(np.floor(-np.log10(max(ROUNDING / soft.doubt, 1e-16))))
            notes.append(
                f"K holds motions of the nodes as one body softly, as springs do or as writing it with {digits} digits"
                " would; if it was written so, fx.clean(system).system frees them."
            )
        if soft.hidden > _HIDDEN:
            notes.append(
                f"Motions were taken for free whose stiffness is {soft.hidden:.1g} times what the rounding of K can"
                f" make; {advice}."
            )
        return tuple(notes)


_TOLD = 1e-7
_HIDDEN = 0.1
_ALIKE = 1e-8  # of energies: motions as nearly dependent as that have lost eight digits


_ROUGH = "; if K was written with {0} digits, fx.clean(system).system frees the motions of its nodes as one body"


def rigid_modes(system: SecondOrderSystem) -> RigidModes:
    """Find Ker K, its names, and the factorization that everything else uses."""
    _rows_with_nothing(system)
    try:
        return _rigid_modes(system)
    except IndefiniteStiffness as error:
        digits = digits_left(system)
        raise error if digits is None else error.with_(advice=error.advice + _ROUGH.format(digits)) from None


def _rigid_modes(system: SecondOrderSystem) -> RigidModes:
    split = soft_split(system)
    factor = _whole_factor(system, split)
    soft = split.soft
    dragged = np.zeros((len(split.kept), soft.count))
    if soft.image.any():
        dragged = factor.solve(soft.image[split.kept])
    form = soft.q.T @ soft.image - soft.image[split.kept].T @ dragged
    found = decided((form + form.T) / 2, soft.noise)
    free, stiff = found.free, found.stiff
    mounted = None
    if stiff.shape[1]:
        stiffness = stiff.T @ form @ stiff
        _positive(system, stiffness, soft.q @ stiff)
        mounted = Mounted(soft.q @ stiff, soft.image @ stiff, dragged @ stiff, (stiffness + stiffness.T) / 2)
    motions, names = _named(system, split, split.turn @ free)
    centre = None if split.proposed is None else split.proposed.centre
    geometry = split.geometry
    if names and names[0].startswith("motion"):
        geometry, centre = None, None  # K leaves motions free, and none of them is one of the nodes
    Q = _orthonormal(system, motions, names, instead=soft.q @ free)
    return RigidModes(Q, system.M @ Q, motions, names, geometry, centre, split, factor, mounted)


def _whole_factor(system: SecondOrderSystem, split: Split) -> Factor:
    """Of K on the kept rows, springs given apart included."""
    if system.apart is None:
        return split.factor
    inner = rows_of(system.K, split.kept)
    factor = factored(inner, split.natural, definite=False)
    _, negative, where = judged(inner, factor)
    if negative:
        raise indefinite(negative, system.names[int(split.kept[where])])
    return factor


def _positive(system: SecondOrderSystem, stiffness: Array, motions: Array) -> None:
    size = np.sqrt(np.abs(np.diagonal(stiffness)))
    values, vectors = np.linalg.eigh(stiffness / np.where(size > 0, size, 1) / np.where(size > 0, size, 1)[:, None])
    if values[0] < 0:
        row = int(np.abs(motions @ (vectors[:, 0] / np.where(size > 0, size, 1))).argmax())
        raise indefinite(int((values < 0).sum()), system.names[row])


def _named(system: SecondOrderSystem, split: Split, free: Array) -> tuple[Array, tuple[str, ...]]:
    """The free motions: those of the nodes as one body by their names, then what else is free."""
    known = 0 if split.proposed is None else split.proposed.coefficients.shape[1]
    if not free.shape[1]:
        return np.zeros((system.n, 0)), ()
    _, sizes, rows = np.linalg.svd(free[known:] / np.linalg.norm(free, axis=0))
    rank = int((sizes > 1e-6).sum())
    pure = (free / np.linalg.norm(free, axis=0)) @ rows[rank:].T
    motions = np.zeros((system.n, 0))
    names: tuple[str, ...] = ()
    if split.proposed is not None and pure.shape[1]:
        motions, names = split.proposed.named(pure[:known])
    if not rank:
        return motions, names
    rest = split.motions @ ((free / np.linalg.norm(free, axis=0)) @ rows[:rank].T)
    basis, _ = np.linalg.qr(motions)
    for _ in range(2):
        rest = rest - basis @ (basis.T @ rest)
    if not names:
        return rest / np.abs(rest).max(axis=0), tuple(f"motion {i + 1}" for i in range(rank))
    columns = [column / np.abs(column).max() for column in rest.T]
    labels = [f"mechanism of {_moving_rows(system, column)}" for column in columns]
    return np.column_stack([motions, *columns]), (*names, *labels)


def _rows_with_nothing(system: SecondOrderSystem) -> None:
    empty = (diagonal(system.K) == 0) & (diagonal(system.M) == 0)
    if empty.any():
        rows = np.flatnonzero(empty)
        shown = ", ".join(system.names[i] for i in rows[:5])
        coupled = abs(system.K[rows]).max() > 0
        raise FlexuraError(
            f"{shown} has neither stiffness nor mass of its own ({len(rows)} such rows)",
            advice="take Lagrange multipliers out, fx.without_multipliers(system)" if coupled else "remove those rows",
        )


def _moving_rows(system: SecondOrderSystem, column: Array) -> str:
    """The rows that move most, by name."""
    order = np.argsort(-np.abs(column), kind="stable")
    main = [i for i in order[:4] if abs(column[i]) > 0.3 * abs(column[order[0]])]
    more = int((np.abs(column) > 0.3 * abs(column[order[0]])).sum()) - len(main)
    return ", ".join(system.names[i] for i in main) + (f" and {more} more" if more else "")


def _orthonormal(system: SecondOrderSystem, motions: Array, names: tuple[str, ...], instead: Array) -> Array:
    """In the mass metric; by other motions of the same span where those with names are too nearly alike."""
    Q = motions / np.where(np.abs(motions).max(axis=0, initial=0.0) > 0, np.abs(motions).max(axis=0, initial=0.0), 1)
    for _ in range(2):
        gram = Q.T @ (system.M @ Q)
        size = np.sqrt(np.abs(gram.diagonal()))
        largest = size.max(initial=0.0)
        for name, one, motion in zip(names, size, gram.diagonal(), strict=True):
            if not motion > 0 or one <= 1e-9 * largest:
                raise FlexuraError(
                    f"The rigid motion {name!r} moves no mass", advice="give mass to what it moves, or hold it"
                )
        gram = gram / size / size[:, None]
        if motions is not instead and np.linalg.eigvalsh(gram).min(initial=1.0) < _ALIKE:
            return _orthonormal(system, instead, tuple(f"motion {i + 1}" for i in range(len(names))), instead)
        try:
            lower = np.linalg.cholesky(gram)
        except np.linalg.LinAlgError:
            raise FlexuraError(
                "Rigid motions move no mass in some combination", advice="give mass to what they move"
            ) from None
        Q = scipy.linalg.solve_triangular(lower, (Q / size).T, lower=True).T if len(size) else Q
    return np.asarray(Q)


def rigid_body_modes(system: SecondOrderSystem) -> Array:
    """Ker K as columns, orthonormal in the mass metric: (n, r); mechanisms beyond rigid motions are told in a warning.

    >>> Q = fx.rigid_body_modes(system)
    >>> Q.T @ (system.M @ Q)          # the unit matrix
    """

    found = rigid_modes(system)
    extra = [name for name in found.names if name.startswith("mechanism")]
    if extra:
        plural = "mechanisms" if len(extra) > 1 else "mechanism"
        warn(
            f"Beyond its {found.count - len(extra)} rigid motions the structure has {len(extra)} {plural}:"
            f" {'; '.join(extra)}."
        )
    return found.Q
