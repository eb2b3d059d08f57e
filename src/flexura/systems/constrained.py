"""Linear conditions on the rows of matrices, and Lagrange multipliers among them, taken out exactly: x = Z z.

FE codes hand conditions over as rows of K, [K A'; A 0] with no mass on the multipliers. Every verb asks for matrices of
independent motions; those are Z'MZ, Z'KZ, ... with A Z = 0.

>>> made = fx.without_multipliers(fx.read_system("assembly.mtx"))
>>> fx.modes(made.system, 6), made.expand(z)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sparse
from numpy.typing import NDArray

from flexura.arguments import Numbers, checked_methods
from flexura.errors import FlexuraError
from flexura.systems.second_order import SecondOrderSystem, required

Array = NDArray[np.float64]
_LARGEST = 2e7
_MOTIONS = ("u", "v", "w", "alpha", "beta", "gamma")
_MATRICES = ("M", "D", "K", "G", "H", "springs", "structural")
_NOISE = 1e-10


@checked_methods
@dataclass(frozen=True, eq=False)
class Constrained:
    """The `system` of independent motions z, rows of the old one under their names; x = `basis` z.

    `conditions` (m, n) are those that were taken out, `repeated` the numbers of those that follow from others.
    """

    system: SecondOrderSystem
    basis: Any = field(repr=False)
    conditions: Any = field(repr=False)
    repeated: tuple[int, ...] = ()

    def expand(self, z: Numbers) -> Any:
        """All displacements, from a vector of the system or one a row."""
        given = np.asarray(z)
        if given.ndim == 0 or given.shape[-1] != self.system.n:
            raise FlexuraError(f"z has the shape {given.shape}", advice=f"give the {self.system.n} independent motions")
        return (self.basis @ given.T).T


def constrained(system: SecondOrderSystem, conditions: Any) -> Constrained:
    """The system with conditions A x = 0, rows of numbers (m, n); those that repeat others are dropped.

    >>> made = fx.constrained(system, [[1, -1, 0]])
    """
    system = required(system)
    A = _read(conditions, system.n)
    touched = np.flatnonzero(np.diff(A.tocsc().indptr))
    m = A.shape[0]
    if m * len(touched) > _LARGEST:
        raise FlexuraError(
            f"{m} conditions on {len(touched)} rows are more than can be taken out at once",
            advice="tie motions where the model is made, or take out fewer conditions at a time",
        )
    dense = A[:, touched].toarray()
    size = np.linalg.norm(dense, axis=1)
    empty = np.flatnonzero(size == 0)
    if len(empty):
        raise FlexuraError(f"Condition {int(empty[0])} holds nothing", advice="leave it out")
    dense = dense / size[:, None]
    R, order = scipy.linalg.qr(dense, mode="r", pivoting=True)
    pivots = np.abs(np.diagonal(R))
    rank = int(np.count_nonzero(pivots > _NOISE * pivots.max(initial=0.0)))
    follow, lead = touched[order[:rank]], touched[order[rank:]]
    shares = -scipy.linalg.solve_triangular(R[:rank, :rank], R[:rank, rank:]) if rank else np.zeros((0, len(lead)))
    shares[np.abs(shares) < 1e-15 * np.abs(shares).max(initial=0.0)] = 0.0
    kept = np.setdiff1d(np.arange(system.n), follow)
    column = np.full(system.n, -1)
    column[kept] = np.arange(len(kept))
    rows, columns = np.nonzero(shares)
    Z = sparse.csr_array(
        (
            np.concatenate([np.ones(len(kept)), shares[rows, columns]]),
            (np.concatenate([kept, follow[rows]]), np.concatenate([column[kept], column[lead[columns]]])),
        ),
        shape=(system.n, len(kept)),
    )
    return Constrained(_within(system, Z, kept), Z, A, _repeated(dense, rank))


def without_multipliers(system: SecondOrderSystem) -> Constrained:
    """The system without its Lagrange multipliers: rows without mass, whose stiffness couples them to motions alone.

    >>> made = fx.without_multipliers(system)
    """
    system = required(system)
    K, M = sparse.csr_array(system.K), sparse.csr_array(system.M)
    silent = np.ones(system.n, dtype=bool)
    for one in (system.M, system.D, system.G, system.H):
        if one is not None:
            silent &= np.diff(sparse.csr_array(abs(sparse.csr_array(one)) > 0).indptr) == 0
    rows = np.flatnonzero(silent & (K.diagonal() == 0))
    among = K[rows][:, rows]
    if len(rows) and among.nnz and abs(among).max() > 0:
        raise FlexuraError(
            f"The rows {', '.join(system.names[i] for i in rows[:3])} have no mass and couple to one another",
            advice="give the conditions themselves, fx.constrained(system, A)",
        )
    if not len(rows) or not M.nnz:
        raise FlexuraError("The system has no Lagrange multipliers", advice="ask for its modes or responses directly")
    if system.F is not None and np.any(np.asarray(system.F).reshape(system.n, -1)[rows]):
        raise FlexuraError(
            "A load acts on a Lagrange multiplier, a motion that is given",
            advice="give motions that are prescribed as loads on what remains",
        )
    if system.C is not None and np.any(np.asarray(system.C).reshape(-1, system.n)[:, rows]):
        raise FlexuraError(
            "An output reads a Lagrange multiplier, which is no motion of what remains",
            advice="leave that output out; the multipliers follow from the rows of the motions they push",
        )
    others = np.setdiff1d(np.arange(system.n), rows)
    select = sparse.csr_array((np.ones(len(others)), (others, np.arange(len(others)))), shape=(system.n, len(others)))
    return constrained(_within(system, select, others), K[rows][:, others])


def _read(given: Any, n: int) -> Any:
    try:
        A = sparse.csr_array(given) if sparse.issparse(given) else np.atleast_2d(np.asarray(given, dtype=np.float64))
    except (TypeError, ValueError):
        A = np.full((1, 1), np.nan)
    if A.ndim != 2 or A.shape[1] != n or not A.shape[0]:
        raise FlexuraError(f"The conditions have the shape {A.shape}", advice=f"give rows of {n} numbers")
    A = sparse.csr_array(A)
    A.eliminate_zeros()
    if np.iscomplexobj(A.data) or not np.isfinite(A.data).all():
        raise FlexuraError("The conditions hold values that are complex or not finite", advice="give real numbers")
    return A


def _repeated(dense: Array, rank: int) -> tuple[int, ...]:
    if rank == len(dense):
        return ()
    _, order = scipy.linalg.qr(dense.T, mode="r", pivoting=True)
    return tuple(sorted(int(one) for one in order[rank:]))


def _within(system: SecondOrderSystem, Z: Any, kept: NDArray[Any]) -> SecondOrderSystem:
    """Z'MZ and its companions; rows keep their names."""
    names, nodes = _names(system)
    made: dict[str, Any] = {}
    for name in _MATRICES:
        one = {"K": system.bare, "springs": system.apart}.get(name, getattr(system, name))
        if one is not None:
            whole = Z.T @ (sparse.csr_array(one) @ Z)
            skew = name in ("G", "H")
            made[name] = sparse.csr_array((whole - whole.T) / 2 if skew else (whole + whole.T) / 2)
            made[name] = made[name] if sparse.issparse(one) else made[name].toarray()
    F = None if system.F is None else np.asarray(Z.T @ system.F)
    C = None if system.C is None else np.asarray((Z.T @ system.C.T).T)
    return SecondOrderSystem(
        **made, F=F, C=C, nodes=nodes, dofs=tuple(names[i] for i in kept.tolist()),
        inputs=system.inputs, outputs=system.outputs, rounding=system.rounding,
    )  # fmt: skip


def _names(system: SecondOrderSystem) -> tuple[tuple[str, ...], Any]:
    """Names that say which node a row belongs to; without these nodes say nothing once rows are gone."""
    if system.dofs is not None or system.nodes is None:
        return system.names, system.nodes
    each, left = divmod(system.n, len(system.nodes))
    if left or each not in (1, 2, 3, 6):
        return system.names, None
    return tuple(f"{_MOTIONS[k]}{node}" for node in range(len(system.nodes)) for k in range(each)), system.nodes
