"""Linear machines of every kind of member: welds, pins, slides, hinges, loops, bodies, springs, loads that jump.

Modes are found twice by flexura; responses, statics and the motion after a short pulse are compared with the direct
solution, which shares nothing with it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import flexura as fx
from hunt.direct import Direct, Relative, Unsupported
from hunt.draw import Draw
from hunt.machine import GROUND, Along, Machine, Place, along
from hunt.pulse import Bell, Box, pushed
from hunt.trial import Disagreement, Skipped, Trial, agree, heard

BENDING = ("EulerBernoulliBeam", "RayleighBeam", "TimoshenkoBeam")
LINES = ("Rod", "String", "Shaft")
_PATIENCE = 40.0  # seconds: vibrations of stiff members over the periods of soft ones may take hours
_TINY = 1e-12  # of a load at rest: beside springs of 1e11 squares of a motion count from 1e-9 on
_SMALL = 1e-7  # of a load, so that what it does to stiffness does not count


def frames(number: int) -> Trial:
    """A random tree of members, closed to loops now and then."""
    draw = Draw(number)
    machine = Machine()
    frame = _Frame(draw, machine)
    frame.grow()
    return trial("frames", number, machine, frame.carrier)


def lines(number: int) -> Trial:
    """Rods, strings and shafts in a row between bodies."""
    draw = Draw(number)
    kind = draw.pick(LINES)
    machine = Machine(spatial=kind == "Shaft")
    _row(draw, machine, kind)
    held = any(GROUND in (p, q) for _, p, q, _ in machine.joints)
    return trial("lines", number, machine, dict.fromkeys(machine.parts, GROUND), free=int(not held))


def trial(family: str, number: int, machine: Machine, carriers: dict[str, Place], free: int | None = None) -> Trial:
    """The questions that are asked of a linear machine; `free`: how many of its motions strain nothing, if known."""
    asked = Asked(machine, carriers, number, free)
    checks: dict[str, Callable[[], str | None]] = {
        "derive": asked.derive,
        "verify": asked.verify,
        "modes": asked.modes,
        "response": asked.response,
        "equilibrium": asked.equilibrium,
        "simulate": asked.simulate,
    }
    return Trial(family, number, machine.script, frozenset(machine.kinds()), checks)


class _Frame:
    """A frame while it grows; `carrier` is what each member's deflection is measured from."""

    def __init__(self, draw: Draw, machine: Machine) -> None:
        self.draw, self.machine = draw, machine
        self.carrier: dict[str, Place] = {}
        self.scale = draw.size(1, 100)
        self.steep = draw.chance(0.3)  # stiffness ratios to 1e12

    def grow(self) -> None:
        draw = self.draw
        root = draw.pick(["ground", "ground", "ground", "slide", "hinge", "free"])
        for i in range(draw.integer(1, 3)):
            self._member(f"b{i}", root)
        if root in ("ground", "free") and draw.chance(0.45):
            self._support()
        for i in range(draw.integer(0, 2)):
            self._spring(i)
        self._loads()

    def _stiffness(self) -> float:
        return self.scale * (10 ** self.draw.uniform(0, 12) if self.steep else self.draw.size(0.5, 2))

    def _member(self, name: str, root: str) -> None:
        draw, machine = self.draw, self.machine
        length, kind = draw.size(0.5, 2), draw.pick(BENDING)
        numbers: dict[str, Any] = {
            "EI": self._along(self._stiffness(), length),
            "rho": self._along(draw.size(0.3, 3), length),
        }
        if draw.chance(0.6):
            numbers["EA"] = draw.size(50, 500) * self.scale
        elif root == "free":  # else it cannot move along its axis by its theory, as the direct solution can
            numbers["EA"] = 100 * self.scale
        if kind == "RayleighBeam":
            numbers["rotary_inertia"] = draw.size(1e-3, 1e-1)
        if kind == "TimoshenkoBeam":
            numbers |= {"rotary_inertia": draw.size(1e-3, 1e-1), "kGA": draw.size(20, 200) * self.scale}
        pulled = draw.size(0.1, 1) * self.scale if draw.chance(0.15) else 0.0
        if pulled and root != "hinge":  # it would turn with the body, and the direct solution's stands still
            numbers["axial_force"] = pulled
        if root not in ("slide", "hinge"):  # on a moving body they would be the body's, not ground's
            if draw.chance(0.15):
                numbers["foundation"] = draw.size(0.1, 10) * self.scale
            if draw.chance(0.15):
                numbers["damping"] = draw.size(0.01, 1)
        machine.part(name, kind, **numbers, length=length)
        self._hang(name, root, first=len(machine.parts) == 1)
        if draw.chance(0.5):
            self._body(name)

    def _along(self, value: float, length: float) -> Any:
        draw = self.draw
        if draw.chance(0.12):
            ratio = draw.size(0.2, 5)
            at = round(length * draw.uniform(0.2, 0.8), 3)
            text = f"Piecewise(({value!r}, x < {at!r}), ({value * ratio!r}, True))"
            return Along(text, lambda s: value if s < at else value * ratio, (at,))
        if draw.chance(0.12):
            slope = round(draw.uniform(0.1, 0.8) / length, 3)
            return Along(f"{value!r}*(1 - {slope!r}*x)", lambda s: value * (1 - slope * s))
        return value

    def _hang(self, name: str, root: str, first: bool) -> None:
        draw, machine = self.draw, self.machine
        if not first and draw.chance(0.85):
            other = draw.pick(list(self.carrier))
            length = machine.length(other)
            where = draw.pick([length, length, round(length * draw.uniform(0.3, 0.7), 3)])
            hinged = draw.chance(0.2)
            turned = {} if hinged or draw.chance(0.4) else {"angle": round(draw.uniform(-1.5, 1.5), 2)}
            machine.join("Pin" if hinged else "Fixed", (other, where), (name, 0.0), **turned)
            self.carrier[name] = self.carrier[other]
            return
        if root == "ground" or not first:
            machine.join(draw.pick(["Fixed", "Fixed", "Pin"]), GROUND, (name, 0.0))
            self.carrier[name] = GROUND
        elif root in ("slide", "hinge"):
            self._cart(name, root)
        else:
            self.carrier[name] = GROUND

    def _cart(self, name: str, root: str) -> None:
        draw, machine = self.draw, self.machine
        machine.part("cart", "RigidBody", m=draw.size(0.1, 5), I=draw.size(0.01, 1))
        if root == "slide":
            machine.join("Slide", GROUND, ("cart",), along=draw.pick(["y", "x", (3, 4, 0)]), name="q")
        else:
            machine.join("Revolute", GROUND, ("cart",), name="q")
            if draw.chance(0.5):
                machine.spring("TorsionSpring", GROUND, ("cart",), k=draw.size(0.1, 10) * self.scale)
            if draw.chance(0.6):
                machine.spring("TorsionDamper", GROUND, ("cart",), c=draw.size(0.01, 1))
        offset = (round(draw.uniform(0, 0.3), 2), 0.0, 0.0)
        angle = {"angle": round(draw.uniform(-1, 1), 2)} if draw.chance(0.3) else {}
        machine.join("Fixed", ("cart", offset), (name, 0.0), **angle)
        self.carrier[name] = ("cart",)

    def _body(self, name: str) -> None:
        draw, machine = self.draw, self.machine
        body, end = f"m_{name}", (name, machine.length(name))
        if draw.chance(0.3):
            machine.part(body, "Mass", m=draw.size(0.05, 5))
            machine.join(draw.pick(["Fixed", "Pin"]), end, (body,))
            return
        machine.part(body, "RigidBody", m=draw.size(0.05, 5), I=draw.size(1e-3, 0.5))
        place = (body,) if draw.chance(0.6) else (body, (0.0, round(draw.uniform(-0.2, 0.2), 2), 0.0))
        machine.join("Fixed", end, place)

    def _support(self) -> None:
        draw, machine = self.draw, self.machine
        name = draw.pick(list(self.carrier))
        end = (name, machine.length(name))
        if draw.chance(0.5):
            machine.join("Pin", GROUND, end)
        else:
            machine.join("Roller", GROUND, end, along=draw.pick(["x", "y"]))

    def _spring(self, i: int) -> None:
        draw, machine = self.draw, self.machine
        name = draw.pick(list(self.carrier))
        length = machine.length(name)
        place = (name, draw.pick([length, round(length / 2, 3)]))
        along = draw.pick(["y", "x", (1, 2, 0)])
        if draw.chance(0.6):
            machine.spring("Spring", GROUND, place, k=self._stiffness(), along=along, name=f"k{i}")
        else:
            machine.spring("Damper", GROUND, place, c=draw.size(0.01, 1), along=along, name=f"c{i}")

    def _loads(self) -> None:
        draw, machine = self.draw, self.machine
        name = draw.pick(list(self.carrier))
        length = machine.length(name)
        place = (name, draw.pick([length, round(length * draw.uniform(0.2, 0.8), 3)]))
        if draw.chance(0.2):
            machine.load("Torque", place, value="F")
        else:
            machine.load("Force", place, value="F", along=draw.pick(["y", "x", (2, 1, 0)]))
        a, b = sorted(round(length * draw.uniform(0.05, 0.95), 3) for _ in range(2))
        if b - a > 0.01 and draw.chance(0.7):
            slope = round(draw.uniform(-1, 1), 2)
            text = f"Piecewise((0, x < {a!r}), (1 + {slope!r}*x, x < {b!r}), (0, True))"
            machine.shapes["f"] = Along(text, lambda s: 1 + slope * s if a <= s < b else 0.0, (a, b))
            machine.load("DistributedForce", (name,), value="f(x)", name="f")


def _row(draw: Draw, machine: Machine, kind: str) -> None:
    """Bodies in a row, lines between them, held somewhere or nowhere."""
    steep, scale = draw.chance(0.4), draw.size(1, 100)
    before: Place | None = GROUND if draw.chance(0.6) else None
    for i in range(draw.integer(1, 4)):
        length = draw.size(0.5, 2)
        stiff = scale * (10 ** draw.uniform(0, 12) if steep else draw.size(0.5, 2))
        name = machine.part(f"r{i}", kind, length=length, **_line(draw, kind, stiff))
        if before is not None:
            machine.join("Pin" if kind == "String" and before == GROUND else "Fixed", before, (name, 0.0))
        before = (name, length)
        if draw.chance(0.5):
            body = f"m{i}"
            if kind == "Shaft":
                machine.part(body, "RigidBody", m=draw.size(0.1, 3), I=draw.size(0.01, 3))
            else:
                machine.part(body, "Mass", m=draw.size(0.1, 3))
            machine.join("Fixed", before, (body,))
            before = (body,)
    held = draw.chance(0.4)
    if held and before is not None:
        machine.join("Fixed", GROUND, before)
    name = draw.pick([one for one in machine.parts if machine.parts[one][0] == kind])
    length = machine.length(name)
    inside = round(length * draw.uniform(0.2, 0.8), 3)
    place = (name, inside if held else draw.pick([length, inside]))
    if kind == "Shaft":
        machine.load("Torque", place, value="F", about="x")
    else:
        machine.load("Force", place, value="F", along="x" if kind == "Rod" else "y")


def _line(draw: Draw, kind: str, stiff: float) -> dict[str, float]:
    if kind == "Shaft":
        return {"GJ": stiff, "rotary_inertia": draw.size(0.1, 10)}
    return {"EA" if kind == "Rod" else "tension": stiff, "rho": draw.size(0.1, 10)}


class Asked:
    """The questions, each answered twice."""

    def __init__(self, machine: Machine, carriers: dict[str, Place], number: int, free: int | None = None) -> None:
        self.machine, self.carriers, self.number, self.free = machine, carriers, number, free
        self._equations: fx.Equations | None = None
        self._modes: fx.Modes | None = None

    @property
    def equations(self) -> fx.Equations:
        if self._equations is None:
            self._model, self.parts = self.machine.built()
            self._equations = fx.derive(self._model)
        return self._equations

    def derive(self) -> str | None:
        str(self.equations)
        return None

    def verify(self) -> str | None:
        certificate = fx.verify(self.equations)
        if not certificate:
            raise Disagreement(str(certificate))
        return None

    def _exact(self) -> fx.Modes:
        if self._modes is None:
            self._modes = fx.modes(self.equations, 5)
        return self._modes

    def modes(self) -> str | None:
        exact, ritz = self._exact(), fx.modes(self.equations, 5, method="ritz")
        words = [f"Not certified: {one.certificate}" for one in (exact, ritz) if not one.certificate]
        size = np.abs(exact.eigenvalues)
        if self.free is not None:
            doubt = [] if exact.certificate else [f"Not certified: {exact.certificate}"]
            agree("zeros", int((size == 0).sum()), self.free, 0, doubt)
        within = 1e-7 * size + 1e-12 * size.max(initial=0.0)
        return agree("eigenvalues", _sorted(ritz.eigenvalues), _sorted(exact.eigenvalues), np.sort(within), words)

    def _frequencies(self, draw: Draw) -> list[float]:
        found = self._exact().frequencies
        elastic = found[found > 0]
        if not len(elastic):
            raise Skipped("There is no elastic mode.")
        return [float(elastic[0] * draw.uniform(0.3, 0.8)), float(elastic[-1] * draw.uniform(0.85, 0.95))]

    def _output(self, draw: Draw) -> tuple[Any, Relative]:
        members = [one for one in self.machine.parts if self.machine.is_member((one,))]
        name = draw.pick(members)
        s = round(self.machine.length(name) * draw.uniform(0.2, 0.9), 3)
        kind = self.machine.parts[name][0]
        fieldname = {"Rod": "u", "Shaft": "phi", "SpatialBeam": "v"}.get(kind, "w") + f"_{name}"
        towards = (1, 0, 0) if kind in ("Rod", "Shaft") else (0, 1, 0)
        place = self.parts[name].at(s)
        return (place, fieldname), Relative((name, s), self.carriers[name], towards, turns=kind == "Shaft")

    def response(self) -> str | None:
        equations, machine, draw = self.equations, self.machine, Draw(self.number, "response")
        output, reading = self._output(draw)
        direct = _direct(machine, reading)
        noted = None
        for omega in self._frequencies(draw):
            for kind, place, keywords in machine.loads:
                name = keywords.get("name") or keywords["value"]
                with heard() as words:
                    found = fx.frequency_response(equations, [omega], name, output, values=machine.values)
                force = direct.force(kind, place, keywords)
                scale_rows = [direct.reading(one) for one in _everywhere(machine, self.carriers)]
                expected, *others = direct.response(omega, force, [direct.reading(reading), *scale_rows])
                size = max(abs(one) for one in (expected, *others))
                noted = noted or agree(f"{name} at {omega:.6g}", found[0], expected, 1e-6 * size + 1e-18, words)
        return noted

    def equilibrium(self) -> str | None:
        """Under the loads held constant, where nothing is free to move away."""
        machine = self.machine
        if "f" not in machine.shapes:
            raise Skipped("No load jumps along a member.")
        if np.any(self._exact().frequencies < 1e-12):
            raise Skipped("Something is free to move.")
        output, reading = self._output(Draw(self.number, "equilibrium"))
        shape = {"f": f"{_TINY!r}*({machine.values['f']})"}
        with heard() as words:
            rest = fx.equilibrium(self.equations, values={**shape, "F": 0.0})
        found = along(rest[f"{output[1].partition('_')[0]}_{machine.piece(reading.place)}"], reading.place[1]) / _TINY
        direct = _direct(machine, reading)
        kind, place, keywords = next(one for one in machine.loads if one[0] == "DistributedForce")
        expected, *others = direct.response(
            0.0, direct.force(kind, place, keywords),
            [direct.reading(one) for one in (reading, *_everywhere(machine, self.carriers))],
        )  # fmt: skip
        size = max(abs(one) for one in (expected, *others))
        return agree("deflection", found, expected.real, 1e-6 * size, [*words, *rest.notes])

    def simulate(self) -> str | None:
        """After a pulse far shorter than the run: against the direct solution's own vibrations."""
        machine, draw = self.machine, Draw(self.number, "simulate")
        slowest = self._frequencies(draw)[0]
        output, reading = self._output(draw)
        end, width = draw.pick([3.0, 40.0]) / slowest, draw.pick([0.02, 0.2]) / slowest
        centre = end * draw.uniform(0.2, 0.5)
        push = draw.pick([Box, Bell])(centre, width)
        inputs: dict[str, Any] = {"F": f"{_SMALL}*{push.text}", **({"f": "0"} if machine.shapes else {})}
        t = np.array([0.0, 0.8 * end, end])
        with heard() as words:
            run = fx.simulate(self.equations, t, inputs=inputs, values={}, max_seconds=_PATIENCE)
        if not run.complete:
            raise fx.FlexuraError(run.message)  # the limit of time is kept, and told
        found = np.atleast_2d(run.place(output[0].member, reading.place[1]).T)[_which(output)]
        (coarse, *_), (expected, size, fast) = (
            pushed(one, one.force(*machine.loads[0]), rows, slowest, push, t[1:])
            for one in (_direct(machine, reading, degree) for degree in (14, 24))
            for rows in [[one.reading(where) for where in (reading, *_everywhere(machine, self.carriers))]]
        )
        doubt = np.abs(coarse - expected).max() + fast
        if doubt > 1e-2 * size:
            raise Skipped("The pulse is too short for the direct solution's shapes.")
        return agree(
            "after the pulse", found[1:] / _SMALL, expected[:, 0], 3e-3 * size + 3 * doubt, [*words, *run.notes]
        )


def _which(output: Any) -> int:
    return [one.name for one in output[0].member.fields].index(output[1])


def _direct(machine: Machine, reading: Relative, degree: int = 14) -> Direct:
    """The direct solution, with a cut where the output is read."""
    try:
        extra = Machine(**{**vars(machine), "loads": [*machine.loads, ("Look", reading.place, {})]})
        return Direct(extra, degree)
    except Unsupported as error:
        raise Skipped(str(error)) from None


def _everywhere(machine: Machine, carriers: dict[str, Place]) -> list[Relative]:
    """Places that tell how large the motion is as a whole."""
    return [
        Relative((name, machine.length(name)), GROUND, along, turns)
        for name in carriers if machine.is_member((name,))
        for along, turns in (
            ((1, 0, 0), machine.parts[name][0] == "Shaft"), ((0, 1, 0), False), *[((0, 0, 1), False)] * machine.spatial
        )
    ]  # fmt: skip


def _sorted(values: Any) -> Any:
    return np.array(sorted(values, key=lambda s: (round(abs(s), 9), s.real)))
