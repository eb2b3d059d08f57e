"""Joints between members whose frames turn, as x_all = T(t) y: each leaves only independent motions.

At a joint the small motion of one place, seen from ground, is that of the other and what the joint leaves free:

    R2 x2 = R1 x1 + C s        hence        x2 = R2' R1 x1 + R2' C s

with C the directions, in ground's axes, of the motions s that the joint leaves. One side follows, the other leads;
joints form trees over the nodes they touch, so every T follows from those before it, with its two rates.

>>> ordered = in_order(ties, places)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.structures.moving.assembly import Constants
from flexura.structures.moving.frame import BeamFrame

Array = NDArray[np.float64]
Integers = NDArray[np.intp]
Spot = tuple[str, int]
"""A member and one of its nodes."""


@dataclass(frozen=True, eq=False)
class Place:
    """A node of a member: its six motions are `lever` times those of the rows that carry it.

    `rows` are rows among all motions of all members; `free` says that all six of them are unknowns.
    """

    spot: Spot
    rows: Integers
    lever: Array
    free: bool

    @cached_property
    def inverse(self) -> Array:
        """Of the lever of six free motions."""
        return np.asarray(np.linalg.inv(self.lever))

    @property
    def carrier(self) -> tuple[int, ...]:
        """What tells whether two places move together."""
        return tuple(self.rows.tolist())

    @staticmethod
    def of(frame: BeamFrame, spot: Spot, first: int) -> Place:
        """The place of a node whose member's rows begin at `first`."""
        own = Constants.of(frame).pattern.T[6 * spot[1] : 6 * spot[1] + 6].tocsc()
        columns = np.flatnonzero(np.diff(own.indptr))
        return Place(spot, first + columns, np.asarray(own[:, columns].toarray()), len(columns) == 6)


@dataclass(frozen=True, eq=False)
class Tie:
    """Two places that stay together but for `columns(t)`: (3, 6, count), in ground's axes, with two rates.

    `rows` is 6, or 3 where the rotations of the two have nothing to do with one another. No leader is ground.
    """

    follower: Spot
    leader: Spot | None
    rows: int
    count: int
    columns: Callable[[float], Array]

    def turned_round(self) -> Tie:
        """The same with the other side following; the free motions only change their sign."""
        assert self.leader is not None
        return replace(self, follower=self.leader, leader=self.follower)


def constant(*directions: Array) -> Callable[[float], Array]:
    """Columns that ground's axes always see alike."""
    found = np.zeros((3, 6, len(directions)))
    for k, one in enumerate(directions):
        found[0, :, k] = one
    return lambda t: found


def times(A: Array, B: Array) -> Array:
    """A B with its two rates, from those of A and B."""
    found = A @ B[0]
    found[1] += A[0] @ B[1]
    found[2] += 2 * A[1] @ B[1] + A[0] @ B[2]
    return np.asarray(found)


def in_order(ties: Sequence[Tie], places: Mapping[Spot, Place]) -> tuple[Tie, ...]:
    """Each after those its leader follows from; sides change where that is needed."""
    left, result = list(ties), []
    reached: set[tuple[int, ...]] = {place.carrier for place in places.values() if not place.free}

    def known(spot: Spot | None) -> bool:
        return spot is None or places[spot].carrier in reached

    while left:
        tie = next((one for one in left if known(one.follower) or known(one.leader)), None)
        if tie is None:
            leader = left[0].leader
            assert leader is not None
            reached.add(places[leader].carrier)
            continue
        left.remove(tie)
        if known(tie.follower):
            _refuse(tie, places, loop=known(tie.leader))
            tie = tie.turned_round()
        reached.add(places[tie.follower].carrier)
        result.append(tie)
    return tuple(result)


def _refuse(tie: Tie, places: Mapping[Spot, Place], loop: bool) -> None:
    if not loop:
        return
    name, node = tie.follower
    if not places[tie.follower].free:
        raise FlexuraError(
            f"Node {node} of {name!r} is at a joint, so it must be free", advice="take its support or link away"
        )
    raise FlexuraError(
        f"Joints that meet in nodes close a loop at node {node} of {name!r}, so that one holds what others hold",
        advice="leave that joint out, or give a rigid body between them a frame",
    )


@dataclass(frozen=True, eq=False)
class Ties:
    """All joints of a mechanism in order, over `total` motions; `turning(name, t)` is (3, 3, 3), R with two rates."""

    ties: tuple[Tie, ...]
    places: Mapping[Spot, Place]
    total: int
    turning: Callable[[str, float], Array]

    @cached_property
    def kept(self) -> Integers:
        """The rows that stay unknowns."""
        gone: set[int] = set()
        for tie in self.ties:
            gone.update(self.places[tie.follower].rows[: tie.rows].tolist())
        return np.array([row for row in range(self.total) if row not in gone], dtype=np.intp)

    @cached_property
    def extra(self) -> tuple[slice, ...]:
        """The columns of each tie's own unknowns."""
        ends = len(self.kept) + np.cumsum([0, *(tie.count for tie in self.ties)])
        return tuple(slice(a, b) for a, b in pairwise(ends.tolist()))

    @property
    def n(self) -> int:
        """The number of independent motions."""
        return len(self.kept) + sum(tie.count for tie in self.ties)

    def across(self, tie: Tie, t: float) -> tuple[Array | None, Array]:
        """R2' R1 (None where ground leads) and R2' C, six rows each, with their rates."""
        if t not in self._latest:
            self._latest.clear()
            self._latest[t] = {id(one): self._across(one, t) for one in self.ties}
        return self._latest[t][id(tie)]

    @cached_property
    def _latest(self) -> dict[float, dict[int, tuple[Array | None, Array]]]:
        return {}

    def _across(self, tie: Tie, t: float) -> tuple[Array | None, Array]:
        behind = np.swapaxes(_six(self.turning(tie.follower[0], t)), 1, 2)
        ahead = None if tie.leader is None else times(behind, _six(self.turning(tie.leader[0], t)))
        return ahead, times(behind, tie.columns(t))

    def T(self, t: float) -> Array:
        """T, T_t and T_tt: (3, total, n)."""
        result = np.zeros((3, self.total, self.n))
        result[0, self.kept, np.arange(len(self.kept))] = 1
        for tie, own in zip(self.ties, self.extra, strict=True):
            place, rows = self.places[tie.follower], tie.rows
            ahead, columns = self.across(tie, t)
            moved = np.zeros((3, 6, self.n))
            if ahead is not None and tie.leader is not None:
                leader = self.places[tie.leader]
                moved = times(ahead, leader.lever @ result[:, leader.rows])
            moved[:, :, own] += columns
            if rows == 6:
                result[:, place.rows] = place.inverse @ moved
            else:
                turns = place.lever[:3, 3:] @ result[:, place.rows[3:]]
                result[:, place.rows[:3]] = moved[:, :3] - turns
        return result

    def loose(self, T: Array, rigid: Array, t: float, reach: float) -> Array:
        """The rigid motions (n, r) that neither supports nor joints hold at t; `rigid` (total, m) without joints.

        By kinematics alone, whatever the stiffness: T y is a rigid motion of every member.
        """
        if not rigid.shape[1]:
            return np.zeros((self.n, 0))
        scale = np.repeat([1.0, reach], 3)
        count, conditions = rigid.shape[1], []
        for tie, own in zip(self.ties, self.extra, strict=True):
            place = self.places[tie.follower]
            ahead, columns = self.across(tie, t)
            rows = np.zeros((6, count + self.n - len(self.kept)))
            rows[:, :count] = place.lever @ rigid[place.rows]
            if ahead is not None and tie.leader is not None:
                leader = self.places[tie.leader]
                rows[:, :count] -= ahead[0] @ leader.lever @ rigid[leader.rows]
            rows[:, count + own.start - len(self.kept) : count + own.stop - len(self.kept)] = -columns[0]
            conditions.append((scale[:, None] * rows)[: tie.rows])
        stacked = np.concatenate([*conditions, np.zeros((1, count + self.n - len(self.kept)))])
        _, values, vectors = np.linalg.svd(stacked, full_matrices=True)
        most = float(values.max(initial=0.0))
        full = np.concatenate([values, np.zeros(len(vectors) - len(values))])
        free = vectors[full <= 1e-9 * max(most, 1e-300)].T
        return np.concatenate([rigid[self.kept] @ free[:count], free[count:]])

    def passed(self, left: Array, t: float) -> dict[Spot, Array]:
        """The forces and moments of joints on their places, in members' axes, from what joints do to all rows.

        `left` (total,) is K x - f: what is left over for joints. From the last that follow to the first that lead.
        """
        left, found = left.copy(), dict[tuple[str, int], Array]()
        for tie in reversed(self.ties):
            place = self.places[tie.follower]
            force = np.zeros(6)
            force[: tie.rows] = np.linalg.solve(place.lever[: tie.rows, : tie.rows].T, left[place.rows[: tie.rows]])
            found[tie.follower] = found.get(tie.follower, np.zeros(6)) + force
            ahead, _ = self.across(tie, t)
            if ahead is not None and tie.leader is not None:
                leader, back = self.places[tie.leader], ahead[0].T @ force
                left[leader.rows] += leader.lever.T @ back
                found[tie.leader] = found.get(tie.leader, np.zeros(6)) - back
        return found


def _six(R: Array) -> Array:
    """Turns of translations and of rotations alike."""
    found = np.zeros((3, 6, 6))
    found[:, :3, :3] = found[:, 3:, 3:] = R
    return found
