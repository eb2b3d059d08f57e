"""Where power goes: to discrete speeds, into the spines, and by parts to what gives the values at their ends.

The power of a set of forces is linear in the rates of coordinates, fields and end values. Along a spine

    int c w_xt dx = [c w_t] - int c_x w_t dx,

so that every slope's rate leaves a load at both ends. A boundary value that is given, B(q, t), moves with the speeds in
it and hands them its load times dB/dq; a free one keeps it: its natural condition (theory, section 2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Literal

from flexura.derivation.equations.rows import Sum
from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.symbolic.engine import ONE, ZERO, Basic, partial
from flexura.symbolic.jets import Jet

Power = Mapping[Jet, Basic]
"""Power as a linear form: u -> what multiplies the rate of u, u any coordinate, field jet or end value."""

Column = Literal["inertia", "inner", "applied", "ends", "reactions"]
COLUMNS: tuple[Column, ...] = ("inertia", "inner", "applied", "ends", "reactions")


class ForceTable:
    """Generalized forces, one entry for each speed, in columns by where they come from.

    `inertia`: F*; `inner`: springs, dampers, weight and stresses; `applied`: loads; `ends`: what spines pass on at
    their ends, inertia of their sections included; `reactions`: those of constraints.
    """

    def __init__(self, energies: Lagrangian) -> None:
        """An empty table for the speeds of a system: the rates of all that is independent."""
        self.energies, self.jets = energies, energies.jets
        self.discrete: dict[Column, dict[str, Sum]] = {
            column: {jet.label: Sum() for jet in energies.generalized} for column in COLUMNS
        }
        self.inside: dict[Column, dict[str, Basic]] = {
            column: dict.fromkeys(energies.fields, ZERO) for column in COLUMNS
        }

    def add(self, column: Column, powers: Iterable[Power], spine: str = "") -> None:
        """Enter powers, per length along `spine` if one is named."""
        for jet, force in total(powers).items():
            settled = self.energies.settled(force)
            if settled == 0:
                continue
            if not spine:
                self._enter(column, jet.label, Sum(settled))
            elif jet.name in self.energies.fields and not jet.end:
                self._by_parts(column, self.energies.spine_of(spine), jet, settled)
            else:
                self._enter(column, jet.label, Sum(ZERO, {spine: settled}))

    def entry(self, label: str, *columns: Column) -> Sum:
        """The sum of some columns for a discrete speed."""
        return sum((self.discrete[one][label] for one in columns), Sum())

    def along(self, field: str, *columns: Column) -> Basic:
        """The sum of some columns for a field's rate, per length."""
        return sum((self.inside[one][field] for one in columns), ZERO)

    def _by_parts(self, column: Column, spine: Spine, jet: Jet, force: Basic) -> None:
        while jet.x:
            jet = replace(jet, x=jet.x - 1)
            for end, sign in (("a", -1), ("b", 1)):
                load = self.jets.at(sign * force, end, spine.place(end), spine.name)
                self._enter("ends", replace(jet, end=end).label, Sum(self.energies.settled(load)))
            force = -self.jets.D_x(force)
        self.inside[column][jet.name] += force

    def _enter(self, column: Column, label: str, force: Sum) -> None:
        entries = self.discrete[column]
        for target, share in self._moved_by(label):
            entries[target] += force if share == 1 else force.times(share)

    def _moved_by(self, label: str) -> Iterator[tuple[str, Basic]]:
        """The speeds that move what is called `label`, and its partial rates."""
        given = self.energies.settled_boundary.get(label)
        if given is None:
            yield label, ONE
            return
        for jet in self.jets.unknowns(given):
            yield jet.label, partial(given, jet.symbol)


def total(powers: Iterable[Power]) -> dict[Jet, Basic]:
    """The sum of powers."""
    found: dict[Jet, Basic] = {}
    for power in powers:
        for jet, force in power.items():
            found[jet] = found.get(jet, ZERO) + force
    return found
