"""Phases without the unknowns of riders: the same accelerations, slopes and powers as with conditions for them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

L = 1.5


def followed(inertia: float, motion: str | None, elements: int = 1, EI: float = 4.0, end: float = 1e-3) -> Any:
    beam = fx.EulerBernoulliBeam("beam", EI=EI, rho=0.7, length=L, damping=0.3, foundation=2.0)
    load: Any = fx.RigidBody("load", 0.6, inertia) if inertia else fx.Mass("load", 0.6)
    supports = [fx.Pin(fx.ground, beam.start), fx.Roller(fx.ground, beam.end)]
    equations = fx.derive(fx.Model(*supports, fx.Ride(beam, load, name="s", motion=motion), fx.Force(load, "F")))
    start = {} if motion else {"s": 0.3, "s_t": 1.0}
    t = np.linspace(0, end, 3)
    return fx.simulate(equations, t, initial=start, inputs={"F": "-4 - t"}, order=4, elements=elements)


@pytest.mark.parametrize("inertia", [0.0, 0.05], ids=["mass", "body"])
@pytest.mark.parametrize("motion", [None, "0.5 + 0.3*sin(2*t)"], ids=["free", "given"])
@pytest.mark.parametrize("elements", [1, 3])
def test_they_are_the_constrained_equations(inertia: float, motion: str | None, elements: int) -> None:
    run = followed(inertia, motion, elements)
    piece = run.motion.mechanics.pieces[0]
    ridden, phase, mechanics = piece.ridden, piece.phase, piece.mechanics
    assert len(ridden.kept) == phase.base.n - len(phase.held)
    mechanics.within()

    def asked(t: float, z: Any, w: Any) -> Any:
        q, v = ridden.whole(t, z, w)
        inputs = mechanics.inputs(t)
        return q, v, *phase.solved(t, q, v, phase.loads(t, q, v, inputs)), inputs

    @settings(max_examples=10, deadline=None)
    @given(st.integers(0, 2**32 - 1), st.floats(0, 1))
    def holds(seed: int, t: float) -> None:
        random = np.random.default_rng(seed)
        z, w = random.normal(size=(2, len(ridden.kept)))
        if motion is None:
            z[[phase.base.names[i] for i in ridden.kept].index("s")] = random.uniform(0.1, 1.4)
        q, v, a, multipliers, inputs = asked(t, z, w)
        for one in phase.held:  # on the member, and with its rate
            s, A, b, _ = one.motion(t, q, v)
            assert s == pytest.approx(0, abs=1e-12)
            assert A @ v + b == pytest.approx(0, abs=1e-11)
        size = np.abs(a).max()
        found = mechanics.acceleration(t, z, w)[0]
        np.testing.assert_allclose(found, a[ridden.kept], atol=1e-9 * size)
        times, rows = np.array([t, t / 2]), np.array([z, z])
        together = mechanics.accelerations(times, rows, np.array([w, w]))[0]
        np.testing.assert_allclose(together[0], found, atol=1e-10 * size)
        lost, given_ = ridden.system.powers(t, z, w, found, inputs, np.zeros(0))
        theirs = phase.system.powers(t, q, v, a, inputs, multipliers)
        scale = float(np.abs(multipliers).max() * np.abs(v).max()) + abs(given_)
        assert lost == pytest.approx(theirs[0], abs=1e-9 * scale)
        assert given_ == pytest.approx(theirs[1], abs=1e-9 * scale)

    holds()


@pytest.mark.parametrize("inertia", [0.0, 0.05], ids=["mass", "body"])
def test_their_slopes_are_those_of_the_residual(inertia: float) -> None:
    """By differences; of a rider that goes by itself, at rest along the beam: third derivatives have no share there."""
    for motion in (None, "0.5 + 0.3*sin(2*t)"):
        run = followed(inertia, motion)
        ridden = run.motion.mechanics.pieces[0].ridden
        names = [ridden.base.names[i] for i in ridden.kept]
        random, t, u = np.random.default_rng(3), 0.4, ridden.base.rest
        z, w, a = random.normal(size=(3, len(names)))
        if motion is None:
            z[names.index("s")], w[names.index("s")] = 0.7, 0.0

        def residual(z: Any, w: Any, a: Any = a, u: Any = u, ridden: Any = ridden) -> Any:
            M, f = ridden.system.evaluate(0.4, z, w, u)
            return M @ a - f

        K, C = ridden.system.jacobians(t, z, w, a, u, np.zeros(0))
        h, one = 1e-6, np.eye(len(names))
        by_z = np.array([(residual(z + h * e, w) - residual(z - h * e, w)) / (2 * h) for e in one]).T
        by_w = np.array([(residual(z, w + h * e) - residual(z, w - h * e)) / (2 * h) for e in one]).T
        np.testing.assert_allclose(C, by_w, atol=1e-6 * np.abs(by_w).max())
        np.testing.assert_allclose(K, by_z, atol=1e-6 * np.abs(by_z).max())


def test_a_stiff_beam_under_a_load_that_crosses_it_bends_as_it_would_at_rest() -> None:
    """EI = 1e6: its vibrations make a thousand radians in the run; on the average it is where F bends it at rest.

    In the polynomials of degree 4 that vanish at both ends: N K^-1 N F, written out here.
    """
    run = followed(0.0, "0.5 + 0.3*t", EI=1e6, end=0.02)
    assert run.complete
    assert run.energy.error < 1e-8
    how = next(one for one in run.notes if one.startswith("Followed by"))
    steps = {way: int(count) for count, way in re.findall(r"(\d+) (radau|explicit) steps", how)}
    assert steps["radau"] > 10 * steps.get("explicit", 0)  # tried beside it, and left again
    piece = run.motion.mechanics.pieces[0]
    t = np.linspace(0, 0.02, 4001)
    y = piece.states(t)[0][:, piece.phase.base.names.index("y_load")]
    shapes = [np.polynomial.Polynomial([0, L, -1]) * np.polynomial.Polynomial([0, 1]) ** k for k in range(3)]
    K = np.array([[1e6 * (a.deriv(2) * b.deriv(2)).integ()(L) for a in shapes] for b in shapes])
    N = np.array([f(0.5) for f in shapes])
    static = float(-4.0 * N @ np.linalg.solve(K, N))
    assert y.mean() == pytest.approx(static, rel=0.01)
    assert y.min() == pytest.approx(2 * static, rel=0.05)
