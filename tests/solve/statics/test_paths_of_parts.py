"""Paths of models made of parts: springs along their lines, members with loads by name, positions in space."""

import numpy as np
import pytest
from scipy.optimize import brentq

import flexura as fx


def steep(b: float, h: float, EA: float) -> fx.Model:
    """Two bars over a base of 2 b to a mass at height h that is free in the plane, pressed down by P."""
    mass, l0 = fx.Mass("mass", m=1.0), float(np.hypot(b, h))
    return fx.Model(
        fx.Free(fx.ground.at(0, h), mass, names=("x", "y")),
        fx.Spring(fx.ground.at(-b, 0), mass, k=EA / l0, along="line", free_length=l0),
        fx.Spring(fx.ground.at(b, 0), mass, k=EA / l0, along="line", free_length=l0),
        fx.Force(mass, "P", along="-y"),
    )


def test_a_steep_truss_sways_before_it_snaps() -> None:
    """V_xx = 2 EA/l0 (b^2 + (1 - l0/l) z^2)/l^2 vanishes at l^3 = l0 (l^2 - b^2), before dP/dz does at l^3 = l0 b^2."""
    b, h, EA = 1.0, 3.0, 100.0
    l0 = np.hypot(b, h)

    def load(l: float) -> float:
        return float(2 * EA / l0 * (l0 / l - 1) * np.sqrt(l**2 - b**2))

    sway = brentq(lambda l: l**3 - l0 * (l**2 - b**2), 2.0, l0)
    snap = np.cbrt(l0 * b**2)
    equations = fx.derive(steep(b, h, EA))
    path = fx.equilibrium_path(equations, "P", (-10.0, 2 * load(snap)))
    assert path.limit_points == pytest.approx([load(snap)], rel=1e-9)
    assert path.branch_points[0] == pytest.approx(load(sway), rel=1e-9)
    assert load(sway) < load(snap)
    assert path.position("mass")[0] == pytest.approx([0, h + path["y"][0], 0])
    swaying = fx.equilibrium_path(equations, "P", (0.0, 2 * load(snap)), branch=path.branches[0])
    assert swaying["x"][0] == pytest.approx(0, abs=1e-9)
    k = len(swaying) // 2
    x, z, P = swaying["x"][k], h + swaying["y"][k], swaying.parameter[k]
    assert abs(x) > 0.05
    pulls = [EA / l0 * (np.hypot(b + side * x, z) - l0) / np.hypot(b + side * x, z) for side in (1, -1)]
    assert pulls[0] * (b + x) == pytest.approx(pulls[1] * (b - x), abs=1e-7)
    assert -(pulls[0] + pulls[1]) * z == pytest.approx(P, abs=1e-7)


def cantilever() -> tuple[fx.EulerBernoulliBeam, fx.Equations]:
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.0, length=1.5)
    return beam, fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")))


def test_a_linear_member_has_a_straight_path_and_a_state_with_places() -> None:
    beam, equations = cantilever()
    tip = 0.1 * 1.5**3 / (3 * 2.0)
    rest = fx.equilibrium(equations, {"F": 0.1})
    assert rest.place(beam, 1.5) == pytest.approx(tip, rel=1e-12)
    assert rest.position(beam.end)[1] == pytest.approx(tip, rel=1e-12)
    assert rest.position(beam.end).shape == (3,)
    assert rest.stable
    path = fx.equilibrium_path(equations, "F", (0.0, 0.1))
    assert path.place(beam, 1.5) == pytest.approx(path.parameter / 0.1 * tip, abs=1e-12)
    assert path.position(beam.end).shape == (len(path), 3)
    assert path.position(beam.end)[-1] == pytest.approx(rest.position(beam.end), abs=1e-9)
    assert path.stable.all()


def test_a_support_that_moves_is_a_parameter_like_any_other() -> None:
    """A mass on a spring from a slide that stands at d: displacement control."""
    foot, mass = fx.RigidBody("foot", m=1.0, I=0), fx.Mass("mass", m=2.0)
    model = fx.Model(
        fx.Slide(fx.ground, foot, name="s", motion="d"),
        fx.Slide(foot, mass, name="q"),
        fx.Spring(fx.ground, mass, k=3.0),
        fx.Spring(foot, mass, k=5.0),
    )
    path = fx.equilibrium_path(fx.derive(model), "d", (0.0, 2.0))
    assert path["q"] == pytest.approx(-3 / 8 * path.parameter, abs=1e-12)
    assert path.position("mass")[:, 1] == pytest.approx(5 / 8 * path.parameter, abs=1e-12)


def test_what_hangs_upside_down_is_unstable() -> None:
    rod = fx.RigidBody("rod", m=1.0, I=0.1)
    model = fx.Model(fx.Revolute(fx.ground, rod.at(0, 0.5), name="theta"), fx.Gravity(9.81))
    assert fx.equilibrium(model).stable is True
    above = fx.equilibrium(model, guess={"theta": 3.0})
    assert above["theta"] == pytest.approx(np.pi)
    assert above.stable is False
    assert above.position("rod") == pytest.approx([0, 0.5, 0], abs=1e-9)


def test_loads_that_nothing_holds_are_refused_with_the_limit_load() -> None:
    """A plate on a spring k, pulled by V/(g - y)^2: no state of rest beyond V = 4 k g^3/27."""
    y = fx.Coordinate("y")
    pull = "V/(g - y)**2*Piecewise((1, y < g), (0, True))"
    plate = fx.derive(fx.Lagrangian(kinetic="m*y_t**2/2", potential="k*y**2/2", work={y: pull}))
    known = {"m": 1.0, "k": 3.0, "g": 2.0}
    top = 4 * 3.0 * 8 / 27
    held = fx.equilibrium(plate, {**known, "V": 0.99 * top})
    assert held["y"] < 2 / 3
    path = fx.equilibrium_path(plate, "V", (0.0, 2 * top), known)
    assert path.limit_points[0] == pytest.approx(top, rel=1e-9)
