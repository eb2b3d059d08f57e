"""Shapes of members at rest, as polynomials in x, piece by piece where loads or properties jump along them.

    >>> state, residual = RestShapes(rows, names, energies, put).found(start)

Shapes are found by collocation: a polynomial on each piece meets all conditions at the ends, what passes from piece to
piece, and the field equation at as many points as it has coefficients to spare; its degree grows until the shape stands
still. Sixty digits are carried, so that a shape that is a polynomial comes out as one, and any other is as good written
in powers as it was solved.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import Any

import mpmath
import numpy as np

from flexura.derivation.equations.rows import Row
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.values import CompiledTree
from flexura.symbolic.engine import ONE, SPINE, TIME, ZERO, Basic, partial
from flexura.symbolic.jets import Jet
from flexura.systems.signals.breaks import breaks_along, picked
from flexura.systems.signals.resolution import resolved

_DIGITS = 60
_DEGREES = (6, 10, 14, 20, 28, 38, 52)
_PIECES = 4000  # nearly straight ones of a load, that the highest degree may miss
_QUADRATURE = mpmath.calculus.quadrature.GaussLegendre(mpmath.mp)  # it keeps its points
_START, _END = mpmath.mpf(-1), mpmath.mpf(1)


class RestShapes:
    """A system with fields: polynomials in z = (2x - a - b)/(b - a) on each spine, by Newton's method."""

    def __init__(
        self, rows: Sequence[Row], names: Sequence[str], energies: Lagrangian, put: Callable[[Basic], Basic]
    ) -> None:
        self.names, self.energies, self.degree = names, energies, 0
        spines = {spine.name: (put(spine.start), put(spine.end)) for spine in energies.spines}
        with mpmath.workdps(_DIGITS):
            ends = {name: tuple(mpmath.mpf(str(f.n(220, real=True))) for f in ab) for name, ab in spines.items()}
        kept = [(row, row.left.local, row.left.integrals) for row in rows]
        passed = {name: self._passed(name, put) for name in energies.fields}
        with mpmath.workdps(_DIGITS):
            self.edges = {name: self._cut(name, a, b, kept, passed) for name, (a, b) in ends.items()}
        pieces = {name: range(len(edges) - 1) for name, edges in self.edges.items()}
        self.blocks = [(name, k) for name in energies.fields for k in pieces[energies.spine_of(name).name]]
        self.made: dict[Basic, CompiledTree] = {}
        self.rows = [
            (
                row,
                self._compiled(local, row.spine if row.kind == "partial" else ""),
                {on: self._compiled(f, on) for on, f in integrals.items()},
            )
            for row, local, integrals in kept
        ]
        self.joints = [
            (energies.spine_of(name).name, k, [self._compiled(f, energies.spine_of(name).name) for f in trees])
            for name, trees in passed.items()
            for k in pieces[energies.spine_of(name).name][1:]
        ]
        self.linear = all(one.linear for one in self.made.values())

    def _passed(self, field: str, put: Callable[[Basic], Basic]) -> list[Basic]:
        """What passes a place where a load or a property jumps: the field, its slope, and the loads p, m (theory 2)."""
        energies, order = self.energies, self.energies.orders[field]
        jets, L = energies.jets, energies.settled(energies.density.get(energies.spine_of(field).name, ZERO))
        bent = partial(L, Jet(field, x=2).symbol)
        force = partial(L, Jet(field, x=1).symbol) - jets.D_x(bent) - jets.D_t(partial(L, Jet(field, x=1, t=1).symbol))
        trees = [*(Jet(field, x=x).symbol for x in range(order)), *(force, bent)[:order]]
        still = [f.xreplace({jet.symbol: ZERO for jet in jets.unknowns(f) if jet.t}) for f in trees]
        return [put(f).xreplace({TIME: ZERO}) for f in still]

    def _cut(self, spine: str, a: Any, b: Any, kept: Sequence[Any], passed: Mapping[str, list[Basic]]) -> list[Any]:
        """The ends of a spine, and the places between them where a load or a property changes over."""
        trees = [local for row, local, _ in kept if row.spine == spine]
        trees += [integrals[spine] for _, _, integrals in kept if spine in integrals]
        trees += [f for name, some in passed.items() if self.energies.spine_of(name).name == spine for f in some]
        found = breaks_along(trees, float(a), float(b))
        for f in trees:
            for level in (ZERO, ONE):  # of the unknowns: loads, and properties
                along = f.xreplace({jet.symbol: level for jet in self.energies.jets.unknowns(f)})
                edges, _ = resolved(along, SPINE, float(a), float(b), found, most=_PIECES)
                told = np.isin(edges, [float(a), *map(float, found), float(b)])
                narrow = np.diff(edges) < (float(b) - float(a)) / _PIECES
                if np.any(narrow & ~(told[1:] & told[:-1])):  # pieces that are given may be as narrow as they are
                    raise self._too_steep()
        return [a, *(mpmath.mpf(repr(x)) for x in found), b]

    def _too_steep(self) -> FlexuraError:
        return FlexuraError(
            f"The shape of {', '.join(self.energies.fields)} at rest is not smooth enough for polynomials of degree"
            f" {_DEGREES[-1]}",
            advice="write what is steep or narrow along x as a Piecewise of gentle pieces",
        )

    def _compiled(self, f: Basic, spine: str) -> list[CompiledTree]:
        """A tree on each piece of a spine, with the branches that hold there."""
        edges = self.edges[spine] if spine else [0, 0]
        trees = [picked(f, {SPINE: float((a + b) / 2)}) for a, b in pairwise(edges)]
        for one in trees:
            self.made.setdefault(one, CompiledTree(one, self.energies.jets.unknowns(one)))
        return [self.made[one] for one in trees]

    def found(self, start: Sequence[float]) -> tuple[dict[str, float | str], float]:
        """The shapes at the first degree that confirms the one before."""
        with mpmath.workdps(_DIGITS):
            u, before = [mpmath.mpf(0) for _ in self.blocks] + [mpmath.mpf(one) for one in start], list[Any]()
            for degree in _DEGREES:
                u, self.degree = self._raised(u, degree), degree
                u = self._newton(u)
                now = self._samples(u)
                noise = 1e-18 * max(map(abs, now), default=0)
                if before and all(abs(a - b) <= 1e-13 * abs(a) + noise for a, b in zip(now, before, strict=True)):
                    return self._result(u)
                before = now
        raise self._too_steep()

    def _raised(self, u: list[Any], degree: int) -> list[Any]:
        """The same shapes with room for higher powers."""
        n, more = self.degree + 1, [mpmath.mpf(0)] * (degree - self.degree)
        split = len(self.blocks) * n
        return [one for i in range(0, split, n) for one in (*u[i : i + n], *more)] + u[split:]

    def _newton(self, u: list[Any]) -> list[Any]:
        for _ in range(40):
            r, J = self._assembled(u)
            if not any(r):
                return u
            step = _solve(J, r)
            u = [a - b for a, b in zip(u, step, strict=True)]
            if self.linear or max(map(abs, step)) <= 1e-20 * max(map(abs, u)):
                return u
        raise FlexuraError(
            "Newton's method did not find the shape at rest, which the fields enter nonlinearly",
            advice="lower the load, or give a guess={...} for the coordinates",
        )

    def _assembled(self, u: Sequence[Any]) -> tuple[list[Any], list[list[Any]]]:
        """All rows and their slopes: field equations at Chebyshev points of each piece, everything else as it is."""
        r, J = list[Any](), list[list[Any]]()
        for row, local, inside in self.rows:
            n = self.degree + 1 - 2 * self.energies.orders[row.name] if row.kind == "partial" else 1
            for k, one in enumerate(local):
                for z in (mpmath.cos((2 * i + 1) * mpmath.pi / (2 * n)) for i in range(n)):
                    value, slopes = self._at(one, row.spine, k, z, u)
                    for on, integrands in inside.items():
                        for place, integrand in enumerate(integrands):
                            value, slopes = self._integrated(value, slopes, integrand, on, place, u)
                    _add_row(r, J, value, slopes)
        for on, k, trees in self.joints:
            for before, after in ((pieces[k - 1], pieces[k]) for pieces in trees):
                left, right = self._at(before, on, k - 1, _END, u), self._at(after, on, k, _START, u)
                _add_row(r, J, left[0] - right[0], [a - b for a, b in zip(left[1], right[1], strict=True)])
        return r, J

    def _integrated(
        self, value: Any, slopes: list[Any], integrand: CompiledTree, on: str, k: int, u: Sequence[Any]
    ) -> tuple[Any, list[Any]]:
        """A row with an integral along a piece added."""
        half = (self.edges[on][k + 1] - self.edges[on][k]) / 2
        for node, weight in _QUADRATURE.get_nodes(-1, 1, 5 if self.degree < 24 else 6, mpmath.mp.prec):
            more, their = self._at(integrand, on, k, node, u)
            value += half * weight * more
            slopes = [a + half * weight * b for a, b in zip(slopes, their, strict=True)]
        return value, slopes

    def _at(self, one: CompiledTree, spine: str, k: int, z: Any, u: Sequence[Any]) -> tuple[Any, list[Any]]:
        """A tree at a point of a piece, and its slopes by all unknowns."""
        weights = [self._weights(jet, k, z) for jet in one.jets]
        a, b = self.edges[spine][k : k + 2] if spine else (0, 0)
        values = [sum((w * u[i] for i, w in weight.items()), mpmath.mpf(0)) for weight in weights]
        value, *partials = one(((b - a) * z + a + b) / 2, *values)
        slopes = [mpmath.mpf(0)] * len(u)
        for weight, slope in zip(weights, partials, strict=True):
            for i, w in weight.items():
                slopes[i] += slope * w
        return value, slopes

    def _weights(self, jet: Jet, k: int, z: Any) -> dict[int, Any]:
        """How a jet depends on the unknowns: d^n/dx^n of z^j = j!/(j-n)! z^(j-n) (2/(b-a))^n."""
        if jet.name not in self.energies.fields:
            return {len(self.blocks) * (self.degree + 1) + self.names.index(jet.name): mpmath.mpf(1)}
        edges, n = self.edges[self.energies.spine_of(jet.name).name], jet.x
        if jet.end:
            k, z = (0, _START) if jet.end == "a" else (len(edges) - 2, _END)
        first, scale = self.blocks.index((jet.name, k)) * (self.degree + 1), (2 / (edges[k + 1] - edges[k])) ** n
        return {first + j: math.perm(j, n) * z ** (j - n) * scale for j in range(n, self.degree + 1)}

    def _samples(self, u: Sequence[Any]) -> list[Any]:
        points = [self._weights(Jet(name), k, mpmath.mpf(i) / 4) for name, k in self.blocks for i in range(-4, 5)]
        return [sum(w * u[i] for i, w in one.items()) for one in points] + [*u[len(self.blocks) * (self.degree + 1) :]]

    def _result(self, u: Sequence[Any]) -> tuple[dict[str, float | str], float]:
        count, noise = self.degree + 1, 1e-20 * max(map(abs, self._samples(u)), default=0)
        numbers = zip(self.names, u[len(self.blocks) * count :], strict=True)
        result: dict[str, float | str] = {name: 0.0 if abs(one) < noise else float(one) for name, one in numbers}
        for name in self.energies.fields:
            edges = self.edges[self.energies.spine_of(name).name]
            first = self.blocks.index((name, 0))
            starts = range(first * count, (first + len(edges) - 1) * count, count)
            texts = [polynomial_text(u[i : i + count], a, b) for i, (a, b) in zip(starts, pairwise(edges), strict=True)]
            result[name] = pieces_text(texts, edges)
        return result, float(max(self._leftovers(u), default=0))

    def _leftovers(self, u: Sequence[Any]) -> Iterator[Any]:
        """What is left of the field equations between the points, relative to their terms, if those are no rounding."""
        largest = mpmath.mpf(10) ** (30 - _DIGITS) * max(map(abs, u), default=0)
        for row, local, _ in self.rows:
            for i, (k, one) in product(range(-3, 4), enumerate(local)) if row.kind == "partial" else ():
                value, slopes = self._at(one, row.spine, k, mpmath.mpf(2 * i + 1) / 8, u)
                scale = max((abs(a * b) for a, b in zip(slopes, u, strict=True)), default=0)
                if scale > largest * max(map(abs, slopes), default=0):
                    yield abs(value) / scale


def _add_row(r: list[Any], J: list[list[Any]], value: Any, slopes: list[Any]) -> None:
    """A row with a largest slope of one."""
    size = max(map(abs, slopes)) or mpmath.mpf(1)
    r.append(value / size)
    J.append([one / size for one in slopes])


def pieces_text(texts: Sequence[str], edges: Sequence[Any]) -> str:
    """The text of a shape from those of its pieces."""
    if len(texts) == 1:
        return texts[0]
    inner = [f"({text}, x < {mpmath.nstr(edge, 20)})" for text, edge in zip(texts, edges[1:-1], strict=False)]
    return f"Piecewise({', '.join(inner)}, ({texts[-1]}, True))"


def _solve(J: list[list[Any]], r: list[Any]) -> list[Any]:
    """Gaussian elimination; rows come with a largest entry of one, so a pivot near the last digit is a zero."""
    rows, n = [[*row, one] for row, one in zip(J, r, strict=True)], len(r)
    for i in range(n):
        best = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[best] = rows[best], rows[i]
        pivot = rows[i]
        if abs(pivot[i]) < mpmath.mpf(10) ** (25 - _DIGITS):
            raise FlexuraError(
                "The system at rest is not determined: something can move without strain, or is about to buckle",
                advice="hold it with a support or a spring, or change the load",
            )
        for row in rows[i + 1 :]:
            factor = row[i] / pivot[i]
            if factor:
                row[i:] = [a - factor * b for a, b in zip(row[i:], pivot[i:], strict=True)]
    found: list[Any] = []
    for i in reversed(range(n)):
        known = sum((a * b for a, b in zip(rows[i][i + 1 : n], found, strict=True)), mpmath.mpf(0))
        found.insert(0, (rows[i][n] - known) / rows[i][i])
    return found


def polynomial_text(given: Sequence[Any], a: Any, b: Any) -> str:
    """A polynomial in z as text: in powers of x where the degree is low, else of z, which do not cancel."""
    noise = max(1e-20 * max(map(abs, given)), 1e-30 * abs(b - a))
    c = [one if abs(one) > noise else mpmath.mpf(0) for one in given]
    while c and not c[-1]:
        c.pop()
    variable, reach = f"({mpmath.nstr(2 / (b - a), 20)}*x - {mpmath.nstr((a + b) / (b - a), 20)})", 1
    if len(c) <= 11:
        c, variable, reach = _in_x(c, a, b), "x", max(abs(a), abs(b))
    largest = max((abs(one) * reach**k for k, one in enumerate(c)), default=0)
    kept = {k: mpmath.nstr(one, 20) for k, one in enumerate(c) if abs(one) * reach**k > 1e-20 * largest}
    powers = {0: "", 1: f"*{variable}"}
    return " + ".join(f"{c}{powers.get(k, f'*{variable}**{k}')}" for k, c in kept.items()).replace("+ -", "- ") or "0"


def _in_x(c: Sequence[Any], a: Any, b: Any) -> list[Any]:
    """Coefficients of powers of z turned into those of powers of x (Horner)."""
    found: list[Any] = []
    for one in reversed(c):
        lower, higher = [*found, mpmath.mpf(0)], [mpmath.mpf(0), *found]
        found = [(2 * up - (a + b) * down) / (b - a) for up, down in zip(higher, lower, strict=True)]
        found[0] += one
    return found[: len(c)]
