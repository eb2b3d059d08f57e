"""Speeds at which a turning frame loses its stiffness: nothing is searched, each is an eigenvalue.

>>> fx.critical_speed(shaft), fx.critical_speeds(shaft, count=4)
>>> fx.critical_speeds(fx.Rotor(shaft, bearings={0: fx.Bearing(k=[4e7, 3e7])}))
"""

from __future__ import annotations

import numpy as np
import scipy.linalg
import scipy.sparse.linalg as spla
from numpy.typing import NDArray

from flexura.solve.roots.whirl_modes import DENSE, Turning
from flexura.solve.rotor_speeds import rotor_critical_speeds
from flexura.structures.moving.assembly import Constants, combined
from flexura.structures.moving.axial import factor
from flexura.structures.moving.body import Instant
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.inertia import coefficients
from flexura.structures.moving.rotor import Rotor

Array = NDArray[np.float64]


def critical_speed(
    frame: BeamFrame | Rotor, axis: str = "x", geometric: bool = True, *, springs_turn: bool = False
) -> float:
    """The lowest speed at which K + K_omega2 + K_s + K_G is no longer positive definite; inf if there is none.

    For a shaft it is the first critical speed of forward whirl.
    """
    found = critical_speeds(frame, axis, 1, geometric, springs_turn=springs_turn)
    return float(found[0]) if found.size else float("inf")


def critical_speeds(
    frame: BeamFrame | Rotor, axis: str = "x", count: int = 4, geometric: bool = True, *, springs_turn: bool = False
) -> Array:
    """The lowest `count` speeds at which that stiffness is singular, or as many as there are; equal ones count once.

    Stiffness goes as K + Omega^2 S, so this is an eigenvalue problem, -S x = mu K x with Omega = 1/sqrt(mu). For a
    shaft that is alike in all directions they are where forward whirl keeps pace with the rotation. Of an fx.Rotor they
    are where a whirl of either direction does, without damping; it has its axis already.
    """
    if isinstance(frame, Rotor):
        return rotor_critical_speeds(frame, count)
    constants = Constants.of(frame)
    instant = Instant(np.eye(3)[Turning.of(constants, axis, geometric, springs_turn).axis], np.zeros(3), np.zeros(3))
    cases = constants.stiffening if geometric else constants.inertial
    change = constants.pattern.matrix(-combined(0 * constants.elastic, cases, coefficients(instant)))
    K = constants.pattern.matrix(constants.elastic)
    solve = factor(K, frame)
    if K.shape[0] <= DENSE:
        largest = scipy.linalg.eigvalsh(change.toarray(), K.toarray())[::-1]
    else:
        inverse = spla.LinearOperator(K.shape, matvec=solve.solve, dtype=np.float64)
        how = {"M": K, "Minv": inverse, "which": "LA", "v0": np.ones(K.shape[0]), "return_eigenvectors": False}
        largest = np.sort(spla.eigsh(change, k=min(2 * count, K.shape[0] - 1), **how))[::-1]
    scale = float(abs(change).max() / abs(K).max())
    speeds = 1 / np.sqrt(largest[largest > 1e-12 * scale])
    return np.asarray(speeds[np.diff(speeds, prepend=0.0) > 1e-6 * speeds][:count])
