"""What is read of a description: pieces of members, spots on parts, links between them, frames, what hangs together.

>>> spot = ReadSpot(piece, point, "a")
>>> spot.far, spot.turned
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from flexura.derivation.prove.program import Number
from flexura.derivation.prove.vectors import AXES, ZERO, Matrix, Vector, add, scale, turn, turned_by
from flexura.parts.bodies import Body
from flexura.parts.description import Description
from flexura.parts.joints import Coupling
from flexura.parts.members.member import Member
from flexura.symbolic.engine import Basic, Symbol, symbol_name


class UnreadableError(Exception):
    """What this route does not know how to check; the message is the reason."""


@dataclass(eq=False)
class ReadPiece:
    """A member between two places where something attaches, with fields of its own."""

    member: Member
    spine: str
    limits: tuple[Basic, Basic]
    ends: tuple[Number, Number]
    fields: tuple[str, ...]
    tied: Member | None = None
    """The member with its axial displacement as a field of its own, where the energies have it so."""

    @property
    def mechanics(self) -> Member:
        """What it stores and how it moves."""
        return self.tied or self.member

    @property
    def name(self) -> str:
        """For sentences."""
        return self.member.name

    @property
    def far(self) -> bool:
        """Whether nothing about its deflections is small."""
        return self.member.bends_far

    def own(self, f: Basic) -> Basic:
        """A tree of the member in this piece's fields."""
        names = {old.name: new for old, new in zip(self.mechanics.fields, self.fields, strict=True) if old.name != new}
        replaced = {}
        for symbol in f.free_symbols if names else ():
            stem, _, order = symbol.name.rpartition("_")
            if symbol.name in names:
                replaced[symbol] = Symbol(names[symbol.name])
            elif stem in names and order and set(order) <= {"x", "t"}:
                replaced[symbol] = Symbol(f"{names[stem]}_{order}")
        return f.xreplace(replaced) if replaced else f

    def carriers(self, end: str) -> dict[str, str]:
        """The boundary value that carries each motion of an end."""
        return {motion: f"{symbol_name(self.own(by.engine))}@{end}" for motion, by in self.member.ends.items()}

    def along(self, end: str) -> str:
        """The boundary value that moves an end along the member, where that is a field of its own."""
        return f"{self.fields[-2]}@{end}" if self.tied else ""


Part = Body | ReadPiece


@dataclass(frozen=True)
class ReadSpot:
    """A place: on which part, where in its axes, which end of a piece; ground without a point is everywhere."""

    part: Any
    point: Vector
    end: str = ""
    everywhere: bool = False
    heading: Number = ZERO
    """The angle about z, or `about`, by which a curved member has turned there, at rest."""
    about: Vector = AXES[2]

    @property
    def far(self) -> bool:
        """Whether it is a section that turns as far as it likes."""
        return isinstance(self.part, ReadPiece) and self.part.far

    @property
    def turned(self) -> Matrix:
        """The section at rest, in the part's axes."""
        return turned_by(scale(self.heading, self.about))

    def same(self, other: ReadSpot) -> bool:
        """Whether it is the same place of the same part."""
        if self.part is not other.part:
            return False
        return self.end == other.end if isinstance(self.part, ReadPiece) else tuple(self.point) == tuple(other.point)


@dataclass(frozen=True, eq=False)
class ReadLink:
    """A connection between two spots; the one between neighbouring pieces of a member has no source."""

    source: Coupling | None
    p: ReadSpot
    q: ReadSpot
    turns: bool = True


@dataclass(eq=False)
class ReadFrame:
    """Parts that share a frame, where they lie in it, and the joint that carries it."""

    parts: list[Part]
    welds: list[ReadLink]
    anchor: ReadSpot | None = None
    parent: ReadFrame | None = None
    joint: ReadLink | None = None
    forward: bool = True
    names: tuple[str, ...] = ()
    turned: dict[int, Matrix] = field(default_factory=dict)
    origin: dict[int, Vector] = field(default_factory=dict)

    @property
    def tied(self) -> bool:
        """Whether what its small turns draw in is part of every motion: where members are tied to their bending."""
        return any(isinstance(part, ReadPiece) and part.tied for part in self.parts)

    def rest(self, spot: ReadSpot) -> Vector:
        """Where a spot lies undeformed, in the frame's axes."""
        return add(self.origin[id(spot.part)], turn(self.turned[id(spot.part)], spot.point))


class ReadGroups:
    """Which parts hang together (union-find)."""

    def __init__(self) -> None:
        """At first each part is by itself."""
        self._up: dict[int, int] = {}

    def find(self, part: Any) -> int:
        """Which of them a part belongs to."""
        at = id(part)
        while self._up.get(at, at) != at:
            at = self._up[at]
        return at

    def same(self, a: Any, b: Any) -> bool:
        """Whether two parts hang together."""
        return self.find(a) == self.find(b)

    def join(self, a: Any, b: Any) -> None:
        """From now on they do."""
        self._up[self.find(b)] = self.find(a)


def named(described: Description) -> Iterator[Any]:
    """Everything a description lists, and the parts and places that these name."""
    for one in described.things:
        yield one
        for key in ("p", "q", "place", "reaction", "member", "axes"):
            if getattr(one, key, None) is not None:
                yield getattr(one, key)
    yield from described.names
    yield from described.measured_from
    yield from described.measured_from.values()


def members_of(described: Description) -> list[Member]:
    """The members among them."""
    found = (one if isinstance(one, Member) else getattr(one, "member", None) for one in named(described))
    return unique(one for one in found if isinstance(one, Member))


def unique(things: Iterable[Any]) -> list[Any]:
    """Each of them once, in their order."""
    return list({id(one): one for one in things}.values())
