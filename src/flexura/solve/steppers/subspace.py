"""A system on a subspace of its unknowns, q = T z: joints stay, members move in few shapes of their own.

    >>> T = Shapes.of(system, groups, times, given).matrix({"w": 3})
    >>> smaller = on_subspace(system, T)

Polynomials of high order are exact where little happens and stiff beyond all use where nothing does: their fastest
vibrations are no modes of the member. So members get the shapes they start with, those in which they move without
strain (theory, section 9), those they answer steady loads and motions of their frame with (section 5), and then their
modes, joints free and other members stiff, as many as the motion needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
Rows = NDArray[np.int64]
_STEADY = 3  # shapes under steady loads, at most, for each field
_INDEPENDENT = 0.03  # steady shapes that differ less from the others add nothing
_STRAINLESS = 1e-13  # squares of frequencies, of the largest; a soft mode among them is a shape like any other


@dataclass(frozen=True)
class MemberGroup:
    """Members that share their ends: the fields, and every unknown that deflects them, by name."""

    fields: tuple[str, ...]
    unknowns: tuple[str, ...]

    @property
    def name(self) -> str:
        """The first field."""
        return self.fields[0]


@dataclass(frozen=True, eq=False)
class _GroupLine:
    """Unknowns of one group, and its shapes: given, strainless and steady ones first, then modes by frequency."""

    group: MemberGroup
    rows: Rows
    M: Array
    shapes: Array
    steady: int


@dataclass(frozen=True, eq=False)
class MemberShapes:
    """The shapes of all members of a system."""

    system: NonlinearSystem
    joints: Rows
    lines: tuple[_GroupLine, ...]

    @classmethod
    def of(
        cls, system: NonlinearSystem, groups: Sequence[MemberGroup], times: Array, given: Sequence[Array] = ()
    ) -> MemberShapes | None:
        """Shapes about the undeflected state; None where some motion of a member has no inertia."""
        zero, t = np.zeros(system.n), float(times[0])
        M, f = (one.copy() for one in system.evaluate(t, zero, zero, system.rest))
        K = system.jacobians(t, zero, zero, zero, system.rest, np.zeros(system.m))[0].copy()
        units = np.eye(system.load_size)[:: max(1, system.load_size // 8)]
        loads = [system.evaluate(t, zero, zero, unit)[1] - f for unit in units]
        inner = [np.array([system.names.index(one) for one in group.unknowns], dtype=np.int64) for group in groups]
        joints = np.setdiff1d(np.arange(system.n), np.concatenate([*inner, np.zeros(0, dtype=np.int64)]))
        F = np.column_stack([*loads, *_moved(system, joints, times)])
        A = system.velocity(t, zero)[0] if system.m else np.zeros((0, system.n))
        together = _strainless(M, K, A) if len(groups) > 1 else np.zeros((system.n, 0))
        lines = []
        for group, rows in zip(groups, inner, strict=True):
            both = np.concatenate([rows, joints])
            square = np.ix_(both, both)
            first = [one[rows] for one in given if np.abs(one[rows]).max(initial=0.0) > 0]
            first += list(_moving(together[rows], M[np.ix_(rows, rows)]).T)
            found = _shapes(M[square], K[square], F[both], A[:, both], len(rows), _STEADY * len(group.fields))
            if found is None:
                return None
            shapes, steady = found
            shapes = np.column_stack([*first, shapes])
            lines.append(_GroupLine(group, rows, M[np.ix_(rows, rows)], shapes, steady + len(first)))
        return cls(system, joints, tuple(lines))

    def most(self, name: str) -> int:
        """How many modes of a group can be trusted: the lower half."""
        line = next(one for one in self.lines if one.group.name == name)
        return max(1, (len(line.rows) + 1) // 2)

    def matrix(self, modes: Mapping[str, int]) -> tuple[Array, tuple[str, ...]]:
        """T with so many modes for each group, and the names of its columns."""
        system = self.system
        names = [system.names[i] for i in self.joints]
        columns = [np.eye(system.n)[:, self.joints]]
        for line in self.lines:
            basis = _orthonormal(line.shapes[:, : line.steady + modes[line.group.name]], line.M)
            block = np.zeros((system.n, basis.shape[1]))
            block[line.rows] = basis
            columns.append(block)
            names += [f"{line.group.name}[{i}]" for i in range(basis.shape[1])]
        return np.ascontiguousarray(np.hstack(columns)), tuple(names)


def _moved(system: NonlinearSystem, joints: Rows, times: Array) -> list[Array]:
    """Loads on undeflected members as their frames turn and move: at times of the run, and at states like any other."""
    random = np.random.default_rng(7)
    found = []
    for t in np.linspace(times[0], times[-1], 12):
        q, v = np.zeros((2, system.n))
        found.append(system.evaluate(float(t), q, v, system.rest)[1].copy())
        q[joints], v[joints] = random.normal(size=(2, len(joints)))
        found.append(system.evaluate(float(t), q, v, system.rest)[1].copy())
    return found


def _strainless(M: Array, K: Array, A: Array) -> Array:
    """Motions of the whole system without strain, members that hang together by constraints included."""
    free = scipy.linalg.null_space(A) if len(A) else np.eye(len(M))
    try:
        squares, modes = _modes(M, K, free)
    except np.linalg.LinAlgError:
        return np.zeros((len(M), 0))
    return np.asarray(free @ modes[:, ~_strained(squares)])


def _modes(M: Array, K: Array, free: Array) -> tuple[Array, Array]:
    """Squares of frequencies and modes, in the coordinates of the columns of `free`."""
    M, K = (free.T @ (one + one.T) @ free / 2 for one in (M, K))
    squares, modes = scipy.linalg.eigh(K, M)
    return np.asarray(squares), np.asarray(modes)


def _strained(squares: Array) -> NDArray[np.bool_]:
    return np.asarray(np.abs(squares) > _STRAINLESS * np.abs(squares).max(initial=1e-300))


def _moving(shapes: Array, M: Array) -> Array:
    """Without the columns that leave the member where it is: motions of joints alone."""
    return np.asarray(shapes[:, np.einsum("ij,ik,kj->j", shapes, M, shapes) > 1e-12])


def _shapes(M: Array, K: Array, F: Array, A: Array, inside: int, most: int) -> tuple[Array, int] | None:
    """What modes of a member and its free joints do inside it; before them its motions without strain, and its answers
    to the loads F."""
    free = scipy.linalg.null_space(A) if len(A) else np.eye(len(M))
    try:
        squares, modes = _modes(M, K, free)
        root = np.linalg.cholesky(free.T @ M @ free)
    except np.linalg.LinAlgError:
        return None
    elastic = _strained(squares)
    rigid = _moving((free @ modes[:, ~elastic])[:inside], M[:inside, :inside])
    modes, squares = modes[:, elastic], squares[elastic]
    answers = modes @ ((modes.T @ (free.T @ F)) / squares[:, None])
    sizes = np.linalg.norm(root.T @ answers, axis=0)
    seen = sizes > 1e-9 * sizes.max(initial=1e-300)
    u, s, _ = np.linalg.svd(root.T @ (answers[:, seen] / sizes[seen]), full_matrices=False)
    steady = min(most, int((s > _INDEPENDENT * s.max(initial=1e-300)).sum()))
    whole = free @ np.column_stack([np.linalg.solve(root.T, u[:, :steady]), modes])
    return np.column_stack([rigid, whole[:inside]]), rigid.shape[1] + steady


def _orthonormal(shapes: Array, M: Array) -> Array:
    """Columns made orthonormal in the metric of the masses, in their order, without those that add nothing."""
    kept = np.zeros((len(shapes), 0))
    for one in shapes.T:
        left = one / max(np.sqrt(abs(one @ M @ one)), 1e-300)
        for _ in range(2):
            left = left - kept @ (kept.T @ (M @ left))
        size = np.sqrt(abs(left @ M @ left))
        if size > 1e-5:
            kept = np.column_stack([kept, left / size])
    return kept


def on_subspace(system: NonlinearSystem, T: Array, names: tuple[str, ...]) -> NonlinearSystem:
    """The same system in z, q = T z: Galerkin on the columns of T."""
    if system.within is not None:
        return system.within(T, names)
    across = np.ascontiguousarray(T.T)

    def evaluate(t: Any, z: Array, w: Array, u: Array) -> tuple[Array, Array]:
        M, f = system.evaluate(t, z @ across, w @ across, u)
        return across @ M @ T, f @ T

    def jacobians(t: Any, z: Array, w: Array, a: Array, u: Array, lam: Array) -> tuple[Array, Array]:
        K, C = system.jacobians(t, z @ across, w @ across, a @ across, u, lam)
        return across @ K @ T, across @ C @ T

    def velocity(t: Any, z: Array) -> tuple[Array, Array]:
        A, b = system.velocity(t, z @ across)
        return A @ T, b

    return replace(
        system,
        names=names,
        evaluate=evaluate,
        jacobians=jacobians,
        position=lambda t, z: system.position(t, z @ across),
        velocity=velocity,
        acceleration=lambda t, z, w: system.acceleration(t, z @ across, w @ across),
        energies=lambda t, z, w: system.energies(t, z @ across, w @ across),
        powers=lambda t, z, w, a, u, lam: system.powers(t, z @ across, w @ across, a @ across, u, lam),
        reactions=lambda t, z, w, a, u, lam: system.reactions(t, z @ across, w @ across, a @ across, u, lam),
        fields={name: one.within(T) for name, one in system.fields.items()},
        within=None,
        residual=None,
        forces=None,
        rate_free=False,
    )
