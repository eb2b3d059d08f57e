"""Every matrix of the element, beside the same integrals by symbols; and the whole element beside the waist's
own derivation from the energies of a particle and of a section.
"""

from __future__ import annotations

import numpy as np
import pytest
import symengine as se

import flexura as fx
from symbolic_element import integral, shapes, summed, tilde, x

R = se.Rational
L, E, G, A, Iy, Iz, J, ky, kz = R(7, 5), 50, 20, R(3, 2), R(1, 5), R(1, 3), R(2, 5), R(5, 6), R(3, 4)
rho, start = R(9, 4), R(2, 3)
OMEGA, EPS, A0, V0 = (
    (R(3, 2), R(-4, 5), R(7, 6)),
    (R(1, 3), R(5, 2), R(-3, 4)),
    (2, R(-1, 2), R(5, 3)),
    (1, R(-2, 3), R(1, 4)),
)
PHI_Y, PHI_Z = 12 * E * Iz / (ky * G * A * L**2), 12 * E * Iy / (kz * G * A * L**2)
N, S = shapes(L, PHI_Y, PHI_Z)
JS = se.Matrix(3, 3, [Iy + Iz, 0, 0, 0, Iy, 0, 0, 0, Iz])
UNIT = se.eye(3)


def frame(**more):
    section = fx.Section(*(float(one) for one in (E, G, rho, A, Iy, Iz, J, ky, kz)))
    return fx.BeamFrame([[float(start), 0, 0], [float(start + L), 0, 0]], [[0, 1]], section, **more)


def body():
    return fx.MovingFrame(*(tuple(float(one) for one in v) for v in (OMEGA, EPS, A0)))


def close(found, wanted, tolerance=1e-12):
    found = found.toarray() if hasattr(found, "toarray") else np.asarray(found)
    assert np.abs(found - wanted).max() <= tolerance * np.abs(wanted).max()


def polynomial_P():
    """Theory 4: P(x) of one element that ends free."""
    tension = (OMEGA[1] ** 2 + OMEGA[2] ** 2) / 2 * ((start + L) ** 2 - (start + x) ** 2)
    return rho * A * (tension - A0[0] * (L - x))


HOLD = {"u": 1.0, "v": 1.0, "w": 1.0, "alpha": 1.0, "beta": 1.0, "gamma": 1.0}
"""Springs hold the first node, so that all twelve motions stay free and the axial force is that of a held element."""


@pytest.fixture(scope="module")
def system():
    return fx.moving_system(frame(springs={0: HOLD}), body())


def test_mass(system):
    close(system.M, summed(N, rho * A * UNIT, N, L) + summed(S, rho * JS, S, L))


@pytest.mark.parametrize(
    ("name", "field"),
    [("C", tilde(OMEGA)), ("K_eps", tilde(EPS)), ("K_omega2", tilde(OMEGA) * tilde(OMEGA))],
)
def test_what_the_motion_of_the_frame_does_to_masses(system, name, field):
    close(system.parts[name], summed(N, rho * A * field, N, L))


def test_what_it_does_to_sections(system):
    w, e, h, he = tilde(OMEGA), tilde(EPS), JS * se.Matrix(OMEGA), JS * se.Matrix(EPS)
    omega = se.Matrix(OMEGA)
    close(system.parts["G_s"], summed(S, rho * (w * JS + JS * w - tilde(list(h))), S, L))
    spin = w * JS * w - (h * omega.T + omega * h.T) / 2 + (h.T * omega)[0, 0] * UNIT
    close(system.parts["K_s"], summed(S, rho * (JS * e - tilde(list(he)) / 2 + spin), S, L))


def test_elastic_stiffness_of_all_four_kinds(system):
    strain = se.zeros(6, 12)
    for j in range(12):
        strain[0, j], strain[1, j] = N[0, j].diff(x), S[0, j].diff(x)
        strain[2, j], strain[3, j] = S[2, j].diff(x), S[1, j].diff(x)
        strain[4, j], strain[5, j] = N[1, j].diff(x) - S[2, j], N[2, j].diff(x) + S[1, j]
    moduli = se.zeros(6, 6)
    for k, one in enumerate((E * A, G * J, E * Iz, E * Iy, ky * G * A, kz * G * A)):
        moduli[k, k] = one
    close(system.parts["K"], summed(strain, moduli, strain, L) + np.diag([1.0] * 6 + [0.0] * 6))


def test_geometric_stiffness_with_the_axial_force_of_theory(system):
    slopes = se.zeros(2, 12)
    for j in range(12):
        slopes[0, j], slopes[1, j] = N[1, j].diff(x), N[2, j].diff(x)
    close(system.parts["K_G"], summed(slopes, polynomial_P() * se.eye(2), slopes, L))


def test_loads(system):
    place = se.Matrix([start + x, 0, 0])
    w, e, omega = tilde(OMEGA), tilde(EPS), se.Matrix(OMEGA)
    close(system.parts["q_omega2"], summed(N, rho * A * w * w, place, L)[:, 0])
    close(system.parts["q_eps"], summed(N, rho * A * e, place, L)[:, 0])
    close(system.parts["m_0"], summed(N, rho * A * UNIT, UNIT, L))
    close(system.parts["m_eps"], summed(S, rho * JS, se.Matrix(EPS), L)[:, 0])
    close(system.parts["q_s"], summed(S, rho * w * JS, omega, L)[:, 0])


def test_distributed_forces_and_moments():
    """q* = int N_t' p + N_r' m dx ([E] eqs. 46-48), for loads that vary along the element in all six directions."""
    p = [se.Matrix([k + 1 + x * (k - 1) for k in range(3)]), se.Matrix([R(1, 2) - k * x for k in range(3)])]
    wanted = (summed(N, UNIT, p[0], L) + summed(S, UNIT, p[1], L))[:, 0]
    ends = [[float(one.subs({x: at})) for at in (0, L)] for side in p for one in side]
    given = dict(zip(("u", "v", "w", "alpha", "beta", "gamma"), map(tuple, ends), strict=True))
    loads = fx.FrameLoad(elements={0: given}, nodes={1: {"v": 2.0, "gamma": -3.0}})
    wanted[[7, 11]] += [2.0, -3.0]
    close(fx.moving_system(frame(springs={0: HOLD}), loads=loads).parts["q"], wanted)


def test_the_paper_leaves_the_sections_own_turning_out():
    paper = fx.moving_system(frame(section_energy="paper"), body())
    assert {"G_s", "K_s", "q_s"}.isdisjoint(paper.parts)
    close(paper.G, 2 * summed(N, rho * A * tilde(OMEGA), N, L))
    total = summed(N, rho * A * (tilde(EPS) + tilde(OMEGA) * tilde(OMEGA)), N, L)
    K = paper.K + paper.H - paper.parts["K"] - paper.parts["K_G"]
    close(K, total, 1e-11)


# -- the whole element through the waist -------------------------------------------------------------------------------


def energies():
    """Kinetic and potential energy, quadratic in twelve coordinates, for omega and v0 that change with time."""
    t = se.Symbol("t")
    q, r = [se.Symbol(f"q{i}") for i in range(12)], [se.Symbol(f"r{i}") for i in range(12)]
    d, rate = se.Matrix(q), se.Matrix(r)
    omega = se.Matrix([w + e * t for w, e in zip(OMEGA, EPS, strict=True)])
    turned = tilde(OMEGA) * se.Matrix(V0)  # local components: a0 = v0_t + omega x v0
    v0 = se.Matrix([V0[k] + (A0[k] - turned[k]) * t for k in range(3)])
    u, phi, phi_t = N * d, S * d, S * rate
    velocity = v0 + N * rate + tilde(list(omega)) * (se.Matrix([start + x, 0, 0]) + u)
    P = tilde(list(phi))
    spin = omega - P * omega + P * P * omega / 2 + phi_t - P * phi_t / 2  # in section axes, to second order
    kinetic = rho * A * (velocity.T * velocity)[0, 0] / 2 + rho * (spin.T * JS * spin)[0, 0] / 2
    slope = [u[1].diff(x), u[2].diff(x)]
    bending = E * Iz * phi[2].diff(x) ** 2 + E * Iy * phi[1].diff(x) ** 2
    shear = ky * G * A * (slope[0] - phi[2]) ** 2 + kz * G * A * (slope[1] + phi[1]) ** 2
    axial = E * A * u[0].diff(x) ** 2 + G * J * phi[0].diff(x) ** 2
    geometric = polynomial_P() * (slope[0] ** 2 + slope[1] ** 2)
    return q, r, integral(_quadratic(kinetic, q, r), L), integral((bending + shear + axial + geometric) / 2, L)


def _quadratic(f, q, r):
    s = se.Symbol("s")
    scaled = f.xreplace({one: s * one for one in (*q, *r)})
    once = scaled.diff(s)
    return once.subs({s: 0}) + once.diff(s).subs({s: 0}) / 2


def test_the_waist_derives_the_same_element(system):
    q, r, kinetic, potential = energies()
    coordinates = [fx.Coordinate(f"q{i}") for i in range(12)]
    names = dict(zip([*q, *r], [*coordinates, *(one.t for one in coordinates)], strict=True))

    def written(f):
        total, symbols = 0, [*q, *r]
        for i, a in enumerate(symbols):
            first = f.diff(a)
            at_zero = first.xreplace({one: se.Integer(0) for one in symbols})
            total = total + names[a] * _time(at_zero)
            for b in symbols[i:]:
                second = first.diff(b)
                if second != 0:
                    total = total + names[a] * names[b] * _time(second) / (2 if a == b else 1)
        return total

    def _time(f):
        return sum((fx.time**k * _number(se.expand(f).coeff(se.Symbol("t"), k)) for k in range(3)), start=fx.time * 0)

    def _number(value):
        p, q = value.get_num_den() if hasattr(value, "get_num_den") else (value, 1)
        return fx.pi * 0 + int(p) if int(q) == 1 else (fx.pi * 0 + int(p)) / int(q)

    equations = fx.derive(fx.Lagrangian(kinetic=written(kinetic), potential=written(potential)))
    generator = np.random.default_rng(1)
    for _ in range(3):
        d, v = generator.uniform(-1, 1, (2, 12))
        state = {f"q{i}": d[i] for i in range(12)} | {f"q{i}_t": v[i] for i in range(12)}
        found = fx.accelerations(equations, state)
        right = system.F - system.G @ v - (system.K + system.H) @ d + np.concatenate([d[:6], np.zeros(6)])
        a = np.array([found[f"q{i}"] for i in range(12)])
        assert np.abs(system.M @ a - right).max() < 1e-12 * np.abs(right).max()
