"""The equations of the scalars, symbolically: what is compiled, with moments as symbols.

    R_i = D_t(dL/ds_i,t) - dL/ds_i + dR/ds_i,t - Q_i - sum lambda A_i        (theory, sections 2 and 3)

L = L(s, s_t, t, mu) here; D_t moves the moments too (mu_t is one more argument).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.discretisation.degrees import Degrees
from flexura.discretisation.gather import Gathered
from flexura.discretisation.program import Program
from flexura.discretisation.separate import degree
from flexura.discretisation.swept import SweptRun, SweptSlopes
from flexura.discretisation.tape import Tape
from flexura.errors import FlexuraError
from flexura.symbolic.engine import ONE, TIME, ZERO, Basic, Symbol, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.sweeps import Sweeps
from flexura.symbolic.walk import Replacing, branches
from flexura.symbolic.zero import within

Trees = NDArray[Any]
_MANY, _LONG = 8, 300  # scalars and branches of L from which sweeps, compiled in pieces, take less time in all
_EXPANDED = 3000  # nodes of the trees that are expanded to learn their degree


class Scalars:
    """Programs of everything that is a function of scalars, moments, inputs and t."""

    def __init__(self, gathered: Gathered, written: bool = False) -> None:
        """`written`: trees are for another language, so that nothing is compiled here and all comes as trees."""
        self.gathered, layout, self.written = gathered, gathered.layout, written
        self.jets = gathered.jets
        self.s0, self.s1, self.s2 = (layout.symbols(t) for t in range(3))
        self.mu = [symbol for spine in gathered.spines for symbol in spine.symbols]
        self.mu_t = [Symbol(f"{one.name}_t") for one in self.mu]
        self.multipliers = [Symbol(name) for name in gathered.constraints]
        self.averages = [symbol for symbol, _, _ in gathered.averages]
        self.sweeps = Sweeps()
        self.rated = {name: any(jet.t for jet in self.jets.unknowns(f)) for name, f in gathered.constraints.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        return Scalars, (self.gathered, self.written)

    # ---- calculus on these symbols

    @cached_property
    def large(self) -> bool:
        """Whether trees are swept and compiled in pieces: many scalars, in trees that do not end soon."""
        return self.long and not self.written

    @cached_property
    def long(self) -> bool:
        """Whether there are many scalars, in trees that do not end soon."""
        many = len(self.s0) >= _MANY and self.gathered.lagrangian.args
        return bool(many) and len(branches([self.gathered.lagrangian])) >= _LONG

    def slopes_of(self, f: Basic, symbols: Sequence[Symbol]) -> list[Basic]:
        """df/ds for each symbol."""
        return self.sweeps.adjoints(f, symbols) if self.long else [partial(f, s) for s in symbols]

    def explicit(self, f: Basic) -> Basic:
        """df/dt with the motion held: t itself, and inputs."""
        (found,) = self.sweeps.tangents([f], self._time([f]))
        return found

    def carried(self, trees: Sequence[Basic]) -> list[Basic]:
        """The part of D_t f that holds no acceleration and no moment's rate."""
        return self.sweeps.tangents(trees, {**self._time(trees), **dict(zip(self.s0, self.s1, strict=True))})

    def D_t(self, trees: Sequence[Basic]) -> list[Basic]:
        """The whole of it."""
        moving = zip((*self.s0, *self.s1, *self.mu), (*self.s1, *self.s2, *self.mu_t), strict=True)
        return self.sweeps.tangents(trees, {**self._time(trees), **dict(moving)})

    def _time(self, trees: Sequence[Basic]) -> dict[Symbol, Basic]:
        """How t and the inputs change."""
        found: dict[Symbol, Basic] = {TIME: ONE}
        for jet in (jet for f in trees for jet in self.jets.inside(f)) if self.jets.functions else ():
            if "t" in self.jets.functions.get(jet.name, ()):
                found[jet.symbol] = replace(jet, t=jet.t + 1).symbol
        return found

    # ---- what is compiled

    @cached_property
    def _gradient(self) -> tuple[list[Basic], list[Basic]]:
        """dL/ds, dL/ds_t."""
        found = self.slopes_of(self.gathered.lagrangian, [*self.s0, *self.s1])
        return found[: len(self.s0)], found[len(self.s0) :]

    @property
    def momenta(self) -> list[Basic]:
        """dL/ds_t."""
        return self._gradient[1]

    @cached_property
    def rates_of_constraints(self) -> list[tuple[list[Basic], Basic]]:
        """(A, b) of A s_t + b = 0 for each constraint."""
        found = []
        for name, f in self.gathered.constraints.items():
            if self.rated[name]:
                A = self.slopes_of(f, self.s1)
                found.append((A, f.xreplace(dict.fromkeys(self.s1, ZERO))))
            else:
                found.append((self.slopes_of(f, self.s0), self.explicit(f)))
        return found

    @cached_property
    def forces(self) -> list[Basic]:
        """What of -R_i holds no acceleration, no moment's rate and no multiplier."""
        lost = self.slopes_of(self.gathered.loss, self.s1)
        parts = zip(self._gradient[0], self.carried(self.momenta), lost, self.gathered.force, strict=True)
        return [slope - rate - loss + Q for slope, rate, loss, Q in parts]

    @cached_property
    def residuals(self) -> list[Basic]:
        """R_i in full."""
        lost = self.slopes_of(self.gathered.loss, self.s1)
        parts = zip(self.D_t(self.momenta), self._gradient[0], lost, self.gathered.force, strict=True)
        found = []
        for i, (rate, slope, loss, Q) in enumerate(parts):
            rest = rate - slope + loss - Q
            for one, (A, _) in zip(self.multipliers, self.rates_of_constraints, strict=True):
                rest -= one * A[i]
            found.append(rest)
        return found

    @cached_property
    def mass(self) -> Trees:
        """d2L/ds_t2."""
        found = self._slopes(self.momenta, self.s1)
        for i in range(len(found)):
            found[i, :i] = found[:i, i]  # symmetric to the last bit
        return found

    @cached_property
    def energy(self) -> list[Basic]:
        """c_k of every moment."""
        return [c for spine in self.gathered.spines for c in spine.energy]

    @cached_property
    def loss(self) -> list[Basic]:
        """Coefficients of the moments in the dissipation."""
        return [c for spine in self.gathered.spines for c in spine.loss]

    @cached_property
    def loads(self) -> list[Basic]:
        """Coefficients of the loads on fields, then of those that inputs spread."""
        spines = self.gathered.spines
        return [one[0] for spine in spines for one in spine.loads] + [
            one[0] for spine in spines for one in spine.spread
        ]

    def _slopes(self, trees: Sequence[Basic], symbols: Sequence[Symbol]) -> Trees:
        if self.long and trees:
            columns = [self.sweeps.tangents(trees, {one: ONE}) for one in symbols]
            return _table([[column[i] for column in columns] for i in range(len(trees))], len(trees), len(symbols))
        return _table([[partial(f, s) for s in symbols] for f in trees], len(trees), len(symbols))

    @cached_property
    def plain_arguments(self) -> list[Symbol]:
        """t, scalars, rates, inputs, integrals of distributed inputs, moments."""
        return [TIME, *self.s0, *self.s1, *self.inputs, *self.averages, *self.mu]

    @cached_property
    def all_arguments(self) -> list[Symbol]:
        """Those, and accelerations, rates of moments, multipliers."""
        return [*self.plain_arguments, *self.s2, *self.mu_t, *self.multipliers]

    @cached_property
    def inputs(self) -> list[Symbol]:
        """The inputs, and rates of inputs, that anything holds."""
        if not self.gathered.layout.energies.inputs:
            return []
        trees = [*self.residuals, *self.energy, *self.loss, *self.loads]
        trees += [self.explicit(c) for c in self.energy]
        for A, b in self.rates_of_constraints:
            trees += [*A, b, self.explicit(b), *map(self.explicit, A)]
        trees += list(self.gathered.constraints.values())
        trees += [Symbol(s.name) for term in self.gathered.points for s in term.inputs]
        found = {jet.symbol: jet for f in trees for jet in self.gathered.layout.inputs(f)}
        for jet in found.values():
            self._check_input(jet)
        return sorted(found, key=str)

    def _check_input(self, jet: Jet) -> None:
        if jet.x:
            raise FlexuraError(f"The equations need the slope of the load {jet.name} along x", advice="give it a value")

    def _program(self, arguments: Sequence[Symbol], blocks: Mapping[str, Any]) -> Callable[[Trees], list[Trees]]:
        return Tape(arguments, blocks) if self.large else Program(arguments, blocks)

    @cached_property
    def run(self) -> Callable[[Trees], list[Trees]]:
        """mass, forces, weights of the moments' slopes (z, v by turns) in f, c, dc/ds_t, loss, loads."""
        if self.large:
            return SweptRun(self)
        weights = zip(self.energy, self.carried(self.energy), self.loss, strict=True)
        blocks = {
            "mass": self.mass,
            "forces": self.forces,
            "weights": _table([[c, -rate - r] for c, rate, r in weights], len(self.energy), 2),
            "energy": self.energy,
            "slopes": self._slopes(self.energy, self.s1),
            "loss": self.loss,
            "loads": self.loads,
        }
        return Program(self.plain_arguments, blocks)

    @cached_property
    def rows(self) -> Callable[[Trees], list[Trees]]:
        """R of the scalars, c, D_t c, loss, loads: what the residual needs, without any derivative by a scalar."""
        blocks = {"R": self.residuals, "energy": self.energy, "rates": self.D_t(self.energy), "loss": self.loss}
        return Tape(self.all_arguments, {**blocks, "loads": self.loads})

    @cached_property
    def slopes(self) -> Callable[[Trees], list[Trees]]:
        """What the Jacobians need beyond `run`."""
        if self.large:
            return SweptSlopes(self)
        rates = self.D_t(self.energy)
        blocks = {
            "R_s0": self._slopes(self.residuals, self.s0),
            "R_s1": self._slopes(self.residuals, self.s1),
            "R_mu": self._slopes(self.residuals, self.mu),
            "energy": self.energy,
            "rates": rates,
            "loss": self.loss,
            "loads": self.loads,
            "energy_s0": self._slopes(self.energy, self.s0),
            "energy_s1": self._slopes(self.energy, self.s1),
            "rates_s0": self._slopes(rates, self.s0),
            "rates_s1": self._slopes(rates, self.s1),
            "loss_s0": self._slopes(self.loss, self.s0),
            "loss_s1": self._slopes(self.loss, self.s1),
            "loads_s0": self._slopes(self.loads, self.s0),
            "loads_s1": self._slopes(self.loads, self.s1),
        }
        return Program(self.all_arguments, blocks)

    @cached_property
    def held(self) -> Callable[[Trees], list[Trees]]:
        """Constraints: g of the holonomic ones, A, b, c."""
        rows = self.rates_of_constraints
        g = [f for name, f in self.gathered.constraints.items() if not self.rated[name]]
        c = self.carried([_dot(A, self.s1) + b for A, b in rows])
        blocks = {"g": g, "A": _table([A for A, _ in rows], len(rows), len(self.s0)), "b": [b for _, b in rows], "c": c}
        return self._program([TIME, *self.s0, *self.s1, *self.inputs], blocks)

    @cached_property
    def energies(self) -> Callable[[Trees], list[Trees]]:
        """T, V of what is not spread, and the densities' L, with inputs off."""
        found = [self.gathered.kinetic, self.gathered.potential, self.gathered.density]
        return self._program(self.plain_arguments, {"energies": [self._quiet(f) for f in found]})

    @cached_property
    def powers(self) -> Callable[[Trees], list[Trees]]:
        """Dissipated and supplied, apart from what works on fields alone.

        Supplied: loads on scalars, inputs that stand in energies (their load works, and they are left out of T and V),
        -dL/dt where energies hold t, and the change of T + V less the Jacobi integral.
        """
        g = self.gathered
        lost = _dot(self.s1, self.slopes_of(g.loss, self.s1))
        driven = g.lagrangian - self._quiet(g.lagrangian)
        given = _dot(self.s1, g.force) + _dot(self.s1, self.slopes_of(driven, self.s0))
        given += _dot(self.slopes_of(driven, self.mu), self.mu_t)
        given += self.D_t([g.change])[0] - partial(self._quiet(g.lagrangian), TIME)
        return self._program(self.all_arguments, {"powers": [lost, given]})

    @cached_property
    def _quiet(self) -> Replacing:
        """With inputs at zero; what holds none stays as it is."""
        layout, averages = self.gathered.layout, set(self.averages)
        return Replacing(lambda symbol: ZERO if symbol in averages else layout.quiet(symbol))

    # ---- what an integrator may rely on

    def linear_in(self, trees: Sequence[Basic], symbols: Sequence[Symbol], most: int) -> bool:
        """Whether trees are polynomials in symbols of at most that degree; long ones only where their shape says so."""
        known = Degrees(set(symbols).__contains__)

        def within_degree(f: Basic) -> bool:
            found = known.most(f)
            if found is not None and found <= most:
                return True
            return within(f, _EXPANDED) and degree(f, symbols, most) is not None

        return all(within_degree(f) for f in trees)

    @cached_property
    def holds_time(self) -> bool:
        """Whether anything holds t itself."""
        g = self.gathered
        trees = [*self.energy, *self.loss, *self.loads, *g.constraints.values()]
        trees += [f for term in g.points for f in term.trees]
        if any(TIME in f.free_symbols for f in trees):
            return True
        sources = (g.lagrangian, g.loss, *g.force)
        return any(TIME in f.free_symbols for f in sources) and any(TIME in f.free_symbols for f in self.residuals)


def _table(rows: Sequence[Sequence[Basic]], height: int, width: int) -> Trees:
    """An array of trees, whose shape is kept where it is empty."""
    found: Trees = np.empty((height, width), dtype=object)
    for i, row in enumerate(rows):
        found[i] = row
    return found


def _dot(first: Sequence[Basic], second: Sequence[Basic]) -> Basic:
    return sum((a * b for a, b in zip(first, second, strict=True)), ZERO)
