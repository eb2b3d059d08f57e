"""Stretched springs, dead and follower loads and weight at places of a beam and of bodies welded to it, by hand.

What pulls across is balanced by forces across on the axis of the beam and by torques, which stiffen nothing.

Displacements of second order are written down here once: a section turned by its slope carries an arm d to
d + t z x d - t^2 d/2, and lies back by half the integral of the slope squared; what is stretched at rest works on both.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

EI, RHO, M, I = 2.0, 0.3, 0.7, 0.02  # of a beam of length 1 and of each body on it
ELEMENTS = 20
SIZE = 1 / ELEMENTS
GAUSS = list(zip(*np.polynomial.legendre.leggauss(4), strict=True))


def shapes(x: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Cubics on equal elements of a beam clamped at 0: values, slopes and curvatures at x."""
    found, i = np.zeros((3, 2 * ELEMENTS + 2)), min(int(x / SIZE + 1e-9), ELEMENTS - 1)
    t, h = x / SIZE - i, SIZE
    own = slice(2 * i, 2 * i + 4)
    step = 3 * t**2 - 2 * t**3
    found[0, own] = 1 - step, h * (t - 2 * t**2 + t**3), step, h * (t**3 - t**2)
    found[1, own] = (6 * t**2 - 6 * t) / h, 1 - 4 * t + 3 * t**2, (6 * t - 6 * t**2) / h, 3 * t**2 - 2 * t
    found[2, own] = (12 * t - 6) / h**2, (6 * t - 4) / h, (6 - 12 * t) / h**2, (6 * t - 2) / h
    return found[0, 2:], found[1, 2:], found[2, 2:]


POINTS = [((i + (z + 1) / 2) * SIZE, w * SIZE / 2) for i in range(ELEMENTS) for z, w in GAUSS]
BENT = [shapes(x) for x, _ in POINTS]


def summed(slopes: int, weights: list[float]) -> np.ndarray:
    """The integral of the squares of deflections, slopes or curvatures."""
    rows = np.array([one[slopes] for one in BENT])
    return np.asarray((rows.T * weights) @ rows)


@dataclass(frozen=True)
class Moved:
    """How a place moves: to first order, to second (the quadratic forms of both components), and its section's turn."""

    at: np.ndarray
    first: np.ndarray
    second: np.ndarray
    turn: np.ndarray


def place(x: float, arm: np.ndarray) -> Moved:
    """A point at an arm from the section at x, which is on the border of two elements."""
    w, t, _ = shapes(x)
    drawn = summed(1, [weight if at < x else 0.0 for at, weight in POINTS])
    first = np.array([-arm[1] * t, w + arm[0] * t])
    second = np.array([-arm[0] * np.outer(t, t) - drawn, -arm[1] * np.outer(t, t)])
    return Moved(np.array([x, 0]) + arm, first, second, t)


N = 2 * ELEMENTS
GROUND = Moved(np.zeros(2), np.zeros((2, N)), np.zeros((2, N, N)), np.zeros(N))


@dataclass
class Hand:
    """The matrices of the beam, to which bodies, loads and springs add theirs."""

    mass: np.ndarray = field(default_factory=lambda: RHO * summed(0, [weight for _, weight in POINTS]))
    stiff: np.ndarray = field(default_factory=lambda: EI * summed(2, [weight for _, weight in POINTS]))

    def body(self, at: Moved) -> None:
        self.mass = self.mass + M * at.first.T @ at.first + I * np.outer(at.turn, at.turn)

    def force(self, at: Moved, force: np.ndarray) -> None:
        self.stiff = self.stiff - np.tensordot(force, at.second, 1)

    def follower(self, at: Moved, force: np.ndarray) -> None:
        self.force(at, force)
        self.stiff = self.stiff - np.outer(np.array([-force[1], force[0]]) @ at.first, at.turn)

    def line(self, p: Moved, q: Moved, k: float, free: float) -> None:
        length = float(np.hypot(*(q.at - p.at)))
        n, pull, moved = (q.at - p.at) / length, k * (length - free), q.first - p.first
        stretch = n @ moved
        across = (moved.T @ moved - np.outer(stretch, stretch)) / length
        self.stiff = self.stiff + k * np.outer(stretch, stretch)
        self.stiff = self.stiff + pull * (across + np.tensordot(n, q.second - p.second, 1))

    def axis(self, p: Moved, q: Moved, turns: bool, n: np.ndarray, k: float, pull: float) -> None:
        """Along an axis that turns with p if that is a body; to ground q is where p is at rest, and the reverse."""
        far = q.at - p.at if p is not GROUND and q is not GROUND else np.zeros(2)
        across, moved = np.array([-n[1], n[0]]), q.first - p.first
        stretch, second = n @ moved, np.tensordot(n, q.second - p.second, 1)
        if turns:
            stretch = stretch + across @ far * p.turn
            mixed = np.outer(p.turn, across @ moved)
            second = second + mixed + mixed.T - n @ far * np.outer(p.turn, p.turn)
        self.stiff = self.stiff + k * np.outer(stretch, stretch) + pull * second

    def squares(self) -> np.ndarray:
        """-s^2 of the slowest roots."""
        found = np.linalg.eigvals(np.linalg.solve(self.mass, self.stiff))
        return found[np.argsort(abs(found))][:8]


@dataclass(frozen=True)
class Spot:
    """A place in the model, the section it goes with, its arm there, and the body that it is on."""

    where: Any
    x: float
    arm: np.ndarray
    moved: Moved
    body: Any = None


class Case:
    """A random cantilever with bodies at its tip and perhaps inside, by parts and by hand."""

    def __init__(self, seed: int, kinds: list[str]) -> None:
        self.pick = random.Random(seed)
        self.hand, self.beam = Hand(), fx.EulerBernoulliBeam("beam", EI=EI, rho=RHO, length=1.0)
        self.things: list[Any] = [fx.Fixed(fx.ground, self.beam.start)]
        self.bodies = [self.body("tip", 1.0, self.beam.end)]
        if self.pick.random() < 0.5:
            x = self.pick.choice([0.3, 0.45, 0.5, 0.65])
            self.bodies.append(self.body("inner", x, self.beam.at(x)))
        for i, kind in enumerate(kinds):
            getattr(self, kind)(f"{kind}{i}")

    def number(self, low: float = -0.4, high: float = 0.4) -> float:
        return round(self.pick.uniform(low, high), 3)

    def balance(self, x: float, arm: np.ndarray, body: Any, force: np.ndarray) -> None:
        """Forces and torques against a force at an arm from the section at x."""
        if force[1]:
            self.things.append(fx.Force(self.beam.at(x), -force[1], name=f"across{len(self.things)}"))
        if body is not None:
            twist = arm[0] * force[1] - arm[1] * force[0]
            self.things.append(fx.Torque(body, -twist, name=f"twist{len(self.things)}"))

    def body(self, name: str, x: float, seat: Any) -> tuple[Any, float, np.ndarray]:
        body, arm = fx.RigidBody(name, m=M, I=I), np.array([self.number(), self.number()])
        self.things.append(fx.Fixed(seat, body.at(*-arm)))
        self.hand.body(place(x, arm))
        return body, x, arm

    def spot(self) -> Spot:
        if self.pick.random() < 0.3:
            x, nowhere = self.pick.choice([0.2, 0.35, 0.6, 0.8]), np.zeros(2)
            return Spot(self.beam.at(x), x, nowhere, place(x, nowhere))
        body, x, arm = self.pick.choice(self.bodies)
        point = np.array([self.number(), self.number()])
        return Spot(body.at(*point), x, arm + point, place(x, arm + point), body)

    def two(self) -> tuple[Spot, Spot]:
        """Places that come apart."""
        p, q = self.spot(), self.spot()
        while p.x == q.x:
            q = self.spot()
        return p, q

    def pull(self, p: Spot | None, q: Spot | None, force: np.ndarray) -> None:
        """Balance what pulls q to p and p to q."""
        for spot, sign in ((p, 1), (q, -1)):
            if spot is not None:
                self.balance(spot.x, spot.arm, spot.body, sign * force)

    def line(self, name: str) -> None:
        spot = self.spot()
        at = np.round(spot.moved.at + np.array([self.number(0.3, 1), self.number(-1, 1)]), 3)
        anchor = Moved(at, GROUND.first, GROUND.second, GROUND.turn)
        self.stretched(name, fx.ground.at(*at), spot.where, anchor, spot.moved)
        self.pull(None, spot, self.stretched_by)

    def between(self, name: str) -> None:
        p, q = self.two()
        self.stretched(name, p.where, q.where, p.moved, q.moved)
        self.pull(p, q, self.stretched_by)

    def stretched(self, name: str, p: Any, q: Any, low: Moved, high: Moved) -> None:
        apart = high.at - low.at
        length = float(np.hypot(*apart))
        k, free = self.number(1, 5), round(self.number(0.6, 1.4) * length, 3)
        self.things.append(fx.Spring(p, q, k=k, along="line", free_length=free, name=name))
        self.hand.line(low, high, k, free)
        self.stretched_by = k * (length - free) / length * apart

    def axis(self, name: str) -> None:
        p: Spot | None
        q: Spot | None
        p, q = self.two()
        k, pull, way = self.number(1, 5), self.number(-1, 1), self.pick.choice(["p", "q", "both"])
        p, q = (p if way != "q" else None), (q if way != "p" else None)
        bodies = any(one is not None and one.body for one in (p, q))
        n = np.array([1.0, 0.0]) if bodies and self.pick.random() < 0.5 else np.array([0.0, 1.0])
        ends = [fx.ground if one is None else one.where for one in (p, q)]
        self.things.append(fx.Spring(*ends, law=f"{k}*s + {pull}", along="x" if n[0] else "y", name=name))
        moved = [GROUND if one is None else one.moved for one in (p, q)]
        turns = p is not None and p.body is not None
        self.hand.axis(*moved, turns, n, k, pull)
        self.pull(p, q, pull * n)
        if p is not None and p.body is not None and q is not None:  # the axis of p is turned against q
            far = q.moved.at - p.moved.at
            self.things.append(fx.Torque(p.body, pull * (n[0] * -far[1] + n[1] * far[0]) * -1, name=f"turned{name}"))

    def force(self, name: str) -> None:
        spot = self.spot()
        force = self.pushed(name, spot.where)
        self.hand.force(spot.moved, force)
        self.balance(spot.x, spot.arm, spot.body, force)

    def follower(self, name: str) -> None:
        body, x, arm = self.pick.choice(self.bodies)
        force = self.pushed(name, body, axes=body)
        self.hand.follower(place(x, arm), force)
        self.balance(x, arm, body, force)

    def pushed(self, name: str, where: Any, **axes: Any) -> np.ndarray:
        force, along = self.number(-1.5, 1.5), self.pick.choice("xy")
        self.things.append(fx.Force(where, force, along=along, name=name, **axes))
        return force * np.array([along == "x", along == "y"])

    def weight(self, name: str) -> None:
        if any(isinstance(one, fx.Gravity) for one in self.things):
            return
        g = np.array([self.number(-3, 3), 0.0])
        self.things.append(fx.Gravity(g[0], along="x"))
        for body, x, arm in self.bodies:
            self.hand.force(place(x, arm), M * g)
            self.balance(x, arm, body, M * g)
        hanging = [weight * (1 - x) for x, weight in POINTS]  # what lies beyond x is drawn back by its slope
        self.hand.stiff = self.hand.stiff + RHO * g[0] * summed(1, hanging)

    def squares(self) -> np.ndarray:
        """-s^2 of the slowest roots about rest, which is zero but for rounding."""
        equations = fx.derive(fx.Model(*self.things))
        rest = fx.equilibrium(equations)
        assert abs(float(np.max(rest.place(self.beam, 1.0)))) < 1e-12
        return -np.square(fx.modes(equations, 3, about=rest).eigenvalues)


KINDS = st.lists(st.sampled_from(["line", "between", "axis", "force", "follower", "weight"]), min_size=1, max_size=3)


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), KINDS)
def test_what_is_stretched_at_rest_stiffens_as_by_hand(seed: int, kinds: list[str]) -> None:
    holds(Case(seed, kinds))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("seed", range(6))
def test_a_spring_on_the_axes_of_a_body_that_turns_pulls_along_them(seed: int) -> None:
    holds(Case(seed, ["axis", "axis"]))


def holds(case: Case) -> None:
    found, expected = case.squares(), case.hand.squares()
    for square in found:
        assert min(abs(expected - square) / (abs(expected) + 0.1)) < 2e-5, (found, expected)
