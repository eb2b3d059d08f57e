"""The joints and loads of a rigid model, carried over to a mechanism whose members bend.

>>> made = completed(path, {"rod": frame})
>>> made.members, made.ties, made.loads
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.runs.rigid_path import RigidPath
from flexura.structures.moving.body import tilde
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.rigid_member import inertia_of, rigid_member
from flexura.structures.moving.ties import Tie, constant
from flexura.symbolic.engine import Basic
from flexura.symbolic.kinematics.motion import FreeBody, Wrench
from flexura.symbolic.machine import machine_function

Array = NDArray[np.float64]
_CLOSE = 1e-7  # of the size of what is looked at
_ALIKE = 1e-3  # to which a frame's mass and inertia are those of its body
_DESCRIBED = ("weight", "cut")  # by gravity, by ties
_JUMPS, _TOLD = 0.01, 1e-3  # of the largest load: what more times hardly make smaller, and what is told
_LOOKED = 5  # times at which places are compared


@dataclass(frozen=True, eq=False)
class Completed:
    """What a mechanism of a model is made of; `loads(t)` are wrenches by member and node, in the member's axes."""

    members: dict[str, BeamFrame]
    ties: tuple[Tie, ...]
    loads: Callable[[float], list[tuple[str, int, Array]]] | None
    notes: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class _Joint:
    """A joint of the model by the bodies it joins, a point and the free directions, formulas in ground's axes."""

    name: str
    p: str
    q: str
    point: tuple[Basic, ...]
    free: tuple[tuple[Basic, ...], ...]


def completed(path: RigidPath, members: Mapping[str, BeamFrame]) -> Completed:
    """Bodies without a frame are rigid; joints and loads act on nodes."""
    unknown = [name for name in members if name not in path.names]
    if unknown:
        raise FlexuraError(
            f"The member {unknown[0]!r} is no body of the model", advice=f"its bodies are {', '.join(path.names)}"
        )
    joints, points = _joints(path), dict[str, list[Array]]()
    ends: list[tuple[_Joint, dict[str, int]]] = []
    for joint in joints:
        at = {}
        for body in {joint.p, joint.q} - {"ground"}:
            local = _local(path, joint, body)
            if body in members:
                at[body] = _node(members[body], local, f"the joint {joint.name}", body)
            else:
                points.setdefault(body, []).append(local)
                at[body] = len(points[body])
        ends.append((joint, at))
    every: dict[str, BeamFrame] = dict(members)
    for rigid in path.bodies.bodies:
        if rigid.name not in members:
            mass = path.number(rigid.mass, f"The mass of {rigid.name}")
            every[rigid.name] = rigid_member(mass, _inertia(path, rigid), points.get(rigid.name, []))
    ties = tuple(_tie(path, joint, at) for joint, at in ends)
    loads, told = _loads(path, every, members)
    return Completed(every, ties, loads, (*path.notes, *_other_masses(path, members), *told))


# -- joints ------------------------------------------------------------------------------------------------------------


def _joints(path: RigidPath) -> list[_Joint]:
    prescribed = path.motion_of.equations.lagrangian.prescribed
    found = [
        _Joint(
            hold.name, hold.p, hold.q, hold.point,
            tuple((*one.along, *one.about) for one in hold.free if one.name not in prescribed),
        )
        for hold in path.bodies.holds
    ]  # fmt: skip
    return found + _cuts(path, found)


def _cuts(path: RigidPath, holds: list[_Joint]) -> list[_Joint]:
    """Joints that close loops: their reactions name what they hold, and the rest is free."""
    groups: dict[str, list[Wrench]] = {}
    for one in path.bodies.wrenches:
        if one.kind == "cut":
            groups.setdefault(one.name.rsplit("_", 1)[0], []).append(one)
    found = []
    for name, wrenches in groups.items():
        bodies = list(dict.fromkeys(one.body for one in wrenches))
        held = [[*one.force, *one.couple] for one in wrenches if one.body == bodies[0]]
        try:
            directions = np.array([[float(path.put_in(part)) for part in row] for row in held])
        except (RuntimeError, TypeError, ValueError):
            raise FlexuraError(
                f"What the joint {name.removeprefix('lambda_')} holds turns with the bodies, and it closes a loop",
                advice="list it before the other joints of the loop, so that another one closes it",
            ) from None
        free = _complement(directions, planar=_is_planar(path))
        p, q = (bodies[1] if len(bodies) > 1 else "ground"), bodies[0]
        columns = tuple(tuple(_exact(part) for part in row) for row in free)
        found.append(_Joint(name.removeprefix("lambda_"), p, q, wrenches[0].point, columns))
    return found


def _exact(value: float) -> Basic:
    from flexura.symbolic.engine import exact

    return exact(float(value))


def _complement(held: Array, planar: bool) -> Array:
    """Directions that none of the held ones has a part in; a planar model holds all that leaves its plane."""
    if planar:
        held = np.concatenate([held, np.eye(6)[[2, 3, 4]]])
    _, values, vectors = np.linalg.svd(held, full_matrices=True)
    return np.asarray(vectors[int(np.count_nonzero(values > 1e-9)) :])


def _is_planar(path: RigidPath) -> bool:
    across = [(*body.rotation[2][:2], body.position[2]) for body in path.bodies.bodies]
    return all(part == 0 for row in across for part in row)


def _local(path: RigidPath, joint: _Joint, body: str) -> Array:
    """The joint's point in the axes of a body, where it stays."""
    point, seen = path.compiled(joint.point, rates=0), []
    for t in np.linspace(*path.span, _LOOKED).tolist():
        r, R = path.pose(body, t)
        seen.append(R[0].T @ (point(t)[0] - r[0]))
    size = max(float(np.abs(seen).max()), 1e-9)
    if float(np.ptp(seen, axis=0).max()) > 1e-5 * size:
        raise FlexuraError(
            f"The joint {joint.name} slides along {body}, and members of a mechanism are joined where they stay",
            advice="let it slide on ground, or simulate the model with its flexible members",
        )
    return np.asarray(seen[0])


def _node(frame: BeamFrame, local: Array, what: str, body: str) -> int:
    apart = np.linalg.norm(frame.nodes - local, axis=1)
    node = int(np.argmin(apart))
    size = max(float(np.ptp(frame.nodes, axis=0).max()), 1e-300)
    if apart[node] > _CLOSE * size:
        where = ", ".join(f"{x:.6g}" for x in local)
        raise FlexuraError(
            f"The frame of {body!r} has no node at ({where}), where {what} is",
            advice="give it one there, measured from the body's mass centre along its axes",
        )
    return node


def _tie(path: RigidPath, joint: _Joint, at: Mapping[str, int]) -> Tie:
    follower = (joint.q, at[joint.q]) if joint.q != "ground" else (joint.p, at[joint.p])
    leader = None if "ground" in (joint.p, joint.q) else (joint.p, at[joint.p])
    columns, count = constant(), len(joint.free)
    if count:
        flat = path.compiled([part for row in joint.free for part in row])

        def columns(t: float) -> Array:
            return np.asarray(flat(t).reshape(3, count, 6).transpose(0, 2, 1))

    return Tie(follower, leader, 6, count, columns)


# -- masses and loads --------------------------------------------------------------------------------------------------


def _other_masses(path: RigidPath, members: Mapping[str, BeamFrame]) -> list[str]:
    """Frames whose mass is not that of their body."""
    told, planar = [], _is_planar(path)
    for body in path.bodies.bodies:
        if body.name not in members:
            continue
        own = inertia_of(members[body.name])
        given = np.zeros((6, 6))
        given[:3, :3] = path.number(body.mass, f"The mass of {body.name}") * np.eye(3)
        given[3:, 3:] = _inertia(path, body)
        if planar:
            rows = np.ix_([0, 1, 5], [0, 1, 5])
            own, given = own[rows], given[rows]
        scale = np.sqrt(np.outer(own.diagonal(), own.diagonal())) + 1e-300
        off = float((np.abs(own - given) / scale).max())
        if off > _ALIKE:
            told.append(
                f"The frame of {body.name} has other masses than the body it stands for, by {off:.1g} of them: the"
                " rigid motion is not quite its own."
            )
    return told


def _inertia(path: RigidPath, body: FreeBody) -> Array:
    return np.array([[path.number(one, f"The inertia of {body.name}") for one in row] for row in body.inertia])


def _loads(
    path: RigidPath, every: Mapping[str, BeamFrame], members: Mapping[str, BeamFrame]
) -> tuple[Callable[[float], list[tuple[str, int, Array]]] | None, list[str]]:
    """Forces and torques of the model along the rigid motion, on nodes."""
    acting = [one for one in path.bodies.wrenches if one.kind not in _DESCRIBED]
    if not acting:
        return None, []
    states = [_Load.of(path, one, every[one.body], one.body in members) for one in acting]
    told = []
    bound = dict.fromkeys(one.name for one in acting if one.kind in ("spring", "damper"))
    if bound:
        told.append(
            f"The forces of {', '.join(bound)} are those of the rigid motion; what deviations add to them is left out"
            " (give the frames springs and dampers for that)."
        )
    told += [
        f"Between the times of the rigid run the load {one.name} is known to {one.doubt:.1g} of its largest; simulate"
        " the rigid motion at more times where it changes fast."
        for one in states
        if one.doubt > _TOLD
    ]
    return (lambda t: [one.at(path, t) for one in states]), told


@dataclass(frozen=True, eq=False)
class _Load:
    """A wrench of the model at a node: its values over the times of the run, in between by splines."""

    name: str
    body: str
    node: int
    arm: Array
    history: Callable[[float], Array]
    direction: Callable[[float], Array]
    doubt: float

    @staticmethod
    def of(path: RigidPath, wrench: Wrench, frame: BeamFrame, bends: bool) -> _Load:
        local = _local(path, _Joint(wrench.name, wrench.body, "ground", wrench.point, ()), wrench.body)
        couple = all(part == 0 for part in wrench.force)
        node = _node(frame, local, f"the load {wrench.name}", wrench.body) if bends and not couple else 0
        if bends and couple:
            node = int(np.argmin(np.linalg.norm(frame.nodes - local, axis=1)))
        amounts, times = _amounts(path, wrench), path.motion_of.t
        direction = path.compiled([*wrench.force, *wrench.couple], rates=0)
        arm = np.zeros(3) if bends else local
        history = _through(times, amounts)
        return _Load(wrench.name, wrench.body, node, arm, history, lambda t: direction(t)[0], _doubt(times, amounts))

    def at(self, path: RigidPath, t: float) -> tuple[str, int, Array]:
        """The force and the moment at the node, in the body's axes."""
        turned = path.pose(self.body, t)[1][0].T
        unit = self.direction(t)
        force, couple = turned @ unit[:3], turned @ unit[3:]
        whole = np.concatenate([force, couple + tilde(self.arm) @ force])
        return self.body, self.node, np.asarray(float(self.history(t)) * whole)


def _through(times: Array, amounts: Array) -> Any:
    from scipy.interpolate import make_interp_spline

    return make_interp_spline(times, amounts, k=min(5, len(amounts) - 1))


def _doubt(times: Array, amounts: Array) -> float:
    """How far a spline may be off, as a part of the largest amount, by what every other time tells."""
    between = slice(1, len(times) - 2 + len(times) % 2, 2)
    size = float(np.abs(amounts).max(initial=0.0))
    off = float(np.abs(_through(times[::2], amounts[::2])(times[between]) - amounts[between]).max(initial=0.0))
    share = off / size if size else 0.0
    return share if share > _JUMPS else share / 64  # of sixth order, where it is smooth


def _amounts(path: RigidPath, wrench: Wrench) -> Array:
    """How large a wrench is at the times of the run, its inputs as the run had them."""

    from flexura.symbolic.engine import TIME, Symbol

    motion = path.motion_of
    tree = path.put_in(wrench.amount)
    inputs = {
        one.name + "_t" * one.derivative: motion.loads[:, one.start] for one in motion.whole.slots if one.size == 1
    }
    names = [name for name in inputs if Symbol(name) in tree.free_symbols]
    known = {TIME, *(Symbol(name + d) for d in ("", "_t", "_tt") for name in path.unknowns)}
    left = tree.free_symbols - known - {Symbol(name) for name in names}
    if left:
        raise FlexuraError(
            f"The load {wrench.name} holds {', '.join(sorted(map(str, left)))}, which the run does not tell",
            advice="leave it out of the rigid model, or simulate the model with its flexible members",
        )
    symbols: Sequence[Any] = [TIME, *(Symbol(name + d) for d in ("", "_t", "_tt") for name in path.unknowns)]
    numeric = machine_function([*symbols, *(Symbol(name) for name in names)], [tree])
    rows = [
        np.concatenate([path.coordinates(float(t)), [inputs[name][i] for name in names]])
        for i, t in enumerate(motion.t)
    ]
    return np.array([float(np.ravel(numeric(row))[0]) for row in rows])
