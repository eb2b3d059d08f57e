"""Motion in time: machines whose energy balance must close, known numbers, limits, and what is refused."""

import os

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings

import flexura as fx
from flexura.errors import FlexuraError
from random_models import models

CASES = int(os.environ.get("FLEXURA_MOTION_CASES", "4"))
SPIN = "Piecewise((ws/Ts*(t**2/2 + (Ts/(2*pi))**2*(cos(2*pi*t/Ts) - 1)), t < Ts), (ws*(t - Ts/2), True))"
T = np.linspace(0, 1, 101)


def spin_up(beam, **options):
    hub = fx.RigidBody("hub", m=0, I=1)
    joint = fx.Revolute(fx.ground, hub, name="theta", motion=SPIN)
    return fx.derive(fx.Model(joint, fx.Fixed(hub, beam.start), **options))


def blade():
    return fx.EulerBernoulliBeam("beam", EI=14000, rho=1.2, length=10, field="w")


def sheared():
    return fx.TimoshenkoBeam("beam", EI=14000, kGA=1e7, EA=2.8e7, rho=1.2, rotary_inertia=6e-4, length=10)


def hub_arm(EI=20.0):
    hub, arm = fx.RigidBody("hub", m=1, I=0.3), fx.EulerBernoulliBeam("arm", EI=EI, rho=0.5, length=1.0, field="w")
    parts = (fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub.at(0.1), arm.start), fx.Torque(hub, "tau"))
    return fx.derive(fx.Model(*parts)), arm


def pendulum(**options):
    hub = fx.RigidBody("hub", m=0, I=0.02)
    rod = fx.EulerBernoulliBeam("rod", EI=40.0, rho=0.5, length=1.0, field="w")
    joint = fx.Revolute(fx.ground, hub, name="theta")
    return fx.derive(fx.Model(joint, fx.Fixed(hub, rod.start), fx.Gravity(9.81), **options)), rod


def two_links():
    shoulder, elbow = fx.RigidBody("shoulder", m=1, I=0.05), fx.RigidBody("elbow", m=0.5, I=0.01)
    rotor, load = fx.RigidBody("rotor", m=0.2, I=0.02), fx.RigidBody("payload", m=0.3, I=0.005)
    upper = fx.EulerBernoulliBeam("upper", EI=60.0, rho=0.6, length=0.8, field="w1")
    lower = fx.EulerBernoulliBeam("lower", EI=30.0, rho=0.4, length=0.7, field="w2")
    parts = [fx.Revolute(fx.ground, shoulder, name="theta1"), fx.Fixed(shoulder, upper.start)]
    parts += [fx.Fixed(upper.end, elbow), fx.Revolute(elbow, rotor, name="theta2"), fx.Fixed(rotor, lower.start)]
    parts += [fx.Fixed(lower.end, load), fx.Torque(shoulder, "tau1"), fx.Torque(rotor, "tau2", reaction=elbow)]
    return fx.derive(fx.Model(parts))


def crank_and_rod():
    crank, slider = fx.RigidBody("crank", m=1, I=0.02), fx.Mass("slider", m=0.5)
    rod = fx.EulerBernoulliBeam("rod", EI=200.0, rho=0.8, length=0.6, field="w")
    parts = (
        fx.Revolute(fx.ground, crank.at(-0.1), name="theta"),
        fx.Revolute(crank.at(0.1), rod.start, name="phi"),
        fx.Slide(fx.ground, slider, along="x", name="s"),
        fx.Revolute(rod.end, slider, name="pin"),
        fx.Torque(crank, "tau"),
    )
    return fx.derive(fx.Model(*parts, names={rod.end: ("y", "alpha")})), rod


def satellite():
    hub = fx.RigidBody("hub", m=20, I=2.0)
    panels = [fx.EulerBernoulliBeam(name, EI=30.0, rho=0.3, length=2.0, field=f"w_{name}") for name in ("a", "b")]
    free = fx.Free(fx.ground, hub, names=("X", "Y", "theta"))
    welds = fx.Fixed(hub.at(0.4), panels[0].start), fx.Fixed(hub.at(-0.4), panels[1].start, angle="pi")
    return fx.derive(fx.Model(free, *welds)), panels


# -- known numbers ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [blade, sheared])
def test_spin_up_of_a_rotating_cantilever(kind):
    beam, t = kind(), np.linspace(0, 20, 801)
    run = fx.simulate(spin_up(beam), t, values={"ws": 6, "Ts": 15})
    tip = run.place(beam, 10).reshape(len(t), -1)[:, 0]
    assert run.complete
    assert tip.min() == pytest.approx(-0.574, rel=0.005)
    assert t[tip.argmin()] == pytest.approx(6.75, abs=0.1)
    assert np.abs(tip[t > 16]).max() < 0.01  # after the spin-up it only vibrates a little
    assert run.energy.error < 1e-8
    assert run["theta_t"][-1] == pytest.approx(6.0)
    # the drive's work is what the system gained
    assert run.energy.supplied[-1] == pytest.approx(run.energy.kinetic[-1] + run.energy.potential[-1], rel=1e-6)


def test_without_foreshortening_the_spin_up_diverges():
    run = fx.simulate(spin_up(blade(), foreshortening=False), np.linspace(0, 20, 201), values={"ws": 6, "Ts": 15})
    assert not run.complete
    assert "diverged" in run.message
    assert "foreshortening" in run.message
    assert 7 < run.t[-1] < 15
    assert len(run.t) == len(run.energy.kinetic) == len(run["theta"])


def test_polynomials_and_shapes_of_members_show_the_same_motion():
    beam, t = blade(), np.linspace(0, 10, 201)
    runs = [fx.simulate(spin_up(beam), t, values={"ws": 6, "Ts": 15}, order=order) for order in (None, 6)]
    tips = [run.place(beam, 10) for run in runs]
    assert np.abs(tips[0] - tips[1]).max() < 2e-4 * np.abs(tips[1]).max()


# -- energy balances -----------------------------------------------------------------------------------------------

PULSE = "Piecewise((5*sin(2*pi*t/0.5), t < 0.5), (0, True))"


@pytest.mark.parametrize("tolerance", [1e-8, 1e-10])
def test_hub_and_arm_under_a_torque_pulse(tolerance):
    equations, arm = hub_arm()
    run = fx.simulate(equations, T, inputs={"tau": PULSE}, tolerance=tolerance)
    assert run.energy.error < tolerance
    assert run["tau"][10] == pytest.approx(5 * np.sin(2 * np.pi * 0.2))
    assert np.abs(run.place(arm, "1")).max() > 0.01
    assert np.ptp(run.energy.total[T > 0.51]) < 10 * tolerance * run.energy.scale  # nothing acts any more


@pytest.mark.parametrize("tolerance", [1e-8, 1e-10])
def test_a_flexible_pendulum_falls(tolerance):
    equations, rod = pendulum()
    t = T[T <= 0.6]
    run = fx.simulate(equations, t, tolerance=tolerance)
    assert run.energy.error < tolerance
    assert run["theta"].min() < -1.5
    assert run.energy.supplied.max() == 0
    tip = run.position(rod.end)
    assert tip.shape == (len(t), 3)
    away = np.hypot(tip[:, 0], tip[:, 1])
    nodes, weights = np.polynomial.legendre.leggauss(20)
    slopes = run.motion.whole.values("w", (nodes + 1) / 2, run.t, run.motion.q, None, 1)
    assert np.allclose(away, np.hypot(1.0 - slopes**2 @ weights / 4, run.place(rod, 1.0)), rtol=1e-12)


@pytest.mark.parametrize("tolerance", [1e-8, 1e-10])
def test_two_links_with_motors(tolerance):
    inputs = {"tau1": "3*sin(pi*t)", "tau2": "-sin(2*pi*t)"}
    run = fx.simulate(two_links(), T, inputs=inputs, tolerance=tolerance)
    assert run.complete
    assert run.energy.error < tolerance


@pytest.mark.parametrize("tolerance", [1e-8, 1e-10])
def test_slider_crank_with_a_flexible_rod(tolerance):
    equations, rod = crank_and_rod()
    t = np.linspace(0, 0.05, 21)
    start = {"theta": 0.3, "theta_t": 10.0}
    run = fx.simulate(equations, t, initial=start, inputs={"tau": "0.5*cos(30*t)"}, tolerance=tolerance)
    assert run.complete
    assert run.energy.error < tolerance
    # dependent coordinates were solved for: the loop is closed, the rod moves as if rigid at first
    assert run["s"][0] == pytest.approx(0.2 * np.cos(0.3) + np.sqrt(0.36 - (0.2 * np.sin(0.3)) ** 2))
    assert run["y_t"][0] == pytest.approx(0.0, abs=1e-9)
    end = run.position(rod.end)
    assert np.abs(end[:, 1]).max() < 1e-9  # the pin stays on the slide at all times
    assert np.abs(end[:, 0] - run["s"]).max() < 1e-9
    assert "lambda_pin_x" in run
    # the pin's force along x is what accelerates the slider
    assert np.allclose(run["lambda_pin_x"], 0.5 * run["s_tt"], rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("tolerance", [1e-8, 1e-10])
def test_a_satellite_with_a_bent_panel(tolerance):
    equations, panels = satellite()
    start = {"theta_t": 1.0, "X_t": 0.3, "w_a": "0.02*x**2*(6 - 4*x/2 + x**2/4)"}
    run = fx.simulate(equations, T, initial=start, tolerance=tolerance)
    assert run.complete
    assert run.energy.error < tolerance
    assert run.energy.supplied.max() == 0
    assert np.abs(run.place(panels[1], 2.0)).max() > 0.01  # the other panel feels it


@settings(
    max_examples=CASES,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
)
@given(models())
def test_the_ledger_closes_on_random_models(drawn):
    try:
        equations = fx.derive(drawn.model)
    except FlexuraError:
        assume(False)
    names = [name for name in equations.lagrangian.parameters if equations.values.get(name) is None]
    values = {name: 1.0 + 0.1 * i for i, name in enumerate(names)}
    rates = {f"{name}_t": 0.05 for name in equations.coordinates[:1]}
    try:
        run = fx.simulate(
            equations, np.linspace(0, 0.2, 5), initial=rates, values=values, order=4, tolerance=1e-7, max_seconds=5
        )
    except FlexuraError as error:
        assume("without inertia" not in str(error) and "not determined" not in str(error))
        raise
    if run.complete:
        assert run.energy.error < 1e-7 or run.energy.scale < 1e-9


# -- limits -----------------------------------------------------------------------------------------------------------


def test_stiff_members_tend_to_rigid_ones_at_the_rate_of_their_stiffness():
    inputs, t = {"tau": "2*sin(pi*t)**4"}, np.linspace(0, 1, 21)
    rigid = fx.derive(
        fx.Model(
            fx.Revolute(fx.ground, (hub := fx.RigidBody("hub", m=1, I=0.3)), name="theta"),
            fx.Fixed(hub.at(0.6), fx.RigidBody("bar", m=0.5, I=0.5 / 12)),
            fx.Torque(hub, "tau"),
        )
    )
    wanted = fx.simulate(rigid, t, inputs=inputs, tolerance=1e-11)["theta"]
    away = []
    for EI in (400.0, 1600.0):
        equations, _ = hub_arm(EI)
        away.append(np.abs(fx.simulate(equations, t, inputs=inputs, order=6, tolerance=1e-10)["theta"] - wanted).max())
    assert abs(np.log(away[0] / away[1]) / np.log(4) - 1) < 0.1


def test_small_steady_vibration_is_the_exact_frequency_response():
    hub = fx.RigidBody("hub", m=1, I=0.3)
    arm = fx.EulerBernoulliBeam("arm", EI=20.0, rho=0.5, length=1.0, damping=8.0, field="w")
    spring, damper = fx.TorsionSpring(fx.ground, hub, k=40.0), fx.TorsionDamper(fx.ground, hub, c=4.0)
    parts = (fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub.at(0.1), arm.start), fx.Torque(hub, "tau"))
    equations = fx.derive(fx.Model(*parts, spring, damper))
    assert not equations.lagrangian.linear
    omega = 9.0
    t = np.linspace(0, 5, 401)
    run = fx.simulate(equations, t, inputs={"tau": f"1e-3*sin({omega}*t)"}, order=8, tolerance=1e-9)
    exact = fx.frequency_response(equations, [omega], load="tau", output=arm.end)[0]
    late = t > 4
    expected = 1e-3 * np.imag(exact * np.exp(1j * omega * t[late]))
    assert np.abs(run.place(arm, 1.0)[late] - expected).max() < 1e-4 * np.abs(expected).max()


def test_linear_equations_are_propagated_exactly():
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=0.7, length=1.3, field="w")
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F")))
    modes = fx.modes(equations, 1)
    shape, omega = modes.shape(0), modes.frequencies[0]
    t = np.linspace(0, 50 * 2 * np.pi / omega, 33)
    tip = shape.w(1.3)
    run = fx.simulate(equations, t, initial={"w": lambda x: shape.w(x) / tip}, order=12)
    assert "Propagated exactly." in run.notes
    assert np.abs(run.place(beam, 1.3) - np.cos(omega * t)).max() < 1e-6
    driven = fx.simulate(equations, T, inputs={"F": "Piecewise((1, t < 0.3), (0, True))"}, order=8)
    stepped = fx.simulate(
        equations, T, inputs={"F": lambda t: 1.0 if t < 0.3 else 0.0}, order=8, method="radau", tolerance=1e-10
    )
    assert np.abs(driven["w@b"] - stepped["w@b"]).max() < 1e-9 * np.abs(driven["w@b"]).max() + 1e-12
    assert driven.energy.error < 1e-10


def test_gravity_and_damping_in_a_linear_ledger():
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=0.7, length=1.3, damping=0.4, field="w")
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Gravity(9.81)))
    run = fx.simulate(equations, np.linspace(0, 30, 61), order=8, tolerance=1e-10)
    assert run.energy.error < 1e-10
    assert run.place(beam, 1.3)[-1] == pytest.approx(-0.7 * 9.81 * 1.3**4 / (8 * 2.0), rel=1e-3)  # it comes to rest
    assert run.energy.dissipated[-1] == pytest.approx(-(run.energy.potential[-1] - run.energy.potential[0]), rel=1e-3)


# -- how things are given ---------------------------------------------------------------------------------------------


def test_inputs_may_be_numbers_functions_arrays_and_text():
    equations, _ = hub_arm()
    t = np.linspace(0, 0.2, 21)
    given_as = (0.5, lambda t: 0.5, np.full(21, 0.5), "0.5")
    runs = [fx.simulate(equations, t, inputs={"tau": one}, order=4) for one in given_as]
    for run in runs[1:]:
        assert np.abs(run["theta"] - runs[0]["theta"]).max() < 1e-9


def test_distributed_inputs_are_functions_of_x_and_t():
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=0.7, length=1.3, field="w")
    clamp = fx.Fixed(fx.ground, beam.start)
    equations = fx.derive(fx.Model(clamp, fx.DistributedForce(beam, "f")))
    by_function = fx.simulate(equations, T, inputs={"f": lambda x, t: x * np.sin(3 * t)}, order=6)
    by_text = fx.simulate(equations, T, inputs={"f": "x*sin(3*t)"}, order=6)
    assert np.abs(by_function.place(beam, 1.3)).max() > 1e-3
    assert np.abs(by_function.place(beam, 1.3) - by_text.place(beam, 1.3)).max() < 1e-9


def test_a_load_may_be_addressed_by_its_name():
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=0.7, length=1.3, field="w")
    force = fx.Force(beam.end, "F", name="push")
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), force))
    by_name = fx.simulate(equations, T, inputs={"push": "sin(t)"}, order=6)
    by_input = fx.simulate(equations, T, inputs={"F": "sin(t)"}, order=6)
    assert np.abs(by_name["w@b"] - by_input["w@b"]).max() < 1e-12


def test_discretised_systems_are_simulated_too():
    equations, arm = hub_arm()
    system = fx.discretise(equations, order=5)
    alone = fx.simulate(system, T, inputs={"tau": PULSE})
    whole = fx.simulate(equations, T, inputs={"tau": PULSE}, order=5)
    assert np.abs(alone["theta"] - whole["theta"]).max() < 1e-7
    assert np.abs(alone.place("w", 1.0) - whole.place(arm, 1.0)).max() < 1e-7
    matrices = fx.discretise(fx.linearise(equations), order=5)
    assert fx.simulate(matrices, T, inputs={"tau": 0.1}).energy.error < 1e-9


def test_events_are_found_by_text_and_by_function():
    equations, _ = pendulum()
    events = {"down": "theta + pi/2", "same": lambda t, state: state["theta"] + np.pi / 2}
    run = fx.simulate(equations, T, events=events, stop="down", order=4)
    assert not run.complete
    assert "The event down ended the run" in run.message
    assert run.events["down"][0] == pytest.approx(run.t[-1], abs=0.011)


# -- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("t", "sentence"),
    [
        ([0, 1, 1, 2], "t does not increase: its point 2 is 1 after 1; sort the times and leave out those that repeat"),
        ([0, 2, 1], "t does not increase: its point 2 is 1 after 2"),
        ([0, np.nan, 1], "t is not finite at its point 1; give finite times"),
        (3.0, "t needs at least two times"),
        ("soon", "t is 'soon'; give increasing times, like np.linspace"),
    ],
)
def test_times_that_do_not_increase(t, sentence):
    with pytest.raises(FlexuraError, match=sentence):
        fx.simulate(hub_arm()[0], t)


@pytest.mark.parametrize(
    ("inputs", "sentence"),
    [
        ({"tau": np.where(T < 0.5, 1.0, np.nan)}, r"The input tau is not finite at t = 0\.5; give finite numbers"),
        ({"tau": lambda t: np.inf if t > 0.3 else 0.0}, "The input tau is not finite at t = 0.30"),
        ({"tau": "sqrt(t - 0.5)"}, "The input tau is not finite at t = 0; give finite numbers"),
        ({"tau": [1.0, 2.0]}, r"The input tau has the shape \(2,\), but t has 101 points; give one number for each"),
        ({"tua": 1.0}, "There is no input 'tua'; did you mean 'tau'?"),
        ({"tau": "A*t"}, "The input tau holds A, which has no value; give values for it, or write a number"),
        ({"tau": True}, "The input tau is True, a truth value"),
    ],
)
def test_inputs_that_cannot_be_used(inputs, sentence):
    equations, _ = hub_arm()
    with pytest.raises(FlexuraError, match=sentence):
        fx.simulate(equations, T, inputs=inputs, order=4)


@pytest.mark.parametrize(
    ("initial", "sentence"),
    [
        ({"thet": 0.1}, "There is no 'thet' to start from; did you mean 'theta'?"),
        ({"theta": np.nan}, "The initial theta is nan; give a finite number"),
        ({"w": "k*x"}, "The initial w holds k, which has no value; give values for it, or write a number"),
    ],
)
def test_starts_that_cannot_be_used(initial, sentence):
    with pytest.raises(FlexuraError, match=sentence):
        fx.simulate(hub_arm()[0], T, initial=initial, order=4)


def test_a_prescribed_coordinate_has_no_start():
    with pytest.raises(FlexuraError, match="The initial theta cannot be given: theta moves as prescribed"):
        fx.simulate(spin_up(blade()), T, initial={"theta": 1.0}, values={"ws": 6, "Ts": 15})


def slotted():
    rail, bob = fx.Mass("rail", m=0), fx.Mass("bob", m=2.0)
    slides = fx.Slide(fx.ground, rail, along="x", name="x"), fx.Slide(rail, bob, along="y", name="y")
    return fx.derive(fx.Model(*slides, fx.Gravity(9.81), fx.Constraint("x**2 + y**2 - 1")))


def test_a_start_off_the_constraints_is_corrected_and_reported_or_refused():
    equations = slotted()
    run = fx.simulate(equations, T, initial={"x": 2.0, "y": 0.0})
    assert run["x"][0] == pytest.approx(1.0)
    assert "The initial values contradict the constraints" in run.notes[0]
    assert "x from 2 to 1" in run.notes[0]
    with pytest.raises(FlexuraError, match=r"contradict the constraints.*give others, or let them be corrected"):
        fx.simulate(equations, T, initial={"x": 2.0, "y": 0.0}, inconsistent="refuse")
    solved = fx.simulate(equations, T, initial={"x": 0.6}, inconsistent="refuse")  # y follows
    assert abs(solved["y"][0]) == pytest.approx(0.8)
    assert solved.energy.error < 1e-8
    assert np.abs(solved["x"] ** 2 + solved["y"] ** 2 - 1).max() < 1e-9


def test_a_shape_that_the_ends_forbid_is_reported_or_refused():
    equations, _ = hub_arm()
    run = fx.simulate(equations, T[:3], initial={"w": "0.1"}, order=6)  # clamped, so it cannot start there
    assert "The initial w cannot be met" in run.notes[1]
    with pytest.raises(FlexuraError, match="The initial w cannot be met"):
        fx.simulate(equations, T[:3], initial={"w": "0.1"}, order=6, inconsistent="refuse")


def test_a_coordinate_without_inertia_is_named():
    q, r = fx.Coordinate("q"), fx.Coordinate("r")
    energies = fx.Lagrangian(kinetic=q.t**2 / 2, potential=(q - r) ** 2 + q**4)
    with pytest.raises(FlexuraError, match="The mass matrix is singular: r can move without inertia; give that motion"):
        fx.simulate(fx.derive(energies), T)
    heavy = fx.Lagrangian(kinetic=q.t**2 / 2 + r.t**2 / 100, potential=(q - r) ** 2 + q**4)  # as advised
    assert fx.simulate(fx.derive(heavy), T, initial={"q": 0.3}).energy.error < 1e-8


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {"method": "euler"},
            "method is 'euler'; use 'explicit', 'radau', 'generalized_alpha', 'symplectic', 'trapezoidal', 'exact'",
        ),
        ({"method": "exact"}, "method='exact' is for linear equations"),
        ({"tolerance": 0}, "tolerance is 0; give a number from 1e-13 to 0.1"),
        ({"stop": "top"}, "The run shall stop at 'top', which is no event"),
        ({"inconsistent": "maybe"}, "inconsistent is 'maybe'; use 'correct' or 'refuse'"),
    ],
)
def test_options_that_do_not_exist(options, sentence):
    with pytest.raises(FlexuraError, match=sentence):
        fx.simulate(hub_arm()[0], T, order=4, **options)


def test_what_cannot_be_simulated_says_so():
    with pytest.raises(FlexuraError, match="cannot be simulated; give equations, a model, a system of matrices"):
        fx.simulate(3, T)
