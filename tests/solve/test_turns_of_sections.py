"""How far and how fast sections turn that turn far in space: against quaternions, axes and differences written here."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import flexura as fx
from flexura.solve.runs.section_turns import by_quaternion, by_vectors, full_turns, vectors_of

SECTION = {"EA": 200.0, "EIy": 0.5, "EIz": 0.4, "GJ": 0.3, "rho": 1.0, "kGAy": 80.0, "kGAz": 70.0}
numbers = st.floats(-2, 2)


@given(start=st.tuples(*[numbers] * 4), rate=st.tuples(*[numbers] * 4), bend=st.tuples(*[numbers] * 4))
@settings(max_examples=40, deadline=None)
def test_rotations_by_quaternions_and_their_rates(start, rate, bend):
    """e(t) of any length, against another program's rotations and their differences."""
    start = np.array(start) + np.array([3.0, 0, 0, 0])  # far from the one that has no direction
    h = 1e-4
    t = np.array([-h, 0.0, h])[:, None]
    e = start + t * np.array(rate) + t**2 / 2 * np.array(bend)
    e_t, e_tt = np.array(rate) + t * np.array(bend), np.tile(bend, (3, 1))
    R, R_t, R_tt = by_quaternion([e, e_t, e_tt])
    direct = Rotation.from_quat(e[:, [1, 2, 3, 0]]).as_matrix()
    size = 1 + np.abs(R_tt).max()
    assert np.abs(R - direct).max() < 1e-12
    assert R_t[1] == pytest.approx((direct[2] - direct[0]) / (2 * h), abs=1e-5 * size**2)
    assert R_tt[1] == pytest.approx((R_t[2] - R_t[0]) / (2 * h), abs=1e-5 * size**2)
    assert Rotation.from_rotvec(vectors_of(e)).as_matrix() == pytest.approx(direct, abs=1e-12)


@given(axis=st.tuples(*[st.floats(0.1, 2)] * 3), angle=st.floats(-3, 3), rate=numbers, more=numbers)
@settings(max_examples=20, deadline=None)
def test_rotations_about_one_axis_and_their_rates(axis, angle, rate, more):
    axis = np.array(axis) / np.linalg.norm(axis)
    half = np.array([angle, rate, more]) / 2
    c, s = np.cos(half[0]), np.sin(half[0])
    e = [(c, s), (-s * half[1], c * half[1]), (-c * half[1] ** 2 - s * half[2], c * half[2] - s * half[1] ** 2)]
    wanted = by_quaternion([np.array([[a, *(b * axis)]]) for a, b in e])
    for seen, one in zip(by_vectors([2 * k * axis[None] for k in half]), wanted, strict=True):
        assert seen == pytest.approx(one, abs=1e-12)
    with pytest.raises(fx.FlexuraError, match="a section that turns in space is not known here; ask relative to"):
        by_vectors([np.array([[1.0, 0, 0]]), np.array([[0, 1.0, 0]]), np.zeros((1, 3))])


def test_full_turns_are_counted_by_rates():
    t = np.linspace(0, 4, 9)
    angle = 0.5 + 7 * t + t**2
    wrapped = np.angle(np.exp(1j * angle))
    assert full_turns(t, wrapped, 7 + 2 * t, "turn") == pytest.approx(angle, abs=1e-12)
    with pytest.warns(UserWarning, match="full turns may be missed; ask for more times"):
        full_turns(t[::8], wrapped[::8], np.array([0.0, 20.0]), "turn")


def test_a_beam_that_spins_freely_about_an_axis_of_space():
    """Round and round: sections turn by the angle about the axis, and at its rate."""
    about = np.array([0.0, 0.6, 0.8])
    spin, length = 8.0, 0.5
    stiff = {"EA": 2e4, "EIy": 2e2, "EIz": 2e2, "GJ": 2e2, "kGAy": 2e4, "kGAz": 2e4}
    beam = fx.ExactSpatialBeam("b", rho=1.0, length=length, rotary_inertia=(0.02, 0.02, 0.02), **stiff)
    start = {"v_b_t": f"{spin * about[2]}*(x - 0.25)", "w_b_t": f"-{spin * about[1]}*(x - 0.25)"}
    start |= {"beta_b_t": -spin * about[1], "gamma_b_t": spin * about[2]}
    t = np.linspace(0, 1.0, 5)  # 2 rad from time to time
    run = fx.simulate(fx.Model(beam), t, initial=start, order=2, elements=1, tolerance=1e-4)
    for place in (beam.start, beam.at(0.2), beam.end):
        turn = fx.Motion(place, about=tuple(about))
        assert run[turn] == pytest.approx(spin * t, abs=2e-2)
        assert run[turn.t] == pytest.approx(np.full(5, spin), abs=5e-2)
    e = run.place(beam, length)
    quaternion = np.column_stack([1 + e[:, 6] / 2, e[:, 3] / 2, -e[:, 4] / 2, e[:, 5] / 2])
    assert np.abs(run[fx.Motion(beam.end, about="z")] - e[:, 5]).max() > 0.1  # the field is no angle
    assert Rotation.from_quat(quaternion[:, [1, 2, 3, 0]]).as_rotvec()[:, 2] == pytest.approx(
        run[fx.Motion(beam.end, about="z")], abs=1e-9
    )


def test_in_a_plane_sections_turn_as_those_of_fx_exact_beam_and_bodies_on_them_too():
    shape = {"rho": 1.0, "length": 1.0, "EA": 200.0}
    flat = fx.ExactBeam("b", EI=0.4, kGA=80.0, rotary_inertia=0.015, **shape)
    deep = fx.ExactSpatialBeam("b", **SECTION | {"kGAy": 80.0}, length=1.0, rotary_inertia=(0.02, 0.01, 0.015))
    runs = []
    for beam in (flat, deep):
        tip = fx.RigidBody("tip", 0.2, 0.01 if beam is flat else (0.01, 0.01, 0.01))
        clamp, weld = fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, tip)
        model = fx.Model(clamp, weld, fx.Torque(tip, "M"))
        run = fx.simulate(model, [0, 0.2, 0.4], inputs={"M": 1.0}, order=8, elements=1, tolerance=1e-7)
        turns = [fx.Motion(place, about="z") for place in (beam.at(0.7), beam.end, tip)]
        turns += [fx.Motion(tip, about="z", relative_to=beam.at(0.7)), fx.Motion(tip, relative_to=beam.at(0.7))]
        runs.append([run[one] for turn in turns for one in (turn, turn.t)])
        moment = run[fx.Reaction(weld, about="z")]  # and what the tip needs to turn as it does
        assert moment == pytest.approx(0.01 * run[fx.Motion(tip, about="z").tt] - 1.0, abs=1e-6)
        runs[-1].append(run[fx.Reaction(clamp, about="z")])
        for about in "xy" if beam is deep else "":
            assert run[fx.Reaction(clamp, about=about)] == pytest.approx(0, abs=1e-12)
    assert np.abs(runs[0][2]).max() > 1
    for k, (wanted, seen) in enumerate(zip(*runs, strict=True)):
        assert seen == pytest.approx(wanted, abs=(2e-4, 4e-3)[k % 2 or k == 10] * max(1, np.abs(wanted).max())), k


def test_what_a_clamp_exerts_where_sections_turn_far_in_space():
    """Moments about the clamp: those of weights at rest in a field of forces, out of every plane."""
    beam = fx.ExactSpatialBeam("b", **SECTION, length=1.0, rotary_inertia=(0.02, 0.01, 0.015), damping=40.0)
    clamp = fx.Fixed(fx.ground, beam.start)
    model = fx.Model(clamp, fx.Force(beam.end, "P", along="y"), fx.Force(beam.end, "Q", along="z"))
    rest = fx.equilibrium(model, values={"P": 0.8, "Q": -0.6}, order=6, elements=1)
    run = fx.simulate(model, [0, 0.01], initial=rest, inputs={"P": 0.8, "Q": -0.6}, order=6, elements=1, tolerance=1e-7)
    assert np.abs(run[fx.Motion(beam.end, about="z")]).max() > 0.5
    arm, force = run.position(beam.end)[0], np.array([0, 0.8, -0.6])
    assert run[fx.Reaction(clamp)][0] == pytest.approx(-force, abs=1e-6)
    moments = [run[fx.Reaction(clamp, about=axis)][0] for axis in "xyz"]
    assert moments == pytest.approx(-np.cross(arm, force), abs=1e-5)
