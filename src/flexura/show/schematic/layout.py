"""The reference configuration on a page: where parts stand, which way axes point.

    >>> layout = Layout(equations, {"l": 2.0})
    >>> layout.page(layout.at(join.p))

Every coordinate and deflection is zero; where that leaves loops open they are closed, which is said below the picture,
as is a length that has no value and is drawn as 1 m.
Bodies that slide on one another from one place are drawn apart, along the way they slide.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from flexura.derivation.equations.equations import Equations
from flexura.errors import FlexuraError
from flexura.show.schematic.closing import closed
from flexura.show.schematic.displaced import Displaced
from flexura.show.schematic.sheet import Array
from flexura.solve.values import numbers
from flexura.symbolic.engine import SPINE, TIME, ZERO, Basic, Symbol, exact
from flexura.symbolic.kinematics.geometry import Anchor, Geometry, Join, Located, Wheel
from flexura.symbolic.kinematics.vectors import NULL, Vector

WIDE, HIGH = 400.0, 260.0
"""The room that the model itself may take, in points."""
APART = 52.0
"""How far what starts in one place is drawn apart, in points."""
_SLIDING = ("Slide", "Spring", "Damper", "TorsionSpring", "TorsionDamper", "Free")
_VIEW = np.array([[0.86, -0.5, 0.0], [0.28, 0.36, 0.9]])  # x to the right, y away to the left, z up
_POINTS = 33
_ROOM = 14.0  # around parts that nothing ties to others


def _numbers(equations: Equations, values: Mapping[str, Any]) -> tuple[dict[str, float], set[str]]:
    """Numbers for all parameters, and the names of those that have none and so are 1."""
    try:
        return dict(numbers(equations, values)), set()
    except FlexuraError as error:
        if not error.missing:
            raise
        return dict(numbers(equations, {**dict.fromkeys(error.missing, 1.0), **values})), set(error.missing)


class Layout:
    """Places on the page for one system with numbers put in."""

    def __init__(
        self, equations: Equations, values: Mapping[str, Any] | None = None, spatial: bool | None = None
    ) -> None:
        """`values` as for every answer; what geometry still lacks is 1. `spatial` draws it in space, or not."""
        geometry = equations.lagrangian.geometry
        if geometry is None:
            raise FlexuraError(
                "These equations do not say where their parts are, because they were written as energies",
                advice="describe the system by parts with fx.Model",
            )
        self.energies, self.geometry = equations.lagrangian, geometry
        self.now: Displaced | None = None
        self.still = self
        self._settled: dict[Basic, Basic] = {}
        self._curves: dict[str, Array] = {}
        known, self.lacking = _numbers(equations, values or {})
        self.known = {Symbol(name): exact(number) for name, number in known.items()}
        self.nominal: set[str] = set()
        self.moved: dict[Symbol, Basic] = {}
        self.bodies = {part.name: part for part in geometry.parts if not part.spine}
        self.lines = {part.spine: part for part in geometry.parts if part.spine}
        self.moved = closed(self.energies, self.known)
        self.spatial = self._leaves_plane() if spatial is None else spatial
        self.view = _VIEW if self.spatial else np.eye(3)[:2]
        self.scale, self.centre = self._fit()
        self.offset = {name: np.zeros(2) for name in (*self.bodies, *self.energies.members, "ground")}
        self._draw_apart()
        self._stand_beside()

    def displaced(self, now: Displaced) -> Layout:
        """The same page with parts where a state has them; `still` is this one."""
        layout = copy.copy(self)
        layout.now, layout._curves = now, {}
        return layout

    @property
    def notes(self) -> list[str]:
        """What was taken to draw it: numbers for what has none, coordinates that close loops."""
        given = [f"{', '.join(sorted(self.nominal))} = 1"] if self.nominal else []
        given += [f"{symbol.name} = {float(value):.3g}" for symbol, value in self.moved.items() if abs(value) > 1e-9]
        return [f"drawn with {', '.join(given)}"] if given else []

    def number(self, f: Basic, x: float = 0.0) -> float:
        """A tree in the reference configuration."""
        if f not in self._settled:
            self._settled[f] = self._at_rest_of(f)
        valued = self._settled[f]
        return float((valued.xreplace({SPINE: exact(x)}) if valued.free_symbols else valued).n(real=True))

    def lacks(self, f: Basic) -> bool:
        """Whether a tree holds a name without a value, which is drawn as 1."""
        known = {symbol.name for symbol in self.known} - self.lacking
        return any(symbol.name not in known for symbol in f.free_symbols)

    def _at_rest_of(self, f: Basic) -> Basic:
        """The same with everything put in but x."""
        zeros = {jet.symbol: self.moved.get(jet.symbol, ZERO) for jet in self.energies.jets.unknowns(f)}
        at = f.xreplace({**zeros, TIME: ZERO})
        self.nominal |= self.lacking & {symbol.name for symbol in at.free_symbols}
        valued = at.xreplace(self.known)
        idle = [one for one in valued.free_symbols if isinstance(one, Symbol) and one != SPINE]  # for the picture alone
        self.nominal |= {symbol.name for symbol in idle}
        return valued.xreplace(dict.fromkeys(idle, exact(1)))

    def vector(self, v: Vector, x: float = 0.0) -> Array:
        """A vector's numbers."""
        return np.array([self.number(part, x) for part in v])

    def spines(self, member: str) -> Iterator[tuple[Located, float, float]]:
        """The pieces of a member and where they run from and to."""
        for name in self.energies.members[member]:
            spine = self.energies.spine_of(name)
            yield self.lines[spine.name], self.number(spine.start), self.number(spine.end)

    def curve(self, member: str) -> Array:
        """Points along a member, in space."""
        if member not in self._curves:
            self._curves[member] = self._curve(member)
        return self._curves[member]

    def _curve(self, member: str) -> Array:
        if self.now is not None:
            return self.now.curve(map(self._spine_name, self.energies.members[member]), _POINTS)
        found = []
        for line, start, end in self.spines(member):
            found += [self.vector(line.position, x) for x in np.linspace(start, end, _POINTS)]
        return np.array(found)

    def _spine_name(self, field: str) -> str:
        return self.energies.spine_of(field).name

    def centre_of(self, body: str) -> Array:
        """Where a body's mass centre is, in space."""
        if self.now is not None:
            return self.now.anchored(Anchor(body, NULL))
        return self.vector(self.bodies[body].position)

    def axes(self, part: str) -> Array:
        """The axes of a part as columns; ground's for ground."""
        if self.now is not None and part != "ground":
            return self.now.axes(part)
        if part in self.bodies:
            return np.array([self.vector(row) for row in self.bodies[part].rotation])
        if part in self.energies.members:
            line, start, _ = next(self.spines(part))
            return np.array([self.vector(row, start) for row in line.rotation])
        return np.eye(3)

    def at(self, anchor: Anchor) -> Array | None:
        """A place in space; None for ground that is everywhere."""
        if anchor.everywhere:
            return None
        if self.now is not None and anchor.part != "ground":
            return self.now.anchored(anchor)
        if anchor.part in self.energies.members:
            x = self.number(anchor.point[0])
            pieces = list(self.spines(anchor.part))
            line = next((line for line, _, end in pieces if x <= end * (1 + 1e-9)), pieces[-1][0])
            return self.vector(line.position, x)
        here = self.vector(anchor.point)
        if anchor.part not in self.bodies:
            return here
        body = self.bodies[anchor.part]
        return np.asarray(self.vector(body.position) + self.axes(anchor.part) @ here)

    def touching(self, wheel: Wheel) -> tuple[Array, Array]:
        """A wheel's centre, and where it touches, in space."""
        centre = self.at(wheel.at)
        assert centre is not None  # a body has a place
        return centre, np.asarray(centre + self.axes(wheel.on) @ self.vector(wheel.contact))

    def rim(self, wheel: Wheel) -> Array:
        """Points of a wheel's rim, in space; the first turns with it. Of a sphere, the circle that is seen."""
        centre, contact = self.touching(wheel)
        radius = float(np.linalg.norm(contact - centre))
        axis = self.axes(wheel.at.part) @ self.vector(wheel.axis)
        if not axis.any():
            axis = np.cross(*self.view) if self.spatial else np.array([0.0, 0.0, 1.0])
        across = [self.axes(wheel.at.part) @ one for one in np.eye(3)]
        first = max((one - axis * (axis @ one) for one in across), key=np.linalg.norm)
        first = first / np.linalg.norm(first)
        second = np.cross(axis / np.linalg.norm(axis), first)
        turns = np.linspace(0, 2 * np.pi, 49)[:, None]
        return np.asarray(centre + radius * (np.cos(turns) * first + np.sin(turns) * second))

    def far_to_near(self) -> list[str]:
        """Members and bodies; in space those first that lie behind others, seen from where the picture is."""
        names = [*self.energies.members, *self.bodies]
        if not self.spatial:
            return names
        towards = np.cross(*self.view)
        middles = {name: self.curve(name).mean(axis=0) for name in self.energies.members}
        middles |= {name: self.centre_of(name) for name in self.bodies}
        return sorted(names, key=lambda name: round(float(middles[name] @ towards), 9))

    def page(self, point: Array, part: str = "ground") -> Array:
        """A point in space on the page, with the part it belongs to."""
        return np.asarray((point @ self.view.T - self.centre) * self.scale + self.offset[part])

    def ends(self, join: Join) -> tuple[Array, Array]:
        """Both places of a join on the page; ground that is everywhere is where the other one is at first."""
        if self is not self.still and (join.p.everywhere or join.q.everywhere):
            before, after = self.still.ends(join)
            held = join.p if join.q.everywhere else join.q
            moved = before if held.everywhere else self._at_rest(held) + self.offset[held.part]
            return (before, moved) if join.p.everywhere else (moved, after)
        p, q = self.at(join.p), self.at(join.q)
        first = self.page(p, join.p.part) if p is not None else None
        last = self.page(q, join.q.part) if q is not None else first
        nowhere = np.zeros(2)
        return (
            first if first is not None else last if last is not None else nowhere,
            last if last is not None else nowhere,
        )

    def direction(self, axis: Array) -> Array:
        """A direction on the page, as long as it is seen."""
        return np.asarray(self.view @ axis)

    # -- how it fits -----------------------------------------------------------------------------------------------

    def _leaves_plane(self) -> bool:
        points = self._all_points()
        size = max(float(np.ptp(points, axis=0).max()), 1e-300)
        flat = bool(np.abs(points[:, 2]).max() <= 1e-9 * size)
        return not flat or any(self._out_of_plane(self.geometry))

    def _out_of_plane(self, geometry: Geometry) -> Iterator[bool]:
        """Axes that a drawing in the plane cannot show: turns about x or y, motions along z."""
        for mark in geometry.marks:
            x, y, z = self.axes(mark.of or "ground") @ self.vector(mark.axis)
            about = mark.kind in ("torque", "rotation")
            twist = mark.at.part in self.energies.members and about and abs(self.vector(mark.axis)[0]) > 0.5
            yield (abs(x) + abs(y) > 1e-6 and not twist) if about else abs(z) > 1e-6

    def _all_points(self) -> Array:
        bodies = [self.centre_of(name) for name in self.bodies]
        members = [self.curve(name) for name in self.energies.members]
        anchors = [self.at(end) for join in self.geometry.joins for end in (join.p, join.q)]
        for centre, contact in map(self.touching, self.geometry.wheels):
            across = np.cross(contact - centre, (0.0, 0.0, 1.0)) if contact[2] == centre[2] else np.zeros(3)
            anchors += [contact, 2 * centre - contact, centre + across, centre - across]
        single = [one for one in (*bodies, *anchors) if one is not None]
        return np.concatenate([*members, np.array(single).reshape(-1, 3), np.zeros((0 if single or members else 1, 3))])

    def _fit(self) -> tuple[float, Array]:
        seen = self._all_points() @ self.view.T
        low, high = seen.min(axis=0), seen.max(axis=0)
        wide, tall = high - low
        scales = [room / extent for room, extent in ((WIDE, wide), (HIGH, tall)) if extent > 1e-12]
        self.extended = bool(scales)  # else all is in one place, and drawn apart without a scale
        return min(scales, default=1.0), (low + high) / 2

    def _draw_apart(self) -> None:
        """What slides from one place stands apart, with all that is welded or hinged to it.

        A body that only slides on ground has no place across its way: it stands where its springs are.
        """
        groups = self._groups()
        for join in self.geometry.joins:
            if join.kind not in _SLIDING or "ground" in (join.p.part, join.q.part):
                continue
            one, other = groups[join.p.part], groups[join.q.part]
            along = self.direction(self.axes(join.p.part) @ self.vector(join.axis))
            if one is other or np.hypot(*along) < 0.1:
                continue
            along = along / np.hypot(*along)
            rest = self._at_rest(join.q) - self._at_rest(join.p)
            if np.hypot(*rest) > 20:
                if abs(_across(along) @ rest) < 10 or not (self._loose(one) or self._loose(other)):
                    continue
                if not self._loose(other):
                    one, other, along = other, one, -along
            p, q = self.ends(join)
            first, second = (p, q) if join.q.part in other else (q, p)
            self._shift(other, first - second, along)
            one |= other
            groups.update(dict.fromkeys(other, one))

    def _at_rest(self, anchor: Anchor) -> Array:
        place = self.at(anchor)
        return np.zeros(2) if place is None else self.page(place)

    def _loose(self, group: set[str]) -> bool:
        """Whether a group of bodies only slides on ground, which is everywhere."""
        held = [
            (join.kind, end.everywhere)
            for join in self.geometry.joins
            for end, other in ((join.p, join.q), (join.q, join.p))
            if end.part == "ground" and other.part in group
        ]
        slides = ("Slide", True) in held and all(one in _SLIDING and everywhere for one, everywhere in held)
        return slides and not any(name in self.energies.members for name in group)

    def _shift(self, group: set[str], to: Array, along: Array) -> None:
        """Move a group by `to` and on along a way, and beside it where something stands there already."""
        bodies = {name: self.page(self.centre_of(name), name) for name in self.bodies}
        mine = [to + bodies[name] for name in group if name in bodies]
        others = [point for name, point in bodies.items() if name not in group]
        for aside in (0.0, 1.0, -1.0, 2.0, -2.0, 3.0):
            shift = APART * (along + aside * _across(along))
            near = (np.hypot(*(point + shift - other)) for point in mine for other in others)
            if min(near, default=APART) > 20:
                break
        for name in group - {"ground"}:
            self.offset[name] = self.offset[name] + to + shift

    def _stand_beside(self) -> None:
        """What nothing ties to the rest, and has no place of its own, stands below what it would lie on."""
        fixed: list[tuple[Array, Array]] = []
        for names in self._islands():
            points = np.concatenate([self._drawn_points(name) for name in names])
            low, high = points.min(axis=0) - _ROOM, points.max(axis=0) + _ROOM
            hit = [box for box in fixed if np.all(box[0] < high) and np.all(low < box[1])]
            if hit and self._placeless(names):
                down = np.array([0.0, min(box[0][1] for box in fixed) - high[1]])
                low, high = low + down, high + down
                for name in names:
                    self.offset[name] = self.offset[name] + down
            fixed.append((low, high))

    def _drawn_points(self, name: str) -> Array:
        if name in self.energies.members:
            return self.page(self.curve(name), name)
        rims = [self.rim(wheel) for wheel in self.geometry.wheels if wheel.at.part == name]
        return self.page(np.concatenate([self.centre_of(name)[None, :], *rims]), name)

    def _islands(self) -> list[set[str]]:
        """Parts that joins and gears tie to one another, in the order of their first part."""
        groups = {name: {name} for name in (*self.energies.members, *self.bodies)}
        pairs = [(join.p.part, join.q.part) for join in self.geometry.joins]
        for a, b in (*pairs, *((mesh.p.part, mesh.q.part) for mesh in self.geometry.meshes)):
            if a in groups and b in groups and groups[a] is not groups[b]:
                groups[a] |= groups[b]
                groups.update(dict.fromkeys(groups[b], groups[a]))
        return list({id(group): group for group in groups.values()}.values())

    def _placeless(self, names: set[str]) -> bool:
        """Whether ground says nothing of where these parts stand: they are free, or members held where they are."""
        grounded = [
            (join.kind, end.everywhere)
            for join in self.geometry.joins
            for end, other in ((join.p, join.q), (join.q, join.p))
            if end.part == "ground" and other.part in names
        ]
        free = all(kind in ("Free", "Rolling") for kind, _ in grounded)
        held = all(everywhere for _, everywhere in grounded) and any(name in self.energies.members for name in names)
        return free or held

    def _groups(self) -> dict[str, set[str]]:
        groups = {name: {name} for name in self.offset}
        for join in self.geometry.joins:
            one, other = groups[join.p.part], groups[join.q.part]
            if one is not other and join.kind not in _SLIDING and "ground" not in (join.p.part, join.q.part):
                one |= other
                groups.update(dict.fromkeys(other, one))
        return groups


def _across(along: Array) -> Array:
    return np.array([-along[1], along[0]])
