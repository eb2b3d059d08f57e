"""Dry friction and stops on a line: random masses against a plain code that goes from event to event."""

from __future__ import annotations

import math

import numpy as np

import flexura as fx
from hunt.draw import Draw
from hunt.inputs import coulomb
from hunt.trial import Trial, agree, heard


def sticking(number: int) -> Trial:
    """A mass on a spring with dry friction: half swings until it sticks."""
    draw = Draw(number)
    k, limit, start = draw.size(5, 50), draw.size(0.05, 1), draw.size(0.2, 2)
    turned = draw.chance(0.5)

    def simulate() -> str | None:
        t = np.linspace(0, 8, 17)
        if turned:
            wheel = fx.RigidBody("wheel", m=0.0, I=1.0)
            parts = [
                fx.Revolute(fx.ground, wheel, name="q"),
                fx.TorsionSpring(fx.ground, wheel, k=k),
                fx.Friction(fx.ground, wheel, limit),
            ]
        else:
            mass = fx.Mass("mass", m=1.0)
            parts = [
                fx.Slide(fx.ground, mass, name="q"),
                fx.Spring(fx.ground, mass, k=k),
                fx.Friction(fx.ground, mass, limit),
            ]
        with heard() as words:
            run = fx.simulate(fx.derive(fx.Model(*parts)), t, initial={"q": start})
        return agree("q", run["q"], coulomb(k, limit, start, t), 1e-7 * start, [*words, *run.notes])

    kinds = frozenset({"Revolute", "TorsionSpring", "Friction"} if turned else {"Slide", "Spring", "Friction"})
    return Trial("sticking", number, f"{k=} {limit=} {start=} {turned=}", kinds, {"simulate": simulate})


def bouncing(number: int) -> Trial:
    """A ball on a floor: parabolas between impacts, each of which keeps a part of the speed."""
    draw = Draw(number)
    g, e, height, m = draw.size(2, 20), draw.uniform(0, 0.9), draw.size(0.1, 3), draw.size(0.2, 4)

    def simulate() -> str | None:
        ball = fx.Mass("ball", m=m)
        stop = fx.Stop(fx.ground, ball, 0, along="-y", restitution=e, name="floor")
        model = fx.Model(fx.Slide(fx.ground, ball, name="y"), fx.Gravity(g), stop)
        fall = math.sqrt(2 * height / g)
        t = np.linspace(0, 2 * fall * (1 + e) / (1 - e), 23)
        with heard() as words:
            run = fx.simulate(fx.derive(model), t, initial={"y": height})
        return agree("y", run["y"], _bounces(g, e, height, t), 1e-6 * height, [*words, *run.notes])

    return Trial("bouncing", number, f"{g=} {e=} {height=} {m=}", frozenset({"Slide", "Stop", "Gravity"}), {
        "simulate": simulate
    })  # fmt: skip


def _bounces(g: float, e: float, height: float, times: object) -> object:
    found = []
    for t in np.asarray(times, float):
        speed = math.sqrt(2 * g * height)
        left = t - speed / g
        if left < 0:
            found.append(height - g * t * t / 2)
            continue
        speed *= e
        while speed > 1e-12 and left > 2 * speed / g:
            left, speed = left - 2 * speed / g, speed * e
        found.append(speed * left - g * left * left / 2 if speed > 1e-12 else 0.0)
    return np.array(found)
