"""Conditions that hold coordinates and rates: the pencil with multipliers, against determinants in many digits."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy

import flexura as fx

Matrices = tuple[Any, Any, Any, Any, Any]


def drawn(seed: int) -> Matrices:
    """M, D, K, A_v and A_q in small rationals: M positive, K of any sign, conditions of full rank."""
    random = np.random.default_rng(seed)
    n, m = int(random.integers(2, 5)), int(random.integers(1, 3))
    m = min(m, n - 1)

    def some(rows: int, columns: int) -> Any:
        return sympy.Matrix(
            rows, columns, [sympy.Rational(int(one), 4) for one in random.integers(-9, 10, rows * columns)]
        )

    L, D, K = some(n, n), some(n, n), some(n, n)
    M = L * L.T + sympy.eye(n)
    if seed % 3 == 0:
        D = sympy.zeros(n)
    if seed % 4 == 0:
        M[n - 1, :], M[:, n - 1] = sympy.zeros(1, n), sympy.zeros(n, 1)  # a coordinate without mass
    A_v, A_q = some(m, n), some(m, n)
    A_v[:, :m] += 6 * sympy.eye(m)
    return M, D * D.T, (K + K.T) / 2, A_v, A_q


def equations_of(M: Any, D: Any, K: Any, A_v: Any, A_q: Any) -> fx.Equations:
    q = [fx.Coordinate(f"q{i}") for i in range(M.rows)]

    def form(matrix: Any, of: list[Any]) -> Any:
        return sum(float(matrix[i, j]) * a * b for i, a in enumerate(of) for j, b in enumerate(of)) / 2

    conditions = [
        sum(float(A_v[k, i]) * one.t + float(A_q[k, i]) * one for i, one in enumerate(q)) for k in range(A_v.rows)
    ]
    rates = [one.t for one in q]
    energies = {"kinetic": form(M, rates), "potential": form(K, q), "dissipation": form(D, rates)}
    return fx.derive(fx.Lagrangian(**energies, constraints=conditions))


def pencil(M: Any, D: Any, K: Any, A_v: Any, A_q: Any, s: Any) -> Any:
    return sympy.BlockMatrix([[s**2 * M + s * D + K, A_v.T], [s * A_v + A_q, sympy.zeros(A_v.rows)]]).as_explicit()


@lru_cache
def roots_of(seed: int) -> tuple[list[complex], int]:
    """The roots with Im >= 0 that are not zero, and how often zero is one."""
    s = sympy.Symbol("s")
    coefficients = sympy.Poly(pencil(*drawn(seed), s).det(method="berkowitz"), s).all_coeffs()
    zeros = next(i for i, one in enumerate(reversed(coefficients)) if one != 0)
    rest = coefficients[: len(coefficients) - zeros]
    with mpmath.workdps(50):
        found = mpmath.polyroots([mpmath.mpf(one.p) / one.q for one in rest], maxsteps=500, extraprec=500)
    return [complex(one) for one in found if mpmath.im(one) > -1e-30], zeros


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("method", ["exact", "ritz", "matrices"])
def test_modes_are_the_roots_of_the_determinant(seed: int, method: str) -> None:
    matrices = drawn(seed)
    equations, (right, zeros) = equations_of(*matrices), roots_of(seed)
    if method == "matrices":
        system = fx.discretise(equations)
        s = np.array(right)[:, None, None]
        Q = s**2 * system.M + s * (_sum(system.D, system.G)) + _sum(system.K, system.H)
        sizes = np.linalg.svd(Q, compute_uv=False)
        assert np.all(sizes[:, -1] < 1e-8 * sizes[:, 0])
        return
    found = fx.modes(equations, 2 * len(equations.coordinates) + 2, method=method)
    assert found.certificate
    assert len(found) == len(right) + min(zeros, 1)
    for one in found.eigenvalues[found.eigenvalues != 0]:
        nearest = min(right, key=lambda s: abs(s - one))
        assert abs(one - nearest) < 1e-7 * abs(nearest)


def _sum(first: Any, second: Any) -> Any:
    return sum(one for one in (first, second) if one is not None)


@pytest.mark.parametrize("seed", range(8))
def test_responses_are_those_of_a_direct_solution(seed: int) -> None:
    matrices = drawn(seed)
    equations, omega = equations_of(*matrices), [0.3, 1.1, 7.0]
    n, m = matrices[0].rows, matrices[3].rows
    load, output = seed % n, (seed + 1) % n
    found = fx.frequency_response(equations, omega, f"q{load}", f"q{output}")
    for w, one in zip(omega, found, strict=True):
        with mpmath.workdps(40):
            Q = mpmath.matrix(pencil(*matrices, sympy.I * sympy.Rational(w)).evalf(40).tolist())
            x = mpmath.lu_solve(Q, mpmath.matrix([int(i == load) for i in range(n + m)]))
        assert one == pytest.approx(complex(x[output]), rel=1e-9, abs=1e-12)


def test_the_example_of_the_theory() -> None:
    """y' = 4p with T = (y'^2 + p'^2)/2, U = p^2 + 3yp: s^3 + 2s + 12 = 0."""
    y, p = fx.Coordinate("y"), fx.Coordinate("p")
    energies = {"kinetic": (y.t**2 + p.t**2) / 2, "potential": p**2 + 3 * y * p}
    equations = fx.derive(fx.Lagrangian(**energies, constraints=[y.t - 4 * p]))
    for method in ("exact", "ritz"):
        found = fx.modes(equations, 3, method=method)
        assert found.eigenvalues == pytest.approx([-2, 1 + np.sqrt(5) * 1j], rel=1e-12)
    assert fx.modes(fx.discretise(equations), 3).eigenvalues == pytest.approx([-2, 1 + np.sqrt(5) * 1j], rel=1e-9)


EA, RHO, LENGTH, MASS, SPRING, COUPLING, A, B = 3.0, 2.0, 1.5, 0.7, 5.0, 1.1, 0.8, 0.6


def rod_with_condition() -> fx.Equations:
    """A rod, fixed at one end; its tip q and a mass p are coupled by c q p and by q' + b p' + a p = 0."""
    u, q, p = fx.Field("u", length=LENGTH), fx.Coordinate("q"), fx.Coordinate("p")
    return fx.derive(
        fx.Lagrangian(
            kinetic=MASS * p.t**2 / 2, potential=SPRING * p**2 / 2 + COUPLING * q * p,
            density={u: RHO * u.t**2 / 2 - EA * u.x**2 / 2}, boundary={u.at(0): 0, u.at(LENGTH): q},
            constraints=[q.t + B * p.t + A * p],
        )
    )  # fmt: skip


def rod_matrix(s: Any) -> Any:
    gamma = s * mpmath.sqrt(mpmath.mpf(RHO) / EA)
    stiffness = EA * gamma * mpmath.coth(gamma * LENGTH)
    return mpmath.matrix([[stiffness, COUPLING, 1], [COUPLING, MASS * s**2 + SPRING, B], [s, B * s + A, 0]])


@pytest.mark.parametrize("method", ["exact", "ritz"])
def test_a_member_beside_a_condition_on_rates(method: str) -> None:
    found = fx.modes(rod_with_condition(), 6, method=method)
    assert found.certificate
    for one in found.eigenvalues:
        with mpmath.workdps(30):
            near = mpmath.mpc(one) * mpmath.mpc(1, 1e-7)
            root = mpmath.findroot(lambda s: mpmath.det(rod_matrix(s)), (near, mpmath.mpc(one) * (1 + 1e-6)))
        assert abs(complex(root) - one) < 1e-8 * abs(one)
    both = [fx.modes(rod_with_condition(), 6, method=name).eigenvalues for name in ("exact", "ritz")]
    assert both[0] == pytest.approx(both[1], rel=1e-8)


def test_the_response_of_a_member_beside_a_condition_on_rates() -> None:
    found = fx.frequency_response(rod_with_condition(), [0.4, 2.0, 9.0], "p", "q")
    for w, one in zip([0.4, 2.0, 9.0], found, strict=True):
        x = mpmath.lu_solve(rod_matrix(mpmath.mpc(0, w)), mpmath.matrix([0, 1, 0]))
        assert one == pytest.approx(complex(x[0]), rel=1e-9)


def test_a_sled_across_a_slope_has_the_stiffness_of_its_reaction() -> None:
    """The blade carries m g; turned by theta it pushes along x: m x'' = -m g theta, theta'' = 0, y' = 0, so s^5 = 0."""
    x, y, theta = (fx.Coordinate(name) for name in ("x", "y", "theta"))
    sled = fx.Lagrangian(
        kinetic=(2.0 * x.t**2 + 2.0 * y.t**2 + 0.3 * theta.t**2) / 2, potential=2.0 * 9.81 * y,
        constraints=[y.t * fx.cos(theta) - x.t * fx.sin(theta) + 0.5 * theta],
    )  # fmt: skip
    linear = fx.linearise(fx.derive(sled), about={})
    s = sympy.Symbol("s")
    g = sympy.Rational(981, 100) * 2
    J, a = sympy.Rational(3, 10), sympy.Rational(1, 2)
    Q = sympy.Matrix([[2 * s**2, 0, g, 0], [0, 2 * s**2, 0, 1], [0, 0, J * s**2, 0], [0, s, a, 0]])
    assert sympy.Poly(Q.det(), s).all_coeffs()[1:] == [0] * 5
    found = fx.modes(linear, 6)
    assert np.all(found.eigenvalues == 0)
    assert "s = 0 is a root 5 times" in str(found.certificate)


@pytest.mark.parametrize("verb", ["exact", "ritz", "discretise", "response"])
def test_conditions_that_repeat_one_another_are_refused_and_leaving_one_out_helps(verb: str) -> None:
    y, p = fx.Coordinate("y"), fx.Coordinate("p")
    energies = {"kinetic": (y.t**2 + p.t**2) / 2, "potential": p**2 + 3 * y * p}

    def ask(*conditions: Any) -> Any:
        equations = fx.derive(fx.Lagrangian(**energies, constraints=list(conditions)))
        if verb == "discretise":
            return fx.discretise(equations)
        if verb == "response":
            return fx.frequency_response(equations, [1.0], "p", "y")
        return fx.modes(equations, 3, method=verb)

    with pytest.raises(fx.FlexuraError, match=r"conditions lambda_1, lambda_2 .* leave out those that follow"):
        ask(y.t - 4 * p, 2 * y.t - 8 * p)
    assert ask(y.t - 4 * p) is not None
