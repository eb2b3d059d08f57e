"""Modes by Ritz: every root within the error its certificate states, or a note that says how large it may be."""

from __future__ import annotations

import itertools
import os

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from exact_lines import root_beside, uniform

g = fx.ground
CASES = int(os.environ.get("FLEXURA_EXACT_CASES", "12"))


def size(low, high):
    """A number of four digits between powers of ten."""
    return st.floats(low, high).map(lambda one: float(f"{10**one:.4g}"))


HINGED = st.fixed_dictionaries(
    {
        "EI": size(0, 8), "rho": size(-1, 1), "damping": size(-4, 1), "length": size(-0.3, 0.3), "m": size(-1, 1),
        "k": st.just(0.0) | size(-3, 2), "c": st.just(0.0) | size(-3, 1),
    }
)  # fmt: skip


def hinged(EI, rho, damping, length, m, k, c):
    """A beam on a pin, with a mass, a spring and a damper at its tip."""
    beam = fx.EulerBernoulliBeam("b", EI=EI, rho=rho, damping=damping, length=length)
    parts = [fx.Pin(g, beam.start), fx.Fixed(beam.end, fx.Mass("m", m=m))]
    parts += [fx.Spring(g, beam.end, k=k, along="y")] if k else []
    parts += [fx.Damper(g, beam.end, c=c, along="y")] if c else []
    return fx.derive(fx.Model(*parts, foreshortening=False))


def true_root(s, EI, rho, damping, length, m, k, c):
    """In sixty digits, beside s: V = (m s^2 + c s + k) w and no moment at the tip."""

    def determinant(s):
        T = uniform(EI, rho, length, s * s + s * mp.mpf(damping) / mp.mpf(rho))
        tip = m * s * s + c * s + k
        return T[2, 1] * (T[3, 3] - tip * T[0, 3]) - T[2, 3] * (T[3, 1] - tip * T[0, 1])

    return root_beside(determinant, complex(s))


@settings(max_examples=CASES, deadline=None, derandomize=True)
@given(HINGED)
def test_roots_of_a_hinged_beam_are_within_their_errors(numbers):
    found = fx.modes(hinged(**numbers), 4, method="ritz")
    errors = found.certificate.errors
    assert found.certificate or "ROUGH" in str(found.certificate)
    assert bool(found.certificate) == (max(errors) <= 1e-8)
    for s, error in zip(found.eigenvalues, errors, strict=True):
        assert s == 0 or abs(mp.mpc(s) - true_root(s, **numbers)) <= error * abs(s)
    exact = fx.modes(hinged(**numbers), 4)
    assert exact.certificate
    for s in exact.eigenvalues[exact.eigenvalues != 0]:
        assert abs(mp.mpc(s) - true_root(s, **numbers)) <= 1e-9 * abs(s)


MEMBERS = st.lists(
    st.tuples(st.sampled_from(["EulerBernoulliBeam", "RayleighBeam", "TimoshenkoBeam"]), size(0, 12), size(-1, 0.5)),
    min_size=1,
    max_size=2,
)


@settings(max_examples=CASES, deadline=None, derandomize=True)
@given(MEMBERS, st.sampled_from(["pin", "hinge", "slide"]), size(-3, 1), st.none() | size(0, 9), st.booleans())
def test_damped_frames_that_can_move_agree_with_exact_modes(members, root, damping, spring, welded):
    """Members of very different stiffness on a pin, a hinge or a slide that is damped."""
    beams = [_beam(f"b{i}", *one) for i, one in enumerate(members)]
    parts = [_rooted(beams[0], root, damping)]
    for one, other in itertools.pairwise(beams):
        parts.append((fx.Fixed if welded else fx.Pin)(one.end, other.start))
    parts.append(fx.Damper(g, beams[-1].end, c=damping, along="y"))
    if spring:
        parts.append(fx.Spring(g, beams[-1].end, k=spring, along="y"))
    equations = fx.derive(fx.Model(*_flat(parts), foreshortening=False))
    exact, ritz = (fx.modes(equations, 5, method=method) for method in ("exact", "ritz"))
    assert ritz.certificate or "ROUGH" in str(ritz.certificate)
    if not exact.certificate:
        return
    errors = np.array(ritz.certificate.errors) * np.abs(ritz.eigenvalues)
    if errors.max() < 0.01 * np.abs(exact.eigenvalues[exact.eigenvalues != 0]).min():  # they can be told apart
        apart = np.abs(ritz.eigenvalues - exact.eigenvalues)
        assert np.all(apart <= errors + 1e-9 * np.abs(exact.eigenvalues))


def _beam(name, kind, stiff, heavy):
    more = {"EulerBernoulliBeam": {}, "RayleighBeam": {"rotary_inertia": 0.01}}
    shear = {"rotary_inertia": 0.01, "kGA": 50.0 * stiff}
    return getattr(fx, kind)(name, EI=stiff, rho=heavy, length=0.9, **more.get(kind, shear))


def _rooted(beam, root, damping):
    if root == "pin":
        return [fx.Pin(g, beam.start)]
    cart = fx.RigidBody("cart", m=0.4, I=0.03)
    if root == "slide":
        return [fx.Slide(g, cart, along="y", name="q"), fx.Fixed(cart, beam.start)]
    joint = fx.Revolute(g, cart, name="q"), fx.TorsionDamper(g, cart, c=damping)
    return [*joint, fx.Fixed(cart, beam.start)]


def _flat(parts):
    return [one for part in parts for one in (part if isinstance(part, list) else [part])]


def test_a_damped_beam_on_a_pin_keeps_the_digits_of_its_slow_root():
    """It turns as a rigid bar: s = -c l^3/3 / (rho l^3/3 + I l + m l^2), but for what it bends."""
    beam = fx.RayleighBeam("b0", EI=99.5, rho=0.666, EA=299.838, rotary_inertia=0.0743, damping=0.0612, length=1.12)
    model = fx.Model(fx.Pin(g, beam.start), fx.Fixed(beam.end, fx.Mass("m", m=1.14)))
    found = fx.modes(fx.derive(model), 5, method="ritz")
    assert found.certificate
    l = 1.12
    bar = -(0.0612 * l**3 / 3) / (0.666 * l**3 / 3 + 0.0743 * l + 1.14 * l**2)
    assert found.eigenvalues[1] == pytest.approx(bar, rel=1e-7)
    finer = fx.modes(fx.derive(model), 5, method="ritz", order=24, elements=8)
    assert found.eigenvalues[1] == pytest.approx(finer.eigenvalues[1], rel=1e-10)


def soft_on_stiff(stiff):
    """Two bars on pins and soft springs, the first of which is stiff."""
    beams = [fx.EulerBernoulliBeam(f"b{i}", EI=EI, rho=1.0, length=1.0) for i, EI in enumerate((stiff, 1.0))]
    model = fx.Model(
        fx.Pin(g, beams[0].start), fx.Pin(beams[0].end, beams[1].start), fx.Damper(g, beams[0].end, c=0.1, along="y"),
        fx.Spring(g, beams[1].end, k=0.01, along="y"), fx.Spring(g, beams[0].end, k=0.02, along="y"),
        foreshortening=False,
    )  # fmt: skip
    return fx.derive(model)


@pytest.mark.parametrize("stiff", [1e6, 1e8, 1e11])
def test_exact_modes_keep_soft_roots_beside_a_stiff_bar(stiff):
    """It is as good as rigid: what is soft does not see how stiff it is."""
    found, other = fx.modes(soft_on_stiff(stiff), 4), fx.modes(soft_on_stiff(10 * stiff), 4)
    assert found.certificate
    assert other.certificate
    assert found.eigenvalues == pytest.approx(other.eigenvalues, rel=20 / stiff + 1e-11)


def test_refining_ends_where_rounding_decides_and_says_so():
    """Soft modes of a stiff bar, which sums of stiffness lose: no degree would bring them back."""
    found = fx.modes(soft_on_stiff(1e11), 4, method="ritz")
    text = str(found.certificate)
    assert not found.certificate
    assert "ROUGH" in text
    assert "refined until rounding decides" in text
    assert "in 1 element a line" in text
    M, C, K = np.array([[4.0, 1.0], [1.0, 2.0]]) / 6, np.diag([0.1, 0.0]), np.diag([0.02, 0.01])  # rigid bars
    A = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, C)]])
    rigid = sorted((s for s in np.linalg.eigvals(A) if s.imag > 0), key=abs)
    apart = np.abs(found.eigenvalues[:2] - rigid) / np.abs(rigid)
    assert np.all(apart <= np.array(found.certificate.errors[:2]) + 1e-3)
