r"""LaTeX as the printers write it, read into a tree; anything else is refused.

>>> read(r"\frac{\partial w}{\partial x}")
(Fraction(above=(Letter('∂'), Letter('w')), below=(Letter('∂'), Letter('x'))),)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

from flexura.derivation.equations.layout import GREEK
from flexura.errors import FlexuraError

Formula: TypeAlias = "tuple[Node, ...]"


@dataclass(frozen=True)
class Letter:
    """A sign or a word; `style` is italic, upright, function or text."""

    text: str
    style: str = "italic"


@dataclass(frozen=True)
class Gap:
    """White space; `wide` is a quad."""

    wide: bool = False


@dataclass(frozen=True)
class Fraction:
    """One formula above another."""

    above: Formula
    below: Formula


@dataclass(frozen=True)
class Root:
    """A square root."""

    inner: Formula


@dataclass(frozen=True)
class Dotted:
    """So many dots over something."""

    inner: Formula
    dots: int


@dataclass(frozen=True)
class Fenced:
    """Between delimiters as high as it is; "" is none."""

    left: str
    inner: Formula
    right: str


@dataclass(frozen=True)
class Scripted:
    """Something with an index, an exponent, or limits."""

    base: Node
    below: Formula = ()
    above: Formula = ()


@dataclass(frozen=True)
class Branches:
    """Values, each with its condition."""

    rows: tuple[tuple[Formula, Formula], ...]


Node: TypeAlias = Letter | Gap | Fraction | Root | Dotted | Fenced | Scripted | Branches

_NAMED = {r"\backslash": "\\", r"\wedge": "^", r"\sim": "~"}
"""Signs that names hold and formulas do not, by the commands that `latex.py` writes for them."""
_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[0-9]+(?:\.[0-9]+)?|\S")
_SIGNS = {
    r"\partial": "∂", r"\int": "∫", r"\le": "≤", r"\ne": "≠", r"\cdot": "·", r"\cdots": "⋯",
    r"\infty": "∞", r"\pi": "π",
    **{rf"\{name}": letter for name, letter in GREEK.items()},
}  # fmt: skip
_WORDS = {r"\mathit": "italic", r"\mathrm": "upright", r"\text": "text", r"\operatorname": "function"}
_FUNCTIONS = {"sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "max", "min", "arcsin", "arccos", "arctan"}
_DOTS = {r"\dot": 1, r"\ddot": 2, r"\dddot": 3, r"\ddddot": 4}


def read(latex: str) -> Formula:
    """The tree of one formula, or of one line of a long one."""
    return _Reader(_spaced(latex)).formula()


def _spaced(latex: str) -> list[str]:
    """Tokens; what stands in \\text{...} keeps its spaces as one token."""
    tokens: list[str] = []
    for part in re.split(r"(\\text\{[^{}]*\})", latex):
        if part.startswith(r"\text{"):
            tokens += [r"\text", "{", part[6:-1], "}"]
        else:
            tokens += _TOKEN.findall(part)
    return tokens


class _Reader:
    """Reads tokens from left to right."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.position = tokens, 0

    def formula(self, *ends: str) -> Formula:
        """Up to one of these tokens, which stays; to the end if there are none."""
        nodes: list[Node] = []
        while self.position < len(self.tokens) and self.tokens[self.position] not in ends:
            nodes += self._scripted(self._node())
        return tuple(nodes)

    def _take(self) -> str:
        if self.position >= len(self.tokens):
            raise FlexuraError("A formula ends in the middle", advice="this is a fault of the report's writer")
        self.position += 1
        return self.tokens[self.position - 1]

    def _next(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def _group(self) -> Formula:
        """What stands in braces, or one thing."""
        if self._next() != "{":
            return tuple(self._node())
        self._take()
        inner = self.formula("}")
        self._take()
        return inner

    def _word(self) -> str:
        """Letters in braces, as they are."""
        self._take()
        word = ""
        while self._next() != "}":
            token = self._take()
            escaped = token.startswith("\\") and len(token) == 2
            word += _NAMED.get(token) or (token[1:] if escaped else token)
        self._take()
        return word

    def _scripted(self, nodes: list[Node]) -> list[Node]:
        below: Formula = ()
        above: Formula = ()
        while self._next() in ("_", "^"):
            if self._take() == "_":
                below = self._group()
            else:
                above = self._group()
        if not (below or above):
            return nodes
        base = nodes[-1] if nodes else Gap()
        return [*nodes[:-1], Scripted(base, below, above)]

    def _node(self) -> list[Node]:
        token = self._take()
        if token == "{":
            self.position -= 1
            return list(self._group())
        if token in _WORDS:
            return [Letter(self._word(), _WORDS[token])]
        if token in _SIGNS:
            return [Letter(_SIGNS[token])]
        if token in _DOTS:
            return [Dotted(self._group(), _DOTS[token])]
        if token == r"\frac":
            return [Fraction(self._group(), self._group())]
        if token == r"\sqrt":
            return [Root(self._group())]
        if token == r"\left":
            return [self._fenced()]
        if token == r"\begin":
            return [self._branches()]
        if token in (r"\,", r"\quad", r"\ "):
            return [Gap(wide=token == r"\quad")]
        if token.startswith("\\") and token[1:] in _FUNCTIONS:
            return [Letter(token[1:], "function")]
        if token.startswith("\\") and len(token) == 2 and not token[1].isalpha():
            return [Letter(token[1])]
        if token.startswith("\\"):
            raise FlexuraError(f"A formula holds {token}", advice="write the report as .html or .tex, which read it")
        return [Letter(token)]

    def _fenced(self) -> Node:
        left = self._take()
        inner = self.formula(r"\right")
        self._take()
        right = self._take()
        return Fenced(left.strip("."), inner, right.strip("."))

    def _branches(self) -> Node:
        if self._word() != "cases":
            raise FlexuraError("A formula holds an environment that is not cases", advice="write .html or .tex")
        rows = []
        while self._next() != r"\end":
            value = self.formula("&")
            self._take()
            when = self.formula(r"\\", r"\end")
            if self._next() == r"\\":
                self._take()
            rows.append((value, when))
        self._take()
        self._word()
        return Branches(tuple(rows))
