"""What is attached to the nodes of a frame, read and checked: supports, rigid bodies, springs, dampers, links.

Every reader takes what the user wrote and names the node in its sentence if that is wrong.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError, concerning
from flexura.structures.moving.measured import measured

Array = NDArray[np.float64]

DOFS = ("u", "v", "w", "alpha", "beta", "gamma")
"""The motions of a node along and about the frame's axes, in order."""


@dataclass(frozen=True)
class NodeBody:
    """A rigid body on a node: mass, inertia about its centre of mass (frame's axes), where that is from the node."""

    node: int
    mass: float
    inertia: Array
    centre: Array


def motions(given: Any, where: str, what: str) -> tuple[int, ...]:
    """Numbers 0..5 of the motions named in "all", "v w" or ("v", "w"); `where` is "node 3" or "element 3"."""
    names = given.replace(",", " ").split() if isinstance(given, str) else np.ravel(given).tolist()
    if names == ["all"]:
        return tuple(range(6))
    unknown = [one for one in names if one not in DOFS]
    if unknown or not names:
        raise FlexuraError(
            f"The {what} of {where} names {', '.join(map(repr, unknown)) or 'no motion'}",
            advice=f"write 'all' or some of '{' '.join(DOFS)}'",
        )
    return tuple(sorted({DOFS.index(one) for one in names}))


def known_node(node: Any, count: int, what: str) -> int:
    """The node's number, if there is such a node."""
    if isinstance(node, bool) or not isinstance(node, int | np.integer) or not 0 <= node < count:
        raise FlexuraError(
            f"The {what} name node {node!r}, but nodes are numbered from 0 to {count - 1}",
            advice="name one",
            keyword=what,
            entry=node,
        )
    return int(node)


def held(supports: Mapping[int, Any], count: int) -> NDArray[np.bool_]:
    """Which of the (nodes, 6) motions a support holds."""
    result = np.zeros((count, 6), dtype=bool)
    for node, given in supports.items():
        with concerning(keyword="supports", entry=node):
            result[known_node(node, count, "supports"), list(motions(given, f"node {node}", "support"))] = True
    return result


def bodies(given: Mapping[int, Any], count: int) -> tuple[NodeBody, ...]:
    """The rigid bodies: {node: (m, I)} or {node: (m, I, centre)}; I a number, three numbers or 3 x 3."""
    found = []
    for node, one in given.items():
        with concerning(keyword="bodies", entry=node):
            found.append(_body(known_node(node, count, "bodies"), one))
    return tuple(found)


def _body(node: int, given: Any) -> NodeBody:
    parts = tuple(given) if isinstance(given, tuple | list) else (given, 0.0)
    if len(parts) not in (2, 3):
        raise FlexuraError(
            f"The body of node {node} has {len(parts)} entries", advice="write (m, I) or (m, I, centre of mass)"
        )
    owner = f"the body of node {node}"
    parts = tuple(
        measured(one, word, owner, unit)
        for one, word, unit in zip(parts, ("m", "I", "centre"), ("kg", "kg*m**2", "m"), strict=False)
    )
    try:
        mass, inertia = float(parts[0]), np.asarray(parts[1], dtype=np.float64)
        centre = np.asarray(parts[2] if len(parts) == 3 else (0, 0, 0), dtype=np.float64)
    except (ValueError, TypeError):
        raise FlexuraError(
            f"The body of node {node} is {given!r}", advice="write (m, I) or (m, I, centre of mass) in numbers"
        ) from None
    tensor = inertia * np.eye(3) if inertia.ndim == 0 else np.diag(inertia) if inertia.ndim == 1 else inertia
    if tensor.shape != (3, 3) or centre.shape != (3,):
        raise FlexuraError(
            f"The body of node {node} has an inertia of shape {inertia.shape} and a centre of shape {centre.shape}",
            advice="give the inertia as a number, three numbers or 3 x 3, the centre as three numbers",
        )
    good = np.all(np.isfinite(tensor)) and np.all(np.isfinite(centre)) and np.isfinite(mass)
    if not good or mass < 0 or not np.allclose(tensor, tensor.T) or _negative(tensor):
        raise FlexuraError(
            f"The body of node {node} has a mass or an inertia that is negative, not symmetric or not finite",
            advice="give m >= 0 and a symmetric inertia without negative principal values",
        )
    return NodeBody(node, mass, tensor, centre)


def _negative(tensor: Array) -> bool:
    """Whether a principal value is negative by more than turning the axes could make of none."""
    values = np.linalg.eigvalsh(tensor)
    return bool(values[0] < -64 * np.finfo(np.float64).eps * np.abs(values).max())


def stiffnesses(given: Mapping[int, Any], count: int, what: str) -> dict[int, Array]:
    """Springs or dampers to the frame as 6 x 6 matrices: {node: {"v": k, ...}} or {node: matrix}."""
    found = {}
    for node, one in given.items():
        with concerning(keyword=f"{what}s", entry=node):
            found[known_node(node, count, f"{what}s")] = _six(node, one, what)
    return found


def _six(node: int, given: Any, what: str) -> Array:
    if not isinstance(given, Mapping):
        matrix = np.asarray(given, dtype=np.float64)
        if matrix.shape != (6, 6) or not np.all(np.isfinite(matrix)):
            raise FlexuraError(
                f"The {what} of node {node} has the shape {matrix.shape} or is not finite",
                advice="give a finite 6 x 6 matrix or {'v': k, 'gamma': kt}",
            )
        return matrix
    matrix = np.zeros((6, 6))
    for name, value in given.items():
        places = motions(name, f"node {node}", what)
        value = _strength(node, name, places, value, what)
        if not np.isfinite(float(value)) or (float(value) < 0 and len(places) == 1):
            raise FlexuraError(
                f"The {what} of node {node} along {name} is {value}", advice="give a finite number, 0 or more"
            )
        rows, columns = (places[0], places[-1]), (places[-1], places[0])  # "v w": the coupling of both
        if len(places) > 2:
            raise FlexuraError(
                f"The {what} of node {node} names {name!r}", advice="name one motion, or two that it couples"
            )
        matrix[rows, columns] = float(value)
    return matrix


def _strength(node: int, name: str, places: tuple[int, ...], value: Any, what: str) -> float:
    """A stiffness or damping as a number; where it couples displacement and rotation, any unit would be a guess."""
    turning = {place > 2 for place in places}
    unit = None if len(turning) > 1 else "N*m/rad" if turning == {True} else "N/m"
    unit = unit.replace("N", "N*s") if unit and what == "damper" else unit
    try:
        return float(measured(value, name, f"the {what} of node {node}", unit))
    except (TypeError, ValueError):
        raise FlexuraError(
            f"The {what} of node {node} along {name} is {value!r}", advice="give a finite number, 0 or more"
        ) from None


@dataclass(frozen=True)
class Bearing:
    """A bearing that stands on ground, alike in all directions across an axis (0, 1, 2) of the turning frame."""

    axis: int
    stiffness: float
    damping: float

    @property
    def across(self) -> Array:
        """The projection on the plane across the axis."""
        return np.asarray(np.eye(3) - np.diag(np.eye(3)[self.axis]))


def bearings(given: Mapping[int, Any], count: int) -> dict[int, Bearing]:
    """Bearings {node: (axis, k, c)} or (axis, k)."""
    found = {}
    for node, one in given.items():
        with concerning(keyword="bearings", entry=node):
            found[known_node(node, count, "bearings")] = _bearing(node, one)
    return found


def _bearing(node: int, one: Any) -> Bearing:
    parts = tuple(one) if isinstance(one, tuple | list) else ()
    if len(parts) not in (2, 3) or parts[0] not in ("x", "y", "z"):
        raise FlexuraError(
            f"The bearing of node {node} is {one!r}", advice="write ('x', k, c): axis, stiffness, damping"
        )
    k, c = (_alike(node, value, word) for value, word in zip((*parts[1:], 0.0)[:2], "kc", strict=True))
    if not (np.isfinite(k) and np.isfinite(c) and k >= 0 and c >= 0):
        raise FlexuraError(f"The bearing of node {node} has k = {k}, c = {c}", advice="give finite numbers, 0 or more")
    return Bearing("xyz".index(parts[0]), k, c)


def _alike(node: int, value: Any, word: str) -> float:
    """One number for all directions across the axis."""
    if np.ndim(value) == 1 and len(value) == 2:
        raise FlexuraError(
            f"The bearing of node {node} has the pair {value!r}: one that stands on ground and differs across the"
            " axis changes periodically for the turning frame, which constant matrices cannot hold",
            advice="give one number for both directions, say their mean",
        )
    try:
        return float(measured(value, word, f"the bearing of node {node}", {"k": "N/m", "c": "N*s/m"}[word]))
    except (TypeError, ValueError):
        raise FlexuraError(
            f"The bearing of node {node} has the value {value!r}", advice="give a number, 0 or more"
        ) from None


def links(given: Any, count: int) -> dict[tuple[int, int], tuple[int, ...]]:
    """Nodes tied to others: {(to, node): "all"} or "u v w" for a hinge, or a list of pairs, each tied in all."""
    pairs = given if isinstance(given, Mapping) else dict.fromkeys((tuple(one) for one in given), "all")
    result: dict[tuple[int, int], tuple[int, ...]] = {}
    for pair, tied in pairs.items():
        if len(pair) != 2 or pair[0] == pair[1]:
            problem = f"The link {pair} does not name two nodes"
            raise FlexuraError(problem, advice="write (node, node tied to it)", keyword="links", entry=tuple(pair))
        with concerning(keyword="links", entry=tuple(pair)):
            to, node = (known_node(one, count, "links") for one in pair)
            result[to, node] = motions(tied, f"node {node}", "link")
    return result


def vectors(given: Any, count: int, shape: tuple[int, ...], what: str) -> Array:
    """An array (count, *shape) from {element: value}, zero elsewhere."""
    result = np.zeros((count, *shape))
    items: Iterable[tuple[Any, Any]] = given.items()
    for element, value in items:
        if isinstance(element, bool) or not isinstance(element, int | np.integer) or not 0 <= element < count:
            raise FlexuraError(
                f"The {what} name element {element!r}, but elements are numbered from 0 to {count - 1}",
                advice="name one",
                keyword=what,
                entry=element,
            )
        one = np.asarray(value, dtype=np.float64)
        if one.shape != shape or not np.all(np.isfinite(one)):
            raise FlexuraError(
                f"The {what} of element {element} have the shape {one.shape}",
                advice=f"give finite {shape}",
                keyword=what,
                entry=element,
            )
        result[element] = one
    return result
