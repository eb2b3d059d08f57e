"""The elastic response of a mechanism: all members stepped together, joints eliminated at every time.

>>> run = fx.simulate(mechanism, t, coefficients="frozen")
>>> run["rod"]["v2"], run.energy.error
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from flexura.arguments import Measured, Numbers
from flexura.errors import FlexuraError
from flexura.solve.runs.frame_problem import FrameProblem, through, trajectory
from flexura.solve.runs.given import read_state, read_times
from flexura.solve.runs.mechanism_run import MechanismRun
from flexura.solve.runs.options import RunOptions, check_given, read_options, read_steps
from flexura.solve.runs.varying_run import follow_varying
from flexura.solve.steppers.table import STEPPERS
from flexura.solve.steppers.trajectory import Energy
from flexura.solve.steppers.varying import MatricesAt, VaryingMotion, varying_motion
from flexura.structures.moving.loads import Loads
from flexura.structures.moving.mechanism import Mechanism
from flexura.structures.moving.tension import Tension, with_geometric
from flexura.systems.deadline import preparing
from flexura.systems.signals.features import Features, together

Array = NDArray[np.float64]

_DENSE = 240
_SAMPLES = 24
_USUAL = 1e-4  # of the largest displacement, to which steps of two lengths agree


@dataclass(frozen=True, eq=False)
class MechanismProblem:
    """All members on their bodies with the joints eliminated: what solve/steppers/varying.py steps."""

    mechanism: Mechanism
    parts: Mapping[str, FrameProblem]
    tension: Tension | None
    known: dict[float, tuple[MatricesAt, Any]]

    @property
    def n(self) -> int:
        """How many independent motions there are."""
        return self.mechanism.n

    def transformation(self, t: float) -> Any:
        """T, T_t, T_tt; sparse where the mechanism is large."""
        found = self.mechanism.T(t)
        return found if self.mechanism.total <= _DENSE else tuple(sparse.csr_array(one) for one in found)

    def matrices(self, t: float) -> MatricesAt:
        """T'MT and its companions at t, with the load of the bodies' motion."""
        if t not in self.known:
            self.known.clear()
            self.known[t] = self.made(t)
        return self.known[t][0]

    def made(self, t: float) -> tuple[MatricesAt, Any]:
        """Matrices and T at t, made anew."""
        T, T1, T2 = self.transformation(t)
        moments = [part.matrices(t) for part in self.parts.values()]
        f = np.concatenate([one.f for one in moments])
        M, K = self._diagonal([one.M for one in moments]), self._diagonal(self._stiffness(t, T, f, moments))
        D, C = self._diagonal([one.D for one in moments]), self._diagonal([one.rates for one in moments])
        stiff = T.T @ (M @ T2 + C @ T1 + K @ T)
        rate = T.T @ (2 * (M @ T1) + C @ T)
        damped = T.T @ (D @ T)
        moment = MatricesAt(
            T.T @ (M @ T), damped, rate - damped, (stiff + stiff.T) / 2, (stiff - stiff.T) / 2, T.T @ f, skew=False
        )
        return moment, T

    def _stiffness(self, t: float, T: Any, f: Array, moments: list[MatricesAt]) -> list[Any]:
        """K + H of each member, with what the forces along all members add to it."""
        if self.tension is None:
            return [one.displacements for one in moments]
        found = self.tension.geometric(t, _dense(T), f + self._outside(t))
        return [
            with_geometric(part.constants, found[name], one.displacements)
            for (name, part), one in zip(self.parts.items(), moments, strict=True)
        ]

    def _outside(self, t: float) -> Array:
        """What acts on all motions from outside: the loads of the run, and those of the model that moves it."""
        given = np.concatenate([part.external(t) for part in self.parts.values()])
        carried = self.mechanism.outside(t)
        return given if carried is None else given + carried

    def _diagonal(self, blocks: list[Any]) -> Any:
        sizes = [part.n for part in self.parts.values()]
        if self.mechanism.total > _DENSE:
            full = [sparse.csr_array((n, n)) if one is None else one for n, one in zip(sizes, blocks, strict=True)]
            return sparse.block_diag(full, format="csr")
        total, first = np.zeros((self.mechanism.total, self.mechanism.total)), 0
        for n, one in zip(sizes, blocks, strict=True):
            if one is not None:
                total[first : first + n, first : first + n] = _dense(one)
            first += n
        return total

    def external(self, t: float) -> Array:
        """The loads from outside, carried to the independent motions."""
        loads = self._outside(t)
        if not loads.any():
            return np.zeros(self.n)
        T = self.known[t][1] if t in self.known else self.transformation(t)[0]
        return np.asarray(T.T @ loads)


def simulate_mechanism(
    mechanism: Mechanism,
    t: Measured,
    loads: Mapping[str, Loads] | None = None,
    coefficients: str = "varying",
    *,
    initial: str | tuple[Numbers, Numbers] | None = None,
    geometric: bool = True,
    step: float | None = None,
    tolerance: float | None = None,
    radius: float | None = None,
    method: str | None = None,
    events: Mapping[str, Any] | None = None,
    stop: Sequence[str] | str = (),
    max_seconds: float | None = None,
    breaks: Sequence[float] | None = None,
    longest_step: float | None = None,
) -> MechanismRun:
    """The elastic motion of every member over t; `loads` by member, else as for one frame.

    `initial="static"` starts from the deformation that the inertia at t[0] would hold, (y, y_t) from unknowns and rates
    as `run.unknowns` holds them; otherwise the members start undeformed. Steps are those of generalized-alpha, refined
    until displacements hold to `tolerance` (1e-4), or those of the `method` "explicit" or "radau"; `max_seconds`,
    `breaks` and `longest_step` as for equations.
    """
    options = read_options(tolerance, method, events, stop, max_seconds, breaks, longest_step)
    step, damped = read_steps(options, step, radius, 1.0)
    _refuse_others(options)
    if coefficients not in ("varying", "frozen"):
        raise FlexuraError(f"coefficients is {coefficients!r}", advice="say 'varying' or 'frozen'")
    times = read_times(t)
    problem = _problem(mechanism, loads, times, geometric)
    y, y_t = _start(problem, initial, float(times[0]))
    frozen = coefficients == "frozen"
    loaded = together(part.loads.seen for part in problem.parts.values())
    moved = mechanism.features(float(times[0]), float(times[-1]))
    if options.from_state_to_state:
        return _from_state_to_state(problem, times, (y, y_t), options, loaded + moved, frozen, geometric)
    points, noted = through(loaded, moved, times, frozen, options)
    tolerance = _USUAL if tolerance is None else tolerance
    with preparing(options.deadline):
        motion = varying_motion(
            problem, times, y, y_t, frozen=frozen, step=step, tolerance=tolerance, radius=damped,
            groups=mechanism.kinds, through=points,
        )  # fmt: skip
    return _run(problem, times, motion, tolerance if step is None else None, geometric, noted)


def _from_state_to_state(
    problem: MechanismProblem,
    times: Array,
    state: tuple[Array, Array],
    options: RunOptions,
    seen: Features,
    frozen: bool,
    geometric: bool,
) -> MechanismRun:
    """By any stepper of states, the masses changing as the bodies turn."""
    if frozen:
        raise FlexuraError(
            "coefficients='frozen' is stepped by generalized-alpha",
            advice="leave the method out, or ask for coefficients='varying'",
        )
    names = [f"y{i}" for i in range(problem.n)]
    run = follow_varying(problem, names, times, state, options, seen, constant_mass=False)
    y, y_t, y_tt = (np.column_stack([run[name + ending] for name in names]) for ending in ("", "_t", "_tt"))
    one = run.energy
    entries = one.kinetic, one.potential, one.dissipated, one.supplied
    motion = VaryingMotion(y, y_t, y_tt, *entries, complete=run.complete, message=run.message)
    return _run(problem, run.t, motion, None, geometric, run.notes)


def _problem(
    mechanism: Mechanism, loads: Mapping[str, Loads] | None, times: Array, geometric: bool
) -> MechanismProblem:
    check_given(loads=loads)
    unknown = [name for name in loads or {} if name not in mechanism.members]
    if unknown:
        raise FlexuraError(
            f"The loads name the member {unknown[0]!r}", advice=f"there are {', '.join(mechanism.members)}"
        )
    parts = {
        name: FrameProblem.of(frame, mechanism.bodies[name], (loads or {}).get(name), times, geometric=False)
        for name, frame in mechanism.members.items()
    }
    return MechanismProblem(mechanism, parts, Tension.of(mechanism) if geometric else None, {})


def _refuse_others(options: RunOptions) -> None:
    """Events, which would need names for unknowns, and steps of matrices that do not change."""
    method = options.method
    if options.events or (method is not None and STEPPERS[method].on_states is None):
        asked = "no events" if options.events else f"not the method {method!r}"
        raise FlexuraError(
            f"A mechanism, whose matrices change as it moves, takes {asked}",
            advice="leave that out, or describe the mechanism by an fx.Model",
        )


def _start(problem: MechanismProblem, initial: Any, t: float) -> tuple[Array, Array]:
    """Unknowns and rates to start from."""
    if isinstance(initial, Mapping) or (isinstance(initial, str) and initial != "static"):
        raise FlexuraError(
            f"initial is {initial!r}",
            advice=(
                "a mechanism starts undeformed (None), 'static', or from arrays (y, y_t) of its unknowns, as"
                " run.unknowns holds them"
            ),
        )
    y, y_t = read_state(None if isinstance(initial, str) else initial, [f"y{i}" for i in range(problem.n)])
    if isinstance(initial, str):
        first = problem.matrices(t)
        y[:] = np.linalg.solve(_dense(first.displacements), first.f + problem.external(t))
    return y, y_t


def _run(
    problem: MechanismProblem,
    times: Array,
    motion: VaryingMotion,
    tolerance: float | None,
    geometric: bool,
    noted: tuple[str, ...],
) -> MechanismRun:
    mechanism, t = problem.mechanism, times[: len(motion.x)]
    x, v, a = (np.zeros((len(t), mechanism.total)) for _ in range(3))
    for i, when in enumerate(t):
        T, T1, T2 = mechanism.T(float(when))
        x[i], v[i] = T @ motion.x[i], T @ motion.v[i] + T1 @ motion.x[i]
        a[i] = T @ motion.a[i] + 2 * T1 @ motion.v[i] + T2 @ motion.x[i]
    notes = () if geometric else (_left_out(problem, t, motion.x),)
    members = {}
    for name, frame in mechanism.members.items():
        own = mechanism.own(name)
        nothing = np.full(len(t), np.nan)
        part = VaryingMotion(x[:, own], v[:, own], a[:, own], nothing, nothing, nothing, nothing, motion.error,
                             motion.steps,
                             motion.factorizations, complete=motion.complete, message=motion.message)  # fmt: skip
        members[name] = trajectory(frame, mechanism.bodies[name], t, part, tolerance, noted)
    whole = next(iter(members.values()))
    energy = Energy(motion.kinetic, motion.potential, motion.dissipated, motion.supplied)
    told = () if mechanism.of_model is None else mechanism.of_model.notes
    states = {name: (x[:, own], v[:, own], a[:, own]) for name in mechanism.members for own in [mechanism.own(name)]}
    told = (*whole.notes, *notes, *told)
    return MechanismRun(t, members, energy, motion.x, motion.complete, whole.message, told, mechanism, states)


def _left_out(problem: MechanismProblem, t: Array, y: Array) -> str:
    """How much of the stiffness the forces along the members would have been, geometric=False."""
    tension = Tension.of(problem.mechanism)
    whole = np.zeros((2, 0))
    for i in np.unique(np.linspace(0, len(t) - 1, _SAMPLES).astype(int)):
        when, found = float(t[i]), replace(problem, tension=tension)
        energies = [y[i] @ (one.displacements @ y[i]) for one in (problem.matrices(when), found.made(when)[0])]
        whole = np.append(whole, np.reshape(energies, (2, 1)), axis=1)
    size = float(np.abs(whole[0]).max(initial=0.0))
    share = float(np.abs(whole[1] - whole[0]).max(initial=0.0)) / size if size > 0 else 0.0
    return (
        "Axial forces neither stiffen nor soften the members here (geometric=False); those of the rigid motion and of"
        f" the loads would change their stiffness by {share:.1g}."
    )


def _dense(matrix: Any) -> Array:
    return np.asarray(matrix.toarray() if sparse.issparse(matrix) else matrix)
