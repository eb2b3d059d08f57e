"""Accelerations and reactions at one state of a system without fields: the augmented system, solved once.

    >>> fx.accelerations(equations, {"theta": 0.3, "theta_t": 1.0}, values={"g": 9.81, "l": 1.2})
    {'theta': -2.4160...}

Rows M q'' - A' lambda = f, and constraints brought to accelerations: A q'' = b (differentiated twice, or once where
they hold rates). Of conditions that repeat others as many count as their rank in the metric of the masses says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import equations_of
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.runs.impulsive import refuse_own_impulses
from flexura.solve.runs.instant import Instant
from flexura.solve.values import numbers, real, without_fields
from flexura.symbolic.dimensions import in_si
from flexura.symbolic.engine import TIME, ZERO, Basic, Symbol, exact, partial
from flexura.symbolic.integrals import terms
from flexura.symbolic.jets import Jet
from flexura.symbolic.named import by_name
from flexura.symbolic.quantities import text_or_expression
from flexura.systems.conditions import repeated
from flexura.systems.nonlinear import InputSlot

Array = NDArray[np.float64]
Where = dict[Symbol, Basic]


class Accelerations(dict[str, float]):
    """Accelerations and reactions by name; `notes` say which of the reactions are one choice among many."""

    def __init__(self, found: Mapping[str, float], notes: Sequence[str] = ()) -> None:
        """A dict of numbers."""
        super().__init__(found)
        self.notes = tuple(notes)


def accelerations(
    equations: Any,
    state: Mapping[str, float],
    t: float = 0,
    inputs: Mapping[str, Any] | None = None,
    values: Mapping[str, Any] | None = None,
) -> Accelerations:
    """q'' of every coordinate, every multiplier, and the load Q_name that drives each prescribed coordinate.

    Arguments:
        `equations`: a model or equations without fields.
        `state`: coordinates and rates, {"q1": .., "q1_t": ..} in m, rad and s; what is not given is zero, or what the
            conditions ask of it.
        `t`: the time in s.
        `inputs`: numbers, functions of t or text in t, by name.
        `values`: numbers for parameters without one.
    Returns a dict of numbers by coordinate, multiplier and Q_name, with `.notes`. Of a first-order state the rate is
    given, "z_t"; of a contact its force, "R_floor". Reactions of conditions that repeat one another are those of least
    norm.

    >>> import flexura as fx
    >>> bob = fx.RigidBody("bob", m=2.0, I=0.1)
    >>> model = fx.Model(fx.Revolute(fx.ground, bob.at(0, 0.5), name="theta"), fx.Torque(bob, "tau"), fx.Gravity())
    >>> found = fx.accelerations(model, {"theta": 0.2}, inputs={"tau": 1.0}, values={"g": 9.81})
    >>> round(found["theta"], 4)
    -1.5816
    """
    equations = equations_of(equations)
    without_fields(equations, "The acceleration at a state")
    energies, known = equations.lagrangian, numbers(equations, values)
    refuse_own_impulses(energies, "The acceleration at a state")
    state = by_name(state, "The state")
    where = _state(energies, state) | {TIME: exact(t)}
    where |= {Symbol(name): exact(value) for name, value in known.items()}
    where |= _loads(energies, inputs or {}, t, where)
    begun = _begun(equations, values, known, state, t, where) if energies.constraints or energies.contacts else None
    if begun is not None:
        where |= {jet.symbol: exact(begun.state.get(jet.label, 0.0)) for jet in _jets(energies).values()}
        forces = begun.forces(tuple(inputs or ())) if energies.contacts else {}
        where |= {Symbol(name): exact(force) for name, force in forces.items()}
    else:
        forces = {}
    rates = _rates_of_states(equations, where)
    where |= {Symbol(name): exact(value) for name, value in rates.items()}
    moving = [name for name in equations.coordinates if name not in equations.lagrangian.states]
    unknowns = [*(Jet(name, t=2) for name in moving), *map(Jet, equations.lagrangian.multipliers)]
    rows = [*_rows(equations, "ordinary"), *_constraint_rows(equations, where, seen=begun is not None)]
    matrix, right = _numbers(rows, [jet.symbol for jet in unknowns], where, equations)
    if begun is not None and energies.constraints and begun.redundancy.singular:
        branch = begun.on_branch()
        solution, extra = [branch[jet.name] for jet in unknowns], 0
    else:
        solution, extra = _solve(matrix, right, moving, energies.multipliers, begun)
    found = {jet.name: value for jet, value in zip(unknowns, solution, strict=True)}
    where |= {jet.symbol: exact(value) for jet, value in zip(unknowns, solution, strict=True)}
    reactions = {row.name: row.right.local for row in equations.derived if row.kind == "reaction"}
    found |= rates | forces | {f"Q_{name}": _value(f, where, equations) for name, f in reactions.items()}
    return Accelerations(found, repeated(extra, len(moving) - len(energies.multipliers), energies.multipliers))


def _begun(
    equations: Equations,
    values: Mapping[str, Any] | None,
    known: Mapping[str, float],
    state: Mapping[str, float],
    t: float,
    where: Where,
) -> Instant | None:
    """The state with what conditions ask of it; None where it contradicts them, which then is told of its values."""

    def at(slot: InputSlot) -> float:
        rate = where[Jet(slot.name, t=slot.derivative).symbol]
        return 0.0 if rate.free_symbols else float(rate)

    try:
        return Instant.of(equations, values, known, {key: float(one) for key, one in state.items()}, t, at)
    except FlexuraError:
        if equations.lagrangian.contacts:
            raise
        return None


def _state(energies: Lagrangian, state: Mapping[str, float]) -> Where:
    jets = _jets(energies)
    for key in state:
        if key not in jets:
            name = str(key).removesuffix("_t")
            known = f"{name} moves as prescribed" if name in energies.prescribed else f"it takes {', '.join(jets)}"
            raise FlexuraError(f"The state gives {key!r}, which it cannot: {known}.")
    return {jet.symbol: exact(_number(key, state.get(key, 0.0))) for key, jet in jets.items()}


def _jets(energies: Lagrangian) -> dict[str, Jet]:
    """What a state gives: coordinates, and rates of those that are no first-order states."""
    known_rates = {f"{name}_t" for name in energies.states}
    jets = {jet.label: jet for name in energies.coordinates for jet in (Jet(name), Jet(name, t=1))}
    return {label: jet for label, jet in jets.items() if label not in known_rates}


def _number(key: str, value: Any) -> float:
    try:
        value = in_si(value, f"The {key} of the state")
        found = float("nan") if isinstance(value, bool | np.bool_) else float(value)
    except (TypeError, ValueError):
        found = float("nan")
    if not np.isfinite(found):
        raise FlexuraError(f"The state gives {value!r} for {key}", advice="give a finite number")
    return found


def _loads(energies: Lagrangian, inputs: Mapping[str, Any], t: float, where: Where) -> Where:
    """The inputs and their rates at the instant; zero where nothing is given."""
    unknown = [name for name in inputs if name not in energies.inputs]
    if unknown:
        known = ", ".join(energies.inputs) or "none"
        raise FlexuraError(
            f"An input {unknown[0]!r} is given, which the equations do not hold", advice=f"their inputs are: {known}"
        )
    found: Where = {}
    for name in energies.inputs:
        given = inputs.get(name, where.get(Symbol(name), 0.0))
        for order in range(3):
            found[Jet(name, t=order).symbol] = _load(name, given, order, t, where)
    return found


def _load(name: str, given: Any, order: int, t: float, where: Where) -> Basic:
    if callable(given):
        return exact(_number(name, given(t))) if order == 0 else Symbol(f"the rate of {name}")
    f = text_or_expression(given, what=f"the input {name}").engine
    for _ in range(order):
        f = partial(f, TIME)
    return exact(real(f.xreplace(where), f"The input {name}"))


def _rows(equations: Equations, kind: str) -> list[Basic]:
    states = equations.lagrangian.states
    return [row.residual.local for row in equations.derived if row.kind == kind and row.name not in states]


def _rates_of_states(equations: Equations, where: Where) -> dict[str, float]:
    """How fast first-order states change, {"z_t": ...}: no acceleration enters that."""
    rows = [row for row in equations.derived if row.kind == "ordinary" and row.name in equations.lagrangian.states]
    return {f"{row.name}_t": _value(row.right.local, where, equations) for row in rows}


def _constraint_rows(equations: Equations, where: Where, seen: bool) -> list[Basic]:
    """The constraints at the level of accelerations, once the state is `seen` to satisfy them."""
    jets, found = equations.lagrangian.jets, []
    for row in equations.derived:
        if row.kind != "constraint":
            continue
        f = row.residual.local
        if not seen:
            _satisfied(f, where, f"the constraint of {row.name}", equations)
        if not any(jet.t for jet in jets.unknowns(f)):
            f = jets.D_t(f)
            if not seen:
                _satisfied(f, where, f"the rate of the constraint of {row.name}", equations)
        found.append(jets.D_t(f))
    return found


def _satisfied(f: Basic, where: Where, what: str, equations: Equations) -> None:
    value = _value(f, where, equations)
    scale = max([abs(_value(term, where, equations)) for term in terms(f.expand())], default=0.0)
    if abs(value) > 1e-8 * max(scale, 1e-300):
        raise FlexuraError(
            f"The state is impossible: {what} is {value:.6g} there and must be 0",
            advice=f"give coordinates and rates that satisfy {str(f.expand())[:120]} = 0",
        )


def _value(f: Basic, where: Where, equations: Equations) -> float:
    """A number; the rate of an input that is a plain function of t cannot be had."""
    found = f.xreplace(where)
    rates = [one.name for one in found.free_symbols if " " in one.name]
    if rates:
        raise FlexuraError(f"The equations need {rates[0]}", advice="give that input as text in t, such as 'sin(3*t)'")
    return real(found, "An equation")


def _numbers(rows: list[Basic], unknowns: list[Symbol], where: Where, equations: Equations) -> tuple[Array, Array]:
    at_rest = where | dict.fromkeys(unknowns, ZERO)
    matrix = np.array([[_value(partial(f, one), at_rest, equations) for one in unknowns] for f in rows])
    return matrix.reshape(len(rows), -1), -np.array([_value(f, at_rest, equations) for f in rows])


def _solve(
    matrix: Array, right: Array, moving: Sequence[str], multipliers: Sequence[str], begun: Instant | None
) -> tuple[list[float], int]:
    """Accelerations and multipliers, and how many conditions repeat others."""
    n, extra, basis = len(moving), 0, np.eye(len(multipliers))
    if begun is not None and len(multipliers):
        redundancy = begun.redundancy
        if not redundancy.singular:
            extra, basis = len(multipliers) - redundancy.rank, redundancy.basis
    whole = np.block([[np.eye(n), np.zeros((n, len(multipliers)))],
                      [np.zeros((basis.shape[1], n)), basis.T]])  # fmt: skip
    matrix, right = whole @ matrix @ whole.T, whole @ right
    scale = np.sqrt(np.abs(matrix).max(axis=1, initial=0.0))
    scale[scale == 0] = 1.0
    scaled = matrix / np.outer(scale, scale)
    _, sizes, v = np.linalg.svd(scaled)
    if len(sizes) and sizes[-1] < 1e-13 * sizes[0]:
        raise _why_singular(whole.T @ (v[-1] / scale), n, [*moving, *multipliers])
    return (whole.T @ (np.linalg.solve(scaled, right / scale) / scale)).tolist(), extra


def _why_singular(vector: Array, n: int, names: list[str]) -> FlexuraError:
    """What the null vector means: motions without inertia, or multipliers that share one reaction."""
    size = np.abs(vector)
    moving = size[:n].max(initial=0.0) > 1e-9 * size.max()
    part = slice(0, n) if moving else slice(n, None)
    free = " and ".join(
        name for name, one in zip(names[part], size[part], strict=True) if one > 1e-9 * size[part].max()
    )
    if moving:
        return FlexuraError(
            f"The mass matrix is singular: {free} can move without inertia, so there is no acceleration",
            advice="give that motion a mass or an inertia, or leave it out",
        )
    return FlexuraError(
        f"The multipliers {free} are not determined at this state: their constraints repeat one another there",
        advice="leave one of them out",
    )
