"""Functions of x that a user wrote: for an array of places, or for one place at a time.

>>> values_along(lambda x: math.sin(x), np.linspace(0, 1, 5))
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def values_along(function: Callable[..., Any], x: Array, *others: Any) -> Any:
    """What a function of x, and of others after it, gives at every place.

    It is asked once for all places. What then fails because it was written for one x (`math.sin(x)`, `if x < l/2`)
    is asked place by place; what fails there too is the function's own error, and comes out as it is.
    """
    try:
        return function(x, *others)
    except (TypeError, ValueError):
        return [function(one, *others) for one in x.ravel().tolist()]
