"""The energies of small motions about a state: second-order parts, and what is not potential as loads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import symengine

from flexura.derivation.state import StatedSystem, at_rest, called, expanded, neat, put, through
from flexura.derivation.still_fields import without_still_fields
from flexura.derivation.surrogate import boundary_load, surrogate_rows
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.symbolic.engine import ONE, TIME, ZERO, Basic, Symbol, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.zero import verdict


class SecondOrder:
    """The quadratic energies and linear loads of the small motion."""

    def __init__(self, system: StatedSystem) -> None:
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
        parts["loads"] = through(energies.loads, self._unit_load)
        parts |= {"potential": self.potential, "prescribed": {}, "work": self.work, "work_density": self.lines}
        if energies.geometry is not None:
            parts["geometry"] = energies.geometry.map(self.system.from_state)
        parts["states"] = {name: self.system.deviation(name, f) for name, f in energies.states.items()}
        kept = {name: getattr(energies, name) for name in Lagrangian.__dataclass_fields__}
        linear = without_still_fields(Lagrangian.of_parts(**{**kept, **parts}))
        for row in self.system.rows.values():  # loads at ends that are moved may bring t in where no energy does
            for f in row.residual.parts():
                self._linear(f, called(row))
        self._check(linear)
        self._force(linear)
        return linear

    def _unit_load(self, f: Basic) -> Basic:
        return self.system.state.at(self.system.tree(f, "a load"), "a load")

    def _pairs(self, f: Basic, where: str) -> dict[tuple[Jet, Jet], Basic]:
        """The second-order part of `f` at the state: the coefficient of each product of two jets."""
        f, found = self.system.tree(f, where, order=2), dict[tuple[Jet, Jet], Basic]()
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
        c = neat(put(c, {jet.symbol: ZERO for jet in self.jets.inside(c) if jet.name in driving}, where))
        if TIME not in c.free_symbols:
            return c
        if verdict(partial(c, TIME)):
            return c.xreplace({TIME: ZERO})
        motions = [f"{name} = {f}" for name, f in self.energies.prescribed.items() if TIME in f.free_symbols]
        cause = f"the prescribed motion {', '.join(motions)}" if motions else "a coefficient that holds t"
        raise FlexuraError(
            f"The linear equations still depend on t in {where}, through {cause}",
            advice="prescribe a constant speed or a constant position, or put a number in its place",
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
            loads[target] = expanded(loads.get(target, ZERO) + load)

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
        rows = {row.name: row.residual.map(at_rest(linear)) for row in surrogate_rows(linear)}
        for name, forcing in self.system.forcing.items():
            row = self.system.rows[name]
            if row.kind not in ("geometric", "constraint") and name in rows:
                load = rows[name] - forcing
                self._push(row.spine, name, load.local)
                for on, f in load.integrals.items():
                    self._push(on, name, f)
        driven_by = {
            jet.name for side in self.system.forcing.values() for f in side.parts() for jet in self.jets.inside(f)
        }
        for name in self.products.keys() - driven_by:
            raise FlexuraError(
                f"The input {name} multiplies the motion in {self.products[name]} and is nowhere a load by itself,"
                " so the linear equations depend on t",
                advice=f"give it a number with values={{'{name}': ...}}",
            )

    def _check(self, linear: Lagrangian) -> None:
        for name, order in self.system.orders.items():
            if linear.orders.get(name, order) < order:
                raise FlexuraError(
                    f"About this state the density of {name} loses its derivative {name}_{'x' * order}, so its ends"
                    " have no linear conditions",
                    advice="linearise about a state in which the member is strained",
                )
