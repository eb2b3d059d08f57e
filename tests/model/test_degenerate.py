"""Degenerate models: every verb answers or refuses with a sentence; what nothing depends on is left out, and told."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import flexura as fx
from degenerate_models import Degenerate, degenerate_model


def linear(model: fx.Model) -> fx.Equations:
    equations = fx.derive(model)
    try:
        return fx.linearise(equations)
    except fx.FlexuraError:
        return fx.linearise(equations, about=fx.equilibrium(equations))


def responds(equations: fx.Equations, load: str, output: str) -> Any:
    """The response, or the sentence that refuses it."""
    try:
        return fx.frequency_response(equations, [0.0, 0.7, 1.9], load, output)
    except fx.FlexuraError as error:
        return str(error)


def answers(drawn: Degenerate) -> bool:
    """Whether the model has modes; they must be the same by both methods, and responses must be numbers or refused."""
    try:
        equations = linear(drawn.model)
        exact = fx.modes(equations, 4)
    except fx.FlexuraError:
        return False
    ritz = fx.modes(equations, 4, method="ritz")
    assert exact.frequencies == pytest.approx(ritz.frequencies, rel=1e-6, abs=0), drawn.script
    assert exact.certificate, drawn.script
    for name in drawn.inputs:
        for output in equations.coordinates[:2]:
            response = responds(equations, name, output)
            assert isinstance(response, str) or not np.isnan(response).any(), drawn.script
            assert "linearise first" not in str(response), drawn.script
    return True


@pytest.mark.parametrize("first", range(0, 200, 40))
def test_every_model_answers_or_is_refused(first: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        drawn = []
        for seed in range(first, first + 40):
            try:
                drawn.append(degenerate_model(seed))
            except fx.FlexuraError:  # a part refuses what was drawn for it
                continue
        assert sum(answers(one) for one in drawn) >= 8


def hub_between_beams(**hub: object) -> fx.Equations:
    """Two clamped beams pinned to a hub."""
    left, right = (fx.EulerBernoulliBeam(name, EI=10.0, rho=1.0, length=1.0) for name in ("left", "right"))
    body = fx.RigidBody("hub", **hub)
    return fx.derive(
        fx.Model(
            fx.Fixed(fx.ground, left.start), fx.Pin(left.end, body), fx.Pin(body, right.start),
            fx.Fixed(right.end, fx.ground), fx.Force(body, "F"), fx.Torque(body, "T"),
        )
    )  # fmt: skip


def hinged_beams() -> fx.Equations:
    left, right = (fx.EulerBernoulliBeam(name, EI=10.0, rho=1.0, length=1.0) for name in ("left", "right"))
    joints = fx.Fixed(fx.ground, left.start), fx.Pin(left.end, right.start), fx.Fixed(right.end, fx.ground)
    return fx.derive(fx.Model(*joints, fx.Force(left.end, "F")))


@pytest.mark.parametrize("method", ["exact", "ritz"])
def test_a_hub_without_mass_between_two_hinges_is_a_hinge(method: str) -> None:
    right = fx.modes(hinged_beams(), 5).frequencies
    found = fx.modes(hub_between_beams(m=0, I="I"), 5, {"I": 0.0}, method=method)
    assert found.frequencies == pytest.approx(right, rel=1e-9)
    assert "theta_hub has no inertia, no stiffness and no damping" in str(found.certificate)
    assert found.shape(0)["theta_hub"] == 0


def test_responses_leave_an_idle_coordinate_out_and_refuse_it_as_load_and_output() -> None:
    equations, omega = hub_between_beams(m=0, I="I"), [3.0, 20.0]
    response = fx.frequency_response(equations, omega, "F", "y_left_end", {"I": 0.0})
    assert np.allclose(response, fx.frequency_response(hinged_beams(), omega, "F", "y_left_end"), rtol=1e-9)
    with pytest.raises(fx.FlexuraError, match=r"The load T moves theta_hub, .* resists it; give it one of them"):
        fx.frequency_response(equations, omega, "T", "y_left_end", {"I": 0.0})
    with pytest.raises(fx.FlexuraError, match=r"The output theta_hub depends on theta_hub, .*; give it one of them"):
        fx.frequency_response(equations, omega, "F", "theta_hub", {"I": 0.0})
    for load, output in (("T", "y_left_end"), ("F", "theta_hub")):
        assert np.isfinite(fx.frequency_response(equations, omega, load, output, {"I": 0.1})).all()


@pytest.mark.parametrize("along", ["x", "y", (1, 1, 0), (3, -4, 0)])
@pytest.mark.parametrize("angle", [-1.5707963267948966, 0.4, 2.0])
def test_a_force_on_a_hinged_arm_has_a_response_once_it_is_linearised(along: object, angle: float) -> None:
    """Theta per F is the moment arm over k - J omega^2, at every angle."""
    arm = fx.RigidBody("arm", m=1.0, I=0.1)
    turn = fx.Revolute(fx.ground, arm.at(-0.5), name="theta")
    hub = fx.TorsionSpring(fx.ground, arm, k=7.0)
    equations = fx.derive(fx.Model(turn, hub, fx.Force(arm, "F", along=along), fx.Torque(arm, "T")))
    linear = fx.linearise(equations, about={"theta": angle}, values={"T": 7.0 * angle})
    direction = {"x": (1, 0, 0), "y": (0, 1, 0)}.get(str(along), along)
    unit = np.array(direction) / np.linalg.norm(direction)
    lever = 0.5 * (-np.sin(angle) * unit[0] + np.cos(angle) * unit[1])
    found = fx.frequency_response(linear, [2.0], "F", "theta")
    assert found[0] == pytest.approx(lever / (7.0 - 0.35 * 4.0), rel=1e-10)


def test_a_load_with_a_value_that_moves_the_state_is_refused_and_the_advice_helps() -> None:
    arm = fx.RigidBody("arm", m=1.0, I=0.1)
    turn = fx.Revolute(fx.ground, arm.at(-0.5), name="theta")
    things = turn, fx.TorsionSpring(fx.ground, arm, k=7.0), fx.Force(arm, "F", along=(1, 1, 0))
    equations, values = fx.derive(fx.Model(*things)), {"F": 2.0}
    with pytest.raises(fx.FlexuraError, match=r"The load F has a value here and acts through theta") as refused:
        fx.frequency_response(fx.linearise(equations), [1.0], "F", "theta", values)
    assert "fx.linearise(equations, about=fx.equilibrium(equations, values), values=values)" in str(refused.value)
    linear = fx.linearise(equations, about=fx.equilibrium(equations, values), values=values)
    assert np.isfinite(fx.frequency_response(linear, [1.0], "theta", "theta")).all()


def beam_on_a_turning_particle(**keywords: Any) -> fx.Model:
    """A particle that a joint turns, which it does not feel, and a beam on it, which may turn by itself."""
    particle = fx.Mass("p", 1.0)
    beam = fx.EulerBernoulliBeam("b", EI=10.0, rho=1.0, length=1.0, **keywords)
    return fx.Model(fx.Revolute(fx.ground, particle, name="theta"), fx.Fixed(particle, beam.start))


@pytest.mark.parametrize("verb", [fx.derive, lambda one: fx.report(one, "never.html")])
@pytest.mark.parametrize("keywords", [{}, {"EA": 300.0}])
def test_a_motion_described_twice_is_refused_by_every_verb(verb: Any, keywords: dict[str, Any]) -> None:
    with pytest.raises(fx.FlexuraError, match=r"The coordinate theta of Revolute\(ground, p\) .* one motion twice"):
        verb(beam_on_a_turning_particle(**keywords))


def test_both_advices_against_a_motion_described_twice_help() -> None:
    """The joint on the member itself: a pinned beam. An inertia of the body between: a pin beside a turning hub."""
    beam = fx.EulerBernoulliBeam("b", EI=10.0, rho=1.0, length=1.0)
    turn, weld = fx.Revolute(fx.ground, beam.start, name="theta"), fx.Fixed(beam.start, fx.Mass("p", 1.0))
    found = fx.modes(fx.linearise(fx.derive(fx.Model(turn, weld))), 3).frequencies
    assert found == pytest.approx([0.0, 15.41820572 * np.sqrt(10), 49.96486203 * np.sqrt(10)], rel=1e-8)
    hub = fx.RigidBody("hub", m=1.0, I=0.2)
    pinned = fx.Model(fx.Revolute(fx.ground, hub, name="theta"), fx.Pin(hub, beam.start))
    found = fx.modes(fx.linearise(fx.derive(pinned)), 4).frequencies
    assert found == pytest.approx([0.0, 0.0, 15.41820572 * np.sqrt(10), 49.96486203 * np.sqrt(10)], rel=1e-8)


def test_with_a_spring_the_joint_on_a_particle_is_no_motion_twice() -> None:
    particle, beam = fx.Mass("p", 1.0), fx.EulerBernoulliBeam("b", EI=10.0, rho=1.0, length=1.0)
    turn, weld = fx.Revolute(fx.ground, particle, name="theta"), fx.Fixed(particle, beam.start)
    model = fx.Model(turn, weld, fx.TorsionSpring(fx.ground, particle, k=5.0))
    exact, ritz = (fx.modes(fx.linearise(fx.derive(model)), 3, method=method) for method in ("exact", "ritz"))
    assert exact.frequencies == pytest.approx(ritz.frequencies, rel=1e-8)
    assert exact.frequencies[1] == pytest.approx(15.41820572 * np.sqrt(10), rel=1e-8)


def test_an_idle_hub_gets_no_coordinate_in_any_verb() -> None:
    left, right = (fx.EulerBernoulliBeam(name, EI=10.0, rho=1.0, length=1.0) for name in ("left", "right"))
    hub = fx.RigidBody("hub", m=0, I=0)
    joints = fx.Fixed(fx.ground, left.start), fx.Pin(left.end, hub), fx.Pin(hub, right.start)
    equations = fx.derive(fx.Model(*joints, fx.Fixed(right.end, fx.ground), fx.Force(hub, "F")))
    assert equations.coordinates == ("y_left_end",)
    assert "nothing depends on the turn of hub about z" in equations.steps[3].text
    assert fx.verify(equations)
    assert fx.modes(equations, 5).frequencies == pytest.approx(fx.modes(hinged_beams(), 5).frequencies, rel=1e-12)
    t = np.linspace(0, 0.3, 4)
    runs = [fx.simulate(one, t, inputs={"F": 1.0})["y_left_end"] for one in (equations, hinged_beams())]
    assert runs[0] == pytest.approx(runs[1], rel=1e-6, abs=1e-12)
