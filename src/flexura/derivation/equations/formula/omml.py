"""Formulas in the mathematics of Office documents (OMML, ECMA-376 part 1, chapter 22).

>>> omml((r"m \\ddot{q} = F",))        # the element m:oMath, as text
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

NAMESPACE = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
_DOTS = {1: "\u0307", 2: "\u0308", 3: "\u20db", 4: "\u20dc"}
_PLAIN = ("upright", "text", "function")


def omml(latex: str) -> str:
    """One formula as an element of a paragraph."""
    return f"<m:oMath {NAMESPACE}>{_row(read(latex))}</m:oMath>"


def _row(formula: Formula) -> str:
    return "".join(_node(node) for node in formula)


def _node(node: Node) -> str:
    match node:
        case Letter(text, style):
            return _run(text, plain=style in _PLAIN)
        case Gap(wide):
            return _run("\u2003" if wide else "\u2009", plain=True)
        case Fraction(above, below):
            return f"<m:f>{_part('num', above)}{_part('den', below)}</m:f>"
        case Root(inner):
            return f'<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>{_part("e", inner)}</m:rad>'
        case Dotted(inner, dots):
            return f'<m:acc><m:accPr><m:chr m:val="{_DOTS[dots]}"/></m:accPr>{_part("e", inner)}</m:acc>'
        case Fenced(left, inner, right):
            ends = f'<m:begChr m:val="{escape(left)}"/><m:endChr m:val="{escape(right)}"/>'
            return f"<m:d><m:dPr>{ends}</m:dPr>{_part('e', inner)}</m:d>"
        case Scripted(base, below, above):
            return _scripted(base, below, above)
        case Branches(rows):
            lines = "".join(_part("e", (*value, Gap(wide=True), *when)) for value, when in rows)
            return (
                '<m:d><m:dPr><m:begChr m:val="{"/><m:endChr m:val=""/></m:dPr>'
                f"<m:e><m:eqArr>{lines}</m:eqArr></m:e></m:d>"
            )


def _scripted(base: Node, below: Formula, above: Formula) -> str:
    kind, parts = {
        (True, True): ("sSubSup", (("sub", below), ("sup", above))),
        (True, False): ("sSub", (("sub", below),)),
        (False, True): ("sSup", (("sup", above),)),
    }[bool(below), bool(above)]
    scripts = "".join(_part(name, formula) for name, formula in parts)
    return f"<m:{kind}>{_part('e', (base,))}{scripts}</m:{kind}>"


def _part(name: str, formula: Formula) -> str:
    return f"<m:{name}>{_row(formula)}</m:{name}>"


def _run(text: str, plain: bool) -> str:
    style = '<m:rPr><m:sty m:val="p"/></m:rPr>' if plain else ""
    return f'<m:r>{style}<m:t xml:space="preserve">{escape(text)}</m:t></m:r>'
