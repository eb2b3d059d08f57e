"""Arrays that know what they are of, and keep it when they are pickled or come back from another process.

>>> class Response(Labelled, np.ndarray): ...
>>> pickle.loads(pickle.dumps(response)).label
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np


class Labelled:
    """Stands before np.ndarray among the bases: NumPy's own pickles hold the numbers alone."""

    def __reduce__(self) -> tuple[Any, ...]:
        make, arguments, numbers = cast(tuple[Any, ...], np.ndarray.__reduce__(cast(Any, self)))
        return make, arguments, (numbers, dict(self.__dict__))

    def __setstate__(self, state: Any, /) -> None:
        numbers, known = state
        np.ndarray.__setstate__(cast(Any, self), numbers)
        self.__dict__.update(known)
