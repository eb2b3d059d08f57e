"""What drives a machine: bases that start at once, events that touch, friction that sticks; names and units."""

from __future__ import annotations

import math
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

import flexura as fx
from hunt.draw import Draw
from hunt.trial import Disagreement, Trial, agree, heard


def shaken(number: int) -> Trial:
    """A mass on a spring whose base jumps to a speed: the impulse is in the motion, the work in the balance."""
    draw = Draw(number)
    m, k, speed = draw.size(0.3, 3), draw.size(10, 1000), draw.size(0.1, 3)
    at = draw.pick([0.0, draw.size(0.05, 0.3)])
    motion = f"{speed!r}*t" if at == 0 else f"Piecewise((0, t < {at!r}), ({speed!r}*(t - {at!r}), True))"

    def simulate() -> str | None:
        base, mass = fx.RigidBody("base", m=1.0, I=0), fx.Mass("mass", m=m)
        model = fx.Model(
            fx.Slide(fx.ground, base, name="z", motion=motion),
            fx.Slide(base, mass, name="q"),
            fx.Spring(base, mass, k=k),
        )
        t = np.linspace(0, at + 0.5, 9)
        omega = math.sqrt(k / m)
        with heard() as words:
            run = fx.simulate(fx.derive(model), t, initial={"q_t": -speed} if at == 0 else None)
        expected = np.where(t > at, -speed / omega * np.sin(omega * (t - at)), 0.0)
        agree("q", run["q"], expected, 1e-5 * speed / omega)  # a word is not enough: the blow is known
        return agree("energy", run.energy.error, 0.0, 1e-6, [*words, *run.notes])

    return Trial("shaken", number, f"{m=} {k=} {speed=} {motion=}", frozenset({"Slide"}), {"simulate": simulate})


def pulses(number: int) -> Trial:
    """A pendulum, or a mass on a spring, at rest for seconds but for one push of milliseconds."""
    draw = Draw(number)
    stiff, inertia, size = draw.size(3, 30), draw.size(0.2, 2), draw.size(20, 200)
    end, width, turns = draw.size(5, 15), draw.size(0.5e-3, 5e-3), draw.chance(0.6)
    at = round(end * draw.uniform(0.2, 0.8), 3)
    kind = draw.pick(["jump", "bell", "bell", "function"])
    text = {
        "jump": f"{size!r}*Piecewise((0, t < {at - width!r}), (1, t < {at + width!r}), (0, True))",
        "bell": f"{size!r}*exp(-((t - {at!r})/{width!r})**2)",
    }.get(kind, "")

    def push(t: float) -> float:
        if kind == "jump":
            return size * float(at - width <= t <= at + width)
        return size * math.exp(-(((t - at) / width) ** 2))

    def simulate() -> str | None:
        body = fx.RigidBody("body", m=1.0, I=inertia)
        joint = fx.Revolute(fx.ground, body.at(0, 1), name="q") if turns else fx.Slide(fx.ground, body, name="q")
        held = fx.Gravity(stiff) if turns else fx.Spring(fx.ground, body, k=stiff)
        load = fx.Torque(body, "F") if turns else fx.Force(body, "F")
        t = np.linspace(0, end, 5)
        with heard() as words:
            run = fx.simulate(fx.derive(fx.Model(joint, held, load)), t, inputs={"F": text or push})
        around = [at + width * one for one in ((-1, 1) if kind == "jump" else (-10, 10))]
        expected = _after(push, around, inertia + 1 if turns else 1.0, stiff, turns, t)
        size = np.abs(expected).max()
        return agree("q", run["q"], expected, 1e-4 * size, [*words, *run.notes])

    script = f"{turns=} {stiff=} {inertia=} {kind=} {size=} {at=} {width=} {end=}"
    return Trial("pulses", number, script, frozenset({"RigidBody", "Slide", "Revolute"}), {"simulate": simulate})


def _after(push: Any, around: list[float], mass: float, stiff: float, turns: bool, t: Any) -> Any:
    """m q'' = push - k sin q, or - k q, in fine steps where the push is."""

    def slope(now: float, state: Any, pushed: bool) -> Any:
        back = math.sin(state[0]) if turns else state[0]
        return [state[1], (pushed * push(now) - stiff * back) / mass]

    found, state, marks = np.zeros(len(t)), np.zeros(2), [0.0, *around, float(t[-1])]
    for k, (begin, end) in enumerate(pairwise(marks)):
        finest = (end - begin) / 2000 if k == 1 else np.inf
        run = solve_ivp(
            slope, (begin, end), state, "DOP853", args=(k == 1,), rtol=1e-11, atol=1e-14, max_step=finest,
            dense_output=True,
        )  # fmt: skip
        inside = (t >= begin) & (t <= end)
        found[inside] = run.sol(t[inside])[0] if inside.any() else []
        state = run.y[:, -1]
    return found


def grazing(number: int) -> Trial:
    """An event at a level just below the top of each swing: every pair of passages is found; none above it."""
    draw = Draw(number)
    omega, part = draw.size(1, 10), 1 - 10 ** -draw.uniform(2, 7)
    above = draw.chance(0.2)
    level = 1 + 1e-4 if above else part

    def simulate() -> str | None:
        mass = fx.Mass("mass", m=1.0)
        model = fx.Model(fx.Slide(fx.ground, mass, name="q"), fx.Spring(fx.ground, mass, k=omega**2))
        end = 5.2 * 2 * math.pi / omega
        run = fx.simulate(
            fx.derive(model),
            np.linspace(0, end, 40),
            initial={"q": 0.0, "q_t": omega},
            events={"top": f"q - {level!r}"},
        )
        expected = 0 if above else 2 * 5
        return agree("passages", len(run.events["top"]), expected, 0, run.notes)

    return Trial(
        "grazing", number, f"{omega=} {level=}", frozenset({"Slide", "Mass", "Spring"}), {"simulate": simulate}
    )


def rubbing(number: int) -> Trial:
    """Dry friction written with sign: followed rightly; where its limit changes, up to where it sticks, with a word."""
    draw = Draw(number)
    k, mu, start, growing = draw.size(5, 50), draw.size(0.2, 4), draw.size(0.2, 2), number % 2 == 1
    limit = f"{mu!r}*(1 + q**2)" if growing else f"{mu!r}"

    def simulate() -> str | None:
        mass = fx.Mass("mass", m=1.0)
        model = fx.Model(
            fx.Slide(fx.ground, mass, name="q"),
            fx.Spring(fx.ground, mass, k=k),
            fx.Force(mass, f"-{limit}*sign(q_t)"),
        )
        t = np.linspace(0, 8, 17)
        with heard() as words:
            run = fx.simulate(fx.derive(model), t, initial={"q": start}, max_seconds=20)
        if not growing:
            if not run.complete:
                return run.message if words else _unsaid()
            return agree("q", run["q"], coulomb(k, mu, start, t), 1e-4 * start, [*words, *run.notes])
        expected, end = half_swings(k, mu, start, t)
        if run.complete != (end > t[-1]):
            raise Disagreement(f"It sticks at t = {end:.6g}; the run ends at {run.t[-1]:.6g}")
        if not run.complete and not words:
            return _unsaid()
        return agree("q", run["q"], expected[: len(run.t)], 1e-4 * start, [*words, *run.notes])

    return Trial("rubbing", number, f"{k=} {limit=} {start=}", frozenset({"Slide", "Force"}), {"simulate": simulate})


def _unsaid() -> str:
    raise Disagreement("The run stopped early and did not warn.")


def half_swings(k: float, mu: float, start: float, times: np.ndarray) -> tuple[np.ndarray, float]:
    """q'' = -k q - mu (1 + q^2) sign(q'), half swing after half swing until the spring no longer tears it loose."""
    found, begin, q, end = np.full_like(times, start), 0.0, start, times[-1] + 1
    while abs(k * q) > mu * (1 + q**2) and begin < end:
        way = -math.copysign(1.0, q)

        def slope(_: float, y: np.ndarray, way: float = way) -> list[float]:
            return [y[1], -k * y[0] - mu * (1 + y[0] ** 2) * way]

        def turns(_: float, y: np.ndarray, way: float = way) -> float:
            return float(y[1] * way)

        turns.terminal, turns.direction = True, -1  # type: ignore[attr-defined]
        swing = solve_ivp(
            slope, (begin, end), [q, 1e-12 * way], events=turns, rtol=1e-11, atol=1e-12, dense_output=True
        )
        inside = (times >= begin) & (times <= swing.t[-1])
        found[inside] = swing.sol(times[inside])[0] if inside.any() else found[inside]
        begin, q = float(swing.t[-1]), float(swing.y[0, -1])
        found[times > begin] = q
    return found, begin


def coulomb(k: float, mu: float, start: float, t: object) -> object:
    """Half swings about +-mu/k until it sticks."""
    omega, times = math.sqrt(k), np.asarray(t, float)
    found = np.empty_like(times)
    begin, q = 0.0, start
    half = math.pi / omega
    for i, now in enumerate(times):
        while now > begin + half and abs(q) > mu / k:
            centre = math.copysign(mu / k, q)
            q, begin = 2 * centre - q, begin + half
        if abs(q) <= mu / k:
            found[i] = q
        else:
            centre = math.copysign(mu / k, q)
            found[i] = centre + (q - centre) * math.cos(omega * (now - begin))
    return found


def texts(number: int) -> Trial:
    """Model files whose parameters have another dimension than where they are used; loads with strange names."""
    draw = Draw(number)
    size = draw.size(1, 500)
    wrong = draw.pick(["N", "m", "Pa", "s", "kg*m"])

    def read(text: str) -> fx.Equations:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "model.toml"
            path.write_text(text)
            return fx.derive(fx.read_model(path))

    def units() -> str | None:
        text = (
            f'[parameters]\nm = "{size} {wrong}"\nk = 30.0\n[parts.block]\nkind = "Mass"\nm = "m"\n'
            '[[connections]]\nkind = "Slide"\nbetween = ["ground", "block"]\nname = "q"\n'
            '[[connections]]\nkind = "Spring"\nbetween = ["ground", "block"]\nk = "k"\n'
        )
        try:
            read(text)
        except fx.FlexuraError:
            return None
        raise Disagreement(f"A mass of {size} {wrong} was taken.")

    def names() -> str | None:
        beam = fx.EulerBernoulliBeam("b", EI=1.0, rho=1.0, length=1.0)
        word = draw.pick(["theta_b_end", "y_b_end", "w_b", "w_b_x"])
        try:
            equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, f"-{size!r}*{word}")))
        except fx.FlexuraError:
            return None
        if word in equations.lagrangian.parameters:
            raise Disagreement(f"{word} became a constant.")
        return None

    return Trial("texts", number, f"{size=} {wrong=}", frozenset({"Mass", "Spring"}), {"units": units, "names": names})
