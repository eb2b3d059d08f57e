"""One limit of time for all that a question takes: looks, runs, and what is worked out afterwards.

>>> deadline = Deadline(5.0)
>>> deadline.check(t)        # raises OutOfTime when five seconds have passed
>>> with preparing(deadline):
...     between_pieces()         # so does this, deep in what makes equations ready and is handed no deadline
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
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
                f"The run reached its limit of {self.seconds:g} s at t = {t:.6g}",
                advice="raise max_seconds, loosen the tolerance, or give order= to save the search for it",
            )


_PREPARING: ContextVar[Deadline | None] = ContextVar("preparing", default=None)


@contextmanager
def preparing(deadline: Deadline) -> Iterator[None]:
    """Hold what makes equations ready for a run to its limit."""
    before = _PREPARING.set(deadline)
    try:
        yield
    finally:
        _PREPARING.reset(before)


def between_pieces() -> None:
    """Raise if time is up: called between pieces of long work."""
    deadline = _PREPARING.get()
    if deadline is not None and deadline.over:
        raise OutOfTime(
            f"The limit of {deadline.seconds:g} s was reached before the first step, while the equations were made"
            " ready",
            advice="raise max_seconds",
        )


def out_of_time(t: float) -> str:
    """The sentence of a run that must end at t because its time is up; nothing where there is time left."""
    deadline = _PREPARING.get()
    if deadline is None or not deadline.over:
        return ""
    return (
        f"The run reached its limit of {deadline.seconds:g} s at t = {t:.6g}; raise max_seconds, or loosen the"
        " tolerance."
    )
