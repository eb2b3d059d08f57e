r"""Equations as LaTeX that amsmath and KaTeX both read.

>>> row_latex(row, energies)        # 'm_{b} \left(\ddot{q}_{1} + \ddot{q}_{2}\right) + K_{2} q_{2} = ...'
>>> rows_latex(rows, energies)      # one aligned environment, sections apart
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from flexura.derivation.equations.layout import GREEK, SECTIONS, Level, Style, Written, name_parts
from flexura.derivation.equations.rows import Row, Sum
from flexura.derivation.equations.text import Printer, broken
from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.engine import Basic

_COMMANDS = {letter: f"\\{name}" for name, letter in GREEK.items()}
# Signs of a name that mean something else in formulas; `formula/tree.py` reads them back.
_RAISED = {"\\": r"\backslash ", "^": r"\wedge ", "~": r"\sim "}
_SPECIAL = re.compile(r"([#$%&{}])")
_INVISIBLE = re.compile(r"\\(?:frac|left|right|d?dot|mathit|mathrm|text|begin|end)\b|[{}_^ ]")
_COMMAND = re.compile(r"\\[A-Za-z]+")
_FUNCTIONS = {"asin": r"\arcsin", "acos": r"\arccos", "atan": r"\arctan", "sign": r"\operatorname{sgn}"}
_KNOWN = {"sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "max", "min"}
_LINE = 90


def _letters(word: str, font: str) -> str:
    """One letter or a number as it is, a Greek letter by its command, longer words upright or slanted as one."""
    letter = GREEK.get(word, word)
    if letter in _COMMANDS:
        return _COMMANDS[letter]
    if word.isalnum():
        return word if len(word) == 1 or word.isdigit() else f"\\{font}{{{word}}}"
    plain = "".join(_RAISED.get(sign) or _SPECIAL.sub(r"\\\1", sign) for sign in word)
    return f"\\{font}{{{plain}}}"


def _name(name: str, dots: int) -> str:
    head, tail, words = name_parts(name)
    text = _letters(head, "mathit") if head else r"\_"
    if dots:
        text = f"\\{'d' * dots}ot{{{text}}}"
    below = ",".join(_letters(word, "mathrm") if word else r"\_" for word in ([tail] if tail else []) + words)
    return f"{text}_{{{below}}}" if below else text


def _order(n: int) -> str:
    return f"^{{{n}}}" if n > 1 else ""


def _derivative(partial: bool, text: str, x: int, t: int) -> Written:
    d = r"\partial" if partial else "d"
    below = " ".join(f"{d} {name}{_order(n)}" for name, n in (("x", x), ("t", t)) if n)
    return Written(rf"\frac{{{d}{_order(x + t)} {text}}}{{{below}}}", Level.QUOTIENT)


def _power(base: Written, exponent: Written) -> Written:
    text = base.text if base.level == Level.ATOM else _wrap(base.text)
    return Written(f"{text}^{{{exponent.text}}}", Level.POWER)


def _root(inner: Written) -> Written:
    return Written(rf"\sqrt{{{inner.text}}}")


def _fraction(above: Sequence[Written], below: Sequence[Written]) -> Written:
    top, bottom = (_factors(side) for side in (above, below))
    return Written(rf"\frac{{{top}}}{{{bottom}}}", Level.QUOTIENT)


def _factors(pieces: Sequence[Written]) -> str:
    alone = len(pieces) == 1
    return " ".join(one.text if alone or one.level > Level.PRODUCT else _wrap(one.text) for one in pieces)


def _call(name: str, arguments: Sequence[str], exponent: str) -> Written:
    inside = ", ".join(arguments)
    if name == "abs":
        return Written(rf"\left|{inside}\right|")
    function = _FUNCTIONS.get(name) or (f"\\{name}" if name in _KNOWN else rf"\operatorname{{{name}}}")
    raised = f"^{{{exponent}}}" if exponent else ""
    return Written(function + raised + _wrap(inside), Level.POWER if exponent else Level.ATOM)


def _bar(inner: Written, place: Written) -> Written:
    text = _wrap(inner.text) if inner.level == Level.SUM else inner.text
    return Written(rf"\left. {text} \right|_{{x={place.text}}}", Level.BAR)


def _integral(inner: Written, start: Written, end: Written) -> Written:
    text = _wrap(inner.text) if inner.level == Level.SUM else inner.text
    return Written(rf"\int_{{{start.text}}}^{{{end.text}}} {text} \,dx", Level.PRODUCT)


def _cases(branches: Sequence[tuple[str, str]]) -> Written:
    written = (f"{value} & " + (rf"\text{{if }} {when}" if when else r"\text{otherwise}") for value, when in branches)
    return Written(r"\begin{cases} " + r" \\ ".join(written) + r" \end{cases}", Level.SUM)


def _wrap(text: str) -> str:
    return rf"\left({text}\right)"


_SIGNS = {
    "-": "-",
    "dots": r"\cdots",
    "prime": "'",
    "$x": "x",
    "$dx": r"\Delta x",
    "pi": r"\pi",
    "E": "e",
    ",": r",\quad ",
}
_LOGIC = {"dots": r"\cdots", "and": r" \text{ and } ", "or": r" \text{ or } "}
_RELATIONS = {"strictlessthan": " < ", "lessthan": r" \le ", "equality": " = ", "unequality": r" \ne "}
_PRIMITIVES = (_name, _derivative, _power, _root, _fraction, _call, _bar, _integral, _cases, _wrap)
LATEX = Style(*_PRIMITIVES, _SIGNS | _LOGIC | _RELATIONS)


def tree_latex(f: Basic, energies: Lagrangian) -> str:
    """An expression as it stands."""
    return Printer(energies, LATEX).tree(f).text


def sum_latex(side: Sum, energies: Lagrangian) -> str:
    """One side of an equation, its terms collected."""
    return " ".join(Printer(energies, LATEX).side(side))


def row_latex(row: Row, energies: Lagrangian) -> str:
    """One equation on one line."""
    return " ".join(Printer(energies, LATEX).row(row))


def rows_latex(rows: Iterable[Row], energies: Lagrangian) -> str:
    """All equations in one aligned environment, section after section; long ones continue on indented lines."""
    printer, found = Printer(energies, LATEX), tuple(rows)
    sections = []
    for _, kinds in SECTIONS:
        chosen = (broken(printer.row(row), _LINE, _length) for row in found if row.kind in kinds)
        sections.append(" \\\\\n".join("& " + " \\\\\n& \\quad {} ".join(lines) for lines in chosen))
    body = " \\\\[1ex]\n".join(section for section in sections if section)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"


def _length(text: str) -> int:
    return len(_COMMAND.sub("x", _INVISIBLE.sub("", text)))
