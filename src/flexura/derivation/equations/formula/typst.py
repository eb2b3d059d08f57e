"""Formulas in Typst's mathematics.

>>> typst_formula(r"m \\ddot{q}_{1} = F")
'm attach(dot.double(q), b: 1) = F'
"""

from __future__ import annotations

import re

from flexura.derivation.equations.formula.tree import (
    Branches,
    Dotted,
    Fenced,
    Formula,
    Fraction,
    Gap,
    Letter,
    Node,
    Root,
    Scripted,
    read,
)

_DOTS = {1: "dot", 2: "dot.double", 3: "dot.triple", 4: "dot.quad"}
_SPECIAL = re.compile(r"([\\/#$_^&\"`@,;*~()\[\]{}|<>'!.:-])")
"""Signs that mean something to Typst in mathematics; a backslash before them makes them signs again."""


def typst_formula(latex: str) -> str:
    """A formula between dollars is this."""
    return _row(read(latex))


def _row(formula: Formula) -> str:
    return " ".join(_node(node) for node in formula)


def _node(node: Node) -> str:
    match node:
        case Letter(text, style):
            return _letter(text, style)
        case Gap(wide):
            return "quad" if wide else "thin"
        case Fraction(above, below):
            return f"frac({_row(above)}, {_row(below)})"
        case Root(inner):
            return f"sqrt({_row(inner)})"
        case Dotted(inner, dots):
            return f"{_DOTS[dots]}({_row(inner)})"
        case Fenced(left, inner, right):
            return f"lr({_sign(left)} {_row(inner)} {_sign(right)})"
        case Scripted(base, below, above):
            given = "".join(f", {key}: {_row(script)}" for key, script in (("b", below), ("t", above)) if script)
            return f"attach({_node(base)}{given})"
        case Branches(rows):
            return f"cases({', '.join(f'{_row(value)} & {_row(when)}' for value, when in rows)})"


def _letter(text: str, style: str) -> str:
    quoted = '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if style == "function":
        return f"op({quoted})"
    if style in ("upright", "text"):
        return quoted
    if len(text) > 1 and not text[0].isdigit():
        return f"italic({quoted})"
    return text if text in ("-", ".") or text[0].isdigit() else _sign(text)


def _sign(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
