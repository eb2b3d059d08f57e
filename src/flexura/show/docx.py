"""A document for word processors: headings, tables and equations that can be edited there, pictures inside.

>>> Path("report.docx").write_bytes(docx(document))
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from flexura.derivation.equations.formula.omml import omml
from flexura.errors import FlexuraError
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
from flexura.show.pictures import picture

_WIDTH = 6.3  # inches between the margins of an A4 page
_NO_DATE = datetime(2000, 1, 1)  # the same report is the same file


def docx(document: Report) -> bytes:
    """The whole file."""
    try:
        from docx import Document
    except ImportError:
        raise FlexuraError(
            "A report in .docx is written by python-docx, which is not installed",
            advice="run pip install 'flexura[docx]', or write .html, .typ, .tex or .md",
        ) from None
    written = Document()
    written.core_properties.title = _clean(document.title)[:255]
    written.core_properties.author = ""
    written.core_properties.created = written.core_properties.modified = _NO_DATE
    written.add_heading(_clean(document.title), level=0)
    for section in document.sections:
        written.add_paragraph(_clean(section.title), style="List Bullet")
    _Writer(written).blocks(document.sections, level=1)
    file = io.BytesIO()
    written.save(file)
    return file.getvalue()


class _Writer:
    """Puts blocks at the end of a document."""

    def __init__(self, written: Any) -> None:
        self.written = written

    def blocks(self, blocks: Iterable[Block], level: int) -> None:
        for block in blocks:
            self._block(block, level)

    def _block(self, block: Block, level: int) -> None:
        match block:
            case Paragraph(words):
                _fill(self.written.add_paragraph(), words)
            case Formulas():
                for number, formula in block.numbered():
                    *before, last = formula
                    for line in (*before, rf"{last} \quad \quad ({number})" if number else last):
                        _displayed(self.written.add_paragraph(), line)
            case Picture(figure, caption):
                from docx.shared import Inches

                width = Inches(min(_WIDTH, figure.get_figwidth()))
                self.written.add_picture(io.BytesIO(picture(figure, "png")), width=width)
                self.written.add_paragraph(caption, style="Caption")
            case ReportTable(head, rows):
                self._table(head, rows)
            case ReportVerdict(_, sentence, findings):
                self.written.add_paragraph().add_run(_clean(sentence)).bold = True
                for words in findings:
                    _fill(self.written.add_paragraph(style="List Bullet"), words)
            case ReportSection(title, inner):
                self.written.add_heading(_clean(title), level=min(level, 9))
                self.blocks(inner, level + 1)
            case Steps(items):
                for number, item in enumerate(items, 1):
                    self.written.add_paragraph().add_run(_clean(f"{number}. {item.title}")).bold = True
                    self.blocks(item.blocks, level + 1)

    def _table(self, head: tuple[str, ...], rows: tuple[tuple[Words, ...], ...]) -> None:
        table = self.written.add_table(rows=1, cols=len(head))
        for cell, title in zip(table.rows[0].cells, head, strict=True):
            cell.paragraphs[0].add_run(_clean(title)).bold = True
        for row in rows:
            for cell, words in zip(table.add_row().cells, row, strict=True):
                _fill(cell.paragraphs[0], words)


def _fill(paragraph: Any, words: Words) -> None:
    for word in words:
        if isinstance(word, Inline):
            _formula(paragraph, word.latex)
        else:
            paragraph.add_run(_clean(word))


def _formula(paragraph: Any, latex: str) -> None:
    from docx.oxml import parse_xml

    paragraph._p.append(parse_xml(omml(latex)))


def _displayed(paragraph: Any, latex: str) -> None:
    """On a line of its own, where fractions and integrals are as large as in print."""
    from docx.oxml import OxmlElement, parse_xml

    line = OxmlElement("m:oMathPara")
    line.append(parse_xml(omml(latex)))
    paragraph._p.append(line)


def _clean(text: str) -> str:
    """Without the signs that XML cannot hold."""
    return "".join(sign for sign in text if sign in "\t\n" or ord(sign) >= 32)
