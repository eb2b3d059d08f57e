"""The count against an independent Ritz count, tapered and rotating members, frames, steps and hinges."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.linalg

import flexura as fx
from flexura.derivation.linearise import linearise
from flexura.solve.exact.dynamic_stiffness import DynamicStiffness
from flexura.solve.exact.kernels import settle
from flexura.solve.exact.lines import split
from flexura.solve.exact.pencil import Pencil
from flexura.solve.exact.reading import read_linear
from flexura.solve.exact.undamped import solve_undamped
from flexura.solve.modes import modes

g = fx.ground


def beam(name, **more):
    return fx.EulerBernoulliBeam(name, **{"EI": 1.0, "rho": 1.0, "length": 1.0, **more})


def power_series_ritz(EI, rho, P, count, degree=26):
    """Clamped-free, by monomials x^2.. in long arithmetic: as independent as it gets."""
    import mpmath as mp

    mp.mp.dps = 60
    n = degree
    K, M = mp.zeros(n), mp.zeros(n)

    def integral(f, power):
        return sum(mp.mpf(c) / (power + i + 1) for i, c in enumerate(f))

    for i in range(n):
        for j in range(n):
            a, b = i + 2, j + 2
            K[i, j] = a * (a - 1) * b * (b - 1) * integral(EI, a + b - 4) + a * b * integral(P, a + b - 2)
            M[i, j] = integral(rho, a + b)
    L = mp.cholesky(M)
    inverse = L**-1
    found = mp.eigsy(inverse * K * inverse.T, eigvals_only=True)
    return [float(mp.sqrt(found[i])) for i in range(count)]


def test_tapered_cantilever():
    b = fx.EulerBernoulliBeam("b", EI=50 * (1 - fx.x / 2), rho=2 * (1 - fx.x / 3), length=1.0)
    found = modes(fx.derive(fx.Model(fx.Fixed(g, b.start))), 5)
    exact = power_series_ritz([50, -25], [2, -2 / 3], [0], 5)
    np.testing.assert_allclose(found.frequencies, exact, rtol=1e-11)
    assert found.certificate


@pytest.mark.parametrize("hub", [0, 1])
@pytest.mark.parametrize("speed", [0, 3, 12])
def test_rotating_cantilever(hub, speed):
    w = fx.Field("w", length=1.0)
    P = speed**2 * (hub * (1 - fx.x) + (1 - fx.x**2) / 2)
    energies = fx.Lagrangian(
        density={w: w.t**2 / 2 - w.xx**2 / 2 - P * w.x**2 / 2}, boundary={w.at(0): 0, w.slope(0): 0}
    )
    found = modes(fx.derive(energies), 4).frequencies
    exact = power_series_ritz([1], [1], [speed**2 * (hub + 0.5), -(speed**2) * hub, -(speed**2) / 2], 4)
    np.testing.assert_allclose(found, exact, rtol=1e-11)
    if (speed, hub) == (12, 0):
        assert found[0] == pytest.approx(13.1702, abs=1e-4)


def test_stepped_property_by_piecewise_is_two_beams():
    one = fx.EulerBernoulliBeam(
        "b", EI="Piecewise((1, x < 0.3), (2, True))", rho="Piecewise((3, x < 0.3), (1, True))", length=1.0
    )
    a, b = beam("a", rho=3.0, length=0.3), beam("c", EI=2.0, length=0.7)
    first = modes(fx.derive(fx.Model(fx.Fixed(g, one.start), foreshortening=False)), 6).frequencies
    second = modes(fx.derive(fx.Model(fx.Fixed(g, a.start), fx.Fixed(a.end, b.start))), 6).frequencies
    np.testing.assert_allclose(first, second, rtol=1e-11)


def test_hinge_between_two_clamped_beams():
    a, b = beam("a"), beam("b")
    found = modes(fx.derive(fx.Model(fx.Fixed(g, a.start), fx.Pin(a.end, b.start), fx.Fixed(b.end, g))), 6).frequencies
    free = [1.875104068711961, 4.694091132974174, 7.854757438237613]  # symmetric: each half a cantilever
    pinned = [3.926602312047919, 7.068582745628732, 10.210176122813031]  # antisymmetric: clamped-pinned
    np.testing.assert_allclose(found, np.sort(np.square([*free, *pinned])), rtol=1e-12)


def portal():
    c1, c2, t = beam("c1", length=1.2), beam("c2", length=1.2), beam("t", length=0.9)
    return fx.Model(
        fx.Fixed(g, c1.start, angle=math.pi / 2),
        fx.Fixed(c1.end, t.start, angle=-math.pi / 2),
        fx.Fixed(t.end, c2.start, angle=-math.pi / 2),
        fx.Fixed(c2.end, g),
    )


def l_frame():
    b1, b2 = beam("b1", EA=900.0), beam("b2", EA=700.0, length=0.8)
    return fx.Model(
        fx.Fixed(g, b1.start, angle=math.pi / 2), fx.Fixed(b1.end, b2.start, angle=-math.pi / 2), fx.Fixed(b2.end, g)
    )


@pytest.mark.parametrize("model", [portal, l_frame])
def test_frames(model):
    equations = fx.derive(model())
    found = modes(equations, 8)
    assert found.certificate
    system = read_linear(equations, equations.values)
    np.testing.assert_allclose(found.frequencies, ritz(system, found.frequencies[-1])[:8], rtol=1e-8)


def ritz(system, top):
    """Frequencies of the uncondensed pencil, cut more finely than needed, by a dense solver."""
    pencil = Pencil(DynamicStiffness(system, 12), 4 * top**2, extra=1)
    K, _, M = (one if pencil.dense else one.toarray() for one in (pencil.K, pencil.C, pencil.M))
    shift = 1e-3 * top**2
    mu = scipy.linalg.eigh(M, K + shift * M, eigvals_only=True)[::-1]
    values = 1 / mu[mu > 1e-12 * mu[0]] - shift
    return np.sqrt(np.maximum(values, 0))


@pytest.mark.parametrize("seed", range(6))
def test_count_on_random_chains(seed):
    rng = np.random.default_rng(seed)
    parts, last = [], g
    for i in range(rng.integers(2, 5)):
        one = beam(
            f"b{i}", EI=float(rng.uniform(0.5, 3)), rho=float(rng.uniform(0.5, 3)), length=float(rng.uniform(0.5, 1.5))
        )
        parts.append(
            (fx.Pin if rng.random() < 0.3 and i else fx.Fixed)(last, one.start) if i or rng.random() < 0.6 else one
        )
        if rng.random() < 0.5:
            parts.append(fx.Spring(g, one.end, k=float(rng.uniform(0.1, 50))))
        if rng.random() < 0.5:
            parts.append(
                fx.Fixed(one.end, fx.RigidBody(f"m{i}", m=float(rng.uniform(0.1, 2)), I=float(rng.uniform(0.01, 0.1))))
            )
        last = one.end
    equations = linearise(fx.derive(fx.Model(*parts)))
    system = read_linear(equations, equations.values)
    stiffness = DynamicStiffness(split(system))
    found = solve_undamped(settle(system), 10)
    exact = ritz(system, math.sqrt(found.eigenvalues[-1]))
    omega = rng.uniform(0, 1, 30) * math.sqrt(found.eigenvalues[-1])
    np.testing.assert_array_equal(stiffness.count(omega**2), [(exact < w).sum() for w in omega])
    assert found.count.agrees


def test_gyroscopic_pipe_has_complex_modes():
    w = fx.Field("w", length=1.0)
    U = 2.0
    energies = fx.Lagrangian(
        density={w: w.t**2 / 2 + 0.5 * U * w.t * w.x + 0.5 * U**2 * w.x**2 / 2 - w.xx**2 / 2},
        boundary={w.at(0): 0, w.at(1.0): 0},
    )
    found = modes(fx.derive(energies), 3)
    assert np.abs(found.eigenvalues.real).max() < 1e-8 * np.abs(found.eigenvalues).max()
    assert found.certificate
