"""Stress resultants along the elements: axial force, shear forces, torque and bending moments.

At an element's ends they are its stiffness times its deformation less the consistent loads; inside they follow by
equilibrium from the second end, with everything that acts in between: the frame's inertia, the elastic acceleration
where it is given, and distributed loads.

>>> found = fx.resultants(frame, x, body=body, t=0.5)
>>> found.Mz[3], found.x[3]
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.structures.moving.assembly import Constants
from flexura.structures.moving.batch import Batch, batches
from flexura.structures.moving.body import Instant, MovingFrame, tilde
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.loads import FrameLoad

Array = NDArray[np.float64]


@checked_methods
@dataclass(frozen=True, eq=False)
class Resultants:
    """N (tension positive), Vy, Vz, T, My, Mz (elements, points) in the elements' axes at the distances x.

    They are what the part beyond x exerts on the part before it; Mz = EIz v_xx and My = -EIy w_xx without shear.
    `frame` is the frame they belong to, for pictures: `fx.plot(found, which="Mz")`.
    """

    x: Array
    N: Array
    Vy: Array
    Vz: Array
    T: Array
    My: Array
    Mz: Array
    frame: BeamFrame | None = field(default=None, repr=False, compare=False, kw_only=True)


def resultants(
    frame: BeamFrame,
    displacement: Any,
    body: MovingFrame | None = None,
    t: float = 0,
    loads: FrameLoad | None = None,
    rate: Any = None,
    acceleration: Any = None,
) -> Resultants:
    """The resultants for displacements (n,) of the free motions, at the ends and Gauss points of each element."""
    constants = Constants.of(frame)
    states = [_moved(constants, one) for one in (displacement, rate, acceleration)]
    instant = (MovingFrame() if body is None else body).at(t)
    parts = [_of_batch(one, frame, states, instant, loads) for one in batches(frame)]
    x = np.concatenate([one[0] for one in parts])
    force, moment = (np.concatenate([one[k] for one in parts]) for k in (1, 2))
    return Resultants(x, *(force[..., k] for k in range(3)), *(moment[..., k] for k in range(3)), frame=frame)


def _moved(constants: Constants, given: Any) -> Array:
    n = constants.pattern.n
    vector = np.zeros(n) if given is None else np.asarray(given, dtype=np.float64)
    if vector.shape != (n,) or not np.all(np.isfinite(vector)):
        raise FlexuraError(
            f"The displacements have the shape {vector.shape} or are not finite", advice=f"give {n} finite numbers"
        )
    return np.asarray((constants.pattern.T @ vector).reshape(-1, 6)[constants.frame.elements].reshape(-1, 12))


def _of_batch(
    one: Batch, frame: BeamFrame, states: list[Array], now: Instant, loads: FrameLoad | None
) -> tuple[Array, Array, Array]:
    d, rate, acceleration = (state[one.which] for state in states)
    lumps, w = one.lumps, tilde(now.omega)
    u, u1, u2 = (np.einsum("gpik,gk->gpi", one.translation, state) for state in (d, rate, acceleration))
    turned = np.einsum("gpik,gk->gpi", one.rotation, acceleration)
    field = tilde(now.epsilon) + w @ w
    total = now.a0 + (lumps.position + u) @ field.T + 2 * u1 @ w.T + u2
    weights = (one.rule.weights * one.lengths[:, None])[..., None]
    p = -one.mass[..., None] / weights * total
    torque = np.einsum("gpij,gpj->gpi", lumps.inertia, now.epsilon + turned)
    m = -(torque + np.cross(now.omega, lumps.inertia @ now.omega)) / weights
    if loads is not None:
        given = loads.distributed(frame, one.rule.points)[one.which]
        p, m = p + given[..., :3], m + given[..., 3:]
    consistent = np.einsum("gpik,gpi->gk", one.translation, weights * p)
    consistent += np.einsum("gpik,gpi->gk", one.rotation, weights * m)
    ends = np.einsum("gkl,gl->gk", one.K(), d) - consistent
    return _along(one, frame, ends, p, m)


def _along(one: Batch, frame: BeamFrame, ends: Array, p: Array, m: Array) -> tuple[Array, Array, Array]:
    """Section forces at x = 0, the Gauss points and L, by equilibrium from the second end."""
    arm = frame.arms[one.which][:, 1]
    F2, M2 = ends[:, 6:9], ends[:, 9:12] - np.cross(arm, ends[:, 6:9])  # at the element's end, not at the node
    L, e1 = one.lengths[:, None, None], one.axes[:, None, 0]
    at = np.concatenate([[0.0], one.rule.points, [1.0]])[None, :, None] * L
    force, first = _rest(one, p), _rest(one, p * (one.rule.points[:, None] * L))
    moment = _rest(one, m)
    F = F2[:, None] + force
    M = M2[:, None] + moment + np.cross(e1, (L - at) * F2[:, None] + first - at * force)
    axes = one.axes[:, None]
    return at[..., 0], np.einsum("gpij,gpj->gpi", axes, F), np.einsum("gpij,gpj->gpi", axes, M)


def _rest(one: Batch, density: Array) -> Array:
    """int_x^L at x = 0, the Gauss points and L."""
    along = np.moveaxis(density, 1, 2) * one.lengths[:, None, None]
    inside = one.rule.rest(along)
    whole, nothing = (along @ one.rule.weights)[..., None], np.zeros((*along.shape[:2], 1))
    return np.moveaxis(np.concatenate([whole, inside, nothing], axis=2), 2, 1)
