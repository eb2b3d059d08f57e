"""Solutions at chosen frequencies, each with one factorization, and the directions they give a basis.

>>> at = Frequency(SplitPencil.of(system), 30.0)
>>> at.solve(F), at.right_sides(F)              # T(i omega) x = F; K+ of the right sides spans x and dx/ds

Second-order rational Krylov: with s = s_0 + sigma, T(s) = T_0 + sigma T_1 + sigma^2 M and T_1 = 2 s_0 M + D + G, so
T_0 x_0 = F and T_0 x_(k+1) = - T_1 x_k - M x_(k-1) with the same factors. A real basis takes the real and the imaginary
part of each: then the reduced matrices stay real and symmetric, and what is positive stays positive.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.structures.operating.dynamic import DynamicSolver, SplitPencil

Array = NDArray[Any]
_BESIDE = 1e-4  # where a resonance has no answer: so far beside it
_NOTHING = 1e-12  # of a complex vector, below which its real or imaginary part is rounding
_MISSES = 1e-4


class Frequency:
    """T(i omega) factorized; just beside omega where that is a resonance."""

    def __init__(self, pencil: SplitPencil, omega: float) -> None:
        self.pencil = pencil
        probe = np.random.default_rng(1).standard_normal(pencil.system.n)
        for nearby in (omega, omega * (1 + _BESIDE), omega * (1 - 3 * _BESIDE)):
            for way in (pencil, SplitPencil(pencil.system, None, pencil.loss)):
                solver = _solver(way, 1j * nearby, probe)
                if solver is not None:
                    self.way, self.omega, self._solver, self.beside = way, nearby, solver, nearby != omega
                    return
        raise FlexuraError(
            f"The response at {omega:g} rad/s cannot be solved for: the matrices are singular there",
            advice="check M, K and the units, or leave that frequency out",
        )

    def solve(self, b: Array) -> Array:
        """x of T x = b."""
        z, e = self._solver.parts(b, refinements=2)
        return np.asarray(self.way.q @ z + e)

    def transposed(self, b: Array) -> Array:
        """y of T'y = b; the same factors where T is symmetric."""
        if self.pencil.system.symmetric:
            return self.solve(b)
        return DynamicSolver(self.way, 1j * self.omega, transposed=True).solve(b)

    def right_sides(self, F: Array, depth: int = 2) -> Array:
        """Real vectors b for which K+ b spans, beside rigid motions, x and its derivatives by s."""
        system, s = self.pencil.system, 1j * self.omega
        rates = system.rates
        before, x, columns = np.zeros_like(F), self.solve(F), []
        right = F.astype(complex)
        for _ in range(depth):
            columns += halves(right - self._but_stiffness(x, s), x)
            right = -(2 * s * (system.M @ x) + (0 if rates is None else rates @ x)) - system.M @ before
            before, x = x, self.solve(right)
        return np.column_stack(columns) if columns else np.zeros((system.n, 0))

    def dual_right_sides(self, G: Array) -> Array:
        """The same for the solutions of T'y = G."""
        y = self.transposed(G)
        return np.column_stack(halves(G - self._but_stiffness(y, 1j * self.omega, -1), y))

    def _but_stiffness(self, x: Array, s: complex, sign: int = 1) -> Array:
        """(T - K) x, or (T' - K) x."""
        system = self.pencil.system
        result = s * s * (system.M @ x)
        for matrix, factor in ((system.D, s), (system.G, sign * s), (system.H, sign), (system.structural, 1j)):
            if matrix is not None:
                result = result + factor * (matrix @ x)
        return np.asarray(result)


def _solver(way: SplitPencil, s: complex, probe: Array) -> DynamicSolver | None:
    try:
        solver = way.at(s)
        z, e = solver.parts(probe, refinements=1)
    except (FlexuraError, np.linalg.LinAlgError):
        return None
    return solver if np.all(np.isfinite(e)) and solver.misses(probe, z, e) <= _MISSES else None


def halves(b: Array, x: Array) -> list[Array]:
    """The real and the imaginary parts of columns b, without those that are rounding of their x."""
    parts = []
    for column, solution in zip(b.T, x.T, strict=True):
        least = _NOTHING * np.linalg.norm(solution)
        parts += [half for half, moved in ((column.real, solution.real), (column.imag, solution.imag))
                  if np.linalg.norm(moved) > least]  # fmt: skip
    return parts
