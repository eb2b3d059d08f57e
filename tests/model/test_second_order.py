"""Energies against geometry: random planar chains, bent for real, in exact arithmetic.

A chain of bodies and inextensible beams lies in the plane with every beam bent by eps (x^2 + b x^3) and shortened by
int w_x^2/2. Its kinetic energy and weight, from positions differentiated in time, are those of the model up to eps^3.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import Any

import pytest
import symengine
from symengine import Integer, Rational, cos, sin

import flexura as fx
from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.engine import SPINE, TIME, Basic, Symbol, exact

EPS = Symbol("eps")
TINY = Rational(1, 10**9)
ORDER = 14
"""Points of the quadrature; the integrands are polynomials of a lower degree."""


@lru_cache
def weights() -> tuple[Fraction, ...]:
    """Newton-Cotes on 0..1, exact for polynomials of degree ORDER - 1."""
    nodes = [Fraction(i, ORDER - 1) for i in range(ORDER)]
    found = []
    for i, node in enumerate(nodes):
        basis = [Fraction(1)]
        for j, other in enumerate(nodes):
            if j != i:
                grown = [Fraction(0), *basis]
                for k, one in enumerate(basis):
                    grown[k] -= other * one
                basis = [one / (node - other) for one in grown]
        found.append(sum(one / (k + 1) for k, one in enumerate(basis)))
    return tuple(found)


def turn(angle: Basic, v: tuple[Basic, Basic]) -> tuple[Basic, Basic]:
    return (cos(angle) * v[0] - sin(angle) * v[1], sin(angle) * v[0] + cos(angle) * v[1])


def add(*vectors: tuple[Basic, Basic]) -> tuple[Basic, Basic]:
    return (symengine.Add(*(one[0] for one in vectors)), symengine.Add(*(one[1] for one in vectors)))


def number(f: Basic) -> Basic:
    return symengine.Add(f.n(100, real=True))


NOTHING = Integer(0)


@dataclass
class Tip:
    """Where a chain has got to: position in space, angle of the frame, turn in it, small displacement and turn."""

    place: tuple[Basic, Basic] = (NOTHING, NOTHING)
    frame: Basic = NOTHING
    turned: Basic = NOTHING
    small: tuple[Basic, Basic] = (NOTHING, NOTHING)
    slope: Basic = NOTHING

    @property
    def angle(self) -> Basic:
        return self.frame + self.turned + self.slope


@dataclass
class Chain:
    """A random chain: the model, and its energies from geometry."""

    generator: random.Random
    things: list[Any] = field(default_factory=list)
    values: dict[Symbol, Basic] = field(default_factory=dict)
    motions: dict[str, Basic] = field(default_factory=dict)
    fields: dict[str, tuple[Basic, Basic]] = field(default_factory=dict)
    tip: Tip = field(default_factory=Tip)
    end: Any = fx.ground
    rigid: Basic = NOTHING
    spread: dict[str, Basic] = field(default_factory=dict)
    count: int = 0

    def some(self) -> Basic:
        return Rational(self.generator.choice([n for n in range(-9, 10) if n]), 7)

    def parameter(self, stem: str) -> Symbol:
        self.count += 1
        symbol = Symbol(f"{stem}{self.count}")
        self.values[symbol] = Rational(self.generator.randint(3, 12), 7)
        return symbol

    def motion(self, name: str) -> Basic:
        self.motions[name] = self.some() + self.some() * TIME
        return self.motions[name]

    # -- what a chain is made of -------------------------------------------------------------------------------------

    def joint(self, place: Any) -> None:
        """Onto `place`, by a turn, a slide, or a weld at an angle."""
        kind = self.generator.choice(["Revolute", "Revolute", "Slide", "Fixed", "Fixed"])
        self.count += 1
        name = f"q{self.count}"
        if kind == "Fixed":
            angle = self.generator.choice([0, 0.7, -1.3])
            self.things.append(fx.Fixed(self.end, place, angle=angle))
            self.tip.turned += exact(angle)
            return
        if kind == "Revolute":
            self.things.append(fx.Revolute(self.end, place, name=name))
            self.tip = Tip(self.tip.place, self.tip.angle + self.motion(name))
            return
        self.things.append(fx.Slide(self.end, place, along=(3, 4, 0), name=name))
        moved = self.motion(name) / 5
        self.tip = Tip(add(self.tip.place, turn(self.tip.angle, (3 * moved, 4 * moved))), self.tip.angle)

    def body(self) -> None:
        m, I, *arms = (self.parameter(stem) for stem in "mIabcd")
        body = fx.RigidBody(f"body{self.count}", m=m.name, I=I.name)
        self.joint(body.at(arms[0].name, arms[1].name))
        centre = self._shift((-arms[0], -arms[1]))
        self.rigid += self.energy(self.values[m], centre.place) + self.values[I] * centre.angle.diff(TIME) ** 2 / 2
        self.tip, self.end = self._shift((arms[2] - arms[0], arms[3] - arms[1])), body.at(arms[2].name, arms[3].name)

    def _shift(self, arm: tuple[Basic, Basic]) -> Tip:
        tip = self.tip
        arm = (arm[0].xreplace(self.values), arm[1].xreplace(self.values))
        lying = turn(tip.turned, arm)
        small = add(tip.small, (-tip.slope * lying[1], tip.slope * lying[0]))
        return Tip(add(tip.place, turn(tip.angle, arm)), tip.frame, tip.turned, small, tip.slope)

    def beam(self) -> None:
        rho, l, EI = (self.parameter(stem) for stem in ("rho", "l", "EI"))
        self.values[EI] = Integer(0)
        name = f"beam{self.count}"
        beam = fx.EulerBernoulliBeam(name, EI=EI.name, rho=rho.name, length=l.name, field=f"w{self.count}")
        self.joint(beam.start)
        tip, length = self.tip, self.values[l]
        bent = EPS * (self.some() + self.some() * TIME) * (SPINE**2 + self.some() * SPINE**3)
        across = turn(-tip.turned, tip.small)[1]
        w = (across + tip.slope * SPINE + bent).expand()
        slope = w.diff(SPINE).expand()
        shortened = _antiderivative((slope**2).expand()) / 2
        point = turn(tip.frame + tip.turned, (SPINE - shortened, w - across))
        self.spread[beam.fields[0].name] = length * self.energy(self.values[rho], add(tip.place, point))
        self.fields[beam.fields[0].name] = (w, length)
        at_end = {SPINE: length}
        along, over = turn(-tip.turned, tip.small)[0], w.xreplace(at_end)
        place = add(tip.place, (point[0].xreplace(at_end), point[1].xreplace(at_end)))
        self.tip = Tip(place, tip.frame, tip.turned, turn(tip.turned, (along, over)), slope.xreplace(at_end))
        self.end = beam.end
        self.motions |= {f"y_{name}_end": over, f"theta_{name}_end": self.tip.slope}
        self.motions |= {f"y_{name}_start": w.xreplace({SPINE: Integer(0)}), f"theta_{name}_start": tip.slope}

    def energy(self, mass: Basic, place: tuple[Basic, Basic]) -> Basic:
        """Kinetic energy minus that of the weight, which pulls along -y by g = 2."""
        return mass * (place[0].diff(TIME) ** 2 + place[1].diff(TIME) ** 2) / 2 - 2 * mass * place[1]

    # -- two totals --------------------------------------------------------------------------------------------------

    def total(self, rigid: Basic, spread: dict[str, Basic]) -> Basic:
        """The rigid part and the integrals (already times the length), at t = 0 and a tiny eps."""
        now = {TIME: Integer(0), EPS: TINY}
        result = number(rigid.xreplace(now))
        for name, f in spread.items():
            length = self.fields[name][1]
            for i, weight in enumerate(weights()):
                at = {**now, SPINE: length * Rational(i, ORDER - 1)}
                result += number(f.xreplace(at)) * Rational(weight.numerator, weight.denominator)
        return result

    def of_geometry(self) -> Basic:
        return self.total(self.rigid, self.spread)

    def of_model(self, foreshortening: bool) -> Basic:
        model = fx.Model(*self.things, fx.Gravity("g"), foreshortening=foreshortening)
        energies = model.lagrangian.of_small_motions
        values = {**self.values, Symbol("g"): Integer(2)}
        rigid, *densities = (
            self._moving(energies, f).xreplace(values) for f in (energies.rigid, *energies.density.values())
        )
        spread = {name: self.fields[name][1] * f for name, f in zip(energies.density, densities, strict=True)}
        return self.total(rigid, spread)

    def _moving(self, energies: Lagrangian, f: Basic) -> Basic:
        """Every jet by the motion that was chosen for it."""
        found = {}
        for jet in energies.jets.unknowns(f):
            value = self.motions[jet.name] if jet.name in self.motions else self.fields[jet.name][0]
            for _ in range(jet.x):
                value = value.diff(SPINE)
            for _ in range(jet.t):
                value = value.diff(TIME)
            if jet.end:
                value = value.xreplace({SPINE: self.fields[jet.name][1] if jet.end == "b" else Integer(0)})
            found[jet.symbol] = value
        return f.xreplace(found)


def _antiderivative(f: Basic) -> Basic:
    """From 0, of a polynomial in x."""
    total, power = Integer(0), 0
    while f != 0:
        constant = f.xreplace({SPINE: Integer(0)})
        total += constant * SPINE ** (power + 1) / (power + 1)
        f, power = ((f - constant) / SPINE).expand(), power + 1
    return total


def chain(seed: int) -> Chain:
    made = Chain(random.Random(seed))
    for _ in range(made.generator.randint(2, 5)):
        made.generator.choice([made.body, made.beam, made.beam])()
    if not made.fields:
        made.beam()
    return made


@pytest.mark.parametrize("seed", range(24))
def test_energies_are_those_of_the_bent_chain_to_second_order(seed: int) -> None:
    one = chain(seed)
    difference = abs(float((one.of_model(True) - one.of_geometry()) / TINY**2))
    assert difference < 1e-3, one.things


def test_without_foreshortening_the_second_order_is_wrong() -> None:
    wrong = [abs(float((one.of_model(False) - one.of_geometry()) / TINY**2)) for one in map(chain, range(8))]
    assert max(wrong) > 0.1
