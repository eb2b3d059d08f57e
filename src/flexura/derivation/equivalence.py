"""Are two sets of equations the same? Compared through their virtual work, so that coordinates may differ.

Under q = phi(q'), e = psi(e', q', x) the rows of one set turn into (theory, section 2)

    R'_i = sum_j R_j dq_j/dq'_i + sum int R_pde de/dq'_i dx.

    >>> equivalent(equations_r, equations_q, where={"r2": "q2 + q1", "r1": "q1", "r3": "q3"})
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from functools import partial as partial_application
from typing import Any

from flexura.arguments import checked_methods
from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.reduction import reduced
from flexura.derivation.equations.rows import Row, Sum, integrate_known
from flexura.derivation.kane_speeds import in_rates
from flexura.derivation.routes import equations_of
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.symbolic.engine import ONE, ZERO, Basic, Symbol, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.multiplied import multiplied_out
from flexura.symbolic.quantities import text_or_expression
from flexura.symbolic.zero import LARGE, POINTS, RandomPoint, Verdict, vanishes, verdict, within

_MULTIPLIED = 20_000
"""Terms from which on rows without fields are compared at random points."""


@checked_methods
@dataclass(frozen=True)
class Equivalence:
    """True if the two sets agree; `differences` holds what is left over, row by row, `how` the way zero was decided."""

    differences: tuple[Row, ...]
    compared: tuple[str, ...]
    how: str
    lagrangian: Lagrangian

    def __bool__(self) -> bool:
        return not self.differences

    @cached_property
    def difference(self) -> dict[str, Any]:
        """What is left over, by the name of the row, in SymPy; empty where the sets agree."""
        from flexura.derivation.equations.sympy_rows import rows_to_sympy

        shown = rows_to_sympy(self.differences, self.lagrangian)
        return {row.name: one.lhs for row, one in zip(self.differences, shown, strict=True)}

    def __str__(self) -> str:
        if self:
            return f"The equations agree in {', '.join(self.compared)} ({self.how})."
        return f"The equations differ in {', '.join(row.name for row in self.differences)}."


def equivalent(equations1: Any, equations2: Any, where: Mapping[str, Any] | None = None) -> Equivalence:
    """Compare two sets of equations, or those of two models, by the virtual work of their rows.

    `where` gives coordinates of one set as expressions in those of the other; what models measured differently say of
    themselves need not be given. The answer is true or false, and tells what is different.

    >>> fx.equivalent(fx.derive(model), fx.derive(other), where={"r2": "q2 + q1"}).difference
    """
    first, second = equations_of(equations1), equations_of(equations2)
    if where and not set(where) <= _names(first) and set(where) <= _names(second):
        first, second = second, first
    first, second = in_rates(first), in_rates(second)
    change = _CoordinateChange(first.lagrangian, second.lagrangian, where or {})
    work = change.virtual_work(first)
    left_over: list[Row] = []
    hows = {"normal form"}
    for row in second.derived:
        seen = work.pop(row.name, Sum())
        residual = row.residual if row.kind != "geometric" else Sum()
        difference, found = _verdict(seen - residual, second.lagrangian)
        hows.add(found.how)
        if not found:
            left_over.append(Row("ordinary", row.name, integrate_known(difference, second.lagrangian), Sum()))
    left_over += [Row("ordinary", name, one, Sum()) for name, one in work.items() if not one.empty]
    left_over += change.geometric_differences(first)
    left_over += _freedoms(first.lagrangian, second.lagrangian)
    how = "evaluation at random points" if "evaluation" in hows else "normal form"
    compared = tuple(row.name for row in second.derived)
    return Equivalence(tuple(left_over), compared, how, second.lagrangian)


def _verdict(difference: Sum, energies: Lagrangian) -> tuple[Sum, Verdict]:
    """Whether two sides agree, and what is left over; large ones with random numbers for coordinates and rates."""
    if not (energies.fields or difference.integrals) and _is_long(difference.local):
        whole = energies.driven(difference.local)
        return Sum(whole), Verdict(vanishes(whole), "evaluation")
    if all(within(f, LARGE) for f in difference.parts()):
        left = reduced(difference, energies).map(energies.driven)
        verdicts = [verdict(f) for f in left.parts()]
        how = "evaluation" if any(one.how == "evaluation" for one in verdicts) else "normal form"
        return left, Verdict(all(verdicts), how)
    kept = _kept(difference, energies)
    for point in map(RandomPoint, range(POINTS)):
        put = partial_application(point.put, kept=kept)
        left = reduced(difference.map(energies.driven).map(put), energies)
        if not all(verdict(f) for f in left.map(energies.driven).map(put).parts()):
            return difference, Verdict(False, "evaluation")
    return Sum(), Verdict(True, "evaluation")


def _is_long(f: Basic) -> bool:
    """Whether the normal form would take longer than all of the derivation."""
    return not within(f, LARGE) or multiplied_out(f) > _MULTIPLIED


def _kept(difference: Sum, energies: Lagrangian) -> frozenset[Basic]:
    """Everything but the discrete coordinates and their rates: fields, parameters and x stay symbols."""
    symbols = frozenset[Basic]().union(*(f.free_symbols for f in difference.parts()))
    jets = (jet for f in difference.parts() for jet in energies.jets.unknowns(f))
    return symbols - {jet.symbol for jet in jets if jet.name not in energies.fields}


def _freedoms(first: Lagrangian, second: Lagrangian) -> list[Row]:
    """Two systems that do not move in equally many ways cannot agree, whatever their rows say."""
    excess = len(first.generalized) - len(second.generalized)
    return [Row("ordinary", "degrees of freedom", Sum(excess * ONE), Sum())] if excess else []


def _names(equations: Equations) -> set[str]:
    return {*equations.coordinates, *equations.lagrangian.fields}


class _CoordinateChange:
    """A change of coordinates: every unknown of `old` as a tree in the jets of `new`."""

    def __init__(self, old: Lagrangian, new: Lagrangian, where: Mapping[str, Any]) -> None:
        self.old, self.new = old, new
        unknown = set(where) - {*old.coordinates, *old.fields}
        if unknown:
            raise FlexuraError(
                f"The change of coordinates names {', '.join(sorted(unknown))}, which neither set knows."
            )
        self.map = {name: self._value(name, where) for name in (*old.coordinates, *old.fields, *old.multipliers)}
        self.spines = {spine.name: self._spine(spine.fields) for spine in old.spines}

    def _value(self, name: str, where: Mapping[str, Any]) -> Basic:
        if name in where:
            return text_or_expression(where[name], what=f"the change of {name}", spine=name in self.old.fields).engine
        measured = self._measured(name)
        if measured is not None:
            return measured
        if name in (*self.new.coordinates, *self.new.fields, *self.new.multipliers):
            return Symbol(name)
        raise FlexuraError(
            f"The coordinate {name} is in one set of equations only",
            advice=f"say what it is in the other with where={{{name!r}: ...}}",
        )

    def _measured(self, name: str) -> Basic | None:
        """Models know what their deflections are measured from: equal deflections give the change of coordinates."""
        if self.old.motion is None or self.new.motion is None:
            return None
        old: Mapping[str, Basic] = self.old.motion.measures
        new: Mapping[str, Basic] = self.new.motion.measures
        for key, value in old.items():
            if key in new and value.diff(Symbol(name)) == 1:
                return new[key] + Symbol(name) - value
        return None

    def _spine(self, fields: tuple[str, ...]) -> str:
        """The spine of the new system on which an old spine's fields are expressed."""
        for name in fields:
            for jet in self.new.jets.unknowns(self.map[name]):
                if jet.name in self.new.fields and not jet.end:
                    return self.new.spine_of(jet.name).name
        raise FlexuraError(f"The field {fields[0]} is not expressed through a field of the other set.")

    def tree(self, f: Basic) -> Basic:
        """An expression of the old system in the new one's jets."""
        replaced = {jet.symbol: self.jet(jet) for jet in self.old.jets.unknowns(f)}
        changed = {symbol: value for symbol, value in replaced.items() if symbol != value}
        return self.new.settled(f.xreplace(changed) if changed else f)

    def jet(self, jet: Jet) -> Basic:
        """One jet of the old system in the new one's jets."""
        value = self.map[jet.name]
        for _ in range(jet.x):
            value = self.new.jets.D_x(value)
        for _ in range(jet.t):
            value = self.new.jets.D_t(value)
        if jet.end:
            spine = self.old.spine_of(jet.name)
            value = self.new.jets.at(value, jet.end, spine.place(jet.end), self.spines[spine.name])
        return value

    def sum(self, side: Sum, factor: Basic) -> Sum:
        """A row of the old system times a factor free of x."""
        parts = {self.spines[name]: self.tree(f) * factor for name, f in side.integrals.items()}
        return Sum(self.tree(side.local) * factor, parts)

    def virtual_work(self, equations: Equations) -> dict[str, Sum]:
        """What multiplies each variation of the new system: R'_i, by the name of its row."""
        work: dict[str, Sum] = {}
        for row in equations.derived:
            if row.kind == "geometric":
                continue
            if row.kind in ("constraint", "reaction"):
                work[row.name] = self.sum(row.residual, ONE)
            elif row.kind == "partial":
                self._vary_field(row, work)
            else:
                self._vary_discrete(row, work)
        return work

    def _vary_discrete(self, row: Row, work: dict[str, Sum]) -> None:
        old = self.old.jets.find(Symbol(row.name))
        assert old is not None
        value = self.new.settled(self.jet(old))
        for jet in self.new.jets.unknowns(value):
            share = self.sum(row.residual, partial(value, jet.symbol))
            work[jet.label] = work.get(jet.label, Sum()) + share

    def _vary_field(self, row: Row, work: dict[str, Sum]) -> None:
        residual, value, spine = self.tree(row.residual.local), self.map[row.name], self.spines[row.spine]
        for jet in self.new.jets.unknowns(value):
            share = residual * partial(value, jet.symbol)
            if jet.x or jet.t:
                raise FlexuraError(
                    f"The change of {row.name} holds the derivative {jet.label}", advice="use coordinates and fields"
                )
            inside = jet.name in self.new.fields and not jet.end
            work[jet.label] = work.get(jet.label, Sum()) + (Sum(share) if inside else Sum(ZERO, {spine: share}))

    def geometric_differences(self, equations: Equations) -> list[Row]:
        """Given end values of the old system that the new one does not satisfy."""
        found = []
        for row in equations.derived:
            if row.kind == "geometric":
                difference = self.new.driven(self.tree(row.residual.local))
                if not verdict(difference):
                    found.append(replace(row, left=Sum(difference), right=Sum()))
        return found
