"""How large an error of a step is: in the metric of the masses, against the largest motion so far.

Coordinates have units of their own; half the rates squared times the masses is an energy whatever they are. An error
of coordinates counts over the step it was made in, e_q / h, as an error of rates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.solve.steppers.mechanics import Mechanics, Newton, State

Array = NDArray[np.float64]
_NOISE = 1e-4  # motions with rates below this share of what the strains could give are round-off


@dataclass
class Norm:
    """Errors relative to the largest speed so far, sqrt(v' M v)."""

    mechanics: Mechanics
    masses: Array
    stiffness: Array
    largest: float = 0.0

    @classmethod
    def of(cls, mechanics: Mechanics, start: State, newton: Newton) -> Norm:
        """A norm that starts at a state, whose matrices are given."""
        norm = cls(mechanics, np.abs(np.diag(newton.M)), np.abs(np.diag(newton.K)))
        norm.see(start)
        return norm

    def see(self, state: State) -> None:
        """Remember the speed of an accepted state, and its masses."""
        self.see_many(np.array([self.speed(state.v)]), state.q[None])

    def see_many(self, speeds: Array, q: Array) -> None:
        """Remember many accepted states, their speeds and coordinates; the masses are those last evaluated."""
        self.masses = np.abs(np.diag(self.mechanics.mass))
        strains = np.sqrt((q * q) @ self.stiffness)
        self.largest = max(self.largest, float(speeds.max()), _NOISE * float(strains.max()))

    def speed(self, v: Array) -> float:
        """The size of rates."""
        return float(np.sqrt(abs(v @ (self.mechanics.mass @ v))))

    def largest_rate(self, rows: Array) -> float:
        """The largest size of errors of rates, one a row."""
        return float(np.sqrt(((rows * rows) @ self.masses).max()))

    def of_rates(self, e: Array) -> float:
        """The size of an error of rates, absolute."""
        return float(np.sqrt(self.masses @ (e * e)))

    def relative(self, e_q: Array, e_v: Array, h: float, v: Array) -> float:
        """The size of an error of a step that ends with the rates v."""
        size = np.sqrt(self.masses @ (e_v * e_v + e_q * e_q / (h * h)))
        scale = max(self.largest, self.speed(v))
        return float(size / scale) if scale else (0.0 if size == 0 else np.inf)
