"""Quantities: the one reader of whatever a part is given, be it a name, a number, both, a unit or an expression.

>>> quantity("210 GPa", "E", "beam", dimension="Pa")     # the symbol E_beam, which carries 2.1e11
>>> quantity("rho0*(1 - x/(2*l))", "rho", "beam", spine=True)
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Literal, NamedTuple, NoReturn

import symengine

from flexura.errors import FlexuraError, concerning
from flexura.symbolic.dimensions import as_text, in_si, misfit, registry
from flexura.symbolic.engine import SPINE, TIME, ZERO, Symbol, exact
from flexura.symbolic.expression import Declaration, Expression, ParameterDeclaration, Unreadable, expression
from flexura.symbolic.impulses import refuse_impulses
from flexura.symbolic.jets import Jets
from flexura.symbolic.parser import NUMERAL, is_finite, parse

Sign = Literal["any", "nonnegative", "positive"]

_UNIT_TEXT = re.compile(rf"([+-]?{NUMERAL}) ([^\s+\-*/<>=,)].*)")
_UNIT_PIECE = re.compile(r"(?:\*\*|\^)\s*\(?-?[0-9]{1,2}(?:\.[0-9]{1,2})?\)?|[^\W\d]\w*|1(?=\s*/)|[\s*/()·⋅°%⁻]")
_UNIT_TOWER = re.compile(r"(?:\*\*|\^)[\s\d().-]*(?:\*\*|\^)|[⁰¹²³⁴-⁹]{3}")
_USUAL_UNITS = "m mm cm km in ft kg g lb N kN MN lbf Pa kPa MPa GPa psi J W s ms Hz kHz rad deg rpm K degC"
_YARN = re.compile(r"\b\w*Nm\b")  # a count of yarn to pint before 0.26, unknown to later ones; here it is meant as N*m


class _QuantityPlace(NamedTuple):
    """Where a quantity is given, for sentences; and what its symbol is called if it has no name of its own."""

    keyword: str
    owner: str
    dimension: str | None

    def fail(self, problem: str, advice: str) -> NoReturn:
        raise FlexuraError(
            f"The {self.keyword} of {self.owner} {problem}", advice=advice, part=self.owner, keyword=self.keyword
        )

    def symbol(self, name: str, value: float | None, given_in: str = "") -> Expression:
        declaration = ParameterDeclaration(name, value, self.dimension or "", (self.owner,), given_in)
        return Expression(Symbol(name), frozenset({declaration}))

    def own_symbol(self, value: float) -> Expression:
        name = f"{self.keyword}_{self.owner}"
        return self.symbol(re.sub(r"\W", "_", name), value) if value else Expression(ZERO)


def quantity(
    value: Any,
    keyword: str,
    owner: str,
    *,
    dimension: str | None = None,
    spine: bool = False,
    unit_allowed: bool = True,
    sign: Sign = "any",
) -> Expression:
    """Read the quantity `keyword` of the part `owner`: `quantity(50.0, "EI", "beam", dimension="N*m**2")`.

    `dimension` is a unit the quantity could be given in; `spine`: it may vary along the member, so x is the spine.
    """
    place, value = _QuantityPlace(keyword, owner, dimension), as_text(value)
    result = _read(value, place, spine, unit_allowed)
    if not spine and SPINE in result.engine.free_symbols:
        place.fail("varies along a member", "it is one number, so write it without the spine variable x")
    refuse_impulses(result.engine, f"The {keyword} of {owner}")
    if not is_finite(result.engine):
        place.fail(f"is {result}, which is not a finite real number", "give one, or a name")
    with concerning(part=owner, keyword=keyword):
        check_dimension(result, dimension, f"The {keyword} of {owner}")
    known = _known_value(result)
    if known is not None and ((sign == "nonnegative" and known < 0) or (sign == "positive" and known <= 0)):
        rule = "positive" if sign == "positive" else "zero or more"
        place.fail(f"is {_shown(value)}, but it must be {rule}", "give such a value, or a name")
    return result


def check_dimension(one: Expression, dimension: str | None, what: str) -> None:
    """Refuse an expression whose parameters were given in units that do not come to `dimension`.

    >>> check_dimension(parse("2*m"), "kg", "The m of hub")
    """
    units = {known.name: known.given_in for known in _parameters(one) if known.given_in}
    problem = misfit(one.engine, units, dimension) if units else ""
    if problem:
        given = ", ".join(f"{name} in {unit}" for name, unit in sorted(units.items()))
        wanted = f"give it in {dimension}" if dimension else "add and compare quantities of one dimension"
        raise FlexuraError(f"{what} is {_cut(str(one))}, which {problem} with {given}", advice=wanted)


def parameter_value(name: str, value: Any) -> tuple[float, str]:
    """The value of a parameter in SI units and the unit it was given in: `parameter_value("l", "3 mm")`."""
    place, value = _QuantityPlace("value", f"the parameter {name}", None), as_text(value)
    number = _unit_text(value, place, True) if isinstance(value, str) else _number(value, place)
    if number is None and isinstance(value, str) and re.fullmatch(rf"\s*[+-]?{NUMERAL}\s*", value):
        number = _number(float(value), place, _shown(value))
    if number is None:
        advice = "give a number, or a number with a unit like '210 GPa'"
        raise FlexuraError(f"The parameter {name} is {_shown(value)}", advice=advice)
    return number, unit_of(value)


def unit_of(value: Any) -> str:
    """The unit in "a number, one space, a unit", or of a quantity of pint; "" of anything else."""
    value = as_text(value)
    found = _UNIT_TEXT.fullmatch(value.strip()) if isinstance(value, str) else None
    return found[2] if found else ""


def _read(value: Any, place: _QuantityPlace, spine: bool, unit_allowed: bool) -> Expression:
    if isinstance(value, str):
        number = _unit_text(value, place, unit_allowed)
        if number is not None:
            return place.own_symbol(number)
        almost = unit_allowed and re.match(rf"\s*[+-]?{NUMERAL}(?:\s\s+)?[^\W\d]", value)
        hint = ", or give a unit after one space, like '3 mm'" if almost else ""
        return _declared(_parsed(value, place, spine, hint), place)
    if isinstance(value, tuple | list):
        return _named(value, place, spine, unit_allowed)
    number = _number(value, place)
    if number is not None:
        return place.own_symbol(number)
    try:
        return _declared(expression(value), place)
    except FlexuraError as error:
        raise _inside(place, error) from None
    except TypeError:
        place.fail(f"is {_shown(value)}", "give a number, a name, a number with a unit, or an expression")


def _named(value: tuple[Any, ...] | list[Any], place: _QuantityPlace, spine: bool, unit_allowed: bool) -> Expression:
    advice = f"write a name and a value, like ('{place.keyword}', 2.0)"
    if len(value) != 2 or not isinstance(value[0], str):
        place.fail(f"is {_shown(value)}", advice)
    name, given = value[0], as_text(value[1])
    symbol = _parsed(name, place, spine).engine
    if not isinstance(symbol, symengine.Symbol) or symbol in (SPINE, TIME):
        place.fail(f"is called {name!r}, which is not a name", advice)
    number = _unit_text(given, place, unit_allowed) if isinstance(given, str) else _number(given, place)
    if number is None:
        place.fail(f"has {_shown(given)} as the value of {name}", advice)
    return place.symbol(symbol.name, number, unit_of(given))


def _number(value: Any, place: _QuantityPlace, shown: str = "") -> float | None:
    """Read a plain number as a float; None if `value` is something else."""
    if hasattr(value, "item") and hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0:
        value = value.item()  # a NumPy scalar, without importing NumPy
    if isinstance(value, bool):
        place.fail(f"is {value}, a truth value", "give a number, a name or an expression")
    if not isinstance(value, int | float | Fraction | Decimal):
        return None
    try:
        number = float(value)
    except (OverflowError, ValueError):
        number = math.inf
    if not math.isfinite(number) or (number == 0 and value != 0):
        place.fail(f"is {shown or _shown(value)}, which is not a finite number in range", "give another")
    return number


def _parsed(text: str, place: _QuantityPlace, spine: bool, hint: str = "") -> Expression:
    try:
        return parse(text, spine=spine)
    except FlexuraError as error:
        raise _inside(place, error, hint) from None


def _inside(where: _QuantityPlace | str, error: FlexuraError, hint: str = "") -> FlexuraError:
    """What was wrong in reading a quantity, or what `where` says in words."""
    part, keyword = (where.owner, where.keyword) if isinstance(where, _QuantityPlace) else ("", "")
    what = where if isinstance(where, str) else f"the {keyword} of {part}"
    problem = f"the {error.subject}" if isinstance(error, Unreadable) else error.problem
    return FlexuraError(f"In {what}, {problem}", advice=f"{error.advice}{hint}", part=part, keyword=keyword)


def _declared(one: Expression, place: _QuantityPlace) -> Expression:
    """Say of every parameter in `one` which part carries it, so that a missing value can be reported."""
    moving = Jets(fields=[known.name for known in one.declarations if known.kind != "parameter"])
    names = [symbol.name for symbol in one.engine.free_symbols if symbol != TIME and not moving.find(symbol)]
    unit = (place.dimension or "") if isinstance(one.engine, symengine.Symbol) else ""
    names = sorted(name for name in names if not name.startswith("$"))
    values, given = _carried_values(one), {known.name: known.given_in for known in _parameters(one) if known.given_in}
    new = [ParameterDeclaration(n, values.get(n), unit, (place.owner,), given.get(n, "")) for n in names]
    return Expression(one.engine, one.declarations.union(new))


def _carried_values(one: Expression) -> dict[str, float]:
    return {declared.name: declared.value for declared in _parameters(one) if declared.value is not None}


def _parameters(one: Expression) -> list[ParameterDeclaration]:
    return [declared for declared in one.declarations if isinstance(declared, ParameterDeclaration)]


def _known_value(one: Expression) -> float | None:
    """The number a quantity comes to with the values it carries, if these are all it needs."""
    values = {Symbol(name): exact(value) for name, value in _carried_values(one).items()}
    if not one.engine.free_symbols <= set(values):
        return None
    try:
        return float(one.engine.xreplace(values).n())
    except (RuntimeError, TypeError, ValueError):  # not a real number: whoever computes with it will say so
        return None


def _unit_text(text: str, place: _QuantityPlace, unit_allowed: bool) -> float | None:
    """Read "a number, one space, a unit" in SI units; None if the text is something else."""
    found = _UNIT_TEXT.fullmatch(text.strip())
    if not found:
        return None
    if not unit_allowed:
        place.fail(f"is {_shown(text)}, but no unit is read here", "write the number alone, in SI units")
    number = Fraction(str(_parsed(found[1], place, False).engine))
    return _number(_in_si(number, found[2], text, place), place, _shown(text))


def _in_si(number: Fraction, unit: str, text: str, place: _QuantityPlace) -> Any:
    import pint

    units, wanted = registry(), place.dimension
    if len(unit) > 80 or _UNIT_PIECE.sub("", unit) or _UNIT_TOWER.search(unit) or _YARN.search(unit):
        _refuse_unit(unit, text, place)
    try:
        given = units.Quantity(number, units.parse_units(unit))
    except Exception:  # pint's reader raises whatever its tokenizer and its evaluator happen to raise
        _refuse_unit(unit, text, place)
    if wanted and "rad" in wanted and re.search("hertz|Hz", unit):
        place.fail(f"is {_shown(text)}, which counts cycles", f"give it in {wanted} or rpm")
    try:
        return (given.to_base_units() if wanted is None else given.to(units.parse_units(wanted))).magnitude
    except (pint.PintError, ArithmeticError):
        advice = f"give it in {wanted}" if wanted else "give a plain number"
        place.fail(f"is {_shown(text)}, whose unit has the wrong dimension", advice)


def _refuse_unit(unit: str, text: str, place: _QuantityPlace) -> NoReturn:
    for word in re.findall(r"[^\W\d]\w*", unit[:80]):
        if _YARN.match(word) or not registry().parse_unit_name(word):
            usual = _USUAL_UNITS.split()
            near = [unit for unit in usual if unit.casefold() == word.casefold()]
            near += [f"{a}*{b}" for a in usual for b in usual if a + b == word]
            near += [*difflib.get_close_matches(word, usual, 1), place.dimension or "mm"]
            problem = f"is {_shown(text)}, whose unit {word!r} is unknown"
            place.fail(problem, f"write a unit such as {near[0]}, or put * before a name")
    place.fail(f"is {_shown(text)}, whose unit cannot be read", f"write it like '3 {place.dimension or 'N*m**2'}'")


def _shown(value: Any) -> str:
    return _cut(repr(value))


def _cut(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "..."


def text_or_expression(
    value: Any, *, what: str = "the expression", spine: bool = False, inputs: bool = False, impulses: bool = False
) -> Expression:
    """Read text by the grammar, anything else as an expression: `text_or_expression("k*q", what="the potential")`."""
    value = in_si(value, f"{what[0].upper()}{what[1:]}")
    try:
        if isinstance(value, str):
            return parse(value, spine=spine, inputs=inputs, impulses=impulses)
        found = expression(value)
    except FlexuraError as error:
        raise _inside(what, error) from None
    except TypeError:
        advice = "give a number, text like 'k*q', or an expression"
        raise FlexuraError(f"{what[0].upper()}{what[1:]} is {_shown(value)}", advice=advice) from None
    if not impulses:
        refuse_impulses(found.engine, f"{what[0].upper()}{what[1:]}")
    return found


def merge_values(declarations: Iterable[Declaration]) -> dict[str, ParameterDeclaration]:
    """One record per parameter, in order of appearance, with all its parts and its value: `merge_values(ds)["EI"]`."""
    records: dict[str, list[ParameterDeclaration]] = {}
    for one in sorted(declarations, key=lambda declaration: declaration.born):
        if isinstance(one, ParameterDeclaration):
            records.setdefault(one.name, []).append(one)
    return {name: _merged(same) if len(same) > 1 else same[0] for name, same in records.items()}


def _merged(records: list[ParameterDeclaration]) -> ParameterDeclaration:
    name = records[0].name
    values = [one.value for one in records if one.value is not None]
    parts = tuple(dict.fromkeys(part for one in records for part in one.parts))
    first = next(iter(parts), "")
    for other in values[1:]:
        if not math.isclose(values[0], other, rel_tol=1e-12):
            both = " and ".join(f"{value:.12g}{_carriers(records, value)}" for value in (values[0], other))
            raise FlexuraError(
                f"The symbol {name} has two values, {both}", advice="give it one value, or use two names", part=first
            )
    unit = next((one.unit for one in records if one.unit), "")
    given_in = next((one.given_in for one in records if one.given_in), "")
    given = Expression(Symbol(name), frozenset({ParameterDeclaration(name, given_in=given_in)}))
    for one in records:
        for unit_there in (one.unit, one.given_in):
            with concerning(part=next(iter(one.parts), first)):
                check_dimension(given, unit_there or None, f"The quantity {name}{_users(one)}")
    return ParameterDeclaration(name, values[0] if values else None, unit, parts, given_in, all(o.new for o in records))


def _carriers(records: list[ParameterDeclaration], value: float) -> str:
    return _users(*(one for one in records if one.value == value))


def _users(*records: ParameterDeclaration) -> str:
    parts = dict.fromkeys(part for one in records for part in one.parts)
    return f" in {', '.join(parts)}" if parts else ""
