"""Influence coefficients A = K^-1: what a unit load on one coordinate does to every other (theory, section 3).

>>> print(fx.flexibility(fx.linearise(equations)))      # unit load on q1 moves q2 by 1/k1
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import symengine
import sympy

from flexura.arguments import checked_methods
from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import small_equations_of
from flexura.errors import FlexuraError
from flexura.solve.matrices import Array, LinearMatrices, matrices, matrix_numbers
from flexura.solve.values import numbers
from flexura.symbolic.engine import Symbol, exact
from flexura.symbolic.zero import verdict


@checked_methods
@dataclass(frozen=True)
class Flexibility:
    """The flexibility matrix `A` in SymPy: A[i, j] is the displacement of coordinate i under a unit load on j."""

    coordinates: tuple[str, ...]
    A: Any
    equations: Equations = field(repr=False, compare=False)

    def numbers(self, values: Mapping[str, Any] | None = None) -> Array:
        """The matrix as a NumPy array."""
        known = {Symbol(name): exact(value) for name, value in numbers(self.equations, values).items()}
        return matrix_numbers(self.A, known, "A")

    def __str__(self) -> str:
        lines = []
        for j, load in enumerate(self.coordinates):
            for i, moved in enumerate(self.coordinates):
                lines.append(f"unit load on {load} moves {moved} by {_shown(self.A[i, j])}")
        return "\n".join(lines)


def flexibility(equations: Any, values: Mapping[str, Any] | None = None) -> Flexibility:
    """Influence coefficients of a linear system without fields, by unit loads: symbolic, or with `values` put in.

    >>> fx.flexibility(linear).A
    """
    equations = small_equations_of(equations)
    found = matrices(equations)
    K = found.K + found.H
    if values is not None:
        known = {
            sympy.Symbol(name): sympy.Rational(str(exact(value))) for name, value in numbers(equations, values).items()
        }
        K = K.xreplace(known)
    free = K.nullspace(iszerofunc=_is_zero)
    if free:
        raise _unrestrained(free, found)
    columns = [K.LUsolve(unit, iszerofunc=_is_zero) for unit in _units(K.rows)]  # K x = e_j
    return Flexibility(found.coordinates, sympy.Matrix.hstack(*columns).applyfunc(sympy.cancel), equations)


def _units(n: int) -> list[Any]:
    return [sympy.eye(n)[:, j] for j in range(n)]


def _unrestrained(free: list[Any], found: LinearMatrices) -> FlexuraError:
    motions = []
    for vector in free:
        moved = zip(found.coordinates, map(sympy.cancel, vector), strict=True)
        motions.append(" and ".join(f"{name} by {_shown(one)}" for name, one in moved if not _is_zero(one)))
    return FlexuraError(
        "The stiffness matrix is singular, so there is no flexibility: the system moves freely in"
        f" {'; or in '.join(motions)}",
        advice="hold that motion with a spring or a support",
    )


def _shown(one: Any) -> str:
    return f"{float(one):.6g}" if one.is_number else str(one)


def _is_zero(one: Any) -> bool:
    return bool(verdict(symengine.sympify(one)))
