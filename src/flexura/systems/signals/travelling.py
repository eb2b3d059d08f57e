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


def unit_load(nodes: Array, points: Array, places: Array) -> Array:
    """Values at the Gauss points of a unit load at each of the places: (places, points)."""
    elements = len(nodes) - 1
    count = len(points) // elements
    found = np.zeros((len(places), elements, count))
    inside = (places >= nodes[0]) & (places <= nodes[-1])
    which = np.clip(np.searchsorted(nodes, places, side="right") - 1, 0, elements - 1)
    low, high = nodes[which], nodes[which + 1]
    degrees = np.arange(count)
    at_points = _at_points(count)
    at_places = legvander(2 * (places - low) / (high - low) - 1, count - 1)
    kernel = (at_places * (2 * degrees + 1)) @ at_points.T / (high - low)[:, None]
    rows = np.flatnonzero(inside)
    found[rows, which[rows]] = kernel[rows]
    return found.reshape(len(places), -1)


@lru_cache
def _at_points(count: int) -> Array:
    """Legendre's polynomials at as many Gauss points, the same at every instant."""
    return np.asarray(legvander(gauss(count)[0], count - 1))


def travelling(place: Callable[[Array], Array], nodes: Array, points: Array) -> Callable[[Any], Array]:
    """The same as a function of time, one or many (a row for each)."""

    def at(t: Any) -> Array:
        times = np.atleast_1d(np.asarray(t, dtype=np.float64))
        found = unit_load(nodes, points, np.asarray(place(times), dtype=np.float64))
        return found if np.ndim(t) else found[0]

    return at
