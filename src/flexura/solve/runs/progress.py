"""A bar for runs that take a while, on a terminal or in a notebook; nothing where nobody looks."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module

_STEP = 0.01  # of the whole, between two pictures of a bar in a notebook
_WAIT = 2.0  # seconds before a bar is worth showing


@contextmanager
def progress(
    start: float, end: float, wanted: bool | None = None, doing: str = "simulating"
) -> Iterator[Callable[[float], None]]:
    """What to call with the time reached; `wanted` forces the bar on or off."""
    if wanted is False or (wanted is None and not (sys.stderr.isatty() or in_notebook())):
        yield lambda t: None
        return
    bar = _Bar(start, end, doing)
    try:
        yield bar.reached
    finally:
        bar.close()


def in_notebook() -> bool:
    """Whether a kernel of Jupyter runs this: its cells show what is displayed, and are no terminal."""
    interactive = sys.modules.get("IPython")
    shell = interactive.get_ipython() if interactive is not None else None
    return getattr(shell, "kernel", None) is not None


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
        if in_notebook():
            self._open_in_cell()
            return
        from rich.console import Console
        from rich.progress import Progress

        bar = Progress(console=Console(stderr=True), transient=True)
        bar.start()
        task = bar.add_task(self.doing, total=1.0)
        self.bar, self.update = bar, lambda share: bar.update(task, completed=share)
        self.close_bar = bar.stop

    def _open_in_cell(self) -> None:
        """An element of the cell's own, which every step writes anew: rich would want widgets."""
        display = import_module("IPython.display")
        cell = display.display(display.HTML(self._element(0.0)), display_id=True)
        self.bar, self.told = cell, 0.0
        self.close_bar = lambda: cell.update(display.HTML(""))

        def update(share: float) -> None:
            if share - self.told >= _STEP:
                self.told = share
                cell.update(display.HTML(self._element(share)))

        self.update = update

    def _element(self, share: float) -> str:
        return f'{self.doing} <progress max="1" value="{share:.3f}"></progress>'

    def close(self) -> None:
        if self.bar is not None:
            self.close_bar()
