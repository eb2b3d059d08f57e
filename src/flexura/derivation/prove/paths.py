"""Random numbers by name, and values that change along a virtual displacement and in time."""

from __future__ import annotations

import random
from dataclasses import dataclass

from flexura.derivation.prove.program import Number, mp


class Draw:
    """Random numbers that depend on a seed and a name only."""

    def __init__(self, seed: int) -> None:
        """Another seed is another state."""
        self.seed = seed
        self._drawn: dict[str, Number] = {}

    def between(self, name: str, low: int, high: int) -> Number:
        """A fraction with few digits."""
        if name not in self._drawn:
            self._drawn[name] = mp.mpf(random.Random(f"{self.seed} {name}").randint(1000 * low, 1000 * high)) / 1000
        return self._drawn[name]

    def any(self, name: str) -> Number:
        """Between -2 and 2, away from zero."""
        found = self.between(name, -2, 2)
        return found if abs(found) > mp.mpf("0.1") else found + mp.mpf("0.7")

    def positive(self, name: str) -> Number:
        """Between 0.5 and 2: for parameters."""
        return self.between(name, 1, 4) / 2


@dataclass(frozen=True)
class Path:
    """Values that change linearly with s and tau."""

    draw: Draw
    size: Number

    def value(self, name: str, s: Number, tau: Number) -> Number:
        """The value, its variation, its rate, and the variation of its rate are four numbers."""
        a, b, c, d = (self.draw.any(f"{name} {kind}") for kind in ("value", "variation", "rate", "both"))
        return self.size * (a + s * b + tau * (c + s * d))

    def given(self, name: str, s: Number, tau: Number) -> Number:
        """The same without value and rate, which something else gives."""
        return self.size * s * (self.draw.any(f"{name} variation") + tau * self.draw.any(f"{name} both"))
