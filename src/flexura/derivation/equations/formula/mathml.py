"""Formulas in presentation MathML, as browsers and word processors read it.

>>> mathml(r"m \\ddot{q} = F")            # '<math xmlns="..." display="block"><mi>m</mi>...'
"""

from __future__ import annotations

from xml.sax.saxutils import escape

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

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
_DOTS = {1: "˙", 2: "¨", 3: "⃛", 4: "⃜"}


def mathml(latex: str) -> str:
    """One formula as an element."""
    return f'<math xmlns="{NAMESPACE}" display="block">{_row(read(latex))}</math>'


def _row(formula: Formula) -> str:
    return "".join(_node(node) for node in formula)


def _one(formula: Formula) -> str:
    """A formula where a single element is expected."""
    written = [_node(node) for node in formula]
    return written[0] if len(written) == 1 else f"<mrow>{''.join(written)}</mrow>"


def _node(node: Node) -> str:
    match node:
        case Letter(text, style):
            return _letter(text, style)
        case Gap(wide):
            return f'<mspace width="{"1em" if wide else "0.17em"}"/>'
        case Fraction(above, below):
            return f"<mfrac>{_one(above)}{_one(below)}</mfrac>"
        case Root(inner):
            return f"<msqrt>{_row(inner)}</msqrt>"
        case Dotted(inner, dots):
            return f'<mover accent="true">{_one(inner)}<mo>{_DOTS[dots]}</mo></mover>'
        case Fenced(left, inner, right):
            ends = [f'<mo fence="true">{escape(one)}</mo>' if one else "" for one in (left, right)]
            return f"<mrow>{ends[0]}{_row(inner)}{ends[1]}</mrow>"
        case Scripted(base, below, above):
            return _scripted(base, below, above)
        case Branches(rows):
            lines = "".join(f"<mtr><mtd>{_row(value)}</mtd><mtd>{_row(when)}</mtd></mtr>" for value, when in rows)
            return f'<mrow><mo fence="true">{{</mo><mtable columnalign="left">{lines}</mtable></mrow>'


def _scripted(base: Node, below: Formula, above: Formula) -> str:
    inner = _node(base)
    if below and above:
        return f"<msubsup>{inner}{_one(below)}{_one(above)}</msubsup>"
    if below:
        return f"<msub>{inner}{_one(below)}</msub>"
    return f"<msup>{inner}{_one(above)}</msup>" if above else inner


def _letter(text: str, style: str) -> str:
    if style == "text":
        return f"<mtext>{escape(text)}</mtext>"
    if text[0].isdigit():
        return f"<mn>{escape(text)}</mn>"
    if not text[0].isalpha() and text not in ("∂", "∞"):
        return f"<mo>{escape(text)}</mo>"
    upright = ' mathvariant="normal"' if style in ("upright", "function") and len(text) == 1 else ""
    return f"<mi{upright}>{escape(text)}</mi>"
