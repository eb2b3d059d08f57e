"""The forces inside a frame for each case of its motion: along the elements they stiffen or soften bending (K_G).

P(x) is the force at the element's second end plus what acts between x and that end. In chains and trees held at one
node the end force is what the outboard elements pass on, summed from the tips inwards; otherwise, with loops or several
supports, it is that of the linear static solution under the same loads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg as spla
from numpy.typing import NDArray
from scipy.sparse.csgraph import breadth_first_order

from flexura.errors import FlexuraError
from flexura.structures.moving.attachments import DOFS
from flexura.structures.moving.batch import Batch
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.pattern import Pattern
from flexura.structures.moving.rigid import described, pieces

Array = NDArray[np.float64]


def cut_forces(frame: BeamFrame, nodal: Array) -> Array | None:
    """What is passed on through each element towards its second node: forces (cases, elements, 3), by subtrees.

    `nodal` (cases, nodes, 3) are the forces at the nodes. The result is the force with which everything beyond the
    second node pulls, the element's own share at that node included; None where the frame is not a tree on one support.
    """
    count = len(frame.nodes)
    found, which = pieces(frame)
    edges = np.concatenate([frame.elements, np.array(list(frame.ties), dtype=np.intp).reshape(-1, 2)])
    holding = np.array(frame.held.any(axis=1))
    holding[[node for node, k in frame.stiffnesses.items() if k.any()]] = True
    roots = np.flatnonzero(holding)
    partial = any(len(tied) < 6 for tied in frame.ties.values())
    if partial or len(edges) != count - found or len(roots) != found or len(set(which[roots].tolist())) != found:
        return None
    if not all(frame.held[root].all() for root in roots):
        return None
    from_root = np.concatenate([np.full(found, count), edges[:, 0]])
    graph = sparse.csr_array(
        (np.ones(found + len(edges)), (from_root, np.concatenate([roots, edges[:, 1]]))), shape=(count + 1, count + 1)
    )
    order, parent = breadth_first_order(graph, count, directed=False)
    total = _subtrees(order[1:], parent, nodal)
    first, second = frame.elements[:, 0], frame.elements[:, 1]
    outward = (parent[second] == first)[None, :, None]
    return np.asarray(np.where(outward, total[:, second], -total[:, first]))


def _subtrees(order: NDArray[np.int32], parent: NDArray[np.int32], nodal: Array) -> Array:
    """The sums over all nodes outboard of each: s_parent = f_parent + sum of s_child, one sparse triangular solve."""
    cases, count, _ = nodal.shape
    place = np.empty(count + 1, dtype=np.int32)  # SuperLU takes no longer indices, and SciPy before 1.16 does not help
    place[order[::-1]] = np.arange(count)  # tips first
    below = order[parent[order] < count]
    rows, columns = place[parent[below]], place[below]
    children = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=(count, count))
    lower = sparse.eye_array(count, format="csr") - children
    given = nodal[:, order[::-1]].transpose(1, 0, 2).reshape(count, -1)
    found = spla.spsolve_triangular(lower.tocsr(), given, lower=True, unit_diagonal=True)
    return np.asarray(found.reshape(count, cases, 3).transpose(1, 0, 2)[:, place[:count]])


def end_forces(
    pattern: Pattern, batches: Sequence[Batch], statics: Callable[[Array], Array], nodal: Array, own: Array
) -> Array:
    """The forces (cases, elements, 2, 3) with which nodes act on the ends of the elements, along the frame's axes.

    `nodal` (cases, nodes, 6) are the loads and `own` (cases, elements, 12) the elements' shares in them; `statics`
    gives the displacements under loads where they are needed.
    """
    frame = pattern.frame
    passed = cut_forces(frame, nodal[:, :, :3])
    if passed is not None:
        second = passed - own[:, :, 6:9]
        return np.stack([-second - own[:, :, 0:3] - own[:, :, 6:9], second], axis=2)
    moved = statics(nodal.reshape(len(nodal), -1)).reshape(len(nodal), -1, 6)
    ends = moved[:, frame.elements].reshape(len(nodal), -1, 12)
    bent = np.concatenate([np.einsum("gkl,cgl->cgk", one.K(), ends[:, one.which]) for one in batches], axis=1) - own
    return np.stack([bent[:, :, 0:3], bent[:, :, 6:9]], axis=2)


def link_forces(frame: BeamFrame, ends: Array, direct: Array) -> dict[tuple[int, int], Array]:
    """The force (cases, 3) with which each link acts on its tied node, links that hang on it included.

    `ends` are the forces on the elements' ends, `direct` (cases, nodes, 3) what loads the nodes themselves.
    """
    total = -direct
    for k in (0, 1):
        for case in range(len(ends)):
            np.add.at(total[case], frame.elements[:, k], ends[case, :, k])

    def at(node: int) -> Array:
        return np.asarray(total[:, node] + sum((at(tied) for to, tied in frame.ties if to == node), start=0.0))

    return {pair: at(pair[1]) for pair in frame.ties}


def arm_stiffness(force: Array, arm: Array) -> Array:
    """(F o' + o F')/2 - (F.o) I: a force F on the end of a rigid arm o also works on theta x (theta x o)/2."""
    outer = force[..., :, None] * arm[..., None, :]
    dot = np.sum(force * arm, axis=-1)[..., None, None]
    return np.asarray((outer + np.swapaxes(outer, -1, -2)) / 2 - dot * np.eye(3))


def static(pattern: Pattern, K: sparse.csr_array, M: sparse.csr_array, rigid: Array, loads: Array) -> Array:
    """The static displacements (cases, 6 nodes) under loads (cases, 6 nodes); with inertia relief where it is free."""
    T, n = pattern.T, pattern.n
    right = T.T @ loads.T
    if rigid.shape[1]:
        border = sparse.csr_array(M @ rigid[pattern.frame.free.ravel()])  # tied motions follow the free ones
        K = sparse.block_array([[K, border], [border.T, None]], format="csc")
        right = np.concatenate([right, np.zeros((rigid.shape[1], right.shape[1]))])
    found = factor(K, pattern.frame).solve(np.ascontiguousarray(right))
    return np.asarray((T @ found[:n]).T)


def factor(K: sparse.sparray, frame: BeamFrame) -> spla.SuperLU:
    """Factor a symmetric matrix of the frame, or say which motion nothing holds."""
    how = {"permc_spec": "MMD_AT_PLUS_A", "diag_pivot_thresh": 1e-3, "options": {"SymmetricMode": True}}
    try:
        found = spla.splu(K.tocsc(), **how)
    except RuntimeError:
        found = None
    pivots = np.abs(found.U.diagonal()) if found is not None else np.zeros(1)
    if found is not None and pivots.min() > 1e-15 * pivots.max():
        return found
    raise FlexuraError(
        f"The stiffness of the frame is singular: {_loose(K, frame)}", advice="add a support, a spring or a link there"
    )


def _loose(K: sparse.sparray, frame: BeamFrame) -> str:
    """Which motion is held by nothing: that of the largest entry in a null vector, by inverse iteration."""
    shifted = (K + 1e-12 * abs(K).max() * sparse.eye_array(K.shape[0])).tocsc()
    vector = np.ones(K.shape[0])
    for _ in range(3):
        vector = spla.splu(shifted).solve(vector)
        vector /= np.abs(vector).max()
    place = int(np.argmax(np.abs(vector[: len(frame.dofs)])))
    node, kind = np.argwhere(frame.free)[place]
    left = described(frame)
    also = f"; free: {left}" if not left.startswith("0 ") else ""
    return f"nothing holds the motion {DOFS[kind]} of node {node}{also}"
