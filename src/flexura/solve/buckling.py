"""Buckling: the value of a parameter at which a frequency first reaches zero, exactly.

    >>> load = fx.buckling(equations, "P", values={"EI": 50.0})
    >>> load, load.shape.w(0.5)                        # a number that knows its shape

With rates left out (they do no work at rest), the negative omega^2 are counted at growing values on both sides of a
start, until there is one; between the last two values the root of the lowest is found. Where loads have no potential
(a follower force), eigenvalues s are watched instead, and flutter is told apart from buckling.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.display import Displayed, Table
from flexura.errors import FlexuraError
from flexura.solve.critical_loads import SLOW, Followed, Search, root, walk
from flexura.solve.exact.lines import LinearSystem
from flexura.solve.exact.shapes import Shape
from flexura.solve.exact.undamped import count_negative, search_undamped
from flexura.solve.roots.found import Modes

Squares = NDArray[np.float64]
_MODES = 6
_FAST = 1.5  # from one value to the next


@checked_methods
class Buckling(Displayed, float):
    """The value at which a frequency reaches zero; `parameter` is its name, `shape` what the system buckles into."""

    parameter: str
    mode: int
    _solve: Callable[[], Modes]

    def __new__(cls, value: float, parameter: str, solve: Callable[[], Modes], mode: int) -> Buckling:
        """`solve` gives modes just before the value, of which number `mode` is the one that goes to zero."""
        made = super().__new__(cls, value)
        made.parameter, made.mode, made._solve = parameter, mode, solve
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Buckling, (float(self), self.parameter, self._solve, self.mode)

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

    @property
    def is_drawn(self) -> bool:
        """The shape it buckles into."""
        return True

    def summary(self) -> str:
        """Where."""
        return f"at {self.parameter} = {float(self):.10g}"

    def told(self) -> Iterator[Table | str]:
        """The value, and the frequencies just before it."""
        yield f"A frequency reaches zero {self.summary()}."
        omega = self.modes.frequencies
        yield Table(("mode just before", "rad/s"), [(str(k + 1), f"{one:.8g}") for k, one in enumerate(omega)])

    def __repr__(self) -> str:
        return f"<buckling at {self.parameter} = {float(self):.10g}>"


def buckling(
    equations: Any,
    parameter: str,
    values: Mapping[str, Any] | None = None,
    between: tuple[float, float] | None = None,
) -> Buckling:
    """The value of `parameter`, nearest to the start, at which a frequency first reaches zero: a number with a shape.

    Arguments:
        `equations`: a model or equations; `parameter`: the name of one of its parameters.
        `values`: numbers for parameters without one.
        `between`: (a, b) goes from a to b; else the start is 0, or the parameter's own value where there is no system
            at 0.
    Returns fx.Buckling, a float, with `.shape`, what the system buckles into, and `.modes` just before.

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3, axial_force="-P")
    >>> load = fx.buckling(fx.Model(fx.Pin(fx.ground, beam.start), fx.Roller(fx.ground, beam.end)), "P")
    >>> round(load / (3.141592653589793**2 * 50.0 / 1.3**2), 9)
    1.0
    """
    search = Search.of(equations, parameter, values)
    start, steps = search.steps(between, _FAST)
    if _static(search.system(steps[0])).conservative:
        return _Static(search, start).found(steps)
    value, s = Followed(search, start).first(search.steps(between, SLOW)[1])
    if s.imag:
        raise FlexuraError(
            f"The system does not buckle: before any frequency reaches zero it flutters, at {parameter} = {value:.10g},"
            f" with a frequency of about {abs(s.imag):.4g} rad/s",
            advice="its load follows the motion, so ask fx.flutter for what it does there",
        )
    return Buckling(value, parameter, partial(search.modes, value + 1e-6 * (start - value)), 0)


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

    def __init__(self, search: Search, start: float) -> None:
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
        steps_out = walk(self.start, steps, self.negative)
        for step in steps_out:
            if self._passes(step[1]):
                found = [self._buckling(*step)]
                other = next(steps_out, None)  # as far on the other side, where one may be nearer
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
        load = root(self.lowest, low, value)
        just_before = load + 1e-6 * ((low if self.stable else value) - load)
        return Buckling(load, self.search.parameter, partial(self.search.modes, just_before), self.free)
