"""Linear equations about a state: against the direct linearisation of the derived rows, and against textbooks."""

from collections.abc import Iterator
from typing import Any

import pytest
import symengine as se
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura import gallery
from flexura.derive.linearise import linearise
from flexura.equations.reduction import reduced
from flexura.equations.rows import Row, Sum
from flexura.symbols.engine import SPINE, TIME
from flexura.symbols.zero import verdict
from random_systems import systems

EPS = se.Symbol("epsilon")


class Direct:
    """Rows linearised one by one: u0 + epsilon u put in, differentiated by epsilon. No energy is looked at."""

    def __init__(self, equations: fx.Equations, state: dict[str, Any]) -> None:
        self.energies, self.state = equations.lagrangian, state
        self.rows = [row for row in equations.derived if row.kind != "reaction"]
        self.state = {**state, **self.reactions()}

    def reactions(self) -> dict[str, Any]:
        """The multipliers at the state, from what stands still in the rows of the coordinates."""
        names = [name for name in self.energies.multipliers if name not in self.state]
        if not names:
            return {}
        self.state = {**self.state, **{name: se.Symbol(f"{name}_0") for name in names}}
        still = [self.still(self.value(row).local) for row in self.rows if row.kind == "ordinary"]
        unknowns = [sp.Symbol(f"{name}_0") for name in names]
        found = sp.solve([one._sympy_() for one in still], unknowns, dict=True)
        return {name: se.sympify(found[0].get(one, 0)) if found else se.Integer(0) for name, one in zip(names, unknowns)}

    def still(self, f: Any) -> Any:
        """Without inputs, and without the terms that hold t."""
        f = f.xreplace({j.symbol: se.Integer(0) for j in self.energies.jets.inside(f)}).expand()
        return se.Add(*(term for term in se.Add.make_args(f) if TIME not in term.free_symbols))

    def base(self, jet: Any) -> Any:
        f = self.state.get(jet.name, se.Integer(0)) if jet.t == 0 else se.Integer(0)
        for _ in range(jet.x):
            f = se.diff(f, SPINE)
        return f.xreplace({SPINE: self.energies.spine_of(jet.name).place(jet.end)}) if jet.end else f

    def moved(self, f: Any) -> Any:
        return f.xreplace({j.symbol: self.base(j) + EPS * j.symbol for j in self.energies.jets.unknowns(f)})

    def value(self, row: Row) -> Sum:
        return row.residual.map(lambda f: self.moved(f).xreplace({EPS: se.Integer(0)}))

    def slope(self, row: Row) -> Sum:
        return row.residual.map(lambda f: se.diff(self.moved(f), EPS).xreplace({EPS: se.Integer(0)}))

    def obstacles(self) -> Iterator[str]:
        """Why there may be no linear system: a residual that stands still, or coefficients that change."""
        for row in self.rows:
            for f in self.value(row).parts():
                if not verdict(self.still(f)):
                    yield f"{row.name}: {f}"
            for f in self.slope(row).parts():
                if not verdict(se.diff(f, TIME)):
                    yield f"{row.name}: {f}"


def assert_linearised(equations: fx.Equations, linear: fx.Equations, state: dict[str, Any]) -> None:
    """Every row of `linear` is the direct linearisation of the row of its name."""
    direct = Direct(equations, state)
    found = {row.name: row for row in linear.derived}
    assert list(found) == [row.name for row in direct.rows]
    for row in direct.rows:
        difference = direct.value(row) + direct.slope(row) - found[row.name].residual
        for f in reduced(difference, linear.lagrangian).parts():
            assert verdict(f), (row.name, f)


def rebuilt(energies: fx.Lagrangian, **changes: Any) -> fx.Lagrangian:
    parts = {name: getattr(energies, name) for name in fx.Lagrangian.__dataclass_fields__}
    return fx.Lagrangian.of_parts(**{**parts, **changes})


@given(systems())
@settings(max_examples=150)
def test_about_zero_the_energies_and_the_rows_say_the_same(energies: fx.Lagrangian) -> None:
    equations = fx.derive(energies)
    try:
        linear = linearise(equations)
    except fx.FlexuraError as error:
        loses_its_stiffness = "loses its derivative" in str(error)
        assert loses_its_stiffness or list(Direct(equations, {}).obstacles()), error
        return
    assert_linearised(equations, linear, {})
    assert fx.verify(linear)


@st.composite
def balanced(draw: st.DrawFn) -> tuple[fx.Lagrangian, dict[str, Any]]:
    """A random system, a random state that fits its ends, and the steady loads that hold it there."""
    energies = frozen(draw(systems()))
    number = st.fractions(-1, 1, max_denominator=5).map(lambda f: se.Rational(f.numerator, f.denominator))
    state = {name: draw(number) for name in (*energies.coordinates, *energies.multipliers)}
    for name in energies.fields:
        state[name] = shape(energies, name, state, [draw(number) for _ in range(5)])
    kept = {
        name: f - Direct(fx.derive(energies), state).moved(f).xreplace({EPS: se.Integer(0)})
        for name, f in energies.constraints.items()
    }
    energies = rebuilt(energies, constraints=kept)
    return held(energies, state), state


def frozen(energies: fx.Lagrangian) -> fx.Lagrangian:
    """The same system at one instant, so that no coefficient depends on t."""

    def still(part: Any) -> Any:
        if isinstance(part, dict):
            return {name: still(one) for name, one in part.items()}
        return part.xreplace({TIME: se.Rational(1, 3)})

    names = ("kinetic", "potential", "dissipation", "density", "dissipation_density", "work", "work_density",
             "boundary", "constraints")  # fmt: skip
    return rebuilt(energies, **{name: still(getattr(energies, name)) for name in names})


def shape(energies: fx.Lagrangian, name: str, state: dict[str, Any], numbers: list[Any]) -> Any:
    """A quintic-like shape whose ends fit what is given, the other ends being `numbers`."""
    spine = energies.spine_of(name)
    l = spine.end
    ends = []
    for label, other in zip((f"{name}@a", f"{name}_x@a", f"{name}@b", f"{name}_x@b"), numbers, strict=False):
        value = energies.settled_boundary.get(label, other)
        ends.append(value.xreplace({se.Symbol(q): f for q, f in state.items() if q in energies.coordinates}))
    z = SPINE / l
    a, da, b, db = ends[0], ends[1] * l, ends[2], ends[3] * l
    cubic = a + da * z + (3 * (b - a) - 2 * da - db) * z**2 + (2 * (a - b) + da + db) * z**3
    return cubic + numbers[4] * z**2 * (1 - z) ** 2


def held(energies: fx.Lagrangian, state: dict[str, Any]) -> fx.Lagrangian:
    direct = Direct(fx.derive(energies), state)
    work = dict(energies.work)
    lines = {on: dict(loads) for on, loads in energies.work_density.items()}

    def push(loads: dict[str, Any], name: str, f: Any) -> None:
        loads[name] = loads.get(name, se.Integer(0)) + direct.still(f)

    for row in direct.rows:
        left = direct.value(row)
        if row.kind == "partial":
            push(lines[row.spine], row.name, left.local)
        elif row.kind in ("ordinary", "natural"):
            push(work, row.name, left.local)
            for on, f in left.integrals.items():
                push(lines[on], row.name, f)
    return rebuilt(energies, work=work, work_density=lines)


@given(balanced())
@settings(max_examples=60)
def test_about_any_state_the_energies_and_the_rows_say_the_same(case: tuple[fx.Lagrangian, dict[str, Any]]) -> None:
    energies, state = case
    equations = fx.derive(energies)
    try:
        linear = linearise(equations, about=state)
    except fx.FlexuraError as error:
        assert "loses its derivative" in str(error), error
        return
    assert_linearised(equations, linear, state)
    assert fx.verify(linear)
