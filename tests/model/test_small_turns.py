"""What small turns draw in: bodies on pins and rollers are as stiff as the same bodies on large joints about rest.

Random chains of bodies in the plane under gravity, dead forces and stretched springs, with and without a loop, are kept
at rest by torques; their roots are those of the chain on Revolutes, linearised about zero.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pytest

import flexura as fx
from flexura.derivation.prove.compare import compare
from flexura.model import drawn_in

Point = tuple[float, float]
G = 9.81


def roots(model: fx.Model) -> np.ndarray:
    """About rest, which is zero but for rounding."""
    equations = fx.derive(model)
    rest = fx.equilibrium(equations)
    assert max(abs(rest[name]) for name in equations.coordinates) < 1e-9
    found = fx.modes(fx.linearise(equations, about=rest), count=12)
    return np.sort(np.real(np.square(found.eigenvalues)))  # two roots +-s are one square, stable or not


@dataclass(frozen=True)
class Chain:
    """A random chain: each body hangs by a point of its own on a point of the one before."""

    seed: int
    count: int
    closed: bool

    def draw(self, name: str, low: float = -1.0, high: float = 1.0) -> float:
        return round(random.Random(f"{self.seed} {name}").uniform(low, high), 3)

    def point(self, name: str) -> Point:
        return (self.draw(f"x {name}"), self.draw(f"y {name}"))

    def place(self, turned: np.ndarray, body: int, point: Point) -> np.ndarray:
        """Where a point of a body is, in space, with all bodies turned from rest."""
        at = np.zeros(2)
        for k in range(body + 1):
            on, mine = (self.point(f"on {k}") if k else (0.0, 0.0)), self.point(f"of {k}")
            if k:
                at = at + turn(turned[k - 1], on)
            at = at - turn(turned[k], mine)
        return at + turn(turned[body], point)

    def potential(self, turned: np.ndarray) -> complex:
        weights = sum(self.mass(k) * G * self.place(turned, k, (0, 0))[1] for k in range(self.count))
        force = self.place(turned, self.count - 1, self.point("push"))[0] * self.draw("F")
        stored = (k * (np.sqrt((q - p) @ (q - p)) - free) ** 2 / 2 for k, p, q, free in self.springs(turned))
        return complex(weights - force + sum(stored))

    def mass(self, k: int) -> float:
        return self.draw(f"m {k}", 0.5, 2)

    def springs(self, turned: np.ndarray) -> list[tuple[float, np.ndarray, np.ndarray, float]]:
        last = self.place(turned, self.count - 1, self.point("tied"))
        first = self.place(turned, 0, self.point("spring"))
        return [(self.draw("k 0", 1, 9), np.array((2.0, -3.0)), last, 0.5), (self.draw("k 1", 1, 9), first, last, 0.3)]

    def torques(self) -> np.ndarray:
        """What keeps the chain at rest; in a loop, against some force of its last pin."""

        def work(turned: np.ndarray) -> complex:
            pin = self.place(turned, self.count - 1, self.point("loop"))
            held = pin @ (self.draw("pull x", -5, 5), self.draw("pull y", -5, 5)) if self.closed else 0.0
            return self.potential(turned) + held

        steps = 1e-30j * np.eye(self.count)
        return np.array([work(step).imag / 1e-30 for step in steps])

    def model(self, joint: Callable[..., Any]) -> fx.Model:
        bodies = [fx.RigidBody(f"b{k}", m=self.mass(k), I=self.draw(f"I {k}", 0.1, 0.6)) for k in range(self.count)]
        things: list[Any] = [joint(fx.ground, bodies[0].at(*self.point("of 0")))]
        for k in range(1, self.count):
            things.append(joint(bodies[k - 1].at(*self.point(f"on {k}")), bodies[k].at(*self.point(f"of {k}"))))
        last, first = bodies[-1].at(*self.point("tied")), bodies[0].at(*self.point("spring"))
        for (k, *_, free), p in zip(self.springs(np.zeros(self.count)), (fx.ground.at(2, -3), first), strict=True):
            things.append(fx.Spring(p, last, k=k, along="line", free_length=free))
        things.append(fx.Force(bodies[-1].at(*self.point("push")), f"{self.draw('F')}", along="x"))
        things += [fx.Torque(body, f"{torque!r}") for body, torque in zip(bodies, self.torques().tolist(), strict=True)]
        if self.closed:
            end = self.place(np.zeros(self.count), self.count - 1, self.point("loop"))
            things.append(joint(fx.ground.at(*map(float, end)), bodies[-1].at(*self.point("loop"))))
        return fx.Model(*things, fx.Gravity(G))


def turn(angle: complex, point: Point) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array((c * point[0] - s * point[1], s * point[0] + c * point[1]))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("count", "closed"), [(2, False), (3, False), (3, True), (4, True)])
def test_a_chain_on_pins_is_as_stiff_as_one_on_revolutes(seed: int, count: int, closed: bool) -> None:
    chain = Chain(seed, count, closed)
    small, large = roots(chain.model(fx.Pin)), roots(chain.model(fx.Revolute))
    assert small == pytest.approx(large, rel=1e-6)


def on_a_roller(small: bool, turned: float) -> fx.Model:
    """A pendulum with a rail across it, on which a second one rolls against a spring."""
    upper, lower = fx.RigidBody("upper", m=1.0, I=0.2), fx.RigidBody("lower", m=1.3, I=0.3)
    rail, hook, along = upper.at(0, -0.3), lower.at(0, 0.4), (math.cos(turned), math.sin(turned), 0)
    gravity, hold = fx.Gravity(G), f"{1.3 * G * math.sin(turned)!r}"
    if small:
        joints = [fx.Pin(fx.ground, upper.at(0, 0.5)), fx.Roller(rail, hook, along=along)]
        spring = fx.Spring(rail, hook, k=30.0, along=along)
    else:
        slider = fx.RigidBody("slider", m=0, I=0)
        joints = [fx.Revolute(fx.ground, upper.at(0, 0.5)), fx.Slide(rail, slider, along=along)]
        joints.append(fx.Revolute(slider, hook))
        spring = fx.Spring(rail, slider, k=30.0, along=along)
    push = [fx.Force(hook, hold, along=along), fx.Force(rail, f"-{hold}", along=along)] if turned else []
    return fx.Model(*joints, spring, gravity, *push)


def test_what_rolls_on_a_body_that_turns_is_carried_with_its_rail() -> None:
    small, large = roots(on_a_roller(True, 0.0)), roots(on_a_roller(False, 0.0))
    assert small == pytest.approx(large, rel=1e-9)


def test_bodies_welded_to_one_another_turn_about_a_pin_on_any_of_them() -> None:
    def pair(joint: Callable[..., Any], on_b: bool) -> fx.Model:
        a, b = fx.RigidBody("a", m=1.0, I=0.2), fx.RigidBody("b", m=1.3, I=0.3)
        hook = b.at(0, 1.0) if on_b else a.at(0, 0.5)
        return fx.Model(joint(fx.ground, hook), fx.Fixed(a.at(0, -0.1), b.at(0, 0.4)), fx.Gravity(G))

    for on_b in (False, True):
        small, large = (fx.modes(fx.derive(pair(joint, on_b))).frequencies for joint in (fx.Pin, fx.Revolute))
        assert small == pytest.approx(large, rel=1e-12)
        assert len(small) == 1
        assert fx.verify(fx.derive(pair(fx.Pin, on_b)))


def test_a_spring_inside_one_rigid_body_is_refused() -> None:
    a, b = fx.RigidBody("a", m=1.0, I=0.2), fx.RigidBody("b", m=1.3, I=0.3)
    pin, weld = fx.Pin(fx.ground, a.at(0.1, 0.5)), fx.Fixed(a.at(0.4), b.at(-0.4))
    for q in (a.at(1, 2), b, b.at(0.3, 0.1)):
        spring = fx.Spring(a, q, k="k", along="line", free_length=0.1)
        with pytest.raises(fx.FlexuraError, match="distance never changes"):
            fx.derive(fx.Model(pin, weld, spring))


def pinned_and_jointed() -> fx.Model:
    """A loop of a pin, a Revolute and a pin, with a spring and a damper that the joint stretches."""
    a, b = fx.RigidBody("a", m="m_a", I="I"), fx.RigidBody("b", m="m_b", I=0)
    return fx.Model(
        fx.Pin(fx.ground, a.at("d", "h")), fx.Revolute(a, b.at("e", "f"), name="theta"),
        fx.Pin(fx.ground, b.at("c", "k")),
        fx.Spring(b.at("p"), fx.ground, k="K", along="-y"), fx.Damper(fx.ground, b.at("q"), c="C", along="-x"),
    )  # fmt: skip


def string_on_rollers() -> fx.Model:
    """A string slides on a body that rolls up and down, driven by another that turns about a pin."""
    a, b = fx.RigidBody("a", m="m_a", I="I_a"), fx.RigidBody("b", m="m_b", I="I_b")
    string = fx.String("string", tension="P", rho="rho", length="l")
    return fx.Model(
        fx.Roller(fx.ground, a, along="y"), fx.Slide(string.end, a, along=(3, -4, 0), name="s"),
        fx.Roller(a, b, along="-x"), fx.Pin(fx.ground, b.at("d", "h")), fx.DistributedForce(string, "f", along="x"),
    )  # fmt: skip


def twist_only(along: Any = (1, 2, 0)) -> fx.Model:
    """A shaft's end holds the twist of a body and nothing else; what slides on the body is drawn in by its turns."""
    shaft, slider = fx.Shaft("shaft", GJ="GJ", rotary_inertia="J", length="l"), fx.Mass("c", "m_c")
    body = fx.RigidBody("b", m="m_b", I=("I_x", "I_y", "I_z"))
    return fx.Model(
        fx.Fixed(shaft.start, fx.ground), fx.Pin(shaft.start, body.at("d")),
        fx.Slide(body.at("e"), slider, along=along), fx.Gravity("g"),
    )  # fmt: skip


def rolling_on_rolling(loaded: int) -> fx.Model:
    """One coordinate moves three beams along; the load on one of them decides which is listed first."""
    beams = [fx.EulerBernoulliBeam(name, EI=f"EI_{name}", rho=f"r_{name}", length=f"l_{name}") for name in "abc"]
    a, b, c = beams
    return fx.Model(
        fx.Roller(fx.ground, a.start, along="x"), fx.Roller(a.at("l_a/2"), b.end, along="-y"),
        fx.Fixed(c.start, b.start), fx.DistributedForce(beams[loaded], "f", along=(1, 2, 0)),
    )  # fmt: skip


def strut() -> fx.Model:
    """A rigid strut, pinned below, under the end of a clamped beam that carries a load."""
    prop = fx.RigidBody("prop", m="m", I="I")
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", EA="EA")
    return fx.Model(
        fx.Fixed(fx.ground, beam.start), fx.Pin(beam.end, prop.at("h/3", "h")), fx.Pin(fx.ground, prop.at(0, "-h")),
        fx.Gravity("g"),
    )  # fmt: skip


PROVED = [pinned_and_jointed, string_on_rollers, lambda: on_a_roller(True, 0.4), twist_only]
PROVED += [lambda: twist_only("-z"), lambda: twist_only((2, -1, 2))]
PROVED += [partial(rolling_on_rolling, loaded) for loaded in range(3)]


@pytest.mark.parametrize("model", PROVED)
def test_small_turns_are_proved_by_every_route(model: Callable[[], fx.Model]) -> None:
    certificate = fx.verify(fx.derive(model()))
    assert certificate, str(certificate)


def test_the_proof_misses_what_turns_draw_in_of_a_body_whose_twist_alone_is_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert compare(twist_only("x").lagrangian)
    monkeypatch.setattr(drawn_in.DrawnIn, "_of_bodies", lambda *_: iter(()))
    assert not compare(twist_only("x").lagrangian)


def test_a_loop_that_closes_to_first_order_only_says_so() -> None:
    with pytest.warns(UserWarning, match="closes its loop to first order"):
        equations = fx.derive(strut())
    assert any("closes its loop to first order" in step.text for step in equations.steps)


def test_without_foreshortening_a_pinned_body_is_told_to_lack_its_weight() -> None:
    body = fx.RigidBody("body", m="m", I="I")
    equations = fx.derive(fx.Model(fx.Pin(fx.ground, body.at(0, "h")), fx.Gravity("g"), foreshortening=False))
    assert any("has no stiffness from its weight" in step.text for step in equations.steps)
