"""Outputs of linear equations as what elimination leaves: combinations of coordinates, of values where a line is cut,
and loads on them.

>>> LinearOutputs(equations, reader, system, values).parts(fx.Motion(beam.end))

An output is a sum of parts, each seen at one section or among the coordinates alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from flexura.derivation.equations.equations import Equations
from flexura.derivation.sections import carriers_of, section_loads
from flexura.errors import FlexuraError
from flexura.solve.exact.asked import Complex, Output, SectionOutput
from flexura.solve.exact.lines import Array, LinearSystem
from flexura.solve.exact.reading import Reader
from flexura.solve.runs.positions import Positions
from flexura.solve.values import real
from flexura.symbolic.engine import SPINE, TIME, ZERO, Basic, Symbol, exact, partial
from flexura.symbolic.expression import ParameterDeclaration
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.geometry import Anchor
from flexura.symbolic.kinematics.vectors import (
    IDENTITY,
    NULL,
    Matrix,
    Vector,
    add,
    change,
    cross,
    dot,
    product,
    subtract,
    transpose,
    turn,
    turn_back,
)
from flexura.symbolic.outputs import Internal, Motion, Weighted, is_body, only_motion
from flexura.symbolic.quantities import quantity
from flexura.symbolic.zero import verdict

Part = Output | SectionOutput
_SLACK = 1e-9  # of a line, at its ends


@dataclass(frozen=True)
class _Spot:
    """A place: where it is and how it is turned, in jets; on a member, its line and x."""

    position: Vector
    rotation: Matrix
    line: int | None = None
    x: float = 0.0

    def marked(self, fields: Mapping[Symbol, Symbol]) -> _Spot:
        """With the fields of its line under other names, so that they are not those of another place."""
        position = change(self.position, lambda f: f.xreplace(dict(fields)))
        return replace(self, position=position, rotation=_put(self.rotation, fields))


class LinearOutputs:
    """Reads outputs of one linear system."""

    def __init__(self, equations: Equations, reader: Reader, system: LinearSystem, values: Mapping[str, Any]) -> None:
        """`equations` are those that `reader` reads."""
        self.equations, self.reader, self.system, self.values = equations, reader, system, values
        self.energies, self.jets = reader.energies, reader.jets

    @cached_property
    def _positions(self) -> Positions:
        return Positions(self.equations, self.values)

    def parts(self, output: Motion | Internal | Weighted) -> list[Part]:
        """The parts that add up to an output."""
        if isinstance(output, Weighted):
            return [_times(self._internal(one), share) for one, share in output.known(self.carried(output))]
        return [self._internal(output)] if isinstance(output, Internal) else self._motion(output)

    def carried(self, output: Internal | Weighted) -> Iterable[str]:
        """What the member can tell that its sections carry."""
        name = output.name
        if name not in self.energies.members:
            self.place(name, 0.0)  # says what there is
        return section_loads(self.energies, self.energies.members[name][0])

    def is_body(self, output: Any) -> bool:
        """Whether an output is a body, a point of one, or the name of a body that is no coordinate's."""
        if not isinstance(output, str) or self.energies.geometry is None or output in self.reader.index:
            return is_body(output)
        return any(part.name == output and not part.spine for part in self.energies.geometry.parts)

    def only(self, place: Any) -> Motion:
        """The motion of a body that has one, to first order."""
        trees = self._spot(place).position
        off = self._off((trees,), {})
        moving = [any(partial(f, one).xreplace(off).expand() != 0 for one in off) for f in trees]
        return only_motion(place, (axis for axis, one in zip("xyz", moving, strict=True) if one))

    def held(self, name: str) -> Output:
        """The load that drives a coordinate."""
        return Output(np.zeros((0, len(self.system.names))), held=self.reader.index[name])

    def place(self, name: str, x: float) -> tuple[int, float]:
        """The line of a member that holds x, just before it, and x on that line."""
        if name not in self.energies.members:
            known = ", ".join(self.energies.members) or "no members"
            raise FlexuraError(
                f"The output lies on {name}, which the equations do not hold", advice=f"they hold {known}"
            )
        lines = [i for i, line in enumerate(self.system.lines) if line.name in self.energies.members[name]]
        for i in lines:
            line = self.system.lines[i]
            slack = _SLACK * (line.end - line.start)
            if line.start - slack <= x <= line.end + slack:
                return i, min(max(x, line.start), line.end)
        first, last = self.system.lines[lines[0]].start, self.system.lines[lines[-1]].end
        raise FlexuraError(f"The place x = {x:g} is not on {name}, which runs from {first:g} to {last:g}.")

    def field(self, line: int, x: float, which: int) -> SectionOutput:
        """One field of a line at x."""
        orders = self.system.lines[line].orders
        weights = np.zeros(1 + sum(orders))
        weights[1 + sum(orders[:which])] = 1.0
        return SectionOutput(line, x, None, np.zeros((0, len(self.system.names))), _constant(weights))

    # -- motions ---------------------------------------------------------------------------------------------------

    def _motion(self, output: Motion) -> list[Part]:
        spot = self._spot(output.place)
        other = _Spot(NULL, IDENTITY) if output.relative_to is None else self._spot(output.relative_to)
        fields = {} if other.line is None else self._fields(other.line)
        other = other.marked(fields)
        if output.about is None:
            assert output.along is not None
            away = subtract(spot.position, other.position)
            return self._combination(dot(turn_back(other.rotation, away), output.along), spot, other, fields)
        turned = product(transpose(other.rotation), spot.rotation)
        still = _put(turned, self._off(turned, fields))
        spin = product(turned, transpose(still))  # I + the small rotation
        pairs = ((spin[2][1], spin[1][2]), (spin[0][2], spin[2][0]), (spin[1][0], spin[0][1]))
        x, y, z = ((a - b) / 2 for a, b in pairs)
        return self._combination(dot(output.about, (x, y, z)), spot, other, fields)

    def _combination(self, f: Basic, spot: _Spot, other: _Spot, fields: Mapping[Symbol, Symbol]) -> list[Part]:
        """What a tree in the jets of two places is to first order."""
        back = {new: old for old, new in fields.items()}
        off = self._off(((f, ZERO, ZERO),), fields)
        row, mine, its = np.zeros(len(self.system.names)), {}, {}
        for symbol in sorted(off, key=str):
            c = self._number(partial(f, symbol).xreplace(off), "the output")
            jet = self.jets.find(back.get(symbol, symbol))
            assert jet is not None
            if c == 0:
                continue
            if symbol in back:
                its[jet] = c
            elif jet.end or jet.name not in self.energies.fields:
                row += c * self.reader.row(jet.label)
            else:
                mine[jet] = c
        sections = [(spot, mine), (other, its)]
        seen: list[Part] = [self._values(one, found) for one, found in sections if found]
        return [*seen, Output(row[None])] if np.any(row) or not seen else seen

    def _values(self, spot: _Spot, found: Mapping[Jet, float]) -> SectionOutput:
        """A combination of the values of a line at x."""
        assert spot.line is not None
        line = self.system.lines[spot.line]
        weights = np.zeros(1 + line.end_values)
        for jet, c in found.items():
            weights[1 + self._value(spot.line, jet)] += c
        return SectionOutput(spot.line, spot.x, None, np.zeros((0, len(self.system.names))), _constant(weights))

    def _value(self, line: int, jet: Jet) -> int:
        """Where a field, or its slope, stands among the values that a line has at an end."""
        fields, orders = self.system.lines[line].fields, self.system.lines[line].orders
        which = fields.index(jet.name)
        if jet.x >= orders[which]:
            raise FlexuraError(
                f"The output needs {jet.label}, which is no value at a section", advice="ask for another"
            )
        return int(sum(orders[:which])) + jet.x

    def _spot(self, place: Any) -> _Spot:
        positions = self._positions
        anchor = positions.anchor(place)
        if anchor.part == "ground":
            return _Spot(anchor.point, IDENTITY)
        if anchor.part in self.energies.members:
            return self._on_member(anchor)
        body = next((one for one in positions.geometry.parts if one.name == anchor.part and not one.spine), None)
        if body is None:
            positions.anchored(anchor)  # says what there is
        assert body is not None
        arm = change(anchor.point, lambda f: f.xreplace(positions.known))
        return _Spot(add(body.position, turn(body.rotation, arm)), body.rotation)

    def _on_member(self, anchor: Anchor) -> _Spot:
        positions = self._positions
        x = real(anchor.point[0].xreplace(positions.known), f"The place on {anchor.part}")
        line, x = self.place(anchor.part, x)
        spine = self.system.lines[line].name
        located = next(one for one in positions.geometry.parts if one.spine == spine)
        here: dict[Symbol, Basic] = {SPINE: exact(x)}
        carried = {motion: jet.symbol for motion, jet in carriers_of(self.energies, spine).items()}
        small = (carried.get("twist", ZERO), -carried.get("tilt", ZERO), carried.get("rotation", ZERO))
        a, b, c = (add(e, cross(small, e)) for e in IDENTITY)
        rotation = _put(product(located.rotation, transpose((a, b, c))), here)
        return _Spot(change(located.position, lambda f: f.xreplace(here)), rotation, line, x)

    def _fields(self, line: int) -> dict[Symbol, Symbol]:
        fields, orders = self.system.lines[line].fields, self.system.lines[line].orders
        labels = [Jet(name, x).label for name, order in zip(fields, orders, strict=True) for x in range(order + 1)]
        return {Symbol(label): Symbol(f"$other.{label}") for label in labels}

    def _off(self, trees: tuple[Vector, ...], fields: Mapping[Symbol, Symbol]) -> dict[Symbol, Basic]:
        """Everything that moves at zero."""
        marked = set(fields.values())
        symbols = {symbol for row in trees for f in row for symbol in f.free_symbols}
        moving = (one for one in symbols if one in marked or self._moves(one))
        return dict.fromkeys(moving, ZERO)

    def _moves(self, symbol: Symbol) -> bool:
        jet = self.jets.find(symbol)
        return jet is not None and jet.name not in self.energies.inputs

    def _number(self, c: Basic, where: str) -> float:
        if TIME in c.free_symbols:
            if not verdict(partial(c, TIME)):
                raise FlexuraError(
                    f"What {where} counts for changes with time, because axes turn that it is seen in",
                    advice="ask for a history of it, run[...], or for an output in axes that turn along",
                )
            c = c.xreplace({TIME: ZERO})
        return self.reader.number(c, where) if c.free_symbols else real(c, where)

    # -- internal loads --------------------------------------------------------------------------------------------

    def position(self, member: str, s: Any) -> float:
        """A distance along a member as a number."""
        read = quantity(s, "place", member, dimension="m")
        known = [one for one in read.declarations if isinstance(one, ParameterDeclaration)]
        carried = {Symbol(one.name): exact(one.value) for one in known if one.value is not None}
        return real(read.engine.xreplace({**carried, **self.reader.known}), f"The place on {member}")

    def _internal(self, output: Internal) -> SectionOutput:
        line, x = self.place(output.name, self.position(output.name, output.s))
        spine = self.system.lines[line]
        loads = section_loads(self.energies, spine.name)
        if output.kind not in loads:
            output.refuse(loads)
        load = loads[output.kind]
        if load.total == 0:
            return SectionOutput(line, x, None, self._rows(()), _constant(np.zeros(1 + spine.end_values)))
        slopes = self._slopes((load.own - load.sign * load.total).expand(), x)
        strain = replace(load.value, x=spine.orders[spine.fields.index(load.value.name)])
        passed = self._slopes(load.total.expand(), x) if any(replace(jet, t=0) == strain for jet in slopes) else {}
        names = sorted({jet.name for jet in (*slopes, *passed) if jet.name not in spine.fields})

        def column(jet: Jet) -> int:
            inside = jet.name in spine.fields
            return 1 + (self._value(line, replace(jet, t=0)) if inside else spine.end_values + names.index(jet.name))

        def weights(s: Complex) -> Complex:
            """The load, and what differs from it; a strain in that is known from the load itself."""
            found = np.zeros((len(s), 1 + spine.end_values + len(names)), dtype=np.complex128)
            ratio = _polynomial(slopes, strain, s) / _polynomial(passed, strain, s) if passed else np.zeros(len(s))
            found[:, 0] = load.sign + ratio
            for jets, factor in ((slopes, np.ones(len(s))), (passed, -ratio)):
                for jet, c in jets.items():
                    if replace(jet, t=0) != strain:
                        found[:, column(jet)] += factor * c * s**jet.t
            return found

        return SectionOutput(line, x, self._value(line, load.value), self._rows(names), weights)

    def _rows(self, names: Any) -> Array:
        rows = [self.reader.row(name) for name in names]
        return np.array(rows).reshape(len(rows), len(self.system.names))

    def _slopes(self, f: Basic, x: float) -> dict[Jet, float]:
        """What each jet counts for in a load at x."""
        here = {SPINE: exact(x)}
        found = {
            jet: self._number(partial(f, jet.symbol).xreplace(here), "what the section carries")
            for jet in self.jets.unknowns(f)
        }
        return {jet: c for jet, c in found.items() if c}


def _times(part: SectionOutput, share: float) -> SectionOutput:
    return replace(part, weights=lambda s: share * part.weights(s))


def _constant(weights: Array) -> Callable[[Complex], Complex]:
    return lambda s: np.broadcast_to(weights, (len(s), len(weights))).astype(np.complex128)


def _polynomial(slopes: Mapping[Jet, float], of: Jet, s: Complex) -> Complex:
    """What one jet and its rates count for, by powers of s."""
    terms = [c * s**jet.t for jet, c in slopes.items() if replace(jet, t=0) == of]
    return np.asarray(sum(terms, np.zeros(len(s), np.complex128)))


def _put(matrix: Matrix, replaced: Mapping[Symbol, Basic]) -> Matrix:
    a, b, c = (change(row, lambda f: f.xreplace(dict(replaced))) for row in matrix)
    return (a, b, c)
