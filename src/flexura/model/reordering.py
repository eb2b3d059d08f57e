"""The energies of a model with other angles in some of its balls, to pass where three angles are singular.

>>> reordered = Reordered.of(builder)
>>> reordered.balls, reordered(frozenset({0}))      # (("psi", "theta", "phi"),), energies with angles about z, x, y

Angles about z, then y, then x are singular where the second is a quarter turn: the body's x axis lies along p's z.
Those about z, then x, then y, by the same names, are singular where its y axis does, a quarter turn away.
"""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flexura.energy.lagrangian import Lagrangian
from flexura.model.builder import Builder
from flexura.parts.description import Description
from flexura.parts.joints import Pin, free_of
from flexura.parts.spatial_joints import Spherical, ball_of
from flexura.symbolic.expression import Expression
from flexura.symbolic.kinematics.motion import OTHER_ORDER

Triple = tuple[str, str, str]


@dataclass(frozen=True, eq=False)
class Reordered:
    """What balls a model has, by the names of their angles, and its energies with another order of turns in some."""

    described: Description
    idle: frozenset[str]
    joints: tuple[Any, ...]
    balls: tuple[Triple, ...]

    @classmethod
    def of(cls, builder: Builder) -> Reordered | None:
        """Of a model that was built; None where nothing of it turns so, or loads and conditions name what does."""
        found = [
            (thing, names)
            for link in builder.placed.structure.joints
            if link.turns and (names := _angles(builder.placed.joint_names[id(link.source)], link.source))
            and (thing := _listed(builder.described, link.source)) is not None
        ]  # fmt: skip
        said = set(_said(builder.described, [thing for thing, _ in found]))
        free = [(thing, names) for thing, names in found if not said & {*names, *(f"{one}_t" for one in names)}]
        if not free:
            return None
        return cls(builder.described, builder.idle, tuple(one for one, _ in free), tuple(names for _, names in free))

    def __call__(self, which: frozenset[int]) -> Lagrangian:
        """With the angles of the balls of these numbers in the other order."""
        told, turned = self.described, {id(self.joints[i]): _turned(self.joints[i]) for i in which}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what was to be told has been
            things = tuple(turned.get(id(one), one) for one in told.things)
            return Builder(things, told.measured_from, told.names, told.foreshortening, self.idle).lagrangian()


def _angles(names: tuple[str | None, ...], joint: Any) -> Triple | None:
    """The names of three angles about z, y and x, if a joint has them."""
    if not (isinstance(joint, Spherical) or free_of(joint)) or len(names) not in (3, 6):
        return None
    psi, theta, phi = names[-3:]
    if len(joint.rotations([0] * len(names))) != 3 or psi is None or theta is None or phi is None:
        return None
    return psi, theta, phi


def _listed(described: Description, joint: Any) -> Any:
    """The thing that a joint was made of: itself, or the pin that it is in space."""
    return next(
        (one for one in described.things
         if one is joint or (isinstance(one, Pin) and one.p is joint.p and one.q is joint.q)), None
    )  # fmt: skip


def _turned(joint: Any) -> Any:
    made = ball_of(joint) if isinstance(joint, Pin) else copy.copy(joint)
    made._set(order=OTHER_ORDER)
    return made


def _said(described: Description, without: list[Any]) -> Iterator[str]:
    """Names that the expressions and texts of parts hold, of some not."""
    for thing in described.things:
        if any(thing is one for one in without):
            continue
        for value in vars(thing).values():
            for each in value.values() if isinstance(value, Mapping) else (value,):
                if isinstance(each, Expression):
                    yield from (one.name for one in each.engine.free_symbols)
                elif isinstance(each, str):
                    yield each
