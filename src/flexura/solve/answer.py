"""What one output does under one load, at several frequencies.

>>> answer.times(1j * omega)                     # the same as a velocity
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Answer:
    """(frequency, field) amplitudes, where they are infinite, and how much of each rounding may have changed."""

    values: NDArray[np.complex128]
    resonant: NDArray[np.bool_]
    doubt: NDArray[np.float64]
    fields: tuple[str, ...] = ()
    force: bool = False

    def times(self, factor: NDArray[np.complex128]) -> NDArray[np.complex128]:
        """Differentiated, if it is a motion."""
        with np.errstate(invalid="ignore"):
            differentiated = self.values if self.force else self.values * factor[:, None]
            return np.where(self.resonant[:, None], self.values, differentiated)
