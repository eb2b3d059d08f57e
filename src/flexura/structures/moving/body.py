"""How the frame that carries the elements moves: omega, epsilon and a0, in components of the frame itself.

>>> hub = MovingFrame(omega=(0, 0, 6.0))
>>> started = MovingFrame.turning("z", "3*t**2")
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.structures.moving.measured import measured
from flexura.symbolic.engine import TIME, partial
from flexura.symbolic.machine import machine_function
from flexura.systems.signals.features import Features, FormulaOfTime, features, jump, together
from flexura.systems.signals.signal import formula_of, is_formula, real_array

Array = NDArray[np.float64]

_UNITS = {"omega": "rad/s", "epsilon": "rad/s**2", "a0": "m/s**2", "gravity": "m/s**2", "origin": "m"}
_AXES = {"x": 0, "y": 1, "z": 2}
_SAMPLES = 4**6  # times at which a motion is looked at


@dataclass(frozen=True)
class Instant:
    """What the elements feel at one time: omega, epsilon, and a0 with gravity taken off."""

    omega: Array
    epsilon: Array
    a0: Array


@checked_methods
@dataclass(frozen=True)
class MovingFrame:
    """A body frame's angular velocity, angular acceleration and the acceleration of its origin, each (3,).

    Constants, callables of t, or three components of which some are text or expressions in t; all in the frame.
    `rotation` (3, 3) takes components in the frame to ground; `gravity` (3,), in ground's axes, acts on every mass;
    `origin` (3,) is where the frame's origin is, for drawing.
    """

    omega: Any = (0, 0, 0)
    epsilon: Any = (0, 0, 0)
    a0: Any = (0, 0, 0)
    rotation: Any = None
    gravity: Any = None
    origin: Any = None

    def __post_init__(self) -> None:
        """Constants are checked at once, callables when they are asked."""
        for name in ("omega", "epsilon", "a0", "rotation", "gravity", "origin"):
            value = getattr(self, name)
            if name in _UNITS and isinstance(value, list | tuple):
                value = measured(value, name, "the moving frame", _UNITS[name])
                object.__setattr__(self, name, value)
            if name != "rotation" and isinstance(value, list | tuple) and any(map(is_formula, value)):
                object.__setattr__(self, name, _written(value, name))
            elif value is not None and not callable(value):
                object.__setattr__(self, name, _checked(value, name, None))

    @staticmethod
    def turning(axis: str, angle: Any, gravity: Any = None) -> MovingFrame:
        """Rotation about an axis through the origin by an angle written in t, with its exact rates."""
        if axis not in _AXES:
            raise FlexuraError(f"The frame cannot turn about {axis!r}", advice="say 'x', 'y' or 'z'")
        formula = formula_of(angle, "the angle of the frame")
        once = partial(formula, TIME)  # between its kinks; `features` looks at those
        rates = [formula, once, partial(once, TIME)]
        numeric = machine_function([TIME], rates)
        unit = np.eye(3)[_AXES[axis]]

        def rate(k: int) -> FormulaOfTime:
            return FormulaOfTime(lambda t: float(np.ravel(numeric([t]))[k]) * unit, (rates[k],))

        def turned(t: float) -> Array:
            return rotation_about(unit, float(np.ravel(numeric([t]))[0]))

        axes = FormulaOfTime(turned, (symengine.cos(formula), symengine.sin(formula)))
        return MovingFrame(rate(1), rate(2), rotation=axes, gravity=gravity)

    @property
    def steady(self) -> bool:
        """Whether what the elements feel never changes."""
        turned = self.gravity is not None and callable(self.rotation)
        return not (turned or any(callable(one) for one in (self.omega, self.epsilon, self.a0, self.gravity)))

    def features(self, start: float, end: float) -> Features:
        """When and how quickly what the elements feel changes; a speed that jumps is refused, for it is a blow."""
        felt = ["omega", "epsilon", "a0", *(["gravity", "rotation"] if self.gravity is not None else [])]
        seen = {
            name: features(getattr(self, name), f"The frame's {name}", start, end, _SAMPLES)
            for name in felt if callable(getattr(self, name))
        }  # fmt: skip
        if isinstance(self.rotation, FormulaOfTime):
            self._refuse_leaps(self.rotation.features(start, end).breaks, end - start)
        if "omega" in seen:
            self._refuse_blows(seen["omega"].breaks, end - start)
        return together(seen.values())

    def _refuse_leaps(self, breaks: tuple[float, ...], span: float) -> None:
        for t in breaks:
            if jump(lambda at: self._value("rotation", at), t, span) is not None:
                raise FlexuraError(
                    f"The frame's angle jumps at t = {t:.6g}, where its speed would be infinite",
                    advice="let it change over a short time",
                )

    def _refuse_blows(self, breaks: tuple[float, ...], span: float) -> None:
        for t in breaks:
            found = jump(lambda at: self._value("omega", at), t, span)
            if found is not None:
                raise FlexuraError(
                    f"The frame's omega jumps at t = {t:.6g} from {found[0].tolist()} to {found[1].tolist()}, a"
                    " blow that epsilon does not hold",
                    advice="let it change over a short time, with epsilon as its rate",
                )

    def at(self, t: float) -> Instant:
        """Omega, epsilon and a0 - R'g at the time t."""
        a0 = self._value("a0", t)
        if self.gravity is not None:
            a0 = a0 - self.axes(t).T @ self._value("gravity", t)
        return Instant(self._value("omega", t), self._value("epsilon", t), a0)

    def axes(self, t: float) -> Array:
        """R(t): components in the frame to components in ground."""
        if self.rotation is not None:
            return self._value("rotation", t)
        if callable(self.omega) or np.any(np.asarray(self.omega)):
            raise FlexuraError(
                "The frame turns, but where its axes point is not known",
                advice="give MovingFrame its rotation(t), a 3 x 3 matrix from the frame's components to ground's",
            )
        return np.eye(3)

    def mismatch(self, times: Array) -> tuple[float, Array, Array] | None:
        """Where epsilon is not the rate of omega: (t, epsilon, rate), or None; both are components in the frame."""
        if not callable(self.omega) or isinstance(self.omega, FormulaOfTime):  # of `turning`, whose rates are exact
            return None
        h = 1e-5 * max(float(np.ptp(times)), 1e-6)
        inner = np.linspace(times[0] + h, times[-1] - h, 7)
        rates = [(self._value("omega", t + h) - self._value("omega", t - h)) / (2 * h) for t in inner]
        given = [self._value("epsilon", t) for t in inner]
        scale = max(float(np.abs(rates).max()), float(np.abs(given).max()))
        for t, one, rate in zip(inner, given, rates, strict=True):
            if np.abs(one - rate).max() > 1e-2 * scale:
                return float(t), one, rate
        return None

    def _value(self, name: str, t: float) -> Array:
        value = getattr(self, name)
        return _checked(value(t), name, t) if callable(value) else value


def rotation_about(axis: Array, angle: float) -> Array:
    """The rotation by an angle about a unit axis (Rodrigues)."""
    K = tilde(axis)
    return np.asarray(np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * (K @ K))


def tilde(a: Array) -> Array:
    """a~, the matrix of the cross product a x; for many vectors (..., 3) at once."""
    if a.ndim == 1:
        x, y, z = a.tolist()
        return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    result = np.zeros((*a.shape[:-1], 3, 3))
    result[..., 2, 1], result[..., 0, 2], result[..., 1, 0] = a[..., 0], a[..., 1], a[..., 2]
    return result - np.swapaxes(result, -1, -2)


def _written(value: Any, name: str) -> FormulaOfTime | Array:
    """Three components, some of them formulas in t; numbers where none of them holds t."""
    if len(value) != 3:
        raise FlexuraError(f"The moving frame's {name} has {len(value)} components", advice="give three (x, y, z)")
    trees = tuple(formula_of(one, f"the moving frame's {name}") for one in value)
    if not any(one.free_symbols for one in trees):
        return _checked([float(one) for one in trees], name, None)
    numeric = machine_function([TIME], list(trees))
    return FormulaOfTime(lambda t: np.ravel(numeric([t])), trees)


def _checked(value: Any, name: str, t: float | None) -> Array:
    when = "" if t is None else f" at t = {t:g}"
    shape = (3, 3) if name == "rotation" else (3,)
    wanted = "a 3 x 3 matrix" if name == "rotation" else "three numbers (x, y, z)"
    if type(value) is np.ndarray and value.dtype == np.float64:  # a callable's own, asked for at every step
        array = value
    else:
        array = real_array(value, f"The moving frame's {name}{when}", f"give {wanted}")
    if array.shape != shape:
        raise FlexuraError(f"The moving frame's {name}{when} has the shape {np.shape(array)}", advice=f"give {wanted}")
    if not np.isfinite(array).all():
        raise FlexuraError(f"The moving frame's {name}{when} is {array.tolist()}", advice="give finite numbers")
    if name == "rotation" and np.abs(array @ array.T - np.eye(3)).max() > 1e-6:
        raise FlexuraError(
            f"The moving frame's rotation{when} is not a rotation, R R' is not 1", advice="give an orthogonal one"
        )
    return array
