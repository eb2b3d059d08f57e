"""The motion of a frame on a moving body as a linear problem whose matrices change with time, and what is left of it.

`FrameProblem` is what solve/steppers/varying.py steps: at every time the constant integrals are summed with the
weights of omega, epsilon and a0.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.runs.matrices import Histories
from flexura.solve.steppers.accuracy import MotionError
from flexura.solve.steppers.linear_exact import Motion
from flexura.solve.steppers.trajectory import Energy, Trajectory
from flexura.solve.steppers.varying import Moment, VaryingMotion, solver
from flexura.structures.moving.assembly import Constants, combined
from flexura.structures.moving.attachments import known_node, motions
from flexura.structures.moving.body import Instant, MovingFrame
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.inertia import coefficients
from flexura.structures.moving.loads import FrameLoad, by_name, dof_named, preload, vector_of
from flexura.symbolic.engine import TIME
from flexura.symbolic.parser import parse
from flexura.systems.signals.features import Features, Known, features, together

Array = NDArray[np.float64]
History = Callable[[float], Array]

_DENSE = 160
"""Up to so many unknowns dense matrices are quicker than sparse ones."""


@dataclass(frozen=True)
class FrameProblem:
    """A frame on a moving body as a system whose matrices change with time."""

    constants: Constants
    body: MovingFrame
    loads: LoadTerms
    cases: Mapping[int, Array]
    turning: Mapping[int, Array]
    dragging: Mapping[int, Array]
    fixed: Mapping[str, Any]
    shape: Callable[[Array], Any]
    known: dict[bytes, Moment]

    @staticmethod
    def of(frame: BeamFrame, body: MovingFrame, loads: Any, times: Array, geometric: bool) -> FrameProblem:
        """Read everything once; small systems as dense matrices."""
        constants = Constants.of(frame)
        n = constants.pattern.n
        dense = n <= _DENSE

        def data(one: Array) -> Array:
            return np.ascontiguousarray(constants.pattern.matrix(one).toarray().ravel()) if dense else one

        def shape(one: Array) -> Any:
            return one.reshape(n, n) if dense else constants.pattern.matrix(one)

        cases = constants.stiffening if geometric else constants.inertial
        elastic = constants.elastic
        if geometric and _constant(loads):
            elastic = elastic + preload(constants, loads)
        fixed = {
            "M": shape(data(constants.mass)),
            "K": data(elastic),
            "D": None if constants.damping is None else shape(data(constants.damping)),
            "H": None if constants.skew_springs is None else data(constants.skew_springs),
        }
        return FrameProblem(
            constants,
            body,
            load_terms(constants, loads, times),
            {case: data(one) for case, one in cases.items()},
            {k: data(one) for k, one in enumerate(constants.turning)},
            {k: data(one) for k, one in constants.dragging.items()},
            fixed,
            shape,
            {},
        )

    @property
    def n(self) -> int:
        """How many motions are free."""
        return self.constants.pattern.n

    def external(self, t: float) -> Array:
        """The load from outside."""
        return self.loads.at(t)

    def matrices(self, t: float) -> Moment:
        """The matrices with the frame's motion at t, and the load of that motion."""
        return self._at(self.body.at(t))

    def _circulatory(self, now: Instant) -> Array | None:
        parts = [] if self.fixed["H"] is None else [self.fixed["H"]]
        if now.epsilon.any():
            parts.append(combined(None, dict(self.turning), now.epsilon / 2))
        if self.dragging and now.omega.any():
            parts.append(combined(None, dict(self.dragging), now.omega))
        return None if not parts else np.asarray(sum(parts[1:], start=parts[0]))

    def _at(self, now: Instant) -> Moment:
        weights = coefficients(now)
        key = np.concatenate([weights, now.omega]).tobytes()
        if key not in self.known:
            G = combined(None, dict(self.turning), now.omega) if now.omega.any() else None
            H = self._circulatory(now)
            K = combined(self.fixed["K"], dict(self.cases), weights)
            self.known.clear()  # only the latest is kept
            self.known[key] = Moment(
                self.fixed["M"],
                self.fixed["D"],
                None if G is None else self.shape(G),
                self.shape(K),
                None if H is None else self.shape(H),
                self.constants.load(now),
            )
        return self.known[key]


@dataclass(frozen=True)
class LoadTerms:
    """Loads over time: a constant vector, columns with a history each, and whatever is only known as a whole."""

    constant: Array
    columns: tuple[Array, ...] = ()
    histories: tuple[Driven, ...] = ()
    general: tuple[History, ...] = ()

    def __add__(self, other: LoadTerms) -> LoadTerms:
        return LoadTerms(
            self.constant + other.constant,
            self.columns + other.columns,
            self.histories + other.histories,
            self.general + other.general,
        )

    def at(self, t: float) -> Array:
        """The load vector at t."""
        total = self.constant
        for column, history in zip(self.columns, self.histories, strict=True):
            total = total + history(t) * column
        for one in self.general:
            total = total + one(t)
        return total

    def features(self, start: float, end: float) -> Features:
        """When and how quickly the loads change."""
        return together(
            [one.features(start, end) for one in self.histories]
            + [features(one, "The load", start, end) for one in self.general]
        )


@dataclass(frozen=True)
class Driven:
    """A factor over time, `call`, and what the user `gave` as such: text, an array on t, a number or a function."""

    call: Callable[[float], float]
    gave: Any
    what: str

    def __call__(self, t: float) -> float:
        """The factor at t."""
        return self.call(t)

    def features(self, start: float, end: float) -> Features:
        """Arrays are straight between points of t, and numbers everywhere."""
        hidden = callable(self.gave) or isinstance(self.gave, str)
        return features(self.call, f"The {self.what}", start, end) if hidden else Features()

    @property
    def signal(self) -> Any:
        """The factor as systems of matrices take it: what is not a function is better known as it was given."""
        return self.call if callable(self.gave) else self.gave


def load_terms(constants: Constants, loads: Any, times: Array) -> LoadTerms:
    """The loads as the user gave them: see `simulate_frame`."""
    n = constants.pattern.n
    nothing = np.zeros(n)
    if callable(loads):
        return LoadTerms(nothing, general=(lambda t: vector_of(constants, loads(t)),))
    if isinstance(loads, FrameLoad) and loads.history is not None:
        factor = loads.history
        history = Driven(lambda t: _finite(factor(t), "its history", t), factor, "history of a load")
        return LoadTerms(nothing, (vector_of(constants, loads),), (history,))
    if isinstance(loads, Mapping):
        total = LoadTerms(nothing)
        for name, one in by_name(loads).items():
            unit = np.zeros(n)
            unit[dof_named(constants.frame, name)] = 1.0
            if isinstance(one, int | float):
                total += LoadTerms(_finite(one, name, times[0]) * unit)
            else:
                total += LoadTerms(nothing, (unit,), (_history(one, name, times),))
        return total
    if isinstance(loads, list | tuple) and any(isinstance(one, FrameLoad | Mapping) or callable(one) for one in loads):
        total = LoadTerms(nothing)
        for one in loads:
            total += load_terms(constants, one, times)
        return total
    return LoadTerms(vector_of(constants, loads))


def _history(value: Any, name: str, times: Array) -> Driven:
    return Driven(_factor(value, name, times), value, f"load on {name}")


def _factor(value: Any, name: str, times: Array) -> Callable[[float], float]:
    if callable(value):
        return lambda t: _finite(value(t), name, t)
    if isinstance(value, str):
        formula = parse(value).engine
        unknown = formula.free_symbols - {TIME}
        if unknown:
            names = ", ".join(sorted(map(str, unknown)))
            raise FlexuraError(f"The load on {name} holds {names}", advice="write it with numbers and t only")
        numeric = symengine.Lambdify([TIME], [formula])
        return Known(lambda t: _finite(float(np.ravel(numeric([t]))[0]), name, t), (formula,))
    if np.ndim(value):
        array = np.asarray(value, dtype=np.float64)
        if array.shape != times.shape or not np.all(np.isfinite(array)):
            raise FlexuraError(
                f"The load on {name} has the shape {array.shape} or is not finite",
                advice=f"give {len(times)} finite numbers, one for each t",
            )
        return lambda t: float(np.interp(t, times, array))
    number = _finite(value, name, float(times[0]))
    return lambda t: number


def _finite(value: Any, name: str, t: float) -> float:
    number = float(value)
    if not np.isfinite(number):
        raise FlexuraError(f"The load on {name} is {number} at t = {t:g}", advice="give finite numbers")
    return number


def _constant(loads: Any) -> bool:
    """Whether loads never change, so that what they pull along elements can be kept."""
    if isinstance(loads, FrameLoad):
        return loads.history is None
    if isinstance(loads, Mapping):
        return all(isinstance(one, int | float) for one in by_name(loads).values())
    if isinstance(loads, list | tuple):
        return all(_constant(one) or isinstance(one, int | float) for one in loads)
    return isinstance(loads, np.ndarray)


def through(loads: Features, motion: Features, times: Array, frozen: bool) -> tuple[Array, tuple[str, ...]]:
    """The times at which steps end, so that none reaches across what drives the run; and what is in doubt about it."""
    notes = loads.notes + motion.notes
    if frozen and len(motion.points(times)) > len(times):
        notes += (
            "coefficients='frozen' takes the motion of the frame in the middle between two points of t, and it changes"
            " more quickly than they follow one another; give more points of t, or coefficients='varying'.",
        )
    return (loads + motion).points(times), notes


def start(problem: FrameProblem, initial: Any, t: float) -> tuple[Array, Array]:
    """Displacements and rates to start from."""
    n, frame = problem.n, problem.constants.frame
    x, v = np.zeros(n), np.zeros(n)
    if initial is None:
        return x, v
    if isinstance(initial, str):
        if initial != "static":
            raise FlexuraError(f"initial is {initial!r}", advice="give 'static', names with numbers, or (x, x_t)")
        now = problem.matrices(t)
        return solver(now.K)(now.f + problem.external(t)), v
    if isinstance(initial, Mapping):
        for name, value in initial.items():
            target, base = (v, name[:-2]) if name.endswith("_t") else (x, name)
            target[dof_named(frame, base)] = _finite(value, name, t)
        return x, v
    given = initial if isinstance(initial, tuple) and len(initial) == 2 else (initial, v)
    x, v = (np.array(one, dtype=np.float64).ravel() for one in given)
    if len(x) != n or len(v) != n or not (np.all(np.isfinite(x)) and np.all(np.isfinite(v))):
        raise FlexuraError(
            f"initial has {len(x)} displacements and {len(v)} rates", advice=f"give {n} finite ones of each"
        )
    return x, v


def trajectory(
    frame: BeamFrame,
    body: MovingFrame,
    times: Array,
    motion: VaryingMotion,
    tolerance: float | None,
    more: tuple[str, ...] = (),
) -> Trajectory:
    """What the run leaves behind, by name; `more` are notes on what drives it."""
    t = times[: len(motion.x)]
    energy = Energy(motion.kinetic, motion.potential, motion.dissipated, motion.supplied)
    notes = [f"{motion.steps} steps, {motion.factorizations} factorizations in the last run."]
    if tolerance is not None:
        notes.append(
            f"Steps in time: displacements hold to about {motion.error:.1e} of the largest, within this model."
        )
    notes.extend(more)
    short = tolerance is not None and motion.error > tolerance
    message = ""
    if not motion.complete:
        message = f"The motion grows without bound; it was stopped at t = {t[-1]:g}."
    elif short:
        message = f"The tolerance {tolerance:g} was not reached; give more points in t, or a larger tolerance."
    if message:
        notes.append(message)
        warnings.warn(f"The run is not complete: {message}", stacklevel=4)
    histories = Histories(frame.dofs, Motion(motion.x, motion.v, motion.a, motion.dissipated, motion.supplied))
    nodes = NodeHistories(frame, body, t, motion.x)
    return Trajectory(
        t,
        histories,
        energy,
        places=nodes.place,
        positions=nodes.position,
        complete=motion.complete and not short,
        message=message,
        notes=tuple(notes),
        error=None if tolerance is None else _error(frame, motion),
    )


def _error(frame: BeamFrame, motion: VaryingMotion) -> MotionError:
    """What two runs of different steps differ by, of the largest displacement."""
    share = min(1.0, motion.error) if np.isfinite(motion.error) else 1.0
    each = np.minimum(share * float(np.abs(motion.x).max(initial=0.0)), np.ptp(motion.x, axis=0))
    time = dict(zip(frame.dofs, each.tolist(), strict=True))
    basis = "The difference of runs with steps of two lengths, as a part of the largest displacement"
    return MotionError(time, share, basis=basis, members=False)


@dataclass(frozen=True, eq=False)
class NodeHistories:
    """Motions and positions of a frame's nodes, held and tied ones too, from its unknowns `x` at times `t`."""

    frame: BeamFrame
    body: MovingFrame
    t: Array
    x: Array

    def place(self, node: Any, name: str) -> Array:
        """A motion of a node over time: run.place(4, "v")."""
        (kind,) = motions(name, f"node {node}", "place")
        row = 6 * known_node(node, len(self.frame.nodes), "places") + kind
        return np.asarray((Constants.of(self.frame).pattern.T[[row]] @ self.x.T)[0])

    def position(self, node: Any) -> Array:
        """Where a node is in ground's axes (times, 3): origin + R (r + u)."""
        nodes = self.frame.nodes
        if not isinstance(node, int | np.integer) or not 0 <= node < len(nodes):
            raise FlexuraError(f"There is no node {node!r}", advice=f"nodes are numbered from 0 to {len(nodes) - 1}")
        T = Constants.of(self.frame).pattern.T[[6 * node, 6 * node + 1, 6 * node + 2]]
        local = nodes[node] + (T @ self.x.T).T
        R, origin = self._poses
        return np.asarray(np.einsum("tij,tj->ti", R, local) + origin)

    @cached_property
    def _poses(self) -> tuple[Array, Array]:
        """Rotation matrices and origins of the frame over time."""
        body, times = self.body, self.t.tolist()
        R = np.stack([body.axes(t) for t in times])
        origin = np.zeros(3) if body.origin is None else body.origin
        return R, np.stack([origin(t) if callable(origin) else origin for t in times])

    def __getstate__(self) -> dict[str, Any]:
        """With the poses found, where they are known: the body's motion may be functions, which are not pickled."""
        try:
            _ = self._poses
        except FlexuraError:
            return dict(self.__dict__)
        return {name: one for name, one in self.__dict__.items() if name != "body"}
