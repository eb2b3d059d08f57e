"""The door to SymPy: jets become Functions and Derivatives of x and t, and SymPy expressions become ours.

>>> SympyForm(jets, places).tree(q_tt)        # Derivative(q(t), (t, 2))
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import symengine
import sympy

from flexura.errors import FlexuraError
from flexura.symbolic.engine import FUNCTIONS, SPINE, TIME, WIDTH, Basic, Symbol, exact
from flexura.symbolic.expression import Declaration, Expression, UndeclaredFunction, Unreadable
from flexura.symbolic.impulses import IMPULSE, impulse
from flexura.symbolic.jets import Jet, Jets

x, t = sympy.Symbol("x"), sympy.Symbol("t")
_FIXED = {SPINE: x, TIME: t, WIDTH: sympy.Symbol("dx")}
_FROM_SYMPY: dict[Any, Any] = {
    **{getattr(sympy, name): make for name, make in FUNCTIONS.items() if name not in ("abs", "sqrt")},
    sympy.Abs: symengine.Abs,
    sympy.DiracDelta: impulse,
}


class SympyForm:
    """Engine trees of one system in SymPy; `places` says where the ends of each field lie: name -> (a, b)."""

    def __init__(self, jets: Jets, places: Mapping[str, tuple[Basic, Basic]]) -> None:
        """One form per system: symbols are translated once."""
        self.jets, self.places = jets, places
        self._known: dict[Any, Any] = {}

    def tree(self, f: Basic) -> Any:
        """The SymPy expression of an engine tree."""
        plain = f._sympy_().replace(sympy.Function(IMPULSE), sympy.DiracDelta)
        return plain.xreplace({one: self._symbol(one) for one in plain.free_symbols})

    def _symbol(self, one: Any) -> Any:
        if one not in self._known:
            symbol = Symbol(one.name)
            jet = self.jets.find(symbol)
            self._known[one] = self._jet(jet) if jet else _FIXED.get(symbol, sympy.Symbol(one.name))
        return self._known[one]

    def _jet(self, jet: Jet) -> Any:
        varies = self.jets.varies(jet.name)
        function = sympy.Function(jet.name)
        if not jet.end:
            variables = [one for one in (x, t) if one.name in varies]
            return _differentiated(function(*variables), jet.x, jet.t)
        end, _, spine = jet.end.partition("_")
        place = self.tree(self.places[spine or jet.name]["ab".index(end)])
        others = [t] if "t" in varies else []
        if jet.x == 0:
            return _differentiated(function(place, *others), 0, jet.t)
        return sympy.Subs(_differentiated(function(x, *others), jet.x, jet.t), x, place)


def _differentiated(function: Any, nx: int, nt: int) -> Any:
    orders = [(variable, n) for variable, n in ((t, nt), (x, nx)) if n]  # SymPy's own order of a mixed derivative
    return sympy.Derivative(function, *orders) if orders else function


def expression_to_sympy(one: Expression) -> Any:
    """A user's expression in SymPy, its coordinates as functions of time and its fields as functions of x and t."""
    # what a declaration holds follows from its kind, which types do not tell
    fields = {d.name: d for d in one.declarations if d.kind == "field"}
    functions = {d.name: d.of for d in one.declarations if d.kind in ("input", "function")}  # type: ignore[attr-defined]
    coordinates = [d.name for d in one.declarations if d.kind == "coordinate"]
    places = {name: (d.spine.start.engine, d.spine.end.engine) for name, d in fields.items()}  # type: ignore[attr-defined]
    return SympyForm(Jets(coordinates, fields, functions), places).tree(one.engine)


def expression_from_sympy(given: Any) -> Expression:
    """Read a SymPy expression; functions of x and t stay undeclared until the system they enter knows them."""
    declarations: set[Declaration] = set()
    try:
        return Expression(_read(given, declarations), frozenset(declarations))
    except RecursionError:
        raise Unreadable.of("SymPy expression is nested too deeply to read", "simplify it first") from None


def _read(node: Any, declarations: set[Declaration]) -> Basic:
    if node.is_Symbol:
        return {"x": SPINE, "t": TIME}.get(node.name, Symbol(node.name))
    if node.is_Rational:
        return symengine.Rational(int(node.p), int(node.q))
    if node.is_Float:
        return exact(float(node))
    if node is sympy.pi:
        return symengine.pi
    if node is sympy.E:
        return symengine.E
    if isinstance(node, sympy.Derivative):
        return _derivative(node, declarations)
    if isinstance(node, sympy.core.function.AppliedUndef):
        return _function(node, declarations).symbol
    if isinstance(node, sympy.Piecewise):
        return symengine.Piecewise(*((_read(f, declarations), _condition(c, declarations)) for f, c in node.args))
    arguments = [_read(one, declarations) for one in node.args]
    if node.is_Add:
        return symengine.Add(*arguments)
    if node.is_Mul:
        return symengine.Mul(*arguments)
    if node.is_Pow:
        return arguments[0] ** arguments[1]
    if node.func in _FROM_SYMPY:
        known: Basic = _FROM_SYMPY[node.func](*arguments)
        return known
    raise Unreadable.of(
        f"SymPy expression holds {node.func.__name__} in {node}, which has no place here",
        "write values at ends as w.at(s) and loads along a member as densities",
    )


def _function(node: Any, declarations: set[Declaration]) -> Jet:
    variables = [str(one) for one in node.args]
    if not variables or not set(variables) <= {"x", "t"} or len(set(variables)) < len(variables):
        raise FlexuraError(
            f"{node} is not a function of x and t", advice=f"write its value at an end as {node.func.__name__}.at(s)"
        )
    declarations.add(_undeclared(node.func.__name__, frozenset(variables)))
    return Jet(node.func.__name__)


@cache
def _undeclared(name: str, of: frozenset[str]) -> UndeclaredFunction:
    return UndeclaredFunction(name, of)


def _derivative(node: Any, declarations: set[Declaration]) -> Basic:
    if not isinstance(node.expr, sympy.core.function.AppliedUndef):
        evaluated = node.doit()
        if isinstance(evaluated, sympy.Derivative):
            raise Unreadable.of(f"derivative {node} cannot be read", "differentiate coordinates and fields only")
        return _read(evaluated, declarations)
    jet = _function(node.expr, declarations)
    orders = {str(variable): int(n) for variable, n in node.variable_count}
    return Jet(jet.name, orders.get("x", 0), orders.get("t", 0)).symbol


def _condition(node: Any, declarations: set[Declaration]) -> Any:
    if node is sympy.true:
        return True
    relations = {sympy.StrictLessThan: symengine.Lt, sympy.LessThan: symengine.Le,
                 sympy.StrictGreaterThan: symengine.Gt, sympy.GreaterThan: symengine.Ge}  # fmt: skip
    if type(node) not in relations:
        raise Unreadable.of(f"condition {node} cannot be read", "use <, <=, > or >=")
    return relations[type(node)](*(_read(one, declarations) for one in node.args))
