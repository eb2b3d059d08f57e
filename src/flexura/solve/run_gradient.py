"""How motions in time change with parameters: the variational equations, followed beside the motion.

>>> found = fx.sensitivity(equations, ["k"], t=t, output="q1", initial={"q1": 0.1}, inputs={"F": "sin(t)"})
>>> found["k"], found.outputs                                # dq1/dk over t, and q1

With the residual R(q, q', q'', p) = 0 and s = dq/dp: M s'' + C s' + K s + dR/dp = 0, where M, C, K are exact slopes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.integrate import solve_ivp

from flexura.arguments import checked_methods
from flexura.derivation.equations.equations import Equations
from flexura.display import Displayed, Table, counted
from flexura.errors import FlexuraError
from flexura.solve.differences import shifted, slope_of, slopes_of, step_of
from flexura.solve.discretise import motion_system
from flexura.solve.linear_run_gradient import cases_beside, linear_gradient
from flexura.solve.linear_run_slopes import Readings
from flexura.solve.runs.case import Case, make_case
from flexura.solve.runs.driving import with_given_motions
from flexura.solve.runs.given import read_times
from flexura.solve.runs.histories import RunMotion
from flexura.solve.runs.impulsive import without_impulses
from flexura.solve.runs.inputs import check_input_names
from flexura.solve.runs.options import read_options
from flexura.solve.runs.question import ask
from flexura.solve.runs.rubbing import rates_in_signs
from flexura.solve.steppers.impulses import GivenSpeeds, side
from flexura.solve.transient import listed, several
from flexura.solve.units import called
from flexura.systems.dataframes import dataframe
from flexura.systems.signals.scales import look

Array = NDArray[np.float64]
_TIGHT, _LOOSE = (1e-11, 1e-13), (1e-9, 1e-11)  # of a value, and at least: what steps may miss, and to see what they do
_LOOKS = 4**5  # at forces, in a stretch between breaks
_ORDER = 8  # of the polynomials along members


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class RunSensitivity(Displayed, Mapping[str, Array]):
    """`found["k"]` is d(output)/dk over `t`, of the shape of `outputs`, the run itself.

    `error` is what these may be off by, as a part of the largest slope of each output: by steps in time, found by steps
    that miss a hundred times more, and by differences for the start. It holds for the polynomials of degree `order`
    that members were followed with, None where there are none: what these leave out another order= tells.
    """

    t: Array
    outputs: Array
    slopes: Mapping[str, Array]
    parameters: Mapping[str, float]
    error: float
    names: tuple[str, ...] = ()
    order: int | None = None

    __eq__, __hash__ = object.__eq__, object.__hash__

    def __getitem__(self, name: str) -> Array:
        if name not in self.slopes:
            raise FlexuraError(
                f"There is no sensitivity to {name!r}", advice=f"it was asked for {', '.join(self.slopes)}"
            )
        return self.slopes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.slopes)

    def __len__(self) -> int:
        return len(self.slopes)

    def summary(self) -> str:
        """Of what, by what."""
        degree = "" if self.order is None else f" with polynomials of degree {self.order}, which another order= tests"
        known = f"known to {self.error:.1g} of the largest{degree}"
        return f"slopes of {', '.join(self.names)} at {counted(len(self.t), 'time')} by {', '.join(self)}, {known}"

    def told(self) -> Iterator[Table | str]:
        """The largest slope by each parameter."""
        yield self.summary()
        yield Table(("parameter", "largest"), [(name, f"{np.abs(one).max():.6g}") for name, one in self.slopes.items()])

    def to_dataframe(self) -> Any:
        """A pandas table over the times: a column for each parameter and output."""
        columns = {
            f"d({called_as})/d({name})": column
            for name, one in self.slopes.items()
            for called_as, column in zip(self.names, one.reshape(len(self.t), -1).T, strict=True)
        }
        return dataframe(columns, self.t, "t (s)")


def run_sensitivity(
    equations: Equations,
    names: Sequence[str],
    known: Mapping[str, float],
    values: Mapping[str, Any] | None,
    t: Any,
    output: Any,
    initial: Any,
    inputs: Mapping[str, Any] | None,
    order: int | None,
) -> RunSensitivity:
    """The derivatives of a run's outputs by parameters."""
    times, outputs = read_times(t), listed(output)
    _refuse_unfit(equations)
    equations, inputs = with_given_motions(equations, inputs, times)
    check_input_names(equations, inputs)
    if without_impulses(equations, inputs, values, times)[2]:
        raise _jumps("impulses let speeds jump")

    def case_of(given: Mapping[str, Any] | None) -> Case:
        options = read_options(None, None, None, (), None, None, None)
        question = ask(equations, times, initial, inputs, given, options, "correct", False)
        return make_case(question, motion_system(equations, question.values, order or _ORDER))

    case = case_of(values)
    _refuse_blows(case, times)

    def at(name: str) -> Callable[[int], Case]:
        return lambda k: case_of(shifted(values, name, known[name], k))

    read = Readings()
    beside = {name: cases_beside(at(name), read) for name in names}
    _refuse_breaks_that_move(case, beside)
    begun, error = _begun(case, beside, known)
    linear = linear_gradient(case, beside, known, np.array(begun).reshape(-1, 2, case.system.n), times, read)
    if linear is not None:
        rows, off = linear
        seen, slopes = _seen(case, beside, known, outputs, times, rows)
        error = max(error, off)
    else:
        seen, slopes = _seen(case, beside, known, outputs, times, _followed(case, beside, known, times, begun, _TIGHT))
        _, rough = _seen(case, beside, known, outputs, times, _followed(case, beside, known, times, begun, _LOOSE))
        error = max([error, *(_apart(slopes[name], rough[name]) for name in names)])
    lists = several(output)
    return RunSensitivity(
        times,
        seen if lists else seen[:, 0],
        {name: one if lists else one[:, 0] for name, one in slopes.items()},
        {name: known[name] for name in names},
        error,
        tuple(map(called, outputs)),
        (order or _ORDER) if case.system.fields else None,
    )


def _seen(
    case: Case,
    beside: Mapping[str, Mapping[int, Case]],
    known: Mapping[str, float],
    outputs: Sequence[Any],
    times: Array,
    rows: Array,
) -> tuple[Array, dict[str, Array]]:
    """Outputs over the times, and their slopes by each parameter."""
    states = rows.reshape(len(times), 1 + len(beside), 2, case.system.n)
    slopes = {}
    for i, name in enumerate(beside, 1):
        h = step_of(known[name])
        found = {}
        for k in beside[name]:  # along the line through state and parameter, so that all of an output's change is in it
            q, v = (states[:, 0, j] + k * h * states[:, i, j] for j in range(2))
            found[k] = _looked(beside[name][k], outputs, times, q, v)
        slopes[name] = slope_of(found, h)
    return _looked(case, outputs, times, states[:, 0, 0], states[:, 0, 1]), slopes


def _apart(slopes: Array, rough: Array) -> float:
    """The largest difference, as a part of the largest slope of each output."""
    sizes = np.abs(slopes).max(axis=0)
    return float((np.abs(slopes - rough).max(axis=0) / np.where(sizes > 0, sizes, np.inf)).max(initial=0.0))


def _refuse_unfit(equations: Equations) -> None:
    energies = equations.lagrangian
    kinds = {"constraints": energies.constraints, "contacts": energies.contacts, "first-order states": energies.states,
             "sampled controllers": energies.sampled, "multiplier fields": energies.multiplier_fields}  # fmt: skip
    held = [name for name, there in kinds.items() if there]
    if any(True for _ in rates_in_signs(energies)):
        raise _jumps("friction jumps with the sign of a rate")
    if held:
        raise FlexuraError(
            f"Slopes of runs are not followed in systems with {', '.join(held)}",
            advice="compare two runs of fx.simulate whose parameters differ a little",
        )


def _jumps(what: str) -> FlexuraError:
    return FlexuraError(
        f"Slopes of runs are not followed where {what}",
        advice="compare two runs of fx.simulate whose parameters differ a little",
    )


def _refuse_breaks_that_move(case: Case, beside: Mapping[str, Mapping[int, Case]]) -> None:
    """A parameter that moves the time of a jump gives the slope of the motion a blow."""
    for name, cases in beside.items():
        for one in cases.values():
            if len(one.breaks) != len(case.breaks) or not np.allclose(one.breaks, case.breaks, rtol=1e-12, atol=0):
                raise _jumps(f"{name} moves the time at which a load changes suddenly")


def _refuse_blows(case: Case, times: Array) -> None:
    """Speeds of given motions that jump strike the system, and what parameters change of a blow is not followed."""
    if not case.system.prescribed:
        return
    mechanics, q = case.mechanics, case.start.q
    stops = [float(times[0]), *(one for one in case.breaks if times[0] < one < times[-1]), float(times[-1])]
    speeds = GivenSpeeds.of(mechanics, q, stops[0], stops[-1])
    for before, t, after in zip(stops, stops[1:], stops[2:], strict=False):
        sides = []
        for window in ((before, t), (t, after)):
            mechanics.within(*window)
            sides.append(side(mechanics, t, q))
        if speeds.jump(*sides):
            raise _jumps(f"the speed of a given motion jumps, as at t = {t:.6g}")
    mechanics.within()
    if case.blows:
        raise _jumps("a given motion starts with a jump of its speed")


def _begun(
    case: Case, beside: Mapping[str, Mapping[int, Case]], known: Mapping[str, float]
) -> tuple[list[Array], float]:
    """The start and its slopes, and what these may be off by."""
    error, begun = 0.0, [case.start.q, case.start.v]
    for name, cases in beside.items():
        starts = {k: (one.start.q, one.start.v) for k, one in cases.items()}
        slopes, off = slopes_of(starts, step_of(known[name]), name)
        begun += slopes
        error = max(error, off)
    return begun, error


def _followed(
    case: Case,
    beside: Mapping[str, Mapping[int, Case]],
    known: Mapping[str, float],
    times: Array,
    begun: Sequence[Array],
    missed: tuple[float, float],
) -> Array:
    """States and their slopes at the times, (times, (1 + parameters)*2*n), by steps that miss so much."""
    n = case.system.n

    def residual(one: Case, t: float, q: Array, v: Array, a: Array) -> Array:
        M, f = one.system.evaluate(t, q, v, one.mechanics.inputs(t))
        return np.asarray(M @ a - f)

    def rates(t: float, y: Array) -> Array:
        rows = y.reshape(-1, 2, n)
        q, v = rows[0]
        t = case.mechanics.inside(t)
        u = case.mechanics.inputs(t)
        M, f = (np.array(one) for one in case.system.evaluate(t, q, v, u))
        a = np.asarray(np.linalg.solve(M, f), dtype=np.float64)
        K, C = (np.array(one) for one in case.system.jacobians(t, q, v, a, u, np.zeros(0)))
        found = np.empty_like(rows)
        found[0] = v, a
        for i, (name, cases) in enumerate(beside.items(), 1):
            R = slope_of({k: residual(one, t, q, v, a) for k, one in cases.items()}, step_of(known[name]))
            s, s_t = rows[i]
            found[i] = s_t, -np.linalg.solve(M, K @ s + C @ s_t + R)
        return found.ravel()

    y = np.concatenate(begun)
    rows, how = np.empty((len(times), len(y))), {"method": "DOP853", "rtol": missed[0], "atol": missed[1]}
    stops = [times[0], *(one for one in case.breaks if times[0] < one < times[-1]), times[-1]]
    rows[0] = y
    for start, end in pairwise(stops):
        case.mechanics.within(start, end)
        inside = times[(times > start) & (times <= end)]
        at = np.unique(np.append(inside, end))
        found = solve_ivp(rates, (start, end), y, t_eval=at, dense_output=True, **how)
        if not found.success:
            raise FlexuraError(f"The run ended early: {found.message}", advice="ask for a shorter time")
        if missed == _TIGHT:
            _refuse_forces_that_jump(case, found.sol, start, end)
        rows[np.isin(times, inside)] = found.y.T[np.isin(at, inside)]
        y = found.y[:, -1]
    case.mechanics.within()
    return rows


def _refuse_forces_that_jump(case: Case, motion: Callable[[float], Array], start: float, end: float) -> None:
    """Where a force jumps as the motion comes by, slopes jump, too."""
    n = case.system.n

    def forces(times: Array) -> Array:
        rows = np.empty((len(times), n))
        for i, t in enumerate(case.mechanics.inside(times).tolist()):
            q, v = motion(t)[: 2 * n].reshape(2, n)
            rows[i] = case.system.evaluate(t, q, v, case.mechanics.inputs(t))[1]
        return rows

    jumps = look(forces, start, end, _LOOKS).jumps
    if jumps:
        raise _jumps(f"a force jumps as the motion comes by, as at t = {jumps[0]:.6g}")


def _looked(case: Case, outputs: Sequence[Any], times: Array, q: Array, v: Array) -> Array:
    question = case.question
    motion = RunMotion(question.equations, case.mechanics, question.known, question.values, times, q, v, case.system)
    for one in outputs:
        if one not in motion.histories and isinstance(one, str):
            raise FlexuraError(f"There is no output {one!r}", advice=f"there are {', '.join(case.system.names)}")
    return np.column_stack([
        np.asarray(motion.histories[one] if isinstance(one, str) else motion.output(one)).reshape(len(times))
        for one in outputs
    ])  # fmt: skip
