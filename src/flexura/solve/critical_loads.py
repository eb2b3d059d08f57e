"""Loads at which a system becomes unstable, searched for from a start on: what fx.buckling and fx.flutter share.

>>> search = Search(equations, "P", values)
>>> start, steps = search.steps(None, growth=1.25)
>>> Followed(search, start).first(steps)          # where an eigenvalue first grows, and which
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import scipy.optimize
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.family import linear_in
from flexura.derivation.routes import small_equations_of
from flexura.errors import FlexuraError
from flexura.solve.exact.lines import LinearSystem
from flexura.solve.exact.reading import read_linear
from flexura.solve.modes import modes
from flexura.solve.roots.found import Modes
from flexura.solve.sensitivity import slopes_of
from flexura.solve.values import numbers

Eigenvalues = NDArray[np.complex128]
SLOW = 1.25  # from one value to the next; flutter may come and go between them
GROWS = 1e-7  # of |s|: what counts as growing
_MODES = 6
_REACH = 1e6  # from the first value tried to the last


@dataclass(frozen=True)
class Search:
    """One parameter of linear equations, and what is known at its values."""

    equations: Equations
    parameter: str
    given: Mapping[str, Any]
    _known: dict[float, Modes] = field(default_factory=dict)

    @classmethod
    def of(cls, equations: Any, parameter: str, values: Mapping[str, Any] | None) -> Search:
        """Of whatever can be derived."""
        linear = linear_in(small_equations_of(equations), parameter, values)
        if parameter not in linear.lagrangian.parameters:
            known = ", ".join(linear.lagrangian.parameters)
            raise FlexuraError(f"There is no parameter {parameter!r} in the equations", advice=f"they hold {known}")
        return cls(linear, parameter, dict(values or {}))

    def values(self, value: float) -> dict[str, Any]:
        """The user's, with the parameter at this value."""
        return {**self.given, self.parameter: value}

    def system(self, value: float) -> LinearSystem:
        """The equations in numbers."""
        return read_linear(self.equations, numbers(self.equations, self.values(value)))

    def modes(self, value: float) -> Modes:
        """The first modes."""
        if value not in self._known:
            self._known[value] = modes(self.equations, _MODES, self.values(value))
        return self._known[value]

    def steps(self, between: tuple[float, float] | None, growth: float) -> tuple[float, list[float]]:
        """Where to start, and the values to try, the nearest first."""
        powers = growth ** np.arange(np.ceil(np.log(_REACH) / np.log(growth)))
        if between is not None:
            a, b = map(float, between)
            return a, list(map(float, np.linspace(a, b, len(powers))[1:]))
        start = self._start()
        far = powers[1:]
        sides = (start * far, start / far) if start else (self._reach * powers, -self._reach * powers)
        return start, list(chain.from_iterable(zip(*(map(float, side) for side in sides), strict=True)))

    def _start(self) -> float:
        numbers(self.equations, self.values(0.0))  # what else is missing says so itself
        try:
            if len(self.modes(0.0)):
                return 0.0
        except FlexuraError:
            pass
        if self.parameter in {**self.equations.values, **self.given}:
            return numbers(self.equations, self.given)[self.parameter]
        raise FlexuraError(
            f"With {self.parameter} = 0 there is no system to start from",
            advice=f"give values={{{self.parameter!r}: ...}}, a value at which it stands, or between=(a, b)",
        )

    @cached_property
    def _reach(self) -> float:
        """Half of the way to where the slopes of the first omega^2 point; 1e-3 where they say nothing."""
        found, known = self.modes(0.0), numbers(self.equations, self.values(0.0))
        few = int((found.frequencies == 0).sum()) + 2
        slopes = slopes_of(self.equations, known, [self.parameter], found, few)
        with np.errstate(divide="ignore", invalid="ignore"):
            reach = np.abs(slopes.eigenvalues / (2 * slopes.eigenvalue_slopes[self.parameter]))
        near = reach[np.isfinite(reach) & (reach > 1e-9) & (reach < 1e15)]
        return float(near.min() / 2) if len(near) else 1e-3

    def told(self, start: float, reached: list[float]) -> str:
        """The values that were tried, in words."""
        low, high = min([start, *reached]), max([start, *reached])
        return f"for {self.parameter} from {low:.4g} to {high:.4g}"


class Unstable(NamedTuple):
    """Where an eigenvalue first grows: stable up to `value`, with `s` just beyond it."""

    value: float
    s: complex


class Followed:
    """The eigenvalues over a parameter: where one first grows, and whether it does so without oscillating."""

    def __init__(self, search: Search, start: float, count: int = 3) -> None:
        self.search, self.start, self.count = search, start, count
        self.known: dict[float, Eigenvalues] = {}
        if self.growth(start) > GROWS:
            raise FlexuraError(
                f"The system is unstable already at {search.parameter} = {start:g}, s = {self._worst(start):.6g}",
                advice="start from a stable value with between=(a, b)",
            )

    def _eigenvalues(self, value: float) -> Eigenvalues:
        if value not in self.known:
            self.known[value] = modes(self.search.equations, self.count, self.search.values(value)).eigenvalues
        return self.known[value]

    def _worst(self, value: float) -> complex:
        s = self._eigenvalues(value)
        return complex(s[int(np.argmax(s.real / np.maximum(np.abs(s), 1e-300)))])

    def growth(self, value: float) -> float:
        """Re s / |s| of what grows most, or decays least."""
        s = self._worst(value)
        return s.real / max(abs(s), 1e-300)

    def first(self, steps: list[float]) -> Unstable:
        """The first value beyond which one grows; `s.imag` is 0 where it does so without oscillating."""
        for before, value in walk(self.start, steps, self.growth):
            if self.growth(value) > GROWS:
                return self._between(before, value)
        raise FlexuraError(
            f"No eigenvalue grows {self.search.told(self.start, steps)}, so there is neither buckling nor flutter"
            " there",
            advice="see whether the load compresses a member, or give between=(a, b)",
        )

    def _between(self, low: float, high: float) -> Unstable:
        s = self._worst(high)
        if not s.imag:
            return Unstable(root(lambda value: float(np.real(self._eigenvalues(value)[0] ** 2)), low, high), s)
        damped = abs(self.growth(low)) > GROWS
        return Unstable(root(self.growth if damped else self._meeting(s), low, high), s)

    def _meeting(self, near: complex) -> Callable[[float], float]:
        """Of two frequencies that meet: minus the square of half their distance; behind the meeting, Re s squared."""

        def square(value: float) -> float:
            s = self._worst(value)
            if s.real > GROWS * abs(s):
                return s.real**2
            sizes = np.abs(self._eigenvalues(value))
            a, b = sizes[np.argsort(np.abs(sizes - abs(near)))[:2]]
            return -(float(a - b) ** 2) / 4

        return square


def walk(start: float, steps: list[float], test: Callable[[float], float]) -> Iterator[tuple[float, float]]:
    """(last value on that side, next value) in order; a side ends where there is no system any more."""
    last = dict.fromkeys((False, True), start)
    for value in steps:
        side = value > start
        if side not in last:
            continue
        try:
            test(value)
        except FlexuraError:
            del last[side]
            continue
        yield last[side], value
        last[side] = value


def root(f: Callable[[float], float], low: float, high: float) -> float:
    """Where a function passes zero between two values, to its last digits."""
    if f(high) == 0:
        return high
    return float(scipy.optimize.brentq(f, low, high, xtol=1e-14 * max(abs(low), abs(high)), rtol=1e-14))
