"""Second-order systems of matrices: M x'' + (D + G) x' + (K + H) x = F u(t).

>>> system = SecondOrderSystem(M, None, K)
>>> system.n, system.with_(K=2 * K)

Soft springs beside a stiff structure are given apart, so that the rounding of K cannot swallow them, and structural
damping is the imaginary part of K:

>>> SecondOrderSystem(M, None, K, springs=mounts).K        # K + mounts
>>> SecondOrderSystem(M, None, K * (1 + 0.05j)).structural
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sparse

from flexura.arguments import Numbers, checked_methods
from flexura.display import Displayed, Table
from flexura.errors import FlexuraError
from flexura.systems.foreign import matrix_of, nodes_of

Matrix = Any
"""A dense float array or a SciPy sparse matrix."""

_SYMMETRIC = {"M": "mass", "D": "damping", "K": "stiffness"}
_SKEW = {"G": "gyroscopic", "H": "circulatory"}
_EXTRA = {"structural": "structural damping"}
_LISTED = 8  # names in a summary


@dataclass(frozen=True, eq=False)
class Apart:
    """Stiffness given apart: `total` = `bare` + `matrix`, each kept, because in the sum the smaller one is rounded."""

    bare: Matrix
    matrix: Matrix
    total: Matrix = field(repr=False)


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class SecondOrderSystem(Displayed):
    """M, D, K symmetric (mass, damping, stiffness); G, H skew (gyroscopic, circulatory); F the loads, one a column.

    `nodes` are coordinates (nodes, 3), `dofs` names the rows, `inputs` the columns of F; C holds outputs, one a row,
    named by `outputs`. A reduced system has its `basis` (n, r), x = basis z, knows its `error(omega)` and the `full`
    system it stands for; a moving one has its `parts`, the matrices it was summed from, by name.

    `springs` is stiffness given apart from K (soft mounts, what a rotation adds): the field K becomes the sum, and
    motions that only the springs hold keep all their digits. A complex K is structural damping: its imaginary part
    becomes `structural`, and at a frequency omega > 0 the stiffness is K + i structural. `rounding` is the relative
    error of the entries of K where it is more than that of double precision (5e-5: written with five digits). `notes`
    are what is worth knowing of a reduced system.
    """

    M: Matrix
    D: Matrix = None
    K: Matrix = None
    G: Matrix = None
    H: Matrix = None
    F: Numbers = None
    nodes: Numbers = None
    dofs: tuple[str, ...] | None = None
    basis: Any = None
    parts: Mapping[str, Any] = field(default_factory=dict, repr=False)
    estimate: Callable[[Any], Any] | None = field(default=None, repr=False)
    C: Numbers = None
    inputs: tuple[str, ...] | None = None
    outputs: tuple[str, ...] | None = None
    full: SecondOrderSystem | None = field(default=None, repr=False)
    springs: Any = None
    structural: Matrix = None
    rounding: float = 0.0
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in (*_SYMMETRIC, *_SKEW, "springs"):
            object.__setattr__(self, name, matrix_of(getattr(self, name)))
        given, whole = self.springs, self.K
        self._split_complex()
        for name in (*_SYMMETRIC, *_SKEW, *_EXTRA):
            object.__setattr__(self, name, self._matrix(name))
        self._add_springs(given, whole)
        object.__setattr__(self, "F", self._loads())
        if self.nodes is not None:
            places = np.asarray(nodes_of(self.nodes, self.n), dtype=np.float64)
            object.__setattr__(self, "nodes", np.atleast_2d(places))
        if self.dofs is not None:
            object.__setattr__(self, "dofs", tuple(self.dofs))
            if len(self.dofs or ()) != self.n:
                raise FlexuraError(
                    f"dofs names {len(self.dofs or ())} rows, but the matrices have {self.n}", advice="name each"
                )
        self._named("inputs", "F", 0 if self.F is None else 1 if self.F.ndim == 1 else self.F.shape[1])
        if self.C is not None:
            if np.iscomplexobj(self.C):
                raise FlexuraError("C is complex", advice="only K may be (structural damping), so give real outputs")
            C = self.C.toarray() if sparse.issparse(self.C) else np.asarray(self.C, dtype=np.float64)
            object.__setattr__(self, "C", np.atleast_2d(C))
            if self.C.shape[1] != self.n:
                raise FlexuraError(
                    f"C has the shape {C.shape}", advice=f"give {self.n} columns, one for each degree of freedom"
                )
        self._named("outputs", "C", 0 if self.C is None else len(self.C))

    @property
    def is_drawn(self) -> bool:
        """The error of what was reduced."""
        return self.estimate is not None

    def summary(self) -> str:
        """How large, and of which matrices."""
        kind = "sparse" if self.is_sparse else "dense"
        reduced = "" if self.basis is None else f", reduced from {len(self.basis)}"
        loads = f", loads {', '.join(self.input_names[:_LISTED])}" if self.input_names else ""
        return f"{self.n} degrees of freedom, {kind} {' '.join(self._matrices())}{reduced}{loads}"

    def told(self) -> Iterator[Table | str]:
        """A row for each matrix, and the names of what moves."""
        held = self._matrices()
        rows = [
            (name, what, str((matrix != 0).sum()), f"{abs(matrix).max():.6g}") for name, (what, matrix) in held.items()
        ]
        yield self.summary()
        yield Table(("", "matrix", "entries", "largest"), rows)
        more = f", ... ({self.n} in all)" if self.n > _LISTED else ""
        yield f"Degrees of freedom: {', '.join(self.names[:_LISTED])}{more}"

    def _matrices(self) -> dict[str, tuple[str, Matrix]]:
        """Those that are there, by their letters."""
        words = {**_SYMMETRIC, **_SKEW, **_EXTRA}
        return {name: (word, getattr(self, name)) for name, word in words.items() if getattr(self, name) is not None}

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
    def bare(self) -> Matrix:
        """K without the springs that were given apart."""
        return self.K if self.springs is None else self.springs.bare

    @property
    def apart(self) -> Matrix:
        """The springs that were given apart from K, or None."""
        return None if self.springs is None else self.springs.matrix

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
        return all(one is None or not abs(one).max() for one in (self.D, self.G, self.H, self.structural))

    @property
    def symmetric(self) -> bool:
        """Neither gyroscopic nor circulatory terms: the dynamic stiffness is symmetric."""
        return all(one is None or not abs(one).max() for one in (self.G, self.H))

    def dynamic_stiffness(self, s: complex) -> Matrix:
        """s^2 M + s (D + G) + K + H, and i times structural damping (Im s > 0; its opposite for Im s < 0)."""
        total = s * s * self.M + self.displacements
        if self.structural is not None:
            total = total + 1j * np.sign(np.imag(s)) * self.structural
        return total if self.rates is None else total + s * self.rates

    def error(self, omega: Numbers) -> Any:
        """An estimate of the relative error of a reduced system's response at omega (rad/s).

        The size of what all displacements miss over that of all displacements, plain or weighted by mass, whichever is
        larger, of the load where it is largest. One displacement may miss more of its own size.
        """
        if self.estimate is None:
            raise FlexuraError(
                "This system was not reduced, or was changed since, so it has no error",
                advice="reduce one with fx.reduce(...)",
            )
        return self.estimate(omega)

    def expand(self, z: Numbers) -> Any:
        """The full displacements of a reduced system's coordinates z, a vector or one vector a row."""
        if self.basis is None:
            raise FlexuraError(
                "This system was not reduced, so there is nothing to expand", advice="reduce one with fx.reduce(...)"
            )
        given = np.asarray(z)
        if given.ndim == 0 or given.shape[-1] != self.basis.shape[1]:
            raise FlexuraError(
                f"z has the shape {given.shape}", advice=f"give the {self.basis.shape[1]} reduced coordinates"
            )
        return given @ self.basis.T

    def with_(self, **changes: Any) -> SecondOrderSystem:
        """The same system with some of its fields changed; a new K is the whole of it, new springs replace the old.

        A reduced system whose matrices change has no estimate of its error any more.
        """
        if "springs" in changes and "K" not in changes:
            changes["K"] = self.bare
        if not {*_SYMMETRIC, *_SKEW, *_EXTRA, "F", "basis"}.isdisjoint(changes):
            changes.setdefault("estimate", None)  # it was that of the matrices as they were
        return replace(self, **changes)

    def _split_complex(self) -> None:
        """K + i S into K and `structural`."""
        if not np.iscomplexobj(self.K):
            return
        dense = sparse.csr_array(self.K) if sparse.issparse(self.K) else np.asarray(self.K)
        object.__setattr__(self, "K", dense.real.copy())
        if abs(dense.imag).max():
            object.__setattr__(self, "structural", dense.imag.copy())

    def _add_springs(self, given: Any, whole: Matrix) -> None:
        """K becomes the sum; of a system that is only changed elsewhere, K is the sum already."""
        if isinstance(given, Apart):
            kept = given.total is whole
            object.__setattr__(self, "springs", Apart(given.bare, given.matrix, self.K) if kept else None)
        elif given is not None:
            bare, matrix = self.K, self._matrix("springs")
            total = _sum(bare, matrix)
            object.__setattr__(self, "K", total)
            object.__setattr__(self, "springs", Apart(bare, matrix, total))

    def _matrix(self, name: str) -> Matrix:
        one = getattr(self, name)
        if one is None:
            if name in ("M", "K"):
                raise FlexuraError(f"The {_SYMMETRIC[name]} matrix {name} is missing", advice="give M and K")
            return None
        if np.iscomplexobj(one):
            raise FlexuraError(
                f"{name} is complex", advice=f"only K may be (structural damping), so give a real {name}"
            )
        try:
            one = sparse.csr_array(one, dtype=np.float64) if sparse.issparse(one) else np.asarray(one, dtype=np.float64)
        except (TypeError, ValueError):
            raise FlexuraError(f"{name} is {str(one)[:60]!r}, not a table of numbers", advice="give a matrix") from None
        if one.ndim != 2 or one.shape[0] != one.shape[1]:
            raise FlexuraError(f"{name} has the shape {one.shape}", advice="give a square matrix")
        if name != "M" and one.shape != self.M.shape:
            raise FlexuraError(
                f"{name} is {one.shape[0]} x {one.shape[1]}, but M has {self.n} rows", advice="give one size"
            )
        if not np.all(np.isfinite(one.data if sparse.issparse(one) else one)):
            raise FlexuraError(f"{name} holds values that are not finite", advice="check where it comes from")
        return _of_symmetry(one, name)

    def _named(self, which: str, matrix: str, count: int) -> None:
        names = getattr(self, which)
        if names is None:
            return
        object.__setattr__(self, which, tuple(names))
        if len(names) != count:
            raise FlexuraError(f"{which} names {len(names)}, but {matrix} holds {count}", advice="name each of them")

    def _loads(self) -> Any:
        if self.F is None:
            return None
        if np.iscomplexobj(self.F):
            raise FlexuraError("F is complex", advice="only K may be (structural damping), so give real loads")
        F = self.F.toarray() if sparse.issparse(self.F) else np.asarray(self.F, dtype=np.float64)
        if F.ndim not in (1, 2) or F.shape[0] != self.n:
            raise FlexuraError(
                f"F has the shape {F.shape}", advice=f"give {self.n} rows, one for each degree of freedom"
            )
        return F


def required(system: Any) -> SecondOrderSystem:
    """A system of matrices, or a sentence."""
    if not isinstance(system, SecondOrderSystem):
        raise FlexuraError(
            f"This is a {type(system).__name__}, neither equations nor a system of matrices",
            advice="derive equations with fx.derive(...), or give fx.SecondOrderSystem(M, D, K)",
        )
    return system


def refuse_for_matrices(verb: str, **given: Any) -> None:
    """Refuse what only equations can take: nothing is dropped without a word."""
    words = [name for name, one in given.items() if one is not None]
    if words:
        raise FlexuraError(
            f"{verb} of a system of matrices takes no {', '.join(words)}, because it already holds its numbers",
            advice="leave that out",
        )


def real_stiffness(system: SecondOrderSystem, verb: str) -> None:
    """Refuse structural damping where an answer needs motion in time or at rest: it is known for oscillations only."""
    if system.structural is not None and abs(system.structural).max():
        raise FlexuraError(
            f"K is complex (structural damping), which {verb} cannot take: it stands for oscillations only",
            advice=(
                "give system.with_(structural=None), with viscous damping in D if there is some, or ask for fx.modes"
                " or fx.frequency_response"
            ),
        )


def as_dense(one: Matrix) -> Any:
    """A matrix as a dense array."""
    return one.toarray() if sparse.issparse(one) else np.asarray(one)


def _of_symmetry(one: Matrix, name: str) -> Matrix:
    sign = -1 if name in _SKEW else 1
    if not one.shape[0]:  # all that could move is held
        return one
    if sparse.issparse(one) and _surely(one, sign):
        return one
    with np.errstate(over="ignore"):
        off, size = abs(one - sign * one.T).max(), abs(one).max()
    if off > 1e-8 * size:
        kind, other = ("symmetric", {"D": "G", "K": "H"}.get(name, "")) if sign > 0 else ("skew", "DK"[name == "H"])
        advice = f"put its {'skew' if sign > 0 else 'symmetric'} part into {other}" if other else "correct it"
        raise FlexuraError(
            f"{name} is not {kind}: {name} {'-' if sign > 0 else '+'} {name}' reaches {off:.3g} (largest entry"
            f" {size:.3g})",
            advice=advice,
        )
    return one


def _surely(one: Matrix, sign: int) -> bool:
    """Whether A r = +-A'r for a random r, to far below what is allowed: two products, where A - A' costs ten."""
    r = np.random.default_rng(len(one.data)).uniform(1.0, 2.0, one.shape[0])
    size = max(float(np.max(one.data, initial=0.0)), -float(np.min(one.data, initial=0.0)))
    with np.errstate(over="ignore", invalid="ignore"):  # sums beyond all numbers are looked at entry by entry
        return bool(np.abs(one @ r - sign * (one.T @ r)).max(initial=0.0) <= 1e-9 * size)


def _sum(first: Matrix, second: Matrix) -> Matrix:
    if first is None or second is None:
        return second if first is None else first
    return first + second
