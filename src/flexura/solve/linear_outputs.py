"""Outputs of a discretised linear system by name or place: each a row over its unknowns.

>>> OutputRows(equations, system, known).read([("q1"), beam.at(0.5)])

A coordinate or an end value ("q1", "w@b") may be asked for by its rate ("q1_t") or acceleration ("q1_tt") too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.sections import section_loads
from flexura.errors import FlexuraError
from flexura.solve.exact.asked import SectionOutput
from flexura.solve.exact.reading import Reader
from flexura.solve.exact_outputs import LinearOutputs
from flexura.solve.units import Units
from flexura.solve.values import real
from flexura.symbolic.engine import SPINE, Symbol, exact, partial
from flexura.symbolic.expression import ParameterDeclaration
from flexura.symbolic.jets import Jet
from flexura.symbolic.outputs import Internal, Motion, Reaction, Weighted, is_body
from flexura.symbolic.quantities import text_or_expression
from flexura.systems.nonlinear import FieldMap, NonlinearSystem

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class OutputRow:
    """One output: a sum of rows over the unknowns (0), their rates (1) and their accelerations (2).

    `direct` is what the inputs of a question add at once.
    """

    label: str
    unit: str
    rows: Mapping[int, Array]
    direct: Array | None = None


class OutputRows:
    """Reads outputs of one system."""

    def __init__(
        self,
        equations: Equations,
        system: NonlinearSystem,
        known: Mapping[str, float],
        reaction: Callable[[Reaction], OutputRow] | None = None,
    ) -> None:
        """`reaction` finds what a connection exerts, where that is known."""
        self.reaction = reaction
        self.equations, self.energies, self.system, self.known = equations, equations.lagrangian, system, known
        self.units = Units(self.energies)

    def read(self, outputs: Any) -> list[OutputRow]:
        """One output, or a list of them, in which a place with several fields says which: (place, field)."""
        several = isinstance(outputs, list)
        found = []
        for one in outputs if several else [outputs]:
            rows = self._rows(one)
            if several and len(rows) > 1:
                fields = ", ".join(row.label for row in rows)
                raise FlexuraError(
                    f"The place {one} has several fields ({fields})", advice="say which in a list: (place, field)"
                )
            found += rows
        return found

    def _rows(self, output: Any) -> list[OutputRow]:
        field = None
        if isinstance(output, tuple) and len(output) == 2:
            output, field = output
        if hasattr(output, "member") and hasattr(output, "position"):
            return self._place(output, field)
        output = self._linear.only(output) if is_body(output) else output
        if isinstance(output, Motion | Internal | Reaction | Weighted):
            return [self._looked(output)]
        label = str(output.jet.label if hasattr(output, "jet") else getattr(output, "name", output))
        jet = self.energies.jets.find(Symbol(label))
        known = {*self.system.names, *self.energies.settled_boundary}
        still = _still(jet) if jet is not None else label
        if still not in known or (jet is not None and jet.t > 2):
            names = [name for name in self.system.names if "[" not in name]
            raise FlexuraError(
                f"There is no output {label!r}",
                advice=f"give a coordinate or an end value ({', '.join(names)}), its rate ({(names or ['q'])[0]}_t), or"
                " a place on a member",
            )
        rate = jet.t if jet is not None else 0
        return [OutputRow(label, self.units.rate(still, rate), {rate: self._value(still)})]

    @cached_property
    def _linear(self) -> LinearOutputs:
        if not self.energies.linear:
            raise FlexuraError(
                "Motions and section loads are outputs of linear systems here",
                advice="give coordinates, their rates or places as outputs, or linearise first: fx.linearise(...)",
            )
        reader = Reader(self.energies, self.known)
        own = {name: one for name, one in self.known.items() if name in self.energies.parameters}
        return LinearOutputs(self.equations, reader, reader.system(), own)

    def _looked(self, output: Motion | Internal | Reaction | Weighted) -> OutputRow:
        if isinstance(output, Reaction):
            if self.reaction is None:
                raise FlexuraError(f"The {output!r} is no output of code", advice="ask a run for it: run[...]")
            return self.reaction(output)
        if isinstance(output, Internal):
            return self._internal(output)
        if isinstance(output, Weighted):
            return self._weighted(output)
        row = np.zeros(self.system.n)
        for part in self._linear.parts(output.differentiated(-output.rate)):
            if isinstance(part, SectionOutput):
                weights = part.weights(np.zeros(1, dtype=np.complex128))[0].real[1:]
                for (field, slope), weight in zip(self._section_values(part.line), weights, strict=True):
                    row += weight * self._row(self.system.fields[field], np.array([part.x]), field, slope)
            else:
                for label, weight in zip(self._linear.system.names, part.rows[0], strict=True):
                    row += weight * self._value(label) if weight else 0.0
        return OutputRow(repr(output), self.units.output(output), {output.rate: row})

    def _section_values(self, line: int) -> list[tuple[str, int]]:
        """The values that a line has at a section: fields, each with its slopes."""
        found = self._linear.system.lines[line]
        return [(name, k) for name, order in zip(found.fields, found.orders, strict=True) for k in range(order)]

    def _weighted(self, output: Weighted) -> OutputRow:
        rows: dict[int, Array] = {}
        for one, share in output.known(self._linear.carried(output)):
            for rate, row in self._internal(one).rows.items():
                rows[rate] = rows.get(rate, 0.0) + share * row
        return OutputRow(repr(output), output.unit, rows)

    def _internal(self, output: Internal) -> OutputRow:
        line, x = self._linear.place(output.name, self._linear.position(output.name, output.s))
        loads = section_loads(self.energies, self._linear.system.lines[line].name)
        if output.kind not in loads:
            output.refuse(loads)
        tree = loads[output.kind].own.expand()
        here = {Symbol(name): exact(value) for name, value in self.known.items()} | {SPINE: exact(x)}
        rows: dict[int, Array] = {}
        for jet in self.energies.jets.unknowns(tree):
            weight = real(partial(tree, jet.symbol).xreplace(here), "what the section carries")
            self._refuse_held(jet.name)
            inside = jet.name in self.system.fields and not jet.end
            field = self.system.fields.get(jet.name)
            row = self._row(field, np.array([x]), jet.name, jet.x) if inside and field else self._value(_still(jet))
            rows[jet.t] = rows.get(jet.t, np.zeros(self.system.n)) + weight * row
        return OutputRow(repr(output), self.units.output(output), rows or {0: np.zeros(self.system.n)})

    def _refuse_held(self, name: str) -> None:
        """A force that holds a condition along a member is none of the unknowns."""
        if name in self.energies.multiplier_fields:
            raise FlexuraError(
                f"The output needs {name}, the force that holds a condition along its member, which linear answers do"
                " not know",
                advice="ask a run for it, or give the member that stiffness (EA or kGA)",
            )

    def _value(self, label: str) -> Array:
        """A coordinate or end value as a row."""
        row = np.zeros(self.system.n)
        if label in self.system.names:
            row[self.system.names.index(label)] = 1.0
            return row
        tree = self.energies.settled_boundary[label]
        numbers = {Symbol(name): exact(value) for name, value in self.known.items()}
        for jet in self.energies.jets.unknowns(tree):
            slope = partial(tree, jet.symbol).xreplace(numbers)
            row[self.system.names.index(jet.label)] = real(slope, f"The end value {label}")
        return row

    def _place(self, place: Any, field: Any) -> list[OutputRow]:
        energies, name = self.energies, place.member.name
        if name not in energies.members:
            known = ", ".join(energies.members) or "no members"
            raise FlexuraError(
                f"The output lies on {name}, which the equations do not hold", advice=f"they hold {known}"
            )
        x = self._position(place)
        lines = energies.members[name]
        for segment, line in enumerate(lines, start=1):
            spine = energies.spine_of(line)
            maps = [self.system.fields[one] for one in spine.fields if one in self.system.fields]
            slack = 1e-9 * (maps[0].end - maps[0].start)
            if not maps[0].start - slack <= x <= maps[0].end + slack:
                continue
            cut = f"_{segment}" if len(lines) > 1 else ""
            rows = {one.name.removesuffix(cut): one for one in maps}
            if field is not None:
                wanted = str(getattr(field, "name", field))
                if wanted not in rows:
                    self._refuse_held(wanted + cut)
                    raise FlexuraError(f"{name} has no field {wanted!r}", advice=f"it has {', '.join(rows)}")
                rows = {wanted: rows[wanted]}
            at = np.array([min(max(x, maps[0].start), maps[0].end)])
            return [
                OutputRow(f"{own}({x:.9g})", self.units.coordinate(one.name), {0: self._row(one, at, name)})
                for own, one in rows.items()
            ]
        first, last = (self.system.fields[energies.spine_of(line).fields[0]] for line in (lines[0], lines[-1]))
        raise FlexuraError(
            f"The place x = {x:g} is not on {name}, which runs from {first.start:g} to {last.end:g}",
            advice="give a place on it",
        )

    def _row(self, field: FieldMap, at: Array, member: str, slope: int = 0) -> Array:
        row = field.matrix(at, slope)[0]
        if field.lift is not None or np.any(row[self.system.n :]):
            raise FlexuraError(
                f"{field.name} is given at an end of {member} by more than a sum of unknowns, so its value is no row of"
                " numbers",
                advice="ask for a coordinate instead",
            )
        return np.asarray(row[: self.system.n])

    def _position(self, place: Any) -> float:
        position = text_or_expression(place.position, what="the place")
        known = [one for one in position.declarations if isinstance(one, ParameterDeclaration)]
        numbers = {Symbol(one.name): exact(one.value) for one in known if one.value is not None}
        numbers |= {Symbol(name): exact(value) for name, value in self.known.items()}
        return real(position.engine.xreplace(numbers), f"The place on {place.member.name}")


def _still(jet: Jet) -> str:
    """The label of what a jet is a rate of."""
    return Jet(jet.name, jet.x, 0, jet.end).label
