"""Bodies that travel along beams, as a motion says or as they will, beside Lagrange's equations written out here.

The beam is the polynomials of one degree that its supports allow, on both sides, so that only the mechanics differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.integrate
import scipy.linalg

import flexura as fx
from hunt.draw import Draw
from hunt.trial import Skipped, Trial, agree, heard

_DEGREE = 5
_WITHIN = 2e-6  # of the greatest deflection
_JOINTS = {"pinned": fx.Pin, "fixed": fx.Fixed}

Polynomial = np.polynomial.Polynomial


def rides(number: int) -> Trial:
    """A mass or a body on a beam with two supports or one."""
    asked = _Rides(Draw(number))
    held = {one.__name__ for one in map(_JOINTS.get, asked.supports) if one}
    kinds = frozenset({"EulerBernoulliBeam", "Ride", "Force", type(asked.rider).__name__, *held})
    return Trial("rides", number, asked.script, kinds, {"simulate": asked.simulate})


class _Rides:
    def __init__(self, draw: Draw) -> None:
        self.length, self.EI, self.rho = draw.size(0.6, 3), draw.size(2, 40), draw.size(0.3, 2)
        self.more = {
            name: draw.size(low, high) * draw.pick([0, 1])
            for name, low, high in (("foundation", 1, 50), ("damping", 0.01, 0.5), ("axial_force", 0.5, 5))
        }
        self.supports = draw.pick([("pinned", "pinned"), ("fixed", "free"), ("fixed", "pinned"), ("fixed", "fixed")])
        self.mass = mass = draw.size(0.1, 1) * self.rho * self.length
        self.inertia = draw.pick([0.0, draw.size(1e-3, 3e-2) * mass * self.length**2])
        self.rider = fx.RigidBody("load", mass, self.inertia) if self.inertia else fx.Mass("load", mass)
        self.weight = mass * draw.size(0.05, 0.5) * draw.pick([1, 10])
        self.end = draw.size(0.5, 2) * self.length**2 * float(np.sqrt(self.rho / self.EI))  # some tenths of a period
        start, beyond = draw.uniform(0.2, 0.4) * self.length, draw.uniform(0.1, 0.4) * self.length
        self.start, self.speed = draw.pick([(start, beyond / self.end), (self.length - start, -beyond / self.end)])
        self.reach = beyond if self.speed > 0 else -beyond
        swing = f"{self.start} + {self.reach}*sin({2 / self.end}*t)**2"
        self.motion = draw.pick([None, f"{self.start} + {self.speed}*t", swing])

    @property
    def script(self) -> str:
        return "\n".join(f"{name}={value!r}" for name, value in vars(self).items())

    def simulate(self) -> str | None:
        beam = fx.EulerBernoulliBeam("beam", EI=self.EI, rho=self.rho, length=self.length, field="w", **self.more)
        ends = zip((0, self.length), (beam.start, beam.end), self.supports, strict=True)
        held = [_JOINTS[how](fx.ground.at(x), end) for x, end, how in ends if how != "free"]
        ride = fx.Ride(beam, self.rider, name="s", motion=self.motion)
        equations = fx.derive(fx.Model(*held, ride, fx.Force(self.rider, -self.weight)))
        t = np.linspace(0, self.end, 8)
        start = {} if self.motion else {"s": self.start, "s_t": self.speed}
        with heard() as words:
            run = fx.simulate(equations, t, initial=start, order=_DEGREE, elements=1, tolerance=1e-8)
        words += [*run.notes, run.message]
        s, y, tip = self._true(t)
        if s.min() < 0 or s.max() > self.length:
            raise Skipped("It leaves the beam.")
        size = float(max(np.abs(y).max(), np.abs(tip).max()))
        middle = np.asarray(run.place(beam, 0.7 * self.length)).ravel()
        along = run["s"] if self.motion is None else s
        pairs = {"y": (run["y_load"], y, size), "w": (middle, tip, size), "s": (along, s, self.length)}
        noted = [agree(what, found, true, _WITHIN * scale, words) for what, (found, true, scale) in pairs.items()]
        return next(filter(None, noted), None)

    def _true(self, t: Any) -> Any:
        """Where the rider is along the beam and across it, and the beam's deflection at 0.7 of its length."""
        shapes = _allowed(self.supports, self.length)
        own = _Written(self, shapes)
        first = np.zeros(2 * len(shapes) + 2)
        first[len(shapes)], first[-1] = self.start, self.speed
        found = scipy.integrate.solve_ivp(own.rate, (0, t[-1]), first, "DOP853", t, rtol=1e-11, atol=1e-14).y
        q = found[: len(shapes)]
        s = found[len(shapes)] if self.motion is None else np.array([own.given(one)[0] for one in t])
        y = [np.array([f(at) for f in shapes]) @ q[:, i] for i, at in enumerate(s)]
        return s, np.array(y), np.array([f(0.7 * self.length) for f in shapes]) @ q


def _allowed(supports: tuple[str, str], length: float) -> list[Any]:
    """A basis of the polynomials that vanish where the supports hold, orthogonal enough for float64."""
    basis = [Polynomial(Polynomial.basis(k).coef) for k in range(_DEGREE + 1)]
    rows = []
    for at, how in zip((0.0, 1.0), supports, strict=True):
        rows += [[f(at) for f in basis]] if how != "free" else []
        rows += [[f.deriv()(at) for f in basis]] if how == "fixed" else []
    kernel = scipy.linalg.null_space(np.array(rows)).T
    scaled = Polynomial([0, 1 / length])
    return [Polynomial(row)(scaled) for row in kernel]


@dataclass
class _Written:
    """Lagrange's equations with T = rho w_t^2/2 along the beam + m (s_t^2 + y_t^2)/2 + I theta_t^2/2 of the rider."""

    case: _Rides
    shapes: list[Any]

    def __post_init__(self) -> None:
        case, n = self.case, len(self.shapes)
        both = [[a * b for a in self.shapes] for b in self.shapes]
        slopes = [[a.deriv() * b.deriv() for a in self.shapes] for b in self.shapes]
        bends = [[a.deriv(2) * b.deriv(2) for a in self.shapes] for b in self.shapes]
        whole = [np.array([[f.integ()(case.length) for f in row] for row in one]) for one in (both, slopes, bends)]
        self.M, self.C = case.rho * whole[0], case.more["damping"] * whole[0]
        self.K = case.more["foundation"] * whole[0] + case.more["axial_force"] * whole[1] + case.EI * whole[2]
        self.n, self.m, self.inertia = n, case.mass, case.inertia

    def given(self, t: float) -> tuple[float, float, float]:
        """The distance of a given motion, its rate and that one's."""
        case = self.case
        if "sin" not in str(case.motion):
            return case.start + case.speed * t, case.speed, 0.0
        reach, omega = case.reach, 2 / case.end
        return (
            case.start + reach * np.sin(omega * t) ** 2,
            reach * omega * np.sin(2 * omega * t),
            2 * reach * omega**2 * np.cos(2 * omega * t),
        )

    def rate(self, t: float, state: Any) -> Any:
        n, case = self.n, self.case
        q, s, p, r = state[:n], state[n], state[n + 1 : -1], state[-1]
        if case.motion is not None:
            s, r, _ = self.given(t)
        N, N1, N2, N3 = (np.array([f.deriv(k)(s) if k else f(s) for f in self.shapes]) for k in range(4))
        up, turn = np.append(N, N1 @ q), np.append(N1, N2 @ q)  # y_t and theta_t over the rates
        M = scipy.linalg.block_diag(self.M, self.m) + self.m * np.outer(up, up) + self.inertia * np.outer(turn, turn)
        force = np.append(-self.K @ q - self.C @ p, 0.0) - case.weight * up
        force -= self.m * up * (2 * r * (N1 @ p) + r**2 * (N2 @ q))
        force -= self.inertia * turn * (2 * r * (N2 @ p) + r**2 * (N3 @ q))
        if case.motion is None:
            return np.concatenate([p, [r], np.linalg.solve(M, force)])
        pushed = force[:n] - M[:n, n] * self.given(t)[2]
        return np.concatenate([p, [0.0], np.linalg.solve(M[:n, :n], pushed), [0.0]])
