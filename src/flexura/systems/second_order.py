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

    `nodes` are coordinates (nodes, 3), `dofs` names the rows, `inputs` the columns of F; C holds outputs, one a row,
    named by `outputs`. A reduced system has its `basis` (n, r), x = basis z, knows its `error(omega)` and the `full`
    system it stands for; a moving one has its `parts`, the matrices it was summed from, by name.
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
    C: Any = None
    inputs: tuple[str, ...] | None = None
    outputs: tuple[str, ...] | None = None
    full: SecondOrderSystem | None = field(default=None, repr=False)

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
        self._named("inputs", "F", 0 if self.F is None else self.F.reshape(self.n, -1).shape[1])
        if self.C is not None:
            C = self.C.toarray() if sparse.issparse(self.C) else np.asarray(self.C, dtype=np.float64)
            object.__setattr__(self, "C", np.atleast_2d(C))
            if self.C.shape[1] != self.n:
                raise FlexuraError(f"C has the shape {C.shape}; give {self.n} columns, one for each degree of freedom.")
        self._named("outputs", "C", 0 if self.C is None else len(self.C))

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
    def input_names(self) -> tuple[str, ...]:
        """The names of the columns of F: `inputs`, or F where there is one, F0, F1, ... where there are more."""
        if self.inputs or self.F is None:
            return self.inputs or ()
        return ("F",) if self.F.size == self.n else tuple(f"F{i}" for i in range(self.F.shape[1]))

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

    @property
    def symmetric(self) -> bool:
        """Neither gyroscopic nor circulatory terms: the dynamic stiffness is symmetric."""
        return all(one is None or not abs(one).max() for one in (self.G, self.H))

    def dynamic_stiffness(self, s: complex) -> Matrix:
        """s^2 M + s (D + G) + K + H."""
        total = s * s * self.M + self.displacements
        return total if self.rates is None else total + s * self.rates

    def error(self, omega: Any) -> Any:
        """An estimate of the relative error of a reduced system's response at omega (rad/s)."""
        if self.estimate is None:
            raise FlexuraError("This system was not reduced, so it has no error; reduce one with fx.reduce(...).")
        return self.estimate(omega)

    def expand(self, z: Any) -> Any:
        """The full displacements of a reduced system's coordinates z, a vector or one vector a row."""
        if self.basis is None:
            raise FlexuraError(
                "This system was not reduced, so there is nothing to expand; reduce one with fx.reduce(...)."
            )
        return np.asarray(z) @ self.basis.T

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

    def _named(self, which: str, matrix: str, count: int) -> None:
        names = getattr(self, which)
        if names is None:
            return
        object.__setattr__(self, which, tuple(names))
        if len(names) != count:
            raise FlexuraError(f"{which} names {len(names)}, but {matrix} holds {count}; name each of them.")

    def _loads(self) -> Any:
        if self.F is None:
            return None
        F = self.F.toarray() if sparse.issparse(self.F) else np.asarray(self.F, dtype=np.float64)
        if F.ndim not in (1, 2) or F.shape[0] != self.n:
            raise FlexuraError(f"F has the shape {F.shape}; give {self.n} rows, one for each degree of freedom.")
        return F


def required(system: Any) -> SecondOrderSystem:
    """A system of matrices, or a sentence."""
    if not isinstance(system, SecondOrderSystem):
        raise FlexuraError(
            f"This is a {type(system).__name__}, neither equations nor a system of matrices;"
            " derive equations with fx.derive(...), or give fx.SecondOrderSystem(M, D, K)."
        )
    return system


def as_dense(one: Matrix) -> Any:
    """A matrix as a dense array."""
    return one.toarray() if sparse.issparse(one) else np.asarray(one)


def _of_symmetry(one: Matrix, name: str) -> Matrix:
    sign = 1 if name in _SYMMETRIC else -1
    if sparse.issparse(one) and _surely(one, sign):
        return one
    off, size = abs(one - sign * one.T).max(), abs(one).max()
    if off > 1e-8 * size:
        kind, other = ("symmetric", {"M": "", "D": "G", "K": "H"}[name]) if sign > 0 else ("skew", "DK"[name == "H"])
        advice = f"put its {'skew' if sign > 0 else 'symmetric'} part into {other}" if other else "correct it"
        raise FlexuraError(
            f"{name} is not {kind}: {name} {'-' if sign > 0 else '+'} {name}' reaches {off:.3g}"
            f" (largest entry {size:.3g}); {advice}."
        )
    return one


def _surely(one: Matrix, sign: int) -> bool:
    """Whether A r = +-A'r for a random r, to far below what is allowed: two products, where A - A' costs ten."""
    r = np.random.default_rng(len(one.data)).uniform(1.0, 2.0, one.shape[0])
    size = max(float(np.max(one.data, initial=0.0)), -float(np.min(one.data, initial=0.0)))
    return bool(np.abs(one @ r - sign * (one.T @ r)).max(initial=0.0) <= 1e-9 * size)


def _sum(first: Matrix, second: Matrix) -> Matrix:
    if first is None or second is None:
        return second if first is None else first
    return first + second
