"""The equations of a mechanism at an instant, as a second-order system: its frequencies and modes along the trajectory.

>>> [fx.modes(mechanism.system(t), 3).frequencies for t in (0.0, 0.01, 0.02)]
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sparse

from flexura.structures.moving.mechanism import Mechanism
from flexura.structures.moving.system import moving_system
from flexura.structures.moving.tension import Tension
from flexura.systems.second_order import SecondOrderSystem


def mechanism_system(mechanism: Mechanism, t: float, geometric: bool = True) -> SecondOrderSystem:
    """M y'' + (D + G) y' + (K + H) y = F of the independent motions, with the rigid motion as it is at t.

    D holds the rate at which the masses seen by y change; where that matters, damping of modes at an instant means
    little, their frequencies do.
    """
    every = [moving_system(frame, mechanism.bodies[name], t, False) for name, frame in mechanism.members.items()]
    T, T1, T2 = mechanism.T(t)

    def side_by_side(*names: str) -> Any:
        found = [
            sum(
                (getattr(one, name) for name in names if getattr(one, name) is not None), sparse.csr_array((one.n,) * 2)
            )
            for one in every
        ]
        return sparse.block_diag(found, format="csr")

    M, K = side_by_side("M"), side_by_side("K", "H")
    D, G = side_by_side("D"), side_by_side("G")
    f = np.concatenate([np.zeros(one.n) if one.F is None else np.ravel(one.F) for one in every])
    carried = mechanism.outside(t)
    f = f if carried is None else f + carried
    if geometric:
        found = Tension.of(mechanism).geometric(t, T, f)
        K = K + sparse.block_diag(
            [
                sparse.csr_array((one.n,) * 2) if found[name] is None else constants.matrix(found[name])
                for one, (name, constants) in zip(every, mechanism.constants.items(), strict=True)
            ],
            format="csr",
        )
    rates = T.T @ (2 * (M @ T1) + (D + G) @ T)
    stiff = T.T @ (M @ T2 + (D + G) @ T1 + K @ T)
    mass = T.T @ (M @ T)
    return SecondOrderSystem(
        (mass + mass.T) / 2, (rates + rates.T) / 2, (stiff + stiff.T) / 2, (rates - rates.T) / 2, (stiff - stiff.T) / 2,
        F=T.T @ f, dofs=_names(mechanism),
    )  # fmt: skip


def _names(mechanism: Mechanism) -> tuple[str, ...]:
    """Of the independent motions: those of members, then those that joints leave, by the node that follows."""
    each = [f"{name}:{dof}" for name, frame in mechanism.members.items() for dof in frame.dofs]
    kept = [each[row] for row in mechanism.ties.kept.tolist()]
    own = [
        f"joint {tie.follower[0]}:{tie.follower[1]}" + (f" {k}" if tie.count > 1 else "")
        for tie in mechanism.ties.ties
        for k in range(tie.count)
    ]
    return (*kept, *own)
