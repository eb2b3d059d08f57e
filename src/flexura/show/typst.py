"""A document in Typst, pictures inside; and as a PDF, where the compiler `typst` is installed.

>>> Path("report.typ").write_text(typst(document), encoding="utf-8")
>>> Path("report.pdf").write_bytes(pdf(document))
"""

from __future__ import annotations

from collections.abc import Iterable

from flexura.derivation.equations.formula.typst import typst_formula
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
from flexura.show.lines import PAGE, wide
from flexura.show.pictures import svg

_PREAMBLE = """#set page(paper: "a4", margin: 25mm, numbering: "1")
#set text(size: 10.5pt)
#set par(justify: false)
#set heading(numbering: none)
#show math.equation.where(block: true): set align(left)
#show math.equation.where(block: true): set block(breakable: true)"""
_TEXT = 10.5  # points


def typst(document: Report) -> str:
    """The whole source; every word is a string, so that nothing in a name is read as markup."""
    title = f'#align(left, text(size: 18pt, weight: "bold", {_string(document.title)}))'
    return (
        "\n\n".join([_PREAMBLE, title, "#outline(title: none, depth: 1)", *_blocks(document.sections, level=1)]) + "\n"
    )


def pdf(document: Report) -> bytes:
    """The document as a PDF."""
    try:
        from typst import compile as compiled
    except ImportError:
        raise FlexuraError(
            "A report in PDF is set by Typst, which is not installed",
            advice="run pip install 'flexura[pdf]', or write .html, .typ, .tex or .md",
        ) from None
    made = compiled(typst(document).encode(), format="pdf")
    assert isinstance(made, bytes)
    return made


def _blocks(blocks: Iterable[Block], level: int) -> Iterable[str]:
    for block in blocks:
        yield from _block(block, level)


def _block(block: Block, level: int) -> Iterable[str]:
    match block:
        case Paragraph(words):
            yield _words(words)
        case Formulas():
            yield from (_formula(number, one) for number, one in block.numbered())
        case ReportTable(head, rows):
            cells = [f"[*{_words((word,))}*]" for word in head]
            cells += [f"[{_words(words)}]" for row in rows for words in row]
            yield f"#table(columns: {len(head)}, stroke: none, table.hline(y: 1), {', '.join(cells)})"
        case ReportVerdict(_, sentence, findings):
            yield "\n".join([f"*{_words((sentence,))}*", "", *(f"- {_words(words)}" for words in findings)])
        case Picture(figure, caption):
            width = min(1.0, figure.get_figwidth() / 6.3)  # of the width of the text, 160 mm
            yield (
                f'#figure(image(bytes({_string(svg(figure))}), format: "svg", width: {100 * width:.0f}%),'
                f" caption: {_string(caption)}, supplement: none, numbering: none)"
            )
        case ReportSection(title, inner):
            yield f"{'=' * level} {_words((title,))}"
            yield from _blocks(inner, level + 1)
        case Steps(items):
            for number, item in enumerate(items, 1):
                yield f"*{_words((f'{number}. {item.title}',))}*"
                yield from _blocks(item.blocks, level + 1)


def _formula(number: int, formula: tuple[str, ...]) -> str:
    """A displayed formula, in letters small enough for its widest line; @equation-3 names the third."""
    size = min(1.0, PAGE / max(map(wide, formula)))
    lines = " \\\n  & quad ".join(map(typst_formula, formula))
    shown = f"$ & {lines} $"
    if number:
        shown = f'#math.equation(block: true, numbering: "(1)", {shown}) <equation-{number}>'
    return shown if size == 1.0 else f"#text(size: {_TEXT * size:.1f}pt)[{shown}]"


def _words(words: Words) -> str:
    return "".join(f"${typst_formula(one.latex)}$" if isinstance(one, Inline) else f"#{_string(one)};" for one in words)


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
