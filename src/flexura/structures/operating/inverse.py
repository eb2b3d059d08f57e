"""The generalized inverse of K in the mass metric: K+ = P K^- P', P = I - Q Q'M (theory, section 5).

Its range is {Q'Mx = 0}, its null space M Ker K, so that K K+ F = F - M Q Q'F exactly, and K x_(n+1) = M x_n holds for
x_(n+1) = K+ M x_n. The plain pseudo-inverse breaks that. One sparse factorization, of K held at a statically
determinate set of rows, serves every state, mode and error.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.structures.operating.rigid import RigidModes, rigid_modes
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class MassMetricInverse:
    """K+ of a system, with its rigid-body modes: `inverse(F)`, `inverse.split(F)`."""

    system: SecondOrderSystem
    rigid: RigidModes

    def __call__(self, F: Any) -> Array:
        """K+ F, for one load or a column each."""
        F = np.asarray(F, dtype=np.float64)
        _, balanced = self.split(F)
        x = np.zeros_like(balanced)
        kept, mounted = self.rigid.kept, self.rigid.mounted
        x[kept] = self.rigid.factor.solve(balanced[kept])
        if mounted is not None:  # what soft springs hold: x = q z + e, with z from the springs alone
            z = np.linalg.solve(mounted.stiffness, mounted.q.T @ balanced - mounted.image[kept].T @ x[kept])
            x[kept] -= mounted.dragged @ z
            x = x + mounted.q @ z
        return self.deformation(x)

    def split(self, F: Any) -> tuple[Array, Array]:
        """F_par = M Q Q'F, which moves the whole, and F_perp = F - F_par, which deforms it."""
        parallel = self.rigid.MQ @ (self.rigid.Q.T @ F)
        return parallel, F - parallel

    def deformation(self, x: Any) -> Array:
        """P x: without its rigid part, Q'M P x = 0."""
        for _ in range(2):
            x = x - self.rigid.Q @ (self.rigid.MQ.T @ x)
        return np.asarray(x)


def mass_metric_inverse(system: SecondOrderSystem) -> MassMetricInverse:
    """K+ of a system, which keeps it: one factorization, however many questions are asked."""
    made: MassMetricInverse | None = system.__dict__.get("_mass_metric_inverse")
    if made is None:
        made = MassMetricInverse(system, rigid_modes(system))
        object.__setattr__(system, "_mass_metric_inverse", made)
    return made
