"""Exact frequencies against closed forms solved to thirty digits."""

from __future__ import annotations

import itertools
import math

import mpmath as mp
import numpy as np
import pytest

import flexura as fx
from flexura.derivation.linearise import linearise
from flexura.solve.modes import modes

DIGITS = 30
mp.mp.dps = DIGITS  # of the numbers below
g = fx.ground


def beam(name="b", **more):
    return fx.EulerBernoulliBeam(name, **{"EI": 1.0, "rho": 1.0, "length": 1.0, **more})


def frequencies(*parts, count=6, **values):
    return modes(linearise(fx.derive(fx.Model(*parts))), count, values=values or None).frequencies


def held(end, how):
    return {"clamped": [fx.Fixed(g, end)], "pinned": [fx.Pin(g, end)], "guided": [fx.Slide(g, end)], "free": []}[how]


PAIRS = {  # the equation in beta, and where its n-th root lies
    ("clamped", "clamped"): (lambda x: mp.cos(x) - 1 / mp.cosh(x), lambda n: (n + 0.5) * mp.pi, 0),
    ("clamped", "pinned"): (lambda x: mp.tan(x) - mp.tanh(x), lambda n: (n + 0.25) * mp.pi, 0),
    ("clamped", "guided"): (lambda x: mp.tan(x) + mp.tanh(x), lambda n: (n - 0.25) * mp.pi, 0),
    ("clamped", "free"): (
        lambda x: mp.cos(x) + 1 / mp.cosh(x),
        lambda n: (n - 0.5) * mp.pi + (0.3 if n == 1 else 0),
        0,
    ),
    ("pinned", "pinned"): (lambda x: mp.sin(x), lambda n: n * mp.pi, 0),
    ("pinned", "guided"): (lambda x: mp.cos(x), lambda n: (n - 0.5) * mp.pi, 0),
    ("pinned", "free"): (lambda x: mp.tan(x) - mp.tanh(x), lambda n: (n + 0.25) * mp.pi, 1),
    ("guided", "guided"): (lambda x: mp.sin(x), lambda n: n * mp.pi, 1),
    ("guided", "free"): (lambda x: mp.tan(x) + mp.tanh(x), lambda n: (n - 0.25) * mp.pi, 1),
    ("free", "free"): (lambda x: mp.cos(x) - 1 / mp.cosh(x), lambda n: (n + 0.5) * mp.pi, 2),
}


@pytest.mark.parametrize("ends", PAIRS)
def test_ten_pairs_of_ends(ends):
    f, near, zeros = PAIRS[ends]
    b = beam()
    parts = [b, *held(b.start, ends[0]), *held(b.end, ends[1])]
    exact = [0.0] * zeros + [float(mp.findroot(f, near(n)) ** 2) for n in range(1, 9)]
    found = frequencies(*parts, count=zeros + 8)
    assert list(found[:zeros]) == [0.0] * zeros
    np.testing.assert_allclose(found[zeros:], exact[zeros:], rtol=1e-12)


def cantilever_root(n):
    return float(mp.findroot(lambda x: mp.cos(x) + 1 / mp.cosh(x), (n - 0.5) * mp.pi) ** 2)


def test_high_modes_of_a_cantilever_with_their_shapes():
    b = beam(field="w")
    found = modes(fx.derive(fx.Model(fx.Fixed(g, b.start))), 300)
    for n in (50, 100, 230, 300):
        assert found.frequencies[n - 1] == pytest.approx(cantilever_root(n), rel=1e-11)
        assert abs(found.shape(n - 1).w(1.0)) == pytest.approx(2.0, rel=1e-8)  # at unit modal mass
        x = np.linspace(0.1, 0.9, 7)  # far from the ends only the wave is left
        k = math.sqrt(found.frequencies[n - 1])
        wave = np.sin(k * x) - np.cos(k * x)
        np.testing.assert_allclose(np.abs(found.shape(n - 1).w(x)), np.abs(wave), atol=1e-6)
    assert found.certificate
    assert found.certificate.below == 299


def test_mode_one_thousand():
    b = beam(field="w")
    found = modes(fx.derive(fx.Model(fx.Fixed(g, b.start))), 1000)
    assert len(found) == 1000
    assert found.frequencies[999] == pytest.approx(cantilever_root(1000), rel=1e-11)
    assert abs(found.shape(999).w(1.0)) == pytest.approx(2.0, rel=1e-7)


def test_cantilever_with_tip_mass_and_inertia():
    m, I = 0.7, 0.03
    b, tip = beam(), fx.RigidBody("tip", m=m, I=I)

    def f(k):
        c, s, C, S = mp.cos(k), mp.sin(k), mp.cosh(k), mp.sinh(k)
        # w = a (cosh - cos) + b (sinh - sin), w''(1) = I w^2 w'(1), w'''(1) = -m w^2 w(1)
        one = [C + c - I * k**3 * (S + s), S + s - I * k**3 * (C - c)]
        two = [S - s + m * k * (C - c), C + c + m * k * (S - s)]
        return one[0] * two[1] - one[1] * two[0]

    found = frequencies(fx.Fixed(g, b.start), fx.Fixed(b.end, tip), count=6)
    exact = [float(mp.findroot(f, math.sqrt(w)) ** 2) for w in found]
    np.testing.assert_allclose(found, exact, rtol=1e-12)
    assert len(set(np.round(exact, 6))) == 6


def test_timoshenko_pinned_through_its_cut_off():
    EI, kGA, rho, J = 1.0, 60.0, 1.0, 0.02
    b = fx.TimoshenkoBeam("b", EI=EI, kGA=kGA, rho=rho, rotary_inertia=J, length=1.0)
    exact = [math.sqrt(kGA / J)]  # the pure shear oscillation, exactly at the cut-off
    for n in range(1, 25):
        k = n * math.pi
        p, q = rho * J, rho * (EI * k**2 + kGA) + J * kGA * k**2
        r = kGA * EI * k**4
        root = math.sqrt(q * q - 4 * p * r)
        exact += [math.sqrt(2 * r / (q + root)), math.sqrt((q + root) / (2 * p))]
    found = frequencies(fx.Pin(g, b.start), fx.Roller(g, b.end), count=16)
    np.testing.assert_allclose(found, sorted(exact)[:16], rtol=1e-11)
    assert math.sqrt(kGA / J) == pytest.approx(min(found, key=lambda w: abs(w - math.sqrt(kGA / J))), rel=1e-12)


def test_slender_timoshenko_keeps_its_digits():
    b = fx.TimoshenkoBeam("b", EI=1.0, kGA=1e6, rho=1.0, rotary_inertia=1e-6, length=1.0)
    k = math.pi
    q, r = 1.0 * (k**2 + 1e6) + k**2, 1e6 * k**4
    exact = math.sqrt(2 * r / (q + math.sqrt(q * q - 4 * 1e-6 * r)))
    assert frequencies(fx.Pin(g, b.start), fx.Roller(g, b.end), count=1)[0] == pytest.approx(exact, rel=1e-11)


def test_rod_with_mass_and_spring():
    r, m = fx.Rod("r", EA=3.0, rho=2.0, length=1.5), fx.Mass("m", m=0.8)
    found = frequencies(fx.Fixed(g, r.start), fx.Fixed(r.end, m), fx.Spring(g, m, k=5.0, along="x"), count=6)
    c, l = mp.sqrt(mp.mpf(3) / 2), mp.mpf("1.5")

    def f(w):
        return 3 * w / c * mp.cos(w * l / c) + (5 - mp.mpf("0.8") * w**2) * mp.sin(w * l / c)

    np.testing.assert_allclose(found, [float(mp.findroot(f, w)) for w in found], rtol=1e-12)
    assert len(set(np.round(found, 6))) == 6


def test_string_with_a_mass_in_the_middle():
    s, m = fx.String("s", tension=7.0, rho=0.5, length=2.0), fx.Mass("m", m=0.4)
    found = frequencies(fx.Fixed(g, s.start), fx.Fixed(s.end, g), fx.Fixed(s.at(1.0), m), count=8)
    c = math.sqrt(14.0)
    antisymmetric = [n * math.pi * c for n in range(1, 5)]  # the mass rests: poles of both halves

    def f(w):
        return 2 * 7 * w / c * mp.cos(w / c) - mp.mpf("0.4") * w**2 * mp.sin(w / c)

    for w in found:
        other = min(antisymmetric, key=lambda a: abs(a - w))
        assert w == pytest.approx(other, rel=1e-12) or w == pytest.approx(float(mp.findroot(f, w)), rel=1e-12)
    assert sum(min(abs(w / a - 1) for a in antisymmetric) < 1e-10 for w in found) == 4


def test_free_shaft_with_discs():
    s = fx.Shaft("s", GJ=4.0, rotary_inertia=0.3, length=1.0)
    d1, d2 = fx.RigidBody("d1", m=1, I=0.5), fx.RigidBody("d2", m=1, I=0.2)
    found = frequencies(fx.Fixed(d1, s.start), fx.Fixed(s.end, d2), count=5)
    assert found[0] == 0.0
    c = math.sqrt(4 / 0.3)

    def f(w):
        return (4 * w / c) * (0.7) * w**2 * mp.cos(w / c) - (0.1 * w**4 - (4 * w / c) ** 2) * mp.sin(w / c)

    np.testing.assert_allclose(found[1:], [float(mp.findroot(f, w)) for w in found[1:]], rtol=1e-12)


def test_clamped_pinned_clamped_has_its_poles():
    b1, b2 = beam("b1"), beam("b2")
    found = frequencies(
        fx.Fixed(g, b1.start), fx.Fixed(b1.end, b2.start), fx.Pin(g, b1.end), fx.Fixed(b2.end, g), count=8
    )
    clamped = [float(mp.findroot(lambda x: mp.cos(x) - 1 / mp.cosh(x), (n + 0.5) * mp.pi) ** 2) for n in range(1, 5)]
    pinned = [float(mp.findroot(lambda x: mp.tan(x) - mp.tanh(x), (n + 0.25) * mp.pi) ** 2) for n in range(1, 5)]
    np.testing.assert_allclose(found, sorted(clamped + pinned), rtol=1e-12)


def test_a_beam_cut_into_many_is_the_same_beam():
    parts = [beam(f"b{i}", length=1 / 24) for i in range(24)]
    joints = [fx.Fixed(a.end, b.start) for a, b in itertools.pairwise(parts)]
    found = frequencies(fx.Fixed(g, parts[0].start), *joints, count=5)
    exact = [float(mp.findroot(PAIRS["clamped", "free"][0], PAIRS["clamped", "free"][1](n)) ** 2) for n in range(1, 6)]
    np.testing.assert_allclose(found, exact, rtol=1e-11)


def test_axial_load_close_to_buckling():
    for share in (0.5, 0.9, 0.99):
        b = beam(axial_force=-share * math.pi**2)
        exact = [math.sqrt((n * math.pi) ** 4 - share * math.pi**2 * (n * math.pi) ** 2) for n in (1, 2, 3, 4)]
        np.testing.assert_allclose(frequencies(fx.Pin(g, b.start), fx.Roller(g, b.end), count=4), exact, rtol=1e-11)


def test_beyond_buckling_nothing_raises():
    b = beam(axial_force=-1.5 * math.pi**2)
    found = modes(fx.derive(fx.Model(fx.Pin(g, b.start), fx.Roller(g, b.end))), 4)
    growth = math.pi**2 * math.sqrt(0.5)
    np.testing.assert_allclose(found.eigenvalues[:2], [-growth, growth], rtol=1e-11)
    assert found.certificate.unstable == 1
    assert "UNSTABLE" in str(found.certificate)


def test_foundation_gives_a_free_beam_an_exact_double_root():
    b = beam(foundation=100.0)
    found = frequencies(b, count=5)
    np.testing.assert_allclose(found[:2], [10.0, 10.0], rtol=1e-12)
    np.testing.assert_allclose(found[2], math.sqrt(100 + 4.730040744862704**4), rtol=1e-12)


@pytest.mark.parametrize("k", [0, 1e-3, 5])
def test_two_cantilevers_joined_by_a_spring(k):
    b1, b2 = beam("b1"), beam("b2")
    parts = [fx.Fixed(g, b1.start), fx.Fixed(g, b2.start)] + ([fx.Spring(b1.end, b2.end, k=k)] if k else [])
    found = frequencies(*parts, count=6)
    alone = [cantilever_root(n) if n > 1 else 1.875104068711961**2 for n in (1, 2, 3)]

    def f(x):
        return x**3 * (1 + mp.cos(x) * mp.cosh(x)) + 2 * k * (mp.cosh(x) * mp.sin(x) - mp.sinh(x) * mp.cos(x))

    joined = [float(mp.findroot(f, mp.sqrt(w) * (1 + 0.05 * (k > 1) * (i == 0))) ** 2) for i, w in enumerate(alone)]
    np.testing.assert_allclose(found, sorted([*alone, *joined]), rtol=1e-11)


def test_shapes_of_repeated_frequencies_are_orthonormal():
    """Two cantilevers that do not touch: each frequency twice, and any two shapes that span the same will do."""
    b1, b2 = beam("b1", field="v"), beam("b2", field="w")
    found = fx.modes(fx.derive(fx.Model(fx.Fixed(g, b1.start), fx.Fixed(g, b2.start))), 6)
    x, weights = np.polynomial.legendre.leggauss(40)
    x, weights = (x + 1) / 2, weights / 2
    shapes = np.array([np.concatenate([found.shape(k).v(x), found.shape(k).w(x)]) for k in range(6)])
    np.testing.assert_allclose((shapes * np.tile(weights, 2)) @ shapes.T, np.eye(6), atol=1e-10)


def test_the_shapes_of_a_cantilever_are_those_of_the_textbook() -> None:
    """cosh - cos - s (sinh - sin) with 40 digits, along the whole beam; unit modal mass."""
    beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.0, field="w")
    found = fx.modes(fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start))), 9)
    x = np.linspace(0, 1, 21)
    with mp.workdps(40):
        for k in range(9):
            b = mp.findroot(lambda z: mp.cos(z) * mp.cosh(z) + 1, mp.sqrt(found.frequencies[k]))
            s = (mp.cosh(b) + mp.cos(b)) / (mp.sinh(b) + mp.sin(b))
            w = [mp.cosh(b * z) - mp.cos(b * z) - s * (mp.sinh(b * z) - mp.sin(b * z)) for z in x]
            expected = np.array([float(one) for one in w])
            ours = found.shape(k).w(x)
            np.testing.assert_allclose(ours * np.sign(ours[-1] * expected[-1]), expected, atol=1e-10)
