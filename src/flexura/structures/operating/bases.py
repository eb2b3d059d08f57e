"""Bases of reduced models, each an `Expansion` that grows: around rest, from modes, from modes with held interfaces.

>>> grown = AroundRest(inverse, loads).grow(6)
>>> grown.space.V, grown.space.KV

The expansion around rest matches what the response does at low frequency. Without damping that is x_n = (K+ M)^n x_0;
with it x_k = - K+ ((D + G + ...) x_(k-1) + M x_(k-2)), made orthonormal as pairs (x_k, x_(k-1)) (second-order Arnoldi,
Bai and Su 2005), because raw powers are nearly parallel.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.structures.operating.dynamic import SplitPencil
from flexura.structures.operating.elastic import elastic_modes
from flexura.structures.operating.inverse import MassMetricInverse, mass_metric_inverse
from flexura.structures.operating.krylov import Expansion
from flexura.structures.operating.split import rows_of
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[np.float64]
_DEPENDENT = 1e-8
_INTERFACE = 400


class AroundRest:
    """The expansion around the static deformation; `sought` are the loads, and what else starts a block."""

    def __init__(self, inverse: MassMetricInverse, sought: Array, inputs: int) -> None:
        self.inverse, self.inputs = inverse, inputs
        driven = _drives(inverse.system)
        self.space = Expansion(inverse, sought)
        self._pairs = _Pairs(self.space, sought) if driven else None

    @property
    def exhausted(self) -> bool:
        """Whether nothing new comes."""
        return self.space.exhausted if self._pairs is None else self._pairs.exhausted

    def grow(self, blocks: int = 1) -> None:
        """Add so many vectors for each input."""
        if self._pairs is None:
            self.space.grow(blocks)
            return
        for _ in range(blocks):
            self._pairs.grow()


def with_friction(inverse: MassMetricInverse, loads: Array) -> Array:
    """The block starts with K+[F, D Q] where friction couples rigid motion to deformation."""
    rates = inverse.system.rates
    if rates is None or not inverse.rigid.count:
        return loads
    drag = rates @ inverse.rigid.Q
    deforming = inverse.split(drag)[1]
    size = np.linalg.norm(abs(rates) @ np.abs(inverse.rigid.Q), axis=0)
    kept = np.linalg.norm(deforming, axis=0) > 1e-10 * np.maximum(size, 1e-300)
    return np.column_stack([loads, drag[:, kept]])


def _drives(system: SecondOrderSystem) -> bool:
    """Whether D, G or H lead out of the span of (K+ M)^n x_0: damping a M + b K does not."""
    if system.G is not None or system.H is not None:
        return not system.symmetric
    if system.D is None or not abs(system.D).max():
        return False
    r = np.random.default_rng(2).standard_normal(system.n)
    columns = np.column_stack([system.M @ r, system.K @ r])
    columns = columns / np.linalg.norm(columns, axis=0)
    drag = system.D @ r
    rest = drag - columns @ np.linalg.lstsq(columns, drag, rcond=None)[0]
    return bool(np.linalg.norm(rest) > 1e-9 * np.linalg.norm(drag))


class _Pairs:
    """Arnoldi on the pairs (x_k, x_(k-1)), the second scaled to the first."""

    def __init__(self, space: Expansion, sought: Array) -> None:
        self.space, self.sought = space, sought
        self.system = space.inverse.system
        self._pencil = None if self.system.H is None else SplitPencil.of(self.system).at_rest()
        self.exhausted, self._next = False, 0
        self._upper = self._lower = np.zeros((self.system.n, 0))
        self._scale = 0.0

    def grow(self) -> None:
        """Vectors until as many are new as there are loads, or nothing comes any more."""
        wanted = self.space.count + self.sought.shape[1]
        if not self._upper.shape[1]:
            start, b = self._deformed(self.sought)
            self._add(start, np.zeros_like(start), b)
        while self.space.count < wanted and not self.exhausted:
            here, there = self._upper[:, self._next :], self._lower[:, self._next :]
            self.exhausted = not here.shape[1]
            if self.exhausted:
                return
            self._next = self._upper.shape[1]
            rates = self.system.rates
            drag = 0 if rates is None else rates @ here
            self._scale = self._scale or self._paced(here)
            x, b = self._deformed(-(drag * self._scale + self.system.M @ there * self._scale**2))
            self._add(x, here, b)

    def _paced(self, here: Array) -> float:
        """1/time: with sigma = s/scale both terms of the recurrence are of one size."""
        moved = self.space.inverse(self.system.M @ here)
        return float(np.sqrt(np.linalg.norm(here) / max(float(np.linalg.norm(moved)), 1e-300)))

    def _deformed(self, b: Array) -> tuple[Array, Array]:
        """x of (K + H) x = b without its rigid part, and K x."""
        if self._pencil is None:
            return self.space.inverse(b), b
        x = self.space.inverse.deformation(self._pencil.solve(b))
        return x, b - self.system.H @ x

    def _add(self, upper: Array, lower: Array, right: Array) -> None:
        """Pairs orthonormal to all before; their first parts join the basis."""
        M = self.system.M
        self.space.add(right, _DEPENDENT)
        for x, y in zip(upper.T, lower.T, strict=True):
            start = np.sqrt(x @ (M @ x) + y @ (M @ y))
            if not start > 0:
                continue
            x, y = x / start, y / start
            for _ in range(2):
                c = self._upper.T @ (M @ x) + self._lower.T @ (M @ y)
                x, y = x - self._upper @ c, y - self._lower @ c
            size = np.sqrt(x @ (M @ x) + y @ (M @ y))
            if size > _DEPENDENT:
                self._upper = np.column_stack([self._upper, x / size])
                self._lower = np.column_stack([self._lower, y / size])


class Modal:
    """The lowest modes and, for each load, what all higher ones deform: the residual vectors K+ F, counted with them.

    Without those the response at rest misses what the left out modes give; with them it is exact there.
    """

    def __init__(self, inverse: MassMetricInverse, sought: Array, inputs: int) -> None:
        self.inverse, self.sought, self.inputs = inverse, sought, inputs
        self.space, self._count, self.exhausted = Expansion(inverse, sought), 0, False

    def grow(self, blocks: int = 1) -> None:
        """Add so many modes for each input; the first block are the residual vectors."""
        if not blocks:
            return
        before, self._count = self.space.count, self._count + blocks
        modes = (self._count - 1) * self.inputs
        self.space = Expansion(self.inverse, self.sought)
        if modes:
            squares, shapes = elastic_modes(self.inverse, modes)
            for x, Kx in zip(shapes.T, (self.inverse.system.M @ (shapes * squares)).T, strict=True):
                self.space.append(x, Kx)
        self.space.add(self.sought)
        self.exhausted = self.space.count == before


class CraigBampton:
    """Modes with the interface held, and its constraint modes: what unit displacements of it do at rest.

    Constraint modes are taken as K+ of unit loads on the interface, which with the rigid motions span the same space
    and exist for a free structure, too.
    """

    def __init__(self, inverse: MassMetricInverse, interface: NDArray[np.int64], inputs: int) -> None:
        self.inverse, self.inputs, self.exhausted = inverse, inputs, False
        self.space = Expansion(inverse, np.zeros((inverse.system.n, 0)))
        unit = np.zeros((inverse.system.n, len(interface)))
        unit[interface, np.arange(len(interface))] = 1.0
        self.space.add(unit)
        self.inner, self._count = np.setdiff1d(np.arange(inverse.system.n), interface), 0

    def grow(self, blocks: int = 1) -> None:
        """Add so many modes for each input."""
        before, system = self._count, self.inverse.system
        self._count = min(before + blocks * self.inputs, len(self.inner))
        if self._count == before:
            self.exhausted = self.exhausted or bool(blocks)
            return
        rows = self.inner
        held = SecondOrderSystem(rows_of(system.M, rows), None, rows_of(system.K, rows))
        for column in elastic_modes(mass_metric_inverse(held), self._count)[1].T[before:]:
            x = np.zeros(system.n)
            x[rows] = column
            self.space.append(x, self.inverse.split(system.K @ x)[1])


def interface_of(system: SecondOrderSystem, sought: Array, given: Any) -> NDArray[np.int64]:
    """Rows of the interface: as given, by names or numbers, or where loads and outputs act."""
    if given is None:
        rows = np.flatnonzero(np.abs(sought).max(axis=1) > 0)
        if len(rows) > _INTERFACE or len(rows) == system.n:
            raise FlexuraError(
                f"The loads act on {len(rows)} of {system.n} degrees of freedom, too many to be an interface",
                advice="name the interface, interface=['u1', ...] or row numbers",
            )
        return rows
    if isinstance(given, str):
        given = given.split()
    asked = [system.names.index(one) if one in system.names else one for one in np.ravel(np.asarray(given, object))]
    bad = [
        one
        for one in asked
        if isinstance(one, bool) or not isinstance(one, int | np.integer) or not 0 <= one < system.n
    ]
    if bad or not asked or len(set(asked)) == system.n:
        raise FlexuraError(
            f"The interface {f'names {bad[0]!r}' if bad else 'holds all degrees of freedom or none'}",
            advice=f"give some of {', '.join(system.names[:4])}, ... or row numbers from 0 to {system.n - 1}",
        )
    return np.unique(np.asarray(asked, dtype=np.int64))
