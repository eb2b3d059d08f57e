"""Mechanisms: rigid kinematics by differences, joints that hold, and the elastic response beside other models."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx

LINKAGES = {
    "slider-crank": fx.slider_crank(0.1, 0.35, "3*t + t**2", offset=0.02),
    "four-bar": fx.four_bar(0.4, 0.1, 0.35, 0.3, "2*t - t**2/3"),
    "crossed four-bar": fx.four_bar(0.4, 0.1, 0.35, 0.3, "2*t", branch=-1),
    "arm": fx.rotating_arm("sin(2*t)"),
}


@pytest.mark.parametrize("name", LINKAGES)
def test_velocities_and_accelerations_are_those_of_the_poses(name):
    linkage, t, h = LINKAGES[name], 0.7, 1e-4
    for body in linkage.names:
        motion = linkage.motion(body)

        def angle(time, motion=motion):
            R = motion.axes(time)
            return np.arctan2(R[1, 0], R[0, 0])

        now = motion.at(t)
        assert now.omega[2] == pytest.approx((angle(t + h) - angle(t - h)) / (2 * h), abs=1e-6)
        assert now.epsilon[2] == pytest.approx((angle(t + h) - 2 * angle(t) + angle(t - h)) / h**2, abs=1e-5)
        second = (motion.origin(t + h) - 2 * motion.origin(t) + motion.origin(t - h)) / h**2
        assert motion.axes(t) @ now.a0 == pytest.approx(second, abs=1e-5)


def test_the_bodies_of_a_linkage_meet():
    t = 0.9
    for linkage, joints in (
        (LINKAGES["slider-crank"], [("crank", 0.1, "rod", 0.0), ("rod", 0.35, "slider", 0.0)]),
        (LINKAGES["four-bar"], [("crank", 0.1, "coupler", 0.0), ("coupler", 0.35, "rocker", 0.3)]),
        (LINKAGES["crossed four-bar"], [("crank", 0.1, "coupler", 0.0), ("coupler", 0.35, "rocker", 0.3)]),
    ):
        for first, a, second, b in joints:
            one, two = linkage.motion(first), linkage.motion(second)
            here = one.origin(t) + one.axes(t) @ [a, 0, 0]
            assert here == pytest.approx(two.origin(t) + two.axes(t) @ [b, 0, 0], abs=1e-12)


def test_a_drive_given_by_samples_is_the_drive_itself():
    times = np.linspace(0, 2, 81)
    sampled = LINKAGES["slider-crank"].with_drive((times, np.sin(times))).motion("rod")
    exact = LINKAGES["slider-crank"].with_drive("sin(t)").motion("rod")
    assert sampled.at(0.73).a0 == pytest.approx(exact.at(0.73).a0, abs=1e-5)


STEEL = {"E": 2.1e11, "G": 8.1e10, "rho": 7800.0, "A": 1e-4, "Iy": 8e-10, "Iz": 8e-10}


def rod(elements: int = 4, **more) -> fx.BeamFrame:
    return fx.BeamFrame([[0, 0, 0], [0.3, 0, 0]], [[0, 1]], fx.Section(**STEEL), **more).refined(elements)


def test_joints_hold_and_the_ledger_closes():
    linkage = fx.slider_crank(0.1, 0.3, "60*t")
    crank = fx.BeamFrame([[0, 0, 0], [0.1, 0, 0]], [[0, 1]], fx.Section(**STEEL), supports={0: "all"})
    mechanism = fx.Mechanism(
        linkage,
        {"crank": crank, "rod": rod(2, bodies={1: (0.4, 0.0)})},
        [fx.Joint(("crank", 1), ("rod", 0)), fx.Joint(("rod", 1), along="x")],
    )
    run = fx.simulate(mechanism, np.linspace(0, 0.004, 81), initial="static", step=5e-5)
    assert run["rod"].position(0) == pytest.approx(run["crank"].position(1), abs=1e-12)
    assert np.abs(run["rod"].position(1)[:, 1]).max() < 1e-12  # the slider stays on its line
    assert np.abs(run["rod"]["v2"]).max() > 1e-6
    assert run.energy.error < 1e-7
    moved = run["rod"]["v2"]
    rate = np.gradient(moved, run.t)
    assert run["rod"]["v2_t"][5:-5] == pytest.approx(rate[5:-5], abs=0.05 * np.abs(rate).max())


def test_a_four_bar_with_three_elastic_members_stays_closed():
    lengths = {"crank": 0.1, "coupler": 0.35, "rocker": 0.3}
    bars = {
        name: fx.BeamFrame([[0, 0, 0], [length, 0, 0]], [[0, 1]], fx.Section(**STEEL), supports=held)
        for (name, length), held in zip(lengths.items(), ({0: "all"}, {}, {0: "u v w alpha beta"}), strict=True)
    }
    joints = [fx.Joint(("crank", 1), ("coupler", 0)), fx.Joint(("coupler", 1), ("rocker", 1))]
    mechanism = fx.Mechanism(fx.four_bar(0.4, *lengths.values(), "50*t"), bars, joints)
    runs = [
        fx.simulate(mechanism, np.linspace(0, 4e-3, 41), coefficients=kind, step=5e-5) for kind in ("varying", "frozen")
    ]
    for run in runs:
        assert run["coupler"].position(1) == pytest.approx(run["rocker"].position(1), abs=1e-12)
        assert run["coupler"].position(0) == pytest.approx(run["crank"].position(1), abs=1e-12)
    bent = [np.abs(run["crank"]["v1"]) for run in runs]
    assert bent[0].max() > 1e-8
    assert np.abs(bent[0] - bent[1]).max() < 0.02 * bent[0].max()
    assert runs[0].energy.error < 1e-6


def test_given_motions_take_the_place_of_a_linkage():
    """Two members whose frames turn alike and meet in a joint are one frame of both."""
    turning = fx.MovingFrame.turning("z", "40*t**2")
    whole = fx.BeamFrame(
        [[0, 0, 0], [0.3, 0, 0], [0.5, 0.1, 0], [0.3, 0, 0]], [[0, 1], [3, 2]], fx.Section(**STEEL), {0: "all"},
        links={(1, 3): "u v w"}, springs={2: {"v": 1e5, "w": 1e5, "alpha": 10.0}, 3: {"beta": 10.0}},
    )  # fmt: skip
    root = fx.BeamFrame([[0, 0, 0], [0.3, 0, 0]], [[0, 1]], fx.Section(**STEEL), {0: "all"})
    tip = fx.BeamFrame(
        [[0.3, 0, 0], [0.5, 0.1, 0]], [[0, 1]], fx.Section(**STEEL),
        springs={1: {"v": 1e5, "w": 1e5, "alpha": 10.0}, 0: {"beta": 10.0}},
    )  # fmt: skip
    mechanism = fx.Mechanism(
        {"root": turning, "tip": turning}, {"root": root, "tip": tip}, [fx.Joint(("root", 1), ("tip", 0))]
    )
    t = np.linspace(0, 0.02, 9)
    both = fx.simulate(mechanism, t, step=2e-4, geometric=False)
    one = fx.simulate(whole, t, body=turning, step=2e-4, geometric=False)
    assert both["tip"]["v1"] == pytest.approx(one["v2"], rel=1e-6, abs=1e-9 * np.abs(one["v2"]).max())


def test_an_arm_given_as_a_mechanism_is_the_frame_on_its_moving_body():
    arm = rod(3, supports={0: "all"})
    t = np.linspace(0, 0.1, 11)
    mechanism = fx.Mechanism(fx.rotating_arm("40*t**2"), {"arm": arm})
    first = fx.simulate(mechanism, t, step=1e-3)["arm"]["v1"]
    second = fx.simulate(arm, t, body=fx.MovingFrame.turning("z", "40*t**2"), step=1e-3)["v1"]
    assert first == pytest.approx(second, rel=1e-9, abs=1e-15)


def test_frozen_and_varying_coefficients_agree_on_a_fast_slider_crank():
    held = rod(2, supports={0: "u v w alpha beta"}, bodies={1: (0.2, 0.0)}, damping=(0.0, 2e-5))
    mechanism = fx.Mechanism(fx.slider_crank(0.1, 0.3, "120*t"), {"rod": held}, [fx.Joint(("rod", 1), along="x")])
    t = np.linspace(0, 0.02, 101)
    runs = {
        kind: fx.simulate(mechanism, t, coefficients=kind, step=5e-5)["rod"]["v2"] for kind in ("varying", "frozen")
    }
    size = np.abs(runs["varying"]).max()
    assert size > 1e-5
    assert np.abs(runs["varying"] - runs["frozen"]).max() < 0.02 * size


def test_a_torque_moves_the_rigid_linkage_and_energy_is_kept():
    """Coasting, J theta_t^2/2 stays; under a constant torque it grows by torque x angle; an arm is a pendulum."""
    section = fx.Section(**STEEL)
    mechanism = fx.Mechanism(
        fx.slider_crank(0.1, 0.3, 0), {"rod": rod(1, bodies={1: (0.2, 0.0)}, supports={0: "u v w alpha beta"})}
    )
    others = {"crank": (0.5, 0.05, 1e-3)}

    def kinetic(moved, t):
        """By particles: rod, its end mass and the crank."""
        total, h = 0.0, 1e-6
        body = moved.bodies["rod"]
        x = (np.arange(200) + 0.5) / 200 * 0.3
        for m, r in ((7800.0 * 1e-4 * 0.3 / 200, x), (0.2, np.array([0.3]))):
            at = [body.origin(s) + np.outer(r, body.axes(s)[:, 0]) for s in (t - h, t + h)]
            total += m * np.sum(((at[1] - at[0]) / (2 * h)) ** 2) / 2
        rate = moved.motions.drive(t)[1]
        sections = 7800.0 * 8e-10 * 0.3 * body.at(t).omega[2] ** 2 / 2
        return total + sections + (1e-3 + 0.5 * 0.05**2) * rate**2 / 2

    coasting = mechanism.driven((0, 1.0), rate=8.0, rigid=others)
    assert [kinetic(coasting, t) for t in (0.3, 0.9)] == pytest.approx([kinetic(coasting, 1e-5)] * 2, rel=2e-5)
    pushed = mechanism.driven((0, 1.0), torque="0.3", rate=8.0, rigid=others)
    work = 0.3 * (pushed.motions.drive(0.9)[0] - pushed.motions.drive(0.1)[0])
    assert kinetic(pushed, 0.9) - kinetic(pushed, 0.1) == pytest.approx(work, rel=1e-3)
    arm = fx.BeamFrame([[0, 0, 0], [0.3, 0, 0]], [[0, 1]], section, supports={0: "all"})
    swinging = fx.Mechanism(fx.rotating_arm(0, gravity=(0, -9.81, 0)), {"arm": arm}).driven(
        (0, 1.0), theta=-np.pi / 2 + 0.01
    )
    rho, A, I = 7800.0, 1e-4, 8e-10
    natural = np.sqrt(rho * A * 9.81 * 0.3**2 / 2 / (rho * A * 0.3**3 / 3 + rho * I * 0.3))
    assert swinging.motions.drive(0.7)[0] == pytest.approx(-np.pi / 2 + 0.01 * np.cos(natural * 0.7), abs=1e-6)
    run = fx.simulate(swinging, np.linspace(0, 0.02, 5), step=1e-3)
    assert np.abs(run["arm"]["v1"]).max() < 1e-3


RAISES = {
    "no member": (lambda: fx.Mechanism(fx.rotating_arm("t"), {}), "no elastic member; give one frame"),
    "no such body": (lambda: fx.Mechanism(fx.rotating_arm("t"), {"rod": rod(1)}), "no body 'rod'; it has arm"),
    "no such node": (
        lambda: fx.Mechanism(fx.rotating_arm("t"), {"arm": rod(1)}, [fx.Joint(("arm", 7), along="x")]),
        "names node 7 of 'arm'",
    ),
    "held at a joint": (
        lambda: fx.Mechanism(
            fx.rotating_arm("t"), {"arm": rod(1, supports={1: "v"})}, [fx.Joint(("arm", 1), along="x")]
        ),
        "Node 1 of 'arm' is at a joint, so .*take its support or link away",
    ),
    "half a joint": (lambda: fx.Joint(("arm", 1)), "needs a second member, or the direction"),
    "kind": (lambda: fx.Joint(("arm", 1), along="x", kind="weld"), "say 'pin', 'ball' or 'fixed'"),
    "direction": (lambda: fx.Joint(("arm", 1), along="diagonal"), "say 'x', 'y', 'z' or three numbers"),
    "short rod": (
        lambda: fx.Mechanism(fx.slider_crank(0.4, 0.3, "t"), {"rod": rod(1)}).bodies["rod"].at(1.5),
        "cannot be put together at theta = 1.5: there is no place for the rod",
    ),
    "length": (lambda: fx.slider_crank(-0.1, 0.3, "t"), "The crank has the length -0.1; give a positive number"),
    "drive": (
        lambda: fx.rotating_arm("Omega*t"),
        "The driving angle holds Omega, which has no value; write it with numbers and t only",
    ),
    "no linkage": (
        lambda: fx.Mechanism({"arm": fx.MovingFrame()}, {"arm": rod(1)}).driven((0, 1)),
        "motions are given, so no torque can move it; build it on a Linkage",
    ),
    "beyond": (
        lambda: fx.Mechanism(fx.rotating_arm(0), {"arm": rod(1)}).driven((0, 1)).bodies["arm"].at(3.0),
        "known from 0 to 1, not at t = 3",
    ),
    "loads": (
        lambda: fx.simulate(
            fx.Mechanism(fx.rotating_arm("t"), {"arm": rod(1, supports={0: "all"})}), [0, 1], loads={"leg": {}}
        ),
        "The loads name the member 'leg'; there are arm",
    ),
}


@pytest.mark.parametrize("case", RAISES)
def test_what_cannot_be_is_said(case):
    wrong, sentence = RAISES[case]
    with pytest.raises(fx.FlexuraError, match=sentence):
        wrong()


def halves(rate, kind, cut=0.5, swing=3.0):
    """A bar that turns, whole and in two parts that a joint holds together."""
    section = fx.Section(7e10, 2.7e10, 2700.0, 4e-4, 1.3e-8, 1.3e-8)
    turning = fx.MovingFrame.turning("z", f"{rate}*t + {swing}*sin(5*t)")
    whole = fx.BeamFrame([[0, 0, 0], [cut, 0, 0], [1, 0, 0]], [[0, 1], [1, 2]], section, {0: "all"}).refined(3)
    root = fx.BeamFrame([[0, 0, 0], [cut, 0, 0]], [[0, 1]], section, {0: "all"}).refined(3)
    tip = fx.BeamFrame([[cut, 0, 0], [1, 0, 0]], [[0, 1]], section).refined(3)
    joint = fx.Joint(("root", 1), ("tip", 0), kind=kind)
    return whole, turning, fx.Mechanism({"root": turning, "tip": turning}, {"root": root, "tip": tip}, [joint])


@pytest.mark.parametrize(("rate", "cut"), [(60, 0.3), (150, 0.8)])
def test_welded_halves_are_one_frame(rate, cut):
    """The pull of the outer part stiffens the inner one: without it the deflection is 50% off and more."""
    whole, turning, mechanism = halves(rate, "fixed", cut)
    t = np.linspace(0, 0.02, 11)
    load = {"v2": 30.0, "u2": -2000.0}
    one = fx.simulate(whole, t, body=turning, step=1e-3, loads=load)
    two = fx.simulate(mechanism, t, step=1e-3, loads={"tip": {"v1": 30.0, "u1": -2000.0}})
    assert two["tip"]["v1"] == pytest.approx(one["v2"], rel=1e-9, abs=1e-9 * np.abs(one["v2"]).max())
    plain = fx.simulate(mechanism, t, step=1e-3, geometric=False)
    assert any("geometric=False); those of the rigid motion and of the loads would" in note for note in plain.notes)
    alone = fx.simulate(whole, t, body=turning, step=1e-3, geometric=False)["v2"]
    assert plain["tip"]["v1"] == pytest.approx(alone, rel=1e-6, abs=1e-9 * np.abs(alone).max())
    bent = fx.simulate(whole, t, body=turning, step=1e-3)["v2"]
    assert np.abs(alone - bent).max() > 0.03 * np.abs(bent).max()


def test_frequencies_of_welded_halves_are_those_of_one_frame():
    whole, turning, mechanism = halves(60, "fixed")
    for t in (0.0, 0.03):
        wanted = fx.modes(fx.moving_system(whole, turning, t), 6).frequencies
        assert fx.modes(mechanism.system(t), 6).frequencies == pytest.approx(wanted, rel=1e-9)


def test_notes_of_a_run_claim_steps_in_time_only():
    whole, turning, _ = halves(1, "fixed")
    run = fx.simulate(whole, np.linspace(0, 0.01, 5), body=turning, tolerance=1e-2)
    assert any("Steps in time: displacements hold to about" in note for note in run.notes)
