"""Fields from unknowns: value = table(x) (q, p) + lifts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.discretisation.driving import Driving
from flexura.discretisation.gather import Gathered
from flexura.discretisation.held import LineCondition
from flexura.discretisation.layout import FieldSpan, Unknowns
from flexura.discretisation.program import Program
from flexura.symbolic.engine import SPINE, TIME, partial
from flexura.symbolic.machine import machine_function
from flexura.systems.nonlinear import FieldMap

Array = NDArray[np.float64]


def field_maps(layout: Unknowns) -> dict[str, FieldMap]:
    """One for every field; their columns are the unknowns, then the prescribed coordinates."""
    return {name: _map(layout, span) for name, span in layout.fields.items()}


def multiplier_maps(gathered: Gathered) -> dict[str, FieldMap]:
    """One for every multiplier field; their columns are the multipliers of the system."""
    first, found = len(gathered.constraints), dict[str, FieldMap]()
    total = first + sum(one.count for one in gathered.along)
    for one in gathered.along:
        mesh = gathered.layout.meshes[one.quadrature.spine.name]
        points, weights = one.quadrature.points
        table = _MultiplierTable(one, first, total)
        found[one.name] = FieldMap(one.name, mesh.start, mesh.end, table, None, points, weights, len(mesh.nodes) - 1)
        first += one.count
    return found


@dataclass(frozen=True, eq=False)
class _MultiplierTable:
    """A multiplier field over the multipliers of a system; it is as smooth as the polynomials through its values."""

    condition: LineCondition
    first: int
    total: int

    def __call__(self, x: Array, derivative: int) -> Array:
        """(points, multipliers)."""
        found = np.zeros((len(x), self.total))
        found[:, self.first : self.first + self.condition.count] = self.condition.table(x, derivative)
        return found


def _map(layout: Unknowns, span: FieldSpan) -> FieldMap:
    mesh = layout.meshes[layout.energies.spine_of(span.name).name]
    points, weights = mesh.gauss(max(layout.order, 8) + 4)
    lift = _FieldLift(layout, span) if span.lifts else None
    return FieldMap(
        span.name,
        mesh.start,
        mesh.end,
        _FieldTable(span, layout.prescribed),
        lift,
        points,
        weights,
        len(mesh.nodes) - 1,
    )


@dataclass(frozen=True, eq=False)
class _FieldTable:
    """The functions of a field over the unknowns, then over the prescribed coordinates."""

    span: FieldSpan
    prescribed: int

    def __call__(self, x: Array, derivative: int) -> Array:
        """(points, columns)."""
        found = self.span.table(x, derivative)
        return np.hstack([found[:, self.prescribed :], found[:, : self.prescribed]])


class _FieldLift:
    """What end values that are not linear in the scalars add to a field, or to its rate."""

    def __init__(self, layout: Unknowns, span: FieldSpan) -> None:
        self.layout, self.span = layout, span
        jets = layout.energies.jets
        values = [one.value for one in span.lifts]
        arguments = [TIME, *layout.symbols(0), *layout.symbols(1)]
        self.program = Program(arguments, {"values": values, "rates": [jets.D_t(f) for f in values]})
        motion = [layout.numbers.tree(f) for f in layout.energies.prescribed.values()]
        self.driving = Driving(layout)
        self.motion = Program([TIME, *self.driving.symbols], {"p": motion, "p_t": [jets.D_t(f) for f in motion]})

    def __reduce__(self) -> tuple[Any, ...]:
        return _FieldLift, (self.layout, self.span)

    def __call__(self, x: Array, derivative: int, t: float, q: Array, v: Array, rate: int) -> Array:
        """At the places x."""
        p, p_t = self.motion(np.array([t, *self.driving(t)]))
        known = len(self.layout.scalars) - self.layout.prescribed
        found = self.program(np.concatenate(([t], p, q[:known], p_t, v[:known])))[rate]
        return sum((c * self._shape(i, x, derivative) for i, c in enumerate(found)), np.zeros(len(x)))

    def _shape(self, i: int, x: Array, derivative: int) -> Array:
        shape = self.span.lifts[i].shape
        for _ in range(derivative):
            shape = partial(shape, SPINE)
        found = machine_function([SPINE], [shape], backend="lambda")(x.reshape(-1, 1))
        return np.asarray(found, dtype=np.float64).ravel()
