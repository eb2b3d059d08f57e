"""Where a system rests: coordinates by Newton's method, shapes of members as polynomials in x.

    >>> rest = fx.equilibrium(equations, values={"k": 50.0, "m": 1.2})
    >>> linear = fx.linearise(equations, about=rest)

Shapes are found by collocation: a polynomial meets all conditions at the ends, and the field equation at as many points
as it has coefficients to spare; its degree grows until the shape stands still. Sixty digits are carried, so that a
shape that is a polynomial comes out as one, and any other is as good written in powers as it was solved.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import mpmath
import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.analyse.values import Compiled, static_row, substitution
from flexura.energy.lagrangian import Lagrangian
from flexura.equations.equations import Equations
from flexura.equations.rows import Row
from flexura.errors import FlexuraError
from flexura.symbols.engine import ONE, TIME, ZERO, Basic, Symbol, partial
from flexura.symbols.integrals import terms
from flexura.symbols.jets import Jet

Array: TypeAlias = NDArray[np.float64]
_STARTS, _BALANCED = 60, 1e-10
_DIGITS = 60
_DEGREES = (6, 10, 14, 20, 28, 38, 52)
_QUADRATURE = mpmath.calculus.quadrature.GaussLegendre(mpmath.mp)  # it keeps its points


class Equilibrium(dict[str, float | str]):
    """Coordinates and multipliers as numbers, shapes of fields as text in x: what `about=` takes."""

    def __init__(self, state: Any = (), residual: float = 0.0) -> None:
        """`residual` is the largest imbalance left in a row, relative to the terms that balance there."""
        super().__init__(state)
        self.residual = residual


def equilibrium(
    equations: Equations, values: Mapping[str, Any] | None = None, guess: Mapping[str, float] | None = None
) -> Equilibrium:
    """A state of rest: what Newton's method finds from `guess` (or zero), stable or not; else the lowest of several.

    Inputs are zero unless `values` gives them a number, or text in x. Prescribed coordinates may stand still, or turn
    at a constant speed if the system looks the same at all times.
    """
    energies, put = equations.lagrangian, substitution(equations, values)
    names, given = (*equations.coordinates, *energies.multipliers), dict(guess or {})
    if unknown := [name for name in given if name not in names]:
        raise FlexuraError(f"The guess gives {unknown[0]!r}, which is no coordinate; it takes {', '.join(names)}.")
    start = [float(given.get(name, 0.0)) for name in names]
    rows = [static_row(row, energies, put) for row in equations.derived if row.kind != "reaction"]
    if energies.fields:
        return _Shapes(rows, names, energies, put).found(start)
    still = {Jet(name, t=1).symbol: ZERO for name in names} | {TIME: ZERO}
    energy = put(energies.driven(-energies.rigid)).xreplace(still)
    energy = energy.xreplace({one: ONE for one in energy.free_symbols if one.name not in names})  # in constants only
    return _Positions(rows, names, energy).found(start) if names else Equilibrium()


class _Positions:
    """A system without fields: damped Newton steps from several starts; `energy` decides between their ends."""

    def __init__(self, rows: Sequence[Row], names: Sequence[str], energy: Basic) -> None:
        self.rows, self.names = [row.name for row in rows], names
        trees, symbols = [row.left.local for row in rows], [Symbol(name) for name in names]
        sizes = [symengine.Add(*map(symengine.Abs, terms(f.expand()))) for f in trees]
        slopes = [partial(f, one) for f in trees for one in symbols]
        self.function = symengine.Lambdify(symbols, [*trees, *sizes, *slopes, energy])

    def found(self, start: Sequence[float]) -> Equilibrium:
        """Where the first start leads; if nowhere, the lowest of the places where the others lead."""
        ends = [self._end(np.array(start, dtype=np.float64))]
        if ends[0][1] > _BALANCED:
            ends += [self._end(u) for u in self._starts(np.array(start, dtype=np.float64))]
        rests = [end for end in ends if end[1] <= _BALANCED]
        if not rests:
            _, imbalance, _, row = min(ends, key=lambda end: end[1])
            raise FlexuraError(
                f"No equilibrium was found from {_STARTS} starts: in the best of them the equation of {row} is out of"
                f" balance by {imbalance:.2g} of its terms; see whether every load is held, or give guess={{...}}."
            )
        u, imbalance, _, _ = min(rests, key=lambda end: end[2])
        return Equilibrium(zip(self.names, map(float, u), strict=True), imbalance)

    def _starts(self, first: Array) -> Iterator[Array]:
        generator = random.Random(1)
        for i in range(1, _STARTS):
            size = (0.1, 1.0, 3.0, 10.0)[i % 4]
            yield first + np.array([generator.uniform(-size, size) for _ in self.names])

    def _end(self, u: Array) -> tuple[Array, float, float, str]:
        """Where Newton's method ends, noise about zero removed: place, imbalance, energy, and the worst row."""
        u = self._newton(u)
        clean = np.where(np.abs(u) < 1e-12 * max(1.0, np.abs(u).max()), 0.0, u)
        u = clean if self._imbalance(clean).max() <= _BALANCED else u
        imbalance = self._imbalance(u)
        return u, float(imbalance.max()), self._at(u)[3], self.rows[int(imbalance.argmax())]

    def _at(self, u: Array) -> tuple[Array, Array, Array, float]:
        """Residuals, the size of their terms, slopes, and the energy."""
        n = len(self.rows)
        found = np.asarray(self.function(u), dtype=np.float64)
        return found[:n], found[n : 2 * n], found[2 * n : -1].reshape(n, len(u)), float(found[-1])

    def _newton(self, u: Array) -> Array:
        """Least-squares steps, halved until the imbalance falls; two more once they are small."""
        more = 2
        for _ in range(80):
            r, _, J, _ = self._at(u)
            if not np.isfinite(J).all() or not np.isfinite(r).all():
                break  # outside the domain of a root or a logarithm
            weight = 1 / np.where((total := np.abs(J).sum(axis=1)) > 0, total, 1.0)
            step = np.linalg.lstsq(J * weight[:, None], -r * weight, rcond=1e-12)[0]
            size, before = 1.0, np.linalg.norm(r * weight)
            while size > 1e-4 and not np.linalg.norm(self._at(u + size * step)[0] * weight) <= before:
                size /= 2
            u = u + size * step
            more -= int(np.abs(step).max() <= 1e-9 * max(1.0, np.abs(u).max()))
            if more < 0:
                break
        return u

    def _imbalance(self, u: Array) -> Array:
        """What is left of each row, relative to its terms and to what a displacement of 1e-6 would do."""
        r, size, J, _ = self._at(u)
        scale = size + np.abs(J) @ np.maximum(np.abs(u), 1e-6)
        return np.asarray(np.nan_to_num(np.abs(r) / np.maximum(scale, 1e-300), nan=np.inf))


class _Shapes:
    """A system with fields: polynomials in z = (2x - a - b)/(b - a) on each spine, by Newton's method."""

    def __init__(
        self, rows: Sequence[Row], names: Sequence[str], energies: Lagrangian, put: Callable[[Basic], Basic]
    ) -> None:
        self.names, self.energies, self.fields, self.degree = names, energies, energies.fields, 0
        spines = {spine.name: (put(spine.start), put(spine.end)) for spine in energies.spines}
        with mpmath.workdps(_DIGITS):
            self.ends = {name: tuple(mpmath.mpf(str(f.n(220, real=True))) for f in ab) for name, ab in spines.items()}
        made = [{on: Compiled(f, energies.jets.unknowns(f)) for on, f in row.left.integrals.items()} for row in rows]
        local = [Compiled(row.left.local, energies.jets.unknowns(row.left.local)) for row in rows]
        self.rows = list(zip(rows, local, made, strict=True))
        self.linear = all(one.linear for _, own, inside in self.rows for one in (own, *inside.values()))

    def found(self, start: Sequence[float]) -> Equilibrium:
        """The shapes at the first degree that confirms the one before."""
        with mpmath.workdps(_DIGITS):
            u, before = [mpmath.mpf(0) for _ in self.fields] + [mpmath.mpf(one) for one in start], list[Any]()
            for degree in _DEGREES:
                u, self.degree = self._raised(u, degree), degree
                u = self._newton(u)
                now = self._samples(u)
                noise = 1e-18 * max(map(abs, now), default=0)
                if before and all(abs(a - b) <= 1e-13 * abs(a) + noise for a, b in zip(now, before, strict=True)):
                    return self._result(u)
                before = now
        raise FlexuraError(
            f"The shape of {', '.join(self.fields)} at rest is not smooth enough for a polynomial of degree"
            f" {_DEGREES[-1]}; split the member where its properties or loads jump."
        )

    def _raised(self, u: list[Any], degree: int) -> list[Any]:
        """The same shapes with room for higher powers."""
        n, more = self.degree + 1, [mpmath.mpf(0)] * (degree - self.degree)
        split = len(self.fields) * n
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
            "Newton's method did not find the shape at rest, which the fields enter nonlinearly; lower the load, or"
            " give a guess={...} for the coordinates."
        )

    def _assembled(self, u: Sequence[Any]) -> tuple[list[Any], list[list[Any]]]:
        """All rows and their slopes: field equations at Chebyshev points, everything else as it is."""
        r, J = list[Any](), list[list[Any]]()
        for row, local, inside in self.rows:
            n = self.degree + 1 - 2 * self.energies.orders[row.name] if row.kind == "partial" else 1
            for z in (mpmath.cos((2 * i + 1) * mpmath.pi / (2 * n)) for i in range(n)):
                value, slopes = self._at(local, row.spine, z, u)
                for on, integrand in inside.items():
                    half = (self.ends[on][1] - self.ends[on][0]) / 2
                    for node, weight in _QUADRATURE.get_nodes(-1, 1, 5 if self.degree < 24 else 6, mpmath.mp.prec):
                        more, their = self._at(integrand, on, node, u)
                        value += half * weight * more
                        slopes = [a + half * weight * b for a, b in zip(slopes, their, strict=True)]
                size = max(map(abs, slopes)) or mpmath.mpf(1)
                r.append(value / size)
                J.append([one / size for one in slopes])
        return r, J

    def _at(self, one: Compiled, spine: str, z: Any, u: Sequence[Any]) -> tuple[Any, list[Any]]:
        """A tree at a point, and its slopes by all unknowns."""
        weights = [self._weights(jet, z) for jet in one.jets]
        a, b = self.ends[spine] if spine else (0, 0)
        values = [sum((w * u[i] for i, w in weight.items()), mpmath.mpf(0)) for weight in weights]
        value, *partials = one(((b - a) * z + a + b) / 2, *values)
        slopes = [mpmath.mpf(0)] * len(u)
        for weight, slope in zip(weights, partials, strict=True):
            for i, w in weight.items():
                slopes[i] += slope * w
        return value, slopes

    def _weights(self, jet: Jet, z: Any) -> dict[int, Any]:
        """How a jet depends on the unknowns: d^n/dx^n of z^k = k!/(k-n)! z^(k-n) (2/(b-a))^n."""
        if jet.name not in self.fields:
            return {len(self.fields) * (self.degree + 1) + self.names.index(jet.name): mpmath.mpf(1)}
        a, b = self.ends[self.energies.spine_of(jet.name).name]
        z, n = {"a": mpmath.mpf(-1), "b": mpmath.mpf(1)}.get(jet.end, z), jet.x
        first, scale = self.fields.index(jet.name) * (self.degree + 1), (2 / (b - a)) ** n
        return {first + k: math.perm(k, n) * z ** (k - n) * scale for k in range(n, self.degree + 1)}

    def _samples(self, u: Sequence[Any]) -> list[Any]:
        points = [self._weights(Jet(name), mpmath.mpf(i) / 4) for name in self.fields for i in range(-4, 5)]
        return [sum(w * u[i] for i, w in one.items()) for one in points] + [*u[len(self.fields) * (self.degree + 1) :]]

    def _result(self, u: Sequence[Any]) -> Equilibrium:
        count, noise = self.degree + 1, 1e-20 * max(map(abs, self._samples(u)), default=0)
        numbers = zip(self.names, u[len(self.fields) * count :], strict=True)
        places = {name: 0.0 if abs(one) < noise else float(one) for name, one in numbers}
        result = Equilibrium(places, float(max(self._leftovers(u), default=0)))
        for i, name in enumerate(self.fields):
            result[name] = _text(u[i * count : (i + 1) * count], *self.ends[self.energies.spine_of(name).name])
        return result

    def _leftovers(self, u: Sequence[Any]) -> Iterator[Any]:
        """What is left of the field equations between the points, relative to their terms."""
        for row, local, _ in self.rows:
            for i in range(-3, 4) if row.kind == "partial" else ():
                value, slopes = self._at(local, row.spine, mpmath.mpf(2 * i + 1) / 8, u)
                scale = max((abs(a * b) for a, b in zip(slopes, u, strict=True)), default=0)
                if scale:
                    yield abs(value) / scale


def _solve(J: list[list[Any]], r: list[Any]) -> list[Any]:
    """Gaussian elimination; rows come with a largest entry of one, so a pivot near the last digit is a zero."""
    rows, n = [[*row, one] for row, one in zip(J, r, strict=True)], len(r)
    for i in range(n):
        best = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[best] = rows[best], rows[i]
        pivot = rows[i]
        if abs(pivot[i]) < mpmath.mpf(10) ** (25 - _DIGITS):
            raise FlexuraError(
                "The system at rest is not determined: something can move without strain, or is about to buckle; hold"
                " it with a support or a spring, or change the load."
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


def _text(given: Sequence[Any], a: Any, b: Any) -> str:
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
