"""What a load does to a linear system, by its name: forces, loads along lines, a coordinate that is driven.

>>> NamedLoads(reader, values).find("F", system)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from flexura.errors import FlexuraError
from flexura.solve.exact.asked import HarmonicLineLoad, HarmonicLoad
from flexura.solve.exact.lines import LinearSystem
from flexura.solve.exact.reading import Reader
from flexura.solve.runs.spread import load_cuts
from flexura.solve.values import no_input
from flexura.symbolic.engine import ONE, SPINE, ZERO, Basic, Symbol, partial
from flexura.symbolic.quantities import text_or_expression
from flexura.systems.signals.sampled import sampled

_TOGETHER = 48  # nearly straight pieces of a load that a stretch of a line follows to the last digits


class NamedLoads:
    """What a load does, by its name."""

    def __init__(self, reader: Reader, given: Mapping[str, Any], motions: Sequence[str] = ()) -> None:
        """`motions` are the names of prescribed ones, for sentences."""
        self.reader, self.energies, self.given, self.motions = reader, reader.energies, given, motions

    def find(self, name: str, system: LinearSystem) -> HarmonicLoad:
        """What a unit of it does."""
        return self._numbers(self.trees(name), name, system)

    def trees(self, name: str) -> Mapping[str, Mapping[str, Basic]]:
        """What a unit of it does, by spine ("" is none) and target, as trees."""
        energies = self.energies
        if name in energies.loads:
            return self._shaped(energies.loads[name], name)
        if name in energies.inputs:
            return self._of_input(name)
        if name in energies.coordinates:
            return {"": {name: ONE}}
        names = dict.fromkeys((*energies.loads, *energies.inputs, *energies.coordinates, *self.motions))
        raise no_input(energies, name, "load") or FlexuraError(
            f"There is no load {name!r}",
            advice=f"loads, coordinates and prescribed motions are {', '.join(names) or 'none'}",
        )

    def driven(self, name: str, system: LinearSystem) -> HarmonicLoad:
        """A coordinate that moves by a unit, whatever that takes."""
        return HarmonicLoad(np.zeros(len(system.names)), driven=self.reader.index[name])

    def _of_input(self, name: str) -> dict[str, dict[str, Basic]]:
        symbol, trees = Symbol(name), {"": self.energies.work, **self.energies.work_density}
        parts = {
            spine: {target: partial(f, symbol) for target, f in loads.items() if symbol in f.free_symbols}
            for spine, loads in trees.items()
        }
        return self._shaped({spine: loads for spine, loads in parts.items() if loads}, name)

    def _shaped(self, parts: Mapping[str, Mapping[str, Basic]], name: str) -> dict[str, dict[str, Basic]]:
        return {
            spine: {target: f * self._shape(name, spine, target) for target, f in loads.items()}
            for spine, loads in parts.items()
        }

    def _shape(self, name: str, spine: str, target: str) -> Basic:
        """How an input of x is spread along the line."""
        load = self.energies.work_density.get(spine, {}).get(target, ZERO)
        names = [name] if name in self.energies.inputs else [one.name for one in load.free_symbols]
        for one in names:
            if "x" not in self.energies.inputs.get(one, ()) or not spine:
                continue
            if one not in self.given:
                raise FlexuraError(
                    f"The load {one}(x) needs its shape",
                    advice=f"give values={{'{one}': 'expression in x'}}",
                    missing=(one,),
                )
            return text_or_expression(self.given[one], what=f"the value of {one}", spine=True).engine
        return ONE

    def _still(self, f: Basic, name: str) -> Basic:
        """What a load does per unit in the state the equations are about: the small motion times a small load is left.

        A load that has a value is not small, and moves that state.
        """
        moving = self.reader.jets.unknowns(f)
        if moving and name in self.reader.energies.inputs and name in self.given:
            raise FlexuraError(
                f"The load {name} has a value here and acts through {', '.join(one.label for one in moving)}, so it"
                " moves the state that the equations are about",
                advice=(
                    "leave its value out, or put it in with fx.linearise(equations, about=fx.equilibrium(equations,"
                    " values), values=values)"
                ),
            )
        return f.xreplace({one.symbol: ZERO for one in moving})

    def _numbers(self, parts: Mapping[str, Mapping[str, Basic]], name: str, system: LinearSystem) -> HarmonicLoad:
        forces, lines = np.zeros(len(system.names)), []
        where = f"the load {name}"
        for spine, loads in parts.items():
            for target, f in loads.items():
                f = self._still(f, name)
                if not spine:
                    forces += self.reader.number(f, where) * self.reader.row(target)
                    continue
                which = next(i for i, line in enumerate(system.lines) if line.name == spine)
                fields = system.lines[which].fields
                slot = (fields.index(target), 0) if target in fields else (-1, self.reader.index[target])
                tree = f.xreplace(self.reader.known)
                if SPINE in tree.free_symbols:
                    ends = np.array([system.lines[which].start, system.lines[which].end])
                    cuts = tuple(load_cuts(tree, ends, together=_TOGETHER))
                    lines.append(HarmonicLineLoad(which, slot, sampled(tree, where), cuts))
                else:
                    lines.append(HarmonicLineLoad(which, slot, self.reader.number(tree, where)))
        return HarmonicLoad(forces, tuple(lines))
