"""Bodies that ride on members, in numbers: where they stand, and what the conditions of their motion hold.

>>> law = read_ride(reader_tree, "s", laws, slots, system)

A body stays on the deflected axis, w(p, t) - y = 0, and turns with the section, w_x(p, t) - theta = 0. The place p is
a function of time or a coordinate; the rates hold the convective terms, w_t + p_t w_x, and so do the accelerations.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.polynomial.legendre import leggauss, legvander
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.symbolic.engine import TIME, ZERO, Basic, partial, symbol_name
from flexura.symbolic.machine import machine_function
from flexura.systems.nonlinear import FieldMap, InputSlot, NonlinearSystem
from flexura.systems.signals.travelling import legendre, unit_couple, unit_load

Array = NDArray[np.float64]
_AT_END = 1e-10  # of the length of a member: as near as that is at its end


@dataclass(frozen=True, eq=False)
class Riding:
    """Where a body rides, and how its reactions act.

    `rows` are the shapes of what it follows, and their slopes, at one place, `tables` at many (places, derivatives,
    unknowns); `given` is the place with its rates at many times, where that is no coordinate.
    """

    where: Callable[[float, Array, Array], tuple[float, float, float]]
    own: int | None
    reach: tuple[float, float]
    pushed: InputSlot | None
    unit: InputSlot | None
    couple: bool
    rows: Callable[[float], tuple[Array, ...]]
    tables: Callable[[Array], Array]
    given: Callable[[Array], Array] | None

    def on_member(self, t: float, q: Array, v: Array) -> bool:
        """Whether it is there: beyond the ends it has left the member."""
        low, high = self.reach
        p, rate, _ = self.where(t, q, v)
        if self.own is None:
            return low <= p <= high
        near = _AT_END * (high - low)
        return (
            low - near <= p <= high + near and not (p > high - near and rate > 0) and not (p < low + near and rate < 0)
        )

    def path(self, t: Array, q: Array, v: Array) -> tuple[Array, Array, Array]:
        """The place, its rate, and what of the next rate no coordinate says, at many states."""
        if self.own is not None:
            return q[:, self.own], v[:, self.own], np.zeros(len(q))
        assert self.given is not None
        p, rate, more = self.given(t).T
        return p, rate, more

    def within(self, t: float, q: Array, v: Array) -> float:
        """How far from the nearer end; negative beyond."""
        p = self.where(t, q, v)[0]
        return min(p - self.reach[0], self.reach[1] - p)

    def motion(self, across: int, t: float, q: Array, v: Array) -> tuple[float, Array, float, float]:
        """s, A, b, c of the condition: s_t = A v + b, s_tt = A a + c."""
        p, rate, more = self.where(t, q, v)
        w, slope, bend = self.rows(min(max(p, self.reach[0]), self.reach[1]))[self.couple :][:3]
        A, steep = w.copy(), float(slope @ q)
        A[across] -= 1.0
        s = float(A @ q)
        c = float(2 * rate * (slope @ v) + rate**2 * (bend @ q) + more * steep)
        if self.own is None:
            return s, A, rate * steep, c
        A[self.own] += steep
        return s, A, 0.0, c

    def followed(self, t: float, q: Array, v: Array) -> tuple[float, float]:
        """What the body follows, and its rate."""
        p, rate, _ = self.where(t, q, v)
        value, slope = self.rows(min(max(p, self.reach[0]), self.reach[1]))[self.couple :][:2]
        return float(value @ q), float(value @ v) + rate * float(slope @ q)

    def spread(self, t: float, q: Array, v: Array, force: float, found: Array) -> None:
        """What a reaction is along the member, added to its input; and where it acts, if that is a coordinate."""
        p = self.where(t, q, v)[0]
        if self.pushed is not None:
            slope = self.rows(min(max(p, self.reach[0]), self.reach[1]))[self.couple + 1]
            found[self.pushed.where] += force * float(slope @ q)

    def place(self, t: float, q: Array, v: Array, found: Array) -> None:
        """The unit load where it stands, which no function of time could give."""
        one = self.unit
        if self.own is not None and one is not None and one.nodes is not None and one.points is not None:
            unit = unit_couple if self.couple else unit_load
            found[one.where] = unit(one.nodes, one.points, np.array([self.where(t, q, v)[0]]))[0]


def read_ride(
    tree: Callable[[Basic], Basic], name: str, laws: Mapping[str, Basic], system: NonlinearSystem
) -> tuple[Riding, int]:
    """How a body rides, and which unknown is held to what it follows."""
    place = tree(laws["place"])
    maps = [system.fields[symbol_name(laws[key])] for key in laws if key.startswith("field_")]
    if any(one.lift is not None for one in maps):
        raise FlexuraError(f"The ends of the member on which {name} rides are driven", advice="let them rest")
    lines = [Polynomials.of(one, system, 4 if "slope" in laws else 3) for one in maps]

    @lru_cache(maxsize=64)  # a step asks several times at each of its instants
    def rows(p: float) -> tuple[Array, ...]:
        return next((each for each in lines if p <= each.nodes[-1]), lines[-1]).at(p)

    def tables(places: Array) -> Array:
        found = np.empty((len(places), lines[0].series.shape[1], system.n))
        which = np.minimum(np.searchsorted([each.nodes[-1] for each in lines], places), len(lines) - 1)
        for k in np.unique(which):
            found[which == k] = lines[k].at_many(places[which == k])
        return found

    names = list(system.names)
    own = names.index(str(place)) if str(place) in names else None
    slots = {one.name: one for one in system.slots if not one.derivative}
    given = _over_time(place) if own is None else None
    riding = Riding(
        _of_coordinate(own) if own is not None else _of_time(place),
        own,
        (maps[0].start, maps[-1].end),
        slots.get(symbol_name(laws["pushed"])),
        slots.get(symbol_name(laws["unit"])),
        "slope" in laws,
        rows,
        tables,
        given,
    )
    return riding, names.index(symbol_name(laws["across"]))


def _of_time(place: Basic) -> Callable[[float, Array, Array], tuple[float, float, float]]:
    rate = partial(place, TIME)
    made = machine_function([TIME], [place, rate, partial(rate, TIME)])

    def where(t: float, q: Array, v: Array) -> tuple[float, float, float]:
        p, p_t, p_tt = np.asarray(made(np.array([t])), dtype=np.float64).ravel().tolist()
        return p, p_t, p_tt

    return where


def _over_time(place: Basic) -> Callable[[Array], Array]:
    """The same at many times: (times, 3)."""
    rate = partial(place, TIME)
    made = machine_function([TIME], [place, rate, partial(rate, TIME)], backend="lambda")
    return lambda t: np.asarray(made(t.reshape(-1, 1)), dtype=np.float64).reshape(-1, 3)


def _of_coordinate(own: int) -> Callable[[float, Array, Array], tuple[float, float, float]]:
    def where(t: float, q: Array, v: Array) -> tuple[float, float, float]:
        return float(q[own]), float(v[own]), float(ZERO)

    return where


@dataclass(frozen=True, eq=False)
class Polynomials:
    """A field over its unknowns, and its slopes, as Legendre series in each element: asked very often."""

    nodes: Array
    series: Array  # (elements, derivatives, degrees, unknowns)

    @classmethod
    def of(cls, field: FieldMap, system: NonlinearSystem, derivatives: int) -> Polynomials:
        """From the functions of a field, exactly."""
        slots = ((one.nodes, one.points) for one in system.slots)
        known = [(nodes, points) for nodes, points in slots if nodes is not None and points is not None]
        nodes, points = next(pair for pair in known if pair[0][0] == field.start and pair[0][-1] == field.end)
        count = len(points) // (len(nodes) - 1)
        x, weights = leggauss(count)
        to_series = (legvander(x, count - 1) * weights[:, None]).T * (2 * np.arange(count) + 1)[:, None] / 2
        middles, halves = (nodes[1:] + nodes[:-1]) / 2, np.diff(nodes) / 2
        places = middles[:, None] + halves[:, None] * x * (1 - 1e-15)
        tables = [field.matrix(places.ravel(), k)[:, : system.n].reshape(*places.shape, -1) for k in range(derivatives)]
        return cls(nodes, np.stack([to_series @ one for one in tables], axis=1))

    def at(self, x: float) -> tuple[Array, ...]:
        """Value, slope, curvature, ... at x, over the unknowns."""
        k = min(max(int(np.searchsorted(self.nodes, x, side="right")) - 1, 0), len(self.nodes) - 2)
        low, high = self.nodes[k], self.nodes[k + 1]
        row = np.array(legendre(float(2 * (x - low) / (high - low) - 1), self.series.shape[2]))
        return tuple(row @ self.series[k])

    def at_many(self, x: Array) -> Array:
        """The same at many places: (places, derivatives, unknowns)."""
        k = np.clip(np.searchsorted(self.nodes, x, side="right") - 1, 0, len(self.nodes) - 2)
        low, high = self.nodes[k], self.nodes[k + 1]
        powers = legvander(2 * (x - low) / (high - low) - 1, self.series.shape[2] - 1)
        found = np.empty((len(x), self.series.shape[1], self.series.shape[3]))
        for one in np.unique(k):
            found[k == one] = np.tensordot(powers[k == one], self.series[one], axes=(1, 1))
        return found
