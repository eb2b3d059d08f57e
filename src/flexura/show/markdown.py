"""A document as Markdown with LaTeX formulas between dollars, as GitHub, Jupyter and pandoc read them.

>>> Path("report.md").write_text(markdown(document), encoding="utf-8")
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from flexura.show.document import (
    Block,
    Formulas,
    Inline,
    Paragraph,
    Picture,
    Report,
    ReportSection,
    ReportTable,
    ReportVerdict,
    Steps,
    Words,
)
from flexura.show.lines import displayed

_SPECIAL = re.compile(r"([\\`*_\[\]<>|$#~^])")


def markdown(document: Report) -> str:
    """The whole text."""
    found = (f"- [{_escape(one.title)}](#{one.title.lower().replace(' ', '-')})" for one in document.sections)
    contents = "\n".join(found)
    return "\n\n".join([f"# {_escape(document.title)}", contents, *_blocks(document.sections, 2, document.stem)]) + "\n"


def _blocks(blocks: Iterable[Block], level: int, stem: str) -> Iterable[str]:
    for block in blocks:
        yield from _block(block, level, stem)


def _block(block: Block, level: int, stem: str) -> Iterable[str]:
    match block:
        case Paragraph(words):
            yield _words(words)
        case Formulas():
            tags = ((f"\n\\tag{{{number}}}" if number else "", one) for number, one in block.numbered())
            yield from (f"$$\n{displayed(one)}{tag}\n$$" for tag, one in tags)
        case Picture(_, caption, name):
            yield f"![{_escape(caption)}](<{stem}-{name}.svg>)"
        case ReportTable(head, rows):
            rule = "|".join("---" for _ in head)
            yield "\n".join([_row((one,) for one in head), f"|{rule}|", *map(_row, rows)])
        case ReportVerdict(_, sentence, findings):
            yield "\n".join(
                f"> {line}" for line in (f"**{_escape(sentence)}**", "", *(f"- {_words(one)}" for one in findings))
            )
        case ReportSection(title, inner):
            yield f"{'#' * level} {_escape(title)}"
            yield from _blocks(inner, level + 1, stem)
        case Steps(items):
            for number, item in enumerate(items, 1):
                yield f"{'#' * level} {number}. {_escape(item.title)}"
                yield from _blocks(item.blocks, level + 1, stem)


def _words(words: Words) -> str:
    return "".join(f"${one.latex}$" if isinstance(one, Inline) else _escape(one) for one in words)


def _row(row: Iterable[Words]) -> str:
    return f"| {' | '.join(map(_words, row))} |"


def _escape(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
