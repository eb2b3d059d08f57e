"""Energies that miss a rule of their parts: `fx.verify` must say no, and yes of the same machine unharmed."""

from __future__ import annotations

from typing import Any

import symengine

import flexura as fx
from hunt.draw import Draw
from hunt.machine import GROUND, Machine
from hunt.trial import Disagreement, Trial


def mutants(number: int) -> Trial:
    """A hub with an arm, flexible or rigid, under springs, dampers and loads; one quantity counts 1.5 times."""
    draw = Draw(number)
    machine = Machine()
    machine.part("hub", "RigidBody", m=draw.size(0.3, 3), I=draw.size(0.05, 1))
    machine.join(draw.pick(["Slide", "Revolute"]), GROUND, ("hub",), name="q")
    machine.part("tip", "RigidBody", m=draw.size(0.3, 3), I=draw.size(0.05, 1))
    harmed = ["m_hub", "I_hub", "m_tip", "I_tip", "k_k0", "c_c0"]
    if draw.chance(0.5):
        machine.part("arm", "EulerBernoulliBeam", EI=draw.size(1, 50), rho=draw.size(0.2, 2), length=1.3)
        machine.join("Fixed", ("hub", (0.1, 0.0, 0.0)), ("arm", 0.0))
        machine.join("Fixed", ("arm", 1.3), ("tip",))
        harmed += ["rho_arm", "EI_arm"]
    else:
        machine.join("Revolute", ("hub", (0.4, 0.1, 0.0)), ("tip", (-0.3, 0.0, 0.0)), name="p")
    machine.spring("Spring", GROUND, ("tip",), k=draw.size(1, 50), name="k0")
    machine.spring("Damper", GROUND, ("tip",), c=draw.size(0.1, 5), name="c0")
    machine.load("Force", ("tip",), value="F")
    asked = _Mutant(machine, harmed, draw)
    return Trial("mutants", number, machine.script, frozenset(machine.kinds()), {"verify": asked.verify})


class _Mutant:
    def __init__(self, machine: Machine, names: list[str], draw: Draw) -> None:
        self.machine, self.names = machine, names
        self.first = draw.integer(0, len(names) - 1)

    def verify(self) -> str | None:
        model, _ = self.machine.built()
        whole = fx.verify(fx.derive(model))
        if not whole:
            raise Disagreement(str(whole))
        energies = model.lagrangian
        for name in (*self.names[self.first :], *self.names[: self.first]):
            harmed = _harmed(energies, name)
            if harmed is not None:
                break
        if fx.verify(fx.derive(harmed)):
            raise Disagreement(f"{name} counts 1.5 times in the energies, and the proof does not see it.")
        return None


def _harmed(energies: Any, name: str) -> Any:
    """The same energies with one quantity too large; None where they do not hold it.

    Without the velocities of the motion, which Kane's route would hold against them: only the parts can tell.
    """
    symbol = symengine.Symbol(name)
    larger = {symbol: symbol * 3 / 2}
    parts = dict(vars(energies))
    changed = False
    for one in ("kinetic", "potential", "dissipation"):
        changed = changed or symbol in parts[one].free_symbols
        parts[one] = parts[one].xreplace(larger)
    for one in ("density", "dissipation_density"):
        changed = changed or any(symbol in tree.free_symbols for tree in parts[one].values())
        parts[one] = {key: tree.xreplace(larger) for key, tree in parts[one].items()}
    parts["motion"] = None
    kept = set(type(energies).__dataclass_fields__)
    return type(energies).of_parts(**{key: one for key, one in parts.items() if key in kept}) if changed else None
