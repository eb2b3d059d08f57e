"""What a report is made of: sections, paragraphs, formulas, tables, steps and a verdict. Data, no typography.

>>> parts = (Paragraph(("The coordinate is ", Inline("q_{1}"), ".")), Formulas(((r"m \\ddot q_{1} = F",),)))
>>> section = ReportSection("Result", parts)
>>> Report("A mass", (section,))
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True)
class Inline:
    """A formula inside running text, in LaTeX."""

    latex: str


Words: TypeAlias = tuple[str | Inline, ...]
"""Running text with formulas in it."""


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    words: Words


@dataclass(frozen=True)
class Formulas:
    """Displayed formulas, one below the other; each is one or more lines of LaTeX.

    `first` is the number of the first where they are numbered, 0 where they are not.
    """

    formulas: tuple[tuple[str, ...], ...]
    first: int = 0

    def numbered(self) -> list[tuple[int, tuple[str, ...]]]:
        """Each with its number, or 0."""
        return [(self.first + i if self.first else 0, one) for i, one in enumerate(self.formulas)]


@dataclass(frozen=True)
class ReportTable:
    """A table with one head row."""

    head: tuple[str, ...]
    rows: tuple[tuple[Words, ...], ...]


@dataclass(frozen=True)
class ReportVerdict:
    """Whether the proof holds, in one sentence, and the findings behind it."""

    holds: bool
    sentence: str
    findings: tuple[Words, ...]


@dataclass(frozen=True)
class ReportSection:
    """A heading and what stands under it."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Steps:
    """A numbered list; every item is a title and blocks."""

    items: tuple[ReportSection, ...]


@dataclass(frozen=True, eq=False)
class Picture:
    """A Matplotlib figure with what is said of it; `name` is its file's, in formats that keep it beside the text."""

    figure: Any
    caption: str
    name: str = "picture"


Block: TypeAlias = Paragraph | Formulas | Picture | ReportTable | ReportVerdict | ReportSection | Steps


@dataclass(frozen=True)
class Report:
    """A report; files beside it are called after its `stem`."""

    title: str
    sections: tuple[ReportSection, ...]
    stem: str = "report"

    def pictures(self) -> Iterator[Picture]:
        """All pictures, in order."""
        waiting: list[Any] = list(reversed(self.sections))
        while waiting:
            block = waiting.pop()
            if isinstance(block, Picture):
                yield block
            waiting += reversed(getattr(block, "blocks", getattr(block, "items", ())))
