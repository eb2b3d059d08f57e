"""Rigid dynamics of a linkage: how a torque on the driving angle moves it, with the masses of its members.

With one driving angle the kinetic energy is J(theta) theta_t^2/2, and
    J theta_tt + (1/2) J_theta theta_t^2 = torque + work of gravity per angle.
J and its slope follow from each body's mass, first and second moment, and the derivatives of its pose.

>>> moved = driven(mechanism, (0, 2), torque="0.5*sin(3*t)", theta=0.3)
>>> fx.simulate(moved, t)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import OdeSolution, solve_ivp

from flexura.errors import FlexuraError
from flexura.structures.moving.assembly import Constants
from flexura.structures.moving.body import rotation_about
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.linkages import Linkage
from flexura.structures.moving.mechanism import Mechanism
from flexura.symbolic.engine import TIME
from flexura.symbolic.machine import machine_function
from flexura.systems.signals.features import Features, FormulaOfTime, features
from flexura.systems.signals.signal import formula_of, is_formula

Array = NDArray[np.float64]
_SAMPLES = 4**6  # times at which the motion is looked at
_Z = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class MassMoments:
    """Mass, first moment (3,) and second moment about z, all about the body's origin."""

    mass: float
    first: Array
    second: float

    @staticmethod
    def of_frame(frame: BeamFrame) -> MassMoments:
        """Elements with their section inertia, and bodies."""
        constants = Constants.of(frame)
        lumps = [one.lumps for one in constants.batches] + ([constants.bodies] if frame.masses else [])
        mass = sum(float(one.mass.sum()) for one in lumps)
        first = sum((np.einsum("gp,gpi->i", one.mass, one.position) for one in lumps), start=np.zeros(3))
        second = sum(
            float(np.einsum("gp,gpi,gpi->", one.mass, one.position[..., :2], one.position[..., :2]))
            + float(one.inertia[..., 2, 2].sum())
            for one in lumps
        )
        return MassMoments(mass, first, second)


def driven(
    mechanism: Mechanism,
    span: tuple[float, float],
    torque: Any = 0.0,
    theta: float = 0.0,
    rate: float = 0.0,
    rigid: Mapping[str, tuple[float, float, float]] | None = None,
) -> Mechanism:
    """The mechanism moved by a torque (number, text in t, or callable of t, theta and its rate) over the span of time.

    `rigid` {body: (mass, x of its centre, inertia about it)} are bodies that are not members, such as the slider.
    """
    linkage = mechanism.motions
    if not isinstance(linkage, Linkage):
        raise FlexuraError(
            "The mechanism's motions are given, so no torque can move it", advice="build it on a Linkage"
        )
    if not np.all(np.isfinite([theta, rate, *span])):
        raise FlexuraError(f"theta is {theta}, its rate {rate}, the span {span}", advice="give finite numbers")
    bodies = {name: MassMoments.of_frame(frame) for name, frame in mechanism.members.items()}
    for name, (m, x, inertia) in (rigid or {}).items():
        if name in bodies:
            raise FlexuraError(f"The body {name!r} is rigid and a member at once", advice="name it in one place")
        bodies[name] = MassMoments(m, np.array([m * x, 0.0, 0.0]), inertia + m * x**2)
    push = _torque(torque)
    gravity = np.zeros(3) if linkage.gravity is None else np.asarray(linkage.gravity, dtype=np.float64)

    def acceleration(t: float, angle: float, speed: float) -> float:
        J, half_slope, weight = _sums(linkage, bodies, gravity, angle)
        if not J > 0:
            raise FlexuraError(f"The linkage has no inertia at theta = {angle:.6g}", advice="give its bodies mass")
        return (push(t, angle, speed) + weight - half_slope * speed**2) / J

    def rates(t: float, z: Array) -> list[float]:
        return [z[1], acceleration(t, z[0], z[1])]

    ends = np.array(span, dtype=np.float64)
    seen = features(push if isinstance(push, FormulaOfTime) else lambda t: push(t, theta, rate), "The torque", *span)
    found = _followed(rates, seen.points(ends), [theta, rate])
    if not isinstance(push, FormulaOfTime):  # it may depend on where the linkage is, and that is known only now
        more = features(lambda t: push(t, *map(float, found(t))), "The torque", *span, _SAMPLES)
        both = Features(seen.edges + more.edges, seen.breaks + more.breaks, seen.notes)
        if len(both.points(ends)) > len(seen.points(ends)):
            seen, found = both, _followed(rates, both.points(ends), [theta, rate])
    return replace(
        mechanism, motions=Linkage(linkage.poses, _FoundAngle(span, found, acceleration, seen), linkage.gravity)
    )


@dataclass(frozen=True, eq=False)
class _FoundAngle:
    """A driving angle that was found over a span of time."""

    span: tuple[float, float]
    found: Callable[[float], Any]
    acceleration: Callable[[float, float, float], float]
    torque: Features

    def __call__(self, t: float) -> tuple[float, float, float]:
        """The angle and its two rates."""
        if not self.span[0] - 1e-9 <= t <= self.span[1] + 1e-9:
            raise FlexuraError(
                f"The rigid motion is known from {self.span[0]:g} to {self.span[1]:g}, not at t = {t:g}."
            )
        angle, speed = (float(one) for one in self.found(t))
        return angle, speed, self.acceleration(t, angle, speed)

    def features(self, start: float, end: float) -> Features:
        """Those of the torque, and of the motion that it makes."""
        moved = features(self._speed, "The motion", start, end, _SAMPLES)
        return self.torque + replace(moved, breaks=(), notes=())  # a torque bends the speed, and never makes it jump

    def _speed(self, t: Any) -> Any:
        return self.found(t)[1]


def _followed(rates: Callable[[float, Array], list[float]], times: Array, z: list[float]) -> Callable[[float], Any]:
    """The state over time; no step reaches across one of these times."""
    at, pieces = [times[0]], []
    for start, end in pairwise(times.tolist()):
        inner = np.nextafter(start, end), np.nextafter(end, start)  # a torque that jumps there has its value inside
        one = solve_ivp(
            lambda t, z, inner=inner: rates(min(max(t, inner[0]), inner[1]), z), (start, end), z, "DOP853",
            dense_output=True, rtol=1e-10, atol=1e-12,
        )  # fmt: skip
        if not one.success:
            raise FlexuraError(
                f"The rigid motion could not be followed: {one.message}", advice="change the torque or the span"
            )
        at.extend(one.t[1:])
        pieces.extend(one.sol.interpolants)
        z = one.y[:, -1]
    found: Callable[[float], Any] = OdeSolution(np.array(at), pieces)
    return found


def _sums(
    linkage: Linkage, bodies: Mapping[str, MassMoments], gravity: Array, theta: float
) -> tuple[float, float, float]:
    """J, J_theta/2 and the work of gravity per angle, summed over the bodies."""
    J = half_slope = weight = 0.0
    for name, body in bodies.items():
        pose, once, twice = linkage.pose(name, theta)
        V, A = np.array([*once[:2], 0.0]), np.array([*twice[:2], 0.0])
        w, e = once[2], twice[2]
        s = rotation_about(_Z, pose[2]) @ body.first
        across = np.cross(_Z, s)
        J += body.mass * V @ V + 2 * w * (V @ across) + w**2 * body.second
        half_slope += body.mass * V @ A + V @ (e * across - w**2 * s) + w * (across @ A) + w * e * body.second
        weight += gravity @ (body.mass * V + w * across)
    return float(J), float(half_slope), float(weight)


def _torque(given: Any) -> Callable[..., float]:
    """Of t, angle and speed; what is written in t is known as such."""
    if callable(given) and not is_formula(given):
        return lambda t, angle, speed: float(given(t, angle, speed))
    formula = formula_of(given, "the torque")
    numeric = machine_function([TIME], [formula])
    return FormulaOfTime(lambda t, *_: float(np.ravel(numeric([t]))[0]), (formula,))
