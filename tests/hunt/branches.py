"""Campbell charts: every branch goes where its root goes, followed in very small steps; it ends only in a merger.

Two real roots that meet become a pair, which both of them lead to; a pair that meets the real axis leads to both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import scipy.optimize

import flexura as fx
from hunt.draw import Draw
from hunt.trial import Disagreement, Skipped, Trial

_FINE = 40  # steps of the sweep from one value to the next
_NEAR = 1e-6
_PASSED = 0.05  # of |s|
_DEEP = 14  # halvings of a step of the sweep in which roots come near to one another


def branches(number: int) -> Trial:
    """Oscillators coupled by springs, dampers and gyroscopic terms that grow with a parameter."""
    asked = _Chart(Draw(number))
    return Trial("branches", number, asked.script, frozenset(), {"campbell": asked.campbell})


class _Chart:
    def __init__(self, draw: Draw) -> None:
        n = draw.integer(2, 6)
        self.n, self.count = n, draw.integer(2, draw.pick([n, 2 * n]))
        factor = np.array([[round(draw.uniform(-1, 1), 2) for _ in range(n)] for _ in range(n)])
        self.shapes = np.linalg.qr(factor)[0].round(3)
        self.k = [draw.size(0.5, 20) for _ in range(n)]
        self.c = [draw.size(0.2, 3) for _ in range(n)]
        self.g = draw.pick([0.0, draw.size(0.2, 2)])  # of a gyroscopic term p g (q0 q1' - q1 q0')
        self.coupling = draw.pick([0.0, draw.size(0.05, 1)])  # of a damper between two of them
        ends = (0.4, draw.size(4, 12))
        self.over = np.linspace(*(ends if draw.chance(0.5) else ends[::-1]), draw.integer(8, 20))

    @property
    def script(self) -> str:
        return "\n".join(f"{name}={value!r}" for name, value in vars(self).items())

    @cached_property
    def matrices(self) -> tuple[Any, Any, Any]:
        """Damping per p, the gyroscopic matrix per p, and stiffness; masses are one."""
        X, G, between = self.shapes, np.zeros((self.n, self.n)), np.zeros(self.n)
        G[0, 1], G[1, 0] = -2 * self.g, 2 * self.g
        between[:2] = 1.0, -1.0
        D = X @ np.diag(self.c) @ X.T + self.coupling * np.outer(between, between)
        return D, G, X @ np.diag(self.k) @ X.T

    def _equations(self) -> fx.Equations:
        q, p = [fx.Coordinate(f"q{i}") for i in range(self.n)], fx.Parameter("p")
        D, _, K = self.matrices
        pairs = [(i, j) for i in range(self.n) for j in range(self.n)]
        return fx.derive(
            fx.Lagrangian(
                kinetic=sum(one.t**2 for one in q) / 2 + p * self.g * (q[0] * q[1].t - q[1] * q[0].t),
                potential=sum(float(K[i, j]) * q[i] * q[j] for i, j in pairs) / 2,
                dissipation=p * sum(float(D[i, j]) * q[i].t * q[j].t for i, j in pairs) / 2,
            )
        )

    def roots(self, p: float) -> Any:
        """One of each pair and every real root at a value of the parameter."""
        D, G, K = self.matrices
        n = self.n
        s = np.linalg.eigvals(np.block([[np.zeros((n, n)), np.eye(n)], [-K, -p * (D + G)]]))
        s = np.where(np.abs(s.imag) < 1e-9 * np.abs(s), s.real, s)
        return s[s.imag >= 0]

    def campbell(self) -> str | None:
        chart = fx.campbell(self._equations(), "p", self.over, count=self.count)
        for i, p in enumerate(self.over):
            self._held(p, chart.eigenvalues[i])
        for i in range(len(self.over) - 1):
            self._followed(i, chart.eigenvalues)
        return None

    def _held(self, p: float, row: Any) -> None:
        """Every entry is a root, none twice, and there are as many as were asked for."""
        found, roots = row[np.isfinite(row)], self.roots(p)
        which = [_nearest(roots, s) for s in found]
        if len(set(which)) < len(which) or len(found) < min(self.count, len(roots)):
            raise Disagreement(f"At p = {p:.6g} the branches are {found}, the roots {roots}.")

    def _followed(self, i: int, table: Any) -> None:
        sweep = _Sweep.over(self, float(self.over[i]), float(self.over[i + 1]))
        for column in np.flatnonzero(np.isfinite(table[i])):
            start, end = table[i, column], table[i + 1, column]
            origin = _nearest(sweep.first, start)
            if origin in sweep.unsure:
                continue
            where = f"Branch {column} at p = {self.over[i]:.6g} is {start:.6g}"
            if not np.isfinite(end):
                if origin not in sweep.merged and not self._crowded(i + 1, table):
                    raise Disagreement(f"{where} and ends at {self.over[i + 1]:.6g} though nothing merges.")
            elif _nearest(sweep.last, end) not in sweep.reached[origin]:
                leads = [complex(sweep.last[k].round(6)) for k in sweep.reached[origin]]
                raise Disagreement(f"{where} and jumps to {end:.6g}; its root leads to {leads}.")

    def _crowded(self, i: int, table: Any) -> bool:
        """More roots than are watched: one from above the first may take a place."""
        return len(self.roots(self.over[i])) > self.count + max(3, self.count // 2)


@dataclass(frozen=True)
class _Sweep:
    """Roots from one value to the next: which lead where, which merged, which came too near to others to tell.

    Two that come near and do not merge may be taken to pass each other, by their shapes, or to turn away.
    """

    first: Any
    last: Any
    reached: dict[int, set[int]]
    merged: set[int]
    unsure: set[int]
    neared: set[int]

    @classmethod
    def over(cls, chart: _Chart, start: float, end: float) -> _Sweep:
        first = chart.roots(start)
        sweep = cls(first, first, {k: {k} for k in range(len(first))}, set(), set(), set())
        for before, value in pairwise(np.linspace(start, end, _FINE + 1)):
            sweep = sweep.onward(chart, float(before), float(value), 0)
        return replace(sweep, unsure=sweep.unsure | (sweep.neared - sweep.merged))

    def onward(self, chart: _Chart, before: float, value: float, depth: int) -> _Sweep:
        """One small step; halved while it is not clear where its roots go."""
        after = chart.roots(value)
        leads, close = _step(self.last, after)
        if close and depth < _DEEP:
            middle = (before + value) / 2
            return self.onward(chart, before, middle, depth + 1).onward(chart, middle, value, depth + 1)
        joined = {k for k in leads if sum(bool(leads[k] & other) for other in leads.values()) > 1}
        touched = {k for k, where in leads.items() if len(where) > 1} | joined
        unsure = self.unsure | {k for k, where in self.reached.items() if where & (close - touched)}
        merged = self.merged | {k for k, where in self.reached.items() if where & joined}
        reached = {k: set().union(*(leads[one] for one in where)) for k, where in self.reached.items()}
        near = {k for k, s in enumerate(after) if np.sum(np.abs(after - s) < _PASSED * np.abs(s)) > 1}
        neared = self.neared | {k for k, where in reached.items() if where & near}
        return _Sweep(self.first, after, reached, merged, unsure, neared)


def _step(roots: Any, after: Any) -> tuple[dict[int, set[int]], set[int]]:
    """Root -> the roots it becomes in one small step, and those of which that is not clear."""
    wide, onto = _whole(roots), _whole(after)  # with conjugates: as many before as after
    cost = np.abs(wide[0][:, None] - onto[0])
    rows, columns = scipy.optimize.linear_sum_assignment(cost)
    leads: dict[int, set[int]] = {k: set() for k in range(len(roots))}
    for i, j in zip(rows, columns, strict=True):
        leads[wide[1][i]].add(onto[1][j])
    moved = {k: max(abs(after[j] - s) for j in leads[k]) for k, s in enumerate(roots)}
    close = {
        k for k, s in enumerate(roots) if any(j != k and abs(roots[j] - s) < 4 * max(moved[k], moved[j]) for j in leads)
    }
    close |= {k for k, s in enumerate(roots) if (s.imag == 0) != all(after[j].imag == 0 for j in leads[k])}
    close |= {k for k in leads if len(leads[k]) > 1}
    return leads, close


def _whole(roots: Any) -> tuple[Any, list[int]]:
    """Roots with their conjugates, and which root each of them is."""
    pairs = [(s, k) for k, s in enumerate(roots)] + [(s.conjugate(), k) for k, s in enumerate(roots) if s.imag]
    return np.array([s for s, _ in pairs]), [k for _, k in pairs]


def _nearest(roots: Any, s: complex) -> int:
    k = int(np.argmin(np.abs(roots - s)))
    if abs(roots[k] - s) > _NEAR * np.abs(roots).max():
        raise Disagreement(f"{s:.9g} is no root; the nearest is {roots[k]:.9g}.")
    if np.sum(np.abs(roots - s) < 1e-5 * np.abs(roots).max()) > 1:
        raise Skipped("Two roots coincide where they are asked for.")
    return k
