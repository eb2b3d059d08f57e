"""Chains of flexible links in space, beside exact beams, which share no theory of small deflections with them."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

SECTION = {"EA": 2e3, "EIy": 30.0, "EIz": 20.0, "GJ": 15.0, "rho": 1.0, "length": 1.0}


def arm(kind):
    """A hub that turns about z carries a link, on whose end a body is hinged about y."""
    link = kind("link", **SECTION, rotary_inertia=(0.01, 0.005, 0.005))
    hub = fx.RigidBody("hub", m=1.0, I=(0.05, 0.05, 0.05))
    tip = fx.RigidBody("tip", m=0.6, I=(0.01, 0.02, 0.02))
    return tip, fx.Model(
        fx.Revolute(fx.ground, hub, name="q1", about="z"),
        fx.Fixed(hub, link.start),
        fx.Revolute(link.end, tip.at(-0.3, 0, 0), name="q2", about="y"),
        fx.Gravity(along="-z"),
    )


def test_a_link_with_a_hinged_body_moves_like_an_exact_beam():
    t, start = [0.0, 0.05], {"q1_t": 1.0}
    tip, model = arm(fx.SpatialBeam)
    run = fx.simulate(model, t, initial=start, order=4, tolerance=1e-6)
    body, other = arm(fx.ExactSpatialBeam)
    beside = fx.simulate(other, t, initial=start, order=3, elements=1, tolerance=1e-4)
    moved = run.position(tip) - run.position(tip)[0]
    assert np.abs(run.position(tip) - beside.position(body)).max() < 0.01 * np.abs(moved).max()
    assert run.energy.error < 1e-7
    assert not any("joints hang" in note for note in run.notes)


def test_what_tumbles_keeps_energy_and_momenta():
    link, wheel = (
        fx.SpatialBeam("link", **SECTION, rotary_inertia=0.01),
        fx.RigidBody("wheel", m=0.5, I=(0.05, 0.04, 0.03)),
    )
    model = fx.Model(fx.Free(fx.ground, link.start), fx.Revolute(link.end, wheel.at(-0.1, 0, 0), name="q", about="y"))
    start = {"psi_link_t": 1.5, "theta_link_t": -1.0, "q_t": -2.0}
    run = fx.simulate(model, [0.0, 0.02, 0.04], initial=start, order=4, tolerance=1e-9)
    assert run.t[-1] == 0.04
    assert run.energy.error < 1e-8
    assert len(run.momentum.errors) == 6
    assert max(run.momentum.errors.values()) < 1e-8


@st.composite
def trees(draw):
    """One or two links in space on bodies or bare, hinged about any axis; a body hangs last, across the axis."""
    things, last = [], fx.ground
    for i in range(draw(st.integers(1, 2))):
        beam = fx.SpatialBeam(f"l{i}", **SECTION, rotary_inertia=draw(st.sampled_from([0.002, (2e-3, 1e-3, 1e-3)])))
        if draw(st.booleans()):
            things.append(fx.Revolute(last, beam.start, name=f"q{i}", about=draw(st.sampled_from("yz"))))
        else:
            body = fx.RigidBody(f"b{i}", m=0.3, I=(0.02, 0.03, 0.03))
            joint = draw(st.sampled_from(["x", "y", "z", "universal"]))
            place = body.at(-0.1, 0.05, 0.02)
            hinge = fx.Universal(last, place) if joint == "universal" else fx.Revolute(last, place, about=joint)
            things += [hinge, fx.Fixed(body.at(0.1, 0, 0.03), beam.start)]
        last = beam.end
    tip = fx.RigidBody("tip", m=0.2, I=draw(st.sampled_from([(0.01, 0.01, 0.02), (0.3, 0.2, 0.4)])))
    return fx.Model(*things, fx.Revolute(last, tip.at(-0.05, 0.1, 0), name="tip", about=draw(st.sampled_from("xyz"))))


@settings(max_examples=4, deadline=None)
@given(trees(), st.sampled_from([4, 8]), st.integers(0, 99), st.floats(0.01, 0.3))
def test_inertia_is_positive_at_any_order_and_deflection(model, order, seed, size):
    system = fx.discretise(model, order=order)
    assert system.m == 0
    q = size * np.random.default_rng(seed).standard_normal(system.n) / np.arange(1, system.n + 1)
    M, _ = system.evaluate(0.0, q, 0 * q, system.rest)
    scale = 1 / np.sqrt(np.diag(M))
    assert np.linalg.eigvalsh(scale[:, None] * M * scale).min() > 0


def test_a_planar_link_in_space_is_tied_and_proved():
    """An inextensible link on a turntable: its axial displacement has a name, and the routes agree."""
    link = fx.EulerBernoulliBeam("link", EI="EI", rho="rho", length="l")
    table, bob = fx.RigidBody("table", m=1.0, I=(0.1, 0.1, 0.2)), fx.RigidBody("bob", m="m", I=(0.1, 0.2, 0.3))
    model = fx.Model(
        fx.Revolute(fx.ground, table, about="x", name="alpha"),
        fx.Fixed(table, link.start),
        fx.Revolute(link.end, bob.at(-0.1, 0.02, 0), about="y"),
    )
    equations = fx.derive(model)
    assert model.lagrangian.ties == {"a_link": "N_link"}
    assert fx.verify(equations)
