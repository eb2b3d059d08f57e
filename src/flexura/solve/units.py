"""Units of coordinates, fields and loads, from how the parts of a model move.

>>> units = Units(equations.lagrangian)
>>> units.coordinate("theta"), units.coordinate("w@b"), units.load("F")        # rad, m, N

What turns something is in rad, what moves something is in m; "" where a system was given by its energies alone, or
where both could be meant.
"""

from __future__ import annotations

from functools import cached_property

from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.engine import Basic, Symbol, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.motion import ModelMotion


class Units:
    """Asks the motion of one model."""

    def __init__(self, energies: Lagrangian) -> None:
        self.energies, self.jets = energies, energies.jets
        self.motion = energies.motion if isinstance(energies.motion, ModelMotion) else None

    @cached_property
    def _moving(self) -> frozenset[str]:
        """Names whose rates move something, wherever it is and however it lies."""
        carried = self.motion.carried if self.motion else ()
        return frozenset(self._still(jet) for jet in self._rates([f for one in carried for f in one.velocity]))

    def _rates(self, trees: list[Basic]) -> list[Jet]:
        return [jet for f in trees for jet in self.jets.unknowns(f) if jet.t == 1]

    @staticmethod
    def _still(jet: Jet) -> str:
        return Jet(jet.name, jet.x, 0, jet.end).label

    @cached_property
    def _angles(self) -> frozenset[str]:
        carried = self.motion.carried if self.motion else ()
        trees = [f for one in carried for part in (*one.spin, one.axes_rate) for f in part]
        return frozenset(self._still(jet) for jet in self._rates(trees))

    def coordinate(self, label: str) -> str:
        """Of a coordinate, a field, or a value at an end ("w@b", "w_x@b")."""
        if self.motion is None:
            return ""
        given = self.energies.boundary
        for end, value in given.items():  # q4 = w(l), q5 = w_x(l)
            if value == Symbol(label):
                return self.coordinate(end)
        jet = self.jets.find(Symbol(label))
        if jet is not None and jet.x == 1 and self.coordinate(jet.name) == "m":
            return "rad"
        if jet is not None and jet.x:
            return ""
        name = jet.name if jet is not None else label
        turns, moves = name in self._angles, name in self._moving
        return "rad" if turns else "m" if moves else ""

    def rate(self, label: str, times: int = 1) -> str:
        """Of its rate, or of its acceleration."""
        unit = self.coordinate(label)
        return f"{unit}/s{'**2' if times == 2 else ''}" if unit and times else unit

    def load(self, name: str) -> str:
        """Of an input that is a force or a couple by itself, "" where it is multiplied by more than a number."""
        if self.motion is None:
            return ""
        acting = [one for one in self.motion.forces if self._named(one, name)]
        found = {("N*m" if one.extent is None else "N") * self._plain(one.value, name) for one in acting}
        lines = [one for one in self.motion.line_loads if self._named(one, name)]
        found |= {"N/m" * self._plain(one.value, name) for one in lines}
        return found.pop() if len(found) == 1 else ""

    def _named(self, one: object, name: str) -> bool:
        value: Basic = one.value  # type: ignore[attr-defined]  # loads of two kinds, alike in this
        return getattr(one, "name", "") == name or Symbol(name) in value.free_symbols

    @staticmethod
    def _plain(value: Basic, name: str) -> bool:
        symbol = Symbol(name)
        return symbol not in value.free_symbols or not partial(value, symbol).free_symbols
