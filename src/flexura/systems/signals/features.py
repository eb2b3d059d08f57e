"""What drives a motion, as far as steps in time must know it: where it jumps, and how short its features are.

>>> seen = features(load, "The load on v4", 0.0, 10.0)
>>> seen.points(t)        # t, and as many times more as are needed to step over nothing

A function of time whose formula is known (`FormulaOfTime`) is bounded, and nothing of it is missed; any other can only
be looked at, and `notes` say how closely.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.symbolic.engine import TIME, Basic
from flexura.systems.signals.breaks import switches
from flexura.systems.signals.memory import refuse_memory
from flexura.systems.signals.poles import refuse_poles
from flexura.systems.signals.resolution import resolved
from flexura.systems.signals.scales import SAMPLES, Scales, look, many

Array = NDArray[np.float64]
_DEEPEST = 40  # halvings of an interval
_MOST = 20_000  # times that are added
_SAME = 1e-12  # of the run: times that near are one


@dataclass(frozen=True, eq=False)
class Features:
    """Edges of nearly straight pieces, one array for each thing that drives; times at which one jumps; notes."""

    edges: tuple[Array, ...] = ()
    breaks: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()

    def __add__(self, other: Features) -> Features:
        return Features(self.edges + other.edges, self.breaks + other.breaks, self.notes + other.notes)

    def points(self, t: Array, longest: float = np.inf) -> Array:
        """The times t with all jumps, and with more where features are shorter than the intervals between them.

        None of these is longer than `longest`, either.
        """
        near = _SAME * (t[-1] - t[0])
        inside = np.unique([one for one in self.breaks if t[0] < one < t[-1]])
        found = np.union1d(t, inside[_distance(inside, t) > near])
        scales = Scales.of(self.edges, longest)
        for _ in range(_DEEPEST):
            crowded = scales.crowded(found[:-1], found[1:])
            if not crowded.any():
                break
            if len(found) + crowded.sum() > len(t) + _MOST:
                raise FlexuraError(
                    f"What drives the motion changes so quickly that {_MOST} times more than those of t would not"
                    " follow it",
                    advice="ask for a shorter time, or for smoother loads and motions",
                )
            found = np.union1d(found, (found[:-1] + found[1:])[crowded] / 2)
        return np.asarray(found)


@dataclass(frozen=True, eq=False)
class FormulaOfTime:
    """A function of time, `call`, that is made of formulas in t."""

    call: Callable[..., Any]
    trees: tuple[Basic, ...]

    def __call__(self, t: float, *state: Any) -> Any:
        """Its value, whatever else there is besides t."""
        return self.call(t, *state)

    def features(self, start: float, end: float) -> Features:
        """Where its formulas switch, and pieces on which they are nearly straight, found by bounds."""
        trees = [one for one in self.trees if one.free_symbols]
        breaks = [switches([one], start, end) for one in trees]
        edges = [
            resolved_in_time(one, f"what drives the motion, {one},", start, end, at)
            for one, at in zip(trees, breaks, strict=True)
        ]
        return Features(tuple(edges), tuple(sorted({x for one in breaks for x in one})))


def resolved_in_time(tree: Basic, what: str, start: float, end: float, breaks: tuple[float, ...]) -> Array:
    """Edges of pieces of time on which a formula in t is nearly straight; refused where it goes to infinity."""
    edges, enough = resolved(tree, TIME, start, end, breaks)
    if not enough:
        refuse_poles(tree, what, TIME, start, end, breaks)
    return edges


def features(
    function: Any,
    what: str,
    start: float,
    end: float,
    samples: int = SAMPLES,
) -> Features:
    """Of any function of time; `what` it is stands in the note that tells how closely it was looked at."""
    own = getattr(function, "features", None)
    if own is not None:
        found: Features = own(start, end)
        return found
    refuse_memory(what, function, start, end)
    seen = look(many(function, lambda t: np.asarray(function(t), dtype=np.float64)), start, end, samples)
    return Features((seen.edges,), seen.jumps, (unseen(what, seen.finest),))


def unseen(what: str, finest: float) -> str:
    """What every function leaves in doubt."""
    return (
        f"{what} is a function, which was looked at every {finest:.2g} s: what is shorter may go unseen; name its times"
        " in breaks=, or give longest_step=."
    )


def together(all_of_them: Iterable[Features]) -> Features:
    """What several drive."""
    return sum(all_of_them, start=Features())


def jump(function: Callable[[float], Any], t: float, span: float) -> tuple[Array, Array] | None:
    """The values before and after t where a function jumps there: what is continuous changes less from nearer by."""
    sides = [[np.asarray(function(t + way * near * span), np.float64) for way in (-1, 1)] for near in (1e-9, 1e-10)]
    far, close = (float(np.abs(after - before).max()) for before, after in sides)
    size = max(float(np.abs(one).max()) for one in sides[1])
    return (sides[1][0], sides[1][1]) if close > max(far / 2, 1e-9 * size) else None


def _distance(x: Array, t: Array) -> Array:
    right = np.clip(np.searchsorted(t, x), 1, len(t) - 1)
    return np.asarray(np.minimum(np.abs(x - t[right - 1]), np.abs(t[right] - x)))
