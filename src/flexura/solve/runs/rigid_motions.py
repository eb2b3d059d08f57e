"""Motions of everything as one rigid body: along and about ground's axes, or along symmetries of written energies.

    >>> found = rigid_motions(equations, values, system, states)
    >>> found.names, found.rates(t, q)        # ("x", "y", "about z"), rates of all unknowns: (states, n, 3)

Where the equations know positions, unit translations and rotations are sought among the rates of the unknowns, of the
parts that carry all others; a direction in which a support holds one of them is among the `held`. Energies that were
written down know no positions: there, rates are taken that no equation notices (dR/dq xi = 0 at states like any other).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.errors import FlexuraError
from flexura.solve.runs.positions import Point, Positions
from flexura.solve.steppers.mechanics import State
from flexura.symbolic.engine import ONE, ZERO
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.geometry import Geometry, Located
from flexura.symbolic.kinematics.vectors import Vector
from flexura.systems.nonlinear import GivenField, NonlinearSystem

Array = NDArray[np.float64]
AXES = ("x", "y", "z", "about x", "about y", "about z")
_MET = 1e-9  # what may be missing of a unit motion where nothing holds it
_PLACES = 3  # points of a line that tell how it moves
_UNNOTICED = 1e-11  # slopes of the equations, of the largest, that are round-off
_RANK = 1e-11
_LINKS = ("Spring", "Damper", "TorsionSpring", "TorsionDamper")  # joins that hold nothing
_WELD = "Fixed"
_MANY = 12  # parts that float together, beyond which they are not asked


def _none(t: Array, q: Array) -> Array:
    return np.zeros((*q.shape, 0))


@dataclass(frozen=True, eq=False)
class RigidMotions:
    """`rates(t, q)` are (states, n, directions); `held` are the directions that something holds."""

    names: tuple[str, ...] = ()
    held: tuple[str, ...] = ()
    rates: Callable[[Array, Array], Array] = _none


def rigid_motions(
    equations: Equations, values: Mapping[str, Any], system: NonlinearSystem, states: Sequence[State]
) -> RigidMotions:
    """Those that the unknowns of a system can make, judged at some states of it."""
    if not system.n:
        return RigidMotions()
    if getattr(equations.lagrangian, "geometry", None) is None:
        return _symmetries(system, states)
    if any(one.lift is not None for one in system.fields.values()) or equations.lagrangian.driven_by_curves:
        return RigidMotions(held=AXES)  # ends, or bases, that move as given
    roots = _roots(equations.lagrangian.geometry)
    if len(roots) > _MANY or _welded(equations.lagrangian.geometry):
        return RigidMotions(held=AXES)
    try:
        return _in_space(Positions(equations, values, roots), system, states)
    except FlexuraError:  # positions that hold something other than unknowns: a base that moves as an input says
        return RigidMotions(held=AXES)


def _roots(geometry: Geometry) -> frozenset[str]:
    """Parts that carry all others: those that joints hold to ground, and every part of what floats without ground."""
    together = {part.name: {part.name} for part in geometry.parts}
    rooted = set[str]()
    for join in geometry.joins:
        p, q = join.p.part, join.q.part
        if join.kind in _LINKS:
            continue
        if "ground" in (p, q):
            rooted |= {p, q} - {"ground"}
            continue
        both = together.get(p, {p}) | together.get(q, {q})
        together |= dict.fromkeys(both, both)
    return frozenset(name for name, mates in together.items() if name in rooted or not mates & rooted)


def _welded(geometry: Geometry) -> bool:
    """Whether a part is welded to ground, which holds everything."""
    return any(join.kind == _WELD and "ground" in (join.p.part, join.q.part) for join in geometry.joins)


def _in_space(positions: Positions, system: NonlinearSystem, states: Sequence[State]) -> RigidMotions:
    seen = _Particles(positions, system)
    t, q = np.array([state.t for state in states]), np.array([state.q for state in states])
    free = seen.free(t, q)
    names = tuple(name for name, one in zip(AXES, free, strict=True) if one)
    held = tuple(name for name, one in zip(AXES, free, strict=True) if not one)
    return RigidMotions(names, held, partial(seen.rates, free=free)) if names else RigidMotions(held=held)


@dataclass(frozen=True, eq=False)
class _Column:
    """A jet at places from the unknowns: by a table (places, n), or as others give it."""

    table: Array
    given: GivenField | None = None
    x: Array | None = None
    order: int = 0

    def values(self, t: Array, q: Array) -> Array:
        """(states, places)."""
        if self.given is None or self.x is None:
            return np.asarray(q @ self.table.T)
        return self.given.values(self.x, self.order, t, q, None)

    def slopes(self, t: Array, q: Array) -> Array:
        """(places, n), or (states, places, n)."""
        if self.given is None or self.x is None:
            return self.table
        return self.given.slopes(self.x, self.order, t, q)

    @property
    def moved(self) -> NDArray[np.bool_]:
        """The unknowns that move it; those that give it move what it is given by, too."""
        return np.asarray(self.table.any(axis=0))


@dataclass(frozen=True, eq=False)
class _SeenPoints:
    """Points of a part, or an axis of it that turns with it, and the jets they are made of from the unknowns."""

    point: Point
    columns: tuple[_Column, ...]
    axis: bool

    def rates(self, t: Array, q: Array) -> tuple[Array, Array]:
        """Slopes by the unknowns (states, 3 places, n), and the velocities by unit motions (states, 3 places, 6)."""
        given = [column.values(t, q) for column in self.columns]
        moments = np.broadcast_to(t[:, None], (len(t), 1 if self.point.x is None else np.size(self.point.x)))
        r, by_jets = self.point.at(given, moments), self.point.slopes(given, moments)
        slopes = np.zeros((*r.shape, q.shape[1]))
        for i, column in enumerate(self.columns):
            slopes += by_jets[..., i, None] * column.slopes(t, q)[..., None, :]
        return slopes.reshape(len(t), -1, q.shape[1]), _unit_motions(r, self.axis)


class _Particles:
    """All bodies, turning ones with their axes, and points of lines."""

    def __init__(self, positions: Positions, system: NonlinearSystem) -> None:
        self.positions, self.system = positions, system
        self.points = _points(positions)
        self.seen: list[_SeenPoints] = []

    def free(self, t: Array, q: Array) -> NDArray[np.bool_]:
        """Which of the six directions nothing holds: asked of each part first, which often is enough, then of all."""
        free, parts = np.ones(6, dtype=bool), self.positions.geometry.parts
        for part in parts:
            mine = list(self._of(part))
            self.seen += mine
            free &= self._possible(mine, t[:1], q[:1]) if part is not parts[-1] else free
            if not free.any():
                return free
        return free & self._possible(self.seen, t, q)

    def rates(self, t: Array, q: Array, free: NDArray[np.bool_]) -> Array:
        """Least rates of the unknowns that move all particles so, at each state."""
        J, wanted = _joined(self.seen, t, q)
        moved, found = self._moved, np.zeros((*q.shape, int(free.sum())))  # the others stay at rest in least rates
        found[:, moved] = _inverse(J[..., moved]) @ wanted[..., free]
        return found

    @cached_property
    def _moved(self) -> NDArray[np.int64]:
        """The unknowns that move any particle."""
        columns = [column.moved for one in self.seen for column in one.columns]
        return np.flatnonzero(np.any([np.zeros(self.system.n, dtype=bool), *columns], axis=0))

    def _possible(self, seen: list[_SeenPoints], t: Array, q: Array) -> NDArray[np.bool_]:
        J, wanted = _joined(seen, t, q)
        found = np.linalg.pinv(J, rcond=_RANK) @ wanted
        missed = np.abs(J @ found - wanted).max(axis=1)
        if self.system.m:
            A = np.array([self.system.velocity(float(s), x)[0].copy() for s, x in zip(t, q, strict=True)])
            held = seen is self.seen  # a part alone does not tell how the others follow
            missed = np.maximum(missed, np.abs(A @ found).max(axis=1)) if held else missed
        met = missed <= _MET * np.maximum(1.0, np.abs(wanted).max(axis=1))
        if seen is self.seen:  # a turn about a line that everything lies on moves nothing
            met &= np.abs(found).max(axis=1) > _MET
        return np.asarray(met.all(axis=0))

    def _of(self, part: Located) -> Iterator[_SeenPoints]:
        yield self._seen(part, part.position, axis=False)
        if (part.name, part.spine) not in self.points:
            planar = part.rotation[2] == (ZERO, ZERO, ONE)
            for i in range(1 if planar else 2):
                row, second, third = part.rotation
                yield self._seen(part, (row[i], second[i], third[i]), axis=True)

    def _seen(self, part: Located, trees: Vector, axis: bool) -> _SeenPoints:
        point = self.positions.placed(part.name, trees)
        if part.spine:
            point = replace(point, x=self._places(point, part.spine))
        return _SeenPoints(point, tuple(self._column(point, jet) for jet in point.jets), axis)

    def _places(self, point: Point, spine: str) -> Array:
        """Points of a line: where it is cut into elements, as many as tell what each of them does."""
        maps = [self.system.fields[jet.name] for jet in point.jets if jet.name in self.system.fields and not jet.end]
        if all(one.elements == 1 for one in maps):
            return np.linspace(*self.positions.ends[spine], _PLACES)
        return np.unique(np.concatenate([one.points for one in maps]))

    def _column(self, point: Point, jet: Jet) -> _Column:
        """A jet from the unknowns."""
        system, fields = self.system, {**self.system.fields, **self.system.hidden}
        if jet.name not in fields:
            return _Column(np.asarray(np.eye(system.n)[system.names.index(jet.name)][None]))
        where = np.atleast_1d(point.ends[jet.name][jet.end == "b"] if jet.end else np.asarray(point.x))
        line = fields[jet.name]
        return _Column(line.matrix(where, jet.x)[:, : system.n], line.given, where, jet.x)


def _inverse(J: Array) -> Array:
    """The pseudo-inverses of a stack; one for all where nothing turns and all are the same."""
    if len(J) > 1 and (J[:1] == J).all():
        return _inverse(J[:1])
    if J.shape[2] != 1:
        return np.asarray(np.linalg.pinv(J, rcond=_RANK))
    squares = (J * J).sum(axis=1, keepdims=True)
    return np.asarray(np.swapaxes(J, 1, 2) / np.where(squares > 0, squares, np.inf))


def _joined(seen: Sequence[_SeenPoints], t: Array, q: Array) -> tuple[Array, Array]:
    slopes, wanted = zip(*(one.rates(t, q) for one in seen), strict=True)
    return np.concatenate(slopes, axis=1), np.concatenate(wanted, axis=1)


def _points(positions: Positions) -> frozenset[tuple[str, str]]:
    """Parts without inertia against turning; where nothing is known of it, lines."""
    carried = getattr(positions.energies.motion, "carried", None)
    if carried is None:
        return frozenset((part.name, part.spine) for part in positions.geometry.parts if part.spine)
    return frozenset((one.name, one.spine) for one in carried if all(f == 0 for row in one.inertia for f in row))


def _unit_motions(r: Array, axis: bool) -> Array:
    """Velocities of points (or of the tips of axes) by unit translations and rotations: (states, 3 places, 6)."""
    found = np.zeros((*r.shape, 6))
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        found[..., k, k] = 0.0 if axis else 1.0
        found[..., i, 3 + k], found[..., j, 3 + k] = -r[..., j], r[..., i]
    return found.reshape(len(r), -1, 6)


def _symmetries(system: NonlinearSystem, states: Sequence[State]) -> RigidMotions:
    """Constant rates that no equation notices, judged at the states moved at random."""
    random = np.random.default_rng(5)
    size = max((float(np.abs(state.q).max(initial=0.0)) for state in states), default=0.0) or 1.0
    rows = []
    for state in states:
        q, v, a = (one + size * random.normal(size=system.n) for one in (state.q, state.v, state.a))
        K = system.jacobians(state.t, q, v, a, system.rest, state.multipliers)[0].copy()
        rows.append(K / (np.abs(K).max() or 1.0))
        if system.m:
            A = system.velocity(state.t, q)[0].copy()
            rows.append(A / (np.abs(A).max() or 1.0))
    _, s, across = np.linalg.svd(np.vstack(rows))
    kept = across[int((s > _UNNOTICED * max(s[0], 1e-300)).sum()) :]
    if not len(kept):
        return RigidMotions()
    basis = _readable(kept)
    names = _numbered([_named(system, one) for one in basis])
    return RigidMotions(names, (), partial(constant, basis.T))


def constant(rates: Array, t: Array, q: Array) -> Array:
    """The same rates at every state."""
    return np.broadcast_to(rates, (len(t), *rates.shape))


def _readable(rows: Array) -> Array:
    """The same span by rows that are one in unknowns of their own."""
    rows = rows.copy()
    for i in range(len(rows)):
        pivot = i + int(np.abs(rows[i:]).max(axis=1).argmax())
        rows[[i, pivot]] = rows[[pivot, i]]
        column = int(np.abs(rows[i]).argmax())
        rows[i] /= rows[i, column]
        for k in range(len(rows)):
            if k != i:
                rows[k] -= rows[k, column] * rows[i]
    return rows


def _numbered(names: Sequence[str]) -> tuple[str, ...]:
    """Each name once: a second motion of the same unknowns gets a number."""
    return tuple(
        name if name not in names[:i] else f"{name} ({1 + names[:i].count(name)})" for i, name in enumerate(names)
    )


def _named(system: NonlinearSystem, row: Array) -> str:
    """Coordinates and fields that move."""
    moved = [name for i, name in enumerate(system.names) if "[" not in name and "@" not in name and abs(row[i]) > 1e-9]
    for name, one in system.fields.items():
        shape = one.matrix(np.linspace(one.start, one.end, 9), 0)[:, : system.n] @ row
        moved += [name] if np.abs(shape).max() > 1e-9 else []
    return " and ".join(moved)
