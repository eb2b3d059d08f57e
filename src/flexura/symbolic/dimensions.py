"""Dimensions of expressions, from the units in which the parameters in them were given.

>>> misfit(E * I, {"E": "Pa", "I": "m**4"}, "N")        # "comes to kg*m**3/s**2"

What was given without a unit has any dimension: a name, x and t (in `1 - x/2` the 2 is a length), a number in a sum,
and a number in a product but for the plain factors of formulas, like 1/2 or 12.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias

import symengine

from flexura.errors import FlexuraError
from flexura.symbolic.engine import Basic
from flexura.symbolic.walk import branches

if TYPE_CHECKING:
    import pint

Dimension: TypeAlias = Mapping[str, Fraction]
"""Exponents of kg, m, s, ...; none for a pure number."""

_LETTERS = {"[mass]": "kg", "[length]": "m", "[time]": "s", "[temperature]": "K", "[current]": "A"}
_LARGEST_FACTOR = 12
_SAME = symengine.Abs | symengine.Add


@lru_cache(maxsize=1)
def registry() -> pint.UnitRegistry[Any]:
    """The units that can be written."""
    import pint  # takes half a second, so it waits for the first unit

    return pint.UnitRegistry(non_int_type=Fraction)  # exact, so that "3.3 mm" is 0.0033


def as_text(value: Any) -> Any:
    """A quantity of pint as the text that says the same; anything else as it is.

    >>> as_text(0.1 * units.kN / units.m)                    # "0.1 kilonewton / meter"
    """
    if not _measured(value):
        return value
    size = value.magnitude
    if hasattr(size, "item") and getattr(size, "ndim", 1) == 0:
        size = size.item()  # a NumPy scalar, without importing NumPy
    if isinstance(size, bool) or not isinstance(size, int | float | Fraction | Decimal):
        return value
    # "D" because a registry may write its units shorter by default, in ways that only it can read
    return f"{float(size)!r} {value.units:D}" if math.isfinite(size) else float(size)


def in_si(value: Any, what: str, unit: str | None = None) -> Any:
    """What a quantity of pint, one number or an array, comes to in SI units, or in `unit`; anything else as it is.

    >>> in_si(np.array([1, 2]) * units.ms, "t", "s")         # array([0.001, 0.002])
    """
    if not _measured(value):
        return value
    given = f"{value.units:D}"
    if "hertz" in given and unit in (None, "rad/s"):
        raise FlexuraError(f"{what} is in {given}, which counts cycles", advice="give it in rad/s or rpm")
    return value.magnitude * _factor_of(given, what, unit)


def _measured(value: Any) -> bool:
    return all(hasattr(type(value), name) for name in ("magnitude", "units", "dimensionality"))


def _factor_of(given: str, what: str, unit: str | None) -> float:
    """By what a number in a unit is multiplied, to be one in another."""
    units = registry()
    try:
        pair = [units.Quantity(Fraction(size), units.parse_units(given)) for size in (0, 1)]
        none, one = ((size.to(unit) if unit else size.to_base_units()).magnitude for size in pair)
    except Exception:  # pint's reader raises whatever its tokenizer and its evaluator happen to raise
        none, one = Fraction(1), Fraction(0)
    if none:  # degrees that count from somewhere have no factor
        raise FlexuraError(f"{what} is in {given}", advice=f"give it in {unit or 'SI units'}")
    return float(one)


def misfit(f: Basic, units: Mapping[str, str], wanted: str | None) -> str:
    """What is wrong with the dimension of a tree whose symbols were given in `units`; "" if nothing is known to be.

    `wanted` is a unit of the right dimension; None asks only whether what is added or compared is alike.
    """
    known: dict[Basic, Dimension | None] = {
        symengine.Symbol(name): _of_unit(unit) for name, unit in units.items() if unit
    }
    known[symengine.pi] = {}
    for one in branches([f]):
        if one in known:
            continue
        parts = [(part, known.get(part)) for part in one.args]
        known[one], problem = _combined(one, parts)
        if problem:
            return problem
    found = known.get(f)
    expected = _of_unit(wanted) if wanted else None
    return f"comes to {_shown(found)}" if found is not None and expected not in (None, found) else ""


@lru_cache(maxsize=256)
def _of_unit(unit: str) -> Dimension | None:
    try:
        found = registry().parse_units(unit).dimensionality
    except Exception:  # pint's reader raises whatever its tokenizer happens to raise; a label is no unit
        return None
    return {str(name): Fraction(str(power)) for name, power in found.items() if power}


def _combined(one: Basic, parts: list[tuple[Basic, Dimension | None]]) -> tuple[Dimension | None, str]:
    """The dimension of a branch from those of its parts, None where it is not known; and what is wrong in it."""
    if isinstance(one, symengine.Mul):
        return _product(parts), ""
    if isinstance(one, symengine.Pow):
        return _power(parts)
    values = parts[::2] if isinstance(one, symengine.Piecewise) else parts
    together = isinstance(one, symengine.Piecewise | symengine.atan2 | _SAME) or one.is_Relational
    alike = [dimension for _, dimension in values if dimension is not None] if together else []
    different = [dimension for dimension in alike if dimension != alike[0]]
    if different:
        return None, f"puts {_shown(alike[0])} and {_shown(different[0])} together in {_text(one)}"
    if isinstance(one, symengine.Piecewise | _SAME):
        pure = alike == [{}] * len(alike)  # beside pure numbers a number is one
        loose = [part for part, dimension in values if dimension is None and not (pure and part.is_Number)]
        return (alike[0] if alike and not loose else None), ""
    if isinstance(one, symengine.Function) and not isinstance(one, symengine.atan2 | symengine.sign):
        bad = [dimension for _, dimension in parts if dimension]
        if bad:
            return None, f"takes {_text(one)} of what is in {_shown(bad[0])}"
    return ({} if isinstance(one, symengine.Function) else None), ""


def _product(parts: list[tuple[Basic, Dimension | None]]) -> Dimension | None:
    total: dict[str, Fraction] = {}
    for part, dimension in parts:
        if dimension is None and not _plain(part):
            return None
        for name, power in (dimension or {}).items():
            total[name] = total.get(name, Fraction(0)) + power
    return {name: power for name, power in total.items() if power}


def _plain(number: Basic) -> bool:
    """Whether a number is a factor of a formula; others may stand for a quantity in SI units."""
    if not isinstance(number, symengine.Rational | symengine.Integer):
        return False
    ratio = Fraction(str(number))
    return abs(ratio.numerator) <= _LARGEST_FACTOR and ratio.denominator <= _LARGEST_FACTOR


def _power(parts: list[tuple[Basic, Dimension | None]]) -> tuple[Dimension | None, str]:
    (_, base), (exponent, of_exponent) = parts
    if of_exponent:
        return None, f"has an exponent in {_shown(of_exponent)}"
    if base is None or not base:
        return base, ""
    if not isinstance(exponent, symengine.Rational | symengine.Integer):
        return None, ""
    return {name: power * Fraction(str(exponent)) for name, power in base.items()}, ""


def _text(f: Basic) -> str:
    text = str(f).replace("$x", "x")
    return text if len(text) <= 60 else f"{text[:57]}..."


def _shown(dimension: Dimension | None) -> str:
    """As a unit: kg*m/s**2."""
    above, below = ([_factor(n, abs(p)) for n, p in (dimension or {}).items() if (p > 0) == up] for up in (True, False))
    top = "*".join(above) or "1"
    return top if not below else f"{top}/{below[0] if len(below) == 1 else '(' + '*'.join(below) + ')'}"


def _factor(name: str, power: Fraction) -> str:
    letter = _LETTERS.get(name, name)
    return letter if power == 1 else f"{letter}**{power}"
