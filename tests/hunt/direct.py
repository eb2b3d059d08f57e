"""Small motions of a machine, solved directly: nothing of flexura's way from parts to answers is used.

    >>> direct = Direct(machine)
    >>> direct.response(omega, [("F", 1.0)], Relative(("beam", 0.7), ("hub",), (0, 1, 0)))

Every body keeps all its small motions, every stretch of a member has Legendre polynomials of its own, and whatever
joints and continuity ask is a condition with a multiplier. The saddle-point system is solved with many digits, so
neither stiffness ratios nor redundant conditions cost any.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import flint
import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

from hunt.machine import GROUND, Along, Machine, Place

Array = NDArray[np.float64]
AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
_BITS = 300


class Unsupported(Exception):
    """The direct solution has no word for this machine."""


@dataclass(frozen=True)
class Relative:
    """What to read: the displacement (or rotation) of a place relative to a carrier, along a direction in its axes."""

    place: Place
    carrier: Place
    along: tuple[float, float, float]
    turns: bool = False


def unit(along: Any) -> Array:
    """A direction as a unit vector: "x", "-y" or three numbers."""
    if isinstance(along, str):
        sign = -1.0 if along.startswith("-") else 1.0
        return sign * np.array(AXES[along.removeprefix("-")], dtype=float)
    vector = np.array(along, dtype=float)
    return vector / np.linalg.norm(vector)


def rotation(axis: Array, angle: float) -> Array:
    """Rodrigues' matrix."""
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


@dataclass(frozen=True)
class Pose:
    """Where a part lies in the reference configuration."""

    turn: Array
    origin: Array


@dataclass(frozen=True)
class Stretch:
    """A smooth piece of a member: from a to b, and the first column of each of its fields."""

    a: float
    b: float
    columns: dict[str, tuple[int, int]]


class Direct:
    """The matrices of a machine's small motions about its reference configuration."""

    def __init__(self, machine: Machine, degree: int = 14) -> None:
        self.machine, self.degree, self.size = machine, degree, 0
        self.poses = self._placed()
        self.bodies: dict[str, dict[str, int]] = {}
        self.members: dict[str, list[Stretch]] = {}
        for name, (kind, numbers) in machine.parts.items():
            if kind in ("Mass", "RigidBody"):
                self.bodies[name] = self._body(kind, numbers)
            else:
                self.members[name] = self._member(name, kind, numbers)
        n = self.size
        self.M, self.D, self.K = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
        for name, (kind, numbers) in machine.parts.items():
            (self._add_body if name in self.bodies else self._add_member)(name, kind, numbers)
        for kind, p, q, keywords in machine.springs:
            self._add_spring(kind, p, q, keywords)

    # -- the reference configuration -----------------------------------------------------------------------------

    def _placed(self) -> dict[str, Pose]:
        found = {"ground": Pose(np.eye(3), np.zeros(3))}
        open_joints = list(self.machine.joints)
        while open_joints:
            ready = next((one for one in open_joints if one[1][0] in found or one[2][0] in found), None)
            if ready is None:  # what nothing connects to ground lies anywhere
                loose = open_joints[0]
                found[loose[1][0]] = Pose(np.eye(3), np.zeros(3))
                continue
            open_joints.remove(ready)
            self._place(found, *ready)
        for name in self.machine.parts:
            found.setdefault(name, Pose(np.eye(3), np.zeros(3)))
        return found

    def _place(self, found: dict[str, Pose], kind: str, p: Place, q: Place, keywords: dict[str, Any]) -> None:
        turn = np.eye(3)
        if kind == "Fixed":
            turn = rotation(unit(keywords.get("about", "z")), keywords.get("angle", 0.0))
        here, there = p, q
        if p[0] not in found:
            here, there, turn = q, p, turn.T
        if there[0] in found:
            return
        base = found[here[0]]
        pose = base.turn @ turn
        at = base.origin + base.turn @ self._offset(here) if here != GROUND else np.zeros(3)
        found[there[0]] = Pose(pose, at - pose @ self._offset(there))

    def _offset(self, place: Place) -> Array:
        if len(place) == 1:
            return np.zeros(3)
        if self.machine.is_member(place):
            return np.array([place[1], 0.0, 0.0])
        return np.array((*place[1], 0.0, 0.0)[:3], dtype=float)

    # -- unknowns ------------------------------------------------------------------------------------------------

    def _new(self, count: int) -> int:
        self.size += count
        return self.size - count

    def _body(self, kind: str, numbers: dict[str, Any]) -> dict[str, int]:
        names = ["x", "y", "z"] if self.machine.spatial else ["x", "y"]
        if kind == "RigidBody":
            names += ["rx", "ry", "rz"] if self.machine.spatial else ["rz"]
        return {one: self._new(1) for one in names}

    def _member(self, name: str, kind: str, numbers: dict[str, Any]) -> list[Stretch]:
        cuts = sorted({0.0, float(numbers["length"]), *self._cuts(name, numbers)})
        p = self.degree + 1
        fields = _FIELDS[kind]
        stiff = kind in ("EulerBernoulliBeam", "RayleighBeam", "TimoshenkoBeam") and numbers.get("EA") is None
        shared = {"u": self._new(1)} if stiff or kind == "String" else {}
        across = {"v": self._new(2)} if kind == "Rod" else {}
        found = []
        for a, b in pairwise(cuts):
            columns = {one: (self._new(p), p) for one in fields if not (one == "u" and stiff)}
            columns |= {one: (at, 1) for one, at in shared.items()}
            columns |= {one: (at, 2) for one, at in across.items()}
            found.append(Stretch(a, b, columns))
        return found

    def _cuts(self, name: str, numbers: dict[str, Any]) -> Iterator[float]:
        machine = self.machine
        for _, *places, _ in (*machine.joints, *machine.springs, *machine.loads):
            yield from (one[1] for one in places if one[0] == name and len(one) > 1)
        for one in numbers.values():
            if isinstance(one, Along):
                yield from one.breaks
        for kind, place, keywords in machine.loads:
            if kind == "DistributedForce" and place[0] == name and keywords["name"] in machine.shapes:
                yield from machine.shapes[keywords["name"]].breaks

    # -- values of fields ----------------------------------------------------------------------------------------

    def _row(self, name: str, stretch: Stretch, fieldname: str, s: float, derivative: int = 0) -> Array:
        row = np.zeros(self.size)
        if fieldname not in stretch.columns:
            return row
        at, count = stretch.columns[fieldname]
        a, b = (0.0, self.machine.length(name)) if count == 2 else (stretch.a, stretch.b)
        z = 2 * (s - a) / (b - a) - 1
        for k in range(count):
            c = np.zeros(k + 1)
            c[k] = 1.0
            d = legendre.legder(c, derivative) if derivative else c
            row[at + k] = legendre.legval(z, d) * (2 / (b - a)) ** derivative
        return row

    def _stretch(self, place: Place, before: bool = False) -> Stretch:
        pieces = self.members[place[0]]
        inside = [one for one in pieces if one.a - 1e-12 <= place[1] <= one.b + 1e-12]
        return inside[0] if before or len(inside) == 1 else inside[-1]

    def motion(self, place: Place, before: bool = False) -> tuple[Array, Array, Array, Array]:
        """Displacement and rotation (3 x n) in ground's axes; which of the part's axes carry each (3 + 3 flags)."""
        n = self.size
        if place == GROUND:
            return np.zeros((3, n)), np.zeros((3, n)), np.ones(3, bool), np.ones(3, bool)
        pose = self.poses[place[0]]
        if place[0] in self.bodies:
            return self._body_motion(place, pose)
        stretch, name, s = self._stretch(place, before), place[0], place[1]
        kind = self.machine.parts[name][0]
        local = np.array([self._row(name, stretch, one, s) for one in "uvw"])
        slope = "phi" if kind == "TimoshenkoBeam" else "v"
        order = 0 if kind == "TimoshenkoBeam" else 1
        turned = np.array(
            [
                self._row(name, stretch, "twist", s),
                -self._row(name, stretch, "w", s, 1),
                self._row(name, stretch, slope, s, order),
            ]
        )
        bends = kind not in ("Rod", "String", "Shaft")
        carries = np.array([kind != "Shaft", kind != "Shaft", kind == "SpatialBeam"])
        rotates = np.array([kind in ("Shaft", "SpatialBeam"), kind == "SpatialBeam", bends])
        if not bends:
            turned[2] = 0
        return pose.turn @ local, pose.turn @ turned, carries, rotates

    def _body_motion(self, place: Place, pose: Pose) -> tuple[Array, Array, Array, Array]:
        columns = self.bodies[place[0]]
        shift, turned = np.zeros((3, self.size)), np.zeros((3, self.size))
        for i, axis in enumerate("xyz"):
            if axis in columns:
                shift[i, columns[axis]] = 1
            if f"r{axis}" in columns:
                turned[i, columns[f"r{axis}"]] = 1
        arm = pose.turn @ self._offset(place)
        shift = shift + np.cross(turned.T, arm).T
        turns = np.full(3, "rz" in columns)
        return shift, turned, np.ones(3, bool), turns

    # -- energies ------------------------------------------------------------------------------------------------

    def _add_body(self, name: str, kind: str, numbers: dict[str, Any]) -> None:
        shift, turned, *_ = self.motion((name,))
        self.M += numbers["m"] * shift.T @ shift
        inertia = numbers.get("I", 0.0)
        turn = self.poses[name].turn
        tensor = inertia * np.eye(3) if np.isscalar(inertia) else np.diag(np.asarray(inertia, float))
        self.M += turned.T @ turn @ tensor @ turn.T @ turned

    def _add_member(self, name: str, kind: str, numbers: dict[str, Any]) -> None:
        for stretch in self.members[name]:
            x, w = legendre.leggauss(self.degree + 12)
            s = stretch.a + (stretch.b - stretch.a) * (x + 1) / 2
            w = w * (stretch.b - stretch.a) / 2
            for at, weight in zip(s, w, strict=True):
                self._add_point(name, kind, numbers, stretch, float(at), float(weight))

    def _add_point(
        self, name: str, kind: str, numbers: dict[str, Any], stretch: Stretch, s: float, weight: float
    ) -> None:
        def number(key: str) -> float:
            one = numbers.get(key) or 0.0
            return one.of(s) if isinstance(one, Along) else float(one)

        def row(fieldname: str, derivative: int = 0) -> Array:
            return self._row(name, stretch, fieldname, s, derivative)

        stored = list(_potential(kind, number, row))
        moving = list(_kinetic(kind, number, row))
        lost = [(number("damping"), row("v")), *((number("internal_damping") * k, r) for k, r in stored)]
        stored += [(number("axial_force"), row("v", 1)), (number("foundation"), row("v"))]
        for matrix, terms in ((self.K, stored), (self.M, moving), (self.D, lost)):
            for factor, one in terms:
                if factor:
                    matrix += weight * factor * np.outer(one, one)

    def _add_spring(self, kind: str, p: Place, q: Place, keywords: dict[str, Any]) -> None:
        row = self._stretch_of(kind, p, q, keywords)
        matrix, rate = (self.K, keywords["k"]) if "Spring" in kind else (self.D, keywords["c"])
        matrix += rate * np.outer(row, row)

    def _stretch_of(self, kind: str, p: Place, q: Place, keywords: dict[str, Any]) -> Array:
        (up, tp, *_), (uq, tq, *_) = self.motion(p), self.motion(q)
        if kind.startswith("Torsion"):
            return unit(keywords.get("about") or "z") @ (tq - tp)
        if p != GROUND and (self.machine.is_member(p) or p[0] not in self.bodies):
            raise Unsupported("A spring that starts on a member follows its frame.")
        apart = self._point(q) - self._point(p) if p != GROUND else np.zeros(3)
        if keywords.get("along") == "line":
            return (apart / np.linalg.norm(apart)) @ (uq - up)
        axes = self.poses[p[0]].turn if p != GROUND else np.eye(3)
        return (axes @ unit(keywords.get("along", "y"))) @ (uq - up - np.cross(tp.T, apart).T)

    def _point(self, place: Place) -> Array:
        pose = self.poses[place[0]]
        return np.asarray(pose.origin + pose.turn @ self._offset(place))

    # -- conditions ----------------------------------------------------------------------------------------------

    @cached_property
    def conditions(self) -> Array:
        rows = [row for kind, p, q, keywords in self.machine.joints for row in self._joint(kind, p, q, keywords)]
        for name, pieces in self.members.items():
            kind = self.machine.parts[name][0]
            for left, right in pairwise(pieces):
                for one, (_, count) in left.columns.items():
                    for order in range(2 if one in _SMOOTH[kind] else 1) if count > 2 else ():
                        scale = self.machine.length(name) ** order
                        row = self._row(name, left, one, left.b, order) - self._row(name, right, one, left.b, order)
                        rows.append(scale * row)
        return _independent(np.array(rows).reshape(len(rows), self.size))

    def _joint(self, kind: str, p: Place, q: Place, keywords: dict[str, Any]) -> Iterator[Array]:
        (up, tp, cp, rp), (uq, tq, cq, rq) = self.motion(p), self.motion(q)
        if kind == "Free":
            return
        slack = [one for one, flags in ((p, rp), (q, rq)) if self.machine.is_member(one) and not flags[2]]
        if kind in ("Slide", "Revolute") and slack:
            raise Unsupported("A joint at a rod, string or shaft holds what the direct solution does not know.")
        axes = self.poses[q[0] if p == GROUND or not self.machine.is_member(p) else p[0]].turn
        own = self.poses[p[0]].turn
        free = own @ unit(keywords["along"]) if kind in ("Slide", "Roller") else None
        for d in axes.T:
            if not (_carries(d, own, cp) and _carries(d, self.poses[q[0]].turn, cq)):
                continue
            held = d if free is None else d - (d @ free) * free
            yield held @ (uq - up)
        if kind in ("Pin", "Roller") and not any(self.machine.parts[one[0]][0] == "Shaft" for one in slack):
            return
        about = own @ unit(keywords.get("about", "z")) if kind == "Revolute" else None
        for d in axes.T:
            if _carries(d, own, rp) and _carries(d, self.poses[q[0]].turn, rq):
                held = d if about is None else d - (d @ about) * about
                yield held @ (tq - tp)

    # -- answers -------------------------------------------------------------------------------------------------

    def force(self, kind: str, place: Place, keywords: dict[str, Any]) -> Array:
        """The generalized force of one load of unit amplitude."""
        if kind == "DistributedForce":
            return self._distributed(place, keywords)
        shift, turned, *_ = self.motion(place)
        if kind == "Force":
            return unit(keywords.get("along", "y")) @ shift
        axes = self.poses[place[0]].turn
        other = self.motion(keywords["reaction"])[1] if keywords.get("reaction") else 0
        return (axes @ unit(keywords.get("about", "z"))) @ (turned - other)

    def _distributed(self, place: Place, keywords: dict[str, Any]) -> Array:
        name, shape = place[0], self.machine.shapes.get(keywords["name"])
        along, total = unit(keywords.get("along", "y")), np.zeros(self.size)
        for stretch in self.members[name]:
            x, w = legendre.leggauss(self.degree + 12)
            for s, weight in zip(stretch.a + (stretch.b - stretch.a) * (x + 1) / 2, w, strict=True):
                rows = np.array([self._row(name, stretch, one, float(s)) for one in "uvw"])
                size = shape.of(float(s)) if shape else 1.0
                total += weight * (stretch.b - stretch.a) / 2 * size * (along @ rows)
        return total

    def reading(self, output: Relative) -> Array:
        """The row that reads an output."""
        shift, turned, *_ = self.motion(output.place)
        base, turn, *_ = self.motion(output.carrier)
        axes = self.poses[output.place[0]].turn if self.machine.is_member(output.place) else np.eye(3)
        if output.carrier != GROUND and not self.machine.is_member(output.place):
            axes = self.poses[output.carrier[0]].turn
        along = axes @ np.array(output.along, float)
        if output.turns:
            return along @ (turned - turn)
        arm = self._point(output.place) - self._point(output.carrier) if output.carrier != GROUND else np.zeros(3)
        return along @ (shift - base - np.cross(turn.T, arm).T)

    def response(self, omega: float, force: Array, rows: Sequence[Array]) -> list[complex]:
        """The outputs for one force vector, at one frequency (0 is static)."""
        A = self.conditions
        n, m = self.size, len(A)
        flint.ctx.prec = _BITS
        Z = self.K - omega**2 * self.M + 1j * omega * self.D
        whole = np.zeros((n + m, n + m), complex)
        whole[:n, :n], whole[:n, n:], whole[n:, :n] = Z, A.T, A
        right = np.concatenate([force, np.zeros(m)])
        left = flint.acb_mat(n + m, n + m, [flint.acb(z.real, z.imag) for z in whole.ravel()])
        try:
            x = left.solve(flint.acb_mat(n + m, 1, [flint.acb(z) for z in right]))
        except ZeroDivisionError:
            raise Unsupported("The direct system is singular here.") from None
        values = np.array([complex(x[i, 0]) for i in range(n)])
        return [complex(row @ values) for row in rows]

    @cached_property
    def reduced(self) -> tuple[Array, Array, Array, Array]:
        """M, D, K on the motions that the conditions allow, and these motions."""
        A = self.conditions
        Z = np.linalg.svd(A)[2][len(A) :].T if len(A) else np.eye(self.size)
        return Z.T @ self.M @ Z, Z.T @ self.D @ Z, Z.T @ self.K @ Z, Z


_FIELDS = {
    "EulerBernoulliBeam": ("u", "v"),
    "RayleighBeam": ("u", "v"),
    "TimoshenkoBeam": ("u", "v", "phi"),
    "Rod": ("u",),
    "String": ("v",),
    "Shaft": ("twist",),
    "SpatialBeam": ("u", "v", "w", "twist"),
}
_SMOOTH = {
    "EulerBernoulliBeam": ("v",), "RayleighBeam": ("v",), "SpatialBeam": ("v", "w"),
    "TimoshenkoBeam": (), "Rod": (), "String": (), "Shaft": (),
}  # fmt: skip


def _potential(kind: str, number: Any, row: Any) -> Iterator[tuple[float, Array]]:
    if kind in ("EulerBernoulliBeam", "RayleighBeam"):
        yield number("EI"), row("v", 2)
    if kind == "TimoshenkoBeam":
        yield number("EI"), row("phi", 1)
        yield number("kGA"), row("v", 1) - row("phi")
    if kind == "SpatialBeam":
        yield number("EIz"), row("v", 2)
        yield number("EIy"), row("w", 2)
        yield number("GJ"), row("twist", 1)
    if kind == "Shaft":
        yield number("GJ"), row("twist", 1)
    if kind == "String":
        yield number("tension"), row("v", 1)
    if number("EA"):
        yield number("EA"), row("u", 1)


def _kinetic(kind: str, number: Any, row: Any) -> Iterator[tuple[float, Array]]:
    if kind == "Shaft":
        yield number("rotary_inertia"), row("twist")
        return
    for one in "uvw":
        yield number("rho"), row(one)
    if kind == "RayleighBeam":
        yield number("rotary_inertia"), row("v", 1)
    if kind == "TimoshenkoBeam":
        yield number("rotary_inertia"), row("phi")
    if kind == "SpatialBeam":
        yield number("rotary_inertia"), row("twist")


def _carries(direction: Array, axes: Array, flags: Array) -> bool:
    local = np.abs(axes.T @ direction) > 1e-9
    return bool(np.all(flags[local]))


def _independent(rows: Array) -> Array:
    """As many of the rows as are independent, by pivoting; their entries are of order one."""
    if not len(rows):
        return rows
    import scipy.linalg

    rows = rows[np.abs(rows).max(axis=1) > 1e-12]
    rows = rows / np.linalg.norm(rows, axis=1)[:, None]
    _, r, order = scipy.linalg.qr(rows.T, mode="economic", pivoting=True)
    rank = int((np.abs(np.diag(r)) > 1e-9).sum())
    return rows[np.sort(order[:rank])]
