"""Benchmarks of free vibration that NAFEMS collected, by exact members and by polynomials beside them."""

from __future__ import annotations

import math

import pytest
from tests.plain_frames import frequencies

import flexura as fx


def test_the_pin_ended_double_cross() -> None:
    """FV2: eight arms of 5 m, 0.125 m square, E = 200 GPa, 8000 kg/m^3, pinned at their ends (x and y held).

    The lists of the benchmark are theory for arms that bend and stretch: 11.336, 17.709 (8 in all, near 17.7),
    45.345, 57.390 Hz; its tables give the pairs below.
    """
    side, E, density = 0.125, 200e9, 8000.0
    section = {"EI": E * side**4 / 12, "EA": E * side**2, "rho": density * side**2}
    nodes: dict[str, tuple[float, float]] = {"O": (0.0, 0.0)}
    for i in range(8):
        nodes[f"P{i}"] = (5 * math.cos(math.pi * i / 4), 5 * math.sin(math.pi * i / 4))
    members = {f"arm{i}": (f"P{i}", "O") for i in range(8)}
    supports = {f"P{i}": "pinned" for i in range(8)}
    frame = fx.frame(nodes, members, supports, section=section)
    modes = fx.modes(frame, 16)
    table = [11.33625, *[17.68077] * 2, *[17.70938] * 5, 45.34498, *[57.07456] * 2, *[57.38973] * 5]
    assert modes.frequencies / (2 * math.pi) == pytest.approx(table, rel=2e-6)
    other = frequencies(nodes, [(a, b, section) for a, b in members.values()], dict.fromkeys(supports, (0, 1)))
    assert modes.frequencies == pytest.approx(other[:16], rel=1e-9)
    assert "count at every frequency agrees" in str(modes.certificate)


def test_the_cantilever_with_masses_off_its_axis() -> None:
    """FV4: 10 m, diameter 0.5 m, 10 t and 1 t at 2 m on either side of its end, on rigid arms."""
    E, G, density, d = 200e9, 200e9 / 2.6, 8000.0, 0.5
    A, second = math.pi * d**2 / 4, math.pi * d**4 / 64
    beam = fx.SpatialBeam(
        "beam", EA=E * A, EIy=E * second, EIz=E * second, GJ=2 * G * second, rho=density * A, length=10.0,
        rotary_inertia=(2 * density * second, density * second, density * second),
    )  # fmt: skip
    hub = fx.RigidBody("hub", m=0, I=0)
    heavy, light = fx.RigidBody("heavy", m=10e3, I=0), fx.RigidBody("light", m=1e3, I=0)
    model = fx.Model(
        fx.Fixed(fx.ground, beam.start),
        fx.Fixed(beam.end, hub),
        fx.Fixed(hub.at(0, 2.0), heavy),
        fx.Fixed(hub.at(0, -2.0), light),
    )
    modes = fx.modes(model, 6)
    assert modes.frequencies / (2 * math.pi) == pytest.approx([1.723, 1.727, 7.413, 9.972, 18.155, 26.957], rel=2e-4)
    assert modes.frequencies == pytest.approx(fx.modes(model, 6, method="ritz").frequencies, rel=1e-9)


def test_the_deep_beam_on_two_supports() -> None:
    """FV5: 10 m, 2 m square. Its list was made with the first correction for shear and rotary inertia only.

    Timoshenko's beam has the closed form a^4 EI - a^2 w^2 (rho I + EI rho A / kGA) - rho A w^2 + ... = 0 for sin(a x);
    lengthening and twist are those of a rod and a shaft that are held at one end.
    """
    E, G, density, side, length, k = 200e9, 200e9 / 2.6, 8000.0, 2.0, 10.0, 0.85
    A, second = side**2, side**4 / 12
    EI, kGA, rho, J = E * second, k * G * A, density * A, density * second
    beam = fx.TimoshenkoBeam("beam", EI=EI, kGA=kGA, rho=rho, rotary_inertia=J, length=length, EA=E * A)
    modes = fx.modes(fx.Model(fx.Pin(fx.ground, beam.start), fx.Roller(fx.ground, beam.end)), 4).frequencies
    closed = [math.sqrt(E / density) * math.pi / (2 * length)]
    for n in (1, 2, 3):
        a2 = (n * math.pi / length) ** 2
        b = rho * kGA + a2 * (rho * EI + J * kGA)
        closed.append(math.sqrt((b - math.sqrt(b * b - 4 * rho * J * kGA * EI * a2**2)) / (2 * rho * J)))
    assert modes == pytest.approx(sorted(closed), rel=1e-10)
    assert modes / (2 * math.pi) == pytest.approx([42.649, 125.00, 148.31, 284.55], rel=4e-3)
    shaft = fx.Shaft("shaft", GJ=2 * G * second, rotary_inertia=2 * J, length=length)
    twist = fx.modes(fx.Model(fx.Fixed(fx.ground, shaft.start)), 2).frequencies
    assert twist == pytest.approx([math.sqrt(G / density) * math.pi * n / (2 * length) for n in (1, 3)], rel=1e-10)
    assert twist / (2 * math.pi) == pytest.approx([77.542, 233.10], rel=3e-3)
