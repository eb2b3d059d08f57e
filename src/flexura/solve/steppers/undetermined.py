"""What makes a state impossible: why a mass matrix or the constraints leave accelerations undetermined, in words.

>>> raise why_singular(M, ("x", "theta"))
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.steppers.pace import LOOK

Array = NDArray[np.float64]
_BODY = "give the joint there a body with some inertia"


class Singular(FlexuraError):
    """A state is impossible: an acceleration or a multiplier is undetermined, or constraints cannot be met."""


class Unanswered(FlexuraError):
    """What drives a run gives no number at some time: a function of the motion, or a controller."""


def repeated(multipliers: Sequence[str]) -> Singular:
    """Conditions repeat one another at a position that is singular by itself."""
    return Singular(
        f"The multipliers {', '.join(multipliers)} are not determined here: their constraints repeat one another",
        advice="leave one of them out, or start away from this position",
    )


def vanishing(M: Array, names: Sequence[str], constrained: bool) -> Singular:
    """What makes steps too small: an inertia that is about to vanish, or something else."""
    scale = np.sqrt(np.abs(np.diag(M)))
    values, vectors = np.linalg.eigh(M / np.outer(scale, scale))
    if constrained or values[0] > 1e-6:
        return Singular("Its steps became too small", advice=LOOK)
    free = _moving(vectors[:, 0] / scale, names)
    return Singular(
        f"The inertia of {free} vanishes, because deflections grew so large that their second-order terms take it away",
        advice=_BODY,
    )


def why_singular(M: Array, names: Sequence[str], A: Array | None = None) -> Singular:
    """What moves without inertia, where the constraints A count all."""
    if not np.all(np.isfinite(M)):
        problem = "The mass matrix holds values that are not finite"
        return Singular(problem, advice="check the parameters and the state")
    scale = np.sqrt(np.abs(np.diag(M)))
    scale[scale == 0] = 1.0
    scaled = M / np.outer(scale, scale)
    if A is not None and len(A):
        null = np.linalg.svd(A)[2][np.linalg.matrix_rank(A) :]
        if not len(null):
            return Singular("The constraints leave nothing to move", advice="leave one of them out")
        scaled = null @ scaled @ null.T
        vector = null.T @ np.linalg.eigh(scaled)[1][:, 0]
    else:
        vector = np.linalg.eigh(scaled)[1][:, 0]
    free = _moving(vector / scale, names)
    if np.linalg.eigvalsh(scaled)[0] < -1e-9:
        return Singular(
            "The mass matrix is no longer positive: deflections grew so large that their second-order terms take"
            f" away the inertia of {free}",
            advice=_BODY,
        )
    return Singular(
        f"The mass matrix is singular: {free} can move without inertia",
        advice="give that motion a mass or an inertia, or leave it out",
    )


def _moving(motion: Array, names: Sequence[str]) -> str:
    size = np.abs(motion)
    return " and ".join(name for name, part in zip(names, size, strict=True) if part > 0.05 * size.max())
