"""Degenerate models: supports that repeat, bodies without mass or inertia, idle coordinates, loops, loads anywhere.

>>> drawn = degenerate_model(seed=7)        # numbers for everything, and the script that makes it again
>>> drawn.model, print(drawn)
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import flexura as fx
from random_models import GROUND, Written, write

_DIRECTIONS = ("x", "y", "-y", (1, 1, 0), (3, -4, 0))


@dataclass
class Degenerate:
    """Parts, connections and loads in the order they were drawn."""

    random: random.Random
    parts: list[Written] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)
    things: list[Written] = field(default_factory=list)
    inputs: list[str] = field(default_factory=list)
    lengths: dict[str, float] = field(default_factory=dict)

    def pick(self, choices: Sequence[Any]) -> Any:
        return choices[self.random.randrange(len(choices))]

    def number(self, low: float = 0.5, high: float = 3.0) -> float:
        return round(self.random.uniform(low, high), 3)

    def place(self, ground: bool = True) -> Written:
        if ground and self.random.random() < 0.35:
            return GROUND
        part = self.pick(self.parts)
        if isinstance(part.value, fx.Member):
            return self.pick([part.start, part.end, part.end, part.at(self.lengths[part.text] / 2)])
        return self.pick([part, part, part.at(self.number(0.1, 0.5))]) if part.value.turns else part

    def part(self, kind: str, **keywords: Any) -> None:
        name = f"p{len(self.parts)}"
        made = write(kind, name, **keywords)
        self.definitions.append(f"{name} = {made.text}")
        self.parts.append(Written(made.value, name))
        self.lengths[name] = keywords.get("length", 0.0)

    @property
    def model(self) -> fx.Model:
        return fx.Model(*(one.value for one in self.things))

    @property
    def script(self) -> str:
        shown = "".join(f"    {one.text},\n" for one in self.things)
        return "\n".join(["import flexura as fx", *self.definitions, f"model = fx.Model(\n{shown})"])

    def __str__(self) -> str:
        return self.script


def degenerate_model(seed: int) -> Degenerate:
    """A model drawn at random; many are refused, and all that are not must answer."""
    drawn = Degenerate(random.Random(seed))
    for _ in range(drawn.pick([1, 1, 2, 2, 3])):
        _part(drawn)
    for i, part in enumerate(drawn.parts):
        member = isinstance(part.value, fx.Member)
        here = drawn.pick([part.start, part.start, part.end]) if member else part
        others = drawn.parts[:i]
        there = GROUND if not others or drawn.random.random() < 0.4 else _place_on(drawn, drawn.pick(others))
        _connection(drawn, there, here)
    for _ in range(drawn.pick([0, 0, 1, 1, 2])):
        _connection(drawn, drawn.place(), drawn.place(ground=False))
    for _ in range(drawn.pick([0, 1, 2])):
        _spring(drawn)
    if drawn.random.random() < 0.25:
        drawn.things.append(write("Gravity"))
    for _ in range(drawn.pick([0, 1])):
        name = f"F{len(drawn.things)}"
        drawn.inputs.append(name)
        drawn.things.append(write("Force", drawn.place(ground=False), name, along=drawn.pick(_DIRECTIONS)))
    if drawn.random.random() < 0.3:
        drawn.random.shuffle(drawn.things)
    return drawn


def _place_on(drawn: Degenerate, part: Written) -> Written:
    if isinstance(part.value, fx.Member):
        return drawn.pick([part.start, part.end])
    return part


def _part(drawn: Degenerate) -> None:
    kind = drawn.pick(["Mass", "RigidBody", "RigidBody", "EulerBernoulliBeam", "EulerBernoulliBeam", "Rod", "String"])
    if kind == "Mass":
        return drawn.part(kind, m=drawn.number())
    if kind == "RigidBody":
        m, inertia = drawn.pick([(1, 1), (1, 1), (1, 0), (0, 1), (0, 0)])
        return drawn.part(kind, m=drawn.number() * m, I=drawn.number() * inertia)
    if kind == "Rod":
        return drawn.part(kind, EA=drawn.number(), rho=drawn.number(), length=drawn.number())
    if kind == "String":
        return drawn.part(kind, tension=drawn.number(), rho=drawn.number(), length=drawn.number())
    axial = {"EA": drawn.number(10, 50)} if drawn.random.random() < 0.3 else {}
    return drawn.part(kind, EI=drawn.number(), rho=drawn.number(), length=drawn.number(), **axial)


def _connection(drawn: Degenerate, p: Written, q: Written) -> None:
    if p.text == q.text:
        return
    kind = drawn.pick(["Fixed", "Fixed", "Pin", "Pin", "Roller", "Slide", "Slide", "Revolute", "Revolute"])
    keywords: dict[str, Any] = {}
    if kind in ("Roller", "Slide"):
        keywords["along"] = drawn.pick(_DIRECTIONS)
    if kind in ("Slide", "Revolute"):
        keywords["name"] = f"q{len(drawn.things)}"
    if kind == "Fixed" and drawn.random.random() < 0.2:
        keywords["angle"] = drawn.pick([0.7, "90 deg"])
    drawn.things.append(write(kind, p, q, **keywords))


def _spring(drawn: Degenerate) -> None:
    kind = drawn.pick(["Spring", "Spring", "TorsionSpring", "Damper"])
    p, q = drawn.place(), drawn.place(ground=False)
    if p.text == q.text:
        return
    name = f"s{len(drawn.things)}"
    if kind == "Damper":
        drawn.things.append(write(kind, p, q, c=drawn.number(0.05, 0.5), along=drawn.pick(_DIRECTIONS), name=name))
    elif kind == "Spring":
        drawn.things.append(write(kind, p, q, k=drawn.number(), along=drawn.pick(_DIRECTIONS), name=name))
    else:
        drawn.things.append(write(kind, p, q, k=drawn.number()))
