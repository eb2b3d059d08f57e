"""Fields e(x, t) on a spine, and their values and slopes at its ends.

>>> w = Field("w", length="L")
>>> w.xx, w.xt, w.at("L"), w.slope(0), w.at("L").t
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.symbolic.expression import Declaration, Expression, ParameterDeclaration, check_name
from flexura.symbolic.jets import Jet
from flexura.symbolic.quantities import quantity


@dataclass(frozen=True, eq=False)
class SpineDeclaration:
    """The line a member's particles lie on: from `start` to `end`, both quantities."""

    start: Expression
    end: Expression


@dataclass(frozen=True, eq=False)
class FieldDeclaration(Declaration):
    """A field and the spine it lives on."""

    spine: SpineDeclaration
    kind: ClassVar[str] = "field"


@checked_methods
class Field(Expression):
    """A field e(x, t): `w` is its value, `w.t w.x w.xx w.xt` its derivatives, `w.at(s)` its value at an end."""

    __slots__ = ("name", "spine")
    spine: SpineDeclaration

    def __init__(self, name: str, length: Any = None, spine: Field | SpineDeclaration | None = None, start: Any = 0):
        """`length` is any quantity; `spine=w` puts this field on w's spine; `start` moves the spine's first point."""
        check_name(name, "A field")
        if (length is None) == (spine is None):
            advice = f"write fx.Field({name!r}, length='L'), or spine=w to share the spine of another field"
            raise FlexuraError(
                f"The field {name} has {'no' if length is None else 'two'} length{'s' if spine else ''}",
                advice=advice,
            )
        if spine is None:
            first = quantity(start, "start", name, dimension="m")
            spine = SpineDeclaration(first, first + quantity(length, "length", name, dimension="m", sign="positive"))
        self.name = name
        self.spine = spine.spine if isinstance(spine, Field) else spine
        ends = self.spine.start.declarations | self.spine.end.declarations
        super().__init__(Jet(name).symbol, frozenset({FieldDeclaration(name, self.spine)}) | ends)

    def _jet(self, x: int, t: int) -> Expression:
        return Expression(Jet(self.name, x, t).symbol, self.declarations)

    t = property(lambda self: self._jet(0, 1), doc="Rate.")
    tt = property(lambda self: self._jet(0, 2), doc="Acceleration.")
    x = property(lambda self: self._jet(1, 0), doc="Slope along the spine.")
    xx = property(lambda self: self._jet(2, 0), doc="Second derivative along the spine.")
    xt = property(lambda self: self._jet(1, 1), doc="Rate of the slope.")
    xxt = property(lambda self: self._jet(2, 1), doc="Rate of the second derivative.")

    def at(self, place: Any) -> EndValue:
        """The field's value at an end of its spine."""
        return EndValue(self, Jet(self.name, end=self._end(place)))

    def slope(self, place: Any) -> EndValue:
        """The field's slope at an end of its spine."""
        return EndValue(self, Jet(self.name, x=1, end=self._end(place)))

    def _end(self, place: Any) -> str:
        wanted = quantity(place, "place", self.name, dimension="m")
        for end, where in (("a", self.spine.start), ("b", self.spine.end)):
            if wanted.engine == where.engine or _same_number(wanted, where):
                return end
        raise FlexuraError(
            f"{self.name}.at({place}) is not an end of its spine, which runs from {self.spine.start} to"
            f" {self.spine.end}",
            advice="use one of these two, or split the member there into two fields",
        )


class EndValue(Expression):
    """A field's value or slope at one end. Two mentions of one end stay apart, so that giving it twice is noticed."""

    __slots__ = ("field", "jet")

    def __init__(self, field: Field, jet: Jet) -> None:
        """Made by `field.at(...)` and `field.slope(...)`."""
        super().__init__(jet.symbol, field.declarations)
        self.field, self.jet = field, jet

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @property
    def t(self) -> Expression:
        """Its rate."""
        return Expression(Jet(self.jet.name, self.jet.x, 1, self.jet.end).symbol, self.declarations)

    @property
    def tt(self) -> Expression:
        """Its acceleration."""
        return Expression(Jet(self.jet.name, self.jet.x, 2, self.jet.end).symbol, self.declarations)


def _same_number(first: Expression, second: Expression) -> bool:
    numbers = _number(first), _number(second)
    return numbers[0] is not None and numbers[0] == numbers[1]


def _number(place: Expression) -> float | None:
    values = {one.name: one.value for one in place.declarations if isinstance(one, ParameterDeclaration)}
    symbols = place.engine.free_symbols
    if any(values.get(symbol.name) is None for symbol in symbols):
        return None
    return float(place.engine.subs({symbol: values[symbol.name] for symbol in symbols}))
