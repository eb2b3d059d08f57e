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
from flexura.structures.moving.ties import Place, Spot, Tie, Ties, constant, in_order
from flexura.systems.signals.features import Features, together

Array = NDArray[np.float64]

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

    @property
    def tie(self) -> Tie:
        """What it holds, for `ties.py`."""
        if self.second is None:
            return Tie(self.first, None, 3, 1, constant(np.concatenate([self.along, np.zeros(3)])))
        free = [np.concatenate([np.zeros(3), self.about])] if self.kind == "pin" else []
        rows = 3 if self.kind == "ball" else 6
        return Tie(self.second, self.first, rows, len(free), constant(*free))


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

    motions: Any
    members: Mapping[str, BeamFrame]
    joints: Sequence[Any] = field(default_factory=tuple)
    of_model: Any = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if not self.members:
            raise FlexuraError("The mechanism has no elastic member", advice="give one frame at least")
        path = getattr(self.motions, "rigid_path", None)
        if path is not None:
            made = path.completed(self.members)
            object.__setattr__(self, "motions", path)
            object.__setattr__(self, "members", made.members)
            object.__setattr__(self, "joints", (*made.ties, *self.joints))
            object.__setattr__(self, "of_model", made)
        _ = self.bodies, self.ties

    @cached_property
    def bodies(self) -> dict[str, MovingFrame]:
        """The motion of each member's body."""
        if not isinstance(self.motions, Mapping):
            if not hasattr(self.motions, "motion"):
                raise FlexuraError(
                    f"The motions of the mechanism are {self.motions!r}",
                    advice="give a linkage, {name: fx.MovingFrame}, or the run of a rigid model, fx.simulate(model, t)",
                )
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

    def own(self, name: str) -> slice:
        """A member's rows among all motions."""
        if name not in self.members:
            raise FlexuraError(f"The mechanism has no member {name!r}", advice=f"it has {', '.join(self.members)}")
        return slice(self.first_row[name], self.first_row[name] + len(self.members[name].dofs))

    @property
    def total(self) -> int:
        """The number of free motions of all members, joints not counted."""
        return sum(len(frame.dofs) for frame in self.members.values())

    def place(self, spot: Spot) -> Place:
        """A node of a member, by the rows among all that move it."""
        name, node = spot
        if name not in self.members:
            raise FlexuraError(f"A joint names the member {name!r}", advice=f"there are {', '.join(self.members)}")
        frame = self.members[name]
        if not 0 <= node < len(frame.nodes):
            last = len(frame.nodes) - 1
            raise FlexuraError(
                f"A joint names node {node} of {name!r}, whose nodes go from 0 to {last}", advice="name one"
            )
        return Place.of(frame, spot, self.first_row[name])

    @cached_property
    def ties(self) -> Ties:
        """The joints in an order in which each follows those before it."""
        wrong = [one for one in self.joints if not isinstance(one, Tie | Joint)]
        if isinstance(self.joints, str | bytes) or wrong:
            raise FlexuraError(
                f"A joint of the mechanism is {(wrong or [self.joints])[0]!r}", advice="give fx.Joint(...), in a list"
            )
        given = [one if isinstance(one, Tie) else one.tie for one in self.joints]
        spots = {spot for tie in given for spot in (tie.follower, tie.leader) if spot is not None}
        places = {spot: self.place(spot) for spot in spots}
        ordered = in_order(given, places)
        return Ties(ordered, places, self.total, lambda name, t: _turning(self.bodies[name], t))

    @cached_property
    def kinds(self) -> NDArray[np.intp]:
        """0 for an independent motion along, 1 about an axis."""
        each = np.concatenate([np.argwhere(frame.free)[:, 1] // 3 for frame in self.members.values()])
        t = float(getattr(self.motions, "span", (0.0,))[0])  # a run is known within its times alone
        own = [int(not one[:3].any()) for tie in self.ties.ties for one in tie.columns(t)[0].T]
        return np.concatenate([each[self.ties.kept], np.array(own, dtype=np.intp)])

    @property
    def n(self) -> int:
        """The number of independent motions."""
        return self.ties.n

    def T(self, t: float) -> tuple[Array, Array, Array]:
        """T, T_t and T_tt (total, n) at t."""
        found = self.ties.T(t)
        return found[0], found[1], found[2]

    def outside(self, t: float) -> Array | None:
        """The loads of the model that moves it, on all motions (total,); None where there are none."""
        if self.of_model is None or self.of_model.loads is None:
            return None
        found = np.zeros(self.total)
        for name, node, wrench in self.of_model.loads(t):
            place = Place.of(self.members[name], (name, node), self.first_row[name])
            found[place.rows] += place.lever.T @ wrench
        return found

    def features(self, start: float, end: float) -> Features:
        """When and how quickly the motions of the bodies change."""
        if not isinstance(self.motions, Mapping):
            found: Features = self.motions.features(start, end)
            return found
        return together(one.features(start, end) for one in self.bodies.values())

    def system(self, t: float, geometric: bool = True) -> Any:
        """The equations of its small motions at t, an fx.SecondOrderSystem; see `mechanism_system.py`."""
        from flexura.structures.moving.mechanism_system import mechanism_system

        return mechanism_system(self, t, geometric)

    def driven(self, span: tuple[float, float], torque: Any = 0.0, **start: Any) -> Mechanism:
        """The same mechanism, its rigid motion found from a torque on the driving angle; see `rigid_dynamics.py`."""
        from flexura.structures.moving.rigid_dynamics import driven

        return checked(driven, "Mechanism.driven", 1)(self, span, torque, **start)


def _turning(body: MovingFrame, t: float) -> Array:
    """R and its rates (3, 3, 3): R_t = R omega~, R_tt = R (eps~ + omega~ omega~)."""
    R, now = body.axes(t), body.at(t)
    w, found = tilde(now.omega), np.empty((3, 3, 3))
    found[0], found[1], found[2] = R, R @ w, R @ (tilde(now.epsilon) + w @ w)
    return found
