"""Linear equations, or matrices, as state space: x' = A x + B u, y = C x + D u.

>>> ss = fx.state_space(equations, inputs=["F"], outputs=["q1", beam.at(0.5)])
>>> ss.A, ss.states, ss.to_control()

States are minimal coordinates, their rates, then first-order States. A prescribed motion as an input means its
acceleration: displacement and rate become states. Members are discretised by Ritz; without `order` its degree rises
until the lowest poles stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from types import MappingProxyType
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.family import note_left_out
from flexura.derivation.linearise import small_motions
from flexura.derivation.routes import can_be_derived, derive, small_equations_of
from flexura.discretisation.eigen import undamped
from flexura.discretisation.linear import LinearDiscrete
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.discretise import linear_matrices, motion_system
from flexura.solve.linear_inputs import AskedInputs, asked_inputs, with_small_loads
from flexura.solve.linear_outputs import OutputRow, OutputRows
from flexura.solve.linear_reactions import reaction_row
from flexura.solve.matrix_response import named_rows, named_vectors
from flexura.solve.units import Units
from flexura.solve.values import numbers
from flexura.symbolic.engine import Basic
from flexura.symbolic.outputs import Reaction
from flexura.symbolic.walk import branches
from flexura.systems.first_order import FirstOrder, first_order
from flexura.systems.second_order import SecondOrderSystem, as_dense, real_stiffness, refuse_for_matrices
from flexura.systems.state_space import StateSpace

Array = NDArray[np.float64]
_ORDERS = range(8, 29, 4)
_LOWEST, _FEWER, _AGREE = 6, 4, 1e-9  # modes that stay, and how well, before the degree is enough
_WIDE = 5e4  # the fastest root over the slowest, from which on fewer need to stay
_LARGEST = 3000


def state_space(
    equations_or_system: Any,
    inputs: Any,
    outputs: Any,
    values: Mapping[str, Any] | None = None,
    order: int | None = None,
) -> StateSpace:
    """A, B, C, D of equations or matrices, with the names and units of states, inputs and outputs.

    Arguments:
        `equations_or_system`: a model, linear equations, or an fx.SecondOrderSystem.
        `inputs`: loads, inputs, coordinates (a unit generalized force) or prescribed motions (their acceleration), one
            or a list; None is every input.
        `outputs`: coordinates, end values, their rates ("q1_t"), places; None is every coordinate. Of matrices both
            are names, or vectors (n,) or (n, k).
        `values`: numbers for parameters without one; `order`: the polynomial degree along members.
    Returns fx.StateSpace with `.A` (n, n), `.B`, `.C`, `.D`, `.poles`, `.to_control()`.

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    >>> model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    >>> fx.state_space(model, inputs="F", outputs=beam.end, order=4).A.shape
    (6, 6)
    """
    return _space_of(equations_or_system, inputs, outputs, values, order)


@singledispatch
def _space_of(system: Any, *question: Any) -> StateSpace:
    if can_be_derived(system):
        return _of_equations(small_equations_of(system), *question)
    from flexura.solve.kinds import matrices_of  # frames and mechanisms are loaded where they are asked for

    return _space_of(matrices_of(system, "fx.state_space"), *question)


@_space_of.register
def _of_matrices(
    system: SecondOrderSystem, inputs: Any, outputs: Any, values: Mapping[str, Any] | None, order: int | None
) -> StateSpace:
    refuse_for_matrices("fx.state_space", values=values, order=order)
    real_stiffness(system, "fx.state_space")
    if system.n > _LARGEST:
        raise FlexuraError(
            f"The system has {system.n} coordinates, and dense matrices are made for up to {_LARGEST}",
            advice="reduce it first: fx.state_space(fx.reduce(system, F, order), ...)",
        )
    F, loads = named_vectors(system, inputs)
    rows, seen = named_rows(system, outputs)
    M, K = (np.asarray(as_dense(one)) for one in (system.M, system.displacements))
    C = np.zeros_like(M) if system.rates is None else np.asarray(as_dense(system.rates))
    made = first_order(M, C, K, F, system.names)
    found = [OutputRow(label, "", {0: row}) for label, row in zip(seen, rows, strict=True)]
    units = {"states": ("",) * len(made.states), "inputs": ("",) * len(loads), "outputs": ("",) * len(found)}
    return _put_together(made, found, tuple(loads), units, np.eye(system.n), ())


@_space_of.register
def _of_equations(
    equations: Equations, inputs: Any, outputs: Any, values: Mapping[str, Any] | None, order: int | None
) -> StateSpace:
    asked, discrete, rows = posed(equations, inputs, outputs, values, order)
    made = _first_order(discrete, asked)
    units = Units(equations.lagrangian)
    loads = [units.load(name.removeprefix("$load ")) for name in asked.columns]
    loads += [units.rate(name, 2) for name in asked.driven]
    kinds = {
        "states": tuple(_state_unit(units, name, discrete) for name in made.states),
        "inputs": tuple(loads[i] for i in asked.order),
    }
    N = discrete.independent[:, : discrete.independent.shape[1] - discrete.multipliers]
    return _put_together(made, rows, asked.labels, kinds, N, _notes(discrete))


def posed(
    equations: Equations, inputs: Any, outputs: Any, values: Mapping[str, Any] | None, order: int | None
) -> tuple[AskedInputs, LinearDiscrete, list[OutputRow]]:
    """What was asked for, the matrices, and the outputs as rows over the unknowns."""
    asked = asked_inputs(equations, inputs, values)
    if equations.lagrangian.contacts or any(one.name not in asked.labels for one in equations.lagrangian.sampled):
        note_left_out(equations)
    linear = _linear(asked, values)
    discrete = _discretised(linear, values, order, asked)
    _refuse_rates(discrete, asked)
    known = numbers(linear, values)
    outputs = _every(linear, discrete) if outputs is None else outputs

    def reaction(output: Reaction) -> OutputRow:
        return reaction_row(equations, asked, discrete, output, values, _linear)

    rows = OutputRows(linear, discrete.whole, known, reaction).read(outputs)
    return asked, discrete, rows


def _linear(asked: AskedInputs, values: Mapping[str, Any] | None) -> Equations:
    """Small motions about the state that the equations are about; whatever drives a motion holds it there."""
    energies = asked.energies
    if not energies.linear or _hidden(energies):
        given = {name: one for name, one in (values or {}).items() if name not in energies.inputs}
        energies = small_motions(energies, asked.about, {**asked.values, **given}, asked.driven)
    return derive(with_small_loads(energies, values))


def _hidden(energies: Lagrangian) -> bool:
    """Whether squares hide in roots, sqrt(s**2)**2, which only an expansion brings to light."""
    trees = (energies.kinetic, energies.potential, energies.dissipation, *energies.work.values())
    rough = [one for one in branches(trees) if isinstance(one, symengine.Function) or _is_root(one)]
    return any(energies.jets.unknowns(one) for one in rough)


def _is_root(one: Basic) -> bool:
    return isinstance(one, symengine.Pow) and not isinstance(one.args[1], symengine.Integer)


def _every(linear: Equations, discrete: LinearDiscrete) -> list[str]:
    """Every coordinate; of a system without any, every end value."""
    return list(linear.coordinates) or [name for name in discrete.whole.names if "[" not in name]


def _discretised(
    linear: Equations, values: Mapping[str, Any] | None, order: int | None, asked: AskedInputs
) -> LinearDiscrete:
    """Matrices, of a degree that is given or found."""

    def of_order(degree: int | None) -> LinearDiscrete:
        system = motion_system(linear, values, degree)
        if system.steady and system.explicit_time:
            raise FlexuraError(
                "A given function of time drives the system, and state space has no place for it",
                advice="name the motion or load it stands in among the inputs",
            )
        return linear_matrices(linear, system, values, asked.driven)

    if order is not None or not linear.fields:
        return of_order(order)
    before = of_order(_ORDERS[0])
    for degree in _ORDERS[1:]:
        found = of_order(degree)
        if _agree(before, found):
            return before
        before = found
    return before


def _agree(first: LinearDiscrete, second: LinearDiscrete) -> bool:
    """Whether the lowest frequencies, as they would be without damping, stay: then the shapes are fine enough.

    Fewer must stay where the fastest roots are so fast that their rounding would move the slowest by as much.
    """
    before, after = (undamped(*_inertia_and_stiffness(one)) for one in (first, second))
    squares, others = before.squares[before.squares != 0], after.squares[after.squares != 0]
    count = min(_LOWEST if _spread(first, squares) < _WIDE else _FEWER, len(others))
    if len(squares) < count:
        return False
    squares, others = squares[:count], others[:count]
    doubt = before.rounding[before.squares != 0][:count] + after.rounding[after.squares != 0][:count]
    return bool(np.all(np.abs(squares - others) <= np.abs(others) * (2 * _AGREE + doubt)))


def _inertia_and_stiffness(discrete: LinearDiscrete) -> tuple[Array, Array]:
    """Without multipliers, and without what has no inertia of its own, first-order states among them."""
    moving = np.diagonal(discrete.system.M) > 0
    return discrete.system.M[np.ix_(moving, moving)], discrete.system.K[np.ix_(moving, moving)]


def _spread(discrete: LinearDiscrete, squares: Array) -> float:
    """How much faster the fastest root is than the slowest."""
    if not len(squares):
        return 1.0
    fastest = float(np.sqrt(np.abs(squares).max()))
    if discrete.system.D is not None:
        M, moving = discrete.system.M, np.diagonal(discrete.system.M) > 0
        D = discrete.system.D[np.ix_(moving, moving)]
        ratios = np.linalg.eigvals(np.linalg.lstsq(M[np.ix_(moving, moving)], D, rcond=None)[0])
        fastest = max(fastest, float(np.abs(ratios).max()))
    return fastest / float(np.sqrt(np.abs(squares).min()))


def _refuse_rates(discrete: LinearDiscrete, asked: AskedInputs) -> None:
    rated = [slot.name for slot in discrete.whole.slots if slot.derivative and slot.name in asked.columns]
    if rated:
        raise FlexuraError(
            f"The equations hold the rate of the input {rated[0]}, which is no input of a state space",
            advice="prescribe that motion (motion=...) and name its coordinate among the inputs",
        )


def _first_order(discrete: LinearDiscrete, asked: AskedInputs) -> FirstOrder:
    system, m = discrete.system, discrete.multipliers
    k = system.n - m
    names = system.names[:k]
    assert discrete.whole_matrices is not None
    M, (C, K) = system.M[:k, :k], discrete.whole_matrices
    given = dict(zip(system.input_names, np.zeros((0, k)) if system.F is None else system.F[:k].T, strict=False))
    F = np.array([given.get(name, np.zeros(k)) for name in asked.columns]).reshape(len(asked.columns), k).T
    driven = [names.index(name) for name in asked.driven if name in names]
    if len(driven) < len(asked.driven):
        gone = next(name for name in asked.driven if name not in names)
        raise FlexuraError(
            f"The motion {gone} is settled by constraints, so it cannot be an input", advice="leave it out of inputs"
        )
    conditions = (C[k:, :k], K[k:, :k]) if m else None
    made = first_order(M, C[:k, :k], K[:k, :k], F, names, driven, conditions)
    return _ordered(made, asked)


def _ordered(made: FirstOrder, asked: AskedInputs) -> FirstOrder:
    """First-order states last, inputs as they were asked for."""
    n, inputs = len(made.A), list(asked.order)
    order = sorted(range(n), key=lambda i: made.states[i] in asked.energies.states)
    rows = made.coordinates
    return FirstOrder(
        made.A[np.ix_(order, order)],
        made.B[order][:, inputs],
        tuple(made.states[i] for i in order),
        np.hstack([rows[:, :n][:, order], rows[:, n:][:, inputs]]),
    )


def _state_unit(units: Units, name: str, discrete: LinearDiscrete) -> str:
    if name in discrete.whole.names:
        return "" if "[" in name else units.coordinate(name)
    still = name.removesuffix("_t")
    return "" if "[" in still else units.rate(still)


def _notes(discrete: LinearDiscrete) -> tuple[str, ...]:
    if "steady" not in discrete.system.input_names:
        return ()
    return ("States are measured from where the steady loads hold the system at rest.",)


def _put_together(
    made: FirstOrder,
    rows: list[OutputRow],
    inputs: tuple[str, ...],
    units: dict[str, tuple[str, ...]],
    independent: Array,
    notes: tuple[str, ...],
) -> StateSpace:
    n = len(made.A)
    levels = [made.coordinates]
    while len(levels) <= max([rate for row in rows for rate in row.rows], default=0):
        levels.append(made.differentiated(levels[-1]))
    whole = np.zeros((len(rows), n + len(inputs)))
    for i, one in enumerate(rows):
        for rate, row in one.rows.items():
            over = row @ independent
            used = np.flatnonzero(over)
            whole[i] += over[used] @ levels[rate][used]
        if one.direct is not None:
            whole[i, n:] += one.direct
        if not np.all(np.isfinite(whole[i])):
            raise FlexuraError(
                f"The output {one.label} follows a load at once, so that its rate would be the rate of that load",
                advice="give what has no inertia there some mass or damping, or ask for another output",
            )
    units = {**units, "outputs": tuple(row.unit for row in rows)}
    return StateSpace(
        made.A,
        made.B,
        whole[:, :n],
        whole[:, n:],
        made.states,
        inputs,
        tuple(row.label for row in rows),
        MappingProxyType(units),
        notes=notes,
    )
