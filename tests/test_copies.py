"""Models, parts, places, equations and answers are copied, pickled and sent between processes, and answer the same."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from functools import cache

import numpy as np
import pytest

import flexura as fx
from flexura import gallery
from free_structures import plate

BEAM = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3, field="w")
HUB = fx.RigidBody("hub", m=1.0, I=0.1)
T = np.linspace(0, 0.1, 5)
X = np.linspace(0, 1.3, 4)
SECTION = fx.Section(2e11, 8e10, 7800, 1e-4, 2e-9, 1e-9)

PARTS = [
    fx.ground.at(1, 2),
    fx.Mass("m", 1.0),
    HUB,
    HUB.at("d"),
    BEAM,
    BEAM.start,
    BEAM.at("1.3/2"),
    fx.Rod("r", 1.0, 1.0, 1.0),
    fx.Shaft("s", 1.0, 1.0, 1.0),
    fx.String("st", 1.0, 1.0, 1.0),
    fx.TimoshenkoBeam("t", 1.0, 1.0, 1.0, 1.0, 1.0),
    fx.RayleighBeam("ra", EI=1.0, rho=1.0, length=1.0, rotary_inertia=0.1),
    fx.SpatialBeam("sb", EA=1.0, EIy=1.0, EIz=1.0, GJ=1.0, rho=1.0, length=1.0),
    fx.Fixed(fx.ground, BEAM.start),
    fx.Pin(HUB, BEAM.start),
    fx.Roller(HUB, BEAM.start),
    fx.Slide(fx.ground, HUB, name="y", motion="sin(t)"),
    fx.Revolute(fx.ground, HUB),
    fx.Free(fx.ground, HUB),
    fx.Spring(fx.ground, HUB, k="k"),
    fx.Damper(fx.ground, HUB, c=1.0),
    fx.TorsionSpring(fx.ground, HUB, k=1.0),
    fx.TorsionDamper(fx.ground, HUB, c=1.0),
    fx.Force(HUB, "F"),
    fx.Torque(HUB, "T"),
    fx.DistributedForce(BEAM, "f(x)"),
    fx.Gravity(9.81),
    fx.Constraint("x_t"),
    fx.Coordinate("q"),
    fx.Field("w", length="L"),
    fx.Parameter("p", 2.0),
    fx.sin(fx.Coordinate("q")) * fx.x + fx.time + fx.pi,
    SECTION,
]


def arm():
    torque = fx.Torque(HUB, "tau")
    return fx.Model(fx.Revolute(fx.ground, HUB, name="theta"), fx.Fixed(HUB, BEAM.start), torque, fx.Gravity(9.81))


@cache
def turning():
    return fx.derive(arm())


@cache
def cantilever():
    return fx.derive(fx.Model(fx.Fixed(fx.ground, BEAM.start), fx.Force(BEAM.end, "F")))


def frame():
    return fx.BeamFrame([[0, 0, 0], [0.5, 0, 0]], [[0, 1]], SECTION, supports={0: "all"}).refined(3)


def driven():
    """The drive is prescribed, and end values follow it."""
    joint = fx.Revolute(fx.ground, HUB, name="theta", motion="sin(t)")
    return fx.derive(fx.Model(joint, fx.Fixed(HUB, BEAM.start)))


def shapes(modes):
    shape = modes.shape(1)
    values = [one(X) if callable(one) else one for one in shape.values()]
    return [modes.eigenvalues, modes.frequencies, modes.damping_ratios, str(modes.certificate), values]


def motion(run):
    seen = [run.t, run["theta"], run["theta_tt"], run.place(BEAM, 0.4), run.place("beam", "1.3/2"), run.notes]
    return [*seen, run.position(BEAM.end), run.position(HUB), run.energy.imbalance, run.momentum.angular, *run]


def load(system):
    F = np.zeros(system.n)
    F[2::3] = 1.0
    return F


def labelled(one):
    return [np.asarray(one), repr(one), str(one), *map(str, getattr(one, "__dict__", {}).values())]


ANSWERS = {
    "model": (arm, lambda one: str(fx.derive(one))),
    "equations": (turning, lambda one: [str(one), one.latex(), [step.text for step in one.steps]]),
    "rigid equations": (lambda: fx.derive(gallery.pendulum(2)), lambda one: str(one.mass_matrix)),
    "Lagrangian": (lambda: turning().lagrangian, lambda one: str(fx.derive(one))),
    "certificate": (lambda: fx.verify(turning()), lambda one: [bool(one), str(one)]),
    "exact modes": (lambda: fx.modes(cantilever(), 3), shapes),
    "damped modes": (lambda: fx.modes(damped(), 3), shapes),
    "Ritz modes": (lambda: fx.modes(cantilever(), 3, method="ritz"), shapes),
    "equilibrium": (lambda: fx.equilibrium(cantilever(), values={"F": 3.0}), str),
    "Campbell chart": (lambda: fx.campbell(cantilever(), "EI_beam", [40.0, 50.0]), str),
    "response": (lambda: fx.frequency_response(cantilever(), [1.0, 2.0], "F", BEAM.end), labelled),
    "step response": (lambda: fx.step_response(cantilever(), T[1:] / 10, "F", BEAM.end), labelled),
    "impulse response": (lambda: fx.impulse_response(pulled(), T, "F", "y"), labelled),
    "periodic response": (lambda: fx.periodic_response(pulled(), "F", "y", period=1.0), labelled),
    "random response": (lambda: fx.random_response(pulled(), 1.0, "F", "y", np.linspace(1, 9, 9)), str),
    "response spectrum": (lambda: fx.response_spectrum((T, T), [3.0, 9.0], 0.02), labelled),
    "sensitivity": (lambda: fx.sensitivity(cantilever(), "EI_beam", count=2), labelled),
    "shape of matrices": (lambda: fx.modes(plate(3, 2), 8).shape(7), lambda one: [one, one.names, one[one.names[2]]]),
    "state space": (
        lambda: fx.state_space(pulled(), ["F"], ["y"]),
        lambda one: [one.A, one.C, dict(one.units), one.states, str(one)],
    ),
    "buckling": (lambda: fx.buckling(column(), "P"), lambda one: [float(one), one.parameter, repr(one), one.mode]),
    "flutter": (lambda: fx.flutter(column("-P*w_x"), "P"), lambda one: [float(one), one.frequency, repr(one)]),
    "linear system": (lambda: fx.discretise(cantilever()), lambda one: [one.M, one.K, one.names]),
    "nonlinear system": (
        lambda: fx.discretise(turning()),
        lambda one: [*one.evaluate(0.0, np.full(one.n, 0.01), np.zeros(one.n), one.rest), one.names],
    ),
    "run": (lambda: fx.simulate(turning(), T, {"theta": 0.3}, {"tau": 1.0}), motion),
    "run with a function": (lambda: fx.simulate(turning(), T, inputs={"tau": lambda t: np.cos(t)}), motion),
    "run of order 4": (lambda: fx.simulate(turning(), T, {"theta": 0.3}, order=4), motion),
    "run that is driven": (
        lambda: fx.simulate(driven(), T),
        lambda run: [run["theta"], run["Q_theta"], run.place(BEAM, 1)],
    ),
    "linear run": (
        lambda: fx.simulate(cantilever(), T, inputs={"F": "sin(9*t)"}),
        lambda run: [run.place(BEAM, 1.3), run.position(BEAM.end), run.energy.supplied],
    ),
    "run without fields": (
        lambda: fx.simulate(fx.derive(gallery.pendulum(1)), T, {"theta1": 0.2}, values={"m1": 1, "l1": 2, "g": 9.81}),
        lambda run: [run["theta1"], run["theta1_tt"], run.energy.kinetic],
    ),
    "matrices": (lambda: plate(3, 2), lambda one: [one.M.toarray(), one.K.toarray(), one.names]),
    "modes of matrices": (
        lambda: fx.modes(plate(3, 2), 8),
        lambda one: [one.frequencies, one.shape(7), str(one.certificate)],
    ),
    "state": (lambda: fx.operating_state(plate(3, 2), load(plate(3, 2))), lambda one: [one.deformation, str(one)]),
    "reduced model": (lambda: fx.reduce(plate(3, 2), load(plate(3, 2)), 2), lambda one: [one.n, one.error(20.0)]),
    "run of matrices": (
        lambda: fx.simulate(fx.SecondOrderSystem(np.eye(2), None, np.diag([2.0, 3.0])), T, ([1, 0], [0, 1])),
        lambda run: [run[name] for name in run],
    ),
    "frame": (frame, lambda one: [one.nodes, one.dofs]),
    "moving frame": (
        lambda: fx.moving_system(frame(), fx.MovingFrame(omega=(0, 0, 5))),
        lambda one: [one.K.toarray(), one.parts["K_G"].toarray()],
    ),
    "run of a frame": (
        lambda: fx.simulate(frame(), T, body=fx.MovingFrame.turning("z", "5*t**2")),
        lambda run: [run.position(1), run.place(1, "v"), run.energy.total],
    ),
}  # fmt: skip


@cache
def pulled():
    parts = fx.Slide(fx.ground, HUB, name="y"), fx.Spring(fx.ground, HUB, k=2.0), fx.Damper(fx.ground, HUB, c=0.3)
    return fx.derive(fx.Model(*parts, fx.Force(HUB, "F")))


@cache
def column(follower="0"):
    """Under a load at its end that stays upright, or follows the slope there."""
    beam = fx.EulerBernoulliBeam("column", EI=1.0, rho=1.0, length=1.0, axial_force="-P", field="w")
    load = () if follower == "0" else (fx.Force(beam.end, follower),)
    return fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), *load))


@cache
def damped():
    tip = fx.Damper(fx.ground, BEAM.end, c=0.4)
    return fx.derive(fx.Model(fx.Fixed(fx.ground, BEAM.start), tip))


COPIES = {"pickle": lambda one: pickle.loads(pickle.dumps(one)), "copy": copy.copy, "deepcopy": copy.deepcopy}


def same(a, b):
    """Equal; floats to rounding, because a copy lies elsewhere in memory and some kernels of BLAS sum by alignment."""
    if isinstance(a, list | tuple):
        assert len(a) == len(b)
        for one, other in zip(a, b, strict=True):
            same(one, other)
    elif np.asarray(a).dtype.kind in "fc":
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12 * np.nanmax(np.abs(a), initial=0.0))
    else:
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("how", COPIES)
def test_ground_stays_the_one_ground(how):
    assert COPIES[how](fx.ground) is fx.ground
    assert COPIES[how](fx.ground.place).body is fx.ground
    assert COPIES[how](fx.Fixed(fx.ground, BEAM.start)).p.body is fx.ground


@pytest.mark.parametrize("how", COPIES)
@pytest.mark.parametrize("part", PARTS, ids=repr)
def test_a_part_is_copied(part, how):
    made = COPIES[how](part)
    assert type(made) is type(part)
    assert repr(made) == repr(part)


@pytest.mark.parametrize("how", COPIES)
def test_parts_that_are_copied_together_stay_together(how):
    beam, hub, joint = COPIES[how]((BEAM, HUB, fx.Fixed(HUB, BEAM.start)))
    assert joint.q == beam.start
    assert joint.p.body is hub
    with pytest.raises(TypeError, match="item assignment"):
        beam.ends["axial"] = 0
    model = fx.Model(fx.Revolute(fx.ground, hub, name="theta"), joint, fx.Torque(hub, "tau"), fx.Gravity(9.81))
    assert str(fx.derive(model)) == str(turning())


@pytest.mark.parametrize("name", ANSWERS)
def test_an_answer_is_copied_and_answers_the_same(name):
    make, ask = ANSWERS[name]
    made = make()
    for how in COPIES.values():
        same(ask(how(made)), ask(made))
    fresh = make()
    same(ask(pickle.loads(pickle.dumps(fresh))), ask(made))  # before anything was asked of it


def test_answers_come_back_from_other_processes():
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        derived = pool.submit(fx.derive, arm())
        run = pool.submit(fx.simulate, turning(), T, {"theta": 0.3}, {"tau": 1.0})
        modes = pool.submit(fx.modes, cantilever(), 3)
    assert str(derived.result()) == str(turning())
    same(motion(run.result()), motion(fx.simulate(turning(), T, {"theta": 0.3}, {"tau": 1.0})))
    same(shapes(modes.result()), shapes(fx.modes(cantilever(), 3)))
