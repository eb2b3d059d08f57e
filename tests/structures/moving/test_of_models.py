"""Mechanisms whose rigid motion is that of a simulated model, beside the coupled simulation of flexible ones."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx

SLIM = 1e-7


def section(EI: float, rho: float) -> fx.Section:
    return fx.Section(E=EI / SLIM, G=EI / SLIM, rho=rho, A=1.0, Iy=SLIM, Iz=SLIM)


def bar(length: float, EI: float, rho: float, elements: int = 4) -> fx.BeamFrame:
    """A bar whose axes begin at its middle."""
    ends = [[-length / 2, 0, 0], [length / 2, 0, 0]]
    return fx.BeamFrame(ends, [[0, 1]], section(EI, rho), shear=False).refined(elements)


def from_its_end(frame: fx.BeamFrame) -> fx.BeamFrame:
    """The bar with its axes at its start, which is held."""
    return frame.with_(nodes=frame.nodes - frame.nodes[0], supports={0: "all"})


def body_of(name: str, length: float, rho: float) -> fx.RigidBody:
    return fx.RigidBody(name, m=rho * length, I=rho * length**3 / 12 + SLIM * rho * length)


# -- a pendulum let go: nothing is prescribed --------------------------------------------------------------------------

LENGTH, T = 1.0, np.linspace(0, 0.15, 16)


def pendulum(EI: float) -> tuple[fx.Trajectory, fx.RigidBody, fx.Mechanism]:
    arm = body_of("arm", LENGTH, 1.0)
    model = fx.Model(fx.Revolute(fx.ground, arm.at(-LENGTH / 2), name="theta"), fx.Gravity())
    run = fx.simulate(model, np.linspace(0, 0.15, 151), initial={"theta": 0.0})
    return run, arm, fx.Mechanism(run, {"arm": bar(LENGTH, EI, 1.0, 8)})


def test_a_released_pendulum_deviates_as_the_coupled_one_does():
    """Of first order in the deformation; a root held to the rigid path would be wrong however small that is."""
    apart = []
    for EI in (5.0, 20.0):
        beam = fx.EulerBernoulliBeam("beam", EI=EI, rho=1.0, length=LENGTH)
        coupled = fx.Model(fx.Revolute(fx.ground, beam.start, name="theta"), fx.Gravity())
        wanted = fx.simulate(coupled, T, initial={"theta": 0.0}, order=8).position(beam.end)
        run, arm, mechanism = pendulum(EI)
        found = fx.simulate(mechanism, T, step=3e-4)
        rigid = run.position(arm.at(LENGTH / 2))[::10]
        size = np.abs(wanted - rigid).max()
        assert found["arm"].position(1) - rigid == pytest.approx(found.deviation("arm", 1), abs=1e-9 * size + 1e-13)
        apart.append(np.abs(found["arm"].position(1) - wanted).max() / size)
    assert apart[0] < 0.06
    assert apart[1] < 0.3 * apart[0]


# -- a four-bar: a driven rigid crank, an elastic coupler, a heavy rigid rocker ----------------------------------------

GROUND, CRANK, COUPLER, ROCKER, SPEED, RHO = 0.4, 0.1, 0.35, 0.3, 30.0, 0.5
TIMES = np.linspace(0, 0.03, 16)


def four_bar(coupler, start, end):
    crank, rocker = fx.RigidBody("crank", m=0, I=1.0), fx.RigidBody("rocker", m=0.3, I=0.02)
    model = fx.Model(
        fx.Revolute(fx.ground, crank, name="theta", motion=f"{SPEED}*t"),
        fx.Revolute(crank.at(CRANK), start, name="phi"),
        fx.Revolute(fx.ground.at(GROUND), rocker.at(-ROCKER / 2), name="psi"),
        fx.Revolute(end, rocker.at(ROCKER / 2), name="pin"),
    )
    gap = GROUND - CRANK
    phi = np.arccos((COUPLER**2 + gap**2 - ROCKER**2) / (2 * COUPLER * gap))
    psi = np.arctan2(COUPLER * np.sin(phi), CRANK + COUPLER * np.cos(phi) - GROUND)
    return model, {"phi": phi, "psi": psi}


def test_a_rigid_rocker_pushes_an_elastic_coupler_as_in_the_coupled_simulation():
    """Its inertia presses the coupler; left out, deflections are off by 29%."""
    EI = 8.0
    beam = fx.EulerBernoulliBeam("coupler", EI=EI, rho=RHO, length=COUPLER)
    model, initial = four_bar(beam, beam.start, beam.end)
    run = fx.simulate(model, TIMES, initial=initial, order=7)
    wanted = run.place(beam, COUPLER / 2) - run.place(beam, COUPLER) / 2
    rigid = body_of("coupler", COUPLER, RHO)
    model, initial = four_bar(rigid, rigid.at(-COUPLER / 2), rigid.at(COUPLER / 2))
    run = fx.simulate(model, np.linspace(0, 0.03, 151), initial=initial)
    mechanism = fx.Mechanism(run, {"coupler": bar(COUPLER, EI, RHO)})
    found = fx.simulate(mechanism, TIMES, step=2e-4)
    assert list(found) == ["coupler", "crank", "rocker"]
    line = {node: found["coupler"].place(node, "v") for node in (0, 1, 3)}
    midspan = line[3] - (line[0] + line[1]) / 2
    assert np.abs(midspan - wanted).max() < 0.02 * np.abs(wanted).max()
    assert found["rocker"].position(2) == pytest.approx(found["coupler"].position(1), abs=1e-12)
    frozen = fx.simulate(mechanism, np.linspace(0, 0.03, 151), coefficients="frozen", step=2e-4)["coupler"].place(
        3, "v"
    )[::10]
    assert frozen == pytest.approx(line[3], abs=0.02 * np.abs(line[3]).max())
    plain = fx.simulate(mechanism, TIMES, geometric=False, step=2e-4)["coupler"]
    assert np.abs(plain.place(3, "v") - line[3]).max() > 0.1 * np.abs(wanted).max()
    frequencies = [fx.modes(mechanism.system(t), 1).frequencies[0] for t in (0.0, 0.012)]
    assert abs(frequencies[1] - frequencies[0]) > 0.01 * frequencies[0]  # they vary along the trajectory


# -- the same machine, said in two ways --------------------------------------------------------------------------------


def driven_arm(cut: bool):
    """An arm that a motion swings, in one piece or welded of two."""
    half, angle = 0.5, "40*t**2 + 0.3*sin(200*t)"
    pieces = [body_of("near", half, 1.0), body_of("far", half, 1.0)] if cut else [body_of("near", 1.0, 1.0)]
    first, last = pieces[0], pieces[-1]
    parts = [fx.Revolute(fx.ground, first.at(-half / 2 if cut else -half), name="theta", motion=angle)]
    parts += [fx.Fixed(first.at(half / 2), last.at(-half / 2))] if cut else []
    run = fx.simulate(fx.Model(*parts, fx.Gravity()), np.linspace(0, 0.05, 301))
    members = {piece.name: bar(half if cut else 1.0, 30.0, 1.0, 2 if cut else 4) for piece in pieces}
    return fx.simulate(fx.Mechanism(run, members), np.linspace(0, 0.05, 11), step=5e-4), last.name


def test_welded_bodies_are_one_bar_and_a_frame_on_a_moving_body():
    one, name = driven_arm(cut=False)
    two, last = driven_arm(cut=True)
    size = np.abs(one.deviation(name, 1)).max()
    assert two.deviation(last, 1) == pytest.approx(one.deviation(name, 1), abs=1e-7 * size)
    arm = from_its_end(bar(1.0, 30.0, 1.0))
    body = fx.MovingFrame.turning("z", "40*t**2 + 0.3*sin(200*t)", gravity=(0, -9.81, 0))
    alone = fx.simulate(arm, one.t, body=body, step=5e-4)
    assert one[name].place(1, "v") == pytest.approx(alone["v1"], abs=1e-5 * size)


def test_stress_is_that_of_the_moment_and_the_pull():
    """A cantilever under its weight, and a turning one: known section forces, by formulas."""
    held = from_its_end(bar(1.0, 30.0, 1.0))
    hanging = fx.Mechanism({"arm": fx.MovingFrame(gravity=(0, -9.81, 0))}, {"arm": held})
    run = fx.simulate(hanging, [0, 1e-3], initial="static", step=1e-3)
    found = run.resultants("arm")
    x = found.x + _starts(held)
    assert found.Mz == pytest.approx(np.broadcast_to(-9.81 * (1 - x) ** 2 / 2, found.Mz.shape), abs=1e-4)
    assert run.stress("arm", y=-0.01) == pytest.approx(found.Mz * 0.01 / SLIM, rel=1e-9, abs=1e-3)
    turning = fx.Mechanism({"arm": fx.MovingFrame(omega=(0, 0, 20.0))}, {"arm": held})
    pulled = fx.simulate(turning, [0, 1e-3], initial="static", step=1e-3)
    wanted = np.broadcast_to(400 * (1 - x**2) / 2, found.N.shape)
    assert pulled.stress("arm", y=0.01) == pytest.approx(wanted, rel=1e-4, abs=1e-3)


def _starts(frame: fx.BeamFrame) -> np.ndarray:
    """Where the elements of a bar begin along it."""
    return frame.nodes[frame.elements[:, 0], 0][:, None]


def test_torques_and_springs_of_the_model_act_on_the_members():
    """A motor and a spring on a rigid hub: only as much is left for the arm as moves it."""
    hub, arm = fx.RigidBody("hub", m=1.0, I=0.3), body_of("arm", 1.0, 1.0)
    model = fx.Model(
        fx.Revolute(fx.ground, hub, name="theta"),
        fx.Fixed(hub, arm.at(-0.5)),
        fx.Torque(hub, "tau"),
        fx.TorsionSpring(fx.ground, hub, k=5.0),
    )
    run = fx.simulate(model, np.linspace(0, 0.1, 301), inputs={"tau": "3*sin(40*t)"})
    found = fx.simulate(fx.Mechanism(run, {"arm": bar(1.0, 200.0, 1.0)}), np.linspace(0, 0.1, 11))
    beam = fx.EulerBernoulliBeam("beam", EI=200.0, rho=1.0, length=1.0)
    coupled = fx.Model(
        fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub, beam.start), fx.Torque(hub, "tau"),
        fx.TorsionSpring(fx.ground, hub, k=5.0),
    )  # fmt: skip
    wanted = fx.simulate(coupled, found.t, inputs={"tau": "3*sin(40*t)"}, order=6)
    rigid = run["theta"][::30]
    gap = wanted["theta"] - rigid
    assert found["hub"].place(0, "gamma") == pytest.approx(gap, abs=0.05 * np.abs(gap).max())
    assert any("ground_hub" in note and "left out" in note for note in found.notes)


def crank_model(**rod):
    crank, rod = fx.RigidBody("crank", m=1.0, I=1.0), fx.RigidBody("rod", m=0.3, I=0.02)
    model = fx.Model(fx.Revolute(fx.ground, crank, motion="5*t"), fx.Revolute(crank.at(0.1), rod.at(-0.15)))
    return fx.simulate(model, np.linspace(0, 0.1, 51))


SAID = {
    "no such body": (lambda: fx.Mechanism(crank_model(), {"leg": bar(0.3, 1.0, 1.0)}), "its bodies are crank, rod"),
    "no node": (
        lambda: fx.Mechanism(crank_model(), {"rod": bar(0.4, 1.0, 1.0)}),
        r"The frame of 'rod' has no node at \(-0.15, 0, 0\), where the joint",
    ),
    "too few times": (
        lambda: fx.Mechanism(
            fx.simulate(fx.Model(fx.Revolute(fx.ground, fx.RigidBody("a", 1.0, 1.0), motion="t")), [0, 1]), {"a": None}
        ),
        "fewer than five times",
    ),
    "coarse": (
        lambda: fx.Mechanism(
            fx.simulate(
                fx.Model(fx.Revolute(fx.ground, fx.RigidBody("a", 1.0, 1.0), motion="sin(100*t)")),
                np.linspace(0, 1, 21),
            ),
            {"a": None},
        ),
        "accelerations are uncertain by .*; simulate the rigid motion at more times",
    ),
    "a model": (
        lambda: fx.Mechanism(fx.Model(fx.Revolute(fx.ground, fx.RigidBody("a", 1.0, 1.0))), {"a": bar(1, 1, 1)}),
        r"or the run of a rigid model, fx.simulate\(model, t\)",
    ),
    "outside": (
        lambda: fx.simulate(fx.Mechanism(crank_model(), {"rod": bar(0.3, 1.0, 1.0)}), [0, 0.2]),
        "The rigid motion is known from 0 to 0.1, not at t = 0.2",
    ),
    "flexible": (
        lambda: fx.Mechanism(
            fx.simulate(fx.Model(fx.Fixed(fx.ground, fx.Rod("r", 1.0, 1.0, 1.0).start)), [0, 0.1, 0.2]), {"a": None}
        ),
        "its members bend; simulate a model of rigid bodies",
    ),
}


@pytest.mark.parametrize("case", SAID)
def test_what_cannot_be_is_said(case):
    wrong, sentence = SAID[case]
    with pytest.raises(fx.FlexuraError, match=sentence):
        wrong()


def test_other_masses_are_told():
    crank = fx.RigidBody("crank", m=2.0, I=1.0)
    run = fx.simulate(fx.Model(fx.Revolute(fx.ground, crank.at(-0.5), motion="5*t")), np.linspace(0, 0.1, 51))
    found = fx.simulate(fx.Mechanism(run, {"crank": bar(1.0, 10.0, 1.0)}), [0, 0.001], step=1e-4)
    assert any("other masses than the body it stands for" in note for note in found.notes)


def test_runs_may_begin_at_any_time_and_have_as_many_as_they_like():
    arm = body_of("arm", LENGTH, 1.0)
    model = fx.Model(fx.Revolute(fx.ground, arm.at(-LENGTH / 2), name="theta"), fx.Gravity())
    ends = []
    for begin in (0.0, 1.0):
        run = fx.simulate(model, begin + np.linspace(0, 0.15, 150), initial={"theta": 0.0})
        found = fx.simulate(fx.Mechanism(run, {"arm": bar(LENGTH, 20.0, 1.0)}), begin + np.array([0, 0.05, 0.1]))
        ends.append(found.deviation("arm", 4))
    assert ends[1] == pytest.approx(ends[0], abs=1e-7 * np.abs(ends[0]).max())
    even, odd = (fx.simulate(model, np.linspace(0, 2, n), initial={"theta": 0.0}).rigid_path for n in (60, 61))
    assert even._doubt < 2 * odd._doubt
    with pytest.raises(fx.FlexuraError, match="fewer than five times"):
        fx.Mechanism(fx.simulate(model, [0, 1, 2.0]), {"arm": bar(LENGTH, 20.0, 1.0)})


def test_loads_that_jump_between_the_times_of_a_run_are_told():
    arm = body_of("arm", LENGTH, 1.0)
    model = fx.Model(
        fx.Revolute(fx.ground, arm.at(-LENGTH / 2), name="theta"), fx.Force(arm.at(LENGTH / 2), "H(t)", along="y")
    )
    for load, told in ((lambda t: 1.0 if t < 0.0701 else 0.9, True), (lambda t: np.cos(20 * t), False)):
        run = fx.simulate(model, np.linspace(0, 0.15, 151), inputs={"H": load})
        notes = fx.Mechanism(run, {"arm": bar(LENGTH, 20.0, 1.0)}).of_model.notes
        assert any("the load" in note for note in notes) == told
