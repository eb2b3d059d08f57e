"""Operating states: the deformation of a structure that moves steadily as a whole (theory, section 5; [S] section 2).

>>> state = fx.operating_state(system, F)                                            # constant acceleration
>>> state = fx.operating_state(system, F, kind="velocity")                           # against friction
>>> state = fx.operating_state(system, None, kind="rotation", axis="z", speed=100)
>>> state = fx.operating_state(system, F, kind="torque", axis="z")                   # against friction
>>> state.deformation, state.rate, state.reactions, state.residual
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Numbers
from flexura.errors import FlexuraError
from flexura.structures.operating.geometry import axis_vector
from flexura.structures.operating.inverse import MassMetricInverse, mass_metric_inverse
from flexura.structures.operating.spinning import Spin, constant_rotation, constant_torque
from flexura.structures.operating.state import OperatingState, Reactions, backward_residual
from flexura.systems.second_order import SecondOrderSystem, real_stiffness, required

Array = NDArray[np.float64]
KINDS = ("acceleration", "velocity", "rotation", "torque")
_BALANCED = 1e-8
_SMALL, _STEEP = 0.1, 0.3  # deformations (of the extent) and rotations, from which on they are not small


def operating_state(
    system: SecondOrderSystem,
    F: Numbers,
    kind: str = "acceleration",
    axis: Any = None,
    speed: float | None = None,
    *,
    instantaneous: bool = False,
    point: Any = None,
    external: Any = None,
    stiffening: Any = None,
) -> OperatingState:
    """The steady deformation under the load F (n,), which is constant in the moving structure.

    "acceleration", "velocity": the structure translates; a load that would turn it is refused, unless `instantaneous`
    asks for the state at the first instant. "rotation" about `axis` ("z" or a vector) at `speed` (rad/s), through the
    mass centre or `point`; `stiffening` is the geometric stiffness at unit speed, without it the state is the
    unstiffened one. "torque": the speed at which friction balances the load; `external` is the damping against the
    surroundings, `system.D` if not given (damping inside the structure must not be in it).
    """
    system = required(system)
    real_stiffness(system, "an operating state")
    if kind not in KINDS:
        raise FlexuraError(f"kind is {kind!r}", advice=f"use {', '.join(map(repr, KINDS))}")
    load = _load(system, F, optional=kind == "rotation")
    _unused(kind, axis, speed)
    inverse = mass_metric_inverse(system)
    if kind in ("acceleration", "velocity"):
        if kind == "velocity" and system.D is None:
            raise FlexuraError(
                "The system has no damping D, so no force is needed at constant velocity", advice="give D"
            )
        state = _translating(inverse, load, kind, system.M if kind == "acceleration" else system.D, instantaneous)
    else:
        spin = Spin(inverse, _axis(inverse, axis, kind, load), point)
        if kind == "rotation":
            state = constant_rotation(spin, load, _speed(speed), stiffening)
        else:
            state = constant_torque(spin, load, system.D if external is None else external, stiffening)
    return replace(state, notes=(*state.notes, *_far(inverse, state.deformation)))


def _far(inverse: MassMetricInverse, x: Array) -> list[str]:
    """What to note of a deformation that is not small beside the structure: matrices are for small ones."""
    geometry = inverse.rigid.geometry
    if geometry is None or not len(geometry.places):
        return []
    moving = geometry.motion < 3
    moved = np.zeros((len(geometry.places), 3))
    np.add.at(moved, (geometry.node[moving], geometry.motion[moving]), x[moving])
    extent = float(np.linalg.norm(np.ptp(geometry.places, axis=0)))
    share = float(np.linalg.norm(moved, axis=1).max(initial=0.0)) / extent if extent else 0.0
    turned = float(np.abs(x[~moving]).max(initial=0.0))
    if share < _SMALL and turned < _STEEP:
        return []
    size = max(share, turned / 1.5)
    return [
        f"The structure deforms by {share:.2g} of its extent, with rotations up to {turned:.2g}: matrices are for small"
        f" deformations, and may be off by about {min(1.0, size**2):.1g} of it; lower the load, or stiffen the"
        " structure."
    ]


def _load(system: SecondOrderSystem, F: Any, optional: bool) -> Array:
    if F is None and optional:
        return np.zeros(system.n)
    if F is None:
        raise FlexuraError("F is missing", advice=f"give the load as a vector of {system.n} numbers")
    load = np.asarray(F.toarray() if hasattr(F, "toarray") else F, dtype=np.float64).ravel()
    if len(load) != system.n:
        raise FlexuraError(f"F has {len(load)} numbers", advice=f"give {system.n}, one for each degree of freedom")
    if not np.all(np.isfinite(load)):
        raise FlexuraError("F holds values that are not finite", advice="give finite loads")
    return load


def _unused(kind: str, axis: Any, speed: Any) -> None:
    if kind in ("acceleration", "velocity") and (axis is not None or speed is not None):
        raise FlexuraError(f"A state of constant {kind} follows from F alone", advice="leave axis and speed out")
    if kind == "torque" and speed is not None:
        raise FlexuraError(
            "Under constant torque the speed is found, not given", advice="leave it out, or use kind='rotation'"
        )


def _speed(speed: Any) -> float:
    if speed is None or not np.isfinite(float(speed)):
        raise FlexuraError(f"speed is {speed!r}", advice="a rotation needs its speed in rad/s")
    return float(speed)


def _axis(inverse: MassMetricInverse, axis: Any, kind: str, load: Array) -> Array:
    rigid = inverse.rigid
    if rigid.geometry is None:
        raise FlexuraError(
            "A rotation needs coordinates, which the system lacks or which do not fit", advice="give nodes=(nodes, 3)"
        )
    if axis is None:
        turning = [rigid.names[i] for i in rigid.of("rotation")]
        if len(turning) == 1 and turning[0].split()[1] in ("x", "y", "z"):
            axis = turning[0].split()[1]
        elif kind == "torque" and len(turning) == 3:
            axis = rigid.motions[:, rigid.of("rotation")].T @ load
        else:
            raise FlexuraError("axis is missing", advice="give 'x', 'y', 'z' or a vector")
    vector = axis_vector(axis)
    if vector is None:
        raise FlexuraError(f"axis is {axis!r}", advice="give 'x', 'y', 'z' (also '-z') or a vector of three numbers")
    return vector


def _translating(
    inverse: MassMetricInverse, F: Array, kind: str, resisting: Any, instantaneous: bool
) -> OperatingState:
    """t'(F - R a) = 0 with R the mass or the friction, K x = F - R a; rotations must be in balance."""
    system, rigid = inverse.system, inverse.rigid
    sliding = list(range(rigid.count))
    turning: list[int] = []
    if rigid.geometry is not None and not instantaneous:
        sliding = rigid.of("translation")
        turning = [i for i in range(rigid.count) if i not in sliding]
    amounts = _amounts(inverse, F, kind, resisting, sliding)
    rate = rigid.motions[:, sliding] @ amounts
    rest = F - resisting @ rate
    _balanced(inverse, F, rest, turning, kind)
    x = inverse(rest)
    motion = {rigid.names[i]: float(one) for i, one in zip(sliding, amounts, strict=True)}
    left = _left(inverse, F, rest)
    right = inverse.split(rest)[1]
    notes = _notes(inverse, motion, instantaneous)
    residual = backward_residual(system.K, x, right)
    return OperatingState(kind, x, rate, Reactions(left), residual, motion, notes=notes, system=system, load=F)


def _left(inverse: MassMetricInverse, F: Array, rest: Array) -> dict[str, float]:
    """What guides would have to exert on each rigid motion: nothing, where the load is in balance."""
    motions = inverse.rigid.motions
    values, sizes = -(motions.T @ rest), np.abs(motions).max(axis=0, initial=0.0) * np.abs(F).sum()
    values = np.where(np.abs(values) <= _BALANCED * sizes, 0.0, values)
    return dict(zip(inverse.rigid.names, values.tolist(), strict=True))


def _amounts(inverse: MassMetricInverse, F: Array, kind: str, resisting: Any, sliding: list[int]) -> Array:
    """How much of each motion: (t'Rt)^-1 t'F, and none where nothing resists and nothing pushes."""
    rigid = inverse.rigid
    t = rigid.motions[:, sliding]
    if not len(sliding):
        return np.zeros(0)
    resistance, push = t.T @ (resisting @ t), t.T @ F
    push = np.where(np.abs(push) <= 1e-14 * np.abs(t).max(axis=0) * np.abs(F).sum(), 0.0, push)  # round-off
    sizes = np.sqrt(np.einsum("ij,ij->j", np.abs(t), abs(inverse.system.M) @ np.abs(t)))
    scaled = resistance / np.outer(sizes, sizes)
    values, vectors = np.linalg.eigh((scaled + scaled.T) / 2)
    force = vectors.T @ (push / sizes)
    free = values <= 1e-12 * max(values.max(), 0.0)
    limit = 1e-9 * float(np.linalg.norm(np.abs(t / sizes).max(axis=0) * np.abs(F).sum()))
    if kind == "velocity" and (free & (np.abs(force) > limit)).any():
        which = int(np.argmax(free & (np.abs(force) > limit)))
        main = int(np.abs(vectors[:, which]).argmax())
        raise FlexuraError(
            f"Nothing resists the {rigid.names[sliding[main]]}, along which F pushes with {push[main]:.6g}, so it"
            " would accelerate forever",
            advice="give D resistance in that direction, or ask for kind='acceleration'",
        )
    return np.asarray((vectors @ np.where(free, 0.0, force / np.where(free, 1.0, values))) / sizes)


def _balanced(inverse: MassMetricInverse, F: Array, rest: Array, turning: list[int], kind: str) -> None:
    rigid = inverse.rigid
    for i in turning:
        q = rigid.motions[:, i]
        torque, size = float(q @ rest), float(np.abs(q).max() * np.abs(F).sum())
        if abs(torque) > _BALANCED * size:
            what = "torque" if rigid.names[i].startswith("rotation") else "load"
            raise FlexuraError(
                f"The load does not only translate the structure: a {what} of {torque:.6g} drives the {rigid.names[i]}"
                " (about the mass centre)",
                advice="balance it, let F act through the centre of what resists, or ask for instantaneous=True."
                + "".join(f" {note}" for note in rigid.notes),
            )


def _notes(inverse: MassMetricInverse, motion: dict[str, float], instantaneous: bool) -> tuple[str, ...]:
    rigid = inverse.rigid
    if not rigid.count:
        return ("The structure is held: the state is its static deformation.", *rigid.notes)
    if instantaneous:
        return ("Instantaneous: rigid rotations take part, so the state holds at the first instant only.", *rigid.notes)
    if rigid.geometry is None:
        return ("Without coordinates all rigid motions count as directions of travel.", *rigid.notes)
    return rigid.notes
