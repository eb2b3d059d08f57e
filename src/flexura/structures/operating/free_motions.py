"""Rigid motions from coordinates: of six that a body has, those that K leaves soft, and names for those left free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.structures.operating.geometry import RowGeometry, geometry_of
from flexura.systems.second_order import SecondOrderSystem
from flexura.systems.soft import ROUNDING

Array = NDArray[np.float64]


_SOFT = 1e-4
_TURNS = 1e-6  # of a motion: as little rotation as that is what soft springs and rounding mix into a translation


@dataclass(frozen=True)
class Proposed:
    """Motions of the nodes as one body that K leaves soft: `motions` = `q` `coefficients`, q about the mass centre."""

    q: Array
    coefficients: Array
    centre: Array

    @property
    def motions(self) -> Array:
        """The motions, (n, g)."""
        return np.asarray(self.q @ self.coefficients)

    def named(self, combinations: Array) -> tuple[Array, tuple[str, ...]]:
        """Some combinations of the motions, as near to the axes as the supports allow, and their names."""
        full, names = _sorted(self.coefficients @ combinations)
        return self.q @ full, names


def proposed(system: SecondOrderSystem, geometry: RowGeometry) -> Proposed:
    """Of the six motions of the nodes as one body, about the mass centre, those that K leaves soft."""
    middle = geometry.places.mean(axis=0)
    centre = _mass_centre(system, geometry, middle)
    q = geometry.rigid(centre)
    kept = _independent(q)
    combinations = _soft(system.bare, q[:, kept])
    full = np.zeros((6, combinations.shape[1]))
    full[kept] = combinations
    return Proposed(q, full, centre)


def digits_left(system: SecondOrderSystem) -> int | None:
    """With how many digits K may have been written, if it lets go of motions of the nodes as one body but for rounding.

    None where nothing is known of such motions, or K is as free of what holds them as all digits can make it.
    """
    geometry = geometry_of(system)
    q = np.zeros((system.n, 0)) if geometry is None else proposed(system, geometry).motions
    if not q.shape[1]:
        return None
    works = np.abs(np.einsum("ij,ij->j", q, system.bare @ q))
    share = float((works / np.einsum("ij,ij->j", np.abs(q), abs(system.bare) @ np.abs(q))).max())
    return int(np.floor(-np.log10(share))) if share > ROUNDING else None


def _mass_centre(system: SecondOrderSystem, geometry: RowGeometry, middle: Array) -> Array:
    """m c = sum of m r, direction by direction (theory, section 5: total mass is t'Mt)."""
    q = geometry.rigid(middle)
    forces = system.M @ q[:, :3]
    mass = np.einsum("ij,ij->j", q[:, :3], forces)
    turning = q[:, 3:].T @ forces  # about x, y, z of a unit acceleration along x, y, z
    offset = np.zeros(3)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3  # a mass at offset i, accelerated along j, turns about k; along k, about -j
        pairs = [(mass[j], turning[k, j]), (mass[k], -turning[j, k])]
        weights = [(m, moment) for m, moment in pairs if m > 0]
        total = sum(m for m, _ in weights)
        offset[i] = sum(moment for _, moment in weights) / total if total else 0.0
    return np.asarray(middle + offset)


def _independent(q: Array) -> list[int]:
    """Columns that are not zero and not made of those before them (rotation about the line of a straight model)."""
    sizes = np.abs(q).max(axis=0, initial=0.0)
    kept: list[int] = []
    basis = np.zeros((len(q), 0))
    for i in range(q.shape[1]):
        if sizes[i] <= 1e-9 * sizes.max():
            continue
        rest = q[:, i] - basis @ (basis.T @ q[:, i])
        size = float(np.linalg.norm(rest))
        if size > 1e-9 * float(np.linalg.norm(q[:, i])):
            kept.append(i)
            basis = np.column_stack([basis, rest / size])
    return kept


def _soft(K: Any, q: Array) -> Array:
    """Combinations c of the columns for which K q c is small beside |K||q|: free, or on soft springs."""
    if not q.shape[1]:
        return np.zeros((0, 0))
    scale = np.linalg.norm(abs(K) @ np.abs(q), axis=0)
    scale[scale == 0] = 1.0
    _, sizes, rows = np.linalg.svd(np.linalg.qr((K @ q) / scale, mode="r"))
    sizes = np.concatenate([sizes, np.zeros(len(rows) - len(sizes))])
    small = sizes <= _SOFT
    return np.asarray(np.diag(1 / scale) if small.all() else rows[small].T / scale[:, None])


def _sorted(full: Array) -> tuple[Array, tuple[str, ...]]:
    """Pure translations first, then what turns; each as near to the axes as the supports allow."""
    if not full.shape[1]:
        return full, ()
    scale = np.abs(full).max()
    _, sizes, rows = np.linalg.svd(full[3:] / scale)
    rank = int((sizes > _TURNS).sum())
    sliding, turning = full @ rows[rank:].T, full @ rows[:rank].T
    columns = [*_reduced(sliding[:3], sliding), *_reduced(turning[3:], turning)]
    names = []
    for column in columns:
        kind = "translation" if np.abs(column[3:]).max() <= _TURNS * np.abs(column).max() else "rotation"
        part = column[:3] if kind == "translation" else column[3:]
        main = int(np.abs(part).argmax())
        alone = np.abs(np.delete(part, main)).max() <= _TURNS * np.abs(part[main])
        direction = "xyz"[main] if alone else "(" + ", ".join(f"{one:.3g}" for one in part) + ")"
        offset = kind == "rotation" and np.abs(column[:3]).max() > 1e-9 * np.abs(part[main])
        names.append(f"{kind} {direction}" + (" about a support" if offset else ""))
    return np.column_stack(columns) if columns else full[:, :0], tuple(names)


def _reduced(part: Array, columns: Array) -> list[Array]:
    """Columns combined so that `part` becomes unit vectors where it can (reduced echelon form)."""
    work, done = np.vstack([part, columns]).T.copy(), []
    rows = list(range(len(work)))
    for axis in range(len(part)):
        if not rows:
            break
        best = max(rows, key=lambda i: abs(work[i, axis]))
        if abs(work[best, axis]) <= _TURNS * np.abs(part).max(initial=0.0):
            continue
        work[best] /= work[best, axis]
        for i in range(len(work)):
            if i != best:
                work[i] -= work[i, axis] * work[best]
        rows.remove(best)
        done.append(best)
    cleaned = np.where(np.abs(work) > 1e-12 * np.abs(work).max(initial=0.0), work, 0.0)
    return [cleaned[i, len(part) :] for i in (*done, *rows)]
