"""Modes of a body that spins steadily about a principal axis: Euler's equations, and Ritz."""

import cmath

from hypothesis import example, given, settings
from hypothesis import strategies as st

import flexura as fx

inertias = st.sampled_from([0.05, 0.06, 0.08, 0.1])


@given(I=st.tuples(inertias, inertias, inertias), spin=st.floats(0.5, 30))
@example(I=(0.1, 0.05, 0.05), spin=10.0)
@example(I=(0.1, 0.1, 0.1), spin=3.0)
@settings(max_examples=5, deadline=None)
def test_the_roots_are_the_spin_and_those_of_euler(I: tuple[float, float, float], spin: float) -> None:
    body = fx.RigidBody("b", 1.0, I)
    equations = fx.derive(fx.Model(fx.Spherical(fx.ground, body, names=("a", "b", "c"))))  # a turns about z
    x, y, z = I
    nutation = spin * cmath.sqrt((x - z) * (z - y) / (x * y))  # +-: grows about the middle axis
    for method in ("exact", "ritz"):
        roots = fx.modes(equations, about={"a_t": spin}, method=method).eigenvalues
        moving = [s for s in roots if abs(s) > 1e-6 * spin]
        wanted = [1j * spin] + ([nutation] if abs(nutation) > 1e-6 * spin else [])
        wanted += [-nutation] if nutation.real > 1e-6 * spin else []
        assert len(moving) == len(wanted)
        for s in wanted:
            assert min(abs(s - one) for one in moving) < 1e-7 * spin
