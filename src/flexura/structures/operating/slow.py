"""Slow changes: from rest, a constant load first accelerates the structure, then friction holds it (theory, section 5).

>>> change = fx.slow_changes(system, F)
>>> change.rates, change.alpha(t), change.deformation(t), change.velocity(t)

While deformation follows without delay, x(t) = K+ (F - D q v(t)), with v' + B v = q'F, B = (q'Mq)^-1 q'Dq. For one
direction that is x = alpha x_a + beta x_v with alpha = exp(- B t), beta = 1 - alpha ([S] section 3).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.structures.operating.inverse import mass_metric_inverse
from flexura.structures.operating.krylov import loads_of
from flexura.systems.second_order import SecondOrderSystem, real_stiffness, required

Array = NDArray[np.float64]


@checked_methods
@dataclass(frozen=True, eq=False)
class SlowChange:
    """The way from constant acceleration to constant velocity under a constant load."""

    decay: Array
    """B = Q'DQ, (r, r): how fast rigid velocities forget."""
    accelerating: Array
    """The deformation x_a at first, while friction is nothing yet."""
    push: Array
    dragged: Array  # K+ D Q
    Q: Array

    @property
    def rates(self) -> Array:
        """Decay rates in 1/s, ascending; 0 where nothing resists."""
        values = np.linalg.eigvalsh((self.decay + self.decay.T) / 2) if len(self.decay) else np.zeros(0)
        return np.where(np.abs(values) <= 1e-12 * np.abs(values).max(initial=0.0), 0.0, values)

    def alpha(self, t: Any) -> Any:
        """The part that still accelerates, along the direction of the load: push'exp(-B t) push / push'push."""
        size = float(self.push @ self.push)
        return self._over(t, lambda one: float(self.push @ scipy.linalg.expm(-self.decay * one) @ self.push) / size)

    def velocity(self, t: Any) -> Array:
        """The rigid velocity of every row at t: (n,), or (times, n)."""
        return np.asarray(self._speeds(t) @ self.Q.T)

    def deformation(self, t: Any) -> Array:
        """The deformation at t: (n,), or (times, n)."""
        return np.asarray(self.accelerating - self._speeds(t) @ self.dragged.T)

    def _speeds(self, t: Any) -> Array:
        r = len(self.push)
        whole = np.zeros((r + 1, r + 1))
        whole[:r, :r], whole[:r, r] = -self.decay, self.push
        return np.asarray(self._over(t, lambda one: scipy.linalg.expm(whole * one)[:r, r]))

    @staticmethod
    def _over(t: Any, value: Any) -> Any:
        times = np.asarray(t, dtype=np.float64)
        found = np.array([value(float(one)) for one in times.ravel()])
        return found.reshape(times.shape + found.shape[1:])


def slow_changes(system: SecondOrderSystem, F: Any) -> SlowChange:
    """How a structure at rest goes over from acceleration to velocity under the constant load F (n,)."""
    system = required(system)
    real_stiffness(system, "a slow change")
    load = loads_of(system, F)[:, 0]
    inverse = mass_metric_inverse(system)
    Q = inverse.rigid.Q
    if not Q.shape[1]:
        raise FlexuraError("The structure is held and cannot travel", advice="leave it free where it is to move")
    if not np.linalg.norm(Q.T @ load) > 1e-12 * np.linalg.norm(np.abs(Q).T @ np.abs(load)):
        raise FlexuraError("The load is in balance and moves nothing as a whole", advice="give a load with a resultant")
    drag = np.zeros_like(Q) if system.D is None else system.D @ Q
    return SlowChange(Q.T @ drag, inverse(load), Q.T @ load, inverse(drag), Q)
