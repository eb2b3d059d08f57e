"""States of rest over a parameter, followed by arc length: through limit points, past branch points, onto branches.

>>> path = fx.equilibrium_path(equations, "P", (0.0, 20.0), values={"EI": 1.0})
>>> path.parameter, path.position(beam.end), path.stable, path.limit_points, path.branch_points
>>> buckled = fx.equilibrium_path(equations, "P", (0.0, 20.0), values, branch=path.branches[0])
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from flexura.derivation.equations.equations import Equations
from flexura.derivation.family import note_left_out
from flexura.derivation.routes import can_be_derived, small_equations_of
from flexura.errors import FlexuraError
from flexura.solve.discretise import check_mesh
from flexura.solve.statics.arc import Follower, PathState
from flexura.solve.statics.bent import bent
from flexura.solve.statics.follow import FINE, SHAPED, FollowedPath
from flexura.solve.statics.newton import settled
from flexura.solve.statics.path import BranchPoint, EquilibriumPath
from flexura.solve.statics.resolution import LADDER, UNKNOWNS, moved_to, tail
from flexura.solve.statics.rest_system import RestSystem, rest_system
from flexura.solve.statics.switching import onto
from flexura.solve.statics.trace import traced
from flexura.solve.values import static_row, substitution

_FIRST = 1  # the step of the ladder to begin with


def equilibrium_path(
    equations: Any,
    parameter: str,
    between: Sequence[float],
    values: Mapping[str, Any] | None = None,
    guess: Mapping[str, float] | None = None,
    branch: BranchPoint | None = None,
    order: int | None = None,
    elements: int | None = None,
) -> EquilibriumPath:
    """States of rest from between[0] on, until the parameter leaves the range, by steps along the arc of the path.

    Arguments:
        `equations`: a model or equations.
        `parameter`: the name of an input, or of any parameter but a length.
        `between`: its first value and the other end of the range.
        `values`: numbers for parameters without one; `guess`: where to look for the first state.
        `branch`: `path.branches[k]` goes off along the other path there, `-path.branches[k]` to its other side.
        `order`, `elements`: the degree of the polynomials along members and how many each is cut into; refined until
            they hold every state, unless given.
    Returns fx.EquilibriumPath: arrays over its points, `.parameter` (n,), `["theta"]`, `.position(place)` (n, 3),
    `.stable`, and `.limit_points`, at which the parameter turns back, and `.branch_points`, located, not merely
    passed.

    >>> import flexura as fx
    >>> beam = fx.ExactBeam("beam", EI=1.0, rho=1.0, length=1.0)
    >>> model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "P", along="-y"))
    >>> path = fx.equilibrium_path(model, "P", (0.0, 2.0))
    >>> bool(path.stable.all()), path.position(beam.end)[-1].round(4)
    (True, array([ 0.8394, -0.4935,  0.    ]))
    """
    if not can_be_derived(equations):
        from flexura.solve.kinds import refused  # frames and mechanisms are loaded where they are asked for

        raise refused(equations, "fx.equilibrium_path", "ask fx.operating_state(system, F) for the state under a load")
    check_mesh(order, elements)
    equations = small_equations_of(equations)
    note_left_out(equations)
    start, end = _checked(equations, parameter, between, values, branch)
    systems = _systems(equations, values, parameter, order, elements)

    def first(rest: RestSystem) -> Follower:
        return _first(equations, rest, (start, end), values, guess, branch)

    rest, path = traced(systems, first, (start, end))
    return EquilibriumPath.of(equations, dict(values or {}), rest, path, _notes(rest, path, order))


def _systems(
    equations: Equations, values: Mapping[str, Any] | None, parameter: str, order: int | None, elements: int | None
) -> Iterator[RestSystem]:
    """The equations in polynomials of one kind after another, each finer than the one before."""
    for k, (degree, number) in enumerate(_ladder(equations, order, elements)):
        rest = rest_system(equations, values, parameter, degree, number)
        if k and rest.size > UNKNOWNS:
            return
        yield rest


def _ladder(equations: Equations, order: int | None, elements: int | None) -> Sequence[tuple[int, int]]:
    """Degrees and numbers of elements to try."""
    if not equations.fields or order is not None:
        return [(order or 1, elements or 1)]
    return [(degree, elements or number) for degree, number in LADDER[_FIRST:] if elements is None or number == 1]


def _checked(
    equations: Equations,
    parameter: str,
    between: Sequence[float],
    values: Mapping[str, Any] | None,
    branch: BranchPoint | None,
) -> tuple[float, float]:
    """The range; refused where the question makes no sense."""
    energies = equations.lagrangian
    if parameter not in energies.parameters and parameter not in energies.inputs:
        known = ", ".join((*energies.inputs, *energies.parameters))
        raise FlexuraError(f"There is no parameter {parameter!r} in the equations", advice=f"they hold {known}")
    if parameter in (values or {}):
        raise FlexuraError(
            f"The path goes along {parameter}, and values gives it a number", advice=f"leave {parameter} out of values"
        )
    ends = np.asarray(between, dtype=np.float64).ravel()
    if len(ends) != 2 or not np.isfinite(ends).all() or ends[0] == ends[1]:
        raise FlexuraError(f"between is {between!r}", advice="give two different numbers, where to start and to end")
    start, end = float(ends[0]), float(ends[1])
    if branch is not None and not min(start, end) <= branch.parameter <= max(start, end):
        raise FlexuraError(
            f"The branch point at {parameter} = {branch.parameter:.6g} is not between {start:g} and {end:g}",
            advice="widen the range",
        )
    put = substitution(equations, {**(values or {}), parameter: start})
    for row in equations.derived:  # refuses what depends on t
        if row.kind != "reaction":
            static_row(row, energies, put)
    return start, end


def _first(
    equations: Equations,
    rest: RestSystem,
    between: tuple[float, float],
    values: Mapping[str, Any] | None,
    guess: Mapping[str, float] | None,
    branch: BranchPoint | None,
) -> Follower:
    """What follows the path in one discretisation, from its start or off a branch point."""
    if branch is not None:
        return onto(rest, branch, between)
    start, layout = between[0], rest.layout
    first = bent(equations, {**(values or {}), rest.parameter: start}, guess, layout.order, layout.elements)
    y = settled(rest, moved_to(rest, first.rest, first.y, start), start)
    if y is None:
        raise FlexuraError(
            f"The state at {rest.parameter} = {start:g} is about to buckle, so no path begins there",
            advice="start at another value",
        )
    return Follower.of(rest, rest, PathState(y, start), between[1] - between[0], float(np.sign(between[1] - start)))


def _unresolved(rest: RestSystem, path: FollowedPath) -> float:
    """What the highest powers hold of states and of motions without stiffness, where it is too much; else zero."""
    if not rest.layout.fields:
        return 0.0
    worst = max(tail(rest, state.y, state.p) for state in path.states)
    moved = max((tail(rest, point.motion, 0.0) for point in path.points), default=0.0)
    return max(worst if worst > FINE else 0.0, moved if moved > SHAPED else 0.0)


def _notes(rest: RestSystem, path: FollowedPath, order: int | None) -> list[str]:
    """What is to be known of a path."""
    notes, left, layout = list[str](), _unresolved(rest, path), rest.layout
    if left:
        how = f"polynomials of degree {layout.order} in {layout.elements} element{'s' * (layout.elements > 1)} a line"
        advice = "" if order is None else "; leave order= out to refine them"
        notes.append(f"NOT CONVERGED: in {how} the highest powers hold {left:.1g} of the shapes{advice}.")
    if path.ended == "stuck":
        notes.append(
            f"The path could not be followed beyond {rest.parameter} = {path.states[-1].p:.9g}, where steps became too"
            " short."
        )
    if path.ended == "long":
        notes.append(f"The path was left after {len(path.states)} states; ask again with a narrower range.")
    if path.ended == "closed":
        notes.append("The path closes: it has come back to its first state.")
    if not path.symmetric:
        notes.append(
            "Not all loads have a potential, so stability is read off the roots of s^2 M + s C + K, and a state may"
            " flutter without passing a limit or a branch point."
        )
    return notes
