"""How large the next step is, how many there were, and when to give up."""

from __future__ import annotations

from dataclasses import dataclass, field

from flexura.errors import FlexuraError
from flexura.systems.deadline import Deadline
from flexura.systems.signals.scales import Scales


class Stalled(FlexuraError):
    """A run cannot go on: its steps became too small."""


LOOK = "look for a blow-up, an impossible position or an input that jumps there"


def stalled(t: float, why: FlexuraError) -> Stalled:
    """A run that cannot go on for a reason that is known."""
    return Stalled(f"The run stalled at t = {t:.6g}. {why.problem}", advice=why.advice)


@dataclass
class Pace:
    """The step size, carried from one way to step to the next, with counts of what it took."""

    h: float
    largest: float
    accepted: int = 0
    rejected: int = 0
    failures: int = 0  # rejections in a row
    trouble: FlexuraError | None = None  # why the equations could not be evaluated, if that was why
    scales: Scales = field(default_factory=Scales)
    deadline: Deadline = field(default_factory=Deadline)

    def step_to(self, t: float, end: float) -> float:
        """The next step: what the last one advised, stretched or halved so that the end is met without a splinter."""
        left = end - t
        h = min(self.h, self.largest, self.scales.reach(t))
        if h >= left * (1 - 1e-12):
            return left
        return left / 2 if h > 0.6 * left else h

    def alive(self, t: float, h: float) -> None:
        """Raise where steps no longer move time, or time is up."""
        self.deadline.check(t)
        if h <= 1e-14 * max(abs(t), 1e-3 * self.largest) or self.failures > 60:
            if self.trouble:
                raise stalled(t, self.trouble)
            raise Stalled(f"The run stalled at t = {t:.6g}: no step is small enough", advice=LOOK)

    def accept(self, h: float, advice: float) -> None:
        """A step was taken; after a rejection the next one is not larger."""
        self.accepted += 1
        self.h = min(advice, h) if self.failures else advice
        self.failures, self.trouble = 0, None

    def reject(self, advice: float, trouble: FlexuraError | None = None) -> None:
        """A step was too coarse, or led to where the equations cannot be evaluated."""
        self.trouble = trouble and trouble.with_()  # without the frames it was raised in
        self.rejected += 1
        self.failures += 1
        self.h = advice
