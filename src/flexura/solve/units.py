"""Units of coordinates, fields and loads, from how the parts of a model move.

>>> units = Units(equations.lagrangian)
>>> units.coordinate("theta"), units.coordinate("w@b"), units.load("F")        # rad, m, N

What turns something is in rad, what moves something is in m; "" where a system was given by its energies alone, or
where both could be meant.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from flexura.derivation.equations.equations import Equations
from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.engine import Basic, Symbol, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.motion import ModelMotion
from flexura.symbolic.outputs import Internal, Motion, Reaction, Weighted, is_body, is_force
from flexura.systems.dataframes import with_unit

MOMENTS = ("moment", "moment_y", "torque")


class Units:
    """Asks the motion of one model."""

    def __init__(self, energies: Lagrangian) -> None:
        origin = energies.origin.energies if energies.origin is not None else energies  # small motions keep names
        self.energies = energies if isinstance(energies.motion, ModelMotion) else origin
        self.jets = self.energies.jets
        self.motion = self.energies.motion if isinstance(self.energies.motion, ModelMotion) else None

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

    def output(self, output: Any) -> str:
        """Of what is looked at: a name, a place, fx.Motion, fx.Reaction or fx.Internal."""
        if isinstance(output, Motion):
            return ("rad" if output.about else "m") + ("", "/s", "/s**2")[output.rate]
        if isinstance(output, Reaction):
            return "N*m" if output.about else "N"
        if isinstance(output, Internal):
            return "N*m" if output.kind in MOMENTS else "N"
        if isinstance(output, Weighted):
            return output.unit
        if isinstance(output, tuple):
            return self.coordinate(str(getattr(output[1], "name", output[1])))
        if is_body(output):
            return "m"
        if hasattr(output, "member"):
            lines = self.energies.members.get(output.member.name, ())
            fields = [name for line in lines[:1] for name in self.energies.spine_of(line).fields]
            return self.coordinate(fields[0]) if len(fields) == 1 else ""
        label = str(getattr(output, "name", output))
        return self.named(label)

    def named(self, label: str) -> str:
        """Of a history by its name: a coordinate, an end value, a rate of one, an input, what drives a motion."""
        if label.startswith("Q_"):
            return self._force_on(label.removeprefix("Q_"))
        if label in self.energies.inputs:
            return self.load(label)
        body, mark, rates = label.partition("_t")
        if "@" in body and mark and not rates.strip("t"):  # "w_x@b_t", as runs call it
            return self.rate(body, 1 + len(rates))
        jet = self.jets.find(Symbol(label))
        if jet is None or jet.t > 2 or jet.name in self.energies.states:
            return ""
        return self.rate(self._still(jet), jet.t)

    def _force_on(self, label: str) -> str:
        return {"m": "N", "rad": "N*m"}.get(self.coordinate(label), "")

    def acting(self, load: Any) -> str:
        """Of what acts: a load, a coordinate (a generalized force on it) or a prescribed motion."""
        name = str(getattr(load, "name", load))
        if name in self.energies.prescribed:
            return self.coordinate(name)
        driven = [one for one, f in self.energies.prescribed.items() if f == Symbol(name)]
        if driven:
            return self.coordinate(driven[0])
        return self._force_on(name) if name in self.energies.coordinates else self.load(name)

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


def output_columns(equations: Any, output: Any, name: str = "{}", unit: str = "{}") -> tuple[str, ...]:
    """What the columns of an answer are called, one for each output; () where the system knows no names."""
    if not isinstance(equations, Equations):
        return ()
    units = Units(equations.lagrangian)
    several = output if isinstance(output, list) else [output]
    told = [(name.format(called(one)), units.output(one)) for one in several]
    whole = [f"({one})" if {"/", "*"} & set(one) and unit != "{}" else one for _, one in told]
    return tuple(with_unit(text, unit.format(one) if one else "") for (text, _), one in zip(told, whole, strict=True))


def ratio_columns(
    equations: Any, output: Any, load: Any, rate: int = 0, fields: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """The same of outputs per load, `rate` times differentiated where they are motions; fields are outputs, too."""
    if not isinstance(equations, Equations):
        return ()
    units = Units(equations.lagrangian)
    outputs = output if isinstance(output, list) else [(output, one) for one in fields] if len(fields) > 1 else [output]
    found = []
    for one in outputs:
        unit = units.output(one)
        unit += ("", "/s", "/s**2")[rate] if unit and not is_force(one) else ""
        for acting in load if isinstance(load, list) else [load]:
            per = units.acting(acting)
            ratio = f"{unit}/({per})" if "*" in per or "/" in per else f"{unit}/{per}"
            found.append(with_unit(f"{called(one)} per {called(acting)}", ratio if unit and per else ""))
    return tuple(found)


def called(thing: Any) -> str:
    """What an output or a load is called in a table."""
    if isinstance(thing, tuple):
        return f"{getattr(thing[1], 'name', thing[1])} at {called(thing[0])}"
    if isinstance(thing, Motion | Reaction | Internal | Weighted):
        return repr(thing)
    return str(getattr(thing, "name", "") or (thing if isinstance(thing, str) else repr(thing)))
