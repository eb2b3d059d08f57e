"""Responses of frames whose members differ by up to 1e12, each field by itself, against three hundred bits.

A member may be stiff in bending and soft along its axis, or the reverse; none of it may cost digits without a word.
"""

from __future__ import annotations

import warnings

import mpmath as mp
import numpy as np
import pytest

import flexura as fx
from exact_lines import product, uniform
from flexura.solve.exact.asked import Output, augmented
from flexura.solve.exact.line_stiffness import LineStiffness
from flexura.solve.exact.reading import Reader
from flexura.solve.named_loads import NamedLoads
from flexura.solve.values import numbers
from hunt.direct import Direct, Relative
from hunt.draw import Draw
from hunt.machine import GROUND, Along, Machine

g = fx.ground


def stiffness(draw: Draw) -> float:
    return draw.size(*draw.pick([(1.0, 100.0), (1e2, 1e9), (1e9, 1e12)]))


def frame(number: int) -> tuple[Machine, Draw]:
    """Members in a row on a clamp or a pin, bodies between them, a mount at the end; EI and EA are drawn apart."""
    draw, machine = Draw(number, "stiff frames"), Machine()
    before = GROUND
    for name in ("b0", "b1", "b2")[: draw.integer(2, 3)]:
        length, EI = draw.size(0.5, 1.5), stiffness(draw)
        step = round(length * draw.uniform(0.3, 0.7), 3)
        text = f"Piecewise(({EI!r}, x < {step!r}), ({EI * 3!r}, True))"
        stepped = Along(text, lambda s, EI=EI, step=step: EI if s < step else EI * 3, (step,))
        numbers = {"EI": stepped if draw.chance(0.3) else EI, "rho": draw.size(0.3, 3), "length": length}
        numbers |= {"EA": 10 * stiffness(draw)} if draw.chance(0.7) else {}
        kind = draw.pick(["EulerBernoulliBeam", "RayleighBeam"])
        numbers |= {"rotary_inertia": 0.02} if kind == "RayleighBeam" else {}
        machine.part(name, kind, **numbers)
        joint = "Pin" if before == GROUND and draw.chance(0.3) else "Fixed"
        angle = {} if joint == "Pin" or before == GROUND else {"angle": round(draw.uniform(-1.3, 1.3), 2)}
        machine.join(joint, before, (name, 0.0), **angle)
        before = (name, length)
        if draw.chance(0.4):
            machine.part(f"m_{name}", "RigidBody", m=draw.size(0.05, 5), I=draw.size(1e-3, 0.5))
            machine.join("Fixed", before, (f"m_{name}",))
    machine.spring("Spring", GROUND, before, k=draw.size(1, 100), along="y", name="k")
    machine.load("Force", (name, round(0.6 * length, 3)), value="F", along="y")
    return machine, draw


@pytest.mark.parametrize("number", range(6))
def test_against_many_digits_and_alone_as_together(number):
    machine, draw = frame(number)
    model, parts = machine.built()
    equations = fx.derive(model)
    name = draw.pick([one for one in machine.parts if one.startswith("b")])
    at = round(machine.length(name) * draw.uniform(0.2, 0.9), 3)
    reading = Relative((name, at), GROUND, (0, 1, 0))
    output = (parts[name].at(at), f"w_{name}")
    omega = [draw.size(0.01, 1), draw.size(1, 8), 30.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        together = np.asarray(fx.frequency_response(equations, omega, "F", output))
        alone = [fx.frequency_response(equations, [one], "F", output)[0] for one in omega]
    seen = Machine(**{**vars(machine), "loads": [*machine.loads, ("Look", reading.place, {})]})
    direct = Direct(seen, 14)
    force = direct.force(*machine.loads[0])
    places = [Relative((one, machine.length(one)), GROUND, (0, 1, 0)) for one in machine.parts if one[0] == "b"]
    for found, by_itself, one in zip(together, alone, omega, strict=True):
        expected, *others = direct.response(one, force, [direct.reading(place) for place in (reading, *places)])
        size = max(map(abs, (expected, *others)))
        assert abs(found - expected) <= 1e-9 * size, (one, found, expected)
        assert abs(found - by_itself) <= 1e-9 * size


@pytest.mark.parametrize("omega", [1e-4, 1e-2, 0.2, 9.0])
@pytest.mark.parametrize("EI", [1.0, 1e5, 1e10, 1e14])
def test_a_step_in_the_mass_costs_no_digits(EI, omega):
    """Stretches are glued in mixed form, where values and loads are as far apart as inertia and stiffness."""
    beam = fx.EulerBernoulliBeam("b", EI=EI, rho="Piecewise((1.1, x < 0.3), (0.3, True))", length=1.2)
    equations = fx.derive(fx.Model(fx.Fixed(g, beam.start), fx.Force(beam.end, "F")))
    found = fx.frequency_response(equations, [omega], "F", beam.end)[0]
    P = product([uniform(EI, 1.1, 0.3, -(mp.mpf(omega) ** 2)), uniform(EI, 0.3, 0.9, -(mp.mpf(omega) ** 2))])
    M, V = mp.lu_solve(P[2:4, 2:4], mp.matrix([0, -1]))
    exact = float(P[0, 2] * M + P[0, 3] * V)
    assert abs(found / exact - 1) <= 1e-11


@pytest.mark.parametrize("k", [1e3, 1e9, 1e13, 1e15])
def test_a_spring_that_hides_what_is_soft_is_right_or_noted(k):
    """Two masses that a stiff spring ties together, on a soft one: X = F/(k0 - 3 m omega^2) to within 1/k."""
    first, second = fx.Mass("a", m=1.0), fx.Mass("b", m=2.0)
    parts = [fx.Slide(g, first, name="p"), fx.Slide(g, second, name="q"), fx.Spring(g, first, k=1.0)]
    equations = fx.derive(fx.Model(*parts, fx.Spring(first, second, k=k), fx.Force(second, "F")))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = fx.frequency_response(equations, [0.1], "F", "p")[0]
    # m x'' of both, exactly: p = F k/det
    det = (1.0 + k - 0.01) * (k - 0.02) - k * k if k < 1e7 else k * (1.0 - 0.03) - 0.02 * 0.99
    error = abs(found - k / det) / abs(k / det)
    assert error <= 1e-9 or any("lost digits" in str(one.message) for one in caught)
    if caught:
        size = float(str(caught[0].message).split("change it by ")[1].split(" of")[0])
        assert error <= size


@pytest.mark.parametrize("EIz", [50.0, 1e4, 1e8, 1e12])
@pytest.mark.parametrize("EIy", [60.0, 1e6, 1e11])
@pytest.mark.parametrize(("along", "moved"), [("z", "w"), ("y", "v"), ("x", "u")])
def test_what_a_load_does_not_move_is_exactly_zero(along, moved, EIy, EIz):
    """Fields that the line does not couple are not mixed with one another, and cost no digits and no warning."""
    beam = fx.SpatialBeam("b", EA=4e3, EIy=EIy, EIz=EIz, GJ=20.0, rho=1.2, rotary_inertia=0.05, length=0.6)
    body = fx.RigidBody("m", m=0.2, I=(0.5, 0.04, 0.4))
    model = fx.Model(fx.Fixed(g, beam.start), fx.Fixed(beam.end, body), fx.Force(beam.end, "F", along=along))
    equations = fx.derive(model)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = np.asarray(fx.frequency_response(equations, [3.0, 93.0, 500.0], "F", beam.at(0.3)))
    fields = [one.name.partition("_")[0] for one in beam.fields]
    assert np.all(found[:, fields.index(moved)] != 0)
    assert not found[:, [k for k, one in enumerate(fields) if one != moved]].any()


@pytest.mark.parametrize("text", ["3", "3*(1 + x)"])
@pytest.mark.parametrize("damping", [0.0, 1e-3])
def test_couplings_of_a_line_are_those_of_its_stiffness(text, damping):
    """Over ends, the load's amplitude and values read inside: D has entries there, and nowhere else."""
    beam = fx.SpatialBeam(
        "b", EA=4e3, EIy=60.0, EIz=70.0, GJ=20.0, rho=1.2, rotary_inertia=0.05, length=0.6, internal_damping=damping
    )
    load = fx.DistributedForce(beam, "f(x)", along=(0, 2, 1), name="f")
    equations, varying = fx.derive(fx.Model(fx.Fixed(g, beam.start), load)), {"f": text}
    reader = Reader(equations.lagrangian, numbers(equations, varying))
    system = reader.system()
    wide, _ = augmented(system, NamedLoads(reader, varying).find("f", system), Output(np.zeros((0, 0)), (0, 0.02)))
    for line in wide.lines:
        one = LineStiffness(line)
        s = np.array([3.0j, 40.0j])
        assert np.array_equal(one(s, s * s)[0].any(axis=2), one.coupled > 0)
