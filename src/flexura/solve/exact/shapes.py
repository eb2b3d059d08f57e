"""Shapes of modes: numbers for coordinates, functions of x for fields.

>>> shape = modes.shape(0)
>>> shape["q1"], shape.w(0.5), shape("w", [0.0, 0.5, 1.0]), shape.fields
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from flexura.arguments import Numbers, checked_methods
from flexura.display import Displayed, Table
from flexura.errors import FlexuraError
from flexura.solve.exact.pencil import Pencil
from flexura.solve.exact.segments import Matrices, Stretches
from flexura.systems.polynomials import table


@checked_methods
@dataclass(frozen=True, repr=False)
class FieldShape:
    """A field along its line: call it with x, a number or an array; `derivative` counts derivatives along x."""

    name: str
    stretches: Stretches
    coefficients: Matrices  # (stretch, function)

    @property
    def span(self) -> tuple[float, float]:
        """Where the line starts and ends."""
        return float(self.stretches.nodes[0]), float(self.stretches.nodes[-1])

    def __repr__(self) -> str:
        start, end = self.span
        return f"<FieldShape: {self.name} on {start:g} < x < {end:g}>"

    def __call__(self, x: Numbers, derivative: int = 0) -> Any:
        """The field, or a derivative of it, at x."""
        if derivative < 0:
            raise FlexuraError(
                f"derivative is {derivative}", advice="give how often to differentiate along x, 0 for the field"
            )
        at = np.asarray(x, dtype=np.float64)
        nodes, line = self.stretches.nodes, self.stretches.line
        slack = 1e-9 * (nodes[-1] - nodes[0])
        if at.size and (at.min() < nodes[0] - slack or at.max() > nodes[-1] + slack):
            raise FlexuraError(
                f"The field {self.name} lives on x from {nodes[0]:g} to {nodes[-1]:g}", advice="give x there"
            )
        flat = at.ravel()
        k = np.clip(np.searchsorted(nodes, flat, side="right") - 1, 0, len(nodes) - 2)
        h = nodes[k + 1] - nodes[k]
        field = line.fields.index(self.name)
        groups = table(line.orders[field], self.stretches.inner, derivative, 2 * (flat - nodes[k]) / h - 1)
        e, first = line.end_values, int(sum(line.orders[:field]))
        order, inside = line.orders[field], self.stretches.outer + field * self.stretches.inner
        rows = [*range(first, first + order), *range(e + first, e + first + order)]
        rows += range(inside, inside + self.stretches.inner)
        ratio = self.stretches.slope_ratio[:, rows]
        ratio = ratio[k] if len(ratio) > 1 else ratio
        values = np.einsum("nr,rn->n", self.coefficients[k][:, rows] * ratio, np.vstack(groups)) * (2 / h) ** derivative
        return values.reshape(at.shape)[()]


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Shape(Displayed, Mapping[str, Any]):
    """One mode: `shape["q1"]` is a coordinate's number, `shape["w"]` or `shape.w` a field as a function of x.

    Undamped modes have unit modal mass; complex ones have their largest coordinate or end value at 1.
    """

    coordinates: dict[str, Any]
    fields: dict[str, FieldShape]

    __eq__, __hash__ = object.__eq__, object.__hash__  # never of the arrays that it holds

    def __getitem__(self, name: str) -> Any:
        if name in self.coordinates:
            return self.coordinates[name]
        if name in self.fields:
            return self.fields[name]
        known = ", ".join((*self.coordinates, *self.fields))
        raise FlexuraError(f"The shape has no {name!r}", advice=f"it knows {known}")

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in ("coordinates", "fields"):
            raise AttributeError(name)
        try:
            return self[name]
        except FlexuraError as error:
            raise AttributeError(str(error)) from None

    def __call__(self, name: str, x: Numbers = None, derivative: int = 0) -> Any:
        """A coordinate's number, or a field at x."""
        one = self[name]
        return one if x is None else one(x, derivative)

    def summary(self) -> str:
        """The names it knows."""
        return ", ".join((*self.coordinates, *(f"{name}(x)" for name in self.fields)))

    def told(self) -> Iterator[Table | str]:
        """The coordinates, and what the fields are at both ends."""
        at = [(f"{name}({x:g})", field(x)) for name, field in self.fields.items() for x in field.span]
        yield Table(("", "shape"), [(name, f"{one:.6g}") for name, one in (*self.coordinates.items(), *at)])

    def __iter__(self) -> Iterator[str]:
        return iter((*self.coordinates, *self.fields))

    def __len__(self) -> int:
        return len(self.coordinates) + len(self.fields)


def shape_of(pencil: Pencil, vector: Matrices, coordinates: tuple[str, ...]) -> Shape:
    """A vector of the pencil as a shape."""
    N = pencil.system.independent
    values = dict(zip(pencil.system.names, (N @ vector[: N.shape[1]]).tolist(), strict=True))
    fields: dict[str, FieldShape] = {}
    for i, line in enumerate(pencil.lines):
        coefficients = pencil.local(i, vector[:, None])[:, :, 0]
        fields |= {name: FieldShape(name, line, coefficients) for name in line.line.fields}
    return Shape({name: values[name] for name in coordinates}, fields)
