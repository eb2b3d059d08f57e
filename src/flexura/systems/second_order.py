"""Second-order systems of matrices: M x'' + (D + G) x' + (K + H) x = F u(t).

>>> system = SecondOrderSystem(M, None, K)
>>> system.n, system.with_(K=2 * K)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sparse

from flexura.errors import FlexuraError

Matrix = Any
"""A dense float array or a SciPy sparse matrix."""

_SYMMETRIC = {"M": "mass", "D": "damping", "K": "stiffness"}
_SKEW = {"G": "gyroscopic", "H": "circulatory"}


@dataclass(frozen=True, eq=False)
class SecondOrderSystem:
    """M, D, K symmetric (mass, damping, stiffness); G, H skew (gyroscopic, circulatory); F the loads, one a column.

    `nodes` are coordinates (nodes, 3), `dofs` names the rows. A reduced system has its `basis` (n, r), x = basis z, and
    knows its `error(omega)`; a moving one has its `parts`, the matrices it was summed from, by name.
    """

    M: Matrix
    D: Matrix = None
    K: Matrix = None
    G: Matrix = None
    H: Matrix = None
    F: Any = None
    nodes: Any = None
    dofs: tuple[str, ...] | None = None
    basis: Any = None
    parts: Mapping[str, Any] = field(default_factory=dict, repr=False)
    estimate: Callable[[Any], Any] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name in (*_SYMMETRIC, *_SKEW):
            object.__setattr__(self, name, self._matrix(name))
        object.__setattr__(self, "F", self._loads())
        if self.nodes is not None:
            object.__setattr__(self, "nodes", np.atleast_2d(np.asarray(self.nodes, dtype=np.float64)))
        if self.dofs is not None:
            object.__setattr__(self, "dofs", tuple(self.dofs))
            if len(self.dofs or ()) != self.n:
                raise FlexuraError(
                    f"dofs names {len(self.dofs or ())} rows, but the matrices have {self.n}; name each."
                )

    @property
    def n(self) -> int:
        """How many degrees of freedom there are."""
        return int(self.M.shape[0])

    @property
    def is_sparse(self) -> bool:
        """Whether the matrices are sparse."""
        return bool(sparse.issparse(self.M))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the rows: `dofs`, or x0, x1, ..."""
        return self.dofs or tuple(f"x{i}" for i in range(self.n))

    @property
    def rates(self) -> Matrix:
        """D + G, or None."""
        return _sum(self.D, self.G)

    @property
    def displacements(self) -> Matrix:
        """K + H."""
        return _sum(self.K, self.H)

    @property
    def conservative(self) -> bool:
        """Neither damping nor gyroscopic nor circulatory terms: real modes."""
        return all(one is None or not abs(one).max() for one in (self.D, self.G, self.H))

    def dynamic_stiffness(self, s: complex) -> Matrix:
        """s^2 M + s (D + G) + K + H."""
        total = s * s * self.M + self.displacements
        return total if self.rates is None else total + s * self.rates

    def error(self, omega: Any) -> Any:
        """An estimate of the relative error of a reduced system's response at omega (rad/s)."""
        if self.estimate is None:
            raise FlexuraError("This system was not reduced, so it has no error; reduce one with fx.reduce(...).")
        return self.estimate(omega)

    def with_(self, **changes: Any) -> SecondOrderSystem:
        """The same system with some of its fields changed."""
        return replace(self, **changes)

    def _matrix(self, name: str) -> Matrix:
        one = getattr(self, name)
        if one is None:
            if name in ("M", "K"):
                raise FlexuraError(f"The {_SYMMETRIC[name]} matrix {name} is missing; give M and K.")
            return None
        one = sparse.csr_array(one, dtype=np.float64) if sparse.issparse(one) else np.asarray(one, dtype=np.float64)
        if one.ndim != 2 or one.shape[0] != one.shape[1]:
            raise FlexuraError(f"{name} has the shape {one.shape}; give a square matrix.")
        if name != "M" and one.shape != self.M.shape:
            raise FlexuraError(f"{name} is {one.shape[0]} x {one.shape[1]}, but M has {self.n} rows; give one size.")
        if not np.all(np.isfinite(one.data if sparse.issparse(one) else one)):
            raise FlexuraError(f"{name} holds values that are not finite; check where it comes from.")
        return _of_symmetry(one, name)

    def _loads(self) -> Any:
        if self.F is None:
            return None
        F = self.F.toarray() if sparse.issparse(self.F) else np.asarray(self.F, dtype=np.float64)
        if F.ndim not in (1, 2) or F.shape[0] != self.n:
            raise FlexuraError(f"F has the shape {F.shape}; give {self.n} rows, one for each degree of freedom.")
        return F


def _of_symmetry(one: Matrix, name: str) -> Matrix:
    sign = 1 if name in _SYMMETRIC else -1
    off, size = abs(one - sign * one.T).max(), abs(one).max()
    if off > 1e-8 * size:
        kind, other = ("symmetric", {"M": "", "D": "G", "K": "H"}[name]) if sign > 0 else ("skew", "DK"[name == "H"])
        advice = f"put its {'skew' if sign > 0 else 'symmetric'} part into {other}" if other else "correct it"
        raise FlexuraError(
            f"{name} is not {kind}: {name} {'-' if sign > 0 else '+'} {name}' reaches {off:.3g}"
            f" (largest entry {size:.3g}); {advice}."
        )
    return one


def _sum(first: Matrix, second: Matrix) -> Matrix:
    if first is None or second is None:
        return second if first is None else first
    return first + second
