"""Rayleigh's quotient of a shape, and Dunkerley's estimate: bounds of the lowest frequency from above and from below.

>>> fx.rayleigh_quotient(equations, {"w": "x**2"}).frequency, fx.dunkerley(equations)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.family import linear_at
from flexura.derivation.routes import can_be_derived, small_equations_of
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.discretise import linear_matrices, motion_system
from flexura.solve.exact.reading import read_linear
from flexura.solve.exact.shapes import FieldShape
from flexura.solve.values import free_motions, numbers, real
from flexura.symbolic.engine import SPINE, ZERO, Basic, Symbol, exact, partial
from flexura.symbolic.expression import ParameterDeclaration
from flexura.symbolic.jets import Jet
from flexura.symbolic.machine import machine_function
from flexura.symbolic.named import by_name
from flexura.symbolic.quantities import text_or_expression
from flexura.systems.second_order import as_dense, real_stiffness, refuse_for_matrices
from flexura.systems.signals.signal import real_array

Array = NDArray[np.float64]
Along = Callable[[Array, int], Array]
_X, _WEIGHTS = np.polynomial.legendre.leggauss(24)
_PANELS = 16
_FITS = 1e-7  # of the largest value: how well a shape meets what holds its ends
_ORDERS = (12, 16, 20, 24, 28)


class RayleighQuotient(float):
    """omega^2 of a shape, an upper bound of the lowest omega^2; `frequency` is its root, in rad/s."""

    @property
    def frequency(self) -> float:
        """omega."""
        return float(np.sqrt(self))


class Dunkerley(float):
    """An estimate of the lowest frequency in rad/s, a lower bound; `error` is what it may be off by, relative to it."""

    error: float = 0.0


def rayleigh_quotient(equations: Any, shape: Any, values: Mapping[str, Any] | None = None) -> RayleighQuotient:
    """2 V / 2 T of a shape that moves at the frequency 1: an upper bound of the lowest omega^2.

    `shape`: {"w": "x**2*(3*l - x)", "q1": 0.5}, a mode's shape, or the text alone where one field is all there is. What
    is not given is zero; coordinates that are values at ends follow from their fields. The shape must meet what holds
    the ends (geometric conditions); natural ones it may miss. Of matrices the shape is a vector.

    >>> fx.rayleigh_quotient(equations, {"w_beam": "x**2"}).frequency
    """
    if not can_be_derived(equations):
        return _of_matrices(equations, shape, values)
    linear = free_motions(linear_at(small_equations_of(equations), values), values)
    known = numbers(linear, values)
    if not read_linear(linear, known).symmetric or linear.lagrangian.states:
        raise FlexuraError(
            "Rayleigh's quotient is for systems without gyroscopic, circulatory and first-order terms",
            advice="ask fx.modes",
        )
    return _quotient(*Trial(linear.lagrangian, known, shape).both())


def _quotient(stretched: float, moving: float) -> RayleighQuotient:
    if not moving > 0:
        raise FlexuraError("The shape moves nothing that has mass", advice="give one that does")
    return RayleighQuotient(stretched / moving)


def _of_matrices(given: Any, shape: Any, values: Mapping[str, Any] | None) -> RayleighQuotient:
    """Of a vector, one number for each degree of freedom."""
    M, K = plain_matrices(given, "fx.rayleigh_quotient", values)
    x = real_array(shape, "shape", f"give a vector of {len(M)} numbers").ravel()
    if len(x) != len(M) or not np.all(np.isfinite(x)):
        raise FlexuraError(
            f"shape holds {len(x)} numbers", advice=f"give {len(M)} finite ones, one for each coordinate"
        )
    return _quotient(float(x @ K @ x), float(x @ M @ x))


def plain_matrices(given: Any, verb: str, values: Mapping[str, Any] | None) -> tuple[Array, Array]:
    """M and K of a system of numbers; refused where other terms stand beside them."""
    from flexura.solve.kinds import matrices_of  # frames and mechanisms are loaded where they are asked for

    system = matrices_of(given, verb)
    refuse_for_matrices(verb, values=values)
    real_stiffness(system, verb)
    if system.G is not None or system.H is not None:
        raise FlexuraError(
            f"{verb} is for systems without gyroscopic and circulatory terms, and this one has them",
            advice="ask fx.modes",
        )
    return np.asarray(as_dense(system.M)), np.asarray(as_dense(system.K))


def dunkerley(equations: Any, values: Mapping[str, Any] | None = None) -> Dunkerley:
    """1/omega^2 as the sum of 1/omega_i^2, omega_i with one mass at a time: never above the lowest frequency.

    The sum is the trace of K^-1 M, of members over all their mass; what polynomials leave out of it is estimated from
    how it grows with their degree.

    >>> fx.dunkerley(equations)
    """
    if not can_be_derived(equations):
        return Dunkerley(1 / np.sqrt(_sum(*plain_matrices(equations, "fx.dunkerley", values))))
    linear = free_motions(linear_at(small_equations_of(equations), values), values)
    orders = _ORDERS if linear.fields else (None,)
    sums = [_trace(linear, values, order) for order in orders]
    total = _carried_on(sums, _ORDERS)
    found = Dunkerley(1 / np.sqrt(total))
    found.error = abs(_carried_on(sums[1:], _ORDERS[1:]) / total - 1) if len(sums) > 1 else 0.0
    return found


def _carried_on(sums: Sequence[float], orders: Sequence[int]) -> float:
    """Sums over polynomials of growing degree p carried on to all of them, as a polynomial in 1/p: Neville's scheme.

    What the highest modes leave out falls as a power of p (1/p for rods, 1/p^3 for beams), not geometrically.
    """
    left = list(sums)
    for apart in range(1, len(left)):
        for i in range(len(left) - apart):
            left[i] = (orders[i + apart] * left[i + 1] - orders[i] * left[i]) / (orders[i + apart] - orders[i])
    return left[0]


def _trace(linear: Equations, values: Mapping[str, Any] | None, order: int | None) -> float:
    system = linear_matrices(linear, motion_system(linear, values, order), values).system
    return _sum(np.asarray(system.M), np.asarray(system.K))


def _sum(M: Array, K: Array) -> float:
    """The trace of K^-1 M."""
    size = np.sqrt(np.abs(np.diagonal(K)))
    if np.any(size == 0) or not np.all(np.linalg.eigvalsh(K / np.outer(size, size)) > 1e-13):
        raise FlexuraError(
            "Dunkerley's formula needs stiffness against every motion, and something moves freely here",
            advice="hold it, or ask fx.modes",
        )
    return float(np.trace(np.linalg.solve(K / np.outer(size, size), M / np.outer(size, size))))


@dataclass(frozen=True)
class GivenField:
    """A field of a trial shape, as `FieldShape` is one of a mode."""

    span: tuple[float, ...]
    along: Along | None

    def __call__(self, x: Any, derivative: int = 0) -> Any:
        """The field, or a derivative of it, at x."""
        at = np.asarray(x, dtype=np.float64)
        found = np.zeros(at.size) if self.along is None else np.asarray(self.along(at.ravel(), derivative))
        return found.reshape(at.shape)[()]


@dataclass(frozen=True)
class GivenShape:
    """A trial shape by its coordinates and fields."""

    coordinates: Mapping[str, float]
    fields: Mapping[str, GivenField]


class Trial:
    """A trial shape: numbers for coordinates, functions of x for fields."""

    def __init__(self, energies: Lagrangian, known: Mapping[str, float], shape: Any) -> None:
        self.energies, self.known = energies, {Symbol(name): exact(value) for name, value in known.items()}
        given = by_name(shape, "The shape")
        if not isinstance(shape, Mapping):
            alone = (*energies.fields, *energies.coordinates)
            names = energies.fields if len(energies.fields) == 1 else alone
            if len(names) != 1:
                raise FlexuraError(
                    "The shape is given alone, and there is more than one field or coordinate",
                    advice=f"say which it is of: {{'{alone[0]}': ...}}",
                )
            given = {names[0]: shape}
        unknown = [name for name in given if name not in (*energies.fields, *energies.coordinates)]
        if unknown:
            known_names = ", ".join((*energies.fields, *energies.coordinates))
            raise FlexuraError(f"The shape gives {unknown[0]!r}, which nothing is called", advice=f"give {known_names}")
        self.ends = {
            name: tuple(self._number(one) for one in (energies.spine_of(name).start, energies.spine_of(name).end))
            for name in energies.fields
        }
        self.fields = {name: self._along(name, given[name]) for name in energies.fields if name in given}
        self.numbers = {name: self._plain(name, given[name]) for name in energies.coordinates if name in given}
        self._settle()

    @property
    def shape(self) -> GivenShape:
        """As whoever integrates products of shapes takes it; what was not given is zero."""
        energies = self.energies
        still = dict.fromkeys((jet.label for jet in energies.generalized if not jet.end), 0.0)
        fields = {name: GivenField(self.ends[name], self.fields.get(name)) for name in energies.fields}
        return GivenShape(still | self.numbers, fields)

    def _number(self, f: Basic) -> float:
        return real(f.xreplace(self.known), "The shape")

    def _plain(self, name: str, given: Any) -> float:
        return self._number(text_or_expression(given, what=f"the shape of {name}").engine)

    def _along(self, name: str, given: Any) -> Along:
        if isinstance(given, FieldShape):
            return lambda x, derivative: np.real(given(x, derivative))
        if callable(given) and not hasattr(given, "engine"):
            domain = list(self.ends[name])
            fitted = np.polynomial.Chebyshev.interpolate(np.vectorize(given, otypes=[float]), 48, domain)
            return lambda x, derivative: np.asarray(fitted.deriv(derivative)(x) if derivative else fitted(x))
        read = text_or_expression(given, what=f"the shape of {name}", spine=True)
        carried = [one for one in read.declarations if isinstance(one, ParameterDeclaration)]
        own = {Symbol(one.name): exact(one.value) for one in carried if one.value is not None}
        tree = read.engine.xreplace({Symbol("x"): SPINE}).xreplace({**own, **self.known})
        left = sorted(one.name for one in tree.free_symbols - {SPINE})
        if left:
            raise FlexuraError(f"The shape of {name} holds {', '.join(left)}", advice="give it in x and numbers")

        def at(x: Array, derivative: int) -> Array:
            f = tree
            for _ in range(derivative):
                f = partial(f, SPINE)
            return np.asarray(machine_function([SPINE], [f + ZERO], backend="lambda")(x[:, None])).reshape(len(x))

        return at

    def _end(self, label: str) -> float:
        jet = self.energies.jets.find(Symbol(label))
        assert jet is not None
        along = self.fields.get(jet.name)
        return 0.0 if along is None else float(along(np.array([self.ends[jet.name][jet.end == "b"]]), jet.x)[0])

    def _settle(self) -> None:
        """Coordinates that are values at ends follow from fields; what holds the ends must be met."""
        boundary = {label: f.xreplace(self.known) for label, f in self.energies.settled_boundary.items()}
        for label, f in boundary.items():
            name = f.name if isinstance(f, symengine.Symbol) else ""
            if name in self.energies.coordinates and name not in self.numbers:
                self.numbers[name] = self._end(label)
        size = max([abs(one) for one in self.numbers.values()], default=0.0)
        for name, along in self.fields.items():
            size = max(size, float(np.abs(along(np.linspace(self.ends[name][0], self.ends[name][1], 33), 0)).max()))
        for label, f in boundary.items():
            at = {jet.symbol: exact(self._jet(jet)) for jet in self.energies.jets.unknowns(f)}
            held, mine = self._number(f.xreplace(at)), self._end(label)
            if abs(held - mine) > _FITS * max(size, abs(mine), abs(held)):
                raise FlexuraError(
                    f"The shape has {label} = {mine:.6g}, where the connections hold it at {held:.6g}",
                    advice="give a shape that meets what holds the ends; loads there it may miss",
                )

    def _jet(self, jet: Jet) -> float:
        return self._end(jet.label) if jet.end else self.numbers.get(jet.name, 0.0)

    def energies_of(self, f: Basic, spine: str) -> tuple[float, float]:
        """The quadratic parts of L without and with rates: -2 V and 2 T of the shape."""
        f = self.energies.settled(f).xreplace(self.known)
        jets = self.energies.jets.unknowns(f)
        x, weights = (np.zeros(1), np.ones(1)) if not spine else self._points(spine)
        columns = [self._column(jet, x) for jet in jets]
        function = machine_function([SPINE, *(jet.symbol for jet in jets)], [f + ZERO], backend="lambda")

        def at(sign: float, rated: bool) -> float:
            moved = [sign * one * (bool(jet.t) == rated) for jet, one in zip(jets, columns, strict=True)]
            table = np.ascontiguousarray(np.column_stack([x, *moved]))
            return float(weights @ np.asarray(function(table)).reshape(len(x)))

        rest = at(0.0, rated=False)
        still, moving = (at(1.0, rated) + at(-1.0, rated) - 2 * rest for rated in (False, True))
        return -still, moving

    def _points(self, spine: str) -> tuple[Array, Array]:
        start, end = self.ends[self.energies.spine_of(spine).fields[0]]
        edges = np.linspace(start, end, _PANELS + 1)
        half, middle = np.diff(edges) / 2, (edges[1:] + edges[:-1]) / 2
        return (middle[:, None] + half[:, None] * _X).ravel(), (half[:, None] * _WEIGHTS).ravel()

    def _column(self, jet: Jet, x: Array) -> Array:
        if jet.end or jet.name not in self.energies.fields:
            return np.full(len(x), self._jet(Jet(jet.name, jet.x, 0, jet.end)))
        along = self.fields.get(jet.name)
        return np.zeros(len(x)) if along is None else along(x, jet.x)

    def both(self) -> tuple[float, float]:
        """2 V and 2 T of the shape, moving at the frequency 1."""
        lines = [(self.energies.density.get(one.name, ZERO), one.name) for one in self.energies.spines]
        parts = [self.energies_of(f, spine) for f, spine in ((self.energies.rigid, ""), *lines)]
        return sum(one for one, _ in parts), sum(one for _, one in parts)
