"""A URDF file as data: links and joints, checked, in the order of the file."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from dataclasses import dataclass

from flexura.errors import FlexuraError
from flexura.model.files.urdf_geometry import UNIT, ZERO, Matrix, Triple, apply, of_angles, plus, product, similar

KINDS = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
_NOTHING: Matrix = (ZERO, ZERO, ZERO)
_LONGEST = 20_000_000


@dataclass(frozen=True)
class LinkElement:
    """A link: its mass, mass centre and inertia about that, both in the axes of the link's frame."""

    name: str
    mass: float = 0.0
    centre: Triple = ZERO
    inertia: Matrix = _NOTHING


@dataclass(frozen=True)
class JointElement:
    """A joint from a parent to a child, whose frame lies at `origin`, turned by `turn`, in the parent's."""

    name: str
    kind: str
    parent: str
    child: str
    origin: Triple
    turn: Matrix
    axis: Triple
    damping: float
    friction: float
    limits: Mapping[str, float]
    mimic: tuple[str, float, float] | None


@dataclass(frozen=True)
class Document:
    """All links and joints by name."""

    links: Mapping[str, LinkElement]
    joints: Mapping[str, JointElement]

    @property
    def root(self) -> str:
        """The one link that no joint carries."""
        carried = {one.child for one in self.joints.values()}
        return next(name for name in self.links if name not in carried)

    def frames(self) -> dict[str, tuple[Matrix, Triple]]:
        """Where each link's frame is, and how it is turned, where all joints are at zero."""
        found: dict[str, tuple[Matrix, Triple]] = {self.root: (UNIT, ZERO)}
        waiting = list(self.joints.values())
        while waiting:
            ready = [one for one in waiting if one.parent in found]
            if not ready:
                raise FlexuraError(
                    f"The link {waiting[0].child} hangs on no link that hangs on {self.root}",
                    advice="let the joints form a tree",
                )
            for one in ready:
                R, at = found[one.parent]
                found[one.child] = product(R, one.turn), plus(at, apply(R, one.origin))
            waiting = [one for one in waiting if one not in ready]
        return found


def read_document(text: str, name: str) -> Document:
    """Parse and check."""
    if len(text) > _LONGEST or "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise FlexuraError(f"{name} is too long, or declares entities", advice="give a plain URDF file")
    try:
        root = ET.fromstring(text)
    except ET.ParseError as error:
        raise FlexuraError(f"{name} is no XML: {error}", advice="expand xacro files first") from None
    if root.tag != "robot":
        raise FlexuraError(f"{name} holds <{root.tag}>", advice="give a URDF file, whose outermost element is <robot>")
    links = {one.name: one for one in map(_link, root.findall("link"))}
    joints = {one.name: one for one in map(_joint, root.findall("joint"))}
    if not links:
        raise FlexuraError(f"{name} holds no link", advice="give a robot with links")
    for joint in joints.values():
        for end in (joint.parent, joint.child):
            if end not in links:
                raise FlexuraError(
                    f"The joint {joint.name} joins {end!r}, which is no link", advice=f"links are {', '.join(links)}"
                )
    children = [one.child for one in joints.values()]
    twice = [one for one in children if children.count(one) > 1]
    free = [one for one in links if one not in children]
    if twice or len(free) != 1:
        what = f"{twice[0]} hangs on two joints" if twice else f"{len(free)} links hang on no joint"
        raise FlexuraError(f"In {name}, {what}", advice="let the joints form a tree with one root")
    return Document(links, joints)


def _link(node: ET.Element) -> LinkElement:
    name, inertial = node.get("name", ""), node.find("inertial")
    if inertial is None:
        return LinkElement(name)
    what = f"the link {name}"
    centre, turn = _pose(inertial, what)
    mass = inertial.find("mass")
    tensor = inertial.find("inertia")
    m = _float(mass, "value", what, 0.0)
    keys = {key: _float(tensor, key, what, 0.0) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")}
    I: Matrix = (
        (keys["ixx"], keys["ixy"], keys["ixz"]),
        (keys["ixy"], keys["iyy"], keys["iyz"]),
        (keys["ixz"], keys["iyz"], keys["izz"]),
    )
    if m < 0:
        raise FlexuraError(f"The mass of {what} is {m}", advice="give zero or more")
    return LinkElement(name, m, centre, similar(turn, I))


def _joint(node: ET.Element) -> JointElement:
    name, kind = node.get("name", ""), node.get("type", "")
    what = f"the joint {name}"
    if kind not in KINDS:
        raise FlexuraError(f"The type of {what} is {kind!r}", advice=f"use one of {', '.join(KINDS)}")
    ends = [node.find(word) for word in ("parent", "child")]
    if any(one is None for one in ends):
        raise FlexuraError(f"{what[0].upper()}{what[1:]} misses its parent or its child", advice="give both")
    origin, turn = _pose(node, what)
    axis_node = node.find("axis")
    axis = _triple(axis_node, "xyz", what, (1.0, 0.0, 0.0))
    size = math.hypot(*axis)
    if not size:
        raise FlexuraError(f"The axis of {what} is zero", advice="give a direction")
    dynamics, mimic, limit = node.find("dynamics"), node.find("mimic"), node.find("limit")
    limits = {} if limit is None else {key: _float(limit, key, what, 0.0) for key in limit.attrib}
    follows = None
    if mimic is not None:
        ratio, offset = (_float(mimic, key, what, usual) for key, usual in (("multiplier", 1.0), ("offset", 0.0)))
        follows = mimic.get("joint", ""), ratio, offset
    return JointElement(
        name,
        kind,
        str(ends[0].get("link", "")) if ends[0] is not None else "",
        str(ends[1].get("link", "")) if ends[1] is not None else "",
        origin,
        turn,
        (axis[0] / size, axis[1] / size, axis[2] / size),
        _float(dynamics, "damping", what, 0.0),
        _float(dynamics, "friction", what, 0.0),
        limits,
        follows,
    )


def _pose(node: ET.Element, what: str) -> tuple[Triple, Matrix]:
    origin = node.find("origin")
    return _triple(origin, "xyz", what, ZERO), of_angles(*_triple(origin, "rpy", what, ZERO))


def _triple(node: ET.Element | None, key: str, what: str, usual: Triple) -> Triple:
    text = None if node is None else node.get(key)
    if text is None:
        return usual
    words = text.split()
    if len(words) != 3:
        raise FlexuraError(f"The {key} of {what} is {text!r}", advice="give three numbers")
    x, y, z = (_finite(one, key, what) for one in words)
    return x, y, z


def _float(node: ET.Element | None, key: str, what: str, usual: float) -> float:
    text = None if node is None else node.get(key)
    return usual if text is None else _finite(text, key, what)


def _finite(text: str, key: str, what: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise FlexuraError(f"The {key} of {what} is {text!r}", advice="give a number")
    return number
