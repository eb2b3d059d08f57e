"""A unit load that travels along a line, as values at its Gauss points that do to every shape what the load does.

    >>> values = travelling(lambda t: 3.0 * t, slot.nodes, slot.points)

In the element where the load stands, the values are those of the polynomial that takes every polynomial of the element
to its value at that place. They change smoothly in time while the load is in one element, and there are none where it
has left the line.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.polynomial.legendre import legvander
from numpy.typing import NDArray

from flexura.systems.polynomials import gauss

Array = NDArray[np.float64]
Unit = Callable[[Array, Array, Array], Array]
COUPLE = "couple_"  # so begins the name of a unit couple that travels; other names are those of unit loads


def unit_load(nodes: Array, points: Array, places: Array) -> Array:
    """Values at the Gauss points of a unit load at each of the places: (places, points)."""
    return _at(nodes, points, places, 0)


def unit_couple(nodes: Array, points: Array, places: Array) -> Array:
    """The same of a unit couple, which does to every shape what its slope does there."""
    return _at(nodes, points, places, 1)


def _at(nodes: Array, points: Array, places: Array, derivative: int) -> Array:
    elements = len(nodes) - 1
    count = len(points) // elements
    found = np.zeros((len(places), elements, count))
    for row, place in enumerate(places.tolist()):
        if nodes[0] <= place <= nodes[-1]:
            k = min(int(nodes.searchsorted(place, side="right")), elements) - 1
            low, high = float(nodes[k]), float(nodes[k + 1])
            x = 2 * (place - low) / (high - low) - 1
            values = _slopes(x, count) if derivative else legendre(x, count)
            found[row, k] = values @ _at_points(count) / (high - low) * (2 / (high - low)) ** derivative
    return found.reshape(len(places), -1)


def legendre(x: float, count: int) -> list[float]:
    """Legendre's polynomials of degree 0 to count - 1 at one place, in plain numbers: it is asked at every stage."""
    found = [1.0, x]
    for n in range(1, count - 1):
        found.append(((2 * n + 1) * x * found[n] - n * found[n - 1]) / (n + 1))
    return found[:count]


def _slopes(x: float, count: int) -> list[float]:
    """Their slopes: P'_{n+1} = P'_{n-1} + (2 n + 1) P_n."""
    values, found = legendre(x, count), [0.0, 1.0]
    for n in range(1, count - 1):
        found.append(found[n - 1] + (2 * n + 1) * values[n])
    return found[:count]


@lru_cache
def _at_points(count: int) -> Array:
    """(2 n + 1) times Legendre's polynomials, a row each, at as many Gauss points: the same at every instant."""
    return np.asarray((2 * np.arange(count) + 1)[:, None] * legvander(gauss(count)[0], count - 1).T)


def travelling(
    place: Callable[[Array], Array],
    nodes: Array,
    points: Array,
    unit: Callable[[Array, Array, Array], Array] = unit_load,
) -> Callable[[Any], Array]:
    """The same as a function of time, one or many (a row for each)."""

    def at(t: Any) -> Array:
        times = np.atleast_1d(np.asarray(t, dtype=np.float64))
        found = unit(nodes, points, np.asarray(place(times), dtype=np.float64))
        return found if np.ndim(t) else found[0]

    return at
