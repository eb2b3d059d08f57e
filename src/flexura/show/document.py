"""What a report is made of: sections, paragraphs, formulas, tables, steps and a verdict. Data, no typography.

>>> Section("Result", (Paragraph(("The coordinate is ", Inline("q_{1}"), ".")), Formulas(((r"m \\ddot q_{1} = F",),))))
>>> Document("A mass", (section,))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


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
    """Displayed formulas, one below the other; each is one or more lines of LaTeX."""

    formulas: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Table:
    """A table with one head row."""

    head: tuple[str, ...]
    rows: tuple[tuple[Words, ...], ...]


@dataclass(frozen=True)
class Verdict:
    """Whether the proof holds, in one sentence, and the findings behind it."""

    holds: bool
    sentence: str
    findings: tuple[Words, ...]


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Steps:
    """A numbered list; every item is a title and blocks."""

    items: tuple[Section, ...]


Block: TypeAlias = Paragraph | Formulas | Table | Verdict | Section | Steps


@dataclass(frozen=True)
class Document:
    """A report."""

    title: str
    sections: tuple[Section, ...]
