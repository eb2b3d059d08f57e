r"""How wide a formula is on the page, and the lines a long one is broken into.

>>> wide(r"\frac{\partial w}{\partial x}")      # in letters of half an em, about
4
>>> lines(row, energies)                        # each line fits PAGE, where the terms of the row allow it
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from flexura.derivation.equations.latex import LATEX
from flexura.derivation.equations.rows import Row
from flexura.derivation.equations.text import Printer, broken
from flexura.energy.lagrangian import Lagrangian

PAGE = 76
"""Letters in a line: the text of an A4 page in 11 point, and of the HTML page, inside a list of steps."""

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\S")
_FUNCTION = re.compile(r"\\(?:arc)?(?:sin|cos|tan|exp|log|max|min)h?\Z")
_CLEAR = {r"\left", r"\right", r"\dot", r"\ddot", r"\mathit", r"\mathrm", r"\text", r"\operatorname", "&", "{}", "."}
_WIDTHS = {
    **dict.fromkeys("+-=<", 2.4), **dict.fromkeys("ijlrtf", 0.8), **dict.fromkeys("mMWw", 1.6), ",": 0.9, "'": 0.6,
    **dict.fromkeys("()|[]", 1.1), r"\,": 0.4, r"\quad": 2.0, r"\int": 1.9, r"\Delta": 1.7, r"\sqrt": 1.7,
}  # fmt: skip


def lines(row: Row, energies: Lagrangian) -> tuple[str, ...]:
    """An equation in LaTeX, in as many lines as the page needs."""
    return tuple(broken(Printer(energies, LATEX).row(row), PAGE, wide))


def displayed(formula: tuple[str, ...]) -> str:
    """The lines as one formula: the first as it is, the others indented below it."""
    if len(formula) == 1:
        return formula[0]
    body = " \\\\\n& \\quad {} ".join(formula)
    return f"\\begin{{aligned}}\n& {body}\n\\end{{aligned}}"


def wide(latex: str) -> int:
    """About how many letters of half an em a formula takes."""
    return math.ceil(_group(iter(_TOKEN.findall(latex))))


def _group(tokens: Iterator[str]) -> float:
    total = 0.0
    for token in tokens:
        if token == "}":
            break
        total += _one(token, tokens)
    return total


def _one(token: str, tokens: Iterator[str]) -> float:
    if token == "{":
        return _group(tokens)
    if token in ("_", "^"):
        return 0.75 * _one(next(tokens, ""), tokens)
    if token == r"\frac":
        return max(_one(next(tokens, ""), tokens), _one(next(tokens, ""), tokens)) + 0.5
    if token in _CLEAR:
        return 0.0
    if _FUNCTION.match(token):
        return 0.8 * len(token)
    return _WIDTHS.get(token, 1.5 if token.isupper() else 1.1)
