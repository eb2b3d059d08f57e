"""Members that bend far in space, at rest under an end force: held against shooting by plain rotation matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import root

import flexura as fx
from hunt.draw import Draw
from hunt.trial import Skipped, Trial, agree

_STEPS = 6  # of the load, on the way to the moment at the root


def twisted(number: int) -> Trial:
    """A cantilever with a full section, curved at rest or straight, under a force at its end."""
    asked = _Twisted(Draw(number))
    return Trial("twisted", number, asked.script, frozenset({"ExactSpatialBeam"}), {"equilibrium": asked.equilibrium})


class _Twisted:
    def __init__(self, draw: Draw) -> None:
        self.length, bending = draw.size(0.5, 2), draw.size(0.5, 20)
        stretch = draw.size(100, 1000) * bending / self.length**2
        self.stiff = np.array([stretch, *(stretch * draw.size(0.2, 0.5) for _ in range(2))])
        self.bend = bending * np.array([draw.size(0.5, 1.5) for _ in range(3)])
        self.curvature = np.array([draw.pick([0.0, draw.size(0.2, 1.5) / self.length]) for _ in range(3)])
        self.force = np.array([draw.size(0.1, 2) * draw.pick([-1, 1]) for _ in range(3)]) * bending / self.length**2

    @property
    def script(self) -> str:
        return "\n".join(f"{name}={value!r}" for name, value in vars(self).items())

    def equilibrium(self) -> str | None:
        C = np.diag([*self.stiff, *self.bend])
        k = tuple(float(one) for one in self.curvature)
        one = fx.ExactSpatialBeam("b", stiffness=C, rho=1.0, length=self.length, curvature=k)
        loads = (fx.Force(one.end, f"F{axis}", along=axis) for axis in "xyz")
        values = {f"F{axis}": float(force) for axis, force in zip("xyz", self.force, strict=True)}
        rest = fx.equilibrium(fx.Model(fx.Fixed(fx.ground, one.start), *loads), values)
        return agree("position", rest.position(one.end), self._shot(), 1e-6 * self.length, rest.notes)

    def _shot(self) -> Any:
        moment = np.zeros(3)
        for share in np.linspace(0, 1, _STEPS + 1)[1:]:
            found = root(lambda m, s=share: self._along(m, s * self.force)[12:], moment, tol=1e-12)
            if not np.abs(found.fun).max() < 1e-8 * max(1.0, np.abs(moment).max()):
                raise Skipped("Shooting finds no moment at the root.")
            moment = found.x
        return self._along(moment, self.force)[:3]

    def _along(self, moment: Any, force: Any) -> Any:
        """Place, axes and moment at the end: r' = R (e1 + Gamma), R' = R K~, m' = -r' x n."""

        def slope(_: float, y: Any) -> Any:
            R, m = y[3:12].reshape(3, 3), y[12:]
            stretched = R @ (np.array([1.0, 0, 0]) + R.T @ force / self.stiff)
            a, b, c = R.T @ m / self.bend + self.curvature
            turned = R @ np.array([[0, -c, b], [c, 0, -a], [-b, a, 0]])
            return np.concatenate([stretched, turned.ravel(), -np.cross(stretched, force)])

        start = np.concatenate([np.zeros(3), np.eye(3).ravel(), moment])
        return solve_ivp(slope, (0, self.length), start, rtol=1e-11, atol=1e-12, method="DOP853").y[:, -1]
