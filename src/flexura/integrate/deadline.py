"""One limit of time for all that a question takes: looks, runs, and what is worked out afterwards.

>>> deadline = Deadline(5.0)
>>> deadline.check(t)        # raises OutOfTime when five seconds have passed
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from flexura.errors import FlexuraError


class OutOfTime(FlexuraError):
    """A run used up the time it was given."""


@dataclass(frozen=True)
class Deadline:
    """Seconds from when it was made."""

    seconds: float = float("inf")
    began: float = field(default_factory=lambda: time.monotonic())

    @property
    def spent(self) -> float:
        """Seconds that have passed."""
        return time.monotonic() - self.began

    def share(self, part: float) -> Deadline:
        """A part of it, for what comes first."""
        return Deadline(part * self.seconds, self.began)

    @property
    def over(self) -> bool:
        """Whether they have passed."""
        return self.spent > self.seconds

    def check(self, t: float, reserve: float = 0.0) -> None:
        """Raise if what is left is less than is needed afterwards."""
        if self.spent + reserve > self.seconds:
            raise OutOfTime(
                f"The run reached its limit of {self.seconds:g} s at t = {t:.6g}; raise max_seconds, loosen the"
                " tolerance, or give order= to save the search for it."
            )
