"""Chains of flexible links in motion, beside exact beams, which share no theory of small deflections with them."""

import numpy as np
import pytest
import scipy.optimize

import flexura as fx

TORQUE = "sin(pi*t)*(1 - cos(pi*t))/2"


def arm(link, torque=1.0):
    """Two links with bodies at their joints, driven by torques; `link` makes a beam from its name and numbers."""
    hub, elbow, tip = (
        fx.RigidBody(name, m=m, I=I) for name, m, I in (("hub", 1.0, 0.05), ("elbow", 0.6, 0.01), ("tip", 0.3, 0))
    )
    first, second = link("first", 60.0, 1.0, 1.0), link("second", 30.0, 0.7, 0.8)
    model = fx.Model(
        fx.Revolute(fx.ground, hub, name="q1"),
        fx.Fixed(hub, first.start),
        fx.Revolute(first.end, elbow, name="q2"),
        fx.Fixed(elbow, second.start),
        fx.Fixed(second.end, tip),
        fx.Torque(hub, f"{torque * 7}*{TORQUE}"),
        fx.Torque(elbow, f"{torque * 2.5}*{TORQUE}", reaction=first.end),
    )
    return model, second.end


def ordinary(name, EI, rho, length):
    return fx.EulerBernoulliBeam(name, EI=EI, rho=rho, length=length)


def exact(name, EI, rho, length):
    return fx.ExactBeam(name, EI=EI, rho=rho, length=length)


def followed(model, t, **how):
    run = fx.simulate(model, t, **how)
    assert run.t[-1] == t[-1]
    assert run.energy.error < 1e-8
    return run


def test_a_two_link_arm_moves_like_exact_beams():
    t = np.linspace(0, 0.6, 7)
    model, tip = arm(ordinary)
    run = followed(model, t, order=5, tolerance=1e-8)
    beside, end = arm(exact)
    other = fx.simulate(beside, t, order=4, tolerance=1e-6)
    assert np.abs(run.position(tip) - other.position(end)).max() < 2e-3  # (w/L)^2 is 1e-3
    assert not any("joints hang" in note for note in run.notes)


def test_an_arm_that_bends_further_does_not_stop():
    t = np.linspace(0, 1.2, 7)
    model, tip = arm(ordinary, torque=3.0)
    run = followed(model, t, order=4, tolerance=1e-9)
    lengths = np.linalg.norm(run.position(tip), axis=1)
    assert lengths.max() < 1.8 * 1.001


def pendulum(beam):
    return fx.Model(fx.Revolute(fx.ground, beam.start, name="theta"), fx.Gravity())


@pytest.mark.parametrize("kind", ["EulerBernoulli", "stretching", "Rayleigh", "Timoshenko"])
def test_a_pendulum_hinged_at_its_bare_root_moves_like_an_exact_beam(kind):
    numbers = {"EI": 20.0, "rho": 1.0, "length": 1.0}
    ordinary, more = {
        "EulerBernoulli": (fx.EulerBernoulliBeam, {}),
        "stretching": (fx.EulerBernoulliBeam, {"EA": 2e3}),
        "Rayleigh": (fx.RayleighBeam, {"rotary_inertia": 2e-3}),
        "Timoshenko": (fx.TimoshenkoBeam, {"rotary_inertia": 2e-3, "kGA": 2e3}),
    }[kind]
    t, start = np.linspace(0, 0.3, 4), {"theta": -0.5}
    mine, other = ordinary("b", **numbers, **more), fx.ExactBeam("b", **numbers, **more)
    run = followed(pendulum(mine), t, initial=start, order=5, tolerance=1e-8)
    beside = fx.simulate(pendulum(other), t, initial=start, order=3, elements=2, tolerance=1e-6)
    apart = np.abs(run.position(mine.end) - beside.position(other.end)).max()
    bent = np.abs(run.place(mine, 1.0)).max()
    assert apart < 3e-3, bent


def test_momentum_of_two_links_that_fly_is_kept():
    first, second = (fx.EulerBernoulliBeam(name, EI=5.0, rho=1.0, length=1.0) for name in ("first", "second"))
    model = fx.Model(fx.Free(fx.ground, first.start), fx.Revolute(first.end, second.start, name="q"))
    start = {"theta_first_t": 1.5, "q_t": -4.0}
    run = followed(model, np.linspace(0, 0.5, 6), initial=start, order=4, tolerance=1e-9)
    assert max(run.momentum.errors.values()) < 1e-8


def test_a_slider_crank_with_a_flexible_rod_turns():
    crank, slider = fx.RigidBody("crank", m=1.0, I=0.1), fx.RigidBody("slider", m=0.5, I=0)
    rod = fx.EulerBernoulliBeam("rod", EI=50.0, rho=0.5, length=1.0)
    model = fx.Model(
        fx.Revolute(fx.ground, crank.at(-0.15, 0), name="phi"),
        fx.Revolute(crank.at(0.15, 0), rod.start, name="psi"),
        fx.Slide(fx.ground.at(1.3, 0), slider, along="x", name="x"),
        fx.Revolute(rod.end, slider, name="c"),
    )
    run = followed(model, np.linspace(0, 0.5, 6), initial={"phi_t": 5.0}, order=4)
    gap = run.position(rod.end) - run.position(slider)
    assert np.abs(gap).max() < 1e-9


@pytest.mark.parametrize("g", [1.0, 9.81])
def test_how_far_a_run_rests_from_an_equilibrium_is_told(g):
    """The equations that runs follow, solved for rest on their own, beside fx.equilibrium and what it says of them."""
    first, second = (ordinary(name, 30.0, 1.0, 1.0) for name in ("first", "second"))
    model = fx.Model(
        fx.Revolute(fx.ground, first.start, name="q1"),
        fx.Revolute(first.end, second.start, name="q2"),
        fx.TorsionSpring(fx.ground, first.start, k=200.0),
        fx.TorsionSpring(first.end, second.start, k=200.0),
        fx.Gravity(g),
    )
    equations = fx.derive(model)
    rest, system = fx.equilibrium(equations), fx.discretise(equations, order=5)
    still = np.zeros(system.n)
    found = scipy.optimize.fsolve(lambda q: system.evaluate(0.0, q, still, system.rest)[1], still, xtol=1e-13)
    said = [float(note.split("by up to about ")[1].split()[0]) for note in rest.notes if "rests beside it" in note]
    name = "y_first_end"
    apart = abs(found[system.names.index(name)] / rest[name] - 1)
    assert len(said) == 1
    assert said[0] / 50 < apart < said[0]
    little = fx.equilibrium(equations, values={"EI_first": 1e6, "EI_second": 1e6})
    assert not any("rests beside it" in note for note in little.notes)
