"""Machines in large motion: hinges, slides, free bodies, loops, weight, springs, motors, prescribed motion.

Each motion is followed twice, by another method at another tolerance and with other shapes; energies and momenta must
balance in both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import flexura as fx
from hunt.draw import Draw
from hunt.frames import Asked
from hunt.machine import GROUND, Machine, Place
from hunt.trial import Disagreement, Trial, agree, heard


def machines(number: int) -> Trial:
    """A chain of one to three links, rigid or flexible, in the plane or in space."""
    draw = Draw(number)
    machine = Machine(spatial=draw.chance(0.25))
    chain = _Chain(draw, machine)
    chain.grow()
    return moving_trial("machines", number, machine, chain.end)


def loops(number: int) -> Trial:
    """Four-bar linkages and slider-cranks of any proportion that closes."""
    draw = Draw(number)
    machine = Machine()
    (_four_bar if draw.chance(0.5) else _slider_crank)(draw, machine)
    if draw.chance(0.5):
        machine.others.append(("Gravity", (), {"g": draw.size(1, 20)}))
    return moving_trial("loops", number, machine, draw.size(0.3, 1))


def carts(number: int) -> Trial:
    """Bodies that roll without slipping sideways: knife edges and wheels, by constraints on rates."""
    draw = Draw(number)
    machine = Machine()
    machine.part("cart", "RigidBody", m=draw.size(0.5, 5), I=draw.size(0.05, 2))
    machine.join("Free", GROUND, ("cart",), names=("x", "y", "theta"))
    edge = draw.pick(["x_t*sin(theta) - y_t*cos(theta)", "x_t*sin(theta) - y_t*cos(theta) + 0.3*theta_t"])
    machine.others.append(("Constraint", (edge,), {}))
    machine.load("Force", ("cart", (0.2, 0.1, 0.0)), value="F", along="x")
    if draw.chance(0.5):
        machine.load("Torque", ("cart",), value="tau")
    return moving_trial("carts", number, machine, draw.size(0.5, 2))


def moving_trial(family: str, number: int, machine: Machine, end: float) -> Trial:
    """The questions that are asked of a machine in motion."""
    asked = Moving(machine, number, end)
    checks = {"derive": asked.derive, "verify": asked.verify, "simulate": asked.simulate}
    return Trial(family, number, machine.script, frozenset(machine.kinds()), checks)


class _Chain:
    """Links from ground outwards."""

    def __init__(self, draw: Draw, machine: Machine) -> None:
        self.draw, self.machine = draw, machine
        self.end = draw.size(0.3, 1.5)
        self.flexible = 0

    def grow(self) -> None:
        draw, machine = self.draw, self.machine
        place: Place = GROUND
        count = draw.integer(1, 2 if machine.spatial else 3)
        for i in range(count):
            place = self._link(i, place, last=i == count - 1)
        if draw.chance(0.6):
            down = "-z" if machine.spatial and draw.chance(0.5) else "-y"
            machine.others.append(("Gravity", (), {"g": draw.size(1, 20), "along": down}))
        body = draw.pick([one for one in machine.parts if not machine.is_member((one,))])
        off, along = (0.3, 0.1, 0.05 * machine.spatial), (1, 2, int(machine.spatial))
        machine.load("Force", (body, off), value="F", along=along)
        turned = [q[0] for kind, _, q, k in machine.joints if kind == "Revolute" and k.get("about") == "z"]
        if turned and draw.chance(0.6):
            machine.load("Torque", (turned[0],), value="tau", about="z")
        if draw.chance(0.3):
            machine.spring("Spring", GROUND, (body, off), k=draw.size(1, 50), along=along, name="k0")
        if draw.chance(0.3):
            machine.spring("Damper", GROUND, (body, off), c=draw.size(0.01, 1), along=along, name="c0")

    def _link(self, i: int, place: Place, last: bool) -> Place:
        draw, machine = self.draw, self.machine
        kinds = ["Revolute", "Revolute", "Slide", *(["Free"] if place == GROUND else [])]
        kind, hub = draw.pick(kinds), f"h{i}"
        inertia: Any = draw.size(0.02, 1)
        if machine.spatial:
            a, b = draw.size(0.02, 1), draw.size(0.02, 1)
            inertia = (a, b, round(0.7 * (a + b), 4))
        machine.part(hub, "RigidBody", m=draw.size(0.2, 3), I=inertia)
        self._join(kind, place, hub, i)
        if not self.flexible and draw.chance(0.5):
            return self._beam(i, hub, last)
        return (hub, (draw.size(0.1, 0.6), 0.0, 0.0))

    def _join(self, kind: str, place: Place, hub: str, i: int) -> None:
        draw, machine = self.draw, self.machine
        if kind == "Free":
            names = ("X", "Y", "Z", "psi", "theta", "phi") if machine.spatial else ("X", "Y", "theta")
            machine.join("Free", place, (hub,), names=names)
            return
        options: dict[str, Any] = {"name": f"q{i}"}
        if place == GROUND and draw.chance(0.2):
            options["motion"] = draw.pick(["0.3*sin(4*t)", "0.5*t**2", "2*t"])
        if kind == "Slide":
            machine.join("Slide", place, (hub,), along=draw.pick(["x", "y"]), **options)
            return
        about = draw.pick(["z", "y", "x"]) if machine.spatial else "z"
        machine.join("Revolute", place, (hub,), about=about, **options)
        if "motion" not in options and place == GROUND and draw.chance(0.4):
            machine.spring("TorsionSpring", place, (hub,), k=draw.size(0.5, 20))
        if "motion" not in options and place == GROUND and draw.chance(0.2):
            machine.spring("TorsionDamper", place, (hub,), c=draw.size(0.01, 0.3))

    def _beam(self, i: int, hub: str, last: bool) -> Place:
        """A beam stiff enough to stay small; what hangs on it by a joint is another theory's business."""
        draw, machine = self.draw, self.machine
        self.flexible += 1
        name, length = f"b{i}", draw.size(0.5, 1.5)
        stiff = draw.size(200, 2000)
        if machine.spatial:
            machine.part(
                name, "SpatialBeam", EA=1e4 * draw.size(1, 10), EIy=stiff, EIz=draw.size(200, 2000),
                GJ=draw.size(100, 1000), rho=draw.size(0.2, 2), rotary_inertia=draw.size(1e-3, 1e-2), length=length,
            )  # fmt: skip
        else:
            kind = draw.pick(["EulerBernoulliBeam", "RayleighBeam", "TimoshenkoBeam"])
            more = {} if kind == "EulerBernoulliBeam" else {"rotary_inertia": draw.size(1e-3, 1e-2)}
            if kind == "TimoshenkoBeam":
                more["kGA"] = draw.size(1e4, 1e5)
            machine.part(name, kind, EI=stiff, rho=draw.size(0.2, 2), length=length, **more)
        machine.join("Fixed", (hub, (0.05, 0.0, 0.0)), (name, 0.0))
        if not last:
            return (hub, (-0.2, 0.0, 0.0))
        if draw.chance(0.5):
            machine.part(f"t{i}", "Mass", m=draw.size(0.05, 0.5))
            machine.join("Fixed", (name, length), (f"t{i}",))
        return (name, length)


def _four_bar(draw: Draw, machine: Machine) -> None:
    crank, coupler, rocker = draw.size(0.2, 0.5), draw.size(1, 1.5), draw.size(1, 1.5)
    for name, length in (("crank", crank), ("coupler", coupler), ("rocker", rocker)):
        machine.part(name, "RigidBody", m=draw.size(0.2, 2), I=round(0.1 * length**2, 5))
    machine.join("Revolute", GROUND, ("crank", (-crank / 2, 0.0, 0.0)), name="a")
    machine.join("Revolute", ("crank", (crank / 2, 0.0, 0.0)), ("coupler", (-coupler / 2, 0.0, 0.0)), name="b")
    machine.join("Revolute", ("coupler", (coupler / 2, 0.0, 0.0)), ("rocker", (0.0, rocker / 2, 0.0)), name="c")
    machine.join("Revolute", GROUND, ("rocker", (0.0, -rocker / 2, 0.0)), name="d")
    machine.load("Torque", ("crank",), value="tau")
    machine.spring("TorsionSpring", GROUND, ("crank",), k=draw.size(0.5, 5))


def _slider_crank(draw: Draw, machine: Machine) -> None:
    crank, rod = draw.size(0.2, 0.5), draw.size(0.8, 1.5)
    machine.part("crank", "RigidBody", m=draw.size(0.2, 2), I=draw.size(0.01, 0.1))
    machine.part("rod", "RigidBody", m=draw.size(0.2, 2), I=draw.size(0.01, 0.1))
    machine.part("slider", "Mass", m=draw.size(0.2, 2))
    machine.join("Revolute", GROUND, ("crank", (-crank / 2, 0.0, 0.0)), name="a")
    machine.join("Revolute", ("crank", (crank / 2, 0.0, 0.0)), ("rod", (-rod / 2, 0.0, 0.0)), name="b")
    machine.join("Slide", GROUND, ("slider",), along="x", name="s")
    machine.join("Revolute", ("rod", (rod / 2, 0.0, 0.0)), ("slider",), name="c")
    machine.load("Torque", ("crank",), value="tau")
    machine.load("Force", ("slider",), value="F", along="x")


class Moving:
    """The questions about a machine in motion."""

    def __init__(self, machine: Machine, number: int, end: float) -> None:
        self.machine, self.number, self.end = machine, number, end
        self._asked = Asked(machine, {}, number)

    def derive(self) -> str | None:
        return self._asked.derive()

    def verify(self) -> str | None:
        return self._asked.verify()

    def _start(self, draw: Draw) -> dict[str, float]:
        """Rates that do not contradict what is prescribed or constrained: those of joints that own a motion."""
        given: dict[str, float] = {}
        if any(kind == "Constraint" for kind, *_ in self.machine.others) or len(self.machine.joints) > 3:
            return given
        for kind, _, _, keywords in self.machine.joints:
            if kind == "Revolute" and "motion" not in keywords:
                given |= {keywords["name"]: round(draw.uniform(-0.5, 0.5), 2)}
                given |= {f"{keywords['name']}_t": round(draw.uniform(-2, 2), 2)}
        return given

    def simulate(self) -> str | None:
        equations, draw = self._asked.equations, Draw(self.number, "simulate")
        inputs = {
            name: draw.pick(
                [f"{draw.size(0.1, 1)}*sin(3*t)", f"{draw.size(0.1, 1)}", "Piecewise((1, t < 0.1), (0, True))"]
            )
            for name in equations.lagrangian.inputs
        }
        t, start = np.linspace(0.0, self.end, 11), self._start(draw)
        with heard() as words:
            first = fx.simulate(equations, t, initial=start, inputs=inputs)
            flexible = bool(equations.fields)
            other = {"order": 7} if flexible else {}
            second = fx.simulate(equations, t, initial=start, inputs=inputs, method="radau", tolerance=1e-6, **other)
        words += [*first.notes, *second.notes, first.message, second.message]
        if not (first.complete and second.complete):
            return words[-1] or words[-2] or _silent()
        return self._compared(equations, first, second, words)

    def _compared(self, equations: fx.Equations, first: Any, second: Any, words: list[str]) -> str | None:
        noted = agree("energy", first.energy.error, 0.0, 1e-7, words)
        momentum = getattr(first, "momentum", None)
        if momentum is not None and getattr(momentum, "error", None) is not None:
            noted = agree("momentum", momentum.error, 0.0, 1e-6, words) or noted
        names = list(equations.coordinates)
        a, b = (np.array([one[name] for name in names]) for one in (first, second))
        size = max(float(np.abs(a).max(initial=0.0)), 1e-9)
        return agree("coordinates", b, a, 3e-4 * size, words) or noted


def _silent() -> str:
    raise Disagreement("A run stopped early and said nothing.")
