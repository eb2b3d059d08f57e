"""Who is called what: coordinates of joints and of members' ends, no two alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flexura.errors import FlexuraError
from flexura.model.assembly import END_MOTIONS
from flexura.model.frames import joint_symbols
from flexura.model.structure import Assembly, Segment, SpotLink, Structure
from flexura.parts.joints import Joint
from flexura.parts.members.member import Place
from flexura.symbolic.expression import check_name

_COUNTS = {2: "two", 3: "three"}


class Names:
    """Names given by the user (`names={beam.end: ("q4", "q5")}`, `name=` of joints), and readable ones otherwise."""

    def __init__(self, structure: Structure, given: Mapping[Any, Any]) -> None:
        """`given` are the names of ends, by place."""
        self.structure, self.given = structure, given
        self.taken = _field_names(structure)

    def of_joint(self, link: SpotLink) -> tuple[str, ...]:
        """One for each coordinate of a joint; "" for an angle that a particle does not have."""
        joint = link.source
        assert isinstance(joint, Joint)
        defaults = self.default_names(joint, link)
        names = (*joint.names, *[""] * len(defaults))[: len(defaults)]
        return tuple(
            (self.claim(name) if name else self._fresh(default)) if default else ""
            for name, default in zip(names, defaults, strict=True)
        )

    def of_end(self, name: str) -> str:
        """The name of an end's coordinate: as given, or one that nothing else has."""
        given = (one for some in self.given.values() for one in ((some,) if isinstance(some, str) else some))
        return self.claim(name) if name in given else self._fresh(name)

    def at_ends(self, assembly: Assembly) -> dict[tuple[int, str], dict[str, str | None]]:
        """What the ends of an assembly's segments were named, motion by motion."""
        found: dict[tuple[int, str], dict[str, str | None]] = {}
        for place, given in self.given.items():
            if not isinstance(place, Place):
                raise FlexuraError(
                    f"Names are given for {place!r}, which is not a place on a member",
                    advice="joints have name=",
                    keyword="names",
                    entry=repr(place),
                )
            spot = self.structure.spot(place)
            assert isinstance(spot.part, Segment)
            if not any(spot.part is one for one in assembly.parts):
                continue
            names = (given,) if isinstance(given, str) else tuple(given)
            motions = [one for one in END_MOTIONS if spot.part.carrier(one, spot.end)]
            if len(names) > len(motions):
                raise FlexuraError(
                    f"{place!r} is given {len(names)} names, but only {', '.join(motions)} exist there",
                    advice="give one each",
                    part=place.member.name,
                    keyword="names",
                    entry=repr(place),
                )
            for name in names:
                if name is not None:
                    check_name(name, "A coordinate")
            found[(id(spot.part), spot.end)] = dict(zip(motions, names, strict=False))
        return found

    def claim(self, name: str) -> str:
        """Take a name that nothing else may have."""
        for seg in self.structure.segments:
            if any(one.name == name for one in seg.fields):
                raise FlexuraError(
                    f"The name {name} is both a coordinate and a field of {seg.name}",
                    advice="rename one of them",
                    part=seg.member.name,
                )
        if name in self.taken:
            raise FlexuraError(f"Two different coordinates are called {name}", advice="rename one of them")
        self.taken.add(name)
        return name

    def _fresh(self, name: str) -> str:
        number, found = 2, name
        while found in self.taken:
            found, number = f"{name}_{number}", number + 1
        self.taken.add(found)
        return found

    def default_names(self, joint: Joint, link: SpotLink) -> tuple[str, ...]:
        """What the coordinates of a joint are called unless they are given names."""
        part = link.q.part.name if link.q.part.name != "ground" else link.p.part.name
        stems = joint.stems(self.structure.spatial)
        if not link.turns:
            angles = len(joint.rotations(joint_symbols(stems)))
            straight = stems[:-angles]
            if joint.names and len(joint.names) < len(straight):
                raise FlexuraError(
                    f"{joint!r} is given {len(joint.names)} names, but {part} moves in space",
                    advice="give three (x, y, z)",
                    part=repr(joint),
                    keyword="names",
                )
            return (*(f"{stem}_{part}" for stem in straight), *[""] * angles)
        if joint.names and len(joint.names) < len(stems):
            space = len(stems) > 3
            raise FlexuraError(
                f"{joint!r} is given {_COUNTS[len(joint.names)]} names, but "
                + ("the model leaves the plane" if space else f"{part} turns as well"),
                advice="give six (x, y, z and the angles about z, y, x)" if space else "give three (x, y, theta)",
                part=repr(joint),
                keyword="names",
            )
        return tuple(f"{stem}_{part}" for stem in stems)


def _field_names(structure: Structure) -> set[str]:
    owners: dict[str, str] = {}
    for seg in structure.segments:
        for one in seg.fields:
            if one.name in owners:
                raise FlexuraError(
                    f"Two different fields are called {one.name}, of {owners[one.name]} and {seg.name}",
                    advice="rename one of them with field=",
                    part=seg.member.name,
                    keyword="field",
                )
            owners[one.name] = seg.name
    return set(owners)
