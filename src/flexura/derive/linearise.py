"""Linearise: expand the energies to second order about a state, and derive the linear equations from that.

    >>> linear = fx.linearise(equations, about={"theta": 0.3})
    >>> linear.lagrangian.potential                     # quadratic; what is not potential stands in `work`

With u the small motion (it keeps the names) and u0 the state, each row R(u0 + u) = 0 becomes R(u0) + R'(u0) u = 0.
R'(u0) comes from the second-order parts of the energies; where a boundary value, a constraint or a load is not linear,
its derivatives times the load it carries at u0 join in. R(u0) must vanish but for given functions of time, which are
loads. Prescribed motions are put in, so the rows of what drives them (reactions) are no part of the linear equations.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import symengine
from symengine.lib import symengine_wrapper as wrapper

from flexura.derive.routes import ROUTES, derive, driven
from flexura.derive.surrogate import boundary_load, surrogate_rows
from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.equations.equations import Equations
from flexura.equations.rows import Row, Sum
from flexura.errors import FlexuraError
from flexura.symbols.engine import ONE, SPINE, TIME, ZERO, Basic, Symbol, exact, partial
from flexura.symbols.expression import ParameterDeclaration
from flexura.symbols.integrals import definite, terms
from flexura.symbols.jets import Jet
from flexura.symbols.quantities import merge_values, quantity, text_or_expression
from flexura.symbols.zero import normal_form, verdict

Change = Callable[[Basic], Basic]
_STEADY = Symbol("$steady")  # the time of a steady motion, kept apart from t, since it must drop out
_INFINITE = (wrapper.NaN, wrapper.ComplexInfinity, wrapper.Infinity, wrapper.NegativeInfinity)
_KINKED = (symengine.Abs, symengine.sign, wrapper.StrictLessThan, wrapper.LessThan)


def linearise(
    equations: Equations, about: Mapping[str, Any] | None = None, values: Mapping[str, Any] | None = None
) -> Equations:
    """The equations of small motions about zero, or about a state {"theta": 0.3, "w": "x**2", "phi_t": "Omega"}.

    A rate phi_t is a steady motion; what is not given is zero; prescribed motions stay as they are given. `values` are
    put in first, also for inputs, which so become steady loads; other inputs are small and stay as loads.
    """
    given = dict(values or {})
    system = _System(equations.lagrangian, about or {}, given)
    if system.unbalanced and equations.values:  # a state found for the numbers the parts carry holds for these alone
        carried = _System(equations.lagrangian, about or {}, {**equations.values, **given})
        system = system if carried.unbalanced else carried
    if system.unbalanced:
        raise FlexuraError(system.why_unbalanced())
    return derive(_Linear(system).lagrangian(), equations.method if equations.method in ROUTES else "surrogate")


class _State:
    """What the small motion is measured from: values and constant rates, as trees in parameters and x."""

    def __init__(self, energies: Lagrangian, about: Mapping[str, Any]) -> None:
        self.energies, self.parameters = energies, dict(energies.parameters)
        self.value = dict.fromkeys((*energies.coordinates, *energies.fields), ZERO)
        self.rate, self.multipliers = dict(self.value), dict[str, Basic]()
        homes = dict.fromkeys(energies.multipliers, self.multipliers) | dict.fromkeys(self.value, self.value)
        for key, given in about.items():
            name = key if key in homes else str(key).removesuffix("_t")
            if name in energies.prescribed:
                raise FlexuraError(f"The state gives {key}, but the motion of {name} is prescribed; leave it out.")
            if key not in homes and name not in self.value:
                raise FlexuraError(f"The state gives {key!r}, which nothing is called; give {', '.join(homes)}.")
            homes.get(key, self.rate)[name] = self._tree(key, given, name in energies.fields)

    def _tree(self, key: str, given: Any, spine: bool) -> Basic:
        one = text_or_expression(given, what=f"the state of {key}", spine=spine)
        if self.energies.jets.inside(one.engine) or {TIME, *(() if spine else (SPINE,))} & one.engine.free_symbols:
            of = "parameters and x" if spine else "parameters"
            raise FlexuraError(f"The state of {key} is {one}; give it in {of} alone, and a steady rate as {key}_t.")
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
        found = _put(f, {jet.symbol: self.of(jet) for jet in jets}, where)
        if _STEADY in found.free_symbols and not verdict(partial(found, _STEADY)):
            steady = ", ".join(name for name, rate in self.rate.items() if rate != 0)
            raise FlexuraError(
                f"Along the steady motion of {steady} {where} changes with time; only a motion along which the system"
                " looks the same at all times can be linearised about."
            )
        return found.xreplace({_STEADY: ZERO})

    def smooth(self, f: Basic, where: str) -> Basic:
        """Refuse |u|, sign(u) and conditions that change over at the state itself."""
        for one in f.atoms(*_KINKED):
            turning = one.args[0] - one.args[1] if len(one.args) > 1 else one.args[0]
            if self.energies.jets.unknowns(turning) and verdict(self.at(turning, where)):
                raise FlexuraError(
                    f"At this state {one} in {where} has a kink, so nothing linear replaces it; leave that term out, or"
                    " linearise about another state."
                )
        return f


class _System:
    """The energies with values put in, the state, and what the rows leave over there."""

    def __init__(self, energies: Lagrangian, about: Mapping[str, Any], values: Mapping[str, Any]) -> None:
        self.given, self.orders, self.state = bool(about), energies.orders, _State(energies, about)
        change, parameters = _reader(energies, self.state.parameters, values)
        parts = {name: _through(getattr(energies, name), change) for name in Lagrangian.__dataclass_fields__}
        parts["inputs"] = {name: of for name, of in energies.inputs.items() if name not in values}
        self.energies = Lagrangian.of_parts(**{**parts, "parameters": parameters, "motion": None})
        self.state.changed(self.energies, change)
        rows = [driven(row, self.energies) for row in surrogate_rows(self.energies)]
        self.rows = {row.name: row for row in rows if row.kind != "reaction"}
        residuals = {name: row.residual.map(self._value(row)) for name, row in self.rows.items()}
        still = {name: side.map(self._still(self.rows[name])) for name, side in residuals.items()}
        self.forcing = {name: (residuals[name] - still[name]).map(_neat) for name in self.rows}
        self.constant = {name: _integrated(side, self.energies) for name, side in still.items()}
        self.multipliers = self._multipliers()

    def tree(self, f: Basic, where: str) -> Basic:
        """An expression with what is given at ends and what is prescribed put in."""
        return self.state.smooth(self.energies.driven(self.energies.settled(f)), where)

    def _value(self, row: Row) -> Change:
        return lambda f: self.state.at(f, _called(row))

    def _still(self, row: Row) -> Change:
        """What neither time nor an input drives."""
        return lambda f: _without_time(_put(f, self.off(f), _called(row)))

    def off(self, f: Basic) -> dict[Symbol, Basic]:
        """Inputs set to zero, and their rates."""
        jets = [jet for jet in self.energies.jets.inside(f) if jet.name in self.energies.inputs]
        return {jet.symbol: ZERO for jet in jets} | {Symbol(name): ZERO for name in self.energies.inputs}

    def _multipliers(self) -> dict[Symbol, Basic]:
        """The reactions of the constraints at the state: eliminated one by one, by the largest coefficient."""
        found = {Symbol(name): f for name, f in self.state.multipliers.items()}
        rows = [f.xreplace(found) for f in self.constant.values()]
        for symbol in [one for one in map(Symbol, self.energies.multipliers) if one not in found]:
            slopes = [partial(f, symbol) for f in rows]
            size, best = max((abs(_number(slope, _sample([slope], 0))), i) for i, slope in enumerate(slopes))
            if size < 1e-12:
                raise FlexuraError(
                    f"The multiplier {symbol} is not determined at this state, where the constraints repeat one"
                    f" another; leave a constraint out, or give the multiplier with about={{'{symbol}': ...}}."
                )
            value = {symbol: -rows[best].xreplace({symbol: ZERO}) / slopes[best]}
            rows = [f.xreplace(value) for f in rows]
            found = {one: f.xreplace(value) for one, f in found.items()} | value
        return found

    @cached_property
    def unbalanced(self) -> dict[str, Basic]:
        """What the rows that do not hold at the state leave over."""
        rows = {name: f.xreplace(self.multipliers) for name, f in self.constant.items()}
        return {name: f for name, f in rows.items() if not self._vanishes(self.rows[name], f)}

    def _vanishes(self, row: Row, f: Basic) -> bool:
        """Symbolically; or, for a state in decimals, to rounding at random values of the symbols that remain."""
        if verdict(f) or not self.given:
            return bool(verdict(f))
        places = {row.spine: row.residual.local, **row.residual.integrals}
        return all(
            abs(_number(f, _sample([f], draw, self._spine(row.spine))))
            <= 1e-8 * sum(self._scale(row, on, g, draw) for on, g in places.items())
            for draw in range(3)
        )

    def _scale(self, row: Row, on: str, f: Basic, draw: int) -> float:
        """How large the terms of a row are at the state: slopes times jets, times the length if it is an integral."""
        jets, spine = [jet for jet in self.energies.jets.unknowns(f) if not jet.t], self._spine(on)
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

    def why_unbalanced(self) -> str:
        """Which row fails, by how much, and what to do."""
        name, f = next(iter(self.unbalanced.items()))
        row = self.rows[name]
        left = f"{_number(f, {}):.6g}" if not f.free_symbols else str(f.expand()).replace("$x", "x")
        what = f"{_called(row)} is left with {left if len(left) < 200 else left[:197] + '...'}"
        if row.kind in ("geometric", "constraint"):
            return (
                f"The state does not hold together: {what} where 0 is due; give one that fits, or fx.equilibrium(...)."
            )
        if any(rate != 0 for rate in self.state.rate.values()):
            return f"A load that keeps the steady motion up is missing: {what}; add that load, or change the motion."
        state = "The state that is given" if self.given else "Zero"
        return f"{state} is not an equilibrium: {what}; linearise with about=fx.equilibrium(equations)."


class _Linear:
    """The quadratic energies and linear loads of the small motion."""

    def __init__(self, system: _System) -> None:
        self.system, self.energies, self.jets = system, system.energies, system.energies.jets
        self.products: dict[str, str] = {}  # inputs that multiply the motion, and where
        self.potential = ZERO
        self.work: dict[str, Basic] = {}
        self.lines: dict[str, dict[str, Basic]] = {spine.name: {} for spine in self.energies.spines}

    def lagrangian(self) -> Lagrangian:
        """What the linear equations are derived from."""
        energies, parts = self.energies, dict[str, Any]()
        parts["kinetic"], self.potential = self._energy(energies.rigid, "the energies")
        density = {on: self._energy(f, f"the density of {on}") for on, f in energies.density.items()}
        parts["density"] = {on: moving - still for on, (moving, still) in density.items()}
        parts["dissipation"] = self._dissipation(energies.dissipation, "")
        parts["dissipation_density"] = {on: self._dissipation(f, on) for on, f in energies.dissipation_density.items()}
        for target, f in energies.work.items():
            self._push("", target, self._linear(f, f"the load on {target}"))
        for on, loads in energies.work_density.items():
            for target, f in loads.items():
                self._push(on, target, self._linear(f, f"the line load on {target}"))
        parts["boundary"] = {label: self._boundary(label, f) for label, f in energies.settled_boundary.items()}
        parts["constraints"] = {name: self._constraint(name, f) for name, f in energies.constraints.items()}
        parts["loads"] = _through(energies.loads, self._unit_load)
        parts |= {"potential": self.potential, "prescribed": {}, "work": self.work, "work_density": self.lines}
        kept = {name: getattr(energies, name) for name in Lagrangian.__dataclass_fields__}
        linear = Lagrangian.of_parts(**{**kept, **parts})
        for row in self.system.rows.values():  # loads at ends that are moved may bring t in where no energy does
            for f in row.residual.parts():
                self._linear(f, _called(row))
        self._check(linear)
        self._force(linear)
        return linear

    def _unit_load(self, f: Basic) -> Basic:
        return self.system.state.at(self.system.tree(f, "a load"), "a load")

    def _pairs(self, f: Basic, where: str) -> dict[tuple[Jet, Jet], Basic]:
        """The second-order part of `f` at the state: the coefficient of each product of two jets."""
        f, found = self.system.tree(f, where), dict[tuple[Jet, Jet], Basic]()
        jets = self.jets.unknowns(f)
        for i, a in enumerate(jets):
            for b in jets[i:]:
                c = partial(partial(f, a.symbol), b.symbol)
                if c != 0:
                    found[a, b] = self.system.state.at(c, where) / (2 if a == b else 1)
        return found

    def _linear(self, f: Basic, where: str, factor: Basic = ONE) -> Basic:
        """The first-order part of `f`, times a factor."""
        f, at = self.system.tree(f, where), self.system.state.at
        slopes = {jet.symbol: at(partial(f, jet.symbol), where) for jet in self.jets.unknowns(f)}
        return symengine.Add(*(self._coefficient(factor * c, where) * symbol for symbol, c in slopes.items()))

    def _coefficient(self, c: Basic, where: str) -> Basic:
        """A coefficient of the linear equations: inputs are small, so products with them go, and t may not be left."""
        driving = {jet.name for jet in self.jets.inside(c) if "t" in self.energies.inputs.get(jet.name, ())}
        self.products |= dict.fromkeys(driving, where)
        c = _neat(_put(c, {jet.symbol: ZERO for jet in self.jets.inside(c) if jet.name in driving}, where))
        if TIME not in c.free_symbols:
            return c
        if verdict(partial(c, TIME)):
            return c.xreplace({TIME: ZERO})
        motions = [f"{name} = {f}" for name, f in self.energies.prescribed.items() if TIME in f.free_symbols]
        cause = f"the prescribed motion {', '.join(motions)}" if motions else "a coefficient that holds t"
        raise FlexuraError(
            f"The linear equations still depend on t in {where}, through {cause}; prescribe a constant speed or a"
            " constant position, or put a number in its place."
        )

    def _energy(self, f: Basic, where: str) -> tuple[Basic, Basic]:
        """T2 and V2 of the second-order part, with and without rates; total time derivatives are left out of T2."""
        found: dict[tuple[Jet, ...], Basic] = {}

        def add(a: Jet, b: Jet, c: Basic) -> None:
            pair = tuple(sorted((a, b), key=lambda jet: jet.label))
            found[pair] = found.get(pair, ZERO) + c

        for (a, b), c in self._pairs(f, where).items():
            if a.t + b.t != 1:
                add(a, b, c)
                continue  # else c u v_t = c (u v_t - v u_t)/2 - c_t u v/2 + (c u v/2)_t
            u, v = (a, replace(b, t=0)) if b.t else (b, replace(a, t=0))
            add(u, replace(v, t=1), c / 2)
            add(v, replace(u, t=1), -c / 2)
            add(u, v, -self.jets.D_t(c) / 2)
        rated = [self._coefficient(c, where) * a.symbol * b.symbol for (a, b), c in found.items() if a.t or b.t]
        plain = [self._coefficient(c, where) * a.symbol * b.symbol for (a, b), c in found.items() if not (a.t or b.t)]
        return symengine.Add(*rated), -symengine.Add(*plain)

    def _dissipation(self, f: Basic, on: str) -> Basic:
        """The part that is quadratic in rates; a product of a rate and a displacement is a load on the former."""
        where, total = f"the dissipation{f' density of {on}' if on else ''}", ZERO
        for (a, b), c in self._pairs(f, where).items():
            c = self._coefficient(c, where)
            if a.t and b.t:
                total += c * a.symbol * b.symbol
            elif a.t or b.t:
                rated, plain = (a, b) if a.t else (b, a)
                self._load(on, replace(rated, t=0), -c * plain.symbol)
        return total

    def _load(self, on: str, jet: Jet, load: Basic) -> None:
        """Work of a load on the variation of a jet; derivatives along x are moved off it by parts."""
        spine = next((one for one in self.energies.spines if one.name == on), None)
        while spine and jet.x and not jet.end:
            jet = replace(jet, x=jet.x - 1)
            for end, sign in (("a", -1), ("b", 1)):
                self._push("", replace(jet, end=end).label, sign * self.jets.at(load, end, spine.place(end), on))
            load = -self.jets.D_x(load)
        self._push(on, jet.label, load)

    def _push(self, on: str, target: str, load: Basic) -> None:
        loads = self.lines[on] if on else self.work
        if load != 0:
            loads[target] = (loads.get(target, ZERO) + load).expand()

    def _boundary(self, label: str, value: Basic) -> Basic:
        """B to first order; its second-order part does work against the load at that end."""
        energies, end, where = self.energies, self.jets.find(Symbol(label)), f"the boundary value {label}"
        assert end is not None
        curved = self._pairs(value, where)
        if curved:
            spine, settled = energies.spine_of(end.name), energies.settled
            L, R = (settled(one.get(spine.name, ZERO)) for one in (energies.density, energies.dissipation_density))
            load = energies.work.get(label, ZERO)
            load += boundary_load(L, R, self.jets, end, spine.place(end.end), spine.name)
            self._store(curved, self.system.state.at(self.system.tree(load, where), where), where)
        return self._linear(value, where) - self.system.forcing[label].local

    def _constraint(self, name: str, f: Basic) -> Basic:
        """A constraint to first order; its change does work against its multiplier."""
        where, reaction = f"the constraint of {name}", self.system.multipliers[Symbol(name)]
        f = self.system.tree(f, where)
        rates = [jet for jet in self.jets.unknowns(f) if jet.t]
        for jet in rates:
            self._push("", replace(jet, t=0).label, self._linear(partial(f, jet.symbol), where, reaction))
        if not rates:
            self._store(self._pairs(f, where), reaction, where)
        return self._linear(f, where) + self.system.forcing[name].local

    def _store(self, pairs: Mapping[tuple[Jet, Jet], Basic], load: Basic, where: str) -> None:
        for (a, b), c in pairs.items():
            self.potential -= self._coefficient(load * c, where) * a.symbol * b.symbol

    def _force(self, linear: Lagrangian) -> None:
        """Add the given functions of time as loads, apart from what moving ends bring in by themselves."""
        rows = {row.name: row.residual.map(_at_rest(linear)) for row in surrogate_rows(linear)}
        for name, forcing in self.system.forcing.items():
            row = self.system.rows[name]
            if row.kind not in ("geometric", "constraint"):
                load = rows[name] - forcing
                self._push(row.spine, name, load.local)
                for on, f in load.integrals.items():
                    self._push(on, name, f)
        driven_by = {
            jet.name for side in self.system.forcing.values() for f in side.parts() for jet in self.jets.inside(f)
        }
        for name in self.products.keys() - driven_by:
            raise FlexuraError(
                f"The input {name} multiplies the motion in {self.products[name]} and is nowhere a load by itself, so"
                f" the linear equations depend on t; give it a number with values={{'{name}': ...}}."
            )

    def _check(self, linear: Lagrangian) -> None:
        for name, order in self.system.orders.items():
            if linear.orders[name] < order:
                raise FlexuraError(
                    f"About this state the density of {name} loses its derivative {name}_{'x' * order}, so its ends"
                    " have no linear conditions; linearise about a state in which the member is strained."
                )


def _reader(
    energies: Lagrangian, known: Mapping[str, ParameterDeclaration], values: Mapping[str, Any]
) -> tuple[Change, dict[str, ParameterDeclaration]]:
    """What puts values in, and the parameters with these values."""
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
        raise FlexuraError(f"A value is given for {name!r}, which is not in the equations; they hold {names}.")
    if not tree.free_symbols <= {symbol for symbol in (SPINE, TIME) if symbol.name[-1] in of}:
        allowed = f"a number or text in {', '.join(sorted(of))}" if of else "a number"
        raise FlexuraError(f"The value of {name} is {value}; give {allowed}.")
    return tree


def _through(part: Any, change: Change) -> Any:
    """Change every tree in a part of a Lagrangian."""
    if isinstance(part, symengine.Basic):
        return change(part)
    if isinstance(part, Spine):
        return replace(part, start=change(part.start), end=change(part.end))
    if isinstance(part, tuple):
        return tuple(_through(one, change) for one in part)
    return {key: _through(one, change) for key, one in part.items()} if isinstance(part, Mapping) else part


def _put(f: Basic, replaced: Mapping[Symbol, Basic], where: str) -> Basic:
    try:
        found = f.xreplace(dict(replaced))
    except RuntimeError:
        found = symengine.nan
    if found.atoms(*_INFINITE) or isinstance(found, _INFINITE):
        raise FlexuraError(f"At this state {where} has no finite value; linearise about another state.")
    return found


def _without_time(f: Basic) -> Basic:
    if TIME not in f.free_symbols:
        return f
    if verdict(partial(f, TIME)):
        return f.xreplace({TIME: ZERO})
    return symengine.Add(*(term for term in terms(f.expand()) if TIME not in term.free_symbols))


def _neat(f: Basic) -> Basic:
    """Expanded, in the shorter of two forms; what is identically zero is 0."""
    f = f.expand()
    if not f.atoms(symengine.sin, symengine.cos):
        return f
    short = normal_form(f)
    return short if len(str(short)) < len(str(f)) and verdict(f - short) else f


def _at_rest(energies: Lagrangian) -> Change:
    return lambda f: f.xreplace({jet.symbol: ZERO for jet in energies.jets.unknowns(f)})


def _integrated(side: Sum, energies: Lagrangian) -> Basic:
    """A sum that holds no unknowns, with its integrals done."""
    total = side.local
    for spine in energies.spines:
        f = side.integrals.get(spine.name, ZERO)
        integral = definite(f, spine.start, spine.end)
        if integral is None:
            raise FlexuraError(f"The integral of {f} along {spine.name} is not known; give numbers with values=...")
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


def _called(row: Row) -> str:
    label, _, end = row.name.partition("@")
    what = f"{'slope' if label.endswith('_x') else 'value'} of {label.removesuffix('_x')}"
    at_end = f"{what} at its {'start' if end == 'a' else 'end'}"
    words = {"natural": f"the condition for the {at_end}", "geometric": f"the given {at_end}"}
    words["constraint"] = f"the constraint of {row.name}"
    return words.get(row.kind, f"the equation of {row.name}")
