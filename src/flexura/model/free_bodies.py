"""Every body cut free, seen from ground: where it is, what holds it and what acts on it, for Newton's and Euler's laws.

Nothing here reads the velocities of `frames.py`: turns go about joint axes as they lie in the reference configuration
(`Pose`), positions follow along the joints, loads are forces at points. Hence an independent check on the energies.

    >>> free = free_bodies(builder, jets)
    >>> free.bodies[0].position, [hold.name for hold in free.holds]
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any

from flexura.model.frames import Frame
from flexura.model.placing import Placed
from flexura.model.seen import RigidPlaces
from flexura.model.structure import Assembly, Spot, SpotLink, Weld
from flexura.model.wrenches import Acting, free_motions
from flexura.parts.bodies import Body, Ground
from flexura.symbolic.jets import Jets
from flexura.symbolic.kinematics.motion import FreeBodies, FreeBody, Hold
from flexura.symbolic.kinematics.vectors import (
    NULL,
)


def free_bodies(model: Placed, jets: Jets) -> FreeBodies:
    """The free bodies of a model whose frames are built, or the reason why there are none."""
    refusal, advice = _refusal(model)
    return FreeBodies(refusal=refusal, advice=advice) if refusal else _Space(model, jets).free_bodies()


def _refusal(model: Placed) -> tuple[str, str]:
    """Why there are none, and what to do about it."""
    members = ", ".join(one.name for one in model.structure.members)
    small = ", ".join(name for frame in model.frames for name, _, _ in frame.motions.coordinates)
    if members:
        return f"only rigid bodies are cut free, and this system has flexible members ({members})", ""
    if small:
        left = f"a Pin or Roller leaves a small motion ({small}), which has no free body"
        return left, "write Revolute or Slide there"
    return "", ""


class _Space:
    """The model seen from ground."""

    def __init__(self, model: Placed, jets: Jets) -> None:
        self.model, self.jets, self.places = model, jets, RigidPlaces(model)
        self.at, self.axes, self.loads = self.places.at, self.places.axes, Acting(model, jets, self.places)

    def free_bodies(self) -> FreeBodies:
        """Everything."""
        holds = [*(self._joint(frame) for frame in self.model.frames if frame.joint), *self._welds()]
        return FreeBodies(tuple(self._bodies()), tuple(_named_once(holds)), tuple(self.loads.all(holds)))

    def _bodies(self) -> Iterator[FreeBody]:
        for body in self.model.structure.bodies:
            spot = Spot(body, NULL)
            spin = self.places.poses[id(self.model.frame(body))].spin(self.jets)
            yield FreeBody(body.name, body.mass.engine, self.at(spot), self.axes(spot), spin, body.tensor)

    # -- what holds what -----------------------------------------------------------------------------------------

    @cached_property
    def _outboard(self) -> dict[int, list[str]]:
        """The parts that each frame carries, its own and those of frames that hang on it."""
        found: dict[int, list[str]] = {id(frame): [] for frame in self.model.frames}
        for one in self.model.frames:
            names = _names(one.assembly)
            for frame in one.chain:
                found[id(frame)] += names
        return found

    def _joint(self, frame: Frame) -> Hold:
        link = frame.joint
        assert link is not None
        names = self.model.joint_names[id(link.source)]
        outboard = tuple(self._outboard[id(frame)])
        sign = 1 if frame.assembly.anchor is link.q else -1
        free = tuple(free_motions(link, names, self.axes(link.p)))
        return Hold(hold_name(link), link.p.part.name, link.q.part.name, self.at(link.q), outboard, sign, free)

    def _welds(self) -> Iterator[Hold]:
        """Each weld, walking outwards from the part that carries the assembly."""
        for frame in self.model.frames:
            assembly = frame.assembly
            first = assembly.anchor.part if assembly.anchor else assembly.parts[0]
            tree = len(assembly.welds) == len(assembly.parts) - 1
            for weld in assembly.welds:
                near = _reached(assembly, first, weld)
                beyond = [one for one in assembly.parts if not any(one is other for other in near)]
                outboard = tuple(name for part in beyond for name in self._hanging(part))
                sign = 1 if any(weld.q.part is one for one in beyond) else -1
                ends = (weld.p.part.name, weld.q.part.name)
                yield Hold(hold_name(weld), *ends, self.at(weld.q), outboard, sign, (), tree)

    def _hanging(self, part: Any) -> Iterator[str]:
        """A body and all that hangs on it by joints."""
        yield part.name
        for frame in self.model.frames:
            ends = (frame.joint.p.part, frame.joint.q.part) if frame.joint else ()
            if frame is not self.model.frame(part) and any(one is part for one in ends):
                yield from (name for one in self.model.frames if frame in one.chain for name in _names(one.assembly))


def hold_name(one: SpotLink | Weld) -> str:
    """What a joint or weld is called in the names of its reactions: as it or its coordinate is, else its two parts."""
    return (one.source.label if one.source is not None else "") or f"{one.p.part.name}_{one.q.part.name}"


def _named_once(holds: list[Hold]) -> Iterator[Hold]:
    seen: dict[str, int] = {}
    for one in holds:
        seen[one.name] = seen.get(one.name, 0) + 1
        yield one if seen[one.name] == 1 else replace(one, name=f"{one.name}_{seen[one.name]}")


def _names(assembly: Assembly) -> list[str]:
    return [one.name for one in assembly.parts if isinstance(one, Body) and not isinstance(one, Ground)]


def _reached(assembly: Assembly, first: Any, without: Weld) -> list[Any]:
    """The parts of an assembly that hold together with the first one when a weld is taken out."""
    found = [first]
    for part in found:
        for weld in assembly.welds:
            ends = (weld.p.part, weld.q.part)
            if weld is not without and any(part is one for one in ends):
                found += [one for one in ends if not any(one is other for other in found)]
    return found
