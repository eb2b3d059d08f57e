"""Damped and gyroscopic eigenvalues against closed forms; roots that accumulate; large systems; what is unstable."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import flexura as fx
from flexura.solve.exact import damped
from flexura.solve.exact.damped import accumulation
from flexura.solve.exact.reading import read_linear

g = fx.ground


def roots(*coefficients):
    found = np.roots(coefficients)
    return found[found.imag >= -1e-9 * np.abs(found)]


def sorted_by_size(values):
    return np.array(sorted(values, key=abs))


def spinning_string(speed, stiff=1.0):
    """A string in two planes, seen from axes that turn: v and w are coupled by 2 speed rho (v w_t - w v_t)."""
    v = fx.Field("v", length=1.0)
    w = fx.Field("w", spine=v)
    kinetic = ((v.t - speed * w) ** 2 + (w.t + speed * v) ** 2) / 2
    return fx.derive(
        fx.Lagrangian(
            density={v: kinetic - v.x**2 / 2 - stiff * w.x**2 / 2},
            boundary={v.at(0): 0, v.at(1.0): 0, w.at(0): 0, w.at(1.0): 0},
        )
    )


def test_spinning_string_whirls_forward_and_backward():
    speed = 1.3
    found = fx.modes(spinning_string(speed), 8)
    exact = sorted([abs(n * math.pi + sign * speed) for n in range(1, 6) for sign in (1, -1)])[:8]
    np.testing.assert_allclose(found.eigenvalues, 1j * np.array(exact), rtol=1e-11, atol=1e-9)
    assert found.certificate
    assert found.certificate.unstable == 0


@pytest.mark.parametrize("k", range(5))
@pytest.mark.parametrize("count", [1, 3])
def test_a_root_on_the_circle_that_is_searched_is_counted_once(monkeypatch, k, count):
    """Wherever the search begins, with a circle through a root, too."""
    equations = spinning_string(1.3)
    exact = sorted(abs(n * math.pi + sign * 1.3) for n in range(1, 6) for sign in (1, -1))
    monkeypatch.setattr(damped, "_guess", lambda stiffness, count: exact[k])
    found = fx.modes(equations, count)
    np.testing.assert_allclose(found.eigenvalues, 1j * np.array(exact[:count]), rtol=1e-11, atol=1e-9)
    assert found.certificate


@pytest.mark.parametrize("spin", [3.0, 23.0, 23.077676606594896, 29.123456789, 7.7])
def test_a_spinning_body_whose_largest_root_is_where_the_search_begins(spin):
    """Inertias that make the first circle as large as the spin, which is a root."""
    body = fx.RigidBody("b", 1.0, (0.08, 0.08, 0.1))
    equations = fx.derive(fx.Model(fx.Spherical(g, body, names=("a", "b", "c"))))
    found = fx.modes(equations, about={"a_t": spin})
    np.testing.assert_allclose(found.eigenvalues, [0, 0.25j * spin, 1j * spin], rtol=1e-11, atol=1e-9)
    assert found.certificate


def test_between_two_critical_speeds_an_unequal_string_is_unstable():
    """s^4 + s^2 (a + b + 2 W^2) + (a - W^2)(b - W^2) = 0 for each n, a = (n pi)^2, b = 1.5 a."""
    speed = 1.1 * math.pi
    found = fx.modes(spinning_string(speed, stiff=1.5), 5)
    exact = []
    for n in (1, 2, 3, 4):
        a = (n * math.pi) ** 2
        b = 1.5 * a
        exact += roots(1, 0, a + b + 2 * speed**2, 0, (a - speed**2) * (b - speed**2)).tolist()
    exact = sorted_by_size(exact)[:5]
    np.testing.assert_allclose(np.sort_complex(found.eigenvalues[:2]), np.sort_complex(exact[:2]), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(np.abs(found.eigenvalues), np.abs(exact), rtol=1e-9)
    growth = float(found.eigenvalues.real.max())
    assert found.certificate.unstable == 1
    assert f"s = {growth:.4g}"[:8] in str(found.certificate)
    assert found.certificate


def test_a_spinning_disc_of_two_coordinates():
    """M q'' + G q' + K q = 0 with a gyroscopic couple only."""
    a, b = fx.Coordinate("a"), fx.Coordinate("b")
    energies = fx.Lagrangian(
        kinetic=(a.t**2 + b.t**2) / 2 + 1.5 * (a * b.t - b * a.t), potential=4 * a**2 / 2 + 9 * b**2 / 2
    )
    found = fx.modes(fx.derive(energies), 4)
    np.testing.assert_allclose(found.eigenvalues, sorted_by_size(roots(1, 0, 4 + 9 + 9, 0, 36)), rtol=1e-11, atol=1e-11)


def test_an_overdamped_string_has_real_roots_first():
    s = fx.String("s", tension=1.0, rho=1.0, length=1.0, damping=10.0)
    found = fx.modes(fx.derive(fx.Model(fx.Fixed(g, s.start), fx.Fixed(s.end, g), foreshortening=False)), 8)
    exact = np.concatenate([roots(1, 10, (n * math.pi) ** 2) for n in range(1, 9)])
    exact = sorted_by_size(exact)[:8]
    np.testing.assert_allclose(found.eigenvalues, exact, rtol=1e-10)
    assert int((found.eigenvalues.imag == 0).sum()) == 2
    assert found.certificate


def kelvin_voigt(eta=0.01, **more):
    b = fx.EulerBernoulliBeam("b", EI=1.0, rho=1.0, length=1.0, internal_damping=eta, **more)
    return fx.derive(fx.Model(fx.Fixed(g, b.start)))


def test_internal_damping_returns_what_exists_and_says_why():
    found = fx.modes(kelvin_voigt(), 10)
    assert len(found) == 3  # all others lie beyond the point of accumulation
    assert found.certificate
    text = str(found.certificate)
    assert "accumulate at s = -100" in text
    assert "near=s0" in text
    again = fx.modes(kelvin_voigt(), 2, near=-120)  # its advice
    omega = fx.modes(fx.derive(fx.Model(fx.Fixed(g, fx.EulerBernoulliBeam("b", 1.0, 1.0, 1.0).start))), 9).frequencies
    exact = np.concatenate([np.roots([1, 0.01 * w * w, w * w]) for w in omega])
    np.testing.assert_allclose(again.eigenvalues, sorted(exact, key=lambda s: abs(s + 120))[:2], rtol=1e-9)
    assert again.certificate


def test_points_of_accumulation():
    equations = kelvin_voigt(0.02)
    assert accumulation(read_linear(equations, equations.values)) == [-50.0]
    plain = fx.derive(fx.Model(fx.EulerBernoulliBeam("b", 1.0, 1.0, 1.0, damping=3.0)))
    assert accumulation(read_linear(plain, plain.values)) == []


def test_a_damped_chain_of_many_members():
    """Forty members of one damped beam are that beam: more unknowns than a full matrix is meant for."""
    parts = [fx.EulerBernoulliBeam(f"b{i}", EI=1.0, rho=1.0, length=1 / 40, damping=0.8) for i in range(40)]
    welds = [fx.Fixed(a.end, b.start) for a, b in itertools.pairwise(parts)]
    found = fx.modes(fx.derive(fx.Model(fx.Fixed(g, parts[0].start), *welds)), 4)
    omega = [1.875104068711961**2, 4.694091132974174**2, 7.854757438237613**2, 10.995540734875467**2]
    exact = [complex(-0.4, math.sqrt(w * w - 0.16)) for w in omega]
    np.testing.assert_allclose(found.eigenvalues, exact, rtol=1e-8)
    assert found.certificate


def test_damped_shape_satisfies_the_damper():
    """A rod with a dashpot at its end: EA u'(l) = -c s u(l)."""
    r = fx.Rod("r", EA=2.0, rho=0.5, length=1.2)
    equations = fx.derive(fx.Model(fx.Fixed(g, r.start), fx.Damper(g, r.end, c=0.3, along="x")))
    found = fx.modes(equations, 3)
    c = math.sqrt(2.0 / 0.5)
    for k, s in enumerate(found.eigenvalues):
        assert abs(2.0 * s / c * np.cosh(s * 1.2 / c) + 0.3 * s * np.sinh(s * 1.2 / c)) < 1e-8 * abs(s)
        u = found.shape(k)[equations.fields[0]]
        assert 2.0 * u(1.2, 1) == pytest.approx(-0.3 * s * u(1.2), rel=1e-8)


def test_follower_force_flutters():
    """Beck's column: flutter beyond P l^2 / EI = 20.05, found as a growing pair; below, it is stable."""
    w = fx.Field("w", length=1.0)

    def column(P):
        return fx.derive(
            fx.Lagrangian(
                density={w: w.t**2 / 2 - w.xx**2 / 2 + P * w.x**2 / 2},
                boundary={w.at(0): 0, w.slope(0): 0},
                work={w.at(1.0): -P * w.slope(1.0)},
            )
        )

    stable, unstable = fx.modes(column(19.9), 2), fx.modes(column(20.3), 2)
    assert stable.certificate.unstable == 0
    assert unstable.certificate.unstable == 1
    assert unstable.eigenvalues.real.max() > 0.3
    assert "UNSTABLE" in str(unstable.certificate)


@pytest.mark.parametrize("eta", [1e-2, 1e-3, 1e-4, 3e-5])
@pytest.mark.parametrize("count", [5, 31, 60])
def test_many_roots_beside_a_point_where_they_accumulate(eta, count):
    """Pinned at both ends: s^2 + eta w^2 s + w^2 = 0 for w = (n pi)^2; those with |s| < 0.995/eta have an order."""
    beam = fx.EulerBernoulliBeam("b", EI=1.0, rho=1.0, length=1.0, internal_damping=eta)
    found = fx.modes(fx.derive(fx.Model(fx.Pin(g, beam.start), fx.Pin(beam.end, g), foreshortening=False)), count)
    w = (np.arange(1, 200) * math.pi) ** 2
    exact = np.concatenate([roots(1, eta * one**2, one**2) for one in w])
    exact = sorted_by_size(exact[np.abs(exact) < 0.995 / eta])[:count]
    assert len(found) == len(exact)
    np.testing.assert_allclose(found.eigenvalues, exact, rtol=1e-8)
    assert found.certificate
    assert ("fewer than" in str(found.certificate)) == (len(exact) < count)


def absorbed(tension, rho, length, *rest, at=None):
    """A string whose end meets a damper that matches its impedance."""
    string = fx.String("s", tension=tension, rho=rho, length=length)
    start = fx.Fixed(g, string.start) if at is None else fx.Fixed(at, string.start)
    return fx.derive(fx.Model(start, fx.Damper(g, string.end, c=math.sqrt(tension * rho)), *rest, foreshortening=False))


@pytest.mark.parametrize(("tension", "rho", "length"), [(1.0, 1.0, 1.0), (2.3, 0.7, 1.3), (1e4, 1e-2, 0.1)])
def test_a_string_that_ends_in_its_own_impedance_has_no_eigenvalues(tension, rho, length):
    found = fx.modes(absorbed(tension, rho, length), 4)
    assert len(found) == 0
    assert found.certificate
    assert "absorbs" in str(found.certificate)
    assert "fewer than 4 are returned, because the circle holds no others" in str(found.certificate)


@pytest.mark.parametrize("m", [0.2, 5.0])
def test_what_hangs_on_an_absorbed_string_feels_a_dashpot(m):
    """The string is sqrt(T rho) s to a mass on a spring, whatever its length: m s^2 + Z s + k = 0, no other root."""
    tension, rho, k = 2.3, 0.7, 40.0
    body = fx.Mass("m", m=m)
    rest = (fx.Slide(g, body), fx.Spring(g, body, k=k))
    found = fx.modes(absorbed(tension, rho, 1.3, *rest, at=body), 3)
    np.testing.assert_allclose(found.eigenvalues, sorted_by_size(roots(m, math.sqrt(tension * rho), k)), rtol=1e-9)
    assert found.certificate


def test_beside_an_absorbed_string_others_are_found():
    """A second string, of its own, keeps all its modes, however far they lie beyond those that were absorbed."""
    other = fx.String("o", tension=1.0, rho=1.0, length=0.1)
    rest = (fx.Fixed(g, other.start), fx.Fixed(other.end, g), fx.Damper(g, other.at(0.05), c=1e-3))
    found = fx.modes(absorbed(1.0, 1.0, 1.0, *rest), 3)
    np.testing.assert_allclose(np.abs(found.eigenvalues), 10 * math.pi * np.array([1, 2, 3]), rtol=1e-3)
    assert found.certificate


def test_roots_that_coincide_are_all_found_among_many():
    """Five equal damped beams: every root five times."""
    beams = [fx.EulerBernoulliBeam(f"b{i}", EI=1.0, rho=1.0, length=1.0, damping=0.3) for i in range(5)]
    model = fx.Model(*(fx.Fixed(g, one.start) for one in beams), foreshortening=False)
    found = fx.modes(fx.derive(model), 60)
    one = fx.modes(fx.derive(fx.Model(fx.Fixed(g, beams[0].start), foreshortening=False)), 12)
    np.testing.assert_allclose(found.eigenvalues, np.repeat(one.eigenvalues, 5), rtol=1e-9)
    assert found.certificate


@pytest.mark.parametrize("stiff", [1e8, 1.244280431664593e12, 3.3e13])
@pytest.mark.parametrize("c", [1e-3, 0.0178, 0.4])
def test_a_slow_root_among_zeros_that_rounding_splits(c, stiff):
    """Two welded beams float; a damper brakes one of their motions: s = -c/m, whatever rounding makes of s = 0."""
    soft = fx.EulerBernoulliBeam("soft", EI=129150.44482470008, rho=2.22, EA=263.25, length=1.12)
    hard = fx.RayleighBeam("hard", EI=stiff, rho=0.811, rotary_inertia=0.0656, length=0.968)
    ball = fx.Mass("ball", m=0.444)
    brake = fx.Damper(fx.ground, soft.end, c=c, along="x", name="brake")
    equations = fx.derive(fx.Model(fx.Fixed(soft.at(0.353), hard.start), fx.Pin(hard.end, ball), brake))
    mass = 2.22 * 1.12 + 0.811 * 0.968 + 0.444
    for count in (4, 5):
        found = fx.modes(equations, count)
        assert found.certificate, found.certificate
        assert list(found.eigenvalues[:3]) == [0, 0, 0]
        assert found.eigenvalues[3] == pytest.approx(-c / mass, rel=2e-3)
