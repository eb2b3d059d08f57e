"""The equations of a frame on a moving body at an instant, as a second-order system with all its parts by name.

>>> system = moving_system(frame, MovingFrame(omega=(0, 0, 6.0)))
>>> system.K, system.parts["K_omega2"], system.dofs
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError, warn
from flexura.structures.moving.assembly import Cases, Constants, combined
from flexura.structures.moving.body import Instant, MovingFrame, tilde
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.inertia import Lumps, coefficients
from flexura.structures.moving.loads import Loads, preload, vector_of
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[np.float64]
_STEADY = 1e-6


@checked_methods
class Parts(Mapping[str, Any]):
    """Matrices and loads by name, each assembled when it is first asked for."""

    def __init__(self, makers: Mapping[str, Callable[[], Any]]) -> None:
        """`makers` make each part."""
        self._makers = dict(makers)
        self._made: dict[str, Any] = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)  # with every part made: what makes them is not pickled

    def __getitem__(self, name: str) -> Any:
        if name not in self._makers:
            raise FlexuraError(f"The system has no part {name!r}", advice=f"it has {', '.join(self._makers)}")
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]

    def get(self, name: str, default: Any = None) -> Any:
        """The part, or the default where there is none."""
        return self[name] if name in self._makers else default

    def __iter__(self) -> Iterator[str]:
        return iter(self._makers)

    def __len__(self) -> int:
        return len(self._makers)

    def __contains__(self, name: object) -> bool:
        return name in self._makers


def moving_system(
    frame: BeamFrame, body: MovingFrame | None = None, t: float = 0, geometric: bool = True, loads: Loads = None
) -> SecondOrderSystem:
    """M d'' + (D + G) d' + (K + H) d = F on the free motions, with the frame's motion as it is at the time t.

    G is 2C + G_s, H the skew part of K_eps and K_s. `loads` are constant loads (see `FrameLoad`); what they pull along
    the elements stiffens too. `parts` holds every term of theory.md section 4 by name, and `rigid`, the motions
    (n, r) that nothing holds.
    """
    body = MovingFrame() if body is None else body
    constants, instant = Constants.of(frame), body.at(t)
    apart = constants.apart(instant, geometric)
    given = vector_of(constants, loads)
    pulled = preload(constants, loads) if geometric and loads is not None else None
    if pulled is not None:
        apart = apart + pulled
    if geometric and instant.omega.any():
        _warn_if_bent(constants, instant, apart)
    return SecondOrderSystem(
        M=constants.matrix(constants.mass),
        D=constants.matrix(constants.damping),
        K=constants.matrix(constants.elements),
        springs=constants.matrix(apart) if apart.any() else None,
        G=constants.matrix(constants.gyroscopic(instant.omega)),
        H=constants.matrix(constants.circulatory(instant.omega, instant.epsilon)),
        F=given + constants.load(instant),
        nodes=frame.nodes,
        dofs=frame.dofs,
        parts=_parts(constants, instant, geometric, given, pulled),
    )


def _warn_if_bent(constants: Constants, now: Instant, apart: Array) -> None:
    """A free frame that turns steadily is a rigid body too: where shear and moments act, K_G alone misses that."""
    frame = constants.frame
    if now.epsilon.any() or not frame.free.all() or constants.rigid.shape[1] != 6:
        return
    turns = np.zeros((len(frame.nodes), 6, 3))
    turns[:, :3], turns[:, 3:] = -tilde(frame.nodes), np.eye(3)
    moves = np.zeros((len(frame.nodes), 6, 3))
    moves[:, :3] = np.eye(3)
    q, shift = turns.reshape(-1, 3), moves.reshape(-1, 3)
    M, omega = constants.matrix(constants.mass), now.omega
    J = q.T @ (M @ q)
    size, load = float(omega @ omega * np.trace(J)), constants.load(now)
    mass = float(np.trace(shift.T @ (M @ shift)))
    reach = float(np.sqrt(np.trace(J) / mass))
    if max(np.abs(q.T @ load).max(), reach * np.abs(shift.T @ load).max()) > _STEADY * size:
        return  # it does not turn steadily
    h, W = J @ omega, tilde(omega)
    rigid = W @ J @ W - (np.outer(h, omega) + np.outer(omega, h)) / 2 + h @ omega * np.eye(3)
    off = float(np.abs(q.T @ (constants.matrix(apart) @ q) - rigid).max()) / size
    if off > _STEADY:
        warn(
            f"The frame bends under its own rotation, and K_G holds axial forces, not shear and moments: the squares of"
            f" its slow exponents as a free body are off by up to about {off:.1g} of the speed's."
        )


def _parts(constants: Constants, now: Instant, geometric: bool, given: Array, pulled: Array | None) -> Parts:
    weights = coefficients(now)

    def summed(of_lumps: Callable[[Lumps], Array]) -> Any:
        return constants.matrix(constants.summed(lambda one: of_lumps(one.lumps), of_lumps))

    def K_omega2(one: Lumps) -> Array:
        return np.asarray(sum(weights[case] * one.K_omega2(case) for case in range(6)))

    def K_s(one: Lumps) -> Array:
        parts = sum(weights[case] * one.K_s_omega(case) for case in range(6))
        return np.asarray(parts + one.K_s_epsilon(now.epsilon) + one.G_s(now.epsilon) / 2)

    def K_G() -> Any:
        cases: Cases = constants.geometric if geometric else {}
        data = combined(0 * constants.elastic, cases, weights)
        return constants.matrix(data if pulled is None else data + pulled)

    def load(only: slice, which: int) -> Array:
        part = constants.part_loads[which][only]
        return np.asarray(weights[only] @ part)

    makers: dict[str, Callable[[], Any]] = {
        "M": lambda: constants.matrix(constants.mass),
        "K": lambda: constants.matrix(constants.elastic),
        "C": lambda: summed(lambda one: one.C(now.omega)),
        "K_eps": lambda: summed(lambda one: one.C(now.epsilon)),
        "K_omega2": lambda: summed(K_omega2),
        "K_G": K_G,
        "q": lambda: given,
        "q_eps": partial(load, slice(6, 9), 0),
        "q_omega2": partial(load, slice(0, 6), 0),
        "m_eps": partial(load, slice(6, 9), 1),
        "m_0": lambda: constants.part_loads[0][9:12].T,
        "rigid": lambda: constants.rigid[constants.frame.free.ravel()],
    }
    if constants.consistent:
        makers |= {
            "G_s": lambda: summed(lambda one: one.G_s(now.omega)),
            "K_s": lambda: summed(K_s),
            "q_s": partial(load, slice(0, 6), 1),
        }
    if constants.levers:
        makers["K_arms"] = lambda: constants.matrix(combined(0 * constants.elastic, constants.levers, weights))
    if constants.dragging:
        makers["H_bearings"] = lambda: constants.matrix(combined(0 * constants.elastic, constants.dragging, now.omega))
    if constants.damping is not None:
        makers["D"] = lambda: constants.matrix(constants.damping)
    return Parts(makers)
