"""The energies of a discretised system as functions of scalars and of moments, and the moments as forms (theory, 6).

    L = L(s, s_t, t) + sum_k c_k(s, s_t, t) mu_k(X)        R, loads and the energy balance's terms likewise

s are the scalars; mu_k are integrals over x that `forms.py` does once. What cannot be separated goes to `points.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.discretisation.degrees import Degrees
from flexura.discretisation.forms import FormBuilder, Quadrature
from flexura.discretisation.held import LineCondition, together
from flexura.discretisation.layout import Unknowns
from flexura.discretisation.loads import refuse_accelerations
from flexura.discretisation.points import PointTerm
from flexura.discretisation.separate import Term, degree, normed, separate
from flexura.discretisation.ties import ties_of
from flexura.energy.lagrangian import Spine
from flexura.errors import FlexuraError
from flexura.symbolic.engine import SPINE, TIME, ZERO, Basic, Symbol, partial
from flexura.symbolic.integrals import terms
from flexura.symbolic.jets import Jet
from flexura.symbolic.shorten import tidied
from flexura.symbolic.walk import Replacing
from flexura.symbolic.zero import vanishes
from flexura.systems.nonlinear import InputSlot
from flexura.systems.signals.breaks import crossings

Array = NDArray[np.float64]
Pieces = dict[Basic, list[tuple[float, Term]]]


@dataclass(frozen=True, eq=False)
class SpineForms:
    """The moments of one spine, stacked: mu = X' H X / 2 + d' X over X = (z, v) at `columns` of the whole vector.

    `energy`, `loss` and `change` are the coefficients of each moment in L, in the dissipation and in the balance;
    `loads` are (coefficient, D, d) of loads on fields, `spread` (coefficient, E, slot) those of distributed inputs.
    """

    name: str
    columns: NDArray[np.intp]
    symbols: tuple[Symbol, ...]
    H: Array
    d: Array
    energy: tuple[Basic, ...]
    loss: tuple[Basic, ...]
    change: tuple[Basic, ...]
    loads: tuple[tuple[Basic, Array, Array], ...]
    spread: tuple[tuple[Basic, Array, InputSlot], ...]


@dataclass
class _SpineMoments:
    """Moments of a spine as they are found."""

    symbols: list[Symbol] = field(default_factory=list)
    forms: list[tuple[Array, Array]] = field(default_factory=list)
    coefficients: dict[str, list[Basic]] = field(default_factory=lambda: {"energy": [], "loss": [], "change": []})

    def add(self, name: str, form: tuple[Array, Array], kind: str = "", coefficient: Basic = ZERO) -> Symbol:
        symbol = Symbol(f"$m{len(self.symbols)}_{name}")
        self.symbols.append(symbol)
        self.forms.append(form)
        for one, found in self.coefficients.items():
            found.append(coefficient if one == kind else ZERO)
        return symbol


class Gathered:
    """All of a Lagrangian, with numbers in, as scalar functions, moments and points."""

    def __init__(self, layout: Unknowns) -> None:
        self.layout, self.energies, self.jets = layout, layout.energies, layout.energies.jets
        refuse_accelerations(self.energies)
        self.tree = Replacing(layout.numbers.tree)  # what trees share, they share with numbers in too
        self._zeroing = Replacing(lambda symbol: ZERO if self._varies(symbol) else symbol)
        self._in_rates = Degrees(self._is_rate)
        self.slots: dict[tuple[str, int, str], InputSlot] = {}
        self.averages: list[tuple[Symbol, Array, InputSlot]] = []  # integrals of distributed inputs
        self.points: list[PointTerm] = []
        self.far = False  # whether something bends so that shapes about rest do not follow it
        self._moments: dict[str, _SpineMoments] = {spine.name: _SpineMoments() for spine in self.energies.spines}
        self.kinetic, self.potential = self.tree(self.energies.kinetic), self.tree(self.energies.potential)
        self.lagrangian, self.density = self.kinetic - self.potential, ZERO
        self.loss, self.change = self.tree(self.energies.dissipation), self._rigid_change()
        self._own_ends((self.kinetic, self.potential, self.loss), "the energies")
        self.force = [self._applied(jet) for jet in layout.scalars]
        self.spines = tuple(self._spine(spine) for spine in self.energies.spines)
        self.constraints = {name: self.tree(f) for name, f in self.energies.constraints.items()}
        along = {name: self._along(name) for name in self.energies.multiplier_fields}
        self.tying = tuple(along[name] for name in self.energies.ties.values() if name in along)
        self.ties = ties_of(self.tying, layout)
        self.along = tuple(one for one in along.values() if self.ties is None or one not in self.tying)
        self.together = together(self.along)

    def __reduce__(self) -> tuple[Any, ...]:
        return Gathered, (self.layout,)

    def _rigid_change(self) -> Basic:
        """2 T - s_t T_s_t + s_t V_s_t: T + V less the Jacobi integral; zero where T is quadratic in rates."""
        T_degrees, V_degrees = self._in_rates(self.kinetic), self._in_rates(self.potential)
        if T_degrees is not None and V_degrees is not None and T_degrees <= {2} and V_degrees <= {0}:
            return ZERO
        quiet, settled = self.layout.quiet, self.energies.settled  # T and V are without what inputs add
        T, V = quiet(settled(self.energies.kinetic)), quiet(settled(self.energies.potential))
        rates = self.layout.symbols(1)
        found = 2 * T + sum((r * (partial(V, r) - partial(T, r)) for r in rates), ZERO)
        return ZERO if vanishes(found) else self.tree(found)

    def _applied(self, jet: Jet) -> Basic:
        """Q of a scalar: its own load, and those on end values it gives (theory, section 2)."""
        energies = self.energies
        found = energies.work.get(jet.label, ZERO)
        for label, value in energies.settled_boundary.items():
            motion = partial(value, jet.symbol)
            if motion != 0 and label in energies.work:
                found += energies.work[label] * motion
        return self._with_end_moments(self.tree(found))

    def _own_ends(self, trees: Iterable[Basic], where: str) -> None:
        for f in trees:
            for jet in self.jets.unknowns(f):
                if jet.end and replace(jet, t=0).label not in self.layout.index:
                    raise FlexuraError(
                        f"The derivative {jet.label} at an end stands in {where}, and it is no coordinate of the"
                        " system",
                        advice="introduce another field for it",
                    )

    def _with_end_moments(self, f: Basic) -> Basic:
        """Derivatives at ends that are no scalars (w_xx@b in a load) as moments of their spine."""
        replaced: dict[Symbol, Basic] = {}
        for jet in self.jets.unknowns(f):
            if jet.end and replace(jet, t=0).label not in self.layout.index:
                spine = self.energies.spine_of(jet.name)
                mesh, columns = self.layout.meshes[spine.name], Quadrature(self.layout, spine, 1).columns
                place = np.array([mesh.start if jet.end == "a" else mesh.end])
                d = np.zeros(2 * len(columns))
                row = self.layout.fields[jet.name].table(place, jet.x)[0, columns]
                d[len(columns) :] += row * (jet.t == 1)
                d[: len(columns)] += row * (jet.t == 0)
                form = np.zeros((2 * len(columns), 2 * len(columns))), d
                replaced[jet.symbol] = self._moments[spine.name].add(spine.name, form)
        return f.xreplace(replaced) if replaced else f

    def _spine(self, spine: Spine) -> SpineForms:
        """Separate what is spread along one spine, and integrate."""
        energies, layout, name = self.energies, self.layout, spine.name
        L = layout.lifted(self.tree(self._density(spine)))
        R = layout.lifted(self.tree(energies.dissipation_density.get(name, ZERO)))
        G = self._density_change(spine, L)
        line = {to: layout.lifted(self.tree(f)) for to, f in energies.work_density.get(name, {}).items()}
        inside = {jet.symbol: jet for f in (L, R, G, *line.values()) for jet in self._inside(f, spine)}
        spread = [s for s, jet in inside.items() if jet.name in energies.inputs]
        symbols = list(inside)
        self._own_ends((L, R, *line.values()), f"the density of {name}")
        if any(one in f.free_symbols for f in (L, R) for one in spread):
            raise FlexuraError(f"The density of {name} holds an input of x", advice="give such a load in work_density")
        parts = {kind: separate(f, symbols, self._zeroing) for kind, f in (("energy", L), ("loss", R), ("change", G))}
        loads = {to: self._separate_load(f, symbols, spread, to in spine.fields) for to, f in line.items()}
        rests = [rest for _, rest in (*parts.values(), *loads.values())]
        found = [term for terms, _ in (*parts.values(), *loads.values()) for term in terms]
        quadrature = Quadrature(layout, spine, self._count(found, rests, symbols, spread))
        builder = FormBuilder(quadrature, inside)
        totals = {kind: self._energy(kind, terms, builder, spine) for kind, (terms, _) in parts.items()}
        self.density += totals["energy"]
        self.lagrangian += totals["energy"]
        self.loss += totals["loss"]
        self.change += totals["change"]
        on_fields: list[tuple[Basic, Array, Array]] = []
        spreads: list[tuple[Basic, Array, InputSlot]] = []
        for to, (load, _) in loads.items():
            self._load(to, load, builder, spine, spread, on_fields, spreads)
        left = {kind: rest for kind, (_, rest) in parts.items()}
        bent = [f for f in left.values() if self._bends_far(f, symbols)]
        self.far = self.far or bool(bent)
        strained = quadrature
        if bent:  # as few points as hold strains apart would leave inertia out
            left["energy"], moving = self._without_rates(left["energy"])
            self._at_points(quadrature, inside, {"energy": moving, "loss": ZERO, "change": ZERO}, {})
            if all(rest == 0 for _, rest in loads.values()):
                strained = Quadrature(layout, spine, layout.order)
        self._at_points(strained, inside, left, {to: rest for to, (_, rest) in loads.items()})
        moments = self._moments[name]
        m = 2 * len(builder.quadrature.columns)
        return SpineForms(
            name,
            builder.quadrature.columns,
            tuple(moments.symbols),
            np.array([H for H, _ in moments.forms]).reshape(-1, m, m),
            np.array([d for _, d in moments.forms]).reshape(-1, m),
            tuple(moments.coefficients["energy"]),
            tuple(moments.coefficients["loss"]),
            tuple(moments.coefficients["change"]),
            tuple(on_fields),
            tuple(spreads),
        )

    @property
    def strain_points(self) -> dict[str, tuple[Array, int]]:
        """By spine, the Gauss points at which strains or conditions along it are taken."""
        used = [one.quadrature for one in self.points] if self.far else []
        used += [one.quadrature for one in self.along]
        return {one.spine.name: (one.points[0], one.count) for one in used}

    def _bends_far(self, f: Basic, symbols: list[Symbol]) -> bool:
        """Whether strains are no polynomials in fields that have values, and no slopes, at their ends.

        Slopes of such fields have one coefficient less than their order in each element. At as many Gauss points their
        strains can all vanish while they bend; at one more they would lock.
        """
        if f == 0 or degree(f, symbols) is not None:
            return False
        held = {jet.name for jet in self.jets.unknowns(f) if not jet.end and jet.name in self.energies.fields}
        return bool(held) and all(self.energies.orders[name] == 1 for name in held)

    def _without_rates(self, f: Basic) -> tuple[Basic, Basic]:
        """The terms of a sum that hold no rates, and those that do."""
        parts: tuple[list[Basic], list[Basic]] = [], []
        for one in terms(f):
            parts[any(self._is_rate(symbol) for symbol in one.free_symbols)].append(one)
        return symengine.Add(*parts[0]), symengine.Add(*parts[1])

    def _density(self, spine: Spine) -> Basic:
        """The density without what multiplier fields hold, which is zero."""
        f = self.energies.density.get(spine.name, ZERO)
        held = {Symbol(name): ZERO for name in spine.fields if name in self.energies.multiplier_fields}
        return f.xreplace(held) if held else f

    def _along(self, name: str) -> LineCondition:
        """What a multiplier field holds, at as many points of each element as its degree, or as values have there."""
        spine = self.energies.spine_of(name)
        f = self.layout.lifted(self.tree(self.energies.condition(name)))
        self._own_ends((f,), f"the condition along {spine.name}")
        if self.layout.inputs(f):
            raise FlexuraError(f"The condition that {name} holds has an input in it", advice="give it a value")
        inside = {jet.symbol: jet for jet in self._inside(f, spine)}
        loose = any(self.energies.orders[jet.name] == 0 for jet in inside.values())  # no stiffness holds such a value
        return LineCondition(name, Quadrature(self.layout, spine, self.layout.order + loose), f, inside)

    def _density_change(self, spine: Spine, L: Basic) -> Basic:
        """The same of a density, T = L - L at rest: zero for densities quadratic in rates."""
        degrees = self._in_rates(L)
        if degrees is not None and degrees <= {0, 2}:
            return ZERO
        plain = self.energies.settled(self._density(spine))
        lifts = any(self.layout.fields[name].lifts for name in self.layout.moving(spine))
        f = self.layout.quiet(L if lifts else plain)
        rates = [jet.symbol for jet in self.jets.unknowns(f) if jet.t]
        still = f.xreplace(dict.fromkeys(rates, ZERO))
        found = 2 * (f - still) - sum((r * partial(f, r) for r in rates), ZERO)
        return ZERO if vanishes(found) else self.tree(tidied(found))

    def _inside(self, f: Basic, spine: Spine) -> Iterable[Jet]:
        """The jets in `f` that vary along the spine: of its fields, and of distributed inputs."""
        for jet in self.jets.inside(f):
            if jet.end:
                continue
            if jet.name in spine.fields:
                yield jet
            elif "x" in self.energies.inputs.get(jet.name, ()):
                if jet.x:
                    raise FlexuraError(
                        f"The equations need the slope of the load {jet.name} along x", advice="give it a value"
                    )
                yield jet

    def _varies(self, symbol: Symbol) -> bool:
        """Whether a symbol varies along a spine: of a field, or of a distributed input."""
        jet = self.jets.find(symbol)
        return jet is not None and not jet.end and "x" in self.jets.varies(jet.name)

    def _is_rate(self, symbol: Symbol) -> bool:
        jet = self.jets.find(symbol)
        return jet is not None and jet.t > 0 and jet.name not in self.jets.functions

    def _separate_load(
        self, f: Basic, symbols: list[Symbol], spread: list[Symbol], on_field: bool
    ) -> tuple[list[Term], Basic]:
        """As `separate`, but a load on a field has one field or input in a term, one on a scalar no product of both."""
        terms, rest = separate(f, symbols, self._zeroing)
        kept = []
        for term in terms:
            inputs = sum(one in spread for one in term.inside)
            good = len(term.inside) <= 1 if on_field else inputs == 0 or len(term.inside) == 1
            if good:
                kept.append(term)
            else:
                product = term.scalar * term.along
                for one in term.inside:
                    product *= one
                rest += product
        return kept, rest

    def _count(self, terms: list[Term], rests: list[Basic], symbols: list[Symbol], spread: list[Symbol]) -> int:
        """Gauss points in an element: exact for polynomials in x and fields, generous otherwise.

        As many as a shape times a coefficient has powers, where an input of x is projected on such polynomials.
        """
        p = self.layout.order
        if self.layout.basis:
            p = max(p, 24)
        count = p + 1
        for term in terms:
            along = degree(term.along, [SPINE]) if term.along.free_symbols else 0
            loaded = any(one in spread for one in term.inside)
            count = max(count, p + 16 if along is None else p + 1 + (along if loaded else (along + 1) // 2))
        for rest in rests:
            fields, along = degree(rest, symbols), degree(rest, [SPINE])
            if rest != 0:
                known = fields is not None and along is not None
                count = max(count, ((fields or 0) * p + (along or 0)) // 2 + 1 if known else 2 * p + 16)
        return count

    def _energy(self, kind: str, terms: list[Term], builder: FormBuilder, spine: Spine) -> Basic:
        """One kind of energy of a spine: numbers, and coefficient times moment."""
        total, pieces = ZERO, Pieces()
        for term in terms:
            if not term.inside:
                total += term.scalar * float(builder.quadrature.weighted(term.along).sum())
                continue
            scalar, number = normed(term.scalar)
            pieces.setdefault(scalar, []).append((number, term))
        for scalar, one in pieces.items():
            symbol = self._moments[spine.name].add(spine.name, builder.form(one), kind, scalar)
            total += scalar * symbol
        return total

    def _load(
        self,
        to: str,
        terms: list[Term],
        builder: FormBuilder,
        spine: Spine,
        spread: list[Symbol],
        on_fields: list[tuple[Basic, Array, Array]],
        spreads: list[tuple[Basic, Array, InputSlot]],
    ) -> None:
        """A line load: on a field a vector, on a scalar a number."""
        pieces, quadrature = Pieces(), builder.quadrature
        for term in terms:
            scalar, number = normed(term.scalar)
            if term.inside and term.inside[0] in spread:
                jet = builder.jets[term.inside[0]]
                slot = self.slot(jet.name, jet.t, spine.name, quadrature.points[0])
                if to in spine.fields:
                    spreads.append((scalar, builder.spread(to, number, term.along), slot))
                else:
                    symbol = Symbol(f"$u{len(self.averages)}")
                    self.averages.append((symbol, quadrature.weighted(term.along, number), slot))
                    self.force[self.layout.index[to]] += scalar * symbol
            elif to not in spine.fields and not term.inside:
                self.force[self.layout.index[to]] += term.scalar * float(quadrature.weighted(term.along).sum())
            else:
                pieces.setdefault(scalar, []).append((number, term))
        for scalar, one in pieces.items():
            if to in spine.fields:
                on_fields.append((scalar, *builder.load(to, one)))
            else:
                symbol = self._moments[spine.name].add(spine.name, builder.form(one))
                self.force[self.layout.index[to]] += scalar * symbol

    def slot(self, name: str, derivative: int, where: str, points: Array | None) -> InputSlot:
        """The place of an input in u; made on first use."""
        key = name, derivative, where
        if key not in self.slots:
            start = sum(one.size for one in self.slots.values())
            nodes = self.layout.meshes[where].nodes if where in self.layout.meshes else None
            self.slots[key] = InputSlot(name, start, derivative, points, nodes)
        return self.slots[key]

    def keep_idle(self, names: Iterable[str]) -> None:
        """Places in u for inputs that do no work."""
        for name in names:
            start = sum(one.size for one in self.slots.values())
            self.slots[name, 0, ""] = InputSlot(name, start, idle=True)

    def _at_points(
        self,
        quadrature: Quadrature,
        inside: Mapping[Symbol, Jet],
        left: Mapping[str, Basic],
        loads: Mapping[str, Basic],
    ) -> None:
        """What was not separated: kept as functions at the Gauss points."""
        if all(f == 0 for f in (*left.values(), *loads.values())):
            return
        if any(g.free_symbols >= {SPINE, TIME} for g in crossings([*left.values(), *loads.values()])):
            raise FlexuraError(
                f"What acts along {quadrature.spine.name} jumps at places that move with t",
                advice="make it a load of x and t alone, and simulate the equations themselves:"
                " fx.simulate(equations, t)",
            )
        distributed = {
            s: self.slot(jet.name, jet.t, quadrature.spine.name, quadrature.points[0])
            for s, jet in inside.items()
            if jet.name in self.energies.inputs
        }
        self.points.append(PointTerm(quadrature, inside, left, loads, distributed))
