"""Which row of a system is which motion of which node, and the rigid motions that follow from coordinates.

Without names, rows are counted node by node: u v w, or u v w alpha beta gamma, or u v of plane nodes. Names say it
themselves: u3, 3:w, alpha_12, 101.T1, with u v w alpha beta gamma, x y z rx ry rz or T1 .. R3 as motions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.systems.ordering import dissection
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

MOTIONS = ("u", "v", "w", "alpha", "beta", "gamma")
RIGID = ("translation x", "translation y", "translation z", "rotation x", "rotation y", "rotation z")
_WORDS = {
    **{name: i for i, name in enumerate(MOTIONS)},
    **{name: i for i, name in enumerate(("x", "y", "z", "rx", "ry", "rz"))},
    **{name: i for i, name in enumerate(("ux", "uy", "uz", "rotx", "roty", "rotz"))},
    **{name: i for i, name in enumerate(("t1", "t2", "t3", "r1", "r2", "r3"))},
    **{name: i for i, name in enumerate(("tx", "ty", "tz", "thetax", "thetay", "thetaz"))},
}
_LARGE = 2000
_MOTION_FIRST = re.compile(r"([a-z]+(?:[1-3](?=\W))?)\W*_?\W*(\d+)\W*", re.IGNORECASE)
_NODE_FIRST = re.compile(r"[a-z]*\W*_?(\d+)[\W_]+([a-z]+[1-3]?)\W*", re.IGNORECASE)


@dataclass(frozen=True)
class RowGeometry:
    """`node` and `motion` (0 to 5: u v w alpha beta gamma) of every row; `places` are the nodes in three dimensions."""

    node: Ints
    motion: Ints
    places: Array

    @property
    def turning(self) -> bool:
        """Whether rows turn: rotations of nodes among them."""
        return bool((self.motion > 2).any())

    @property
    def positions(self) -> Array:
        """r: the coordinate of every row that is a displacement, 0 for rotations."""
        moving = self.motion < 3
        r = np.zeros(len(self.motion))
        r[moving] = self.places[self.node[moving], self.motion[moving]]
        return r

    def rigid(self, centre: Array) -> Array:
        """(n, 6): three unit translations, three unit rotations about the centre."""
        n = len(self.motion)
        q = np.zeros((n, 6))
        moving = self.motion < 3
        rows = np.flatnonzero(moving)
        arms = self.places[self.node[rows]] - centre
        q[rows, self.motion[rows]] = 1.0
        for axis in range(3):
            turned = np.cross(np.eye(3)[axis], arms)
            q[rows, 3 + axis] = turned[np.arange(len(rows)), self.motion[rows]]
        rows = np.flatnonzero(~moving)
        q[rows, self.motion[rows]] = 1.0
        return q

    def generator(self, axis: Array, x: Array) -> Array:
        """Z x: every node's displacement turned, axis x (.); rotations of nodes give 0."""
        table = np.zeros((len(self.places), 3))
        moving = self.motion < 3
        table[self.node[moving], self.motion[moving]] = x[moving]
        turned = np.cross(axis, table)
        result = np.zeros(len(self.motion))
        result[moving] = turned[self.node[moving], self.motion[moving]]
        return result

    def vectors(self, x: Array) -> Array:
        """The displacements of the nodes, (nodes, 3)."""
        table = np.zeros((len(self.places), 3))
        moving = self.motion < 3
        table[self.node[moving], self.motion[moving]] = np.asarray(x)[moving]
        return table


def geometry_of(system: SecondOrderSystem) -> RowGeometry | None:
    """What nodes and names say about the rows; None where they do not say enough."""
    if system.nodes is None or system.basis is not None:
        return None
    places = np.zeros((len(system.nodes), 3))
    places[:, : system.nodes.shape[1]] = system.nodes
    if system.dofs is not None:
        named = _named(system.dofs, len(places))
        if named is not None:
            return RowGeometry(*named, places)
    motions = _motions(system.nodes, system.n)
    if motions is None:
        return None
    count = len(places)
    return RowGeometry(
        np.repeat(np.arange(count), len(motions)), np.tile(np.array(motions, dtype=np.int64), count), places
    )


def elimination_order(system: SecondOrderSystem) -> Ints | None:
    """Nested dissection of a large sparse system whose nodes are known; a system keeps it."""
    if not system.is_sparse or system.n < _LARGE:
        return None
    if "_elimination_order" not in system.__dict__:
        geometry = geometry_of(system)
        order = None if geometry is None else dissection(system.K, geometry.node, geometry.places)
        object.__setattr__(system, "_elimination_order", order)
    order = system.__dict__["_elimination_order"]
    return None if order is None else np.asarray(order)


def _motions(nodes: Array, n: int) -> tuple[int, ...] | None:
    """The motions of each node, by how many rows it has and in how many dimensions it lies."""
    count, dimensions = nodes.shape
    flat = [i for i in range(dimensions) if np.ptp(nodes[:, i]) > 0]
    table: dict[tuple[int, int], tuple[int, ...]] = {
        (3, 3): (0, 1, 2), (3, 6): (0, 1, 2, 3, 4, 5), (2, 2): (0, 1), (2, 3): (0, 1, 5), (1, 1): (0,),
    }  # fmt: skip
    if n % count:
        return None
    each = n // count
    if (dimensions, each) in table:
        return table[dimensions, each]
    if each == 2 and flat in ([0], [0, 1], [1]):
        return (0, 1)
    return (0,) if each == 1 and flat == [0] else None


def _named(dofs: tuple[str, ...], count: int) -> tuple[Ints, Ints] | None:
    found = [_parsed(name) for name in dofs]
    if any(one is None for one in found):
        return None
    labels = np.array([one[0] for one in found if one], dtype=np.int64)
    motion = np.array([one[1] for one in found if one], dtype=np.int64)
    if labels.max(initial=-1) >= count:
        known = np.unique(labels)
        if len(known) != count:
            return None
        labels = np.searchsorted(known, labels)
    return labels, motion


def _parsed(name: str) -> tuple[int, int] | None:
    for pattern, node, word in ((_MOTION_FIRST, 2, 1), (_NODE_FIRST, 1, 2)):
        match = pattern.fullmatch(name)
        if match and match[word].lower() in _WORDS:
            return int(match[node]), _WORDS[match[word].lower()]
    return None


def axis_vector(axis: Any) -> Array | None:
    """ "x", "-z" or a vector as a unit vector; None where it is neither."""
    if isinstance(axis, str):
        letter = axis.strip().lstrip("+-")
        if letter not in ("x", "y", "z") or len(letter) != 1:
            return None
        return np.asarray(np.eye(3)["xyz".index(letter)] * (-1.0 if axis.strip().startswith("-") else 1.0))
    try:
        vector = np.asarray(axis, dtype=np.float64)
    except (TypeError, ValueError):
        return None
    size = float(np.linalg.norm(vector)) if vector.shape == (3,) else 0.0
    return vector / size if size > 0 and np.isfinite(size) else None
