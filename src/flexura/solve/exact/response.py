"""Frequency responses: what elimination leaves of D between the load and the outputs of `asked.py`."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu

from flexura.solve.exact.asked import HarmonicLoad, Output, SectionOutput, augmented, augmented_by_section
from flexura.solve.exact.dynamic_stiffness import DynamicStiffness
from flexura.solve.exact.lines import Array, LinearSystem, with_loads
from flexura.solve.exact.segments import Matrices
from flexura.solve.exact.window import scale_of

Complex = NDArray[np.complex128]
Flags = NDArray[np.bool_]
_WEAK = 1e-7  # a pivot that small is looked at again
_GROWTH = 1e4
_CHUNK = 1024
_MANY = 60  # coordinates from which on sparse factors are quicker than full matrices
_HELD = 2_000_000  # entries of full matrices at once
_EPS = 1e-15  # what entries of D are true to
_REFINED = 2  # times
_SMALL = 1e-6  # against what load and output do at their own places: a response below it is as good as none
_LOST = 3e-10  # of an answer: where a line loses more, lines enter in mixed form


class Amplitudes(NamedTuple):
    """(frequency, output): amplitudes, where an undamped resonance makes them infinite, what rounding may have changed.

    The last is against |Y|, or against 1e-6 of what load and output do at their own places where Y is smaller.
    """

    values: Complex
    resonant: Flags
    doubt: Array


def respond(system: LinearSystem, omega: Array, load: HarmonicLoad, output: Output | SectionOutput) -> Amplitudes:
    """The outputs for a unit load."""
    driven, damped = (() if load.driven is None else (0,)), not system.conservative
    if isinstance(output, SectionOutput):
        wide, outputs = augmented_by_section(system, load, output)
        solve = _ResponseSolver(wide, outputs, damped, output.weights, (*driven, 1))
    else:
        wide, outputs = augmented(system, load, output)
        solve = _ResponseSolver(wide, outputs, damped, held=driven if output.held is None else (*driven, 1))
    found, near, lost = solve(omega)
    doubt, resonant = lost.sum(axis=0), np.zeros(found.shape, bool)
    if solve.damped:  # a motion without stiffness is free at rest, whatever damps it
        near = near & (omega == 0)
    shifts = np.array([-1e-5, -1e-6, 1e-6, 1e-5])
    for i in np.flatnonzero(near):
        beside = omega[i] * (1 + shifts) if omega[i] else np.abs(shifts) * np.sqrt(scale_of(solve.stiffness))
        y, _, lost = solve(beside)
        closer, further = np.abs(y[1:3]).mean(axis=0), np.abs(y[[0, 3]]).mean(axis=0)
        resonant[i] = closer > 5 * further
        found[i] = np.where(resonant[i], np.inf, y[1:3].mean(axis=0))
        doubt[i] = np.where(resonant[i], 0.0, lost.sum(axis=0)[1:3].max(axis=0))
    return Amplitudes(found, resonant, doubt)


class _Solved(NamedTuple):
    """(frequency, output), whether D is nearly singular, and (line or rest, frequency, output): digits lost."""

    values: Complex
    near: Flags
    lost: Array


class _ResponseSolver:
    """Answers at many frequencies: by elimination where D is symmetric, by full matrices elsewhere and in doubt.

    Y = C' D^-1 F changes by -y' dD x, x = D^-1 F and y = D^-T C, so every line's share in what rounding makes of Y is
    known. Where one is so stiff beside others, or beside what it weighs, that digits are lost with it, lines enter in
    mixed form: at each frequency by itself, so that the answer does not depend on what else is asked.
    """

    def __init__(
        self,
        system: LinearSystem,
        outputs: int,
        damped: bool,
        weights: Callable[[Complex], Complex] | None = None,
        held: tuple[int, ...] = (),
    ) -> None:
        """`weights` add the outputs up to one, at each s; `held` of the kept coordinates are not loads or outputs.

        They have a stiffness of their own, beside which a load may be as good as none.
        """
        self.stiffness, self.held = DynamicStiffness(system, kept=1 + outputs), held
        self.outputs, self.damped, self.symmetric, self.weights = outputs, damped, system.symmetric, weights

    def __call__(self, omega: Array) -> _Solved:
        """At each of these frequencies."""
        found = self._answered(omega)
        if self.weights is None:
            return found
        return _weighted(found, self.weights(np.asarray(1j * omega, dtype=np.complex128)))

    def _answered(self, omega: Array) -> _Solved:
        found = self._each(omega)
        here = np.flatnonzero((found.lost[:-1] > _LOST).any(axis=(0, 2)))
        if len(here) and self._mixed is not None:
            mixed = self._mixed._each(omega[here])
            better = mixed.lost.sum(axis=0) < found.lost[:, here].sum(axis=0)
            found.values[here] = np.where(better, mixed.values, found.values[here])
            found.near[here] = np.where(better.any(axis=1), mixed.near, found.near[here])
            found.lost[:, here] = np.where(better, mixed.lost, found.lost[:, here])
        return found

    @cached_property
    def _mixed(self) -> _ResponseSolver | None:
        """The same with every line in mixed form that can be."""
        which = [i for i, line in enumerate(self.stiffness.lines) if line.may_be_mixed]
        system = with_loads(self.stiffness.system, which, 1 + self.outputs)
        return _ResponseSolver(system, self.outputs, self.damped, held=self.held) if which else None

    def _each(self, omega: Array) -> _Solved:
        chunks = self.stiffness.chunks(len(omega)) if self._sparse else _steps(len(omega), self.stiffness.n)
        found = _Solved(
            np.zeros((len(omega), self.outputs), np.complex128),
            np.zeros(len(omega), bool),
            np.zeros((len(self.stiffness.lines) + 1, len(omega), self.outputs)),
        )
        for part in chunks:
            s2 = -(omega[part] ** 2)
            found.values[part], found.near[part], found.lost[:, part] = self._part(
                1j * omega[part] if self.damped else None, s2 + 0j if self.damped else s2
            )
        return found

    @property
    def _sparse(self) -> bool:
        """Whether elimination may serve: in mixed form pivots vanish."""
        return self.symmetric and not self.stiffness.mixed

    def _part(self, s: Matrices | None, s2: Matrices) -> _Solved:
        if not self._sparse:
            many = self.symmetric and self.stiffness.n > _MANY
            return (
                self._factored(self.stiffness.entries(s, s2)[0], s2)
                if many
                else self._full(self.stiffness(s, s2)[0], s2)
            )
        V, _ = self.stiffness.entries(s, s2)
        left, order, n = V.copy(), self.stiffness.elimination, self.stiffness.n
        sizes = self.stiffness.sizes(s2)
        _, growth, smallest = order(left, sizes)
        first = n - 1 - self.outputs
        kept = range(first, n)
        Y = np.array([[left[order.places[min(i, j), max(i, j)]] for j in kept] for i in kept])
        lost = self._lost_in(left, s2, Y, sizes)
        found = _Solved(Y[0, 1:].T.astype(np.complex128), np.zeros(len(s2), bool), lost)
        weak = np.flatnonzero(~((growth < _GROWTH) & (smallest > _WEAK)))
        if len(weak):
            found.values[weak], found.near[weak], found.lost[:, weak] = (
                self._factored(V[:, weak], s2[weak])
                if n > _MANY
                else self._full(self.stiffness.dense(V[:, weak]), s2[weak])
            )
        return found

    def _lost_in(self, left: Matrices, s2: Matrices, Y: Matrices, sizes: Array) -> Array:
        """The digits that an elimination lost."""
        Z = self.stiffness.elimination.solutions(left)
        return self._lost(s2, Y, Z[:, 0], Z[:, 1:], sizes)

    def _lost(self, s2: Matrices, Y: Matrices, X: Matrices, Z: Matrices, sizes: Array) -> Array:
        """(line or rest, frequency, output): how far rounding may have moved Y, which is over the kept coordinates.

        Where a bound shows that nobody will ask, all of it stands with the rest.
        """
        lost = np.zeros((len(self.stiffness.lines) + 1, len(s2), self.outputs))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            own = np.abs(np.einsum("iip->ip", Y))
            for k in self.held:
                own[k] = np.maximum(own[k], sizes[k - 1 - self.outputs])
            own = np.sqrt(own)
            size = np.maximum(np.abs(Y[0, 1:]), _SMALL * own[0] * own[1:]).T
            if self.stiffness.mixed:
                asked = np.arange(len(s2))
            else:
                lost[-1] = _shares(_EPS * self.stiffness.rounded_at_most(s2, X, Z, sizes).T, size)
                asked = np.flatnonzero(~(lost[-1] <= _LOST).all(axis=1))
            if len(asked):
                moved = self.stiffness.rounded(s2[asked], X[:, asked], Z[..., asked])
                lost[:, asked] = _shares(_EPS * np.moveaxis(moved, 1, 2), size[asked])
        return lost

    def _full(self, D: Matrices, s2: Matrices) -> _Solved:
        """The same by full matrices, and whether D is nearly singular: seen from how it answers an arbitrary load."""
        n = D.shape[-1] - 1 - self.outputs
        sizes = self.stiffness.sizes(s2)
        size = np.sqrt(sizes.T[:, :n])
        inner = D[:, :n, :n] / (size[:, :, None] * size[:, None, :])
        right, below = D[:, :n, n:] / size[:, :, None], D[:, n:, :n].swapaxes(1, 2) / size[:, :, None]
        test = np.broadcast_to(np.cos(1.0 + 2.0 * np.arange(n))[None, :, None], (len(D), n, 1))
        x = _solved(inner, np.concatenate([-right, test], axis=2))
        y = x[:, :, :-1] if self.symmetric else _solved(inner.swapaxes(1, 2), -below)
        near = ~(np.abs(x[:, :, -1]).max(axis=1, initial=0.0) < 1e9)
        with np.errstate(invalid="ignore", over="ignore"):
            Y = np.moveaxis(D[:, n:, n:] + below.swapaxes(1, 2) @ x[:, :, :-1], 0, 2)
            X, Z = (self._whole(one / size[:, :, None]) for one in (x[:, :, :-1], y))
            lost = self._lost(s2, Y.swapaxes(0, 1), X[:, 0], Z[:, 1:], sizes)
        return _Solved(Y[1:, 0].T.astype(np.complex128), near, lost)

    def _factored(self, V: Matrices, s2: Matrices) -> _Solved:
        """The same for symmetric D by sparse factors at each point, with pivots chosen among rows."""
        order, n, sizes = self.stiffness.elimination, self.stiffness.n, self.stiffness.sizes(s2)
        first = n - 1 - self.outputs
        size = np.sqrt(sizes)
        size[first:] = 1.0
        off = np.flatnonzero(order.rows != order.columns)
        index = np.concatenate([order.rows, order.columns[off]]), np.concatenate([order.columns, order.rows[off]])
        test = np.cos(1.0 + 2.0 * np.arange(first))[:, None]
        Y = np.zeros((1 + self.outputs, 1 + self.outputs, len(s2)), V.dtype)
        X, near = np.zeros((n, 1 + self.outputs, len(s2)), V.dtype), np.zeros(len(s2), bool)
        for k in range(len(s2)):
            values = V[:, k] / (size[order.rows, k] * size[order.columns, k])
            D = csc_array((np.concatenate([values, values[off]]), index), shape=(n, n))
            D.eliminate_zeros()  # entries that only elimination fills
            right = D[:first, first:].toarray()
            found = _sparsely_solved(D[:first, :first], np.hstack([-right, test]))
            near[k] = not np.abs(found[:, -1]).max(initial=0.0) < 1e9
            with np.errstate(invalid="ignore", over="ignore"):
                Y[:, :, k] = D[first:, first:].toarray() + right.T @ found[:, :-1]
                X[:first, :, k], X[first:, :, k] = found[:, :-1] / size[:first, k, None], np.eye(1 + self.outputs)
        return _Solved(Y[1:, 0].T.astype(np.complex128), near, self._lost(s2, Y, X[:, 0], X[:, 1:], sizes))

    def _whole(self, inner: Matrices) -> Matrices:
        """(coordinate, kept, point), with the kept ones themselves."""
        units = np.broadcast_to(np.eye(1 + self.outputs), (len(inner), 1 + self.outputs, 1 + self.outputs))
        return np.moveaxis(np.concatenate([inner, units], axis=1), 0, 2)


def _weighted(found: _Solved, weights: Complex) -> _Solved:
    """Outputs added up to one; what rounding moved counts against the largest of those that are added."""
    shares = found.values * weights
    with np.errstate(invalid="ignore", over="ignore"):
        value = shares.sum(axis=1, keepdims=True)
        size = np.maximum(np.abs(value), _SMALL * np.abs(shares).max(axis=1, keepdims=True, initial=0.0))
        moved = np.where(shares == 0, 0.0, found.lost * np.abs(shares))
        return _Solved(value, found.near, _shares(moved.sum(axis=2, keepdims=True), size))


def _shares(moved: Array, size: Array) -> Array:
    """What was moved, as a part of what it is held against; what is no number counts as all."""
    lost = np.where(moved <= 0, 0.0, moved / size)  # nan is neither, and goes on
    return np.where(np.isnan(lost), np.inf, lost)


def _steps(points: int, n: int) -> list[slice]:
    step = max(16, min(_CHUNK, _HELD // n**2))
    return [slice(first, first + step) for first in range(0, points, step)]


def _sparsely_solved(matrix: Any, right: Matrices) -> Matrices:
    """Refined in the same way."""
    try:
        factors = splu(matrix.tocsc(), permc_spec="MMD_AT_PLUS_A")
    except RuntimeError:  # exactly singular
        return np.full_like(right, np.inf)
    found = np.asarray(factors.solve(right))
    for _ in range(_REFINED):
        with np.errstate(invalid="ignore", over="ignore"):
            found = found + factors.solve(right - matrix @ found)
    return found


def _solved(matrix: Matrices, right: Matrices) -> Matrices:
    """Refined, so that small entries count for what they are beside large ones (Skeel 1980)."""
    try:
        found = np.asarray(np.linalg.solve(matrix, right))
        for _ in range(_REFINED):
            with np.errstate(invalid="ignore", over="ignore"):
                found = found + np.linalg.solve(matrix, right - matrix @ found)
        return found
    except np.linalg.LinAlgError:
        found = np.full_like(right, np.inf)
        for i, (one, b) in enumerate(zip(matrix, right, strict=True)):
            if np.linalg.matrix_rank(one) == len(one):
                found[i] = np.linalg.solve(one, b)
        return found
