"""The strains of a line cut into stretches, over its own values: ends, coordinates, joints, inner functions.

>>> rows, positive = strain_rows(stretches, power=0)          # at Gauss points; they vanish where the energy does
>>> factor(stretches, power=0)                                # F of K = F' F, where the stiffness is positive
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from flexura.solve.exact.lines import Array
from flexura.solve.exact.segments import Stretches


def unknowns(line: Stretches) -> int:
    """How many values a line has beside those at its ends and the coordinates."""
    return (line.number - 1) * line.line.end_values + line.number * (line.size - line.outer)


def places(line: Stretches) -> NDArray[np.int64]:
    """(stretch, local function) -> place among a line's own values: end a, end b, coordinates, joints, inner."""
    e, n = line.line.end_values, line.number
    inner, joints = line.size - line.outer, line.outer + np.arange((n - 1) * e).reshape(n - 1, e)
    found = np.zeros((n, line.size), dtype=np.int64)
    found[0, :e], found[1:, :e] = np.arange(e), joints
    found[:-1, e : 2 * e], found[-1, e : 2 * e] = joints, np.arange(e, 2 * e)
    found[:, 2 * e : line.outer] = np.arange(2 * e, line.outer)
    found[:, line.outer :] = line.outer + (n - 1) * e + np.arange(n * inner).reshape(n, inner)
    return found


def strain_rows(line: Stretches, power: int) -> tuple[Array, bool]:
    """Every strain at every Gauss point, each of its own size, and whether all have a positive energy."""
    found, positive = [np.zeros((0, line.outer + unknowns(line)))], True
    for strain, _, good in _strains(line, power):
        found.append(_spread(line, strain))
        positive = positive and good
    return np.vstack(found), positive


def factor(line: Stretches, power: int) -> Array:
    """Strains times the roots of their stiffnesses (velocities and masses: power 2), weights of the points included."""
    found = [np.zeros((0, line.outer + unknowns(line)))]
    for strain, pivot, _ in _strains(line, power):
        found.append(_spread(line, strain * np.sqrt(np.maximum(pivot, 0.0))[:, None, :]))
    return np.vstack(found)


def inside_without_strain(line: Stretches, outer: Array) -> Array:
    """The values inside a line that leave all its strains at zero, from those at its ends, where they allow it."""
    rows = strain_rows(line, 0)[0]
    sizes = np.abs(rows).max(axis=1, initial=0.0)
    rows = rows[sizes > 0] / sizes[sizes > 0][:, None]
    found = np.linalg.lstsq(rows[:, line.outer :], -rows[:, : line.outer] @ outer, rcond=1e-12)[0]
    found[np.abs(found) <= 1e-12 * np.abs(outer).max(axis=0, initial=0.0)] = 0.0
    return np.asarray(found)


def _spread(line: Stretches, strain: Array) -> Array:
    """(stretch, local function, point) as rows over the line's own values."""
    place = places(line)
    rows = np.zeros((line.number, strain.shape[2], line.outer + unknowns(line)))
    for k, at in enumerate(place):
        which = k if len(line.lengths) > 1 else 0
        rows[k][:, at] = (strain[which if len(strain) > 1 else 0] * line.slope_ratio[which][:, None]).T
    return rows.reshape(-1, rows.shape[2])


def _strains(line: Stretches, power: int) -> Iterator[tuple[Array, Array, bool]]:
    """(stretch, local function, point) of each strain, what its square is weighted by, and whether that is positive.

    Where the form is not symmetric there are no squares: what it makes of the motion must vanish itself.
    """
    tables, none = np.array(line.gauss_tables), np.zeros(line.points[2].shape)
    if power == 1 or not _symmetric(line, power):
        for i in range(len(line.line.slots)):
            terms = [(j, c) for (which, a, j), c in line.weighted.items() if which == power and a == i]
            if terms:
                yield sum((c[:, None, :] * tables[j] for j, c in terms), np.zeros(1)), none, False
        return
    for i, pivot, ratio, rest in line.completed(power):
        strain = np.broadcast_to(tables[i], (len(pivot), *tables[i].shape))
        if ratio is not None:
            strain = strain + np.einsum("jkg,jfg->kfg", ratio, tables[i + 1 :])
        yield strain * (pivot != 0)[:, None, :], pivot, bool(np.all(pivot >= 0))
        if rest is not None:
            yield tables[i] * np.any(rest, axis=0)[:, None, :], none, False
            yield np.einsum("jkg,jfg->kfg", rest, tables[i + 1 :]), none, False


def _symmetric(line: Stretches, power: int) -> bool:
    found = {(a, b): c for (which, a, b), c in line.weighted.items() if which == power}
    return all((b, a) in found and np.allclose(c, found[b, a], rtol=1e-12, atol=0) for (a, b), c in found.items())
