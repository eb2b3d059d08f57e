"""Where a system rests: coordinates by Newton's method, shapes of members as polynomials in x.

    >>> rest = fx.equilibrium(equations, values={"k": 50.0, "m": 1.2})
    >>> linear = fx.linearise(equations, about=rest)

Shapes are found by collocation: a polynomial meets all conditions at the ends, and the field equation at as many points as
it has coefficients to spare; its degree grows until the shape stands still. Sixty digits are carried, so that a shape that
is a polynomial comes out as one, and any other is as good written in powers of x as it was solved.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import mpmath  # type: ignore[import-untyped]
import numpy as np
import sympy
from numpy.typing import NDArray

from flexura.analyse.values import real, substitution
from flexura.energy.lagrangian import Lagrangian
from flexura.equations.equations import Equations
from flexura.equations.rows import Row, Sum
from flexura.errors import FlexuraError
from flexura.symbols.engine import SPINE, TIME, ZERO, Basic, Symbol, exact, partial
from flexura.symbols.integrals import terms
from flexura.symbols.jets import Jet
from flexura.symbols.zero import verdict

Array: TypeAlias = NDArray[np.float64]
_STARTS = 60
_QUADRATURE = mpmath.calculus.quadrature.GaussLegendre(mpmath.mp)  # it keeps its points
_DIGITS = 60
_DEGREES = (6, 10, 14, 20, 28, 38, 52)


class Equilibrium(dict[str, float | str]):
    """Coordinates and multipliers as numbers, shapes of fields as text in x: what `about=` takes.

    `residual` is the largest imbalance left in a row, relative to the terms that balance there.
    """

    residual: float = 0.0


def equilibrium(
    equations: Equations, values: Mapping[str, Any] | None = None, guess: Mapping[str, float] | None = None
) -> Equilibrium:
    """A state of rest: the first that Newton's method finds from `guess` (or zero), stable or not.

    Inputs are zero unless `values` gives them a number, or text in x. Prescribed coordinates may stand still, or turn at a
    constant speed if the system looks the same at all times.
    """
    energies, put = equations.lagrangian, substitution(equations, values)
    rows = [_static(row, energies, put) for row in equations.derived if row.kind != "reaction"]
    names = (*equations.coordinates, *energies.multipliers)
    for name in guess or {}:
        if name not in names:
            raise FlexuraError(f"The guess gives {name!r}, which is no coordinate; it takes {', '.join(names)}.")
    start = [float((guess or {}).get(name, 0.0)) for name in names]
    found = (
        _Shapes(rows, names, energies, put).solved(start) if energies.fields else _Positions(rows, names).found(start)
    )
    if found.residual > 1e-7:
        raise FlexuraError(f"The state found leaves an imbalance of {found.residual:.2g}; give another guess=...")
    return found


def _static(row: Row, energies: Lagrangian, put: Any) -> Row:
    """A row with all rates zero and numbers put in, as its residual."""

    def still(f: Basic) -> Basic:
        f = put(f.xreplace({jet.symbol: ZERO for jet in energies.jets.unknowns(f) if jet.t}))
        if TIME in f.free_symbols and not verdict(partial(f, TIME)):
            motions = [f"{name} = {g}" for name, g in energies.prescribed.items() if TIME in g.free_symbols]
            cause = f"the prescribed motion {', '.join(motions)}" if motions else "a load or a coefficient that holds t"
            raise FlexuraError(
                f"There is no equilibrium: the equation of {row.name} depends on t through {cause}; hold it still, or"
                " follow the motion with fx.simulate."
            )
        return f.xreplace({TIME: ZERO})

    return Row(row.kind, row.name, row.residual.map(still), Sum(), row.spine)


class _Positions:
    """A system without fields: damped Newton steps from several starts."""

    def __init__(self, rows: Sequence[Row], names: Sequence[str]) -> None:
        self.rows, self.names, self.symbols = rows, names, [Symbol(name) for name in names]
        self.trees = [row.left.local for row in rows]
        self.slopes = [[partial(f, one) for one in self.symbols] for f in self.trees]

    def found(self, start: Sequence[float]) -> Equilibrium:
        best, worst_row = np.inf, ""
        for u in self._starts(np.array(start, dtype=np.float64)):
            try:
                u = self._newton(u)
                imbalance = self._imbalance(u)
            except FlexuraError:  # outside the domain of a root or a logarithm
                continue
            if imbalance.max(initial=0.0) < 1e-10:
                result = Equilibrium(zip(self.names, map(float, self._cleaned(u)), strict=True))
                result.residual = float(self._imbalance(self._cleaned(u)).max(initial=0.0))
                return result
            if imbalance.max() < best:
                best, worst_row = float(imbalance.max()), self.rows[int(imbalance.argmax())].name
        raise FlexuraError(
            f"No equilibrium was found from {_STARTS} starts; in the best of them the equation of {worst_row or 'motion'} is"
            f" out of balance by {best:.2g} of its terms. See whether every load is held, or give guess={{...}}."
        )

    def _starts(self, first: Array) -> Iterator[Array]:
        yield first
        generator = random.Random(1)
        for i in range(1, _STARTS):
            size = (0.1, 1.0, 3.0, 10.0)[i % 4]
            yield first + np.array([generator.uniform(-size, size) for _ in self.names])

    def _evaluated(self, u: Array) -> tuple[Array, Array]:
        where = {one: exact(float(value)) for one, value in zip(self.symbols, u, strict=True)}
        r = [real(f.xreplace(where), "An equation") for f in self.trees]
        J = [real(f.xreplace(where), "An equation") for row in self.slopes for f in row]
        return np.array(r), np.array(J).reshape(len(r), len(u))

    def _newton(self, u: Array) -> Array:
        """Least-squares steps, halved until the imbalance falls; two more once it is small."""
        more = 2
        for _ in range(80):
            r, J = self._evaluated(u)
            weight = np.abs(J).sum(axis=1, initial=0.0)
            weight = 1 / np.where(weight > 0, weight, 1.0)
            step = np.linalg.lstsq(J * weight[:, None], -r * weight, rcond=1e-12)[0]
            size, before = 1.0, np.linalg.norm(r * weight)
            while size > 1e-4 and np.linalg.norm(self._evaluated(u + size * step)[0] * weight) > before:
                size /= 2
            u = u + size * step
            if np.abs(step).max(initial=0.0) <= 1e-9 * max(1.0, np.abs(u).max(initial=0.0)):
                more -= 1
            if more < 0:
                break
        return u

    def _imbalance(self, u: Array) -> Array:
        """What is left of each row, relative to its terms and to what a displacement of 1e-6 would do."""
        r, J = self._evaluated(u)
        where = {one: exact(float(value)) for one, value in zip(self.symbols, u, strict=True)}
        sizes = [
            max((abs(real(g.xreplace(where), "A term")) for g in terms(f.expand())), default=0.0) for f in self.trees
        ]
        scale = np.array(sizes) + np.abs(J) @ np.maximum(np.abs(u), 1e-6)
        return np.asarray(np.abs(r) / np.maximum(scale, 1e-300))

    def _cleaned(self, u: Array) -> Array:
        """Noise about zero removed, if that is an equilibrium too."""
        clean = np.where(np.abs(u) < 1e-12 * max(1.0, np.abs(u).max(initial=0.0)), 0.0, u)
        return clean if self._imbalance(clean).max(initial=0.0) < 1e-10 else u


class _Shapes:
    """A system with fields: polynomials in z = (2x - a - b)/(b - a) on each spine, and Newton's method around them."""

    def __init__(self, rows: Sequence[Row], names: Sequence[str], energies: Lagrangian, put: Any) -> None:
        self.names, self.energies, self.fields = names, energies, energies.fields
        spines = {spine.name: (put(spine.start), put(spine.end)) for spine in energies.spines}
        with mpmath.workdps(_DIGITS):
            self.ends = {
                name: tuple(mpmath.mpf(str(f.n(220, real=True))) for f in ends) for name, ends in spines.items()
            }
        self.rows = [(row, self._compiled(row.left.local), self._integrands(row)) for row in rows]
        self.linear = all(one.linear for _, local, inside in self.rows for one in (local, *inside.values()))
        self.degree = 0

    def _compiled(self, f: Basic) -> _Compiled:
        return _Compiled(f, self.energies.jets.unknowns(f))

    def _integrands(self, row: Row) -> dict[str, _Compiled]:
        return {on: self._compiled(f) for on, f in row.left.integrals.items()}

    def solved(self, start: Sequence[float]) -> Equilibrium:
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
            f"The shape of {', '.join(self.fields)} at rest is not smooth enough for a polynomial of degree {_DEGREES[-1]};"
            " split the member where its properties or loads jump."
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
            "Newton's method did not find the shape at rest, which the fields enter nonlinearly; lower the load, or give a"
            " guess={...} for the coordinates."
        )

    def _assembled(self, u: Sequence[Any]) -> tuple[list[Any], list[list[Any]]]:
        """All rows and their slopes: field equations at Chebyshev points, everything else as it is."""
        r: list[Any] = []
        J: list[list[Any]] = []
        for row, local, inside in self.rows:
            points: list[Any] = [mpmath.mpf(0)]
            if row.kind == "partial":
                n = self.degree + 1 - 2 * self.energies.orders[row.name]
                points = [mpmath.cos((2 * i + 1) * mpmath.pi / (2 * n)) for i in range(n)]
            for z in points:
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

    def _at(self, one: _Compiled, spine: str, z: Any, u: Sequence[Any]) -> tuple[Any, list[Any]]:
        """A compiled tree at a point, and its slopes by all unknowns."""
        weights = [self._weights(jet, z) for jet in one.jets]
        values = [sum((w * u[i] for i, w in weight.items()), mpmath.mpf(0)) for weight in weights]
        a, b = self.ends[spine] if spine else (0, 0)
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
        return {first + k: mpmath.ff(k, n) * z ** (k - n) * scale for k in range(n, self.degree + 1)}

    def _samples(self, u: Sequence[Any]) -> list[Any]:
        points = [(name, mpmath.mpf(i) / 4) for name in self.fields for i in range(-4, 5)]
        shapes = [sum(w * u[i] for i, w in self._weights(Jet(name), z).items()) for name, z in points]
        return [*shapes, *u[len(self.fields) * (self.degree + 1) :]]

    def _result(self, u: Sequence[Any]) -> Equilibrium:
        count = self.degree + 1
        noise = 1e-20 * max(map(abs, self._samples(u)), default=0)
        numbers = u[len(self.fields) * count :]
        found = {name: 0.0 if abs(one) < noise else float(one) for name, one in zip(self.names, numbers, strict=True)}
        shapes = {name: self._text(name, list(u[i * count : (i + 1) * count])) for i, name in enumerate(self.fields)}
        result = Equilibrium({**found, **shapes})
        result.residual = float(max(self._leftovers(u), default=0))
        return result

    def _leftovers(self, u: Sequence[Any]) -> Iterator[Any]:
        """What is left of the field equations between the points, relative to their terms."""
        for row, local, _ in self.rows:
            for i in range(-3, 4) if row.kind == "partial" else ():
                value, slopes = self._at(local, row.spine, mpmath.mpf(2 * i + 1) / 8, u)
                scale = max((abs(a * b) for a, b in zip(slopes, u, strict=True)), default=0)
                if scale:
                    yield abs(value) / scale

    def _text(self, name: str, c: list[Any]) -> str:
        """The polynomial as text: in powers of x where the degree is low, else of z, which do not cancel."""
        a, b = self.ends[self.energies.spine_of(name).name]
        while c and abs(c[-1]) <= 1e-20 * max(map(abs, c)):
            c.pop()
        reach, variable = mpmath.mpf(1), f"({_digits(2 / (b - a))}*x - {_digits((a + b) / (b - a))})"
        if len(c) <= 11:
            c, reach, variable = _in_x(c, a, b), max(abs(a), abs(b)), "x"
        sizes = [abs(one) * reach**k for k, one in enumerate(c)]
        kept = {k: one for k, one in enumerate(c) if sizes[k] > 1e-20 * max(sizes)}
        powers = {0: "", 1: f"*{variable}"}
        text = " + ".join(f"{_digits(one)}{powers.get(k, f'*{variable}**{k}')}" for k, one in kept.items())
        return text.replace("+ -", "- ") or "0"


def _solve(J: list[list[Any]], r: list[Any]) -> list[Any]:
    """Gaussian elimination; rows come with a largest entry of one, so a pivot near the last digit is a zero."""
    rows, n = [[*row, one] for row, one in zip(J, r, strict=True)], len(r)
    for i in range(n):
        best = max(range(i, n), key=lambda k: abs(rows[k][i]))
        rows[i], rows[best] = rows[best], rows[i]
        pivot = rows[i]
        if abs(pivot[i]) < mpmath.mpf(10) ** (25 - _DIGITS):
            raise FlexuraError(
                "The system at rest is not determined: something can move without strain, or is about to buckle; hold it"
                " with a support or a spring, or change the load."
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


def _digits(one: Any) -> str:
    return str(mpmath.nstr(one, 20))


def _in_x(c: Sequence[Any], a: Any, b: Any) -> list[Any]:
    """Coefficients of powers of z = (2x - a - b)/(b - a) turned into those of powers of x (Horner)."""
    found: list[Any] = []
    for one in reversed(c):
        lower, higher = [*found, mpmath.mpf(0)], [mpmath.mpf(0), *found]
        found = [(2 * up - (a + b) * down) / (b - a) for up, down in zip(higher, lower, strict=True)]
        found[0] += one
    return found[: len(c)]


class _Compiled:
    """A tree as a function of x and its jets, to many digits: its value, then its slope by each jet."""

    def __init__(self, f: Basic, jets: Sequence[Jet]) -> None:
        self.jets = jets
        slopes = [partial(f, jet.symbol) for jet in jets]
        self.linear = not any(slope.has(jet.symbol) for slope in slopes for jet in jets)
        arguments = [sympy.Symbol(one.name) for one in (SPINE, *(jet.symbol for jet in jets))]
        trees = [one._sympy_() for one in (f, *slopes)]
        self._function = sympy.lambdify(arguments, trees, "mpmath", dummify=True)

    def __call__(self, *where: Any) -> list[Any]:
        """Its value and slopes."""
        return [mpmath.mpf(one) for one in self._function(*where)]
