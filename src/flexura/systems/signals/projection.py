"""Loads along a line as values at its Gauss points that do to every shape what the load does, wherever it jumps.

    >>> projection = Projection(nodes, points)
    >>> x, P = projection.fixed((0.3, 0.7))        # P @ f(x) are the values at the points, f smooth between the cuts
    >>> projection.moving(f, places)               # the same where cuts move: places (times, cuts), f of x (times, n)

In each element the load is projected on polynomials of as many coefficients as there are Gauss points. Gauss's rule is
exact for those times a shape, so a load with jumps needs no more points in the system than a smooth one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.polynomial.legendre import legvander
from numpy.typing import NDArray

from flexura.systems.polynomials import gauss

Array = NDArray[np.float64]
_MORE = 4  # Gauss points in a piece, beyond those of an element
_AT_ONCE = 400  # times


@dataclass(frozen=True, eq=False)
class Projection:
    """Elements between `nodes`, with as many Gauss points in each."""

    nodes: Array
    count: int

    @classmethod
    def of(cls, nodes: Array, points: Array) -> Projection:
        """From the Gauss points of all elements."""
        return cls(nodes, len(points) // (len(nodes) - 1))

    def fixed(self, cuts: Sequence[float]) -> tuple[Array, Array]:
        """Places x along the line, and the matrix that makes values at the Gauss points of values there."""
        edges = np.unique(np.clip([*self.nodes, *cuts], self.nodes[0], self.nodes[-1]))
        x, weights, element = self._pieces(edges[None])
        table = self._moments(x, weights, element)[0].reshape(-1, self.count)
        of, size = np.repeat(element[0], x.shape[2]), len(self.nodes) - 1
        P = np.zeros((size, self.count, len(table)))
        for one in range(size):
            P[one][:, of == one] = self._from_moments @ table[of == one].T
        return x.ravel(), P.reshape(size * self.count, -1)

    def moving(self, load: Callable[[Array, slice], Array], places: Array) -> Array:
        """Values at the Gauss points, a row for each time.

        `places` (times, cuts) are where the load jumps, not numbers where it does not; `load(x, which)` gives it at
        x (times, n) for a slice of the times.
        """
        start, end = self.nodes[[0, -1]]
        cuts = np.clip(np.where(np.isfinite(places), places, start), start, end)
        found = np.empty((len(places), (len(self.nodes) - 1) * self.count))
        for first in range(0, len(places), _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            tiled = np.tile(self.nodes, (len(cuts[part]), 1))
            x, weights, element = self._pieces(np.sort(np.hstack([tiled, cuts[part]]), axis=1))
            values = load(x.reshape(len(x), -1), part).reshape(x.shape)
            moments = np.einsum("tkmj,tkm->tkj", self._moments(x, weights, element), values)
            of = element[:, :, None] == np.arange(len(self.nodes) - 1)
            summed = np.einsum("tke,tkj->tej", of.astype(np.float64), moments)
            found[part] = (summed @ self._from_moments.T).reshape(len(x), -1)
        return found

    def _pieces(self, edges: Array) -> tuple[Array, Array, NDArray[np.int64]]:
        """Gauss points (times, pieces, points) between edges, their weights, and the element of each piece."""
        xi, w = gauss(self.count + _MORE)
        half = np.diff(edges)[..., None] / 2
        middle = (edges[:, :-1] + edges[:, 1:]) / 2
        element = np.clip(np.searchsorted(self.nodes, middle, side="right") - 1, 0, len(self.nodes) - 2)
        return middle[..., None] + half * xi, half * w, element

    def _moments(self, x: Array, weights: Array, element: NDArray[np.int64]) -> Array:
        """Weights of Legendre's polynomials of the elements at x: (times, pieces, points, polynomials)."""
        length = np.diff(self.nodes)[element][..., None]
        s = 2 * (x - self.nodes[element][..., None]) / length - 1
        return np.asarray(legvander(s, self.count - 1) * (2 * weights / length)[..., None])

    @property
    def _from_moments(self) -> Array:
        """Values at the Gauss points of an element from moments (points, polynomials)."""
        table = legvander(gauss(self.count)[0], self.count - 1)
        return np.asarray(table * (2 * np.arange(self.count) + 1) / 2)
