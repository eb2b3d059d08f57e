"""Frames of straight beams by polynomials of high degree, written from the textbook: nothing of the package is used.

Each member has cubic Hermite functions and twice integrated Legendre polynomials across its axis, linear functions and
integrated Legendre polynomials along it (and for its twist); members meet in nodes with displacements and rotations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import scipy.linalg
from numpy.polynomial import legendre

DEGREE = 13


@cache
def _bending(degree: int) -> tuple[Any, Any]:
    """Mass and stiffness of a unit beam over (value, slope, value, slope, inner), x from 0 to 1."""
    xi, weight = legendre.leggauss(degree + 3)
    x, weight = (xi + 1) / 2, weight / 2
    values = [1 - 3 * x**2 + 2 * x**3, x - 2 * x**2 + x**3, 3 * x**2 - 2 * x**3, -(x**2) + x**3]
    curved = [-6 + 12 * x, -4 + 6 * x, 6 - 12 * x, -2 + 6 * x]
    for k in range(4, degree + 1):
        second = np.zeros(k - 1)
        second[k - 2] = np.sqrt(2 * k - 3)
        inner = legendre.legint(second, 2, lbnd=-1)
        values.append(legendre.legval(xi, inner) / 4)
        curved.append(legendre.legval(xi, second))
    V, C = np.array(values), np.array(curved)
    return (V * weight) @ V.T, (C * weight) @ C.T


@cache
def _stretching(degree: int) -> tuple[Any, Any]:
    xi, weight = legendre.leggauss(degree + 3)
    x, weight = (xi + 1) / 2, weight / 2
    values, sloped = [1 - x, x], [-np.ones_like(x), np.ones_like(x)]
    for k in range(2, degree + 1):
        first = np.zeros(k)
        first[k - 1] = np.sqrt(2 * k - 1)
        values.append(legendre.legval(xi, legendre.legint(first, 1, lbnd=-1)) / 2)
        sloped.append(legendre.legval(xi, first))
    V, S = np.array(values), np.array(sloped)
    return (V * weight) @ V.T, (S * weight) @ S.T


def axes_of(direction: Any) -> Any:
    """Rows are the member's x, y, z; y lies as near to the second axis of space as it can (the first, if that is x)."""
    e = np.asarray(direction, float) / np.linalg.norm(direction)
    up = np.array([0.0, 1.0, 0.0])
    if np.linalg.norm(np.cross(e, up)) < 1e-9:
        up = np.array([-1.0, 0.0, 0.0]) * np.sign(e[1])
    y = up - (up @ e) * e
    y /= np.linalg.norm(y)
    return np.array([e, y, np.cross(e, y)])


class _Dofs:
    """Numbers for the motions of nodes, for rotations of pinned ends and for what is inside members."""

    def __init__(self, nodes: Mapping[Any, Sequence[float]]) -> None:
        self.of = {(node, i): 6 * k + i for k, node in enumerate(nodes) for i in range(6)}
        self.count = len(self.of)

    def new(self, count: int) -> list[int]:
        self.count += count
        return list(range(self.count - count, self.count))


def _entries(kind: str, R: Any, length: float, places: Sequence[tuple[list[int], list[int]]]) -> Any:
    """(row of the member, dof, factor) for the ends of one field."""
    for end, (moves, turns) in enumerate(places):
        for i in range(3):
            if kind == "u":
                yield end, moves[i], R[0, i]
            elif kind == "phi":
                yield end, turns[i], R[0, i]
            else:
                yield 2 * end, moves[i], R[1 if kind == "v" else 2, i]
                yield 2 * end + 1, turns[i], length * (R[2, i] if kind == "v" else -R[1, i])


def _fields(given: Mapping[str, Any], length: float, planar: bool, degree: int) -> Any:
    (Mb, Kb), (Ms, Ks) = _bending(degree), _stretching(degree)
    rho = given["rho"] * length
    yield "u", rho * Ms, given["EA"] / length * Ks
    yield "v", rho * Mb, given["EI" if planar else "EIz"] / length**3 * Kb
    if not planar:
        yield "w", rho * Mb, given["EIy"] / length**3 * Kb
        yield "phi", given["rotary_inertia"] * length * Ms, given["GJ"] / length * Ks


def matrices(
    nodes: Mapping[Any, Sequence[float]], members: Sequence[tuple[Any, Any, Mapping[str, Any]]], degree: int = DEGREE
) -> tuple[Any, Any, dict[tuple[Any, int], int]]:
    """M, K and the number of each (node, motion): x y z and rotations about x y z.

    Properties are those of beams in the plane or in space, as the nodes have two or three coordinates.
    """
    planar = all(len(one) == 2 for one in nodes.values())
    dofs, terms = _Dofs(nodes), []
    for a, b, given in members:
        xa, xb = (np.array([*nodes[one], 0.0])[:3] for one in (a, b))
        length, R = float(np.linalg.norm(xb - xa)), axes_of(xb - xa)
        places = []
        for node, word in ((a, "start"), (b, "end")):
            pinned = given.get("pinned", "") in (word, "both")
            turns = dofs.new(3) if pinned else [dofs.of[node, 3 + i] for i in range(3)]
            places.append(([dofs.of[node, i] for i in range(3)], turns))
        for kind, m, k in _fields(given, length, planar, degree):
            ends = 2 if kind in ("u", "phi") else 4
            inner = [(ends + i, dof, 1.0) for i, dof in enumerate(dofs.new(len(m) - ends))]
            terms.append((m, k, [*_entries(kind, R, length, places), *inner]))
    M, K = np.zeros((dofs.count, dofs.count)), np.zeros((dofs.count, dofs.count))
    for m, k, entries in terms:
        rows, columns, factors = (np.array(one) for one in zip(*entries, strict=True))
        T = np.zeros((len(m), dofs.count))
        T[rows, columns] = factors
        used = np.flatnonzero(np.abs(T).sum(axis=0))
        M[np.ix_(used, used)] += T[:, used].T @ m @ T[:, used]
        K[np.ix_(used, used)] += T[:, used].T @ k @ T[:, used]
    return M, K, dofs.of


def frequencies(
    nodes: Mapping[Any, Sequence[float]],
    members: Sequence[tuple[Any, Any, Mapping[str, Any]]],
    held: Mapping[Any, Sequence[int]],
    *,
    masses: Mapping[Any, Sequence[float]] | None = None,
    springs: Mapping[tuple[Any, int], float] | None = None,
    degree: int = DEGREE,
) -> Any:
    """All frequencies, ascending; `held` are motions 0 to 5 of nodes, `masses` are m and the inertia of nodes."""
    M, K, number = matrices(nodes, members, degree)
    for node, (m, inertia) in (masses or {}).items():
        for i in range(6):
            M[number[node, i], number[node, i]] += m if i < 3 else inertia
    for (node, i), k in (springs or {}).items():
        K[number[node, i], number[node, i]] += k
    planar = all(len(one) == 2 for one in nodes.values())
    gone = {number[node, i] for node, motions in held.items() for i in motions}
    gone |= {number[node, i] for node in nodes for i in (2, 3, 4)} if planar else set()
    idle = np.flatnonzero(np.abs(M).sum(axis=1) == 0)
    kept = [i for i in range(len(M)) if i not in gone and i not in idle]
    M, K = M[np.ix_(kept, kept)], K[np.ix_(kept, kept)]
    unit = 1 / np.sqrt(np.diag(K))
    slow = scipy.linalg.eigh(M * unit[:, None] * unit, K * unit[:, None] * unit, eigvals_only=True)  # digits of the low
    return 1 / np.sqrt(slow[::-1])
