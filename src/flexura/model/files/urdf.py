"""Robots from URDF: links as rigid bodies, joints as joints, and members in place of links that bend.

>>> robot = fx.read_urdf("arm.urdf")
>>> fx.simulate(robot.model, t, inputs={"tau_elbow": 0.5})
>>> fx.read_urdf("arm.urdf", members={"forearm": fx.EulerBernoulliBeam("forearm", EI=40.0, rho=1.2, length=0.6)})

Bodies have the axes of the base where all joints are at zero, so that each joint's axis is one vector, whatever frames
the file turns links by: positions, axes and inertias are brought to these axes once, here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError, warn
from flexura.files.toml_source import text_of
from flexura.model.files.urdf_document import Document, JointElement, LinkElement, read_document
from flexura.model.files.urdf_geometry import (
    ZERO,
    Matrix,
    Triple,
    apply,
    clean,
    length_of,
    minus,
    plus,
    similar,
    towards,
)
from flexura.model.model import Model
from flexura.parts.bodies import RigidBody, ground
from flexura.parts.contacts import Friction
from flexura.parts.gears import Gear
from flexura.parts.joints import Fixed, Free, Revolute, Slide
from flexura.parts.loads import Force, Gravity, Torque
from flexura.parts.spatial_joints import Planar
from flexura.parts.springs import Damper, TorsionDamper
from flexura.symbolic.engine import Symbol, exact
from flexura.symbolic.expression import Expression, ParameterDeclaration

_TURNS, _SLIDES = ("revolute", "continuous"), ("prismatic",)
_SAME = 1e-6  # of a length


@checked_methods
@dataclass(frozen=True, eq=False)
class Robot:
    """What a URDF file describes: its `model`, `links` (bodies and members by name), joints' limits, what was left out.

    `inputs` are the names of the torques and forces of the motors, "tau_<joint>", "f_<joint>".
    """

    model: Model
    links: Mapping[str, Any]
    joints: tuple[str, ...]
    inputs: tuple[str, ...]
    limits: Mapping[str, Mapping[str, float]]
    notes: tuple[str, ...]
    _frames: Mapping[str, tuple[Matrix, Triple]] = field(repr=False, default_factory=dict)
    _centres: Mapping[str, Triple] = field(repr=False, default_factory=dict)

    def place(self, link: str, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Any:
        """A point of a rigid link, in the axes of its frame in the file.

        >>> run.position(robot.place("tool", z=0.1))
        """
        if link not in self._centres:
            raise FlexuraError(f"There is no rigid link {link!r}", advice=f"there are {', '.join(self._centres)}")
        R, origin = self._frames[link]
        at = minus(plus(origin, apply(R, (x, y, z))), self._centres[link])
        body = self.links[link]
        return body.at(*clean(at))


def read_urdf(
    path: str | Path,
    base: str = "fixed",
    members: Mapping[str, Any] | None = None,
    gravity: float = 9.81,
    motors: bool = True,
    friction: bool = False,
) -> Robot:
    """A robot from a URDF file; `base="free"` lets its first link fly.

    `members` replace links by members of the same length, from the joint that carries the link to the one it carries.
    Each joint that moves has a motor, an input; damping becomes dampers, friction=True dry friction. Limits are told,
    not held; pictures, collisions and transmissions are not read.

    >>> fx.read_urdf("arm.urdf").model
    """
    path = Path(path)
    if base not in ("fixed", "free"):
        raise FlexuraError(f"base is {base!r}", advice="use 'fixed' or 'free'")
    document = read_document(text_of(path), path.name)
    return _Builder(document, dict(members or {}), base, motors, friction).robot(gravity)


class _Builder:
    def __init__(self, document: Document, members: dict[str, Any], base: str, motors: bool, friction: bool) -> None:
        self.document, self.members, self.base = document, members, base
        self.motors, self.friction = motors, friction
        self.frames = document.frames()
        self.parts: list[Any] = []
        self.links: dict[str, Any] = {}
        self.inputs: list[str] = []
        self.moving: dict[str, Any] = {}
        self.centres: dict[str, Triple] = {}
        self.roots: dict[str, Any] = {}  # what stands for the inner end of a member, and for the outer one
        self.ends: dict[str, Any] = {}
        stray = [name for name in members if name not in document.links]
        if stray:
            raise FlexuraError(f"There is no link {stray[0]!r}", advice=f"there are {', '.join(document.links)}")

    def robot(self, gravity: float) -> Robot:
        root = self.document.root
        for name, link in self.document.links.items():
            if name in self.members:
                self._member(name)
            elif name != root or self.base == "free":
                self.links[name] = self._body(link)
            else:
                self.links[name], self.centres[name] = ground, ZERO
        if self.base == "free":
            self.parts.append(Free(ground.at(*clean(self.centres[root])), self.links[root]))
        for joint in self.document.joints.values():
            self._joint(joint)
        self._mimics()
        if gravity:
            self.parts.append(Gravity(gravity, along="-z"))
        notes = self._notes()
        limits = {one.name: one.limits for one in self.document.joints.values() if one.limits}
        model = Model(*self.parts)
        moving = tuple(self.moving)
        return Robot(model, self.links, moving, tuple(self.inputs), limits, notes, self.frames, self.centres)

    def _body(self, link: LinkElement) -> RigidBody:
        R, origin = self.frames[link.name]
        self.centres[link.name] = plus(origin, apply(R, link.centre))
        inertia = similar(R, link.inertia)
        return RigidBody(word(link.name), m=link.mass, I=[clean(row) for row in inertia] if link.mass else 0)

    def _member(self, name: str) -> None:
        """A member from the joint that carries the link to the one it carries, on massless bodies at both ends."""
        out = [one for one in self.document.joints.values() if one.parent == name]
        if name == self.document.root or len(out) != 1:
            raise FlexuraError(
                f"The link {name} carries {len(out)} joints",
                advice="replace a link that one joint carries and that carries one other by a member",
            )
        _, start = self.frames[name]
        along = minus(self.frames[out[0].child][1], start)
        member, far = self.members[name], length_of(along)
        number = _number(member.length)
        if not far or (number is not None and abs(number - far) > _SAME * far):
            raise FlexuraError(
                f"The member {member.name} is {number} m long, and the link {name} spans {far:.9g} m",
                advice=f"give it length={far:.9g}",
                part=member.name,
                keyword="length",
            )
        angle, about = towards(along)
        inner, outer = (RigidBody(f"{word(name)}_{one}", m=0, I=0) for one in ("root", "tip"))
        self.parts += [Fixed(inner, member.start, angle=angle, about=list(about))]
        self.parts += [Fixed(member.end, outer, angle=-angle, about=list(about))]
        self.links[name], self.ends[name] = member, outer
        self.roots[name] = inner

    def _place(self, name: str, at: Triple, outer: bool) -> Any:
        """Where a joint sits on a link."""
        if name in self.members:
            return self.ends[name] if outer else self.roots[name]
        part = self.links[name]
        return part.at(*clean(minus(at, self.centres[name])))

    def _joint(self, joint: JointElement) -> None:
        R, at = self.frames[joint.child]
        axis = list(clean(apply(R, joint.axis)))
        p, q = self._place(joint.parent, at, True), self._place(joint.child, at, False)
        name = word(joint.name)
        if joint.kind == "fixed":
            self.parts.append(Fixed(p, q, name=name))
            return
        if joint.kind == "floating":
            self.parts.append(Free(p, q, name=name))
            return
        if joint.kind == "planar":
            self.parts.append(Planar(p, q, normal=axis))
            return
        turns = joint.kind in _TURNS
        made = Revolute(p, q, about=axis, name=name) if turns else Slide(p, q, along=axis, name=name)
        self.parts.append(made)
        self.moving[joint.name] = made
        if joint.damping:
            damper = TorsionDamper(p, q, c=joint.damping) if turns else Damper(p, q, c=joint.damping, along=axis)
            self.parts.append(damper)
        if joint.friction and self.friction:
            self.parts.append(Friction(p, q, joint.friction, along=axis))
        if self.motors and not joint.mimic:
            self._motor(joint, name, turns, (p, q), axis)

    def _motor(self, joint: JointElement, name: str, turns: bool, places: tuple[Any, Any], axis: list[float]) -> None:
        p, q = places
        held = self.links[joint.parent] is ground
        load = f"tau_{name}" if turns else f"f_{name}"
        if turns:
            reaction = {} if held else {"reaction": p}
            self.parts.append(Torque(q, f"{load}(t)", about=axis, name=load, **reaction))
        else:
            self.parts.append(Force(q, f"{load}(t)", along=axis, axes=ground if held else p, name=load))
            if not held:
                self.parts.append(Force(p, f"-{load}(t)", along=axis, axes=p, name=f"{load}_back"))
        self.inputs.append(load)

    def _mimics(self) -> None:
        for joint in self.document.joints.values():
            if joint.mimic:
                other, ratio, offset = joint.mimic
                if offset or other not in self.moving:
                    raise FlexuraError(
                        f"The joint {joint.name} mimics {other} with an offset, or a joint that does not move",
                        advice="leave the offset out, and let the zeros of both joints agree",
                    )
                self.parts.append(Gear(self.moving[joint.name], self.moving[other], ratio))

    def _notes(self) -> tuple[str, ...]:
        joints = self.document.joints.values()
        rubbed = [one.name for one in joints if one.friction and not self.friction]
        found = []
        if rubbed:
            found.append(f"Friction of {', '.join(rubbed)} was left out; friction=True keeps it.")
        light = [name for name, link in self.document.links.items()
                 if not link.mass and name not in self.members and self.links[name] is not ground]  # fmt: skip
        if light:
            found.append(f"Links without mass: {', '.join(light)}.")
        if rubbed:
            warn(found[0])
        return tuple(found)


def word(name: str) -> str:
    """A name of the file as the grammar reads it."""
    found = re.sub(r"\W", "_", name)
    return found if found[:1].isalpha() else f"l_{found}"


def _number(given: Expression) -> float | None:
    """What a length comes to, if it has a value already."""
    carried = [one for one in given.declarations if isinstance(one, ParameterDeclaration)]
    tree = given.engine.xreplace({Symbol(one.name): exact(one.value) for one in carried if one.value is not None})
    return None if tree.free_symbols else float(tree.n(53, real=True))
