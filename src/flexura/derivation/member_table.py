"""Table 1 of the memo, derived: each element with its energies and the loads it puts on what is attached to its ends.

    >>> table = members(extra=[pipe])
    >>> print(table); table.rows[0].forces["transverse"]

The loads come from the densities; a row of a new element needs no typing.
"""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

import symengine

from flexura.derivation.equations.text import tree_text
from flexura.derivation.surrogate import boundary_load
from flexura.energy.lagrangian import Lagrangian
from flexura.parts.members import REGISTERED
from flexura.parts.members.member import Member
from flexura.symbolic.engine import ZERO, Basic
from flexura.symbolic.integrals import terms
from flexura.symbolic.jets import Jet

Loads: TypeAlias = Mapping[str, tuple[Basic, Basic]]
"""Motion -> the load on what is attached, at the start and at the end."""

_TURNING = ("rotation", "tilt", "twist")
_HEADS = ("element", "energies per length", "loads on what is attached")


@dataclass(frozen=True)
class MemberRow:
    """One element: `forces` on moving ends, `moments` on turning ones, each (at start, at end)."""

    member: Member
    energies: Lagrangian
    loads: Loads

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of its fields."""
        return tuple(one.name for one in self.member.fields)

    @property
    def kinetic(self) -> Basic:
        """T* per length."""
        return self.member.kinetic.engine

    @property
    def potential(self) -> Basic:
        """V per length."""
        return self.member.potential.engine

    @property
    def forces(self) -> Loads:
        """F: the loads along the motions that move."""
        return {motion: load for motion, load in self.loads.items() if motion not in _TURNING}

    @property
    def moments(self) -> Loads:
        """M: the loads along the motions that turn."""
        return {motion: load for motion, load in self.loads.items() if motion in _TURNING}

    @cached_property
    def sympy(self) -> dict[str, Any]:
        """The row in SymPy: "kinetic", "potential", "forces" and "moments"."""
        from flexura.derivation.equations.sympy_rows import sympy_form

        form = sympy_form(self.energies).tree
        shown: dict[str, Any] = {"kinetic": form(self.kinetic), "potential": form(self.potential)}
        for what, loads in (("forces", self.forces), ("moments", self.moments)):
            shown[what] = {motion: (form(start), form(end)) for motion, (start, end) in loads.items()}
        return shown

    def cells(self) -> tuple[list[str], ...]:
        """The row as text, each cell a list of lines."""
        fields = ", ".join(self._text(Jet(name).symbol) for name in self.fields)
        energies = [f"T* = {self._text(self.kinetic)}", f"V  = {self._text(self.potential)}"]
        dissipation = self.member.dissipation.engine
        if dissipation != 0:
            energies.append(f"R  = {self._text(dissipation)}")
        return [self.member.name, fields], energies, [*self._lines("F", self.forces), *self._lines("M", self.moments)]

    def _lines(self, letter: str, loads: Loads) -> list[str]:
        (spine,) = self.energies.spines
        lines = []
        for motion, pair in loads.items():
            what = letter if len(loads) == 1 else f"{letter} {motion}"
            for end, load in zip("ab", pair, strict=True):
                lines.append(f"{what}({self._text(spine.place(end))}) = {self._text(load)}")
        return lines

    def _text(self, f: Basic) -> str:
        """As text; the place of a load stands on the left of it already."""
        jets = self.energies.jets
        ends = {jet.symbol: replace(jet, end="").symbol for jet in jets.inside(f) if jet.end}
        return tree_text(f.xreplace(ends), self.energies)


@dataclass(frozen=True, repr=False)
class MemberTable:
    """The elements, one row each; `str()` draws the table."""

    rows: tuple[MemberRow, ...]

    def __str__(self) -> str:
        cells = [tuple([head] for head in _HEADS), *(row.cells() for row in self.rows)]
        widths = [max(_width(line) for row in cells for line in row[column]) for column in range(len(_HEADS))]
        bars = ["─" * (width + 2) for width in widths]
        top, rule, foot = (left + middle.join(bars) + right for left, middle, right in ("┌┬┐", "├┼┤", "└┴┘"))
        return "\n".join((top, f"\n{rule}\n".join(_drawn(row, widths) for row in cells), foot))

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(str(self))}</pre>"


def members(extra: Iterable[Member] = ()) -> MemberTable:
    """The table of surrogate elements: energies and boundary loads, derived from the densities ([M] Table 1).

    >>> print(fx.members(extra=[pipe]))
    """
    return MemberTable(tuple(member_row(member) for member in (*REGISTERED, *extra)))


def member_row(member: Member) -> MemberRow:
    """The row of one element."""
    energies = Lagrangian(density=member.density, dissipation_density=member.dissipation_density)
    (spine,) = energies.spines
    density, dissipation = (one.get(spine.name, ZERO) for one in (energies.density, energies.dissipation_density))

    def load(motion: str, end: str) -> Basic:
        jet = member.boundary_value(motion, end).jet
        return _spread(boundary_load(density, dissipation, energies.jets, jet, spine.place(end), spine.name))

    return MemberRow(member, energies, {motion: (load(motion, "a"), load(motion, "b")) for motion in member.ends})


def _spread(f: Basic) -> Basic:
    """-(a - b) as b - a."""
    opposite = terms(-f)
    return symengine.Add(*(-term for term in opposite)) if len(opposite) > 1 else f


def _drawn(cells: tuple[list[str], ...], widths: list[int]) -> str:
    height = max(map(len, cells))
    columns = [[*cell, *[""] * (height - len(cell))] for cell in cells]
    lines = zip(*columns, strict=True)
    padded = ((text + " " * (width - _width(text)) for text, width in zip(line, widths, strict=True)) for line in lines)
    return "\n".join(f"│ {' │ '.join(line)} │" for line in padded)


def _width(text: str) -> int:
    return sum(not unicodedata.combining(letter) for letter in text)
