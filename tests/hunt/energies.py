"""Systems written as energies: conditions on coordinates and rates, and free members whose springs are not linear."""

from __future__ import annotations

from typing import Any

import flint
import numpy as np

import flexura as fx
from hunt.draw import Draw
from hunt.trial import Trial, agree, heard

Rows = list[list[int]]


def pencils(number: int) -> Trial:
    """M q'' + D q' + K q = A'lambda with conditions A_v q' + A_q q = 0: roots and responses in exact arithmetic."""
    draw = Draw(number)
    asked = _Pencil(draw)
    checks = {"modes": asked.modes, "response": asked.response}
    return Trial("pencils", number, asked.script, frozenset(), checks)


def pushed(number: int) -> Trial:
    """A free member with a stiffening or softening law, pushed at one end: its mean moves as a body of its mass."""
    draw = Draw(number)
    asked = _Pushed(draw)
    return Trial("pushed", number, asked.script, frozenset(), {"simulate": asked.simulate})


class _Pencil:
    def __init__(self, draw: Draw) -> None:
        n = draw.integer(2, 4)
        m = draw.integer(1, n - 1)
        self.n, self.m = n, m
        self.M = _positive(draw, n)
        self.D = _positive(draw, n) if draw.chance(0.4) else [[0] * n for _ in range(n)]
        self.K = _symmetric([[draw.integer(-3, 3) for _ in range(n)] for _ in range(n)])
        self.A_v = [[draw.integer(-3, 3) for _ in range(n)] for _ in range(m)]
        self.A_q = [[draw.integer(-4, 4) for _ in range(n)] for _ in range(m)]
        self.omega = draw.size(0.3, 3)

    @property
    def script(self) -> str:
        return f"M={self.M}\nD={self.D}\nK={self.K}\nA_v={self.A_v}\nA_q={self.A_q}"

    def equations(self) -> fx.Equations:
        q = [fx.Coordinate(f"q{i}") for i in range(self.n)]
        return fx.derive(
            fx.Lagrangian(
                kinetic=_form(self.M, [one.t for one in q]),
                potential=_form(self.K, q),
                dissipation=_form(self.D, [one.t for one in q]),
                work={q[0]: fx.Input("F")},
                constraints=[
                    sum(v * one.t for v, one in zip(rates, q, strict=True))
                    + sum(c * one for c, one in zip(places, q, strict=True))
                    for rates, places in zip(self.A_v, self.A_q, strict=True)
                ],
            )
        )

    def _matrix(self, s: Any) -> Any:
        n, m = self.n, self.m
        rows = [[s * s * self.M[i][j] + s * self.D[i][j] + self.K[i][j] for j in range(n)]
                + [s * self.A_v[k][i] * 0 + self.A_v[k][i] for k in range(m)] for i in range(n)]  # fmt: skip
        rows += [[s * self.A_v[k][j] + self.A_q[k][j] for j in range(n)] + [0 * s] * m for k in range(m)]
        return rows

    def roots(self) -> list[complex]:
        """Of the determinant, a polynomial with whole coefficients, each to all digits."""
        n, m = self.n, self.m
        points = [flint.fmpq(i - n) for i in range(2 * n + m + 1)]
        values = [flint.fmpq_mat(self._matrix(one)).det() for one in points]
        polynomial = _interpolated(points, values)
        if polynomial.degree() < 1:
            return []
        whole = flint.fmpz_poly([int(c * polynomial.denom()) for c in polynomial.coeffs()])
        found = [complex(root) for root, count in whole.complex_roots() for _ in range(count)]
        kept = [s for s in found if s.imag > 1e-12 * abs(s) or abs(s.imag) <= 1e-12 * abs(s)]
        return sorted(kept, key=lambda s: (abs(s), s.real))

    def modes(self) -> str | None:
        expected, noted = self.roots(), None
        equations = self.equations()
        if any(abs(s) < 1e-9 for s in expected):
            return None  # a drift counts as one entry: tests elsewhere
        for method in ("ritz", "exact"):
            found = fx.modes(equations, 2 * self.n, method=method).eigenvalues
            found = np.array(sorted(found, key=lambda s: (round(abs(s), 9), s.real)))
            wanted = np.array(sorted(expected, key=lambda s: (round(abs(s), 9), s.real)))
            noted = agree(method, found, wanted, 1e-6 * np.abs(wanted).max(initial=1.0)) or noted
        return noted

    def response(self) -> str | None:
        s = 1j * self.omega
        whole = np.array([[complex(one) for one in row] for row in self._matrix(s)])
        expected = np.linalg.solve(whole, np.eye(len(whole))[0])[0]
        with heard() as words:
            found = fx.frequency_response(self.equations(), [self.omega], "F", "q0")
        return agree("response", found[0], expected, 1e-8 * abs(expected) + 1e-12, words)


class _Pushed:
    def __init__(self, draw: Draw) -> None:
        self.law = draw.pick(["EA*w_x**2/2 + c*w_x**4/4", "EA*w_x**2/2 - c*w_x**3/6", "EI*w_xx**2/2 + EA*w_x**4/4"])
        names = ("rho", "EA", "c", "EI", "l")
        self.values = dict(zip(names, (draw.size(0.3, 3) for _ in names), strict=True))
        self.values["EI"] *= 10
        self.force, self.end = draw.size(0.05, 0.5), draw.size(0.5, 3)

    @property
    def script(self) -> str:
        return f"law={self.law!r}\nvalues={self.values}\nforce={self.force}\nend={self.end}"

    def simulate(self) -> str | None:
        w = fx.Field("w", length="l")
        density = f"rho*w_t**2/2 - ({self.law})"
        equations = fx.derive(fx.Lagrangian(density={w: density}, work={w.at("l"): fx.Input("F")}))
        values = {name: one for name, one in self.values.items() if name in equations.lagrangian.parameters}
        with heard() as words:
            run = fx.simulate(
                equations, np.array([0.0, self.end / 2, self.end]), values=values, inputs={"F": self.force}
            )
        nodes, weights = np.polynomial.legendre.leggauss(24)
        length, mass = self.values["l"], self.values["rho"] * self.values["l"]
        mean = sum(weight / 2 * run.place("w", length * (x + 1) / 2) for x, weight in zip(nodes, weights, strict=True))
        expected = self.force * run.t**2 / (2 * mass)
        return agree("mean of w", mean, expected, 1e-5 * expected[-1], [*words, *run.notes])


def _positive(draw: Draw, n: int) -> Rows:
    factor = [[draw.integer(-2, 2) for _ in range(n)] for _ in range(n)]
    return [[sum(factor[k][i] * factor[k][j] for k in range(n)) + (i == j) for j in range(n)] for i in range(n)]


def _symmetric(rows: Rows) -> Rows:
    return [[rows[i][j] + rows[j][i] for j in range(len(rows))] for i in range(len(rows))]


def _form(matrix: Rows, of: list[Any]) -> Any:
    terms = [matrix[i][j] * of[i] * of[j] for i in range(len(of)) for j in range(len(of)) if matrix[i][j]]
    return sum(terms[1:], terms[0]) / 2 if terms else 0


def _interpolated(points: list[Any], values: list[Any]) -> Any:
    total = flint.fmpq_poly([0])
    for i, (at, value) in enumerate(zip(points, values, strict=True)):
        basis = flint.fmpq_poly([1])
        for j, other in enumerate(points):
            if j != i:
                basis = basis * flint.fmpq_poly([-other, 1]) / (at - other)
        total = total + value * basis
    return total
