"""Mechanisms: rigid motion first, elastic response second (kineto-elastodynamics, [E] section 2).

Every member is a frame of elements on a body whose motion is known. At a joint the elastic displacements of two members
are one and the same motion seen in two frames that turn, so x_all = T(t) y leaves only independent motions, and

    T'MT y'' + T'(2 M T_t + C T) y' + T'(M T_tt + C T_t + K T) y = T'f

holds exactly for small displacements: the forces of the joints are gone.

>>> mechanism = fx.Mechanism(fx.slider_crank(0.05, 0.2, "100*t"), {"rod": rod}, [fx.Joint(("rod", 1), along="x")])
>>> run = fx.simulate(mechanism, t)
>>> run["rod"]["v2"]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked, checked_methods
from flexura.errors import FlexuraError
from flexura.structures.moving.assembly import Constants
from flexura.structures.moving.body import MovingFrame, tilde
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.linkages import Linkage
from flexura.systems.signals.features import Features, together

Array = NDArray[np.float64]
_Turning = tuple[Array, Array, Array]  # a rotation matrix and its first two rates
_STILL: _Turning = (np.eye(3), np.zeros((3, 3)), np.zeros((3, 3)))

_AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


@checked_methods
@dataclass(frozen=True)
class Joint:
    """Two members' nodes that stay together: fx.Joint(("crank", 8), ("rod", 0)), or a node that slides on ground.

    `kind` "pin" leaves the rotation about `about` (ground's axes) free, "ball" all rotations, "fixed" none. Without a
    second member the node is guided by ground: `along` is the direction in which it may move, in ground's axes.
    """

    first: tuple[str, int]
    second: tuple[str, int] | None = None
    kind: str = "pin"
    about: Any = "z"
    along: Any = None

    def __post_init__(self) -> None:
        if self.kind not in ("pin", "ball", "fixed"):
            raise FlexuraError(f"The joint at {self.first} is {self.kind!r}", advice="say 'pin', 'ball' or 'fixed'")
        if (self.second is None) == (self.along is None):
            raise FlexuraError(
                f"The joint at {self.first} needs a second member, or the direction `along` in which ground guides it",
                advice="give one of the two",
            )
        object.__setattr__(self, "about", _unit(self.about, self.first))
        if self.along is not None:
            object.__setattr__(self, "along", _unit(self.along, self.first))


def _unit(given: Any, where: tuple[str, int]) -> Array:
    vector = np.asarray(_AXES.get(given, given) if isinstance(given, str) else given, dtype=object)
    try:
        vector = vector.astype(np.float64)
        size = float(np.linalg.norm(vector))
    except (TypeError, ValueError):
        size = 0.0
    if vector.shape != (3,) or not (np.isfinite(size) and size > 0):
        raise FlexuraError(
            f"A direction of the joint at {where} is {given!r}", advice="say 'x', 'y', 'z' or three numbers"
        )
    return np.asarray(vector / size)


@checked_methods
@dataclass(frozen=True, eq=False)
class Mechanism:
    """Elastic `members` (name -> BeamFrame) on bodies whose `motions` are known, held together by `joints`.

    `motions` is a Linkage (fx.slider_crank, fx.four_bar, fx.rotating_arm) or {name: MovingFrame} with rotations. A body
    without a member is rigid. Nodes in a member's own frame; its supports hold it to that frame.
    """

    motions: Linkage | Mapping[str, MovingFrame]
    members: Mapping[str, BeamFrame]
    joints: Sequence[Joint] = field(default_factory=tuple)

    def __post_init__(self) -> None:
        if not self.members:
            raise FlexuraError("The mechanism has no elastic member", advice="give one frame at least")
        _ = self.bodies, self._ties

    @cached_property
    def bodies(self) -> dict[str, MovingFrame]:
        """The motion of each member's body."""
        if isinstance(self.motions, Linkage):
            return {name: self.motions.motion(name) for name in self.members}
        missing = [name for name in self.members if name not in self.motions]
        if missing:
            raise FlexuraError(
                f"The motion of the member {missing[0]!r} is not given", advice="it has to be in motions"
            )
        return {name: self.motions[name] for name in self.members}

    @cached_property
    def constants(self) -> dict[str, Constants]:
        """The constant integrals of each member."""
        return {name: Constants.of(frame) for name, frame in self.members.items()}

    @cached_property
    def first_row(self) -> dict[str, int]:
        """Where each member's free motions begin among all."""
        sizes = [len(frame.dofs) for frame in self.members.values()]
        return dict(zip(self.members, np.concatenate([[0], np.cumsum(sizes)[:-1]]).tolist(), strict=True))

    @property
    def total(self) -> int:
        """The number of free motions of all members, joints not counted."""
        return sum(len(frame.dofs) for frame in self.members.values())

    def rows(self, place: tuple[str, int]) -> NDArray[np.intp]:
        """The rows of a node's six motions among all."""
        name, node = place
        if name not in self.members:
            raise FlexuraError(f"A joint names the member {name!r}", advice=f"there are {', '.join(self.members)}")
        frame = self.members[name]
        if not 0 <= node < len(frame.nodes):
            last = len(frame.nodes) - 1
            raise FlexuraError(
                f"A joint names node {node} of {name!r}, whose nodes go from 0 to {last}", advice="name one"
            )
        if not frame.free[node].all():
            raise FlexuraError(
                f"Node {node} of {name!r} is at a joint, so it must be free", advice="take its support or link away"
            )
        before = int(np.count_nonzero(frame.free.ravel()[: 6 * node]))
        return self.first_row[name] + before + np.arange(6)

    @cached_property
    def _ties(self) -> list[tuple[Joint, NDArray[np.intp], NDArray[np.intp] | None]]:
        """Each joint with the rows it eliminates and the rows they follow."""
        ties, seen = [], set()
        for joint in self.joints:
            follower = joint.first if joint.second is None else joint.second
            if follower in seen:
                raise FlexuraError(
                    f"Node {follower[1]} of {follower[0]!r} follows two joints", advice="name it first in one"
                )
            seen.add(follower)
            ties.append((joint, self.rows(follower), None if joint.second is None else self.rows(joint.first)))
        leaders = {joint.first for joint in self.joints if joint.second is not None}
        chained = seen & leaders
        if chained:
            name, node = next(iter(chained))
            raise FlexuraError(
                f"Node {node} of {name!r} leads one joint and follows another",
                advice="let one node lead all joints there",
            )
        return ties

    @cached_property
    def kept(self) -> tuple[NDArray[np.intp], dict[int, int]]:
        """The rows that stay unknowns, and the column of each joint's own unknown, by the joint's number."""
        gone: set[int] = set()
        extra: dict[int, int] = {}
        for joint, rows, _ in self._ties:
            gone.update(rows[:3].tolist())
            if joint.second is not None and joint.kind != "ball":
                gone.update(rows[3:].tolist())
        kept = np.array([row for row in range(self.total) if row not in gone], dtype=np.intp)
        column = len(kept)
        for k, (joint, _, _) in enumerate(self._ties):
            if joint.second is None or joint.kind == "pin":
                extra[k] = column
                column += 1
        return kept, extra

    @cached_property
    def kinds(self) -> NDArray[np.intp]:
        """0 for an independent motion along, 1 about an axis."""
        kept, extra = self.kept
        each = np.concatenate([np.argwhere(frame.free)[:, 1] // 3 for frame in self.members.values()])
        own = [int(self._ties[k][0].second is not None) for k in extra]
        return np.concatenate([each[kept], np.array(own, dtype=np.intp)])

    @property
    def n(self) -> int:
        """The number of independent motions."""
        kept, extra = self.kept
        return len(kept) + len(extra)

    def T(self, t: float) -> tuple[Array, Array, Array]:
        """T, T_t and T_tt (total, n) at t."""
        kept, extra = self.kept
        result = np.zeros((3, self.total, self.n))
        result[0, kept, np.arange(len(kept))] = 1
        column = {int(row): i for i, row in enumerate(kept)}
        turning = {name: _turning(body, t) for name, body in self.bodies.items()}
        for k, (joint, rows, leader) in enumerate(self._ties):
            follower = turning[(joint.first if joint.second is None else joint.second)[0]]
            if leader is None:
                for d, Q in enumerate(_relative(_STILL, follower, np.eye(3))):
                    result[d, rows[:3], extra[k]] = Q @ joint.along
                continue
            ahead = turning[joint.first[0]]
            columns = np.array([column[int(row)] for row in leader])
            across = np.eye(3) - (np.outer(joint.about, joint.about) if joint.kind == "pin" else 0)
            for d, Q in enumerate(_relative(ahead, follower, np.eye(3))):
                result[d][np.ix_(rows[:3], columns[:3])] = Q
            if joint.kind == "ball":
                continue
            for d, Q in enumerate(_relative(ahead, follower, across)):
                result[d][np.ix_(rows[3:], columns[3:])] = Q
            if joint.kind == "pin":
                for d, Q in enumerate(_relative(_STILL, follower, np.eye(3))):
                    result[d, rows[3:], extra[k]] = Q @ joint.about
        return result[0], result[1], result[2]

    def features(self, start: float, end: float) -> Features:
        """When and how quickly the motions of the bodies change."""
        if isinstance(self.motions, Linkage):
            return self.motions.features(start, end)
        return together(one.features(start, end) for one in self.bodies.values())

    def driven(self, span: tuple[float, float], torque: Any = 0.0, **start: Any) -> Mechanism:
        """The same mechanism, its rigid motion found from a torque on the driving angle; see `rigid_dynamics.py`."""
        from flexura.structures.moving.rigid_dynamics import driven

        return checked(driven, "Mechanism.driven", 1)(self, span, torque, **start)


def _relative(first: _Turning, behind: _Turning, P: Array) -> _Turning:
    """Q = R2' P R1 and its first two rates."""
    second = [one.T for one in behind]
    return (
        second[0] @ P @ first[0],
        second[1] @ P @ first[0] + second[0] @ P @ first[1],
        second[2] @ P @ first[0] + 2 * second[1] @ P @ first[1] + second[0] @ P @ first[2],
    )


def _turning(body: MovingFrame, t: float) -> _Turning:
    """R and its rates: R_t = R omega~, R_tt = R (eps~ + omega~ omega~)."""
    R, now = body.axes(t), body.at(t)
    w = tilde(now.omega)
    return R, R @ w, R @ (tilde(now.epsilon) + w @ w)
