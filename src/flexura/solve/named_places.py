"""Outputs by text: a coordinate's name, or a place on a member, as the command line and files give them.

>>> output_of(equations, "beam.at(l/2)"), output_of(equations, "q4")
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flexura.derivation.equations.equations import Equations
from flexura.symbolic.expression import Expression
from flexura.symbolic.places import read_place
from flexura.symbolic.quantities import text_or_expression


@dataclass(frozen=True)
class NamedMember:
    """A member that only its name is known of."""

    name: str


@dataclass(frozen=True)
class NamedPlace:
    """A place on it; answers ask no more of a place."""

    member: NamedMember
    position: Expression


def output_of(equations: Equations, text: str) -> Any:
    """A place if the text names one on a member, else the text itself, for the answer to judge."""
    energies = equations.lagrangian
    if "." not in text:
        return text
    part, which, at = read_place(text)
    if part not in energies.members or which == "" or len(at) > 1:
        return text
    spines = [energies.spine_of(one) for one in energies.members[part]]
    ends = {"start": spines[0].start, "end": spines[-1].end}
    position = Expression(ends[which]) if which in ends else text_or_expression(at[0], what="the place")
    return NamedPlace(NamedMember(part), position)
