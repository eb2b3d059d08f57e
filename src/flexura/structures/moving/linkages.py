"""Rigid kinematics of planar linkages with one driving angle: where each body is and how it moves, exactly.

Each body's pose is a formula in the driving angle theta; velocities and accelerations come from its derivatives and
from theta's own motion: a formula in t, a callable that gives (theta, theta_t, theta_tt), or samples (t, theta).
A new linkage is one function that writes poses.

>>> linkage = slider_crank(crank=0.05, rod=0.2, angle="100*t")
>>> linkage.motion("rod")          # a MovingFrame at the crank pin, x along the rod
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.structures.moving.body import MovingFrame, rotation_about
from flexura.symbolic.engine import TIME, partial
from flexura.symbolic.machine import machine_function
from flexura.symbolic.quantities import text_or_expression
from flexura.systems.signals.features import Features, FormulaOfTime, features, jump
from flexura.systems.signals.signal import formula_of, is_formula, real_array

Array = NDArray[np.float64]
Pose = tuple[Any, Any, Any]
"""x, y of the body's origin and its angle, formulas in theta."""

THETA = symengine.Symbol("theta")
_SAMPLES = 4**6  # times at which a driving angle is looked at


@checked_methods
@dataclass(frozen=True)
class Linkage:
    """Bodies by name with their poses; `drive(t)` gives the driving angle and its two rates."""

    poses: Mapping[str, Pose]
    drive: Callable[[float], tuple[float, float, float]]
    gravity: Any = None
    _formulas: dict[str, Any] = field(default_factory=dict, repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """The bodies."""
        return tuple(self.poses)

    def pose(self, name: str, theta: float) -> Array:
        """Rows: pose, first and second derivative by theta; columns: x, y, angle."""
        if name not in self.poses:
            raise FlexuraError(f"The linkage has no body {name!r}", advice=f"it has {', '.join(self.poses)}")
        if name not in self._formulas:
            rows = [text_or_expression(one, what=f"the pose of {name}").engine for one in self.poses[name]]
            once = [partial(one, THETA) for one in rows]
            self._formulas[name] = machine_function([THETA], [*rows, *once, *(partial(one, THETA) for one in once)])
        found = np.asarray(self._formulas[name]([theta]), dtype=np.float64).reshape(3, 3)
        if not np.all(np.isfinite(found)):
            raise FlexuraError(
                f"The linkage cannot be put together at theta = {theta:.6g}: there is no place for the {name}",
                advice="change the lengths, or keep the driving angle where they meet",
            )
        return found

    def motion(self, name: str) -> MovingFrame:
        """The motion of a body's frame: omega, epsilon, a0, rotation and origin over time."""
        self.pose(name, self.drive(0.0)[0])
        z = np.array([0.0, 0.0, 1.0])

        @lru_cache(maxsize=4)
        def state(t: float) -> tuple[Array, Array, Array]:
            theta, rate, rate2 = self.drive(t)
            pose, first, second = self.pose(name, theta)
            return pose, first * rate, second * rate**2 + first * rate2

        def a0(t: float) -> Array:
            pose, _, second = state(t)
            return np.asarray(rotation_about(z, pose[2]).T @ [second[0], second[1], 0.0])

        return MovingFrame(
            omega=lambda t: state(t)[1][2] * z,
            epsilon=lambda t: state(t)[2][2] * z,
            a0=a0,
            rotation=lambda t: rotation_about(z, state(t)[0][2]),
            gravity=self.gravity,
            origin=lambda t: np.array([*state(t)[0][:2], 0.0]),
        )

    def features(self, start: float, end: float) -> Features:
        """When and how quickly the driving angle and its rates change; a rate that jumps is refused, as a blow."""
        found = features(self.drive, "The driving angle", start, end, _SAMPLES)
        for t in found.breaks:
            if jump(lambda at: self.drive(at)[0], t, end - start) is not None:
                raise FlexuraError(
                    f"The driving angle jumps at t = {t:.6g}, where its rate would be infinite",
                    advice="let it change over a short time",
                )
            sides = jump(lambda at: self.drive(at)[1], t, end - start)
            if sides is not None:
                raise FlexuraError(
                    f"The rate of the driving angle jumps at t = {t:.6g} from {sides[0]:.6g} to {sides[1]:.6g}, a"
                    " blow that its acceleration does not hold",
                    advice="let it change over a short time",
                )
        return found

    def with_drive(self, angle: Any) -> Linkage:
        """The same linkage driven otherwise."""
        return Linkage(self.poses, driving(angle), self.gravity)


@dataclass(frozen=True)
class Samples:
    """A driving angle known at some times, smooth in between (a spline of degree five)."""

    t: Array
    theta: Array

    @cached_property
    def _splines(self) -> tuple[Any, Any, Any]:
        from scipy.interpolate import make_interp_spline

        spline = make_interp_spline(self.t, self.theta, k=5)
        return spline, spline.derivative(1), spline.derivative(2)

    def __call__(self, t: float) -> tuple[float, float, float]:
        """The angle and its two rates."""
        value, rate, rate2 = (float(one(t)) for one in self._splines)
        return value, rate, rate2


def _three(angle: Any, rate: Any, rate2: Any) -> tuple[float, float, float]:
    return float(angle), float(rate), float(rate2)


def driving(angle: Any) -> Callable[[float], tuple[float, float, float]]:
    """The driving angle with its rates, from a formula in t, a callable, or samples (t, theta)."""
    if callable(angle) and not is_formula(angle):
        return lambda t: _three(*angle(t))
    if isinstance(angle, tuple) and len(angle) == 2 and np.ndim(angle[0]) == 1:
        t, theta = (real_array(one, "The driving angle", "give samples (t, theta)") for one in angle)
        if t.shape != theta.shape or len(t) < 6 or np.any(np.diff(t) <= 0) or not np.all(np.isfinite(theta)):
            raise FlexuraError(
                "The samples of the driving angle do not fit", advice="give (t, theta), six or more, t increasing"
            )
        return Samples(t, theta)
    formula = formula_of(angle, "the driving angle")
    once = partial(formula, TIME)
    twice = partial(once, TIME)
    numeric = machine_function([TIME], [formula, once, twice])

    def drive(t: float) -> tuple[float, float, float]:
        value, rate, rate2 = np.ravel(numeric([t])).tolist()
        return value, rate, rate2

    return FormulaOfTime(drive, (formula, once, twice))


def rotating_arm(angle: Any, gravity: Any = None) -> Linkage:
    """One body, "arm", that turns about z at the origin."""
    return Linkage({"arm": (0, 0, THETA)}, driving(angle), gravity)


def slider_crank(crank: float, rod: float, angle: Any, offset: float = 0.0, gravity: Any = None) -> Linkage:
    """A "crank" at the origin, a "rod" from its pin, and a "slider" on the line y = offset."""
    _positive(crank=crank, rod=rod)
    pin = (crank * symengine.cos(THETA), crank * symengine.sin(THETA))
    phi = symengine.asin((offset - pin[1]) / rod)
    poses = {
        "crank": (0, 0, THETA),
        "rod": (*pin, phi),
        "slider": (pin[0] + rod * symengine.cos(phi), offset, 0),
    }
    return Linkage(poses, driving(angle), gravity)


def four_bar(
    ground: float, crank: float, coupler: float, rocker: float, angle: Any, branch: int = 1, gravity: Any = None
) -> Linkage:
    """A "crank" at the origin, a "coupler" from its pin, a "rocker" from (ground, 0); branch -1 is the crossed one."""
    _positive(ground=ground, crank=crank, coupler=coupler, rocker=rocker)
    x, y = crank * symengine.cos(THETA), crank * symengine.sin(THETA)
    gap = symengine.sqrt((ground - x) ** 2 + y**2)
    towards = symengine.atan2(-y, ground - x)
    phi = towards + branch * symengine.acos((coupler**2 + gap**2 - rocker**2) / (2 * coupler * gap))
    ends = (x + coupler * symengine.cos(phi), y + coupler * symengine.sin(phi))
    poses = {
        "crank": (0, 0, THETA),
        "coupler": (x, y, phi),
        "rocker": (ground, 0, symengine.atan2(ends[1], ends[0] - ground)),
    }
    return Linkage(poses, driving(angle), gravity)


def _positive(**lengths: float) -> None:
    for name, value in lengths.items():
        if not (np.isfinite(value) and value > 0):
            raise FlexuraError(f"The {name} has the length {value}", advice="give a positive number")
