"""Members that bend far in space, in motion: what every motion keeps, Euler's equations, fx.ExactBeam in a plane."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import flexura as fx
from flexura.model.files.reading import model_of_text

RUBBER = {"EA": 200.0, "EIy": 0.5, "EIz": 0.4, "GJ": 0.3, "rho": 1.0, "length": 1.0, "kGAy": 80.0, "kGAz": 80.0}


def test_energy_and_momentum_of_a_beam_that_flies_and_tumbles() -> None:
    one = fx.ExactSpatialBeam("b", **RUBBER, rotary_inertia=(0.02, 0.01, 0.015))
    start = {"v_b_t": "2*x", "gamma_b_t": 2.0, "w_b_t": "-x", "beta_b_t": -1.0, "u_b_t": 0.3, "alpha_b_t": 0.5}
    run = fx.simulate(fx.Model(one), [0, 0.25, 0.5], initial=start, order=4, elements=1, tolerance=1e-5)
    assert run.energy.error < 1e-7
    assert run.momentum.error < 1e-9


def test_a_stiff_one_tumbles_as_eulers_equations_say() -> None:
    """Torque-free about a middle axis, three parts of a turn; deformations are some 1e-4."""
    L, rho, J = 0.6, 2.0, np.array([0.05, 0.03, 0.04])
    stiff = {"EA": 4e3, "EIy": 4e2, "EIz": 4e2, "GJ": 4e2, "kGAy": 4e3, "kGAz": 4e3}
    one = fx.ExactSpatialBeam("b", rho=rho, length=L, rotary_inertia=tuple(J), **stiff)
    w, end = np.array([0.4, 2.0, 0.3]), 1.0
    start = {"v_b_t": f"{w[2]}*(x - 0.3)", "w_b_t": f"-{w[1]}*(x - 0.3)"}
    start |= {"alpha_b_t": w[0], "beta_b_t": -w[1], "gamma_b_t": w[2]}
    run = fx.simulate(fx.Model(one), [0, end], initial=start, order=2, elements=1, tolerance=1e-5)
    I = J * L + np.array([0, 1, 1]) * rho * L**3 / 12

    def euler(_, y):
        spin, (*vector, real) = y[:3], y[3:]
        turning = (real * spin + np.cross(vector, spin)) / 2
        return [*(-np.cross(spin, I * spin) / I), *turning, -np.dot(vector, spin) / 2]

    y = solve_ivp(euler, (0, end), [*w, 0, 0, 0, 1], rtol=1e-10, atol=1e-10).y[:, -1]
    R = Rotation.from_quat(y[3:]).as_matrix()
    for place, arm in ((one.start, -0.3), (one.end, 0.3)):
        assert run.position(place)[-1] == pytest.approx([0.3, 0, 0] + R[:, 0] * arm, abs=1e-3)


def test_in_a_plane_it_moves_as_fx_exact_beam() -> None:
    section = {"EA": 200.0, "rho": 1.0, "length": 1.0}
    flat = fx.ExactBeam("b", EI=0.4, kGA=80.0, rotary_inertia=0.015, **section)
    stiff = {"EIy": 0.5, "EIz": 0.4, "GJ": 0.3, "kGAy": 80.0, "kGAz": 70.0}
    deep = fx.ExactSpatialBeam("b", rotary_inertia=(0.02, 0.01, 0.015), **stiff, **section)
    ends = []
    for one in (flat, deep):
        model = fx.Model(fx.Fixed(fx.ground, one.start), fx.Force(one.end, "F", along="y"))
        run = fx.simulate(model, [0, 0.2, 0.4], inputs={"F": 1.0}, order=6, elements=1, tolerance=1e-7)
        ends.append(run.position(one.end))
    assert ends[1] == pytest.approx(ends[0], abs=2e-5)


def test_in_a_file_with_a_body_on_a_hinge() -> None:
    text = """
    [parts.rope]
    kind = "ExactSpatialBeam"
    EA = 200.0
    EIy = 0.5
    EIz = 0.4
    GJ = 0.3
    rho = 1.0
    length = 1.0
    [parts.ball]
    kind = "RigidBody"
    m = 0.5
    I = [0.01, 0.02, 0.03]
    [[connections]]
    kind = "Fixed"
    between = ["ground", "rope.start"]
    [[connections]]
    kind = "Fixed"
    between = ["rope.end", "ball"]
    [[loads]]
    kind = "Force"
    at = "ball"
    value = "F"
    along = "z"
    """
    rope = fx.ExactSpatialBeam("rope", EA=200.0, EIy=0.5, EIz=0.4, GJ=0.3, rho=1.0, length=1.0)
    ball = fx.RigidBody("ball", m=0.5, I=(0.01, 0.02, 0.03))
    model = fx.Model(fx.Fixed(fx.ground, rope.start), fx.Fixed(rope.end, ball), fx.Force(ball, "F", along="z"))
    first, second = (fx.equilibrium(one, {"F": 1.0}, order=6) for one in (model_of_text(text), model))
    assert first.place("rope", 1.0) == pytest.approx(second.place(rope, 1.0), abs=1e-12)
