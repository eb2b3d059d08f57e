"""A bar on the terminal for runs that take a while; nothing where there is no terminal."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_WAIT = 2.0  # seconds before a bar is worth showing


@contextmanager
def progress(
    start: float, end: float, wanted: bool | None = None, doing: str = "simulating"
) -> Iterator[Callable[[float], None]]:
    """What to call with the time reached; `wanted` forces the bar on or off."""
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield lambda t: None
        return
    bar = _Bar(start, end, doing)
    try:
        yield bar.reached
    finally:
        bar.close()


class _Bar:
    def __init__(self, start: float, end: float, doing: str) -> None:
        self.doing = doing
        self.start, self.span, self.began = start, end - start, time.monotonic()
        self.bar: object | None = None
        self.update: Callable[[float], None] = lambda share: None

    def reached(self, t: float) -> None:
        if self.bar is None:
            if time.monotonic() - self.began < _WAIT:
                return
            self._open()
        self.update((t - self.start) / self.span)

    def _open(self) -> None:
        from rich.console import Console
        from rich.progress import Progress

        bar = Progress(console=Console(stderr=True), transient=True)
        bar.start()
        task = bar.add_task(self.doing, total=1.0)
        self.bar, self.update = bar, lambda share: bar.update(task, completed=share)
        self.close_bar = bar.stop

    def close(self) -> None:
        if self.bar is not None:
            self.close_bar()
