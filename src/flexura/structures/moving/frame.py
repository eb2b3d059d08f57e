"""A frame of bars: nodes, elements, sections and what is attached to them, checked once and never changed.

>>> blade = BeamFrame([[0, 0, 0], [1, 0, 0]], [[0, 1]], section, supports={0: "all"}).refined(8)
>>> system = fx.moving_system(blade, fx.MovingFrame(omega=(0, 0, 6.0)))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Numbers, checked_methods
from flexura.errors import FlexuraError
from flexura.structures.moving import attachments
from flexura.structures.moving.attachments import DOFS, Bearing, NodeBody
from flexura.structures.moving.section import Section

Array = NDArray[np.float64]
Integers = NDArray[np.intp]

_ENERGIES = "say 'consistent' or 'paper'"
_EACH = "give (n, 3): x, y, z of each node"
_POSITIVE = ("E", "G", "A", "Iy", "Iz", "J", "ky", "kz")


@checked_methods
@dataclass(frozen=True, eq=False)
class BeamFrame:
    """12-dof bars: axial, two planes of bending with shear, torsion; every node has u v w alpha beta gamma.

    `supports` hold motions, `bodies` {node: (m, I)} or (m, I, centre of mass from the node), `springs` and `dampers`
    {node: {"v": k, "v w": coupling}} or 6 x 6, both to the moving frame, `links` {(node, tied node): "all" or "u v w"},
    `offsets` {element: (from first node, from second node)}, rigid arms to the element's ends. `damping=(a, b)` adds
    a M + b K. All of them turn with the frame; `bearings` {node: ("x", k, c)} stand on ground and are alike in all
    directions across the axis about which the frame turns, on which the node lies. `section_energy="paper"` keeps the
    section's frame from turning in the kinetic energy, as [E] eq. 15.
    """

    nodes: Any
    elements: Any
    section: Section | Sequence[Section]
    supports: Mapping[int, Any] = field(default_factory=dict)
    bodies: Mapping[int, Any] = field(default_factory=dict)
    springs: Mapping[int, Any] = field(default_factory=dict)
    y_axis: Numbers = None
    shear: bool = True
    section_energy: str = "consistent"
    dampers: Mapping[int, Any] = field(default_factory=dict)
    links: Mapping[Any, Any] | Sequence[Sequence[int]] = ()
    offsets: Mapping[int, Any] = field(default_factory=dict)
    damping: tuple[float, float] = (0.0, 0.0)
    bearings: Mapping[int, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check everything here, so that whatever follows may trust it."""
        object.__setattr__(self, "nodes", _nodes(self.nodes))
        object.__setattr__(self, "elements", _elements(self.elements, len(self.nodes)))
        if self.section_energy not in ("consistent", "paper"):
            raise FlexuraError(f"section_energy is {self.section_energy!r}", advice=_ENERGIES, keyword="section_energy")
        if not isinstance(self.section, Section):
            object.__setattr__(self, "section", tuple(self.section))
        _ = self.held, self.masses, self.journals, self.stiffnesses, self.dashpots, self.ties, self.arms
        _ = self.axes, self.groups
        _check_connected(self)
        self._check_sections()

    # -- geometry ----------------------------------------------------------------------------------------------------

    @cached_property
    def arms(self) -> Array:
        """Rigid arms (elements, 2, 3) from the nodes to the elements' ends."""
        return attachments.vectors(self.offsets, len(self.elements), (2, 3), "offsets")

    @cached_property
    def ends(self) -> Array:
        """Where the elements' ends are: (elements, 2, 3)."""
        ends = np.asarray(self.nodes[self.elements])
        return ends + self.arms if self.offsets else ends

    @cached_property
    def lengths(self) -> Array:
        """The elements' lengths."""
        return _size(self.ends[:, 1] - self.ends[:, 0])

    @cached_property
    def axes(self) -> Array:
        """The elements' axes (elements, 3, 3): row 0 along the element, rows 1 and 2 the section's y and z."""
        short = np.flatnonzero(~(self.lengths > 1e-12 * max(float(np.ptp(self.nodes, axis=0).max()), 1e-300)))
        if short.size:
            e = int(short[0])
            raise FlexuraError(
                f"Element {e} between nodes {self.elements[e, 0]} and {self.elements[e, 1]} has no length",
                advice="move one of its nodes or remove it",
                keyword="elements",
                entry=e,
            )
        e1 = (self.ends[:, 1] - self.ends[:, 0]) / self.lengths[:, None]
        across = _section_y(e1, self.y_axis)
        e2 = across - np.einsum("ij,ij->i", across, e1)[:, None] * e1
        size = _size(e2)
        along = np.flatnonzero(size < 1e-8)
        if along.size:
            raise FlexuraError(
                f"The y_axis of element {along[0]} points along the element",
                advice="give one that points across it",
                keyword="y_axis",
                entry=int(along[0]),
            )
        e2 /= size[:, None]
        axes = np.empty((len(e1), 3, 3))
        axes[:, 0], axes[:, 1], axes[:, 2] = e1, e2, np.cross(e1, e2)
        return axes

    # -- sections ----------------------------------------------------------------------------------------------------

    @cached_property
    def groups(self) -> tuple[tuple[Section, Integers], ...]:
        """Each section with the numbers of its elements."""
        count = len(self.elements)
        if isinstance(self.section, Section):
            return ((self.section, np.arange(count)),)
        if len(self.section) != count:
            raise FlexuraError(
                f"There are {len(self.section)} sections for {count} elements",
                advice="give one for all, or one for each",
                keyword="section",
            )
        wrong = [e for e, one in enumerate(self.section) if not isinstance(one, Section)]
        if wrong:
            raise FlexuraError(
                f"The section of element {wrong[0]} is {self.section[wrong[0]]!r}",
                advice="give an fx.Section",
                keyword="section",
                entry=wrong[0],
            )
        kinds = {id(one): one for one in self.section}
        which = np.fromiter((id(one) for one in self.section), dtype=np.int64, count=count)
        order = np.argsort(which, kind="stable")
        starts = np.flatnonzero(np.r_[True, np.diff(which[order]) != 0])
        return tuple((kinds[int(which[part[0]])], part) for part in np.split(order, starts[1:]))

    @cached_property
    def varies(self) -> bool:
        """Whether a section varies along its element."""
        return any(section.varies for section, _ in self.groups)

    def properties(self, name: str, points: Array) -> Array:
        """A section's property (elements, points) at `points` in 0..1 along each element."""
        key = (name, points.tobytes())
        if key in self._properties:
            return self._properties[key]
        x = self.lengths[:, None] * points
        result = np.empty(x.shape)
        for section, which in self.groups:
            held = getattr(section, name)
            if isinstance(held, np.ndarray) and len(held) != len(which):
                raise FlexuraError(
                    f"The {name} of the section has {len(held)} values for {len(which)} elements",
                    advice="give one for each",
                    part="section",
                    keyword=name,
                )
            if len(self.groups) == 1:
                result = section.at(name, x)
            else:
                result[which] = section.at(name, x[which])
        self._properties[key] = result
        return result

    @cached_property
    def _properties(self) -> dict[tuple[str, bytes], Array]:
        return {}

    # -- motions -----------------------------------------------------------------------------------------------------

    @cached_property
    def held(self) -> NDArray[np.bool_]:
        """Which motions (nodes, 6) supports hold."""
        return attachments.held(self.supports, len(self.nodes))

    @cached_property
    def masses(self) -> tuple[NodeBody, ...]:
        """The rigid bodies on nodes."""
        return attachments.bodies(self.bodies, len(self.nodes))

    @cached_property
    def stiffnesses(self) -> dict[int, Array]:
        """Springs by node, 6 x 6."""
        found = attachments.stiffnesses(self.springs, len(self.nodes), "spring")
        return _with_bearings(found, {node: one.stiffness * one.across for node, one in self.journals.items()})

    @cached_property
    def dashpots(self) -> dict[int, Array]:
        """Dampers by node, 6 x 6."""
        found = attachments.stiffnesses(self.dampers, len(self.nodes), "damper")
        return _with_bearings(found, {node: one.damping * one.across for node, one in self.journals.items()})

    @cached_property
    def journals(self) -> dict[int, Bearing]:
        """Bearings by node."""
        return attachments.bearings(self.bearings, len(self.nodes))

    @cached_property
    def ties(self) -> dict[tuple[int, int], tuple[int, ...]]:
        """(node, tied node) -> the motions tied."""
        return attachments.links(self.links, len(self.nodes))

    @cached_property
    def free(self) -> NDArray[np.bool_]:
        """Which motions (nodes, 6) are unknowns: neither held nor tied to another node."""
        result = ~self.held
        for (_, node), tied in self.ties.items():
            result[node, list(tied)] = False
        return result

    @cached_property
    def dofs(self) -> tuple[str, ...]:
        """The names of the free motions: v4 is node 4 along y."""
        nodes, kinds = np.nonzero(self.free)
        return tuple(f"{DOFS[k]}{n}" for n, k in zip(nodes.tolist(), kinds.tolist(), strict=True))

    def dof(self, node: int, name: str) -> int:
        """The row of a node's free motion: frame.dof(4, "v")."""
        attachments.known_node(node, len(self.nodes), "dofs")
        (kind,) = attachments.motions(name, f"node {node}", "dof")
        if not self.free[node, kind]:
            raise FlexuraError(
                f"The motion {name} of node {node} is not free", advice="a support holds it or a link ties it"
            )
        return int(np.count_nonzero(self.free.ravel()[: 6 * node + kind]))

    # -- changes -----------------------------------------------------------------------------------------------------

    def with_(self, **changes: Any) -> BeamFrame:
        """The same frame with some of its fields changed."""
        return replace(self, **changes)

    def refined(self, count: int) -> BeamFrame:
        """Each element cut into `count` equal ones; the old nodes keep their numbers, sections go on along x."""
        if count < 1:
            raise FlexuraError(f"An element cannot be cut into {count}", advice="give 1 or more")
        if self.offsets or (self.y_axis is not None and np.ndim(self.y_axis) == 2):
            raise FlexuraError(
                "A frame with offsets or one y_axis for each element cannot be cut", advice="add them afterwards"
            )
        m, first = len(self.elements), len(self.nodes)
        part = np.arange(1, count) / count
        inner = self.ends[:, :1] * (1 - part)[None, :, None] + self.ends[:, 1:] * part[None, :, None]
        between = first + np.arange(m * (count - 1)).reshape(m, count - 1)
        line = np.concatenate([self.elements[:, :1], between, self.elements[:, 1:]], axis=1)
        pairs = np.stack([line[:, :-1], line[:, 1:]], axis=2).reshape(-1, 2)
        return replace(
            self,
            nodes=np.concatenate([self.nodes, inner.reshape(-1, 3)]),
            elements=pairs,
            section=self._cut_sections(count),
        )

    def _cut_sections(self, count: int) -> Section | tuple[Section, ...]:
        if isinstance(self.section, Section) and not self.section.varies:
            if any(isinstance(one, np.ndarray) for one in vars(self.section).values()):
                return _repeated(self.section, count)
            return self.section
        each = [self.section] * len(self.elements) if isinstance(self.section, Section) else self.section
        steps = self.lengths / count
        return tuple(one.later(k * h) for one, h in zip(each, steps.tolist(), strict=True) for k in range(count))

    def _check_sections(self) -> None:
        points = np.array([0.0, 0.5, 1.0] if self.varies else [0.5])
        for name in (*_POSITIVE, "rho"):
            values = self.properties(name, points)
            least = values[:1] if values.strides[0] == 0 else values  # one section for all: one number
            bad = ~(np.isfinite(least) & (least >= 0 if name == "rho" else least > 0))
            if bad.any():
                e, k = (int(one) for one in np.argwhere(bad)[0])
                where = f" at {points[k]:g} of its length" if self.varies else ""
                rule = "zero or more" if name == "rho" else "greater than zero"
                raise FlexuraError(
                    f"The section of element {e} has {name} = {least[e, k]:g}{where}",
                    advice=f"give it a value {rule}",
                    part="section",
                    keyword=name,
                    entry=e,
                )


def _with_bearings(found: dict[int, Array], blocks: dict[int, Array]) -> dict[int, Array]:
    for node, block in blocks.items():
        if block.any():
            found[node] = found.get(node, np.zeros((6, 6))) + np.pad(block, (0, 3))
    return found


def _repeated(section: Section, count: int) -> Section:
    arrays: dict[str, Any] = {
        name: np.repeat(one, count) for name, one in vars(section).items() if isinstance(one, np.ndarray)
    }
    return replace(section, **arrays)


def _nodes(given: Any) -> Array:
    try:
        nodes = np.array(given, dtype=np.float64)
    except (TypeError, ValueError):
        nodes = np.empty(0)
    if nodes.ndim != 2 or nodes.shape[1] != 3:
        raise FlexuraError(f"The nodes have the shape {nodes.shape}", advice=_EACH, keyword="nodes")
    bad = np.flatnonzero(~np.isfinite(nodes).all(axis=1))
    if bad.size:
        problem = f"Node {bad[0]} is at {nodes[bad[0]].tolist()}"
        raise FlexuraError(problem, advice="give finite coordinates", keyword="nodes", entry=int(bad[0]))
    return nodes


def _elements(given: Any, count: int) -> Integers:
    try:
        raw = np.asarray(given)
    except ValueError:  # rows of unequal length
        raw = np.empty(0)
    if raw.ndim != 2 or raw.shape[1] != 2 or raw.dtype.kind not in "iu":
        raise FlexuraError(
            f"The elements have the shape {raw.shape}",
            advice="give (m, 2) whole numbers, two nodes for each",
            keyword="elements",
        )
    outside = np.argwhere((raw < 0) | (raw >= count))
    if outside.size:
        e, k = outside[0]
        problem = f"Element {e} names node {raw[e, k]}, but nodes are numbered from 0 to {count - 1}"
        raise FlexuraError(problem, keyword="elements", entry=int(e))
    return np.array(raw, dtype=np.intp)


def _size(vectors: Array) -> Array:
    return np.asarray(np.sqrt(np.einsum("ij,ij->i", vectors, vectors)))


def _section_y(e1: Array, given: Any) -> Array:
    """What points near the section's y: what is given, else the frame's y; for an element along y, its -x."""
    if given is not None:
        axis = np.asarray(given, dtype=np.float64)
        if axis.shape not in ((3,), e1.shape) or not np.all(np.isfinite(axis)):
            raise FlexuraError(
                f"The y_axis has the shape {axis.shape}",
                advice=f"give three finite numbers, or ({len(e1)}, 3)",
                keyword="y_axis",
            )
        axis = np.broadcast_to(axis, e1.shape)
        return np.asarray(axis / np.linalg.norm(axis, axis=1)[:, None]) if np.all(axis.any(axis=1)) else axis * 1.0
    across = np.tile([0.0, 1.0, 0.0], (len(e1), 1))
    upright = np.hypot(e1[:, 0], e1[:, 2]) < 1e-6
    across[upright] = np.cross([0.0, 0.0, 1.0], e1[upright])
    return across


def _check_connected(frame: BeamFrame) -> None:
    touched = np.zeros(len(frame.nodes), dtype=bool)
    touched[frame.elements] = True
    for to, node in frame.ties:
        touched[[to, node]] = True
    if not len(frame.elements):  # a rigid body
        touched[[one.node for one in frame.masses]] = True
    alone = np.flatnonzero(~touched)
    if alone.size:
        problem = f"Node {alone[0]} belongs to no element and no link"
        raise FlexuraError(problem, advice="connect it or leave it out", keyword="nodes", entry=int(alone[0]))
    for (to, node), tied in frame.ties.items():
        both = [k for k in tied if frame.held[node, k]]
        if both:
            raise FlexuraError(
                f"The motion {DOFS[both[0]]} of node {node} is tied to node {to} and held by a support",
                advice=f"support node {to} instead",
                keyword="supports",
                entry=node,
            )
