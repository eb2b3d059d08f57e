"""The variables of an FMU: parameters, inputs, states, their rates, outputs, by their value references.

>>> [variable.name for variable in variables_of(system)]        # time, parameters, inputs, states, der(...), outputs
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flexura.exports.systems import ExportedSystem

DECAY = "constraint_decay"
"""The parameter that says how fast what is missed of constraints decays."""


@dataclass(frozen=True)
class FmuVariable:
    """One variable; `rate_of` is the value reference of the state whose rate it is."""

    name: str
    reference: int
    causality: str
    variability: str
    start: float | None = None
    unit: str = ""
    rate_of: int | None = None
    indicator: bool = False

    @property
    def calculated(self) -> bool:
        """Whether its first value follows from others."""
        return self.start is None and self.causality != "independent"


def variables_of(system: ExportedSystem, events: int = 0) -> list[FmuVariable]:
    """All of them; value references count up as core.c counts. An output that is a state is that state."""
    written, units = system.written, system.units
    found = [FmuVariable("time", 0, "independent", "continuous", unit="s")]

    def add(name: str, causality: str, variability: str, **more: Any) -> None:
        found.append(FmuVariable(_free(name, found), len(found), causality, variability, **more))

    for name, value in written.parameters.items():
        add(name, "parameter", "fixed", start=float(value), unit=units.get(name, ""))
    if written.multipliers:
        add(DECAY, "parameter", "fixed", start=decay(system), unit="1/s")
    for name in written.inputs:
        add(name, "input", "continuous", start=0.0, unit=units.get(name, ""))
    first, states = len(found), system.states
    seen = {name for name, symbol, _, _ in states if system.outputs.get(name) == symbol}
    for name, _, _, start in states:
        causality = "output" if name in seen else "local"
        add(name, causality, "continuous", start=start, unit=units.get(name, ""))
    for i, (name, _, _, _) in enumerate(states):
        add(f"der({name})", "local", "continuous", rate_of=first + i)
    last = len(found)
    own = [(last + k, name) for k, name in enumerate(system.outputs) if name not in seen]
    for reference, name in own:
        found.append(FmuVariable(_free(name, found), reference, "output", "continuous", unit=units.get(name, "")))
    found += [
        FmuVariable(_free(f"event{k}", found), last + len(system.outputs) + k, "local", "continuous", indicator=True)
        for k in range(events)
    ]
    return found


def _free(name: str, taken: list[FmuVariable]) -> str:
    """A name that is not taken: an output may be called as an input is."""
    names = {one.name for one in taken}
    while name in names:
        name += "_"
    return name


def decay(system: ExportedSystem) -> float:
    """How fast what is missed of constraints decays, in 1/s; nothing where there are none."""
    return 20.0 if system.written.multipliers else 0.0
