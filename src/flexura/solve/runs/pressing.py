"""What a stop that gives way pushes with, in numbers: by its depth and the rate of it.

    >>> pressing = Pressing.of(law, stored, "floor")
    >>> pressing.push(0.01, 0.2), pressing.elastic(0.01), pressing.stored(0.01)

What it would push with at rest is stored; the rest of its force is lost. Steps look a little to the other side of the
surface: there what is elastic is the mirror image, and the rest goes on, so that nothing has a corner at no depth.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import copysign

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.symbolic.engine import ZERO, Basic
from flexura.symbolic.kinematics.motion import STRETCH, STRETCH_RATE
from flexura.symbolic.machine import machine_function

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Pressing:
    """The force of a compliant stop; `damped` if it depends on the rate."""

    name: str
    compiled: Callable[[Array], Array]  # of (depth, rate): push, push at rest, what is stored
    damped: bool

    @classmethod
    def of(cls, law: Basic, stored: Basic, name: str) -> Pressing:
        """From trees in STRETCH and STRETCH_RATE, and numbers."""
        trees = [law, law.xreplace({STRETCH_RATE: ZERO}), stored]
        return cls(name, machine_function([STRETCH, STRETCH_RATE], trees), STRETCH_RATE in law.free_symbols)

    def push(self, depth: float, rate: float) -> float:
        """What it would push with, if it could pull too."""
        push, elastic, _ = self._at(abs(depth), rate)
        return push - elastic + copysign(elastic, depth)

    def elastic(self, depth: float) -> float:
        """The part of it that is stored; none outside."""
        return self._at(depth, 0.0)[1] if depth > 0 else 0.0

    def stored(self, depth: float) -> float:
        """What it stores; nothing outside."""
        return self._at(depth, 0.0)[2] - self._at(0.0, 0.0)[2] if depth > 0 else 0.0

    def _at(self, depth: float, rate: float) -> tuple[float, float, float]:
        push, elastic, stored = np.asarray(self.compiled(np.array([depth, rate])), dtype=np.float64).ravel().tolist()
        if not np.isfinite(push + elastic + stored):
            raise FlexuraError(
                f"The law of the stop {self.name} is not finite at the depth {depth:.6g} and the rate {rate:.6g}",
                advice="write one that is finite from no depth on",
                part=self.name,
                keyword="law",
            )
        return push, elastic, stored
