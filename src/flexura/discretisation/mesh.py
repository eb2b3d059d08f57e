"""Functions of x along one spine: Hermite at the nodes, integrated Legendre polynomials inside each element.

>>> mesh = Mesh(0.0, 2.0, elements=2, order=8)
>>> mesh.functions(2).table(x, derivative=1)        # (points, functions): two at each end, then the amplitudes

A field whose energy holds w_xx (order 2) has value and slope at each node, one with w_x (order 1) its value, one
without derivatives nothing. `order` of a mesh is the polynomial degree in each element: 3 is Hermite alone for bending.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.systems.polynomials import gauss, table

Array = NDArray[np.float64]
_LEFT = 1e-11  # of a given function: what is left of it without its Hermite ends, if that is more than rounding


class FieldFunctions(Protocol):
    """The functions a field is spanned by: those of its ends a and b (value, slope), then those of its amplitudes."""

    @property
    def ends(self) -> int:
        """How many values each end has: 2 for bending, 1 for rods, 0 for fields without derivatives."""
        ...

    @property
    def amplitudes(self) -> int:
        """How many functions there are besides."""
        ...

    def table(self, x: Array, derivative: int) -> Array:
        """Their derivatives along x: (points, 2 ends + amplitudes)."""
        ...


@dataclass(frozen=True, eq=False)
class Mesh:
    """A spine from `start` to `end`, cut into equal elements and where its properties jump (`breaks`)."""

    start: float
    end: float
    elements: int
    order: int
    breaks: tuple[float, ...] = ()

    @cached_property
    def nodes(self) -> Array:
        """Ends of the elements; each smooth piece has its share of them, and one at least."""
        corners = np.array([self.start, *self.breaks, self.end])
        shares = np.maximum(1, np.round(self.elements * np.diff(corners) / (self.end - self.start))).astype(int)
        if len(shares) == 1:
            shares[0] = self.elements
        pieces = [np.linspace(a, b, n, endpoint=False) for a, b, n in zip(corners, corners[1:], shares, strict=False)]
        return np.concatenate([*pieces, [self.end]])

    def gauss(self, points: int) -> tuple[Array, Array]:
        """Gauss points of all elements and their weights."""
        xi, w = gauss(points)
        half = np.diff(self.nodes)[:, None] / 2
        return (self.nodes[:-1, None] + half * (1 + xi)).ravel(), (half * w).ravel()

    def functions(self, ends: int, name: str = "a field", less: int = 0) -> PiecewisePolynomials:
        """Those of a field with that many values at each end, of a degree so much less than the others'."""
        least = (0, 1, 3)[ends] + less
        if self.order < least:
            bends = "bends, which takes polynomials of degree 3 at least" if ends == 2 else "stretches or twists"
            raise FlexuraError(
                f"order is {self.order}, but {name} {bends}",
                advice="give order=3 (Hermite) or more" if ends == 2 else f"give order={least} or more",
            )
        return PiecewisePolynomials(self.nodes, ends, self.order - less)


@dataclass(frozen=True, eq=False)
class PiecewisePolynomials:
    """Polynomials of one degree in each element; value (and slope) continuous at the nodes between."""

    nodes: Array
    ends: int
    order: int

    @property
    def inner(self) -> int:
        """Functions of one element that vanish at its ends."""
        return self.order + 1 - 2 * self.ends

    @property
    def number(self) -> int:
        """How many elements there are."""
        return len(self.nodes) - 1

    @property
    def amplitudes(self) -> int:
        """Values at inner nodes, then the inner functions element by element."""
        return self.ends * (self.number - 1) + self.inner * self.number

    def table(self, x: Array, derivative: int) -> Array:
        """(points, functions)."""
        element = np.clip(np.searchsorted(self.nodes, x, side="right") - 1, 0, self.number - 1)
        h = np.diff(self.nodes)[element]
        groups = table(self.ends, self.inner, derivative, 2 * (x - self.nodes[element]) / h - 1)
        local = np.vstack(groups).T * ((2 / h) ** derivative)[:, None]
        if self.number == 1:  # ends and inner functions are already in their places
            local[:, : 2 * self.ends] *= np.tile(h[0] ** np.arange(self.ends), 2)
            return np.ascontiguousarray(local)
        k, found = self.ends, np.zeros((len(x), 2 * self.ends + self.amplitudes))
        points = np.arange(len(x))
        for i in range(k):
            for side in (0, 1):
                node = element + side
                outer = (node == 0) | (node == self.number)
                column = np.where(node == 0, i, np.where(node == self.number, k + i, 2 * k + k * (node - 1) + i))
                found[points, column] += local[:, side * k + i] * np.where(outer, h**i, (h / self._scale) ** i)
        first = 2 * k + k * (self.number - 1) + self.inner * element
        for j in range(self.inner):
            found[points, first + j] = local[:, 2 * k + j]
        return found

    @property
    def _scale(self) -> float:
        """What slopes at inner nodes are multiplied by, so that they have the size of deflections."""
        return float(self.nodes[-1] - self.nodes[0]) / self.number


@dataclass(frozen=True, eq=False)
class AssumedFunctions:
    """Hermite ends plus given functions of x, less their own Hermite ends, so that they vanish there.

    `given` are called with (x, derivative); what adds nothing to the span is left out.
    """

    hermite: PiecewisePolynomials
    given: tuple[Callable[[Array, int], Array], ...]
    combine: Array = field(repr=False)

    @property
    def ends(self) -> int:
        """As of the polynomials."""
        return self.hermite.ends

    @property
    def amplitudes(self) -> int:
        """How many independent functions were given."""
        return int(self.combine.shape[1])

    def table(self, x: Array, derivative: int) -> Array:
        """(points, functions)."""
        ends = self.hermite.table(x, derivative)
        return np.hstack([ends, self._inner(x, derivative, ends) @ self.combine])

    def _inner(self, x: Array, derivative: int, ends: Array) -> Array:
        corners = self.hermite.nodes[[0, -1]]
        found = []
        for f in self.given:
            held = np.array([[float(np.real(f(at, i))) for i in range(self.ends)] for at in corners]).ravel()
            found.append(np.real(np.asarray(f(x, derivative), dtype=np.complex128)) - ends @ held)
        return np.array(found).T.reshape(len(x), len(found))


def assumed(mesh: Mesh, ends: int, given: Sequence[Any]) -> AssumedFunctions:
    """The independent part of given functions, orthonormal in the highest derivative."""
    hermite = PiecewisePolynomials(mesh.nodes[[0, -1]], ends, (0, 1, 3)[ends])
    if ends == 0:
        hermite = PiecewisePolynomials(mesh.nodes[[0, -1]], 0, -1)
    raw = AssumedFunctions(hermite, tuple(given), np.eye(len(given)))
    x, w = mesh.gauss(max(48, 4 * len(given)))
    table = raw.table(x, ends)[:, 2 * ends :] * np.sqrt(w)[:, None]
    size = np.linalg.norm(table, axis=0)
    whole = [np.abs(np.real(np.asarray(f(x, ends), dtype=np.complex128))).max(initial=0.0) for f in given]
    own = np.maximum(np.array(whole, dtype=np.float64) * np.sqrt(w.sum()), size)
    kept = (size > 1e-9 * size.max(initial=1e-300)) & (size > _LEFT * own)  # x**2 is Hermite's own: nothing is left
    _, s, vt = np.linalg.svd(table[:, kept] / size[kept], full_matrices=False)
    rank = int((s > 1e-7 * s.max(initial=1e-300)).sum())
    combine = np.zeros((len(given), rank))
    combine[kept] = (vt[:rank].T / s[:rank]) / size[kept][:, None]
    return AssumedFunctions(hermite, tuple(given), combine)
