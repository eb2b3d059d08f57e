"""What a run refuses or reports: each sentence, and that following its advice works."""

import numpy as np
import pytest

import flexura as fx
from flexura.errors import FlexuraError

T = np.linspace(0, 0.2, 21)


def hub_arm(inertia=0.3, **arm):
    """A hub with an arm under a torque; without inertia the joint holds the arm's root itself."""
    given = {"EI": 20.0, "rho": 0.5, "length": 1.0, **arm}
    beam = fx.EulerBernoulliBeam("arm", field="w", **given)
    if not inertia:
        return fx.derive(fx.Model(fx.Revolute(fx.ground, beam.start, name="theta"), fx.Torque(beam.start, "tau"))), beam
    hub = fx.RigidBody("hub", m=1, I=inertia)
    joint = fx.Revolute(fx.ground, hub, name="theta")
    return fx.derive(fx.Model(joint, fx.Fixed(hub, beam.start), fx.Torque(hub, "tau"))), beam


@pytest.fixture(scope="module")
def equations():
    return hub_arm()[0]


def refused(sentence, equations, t=T, **given):
    with pytest.raises(FlexuraError, match=sentence):
        fx.simulate(equations, t, **{"order": 4, **given})


def works(equations, t=T, **given):
    run = fx.simulate(equations, t, **{"order": 4, "inputs": {"tau": 1.0}, **given})
    assert run.complete, run.message
    assert run.energy.error < 1e-8
    return run


# -- times ------------------------------------------------------------------------------------------------------------


def test_times_are_sorted_and_do_not_repeat(equations):
    t = np.array([0, 0.2, 0.1, 0.1, 0.15])
    refused("its point 2 is 0.1 after 0.2; sort the times and leave out those that repeat", equations, t)
    assert len(works(equations, np.unique(t)).t) == 4  # np.unique does both


@pytest.mark.parametrize(
    ("t", "sentence"),
    [
        ([], r"t needs at least two times in a row; give increasing times, like np.linspace\(0, 1, 101\)"),
        (None, "t is None; give increasing times"),
        (np.zeros((2, 2)), "t needs at least two times in a row"),
        ([0, np.inf], "t is not finite at its point 1; give finite times"),
        ([0, 1j], "t holds complex numbers; give real ones"),
        ([False, True], "t is False, a truth value; give increasing times"),
    ],
)
def test_times_that_are_no_times(equations, t, sentence):
    refused(sentence, equations, t)
    works(equations, np.linspace(0, 1, 101)[:21])


# -- inputs -----------------------------------------------------------------------------------------------------------

BAD = {
    "array": (np.where(T < 0.1, 1.0, np.nan), r"The input tau is not finite at t = 0\.1; give finite numbers"),
    "number": (np.nan, "The input tau is not finite; give finite numbers"),
    "function": (lambda t: np.where(t > 0.15, np.nan, 1.0), r"The input tau is not finite at t = 0\.15"),
    "text": ("1/(t - 0.1)", r"The input tau goes to infinity at t = 0\.1"),
    "root": ("sqrt(t - 0.1)", "The input tau is not finite at t = 0; give finite numbers"),
    "limit": ("sin(t)/t", "The input tau is not finite at t = 0; give finite numbers"),
}
GOOD = {
    "array": np.where(T < 0.1, 1.0, 0.0),
    "number": 1.0,
    "function": lambda t: np.where(t > 0.15, 0.0, 1.0),
    "text": "Piecewise((1/(t - 0.3), t < 0.2), (0, True))",
    "root": "Piecewise((0, t < 0.1), (t - 0.1, True))",
    "limit": "Piecewise((sin(t)/t, t > 0), (1, True))",
}


@pytest.mark.parametrize("kind", BAD)
def test_an_input_that_is_not_finite_is_named_with_its_time(equations, kind):
    value, sentence = BAD[kind]
    refused(sentence, equations, inputs={"tau": value})
    works(equations, inputs={"tau": GOOD[kind]})


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (lambda t: None, "The input tau is None at t = 0; let the function give a number"),
        (lambda t: 1j, "The input tau is 1j at t = 0; let the function give a number"),
        (lambda t: np.ones(2), "The input tau gives 2 numbers at t = 0; let the function give one number"),
        (T + 0j, "The input tau holds complex numbers; give real ones"),
        (None, "The input tau is None; give a number, a function, an array on t, or text in t"),
        ("sin(t", r"In the input tau, the text 'sin\(t' cannot be read"),
    ],
)
def test_an_input_is_one_real_number_at_a_time(equations, value, sentence):
    refused(sentence, equations, inputs={"tau": value})
    works(equations, inputs={"tau": lambda t: 1.0})


def test_a_distributed_input_has_a_number_for_each_place():
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=0.7, length=1.3, field="w")
    linear = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.DistributedForce(beam, "f")))
    refused("The input f gives 3 numbers at t = 0.*one number, or .* one for each x", linear,
            inputs={"f": lambda x, t: np.ones(3)})  # fmt: skip
    works(linear, inputs={"f": lambda x, t: np.ones(len(x))})
    works(linear, inputs={"f": lambda x, t: 1.0})


def test_linear_equations_refuse_them_too():
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=0.7, length=1.3, field="w")
    linear = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.DistributedForce(beam, "f")))
    refused("The input f is not finite at t = 0", linear, inputs={"f": lambda x, t: np.where(x > 0.5, np.nan, 1.0)})
    refused("The input f is not finite at t = 0", linear, inputs={"f": "sqrt(0.5 - x)"})
    works(linear, inputs={"f": "sqrt(1.3 - x)"})


def test_names_that_are_meant_are_told(equations):
    refused("There is no input 'tua'; did you mean 'tau'?", equations, inputs={"tua": 1.0})
    refused("There is no 'theat' to start from; did you mean 'theta'?", equations, initial={"theat": 0.1})
    refused("The event top holds 'thet', which is not known; did you mean 'theta'?", equations, events={"top": "thet"})
    works(equations, initial={"theta": 0.1}, events={"top": "theta - 0.101"})
    refused("There is no 'q' to start from; there are theta, .*w", equations, initial={"q": 1.0})
    works(equations, initial={"w": "0.001*x**2"})


def test_missing_values_are_listed_with_their_parts():
    equations, _ = hub_arm(EI="EI", rho="rho")
    refused(r"No value is known for EI \(arm\), rho \(arm\); give values={'EI': ..., 'rho': ...}", equations)
    works(equations, values={"EI": 20.0, "rho": 0.5})
    refused("The EI of values is nan, which is not a finite number", equations, values={"EI": np.nan, "rho": 0.5})


@pytest.mark.parametrize("what", ["initial", "inputs", "events"])
def test_what_is_given_by_name_is_a_dictionary(equations, what):
    refused(rf"{what} is \[1, 2\]; give a dictionary of names, like {what}={{'q1': 0.1}}", equations, **{what: [1, 2]})


def test_options_are_numbers(equations):
    refused("tolerance is 'fine'; give a number from 1e-13 to 0.1", equations, tolerance="fine")
    refused("max_seconds is -1; give a number above 0, or leave it out", equations, max_seconds=-1)
    works(equations, tolerance=1e-9, max_seconds=60)


def test_events_and_motions_have_values(equations):
    refused("The event top is not finite at t = 0; write it so that it has a value there", equations,
            events={"top": "log(theta)"}, inputs={"tau": 1.0})  # fmt: skip
    works(equations, events={"top": "theta - 0.01"})

    def driven(motion):
        base = fx.Mass("base", m=1)
        beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=0.7, length=1.3)
        return fx.derive(fx.Model(fx.Slide(fx.ground, base, name="y", motion=motion), fx.Fixed(base, beam.start)))

    sentence = r"The motion of y, or a rate of it, is not finite at t = 0\.1; give a motion that is smooth"
    refused(sentence, driven("sqrt(abs(t - 0.1))"))
    works(driven("sqrt((t - 0.1)**2 + 1e-3)"), inputs=None)


def test_a_body_that_only_moves_as_given_tells_what_drives_it():
    bar = fx.RigidBody("bar", m=2, I=0.3)
    joint = fx.Revolute(fx.ground, bar.at(-0.5), name="theta", motion="t**2")
    run = fx.simulate(fx.Model(joint, fx.Gravity(9.81)), T)
    assert run.energy.error < 1e-8
    assert np.allclose(run["Q_theta"], 2 * (0.3 + 2 * 0.5**2) + 2 * 9.81 * 0.5 * np.cos(T**2), rtol=1e-12)


# -- starts -----------------------------------------------------------------------------------------------------------


def wheel_in_a_slot():
    rail, bob = fx.Mass("rail", m=0), fx.Mass("bob", m=2.0)
    slides = fx.Slide(fx.ground, rail, along="x", name="x"), fx.Slide(rail, bob, along="y", name="y")
    return fx.derive(fx.Model(*slides, fx.Constraint("x**2 + y**2 - 1")))


def test_rates_off_the_constraints_are_corrected_and_reported_or_refused():
    equations = wheel_in_a_slot()
    start = {"x": 0.6, "y": 0.8, "x_t": 1.0, "y_t": 1.0}
    run = fx.simulate(equations, T, initial=start)
    assert "The initial values contradict the constraints; the nearest that do not change x_t from 1 to" in run.notes[0]
    assert run["x"][0] * run["x_t"][0] + run["y"][0] * run["y_t"][0] == pytest.approx(0, abs=1e-12)
    assert run["x_t"][0] == pytest.approx(0.16)  # the nearest: what lies along the circle of (1, 1)
    refused("contradict the constraints.*give others, or let them be corrected with inconsistent='correct'",
            equations, initial=start, inconsistent="refuse", order=None)  # fmt: skip
    others = {"x": 0.6, "y": 0.8, "x_t": 0.8, "y_t": -0.6}
    assert fx.simulate(equations, T, initial=others, inconsistent="refuse").notes[0].startswith("Followed")


def test_dependent_rates_follow_without_a_word():
    run = fx.simulate(wheel_in_a_slot(), T, initial={"x": 0.6, "y": 0.8, "x_t": 0.8}, inconsistent="refuse")
    assert run["y_t"][0] == pytest.approx(-0.6)
    assert np.allclose(np.hypot(run["x_t"], run["y_t"]), 1.0, rtol=1e-9)  # nothing acts along the circle


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (np.inf, "is inf; give a finite number"),
        (None, "is None; give a finite number"),
        (True, "is True, a truth value; give a finite number"),
        (1j, "holds complex numbers; give real ones"),
        ([1, 2], "holds 2 numbers; give a finite number"),
        ("abc", "holds abc, which has no value; give values for it, or write a number"),
        ("t", "is t, which depends on t; give a finite number"),
    ],
)
def test_a_start_is_a_finite_number(equations, value, sentence):
    refused(f"The initial theta {sentence}", equations, initial={"theta": value})
    works(equations, initial={"theta": "pi/2"})


def test_a_shape_of_a_start_is_finite(equations):
    refused(
        "The initial w is not finite along its member",
        equations,
        initial={"w": lambda x: np.where(x > 0.5, np.nan, 0.0)},
    )
    works(equations, initial={"w": lambda x: 0.001 * x**2})


# -- inertia ----------------------------------------------------------------------------------------------------------


def test_a_motion_without_inertia_is_named_by_its_coordinate():
    def chain(m):
        a, b = fx.Mass("a", m=m), fx.Mass("b", m=1)
        springs = fx.Spring(fx.ground, a, k=3.0), fx.Spring(a, b, k=1.0)
        return fx.derive(fx.Model(fx.Slide(fx.ground, a, name="xa"), fx.Slide(fx.ground, b, name="xb"), *springs))

    with pytest.raises(FlexuraError, match=r"xa .*moves nothing that has mass or inertia; give a mass or inertia"):
        chain(0)
    assert fx.simulate(chain(0.1), T, initial={"xb": 0.1}).energy.error < 1e-8


def test_relative_motions_without_inertia_are_named_together():
    def chain(m):
        a, b = fx.Mass("a", m=m), fx.Mass("b", m=1)
        slides = fx.Slide(fx.ground, a, name="xa"), fx.Slide(a, b, name="xb")
        return fx.derive(fx.Model(*slides, fx.Spring(a, b, k=1.0)))

    with pytest.raises(FlexuraError, match="singular: xa and xb can move without inertia; give that motion a mass"):
        fx.simulate(chain(0), T, initial={"xb": 0.1})
    assert fx.simulate(chain(0.1), T, initial={"xb": 0.1}).energy.error < 1e-8


def test_a_joint_without_a_body_turns_the_root_of_its_member():
    """Its mass is positive without one: the run is that with a body of next to no inertia."""
    bare, light = (hub_arm(inertia=inertia)[0] for inertia in (None, 1e-7))
    runs = [fx.simulate(one, T, inputs={"tau": 0.05}, order=4) for one in (bare, light)]
    assert all(run.complete for run in runs)
    np.testing.assert_allclose(
        runs[0].place("w", 1.0), runs[1].place("w", 1.0), atol=1e-3 * np.abs(runs[1].place("w", 1.0)).max()
    )


# -- what a run is asked ----------------------------------------------------------------------------------------------


def test_what_a_run_does_not_know(equations):
    run, (_, arm) = works(equations), hub_arm()
    with pytest.raises(FlexuraError, match=r"The trajectory has no 'thet'; it knows theta, .*and their rates"):
        run["thet"]
    with pytest.raises(FlexuraError, match=r"no one history of the field w; .*run.place\('w', s\)"):
        run["w"]
    assert run.place("w", 0.5).shape == run.t.shape  # as that advises
    with pytest.raises(FlexuraError, match="There is no member 'rod'; members and fields are arm, w"):
        run.place("rod", 0.5)
    with pytest.raises(FlexuraError, match="The place x = 2 is not on arm, which runs from 0 to 1"):
        run.place(arm, 2.0)
    with pytest.raises(FlexuraError, match="The place on arm holds l; give values for it, or a number"):
        run.place(arm, "l/2")
    with pytest.raises(FlexuraError, match="There is no part called 'rod'; bodies are hub, members are arm"):
        run.position("rod")
    assert "thet" not in run
    assert "theta" in run
    assert len(run["theta_tt"]) == len(run.place("arm", 0.5)) == len(run.position(arm.at(0.5))) == len(T)


@pytest.mark.parametrize("offset", [(0.7, 1.1), (0.3, 0.0), (-1.0, 2.0)])
def test_motions_that_together_have_no_inertia_are_refused(offset):
    """A particle held off its centre by a joint that turns: no coordinate is idle by itself."""
    particle = fx.Mass("p", m=1.3)
    model = fx.Model(fx.Free(fx.ground, particle.at(*offset), names=("X", "Y", "th")))
    with pytest.raises(fx.FlexuraError, match="can move without inertia"):
        fx.simulate(fx.derive(model), [0.0, 0.2], initial={"X_t": 0.05})
    body = fx.RigidBody("p", m=1.3, I=0.1)  # as advised
    model = fx.Model(fx.Free(fx.ground, body.at(*offset), names=("X", "Y", "th")))
    assert fx.simulate(fx.derive(model), [0.0, 0.2], initial={"X_t": 0.05}).complete
