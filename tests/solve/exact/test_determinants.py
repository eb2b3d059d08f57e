"""Frames, steps, spans and rotating beams against determinants written here in forty digits, from the equations alone.

Nothing of the package is used for the other side: transcendental stiffnesses of members from four exponentials, power
series for rotating beams.
"""

from __future__ import annotations

import itertools
import math

import mpmath as mp
import numpy as np
import pytest

import flexura as fx

g = fx.ground
DIGITS = 40


def beam(name, EI=1.0, rho=1.0, length=1.0, **more):
    return fx.EulerBernoulliBeam(name, EI=EI, rho=rho, length=length, **more)


def bending_stiffness(EI, rho, l, w):
    """4 x 4 over (w, theta) at both ends, loads against displacements."""
    k = mp.root(rho * w**2 / EI, 4)
    parts = [k, -k, 1j * k, -1j * k]
    values = mp.matrix(4, 4)
    loads = mp.matrix(4, 4)
    for j, r in enumerate(parts):
        e = mp.exp(r * l)
        values[0, j], values[1, j], values[2, j], values[3, j] = 1, r, e, r * e
        loads[0, j], loads[1, j], loads[2, j], loads[3, j] = EI * r**3, -EI * r**2, -EI * r**3 * e, EI * r**2 * e
    return loads * values**-1


def axial_stiffness(EA, rho, l, w):
    z = w * mp.sqrt(rho / EA) * l
    c = EA * z / l / mp.sin(z)
    return mp.matrix([[c * mp.cos(z), -c], [-c, c * mp.cos(z)]])


class Frame:
    """Members between joints; each joint has x, y, theta; held ones are left out of the determinant."""

    def __init__(self, members, held):
        self.members, self.held = members, held  # (joint a, joint b, angle, length, EI, EA, rho)

    def determinant(self, w):
        joints = 1 + max(max(a, b) for a, b, *_ in self.members)
        D = mp.matrix(3 * joints, 3 * joints)
        for a, b, angle, l, EI, EA, rho in self.members:
            B, A = bending_stiffness(EI, rho, l, w), axial_stiffness(EA, rho, l, w)
            local = mp.matrix(6, 6)
            for i, j in itertools.product(range(4), range(4)):
                local[(1, 2, 4, 5)[i], (1, 2, 4, 5)[j]] = B[i, j]
            for i, j in itertools.product(range(2), range(2)):
                local[(0, 3)[i], (0, 3)[j]] = A[i, j]
            c, s = mp.cos(angle), mp.sin(angle)
            T = mp.zeros(6)
            for o in (0, 3):
                T[o, o], T[o, o + 1], T[o + 1, o], T[o + 1, o + 1], T[o + 2, o + 2] = c, s, -s, c, 1
            part = T.T * local * T
            at = [3 * a, 3 * a + 1, 3 * a + 2, 3 * b, 3 * b + 1, 3 * b + 2]
            for i, j in itertools.product(range(6), range(6)):
                D[at[i], at[j]] += part[i, j]
        kept = [i for i in range(3 * joints) if i not in self.held]
        return mp.re(mp.det(mp.matrix([[D[i, j] for j in kept] for i in kept])))


def is_root(f, w, rel=1e-10):
    """Whether f changes sign within `rel` of w, or is far smaller there than beside (a root of even order)."""
    with mp.workdps(DIGITS):
        w = mp.mpf(w)
        low, high, here = f(w * (1 - rel)), f(w * (1 + rel)), f(w)
        beside = abs(f(w * (1 + mp.mpf("1e-4"))))
        return low * high < 0 or abs(here) < 1e-10 * beside


def portal():
    c1, c2, t = (beam(n, length=l, EA=400.0, EI=e) for n, l, e in (("c1", 1.2, 1.0), ("c2", 1.2, 1.3), ("t", 0.9, 2.0)))
    up, flat, down = mp.pi / 2, 0, -mp.pi / 2
    members = [(0, 1, up, "1.2", 1, 400, 1), (1, 2, flat, "0.9", 2, 400, 1), (2, 3, down, "1.2", "1.3", 400, 1)]
    model = fx.Model(
        fx.Fixed(g, c1.start, angle=math.pi / 2),
        fx.Fixed(c1.end, t.start, angle=-math.pi / 2),
        fx.Fixed(t.end, c2.start, angle=-math.pi / 2),
        fx.Fixed(c2.end, g),
    )
    return model, members, [0, 1, 2, 9, 10, 11]


def l_frame():
    b1, b2 = beam("b1", EA=900.0), beam("b2", EA=700.0, length=0.8, EI=1.7)
    model = fx.Model(
        fx.Fixed(g, b1.start, angle=math.pi / 2), fx.Fixed(b1.end, b2.start, angle=-math.pi / 2), fx.Fixed(b2.end, g)
    )
    return model, [(0, 1, mp.pi / 2, "1", 1, 900, 1), (1, 2, 0, "0.8", "1.7", 700, 1)], [0, 1, 2, 6, 7, 8]


def slanted():
    """Two members at thirty degrees, one end free."""
    b1, b2 = beam("b1", EA=300.0, rho=1.4), beam("b2", EA=250.0, length=0.7, EI=0.6)
    model = fx.Model(fx.Fixed(g, b1.start, angle=math.pi / 6), fx.Fixed(b1.end, b2.start, angle=-math.pi / 3))
    return model, [(0, 1, mp.pi / 6, "1", 1, 300, "1.4"), (1, 2, -mp.pi / 6, "0.7", "0.6", 250, 1)], [0, 1, 2]


@pytest.mark.parametrize("case", [portal, l_frame, slanted])
def test_frames(case):
    model, members, held = case()
    found = fx.modes(fx.derive(model), 10)
    assert found.certificate
    assert len(set(np.round(found.frequencies, 6))) == 10
    with mp.workdps(DIGITS):
        numbers = [(a, b, angle, *map(mp.mpf, rest)) for a, b, angle, *rest in members]
        frame = Frame(numbers, held)
        assert all(is_root(frame.determinant, w) for w in found.frequencies)


def test_stepped_beam_and_three_spans():
    steps = [("0.4", 3, 2), ("0.35", 1, 1), ("0.5", "0.5", "0.7")]
    parts = [beam(f"b{i}", EI=float(e), rho=float(r), length=float(l)) for i, (l, e, r) in enumerate(steps)]
    welds = [fx.Fixed(a.end, b.start) for a, b in itertools.pairwise(parts)]
    supports = [fx.Pin(g, one.end) for one in parts]
    with mp.workdps(DIGITS):
        members = [(i, i + 1, 0, mp.mpf(l), mp.mpf(e), mp.mpf(1), mp.mpf(r)) for i, (l, e, r) in enumerate(steps)]
        axial = [0, 3, 6, 9]
        stepped, spans = Frame(members, [*axial, 1, 2]), Frame(members, [*axial, 1, 2, 4, 7, 10])
        for frame, more in ((stepped, []), (spans, supports)):
            found = fx.modes(fx.derive(fx.Model(fx.Fixed(g, parts[0].start), *welds, *more)), 9)
            assert found.certificate
            assert len(set(np.round(found.frequencies, 6))) == 9
            assert all(is_root(frame.determinant, w) for w in found.frequencies)


def rotating_determinant(speed, hub, lag):
    """EI w'''' - (P w')' - (w^2 + lag speed^2) w = 0 by power series, clamped at 0, free at 1."""
    P = [mp.mpf(speed) ** 2 * (mp.mpf(hub) + mp.mpf(1) / 2), -(mp.mpf(speed) ** 2) * hub, -(mp.mpf(speed) ** 2) / 2]

    def f(w):
        square = w**2 + (mp.mpf(speed) ** 2 if lag else 0)
        rows = []
        for first in (2, 3):
            c = [mp.mpf(0)] * 160
            c[first] = mp.mpf(1)
            for n in range(156):
                # (P w')' has the coefficient sum_k P_k (n + 2 - k)(n + 1) c_(n+2-k) at x^n
                pull = sum(P[k] * (n + 2 - k) * (n + 1) * c[n + 2 - k] for k in range(3) if n + 2 - k >= 0)
                if n + 4 > 3:
                    c[n + 4] = (pull + square * c[n]) / ((n + 4) * (n + 3) * (n + 2) * (n + 1))
            moment = mp.fsum(n * (n - 1) * c[n] for n in range(2, 160))
            shear = mp.fsum(n * (n - 1) * (n - 2) * c[n] for n in range(3, 160))
            rows.append((moment, shear))
        return rows[0][0] * rows[1][1] - rows[0][1] * rows[1][0]

    return f


@pytest.mark.parametrize("hub", [0, 1])
@pytest.mark.parametrize("speed", [0, 1, 4, 8, 12])
@pytest.mark.parametrize("about", ["y", "z"])
def test_rotating_cantilever_from_its_parts(hub, speed, about):
    """Flap (about y) and lag (about z) of a beam on a hub that turns at a given speed."""
    body = fx.RigidBody("hub", m=1.0, I=1.0)
    b = beam("b", field="w")
    model = fx.Model(
        fx.Revolute(g, body, about=about, motion="Omega*t"), fx.Fixed(body.at(hub) if hub else body, b.start)
    )
    found = fx.modes(fx.derive(model), 4, values={"Omega": speed})
    assert found.certificate
    f = rotating_determinant(speed, hub, lag=about == "z")
    assert all(is_root(f, w) for w in found.frequencies)
    assert len(set(np.round(found.frequencies, 6))) == 4


def test_published_rotating_values():
    """Wright, Smith, Thresher and Wang (1982), table: flap of a uniform cantilever, no hub."""
    for speed, exact in ((0, 3.5160), (2, 4.1373), (6, 7.3604), (12, 13.1702)):
        body, b = fx.RigidBody("hub", m=1.0, I=1.0), beam("b")
        model = fx.Model(fx.Revolute(g, body, about="y", motion="Omega*t"), fx.Fixed(body, b.start))
        assert fx.modes(fx.derive(model), 1, values={"Omega": speed}).frequencies[0] == pytest.approx(exact, abs=6e-5)


def test_axial_load_on_a_cantilever():
    """det of four exponentials, up to 0.99 of the load that buckles it."""
    for share in ("0.5", "0.9", "0.99"):
        force = mp.mpf(share) * mp.pi**2 / 4

        def f(w, force=force):
            root = mp.sqrt(force**2 + 4 * w**2)
            a, b = mp.sqrt((-force + root) / 2), mp.sqrt((force + root) / 2)
            # clamped at 0; w'' = 0 and w''' + force w' = 0 at 1
            c = [(mp.cosh(a), mp.cos(b)), (mp.sinh(a), mp.sin(b))]
            one = [a**2 * c[0][0] + b**2 * c[0][1], a**2 * c[1][0] + a * b * c[1][1]]
            two = [
                (a**3 + force * a) * c[1][0] + (-(b**3) + force * b) * c[1][1],
                (a**3 + force * a) * c[0][0] - a / b * (-(b**3) + force * b) * c[0][1],
            ]
            return one[0] * two[1] - one[1] * two[0]

        b = beam("b", axial_force=-float(force))
        found = fx.modes(fx.derive(fx.Model(fx.Fixed(g, b.start), foreshortening=False)), 4)
        assert found.certificate
        assert all(is_root(f, w) for w in found.frequencies)
