"""Equations as Unicode text, and the walk over expressions that every printer shares.

>>> row_text(row, energies)             # 'm_b (q̈1 + q̈2) + K2 q2 = −b q̇2 − EI ∂³q3/∂x³|x=0'
>>> print(rows_text(rows, energies))    # all equations, by section
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from decimal import Context, Decimal

import symengine

from flexura.derivation.equations.layout import (
    GREEK,
    SECTIONS,
    DisplayBlock,
    DisplayOrder,
    Level,
    Style,
    Summand,
    Written,
    name_of,
    name_parts,
)
from flexura.derivation.equations.rows import Row, Sum
from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.engine import ONE, SPINE, WIDTH, Basic, Symbol
from flexura.symbolic.jets import Jet

_DIGITS = 12  # that are shown; what is shown stays exact
_LONG = 10**_DIGITS  # no fraction that anybody wrote
_RAISED = {"sin", "cos", "tan", "sinh", "cosh", "tanh"}


class Printer:
    """Walks the layouts and trees of one system and writes them in one style."""

    def __init__(self, energies: Lagrangian, style: Style) -> None:
        """`energies` say which names are coordinates, fields, given functions and parameters."""
        self.energies, self.layout, self.style = energies, DisplayOrder(energies), style
        self._written: dict[Basic, Written] = {}

    def row(self, row: Row) -> list[str]:
        """An equation in parts between which a line may break; each but the first starts with +, - or =."""
        first, *rest = self.side(row.right)
        parts = [*self.side(row.left), f"= {first}", *rest]
        if row.kind == "partial":
            start, end = self._ends(row.spine)
            parts[-1] += self.style.words[","] + self.style.words["strictlessthan"].join((start.text, "x", end.text))
        return parts

    def side(self, side: Sum) -> list[str]:
        """One side of an equation, in parts."""
        return self._signed((block.negative, self._block(block)) for block in self.layout.side(side))

    def tree(self, f: Basic) -> Written:
        """An expression as it stands."""
        return self._piece(self.layout.oriented(f))

    def _ends(self, name: str) -> tuple[Written, Written]:
        spine = next(one for one in self.energies.spines if one.name == name)
        return self.tree(spine.start), self.tree(spine.end)

    def _block(self, block: DisplayBlock) -> str:
        inner = self._sum(block.groups)
        return self.style.integral(inner, *self._ends(block.spine)).text if block.spine else inner.text

    def _signed(self, summands: Iterable[tuple[bool, str]]) -> list[str]:
        minus, parts = self.style.words["-"], list[str]()
        for negative, text in summands:
            parts.append((f"{minus} " if negative else "+ ") + text if parts else (minus if negative else "") + text)
        return parts or ["0"]

    def _sum(self, groups: Sequence[Summand]) -> Written:
        pieces = [self._group(one) for one in groups]
        if len(groups) == 1 and not groups[0].negative:
            return pieces[0]
        texts = [self._held(piece, Level.BAR) for piece in pieces]
        for start, stop in self.layout.runs(groups):
            texts[start + 1 : stop - 1] = [self.style.words["dots"], *[""] * (stop - start - 3)]
        parts = self._signed((one.negative, text) for one, text in zip(groups, texts, strict=True) if text)
        return Written(" ".join(parts), Level.SUM if groups else Level.ATOM)

    def _group(self, group: Summand) -> Written:
        p, q = self._ratio(group.number)
        above, below = self._folded(group.given)
        moving, under = self._moving(group)
        if under or not moving:
            piece = self._quotient([*p, *above, *moving], [*q, *below, *under])
        elif below:
            piece = self._product([self._quotient([*p, *above], [*q, *below]), *moving])
        else:
            piece = self._product([*([self._quotient(p, q)] if p or q else []), *above, *moving])
        return self.style.bar(piece, self.tree(group.at)) if group.at is not None else piece

    def _moving(self, group: Summand) -> tuple[list[Written], list[Written]]:
        if len(group.members) < 2:
            return self._folded(group.members[0][1] if group.members else ())
        members = ((negative, self._product(self._folded(one)[0]).text) for negative, one in group.members)
        return [Written(" ".join(self._signed(members)), Level.SUM)], []

    def _folded(self, factors: Iterable[Basic]) -> tuple[list[Written], list[Written]]:
        above, below = list[Written](), list[Written]()
        for factor in factors:
            base, exponent = factor.args if isinstance(factor, symengine.Pow) else (factor, ONE)
            inverse = base != symengine.E and isinstance(exponent, symengine.Rational) and exponent < 0
            (below if inverse else above).append(self._piece(base**-exponent if inverse else factor))
        return above, below

    @staticmethod
    def _ratio(number: Basic) -> tuple[list[Written], list[Written]]:
        """Numerator and denominator without ones; a long fraction is one number, shown in twelve digits."""
        if isinstance(number, symengine.Float):
            return [Written(f"{float(number):.{_DIGITS}g}")], []
        p, q = (int(part) for part in number.as_numer_denom())
        decimal = 10**30 % q == 0 and (q > 1000 or p >= 10**_DIGITS)
        if q > 1 and (decimal or q >= _LONG or p >= _LONG * q):
            rounded = Context(_DIGITS)
            return [Written(f"{rounded.normalize(rounded.divide(Decimal(p), Decimal(q))):f}")], []
        return [Written(str(p))] if p != 1 else [], [Written(str(q))] if q != 1 else []

    def _quotient(self, above: Sequence[Written], below: Sequence[Written]) -> Written:
        top = above or [Written("1")]
        return self.style.fraction(top, below) if below else self._product(top)

    def _product(self, pieces: Sequence[Written]) -> Written:
        if len(pieces) == 1:
            return pieces[0]
        return Written(" ".join(self._held(one, Level.QUOTIENT) for one in pieces), Level.PRODUCT)

    def _held(self, piece: Written, level: Level) -> str:
        return piece.text if piece.level >= level else self.style.wrap(piece.text)

    def _piece(self, f: Basic) -> Written:
        if f not in self._written:
            self._written[f] = self._write(f)
        return self._written[f]

    def _write(self, f: Basic) -> Written:
        if isinstance(f, symengine.Symbol):
            return self._symbol(f)
        if isinstance(f, symengine.Pow) and f.args[0] != symengine.E:
            return self._power(*f.args)
        if isinstance(f, symengine.Add | symengine.Mul | symengine.Rational | symengine.Float):
            return self._sum(self.layout.tree(f))
        if isinstance(f, symengine.Piecewise):
            branches = zip(f.args[::2], f.args[1::2], strict=True)
            return self.style.cases([(self._piece(value).text, self._condition(when)) for value, when in branches])
        if not f.args:
            return Written(self.style.words.get(name_of(f), name_of(f)))
        name, arguments = ("exp", f.args[1:]) if isinstance(f, symengine.Pow) else (name_of(f), f.args)
        return self.style.call(name, [self._piece(one).text for one in arguments], "")

    def _power(self, base: Basic, exponent: Basic) -> Written:
        if isinstance(exponent, symengine.Rational) and exponent < 0:
            return self._quotient([], [self._piece(base**-exponent)])
        if exponent == symengine.S.Half:
            return self.style.root(self._piece(base))
        if isinstance(exponent, symengine.Integer) and base.args and name_of(base) in _RAISED:
            return self.style.call(name_of(base), [self._piece(base.args[0]).text], str(exponent))
        return self.style.power(self._piece(base), self._piece(exponent))

    def _condition(self, f: Basic) -> str:
        if not f.args:
            return ""
        if isinstance(f, symengine.And | symengine.Or):
            return self.style.words[name_of(f)].join(map(self._condition, sorted(f.args, key=self.layout.key)))
        return self.style.words[name_of(f)].join(self._piece(one).text for one in f.args)

    def _symbol(self, symbol: Symbol) -> Written:
        if symbol in (SPINE, WIDTH):
            return Written(self.style.words[symbol.name])
        jet = self.layout.jets.find(symbol)
        if jet is None:
            return Written(self.style.name(symbol.name, 0))
        if jet.name in self.energies.inputs:
            return self._input(jet, self.energies.inputs[jet.name])
        alike = jet.name == "x" and self.energies.spines and not jet.t  # a coordinate called as the spine's variable
        piece = self._rate(jet, jet.name in self.energies.fields, "(t)" if alike else "")
        return self.style.bar(piece, self.tree(self.layout.place(jet))) if jet.end else piece

    def _input(self, jet: Jet, of: frozenset[str]) -> Written:
        """A given function with its arguments; one of x alone is differentiated by primes."""
        here = self.tree(self.layout.place(jet)).text if jet.end else "x"
        if of == {"x"}:
            return Written(f"{self.style.name(jet.name, 0)}{self.style.words['prime'] * jet.x}({here})")
        if of == {"t"} or not jet.x + jet.t:
            return self._rate(jet, False, "({})".format(",".join([here] * ("x" in of) + ["t"])))
        piece = self._rate(jet, True, "(x,t)")
        return self.style.bar(piece, Written(here)) if jet.end else piece

    def _rate(self, jet: Jet, partial: bool, arguments: str) -> Written:
        if not partial and jet.t < 3 and (not jet.t or jet.name[0] not in "ij"):  # those have a dot already
            return Written(self.style.name(jet.name, jet.t) + arguments)
        what = self.style.name(jet.name, 0) + arguments
        return self.style.derivative(partial, what, jet.x, jet.t) if jet.x + jet.t else Written(what)


_RAISE = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_UPPER = dict(zip("0123456789abcdehijklmnoprstuvwxyzHLR", "⁰¹²³⁴⁵⁶⁷⁸⁹ᵃᵇᶜᵈᵉʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᴴᴸᴿ", strict=True))
_LOWER = dict(zip("0123456789aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", strict=True))


def _name(name: str, dots: int) -> str:
    head, tail, words = name_parts(name)
    text = "_".join([GREEK.get(head, head) + tail, *(GREEK.get(word, word) for word in words)])
    return unicodedata.normalize("NFC", text[:1] + ("", "\u0307", "\u0308")[dots] + text[1:])


def _order(n: int) -> str:
    return str(n).translate(_RAISE) if n > 1 else ""


def _derivative(partial: bool, text: str, x: int, t: int) -> Written:
    d = "∂" if partial else "d"
    below = "".join(f"{d}{name}{_order(n)}" for name, n in (("x", x), ("t", t)) if n)
    return Written(f"{d}{_order(x + t)}{text}/{below}", Level.QUOTIENT)


def _power(base: Written, exponent: Written) -> Written:
    raised = exponent.text.translate(_RAISE) if exponent.text.isdigit() else f"^({exponent.text})"
    return Written((base.text if base.level == Level.ATOM else f"({base.text})") + raised, Level.POWER)


def _root(inner: Written) -> Written:
    return Written(f"√{inner.text}" if len(inner.text) == 1 else f"√({inner.text})", Level.POWER)


def _fraction(above: Sequence[Written], below: Sequence[Written]) -> Written:
    held = ([one.text if one.level >= Level.POWER else f"({one.text})" for one in side] for side in (above, below))
    top, bottom = map(" ".join, held)
    return Written(f"{top}/({bottom})" if len(below) > 1 else f"{top}/{bottom}", Level.PRODUCT)


def _call(name: str, arguments: Sequence[str], exponent: str) -> Written:
    return Written(
        f"{name}{exponent.translate(_RAISE)}({', '.join(arguments)})", Level.POWER if exponent else Level.ATOM
    )


def _bar(inner: Written, place: Written) -> Written:
    what, where = (f"({one.text})" if one.level == Level.SUM else one.text for one in (inner, place))
    return Written(f"{what}|x={where.replace(' ', '')}", Level.BAR)


def _integral(inner: Written, start: Written, end: Written) -> Written:
    short = start.text in _LOWER and end.text in _UPPER
    limits = f"{_LOWER[start.text]}{_UPPER[end.text]}" if short else f"[{start.text}..{end.text}]"
    what = f"({inner.text})" if inner.level <= Level.BAR else inner.text
    return Written(f"∫{limits} {what} dx", Level.PRODUCT)


def _cases(branches: Sequence[tuple[str, str]]) -> Written:
    written = (f"{value} if {when}" if when else f"{value} otherwise" for value, when in branches)
    return Written("{" + "; ".join(written) + "}")


_SIGNS = {"-": "−", "dots": "⋯", "prime": "′", "$x": "x", "$dx": "Δx", "pi": "π", "E": "e", ",": ",   "}
_WORDS = {"and": " and ", "or": " or "}
_RELATIONS = {"strictlessthan": " < ", "lessthan": " ≤ ", "equality": " = ", "unequality": " ≠ "}
_PRIMITIVES = (_name, _derivative, _power, _root, _fraction, _call, _bar, _integral, _cases, "({})".format)
TEXT = Style(*_PRIMITIVES, _SIGNS | _WORDS | _RELATIONS)


def tree_text(f: Basic, energies: Lagrangian) -> str:
    """An expression as it stands."""
    return Printer(energies, TEXT).tree(f).text


def sum_text(side: Sum, energies: Lagrangian) -> str:
    """One side of an equation, its terms collected."""
    return " ".join(Printer(energies, TEXT).side(side))


def row_text(row: Row, energies: Lagrangian) -> str:
    """One equation on one line."""
    return " ".join(Printer(energies, TEXT).row(row))


def rows_text(rows: Iterable[Row], energies: Lagrangian, width: int = 100) -> str:
    """All equations by section, lines of at most `width` where a sum allows it."""
    printer, found, sections = Printer(energies, TEXT), tuple(rows), []
    for title, kinds in SECTIONS:
        chosen = [(_label(row, printer), row) for row in found if row.kind in kinds]
        column = max((_length(label) for label, _ in chosen), default=0)
        lines = [title]
        for label, row in chosen:
            room = width - column - 5
            parts = (re.split(r" (?=[+−] )", one) if _length(one) > room - 2 else [one] for one in printer.row(row))
            first, *rest = broken([bit for part in parts for bit in part], room, _length)
            lines.append(f"  {label}{' ' * (column - _length(label))}   {first}")
            lines += [" " * (column + 7) + line for line in rest]
        sections += ["\n".join(lines)] if chosen else []
    return "\n\n".join(sections)


def step_text(rows: Iterable[Row], energies: Lagrangian, width: int = 100) -> str:
    """The formulas of a step, one below the other."""
    printer = Printer(energies, TEXT)
    return "\n".join("    " + "\n      ".join(broken(printer.row(row), width - 6, len)) for row in rows)


def broken(parts: Iterable[str], room: int, length: Callable[[str], int]) -> list[str]:
    """Parts joined to lines no longer than `room` (by 2 less after the first) unless a part is."""
    lines = list[str]()
    for part in parts:
        if lines and length(lines[-1]) + 1 + length(part) <= room - 2 * (len(lines) > 1):
            lines[-1] += f" {part}"
        else:
            lines.append(part)
    return lines


def _label(row: Row, printer: Printer) -> str:
    """What stands left of an equation: its coordinate, field or multiplier, or the end it holds at."""
    jet = printer.layout.jets.find(Symbol(row.name))
    return f"x = {printer.tree(printer.layout.place(jet)).text}" if jet and jet.end else _name(row.name, 0)


def _length(text: str) -> int:
    return sum(not unicodedata.combining(letter) for letter in text)
