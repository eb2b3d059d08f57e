"""Periodic motions of nonlinear systems by shooting: the state that comes back after a period, and what is beside it.

>>> found = shot(equations, {"F": lambda t: np.cos(3 * t)}, {}, ["q"], period, values)
>>> found.outputs, found.multipliers, found.error

States beside the motion follow its variational equations, M da = -(dR/dq dq + dR/dv dv), whose slopes R are exact, so
that Newton's method converges and Floquet's multipliers have the digits of the motion itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from flexura.derivation.equations.equations import Equations
from flexura.errors import FlexuraError
from flexura.solve.discretise import motion_system
from flexura.solve.runs.driving import with_given_motions
from flexura.solve.runs.histories import RunMotion
from flexura.solve.steppers.mechanics import Mechanics
from flexura.solve.values import numbers
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_LARGEST, _STEPS = 24, 25
_WAITED = 60  # periods, for what the start brought in to go
_TIGHT: dict[str, Any] = {"method": "DOP853", "rtol": 1e-12, "atol": 1e-13}


@dataclass(frozen=True, eq=False)
class Orbit:
    """Outputs at equal steps over a period, (times, outputs), Floquet's multipliers, and what they may be off by."""

    outputs: Array
    multipliers: NDArray[np.complex128]
    error: float


def shot(
    equations: Equations,
    forces: Mapping[str, Callable[[float], float]],
    given: Mapping[str, Any],
    outputs: Sequence[Any],
    period: float,
    samples: int,
    values: Mapping[str, Any] | None,
    start: Mapping[str, float] | None,
) -> Orbit:
    """The periodic motion under loads of t; `given` are the same as fx.simulate takes them, for prescribed motions."""
    if equations.fields or equations.lagrangian.constraints or equations.lagrangian.contacts:
        raise FlexuraError(
            "Nonlinear periodic responses are searched for in systems without fields, constraints and contacts",
            advice="linearise the equations, or follow the motion with fx.simulate until it repeats itself",
        )
    equations, _ = with_given_motions(equations, given, np.array([0.0, period]))
    system = motion_system(equations, values)
    if system.n > _LARGEST:
        raise FlexuraError(
            f"The system has {system.n} coordinates, and nonlinear periodic responses are searched for up to"
            f" {_LARGEST}",
            advice="linearise the equations, or follow the motion with fx.simulate until it repeats itself",
        )
    return _Shooting(equations, system, forces, period, dict(values or {})).orbit(outputs, samples, start or {})


class _Shooting:
    """One discretisation under its loads."""

    def __init__(
        self,
        equations: Equations,
        system: NonlinearSystem,
        forces: Mapping[str, Callable[[float], float]],
        period: float,
        values: dict[str, Any],
    ) -> None:
        self.equations, self.system, self.forces, self.period = equations, system, forces, period
        self.n, self.values = system.n, values

    def loads(self, t: Any) -> Array:
        """u at one time or at many."""
        if np.ndim(t):
            return np.array([self.loads(float(one)) for one in t])
        return self.system.loads(float(t), self.forces)

    def rates(self, t: float, x: Array) -> Array:
        """Of a state."""
        n = self.n
        M, f = self.system.evaluate(t, x[:n], x[n : 2 * n], self.loads(t))
        return np.concatenate([x[n : 2 * n], np.linalg.solve(M, f)])

    def both_rates(self, t: float, x: Array) -> Array:
        """Of a state and of the states beside it."""
        n, u = self.n, self.loads(t)
        q, v, beside = x[:n], x[n : 2 * n], x[2 * n :].reshape(2 * n, 2 * n)
        M, f = (np.array(one) for one in self.system.evaluate(t, q, v, u))
        a = np.asarray(np.linalg.solve(M, f), dtype=np.float64)
        K, C = self.system.jacobians(t, q, v, a, u, np.zeros(0))
        moved = -np.linalg.solve(M, np.hstack([K, C]) @ beside)
        return np.concatenate([v, a, beside[n:].ravel(), moved.ravel()])

    def flow(self, x: Array) -> Array:
        """The state after a period."""
        return np.asarray(solve_ivp(self.rates, (0.0, self.period), x, **_TIGHT).y[:, -1])

    def flow_and_slopes(self, x: Array) -> tuple[Array, Array]:
        """The same, and how states beside it come back."""
        m = 2 * self.n
        begun = np.concatenate([x, np.eye(m).ravel()])
        end = solve_ivp(self.both_rates, (0.0, self.period), begun, **_TIGHT).y[:, -1]
        return end[:m], end[m:].reshape(m, m)

    def orbit(self, outputs: Sequence[Any], samples: int, start: Mapping[str, float]) -> Orbit:
        """The motion that comes back, as it is looked at."""
        names = [*self.system.names, *(f"{name}_t" for name in self.system.names)]
        stray = [name for name in start if name not in names]
        if stray:
            raise FlexuraError(f"There is no {stray[0]!r} to start from", advice=f"there are {', '.join(names)}")
        x = np.array([float(start.get(name, 0.0)) for name in names])
        x, slopes, error = self._returning(x if start else self._settled(x))
        times = np.linspace(0.0, self.period, samples, endpoint=False)
        y = solve_ivp(self.rates, (0.0, self.period), x, t_eval=times, max_step=self.period / 64, **_TIGHT).y.T
        motion = RunMotion(
            self.equations,
            Mechanics(self.system, self.loads),
            numbers(self.equations, self.values),
            self.values,
            times,
            y[:, : self.n],
            y[:, self.n :],
            self.system,
        )
        for one in outputs:
            if one not in motion.histories:
                raise FlexuraError(f"There is no output {one!r}", advice=f"there are {', '.join(self.system.names)}")
        seen = np.column_stack([motion.histories[one] for one in outputs])
        return Orbit(seen, np.linalg.eigvals(slopes).astype(np.complex128), error)

    def _settled(self, x: Array) -> Array:
        """Where a motion from rest comes near to what it settles to."""
        for _ in range(_WAITED):
            image = self.flow(x)
            if np.abs(image - x).max() <= 0.02 * np.abs(image).max(initial=1e-300):
                return image
            x = image
        return x

    def _returning(self, x: Array) -> tuple[Array, Array, float]:
        """The state that comes back, how those beside it do, and what it misses, by Newton's method."""
        image, slopes = self.flow_and_slopes(x)
        for _ in range(_STEPS):
            miss = image - x
            size = max(1e-3, float(np.abs(x).max()), float(np.abs(image).max()))
            if np.abs(miss).max() <= 1e-10 * size:
                return x, slopes, float(np.abs(miss).max() / size)
            step, share = np.linalg.solve(np.eye(len(x)) - slopes, miss), 1.0
            image, slopes = self.flow_and_slopes(x + step)
            while np.abs(image - x - share * step).max() > np.abs(miss).max() and share > 1e-3:
                share /= 2
                image, slopes = self.flow_and_slopes(x + share * step)
            x = x + share * step
        raise FlexuraError(
            "No periodic motion was found from this start", advice="give another: start={'q1': ..., 'q1_t': ...}"
        )
