"""The motion of a frame on a moving body as a linear problem whose matrices change with time, and what is left of it.

`FrameProblem` is what solve/steppers/varying.py steps: at every time the constant integrals are summed with the
weights of omega, epsilon and a0.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError, warn
from flexura.solve.runs.frame_loads import LoadTerms, load_terms
from flexura.solve.runs.given import read_state
from flexura.solve.runs.matrices import ColumnHistories
from flexura.solve.runs.options import RunOptions
from flexura.solve.steppers.accuracy import MotionError
from flexura.solve.steppers.linear_exact import LinearMotion
from flexura.solve.steppers.trajectory import Energy, Trajectory
from flexura.solve.steppers.varying import MatricesAt, VaryingMotion, solver
from flexura.structures.moving.assembly import Constants, combined
from flexura.structures.moving.attachments import known_node, motions
from flexura.structures.moving.body import Instant, MovingFrame
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.inertia import coefficients
from flexura.structures.moving.loads import preload, refuse_held
from flexura.systems.signals.features import Features

Array = NDArray[np.float64]

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
    known: dict[bytes, MatricesAt]

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
        elastic, terms = constants.elastic, load_terms(constants, loads, times)
        if geometric and terms.steady is not None:
            elastic = elastic + preload(constants, terms.steady)
        fixed = {
            "M": shape(data(constants.mass)),
            "K": data(elastic),
            "D": None if constants.damping is None else shape(data(constants.damping)),
            "H": None if constants.skew_springs is None else data(constants.skew_springs),
        }
        return FrameProblem(
            constants,
            body,
            terms,
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

    def matrices(self, t: float) -> MatricesAt:
        """The matrices with the frame's motion at t, and the load of that motion."""
        return self._at(self.body.at(t))

    def _circulatory(self, now: Instant) -> Array | None:
        parts = [] if self.fixed["H"] is None else [self.fixed["H"]]
        if now.epsilon.any():
            parts.append(combined(None, dict(self.turning), now.epsilon / 2))
        if self.dragging and now.omega.any():
            parts.append(combined(None, dict(self.dragging), now.omega))
        return None if not parts else np.asarray(sum(parts[1:], start=parts[0]))

    def _at(self, now: Instant) -> MatricesAt:
        weights = coefficients(now)
        key = np.concatenate([weights, now.omega]).tobytes()
        if key not in self.known:
            G = combined(None, dict(self.turning), now.omega) if now.omega.any() else None
            H = self._circulatory(now)
            K = combined(self.fixed["K"], dict(self.cases), weights)
            self.known.clear()  # only the latest is kept
            self.known[key] = MatricesAt(
                self.fixed["M"],
                self.fixed["D"],
                None if G is None else self.shape(G),
                self.shape(K),
                None if H is None else self.shape(H),
                self.constants.load(now),
            )
        return self.known[key]


def through(
    loads: Features, motion: Features, times: Array, frozen: bool, options: RunOptions
) -> tuple[Array, tuple[str, ...]]:
    """The times at which steps end, so that none reaches across what drives the run; and what is in doubt about it."""
    notes = tuple(dict.fromkeys(loads.notes + motion.notes))
    if frozen and len(motion.points(times)) > len(times):
        notes += (
            "coefficients='frozen' takes the motion of the frame in the middle between two points of t, and it changes"
            " more quickly than they follow one another; give more points of t, or coefficients='varying'.",
        )
    named = Features(breaks=options.breaks)
    return (loads + motion + named).points(times, options.longest_step), notes


def start(problem: FrameProblem, initial: Any, t: float) -> tuple[Array, Array]:
    """Displacements and rates to start from."""
    frame = problem.constants.frame
    if isinstance(initial, str):
        if initial != "static":
            raise FlexuraError(f"initial is {initial!r}", advice="give 'static', names with numbers, or (x, x_t)")
        now = problem.matrices(t)
        return solver(now.K)(now.f + problem.external(t)), np.zeros(problem.n)
    return read_state(initial, frame.dofs, lambda name: refuse_held(frame, name))


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
    counted = f"{motion.steps} steps, {motion.factorizations} factorizations in the last run."
    notes = [counted] if motion.steps else []
    if tolerance is not None:
        notes.append(
            f"Steps in time: displacements hold to about {motion.error:.1e} of the largest, within this model."
        )
    notes.extend(more)
    short = tolerance is not None and motion.error > tolerance
    message = motion.message
    if message:
        pass
    elif not motion.complete:
        message = f"The motion grows without bound; it was stopped at t = {t[-1]:g}."
    elif short:
        message = f"The tolerance {tolerance:g} was not reached; give more points in t, or a larger tolerance."
    if message and message not in notes:  # a run that came from elsewhere has said so already
        notes.append(message)
        warn(f"The run is not complete: {message}")
    nodes = NodeHistories(frame, body, t, motion.x)
    histories = ColumnHistories(
        frame.dofs, LinearMotion(motion.x, motion.v, motion.a, motion.dissipated, motion.supplied)
    )
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

    def deviation(self, node: Any) -> Array:
        """How far a node is from where it would be if nothing bent, in ground's axes (times, 3)."""
        row = 6 * known_node(node, len(self.frame.nodes), "places")
        local = (Constants.of(self.frame).pattern.T[[row, row + 1, row + 2]] @ self.x.T).T
        return np.asarray(np.einsum("tij,tj->ti", self._poses[0], local))

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
