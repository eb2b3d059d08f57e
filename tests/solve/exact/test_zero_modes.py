"""Zero modes by rank: counted over the rationals, whatever the stiffnesses; the others against mpmath in 50 digits."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

import flexura as fx

Section = tuple[float, float, float]  # EA or EI, rho, length
DIGITS = 50


def rank(rows: list[list[Fraction]]) -> int:
    """Over the rationals, by elimination."""
    rows, found = [list(row) for row in rows], 0
    for column in range(len(rows[0]) if rows else 0):
        pivot = next((i for i in range(found, len(rows)) if rows[i][column]), None)
        if pivot is None:
            continue
        rows[found], rows[pivot] = rows[pivot], rows[found]
        for i in range(found + 1, len(rows)):
            factor = rows[i][column] / rows[found][column]
            rows[i] = [a - factor * b for a, b in zip(rows[i], rows[found], strict=True)]
        found += 1
    return found


# -- masses and springs --------------------------------------------------------------------------------------------


def masses(seed: int, span: float = 12.0) -> tuple[fx.Equations, list[float], list[tuple[int, int, float]]]:
    """Masses in a row, springs over `span` orders of magnitude, some to ground (-1), some missing."""
    drawn = random.Random(seed)
    n = drawn.randint(2, 5)
    m = [10 ** drawn.uniform(-2, 2) for _ in range(n)]
    links = [(i, i + 1, 10 ** drawn.uniform(-span / 2, span / 2)) for i in range(n - 1) if drawn.random() < 0.85]
    if drawn.random() < 0.6:
        links.append((drawn.randrange(n), -1, 10 ** drawn.uniform(-span / 2, span / 2)))
    bodies = [fx.Mass(f"m{i}", one) for i, one in enumerate(m)]
    springs = [
        fx.Spring(bodies[i], bodies[j] if j >= 0 else fx.ground, k=k, name=f"k{at}")
        for at, (i, j, k) in enumerate(links)
    ]
    return fx.derive(fx.Model(*(fx.Slide(fx.ground, one) for one in bodies), *springs)), m, links


def frequencies_of_masses(m: list[float], links: list[tuple[int, int, float]]) -> list[float]:
    with mpmath.workdps(DIGITS):
        A = mpmath.zeros(len(m))
        for i, j, k in links:
            for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
                if a >= 0 and b >= 0:
                    A[a, b] += sign * mpmath.mpf(k) / mpmath.sqrt(mpmath.mpf(m[a]) * mpmath.mpf(m[b]))
        squares = sorted(mpmath.eigsy(A, eigvals_only=True))
        strains = [[Fraction((x == i) - (x == j)) for x in range(len(m))] for i, j, _ in links]
        free = len(m) - rank(strains)
        return [0.0] * free + [float(mpmath.sqrt(one)) for one in squares[free:]]


@pytest.mark.parametrize("seed", range(25))
def test_masses_on_springs_of_any_ratio(seed: int) -> None:
    equations, m, links = masses(seed)
    right = frequencies_of_masses(m, links)
    exact, ritz = (fx.modes(equations, len(m), method=method) for method in ("exact", "ritz"))
    assert exact.certificate
    assert exact.frequencies == pytest.approx(right, rel=1e-9, abs=0)
    assert exact.certificate.unstable == 0
    assert (ritz.frequencies == 0).sum() == right.count(0.0)
    if ritz.certificate:  # what rounding of the summed matrix may spoil is told
        assert ritz.frequencies == pytest.approx(right, rel=1e-7, abs=0)


# -- chains of rods and of beams ------------------------------------------------------------------------------------


def chain(seed: int, kind: Callable[..., Any]) -> tuple[fx.Equations, list[Section], float]:
    """Members welded in a row, stiffness over twelve orders of magnitude, free or on one soft spring."""
    drawn = random.Random(seed)
    sections = [
        (10 ** drawn.uniform(-6, 6), drawn.uniform(0.5, 5), drawn.uniform(0.5, 2)) for _ in range(drawn.randint(2, 4))
    ]
    parts = [kind(f"r{i}", stiffness, rho, length) for i, (stiffness, rho, length) in enumerate(sections)]
    joints: list[Any] = [fx.Fixed(a.end, b.start) for a, b in itertools.pairwise(parts)]
    soft = 10 ** drawn.uniform(-6, -2) if drawn.random() < 0.5 else 0.0
    if soft:
        along = "x" if isinstance(parts[0], fx.Rod) else "y"
        joints.append(fx.Spring(fx.ground, parts[0].start, k=soft, along=along, name="g"))
    return fx.derive(fx.Model(*joints)), sections, soft


def rods(sections: list[Section], soft: float, omega: Any) -> Any:
    """The axial force at the far end, which must vanish, by transfer of (u, N)."""
    u, force = mpmath.mpf(1), mpmath.mpf(soft)
    for EA, rho, length in (map(mpmath.mpf, one) for one in sections):
        k = omega * mpmath.sqrt(rho / EA)
        c, s = mpmath.cos(k * length), mpmath.sin(k * length)
        u, force = u * c + force * s / (EA * k), -u * EA * k * s + force * c
    return force


def beams(sections: list[Section], soft: float, omega: Any) -> Any:
    """The determinant of moment and shear at the far end, by transfer of (w, w_x, EI w_xx, EI w_xxx)."""
    T = mpmath.eye(4)
    for EI, rho, length in (map(mpmath.mpf, one) for one in sections):
        b = mpmath.sqrt(omega) * (rho / EI) ** mpmath.mpf("0.25")
        z = b * length
        a = [
            (mpmath.cosh(z) + mpmath.cos(z)) / 2,
            (mpmath.sinh(z) + mpmath.sin(z)) / 2,
            (mpmath.cosh(z) - mpmath.cos(z)) / 2,
            (mpmath.sinh(z) - mpmath.sin(z)) / 2,
        ]
        scale = [mpmath.mpf(1), b, EI * b**2, EI * b**3]
        T = mpmath.matrix([[a[(j - i) % 4] * scale[i] / scale[j] for j in range(4)] for i in range(4)]) * T
    first = [T[i, 0] - T[i, 3] * mpmath.mpf(soft) for i in range(4)]
    return first[2] * T[3, 1] - first[3] * T[2, 1]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("kind", "residual", "free"), [(fx.Rod, rods, 1), (fx.EulerBernoulliBeam, beams, 2)])
def test_chains_of_members_of_any_ratio(seed: int, kind: Any, residual: Any, free: int) -> None:
    equations, sections, soft = chain(seed, kind)
    found = fx.modes(equations, 5)
    assert found.certificate
    zeros = free - bool(soft)
    assert (found.frequencies == 0).sum() == zeros
    for omega in found.frequencies[zeros:]:
        with mpmath.workdps(DIGITS):
            near = [mpmath.mpf(omega) * (1 + sign * mpmath.mpf(10) ** -9) for sign in (-1, 1)]
            root = mpmath.findroot(
                lambda x: residual(sections, soft, x), near, solver="secant", tol=1e-60, verify=False, maxsteps=60
            )
        assert abs(omega - root) < 1e-9 * omega


def test_two_free_rods_have_one_zero_mode() -> None:
    a, b = fx.Rod("a", EA=1e6, rho=3, length=1.3), fx.Rod("b", EA=278, rho=9.7, length=1.3)
    equations = fx.derive(fx.Model(fx.Fixed(a.end, b.start)))
    for method in ("exact", "ritz"):
        found = fx.modes(equations, 3, method=method)
        assert found.eigenvalues[0] == 0
        assert found.eigenvalues[1] == pytest.approx(10.23764929j)
        assert found.certificate.unstable == 0
        assert "s = 0 is a root 2 times: 1 motion without stiffness" in str(found.certificate)


@pytest.mark.parametrize("seed", range(20))
def test_hinged_beams_move_freely_as_often_as_the_rationals_say(seed: int) -> None:
    """Straight beams, welded or hinged, some joints on springs: strains are w_b - w_a - theta l and turns at welds."""
    drawn = random.Random(seed)
    n = drawn.randint(2, 5)
    lengths = [Fraction(drawn.randint(5, 20), 10) for _ in range(n)]
    parts = [
        fx.EulerBernoulliBeam(f"b{i}", EI=10 ** drawn.uniform(-6, 6), rho=drawn.uniform(0.5, 5), length=float(length))
        for i, length in enumerate(lengths)
    ]
    things: list[Any] = []
    rows: list[list[Fraction]] = []

    def row(**entries: Fraction) -> list[Fraction]:
        """Over w of each start and the turn of each beam."""
        return [entries.get(f"w{i}", Fraction(0)) for i in range(n)] + [
            entries.get(f"t{i}", Fraction(0)) for i in range(n)
        ]

    one = Fraction(1)
    for i in range(n - 1):
        weld = drawn.random() < 0.5
        things.append((fx.Fixed if weld else fx.Pin)(parts[i].end, parts[i + 1].start))
        rows.append(row(**{f"w{i}": one, f"t{i}": lengths[i], f"w{i + 1}": -one}))
        if weld:
            rows.append(row(**{f"t{i}": one, f"t{i + 1}": -one}))
    for i in range(n):
        if drawn.random() < 0.4:
            things.append(fx.Spring(fx.ground, parts[i].start, k=10 ** drawn.uniform(-6, 6), name=f"k{i}"))
            rows.append(row(**{f"w{i}": one}))
    free = 2 * n - rank(rows)
    found = fx.modes(fx.derive(fx.Model(*things, *parts)), free + 2)
    assert (found.eigenvalues == 0).sum() == free
    assert np.all(found.eigenvalues[free:].imag > 0)
    assert found.certificate.unstable == 0


# -- damping ---------------------------------------------------------------------------------------------------------


def determinant(m: list[Fraction], K: Any, C: Any) -> Any:
    s = sympy.Symbol("s")
    return sympy.Poly((sympy.diag(*[sympy.Rational(one) for one in m]) * s**2 + C * s + K).det(method="berkowitz"), s)


@pytest.mark.parametrize("seed", range(25))
@pytest.mark.parametrize("method", ["exact", "ritz"])
def test_damped_motions_without_stiffness(seed: int, method: str) -> None:
    """Springs and dampers drawn independently: the multiplicity of s = 0 is that in the exact polynomial."""
    drawn = random.Random(seed)
    n = drawn.randint(2, 4)
    m = [Fraction(drawn.randint(1, 9), drawn.randint(1, 4)) for _ in range(n)]
    K, C, things = sympy.zeros(n), sympy.zeros(n), []
    bodies = [fx.Mass(f"m{i}", float(one)) for i, one in enumerate(m)]
    for matrix, kind, keyword in ((K, fx.Spring, "k"), (C, fx.Damper, "c")):
        for i in range(n):
            j = drawn.choice([i - 1, i + 1])
            if drawn.random() < 0.55 and j < n:
                value = Fraction(drawn.randint(1, 30), drawn.randint(1, 8))
                other = bodies[j] if j >= 0 else fx.ground
                things.append(kind(bodies[i], other, **{keyword: float(value)}, name=f"{keyword}{i}"))
                for a, b, sign in ((i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)):
                    if a >= 0 and b >= 0:
                        matrix[a, b] += sign * sympy.Rational(value)
    if C.is_zero_matrix:
        things.append(fx.Damper(bodies[0], fx.ground, c=1.0, name="only"))
        C[0, 0] += 1
    polynomial = determinant(m, K, C)
    coefficients = polynomial.all_coeffs()
    multiplicity = next(i for i, one in enumerate(reversed(coefficients)) if one != 0)
    free = n - K.rank()
    found = fx.modes(fx.derive(fx.Model(*(fx.Slide(fx.ground, one) for one in bodies), *things)), 2 * n, method=method)
    assert (found.eigenvalues == 0).sum() == free
    if free:
        times = "once" if multiplicity == 1 else f"{multiplicity} times"
        assert re.search(rf"s = 0 is a root {times}: {free} motion", str(found.certificate))
    if method == "exact":
        assert found.certificate
    rest = coefficients[: len(coefficients) - multiplicity]
    with mpmath.workdps(DIGITS):
        roots = mpmath.polyroots([mpmath.mpf(one.p) / one.q for one in rest], maxsteps=500, extraprec=400)
    right = [complex(one) for one in roots if mpmath.im(one) >= -1e-30]
    assert len(found.eigenvalues) == free + len(right)
    for one in found.eigenvalues[found.eigenvalues != 0]:
        nearest = min(right, key=lambda s: abs(s - one))
        assert abs(one - nearest) < 1e-7 * abs(nearest)


def test_a_member_that_twists_without_inertia_is_told_so():
    """Following the advice, by inertia or by a support, gives modes."""
    stiff = {"EA": 5e3, "EIy": 50.0, "EIz": 70.0, "GJ": 30.0, "rho": 1.2, "length": 1.0}
    with pytest.raises(fx.FlexuraError, match=r"A motion of phi_b has no inertia, no stiffness.*rotary_inertia"):
        fx.modes(fx.Model(fx.SpatialBeam("b", **stiff)), 8)
    turning = fx.modes(fx.Model(fx.SpatialBeam("b", **stiff, rotary_inertia=0.01)), 8)
    assert list(turning.frequencies[:6]) == [0.0] * 6
    assert turning.frequencies[6] > 100
    held = fx.SpatialBeam("b", **stiff)
    modes = fx.modes(fx.Model(fx.Fixed(fx.ground, held.start)), 2)
    assert np.allclose(modes.frequencies, 1.8751040687119611**2 * np.sqrt(np.array([50, 70]) / 1.2))
