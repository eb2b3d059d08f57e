"""Where loads bring what moves freely without them: a rope that hangs, a pendulum, a string that gravity holds.

>>> y, opened = relaxed(rest, start)               # None where no state is found, and how far conditions are from met

Without loads something moves without stiffness, so Newton's method has nothing to start from. Here the system sinks
through a thick fluid instead: implicit steps down the energy, as long as its slope there is what was foreseen, with
conditions as penalties at first, whose forces then become multipliers (augmented Lagrangian: Hestenes, Powell 1969).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.solve.statics.newton import settled
from flexura.solve.statics.rest_system import RestSystem

Array = NDArray[np.float64]
_STEPS, _ROUNDS = 60, 6  # in one round; rounds of multipliers
_SOFT = 0.01  # of the structure's size, that a force of the size of the loads opens a condition by
_FORESEEN = 0.5  # of the slope, that may have come otherwise than foreseen
_THINNEST, _THICKEST = 1e-9, 1e9  # of the fluid, beside the loads over the structure's size
_FAR = 3.0  # sizes of the structure: what the loads carry off does not come to rest
_NEAR = 1e-2  # of the loads: what is still out of balance when a round ends


def relaxed(rest: RestSystem, start: Array) -> tuple[Array | None, float]:
    """The state that Newton's method finds from where the system has sunk to under all its loads.

    If there is none, also by how much conditions stayed open there, beside the structure's size.
    """
    fluid = _Fluid(rest, start)
    if not fluid.force:
        return None, 0.0
    q, lam, g = start[: rest.n].copy(), start[rest.n :].copy(), np.zeros(rest.size - rest.n)
    for _ in range(_ROUNDS):
        sunk = fluid.sunk(q, lam)
        if sunk is None:
            return None, 0.0
        q, g = sunk
        lam = lam - fluid.penalty * g
        y = settled(rest, np.concatenate([q, lam]), 1.0)
        if y is not None:
            return y, 0.0
        if not len(lam):
            break
    return None, float(np.abs(rest.independent @ g).sum() / fluid.size)


@dataclass(frozen=True, eq=False)
class _Fluid:
    """What resists the way down, and how stiffly conditions are held on it."""

    rest: RestSystem
    start: Array

    @cached_property
    def force(self) -> float:
        """The size of what is out of balance at the start."""
        found = self.rest.residual(self.start, 1.0)[: self.rest.n]
        return float(np.linalg.norm(found)) if np.isfinite(found).all() else 0.0

    @property
    def size(self) -> float:
        """Of the structure."""
        return max((mesh.end - mesh.start for mesh in self.rest.layout.meshes.values()), default=1.0)

    @cached_property
    def penalty(self) -> Array:
        """The stiffness of each condition."""
        rows = self.rest.slopes(self.start, 1.0)[0][self.rest.n :, : self.rest.n]
        norms = np.linalg.norm(rows, axis=1)
        norms[norms == 0] = norms.max(initial=0.0) or 1.0
        return np.asarray(self.force / (_SOFT * self.size * norms**2))

    @cached_property
    def drag(self) -> Array:
        """Resistance that lets the structure move by its own size under the loads."""
        return np.asarray(self.rest.metric * self.force * self.size)

    def slope(self, q: Array, lam: Array) -> tuple[Array, Array, Array]:
        """Of the energy with penalties; the conditions, and the state whose multipliers they make."""
        n = self.rest.n
        g = self.rest.residual(np.concatenate([q, lam]), 1.0)[n:]
        y = np.concatenate([q, lam - self.penalty * g])
        return self.rest.residual(y, 1.0)[:n], g, y

    def moved(self, q: Array) -> float:
        """From the start, in sizes of the structure."""
        away = q - self.start[: self.rest.n]
        return float(np.sqrt(max(0.0, float(away @ self.rest.metric @ away))))

    def sunk(self, q: Array, lam: Array) -> tuple[Array, Array] | None:
        """Down until little is out of balance: where, and by how much conditions are open there."""
        n, thick = self.rest.n, 1.0
        down, g, y = self.slope(q, lam)
        for _ in range(_STEPS):
            if np.linalg.norm(down) <= _NEAR * self.force:
                break
            B = self.rest.slopes(y, 1.0)[0]
            stiff = (B[:n, :n] + B[:n, :n].T) / 2 + B[n:, :n].T @ (self.penalty[:, None] * B[n:, :n])
            while thick < _THICKEST:
                step = _downhill(stiff + thick * self.drag, down)
                if step is not None:
                    after = self.slope(q + step, lam)
                    surprise = np.linalg.norm(after[0] + thick * (self.drag @ step))
                    if surprise <= _FORESEEN * np.linalg.norm(down):  # nan is neither
                        break
                thick *= 4
            else:
                return None
            q, (down, g, y) = q + step, after
            thick = max(thick / 4, _THINNEST)
            if self.moved(q) > _FAR:
                return None
        return q, g


def _downhill(matrix: Array, slope: Array) -> Array | None:
    """- matrix^-1 slope, where the matrix is positive."""
    try:
        return np.asarray(-scipy.linalg.cho_solve(scipy.linalg.cho_factor(matrix), slope))
    except (np.linalg.LinAlgError, ValueError):
        return None
