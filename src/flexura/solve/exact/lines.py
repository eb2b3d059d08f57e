"""A linear system in numbers: its lines, what is not spread, and the same system with more joints.

>>> system.lines[0].coefficients(x), split(system)
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.systems.sizes import refuse_size

Array = NDArray[np.float64]
Function = Callable[[Array], Array]
Slot = tuple[int, int]  # (field, derivatives along x), or (-1, generalized coordinate)
POWERS = 3


@dataclass(frozen=True)
class Line:
    """One spine in numbers: a quadratic form in slots, with coefficients that may vary along x.

    `ends` gives the end values (all of end a, then of end b) as combinations of the generalized coordinates; `points`
    are values (coordinate, field, x) read inside the line. A line with `loads` enters in mixed form: from that place
    on, the loads at its end b are coordinates too.
    """

    name: str
    start: float
    end: float
    fields: tuple[str, ...]
    orders: tuple[int, ...]
    slots: tuple[Slot, ...]
    constant: Array
    varying: tuple[tuple[int, int, int, Function], ...]
    breaks: tuple[float, ...]
    ends: Array
    points: tuple[tuple[int, int, float], ...] = ()
    loads: int | None = None

    @property
    def uniform(self) -> bool:
        """The same at every x."""
        return not self.varying and not self.points

    @property
    def end_values(self) -> int:
        """How many values each end has."""
        return sum(self.orders)

    @property
    def coordinates(self) -> tuple[int, ...]:
        """The generalized coordinates that enter along the line."""
        return tuple(which for field, which in self.slots if field < 0)

    def coefficients(self, x: Array) -> dict[tuple[int, int, int], Array]:
        """(power of s, tested slot, tried slot) -> values at x, only what is not zero."""
        found = {(p, i, j): np.full(x.shape, self.constant[p, i, j]) for p, i, j in np.argwhere(self.constant)}
        for p, i, j, f in self.varying:
            found[p, i, j] = found.get((p, i, j), np.zeros(x.shape)) + f(x)
        return found


@dataclass(frozen=True)
class LinearSystem:
    """K + s C + s^2 M of what is not spread (`rigid`), the lines, and `independent`: coordinates = independent @ z.

    `parts` are contributions to `rigid` that belong to one spring or one body each, (power, matrix), where known. The
    last coordinates may be `multipliers` of conditions on rates and coordinates: s A_v + A_q their rows, A_v' columns.
    """

    names: tuple[str, ...]
    rigid: Array
    lines: tuple[Line, ...]
    independent: Array
    parts: tuple[tuple[int, Array], ...] = ()
    multipliers: int = 0

    def contributions(self, power: int) -> list[Array]:
        """What adds up to the rigid form of a power, part by part where that is known."""
        return [part for which, part in self.parts if which == power] if self.parts else [self.rigid[power]]

    @cached_property
    def conservative(self) -> bool:
        """No rate terms and no loads that have no potential: real frequencies, a symmetric D."""
        forms = [self.rigid, *(line.constant for line in self.lines)]
        still = not any(np.any(form[1]) for form in forms) and not any(
            p == 1 for one in self.lines for p, *_ in one.varying
        )
        return still and self.symmetric

    @cached_property
    def symmetric(self) -> bool:
        """What a motion does to another, the other does to it: no gyroscopic and no circulatory terms."""
        return all(map(_symmetric, self.rigid)) and all(map(symmetric_line, self.lines))


def split(system: LinearSystem, at: float = 0.4142135623) -> LinearSystem:
    """The same system with one more joint inside each line, whose values are coordinates too.

    The modes of a whole line with its ends held may lie within e^-(phase) of those of the system, where D is all pole;
    those of its two unequal parts do not.
    """
    extra = sum(line.end_values for line in system.lines)
    n = len(system.names)
    lines, first = [], n
    for line in system.lines:
        lines += halves(line, _beside_breaks(line, at), first, n + extra)
        first += line.end_values
    return replace(widened(system, tuple(f"joint {i}" for i in range(extra))), lines=tuple(lines))


def _beside_breaks(line: Line, at: float) -> float:
    """The place of a cut, moved to a break that is so near that a sliver would remain between them."""
    places = [(x - line.start) / (line.end - line.start) for x in line.breaks]
    nearest = min(places, key=lambda x: abs(x - at), default=at)
    return nearest if abs(nearest - at) < 0.05 else at


def widened(system: LinearSystem, names: tuple[str, ...]) -> LinearSystem:
    """The same system with more coordinates, which nothing holds yet."""
    n, m, extra = len(system.names), system.independent.shape[1], len(names)
    rigid = np.zeros((POWERS, n + extra, n + extra))
    rigid[:, :n, :n] = system.rigid
    independent = np.zeros((n + extra, m + extra))
    independent[:n, :m], independent[n:, m:] = system.independent, np.eye(extra)
    lines = tuple(replace(one, ends=np.hstack([one.ends, np.zeros((len(one.ends), extra))])) for one in system.lines)
    return LinearSystem((*system.names, *names), rigid, lines, independent, multipliers=system.multipliers)


def with_loads(system: LinearSystem, which: Collection[int], kept: int = 0) -> LinearSystem:
    """The same system with some lines in mixed form; the new coordinates stand before the last `kept`."""
    n, extra = len(system.names), sum(system.lines[i].end_values for i in which)
    old = np.concatenate([np.arange(n - kept), np.arange(n - kept, n) + extra])
    m = system.independent.shape[1]
    columns = np.concatenate([np.arange(m - kept), np.arange(m - kept, m) + extra])
    rigid, independent = np.zeros((POWERS, n + extra, n + extra)), np.zeros((n + extra, m + extra))
    rigid[:, old[:, None], old] = system.rigid
    independent[old[:, None], columns] = system.independent
    independent[n - kept + np.arange(extra), m - kept + np.arange(extra)] = 1.0
    lines, first = [], n - kept
    for i, line in enumerate(system.lines):
        ends = np.zeros((len(line.ends), n + extra))
        ends[:, old] = line.ends
        slots = tuple((f, int(old[x])) if f < 0 else (f, x) for f, x in line.slots)
        points = tuple((int(old[place]), field, x) for place, field, x in line.points)
        lines.append(replace(line, ends=ends, slots=slots, points=points, loads=first if i in which else None))
        first += line.end_values if i in which else 0
    names = (*system.names[: n - kept], *(f"load {i}" for i in range(extra)), *system.names[n - kept :])
    return LinearSystem(names, rigid, tuple(lines), independent, multipliers=system.multipliers)


def halves(line: Line, at: float, first: int, n: int) -> list[Line]:
    """A line cut in two; the values at the cut are the coordinates from `first` on, of `n` in all."""
    e = line.end_values
    if e == 0 or line.points:
        return [replace(line, ends=np.hstack([line.ends, np.zeros((2 * e, n - line.ends.shape[1]))]))]
    ends = np.zeros((3 * e, n))
    ends[:e, : line.ends.shape[1]], ends[2 * e :, : line.ends.shape[1]] = line.ends[:e], line.ends[e:]
    ends[e : 2 * e, first : first + e] = np.eye(e)
    middle = line.start + at * (line.end - line.start)
    return [
        replace(line, end=middle, ends=ends[: 2 * e], breaks=tuple(x for x in line.breaks if x < middle)),
        replace(line, start=middle, ends=ends[e:], breaks=tuple(x for x in line.breaks if x > middle)),
    ]


def symmetric_line(line: Line) -> bool:
    """What a motion of the line does to another, the other does to it."""
    if not all(map(_symmetric, line.constant)):
        return False
    if not line.varying:
        return True
    x = line.start + (line.end - line.start) * np.array([0.1234, 0.5, 0.789, 0.95])
    found = line.coefficients(x)
    return all(
        np.allclose(c, found.get((p, j, i), np.zeros(x.shape)), rtol=1e-12, atol=0) for (p, i, j), c in found.items()
    )


def _symmetric(matrix: Array) -> bool:
    return np.array_equal(matrix, matrix.T) or bool(np.allclose(matrix, matrix.T, rtol=1e-12, atol=0))


def refuse_sizes(system: LinearSystem) -> None:
    """Refuse numbers whose squares and products have no place among floating-point numbers."""
    for line in system.lines:
        length = line.end - line.start
        x = line.start + length * np.array([0.0, 0.25, 0.5, 0.75, 1.0])
        for (_, i, j), values in line.coefficients(x).items():
            order = sum(which for field, which in (line.slots[i], line.slots[j]) if field >= 0)
            with np.errstate(over="ignore"):
                refuse_size(np.abs(values).max() * np.float64(length) ** (1 - order), f"the line of {line.name}")
    for form in system.rigid:
        for k in np.flatnonzero(np.abs(form).max(axis=1, initial=0.0)):
            refuse_size(np.abs(form[k]).max(), f"the equation of {system.names[k]}")
