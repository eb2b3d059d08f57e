"""fx.ExactSpatialBeam at rest: closed forms, published values, fx.ExactBeam in a plane, turns that strain nothing."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import flexura as fx

SLENDER = {"EA": 1e4, "EIy": 1.0, "EIz": 1.0, "GJ": 1.0, "rho": 1.0, "length": 1.0}


def cantilever(*loads, **section):
    one = fx.ExactSpatialBeam("b", **{**SLENDER, **section})
    return one, fx.derive(fx.Model(fx.Fixed(fx.ground, one.start), *(load(one.end) for load in loads)))


@pytest.mark.parametrize("about", ["y", "z"])
def test_a_moment_rolls_it_up(about: str) -> None:
    one, equations = cantilever(lambda end: fx.Torque(end, "M", about=about))
    a = 2 * np.pi
    rest = fx.equilibrium(equations, {"M": a})
    across = np.array([0, 1, 0] if about == "z" else [0, 0, -1])
    assert rest.position(one.end) == pytest.approx([0, 0, 0], abs=1e-9)
    half = (1 - np.cos(a / 2)) / a * across + [np.sin(a / 2) / a, 0, 0]
    assert rest.position(one.at(0.5)) == pytest.approx(half, abs=1e-9)


def test_a_torque_twists_it() -> None:
    """A turn and a half: the quaternion's parts are cosine and sine of half angles, with no limit."""
    one, equations = cantilever(lambda end: fx.Torque(end, "M", about="x"), GJ=2.0)
    rest = fx.equilibrium(equations, {"M": 2 * 3 * np.pi}, order=16)
    alpha, delta = rest.place(one, 0.5)[3], rest.place(one, 0.5)[6]
    assert (1 + delta / 2, alpha / 2) == pytest.approx((np.cos(0.75 * np.pi), np.sin(0.75 * np.pi)), abs=1e-8)
    assert rest.position(one.end) == pytest.approx([1, 0, 0], abs=1e-9)


def test_the_bend_of_bathe_and_bolourchi() -> None:
    section = {"EA": 1e7, "EIy": 1e7 / 12, "EIz": 1e7 / 12, "GJ": 1e7 / 12, "kGAy": 5e6, "kGAz": 5e6}
    bend = {"length": 25 * np.pi, "curvature": (0, 0, 0.01)}
    one, equations = cantilever(lambda end: fx.Force(end, "P", along="z"), **section, **bend)
    start = np.array([np.sqrt(0.5), 1 - np.sqrt(0.5), 0]) * 100
    rest = fx.equilibrium(equations, {"P": 600.0})
    assert rest.position(one.end) - start == pytest.approx([-23.560, -13.605, 53.475], abs=6e-4)


@pytest.mark.parametrize("stiff", [{}, {"kGA": 50.0}])
@pytest.mark.parametrize("plane", ["y", "z"])
def test_in_a_plane_it_is_fx_exact_beam(plane: str, stiff: dict[str, float]) -> None:
    flat = fx.ExactBeam("b", EI=2.0, EA=100.0, rho=1.0, length=1.0, **stiff)
    tip = fx.Force(flat.end, "P"), fx.Force(flat.end, "C", along="-x")
    expected = fx.equilibrium(fx.Model(fx.Fixed(fx.ground, flat.start), *tip), {"P": 5.0, "C": 3.0})
    shear = {f"kGA{plane}": one for one in stiff.values()}
    section = {"EA": 100.0, "EIz" if plane == "y" else "EIy": 2.0, **shear}
    loads = (lambda end: fx.Force(end, "P", along=plane)), (lambda end: fx.Force(end, "C", along="-x"))
    one, equations = cantilever(*loads, **section)
    x, across, _ = expected.position(flat.end)
    found = fx.equilibrium(equations, {"P": 5.0, "C": 3.0}).position(one.end)
    assert found == pytest.approx([x, across, 0] if plane == "y" else [x, 0, across], abs=1e-9)


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 10**6))
def test_turned_as_a_whole_it_stores_what_it_did(seed: int) -> None:
    """Any shape, turned by any rotation, through the double cover too: the same energy, to rounding."""
    draw = np.random.default_rng(seed)
    one = fx.ExactSpatialBeam("b", **{**SLENDER, "kGAy": 300.0, "kGAz": 200.0, "EA": 500.0})
    system = fx.discretise(fx.derive(fx.Model(one)), order=4, elements=2)
    shape = {
        name: 0.3 * draw.normal(size=5) for name in ("u_b", "v_b", "w_b", "delta_b", "alpha_b", "beta_b", "gamma_b")
    }
    e = Rotation.from_rotvec(20 * np.pi * draw.normal(size=3)).as_quat()  # several turns

    def turned(which: str, at):
        d, a, b, g = (np.polyval(shape[f"{name}_b"], at) / 2 for name in ("delta", "alpha", "beta", "gamma"))
        v, real = np.array([a, -b, g]), 1 + d
        moved = e[3] * v + np.outer(e[:3], real) + np.cross(e[:3], v, axis=0)
        own = {"delta_b": 2 * (e[3] * real - e[:3] @ v - 1), "alpha_b": 2 * moved[0]}
        return {**own, "beta_b": -2 * moved[1], "gamma_b": 2 * moved[2]}[which]

    def placed(i: int, at):
        r = np.array([at + np.polyval(shape["u_b"], at), *(np.polyval(shape[f"{one}_b"], at) for one in "vw")])
        return (Rotation.from_quat(e).as_matrix() @ r)[i] - (at if i == 0 else 0)

    before = {name: (lambda at, c=c: np.polyval(c, at)) for name, c in shape.items()}
    after = {f"{name}_b": (lambda at, i=i: placed(i, np.atleast_1d(at))) for i, name in enumerate("uvw")}
    after |= {
        name: (lambda at, n=name: turned(n, np.atleast_1d(at))) for name in ("delta_b", "alpha_b", "beta_b", "gamma_b")
    }
    stored = []
    for shapes in (before, after):
        q, miss = system.fit(0.0, {}, shapes)
        assert miss < 1e-9
        stored.append(system.energies(0.0, q, 0 * q)[1])
    assert stored[1] == pytest.approx(stored[0], rel=1e-10)


def test_modes_about_a_bent_state() -> None:
    """A cantilever bent in a plane: in that plane its modes are those of fx.ExactBeam."""
    flat = fx.ExactBeam("b", EI=2.0, EA=100.0, kGA=60.0, rotary_inertia=0.05, rho=1.0, length=1.0)
    planar = fx.derive(fx.Model(fx.Fixed(fx.ground, flat.start), fx.Force(flat.end, "P")))
    section = {"EA": 100.0, "EIz": 2.0, "EIy": 3.0, "kGAy": 60.0, "kGAz": 60.0, "rotary_inertia": (0.08, 0.03, 0.05)}
    _, equations = cantilever(lambda end: fx.Force(end, "P", along="y"), **section)
    expected = fx.modes(planar, 2, about=fx.equilibrium(planar, {"P": 4.0}), method="ritz").frequencies
    found = fx.modes(equations, 5, about=fx.equilibrium(equations, {"P": 4.0}), method="ritz").frequencies
    for frequency in expected:
        assert np.abs(found / frequency - 1).min() < 1e-6


@pytest.mark.parametrize("force", [1.0, -1.0])
def test_a_load_along_one_that_does_not_stretch_is_refused_and_the_advice_helps(force: float) -> None:
    """With EA far above load and EI/l^2 it is, to their ratio, the inextensible beam in the plane."""

    def tip(beam: Any) -> fx.Model:
        return fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, force, along="x"))

    def rod(EA: float | None) -> fx.Model:
        return tip(fx.ExactSpatialBeam("beam", EA=EA, EIy=2.0, EIz=2.0, GJ=1.0, rho=0.3, length=1.0))

    with pytest.raises(fx.FlexuraError, match="repeat one another at the start") as told:
        fx.equilibrium(fx.derive(rod(None)))
    assert "EA=, far above the loads" in str(told.value)
    plane = fx.derive(tip(fx.ExactBeam("beam", EI=2.0, rho=0.3, length=1.0)))
    expected = fx.modes(plane, 1, about=fx.equilibrium(plane)).frequencies[0]
    stiff = fx.derive(rod(1e6))
    found = fx.modes(stiff, 2, about=fx.equilibrium(stiff)).frequencies
    assert found == pytest.approx([expected, expected], rel=2e-5)
