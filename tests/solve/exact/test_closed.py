"""Closed forms of uniform lines against Galerkin stretches, which share nothing with them but the energies."""

from __future__ import annotations

import math
import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.solve.exact.closed import closed_line
from flexura.solve.exact.line_stiffness import LineStiffness
from flexura.solve.exact.reading import read_linear

CASES = int(os.environ.get("FLEXURA_EXACT_CASES", "25"))


def line_of(equations, values=None):
    return read_linear(equations, {**equations.values, **(values or {})}).lines[0]


def of_member(member):
    return line_of(fx.derive(fx.Model(fx.Fixed(fx.ground, member.start), foreshortening=False)))


def twisting_beam(offset=0.1):
    """Bending and torsion coupled by a mass centre off the axis: three values at each end."""
    w = fx.Field("w", length=1.0)
    phi = fx.Field("phi", spine=w)
    kinetic = ((w.t + offset * phi.t) ** 2 + 0.02 * phi.t**2) / 2
    return line_of(fx.derive(fx.Lagrangian(density={w: kinetic - w.xx**2 / 2 - 0.3 * phi.x**2 / 2})))


def carried_beam():
    """A beam on a moving base: the base's coordinate enters along the line, as in Example One."""
    a = fx.RigidBody("a", m=3.0, I=0)
    b = fx.EulerBernoulliBeam("b", EI=50.0, rho=1.2, length=1.3)
    model = fx.Model(fx.Slide(fx.ground, a), fx.Fixed(a, b.start), fx.Spring(fx.ground, a, k=9.0), measured_from={b: a})
    return line_of(fx.derive(model))


LINES = {
    "beam": lambda: of_member(fx.EulerBernoulliBeam("b", EI=2.0, rho=1.5, length=1.3, EA=300.0)),
    "beam under tension on a foundation": lambda: of_member(
        fx.EulerBernoulliBeam("b", EI=2.0, rho=1.5, length=1.3, axial_force=30.0, foundation=40.0)
    ),
    "beam under pressure": lambda: of_member(
        fx.EulerBernoulliBeam("b", EI=2.0, rho=1.5, length=1.3, axial_force=-9.0, foundation=40.0)
    ),
    "damped beam": lambda: of_member(
        fx.EulerBernoulliBeam("b", EI=2.0, rho=1.5, length=1.3, damping=0.7, internal_damping=1e-3)
    ),
    "Rayleigh": lambda: of_member(fx.RayleighBeam("b", EI=1.0, rho=1.0, rotary_inertia=0.02, length=1.0)),
    "Timoshenko": lambda: of_member(fx.TimoshenkoBeam("b", EI=1.0, kGA=60.0, rho=1.0, rotary_inertia=0.02, length=1.0)),
    "shaft": lambda: of_member(fx.Shaft("s", GJ=2.0, rotary_inertia=0.3, length=1.0)),
    "string": lambda: of_member(fx.String("s", tension=2.0, rho=0.3, length=1.0)),
    "spatial": lambda: of_member(
        fx.SpatialBeam("s", EA=100.0, EIy=2.0, EIz=3.0, GJ=4.0, rho=1.0, rotary_inertia=0.1, length=1.0)
    ),
    "bending with torsion": twisting_beam,
    "carried": carried_beam,
}


def compare(line, omega, damped=False, tolerance=1e-9):
    """D and J_0 of the closed form and of stretches glued in pairs, at the same frequency."""
    closed, glued = closed_line(line), LineStiffness(line)
    assert closed is not None
    s = 1j * omega + (0.01 * omega if damped else 0)
    s2 = s * s if damped else -(omega**2)
    at = s if damped else None
    solutions = closed.at(at, s2)
    level = glued.finest(at, s2)
    D, count = glued.glued(at, s2, level)
    D = np.moveaxis(D, 2, 0)
    with np.errstate(all="ignore"):
        mine = np.moveaxis(closed.stiffness(solutions, at, s2), 2, 0)
    size = np.sqrt(np.abs(np.einsum("pii->pi", D))) + 1e-300
    error = (np.abs(mine - D) / (size[:, :, None] * size[:, None, :])).max(axis=(1, 2))
    assert np.median(error) < tolerance  # beside a pole both lose digits
    if not damped and level:
        np.testing.assert_array_equal(glued(None, s2)[1], count)


@pytest.mark.parametrize("name", LINES)
@pytest.mark.parametrize("omega", [20.0, 150.0, 1100.0])
def test_closed_form_is_the_glued_one(name, omega):
    line = LINES[name]()
    compare(line, omega * np.linspace(1, 1.37, 7), damped=bool(np.any(line.constant[1])))


def test_at_the_cut_off_nothing_happens():
    line = LINES["Timoshenko"]()
    cut_off = math.sqrt(60 / 0.02)
    compare(line, cut_off * (1 + np.array([-1e-9, -1e-15, 0.0, 1e-15, 1e-9])), tolerance=1e-12)


def test_high_frequencies_do_not_overflow():
    line = LINES["beam"]()
    D, count = LineStiffness(line)(None, -(np.array([1e6, 1e9]) ** 2))
    assert np.all(np.isfinite(D))
    k = np.sqrt(np.array([1e6, 1e9])) * (1.5 / 2.0) ** 0.25 * 1.3
    axial = np.floor(np.array([1e6, 1e9]) * 1.3 * math.sqrt(1.5 / 300) / math.pi)
    np.testing.assert_array_equal(count - axial, np.floor(k / math.pi - 0.5))  # clamped-clamped: k = (n + 1/2) pi


def test_lines_without_a_closed_form_say_so():
    tapered = fx.EulerBernoulliBeam("b", EI=50 * (1 - fx.x / 2), rho=2.0, length=1.0)
    assert closed_line(of_member(tapered)) is None
    w = fx.Field("w", length=1.0)
    pipe = fx.Lagrangian(density={w: w.t**2 / 2 + w.t * w.x - w.xx**2 / 2}, boundary={w.at(0): 0, w.at(1.0): 0})
    assert closed_line(line_of(fx.derive(pipe))) is None


def numbers(low, high):
    return st.integers(round(1000 * low), round(1000 * high)).map(lambda n: n / 1000)


@settings(max_examples=CASES, deadline=None, database=None, derandomize="FLEXURA_EXACT_CASES" not in os.environ)
@given(
    EI=numbers(0.1, 10),
    kGA=numbers(5, 500),
    rho=numbers(0.2, 5),
    J=numbers(0.001, 0.5),
    force=numbers(-2, 20),
    ground=numbers(0, 50),
    omega=numbers(5, 400),
    shear=st.booleans(),
)
def test_any_beam(EI, kGA, rho, J, force, ground, omega, shear):
    w = fx.Field("w", length=1.0)
    phi = fx.Field("phi", spine=w)
    density = rho * w.t**2 / 2 - force * w.x**2 / 2 - ground * w**2 / 2
    if shear:
        density += J * phi.t**2 / 2 - EI * phi.x**2 / 2 - kGA * (w.x - phi) ** 2 / 2
    else:
        density += J * w.xt**2 / 2 - EI * w.xx**2 / 2
    compare(line_of(fx.derive(fx.Lagrangian(density={w: density}))), omega * np.linspace(1, 1.2, 5), tolerance=1e-8)
