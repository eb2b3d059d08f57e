"""What is exported as code: a model, equations or matrices as trees, with outputs, parameters and a start.

>>> system = exported(model, values={"g": 9.81}, outputs=["theta", beam.at(0.5)])
>>> system.written.mass, system.outputs, system.start
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import can_be_derived, derive, equations_of, small_equations_of
from flexura.discretisation.system import TracedFunctions
from flexura.discretisation.written import WrittenSystem, written_of, written_system
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError, warn
from flexura.exports.driven import with_motions
from flexura.solve.discretise import motion_system, shapes_of
from flexura.solve.linear_inputs import asked_inputs
from flexura.solve.linear_outputs import OutputRows
from flexura.solve.runs.impulsive import refuse_own_impulses
from flexura.solve.runs.initial import read_initial
from flexura.solve.runs.states import followed_states, hidden
from flexura.solve.steppers.mechanics import Mechanics
from flexura.solve.units import Units
from flexura.solve.values import numbers
from flexura.symbolic.engine import ZERO, Basic, Symbol
from flexura.systems.nonlinear import NonlinearSystem
from flexura.systems.second_order import SecondOrderSystem, as_dense, real_stiffness

Array = NDArray[np.float64]
_MOST = 200  # unknowns of matrices whose every entry is written
TAKES = "a model, equations, a discretised system, or matrices"


@dataclass(frozen=True, eq=False)
class ExportedSystem:
    """Trees, outputs by label, the start (q, v), and units by name; `hidden` unknowns only carry first-order states."""

    written: WrittenSystem
    outputs: Mapping[str, Basic]
    start: tuple[Array, Array]
    units: Mapping[str, str]
    hidden: Mapping[str, str]
    """Names of first-order states by the unknowns whose rates they are."""

    @property
    def states(self) -> list[tuple[str, Basic, Basic, float]]:
        """(name, symbol, its rate, start) of the states of the first-order form: coordinates, rates, then states."""
        w, (q, v) = self.written, self.start
        own = [i for i, name in enumerate(w.names) if name not in self.hidden]
        more = [i for i, name in enumerate(w.names) if name in self.hidden]
        found: list[tuple[str, Basic, Basic, float]] = [(w.names[i], w.q[i], w.v[i], float(q[i])) for i in own]
        found += [(f"{w.names[i]}_t", w.v[i], w.a[i], float(v[i])) for i in own]
        return found + [(self.hidden[w.names[i]], w.v[i], w.a[i], float(v[i])) for i in more]


def exported(
    thing: Any,
    ending: str,
    values: Mapping[str, Any] | None = None,
    order: int | None = None,
    elements: int | None = None,
    outputs: Any = None,
    initial: Mapping[str, Any] | None = None,
) -> ExportedSystem:
    """Whatever has equations of motion."""
    if isinstance(thing, SecondOrderSystem):
        return _of_matrices(thing)
    if isinstance(thing, NonlinearSystem):
        return _of_discretised(thing, ending)
    if not can_be_derived(thing):
        raise FlexuraError(f"A {type(thing).__name__} cannot be written as {ending}", advice=f"give {TAKES}")
    return _of_equations(equations_of(thing), values, order, elements, outputs, initial)


def _of_equations(
    equations: Equations,
    values: Mapping[str, Any] | None,
    order: int | None,
    elements: int | None,
    outputs: Any,
    initial: Mapping[str, Any] | None,
) -> ExportedSystem:
    _refuse_what_jumps(equations.lagrangian)
    if equations.lagrangian.ties:
        warn("The shortening of members on which joints hang is exported to second order in their deflections only.")
    equations, motions = _opened(small_equations_of(equations), values)
    known = numbers(equations, values)
    energies = equations.lagrangian
    states = {hidden(name): name for name in energies.states}
    start = dict(initial or {})
    if states:
        equations, start = followed_states(equations, start, dict.fromkeys(energies.states, 1.0))
    given = {name: one for name, one in (values or {}).items() if isinstance(one, str) and name in energies.inputs}
    shapes = shapes_of(equations, given, known)
    written = written_system(equations.lagrangian, known, order or 8, elements or 1, shapes)
    idle = [name for name in energies.inputs if name not in written.inputs and name not in known]
    if idle:  # what does no work is an input all the same
        written = replace(
            written, inputs=(*written.inputs, *idle), u=[*written.u, *(Symbol(f"{name} as an input") for name in idle)]
        )
    written = with_motions(written, motions)
    system = motion_system(equations, values, order, elements)
    found = read_initial(equations, Mechanics(system, lambda t: system.rest), start, known, 0.0, "refuse")
    units = Units(energies)
    named = {name: units.coordinate(name) for name in written.names if "[" not in name}
    named |= {f"{name}_t": units.rate(name) for name in named}
    named |= {name: units.load(name) for name in written.inputs}
    named |= {f"{one}_tt": units.rate(name, 2) for name, one in motions.items()}
    declared = equations.lagrangian.parameters
    named |= {name: declared[name].unit for name in written.parameters if name in declared}
    asked = [states.get(name, name) for name in written.names if "[" not in name] if outputs is None else outputs
    rows = _outputs(equations, system, known, asked, written, {one: name for name, one in states.items()})
    return ExportedSystem(written, rows, (found.q, found.v), named, states)


def _refuse_what_jumps(energies: Lagrangian) -> None:
    """Contacts are no formulas; a controller that is a function stays behind, and its input is left to others."""
    if energies.contacts:
        names = ", ".join(energies.contacts)
        raise FlexuraError(
            f"The contact {names} sticks, slides, hits or parts, which is no formula that could be written",
            advice="give a stop k= as a spring with a law, leave the contact out, or simulate it here",
        )
    for one in energies.sampled:
        warn(f"The controller of {one.name} is a function and stays behind: in the file {one.name} is an input.")
    refuse_own_impulses(energies, "An export")


def _opened(equations: Equations, values: Mapping[str, Any] | None) -> tuple[Equations, dict[str, str]]:
    """The equations with motions that are inputs as coordinates, and the inputs by these coordinates."""
    energies = equations.lagrangian
    moving = {symbol.name for f in energies.prescribed.values() for symbol in f.free_symbols} & set(energies.inputs)
    if not moving:
        return equations, {}
    asked = asked_inputs(equations, sorted(moving), values)
    return derive(asked.energies), dict(zip(asked.driven, asked.labels, strict=True))


def _outputs(
    equations: Equations,
    system: NonlinearSystem,
    known: Mapping[str, float],
    asked: Any,
    written: WrittenSystem,
    carriers: Mapping[str, str],
) -> dict[str, Basic]:
    found: dict[str, Basic] = {}
    reader = OutputRows(equations, system, known)
    for one in asked if isinstance(asked, list) else [asked]:
        if isinstance(one, str) and one in carriers:
            found[one] = written.v[written.names.index(carriers[one])]
            continue
        for row in reader.read([one] if isinstance(asked, list) else one):
            levels = [
                (coefficients, (written.q, written.v, written.a)[rate]) for rate, coefficients in row.rows.items()
            ]
            terms = [
                float(c) * s if c != 1 else s for some, level in levels for c, s in zip(some, level, strict=True) if c
            ]
            found[row.label] = symengine.Add(*terms) if terms else ZERO
    return found


def _of_discretised(system: NonlinearSystem, ending: str) -> ExportedSystem:
    functions = getattr(system.evaluate, "__self__", None)
    if not isinstance(functions, TracedFunctions) or functions.ritz.T is not None:
        raise FlexuraError(
            f"This system holds functions, not formulas, so it cannot be written as {ending}",
            advice="give the equations it was made of",
        )
    written = written_of(functions.ritz.gathered, {}, {}, {})
    outputs = {name: symbol for name, symbol in zip(written.names, written.q, strict=True) if "[" not in name}
    still = np.zeros(written.n)
    return ExportedSystem(written, outputs, (still, still), {}, {})


def _of_matrices(system: SecondOrderSystem) -> ExportedSystem:
    real_stiffness(system, "an export as code")
    if system.n > _MOST:
        raise FlexuraError(
            f"The system has {system.n} coordinates, and every entry of up to {_MOST} is written",
            advice="reduce it first: fx.export(fx.reduce(system, F, order), ...)",
        )
    n, names = system.n, system.names
    q, v, a = ([Symbol(f"{name}{rate}") for name in names] for rate in ("", "_t", "_tt"))
    F = np.zeros((n, 0)) if system.F is None else np.asarray(system.F).reshape(n, -1)
    inputs = system.input_names
    u = [Symbol(name) for name in inputs]
    M, K = (np.asarray(as_dense(one)) for one in (system.M, system.displacements))
    C = np.zeros((n, n)) if system.rates is None else np.asarray(as_dense(system.rates))
    forces = _product(F, u) - _product(C, v) - _product(K, q)
    none = np.empty((0,), dtype=object)
    written = WrittenSystem(
        names=names,
        inputs=inputs,
        multipliers=(),
        holonomic=(),
        parameters={},
        q=q,
        v=v,
        a=a,
        u=u,
        lam=[],
        evaluate=lambda: (_trees(M), forces),
        slopes=lambda: (_trees(K), _trees(C)),
        held=lambda: (none, np.empty((0, n), dtype=object), none, none),
        energies=lambda: np.array([_form(M, v), _form((K + K.T) / 2, q)], dtype=object),
    )
    rows = dict(zip(names, q, strict=True))
    if system.C is not None:
        labels = system.outputs or tuple(f"y{i}" for i in range(len(system.C)))
        rows = dict(zip(labels, _product(system.C, q), strict=True))
    return ExportedSystem(written, rows, (np.zeros(n), np.zeros(n)), {}, {})


def _trees(matrix: Any) -> Any:
    found = np.empty(np.shape(matrix), dtype=object)
    for i, one in np.ndenumerate(matrix):
        found[i] = symengine.RealDouble(float(one)) if one else ZERO
    return found


def _form(matrix: Any, symbols: list[Symbol]) -> Basic:
    """x' A x / 2."""
    rows = _product(matrix, symbols)
    return symengine.Add(*(one * row for one, row in zip(symbols, rows, strict=True))) / 2


def _product(matrix: Any, symbols: list[Symbol]) -> Any:
    found = np.empty(len(matrix), dtype=object)
    for i, row in enumerate(np.asarray(matrix)):
        terms = [float(c) * s for c, s in zip(row, symbols, strict=True) if c]
        found[i] = symengine.Add(*terms) if terms else ZERO
    return found
