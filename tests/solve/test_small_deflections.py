"""Members that leave the theory of small deflections say so, with size and cost; positions keep a member's length."""

import numpy as np
import pytest
from scipy.optimize import brentq

import flexura as fx
from flexura.solve.runs.theory import Bending

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


NODES, WEIGHTS = np.polynomial.legendre.leggauss(12)


def cantilever(**given):
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=0.4, length=1.5, field="w")
    return beam, fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "P", along="y"), **given))


def elastica(load):
    """w/L of a cantilever under an end force P L^2/EI, by shooting with the slope's equation phi'' = -P cos(phi)."""
    s = np.linspace(0, 1, 2001)

    def shot(bend):
        phi, rate, h, w = 0.0, bend, s[1], 0.0
        for _ in s[1:]:
            middle = rate - h / 2 * load * np.cos(phi)
            turned = phi + h * middle
            w += h * np.sin((phi + turned) / 2)
            phi, rate = turned, middle - h / 2 * load * np.cos(turned)
        return rate, w

    return shot(brentq(lambda bend: shot(bend)[0], 0.0, load))[1]


def told(notes):
    return [note for note in notes if "small deflections" in note or "joints hang on it" in note]


def test_the_elastica_by_shooting_is_that_of_the_books():
    assert elastica(1.0) == pytest.approx(0.30172, abs=2e-5)
    assert elastica(10.0) == pytest.approx(0.81061, abs=2e-5)


@pytest.mark.parametrize("load", [0.05, 0.2, 0.4, 0.7, 1.0, 2.0])
def test_an_equilibrium_far_out_tells_what_it_misses(load):
    _, equations = cantilever()
    rest = fx.equilibrium(equations, {"P": load * 2.0 / 1.5**2})
    small, true = load / 3, elastica(load)
    missed = (small - true) / true
    if small >= 0.1 or load / 2 >= 0.3:
        (note,) = told(rest.notes)
        said = float(note.partition("off by about ")[2].split()[0])
        assert missed / 3 < said < 3 * missed
        assert f"{small:.2g} of its length" in note
    else:
        assert not rest.notes
        assert missed < 0.01


@pytest.mark.parametrize("load", [0.05, 1.0])
def test_a_run_far_out_tells_it(load):
    beam, equations = cantilever()
    run = fx.simulate(equations, np.linspace(0, 2, 41), inputs={"P": load})
    far = np.abs(run.place(beam, 1.5)).max() / 1.5 >= 0.1
    assert bool(told(run.notes)) == bool(run.error.theory) == far
    assert far == (load == 1.0)


def test_a_nonlinear_run_far_out_tells_it():
    hub = fx.RigidBody("hub", m=1, I=0.1)
    beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=0.4, length=1.0, field="w")
    model = fx.Model(fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub, beam.start), fx.Torque(hub, "tau"))
    run = fx.simulate(fx.derive(model), np.linspace(0, 0.6, 31), inputs={"tau": 2.0}, tolerance=1e-5)
    assert told(run.notes)
    assert 0.01 < run.error.theory["beam"] <= 1.0


def two_links(order, torque, inertia=0.1):
    hub, elbow = fx.RigidBody("hub", m=1, I=0.1), fx.RigidBody("elbow", m=0.1, I=inertia)
    first = fx.EulerBernoulliBeam("first", EI=20.0, rho=0.4, length=1.0, field="w")
    second = fx.EulerBernoulliBeam("second", EI=20.0, rho=0.4, length=1.0, field="v")
    joints = fx.Revolute(fx.ground, hub, name="p1"), fx.Revolute(first.end, elbow, name="p2")
    model = fx.Model(*joints, fx.Fixed(hub, first.start), fx.Fixed(elbow, second.start), fx.Torque(hub, "tau"))
    t = np.linspace(0, 0.3, 16)
    return fx.simulate(fx.derive(model), t, inputs={"tau": torque}, order=order, tolerance=1e-5)


def test_chains_of_hinged_links_are_told_no_earlier_than_others():
    run = two_links(4, 1.0)
    assert 0.005 < np.abs(run.place("first", 1.0)).max() < 0.1
    assert not told(run.notes)
    assert not run.error.theory


def test_deflections_take_no_inertia_of_hinged_links_away():
    run = two_links(6, 8.0, inertia=1e-4)
    assert run.complete
    assert not any("smallest inertia" in note for note in run.notes)


def test_where_it_begins():
    assert Bending(0.09, 0.2, False).error == 0
    assert Bending(0.1, 0.2, False).error > 0
    assert Bending(0.05, 0.3, False).error > 0
    assert Bending(0.004, 0.01, True).error == 0
    assert Bending(0.005, 0.01, True).error == pytest.approx(0.0008)


def strained(notes):
    return [note for note in notes if "small strains" in note]


@pytest.mark.parametrize("strain", [-2.5, -1.0, -0.3, -0.05, 0.05, 0.2, 1.7])
@pytest.mark.parametrize("kind", ["Rod", "EulerBernoulliBeam", "TimoshenkoBeam"])
def test_a_member_that_is_pressed_or_stretched_far_tells_it(kind, strain):
    more = {
        "Rod": {},
        "EulerBernoulliBeam": {"EI": 3.0},
        "TimoshenkoBeam": {"EI": 3.0, "kGA": 9.0, "rotary_inertia": 0.1},
    }
    member = getattr(fx, kind)("member", EA=40.0, rho=0.4, length=1.5, **more[kind])
    support, load = fx.Fixed(fx.ground, member.start), fx.Force(member.at(0.5), "P", along="x")
    equations = fx.derive(fx.Model(support, load))
    rest = fx.equilibrium(equations, {"P": 40.0 * strain})  # all of the strain is in the first third
    slow = fx.simulate(equations, [0.0, 100.0, 200.0], inputs={"P": f"{40.0 * strain}*(1 - cos(pi*t/200))/2"}, order=4)
    for notes in (rest.notes, slow.notes):
        if abs(strain) < 0.1:
            assert not strained(notes)
            continue
        (note,) = strained(notes)
        assert ("pressed by" in note) == (strain < 0)
        assert float(note.partition(" by ")[2].split()[0]) == pytest.approx(abs(strain), rel=0.1)
        assert ("nothing of it is left" in note) == (strain <= -1)
    assert (slow.error.theory.get("member", 0.0) > 0) == (abs(strain) >= 0.1)


def test_an_energy_for_large_strains_is_no_small_theory():
    class Rubber(fx.Member):
        def __init__(self, name):
            u = fx.Field(f"u_{name}", length=1.5)
            super().__init__(
                name, fields=[u], potential=20.0 * u.x**2 + 5.0 * u.x**4, ends={"axial": u}, displacement=(u, 0, 0),
                rho=0.4,
            )  # fmt: skip

    rubber = Rubber("rubber")
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, rubber.start), fx.Force(rubber.end, "P", along="x")))
    assert not strained(fx.equilibrium(equations, {"P": 60.0}).notes)


def test_an_operating_state_far_out_tells_it():
    x = np.linspace(0, 1, 6)
    K = sum(100.0 * np.outer(row, row) for row in np.diff(np.eye(6), axis=0))
    nodes, dofs = np.column_stack([x, 0 * x, 0 * x]), [f"u{i}" for i in range(6)]
    system = fx.SecondOrderSystem(np.eye(6), None, K, nodes=nodes, dofs=dofs)
    pulled = np.array([-1.0, 0, 0, 0, 0, 1.0])
    near, far = (fx.operating_state(system, size * pulled) for size in (1.0, 8.0))
    assert np.abs(near.deformation).max() < 0.1 < np.abs(far.deformation).max()
    assert not any("matrices are for small" in note for note in near.notes)
    assert any("matrices are for small" in note for note in far.notes)


# -- positions ----------------------------------------------------------------------------------------------------


def length_of(points):
    return np.linalg.norm(np.diff(points, axis=0), axis=1).sum()


def bent(size, foreshortening=True, flipped=False):
    """A hub, an arm cut in two by a mass on it, and a body at its end; bent as size x^2."""
    hub, mid, tip = fx.RigidBody("hub", m=1, I=0.1), fx.Mass("mid", m=0.1), fx.RigidBody("tip", m=0.1, I=0.01)
    arm = fx.EulerBernoulliBeam("arm", EI=30.0, rho=0.4, length=1.0, field="w")
    near, far = (arm.end, arm.start) if flipped else (arm.start, arm.end)
    parts = [fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub.at(0.2, 0.1), near, angle=0.5)]
    parts += [fx.Fixed(arm.at(0.4), mid), fx.Fixed(far, tip)]
    equations = fx.derive(fx.Model(*parts, foreshortening=foreshortening))
    shape = f"{size}*(1-x)**2" if flipped else f"{size}*x**2"
    start = dict.fromkeys(equations.fields, shape) | {"theta": 0.3}
    run = fx.simulate(equations, [0.0, 1e-4], initial=start, order=4, tolerance=1e-3)
    places = [run.position(arm.at(s))[0] for s in np.linspace(0, 1, 201)]
    return length_of(places), run.position(far)[0], run.position(tip)[0], run.position(near)[0], places


@pytest.mark.parametrize("flipped", [False, True])
def test_a_drawn_axis_keeps_its_length_to_fourth_order(flipped):
    missed = [abs(bent(size, flipped=flipped)[0] - 1) for size in (0.4, 0.2, 0.1)]
    assert missed[0] / missed[1] == pytest.approx(16, rel=0.15)
    assert missed[1] / missed[2] == pytest.approx(16, rel=0.15)
    assert missed[0] < 0.02


def test_what_hangs_on_a_bent_member_is_drawn_in_with_it():
    _, end, tip, root, places = bent(0.4)
    assert end == pytest.approx(tip, abs=1e-12)
    assert end == pytest.approx(places[-1], abs=1e-12)
    assert np.linalg.norm(end - root) < 1.0  # not beyond its length
    _, end, _, root, _ = bent(0.4, foreshortening=False)
    assert np.linalg.norm(end - root) == pytest.approx(np.hypot(1, 0.4))  # the classical error, as asked for


def test_frames_beyond_a_bent_member_are_drawn_in_too():
    run = two_links(4, 1.0)
    for at in (5, 15):
        w = run.place("first", 1.0)[at]
        slope = run.motion.whole.values("w", (NODES + 1) / 2, run.t, run.motion.q, None, 1)[at]
        drawn, p = slope**2 @ WEIGHTS / 4, run["p1"][at]
        by_hand = np.array([np.cos(p), np.sin(p)]) * (1 - drawn) + w * np.array([-np.sin(p), np.cos(p)])
        assert run.position("elbow")[at][:2] == pytest.approx(by_hand, abs=1e-12)
