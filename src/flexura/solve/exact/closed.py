"""Closed, scaled forms of uniform lines: the dynamic stiffness of a whole line at once, however high the frequency.

A uniform line is z_x = Z(s) z in its values q (w, w_x, ...) and the loads they carry (theory.md 6). If it looks alike
from both ends, z falls into two halves with ev_x = X od, od_x = Y ev. About its middle the motion is then a sum of

    even:  ev = phi_k cosh(lambda_k x),   od = Y phi_k sinh(lambda_k x)/lambda_k,        X Y phi_k = lambda_k^2 phi_k
    odd:   od = psi_k cosh(lambda_k x),   ev = X psi_k sinh(lambda_k x)/lambda_k,        Y X psi_k = lambda_k^2 psi_k

Each is scaled by e^(-lambda_k l/2), so nothing overflows; only lambda^2 enters, so nothing happens where a lambda
changes from a wave to a decay (Timoshenko's cut-off). At a small phase |lambda| l the solutions of a beam become alike
and digits would cancel: there, and where two lambda^2 meet, `enough` is False and one Galerkin stretch, exact to
rounding at such a phase, takes the place of the series usually written down. Lines that differ from end to end (a pipe
with flow) have no closed form here; they are built of stretches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from flexura.solve.exact.lines import POWERS, Array, Line
from flexura.solve.exact.waves import Flags, Matrices, Solutions, inverse_of, polynomial, product


@dataclass(frozen=True)
class CoupledFields:
    """Fields of a line that move one another: their values q among the line's, which of those are even, their forms.

    A, B, C, D are the coefficients of (highest derivatives, q) tested with the same; `load` those of the coordinates
    that enter along the line.
    """

    which: NDArray[np.int64]
    even: Flags
    N: Array
    H: Array
    A: Array
    B: Array
    C: Array
    D: Array
    load: Array

    def solutions(self, s: Matrices | None, s2: Matrices) -> Solutions:
        """What solves the block at each s (None: s enters by its square only)."""
        if self._polynomials is not None:
            X, Y, y = (polynomial(one, s, s2) for one in self._polynomials)
        else:
            powers = (polynomial(one, s, s2) for one in (self.A, self.B, self.C, self.D))
            X, Y = self._halves(self._first_order(*powers))
            y = polynomial(self._even_load, s, s2)
        X, Y = np.broadcast_arrays(X, Y)
        return Solutions(X, Y, y, self.even)

    def _first_order(self, A: Matrices, B: Matrices, C: Matrices, D: Matrices) -> Matrices:
        """Z of (q, loads): q_x = N q + H a, H' p = A a + B q, p_x = C a + D q - N' p, a the highest derivatives."""
        inverse = inverse_of(A)
        N, H, Ht, Nt = (one[:, :, None] for one in (self.N, self.H, self.H.T, self.N.T))
        left, right = product(H, inverse), product(C, inverse)
        top = np.concatenate(np.broadcast_arrays(N - product(left, B), product(left, Ht)), axis=1)
        bottom = np.concatenate(np.broadcast_arrays(D - product(right, B), product(right, Ht) - Nt), axis=1)
        points = max(top.shape[2], bottom.shape[2])
        return np.concatenate([np.broadcast_to(one, (*one.shape[:2], points)) for one in (top, bottom)])

    def _halves(self, Z: Matrices) -> tuple[Matrices, Matrices]:
        e = len(self.even)
        places = np.arange(e)
        ev, od = np.where(self.even, places, places + e), np.where(self.even, places + e, places)
        return Z[np.ix_(ev, od)], Z[np.ix_(od, ev)]

    @cached_property
    def _even_load(self) -> Array:
        return np.where(self.even[:, None], self.load, 0.0)

    @cached_property
    def _polynomials(self) -> tuple[Array, Array, Array] | None:
        """X, Y and y by powers of s, where the highest derivatives' coefficients do not depend on s."""
        if np.any(self.A[1:]) or np.any(self.B[1:]) or np.any(self.C[1:]):
            return None
        e = len(self.even)
        Z = np.zeros((POWERS, 2 * e, 2 * e))
        Z[0] = self._first_order(*(one[0][:, :, None] for one in (self.A, self.B, self.C, self.D)))[:, :, 0]
        Z[1:, e:, :e] = self.D[1:]
        X, Y = self._halves(np.moveaxis(Z, 0, 2))
        return np.moveaxis(X, 2, 0), np.moveaxis(Y, 2, 0), self._even_load


@dataclass(frozen=True)
class ClosedLine:
    """A uniform line that looks alike from both ends.

    >>> closed = closed_line(line)
    >>> solutions = closed.at(None, -omega**2)
    >>> closed.phase(solutions), closed.stiffness(solutions)
    """

    length: float
    end_values: int
    blocks: tuple[CoupledFields, ...]
    own: Array  # of the coordinates along the line, per length

    @property
    def single(self) -> bool:
        """Each block has one field."""
        return all(block.H.shape[1] == 1 for block in self.blocks)

    def at(self, s: Matrices | None, s2: Matrices) -> list[Solutions]:
        """The blocks' solutions at each point."""
        return [block.solutions(s, s2) for block in self.blocks]

    def phase(self, solutions: Sequence[Solutions]) -> Array:
        """The largest |lambda| times the length."""
        found = [np.abs(one.squares).max(axis=0) for one in solutions]
        return np.asarray(self.length * np.sqrt(np.max(np.broadcast_arrays(*found), axis=0)))

    def waves(self, solutions: Sequence[Solutions]) -> Array:
        """About how many half waves stand on the line at each (real) s^2."""
        found = [np.sqrt(np.maximum(-one.squares.real, 0)).sum(axis=0) for one in solutions]
        return np.asarray(self.length / np.pi * np.sum(np.broadcast_arrays(*found), axis=0))

    def stiffness(self, solutions: Sequence[Solutions], s: Matrices | None, s2: Matrices) -> Matrices:
        """D over (q at a, q at b, coordinates along the line), each (row, column, point)."""
        e, n = self.end_values, self.own.shape[1]
        D = np.zeros((2 * e + n, 2 * e + n, len(s2)), dtype=s2.dtype)
        D[2 * e :, 2 * e :] = self.length * polynomial(self.own, s, s2)
        for block, one in zip(self.blocks, solutions, strict=True):
            ends, column, own = one(self.length)
            places = np.concatenate([block.which, block.which + e])
            D[np.ix_(places, places)] = ends
            D[places, 2 * e :] = column
            D[2 * e :, places] = np.swapaxes(column, 0, 1)
            D[2 * e :, 2 * e :] += own
        return D

    def held(self, solutions: Sequence[Solutions], halvings: int) -> NDArray[np.int64]:
        """Modes below of the line with its ends held, but for those of its 2^halvings parts."""
        times = 2 ** np.arange(halvings)
        return np.asarray(sum(times @ one.passed(self.length / (2 * times)) for one in solutions))


@dataclass(frozen=True)
class _Form:
    """What the closed form of a line depends on, but for its length."""

    orders: tuple[int, ...]
    slots: tuple[tuple[int, int], ...]
    constant: Array


def closed_line(line: Line) -> ClosedLine | None:
    """The closed form of a line, if it has one: uniform, symmetric, alike from both ends."""
    if not line.uniform or line.breaks or not line.fields or 0 in line.orders:
        return None
    if not all(np.array_equal(form, form.T) for form in line.constant):
        return None
    slots = tuple(slot if slot[0] >= 0 else (-1, 0) for slot in line.slots)
    made = _blocks(line.orders, slots, line.constant.tobytes())
    return None if made is None else ClosedLine(line.end - line.start, line.end_values, *made)


@lru_cache(maxsize=64)
def _blocks(
    orders: tuple[int, ...], slots: tuple[tuple[int, int], ...], constant: bytes
) -> tuple[tuple[CoupledFields, ...], Array] | None:
    """Blocks and the coordinates' own forms; the parts of a line that is cut have them in common."""
    form = _Form(orders, slots, np.frombuffer(constant).reshape(POWERS, len(slots), len(slots)))
    parity = _parities(form)
    if parity is None:
        return None
    places = [i for i, (field, _) in enumerate(slots) if field < 0]
    blocks = tuple(_block(form, group, parity, places) for group in _groups(form))
    return blocks, form.constant[np.ix_(range(POWERS), places, places)]


def _parities(line: _Form) -> dict[int, int] | None:
    """0 or 1 for each field, so that only even meets even; coordinates along the line (-1) are even."""
    found = {-1: 0}
    pairs = [(line.slots[i], line.slots[j]) for i, j in np.argwhere(np.any(line.constant, axis=0)).tolist()]
    if any((a[0] < 0 <= b[0] and b[1]) or (b[0] < 0 <= a[0] and a[1]) for a, b in pairs):
        return None  # a coordinate that works on a slope
    left = list(range(len(line.orders)))
    while left:
        grown = True
        while grown:
            grown = False
            for a, b in pairs:
                if a[0] in found and b[0] not in found:
                    found[b[0]] = (found[a[0]] + _order(a) + _order(b)) % 2
                    grown = True
        left = [field for field in left if field not in found]
        if left:
            found[left[0]] = 0
    agree = all((found[a[0]] + _order(a) + found[b[0]] + _order(b)) % 2 == 0 for a, b in pairs)
    return found if agree else None


def _order(slot: tuple[int, int]) -> int:
    return slot[1] if slot[0] >= 0 else 0


def _groups(line: _Form) -> list[list[int]]:
    """Fields that move one another."""
    linked = [{i} for i in range(len(line.orders))]
    for i, j in np.argwhere(np.any(line.constant, axis=0)).tolist():
        a, b = line.slots[i][0], line.slots[j][0]
        if a >= 0 and b >= 0 and linked[a] is not linked[b]:
            linked[a] |= linked[b]
            for one in linked[b]:
                linked[one] = linked[a]
    return [sorted(group) for i, group in enumerate(linked) if min(group) == i]


def _block(line: _Form, group: list[int], parity: dict[int, int], coordinates: list[int]) -> CoupledFields:
    starts = np.concatenate([[0], np.cumsum(line.orders)])
    values = [(field, x) for field in group for x in range(line.orders[field])]
    at = {slot: i for i, slot in enumerate(line.slots)}
    q, h = [at[slot] for slot in values], [at[field, line.orders[field]] for field in group]
    N, H = np.zeros((len(q), len(q))), np.zeros((len(q), len(h)))
    for i, (field, x) in enumerate(values):
        if x + 1 < line.orders[field]:
            N[i, i + 1] = 1.0
        else:
            H[i, group.index(field)] = 1.0
    every = range(POWERS)
    A, B, C, D, load = (
        line.constant[np.ix_(every, a, b)] for a, b in ((h, h), (h, q), (q, h), (q, q), (q, coordinates))
    )
    which = np.array([starts[field] + x for field, x in values], dtype=np.int64)
    even = np.array([(parity[field] + x) % 2 == 0 for field, x in values])
    return CoupledFields(which, even, N, H, A, B, C, D, load)
