"""Motions of a frame that nothing holds: rigid motions of each connected piece that supports and springs allow."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from flexura.structures.moving.body import tilde
from flexura.structures.moving.frame import BeamFrame

Array = NDArray[np.float64]


def pieces(frame: BeamFrame) -> tuple[int, NDArray[np.int32]]:
    """How many connected pieces there are, and the piece of each node; links connect."""
    pairs = np.concatenate([frame.elements, np.array(list(frame.ties), dtype=np.intp).reshape(-1, 2)])
    count = len(frame.nodes)
    graph = sparse.coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    found, which = connected_components(graph, directed=False)
    return int(found), which


def rigid_motions(frame: BeamFrame) -> Array:
    """The rigid motions (6 nodes, r) left free, over all motions; r = 0 where the attachments hold the frame."""
    count, which = pieces(frame)
    found = [_of_piece(frame, which == k) for k in range(count)]
    return np.concatenate(found, axis=1) if found else np.empty((6 * len(frame.nodes), 0))


def _of_piece(frame: BeamFrame, inside: NDArray[np.bool_]) -> Array:
    centre = frame.nodes[inside].mean(axis=0)
    size = float(np.linalg.norm(frame.nodes[inside] - centre, axis=1).max()) or 1.0  # 1 where all are at one place
    motions = np.zeros((len(frame.nodes), 6, 6))
    motions[inside] = np.eye(6)
    motions[inside, :3, 3:] = -tilde(frame.nodes[inside] - centre)
    motions[:, :, 3:] /= size  # so that turning and moving are of one size
    conditions = [motions[frame.held & inside[:, None]]]
    for node, k in frame.stiffnesses.items():
        if inside[node] and k.any():
            scale = np.array([1.0, 1, 1, size, size, size])
            scaled = k * np.outer(1 / scale, 1 / scale)
            conditions.append(scaled / np.abs(scaled).max() @ (scale[:, None] * motions[node]))
    stacked = np.concatenate(conditions)
    _, values, vectors = np.linalg.svd(np.concatenate([stacked, np.zeros((6, 6))]), full_matrices=True)
    return np.asarray(motions.reshape(-1, 6) @ vectors[values < 1e-10 * max(float(values[0]), 1.0)].T)


def described(frame: BeamFrame) -> str:
    """The free rigid motions in words."""
    free = rigid_motions(frame)
    names = ("along x", "along y", "along z", "about x", "about y", "about z")
    seen = [name for k, name in enumerate(names) if free.size and np.abs(free[k::6]).max() > 1e-9]
    return f"{free.shape[1]} rigid motion{'s' if free.shape[1] != 1 else ''} ({', '.join(seen)})"
