"""The rigid motion of a model that was simulated, as what carries elastic members: where each body is at any time.

Coordinates are interpolated between the times of the run by their values, rates and accelerations (Hermite, order
five); positions and rotations follow from the model's own formulas, with exact derivatives. Joints become ties, bodies
that are given no frame stay rigid.

>>> path = RigidPath.of(run)
>>> path.motion("rod"), path.completed({"rod": frame})
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import BPoly

from flexura.errors import FlexuraError
from flexura.solve.runs.histories import RunMotion
from flexura.structures.moving.body import MovingFrame
from flexura.symbolic.engine import TIME, ZERO, Basic, Symbol, exact
from flexura.symbolic.kinematics.motion import FreeBodies
from flexura.symbolic.machine import machine_function
from flexura.systems.signals.features import Features, features

Array = NDArray[np.float64]
_SAMPLES = 4**5
_COARSE, _TOLD = 0.05, 1e-4  # of the largest acceleration, by interpolation


@dataclass(frozen=True, eq=False)
class RigidPath:
    """Where the bodies of a simulated model are, how fast and how accelerated, at any time within the run."""

    motion_of: RunMotion
    bodies: FreeBodies
    unknowns: tuple[str, ...]

    @staticmethod
    def of(motion: RunMotion) -> RigidPath:
        """Of a run whose model is rigid."""
        energies = motion.equations.lagrangian
        free = getattr(energies.motion, "free_bodies", None) or FreeBodies()
        if motion.equations.fields or not free.bodies:
            why = "its members bend" if motion.equations.fields else free.refusal or "it was written as energies"
            raise FlexuraError(
                f"The rigid motion of a mechanism cannot come from this run: {why}",
                advice="simulate a model of rigid bodies and joints, and give its run",
            )
        if len(motion.t) < 5:  # of fewer nothing is known about what lies between them
            raise FlexuraError("The run has fewer than five times", advice="simulate at more times")
        names = (*energies.coordinates, *energies.prescribed)
        path = RigidPath(motion, free, tuple(names))
        _ = path._doubt
        return path

    # -- coordinates at any time ---------------------------------------------------------------------------------------

    @property
    def span(self) -> tuple[float, float]:
        """From when to when it is known."""
        return float(self.motion_of.t[0]), float(self.motion_of.t[-1])

    @cached_property
    def _given(self) -> Array:
        """Values, rates and accelerations (times, 3, unknowns) of the run."""
        found = self.motion_of.histories
        return np.stack([np.stack([found[name + d] for name in self.unknowns], -1) for d in ("", "_t", "_tt")], 1)

    @cached_property
    def _curve(self) -> tuple[BPoly, BPoly, BPoly]:
        curve = BPoly.from_derivatives(self.motion_of.t, self._given)
        return curve, curve.derivative(1), curve.derivative(2)

    @cached_property
    def _doubt(self) -> float:
        """How far interpolated accelerations may be off, as a part of the largest: by what every other time tells."""
        times, given = self.motion_of.t, self._given
        coarse = BPoly.from_derivatives(times[::2], given[::2]).derivative(2)
        between = slice(1, len(times) - 2 + len(times) % 2, 2)  # none beyond the last of every other
        off = np.abs(coarse(times[between]) - given[between, 2]).max(axis=0) / 16  # of fourth order
        size = np.abs(given[:, 2]).max(axis=0)
        moving = size > 1e-9 * max(float(size.max(initial=0.0)), 1e-300)
        share = float((off[moving] / size[moving]).max(initial=0.0))
        if share > _COARSE:
            raise FlexuraError(
                f"Between the times of the run its accelerations are uncertain by {share:.1g} of the largest",
                advice="simulate the rigid motion at more times, and without blows",
            )
        return share

    def coordinates(self, t: float) -> Array:
        """t, then the values, the rates and the accelerations of the unknowns."""
        start, end = self.span
        slack = 1e-9 * (end - start)
        if not start - slack <= t <= end + slack:
            raise FlexuraError(f"The rigid motion is known from {start:g} to {end:g}, not at t = {t:g}.")
        return np.concatenate([[t], *(one(t) for one in self._curve)])

    def features(self, start: float, end: float) -> Features:
        """How quickly the motion changes."""
        for t in (start, end):
            self.coordinates(t)
        moved = features(lambda t: self._curve[1](t), "The rigid motion", start, end, _SAMPLES)
        return replace(moved, breaks=(), notes=())

    # -- formulas ------------------------------------------------------------------------------------------------------

    def put_in(self, tree: Basic) -> Basic:
        """A formula of the model with its numbers and given motions."""
        known = {Symbol(name): exact(value) for name, value in self._known.items()}
        return self.motion_of.equations.lagrangian.followed(tree + ZERO).xreplace(known)

    @cached_property
    def _known(self) -> dict[str, float]:
        parameters = self.motion_of.equations.lagrangian.parameters
        carried = {name: one.value for name, one in parameters.items() if one.value is not None}
        return {**carried, **self.motion_of.known}

    def number(self, tree: Basic, what: str) -> float:
        """A formula that is a number; masses that no equation holds move nothing, and count as zero."""
        found = self.put_in(tree)
        held = self.motion_of.equations.lagrangian.parameters
        found = found.xreplace({one: ZERO for one in found.free_symbols if one.name not in held})
        if found.free_symbols:
            raise FlexuraError(f"{what} is {found}, which is no number", advice="give it a value")
        return float(found)

    def compiled(self, trees: Sequence[Basic], rates: int = 2) -> Callable[[float], Array]:
        """Formulas and their time derivatives up to `rates`, as a function of t: (rates + 1, formulas)."""
        jets, rows = self.motion_of.equations.lagrangian.jets, [[self.put_in(one) for one in trees]]
        for _ in range(rates):
            rows.append(jets.D_t_of(rows[-1]))
        symbols = [TIME, *(Symbol(name + d) for d in ("", "_t", "_tt") for name in self.unknowns)]
        flat = [one for row in rows for one in row]
        left = {one for tree in flat for one in tree.free_symbols} - set(symbols)
        if left:
            missing = tuple(sorted(str(one) for one in left))
            raise FlexuraError(
                f"Where bodies are holds {', '.join(missing)}", advice="give values for them", missing=missing
            )
        numeric = machine_function(symbols, flat, cse=True) if flat else None
        shape = (rates + 1, len(trees))

        def evaluated(t: float) -> Array:
            found = np.zeros(0) if numeric is None else np.asarray(numeric(self.coordinates(t)), dtype=np.float64)
            return found.reshape(shape)

        return evaluated

    # -- bodies --------------------------------------------------------------------------------------------------------

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The bodies."""
        return tuple(one.name for one in self.bodies.bodies)

    @cached_property
    def _poses(self) -> Callable[[float], Array]:
        """Positions and rotations of all bodies with their rates: (3, bodies, 12), the latest time kept."""
        trees = [
            one for body in self.bodies.bodies for one in (*body.position, *(c for row in body.rotation for c in row))
        ]
        function, latest = self.compiled(trees), dict[float, Array]()

        def poses(t: float) -> Array:
            if t not in latest:
                latest.clear()
                latest[t] = function(t).reshape(3, -1, 12)
            return latest[t]

        return poses

    def pose(self, name: str, t: float) -> tuple[Array, Array]:
        """Where a body's mass centre is and its rotation, each with two rates: (3, 3), (3, 3, 3)."""
        if name not in self.names:
            raise FlexuraError(f"The model has no body {name!r}", advice=f"it has {', '.join(self.names)}")
        found = self._poses(t)[:, self.names.index(name)]
        return found[:, :3], found[:, 3:].reshape(3, 3, 3)

    def motion(self, name: str) -> MovingFrame:
        """The motion of the axes of a body, whose origin is its mass centre."""
        self.pose(name, self.span[0])

        @lru_cache(maxsize=4)
        def state(t: float) -> tuple[Array, ...]:
            r, R = self.pose(name, t)
            turned = R[0].T
            return _of_cross(turned @ R[1]), _of_cross(turned @ R[2]), turned @ r[2], R[0], r[0]

        return MovingFrame(
            omega=lambda t: state(t)[0], epsilon=lambda t: state(t)[1], a0=lambda t: state(t)[2],
            rotation=lambda t: state(t)[3], gravity=self.gravity, origin=lambda t: state(t)[4],
        )  # fmt: skip

    @cached_property
    def gravity(self) -> Array | None:
        """The acceleration of gravity in ground's axes, from the weights of the bodies."""
        for one in self.bodies.wrenches:
            if one.kind == "weight":
                mass = self.number(next(body.mass for body in self.bodies.bodies if body.name == one.body), "A mass")
                if mass:
                    pull = [self.number(one.amount * part, f"The weight of {one.body}") for part in one.force]
                    return np.array(pull) / mass
        return None

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What is in doubt about it."""
        if self._doubt <= _TOLD:
            return ()
        return (f"Between the times of the rigid run its accelerations are known to {self._doubt:.1g} of the largest.",)

    def completed(self, members: Mapping[str, Any]) -> Any:
        """The members with all other bodies as rigid ones, the ties of all joints, and the loads of the model."""
        from flexura.solve.runs.path_joints import completed

        return completed(self, members)


def _of_cross(W: Array) -> Array:
    """w of the skew part of a matrix, w~."""
    return np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2
