"""Where a system rests: coordinates by Newton's method, shapes of members as polynomials in x.

    >>> rest = fx.equilibrium(equations, values={"k": 50.0, "m": 1.2})
    >>> rest.position(beam.end), rest.stable
    >>> linear = fx.linearise(equations, about=rest)

Shapes that enter linearly are found by collocation (`rest_shapes.py`), piece by piece where loads or properties jump
along a member; those of members that bend far by Ritz's equations under loads that grow in steps (`statics/`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.rows import Row
from flexura.derivation.family import note_left_out
from flexura.derivation.routes import can_be_derived, equations_of, small_equations_of
from flexura.discretisation.degrees import Degrees
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.discretise import check_mesh, function_of_x
from flexura.solve.rest_shapes import RestShapes
from flexura.solve.runs.theory import bending, theory_notes
from flexura.solve.statics.bent import BentState, bent
from flexura.solve.statics.load_steps import NotHeld
from flexura.solve.statics.rest_positions import NowhereAtRest, RestPositions
from flexura.solve.statics.rest_state import Equilibrium
from flexura.solve.statics.shapes import shapes
from flexura.solve.values import static_row, substitution
from flexura.symbolic.engine import ONE, TIME, ZERO, Basic, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.named import by_name
from flexura.systems.conditions import contradiction, repeated

_COARSE = 1e-8  # an error of shapes that is told
_TOLD = 1e-6  # of a deflection, between the states of rest of two forms
_BESIDE = 0.05  # chains under their weight: 0.002 to 0.013 of (w/L)^2


def equilibrium(
    equations: Any,
    values: Mapping[str, Any] | None = None,
    guess: Mapping[str, float] | None = None,
    order: int | None = None,
    elements: int | None = None,
) -> Equilibrium:
    """A state of rest: what is reached from `guess` (or zero), stable or not; else the lowest of several.

    Arguments:
        `equations`: a model, equations or a Lagrangian.
        `values`: numbers, in SI units or text like "1.3 m", for parameters without one; and for inputs, which are zero
            unless they are given a number, or text in x.
        `guess`: {"theta": 0.3}, in m and rad, where to begin.
        `order`, `elements`: the degree of the polynomials along members, and how many each is cut into, where these
            shall not be refined until the shapes stand still.
    Returns fx.Equilibrium, a dict of numbers and shapes with `.position(place)` (3,) in m, `.place(member, s)`,
    `.stable`, `.notes`. Prescribed coordinates may stand still, or turn at a constant speed if the system looks the
    same at all times. Members that bend far are loaded in steps, whose size is found.

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    >>> model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    >>> rest = fx.equilibrium(model, values={"F": 2.0})
    >>> round(rest.place(beam, 1.3), 9) == round(2.0 * 1.3**3 / (3 * 50.0), 9)
    True
    """
    if not can_be_derived(equations):
        from flexura.solve.kinds import refused  # frames and mechanisms are loaded where they are asked for

        raise refused(equations, "fx.equilibrium", "ask fx.operating_state(system, F) for the state under a load")
    check_mesh(order, elements)
    whole = equations_of(equations)
    equations = small_equations_of(whole)
    note_left_out(equations)
    found = _found(equations, values, guess, order, elements)
    if equations is not whole:
        found.notes = (*found.notes, *_of_another_form(equations, values, found))
    return found


def _found(
    equations: Equations,
    values: Mapping[str, Any] | None,
    guess: Mapping[str, float] | None,
    order: int | None,
    elements: int | None,
) -> Equilibrium:
    energies, put = equations.lagrangian, substitution(equations, values)
    names, given = (*equations.coordinates, *energies.multipliers), by_name(guess or {}, "The guess")
    if unknown := [name for name in given if name not in names]:
        raise FlexuraError(
            f"The guess gives {unknown[0]!r}, which is no coordinate", advice=f"it takes {', '.join(names)}"
        )
    start = [float(given.get(name, 0.0)) for name in names]
    rows = [static_row(row, energies, put) for row in equations.derived if row.kind != "reaction"]
    if not energies.fields:
        return _positions(equations, values, rows, names, start, put)
    if order is None and elements is None and not _bends_far(rows, energies):
        try:
            state, residual = RestShapes(rows, names, energies, put).found(start)
        except FlexuraError:
            if _linear(rows, energies):
                raise
        else:
            return Equilibrium(state, residual, _left_theory(equations, values, state), equations, values)
    return _of_bent(equations, values, bent(equations, values, given, order, elements))


def _of_another_form(equations: Equations, values: Mapping[str, Any] | None, state: Mapping[str, Any]) -> list[str]:
    """What to note where runs follow other energies than those of small motions: they rest a little beside this state.

    The two differ by shortening times what it moves, which is of the second order beside the deflection.
    """
    bends = bending(equations, values, _functions(state))
    apart = _BESIDE * max((one.deflection for one in bends.values()), default=0.0) ** 2
    if apart < _TOLD:
        return []
    return [
        "This state is that of small deflections; fx.simulate keeps all of the shortening of members that carry joints,"
        f" and rests beside it, by up to about {apart:.1g} of the deflection: by so much a run that starts here moves."
    ]


def _bends_far(rows: Sequence[Row], energies: Lagrangian) -> bool:
    """Whether a row holds a function of a field that is no polynomial, or a condition along a member.

    Where deflections enter as powers only, collocation keeps its digits beside springs of any stiffness; energies in
    which a deflection that cannot be told from zero is multiplied by 1e12 lose them.
    """
    if energies.multiplier_fields:
        return True
    for row in rows:
        for f in (row.left.local, *row.left.integrals.values()):
            symbols = {jet.symbol for jet in energies.jets.unknowns(f) if jet.name in energies.fields}
            if Degrees(symbols.__contains__)(f) is None:
                return True
    return False


def _linear(rows: Sequence[Row], energies: Lagrangian) -> bool:
    """Whether no row holds a product or a function of unknowns."""
    for row in rows:
        for f in (row.left.local, *row.left.integrals.values()):
            jets = energies.jets.unknowns(f)
            if any(partial(f, jet.symbol).has(other.symbol) for jet in jets for other in jets):
                return False
    return True


def _positions(
    equations: Equations,
    values: Mapping[str, Any] | None,
    rows: Sequence[Row],
    names: Sequence[str],
    start: Sequence[float],
    put: Callable[[Basic], Basic],
) -> Equilibrium:
    """Of a system without fields."""
    if not names:
        return Equilibrium((), 0.0, (), equations, values)
    energies = equations.lagrangian
    still = {Jet(name, t=1).symbol: ZERO for name in names} | {TIME: ZERO}
    energy = put(energies.driven(-energies.rigid)).xreplace(still)
    energy = energy.xreplace({one: ONE for one in energy.free_symbols if one.name not in names})  # in constants only
    try:
        state, residual, extra = RestPositions(rows, names, energy).found(start)
    except NowhereAtRest as none:
        try:
            found = bent(equations, values, dict(zip(names, start, strict=True)))
        except NotHeld as limit:
            raise (limit if limit.limits else none) from None
        return _of_bent(equations, values, found)
    many = len(energies.multipliers)
    notes = repeated(extra, len(names) - 2 * many, energies.multipliers)
    return Equilibrium(state, residual, notes, equations, values)


def _of_bent(equations: Equations, values: Mapping[str, Any] | None, found: BentState) -> Equilibrium:
    """The state as users get it, with what is to be known of it."""
    rest, y = found.rest, found.y
    if missed := rest.contradicting(y, 1.0):
        raise contradiction(missed)
    numbers = dict(zip(rest.names, y[: rest.n].tolist(), strict=True))
    numbers |= dict(zip(rest.system.multipliers, rest.multipliers(y).tolist(), strict=True))
    state: dict[str, Any] = {
        name: numbers[name] for name in (*equations.coordinates, *equations.lagrangian.multipliers)
    }
    state |= shapes(rest, y, 1.0)
    notes = [*_told(found), *_left_theory(equations, values, state)]
    error = None if not equations.fields else found.tail if found.error is None else max(found.error, 1e-15)
    return Equilibrium(state, found.residual, notes, equations, values, found.stable, error)


def _told(found: BentState) -> list[str]:
    """How well shapes are held, and what was passed on the way, where that is worth a word."""
    layout, notes = found.rest.layout, list[str]()
    how = f"polynomials of degree {layout.order} in {layout.elements} element{'s' * (layout.elements > 1)} a line"
    if found.error is None and found.tail > _COARSE:
        notes.append(f"In the {how} that were asked for, the highest powers hold {found.tail:.1g} of the shapes.")
    if found.error is not None and found.error > _COARSE:
        cause = (
            "rounding does"
            if found.tail < _COARSE or found.rounded
            else "the last refinement did, so they are NOT CONVERGED"
        )
        notes.append(f"Shapes are known to {found.error:.1g} of their size, in {how}: by so much {cause}.")
    if found.history.limits:
        listed = ", ".join(f"{factor:.6g}" for factor in found.history.limits)
        notes.append(
            f"On the way to this state the loads pass limit points at {listed} of their values: a structure that is"
            " loaded slowly snaps there, and may come to rest elsewhere."
        )
    if not found.stable:
        notes.append("This state is UNSTABLE: the tangent stiffness is not positive.")
    return notes


def _left_theory(equations: Equations, values: Mapping[str, Any] | None, state: Mapping[str, Any]) -> list[str]:
    """What to note of members that bend far."""
    return theory_notes(bending(equations, values, _functions(state)))


def _functions(state: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers, and shapes of fields as functions of x."""
    return {name: function_of_x(one, name, {}) if isinstance(one, str) else one for name, one in state.items()}
