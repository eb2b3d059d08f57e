"""Outputs: motions of places and internal loads of members, held against waves solved here, modes and free bodies."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

import flexura as fx

OMEGA = np.array([0.0, 0.7, 3.0, 11.0, 40.0])


def waves(EI, P, J, rho, L, omega):
    """A cantilever whose free end is pushed by 1: w, its slope, moment and shear at x, by four exponentials."""
    roots = np.roots([EI, 0, J * omega**2 - P, 0, -rho * omega**2]) if omega else np.roots([EI, 0, -P])

    def row(x, order):
        if omega:
            return roots**order * np.exp(roots * x)
        plain = np.array([1.0, x, 0, 0] if order == 0 else [0, 1.0, 0, 0] if order == 1 else [0, 0, 0, 0], complex)
        plain[2:] = roots**order * np.exp(roots * x)
        return plain

    def across(x):
        return -EI * row(x, 3) + (P - J * omega**2) * row(x, 1)

    A = np.array([row(0, 0), row(0, 1), row(L, 2), across(L)])
    c = np.linalg.solve(A, np.array([0, 0, 0, 1.0], complex))
    return lambda x: np.array([row(x, 0), row(x, 1), EI * row(x, 2), across(x) - P * row(x, 1)]) @ c


@settings(max_examples=12, deadline=None)
@given(
    st.floats(0.5, 8.0),
    st.floats(0.1, 3.0),
    st.sampled_from([0.0, 1e-3, 0.02]),
    st.floats(0.5, 2.0),
    st.floats(0.0, 1.0),
    st.sampled_from([0.0, 1e-4, 5e-3]),
)
def test_sections_of_a_beam_under_tension_with_damping_and_rotary_inertia(EI, P, J, rho, share, eta):
    L = 1.3
    beam = fx.RayleighBeam(
        "beam", EI=EI, rho=rho, length=L, rotary_inertia=J, axial_force=P, internal_damping=eta, damping=0
    )
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")))
    s = share * L if 0.02 < share < 0.98 else round(share) * L
    asked = [
        fx.Motion(beam.at(s)),
        fx.Motion(beam.at(s), about="z"),
        fx.Internal(beam, s),
        fx.Internal(beam, s, "shear"),
    ]
    omega = OMEGA + 0.013
    found = fx.frequency_response(equations, omega, "F", asked)
    for one, row in zip(omega, found, strict=True):
        exact = waves(EI * (1 + 1j * one * eta), P, J, rho, L, one)(s)
        scale = np.abs(np.array([waves(EI * (1 + 1j * one * eta), P, J, rho, L, one)(x) for x in (0, L / 2, L)])).max(0)
        assert np.all(np.abs(row - exact) <= 1e-8 * scale), (one, row - exact)


def test_a_timoshenko_section_under_tension_is_that_of_its_first_order_form():
    EI, kGA, rho, J, P, L, s = 3.0, 40.0, 1.2, 0.02, 2.5, 1.1, 0.4
    beam = fx.TimoshenkoBeam("b", EI=EI, kGA=kGA, rho=rho, rotary_inertia=J, length=L, axial_force=P)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")))
    omega = np.array([0.5, 6.0, 30.0])
    found = fx.frequency_response(
        equations, omega, "F", [fx.Internal(beam, s, "shear"), fx.Internal(beam, s), fx.Motion(beam.at(s), about="z")]
    )
    for one, row in zip(omega, found, strict=True):
        # w' = (T + kGA phi)/(kGA + P), phi' = M/EI, T' = -rho omega^2 w, M' = -J omega^2 phi - kGA (w' - phi)
        A = np.zeros((4, 4))
        A[0] = [0, kGA / (kGA + P), 1 / (kGA + P), 0]
        A[1, 3], A[2, 0] = 1 / EI, -rho * one**2
        A[3] = [0, -J * one**2 + kGA - kGA**2 / (kGA + P), -kGA / (kGA + P), 0]
        to_end = expm(A * L)
        T0, M0 = np.linalg.solve(to_end[2:, 2:], [1.0, 0.0])
        _, phi, T, M = expm(A * s) @ [0, 0, T0, M0]
        slope = (T + kGA * phi) / (kGA + P)
        assert row == pytest.approx([kGA * (slope - phi), M, phi], rel=1e-9)


def test_rods_shafts_and_strings():
    omega = np.array([0.4, 2.0, 7.0])
    rod = fx.Rod("rod", EA=5.0, rho=2.0, length=1.5)
    found = fx.frequency_response(
        fx.Model(fx.Fixed(fx.ground, rod.start), fx.Force(rod.end, "F", along="x")),
        omega,
        "F",
        fx.Internal(rod, 0.6, "axial"),
    )
    k = omega * np.sqrt(2.0 / 5.0)
    assert found == pytest.approx(np.cos(k * 0.6) / np.cos(k * 1.5), rel=1e-10)
    shaft = fx.Shaft("shaft", GJ=3.0, rotary_inertia=0.5, length=2.0)
    model = fx.Model(fx.Fixed(fx.ground, shaft.start), fx.Torque(shaft.end, "T", about="x"))
    k = omega * np.sqrt(0.5 / 3.0)
    found = fx.frequency_response(model, omega, "T", fx.Internal(shaft, "0.5 m", "torque"))
    assert found == pytest.approx(np.cos(k * 0.5) / np.cos(k * 2.0), rel=1e-10)
    string = fx.String("string", tension=9.0, rho=1.0, length=1.0)
    equations = fx.derive(
        fx.Model(fx.Fixed(fx.ground, string.start), fx.Fixed(fx.ground, string.end), fx.DistributedForce(string, "f"))
    )
    with pytest.raises(fx.FlexuraError, match="string carries no shear; ask for axial"):
        fx.frequency_response(equations, omega, "f", fx.Internal(string, 0.5, "shear"))


def test_in_space_both_planes_and_the_torque():
    beam = fx.SpatialBeam("b", EA=100.0, EIy=2.0, EIz=3.0, GJ=1.5, rho=1.0, rotary_inertia=0.1, length=1.0)
    equations = fx.derive(
        fx.Model(
            fx.Fixed(fx.ground, beam.start),
            fx.Force(beam.end, "Fy", along="y"),
            fx.Force(beam.end, "Fz", along="z"),
            fx.Torque(beam.end, "T", about="x"),
        )
    )
    kinds = ["moment", "shear", "moment_y", "shear_z", "torque", "axial"]
    found = fx.frequency_response(equations, [0.0], ["Fy", "Fz", "T"], [fx.Internal(beam, 0.25, one) for one in kinds])
    # at rest: what lies beyond pushes by the load itself; its moment at the section is r x F
    expected = np.array([[0.75, 0, 0], [1, 0, 0], [0, -0.75, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]])
    assert found[0].real == pytest.approx(expected, abs=1e-9)


def test_what_jumps_is_told_just_before():
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.0, length=1.0)
    equations = fx.derive(
        fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.at(0.5), "F"), fx.Force(beam.end, "G"))
    )
    shear = [fx.Internal(beam, s, "shear") for s in (0, 0.49, 0.5, 0.51, 1.0)]
    found = fx.frequency_response(equations, [0.0], ["F", "G"], shear)[0].real
    assert found == pytest.approx(np.array([[1, 1], [1, 1], [1, 1], [0, 1], [0, 1]]), abs=1e-9)


def test_shapes_of_the_answer():
    beam = fx.TimoshenkoBeam("b", EI=3.0, kGA=40.0, rho=1.2, rotary_inertia=0.02, length=1.1)
    equations = fx.derive(
        fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"), fx.Force(beam.at(0.5), "G"))
    )
    w = [0.5, 1.0, 2.0]
    respond = fx.frequency_response
    assert respond(equations, w, "F", beam.end).shape == (3, 2)
    assert respond(equations, w, "F", (beam.end, "w_b")).shape == (3,)
    assert respond(equations, w, "F", [(beam.end, "w_b")]).shape == (3, 1)
    assert respond(equations, w, ["F"], (beam.end, "w_b")).shape == (3, 1)
    assert respond(
        equations, w, ["F", "G"], [(beam.end, "w_b"), fx.Motion(beam.at(0.3)), fx.Internal(beam, 0)]
    ).shape == (3, 3, 2)
    assert respond(equations, 1.0, ["F", "G"], [fx.Motion(beam.end)]).shape == (1, 2)
    table = respond(equations, w, ["F", "G"], [(beam.end, "w_b"), fx.Motion(beam.at(0.3))])
    for i, load in enumerate(("F", "G")):
        for j, output in enumerate(((beam.end, "w_b"), fx.Motion(beam.at(0.3)))):
            assert np.array_equal(table[:, j, i], respond(equations, w, load, output))
    with pytest.raises(fx.FlexuraError, match=r"has 2 fields, and a list takes one .* write \(b.end, 'w_b'\)"):
        respond(equations, w, "F", [beam.end])


def test_kind_differentiates_motions_only():
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.0, length=1.0)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")))
    asked, w = [fx.Motion(beam.end), fx.Internal(beam, 0)], np.array([0.5, 2.0])
    plain, fast = (fx.frequency_response(equations, w, "F", asked, kind=kind) for kind in ("receptance", "accelerance"))
    assert fast[:, 0] == pytest.approx(-(w**2) * plain[:, 0])
    assert np.array_equal(fast[:, 1], plain[:, 1])


def test_sections_in_a_run_swing_like_those_of_the_mode():
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.5, length=1.3)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start)))
    modes = fx.modes(equations, 1)
    shape, omega = modes.shape(0), modes.frequencies[0]
    t = np.linspace(0, 2.0, 9)
    run = fx.simulate(equations, t, initial={"w_beam": lambda x: 1e-3 * shape.w_beam(x)})
    swing = 1e-3 * np.cos(omega * t)
    for s in (0.0, 0.4, 1.0):
        moment = run[fx.Internal(beam, s, "moment")]
        assert moment == pytest.approx(2.0 * shape("w_beam", s, 2) * swing, abs=2e-6 * abs(moment).max())
    assert run[fx.Motion(beam.end)] == pytest.approx(run.place(beam, 1.3), abs=1e-15)
    assert run[beam.end] == pytest.approx(run.place(beam, 1.3), abs=0)
    turned = run[fx.Motion(beam.end, about="z")]
    assert turned == pytest.approx(shape("w_beam", 1.3, 1) * swing, abs=1e-7 * abs(turned).max())


def test_a_turning_arm_is_followed_round_and_round():
    hub, bob = fx.RigidBody("hub", m=1.0, I=0.3), fx.RigidBody("bob", m=1.0, I=0.1)
    model = fx.Model(
        fx.Slide(fx.ground, hub, along="x", name="x", motion="0.2*t"),
        fx.Revolute(hub, bob.at(-1), name="theta", motion="5*t"),
    )
    t = np.linspace(0, 10, 11)  # so far apart that no unwrapping of angles could tell
    run = fx.simulate(model, t)
    assert run[fx.Motion(bob, about="z")] == pytest.approx(5 * t, abs=1e-9)
    assert run[fx.Motion(bob, about="-z", relative_to=hub)] == pytest.approx(-5 * t, abs=1e-9)
    assert run[fx.Motion(bob, along="x")] == pytest.approx(0.2 * t + np.cos(5 * t) - 1, abs=1e-9)
    seen = run[fx.Motion(hub, along="x", relative_to=bob)]  # in bob's axes the hub stays where it is
    assert seen == pytest.approx(0, abs=1e-9)
    other = run[fx.Motion(fx.ground.at(0, 0), along="y", relative_to=bob)]
    assert other == pytest.approx(np.sin(5 * t) * 0.2 * t, abs=1e-9)


def test_words_that_are_no_outputs_are_refused():
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.0, length=1.0)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")))
    other = fx.EulerBernoulliBeam("other", EI=2.0, rho=1.0, length=1.0)
    cases = [
        (lambda: fx.Motion(beam), "names the member beam; name a place on it"),
        (lambda: fx.Motion(3.0), "which is not a place"),
        (lambda: fx.Motion(beam.end, along="w"), "write 'x', 'y', 'z'"),
        (lambda: fx.Internal(beam, 0.5, "bending"), "use moment, shear, axial"),
        (lambda: fx.Internal(beam.end, 0.5), "is no member"),
        (lambda: fx.Reaction(beam), "is no connection"),
        (lambda: fx.Reaction(fx.Fixed(fx.ground, beam.end), along="x", about="z"), "give one of the two"),
        (lambda: fx.frequency_response(equations, [1.0], "F", fx.Internal(beam, 2.0)), "is not on beam"),
        (
            lambda: fx.frequency_response(equations, [1.0], "F", fx.Internal(other, 0.5)),
            "which the equations do not hold",
        ),
        (lambda: fx.frequency_response(equations, [1.0], "F", fx.Internal(beam, 0, "axial")), "give it EA"),
        (lambda: fx.frequency_response(equations, [1.0], "F", fx.Internal(beam, 0, "torque")), "ask for shear, moment"),
        (lambda: fx.frequency_response(equations, [1.0], [], beam.end), "The list of loads is empty"),
    ]
    for ask, sentence in cases:
        with pytest.raises(fx.FlexuraError, match=sentence):
            ask()
    q = fx.Field("w", length=1.0)
    energies = fx.Lagrangian(density={q: q.t**2 / 2 - q.xx**2 / 2}, boundary={q.at(0): 0, q.slope(0): 0})
    with pytest.raises(fx.FlexuraError):
        fx.frequency_response(energies, [1.0], "w@b", fx.Internal("w", 0.5))
