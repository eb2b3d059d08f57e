"""Where a question is asked: the full grid of some values, a Latin hypercube, or random points.

>>> points_of({"EI": [40, 50, 60], "m": [1, 2]}).each          # 6 points, the last name fastest
>>> fx.LatinHypercube({"EI": (40, 60), "m": (1, 2)}, count=100)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError

_MOST = 10_000_000


@runtime_checkable
class Sampler(Protocol):
    """Anything that draws points: `points()` gives one mapping of names to numbers for each."""

    def points(self) -> list[dict[str, Any]]:
        """The points, the same at every call."""


@checked_methods
@dataclass(frozen=True)
class LatinHypercube:
    """`count` points in the box of `ranges` {name: (low, high)}: each range cut into `count` parts, each part once."""

    ranges: Mapping[str, tuple[float, float]]
    count: int
    seed: int = 0

    def points(self) -> list[dict[str, Any]]:
        """The same points for the same seed."""
        low, high = _box(self.ranges, self.count)
        draw = np.random.default_rng(self.seed)
        places = np.array([draw.permutation(self.count) for _ in low]).T + draw.uniform(size=(self.count, len(low)))
        return _named(self.ranges, low + (high - low) * places / self.count)


@checked_methods
@dataclass(frozen=True)
class RandomSamples:
    """`count` random points, each name uniform in its range (low, high), independent of the others."""

    ranges: Mapping[str, tuple[float, float]]
    count: int
    seed: int = 0

    def points(self) -> list[dict[str, Any]]:
        """The same points for the same seed."""
        low, high = _box(self.ranges, self.count)
        draw = np.random.default_rng(self.seed)
        return _named(self.ranges, low + (high - low) * draw.uniform(size=(self.count, len(low))))


@dataclass(frozen=True, eq=False)
class Points:
    """All points in order; `grid` are the values by name where they are a full grid."""

    names: tuple[str, ...]
    each: list[dict[str, Any]]
    grid: dict[str, list[Any]] | None

    @property
    def shape(self) -> tuple[int, ...]:
        """How answers are arranged: along each name of a grid, else one after the other."""
        return tuple(len(one) for one in self.grid.values()) if self.grid is not None else (len(self.each),)


def points_of(over: Any) -> Points:
    """The points of a grid {name: values}, of a sampler, or of a list of points."""
    if isinstance(over, Mapping):
        return _grid(over)
    each = over.points() if isinstance(over, Sampler) else over
    if not isinstance(each, Iterable) or isinstance(each, str | bytes):
        raise _unknown(over)
    found = list(each)
    if not all(isinstance(one, Mapping) for one in found):
        raise _unknown(over)
    names = tuple(map(str, found[0])) if found else ()
    different = next((i for i, one in enumerate(found) if set(map(str, one)) != set(names)), None)
    if different is not None:
        raise FlexuraError(
            f"Point {different} of the sweep gives {', '.join(map(str, found[different])) or 'nothing'}, and the first"
            f" gives {', '.join(names)}",
            advice="give the same names at every point",
        )
    return Points(names, [{name: _plain(one[name]) for name in names} for one in found], None)


def _unknown(over: Any) -> FlexuraError:
    return FlexuraError(
        f"over is a {type(over).__name__}",
        advice="give {name: values}, fx.LatinHypercube(...), fx.RandomSamples(...), or a list of points {name: value}",
    )


def _grid(over: Mapping[Any, Any]) -> Points:
    grid = {str(name): _values(str(name), values) for name, values in over.items()}
    count = int(np.prod([float(len(one)) for one in grid.values()])) if grid else 1
    if count > _MOST:
        raise FlexuraError(f"The grid has {count:.3g} points", advice="take fewer values, or fx.LatinHypercube(...)")
    each: list[dict[str, Any]] = [{}]
    for name, values in grid.items():
        each = [{**point, name: value} for point in each for value in values]
    return Points(tuple(grid), each, grid)


def _values(name: str, values: Any) -> list[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        values = [values]
    found = [_plain(one) for one in values]
    if not found:
        raise FlexuraError(f"The sweep has no values for {name}", advice="give at least one")
    return found


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's: they are written and compared alike."""
    return value.item() if isinstance(value, np.generic) else value


def _box(ranges: Any, count: int) -> tuple[Any, Any]:
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise FlexuraError(f"count is {count!r}", advice="give a whole number of points, 1 or more")
    try:
        box = np.array([[float(low), float(high)] for low, high in dict(ranges).values()]).reshape(-1, 2)
    except (TypeError, ValueError):
        raise FlexuraError(f"ranges is {ranges!r}", advice="give {name: (low, high)}") from None
    if not np.all(np.isfinite(box)) or np.any(box[:, 0] > box[:, 1]):
        raise FlexuraError("A range does not run from a lower to a higher number", advice="give {name: (low, high)}")
    return box[:, 0], box[:, 1]


def _named(ranges: Mapping[str, Any], rows: Any) -> list[dict[str, Any]]:
    return [dict(zip(ranges, map(float, row), strict=True)) for row in rows]
