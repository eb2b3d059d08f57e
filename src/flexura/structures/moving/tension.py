"""The forces along the members of a mechanism at an instant, and what they do to its stiffness (K_G).

The rigid motion and the loads from outside are known, so joints pass on what statics asks of them: T'KT y = T'f with
the inertia of the rigid motion in f. What nothing holds accelerates by itself. From y follow the forces at the ends of
all elements and in all joints; together with the inertia between the ends they are the axial forces P of theory.md
section 4, whatever member they come from. Welded halves are one frame.

>>> geometric = Tension.of(mechanism).geometric(t, T, loads)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.structures.moving.assembly import Constants
from flexura.structures.moving.inertia import coefficients
from flexura.structures.moving.mechanism import Mechanism

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Statics:
    """Displacements of all members under the loads of an instant, the forces at joints, and the accelerations of what
    nothing holds: (total,), by place, (total,).
    """

    x: Array
    joints: Mapping[tuple[str, int], Array]
    relief: Array


@dataclass(frozen=True, eq=False)
class Tension:
    """What does not change of a mechanism's statics."""

    mechanism: Mechanism
    K: Any
    M: Any
    rigid: Array
    reach: float

    @staticmethod
    def of(mechanism: Mechanism) -> Tension:
        """Stiffness, masses and free rigid motions of all members side by side."""
        every = mechanism.constants
        frames = mechanism.members.values()
        free = [every[name].rigid[frame.free.ravel()] for name, frame in mechanism.members.items()]
        reach = max(float(np.linalg.norm(np.ptp(frame.nodes, axis=0))) for frame in frames)
        K, M = (
            sparse.block_diag([one.pattern.matrix(getattr(one, name)) for one in every.values()], format="csr")
            for name in ("elastic", "mass")
        )
        rigid = np.asarray(sparse.block_diag([sparse.csr_array(one) for one in free]).toarray())
        return Tension(mechanism, K, M, rigid.reshape(mechanism.total, -1), reach if reach > 0 else 1.0)

    def statics(self, t: float, T: Array, f: Array) -> Statics:
        """The static answer to f (total,), with T(t)."""
        ties = self.mechanism.ties
        K, right = T.T @ (self.K @ T), T.T @ f
        loose = ties.loose(T, self.rigid, t, self.reach)
        held = T.T @ (self.M @ (T @ loose))
        bordered = np.block([[K, held], [held.T, np.zeros((loose.shape[1],) * 2)]])
        try:
            found = np.linalg.solve(bordered, np.concatenate([right, np.zeros(loose.shape[1])]))
        except np.linalg.LinAlgError:
            found = np.full(len(bordered), np.nan)
        if not np.isfinite(found).all():
            raise FlexuraError(
                f"At t = {t:.6g} nothing holds some small motion of the mechanism, and it has no inertia",
                advice="give its body a mass and an inertia, or support it",
            )
        x, relief = T @ found[: ties.n], T @ (loose @ found[ties.n :])
        return Statics(x, ties.passed(self.K @ x - f + self.M @ relief, t), relief)

    def geometric(self, t: float, T: Array, f: Array) -> dict[str, Array | None]:
        """K_G of each member, as data of its pattern."""
        found = self.statics(t, T, f)
        return {name: self._of_member(name, t, f, found) for name in self.mechanism.members}

    def _of_member(self, name: str, t: float, f: Array, found: Statics) -> Array | None:
        constants, first = self.mechanism.constants[name], self.mechanism.first_row[name]
        frame, own = constants.frame, slice(first, first + constants.pattern.n)
        weights = coefficients(self.mechanism.bodies[name].at(t))
        if not (f[own].any() or weights.any() or found.x[own].any()):
            return None
        shares, inside = constants.along(weights)
        T = constants.pattern.T
        moved = np.asarray(T @ found.x[own]).reshape(-1, 6)[frame.elements].reshape(-1, 12)
        forces = constants.element_forces(moved) - shares
        ends = np.stack([forces[:, 0:3], forces[:, 6:9]], axis=1)
        direct = constants.on_bodies(weights)  # of rigid bodies on the nodes
        direct[np.flatnonzero(frame.free.ravel())] += f[own] + weights @ constants.loads
        for (member, node), force in found.joints.items():
            if member == name:
                direct[6 * node : 6 * node + 6] += force
        return constants.stiffened(ends[None], inside[None], direct[None], 0)


def with_geometric(constants: Constants, data: Array | None, into: Any) -> Any:
    """A matrix of the member with its K_G added."""
    if data is None:
        return into
    found = constants.pattern.matrix(data)
    return into + (found.toarray() if isinstance(into, np.ndarray) else found)
