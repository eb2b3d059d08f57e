"""Stretches of a line, short enough to be smooth, condensed to the values at their ends.

Each stretch carries K + s C + s^2 M over (end a, end b, coordinates | inside), exact to rounding. In the inner
functions that make K the unit and M diagonal (mu), condensing is a sum over inner modes:

    D(s) = B(s) - sum_j l_j(s) r_j(s) / (1 + s^2 mu_j),     and 1/mu_j are the eigenvalues with everything else held.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.lapack import dtrtri

from flexura.solve.exact.lines import Array, Line
from flexura.systems.polynomials import gauss, gauss_table, table

Matrices = NDArray[Any]
TINY = 1e-290
_ROUNDING = 1e-16
INNER = 16


def finer(nodes: Array, limits: Array) -> Array:
    """Cuts with a half more where a stretch is not resolved (a limit below zero), or holds the others back.

    `limits` are the |s^2| up to which each stretch is exact; a beam's grows sixteen times when it is halved.
    """
    halved = (limits <= max(0.0, 16 * limits.min())) | (limits == limits.min())
    return np.sort(np.concatenate([nodes, ((nodes[1:] + nodes[:-1]) / 2)[halved]]))


class Square(NamedTuple):
    """pivot (jet_i + sum_j ratio_j jet_j)^2 + 2 jet_i sum_j rest_j jet_j over slots j > i, at each (stretch, point)."""

    slot: int
    pivot: Array
    ratio: Array | None
    rest: Array | None


@dataclass(frozen=True)
class Stretches:
    """A line cut into stretches: `forms[power, stretch]` over ends a and b, coordinates, inner functions.

    A uniform line has one stretch that stands for all `number` of them. Slopes are times `scale`, the common length.
    """

    line: Line
    nodes: Array
    inner: int

    @property
    def number(self) -> int:
        """How many stretches the line has."""
        return len(self.nodes) - 1

    @cached_property
    def lengths(self) -> Array:
        """Of the stretches that differ."""
        lengths = np.diff(self.nodes)
        return np.full(1, (self.nodes[-1] - self.nodes[0]) / self.number) if self.line.uniform else lengths

    @property
    def scale(self) -> float:
        """What end slopes are multiplied by."""
        return float((self.nodes[-1] - self.nodes[0]) / self.number)

    @cached_property
    def outer(self) -> int:
        """How many values stay: both ends and the coordinates."""
        return 2 * self.line.end_values + len(self.line.coordinates)

    @property
    def gauss_points(self) -> int:
        """Enough for the products of two functions and a smooth property."""
        return self.inner + 16

    @cached_property
    def size(self) -> int:
        """Outer and inner functions."""
        return self.outer + self.inner * len(self.line.fields)

    @cached_property
    def end_scales(self) -> Array:
        """The unit of each value at an end: 1, or the common length for slopes."""
        return np.array([self.scale**x for order in self.line.orders for x in range(order)])

    def tables(self, xi: Array | None) -> list[Array]:
        """Each slot's value for each local function, (functions, points); field slots are derivatives in xi.

        The points are Gauss points where xi is None.
        """
        found, e, n = [], self.line.end_values, self.gauss_points if xi is None else xi.size
        starts = np.concatenate([[0], np.cumsum(self.line.orders)]).astype(int)
        for field, which in self.line.slots:
            values = np.zeros((self.size, n))
            if field < 0:
                values[2 * e + self.line.coordinates.index(which)] = 1.0
            else:
                order = self.line.orders[field]
                key = order, self.inner, which
                a, b, inside = gauss_table(*key, n) if xi is None else table(*key, xi)
                first = starts[field]
                values[first : first + order], values[e + first : e + first + order] = a, b
                at = self.outer + field * self.inner
                values[at : at + self.inner] = inside
            found.append(values)
        return found

    @cached_property
    def gauss_tables(self) -> list[Array]:
        """The tables at Gauss points."""
        return self.tables(None)

    @cached_property
    def slope_ratio(self) -> Array:
        """(stretch, function): an end slope counts by its own stretch's length."""
        ratio = np.ones((len(self.lengths), self.size))
        slopes = [x for order in self.line.orders for x in range(order)]
        for i, x in enumerate([*slopes, *slopes]):
            ratio[:, i] = (self.lengths / self.scale) ** x
        return ratio

    @cached_property
    def points(self) -> tuple[Array, Array, Array]:
        """Gauss points in xi, along x in each stretch, and their weights there."""
        xi, w = gauss(self.gauss_points)
        middle = self.nodes[: len(self.lengths)] + self.lengths / 2
        return xi, middle[:, None] + self.lengths[:, None] / 2 * xi, self.lengths[:, None] / 2 * w

    @cached_property
    def weighted(self) -> dict[tuple[int, int, int], Array]:
        """Coefficients times weights and lengths, (stretch, point), for slots as derivatives in xi."""
        _, x, w = self.points
        orders = [which if field >= 0 else 0 for field, which in self.line.slots]
        scale = 2 / self.lengths[:, None]
        return {key: c * w * scale ** (orders[key[1]] + orders[key[2]]) for key, c in self.line.coefficients(x).items()}

    def completed(self, power: int) -> list[Square]:
        """Twice the energy of s^0 or of s^2 as a sum of squares, L D L' at each point; see `Square`."""
        if power not in self._squares:
            self._squares[power] = list(self._completed(power))
        return self._squares[power]

    @cached_property
    def _squares(self) -> dict[int, list[Square]]:
        return {}

    def _completed(self, power: int) -> Iterator[Square]:
        n = len(self.line.slots)
        c = np.zeros((n, n, *self.points[2].shape))
        for (which, a, b), one in self.weighted.items():
            if which == power:
                c[a, b] += one / 2
                c[b, a] += one / 2
        sizes = np.abs(np.einsum("iikg->ikg", c)).copy()
        rounding = 1e-14 * np.sqrt(sizes[:, None] * sizes[None])
        for i in range(n):
            c[i, i:] = np.where(np.abs(c[i, i:]) <= rounding[i, i:], 0.0, c[i, i:])
            if not c[i, i:].any():
                continue
            pivot = c[i, i].copy()
            rest = np.where(pivot == 0, c[i, i + 1 :], 0.0)
            ratio = np.divide(c[i, i + 1 :], pivot, out=np.zeros_like(c[i, i + 1 :]), where=pivot != 0)
            yield Square(i, pivot, ratio if ratio.any() else None, rest if rest.any() else None)
            c[i + 1 :, i + 1 :] -= ratio[:, None] * c[i, i + 1 :][None]

    @cached_property
    def forms(self) -> Array:
        """K, C, M of every stretch that differs: (3, stretch, function, function)."""
        slots = self.gauss_tables
        forms = np.zeros((3, len(self.lengths), self.size, self.size))
        for (power, i, j), c in self.weighted.items():
            forms[power] += (slots[i] * c[:, None, :]) @ slots[j].T
        forms *= self.slope_ratio[:, :, None] * self.slope_ratio[:, None, :]
        for which, field, x in self.line.points:
            k, values = self.values(field, x)
            place = 2 * self.line.end_values + self.line.coordinates.index(which)
            forms[0, k, place] += values
            forms[0, k, :, place] += values
        return forms

    def values(self, field: int, x: float) -> tuple[int, Array]:
        """The stretch x lies in, and the value of a field there for each local function."""
        k = int(np.clip(np.searchsorted(self.nodes, x, side="right") - 1, 0, self.number - 1))
        xi = np.array([2 * (x - self.nodes[k]) / (self.nodes[k + 1] - self.nodes[k]) - 1])
        slot = self.line.slots.index((field, 0))
        return k, self.tables(xi)[slot][:, 0] * self.slope_ratio[k if len(self.lengths) > 1 else 0]

    @cached_property
    def condensed(self) -> Condensed | None:
        """Ready to condense at any s; None where the stiffness inside is not positive: cut shorter then."""
        return condense(self.forms, self.outer)


@dataclass(frozen=True)
class Condensed:
    """B(s), l(s), r(s) as polynomials in s, mu, and the inner K and C where they are not diagonal."""

    B: Array
    left: Array
    right: Array
    mu: Array
    rates: Array
    coupled: tuple[Array, Array] | None

    def __call__(self, s: Matrices | None, s2: Matrices) -> tuple[Matrices, NDArray[Any]]:
        """D over (point, stretch), and how many inner eigenvalues lie below -s^2; s is None where nothing is damped.

        For complex s there is no such number; the phase of the inner determinant stands in its place.
        """
        B, left, right = (_polynomial(one, s, s2) for one in (self.B, self.left, self.right))
        if self.coupled is not None and s is not None:
            inside = self.coupled[0] + s[:, None, None, None] * self.coupled[1]
            inside = inside + s2[:, None, None, None] * (self.mu[:, :, None] * np.eye(self.mu.shape[1]))
            inside = off_singular(inside)
            phase = np.angle(np.linalg.slogdet(inside)[0]).sum(axis=1)
            return B - left @ np.linalg.solve(inside, right), phase
        divisor = 1 + s2[:, None, None] * self.mu
        if s is not None:
            divisor = divisor + s[:, None, None] * self.rates
        divisor = np.where(np.abs(divisor) < 1e-300, 1e-300, divisor)
        passed = np.angle(divisor) if np.iscomplexobj(divisor) else divisor < 0
        return B - (left / divisor[:, :, None, :]) @ right, passed.sum(axis=(1, 2))

    @cached_property
    def _shares(self) -> list[Array]:
        """Of the first stretch: what each power of s of l_j r_j adds to D, (power, row and column, j)."""
        left, right = self.left[:, 0], self.right[:, 0]
        found = []
        for power in range(2 * len(left) - 1):
            pairs = [(k, power - k) for k in range(len(left)) if 0 <= power - k < len(left)]
            total = sum((left[a][:, None, :] * right[b].T[None] for a, b in pairs), np.zeros((1, 1, 1)))
            found.append(np.broadcast_to(total, (*self.B.shape[2:], left.shape[2])).reshape(-1, left.shape[2]))
        return found

    def single(self, s: Matrices | None, s2: Matrices) -> tuple[Matrices, NDArray[Any]]:
        """The first stretch alone, D as (row, column, point), and the inner eigenvalues passed; K, C, M diagonal."""
        divisor = 1 + self.mu[0][:, None] * s2
        if s is not None:
            divisor = divisor + self.rates[0][:, None] * s
        divisor = np.where(np.abs(divisor) < 1e-300, 1e-300, divisor)
        n, inverse = self.B.shape[2], 1 / divisor
        D = self.B[0, 0][:, :, None] + self.B[2, 0][:, :, None] * s2
        if s is not None:
            D = D + self.B[1, 0][:, :, None] * s
        for power, share in enumerate(self._shares):
            if not share.any():
                continue
            part = (share @ inverse).reshape(n, n, -1)
            D = D - part * (s2 ** (power // 2) * (s if power % 2 and s is not None else 1.0))
        return D, (divisor.real < 0).sum(axis=0)


def off_singular(D: Matrices) -> Matrices:
    """Complex matrices, those whose pivots vanish to the last bit moved by rounding: s stands on a pole of the rest."""
    poles = np.linalg.slogdet(D)[0] == 0
    if not poles.any():
        return D
    moved = _ROUNDING * np.abs(D).max(axis=(-1, -2)) + TINY
    return np.asarray(D + np.where(poles, moved, 0.0)[..., None, None] * np.eye(D.shape[-1]))


def _polynomial(forms: Array, s: Matrices | None, s2: Matrices) -> Matrices:
    at = (slice(None), None, None, None)
    found: Matrices = forms[0] + s2[at] * forms[2]
    return found if s is None or not np.any(forms[1]) else found + s[at] * forms[1]


def condense(forms: Array, outer: int) -> Condensed | None:
    """Forms over (what stays | what is condensed) made ready; None where the stiffness inside is not positive."""
    inside = forms[:, :, outer:, outer:]
    stiffness = (inside[0] + inside[0].transpose(0, 2, 1)) / 2
    size = np.sqrt(np.abs(np.einsum("kii->ki", stiffness)))
    if np.any(size == 0):
        return None
    try:
        lower = np.linalg.cholesky(stiffness / (size[:, :, None] * size[:, None, :]))
    except np.linalg.LinAlgError:
        return None
    inverse = np.array([dtrtri(one, lower=1)[0] for one in lower]) / size[:, None, :]
    mass = inverse @ inside[2] @ inverse.transpose(0, 2, 1)
    mu, V = np.linalg.eigh((mass + mass.transpose(0, 2, 1)) / 2)
    T = inverse.transpose(0, 2, 1) @ V
    Tt = T.transpose(0, 2, 1)
    K, C = Tt @ inside[0] @ T, Tt @ inside[1] @ T
    left, right = forms[:, :, :outer, outer:] @ T, Tt @ forms[:, :, outer:, :outer]
    rates = np.einsum("kii->ki", C)
    loose = np.abs(C - rates[:, :, None] * np.eye(C.shape[1])).max() > 1e-12 * np.abs(C).max(initial=0.0)
    skew = np.abs(K - K.transpose(0, 2, 1)).max() > 1e-12
    return Condensed(forms[:, :, :outer, :outer], left, right, mu, rates, (K, C) if loose or skew else None)
