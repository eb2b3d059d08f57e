"""The matrices of linear equations without fields, M q'' + (D + G) q' + (K + H) q = F (theory, section 3).

>>> found = fx.matrices(fx.linearise(equations))
>>> print(found); M, D, G, K, H = found.numbers({"m": 2.0, "k": 8.0})
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import symengine
import sympy
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.rows import Row
from flexura.derivation.equations.sympy_rows import sympy_form
from flexura.derivation.routes import equations_of
from flexura.errors import FlexuraError
from flexura.solve.values import numbers, real, without_fields
from flexura.symbolic.engine import TIME, ZERO, Basic, Symbol, exact, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.zero import verdict

Array = NDArray[np.float64]
_MEANING = {"M": "inertia", "D": "damping", "G": "gyroscopic", "K": "stiffness", "H": "circulatory"}


class MatrixNumbers(NamedTuple):
    """The five matrices as arrays."""

    M: Array
    D: Array
    G: Array
    K: Array
    H: Array


@checked_methods
@dataclass(frozen=True)
class LinearMatrices:
    """M q'' + (D + G) q' + (K + H) q = F in SymPy: M, D, K symmetric, G (gyroscopic) and H (circulatory) skew.

    `coordinates` are the independent ones: those that linear constraints give through others are eliminated.
    """

    coordinates: tuple[str, ...]
    M: Any
    D: Any
    G: Any
    K: Any
    H: Any
    equations: Equations = field(repr=False, compare=False)

    def numbers(self, values: Mapping[str, Any] | None = None) -> MatrixNumbers:
        """The matrices as NumPy arrays: `M, D, G, K, H = fx.matrices(linear).numbers(values={"k": 8.0})`."""
        known = {Symbol(name): exact(value) for name, value in numbers(self.equations, values).items()}
        return MatrixNumbers(*(matrix_numbers(getattr(self, name), known, name) for name in _MEANING))

    def __str__(self) -> str:
        lines = [f"M q'' + (D + G) q' + (K + H) q = F,   q = ({', '.join(self.coordinates)})"]
        for name, meaning in _MEANING.items():
            matrix, kind = getattr(self, name), symmetry(getattr(self, name))
            lines += ["", f"{name} ({meaning}): {kind}"]
            lines += [] if kind == "zero" else [f"  {line}" for line in sympy.pretty(matrix).splitlines()]
        return "\n".join(lines)


def matrices(equations: Any) -> LinearMatrices:
    """M, D, G, K and H of linear equations without fields.

    >>> fx.matrices(fx.linearise(equations)).K
    """
    equations = equations_of(equations)
    without_fields(equations, "A set of matrices")
    if equations.speeds:
        raise FlexuraError(
            f"These equations are of the speeds {', '.join(equations.speeds)}, whose matrices are not symmetric",
            advice="derive them without speeds=",
        )
    rows = [row for row in equations.derived if row.kind == "ordinary"]
    names = equations.coordinates
    M, C, S = ([[_coefficient(row, Jet(name, t=t), equations) for name in names] for row in rows] for t in (2, 1, 0))
    for row in rows:
        for name in equations.lagrangian.multipliers:
            _coefficient(row, Jet(name), equations)
    N, independent = _independent(equations)
    form = sympy_form(equations.lagrangian)
    M, C, S = (N.T * sympy.Matrix([[form.tree(one) for one in row] for row in rows]) * N for rows in (M, C, S))
    M, D, G = (one.applyfunc(_tidy) for one in (M, (C + C.T) / 2, (C - C.T) / 2))
    K, H = (one.applyfunc(_tidy) for one in ((S + S.T) / 2, (S - S.T) / 2))
    return LinearMatrices(independent, M, D, G, K, H, equations)


def symmetry(matrix: Any) -> str:
    """In a word: "zero", "symmetric", "skew" or "general"."""
    if all(_is_zero(one) for one in matrix):
        return "zero"
    for word, difference in (("symmetric", matrix - matrix.T), ("skew", matrix + matrix.T)):
        if all(_is_zero(one) for one in difference):
            return word
    return "general"


def matrix_numbers(matrix: Any, known: Mapping[Symbol, Basic], name: str) -> Array:
    """A SymPy matrix as an array, with numbers for its symbols."""
    found = [real(symengine.sympify(one).xreplace(dict(known)), f"The matrix {name}") for one in matrix]
    return np.array(found, dtype=np.float64).reshape(matrix.shape)


def _coefficient(row: Row, jet: Jet, equations: Equations) -> Basic:
    """The coefficient of a jet in a linear row."""
    jets = equations.lagrangian.jets
    found = partial(row.residual.local, jet.symbol).expand()
    moving = [one for one in jets.unknowns(found) if not verdict(partial(found, one.symbol))]
    if moving:
        raise FlexuraError(
            f"The {_called(row)} is not linear, since it multiplies {jet.label} by a function of"
            f" {', '.join(one.label for one in moving)}",
            advice="linearise first: fx.matrices(fx.linearise(equations))",
        )
    found = found.xreplace({one.symbol: ZERO for one in jets.unknowns(found)})
    if not verdict(jets.D_t(found)):
        raise FlexuraError(
            f"The {_called(row)} multiplies {jet.label} by {found}, which depends on t",
            advice="matrices are for constant coefficients",
        )
    return found.xreplace({TIME: ZERO})


def _called(row: Row) -> str:
    return f"constraint of {row.name}" if row.kind == "constraint" else f"equation of {row.name}"


def _independent(equations: Equations) -> tuple[Any, tuple[str, ...]]:
    """N of q = N z, which satisfies the linear constraints, and the names of z."""
    names = list(equations.coordinates)
    N, left = sympy.eye(len(names)), list(range(len(names)))
    for row in equations.derived:
        if row.kind != "constraint":
            continue
        for name in names:
            if not verdict(_coefficient(row, Jet(name, t=1), equations)):
                raise FlexuraError(
                    f"The constraint of {row.name} holds the rate {name}_t, so no coordinates can be eliminated by"
                    " it and there are no such matrices",
                    advice="integrate the constraint if it can be",
                )
        slopes = sympy.Matrix([[_coefficient(row, Jet(name), equations)._sympy_() for name in names]]) * N
        pivot = _pivot([slopes[0, i] for i in left])
        if pivot is None:
            continue  # a constraint that repeats others
        dependent = left.pop(pivot)
        for i in left:
            N[:, i] -= N[:, dependent] * slopes[0, i] / slopes[0, dependent]
        N[:, dependent] = sympy.zeros(len(names), 1)
    return N[:, left], tuple(names[i] for i in left)


def _pivot(slopes: list[Any]) -> int | None:
    """Which one to divide by: the largest number, else the last that is not zero."""
    sizes = [abs(float(one)) if not one.free_symbols else (0.0 if _is_zero(one) else np.inf) for one in slopes]
    best = max(range(len(sizes)), key=lambda i: (sizes[i], i), default=0)
    return best if sizes and sizes[best] > 1e-12 else None


def _is_zero(one: Any) -> bool:
    return bool(verdict(symengine.sympify(one)))


def _tidy(one: Any) -> Any:
    return sympy.S.Zero if _is_zero(one) else sympy.expand(one) if one.is_polynomial() else sympy.cancel(one)
