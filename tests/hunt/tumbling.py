"""Runs that are right must not be called wrong, and runs that are lost must say so, with how far.

still       swings asked for at two times only, contacts by stiff springs: right to six digits, and no alarm
tumbling    double pendulums that tumble: what a run states as its error holds the true one
"""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import flexura as fx
from hunt.draw import Draw
from hunt.links import Link, Links
from hunt.trial import Disagreement, Skipped, Trial, agree, heard

_ALARM = re.compile(r"misses|may be off|not to be trusted|ROUGH")
_TIMES = 10.0  # how far a stated error may fall short of the true one, as run.error says of itself


def still(number: int) -> Trial:
    """A pendulum over whole periods, at two times; a mass that falls on a stiff spring, with or without losses."""
    draw = Draw(number)
    if draw.chance(0.5):
        return _swing(number, draw)
    return _bouncing(number, draw)


def _swing(number: int, draw: Draw) -> Trial:
    m, inertia, arm, g = draw.size(0.2, 5), draw.size(0.01, 1), draw.size(0.1, 2), draw.size(1, 20)
    amplitude, turns = draw.uniform(0.1, 2.8), draw.integer(1, 10)
    omega = math.sqrt(m * g * arm / (inertia + m * arm**2))
    period = 4 * float(ellipk(math.sin(amplitude / 2) ** 2)) / omega

    def simulate() -> str | None:
        body = fx.RigidBody("body", m=m, I=inertia)
        turn = fx.Revolute(fx.ground, body.at(0, arm), name="q")
        equations = fx.derive(fx.Model(turn, fx.Gravity(g)))
        with heard() as words:
            run = fx.simulate(equations, [0.0, turns * period], initial={"q": amplitude})
        words += run.notes
        return _without_alarm(run, words, agree("q", run["q"][-1], amplitude, 1e-5, words))

    script = f"pendulum {m=} {inertia=} {arm=} {g=} {amplitude=} {turns=}"
    return Trial("still", number, script, frozenset({"RigidBody", "Revolute", "Gravity"}), {"simulate": simulate})


def _bouncing(number: int, draw: Draw) -> Trial:
    k, g, height = draw.size(1e3, 1e7), draw.size(2, 20), draw.size(0.2, 2)
    c = draw.pick([0.0, draw.size(0.01, 0.5) * math.sqrt(k)])
    t = np.linspace(0, 2.7 * math.sqrt(2 * height / g), draw.pick([2, 7]))

    def simulate() -> str | None:
        mass = fx.Mass("mass", m=1.0)
        law = f"Piecewise((-{k!r}*q - {c!r}*q_t, q < 0), (0, True))"
        model = fx.Model(fx.Slide(fx.ground, mass, name="q"), fx.Gravity(g), fx.Force(mass, law))
        with heard() as words:
            run = fx.simulate(fx.derive(model), t, initial={"q": height})
        words += [*run.notes, run.message]
        expected = _bounced(k, c, g, height, t)
        return _without_alarm(run, words, agree("q", run["q"], expected, 1e-5 * height, words))

    script = f"contact {k=} {c=} {g=} {height=} t={t.tolist()}"
    return Trial("still", number, script, frozenset({"Mass", "Slide", "Gravity", "Force"}), {"simulate": simulate})


def _bounced(k: float, c: float, g: float, height: float, t: Any) -> Any:
    """Flights and contacts one after the other, each to 13 digits, each ended where q passes zero."""

    def passes(_: float, state: Any) -> float:
        return float(state[0])

    passes.terminal = True  # type: ignore[attr-defined]
    found, now, state, touching = np.empty(len(t)), 0.0, np.array([height, 0.0]), False
    while True:
        passes.direction = 1.0 if touching else -1.0  # type: ignore[attr-defined]
        stiff, loss = (k, c) if touching else (0.0, 0.0)
        run = solve_ivp(
            lambda _, y, stiff=stiff, loss=loss: [y[1], -g - stiff * y[0] - loss * y[1]], (now, float(t[-1])), state,
            "DOP853", events=passes, dense_output=True, rtol=1e-13, atol=1e-15,
        )  # fmt: skip
        inside = (t >= now) & (t <= run.t[-1])
        found[inside] = run.sol(t[inside])[0] if inside.any() else []
        if run.status == 0:
            return found
        now, state, touching = float(run.t[-1]), np.array([0.0, run.y[1, -1]]), not touching


def _without_alarm(run: Any, words: list[str], noted: str | None) -> str | None:
    """A run that agrees must not be called wrong."""
    if noted is None:
        said = [one for one in words if _ALARM.search(one)]
        if said or run.energy.error > 1e-6:
            raise Disagreement(f"The motion is right, but its balance misses {run.energy.error:.1g}. {' '.join(said)}")
    return noted


def tumbling(number: int) -> Trial:
    """Two bodies one below the other, started high; tolerances from loose to tight."""
    asked = _Tumbling(Draw(number))
    kinds = frozenset({"RigidBody", "Revolute", "Gravity"})
    return Trial("tumbling", number, asked.script, kinds, {"simulate": asked.simulate})


class _Tumbling:
    def __init__(self, draw: Draw) -> None:
        self.m, self.inertia = (draw.size(0.3, 3), draw.size(0.3, 3)), (draw.size(0.02, 0.3), draw.size(0.02, 0.3))
        self.lengths, self.g = (draw.size(0.5, 1.5), draw.size(0.5, 1.5)), draw.size(3, 20)
        self.start = round(draw.uniform(0.3, 3.0), 2), round(draw.uniform(-3.0, 3.0), 2)
        self.end = draw.size(2, 15)
        self.options = draw.pick([{}, {}, {"tolerance": 1e-5}, {"tolerance": 1e-9}, {"method": "radau"}])

    @property
    def script(self) -> str:
        return "\n".join(f"{name}={value!r}" for name, value in vars(self).items())

    def _equations(self) -> fx.Equations:
        a, b = (fx.RigidBody(name, m=m, I=J) for name, m, J in zip("ab", self.m, self.inertia, strict=True))
        (p, q), ground = self.lengths, fx.ground
        joints = fx.Revolute(ground, a.at(-p / 2), name="p1"), fx.Revolute(a.at(p / 2), b.at(-q / 2), name="p2")
        return fx.derive(fx.Model(*joints, fx.Gravity(self.g)))

    def _true(self, t: Any) -> tuple[Any, Any]:
        """Both joint angles, and how far they may be off: what ten times the tolerance changes."""
        bars = [Link(one, m, J) for one, m, J in zip(self.lengths, self.m, self.inertia, strict=True)]
        chain = Links(bars, g=self.g)
        start = [self.start[0], self.start[0] + self.start[1]]
        fine, coarse = (chain.motion(start, [0.0, 0.0], t, one) for one in (2.3e-14, 1e-12))
        joint = np.array([[1.0, 0.0], [-1.0, 1.0]])
        return fine @ joint.T, np.abs(fine - coarse).max(axis=1)

    def simulate(self) -> str | None:
        t = np.linspace(0, self.end, 81)
        true, doubt = self._true(t)
        with heard() as words:
            run = fx.simulate(
                self._equations(), t, initial=dict(zip(("p1", "p2"), self.start, strict=True)), **self.options
            )
        words += [*run.notes, run.message]
        if not run.complete:
            return run.message
        known = doubt < 1e-6
        if not known.all() and run.error.time_share < 0.3:
            raise Skipped("The other solution is lost as well.")
        off = np.abs(np.stack([run["p1"], run["p2"]], axis=1) - true)[known]
        told = [one for one in words if "may be off" in one]
        if told:
            return _known_until(t[known], off, float(np.ptp(true, axis=0).max()), told[0])
        stated = np.array([run.error.time[name] for name in ("p1", "p2")])
        if np.any(off.max(axis=0) > _TIMES * stated + 1e-9):
            raise Disagreement(f"p1, p2 are off by {off.max(axis=0)}, where {stated} is stated.")
        return None


def _known_until(t: Any, off: Any, size: float, told: str) -> str:
    """Up to the time that is told a motion is known to a percent of its size, or a few."""
    until = float(re.search(r"up to t = (\S+) it is known", told)[1])  # type: ignore[index]
    if off[t <= until].max(initial=0.0) > 0.03 * size:
        raise Disagreement(f"Off by {off[t <= until].max():.2g} before t = {until:g}: {told}")
    return told
