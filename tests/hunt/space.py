"""Beams in space: bending in two planes, stretching and twisting, welded at angles about any axis."""

from __future__ import annotations

from hunt.draw import Draw
from hunt.frames import trial
from hunt.machine import GROUND, Machine, Place
from hunt.trial import Trial


def space(number: int) -> Trial:
    """A tree of one or two spatial beams with bodies."""
    draw = Draw(number)
    machine = Machine(spatial=True)
    scale, steep = draw.size(10, 100), draw.chance(0.3)
    carrier: dict[str, Place] = {}
    for i in range(draw.integer(1, 2)):
        _beam(draw, machine, carrier, i, scale, steep)
    if draw.chance(0.4):
        name = draw.pick(list(carrier))
        machine.spring(
            "Spring",
            GROUND,
            (name, machine.length(name)),
            k=scale * draw.size(0.1, 10),
            along=draw.pick(["x", "y", "z"]),
        )
    name = draw.pick(list(carrier))
    machine.load("Force", (name, machine.length(name)), value="F", along=draw.pick(["y", "z", (1, 2, 3)]))
    return trial("space", number, machine, carrier)


def _beam(draw: Draw, machine: Machine, carrier: dict[str, Place], i: int, scale: float, steep: bool) -> None:
    def stiffness() -> float:
        return scale * (10 ** draw.uniform(0, 9) if steep else draw.size(0.5, 2))

    name, length = f"b{i}", draw.size(0.5, 2)
    machine.part(
        name, "SpatialBeam", EA=100 * stiffness(), EIy=stiffness(), EIz=stiffness(), GJ=stiffness(),
        rho=draw.size(0.3, 3), rotary_inertia=draw.size(1e-3, 1e-1), length=length,
    )  # fmt: skip
    if i:
        about = draw.pick(["x", "y", "z"])
        before = f"b{i - 1}"
        machine.join(
            "Fixed", (before, machine.length(before)), (name, 0.0), angle=round(draw.uniform(-1.5, 1.5), 2), about=about
        )
        carrier[name] = carrier[before]
    else:
        carrier[name] = _root(draw, machine, name)
    if draw.chance(0.6):
        body = f"m{i}"
        a, b = draw.size(0.01, 0.5), draw.size(0.01, 0.5)
        machine.part(body, "RigidBody", m=draw.size(0.1, 3), I=(a, b, round(0.8 * (a + b), 5)))
        offset = (0.0, round(draw.uniform(-0.2, 0.2), 2), round(draw.uniform(-0.2, 0.2), 2))
        machine.join("Fixed", (name, length), (body, offset) if draw.chance(0.4) else (body,))


def _root(draw: Draw, machine: Machine, name: str) -> Place:
    root = draw.pick(["ground", "ground", "slide", "hinge", "free"])
    if root == "ground":
        machine.join("Fixed", GROUND, (name, 0.0))
        return GROUND
    if root == "free":
        return GROUND
    a, b = draw.size(0.05, 1), draw.size(0.05, 1)
    machine.part("cart", "RigidBody", m=draw.size(0.2, 5), I=(a, b, round(0.8 * (a + b), 5)))
    if root == "slide":
        machine.join("Slide", GROUND, ("cart",), along=draw.pick(["x", "y", "z"]), name="q")
    else:
        machine.join("Revolute", GROUND, ("cart",), about=draw.pick(["x", "y", "z"]), name="q")
    machine.join("Fixed", ("cart",), (name, 0.0))
    return ("cart",)
