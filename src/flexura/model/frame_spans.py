"""Nodes as places in space, and the members between them: how long, how turned; numbers and names alike."""

from __future__ import annotations

import bisect
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import symengine

from flexura.errors import FlexuraError
from flexura.symbolic.engine import ZERO, Basic, Symbol, exact
from flexura.symbolic.expression import Declaration, Expression
from flexura.symbolic.kinematics.motion import Turn
from flexura.symbolic.kinematics.vectors import EX, EY, EZ, Vector, dot, subtract, tame
from flexura.symbolic.near import CLOSED, Near
from flexura.symbolic.quantities import quantity

_ROUNDED = 1e-12


@dataclass(frozen=True)
class Span:
    """From one node to another: the length as a member takes it, and the turns from ground's axes to the member's."""

    length: Any
    turns: tuple[Turn, ...]
    numbers: tuple[float, ...]

    @property
    def size(self) -> float:
        """The length as a number; names without a value stand for numbers near one."""
        return math.hypot(*self.numbers)


class Spots:
    """Where nodes are."""

    def __init__(self, nodes: Mapping[Any, Sequence[Any]]) -> None:
        """`nodes` are (x, y), or all of them (x, y, z)."""
        read = {name: self._read(name, given) for name, given in nodes.items()}
        sizes = {name: len(one) for name, one in read.items()}
        if len(set(sizes.values())) > 1:
            planar, spatial = (next(name for name, n in sizes.items() if n == size) for size in (2, 3))
            raise FlexuraError(
                f"The node {planar} has two coordinates and the node {spatial} has three",
                advice="give all of them as many",
            )
        self.spatial = 3 in sizes.values()
        self.declared: frozenset[Declaration] = frozenset().union(*(o.declarations for p in read.values() for o in p))
        self.at: dict[Any, Vector] = {
            name: (one[0].engine, one[1].engine, one[2].engine if self.spatial else ZERO) for name, one in read.items()
        }
        self.near = Near(Near.carried(self.declared))
        self._lengths: list[float] = []
        self.numbers = {name: tuple(map(self._number, point)) for name, point in self.at.items()}
        self._refuse_coincident()

    @staticmethod
    def _read(name: Any, given: Any) -> list[Expression]:
        point = given.tolist() if hasattr(given, "tolist") else given
        if not isinstance(point, tuple | list) or len(point) not in (2, 3):
            raise FlexuraError(f"The node {name} is at {given!r}", advice="give its place as (x, y) or (x, y, z)")
        found = []
        for key, value in zip("xyz", point, strict=False):
            read = quantity(value, key, f"node {name}", dimension="m")
            own = Symbol(re.sub(r"\W", "_", f"{key}_node {name}"))  # a bare number stays one
            known = Near.carried(read.declarations).get(own) if read.engine == own else None
            found.append(read if known is None else Expression(exact(known)))
        return found

    def _number(self, f: Basic) -> float:
        samples = self.near.at(f)
        if samples is None:
            raise FlexuraError(f"The coordinate {f} of a node has no real value", advice="check it")
        return samples[0]

    def _refuse_coincident(self) -> None:
        """Sorted along x, so that only neighbours are compared."""
        size = max((abs(one) for point in self.numbers.values() for one in point), default=0.0)
        near, names = CLOSED * size, sorted(self.numbers, key=lambda name: self.numbers[name])
        for i, name in enumerate(names):
            for other in names[i + 1 :]:
                if self.numbers[other][0] - self.numbers[name][0] > near:
                    break
                if math.dist(self.numbers[name], self.numbers[other]) <= near and self._together(name, other):
                    raise FlexuraError(
                        f"The nodes {name} and {other} are at the same place",
                        advice="leave one of them out, or move it",
                    )

    def _together(self, a: Any, b: Any) -> bool:
        gap = subtract(self.at[a], self.at[b])
        return all(self.near.cancels(one, [*self.at[a], *self.at[b]]) for one in gap)

    def span(self, a: Any, b: Any, roll: Any = 0) -> Span:
        """From node a to node b, in the plane about z, in space with y as near to ground's y as can be, then rolled."""
        d = subtract(self.at[b], self.at[a])
        numbers = tuple(map(self._number, d))
        if not self.spatial:
            return Span(self._length(d), ((EZ, self._angle(d[1], d[0])),), numbers)
        level = self._length((d[0], ZERO, d[2]))
        upright = self._is_zero(level.engine, d)
        about_y = ZERO if upright else self._angle(-d[2], d[0])
        about_z = self._angle(d[1], ZERO if upright else level.engine)
        rolled = quantity(roll, "roll", "a member", dimension="rad").engine if isinstance(roll, str) else exact(roll)
        return Span(self._length(d), ((EY, about_y), (EZ, about_z), (EX, tame(rolled))), numbers)

    def _is_zero(self, f: Basic, beside: Vector) -> bool:
        return f == 0 or self.near.cancels(f, list(beside))

    def _length(self, d: Vector) -> Expression:
        """Without a root where the components are in fixed proportions."""
        parts = [one for one in d if not self._is_zero(one, d)]
        if not parts:
            return Expression(ZERO)
        if not any(one.free_symbols for one in parts):
            return Expression(exact(self._alike(math.hypot(*map(self._number, parts)))))
        first = parts[0] if self._number(parts[0]) > 0 else -parts[0]
        ratios = [(one / first).expand() for one in parts[1:]]
        if any(one.free_symbols for one in ratios):
            return Expression(symengine.sqrt(dot(d, d)), self.declared)
        squares = symengine.Add(exact(1), *(one**2 for one in ratios))
        return Expression((first * symengine.sqrt(squares)).expand(), self.declared)

    def _alike(self, length: float) -> float:
        """Members that are equally long but for the rounding of coordinates are taken as equally long."""
        i = bisect.bisect_left(self._lengths, length)
        for known in self._lengths[max(0, i - 1) : i + 1]:
            if math.isclose(known, length, rel_tol=_ROUNDED):
                return known
        self._lengths.insert(i, length)
        return length

    def _angle(self, y: Basic, x: Basic) -> Basic:
        sine, cosine = self._number(y), self._number(x)
        size = math.hypot(sine, cosine)
        if abs(sine) <= CLOSED * size or abs(cosine) <= CLOSED * size:
            return symengine.pi * exact(round(math.atan2(sine, cosine) / (math.pi / 2))) / 2
        ratio = (y / x).expand()
        return symengine.atan2(y, x) if ratio.free_symbols else tame(exact(math.atan2(sine, cosine)))
