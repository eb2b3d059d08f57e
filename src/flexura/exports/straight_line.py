"""Trees as straight-line code: each branch that is used more than once has a name, in any language.

>>> code = StraightLine(C, {Symbol("q"): "q[0]"})
>>> lines, texts = code.write([sin(q) * q, sin(q)])        # ["const double x0 = sin(q[0]);"], ["q[0]*x0", "x0"]

The text never holds what a user wrote but by the names that are given here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import symengine

from flexura.errors import FlexuraError
from flexura.symbolic.engine import Basic
from flexura.symbolic.values import real_value
from flexura.symbolic.walk import branches

_SHORT = 90  # letters up to which what is used once is written where it is used
_LONG = 12  # terms of a sum that has a name though it is used once
_RELATIONS = {"StrictLessThan": "<", "LessThan": "<=", "Equality": "==", "Unequality": "!="}


@dataclass(frozen=True)
class Language:
    """How a language writes what trees are made of; `functions` by the names the engine has for them."""

    name: str
    assign: str
    functions: Mapping[str, str]
    choose: Callable[[str, str, str], str]
    """(condition, then, else)"""
    join: Mapping[str, str]
    power: str = "{base}**{exponent}"
    sign: str = "sign({x})"
    relations: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Written:
    """Statements as (name, text), and one text for each tree."""

    statements: list[tuple[str, str]]
    texts: list[str]


class _Sums:
    """Sums that have names: a longer one that holds all of their terms is written with them.

    In the slopes of a chain of n links most additions are such, and their number falls by some n.
    """

    def __init__(self) -> None:
        self._places: dict[Basic, int] = {}
        self._by_last: dict[int, list[tuple[int, Basic]]] = {}

    def _held(self, terms: Iterable[Basic]) -> int:
        """Terms as the bits of a number."""
        held = 0
        for one in terms:
            held |= 1 << self._places.setdefault(one, len(self._places))
        return held

    def add(self, one: Basic) -> None:
        """A sum that has a name from now on."""
        held = self._held(one.args)
        self._by_last.setdefault(held.bit_length(), []).append((held, one))

    def within(self, one: Basic) -> list[Basic]:
        """The known sums whose terms a sum holds, the longest first."""
        left = self._held(one.args)
        found = [
            (held.bit_count(), -k, known)
            for place in {self._places[term] + 1 for term in one.args}
            for k, (held, known) in enumerate(self._by_last.get(place, ()))
            if not held & ~left and known != one
        ]
        return [entry[2] for entry in sorted(found, key=lambda entry: entry[:2], reverse=True)]

    def shorter(self, one: Basic) -> Sequence[Basic]:
        """The terms of a sum, as many as there are taken together in sums that have names."""
        found: list[Basic] = []
        left = self._held(one.args)
        for known in self.within(one):
            held = self._held(known.args)
            if not held & ~left:
                found.append(known)
                left &= ~held
        return [*found, *(term for term in one.args if left >> self._places[term] & 1)]


def _short_sums_first(order: Sequence[Basic], uses: Mapping[Basic, int]) -> list[Basic]:
    """The same order, but sums after those that they hold: all terms of these are there by then."""
    sums, done, found = _Sums(), set[Basic](), list[Basic]()
    for one in order:
        if isinstance(one, symengine.Add) and (uses[one] > 1 or len(one.args) > _LONG):
            sums.add(one)
    for one in order:
        if one in done:
            continue
        held = sums.within(one) if isinstance(one, symengine.Add) else []
        for each in (*(known for known in reversed(held) if known not in done), one):
            done.add(each)
            found.append(each)
    return found


class StraightLine:
    """Writes trees whose symbols have names in some language."""

    def __init__(self, language: Language, names: Mapping[Basic, str], prefix: str = "x") -> None:
        self.language, self.names, self.prefix = language, names, prefix

    def lines(self, trees: Sequence[Basic]) -> tuple[list[str], list[str]]:
        """Assignments as lines, and one text for each tree."""
        written = self.write(trees)
        return [self.language.assign.format(name=name, text=text) for name, text in written.statements], written.texts

    def write(self, trees: Sequence[Basic]) -> Written:
        """Everything once, in an order in which it can be computed."""
        order = branches(trees)
        uses = Counter(part for one in order for part in one.args)
        uses.update(trees)
        texts: dict[Basic, str] = {}
        statements: list[tuple[str, str]] = []
        sums = _Sums()
        for one in _short_sums_first(order, uses):
            text = self._text(one, texts, sums)
            plain = not one.args or one.is_Relational or _is_condition(one)
            if plain or (uses[one] == 1 and len(text) <= _SHORT):
                texts[one] = text if plain or not isinstance(one, symengine.Add | symengine.Mul) else f"({text})"
                continue
            name = f"{self.prefix}{len(statements)}"
            statements.append((name, text))
            texts[one] = name
            if isinstance(one, symengine.Add):
                sums.add(one)
        return Written(statements, [texts[f] for f in trees])

    def _text(self, one: Basic, known: Mapping[Basic, str], sums: _Sums) -> str:
        args = sums.shorter(one) if isinstance(one, symengine.Add) else one.args
        parts = [known[part] for part in args]
        kind, language = type(one).__name__, self.language
        if isinstance(one, symengine.Symbol):
            if one not in self.names:
                raise FlexuraError(f"The expression holds {one}, which has no number", advice="give values for it")
            return self.names[one]
        if not one.args:
            return self._leaf(one)
        if isinstance(one, symengine.Add):
            return " + ".join(parts)
        if isinstance(one, symengine.Mul):
            return "*".join(parts)
        if isinstance(one, symengine.Pow):
            return self._power(one, parts)
        if isinstance(one, symengine.Piecewise):
            return self._piecewise(parts)
        if kind in _RELATIONS:
            sign = language.relations.get(kind, _RELATIONS[kind])
            return f"({parts[0]} {sign} {parts[1]})"
        if kind in language.join:
            return "(" + language.join[kind].join(parts) + ")"
        if kind == "sign":
            return language.sign.format(x=parts[0])
        if kind in language.functions:
            return f"{language.functions[kind]}({', '.join(parts)})"
        raise FlexuraError(
            f"The function {kind} in {str(one)[:80]} cannot be written in {language.name}",
            advice="write it with functions of the grammar of expressions",
        )

    def _leaf(self, one: Basic) -> str:
        kind = type(one).__name__
        if kind in ("BooleanTrue", "BooleanFalse"):
            return self.language.functions[kind]
        found = real_value(one)
        if found != found or abs(found) == float("inf"):
            raise FlexuraError(f"The expression holds {one}, which is no real number", advice="check its terms")
        text = repr(float(Fraction(str(one))) if isinstance(one, symengine.Integer | symengine.Rational) else found)
        return text if found >= 0 else f"({text})"

    def _power(self, one: Basic, parts: list[str]) -> str:
        base, exponent = parts
        if one.args[0] == symengine.E:
            return f"{self.language.functions['exp']}({exponent})"
        number = one.args[1]
        if isinstance(number, symengine.Integer) and 2 <= abs(int(number)) <= 4:
            product = "*".join([base] * abs(int(number)))
            return f"({product})" if int(number) > 0 else f"(1.0/({product}))"
        if number == -1:
            return f"(1.0/{base})"
        if abs(number) == symengine.Rational(1, 2):
            root = f"{self.language.functions['sqrt']}({base})"
            return root if number > 0 else f"(1.0/{root})"
        return "(" + self.language.power.format(base=base, exponent=exponent) + ")"

    def _piecewise(self, parts: list[str]) -> str:
        *pieces, (value, condition) = list(zip(parts[::2], parts[1::2], strict=True))
        nan = self.language.functions["nan"]
        text = (
            value
            if condition == self.language.functions["BooleanTrue"]
            else self.language.choose(condition, value, nan)
        )
        for value, condition in reversed(pieces):
            text = self.language.choose(condition, value, text)
        return text


def _is_condition(one: Basic) -> bool:
    return type(one).__name__ in ("And", "Or", "Not", "BooleanTrue", "BooleanFalse")


_SAME = {name: name for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt")}

C = Language(
    "C",
    "const double {name} = {text};",
    {**_SAME, "asin": "asin", "acos": "acos", "atan": "atan", "atan2": "atan2", "Abs": "fabs", "asinh": "asinh",
     "acosh": "acosh", "atanh": "atanh", "Max": "fmax", "Min": "fmin", "nan": "NAN", "BooleanTrue": "1",
     "BooleanFalse": "0"},
    lambda condition, then, other: f"({condition} ? {then} : {other})",
    {"And": " && ", "Or": " || "},
    power="pow({base}, {exponent})",
    sign="(double)(({x} > 0.0) - ({x} < 0.0))",
)  # fmt: skip
PYTHON = Language(
    "Python",
    "{name} = {text}",
    {**_SAME, "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "Abs": "abs",
     "asinh": "arcsinh", "acosh": "arccosh", "atanh": "arctanh", "Max": "maximum", "Min": "minimum", "nan": "nan",
     "BooleanTrue": "True", "BooleanFalse": "False"},
    lambda condition, then, other: f"where({condition}, {then}, {other})",
    {"And": " & ", "Or": " | "},
)  # fmt: skip
MATLAB = Language(
    "MATLAB",
    "{name} = {text};",
    {**_SAME, "asin": "asin", "acos": "acos", "atan": "atan", "atan2": "atan2", "Abs": "abs", "asinh": "asinh",
     "acosh": "acosh", "atanh": "atanh", "Max": "max", "Min": "min", "nan": "NaN", "BooleanTrue": "true",
     "BooleanFalse": "false"},
    lambda condition, then, other: f"choose({condition}, {then}, {other})",
    {"And": " && ", "Or": " || "},
    power="({base})^({exponent})",
    relations={"Unequality": "~="},
)  # fmt: skip
MODELICA = Language(
    "Modelica",
    "{name} = {text};",
    {**_SAME, "asin": "asin", "acos": "acos", "atan": "atan", "atan2": "atan2", "Abs": "abs", "Max": "max",
     "Min": "min", "nan": "(0.0/0.0)", "BooleanTrue": "true", "BooleanFalse": "false"},
    lambda condition, then, other: f"(if {condition} then {then} else {other})",
    {"And": " and ", "Or": " or "},
    power="({base})^({exponent})",
    relations={"Unequality": "<>"},
)  # fmt: skip
