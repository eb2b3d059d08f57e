"""A body that does not bend, as a member of a mechanism: one node with its mass, others that go with it.

>>> slider = rigid_member(0.2, inertia, [(0.0, 0.0, 0.0)])
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.structures.moving.assembly import Constants
from flexura.structures.moving.body import tilde
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.section import Section

Array = NDArray[np.float64]
_NO_SECTION = Section(E=1.0, G=1.0, rho=0.0, A=1.0, Iy=1.0, Iz=1.0)  # of no element


def rigid_member(mass: float, inertia: Array, places: Sequence[Any]) -> BeamFrame:
    """A frame without elements: node 0 is the mass centre, the others are `places` from there in the body's axes."""
    nodes = np.array([[0.0, 0.0, 0.0], *places], dtype=np.float64)
    links = {(0, node): "all" for node in range(1, len(nodes))}
    return BeamFrame(nodes, np.empty((0, 2), dtype=np.intp), _NO_SECTION, bodies={0: (mass, inertia)}, links=links)


def inertia_of(frame: BeamFrame) -> Array:
    """The inertia of a frame that moves as one body, about the origin of its axes: (6, 6), translations first."""
    moves = np.zeros((len(frame.nodes), 6, 6))
    moves[:] = np.eye(6)
    moves[:, :3, 3:] = -tilde(frame.nodes)
    constants = Constants.of(frame.with_(supports={}) if frame.supports else frame)
    rigid = moves.reshape(-1, 6)[constants.frame.free.ravel()]
    return np.asarray(rigid.T @ (constants.pattern.matrix(constants.mass) @ rigid))
