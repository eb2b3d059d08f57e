"""Frames of straight beams by polynomials of high degree, written from the textbook: nothing of the package is used.

Each member has cubic Hermite functions and twice integrated Legendre polynomials across its axis, linear functions and
integrated Legendre polynomials along it (and for its twist); members meet in nodes with displacements and rotations.
Where a member shears (kGA, kGAy, kGAz), deflection and rotation of that plane are two functions of the second kind.
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


def _turning(degree: int) -> Any:
    """The square of the slope of a unit beam, over the functions of `_bending`."""
    xi, weight = legendre.leggauss(degree + 3)
    x = (xi + 1) / 2
    sloped = [-6 * x + 6 * x**2, 1 - 4 * x + 3 * x**2, 6 * x - 6 * x**2, -2 * x + 3 * x**2]
    for k in range(4, degree + 1):
        second = np.zeros(k - 1)
        second[k - 2] = np.sqrt(2 * k - 3)
        sloped.append(legendre.legval(xi, legendre.legint(second, 1, lbnd=-1)) / 2)
    return (np.array(sloped) * weight / 2) @ np.array(sloped).T


def _shearing(degree: int, length: float, EI: float, kGA: float, rho: float, J: float) -> tuple[Any, Any]:
    """Mass and stiffness over (value, value, rotation, rotation, inner values, inner rotations)."""
    V, S, weight = _linear(degree)
    n = len(V)
    order = [0, 1, n, n + 1, *range(2, n), *range(n + 2, 2 * n)]
    zero = np.zeros_like(V)
    value, slope = np.vstack([V, zero]), np.vstack([S, zero]) / length
    turned, bent = np.vstack([zero, V]), np.vstack([zero, S]) / length
    strain, weight = slope - turned, weight * length
    M = rho * (value * weight) @ value.T + J * (turned * weight) @ turned.T
    K = EI * (bent * weight) @ bent.T + kGA * (strain * weight) @ strain.T
    return M[np.ix_(order, order)], K[np.ix_(order, order)]


@cache
def _stretching(degree: int) -> tuple[Any, Any]:
    V, S, weight = _linear(degree)
    return (V * weight) @ V.T, (S * weight) @ S.T


@cache
def _linear(degree: int) -> tuple[Any, Any, Any]:
    """Values and slopes at Gauss points, and their weights: linear functions and integrated Legendre polynomials."""
    xi, weight = legendre.leggauss(degree + 3)
    x, weight = (xi + 1) / 2, weight / 2
    values, sloped = [1 - x, x], [-np.ones_like(x), np.ones_like(x)]
    for k in range(2, degree + 1):
        first = np.zeros(k)
        first[k - 1] = np.sqrt(2 * k - 1)
        values.append(legendre.legval(xi, legendre.legint(first, 1, lbnd=-1)) / 2)
        sloped.append(legendre.legval(xi, first))
    return np.array(values), np.array(sloped), weight


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
            elif kind in ("vs", "ws"):
                yield end, moves[i], R[1 if kind == "vs" else 2, i]
                yield 2 + end, turns[i], R[2, i] if kind == "vs" else -R[1, i]
            else:
                yield 2 * end, moves[i], R[1 if kind == "v" else 2, i]
                yield 2 * end + 1, turns[i], length * (R[2, i] if kind == "v" else -R[1, i])


def _plane(kind: str, EI: float, kGA: float | None, rho: float, J: float, length: float, degree: int) -> Any:
    if kGA is not None:
        return f"{kind}s", *_shearing(degree, length, EI, kGA, rho, J)
    Mb, Kb = _bending(degree)
    return kind, rho * length * Mb + J / length * _turning(degree), EI / length**3 * Kb


def _fields(given: Mapping[str, Any], length: float, planar: bool, degree: int) -> Any:
    Ms, Ks = _stretching(degree)
    rho, J = given["rho"], given.get("rotary_inertia", 0.0)
    yield "u", rho * length * Ms, given["EA"] / length * Ks
    if planar:
        yield _plane("v", given["EI"], given.get("kGA"), rho, J, length, degree)
        return
    Jx, Jy, Jz = J if isinstance(J, tuple) else (J, 0.0, 0.0)
    yield _plane("v", given["EIz"], given.get("kGAy"), rho, Jz, length, degree)
    yield _plane("w", given["EIy"], given.get("kGAz"), rho, Jy, length, degree)
    yield "phi", Jx * length * Ms, given["GJ"] / length * Ks


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
