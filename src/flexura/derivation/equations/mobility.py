"""Mobility: how many motions conditions leave free, and which conditions repeat others, as data.

>>> int(equations.mobility), equations.mobility.redundant, equations.mobility.conditions
(1, 2, ('lambda_d_y', 'lambda_d_ry'))
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Mobility:
    """What is free among coordinates, and what is held twice; `int(mobility)` is the number of free motions.

    `freedoms` are motions that can go on. `infinitesimal` ones can only begin: two bars in one line between fixed
    hinges. `redundant` conditions follow from the others wherever these hold; `conditions` names as many of them, by
    their multipliers, each after those it repeats. `fields` move besides, in ways without number.
    """

    freedoms: int
    redundant: int
    conditions: tuple[str, ...]
    coordinates: int
    held: int
    infinitesimal: int = 0
    fields: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __int__(self) -> int:
        return self.freedoms

    __index__ = __int__

    def __str__(self) -> str:
        return " ".join(part for part in (self._free(), self._repeated(), *self._besides(), *self.notes) if part)

    def _free(self) -> str:
        free = f"{_many(self.freedoms, 'motion')} {'is' if self.freedoms == 1 else 'are'} free"
        conditions = f" under {_many(self.held, 'condition')}" if self.held else ""
        return f"{free}: {_many(self.coordinates, 'coordinate')}{conditions}."

    def _repeated(self) -> str:
        if not self.redundant:
            return ""
        verb = "repeats" if self.redundant == 1 else "repeat"
        return f"{_many(self.redundant, 'condition')} {verb} the others: {', '.join(self.conditions)}."

    def _besides(self) -> tuple[str, ...]:
        begun = f"{_many(self.infinitesimal, 'more motion')} can begin, but not go on." if self.infinitesimal else ""
        bends = f"Besides, {', '.join(self.fields)} deform." if self.fields else ""
        return begun, bends


def _many(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
