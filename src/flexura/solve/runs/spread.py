"""Inputs along members as a system asks for them: at its Gauss points, with what jumps along x or is narrow in it.

    >>> along, breaks = text_along("f", tree, slot, 0.0, 10.0)        # along(t): values at slot.points

Text is analysed: its conditions are solved for the places where they change over, standing or moving with t, and loads
are integrated piece by piece. Functions are sampled: jumps are bisected, pieces made shorter until integrals agree.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.discretisation.separate import degree
from flexura.symbolic.engine import SPINE, TIME, ZERO, Basic, exact, partial
from flexura.symbolic.machine import machine_function
from flexura.systems.nonlinear import InputSlot
from flexura.systems.signals.breaks import breaks_along, crossings, zeros
from flexura.systems.signals.poles import refuse_poles
from flexura.systems.signals.projection import Projection
from flexura.systems.signals.resolution import resolved

Array = NDArray[np.float64]
Along = Callable[[Any], Array]
_PIECES = 4000  # nearly straight pieces along a member that are told apart
_IN_ELEMENT = 24  # of them, that the Gauss points of an element follow
_TOGETHER = 12  # of them, in a piece that is integrated by itself
_PLACES = 1025  # samples along a member
_PROBES = 33  # times at which functions are looked at along x
_PANELS = (1, 4, 16, 64, 256)
_AGREE = 1e-9


def evaluated(tree: Basic) -> Callable[[Any, Any], Array]:
    """A tree as a function of x and t, arrays of one shape or ones that go together."""
    made: list[Any] = []

    def function(x: Any, t: Any) -> Array:
        if not made:  # the engine's first compiler, because one tree does not pay for the other
            made.append(machine_function([SPINE, TIME], [tree], backend="lambda"))
        places, moments = np.broadcast_arrays(np.asarray(x, dtype=np.float64), np.asarray(t, dtype=np.float64))
        found = made[0](np.stack([places, moments], axis=-1).reshape(-1, 2))
        return np.asarray(found, dtype=np.float64).reshape(places.shape)

    return function


# ---- text


def text_along(tree: Basic, slot: InputSlot, start: float, end: float) -> Along:
    """Values at the points of a slot as a function of t, one time or many (a row for each)."""
    function, nodes = evaluated(tree), slot.nodes
    if nodes is None or slot.points is None:
        return lambda t: function(slot.points, np.asarray(t)[..., None])
    first, last = float(nodes[0]), float(nodes[-1])
    cuts = load_cuts(tree, nodes, start, end)
    moving = [_places(g, first, last) for g in _moving(tree)]
    projection = Projection.of(nodes, slot.points)
    if moving:
        return _of_moving(function, projection, moving, cuts)
    if not cuts:
        return lambda t: function(slot.points, np.asarray(t)[..., None])
    x, P = projection.fixed(cuts)
    return lambda t: np.asarray(function(x, np.asarray(t)[..., None]) @ P.T)


def load_cuts(
    tree: Basic, nodes: Array, start: float = 0.0, end: float = 0.0, together: int = _TOGETHER
) -> list[float]:
    """Where a load along elements is to be integrated piece by piece: at its jumps, and often where it is narrow.

    `together` nearly straight pieces are integrated as one.
    """
    first, last = float(nodes[0]), float(nodes[-1])
    jumps = breaks_along([tree], first, last)
    times = {TIME: (start, end)} if TIME in tree.free_symbols else {}
    edges, enough = resolved(tree, SPINE, first, last, jumps, times, _PIECES, floor=1e-13)
    if not enough:
        for t in (start, (start + end) / 2, end) if times else (start,):
            at_once = tree.xreplace({TIME: exact(t)})
            refuse_poles(
                at_once, f"the load {str(tree).replace('$x', 'x')} along the member", SPINE, first, last, jumps
            )
    inside = np.diff(np.searchsorted(edges, nodes))
    return sorted({*jumps, *(_coarser(edges, together) if inside.max(initial=0) > _IN_ELEMENT else ())})


def _coarser(edges: Array, together: int) -> list[float]:
    """Edges between groups of pieces, none longer than so many of its shortest piece."""
    found, shortest = [float(edges[0])], np.inf
    for low, high in pairwise(edges.tolist()):
        shortest = min(shortest, high - low)
        if high - found[-1] > together * shortest and low > found[-1]:
            found.append(low)
            shortest = high - low
    return found


def moving_breaks(tree: Basic, slot: InputSlot, start: float, end: float) -> list[float]:
    """Times at which what jumps along x comes onto the member, leaves it, or begins or ends inside it."""
    if slot.nodes is None:
        return []
    found: set[float] = set()
    for g in _moving(tree):
        for place in slot.nodes[[0, -1]]:
            at_end = g.xreplace({SPINE: symengine.RealDouble(float(place))})
            found.update(zeros(at_end, TIME, start, end) if at_end.free_symbols else ())
        met = _discriminant(g)
        found.update(zeros(met, TIME, start, end) if met is not None and met.free_symbols else ())
    return sorted(found)


def _moving(tree: Basic) -> list[Basic]:
    return [g for g in crossings([tree]) if g.free_symbols >= {SPINE, TIME}]


def _discriminant(g: Basic) -> Basic | None:
    if degree(g, [SPINE]) != 2:
        return None
    c, b, a = _coefficients(g, 2)
    return (b**2 - 4 * a * c).expand()


def _coefficients(g: Basic, highest: int) -> list[Basic]:
    """Of the powers of x."""
    found, factorial = [], 1
    for k in range(highest + 1):
        found.append((g.xreplace({SPINE: ZERO}) / factorial).expand())
        g, factorial = partial(g, SPINE), factorial * (k + 1)
    return found


def _places(g: Basic, first: float, last: float) -> Callable[[Array], Array]:
    """The zeros of g along x at times: (times, places), not numbers where there are fewer."""
    highest = degree(g, [SPINE])
    if highest is None or highest > 2:
        return _searched(evaluated(g), first, last)
    functions = [evaluated(c) for c in _coefficients(g, highest)]

    def places(t: Array) -> Array:
        c = [one(0.0, t) for one in functions]
        with np.errstate(all="ignore"):
            if len(c) == 2:
                return np.asarray(-c[0] / c[1])[:, None]
            root = np.sqrt(c[1] ** 2 - 4 * c[2] * c[0])
            larger = -(c[1] + np.where(c[1] < 0, -root, root)) / 2  # the one that does not cancel
            return np.stack([larger / c[2], c[0] / larger], axis=1)

    return places


def _searched(g: Callable[[Any, Any], Array], first: float, last: float) -> Callable[[Array], Array]:
    x = np.linspace(first, last, _PLACES)

    def places(t: Array) -> Array:
        signs = np.sign(g(x, t[:, None]))
        rows, cells = np.nonzero(signs[:, 1:] * signs[:, :-1] <= 0)
        low, high, before = x[cells], x[cells + 1], signs[rows, cells]
        for _ in range(50):
            middle = (low + high) / 2
            same = np.sign(g(middle, t[rows])) == before
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        counts = np.bincount(rows, minlength=len(t))
        found = np.full((len(t), max(int(counts.max(initial=0)), 1)), np.nan)
        found[rows, np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)] = high
        return found

    return places


def _of_moving(
    function: Callable[[Any, Any], Array],
    projection: Projection,
    moving: Sequence[Callable[[Array], Array]],
    cuts: Sequence[float],
) -> Along:
    def along(t: Any) -> Array:
        times = np.atleast_1d(np.asarray(t, dtype=np.float64))
        places = np.hstack([*(one(times) for one in moving), np.tile(cuts, (len(times), 1))])
        found = projection.moving(lambda x, part: function(x, times[part, None]), places)
        return found if np.ndim(t) else found[0]

    return along


# ---- functions


def function_along(
    value: Callable[[Array, float], Array], slot: InputSlot, start: float, end: float
) -> tuple[Along, float]:
    """The same of a function of (x, t), and by how much its integrals are known, of the largest.

    A function that is smooth along x is asked at the points themselves; of any other, jumps are searched for at every
    time, and pieces are as short as it takes.
    """
    nodes, points = slot.nodes, np.zeros(1) if slot.points is None else slot.points
    if nodes is None:
        return lambda t: _rows(lambda one: value(points, one), t), 0.0
    projection, probes = Projection.of(nodes, points), np.linspace(start, end, _PROBES)
    sampled = _Sampled(value, nodes)
    plain = np.array([value(points, float(t)) for t in probes])
    jumps = [sampled.jumps(float(t)) for t in probes]
    search, before = any(len(one) for one in jumps), None if any(len(one) for one in jumps) else plain
    for panels in _PANELS:
        cuts = np.linspace(nodes[0], nodes[-1], panels + 1)
        at = _panelled(value, sampled, projection, cuts, search)
        now = np.array([at(float(t)) for t in probes])
        if before is not None:
            size = np.abs(now).max(initial=0.0)
            error = float(np.abs(now - before).max(initial=0.0) / size) if size else 0.0
            if error <= _AGREE:
                break
        before = now
    if not search and panels == _PANELS[0]:
        return lambda t: _rows(lambda one: value(points, one), t), error
    return lambda t: _rows(at, t), error


def _panelled(
    value: Callable[[Array, float], Array], sampled: _Sampled, projection: Projection, cuts: Array, search: bool
) -> Callable[[float], Array]:
    fixed, P = projection.fixed(cuts.tolist())

    def at(t: float) -> Array:
        places = sampled.jumps(t) if search else ()
        if not len(places):
            return np.asarray(P @ value(fixed, t))
        row = np.concatenate([cuts, places])[None]
        return np.asarray(projection.moving(lambda x, part: value(x.ravel(), t).reshape(x.shape), row)[0])

    return at


def _rows(at: Callable[[float], Array], t: Any) -> Array:
    return np.array([at(float(one)) for one in t]) if np.ndim(t) else np.asarray(at(float(t)))


class _Sampled:
    """A function of (x, t) looked at along x."""

    def __init__(self, value: Callable[[Array, float], Array], nodes: Array) -> None:
        self.value, self.x = value, np.linspace(nodes[0], nodes[-1], _PLACES)

    def jumps(self, t: float) -> Array:
        """Where it jumps: halving an interval around a jump leaves the change as large as it was."""
        seen = self.value(self.x, t)
        changes = np.abs(np.diff(seen))
        size = np.abs(seen).max(initial=0.0)
        cells = np.flatnonzero(changes > 5 * np.median(changes) + 1e-6 * size)
        cells = cells[np.argsort(changes[cells])[-64:]]
        low, high, left, right = self.x[cells], self.x[cells + 1], seen[cells], seen[cells + 1]
        for _ in range(28):
            if not len(cells):
                break
            middle = (low + high) / 2
            between = self.value(middle, t)
            first = np.abs(between - left) >= np.abs(right - between)
            high, right = np.where(first, middle, high), np.where(first, between, right)
            low, left = np.where(first, low, middle), np.where(first, left, between)
            sharp = np.abs(right - left) >= 0.05 * changes[cells]
            cells = cells[sharp]
            low, high, left, right = (one[sharp] for one in (low, high, left, right))
        return np.sort(high)
