"""A document as one HTML file that needs nothing else: KaTeX, its fonts and the styles are inside.

>>> Path("report.html").write_text(html(document), encoding="utf-8")
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files

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
from flexura.show.pictures import picture

_FONT_FACE = re.compile(r"@font-face\{[^}]*?url\(fonts/([\w-]+\.woff2)\)[^}]*\}")
_SOURCES = re.compile(r"src:[^;}]*")


def html(document: Report) -> str:
    """The whole page."""
    title = escape(document.title)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        # The page cannot load anything, even by mistake.
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline';"
        " style-src 'unsafe-inline'; font-src data:; img-src data:\">",
        f"<title>{title}</title>",
        f"<!-- The formulas are set by KaTeX.\n\n{_data('katex', 'LICENSE')}-->",
        f"<style>{_katex_css()}</style>",
        f"<style>\n{_data('page', 'page.css')}</style>",
        "</head>",
        "<body>",
        f"<h1>{title}</h1>",
        *_contents(document),
        *(line for number, one in enumerate(document.sections, 1) for line in _section(one, 2, f"section-{number}")),
        f"<script>{_data('katex', 'katex.min.js')}</script>",
        f"<script>\n{_data('page', 'page.js')}</script>",
        "</body>",
        "</html>",
    ]
    return "\n".join(parts) + "\n"


def _blocks(blocks: Iterable[Block], level: int) -> Iterable[str]:
    for block in blocks:
        yield from _block(block, level)


def _block(block: Block, level: int) -> Iterable[str]:
    match block:
        case Paragraph(words):
            yield f"<p>{_words(words)}</p>"
        case Formulas():
            yield '<div class="formulas">'
            yield from (_formula(number, one) for number, one in block.numbered())
            yield "</div>"
        case Picture(figure, caption):
            data = base64.b64encode(picture(figure, "svg")).decode("ascii")
            yield f'<figure><img src="data:image/svg+xml;base64,{data}" alt="{escape(caption)}">'
            yield f"<figcaption>{escape(caption)}</figcaption></figure>"
        case ReportTable(head, rows):
            yield f"<table><thead>{_row('th', ((one,) for one in head))}</thead>"
            yield "<tbody>"
            yield from (_row("td", row) for row in rows)
            yield "</tbody></table>"
        case ReportVerdict(holds, sentence, findings):
            yield f'<div class="verdict {"holds" if holds else "fails"}"><p>{escape(sentence)}</p><ul>'
            yield from (f"<li>{_words(words)}</li>" for words in findings)
            yield "</ul></div>"
        case ReportSection():
            yield from _section(block, level)
        case Steps(items):
            yield '<ol class="steps">'
            for item in items:
                yield f"<li><h{level}>{escape(item.title)}</h{level}>"
                yield from _blocks(item.blocks, level + 1)
                yield "</li>"
            yield "</ol>"


def _contents(document: Report) -> Iterable[str]:
    """Where each section is."""
    yield '<nav aria-label="contents"><ol>'
    for number, one in enumerate(document.sections, 1):
        yield f'<li><a href="#section-{number}">{escape(one.title)}</a></li>'
    yield "</ol></nav>"


def _section(section: ReportSection, level: int, name: str = "") -> Iterable[str]:
    yield f"<section{f' id={chr(34)}{name}{chr(34)}' if name else ''}><h{level}>{escape(section.title)}</h{level}>"
    yield from _blocks(section.blocks, level + 1)
    yield "</section>"


def _formula(number: int, formula: tuple[str, ...]) -> str:
    """With its number, if it has one, by which it is found: report.html#equation-3."""
    called = f' id="equation-{number}" data-number="{number}"' if number else ""
    return f'<div class="formula"{called}>{escape(displayed(formula))}</div>'


def _words(words: Words) -> str:
    return "".join(
        f'<span class="inline">{escape(one.latex)}</span>' if isinstance(one, Inline) else escape(one) for one in words
    )


def _row(cell: str, row: Iterable[Words]) -> str:
    return f"<tr>{''.join(f'<{cell}>{_words(words)}</{cell}>' for words in row)}</tr>"


def _data(*path: str) -> str:
    return files("flexura.show").joinpath(*path).read_text(encoding="utf-8")


@cache
def _katex_css() -> str:
    """KaTeX's styles with the packed fonts inside; the faces of fonts that equations never use are left out."""
    return _FONT_FACE.sub(_embedded, _data("katex", "katex.min.css"))


def _embedded(face: re.Match[str]) -> str:
    font = files("flexura.show").joinpath("katex", "fonts", face[1])
    if not font.is_file():
        return ""
    letters = base64.b64encode(font.read_bytes()).decode("ascii")
    return _SOURCES.sub(f'src:url(data:font/woff2;base64,{letters}) format("woff2")', face[0])
