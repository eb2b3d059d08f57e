"""The state a linearisation is about: values and steady rates, what balances there, and the loads it carries."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import symengine
from symengine.lib import symengine_wrapper as wrapper

from flexura.derivation.decimals import in_decimals
from flexura.derivation.equations.rows import Row, Sum
from flexura.derivation.routes import driven
from flexura.derivation.shared import least
from flexura.derivation.surrogate import surrogate_rows
from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.errors import FlexuraError
from flexura.symbolic.engine import ONE, SPINE, TIME, ZERO, Basic, Symbol, exact, partial
from flexura.symbolic.expression import ParameterDeclaration
from flexura.symbolic.integrals import definite, terms
from flexura.symbolic.jets import Jet
from flexura.symbolic.kinematics.geometry import Geometry
from flexura.symbolic.named import by_name
from flexura.symbolic.quantities import merge_values, quantity, text_or_expression
from flexura.symbolic.zero import normal_form, vanishes, verdict, within

Change = Callable[[Basic], Basic]
_STEADY = Symbol("$steady")  # the time of a steady motion, kept apart from t, since it must drop out
_INFINITE = (wrapper.NaN, wrapper.ComplexInfinity, wrapper.Infinity, wrapper.NegativeInfinity)
_LONG = 150  # nodes of a function of x that is not multiplied out any more
_COUNTS = 1e-9  # of what a multiplier does before others are known: what is left of it where its condition repeats them
_KINKED = (symengine.Abs, symengine.sign, wrapper.StrictLessThan, wrapper.LessThan)


def _sides(one: Basic) -> tuple[Basic, Basic]:
    """What a kink is above and below the change; a condition left < right turns where left - right does."""
    if isinstance(one, symengine.Abs):
        return one.args[0], -one.args[0]
    return (ONE, -ONE) if isinstance(one, symengine.sign) else (symengine.false, symengine.true)


class NoEquilibrium(FlexuraError):
    """A state that is none at rest, where `fx.equilibrium` may find one."""


class _StatedAt:
    """What the small motion is measured from: values and constant rates, as trees in parameters and x."""

    def __init__(self, energies: Lagrangian, about: Mapping[str, Any]) -> None:
        self.energies, self.parameters = energies, dict(energies.parameters)
        self.value = dict.fromkeys((*energies.coordinates, *energies.fields), ZERO)
        self.rate, self.multipliers = dict(self.value), dict[str, Basic]()
        homes = dict.fromkeys(energies.multipliers, self.multipliers) | dict.fromkeys(self.value, self.value)
        for key, given in by_name(about, "The state").items():
            name = key if key in homes or not isinstance(key, str) else key.removesuffix("_t")
            if name in energies.prescribed:
                raise FlexuraError(
                    f"The state gives {key}, but the motion of {name} is prescribed", advice="leave it out"
                )
            if key not in homes and name not in self.value:
                raise FlexuraError(
                    f"The state gives {key!r}, which nothing is called", advice=f"give {', '.join(homes)}"
                )
            homes.get(key, self.rate)[name] = self._tree(key, given, name in energies.fields)

    def _tree(self, key: str, given: Any, spine: bool) -> Basic:
        one = text_or_expression(given, what=f"the state of {key}", spine=spine)
        if self.energies.jets.inside(one.engine) or {TIME, *(() if spine else (SPINE,))} & one.engine.free_symbols:
            of = "parameters and x" if spine else "parameters"
            raise FlexuraError(
                f"The state of {key} is {one}", advice=f"give it in {of} alone, and a steady rate as {key}_t"
            )
        known = merge_values(one.declarations)
        for symbol in sorted(one.engine.free_symbols - {SPINE}, key=str):
            self.parameters.setdefault(symbol.name, known.get(symbol.name, ParameterDeclaration(symbol.name)))
        return one.engine

    def changed(self, energies: Lagrangian, change: Change) -> None:
        """Put values in here too."""
        self.energies = energies
        for trees in (self.value, self.rate, self.multipliers):
            trees.update({name: change(f) for name, f in trees.items()})

    def of(self, jet: Jet) -> Basic:
        """The value of one jet."""
        f = (self.value[jet.name] + self.rate[jet.name] * _STEADY, self.rate[jet.name], ZERO)[min(jet.t, 2)]
        for _ in range(jet.x):
            f = partial(f, SPINE)
        return f.xreplace({SPINE: self.energies.spine_of(jet.name).place(jet.end)}) if jet.end else f

    def at(self, f: Basic, where: str) -> Basic:
        """The value of `f`; multipliers stay, and the time of a steady motion must drop out."""
        jets = [jet for jet in self.energies.jets.unknowns(f) if jet.name in self.value]
        found = put(f, {jet.symbol: self.of(jet) for jet in jets}, where)
        if _STEADY in found.free_symbols and not verdict(partial(found, _STEADY)):
            steady = ", ".join(name for name, rate in self.rate.items() if rate != 0)
            raise FlexuraError(
                f"Along the steady motion of {steady} {where} changes with time",
                advice="only a motion along which the system looks the same at all times can be linearised about",
            )
        return found.xreplace({_STEADY: ZERO})

    def smooth(self, f: Basic, where: str, order: int) -> Basic:
        """`f` without the |u|, sign(u) and conditions that change over at the state itself.

        They may where both sides are alike up to the order that is asked for, as in v |v|; others are refused.
        """
        for one in sorted(f.atoms(*_KINKED), key=str):
            turning = one.args[0] - one.args[1] if len(one.args) > 1 else one.args[0]
            if not self.energies.jets.unknowns(turning) or not verdict(self.at(turning, where)):
                continue
            above, below = (f.xreplace({one: side}) for side in _sides(one))
            if not self._alike(above - below, where, order):
                raise FlexuraError(
                    f"At this state {one} in {where} has a kink, so nothing linear replaces it",
                    advice="leave that term out, or linearise about another state",
                )
            f = above
        return f

    def _alike(self, gap: Basic, where: str, order: int) -> bool:
        """Whether what differs on the two sides of a kink, and its slopes, vanish at the state."""
        if not verdict(self.at(gap, where)):
            return False
        jets = self.energies.jets.unknowns(gap) if order else []
        return all(self._alike(partial(gap, jet.symbol), where, order - 1) for jet in jets)


class StatedSystem:
    """The energies with values put in, the state, and what the rows leave over there."""

    def __init__(
        self, energies: Lagrangian, about: Mapping[str, Any], values: Mapping[str, Any], held: Collection[str] = ()
    ) -> None:
        """What drives the coordinates in `held` balances their rows, whatever these leave over."""
        self.held = frozenset(held)
        self.given, self.orders, self.state = bool(about), energies.orders, _StatedAt(energies, about)
        change, parameters = _reader(energies, self.state.parameters, values)
        parts = {name: through(getattr(energies, name), change) for name in Lagrangian.__dataclass_fields__}
        parts["inputs"] = {name: of for name, of in energies.inputs.items() if name not in values}
        self.energies = Lagrangian.of_parts(**{**parts, "parameters": parameters, "motion": None, "source": None})
        self.state.changed(self.energies, change)
        rows = [driven(row, self.energies) for row in surrogate_rows(self.energies)]
        self.rows = {row.name: row for row in rows if row.kind != "reaction"}
        residuals = {name: row.residual.map(self._value(row)) for name, row in self.rows.items()}
        self._resting = {name: side.map(self._still(self.rows[name])) for name, side in residuals.items()}
        self.forcing = {name: (residuals[name] - self._resting[name]).map(neat) for name in self.rows}
        self.multipliers = self._multipliers()

    @cached_property
    def constant(self) -> dict[str, Basic]:
        """What each row leaves over that neither time nor an input drives."""
        resting = {name: side for name, side in self._resting.items() if name not in self.held}
        return {name: _integrated(side, self.energies) for name, side in resting.items()}

    def tree(self, f: Basic, where: str, order: int = 1) -> Basic:
        """An expression with what is given at ends and what is prescribed put in, smooth up to an order."""
        return self.state.smooth(self.energies.driven(self.energies.settled(f)), where, order)

    def from_state(self, f: Basic) -> Basic:
        """A position in the small motion: measured from the state, with prescribed motions put in."""
        jets = [jet for jet in self.energies.jets.unknowns(f) if jet.name in self.state.value]
        moved = f.xreplace({jet.symbol: jet.symbol + self.state.of(jet) for jet in jets})
        return self.energies.driven(moved).xreplace({_STEADY: TIME})

    def deviation(self, name: str, f: Basic) -> Basic:
        """The initial value of a first-order state, measured from the state that the small motion is about."""
        return (f - self.state.at(Symbol(name), f"the initial value of {name}")).expand()

    def _value(self, row: Row) -> Change:
        return lambda f: self.state.at(f, called(row))

    def _still(self, row: Row) -> Change:
        """What neither time nor an input drives."""
        return lambda f: _without_time(put(f, self.off(f), called(row)))

    def off(self, f: Basic) -> dict[Symbol, Basic]:
        """Inputs set to zero, and their rates."""
        jets = [jet for jet in self.energies.jets.inside(f) if jet.name in self.energies.inputs]
        return {jet.symbol: ZERO for jet in jets} | {Symbol(name): ZERO for name in self.energies.inputs}

    def _multipliers(self) -> dict[Symbol, Basic]:
        """The reactions of the constraints at the state: eliminated one by one, by the largest coefficient.

        Those of conditions that repeat others are not determined; of all that balance, the least are taken. What the
        small motion feels does not depend on that choice.
        """
        found = {Symbol(name): f for name, f in self.state.multipliers.items()}
        if len(found) == len(self.energies.multipliers):
            return found
        rows, shared = [f.xreplace(found) for f in self.constant.values()], list[Symbol]()
        for symbol in [one for one in map(Symbol, self.energies.multipliers) if one not in found]:
            before = [partial(f, symbol) for f in self.constant.values()]
            whole = max(abs(_number(slope, _sample([slope], 0))) for slope in before)
            slopes = [partial(f, symbol) for f in rows]
            size, best = max((abs(_number(slope, _sample([slope], 0))), i) for i, slope in enumerate(slopes))
            if size <= _COUNTS * whole:
                shared.append(symbol)
                continue
            value = {symbol: -rows[best].xreplace({symbol: ZERO}) / slopes[best]}
            rows = [f.xreplace(value) for f in rows]
            found = {one: f.xreplace(value) for one, f in found.items()} | value
        return least(found, shared)

    @cached_property
    def unbalanced(self) -> dict[str, Basic]:
        """What the rows that do not hold at the state leave over."""
        rows = {name: f.xreplace(self.multipliers) for name, f in self.constant.items()}
        return {name: f for name, f in rows.items() if not self._vanishes(self.rows[name], f)}

    def _vanishes(self, row: Row, f: Basic) -> bool:
        """Symbolically; or, for a state in decimals, to rounding at random values of the symbols that remain."""
        if verdict(f) or (not self.given and f.free_symbols):  # numbers alone may be those of a geometry in decimals
            return bool(verdict(f))
        places = {row.spine: row.residual.local, **row.residual.integrals}
        return all(
            abs(_number(f, _sample([f], draw, self._spine(row.spine))))
            <= 1e-8 * sum(self._scale(row, on, g, draw) for on, g in places.items())
            for draw in range(3)
        )

    def _scale(self, row: Row, on: str, f: Basic, draw: int) -> float:
        """How large the terms of a row are at the state: slopes times jets, times the length if it is an integral."""
        rated = row.kind == "constraint"  # a condition on rates has terms as large as these
        jets = [jet for jet in self.energies.jets.unknowns(f) if not jet.t or (rated and jet.t == 1)]
        spine = self._spine(on)
        total = 0.0
        for jet in jets:
            c = self._value(row)(partial(f, jet.symbol)).xreplace(self.multipliers)
            total += abs(_number(c, _sample([c], draw, spine))) * self._size(jet, draw)
        return total * (
            abs(_number(spine.end - spine.start, _sample([], draw, spine))) if on != row.spine and spine else 1
        )

    def _state_of(self, jet: Jet) -> Basic:
        return self.state.of(replace(jet, end="")) if jet.name in self.state.value else self.multipliers[jet.symbol]

    def _spine(self, name: str) -> Spine | None:
        return self.energies.spine_of(name) if name in self.energies.fields else None

    def _size(self, jet: Jet, draw: int) -> float:
        """How large a jet is at the state: a coordinate, at least 1e-4, or a field anywhere on its spine."""
        f, spine = self._state_of(jet).xreplace({_STEADY: ZERO}), self._spine(jet.name)
        found = [abs(_number(f, _sample([f], draw, spine, place))) for place in (range(5) if spine else (0,))]
        return max(found) if spine else max(*found, 1e-4)

    def unbalance(self) -> FlexuraError:
        """Which row fails, by how much, and what to do."""
        name, f = next(iter(self.unbalanced.items()))
        row = self.rows[name]
        left = f"{_number(f, {}):.6g}" if not f.free_symbols else str(f.expand()).replace("$x", "x")
        what = f"{called(row)} is left with {left if len(left) < 200 else left[:197] + '...'}"
        if row.kind in ("geometric", "constraint"):
            return NoEquilibrium(
                f"The state does not hold together: {what} where 0 is due",
                advice="give one that fits, or fx.equilibrium(...)",
            )
        if any(rate != 0 for rate in self.state.rate.values()):
            return FlexuraError(
                f"A load that keeps the steady motion up is missing: {what}",
                advice="add that load, or change the motion",
            )
        state = "The state that is given" if self.given else "Zero"
        return NoEquilibrium(
            f"{state} is not an equilibrium: {what}", advice="linearise with about=fx.equilibrium(equations)"
        )


def _reader(
    energies: Lagrangian, known: Mapping[str, ParameterDeclaration], values: Mapping[str, Any]
) -> tuple[Change, dict[str, ParameterDeclaration]]:
    """What puts values in, and the parameters with these values."""
    values = {name: value for name, value in values.items() if name not in energies.dropped}
    trees = {name: _value_tree(name, value, energies, known) for name, value in values.items()}
    varying = {name for name in trees if energies.inputs.get(name)}
    numbers = {Symbol(name): f for name, f in trees.items() if name not in varying}

    def derivative(jet: Jet) -> Basic:
        f = trees[jet.name]
        for symbol in (SPINE,) * jet.x + (TIME,) * jet.t:
            f = partial(f, symbol)
        return f

    def change(f: Basic) -> Basic:
        functions = {jet.symbol: derivative(jet) for jet in energies.jets.inside(f) if jet.name in varying}
        return f.xreplace({**numbers, **functions})

    given = {name: replace(known[name], value=float(trees[name].n(53, real=True))) for name in trees if name in known}
    return change, {**known, **given}


def _value_tree(name: str, value: Any, energies: Lagrangian, known: Mapping[str, ParameterDeclaration]) -> Basic:
    """A number for a parameter; for an input also text in what it depends on."""
    of = energies.inputs.get(name, frozenset())
    if name in known:
        one = quantity(value, name, "values", dimension=known[name].unit or None)
        carried = {Symbol(part.name): part.value for part in merge_values(one.declarations).values()}
        tree = one.engine.xreplace({symbol: exact(number) for symbol, number in carried.items() if number is not None})
    elif name in energies.inputs:
        tree = text_or_expression(value, what=f"the value of {name}", spine="x" in of).engine
    else:
        names = ", ".join((*known, *energies.inputs))
        raise FlexuraError(f"A value is given for {name!r}, which is not in the equations", advice=f"they hold {names}")
    if not tree.free_symbols <= {symbol for symbol in (SPINE, TIME) if symbol.name[-1] in of}:
        allowed = f"a number or text in {', '.join(sorted(of))}" if of else "a number"
        raise FlexuraError(f"The value of {name} is {value}", advice=f"give {allowed}")
    return tree


def through(part: Any, change: Change) -> Any:
    """Change every tree in a part of a Lagrangian."""
    if isinstance(part, symengine.Basic):
        return change(part)
    if isinstance(part, Spine):
        return replace(part, start=change(part.start), end=change(part.end))
    if isinstance(part, Geometry):
        return part.map(change)
    if isinstance(part, tuple):
        return tuple(through(one, change) for one in part)
    return {key: through(one, change) for key, one in part.items()} if isinstance(part, Mapping) else part


def put(f: Basic, replaced: Mapping[Symbol, Basic], where: str) -> Basic:
    """Put values in; what becomes infinite there is refused."""
    try:
        found = f.xreplace(dict(replaced))
    except RuntimeError:
        found = symengine.nan
    if found.atoms(*_INFINITE) or isinstance(found, _INFINITE):
        raise FlexuraError(f"At this state {where} has no finite value", advice="linearise about another state")
    return in_decimals(found)


def _without_time(f: Basic) -> Basic:
    if TIME not in f.free_symbols:
        return f
    if verdict(partial(f, TIME)):
        return f.xreplace({TIME: ZERO})
    return symengine.Add(*(term for term in terms(f.expand()) if TIME not in term.free_symbols))


def neat(f: Basic) -> Basic:
    """Expanded, in the shorter of two forms; what is identically zero is 0.

    A long function of x, about a bent shape, stays as it is: powers of x multiplied out would cancel one another.
    """
    if SPINE in f.free_symbols and not within(f, _LONG):
        return ZERO if vanishes(f) else f
    f = f.expand()
    if not f.atoms(symengine.sin, symengine.cos):
        return f
    short = normal_form(f)
    return short if len(str(short)) < len(str(f)) and verdict(f - short) else f


def expanded(f: Basic) -> Basic:
    """Multiplied out, unless it is a long function of x."""
    return f if SPINE in f.free_symbols and not within(f, _LONG) else f.expand()


def at_rest(energies: Lagrangian) -> Change:
    """A tree with every unknown at zero."""
    return lambda f: f.xreplace({jet.symbol: ZERO for jet in energies.jets.unknowns(f)})


def _integrated(side: Sum, energies: Lagrangian) -> Basic:
    """A sum that holds no unknowns, with its integrals done."""
    total = side.local
    for spine in energies.spines:
        f = side.integrals.get(spine.name, ZERO)
        integral = definite(f, spine.start, spine.end)
        if integral is None:
            raise FlexuraError(
                f"The integral of {f} along {spine.name} is not known", advice="give numbers with values=..."
            )
        total += integral
    return total


def _number(f: Basic, where: Mapping[Symbol, Basic]) -> float:
    found = complex(f.xreplace(dict(where)).n(120, real=False))
    return found.real if found.imag == 0 else abs(found)


def _sample(trees: Iterable[Basic], draw: int, spine: Spine | None = None, place: int = 2) -> dict[Symbol, Basic]:
    """Some numbers for the symbols in trees, others in each draw; x at a fourth of the spine."""
    start, end = (spine.start, spine.end) if spine else (ZERO, ONE)
    symbols = {symbol for f in (*trees, start, end) for symbol in f.free_symbols}
    found = {one: symengine.Rational(random.Random(f"{one}{draw}").randint(500, 1500), 1000) for one in symbols}
    x = start + (end - start) * symengine.Rational(4 * place + draw, 18)
    return {**found, SPINE: x.xreplace(found)}


def called(row: Row) -> str:
    """How a sentence names a row."""
    label, _, end = row.name.partition("@")
    what = f"{'slope' if label.endswith('_x') else 'value'} of {label.removesuffix('_x')}"
    at_end = f"{what} at its {'start' if end == 'a' else 'end'}"
    words = {"natural": f"the condition for the {at_end}", "geometric": f"the given {at_end}"}
    words["constraint"] = f"the constraint of {row.name}"
    return words.get(row.kind, f"the equation of {row.name}")
