"""The expansion around a static deformation: x_n = (K+ M)^n x_0, x_0 = K+ F (theory, section 5; [S] section 5).

>>> raw_modes(system, F, 3)[:, 1]                # K x_1 = M x_0 exactly in the mass metric
>>> expansion = Expansion(mass_metric_inverse(system), F).grow(6)
>>> expansion.V                                  # the same span, orthonormal: V'MV = 1, Q'MV = 0

Raw vectors are nearly parallel, so the span is built by block Lanczos with every vector made orthogonal to all before.
K V is carried along instead of multiplied: of a column K+ b it is b without its rigid part, known to the last digit.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.structures.operating.inverse import MassMetricInverse, mass_metric_inverse
from flexura.systems.second_order import SecondOrderSystem, real_stiffness

Array = NDArray[np.float64]
_DEPENDENT = 1e-11
_CANCELLED = 0.1


def loads_of(system: SecondOrderSystem, F: Any) -> Array:
    """F as columns, checked; None stands for the loads that the system was made with."""
    F = system.F if F is None else F
    if F is None:
        raise FlexuraError("F is missing", advice="give the load as a vector of one number for each degree of freedom")
    columns = np.asarray(F.toarray() if hasattr(F, "toarray") else F, dtype=np.float64)
    if columns.ndim not in (1, 2) or columns.shape[0] != system.n:
        raise FlexuraError(
            f"F has the shape {columns.shape}", advice=f"give {system.n} rows, one for each degree of freedom"
        )
    if not np.all(np.isfinite(columns)):
        raise FlexuraError("F holds values that are not finite", advice="give finite loads")
    columns = columns.reshape(system.n, -1)
    idle = np.flatnonzero(~columns.any(axis=0))
    if len(idle):
        raise FlexuraError(
            f"Column {int(idle[0])} of F is zero, so nothing moves", advice="leave it out or give it a load"
        )
    return columns


def raw_modes(system: SecondOrderSystem, F: Any, count: int) -> Array:
    """x_0 .. x_(count-1) of one load, as they are: nearly parallel from the third on."""
    real_stiffness(system, "an expansion")
    inverse = mass_metric_inverse(system)
    x = inverse(loads_of(system, F)[:, 0])
    columns = [x]
    for _ in range(count - 1):
        x = inverse(system.M @ x)
        columns.append(x)
    return np.column_stack(columns)


class Expansion:
    """An orthonormal basis that grows block by block; it remembers V, K V and what each column came from."""

    def __init__(self, inverse: MassMetricInverse, loads: Array) -> None:
        self.inverse = inverse
        n = inverse.system.n
        self.V, self.KV = np.zeros((n, 0)), np.zeros((n, 0))
        self.ends: list[int] = []
        self._loads, self._start = loads, 0
        self.exhausted = False

    @property
    def count(self) -> int:
        """How many vectors there are."""
        return self.V.shape[1]

    def grow(self, blocks: int = 1) -> Expansion:
        """Add blocks K+ M (last block), the first being K+ of the loads; stops where nothing new comes."""
        for _ in range(blocks):
            if self.exhausted:
                break
            before = self.count
            self.add(self.inverse.system.M @ self.V[:, self._start :] if self.ends else self._loads)
            self.exhausted = self.count == before
            self.ends.append(self.count)
            self._start = before
        return self

    def add(self, right: Array, dependent: float = _DEPENDENT) -> None:
        """Add K+ right, column by column."""
        for x, Kx in zip(self.inverse(right).T, self.inverse.split(right)[1].T, strict=True):
            self.append(x, Kx, dependent)

    def append(self, x: Array, Kx: Array, dependent: float = _DEPENDENT) -> None:
        """Add one vector with its K x, made orthonormal to all before; nothing where it is made of them."""
        M, Q, MQ = self.inverse.system.M, self.inverse.rigid.Q, self.inverse.rigid.MQ
        start = float(np.sqrt(abs(x @ (M @ x))))
        if not start > 0 or x @ Kx <= 0:
            return
        x, Kx, left = x / start, Kx / start, 1.0
        for _ in range(2):
            c = self.V.T @ (M @ x)
            x, Kx = x - self.V @ c - Q @ (MQ.T @ x), Kx - self.KV @ c
            size = float(np.sqrt(abs(x @ (M @ x))))
            if size <= dependent:
                return
            x, Kx, left = x / size, Kx / size, left * size
        if left < _CANCELLED:  # so little was new that K x carries the rounding of what was not
            Kx = self.inverse.split(self.inverse.system.K @ x)[1]
        self.V, self.KV = np.column_stack([self.V, x]), np.column_stack([self.KV, Kx])
