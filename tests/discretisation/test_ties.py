"""Members whose axial displacement is tied to bending: systems without it, whose inertia is a full square."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from direct_action import ledger_gap, numbers_for, residual, slope, some_state

BEAMS = {
    "EB": lambda name: fx.EulerBernoulliBeam(name, EI=3.0, rho=1.0, length=1.1),
    "EB with EA": lambda name: fx.EulerBernoulliBeam(name, EI=3.0, rho=0.7, length=0.9, EA=500.0),
    "Rayleigh": lambda name: fx.RayleighBeam(name, EI=2.0, rho=1.2, length=1.0, rotary_inertia=0.01),
    "Timoshenko": lambda name: fx.TimoshenkoBeam(name, EI=2.0, kGA=80.0, rho=1.0, rotary_inertia=0.02, length=0.8),
}


@st.composite
def chains(draw):
    """Links one after the other, on bodies or bare, welded at an angle or hinged, in the plane; a body hangs last."""
    things, last = [], fx.ground
    for i in range(draw(st.integers(1, 3))):
        beam = BEAMS[draw(st.sampled_from(sorted(BEAMS)))](f"l{i}")
        if i and draw(st.booleans()):
            things.append(fx.Fixed(last, beam.start, angle=draw(st.sampled_from([0, 0.6]))))
        elif draw(st.booleans()):
            things.append(fx.Revolute(last, beam.start, name=f"q{i}"))
        else:
            body = fx.RigidBody(f"b{i}", m=0.3, I=draw(st.sampled_from([0.0, 0.02])))
            things += [fx.Revolute(last, body.at(-0.1, 0.05), name=f"q{i}"), fx.Fixed(body.at(0.1, 0), beam.start)]
        last = beam.end
    tip = fx.RigidBody("tip", m=0.2, I=0.01)
    things.append(fx.Revolute(last, tip.at(-0.05, 0.0), name="tip"))
    return fx.Model(*things, fx.Gravity())


@settings(max_examples=12, deadline=None)
@given(chains(), st.sampled_from([4, 7, 12, 20]), st.integers(0, 99), st.floats(0.01, 0.3))
def test_inertia_is_positive_at_any_order_and_deflection(model, order, seed, size):
    system = fx.discretise(model, order=order)
    assert system.m == 0
    q = size * np.random.default_rng(seed).standard_normal(system.n) / np.arange(1, system.n + 1)
    M, _ = system.evaluate(0.0, q, 0 * q, system.rest)
    scale = 1 / np.sqrt(np.diag(M))
    assert np.linalg.eigvalsh(scale[:, None] * M * scale).min() > -1e-13


@settings(max_examples=6, deadline=None)
@given(chains())
def test_slopes_are_differences_and_energy_is_balanced(model):
    system = fx.discretise(model, order=4)
    t, q, v, a, u, lam = some_state(system)
    K, C = system.jacobians(t, q, v, a, u, lam)
    by_q = slope(lambda z: residual(system, t, z, v, a, u, lam), q)
    by_v = slope(lambda w: residual(system, t, q, w, a, u, lam), v)
    assert np.abs(K - by_q).max() < 1e-7 * np.abs(by_q).max()
    assert np.abs(C - by_v).max() < 1e-7 * max(1.0, np.abs(by_v).max())
    gap, terms = ledger_gap(system)
    assert abs(gap) < 1e-6 * terms


def test_few_shapes_give_what_all_give_on_them():
    first, second = (BEAMS["EB"](name) for name in ("first", "second"))
    model = fx.Model(fx.Revolute(fx.ground, first.start), fx.Revolute(first.end, second.start), fx.Gravity())
    system, random = fx.discretise(model, order=8), np.random.default_rng(3)
    T = random.standard_normal((system.n, 5))
    few = system.within(T, tuple("abcde"))
    z, w, a = (0.1 * random.standard_normal(5) for _ in range(3))
    M, f = system.evaluate(0.0, T @ z, T @ w, system.rest)
    for whole, part in zip((T.T @ M @ T, T.T @ f), few.evaluate(0.0, z, w, system.rest), strict=True):
        assert part == pytest.approx(whole, rel=1e-10, abs=1e-12)
    K, C = system.jacobians(0.0, T @ z, T @ w, T @ a, system.rest, np.zeros(0))
    for whole, part in zip((K, C), few.jacobians(0.0, z, w, a, system.rest, np.zeros(0)), strict=True):
        assert part == pytest.approx(T.T @ whole @ T, rel=1e-9, abs=1e-9)


def test_given_motions_feel_what_members_pass_on():
    """A crank that turns as it is told carries a link with a hinged end: its power is the work of what drives it."""
    crank, link = fx.RigidBody("crank", m=1.0, I=0.1), BEAMS["EB"]("link")
    bob = fx.RigidBody("bob", m=0.4, I=0.01)
    model = fx.Model(
        fx.Revolute(fx.ground, crank, motion="sin(2*t)"),
        fx.Fixed(crank.at(0.2, 0), link.start),
        fx.Revolute(link.end, bob.at(-0.2, 0)),
    )
    equations = fx.derive(model)
    assert model.lagrangian.ties
    system = fx.discretise(equations, values=numbers_for(equations), order=5)
    gap, terms = ledger_gap(system)
    assert abs(gap) < 1e-6 * terms
