"""Random choices that can be made again: one number, one machine."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """A generator that knows sizes; the same on every machine and Python."""

    def __init__(self, number: int, what: str = "") -> None:
        self._random = random.Random(f"{number} {what}")

    def pick(self, choices: Sequence[T]) -> T:
        return choices[self._random.randrange(len(choices))]

    def chance(self, share: float) -> bool:
        return self._random.random() < share

    def integer(self, low: int, high: int) -> int:
        return self._random.randint(low, high)

    def uniform(self, low: float, high: float) -> float:
        return low + (high - low) * self._random.random()

    def size(self, low: float, high: float) -> float:
        """A number of three digits, evenly spread over the powers of ten."""
        return float(f"{math.exp(self.uniform(math.log(low), math.log(high))):.3g}")
