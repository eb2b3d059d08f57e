"""A tree in x as a function of an array.

>>> sampled(tree, "the density of w")(np.linspace(0, 1, 5))
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.symbolic.engine import SPINE, Basic, exact
from flexura.symbolic.machine import machine_function
from flexura.symbolic.values import rational, real_value

Array = NDArray[np.float64]


def sampled(f: Basic, where: str) -> Callable[[Array], Array]:
    """Values of `f` at each x; refused where there is none that is real and finite."""
    compiled = machine_function([SPINE], [f], backend="lambda")  # to make machine code takes longer than to answer

    def evaluate(x: Array) -> Array:
        with np.errstate(all="ignore"):
            values = np.asarray(compiled(x.reshape(-1, 1)), dtype=np.float64).ravel()
        for i in np.flatnonzero(~np.isfinite(values)):  # cosh(800 x)/cosh(800) is finite, its numerator is not
            at = float(x.ravel()[i])
            values[i] = real_value(rational(f).xreplace({SPINE: exact(at)}))
            if not np.isfinite(values[i]):
                raise FlexuraError(
                    f"With these numbers {where} has a coefficient that is not a finite real number at x = {at:.4g}",
                    advice="check the values",
                )
        return values.reshape(x.shape)

    return evaluate
