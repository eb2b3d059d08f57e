"""Loads on a frame: forces and moments at nodes, distributed along elements; consistent vectors ([E] eqs. 46-48).

>>> load = FrameLoad(nodes={4: {"v": -100.0}}, elements={0: {"w": 3.0}})
>>> fx.simulate(frame, t, body=body, loads=FrameLoad(nodes={4: {"v": 1.0}}, history=np.sin))
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Numbers, checked_methods
from flexura.errors import FlexuraError
from flexura.structures.moving.assembly import Constants
from flexura.structures.moving.attachments import DOFS, known_node, motions
from flexura.structures.moving.frame import BeamFrame
from flexura.systems.signals.signal import real_array, real_number

Array = NDArray[np.float64]


@checked_methods
@dataclass(frozen=True)
class FrameLoad:
    """Forces and moments at `nodes` {4: {"v": 10.0, "gamma": 2.0}} and per length on `elements` {0: {"w": 3.0}}.

    A distributed load is a number, two numbers (at the element's first and second end, linear between), or a callable
    of x, the distance from the first end; u v w alpha beta gamma along and about the frame's axes, or the element's
    with `axes="element"`. `history` is a factor over time: text or an expression in t, a callable of t, or an array on
    the times of the run; `follower` loads are not modelled.
    """

    nodes: Mapping[int, Mapping[str, float]] = field(default_factory=dict)
    elements: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    axes: str = "frame"
    history: Any = None

    def __post_init__(self) -> None:
        if self.axes not in ("frame", "element"):
            raise FlexuraError(f"The axes of a load are {self.axes!r}", advice="say 'frame' or 'element'")

    def nodal(self, frame: BeamFrame) -> Array:
        """The forces and moments at the nodes, over all motions (6 nodes)."""
        result = np.zeros((len(frame.nodes), 6))
        for node, given in self.nodes.items():
            for name, value in given.items():
                (kind,) = _one(name, f"node {node}")
                result[known_node(node, len(frame.nodes), "loads"), kind] += _finite(value, f"node {node}")
        return result.ravel()

    def distributed(self, frame: BeamFrame, points: Array) -> Array:
        """The distributed forces and moments (elements, points, 6) along the frame's axes."""
        result = np.zeros((len(frame.elements), len(points), 6))
        for element, given in self.elements.items():
            if isinstance(element, bool) or not 0 <= element < len(frame.elements):
                last = len(frame.elements) - 1
                raise FlexuraError(
                    f"The loads name element {element!r}, but elements go from 0 to {last}", advice="name one"
                )
            for name, value in given.items():
                (kind,) = _one(name, f"element {element}")
                result[element, :, kind] += _along(value, points * frame.lengths[element], points, f"element {element}")
        if self.axes == "element":
            turned = result.reshape(*result.shape[:2], 2, 3)
            result = np.einsum("epkl,eli->epki", turned, frame.axes).reshape(result.shape)
        return result


_Load = Mapping[Any, Any] | FrameLoad | Callable[..., Any]
Loads = _Load | Sequence[_Load] | Numbers | None
"""What users give as the loads of a frame: one, several, or a vector."""


def vector_of(constants: Constants, loads: Any) -> Array:
    """The load vector (n,) of what the user gave: None, a vector, {"v4": 10.0}, a FrameLoad, or several of these."""
    frame, n = constants.frame, constants.pattern.n
    if loads is None:
        return np.zeros(n)
    if isinstance(loads, FrameLoad):
        return np.asarray(constants.pattern.T.T @ (loads.nodal(frame) + _consistent(constants, loads)[0]))
    if isinstance(loads, Mapping):
        vector = np.zeros(n)
        for name, value in by_name(loads).items():
            vector[dof_named(frame, name)] += _finite(value, f"dof {name}")
        return vector
    if isinstance(loads, list | tuple) and any(isinstance(one, FrameLoad | Mapping) for one in loads):
        return np.asarray(np.sum([vector_of(constants, one) for one in loads], axis=0))
    vector = real_array(loads, "The load", f"give {n} numbers, loads by name, or an fx.FrameLoad")
    if vector.shape != (n,) or not np.all(np.isfinite(vector)):
        raise FlexuraError(f"The load has the shape {vector.shape} or is not finite", advice=f"give {n} finite numbers")
    return vector


def preload(constants: Constants, loads: Any) -> Array:
    """K_G of what constant loads cause inside the frame: what they pull stiffens, what they push softens."""
    frame = constants.frame
    points = len(constants.batches[0].rule.points)
    own, inside = np.zeros((len(frame.elements), 12)), np.zeros((len(frame.elements), points))
    direct = np.zeros(6 * len(frame.nodes))
    for one in loads if isinstance(loads, list | tuple) and any(isinstance(x, FrameLoad) for x in loads) else [loads]:
        if isinstance(one, FrameLoad):
            _, shares, rest = _consistent(constants, one)
            direct, own, inside = direct + one.nodal(frame), own + shares, inside + rest
        else:
            direct[np.flatnonzero(frame.free.ravel())] += vector_of(constants, one)
    nodal = direct + constants.pattern.vector(own[None])[0]
    ends = constants.end_forces(nodal[None], own[None])
    found = constants.stiffened(ends, inside[None], direct[None], 0)
    return np.zeros_like(constants.elastic) if found is None else found


def _consistent(constants: Constants, load: FrameLoad) -> tuple[Array, Array, Array]:
    """q* over all motions, the elements' shares in it, and the axial force it adds inside (elements, points)."""
    frame = constants.frame
    vectors, inside = [], []
    values: Array | None = None
    for one in constants.batches:
        values = load.distributed(frame, one.rule.points) if values is None else values
        p = values[one.which]
        weight = (one.rule.weights * one.lengths[:, None])[..., None]
        vector = np.einsum("epik,epi->ek", one.translation, weight * p[..., :3])
        vectors.append(vector + np.einsum("epik,epi->ek", one.rotation, weight * p[..., 3:]))
        along = np.einsum("epi,ei->ep", p[..., :3], one.axes[:, 0])
        inside.append(one.rule.rest(along * one.lengths[:, None]))
    own = np.concatenate(vectors)
    return constants.pattern.vector(own[None])[0], own, np.concatenate(inside)


def by_name(loads: Mapping[Any, Any]) -> dict[str, Any]:
    """Loads {"v4": f}, {(4, "v"): f} or {4: {"v": f}}, all as {"v4": f}."""
    found: dict[str, Any] = {}
    for key, value in loads.items():
        if isinstance(value, Mapping):
            found |= {f"{name}{key}": one for name, one in value.items()}
        elif isinstance(key, tuple) and len(key) == 2:
            found[f"{key[1]}{key[0]}"] = value
        else:
            found[str(key)] = value
    return found


def dof_named(frame: BeamFrame, name: str) -> int:
    """The row of a free motion by its name, "v4"."""
    if name in frame.dofs:
        return frame.dofs.index(name)
    refuse_held(frame, name)
    raise FlexuraError(
        f"There is no motion {name!r}", advice=f"write one of {' '.join(DOFS)} and the node's number, like 'v4'"
    )


def refuse_held(frame: BeamFrame, name: str) -> None:
    """Say so where a motion by that name exists, but is not free."""
    known = [one for one in DOFS if name.startswith(one) and name[len(one) :].isdigit()]
    if known and int(name[len(known[0]) :]) < len(frame.nodes):
        raise FlexuraError(
            f"The motion {name} is not free: a support holds it or a link ties it", advice="name a free one"
        )


def _one(name: str, where: str) -> tuple[int, ...]:
    kinds = motions(name, where, "load")
    if len(kinds) != 1:
        raise FlexuraError(f"The load of {where} names {name!r}", advice="name one motion at a time")
    return kinds


def _finite(value: Any, where: str) -> float:
    return real_number(value, f"The load of {where}")


def _along(value: Any, x: Array, points: Array, where: str) -> Array:
    if callable(value):
        found = np.broadcast_to(real_array(value(x), f"The load of {where}", "let the function give numbers"), x.shape)
    elif np.ndim(value) == 1 and len(value) == 2:
        first, second = real_array(value, f"The load of {where}", "give numbers")
        found = first * (1 - points) + second * points
    else:
        found = np.full(len(points), real_number(value, f"The load of {where}"))
    if not np.all(np.isfinite(found)):
        raise FlexuraError(f"The load of {where} is not finite along it", advice="give finite numbers")
    return found
