"""A document as a LaTeX article; amsmath, geometry, graphicx and longtable are all it loads.

>>> Path("report.tex").write_text(tex(document), encoding="utf-8")
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from unicodedata import normalize

from flexura.derivation.equations.layout import GREEK
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
from flexura.show.lines import PAGE, displayed, wide

_PREAMBLE = r"""\documentclass[a4paper,11pt,fleqn]{article}
\usepackage[utf8]{inputenc}
\usepackage[margin=25mm]{geometry}
\usepackage{amsmath,longtable,graphicx}
\allowdisplaybreaks
\setlength{\parindent}{0pt}
\setlength{\parskip}{6pt}
\setlength{\mathindent}{1em}
% A picture in its own size, or as wide as the text.
\newsavebox{\picturebox}
\newcommand{\shown}[1]{\sbox{\picturebox}{\includegraphics{#1}}%
  \ifdim\wd\picturebox>\linewidth\includegraphics[width=\linewidth]{#1}\else\usebox{\picturebox}\fi}"""

_ESCAPES = str.maketrans({
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": "$<$", ">": "$>$", "|": "$|$", '"': "''", "−": "$-$",
    **{letter: rf"$\{name}$" for name, letter in GREEK.items()},
    **{raised: f"$^{digit}$" for digit, raised in zip("0456789", "⁰⁴⁵⁶⁷⁸⁹", strict=True)},  # inputenc knows ¹²³
})  # fmt: skip
_OTHERS = re.compile(r"[^\x00-\x7f]+")
_SIGNS = frozenset("ßæœøÆŒØ¹²³°·×÷±§©£…–—‘’“”")
_SIZES = (("", 1.0), (r"\small", 0.91), (r"\footnotesize", 0.82), (r"\scriptsize", 0.73), (r"\tiny", 0.55))
"""LaTeX's sizes of letters, as parts of 11 point."""
_LEVELS = ("section", "subsection", "subsubsection", "paragraph")


def tex(document: Report) -> str:
    """The whole source."""
    parts = [
        _PREAMBLE,
        r"\begin{document}",
        rf"{{\LARGE\bfseries\raggedright {escaped(document.title)}\par}}",
        r"\renewcommand{\contentsname}{Contents}",
        r"\tableofcontents",
        *_blocks(document.sections, level=0, stem=document.stem),
        r"\end{document}",
    ]
    return "\n".join(parts) + "\n"


def _blocks(blocks: Iterable[Block], level: int, stem: str) -> Iterable[str]:
    for block in blocks:
        yield from _block(block, level, stem)


def _block(block: Block, level: int, stem: str) -> Iterable[str]:
    match block:
        case Paragraph(words):
            yield f"\n{_words(words)}"
        case Formulas():
            yield from (_formula(number, one) for number, one in block.numbered())
        case Picture(_, caption, name):
            path = f"{stem}-{name}.pdf"
            shown = rf"\shown{{\detokenize{{{path}}}}}"
            yield rf"\begin{{center}}{shown}\\{escaped(caption)}\end{{center}}"
        case ReportTable(head, rows):
            yield rf"\begin{{longtable}}[l]{{{'l' * len(head)}}}"
            yield f"{_row((one,) for one in head)} \\hline\\noalign{{\\smallskip}}"
            yield from map(_row, rows)
            yield r"\end{longtable}"
        case ReportVerdict(_, sentence, findings):
            yield rf"\textbf{{{escaped(sentence)}}}"
            yield from _list("itemize", ((_words(words),) for words in findings))
        case ReportSection(title, inner):
            yield rf"\{_LEVELS[level]}*{{{escaped(title)}}}"
            if level == 0:
                yield rf"\addcontentsline{{toc}}{{section}}{{{escaped(title)}}}"
            yield from _blocks(inner, level + 1, stem)
        case Steps(items):
            told = ((rf"\textbf{{{escaped(one.title)}}}", *_blocks(one.blocks, level + 1, stem)) for one in items)
            yield from _list("enumerate", told)


def _formula(number: int, formula: tuple[str, ...]) -> str:
    r"""A displayed formula, in letters small enough for its widest line; \eqref{eq:3} names the third."""
    widest = max(map(wide, formula))
    size = next((name for name, scale in _SIZES if widest * scale <= PAGE), _SIZES[-1][0])
    begin, end = (rf"\begin{{equation}}\label{{eq:{number}}}", r"\end{equation}") if number else (r"\[", r"\]")
    shown = f"{begin}\n{mathematics(displayed(formula))}\n{end}"
    return f"{{{size}{shown}}}" if size else shown


def _list(kind: str, items: Iterable[Iterable[str]]) -> Iterable[str]:
    """A list, or nothing: LaTeX refuses an empty one."""
    written = [rf"\item {line}" if i == 0 else line for item in items for i, line in enumerate(item)]
    return [rf"\begin{{{kind}}}", *written, rf"\end{{{kind}}}"] if written else []


def _words(words: Words) -> str:
    return "".join(f"${mathematics(one.latex)}$" if isinstance(one, Inline) else escaped(one) for one in words)


def _row(row: Iterable[Words]) -> str:
    return " & ".join(map(_words, row)) + r" \\"


def escaped(text: str) -> str:
    """Text as LaTeX shows it: nothing in it is a command, and what its letters do not hold is told by its number."""
    return "".join(map(_letter, text)).translate(_ESCAPES)


def mathematics(latex: str) -> str:
    """A formula whose other letters, which come from names, stand in it as text."""
    return _OTHERS.sub(lambda found: rf"\text{{{escaped(found[0])}}}", latex)


def _letter(letter: str) -> str:
    """What pdfLaTeX knows: ASCII, Latin letters with accents, a few signs, and what is escaped here."""
    known = letter.isascii() or ord(letter) in _ESCAPES or letter in _SIGNS
    accented = ord(letter) < 0x180 and normalize("NFD", letter)[0].isascii()
    return letter if (known or accented) and (letter.isprintable() or letter.isspace()) else f"U+{ord(letter):04X}"
