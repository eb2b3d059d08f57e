"""How results show themselves: one line as `repr`, what the command line prints as text, a picture in a notebook.

>>> class Modes(Displayed):
...     def summary(self): return "3 modes from 1.2 to 40 rad/s"
...     def told(self): yield Table(("mode", "rad/s"), rows); yield str(self.certificate)

A result imports nothing that draws: what draws it is asked for by name, when a notebook asks for a picture.
"""

from __future__ import annotations

import html
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module

SHOWN = 40
"""Rows of a result's table that are shown; of longer ones the first and the last."""
_LAST = 5
_PAINTER = "flexura.show.notebook"


@dataclass(frozen=True)
class Table:
    """Columns of text that line up on the right: `print(Table(("mode", "rad/s"), [("1", "3.5")]))`."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]

    def __str__(self) -> str:
        lines = [self.head, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
        )

    def html(self) -> str:
        """The same for a notebook; what stands in a cell is text, never markup."""
        head = "".join(f"<th>{html.escape(cell)}</th>" for cell in self.head)
        rows = ("".join(f"<td>{html.escape(cell)}</td>" for cell in row) for row in self.rows)
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def short(self) -> Table:
        """Its first and last rows, where there are many."""
        if len(self.rows) <= SHOWN:
            return self
        left_out = (f"({len(self.rows) - SHOWN + 1} more)", *[""] * (len(self.head) - 1))
        return Table(self.head, (*self.rows[: SHOWN - _LAST - 1], left_out, *self.rows[-_LAST:]))


class Displayed(ABC):
    """A result that shows itself; it says `summary`, one line, and `told`, tables and sentences."""

    __slots__ = ()

    @property
    def is_drawn(self) -> bool:
        """Whether a notebook shows a picture of it, too."""
        return False

    @abstractmethod
    def summary(self) -> str:
        """What this is, in one line."""

    def told(self) -> Iterator[Table | str]:
        """What `print` shows below one another."""
        yield self.summary()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.summary()}>"

    def __str__(self) -> str:
        return "\n\n".join(str(part.short() if isinstance(part, Table) else part) for part in self.told())

    def _repr_html_(self) -> str:
        parts = (part.short().html() if isinstance(part, Table) else paragraph(part) for part in self.told())
        return "\n".join(filter(None, (picture_element(self) if self.is_drawn else "", *parts)))


def paragraph(text: str) -> str:
    """Text for a notebook, its lines kept."""
    return f'<p style="white-space: pre-wrap">{html.escape(text)}</p>'


def counted(count: int, thing: str, several: str = "") -> str:
    """Like "1 mode", "3 modes", "no modes"."""
    return f"{count or 'no'} {thing if count == 1 else several or f'{thing}s'}"


def picture_element(result: object) -> str:
    """The result drawn, as an element of a page."""
    text: str = import_module(_PAINTER).picture_of(result)
    return text
