"""Buckling: the value of a parameter at which a frequency first reaches zero, exactly.

    >>> load = fx.buckling(equations, "P", values={"EI": 50.0})
    >>> load, load.shape.w(0.5)                        # a number that knows its shape

With rates left out (they do no work at rest), the negative omega^2 are counted at growing values on both sides of a
start, until there is one; between the last two values the root of the lowest is found. Where loads have no potential
(a follower force), eigenvalues s are watched instead, and flutter is told apart from buckling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import chain
from typing import Any

import numpy as np
import scipy.optimize
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.derivation.equations.equations import Equations
from flexura.derivation.family import linear_in
from flexura.derivation.routes import small_equations_of
from flexura.errors import FlexuraError
from flexura.solve.exact.lines import LinearSystem
from flexura.solve.exact.reading import read_linear
from flexura.solve.exact.shapes import Shape
from flexura.solve.exact.undamped import count_negative, search_undamped
from flexura.solve.modes import modes
from flexura.solve.roots.found import Modes
from flexura.solve.sensitivity import slopes_of
from flexura.solve.values import numbers

Squares = NDArray[np.float64]
Eigenvalues = NDArray[np.complex128]
_MODES = 6
_REACH = 1e6  # from the first value tried to the last
_FAST, _SLOW = 1.5, 1.25  # from one value to the next; flutter may come and go between them
_GROWS = 1e-7  # of |s|: what counts as growing


@checked_methods
class Buckling(float):
    """The value at which a frequency reaches zero; `parameter` is its name, `shape` what the system buckles into."""

    parameter: str
    mode: int
    _solve: Callable[[], Modes]

    def __new__(cls, value: float, parameter: str, solve: Callable[[], Modes], mode: int) -> Buckling:
        """`solve` gives modes just before the value, of which number `mode` is the one that goes to zero."""
        made = super().__new__(cls, value)
        made.parameter, made.mode, made._solve = parameter, mode, solve
        return made

    @cached_property
    def modes(self) -> Modes:
        """The modes just before, of which number `mode` goes to zero; found when asked for."""
        return self._solve()

    @property
    def value(self) -> float:
        """The number itself."""
        return float(self)

    @property
    def shape(self) -> Shape:
        """The shape whose frequency is zero there."""
        return self.modes.shape(self.mode)

    def __repr__(self) -> str:
        return f"<buckling at {self.parameter} = {float(self):.10g}>"


def buckling(
    equations: Any,
    parameter: str,
    values: Mapping[str, Any] | None = None,
    between: tuple[float, float] | None = None,
) -> Buckling:
    """The value of `parameter`, nearest to the start, at which a frequency first reaches zero: a number with a shape.

    The start is 0, or the parameter's own value where there is no system at 0. `between=(a, b)` goes from a to b.
    """
    equations = linear_in(small_equations_of(equations), parameter, values)
    if parameter not in equations.lagrangian.parameters:
        known = ", ".join(equations.lagrangian.parameters)
        raise FlexuraError(f"There is no parameter {parameter!r} in the equations", advice=f"they hold {known}")
    search = _Search(equations, parameter, dict(values or {}))
    start, steps = search.steps(between, _FAST)
    if _static(search.system(steps[0])).conservative:
        return _Static(search, start).found(steps)
    return _Follower(search, start).found(search.steps(between, _SLOW)[1])


@dataclass(frozen=True)
class _Search:
    equations: Equations
    parameter: str
    given: Mapping[str, Any]
    _known: dict[float, Modes] = field(default_factory=dict)

    def values(self, value: float) -> dict[str, Any]:
        return {**self.given, self.parameter: value}

    def system(self, value: float) -> LinearSystem:
        return read_linear(self.equations, numbers(self.equations, self.values(value)))

    def modes(self, value: float) -> Modes:
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


def _static(system: LinearSystem) -> LinearSystem:
    """The same system without what belongs to rates: whether K is singular does not depend on it."""
    rigid = system.rigid.copy()
    rigid[1] = 0.0
    lines = []
    for line in system.lines:
        constant = line.constant.copy()
        constant[1] = 0.0
        lines.append(replace(line, constant=constant, varying=tuple(one for one in line.varying if one[0] != 1)))
    parts = tuple((power, one) for power, one in system.parts if power != 1)
    return replace(system, rigid=rigid, lines=tuple(lines), parts=parts)


class _Static:
    """Loads with a potential: how many omega^2 of the system without rates are negative, and the lowest of them."""

    def __init__(self, search: _Search, start: float) -> None:
        self.search, self.start = search, start
        self.free = int((self._squares(start, _MODES) == 0).sum())
        self._negative: dict[float, int] = {}
        self._lowest: dict[float, float] = {}
        self.stable = self.lowest(start) > 0

    def _squares(self, value: float, count: int) -> Squares:
        return search_undamped(_static(self.search.system(value)), count)

    def negative(self, value: float) -> int:
        """How many omega^2 are negative: far quicker than to find them."""
        if value not in self._negative:
            self._negative[value] = count_negative(_static(self.search.system(value)))
        return self._negative[value]

    def lowest(self, value: float) -> float:
        """The lowest omega^2; free motions stay out of it."""
        if value not in self._lowest:
            found = self._squares(value, self.free + 1)
            strained = found[found != 0]
            lowest = float(strained[0]) if len(strained) else np.inf
            self._lowest[value] = lowest if (found == 0).sum() <= self.free else 0.0
        return self._lowest[value]

    def found(self, steps: list[float]) -> Buckling:
        """The root of the first step that leads past one; past it already, the way back is looked for."""
        walk = _walk(self.start, steps, self.negative)
        for step in walk:
            if self._passes(step[1]):
                found = [self._buckling(*step)]
                other = next(walk, None)  # as far on the other side, where one may be nearer
                if other is not None and (other[1] > self.start) != (step[1] > self.start) and self._passes(other[1]):
                    found.append(self._buckling(*other))
                return min(found, key=lambda one: abs(one - self.start))
        raise FlexuraError(
            f"No frequency reaches zero {self.search.told(self.start, steps)}, so there is no buckling there",
            advice="see whether the load compresses a member (tension is positive), or give between=(a, b)",
        )

    def _passes(self, value: float) -> bool:
        return (self.negative(value) == 0) != self.stable and (self.lowest(value) > 0) != self.stable

    def _buckling(self, before: float, value: float) -> Buckling:
        low = before if (self.lowest(before) > 0) == self.stable else self.start
        root = _root(self.lowest, low, value)
        just_before = root + 1e-6 * ((low if self.stable else value) - root)
        return Buckling(root, self.search.parameter, partial(self.search.modes, just_before), self.free)


class _Follower:
    """Loads without a potential: where an eigenvalue first grows, and whether it does so without oscillating."""

    def __init__(self, search: _Search, start: float) -> None:
        self.search, self.start = search, start
        self.known: dict[float, Eigenvalues] = {}
        if self.growth(start) > _GROWS:
            raise FlexuraError(
                f"The system is unstable already at {search.parameter} = {start:g}, s = {self._worst(start):.6g}",
                advice="start from a stable value with between=(a, b)",
            )

    def _eigenvalues(self, value: float) -> Eigenvalues:
        if value not in self.known:
            self.known[value] = modes(self.search.equations, 3, self.search.values(value)).eigenvalues
        return self.known[value]

    def _worst(self, value: float) -> complex:
        s = self._eigenvalues(value)
        return complex(s[int(np.argmax(s.real / np.maximum(np.abs(s), 1e-300)))])

    def growth(self, value: float) -> float:
        """Re s / |s| of what grows most, or decays least."""
        s = self._worst(value)
        return s.real / max(abs(s), 1e-300)

    def found(self, steps: list[float]) -> Buckling:
        """Buckling, if that is what comes first; flutter is refused with its value."""
        for before, value in _walk(self.start, steps, self.growth):
            if self.growth(value) > _GROWS:
                return self._told_apart(before, value)
        raise FlexuraError(
            f"No eigenvalue grows {self.search.told(self.start, steps)}, so there is neither buckling nor flutter"
            " there",
            advice="see whether the load compresses a member, or give between=(a, b)",
        )

    def _told_apart(self, low: float, high: float) -> Buckling:
        s = self._worst(high)
        if s.imag:
            damped = abs(self.growth(low)) > _GROWS
            root = _root(self.growth if damped else self._meeting(s), low, high)
            raise FlexuraError(
                "The system does not buckle: before any frequency reaches zero it flutters, at"
                f" {self.search.parameter} = {root:.10g}, with a frequency of about {abs(s.imag):.4g} rad/s",
                advice="its load follows the motion, so ask fx.modes for the eigenvalues there",
            )
        root = _root(lambda value: float(np.real(self._eigenvalues(value)[0] ** 2)), low, high)
        return Buckling(root, self.search.parameter, partial(self.search.modes, root + 1e-6 * (low - root)), 0)

    def _meeting(self, near: complex) -> Callable[[float], float]:
        """Of two frequencies that meet: minus the square of half their distance; behind the meeting, Re s squared."""

        def square(value: float) -> float:
            s = self._worst(value)
            if s.real > _GROWS * abs(s):
                return s.real**2
            sizes = np.abs(self._eigenvalues(value))
            a, b = sizes[np.argsort(np.abs(sizes - abs(near)))[:2]]
            return -(float(a - b) ** 2) / 4

        return square


def _walk(start: float, steps: list[float], test: Callable[[float], float]) -> Iterator[tuple[float, float]]:
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


def _root(f: Callable[[float], float], low: float, high: float) -> float:
    if f(high) == 0:
        return high
    return float(scipy.optimize.brentq(f, low, high, xtol=1e-14 * max(abs(low), abs(high)), rtol=1e-14))
