"""Expressions as text: our own small grammar, read without ever evaluating code, and written back.

>>> parse("EI*(1 - x/(2*l))**3", spine=True)
>>> parse(to_text(tree), internal=True).engine == tree
"""

from __future__ import annotations

import itertools
import keyword
import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any, NamedTuple, NoReturn

import symengine
from symengine.lib.symengine_wrapper import Boolean

from flexura.errors import FlexuraError
from flexura.symbolic.engine import FUNCTIONS, SINCE, SPINE, TIME, WIDTH, ZERO, Basic, Symbol, exact, hangs
from flexura.symbolic.expression import Expression, InputDeclaration, Unreadable
from flexura.symbolic.impulses import ADVICE as IMPULSE_ADVICE
from flexura.symbolic.impulses import IMPULSE, impulse, is_impulse
from flexura.symbolic.multiplied import terms_of
from flexura.symbolic.walk import branches

NUMERAL = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
_NAME = r"\$?[^\W\d]\w*(?:@\w+)?"  # as `to_text` writes it: the spine, jets and their values at ends
_TOKEN = r"\s*(?:(?P<number>{0})|(?P<call>{1})\s*\(|(?P<name>{1})|(?P<operator>\*\*|<=|>=|[-+*/()<>,])|(?P<end>\Z))"
_USER_TOKEN = re.compile(_TOKEN.format(NUMERAL, r"[^\W\d]\w*"))
_INTERNAL_TOKEN = re.compile(_TOKEN.format(NUMERAL, _NAME))

_GROUP, _COMPARE, _SUM, _PRODUCT, _PREFIX, _POWER = range(6)  # from the loosest to the tightest
_COMPARISONS = {"<": symengine.Lt, "<=": symengine.Le, ">": symengine.Gt, ">=": symengine.Ge}
_BINARY = {"+": _SUM, "-": _SUM, "*": _PRODUCT, "/": _PRODUCT, "**": _POWER} | dict.fromkeys(_COMPARISONS, _COMPARE)
_INTERNAL_FUNCTIONS = {**FUNCTIONS, "cot": symengine.cot}  # the engine turns tan(q + pi/2) into -cot(q)
_RESERVED = {*_INTERNAL_FUNCTIONS, "Piecewise", "pi", "True"}
_WRITABLE = {"Add", "Mul", "Pow", "Pi", "Exp1", "Piecewise", "StrictLessThan", "LessThan", "BooleanTrue"}
_IMPULSES = ("impulse", "delta", "DiracDelta")
_HINTS = dict.fromkeys("'\"`", "leave the quotes out") | dict.fromkeys("[]{}", "use round parentheses")
_HINTS |= {"^": "write ** for a power", ".": "in text a rate is a name like q_t", "=": "give one side only"}

_LENGTH, _DEPTH, _DIGITS, _DECIMAL_EXPONENT = 10_000, 100, 60, 400
_TERMS = 5000  # of a text, when it is multiplied out
_INTERNAL_LENGTH, _INTERNAL_DEPTH, _INTERNAL_DIGITS = 10_000_000, 400, 4000  # no power of numbers has more digits


class _Pending(NamedTuple):
    """An operator waiting for its right side, or an open parenthesis; `word` is then the function it belongs to."""

    precedence: int
    word: str
    column: int
    base: int = 0  # how many values stood on the stack when the parenthesis opened
    depth: int = 0


def parse(
    text: str, *, spine: bool = False, inputs: bool = False, internal: bool = False, impulses: bool = False
) -> Expression:
    """Read `parse("k*(1 - x)", spine=True)`, `parse("f(x)", inputs=True)`, or with `internal` what `to_text` wrote.

    `impulses`: the text is a load, which may hold impulse(t - 1).
    """
    reader = _ExpressionReader(text, spine, inputs, internal)
    reader.impulses = impulses or internal
    return Expression(reader.read(), frozenset(reader.declared.values()))


def is_finite(result: Basic) -> bool:
    """Whether the engine made a finite real value of such values; what is not one surfaces among the factors."""
    terms = result.args if isinstance(result, symengine.Add) else (result,)
    factors = [part for term in terms for part in (term.args if isinstance(term, symengine.Mul) else (term,))]
    roots = [part for part in factors if isinstance(part, symengine.Pow) and part.args[0].is_negative]
    odd = [part for part in factors if isinstance(part, symengine.Number) and not part.is_real]
    return not odd and all(root.args[1].free_symbols for root in roots)


class _ExpressionReader:
    """An operator-precedence (Pratt) parser whose stacks are lists, so that no text can exhaust Python's own."""

    def __init__(self, text: str, spine: bool, inputs: bool, internal: bool) -> None:
        self.text, self.spine, self.inputs, self.internal = text, spine, inputs, internal
        self.most_digits, self.largest_exponent = (_INTERNAL_DIGITS, 1_000_000) if internal else (_DIGITS, 1000)
        self.functions = _INTERNAL_FUNCTIONS if internal else FUNCTIONS
        self.values: list[Any] = []
        self.pending: list[_Pending] = []
        self.declared: dict[str, InputDeclaration] = {}
        self.impulses = False

    def fail(self, column: int, problem: str, advice: str) -> NoReturn:
        start = max(0, column - 40) if len(self.text) > 80 else 0
        shown = "..." * (start > 0) + self.text[start : start + 80] + "..." * (start + 80 < len(self.text))
        raise Unreadable.of(f"text {shown!r} cannot be read at column {column}: {problem}", advice)

    def read(self) -> Basic:
        if len(self.text) > (longest := _INTERNAL_LENGTH if self.internal else _LENGTH):
            self.fail(longest + 1, f"it is longer than {longest} characters", "shorten it")
        value_expected = True
        for kind, word, column in self.tokens():
            value_expected = (self.take_value if value_expected else self.take_operator)(kind, word, column)
        tree = self.number(self.values.pop(), 1)
        if not self.internal:
            self.check_size(tree)
        return self.compute(1, lambda: tree.xreplace({WIDTH: WIDTH}))  # the engine's first answer may not last

    def check_size(self, tree: Basic) -> None:
        """Whoever derives multiplies sums out, and a short text may stand for a very long one."""
        counts: dict[Basic, int] = {}
        for one in branches([tree]):
            counts[one] = terms_of(one, [counts[part] for part in one.args])
            if counts[one] > _TERMS:
                problem = f"multiplied out it has more than {_TERMS} terms"
                self.fail(1, problem, "write a name for the part that is raised to a power, and give its value")

    def tokens(self) -> Iterator[tuple[str, str, int]]:
        pattern = _INTERNAL_TOKEN if self.internal else _USER_TOKEN
        position, kind = 0, ""
        while kind != "end":
            found = pattern.match(self.text, position)
            if not found:
                rest = self.text[position:].lstrip()
                advice = _HINTS.get(rest[0], "use names, numbers, + - * / ** and parentheses")
                self.fail(len(self.text) - len(rest) + 1, f"the character {rest[0]!r} has no meaning here", advice)
            kind, position = str(found.lastgroup), found.end()
            yield kind, found[kind], found.start(kind) + 1

    def take_value(self, kind: str, word: str, column: int) -> bool:
        """Take a token where a value is expected; return whether one is still expected."""
        if kind in ("number", "name"):
            self.values.append(self.numeral(word, column) if kind == "number" else self.named(word, column))
            return False
        if kind == "call" or word == "(":
            self.push(_GROUP, word if kind == "call" else "", column)
        elif word in ("+", "-"):
            self.push(_PREFIX, word, column)
        else:
            self.fail(column, "a value is missing", "write a number, a name or an expression there")
        return True

    def take_operator(self, kind: str, word: str, column: int) -> bool:
        """Take a token after a value; return whether a value is expected next."""
        if kind in ("number", "name", "call") or word == "(":
            self.fail(column, f"{word!r} follows a value directly", "put an operator such as * between them")
        if word in _BINARY:
            self.reduce(_BINARY[word])
            self.push(_BINARY[word], word, column)
            return True
        self.reduce(_GROUP)
        if kind == "end" and self.pending:
            self.fail(self.pending[-1].column, "a parenthesis never closes", "add the missing ')'")
        if kind != "end" and not self.pending:
            self.fail(column, f"{word!r} stands outside parentheses", "remove it, or add the missing '('")
        if word == ")":
            group = self.pending.pop()
            self.values[group.base :] = [self.close(group.word, self.values[group.base :], group.column)]
        return word == ","

    def push(self, precedence: int, word: str, column: int) -> None:
        above = self.pending[-1] if self.pending else _Pending(_GROUP, "", 0)
        depth = above.depth + (precedence == _GROUP or above.precedence >= precedence >= _PREFIX)  # (q, q**q**q, --q
        if depth > (_INTERNAL_DEPTH if self.internal else _DEPTH):
            self.fail(column, f"the nesting is deeper than {depth - 1} levels", "simplify the expression")
        self.pending.append(_Pending(precedence, word, column, len(self.values), depth))

    def reduce(self, level: int) -> None:
        """Compute what binds tighter than `level`, a whole run of equal operators at a time."""
        while self.pending and self.pending[-1].precedence > level:
            precedence, run = self.pending[-1].precedence, []
            while self.pending and self.pending[-1].precedence == precedence:
                run.append(self.pending.pop())
            run.reverse()
            count = 1 if precedence == _PREFIX else len(run) + 1
            operands = [self.number(value, run[0].column) for value in self.values[-count:]]
            self.values[-count:] = [self.combine(precedence, run, operands)]

    def combine(self, precedence: int, run: list[_Pending], values: list[Basic]) -> Basic:
        if precedence == _PREFIX:
            return -values[0] if sum(entry.word == "-" for entry in run) % 2 else values[0]
        if precedence == _POWER:
            result = values.pop()
            for entry in reversed(run):
                result = self.power(values.pop(), result, entry.column)
            return result
        pairs = list(zip(run, values[1:], strict=True))
        if precedence == _SUM:
            return symengine.Add(values[0], *(-value if entry.word == "-" else value for entry, value in pairs))
        if precedence == _PRODUCT:
            for entry, value in pairs:
                if entry.word == "/" and value == ZERO:
                    self.fail(entry.column, "this divides by zero", "check the denominator")
            return symengine.Mul(values[0], *(1 / value if entry.word == "/" else value for entry, value in pairs))
        if len(run) > 1:
            self.fail(run[1].column, "comparisons are chained", "compare two values at a time")
        return self.compute(run[0].column, _COMPARISONS[run[0].word], *values)

    def power(self, base: Basic, exponent: Basic, column: int) -> Basic:
        if isinstance(exponent, symengine.Rational):
            if abs(exponent) > self.largest_exponent and not (self.internal and (base.free_symbols or not base.args)):
                self.fail(column, f"the exponent is beyond {self.largest_exponent}", "use a smaller exponent")
            if abs(exponent) > 1 and _digits(base) * abs(exponent) > _INTERNAL_DIGITS:
                self.fail(column, "this power has too many digits", "use smaller numbers")
        return self.compute(column, lambda: base**exponent)

    def compute(self, column: int, function: Callable[..., Basic], *arguments: Any) -> Basic:
        try:
            result = function(*arguments)
            if isinstance(result, symengine.Mul):  # of sqrt(2/m) the engine keeps sqrt(1/m) until asked again
                parts = (part.func(*part.args) if isinstance(part, symengine.Pow) else part for part in result.args)
                result = symengine.Mul(*parts)
        except (RuntimeError, TypeError, ValueError, ArithmeticError):
            result = symengine.nan
        if not is_finite(result):
            self.fail(column, "this has no finite real value", "check the numbers in it")
        return result

    def number(self, value: Any, column: int) -> Basic:
        if isinstance(value, tuple | Boolean):
            problem = "a comma stands between values" if isinstance(value, tuple) else "a condition is used as a value"
            self.fail(column, problem, "that is possible only inside Piecewise((value, condition), ...)")
        number: Basic = value
        return number

    def numeral(self, word: str, column: int) -> Basic:
        mantissa, _, exponent = word.lower().partition("e")
        if len(mantissa) > self.most_digits:
            self.fail(column, f"a number has more than {self.most_digits} digits", "round it")
        if len(exponent) > len("+400") or abs(int(exponent or 0)) > _DECIMAL_EXPONENT:
            self.fail(column, f"a decimal exponent is beyond {_DECIMAL_EXPONENT}", "use other units")
        return symengine.Integer(int(word)) if word.isdigit() else exact(Fraction(word))

    def named(self, word: str, column: int) -> Basic:
        if word in ("pi", "True"):
            return symengine.pi if word == "pi" else symengine.true
        if word in self.functions or word == "Piecewise":
            self.fail(column, f"the function {word!r} has no argument", f"write it like {word}(q), or rename it")
        self.check_name(word, column)
        return SPINE if self.spine and word == "x" else Symbol(word)

    def check_name(self, word: str, column: int) -> None:
        plain = all(letter.isalpha() or letter.isdecimal() or letter == "_" for letter in word)
        if not self.internal and (not plain or keyword.iskeyword(word)):
            advice = "choose another" if plain else "use letters, digits and underscores, and ** for a power"
            self.fail(column, f"{word!r} cannot be a name", advice)

    def close(self, name: str, items: list[Any], column: int) -> Any:
        if not name:
            return items[0] if len(items) == 1 else tuple(items)
        if name == "Piecewise":
            return self.piecewise(items, column)
        arguments = [self.number(item, column) for item in items]
        if name in SINCE and not self.internal:
            if len(arguments) != 1:
                self.fail(column, f"the count of arguments of {name} is {len(arguments)}", "give exactly 1")
            return self.compute(column, SINCE[name], *arguments)
        if name not in self.functions:
            return self.given(name, arguments, column)
        count = 2 if name == "atan2" else 1
        if len(arguments) != count:
            self.fail(column, f"the count of arguments of {name} is {len(arguments)}", f"give exactly {count}")
        if hangs(name, arguments):
            self.fail(column, f"{name} of this power of a negative value cannot be computed", "write it another way")
        return self.compute(column, self.functions[name], *arguments)

    def piecewise(self, items: list[Any], column: int) -> Basic:
        good = all(isinstance(item, tuple) and len(item) == 2 and isinstance(item[1], Boolean) for item in items)
        if not good or not (self.internal or items[-1][1] == symengine.true):
            self.fail(column, "Piecewise is incomplete", "write Piecewise((value, condition), ..., (value, True))")
        pieces = [(self.number(value, column), condition) for value, condition in items]
        return self.compute(column, symengine.Piecewise, *pieces)

    def given(self, name: str, arguments: list[Basic], column: int) -> Basic:
        """A call of a name that is no function of the grammar: an impulse, or an input, where these are read."""
        if name == IMPULSE and self.impulses and len(arguments) == 1:
            return impulse(arguments[0])
        self.check_name(name, column)
        if not self.inputs or name in ("x", "t", "pi", "True", IMPULSE):
            known = ", ".join((*FUNCTIONS, *SINCE))
            told = IMPULSE_ADVICE if name in _IMPULSES else f"use {known} or Piecewise, or * for a product"
            advice = "give exactly 1 argument: impulse(t - 1)" if name == IMPULSE and self.impulses else told
            self.fail(column, f"{name!r} is not a known function", advice)
        letters: dict[Basic, str] = {SPINE: "x", Symbol("x"): "x", TIME: "t"}
        of = frozenset(letters.get(argument, "") for argument in arguments)
        known_as = self.declared.setdefault(name, InputDeclaration(name, of))
        if "" in of or len(of) != len(arguments) or known_as.of != of:
            advice = f"write {name}(x), {name}(t) or {name}(x, t), everywhere the same"
            self.fail(column, f"the input {name} has other arguments than x and t", advice)
        return Symbol(name)


def _digits(node: Basic) -> int:
    """Count the digits of the numbers that a power of this product would raise."""
    parts = [node]
    for part in parts:
        parts.extend(part.args if isinstance(part, symengine.Mul | symengine.Pow) else ())
    return sum(len(str(part)) for part in parts if isinstance(part, symengine.Rational))


def to_text(engine: Basic) -> str:
    """Write a tree so that `parse(text, internal=True)` gives an equal tree: `to_text(SPINE**2)` is "$x**2"."""
    replaced: dict[Basic, Basic] = {symengine.E: Symbol("exp(1)")}  # the engine prints the number e as the name E
    parts, seen = [engine], {engine}
    for node in parts:
        if isinstance(node, symengine.Float):
            replaced[node] = exact(float(node))
        elif not _is_writable(node):
            raise FlexuraError(
                f"{str(node)[:60]!r} has no place in the expression grammar", advice="rewrite it without it"
            )
        parts.extend(new := set(node.args) - seen)
        seen |= new
    text = str(engine.xreplace(replaced))
    depth = max(itertools.accumulate((mark == "(") - (mark == ")") for mark in text))
    if depth > _INTERNAL_DEPTH or len(text) > _INTERNAL_LENGTH:
        raise FlexuraError(
            "An expression is too long or too deeply nested to be written as text", advice="simplify the model"
        )
    return text


def _is_writable(node: Basic) -> bool:
    if isinstance(node, symengine.Symbol):
        return bool(re.fullmatch(_NAME, node.name)) and node.name not in _RESERVED
    if isinstance(node, symengine.Rational):
        return len(str(node)) <= _INTERNAL_DIGITS
    name = type(node).__name__
    return is_impulse(node) or name in _WRITABLE or (name.lower() in _INTERNAL_FUNCTIONS and not hangs(name, node.args))
