"""Undamped modes of dense matrices whose frequencies differ by any ratio.

>>> found = graded_modes(system)
>>> found.squares, found.shapes, found.doubts

An eigensolver answers within eps of the largest eigenvalue, so that of a soft mode beside a stiff one it leaves little.
Its shapes are better: what they hold of stiff motions is of size eps, and counts squared in their energy. So the soft
ones are combined anew by their own energies, taken from the matrix as it was given, and the softest of these again.
Which of them are free is decided there, against what rounding of K can make of their energy, never by their size.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.systems.second_order import SecondOrderSystem, as_dense
from flexura.systems.soft import ROUNDING, soft_motions

Array = NDArray[np.float64]
_SOFT = 1e-3  # of the largest eigenvalue: three digits are lost there, and those below are combined anew


@dataclass(frozen=True)
class GradedModes:
    """omega^2 in `squares`, shapes as columns with shapes' M shapes = 1, and what rounding of K can change of omega^2.

    `dropped` is what K has of omega^2 that was taken for rounding: more than rounding itself only of free ones.
    """

    squares: Array
    shapes: Array
    doubts: Array
    dropped: Array


def graded_modes(system: SecondOrderSystem) -> GradedModes:
    """The modes of K x = omega^2 M x; M must be positive definite."""
    K = as_dense(system.K)
    squares, shapes = scipy.linalg.eigh(K, as_dense(system.M))
    doubts = max(ROUNDING, system.rounding) * np.einsum("ij,ij->j", np.abs(shapes), np.abs(K) @ np.abs(shapes))
    soft = _soft(squares)
    while len(soft):
        found = soft_motions(system, shapes[:, soft])
        form = found.q.T @ found.image
        squares[soft], turned = scipy.linalg.eigh((form + form.T) / 2)
        shapes[:, soft] = found.q @ turned
        doubts[soft] = np.einsum("ij,ij->j", np.abs(turned), found.noise @ np.abs(turned))
        soft = soft[_soft(squares[soft])]
    dropped = np.abs(np.einsum("ij,ij->j", shapes, K @ shapes) - squares)
    return GradedModes(squares, shapes, doubts, dropped)


def _soft(squares: Array) -> NDArray[np.int64]:
    largest = np.abs(squares).max(initial=0.0)
    return np.flatnonzero(np.abs(squares) < _SOFT * largest)
