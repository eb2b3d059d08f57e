"""K that was written with few digits, given back the rigid motions that its nodes show.

>>> cleaned = fx.clean(system)
>>> cleaned.system, cleaned.change, print(cleaned)

The smallest change of K on its own pattern, symmetric, each entry beside sqrt(K_ii K_jj), after which K q = 0 for those
motions q of the nodes as one body that K leaves soft.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray
from scipy.sparse.linalg import lsmr

from flexura.errors import FlexuraError
from flexura.structures.operating.free_motions import proposed
from flexura.structures.operating.geometry import geometry_of
from flexura.systems.second_order import SecondOrderSystem, required
from flexura.systems.soft import ROUNDING

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Cleaned:
    """The `system` with its K set right, the `motions` that are free in it now, and the largest relative `change`.

    `change` is the largest |dK_ij| / sqrt(K_ii K_jj), less than 5e-5 for a K that was written with five digits. Where
    it is more than the digits of K explain, springs held the motions: keep K as it was, or give the springs apart.
    """

    system: SecondOrderSystem
    motions: tuple[str, ...]
    change: float

    def __str__(self) -> str:
        return f"Free now: {', '.join(self.motions)}; entries of K changed by up to {self.change:.1e}."


def clean(system: SecondOrderSystem) -> Cleaned:
    """Free K of what its rounding holds; springs given apart stay.

    >>> fx.modes(fx.clean(system).system, 7)
    """
    system = required(system)
    geometry = geometry_of(system)
    if geometry is None:
        raise FlexuraError(
            "K cannot be cleaned without the motions of its nodes", advice="give nodes=, and dofs= if needed"
        )
    found = proposed(system, geometry)
    motions, names = found.named(np.eye(found.coefficients.shape[1]))
    if not names:
        raise FlexuraError(
            "K holds every motion of the nodes as one body by far more than rounding, so there is nothing to clean",
            advice="use the system as it is",
        )
    K = sparse.csr_array(system.bare)
    made = K + _smallest_change(K, motions)
    size = np.sqrt(np.abs(K.diagonal()))
    changed = sparse.coo_array(made - K)
    scale = size[changed.row] * size[changed.col]
    change = float((np.abs(changed.data) / np.where(scale > 0, scale, np.inf)).max(initial=0.0))
    bare = system.with_(K=made if system.is_sparse else made.toarray(), springs=None)
    return Cleaned(bare if system.apart is None else bare.with_(springs=system.apart), names, change)


def _smallest_change(K: Any, q: Array) -> Any:
    """dK with (K + dK) q = 0 but for rounding; a few times, for the digits that one iterative solution leaves."""
    size = np.sqrt(np.abs(K.diagonal()))
    size = np.where(size > 0, size, 1.0)
    q = q / np.abs(q).max(axis=0)
    upper = sparse.coo_array(sparse.triu(K))
    i, j, count = upper.row, upper.col, len(upper.data)
    A = _conditions(i, j, q, size)
    scale = size[i] * size[j]
    total = sparse.csr_array(K.shape)
    for _ in range(6):
        rest = (K + total) @ q
        if np.all(np.abs(rest) <= ROUNDING * (abs(K) @ np.abs(q))):
            break
        values = scale * lsmr(A, -(rest / size[:, None]).ravel(), atol=1e-10, btol=1e-10, conlim=0, maxiter=count)[0]
        step = sparse.coo_array((values, (i, j)), shape=K.shape).tocsr()
        total = total + step + sparse.triu(step, 1).T
    return sparse.csr_array(total)


def _conditions(i: Any, j: Any, q: Array, size: Array) -> Any:
    """The matrix from entries dK_ij / sqrt(K_ii K_jj), i <= j, to the rows of dK q / sqrt(K_ii), motion by motion."""
    r, entries = q.shape[1], np.arange(len(i))
    off = i != j
    rows, columns, values = [], [], []
    for k in range(r):
        rows += [r * i + k, (r * j + k)[off]]
        columns += [entries, entries[off]]
        values += [size[j] * q[j, k], (size[i] * q[i, k])[off]]
    data = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
    return sparse.csr_array(data, shape=(r * len(size), len(i)))
