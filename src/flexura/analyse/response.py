"""A frequency response that knows what it is of: a complex array with its frequencies, for pictures and files.

>>> found = fx.frequency_response(equations, omega, load="F", output="q4")
>>> abs(found).max(), found.omega, found.label        # an array like any other
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class Response(np.ndarray[Any, np.dtype[np.complex128]]):
    """A complex array over `omega`; parts and functions of it are plain arrays' results without the label."""

    omega: NDArray[np.float64] | None
    label: str

    @classmethod
    def of(cls, values: Any, omega: Any, load: Any, output: Any, kind: str) -> Response:
        """The same numbers, labelled."""
        made = np.asarray(values, dtype=np.complex128).view(cls)
        made.omega = np.asarray(omega, dtype=np.float64)
        texts = [one if isinstance(one, str) else repr(one) for one in (output, load)]
        made.label = f"{kind} of {texts[0]} per unit {texts[1]}" if all(len(one) < 40 for one in texts) else kind
        return made

    def __array_finalize__(self, source: Any) -> None:
        whole = source is not None and getattr(source, "shape", None) == self.shape
        self.omega = getattr(source, "omega", None) if whole else None
        self.label = getattr(source, "label", "") if whole else ""
