"""Expressions users write: an engine tree plus what it mentions, so that no value, unit or identity gets lost.

>>> q, k = Coordinate("q"), Parameter("k", 3.0)
>>> k * q**2 / 2 - cos(q) * q.t
"""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar

import symengine

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.symbolic.engine import FUNCTIONS, SINCE, SPINE, TIME, Basic, Symbol, exact, hangs
from flexura.symbolic.impulses import IMPULSE
from flexura.symbolic.impulses import impulse as impulse_tree
from flexura.symbolic.jets import Jet

_COUNTER = itertools.count()
_NAME = re.compile(r"[^\W\d]\w*\Z")


@dataclass(frozen=True, eq=False)
class Declaration:
    """One thing a user declared by name; compared by identity, so that two of one name are noticed."""

    name: str
    born: int = field(default_factory=lambda: next(_COUNTER), init=False)
    kind: ClassVar[str] = "symbol"


@dataclass(frozen=True, eq=False)
class ParameterDeclaration(Declaration):
    """A quantity: its value (SI, or None until the user gives one), unit, and the parts that carry it.

    `given_in` is the unit in which the user gave the value, if that was one: its dimension is checked wherever it is
    used. `new`: no part has it, it was first named in the text of a load, a motion or a constraint.
    """

    value: float | None = None
    unit: str = ""
    parts: tuple[str, ...] = ()
    given_in: str = ""
    new: bool = False
    kind: ClassVar[str] = "parameter"


@dataclass(frozen=True, eq=False)
class CoordinateDeclaration(Declaration):
    """A discrete coordinate q(t)."""

    kind: ClassVar[str] = "coordinate"


@dataclass(frozen=True, eq=False)
class InputDeclaration(Declaration):
    """A given function of time, of the place on the spine, or of both."""

    of: frozenset[str] = frozenset("t")
    kind: ClassVar[str] = "input"


@dataclass(frozen=True, eq=False)
class UndeclaredFunction(Declaration):
    """A function met in an expression before anybody declared it; whoever builds the system resolves it."""

    of: frozenset[str] = frozenset("t")
    kind: ClassVar[str] = "function"


@checked_methods
class Expression:
    """A formula in the fast engine; arithmetic with numbers, SymPy objects and other expressions stays here."""

    __slots__ = ("declarations", "engine")
    _op_priority = 1000.0  # SymPy then leaves mixed arithmetic to this class
    __array_ufunc__ = None  # and so does NumPy

    engine: Basic
    declarations: frozenset[Declaration]

    def __init__(self, engine: Basic, declarations: frozenset[Declaration] = frozenset()) -> None:
        """Wrap an engine tree; `declarations` are the named things it mentions."""
        self.engine = engine
        self.declarations = declarations

    def _with(self, other: Any, operation: Callable[[Basic, Basic], Basic]) -> Expression:
        try:
            right = expression(other)
        except TypeError:
            return NotImplemented  # type: ignore[no-any-return]
        return Expression(operation(self.engine, right.engine), self.declarations | right.declarations)

    def __add__(self, other: Any) -> Expression:
        return self._with(other, lambda a, b: a + b)

    def __radd__(self, other: Any) -> Expression:
        return self._with(other, lambda a, b: b + a)

    def __sub__(self, other: Any) -> Expression:
        return self._with(other, lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Expression:
        return self._with(other, lambda a, b: b - a)

    def __mul__(self, other: Any) -> Expression:
        return self._with(other, lambda a, b: a * b)

    def __rmul__(self, other: Any) -> Expression:
        return self._with(other, lambda a, b: b * a)

    def __truediv__(self, other: Any) -> Expression:
        return self._with(other, _divide)

    def __rtruediv__(self, other: Any) -> Expression:
        return self._with(other, lambda a, b: _divide(b, a))

    def __pow__(self, other: Any) -> Expression:
        return self._with(other, lambda a, b: a**b)

    def __rpow__(self, other: Any) -> Expression:
        return self._with(other, lambda a, b: b**a)

    def __neg__(self) -> Expression:
        return Expression(-self.engine, self.declarations)

    def __pos__(self) -> Expression:
        return self

    def __abs__(self) -> Expression:
        return Expression(FUNCTIONS["abs"](self.engine), self.declarations)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and bool(self.engine == other.engine)

    def __hash__(self) -> int:
        return hash(self.engine)

    def __bool__(self) -> bool:
        return bool(self.engine != 0)

    def __str__(self) -> str:
        return str(self.engine).replace("$x", "x")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"

    def _sympy_(self) -> Any:
        from flexura.symbolic.sympy_form import expression_to_sympy

        return expression_to_sympy(self)


class Unreadable(FlexuraError):
    """A text or an expression that cannot be read; `subject` is the problem without its article.

    So the same can be said of a place: "The text ..." and "In the EI of beam, the text ...".
    """

    subject: str = ""

    @classmethod
    def of(cls, subject: str, advice: str) -> Unreadable:
        """The problem is the subject with its article."""
        made = cls(f"The {subject}", advice=advice)
        made.subject = subject
        return made


def _divide(a: Basic, b: Basic) -> Basic:
    if b == 0:
        raise Unreadable.of(f"expression divides ({a}) by zero", "check the denominator")
    return a / b


def expression(value: Any) -> Expression:
    """Read a number, an expression of ours, or a SymPy or symengine expression; text goes through the parser."""
    if isinstance(value, Expression):
        return value
    if isinstance(value, bool):
        raise TypeError("a truth value is not a quantity")
    if isinstance(value, int | float | Fraction | Decimal):
        if value != value or value in (float("inf"), float("-inf")):
            raise Unreadable.of(f"number {value} is not finite", "give a finite value")
        return Expression(exact(value))
    if isinstance(value, symengine.Basic):
        return Expression(value)
    if "sympy" in sys.modules and isinstance(value, sys.modules["sympy"].Basic):
        from flexura.symbolic.sympy_form import expression_from_sympy

        return expression_from_sympy(value)
    if hasattr(value, "item") and hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0:
        return expression(value.item())  # a NumPy scalar, without importing NumPy
    raise TypeError(f"{value!r} is not an expression")


def check_name(name: str, what: str) -> str:
    """Refuse names that the text grammar could not read back."""
    if not isinstance(name, str) or not _NAME.match(name):
        raise FlexuraError(
            f"{what} is called {name!r}", advice="use a name of letters, digits and underscores, like 'q1'"
        )
    if name in FUNCTIONS or name in ("t", "pi", "Piecewise"):
        raise FlexuraError(
            f"{what} is called {name!r}, which is a word of the expression grammar", advice="choose another"
        )
    return name


@checked_methods
class Parameter(Expression):
    """A quantity by name, with its value if it has one: `fx.Parameter("EI", 50.0)`, `fx.Parameter("E", "210 GPa")`."""

    __slots__ = ("name", "value")

    def __init__(
        self, name: str, value: float | str | None = None, unit: str = "", parts: tuple[str, ...] = ()
    ) -> None:
        """`value` is in SI units, or text with a unit; leave it out and give it when solving."""
        from flexura.symbolic.quantities import parameter_value

        check_name(name, "A parameter")
        number, given_in = (None, unit) if value is None else parameter_value(name, value)
        declared = ParameterDeclaration(name, number, unit or given_in, parts, given_in or unit)
        super().__init__(Symbol(name), frozenset({declared}))
        self.name, self.value = name, number


@checked_methods
class Coordinate(Expression):
    """A discrete coordinate q(t): `q` is its value, `q.t` its rate, `q.tt` its acceleration."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        """Declare the coordinate."""
        check_name(name, "A coordinate")
        super().__init__(Symbol(name), frozenset({CoordinateDeclaration(name)}))
        self.name = name

    @property
    def t(self) -> Expression:
        """The rate dq/dt."""
        return Expression(Jet(self.name, t=1).symbol, self.declarations)

    @property
    def tt(self) -> Expression:
        """The acceleration."""
        return Expression(Jet(self.name, t=2).symbol, self.declarations)


@checked_methods
class Input(Expression):
    """A given function, by name: `fx.Input("F")` of time, `fx.Input("f", of="x")` along the spine, `of="xt"` both."""

    __slots__ = ("name", "of")

    def __init__(self, name: str, of: str = "t") -> None:
        """`of` names the variables it depends on; "" is an input that has one number."""
        check_name(name, "An input")
        if not set(of) <= {"x", "t"}:
            raise FlexuraError(f"The input {name} depends on {of!r}", advice="write 't', 'x', 'xt' or ''")
        super().__init__(Symbol(name), frozenset({InputDeclaration(name, frozenset(of))}))
        self.name, self.of = name, frozenset(of)


def _function(name: str) -> Callable[..., Expression]:
    count = 2 if name == "atan2" else 1

    def apply(*arguments: Any) -> Expression:
        if len(arguments) != count:
            raise FlexuraError(f"{name} is given {len(arguments)} values", advice=f"give exactly {count}")
        try:
            given = [expression(argument) for argument in arguments]
        except TypeError as error:
            raise FlexuraError(
                f"{name} is asked for, and {error}", advice="give a number, a coordinate, a parameter or an expression"
            ) from None
        declarations = frozenset().union(*(one.declarations for one in given))
        engine = [one.engine for one in given]
        if hangs(name, engine):
            raise FlexuraError(
                f"{name}({engine[-1]}) cannot be computed, because of the power of a negative value",
                advice="write it another way",
            )
        return Expression({**FUNCTIONS, **SINCE, IMPULSE: impulse_tree}[name](*engine), declarations)

    apply.__name__ = apply.__qualname__ = name
    apply.__doc__ = f"{name}(...) as an expression in the fast engine."
    return apply


sin, cos, tan = _function("sin"), _function("cos"), _function("tan")
asin, acos, atan, atan2 = _function("asin"), _function("acos"), _function("atan"), _function("atan2")
sinh, cosh, tanh = _function("sinh"), _function("cosh"), _function("tanh")
exp, log, sqrt = _function("exp"), _function("log"), _function("sqrt")
abs_, sign, ramp, step = _function("abs"), _function("sign"), _function("ramp"), _function("step")
impulse = _function("impulse")

pi = Expression(symengine.pi)
x = Expression(SPINE)
time = Expression(TIME)
