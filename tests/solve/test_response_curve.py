"""Nonlinear frequency response curves: against closed forms of one harmonic, shooting, exact reductions and runs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx


def duffing(c=0.1, k=1.0, k3=1.0):
    q, F = fx.Coordinate("q"), fx.Input("F")
    energies = {"kinetic": q.t**2 / 2, "potential": k * q**2 / 2 + k3 * q**4 / 4, "dissipation": c * q.t**2 / 2}
    return fx.derive(fx.Lagrangian(**energies, work={q: F}))


@pytest.mark.filterwarnings("ignore:Harmonics and polynomials")
@settings(max_examples=6, deadline=None)
@given(st.floats(0.05, 0.3), st.floats(0.5, 2.0), st.floats(0.0, 1.0), st.floats(0.1, 0.3))
def test_one_harmonic_is_that_of_the_textbook(c, k, k3, F):
    """((k - w^2 + 3 k3 A^2/4)^2 + (c w)^2) A^2 = F^2 (Nayfeh & Mook 1979, 4.1), a cubic in A^2 at each frequency."""
    curve = fx.response_curve(duffing(c, k, k3), {"F": F}, "q", (0.4, 3.0), harmonics=1)
    w, A = curve.omega, curve.amplitude
    assert ((k - w**2 + 0.75 * k3 * A**2) ** 2 + (c * w) ** 2) * A**2 == pytest.approx(F**2, rel=1e-9)
    for limit in curve.limit_points:  # two of the roots fall together
        roots = np.roots([0.5625 * k3**2, 1.5 * k3 * (k - limit**2), (k - limit**2) ** 2 + (c * limit) ** 2, -(F**2)])
        apart = abs(roots[:, None] - roots) + np.eye(3) * 10
        assert apart.min() < 1e-3 * abs(roots).max()
    assert (w[0], w[-1]) == (0.4, 3.0)


def test_duffings_oscillator_jumps_where_a_multiplier_is_one():
    equations = duffing()
    curve = fx.response_curve(equations, {"F": 0.3}, "q", (0.5, 2.2))
    assert curve.error < 1e-7
    assert curve.limit_points == pytest.approx([1.77971952, 1.3242362], abs=1e-7)  # one harmonic: 1.7742, 1.3236
    first, second = (int(np.argmin(abs(curve.omega - one))) for one in curve.limit_points)
    assert curve.stable[: first - 1].all()
    assert curve.stable[second + 2 :].all()
    assert not curve.stable[first + 2 : second - 1].any()
    growth = abs(curve.multipliers).max(axis=1)
    for k in (first, second):
        assert growth[k - 3 : k + 4].min() < 1 < growth[k - 3 : k + 4].max()
    for k in (first - 8, (first + second) // 2, second + 8):  # three branches, by shooting
        w, waves = float(curve.omega[k]), curve.harmonics[k]
        turn = 1j * np.arange(len(waves)) * w
        start = {"q": float(waves.real.sum()), "q_t": float((turn * waves).real.sum())}
        shot = fx.periodic_response(equations, {"F": f"0.3*cos({w!r}*t)"}, "q", 2 * np.pi / w, start=start)
        assert shot.harmonics[:6] == pytest.approx(waves[:6], abs=1e-7)
        assert np.sort(abs(shot.multipliers)) == pytest.approx(np.sort(abs(curve.multipliers[k])), abs=1e-6)
        assert shot.stable == curve.stable[k]
    backwards = fx.response_curve(equations, {"F": 0.3}, "q", (2.2, 0.5))
    assert backwards.limit_points == pytest.approx(curve.limit_points[::-1], abs=1e-7)


def test_duffings_beam():
    """A pinned beam that stretches, under a load like a sine: w = q sin(pi x/l) with q'' + c q' + k q + k3 q^3 = F."""
    w = fx.Field("w", length=1.0)
    u = fx.Field("u", spine=w)
    EI, EA, c, light = 1.0, 300.0, 0.6, 1e-7
    bent = f"w_t**2/2 + {light}*u_t**2/2 - {EI}*w_xx**2/2 - {EA}*(u_x + w_x**2/2)**2/2"
    beam = fx.derive(
        fx.Lagrangian(
            density={w: bent},
            dissipation_density={w: f"{c}*w_t**2/2"},
            work_density={w: fx.Input("f") * fx.sin(fx.pi * fx.x)},
            boundary={w.at(0): 0, w.at(1.0): 0, u.at(0): 0, u.at(1.0): 0},
        )
    )
    between = (9.5, 18.0)
    curve = fx.response_curve(beam, {"f": 1.5}, "w_x@a", between, order=7)
    same = fx.response_curve(duffing(c, EI * np.pi**4, EA * np.pi**4 / 4), {"F": 1.5}, "q", between, harmonics=9)
    assert len(same.limit_points) == 2
    assert curve.limit_points == pytest.approx(same.limit_points, rel=2e-5)
    assert curve.amplitude.max() == pytest.approx(np.pi * same.amplitude.max(), rel=1e-3)  # each at its own points


def cubic_tip(damping=2.0):
    beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.0, damping=damping)
    model = fx.Model(
        fx.Fixed(fx.ground, beam.start),
        fx.Spring(fx.ground, beam.end, law="5*s**3", along="y"),
        fx.Force(beam.end, "F"),
    )
    return fx.derive(model), beam


def test_members_settle_to_their_periodic_response():
    equations, beam = cubic_tip()
    steady = fx.periodic_response(equations, {"F": "0.6*cos(3*t)"}, [beam.end, fx.Internal(beam, 0)])
    assert steady.stable
    assert steady.error < 1e-6
    assert abs(steady.multipliers).max() < 1
    after = 12 * steady.period
    run = fx.simulate(equations, np.concatenate([[0.0], after + steady.t[::32]]), inputs={"F": "0.6*cos(3*t)"})
    assert run.place(beam, 1.0)[1:] == pytest.approx(
        np.asarray(steady)[::32, 0], abs=2e-4 * float(abs(steady[:, 0]).max())
    )
    third = abs(steady.harmonics[3] / steady.harmonics[1])
    assert third[0] > 1e-3  # it is not linear
    with pytest.raises(fx.FlexuraError, match=r"leave start out; fx\.response_curve"):
        fx.periodic_response(equations, {"F": "cos(3*t)"}, beam.end, start={"w": 1.0})


def test_a_linear_beam_has_its_frequency_response():
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.0, length=1.0, damping=0.5)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")))
    outputs = [beam.end, fx.Internal(beam, 0)]
    curve = fx.response_curve(equations, "F", outputs, (4.0, 6.0))
    exact = fx.frequency_response(equations, curve.omega, "F", outputs)
    assert curve.harmonics[:, :, 1] == pytest.approx(np.asarray(exact), rel=1e-6)
    assert curve.amplitude == pytest.approx(abs(np.asarray(exact)), rel=1e-6)
    assert abs(curve.multipliers).max(axis=1) == pytest.approx(np.exp(-0.5 * np.pi / curve.omega), rel=1e-6)
    assert not len(curve.limit_points)


def test_what_has_no_curve_says_so():
    equations = duffing()
    for load, between, sentence in [
        ("G", (1.0, 2.0), "There is no load 'G'; there are F"),
        ("F", (1.0, 1.0), "two different positive frequencies"),
        ({"F": "cos(t)"}, (1.0, 2.0), "give its amplitude"),
    ]:
        with pytest.raises(fx.FlexuraError, match=sentence):
            fx.response_curve(equations, load, "q", between)
    with pytest.raises(fx.FlexuraError, match="There is no output 'y'"):
        fx.response_curve(equations, "F", "y", (1.0, 2.0))
    with pytest.raises(fx.FlexuraError, match="from 1 to 32"):
        fx.response_curve(equations, "F", "q", (1.0, 2.0), harmonics=0)
    foot, mass = fx.RigidBody("foot", 1, 0), fx.Mass("m", 1.0)
    shaken = fx.Model(
        fx.Slide(fx.ground, foot, motion="zr(t)"), fx.Slide(foot, mass, name="y"), fx.Spring(foot, mass, law="s**3")
    )
    with pytest.raises(fx.FlexuraError, match=r"prescribed motion.*fx\.periodic_response"):
        fx.response_curve(shaken, "zr", "y", (1.0, 2.0))
