"""Quantities in a file: the parameters table gives names their values, wherever they are used.

>>> known = Quantities()
>>> known.add("l", "1.3 m"), known.read("50/l", "EI")
"""

from __future__ import annotations

import re
from typing import Any

from flexura.errors import FlexuraError, concerning
from flexura.symbolic.engine import SPINE, TIME, Symbol, exact
from flexura.symbolic.expression import Expression, ParameterDeclaration, check_name
from flexura.symbolic.parser import NUMERAL
from flexura.symbolic.quantities import parameter_value, quantity, text_or_expression

_UNIT_TEXT = re.compile(rf"\s*[+-]?{NUMERAL} [^\s+\-*/<>=,)].*")


class Quantities:
    """Reads the values of keywords and remembers which parameters were used."""

    def __init__(self) -> None:
        """No parameter is known yet."""
        self.values: dict[str, float] = {}
        self.units: dict[str, str] = {}
        self.used: set[str] = set()

    def add(self, name: str, value: int | float | str) -> None:
        """A parameter: a number, or a number with a unit, whose dimension is checked wherever it is used."""
        self.values[name], self.units[name] = parameter_value(check_name(name, "A parameter"), value)

    def read(self, value: Any, keyword: str, spine: bool = True, inputs: bool = False) -> Any:
        """A number, unit text, a pair or a list as it is; a name or expression with the values its names have."""
        if isinstance(value, list):
            return tuple(self._item(value, i, keyword) for i in range(len(value)))
        if not isinstance(value, str) or _UNIT_TEXT.fullmatch(value):
            return value
        if inputs and keyword != "motion" and value.strip().isidentifier():
            return value.strip()  # a bare name is an input, of a load
        return self._declared(
            text_or_expression(value, what=f"the {keyword}", spine=spine, inputs=inputs, impulses=inputs)
        )

    def number(self, value: Any, keyword: str, owner: str, dimension: str | None = None) -> float:
        """A number where nothing may vary: as it is, with a unit, or an expression in names that have values."""
        one = quantity(self.read(value, keyword, spine=False), keyword, owner, dimension=dimension)
        with concerning(part=owner, keyword=keyword):
            engine = self.known(one, f"The {keyword} of {owner}").engine
        found = engine.xreplace({Symbol(name): exact(held) for name, held in _carried(one).items()})
        try:
            return float(found.n())
        except (RuntimeError, TypeError, ValueError):
            raise FlexuraError(
                f"The {keyword} of {owner} is {value!r}, which is no real number",
                advice="give one",
                part=owner,
                keyword=keyword,
            ) from None

    def known(self, value: Any, what: str) -> Any:
        """The same, if every name in it has a value."""
        carried = _carried(value) if isinstance(value, Expression) else {}
        names = {one.name for one in value.engine.free_symbols - {SPINE, TIME}} if isinstance(value, Expression) else ()
        missing = sorted(name for name in names if name not in carried)
        if missing:
            raise FlexuraError(
                f"{what} holds {missing[0]}, which has no value",
                advice=f"write {missing[0]} = NUMBER under [parameters]",
                missing=tuple(missing),
            )
        return value

    def _item(self, values: list[Any], i: int, keyword: str) -> Any:
        pair = len(values) == 2 and isinstance(values[0], str) and not isinstance(values[1], list)
        return values[i] if pair else self.read(values[i], keyword)

    def _declared(self, one: Expression) -> Expression:
        names = {symbol.name for symbol in one.engine.free_symbols if symbol not in (SPINE, TIME)}
        self.used |= names
        known = {
            ParameterDeclaration(name, self.values[name], given_in=self.units[name])
            for name in names
            if name in self.values
        }
        kept = {old for old in one.declarations if old.name not in self.values}
        return Expression(one.engine, frozenset(kept | known))


def _carried(one: Expression) -> dict[str, float]:
    known = [held for held in one.declarations if isinstance(held, ParameterDeclaration)]
    return {held.name: held.value for held in known if held.value is not None}
