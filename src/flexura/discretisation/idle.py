"""Inputs that do no work: places in u all the same, because reactions hold what they are.

>>> idle_inputs(energies, slots)        # ("F",) of a force across the only way its body moves
"""

from __future__ import annotations

from collections.abc import Iterable

from flexura.energy.lagrangian import Lagrangian
from flexura.systems.nonlinear import InputSlot


def idle_inputs(energies: Lagrangian, slots: Iterable[InputSlot]) -> tuple[str, ...]:
    """Inputs without a slot that are numbers at each time; what varies along x has no line to be known on."""
    known = {one.name for one in slots}
    known |= {symbol.name for f in energies.prescribed.values() for symbol in f.free_symbols}
    return tuple(name for name, of in energies.inputs.items() if name not in known and "x" not in of)
