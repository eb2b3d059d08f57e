"""One line at any s: its dynamic stiffness over (end a, end b, coordinates along it), and the modes it has swallowed.

A uniform line is taken whole by its closed form, or as one Galerkin stretch where the phase is small; any other is cut
into 2^level stretches, which are glued in pairs; in mixed form (`mixed.py`) where some of them are stiff beside others
or beside their inertia. The negative pivots of every condensed joint and the inner eigenvalues passed are its share of
J_0 of Wittrick and Williams: modes with every coordinate held.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from flexura.errors import FlexuraError
from flexura.solve.exact.closed import ClosedLine, closed_line
from flexura.solve.exact.gluing import Counts, glued, stiffness_pair
from flexura.solve.exact.lines import Array, Line, symmetric_line
from flexura.solve.exact.mixed import MixedLine, MixedStretches, stiffness_of
from flexura.solve.exact.segments import INNER, Matrices, Stretches, finer

PHASE = 6.0  # |lambda| l up to which a stretch with INNER functions is exact to rounding
_HIGHEST = 40
MOST = 20_000  # stretches of a line
_LOST = 1e3  # stiffness against what it is added to, from which on stretches are glued in mixed form


class LineStiffness:
    """One line at every fineness: level n has 2^n stretches between places where a property changes over."""

    def __init__(self, line: Line, inner: int = INNER) -> None:
        """`inner` functions in each stretch."""
        self.line, self.inner = line, inner
        self._levels: dict[int, Stretches] = {}
        self._tops: dict[int, Array] = {}
        self._losses: dict[int, tuple[float, float]] = {}
        self._slowness: dict[int, float] = {}

    @cached_property
    def closed(self) -> ClosedLine | None:
        """The closed form, if there is one."""
        return closed_line(self.line)

    @property
    def _alike(self) -> bool:
        """All stretches are the same."""
        return self.line.uniform and not self.line.breaks

    def stretches(self, level: int) -> Stretches:
        """The line cut at a level; one stretch stands for all where they are alike."""
        if level > _HIGHEST + 8 * self._alike:
            raise FlexuraError(
                f"The line of {self.line.name} is asked for waves shorter than {2.0**-level:.1g} of it",
                advice="ask for lower frequencies, or stay away from -1/internal_damping",
            )
        if level not in self._levels and self._alike:
            end = self.line.start + (self.line.end - self.line.start) / 2**level
            self._levels[level] = Stretches(self.line, np.array([self.line.start, end]), self.inner)
        if level not in self._levels:
            nodes = np.array([self.line.start, *self.line.breaks, self.line.end])
            if not level:
                _refuse_points(self.line)
            if level:
                nodes = finer(self.stretches(level - 1).nodes, self._limits(level - 1))
            if len(nodes) > MOST:
                raise FlexuraError(
                    f"The line of {self.line.name} cannot be resolved by {MOST} stretches: its stiffness must be"
                    " positive and its properties smooth in x",
                    advice="check the values, or ask for lower frequencies",
                )
            self._levels[level] = Stretches(self.line, nodes, self.inner)
        return self._levels[level]

    def top(self, level: int) -> float:
        """Up to which |s|^2 a level is exact to rounding; negative if it is nowhere."""
        return float(self._limits(level).min())

    def _limits(self, level: int) -> Array:
        """The same for each stretch: exact up to there, if all others are."""
        if level not in self._tops:
            self._tops[level] = self._measure(level)
        return self._tops[level]

    def _measure(self, level: int) -> Array:
        """Compare with more inner functions: the first inner eigenvalues, and D half way up."""
        coarse = self.stretches(level)
        fine = Stretches(self.line, coarse.nodes, self.inner + 6)
        a, b = coarse.condensed, fine.condensed
        if a is None or b is None:
            return np.full(len(coarse.lengths), -1.0)
        first, second = (np.sort(one.mu, axis=1)[:, -1:] for one in (a, b))
        unlike = (np.abs(first - second) > 1e-9 * np.abs(second).max(initial=0.0)).any(axis=1)
        first = first.max(axis=1, initial=0.0)
        largest = float(first.max(initial=0.0))
        half = np.array([-0.37 / largest if largest > 0 else 0.0])
        D, E = (one(None if self._still else np.sqrt(half + 0j), half)[0][0] for one in (a, b))
        scale = np.sqrt(np.abs(np.einsum("kii->ki", a.B[0])) + np.abs(half[0] * np.einsum("kii->ki", a.B[2])))
        scale[scale == 0] = np.inf  # a load or an output
        error = np.abs(D - E) / (scale[..., :, None] * scale[..., None, :])
        unlike |= error.max(axis=(1, 2), initial=0.0) > 1e-11
        with np.errstate(divide="ignore"):
            return np.where(unlike, -1.0, 0.7 / first)  # away from the pole

    @cached_property
    def _still(self) -> bool:
        return not np.any(self.line.constant[1]) and all(power != 1 for power, *_ in self.line.varying)

    def level(self, size: float) -> int:
        """The coarsest level that is exact for every |s|^2 up to `size`."""
        return self.finest(None, -np.array([0.0, size / 4, size / 2, size]))

    def finest(self, s: Matrices | None, s2: Matrices) -> int:
        """The coarsest level that is exact at all of these s."""
        if self.closed is not None:
            return int(self._halvings(self.closed.phase(self.closed.at(s, s2))).max(initial=0))
        size = float(np.abs(s2).max(initial=0.0))
        for level in range(_HIGHEST + 1):
            if self.top(level) >= size:
                return level
        raise FlexuraError(
            f"The line of {self.line.name} cannot be resolved at s^2 of size {size:.3g}: its stiffness must be"
            " positive and its properties smooth in x",
            advice="check the values",
        )

    def finest_each(self, s2: Matrices) -> Counts:
        """The same for each s^2 of a line with a closed form, at rest too."""
        assert self.closed is not None
        return self._halvings(self.closed.phase(self.closed.at(None, s2)))

    def _halvings(self, phase: Array) -> Counts:
        with np.errstate(divide="ignore", invalid="ignore"):
            levels = np.ceil(np.log2(phase / PHASE))
        return np.where(np.isfinite(levels), np.maximum(levels, 0), 0).astype(np.int64)

    def _levels_of(self, s2: Matrices) -> Counts:
        """The coarsest level for each |s|^2 of a line without a closed form."""
        highest = self.finest(None, s2)
        tops = np.maximum.accumulate([self.top(level) for level in range(highest + 1)])
        return np.searchsorted(tops, np.abs(s2), side="left")

    def __call__(self, s: Matrices | None, s2: Matrices) -> tuple[Matrices, Counts]:
        """D as (row, column, point), and J_0 (zeros where s is given) at each point."""
        if self.closed is None:
            return self._cut(s, s2, self._levels_of(s2))
        solutions = self.closed.at(s, s2)
        halvings = self._halvings(self.closed.phase(solutions))
        whole = halvings > 0
        for one in solutions:
            whole = whole & one.independent
        if not whole.any():
            return self._cut(s, s2, halvings)
        with np.errstate(all="ignore"):
            D = self.closed.stiffness(solutions, s, s2)
        count = np.zeros(len(s2), np.int64)
        if s is None:
            count += self._held(solutions, s2, halvings)
        if not whole.all():
            rest = np.flatnonzero(~whole)
            D[:, :, rest], count[rest] = self._cut(None if s is None else s[rest], s2[rest], halvings[rest])
        return D, count

    def _held(self, solutions: list[Any], s2: Matrices, halvings: Counts) -> Counts:
        """Modes below of the line with its ends held: joints by halving, then the parts' own."""
        closed, deepest = self.closed, int(halvings.max())
        assert closed is not None
        if closed.single:  # no half wave fits into the parts, and that is enough: expand in sines
            with np.errstate(all="ignore"):
                return closed.held(solutions, deepest + 1)
        condensed = self.stretches(deepest).condensed
        if condensed is None:
            raise FlexuraError(f"The stiffness of {self.line.name} is not positive", advice="check the values")
        with np.errstate(all="ignore"):
            joints = closed.held(solutions, deepest)
        inside = (1 + s2[:, None] * condensed.mu[0] < 0).sum(axis=1)
        return np.asarray(joints + 2**deepest * inside)

    @cached_property
    def _least(self) -> int:
        """The coarsest level whose stretches stand by themselves: a compressed line buckles between held ends."""
        return next((level for level in range(_HIGHEST + 1) if self.stretches(level).condensed is not None), 0)

    def _cut(self, s: Matrices | None, s2: Matrices, levels: Counts) -> tuple[Matrices, Counts]:
        """Stretches glued in pairs, at each point's own level."""
        found, count = None, np.zeros(len(s2), np.int64)
        levels = np.maximum(levels, self._least)
        for level in map(int, np.unique(levels)):
            here = slice(None) if (levels == level).all() else np.flatnonzero(levels == level)
            D, passed = self.glued(None if s is None else s[here], s2[here], level)
            if found is None:
                found = np.zeros((*D.shape[:2], len(s2)), D.dtype)
            found[:, :, here] = D
            if s is None:
                count[here] = passed
        size = 2 * self.line.end_values + len(self.line.coordinates)
        return np.zeros((size, size, 0)) if found is None else found, count

    @cached_property
    def _mixed(self) -> MixedLine:
        return MixedLine(self.line, self.inner, self._alike, _HIGHEST, MOST)

    @cached_property
    def symmetric(self) -> bool:
        """What a motion does to another, the other does to it."""
        return symmetric_line(self.line)

    def _lost(self, level: int, least: float) -> tuple[float, float]:
        """How stiff stretches are beside each other, and beside their inertia (that is: times |s^2|).

        Of the second a bound, where that shows that nothing is lost from the least |s^2| on.
        """
        if level not in self._losses:
            e = self.line.end_values
            K, M = (np.abs(np.einsum("kii->ki", form)[:, :e]) for form in self.stretches(level).forms[::2])
            with np.errstate(divide="ignore", invalid="ignore"):
                spreads = np.where(K.min(axis=0) > 0, K.max(axis=0) / K.min(axis=0), 1.0)
                ratios = np.where(M > 0, K / M, np.where(K > 0, np.inf, 0.0))
            self._losses[level] = float(spreads.max(initial=1.0)), float(ratios.max(initial=0.0))
        spread, slow = self._losses[level]
        if spread > _LOST or slow <= _LOST * least:
            return spread, slow
        if level not in self._slowness:
            self._slowness[level] = self._slow(level)
        return spread, self._slowness[level]

    def _slow(self, level: int) -> float:
        """How stiff stretches are beside all the inertia that moves with their start."""
        e, stretches = self.line.end_values, self.stretches(level)
        K, M = (np.abs(np.einsum("kii->ki", form)[:, :e]) for form in stretches.forms[::2])
        M = np.maximum(M, np.abs(MixedStretches(stretches, self._mixed.motion).inertia_at_start))
        with np.errstate(divide="ignore", invalid="ignore"):
            return float(np.where(M > 0, K / M, 0.0).max(initial=0.0))

    def glued(self, s: Matrices | None, s2: Matrices, level: int) -> tuple[Matrices, Counts]:
        """D as (row, column, point) of the line cut at a level."""
        whole = level == 0 and not self.line.breaks
        if whole or not self.symmetric or not self.line.end_values:
            return self._joined(s, s2, level)
        spread, slow = self._lost(level, float(np.abs(s2).min(initial=np.inf)))
        stiff = np.full(len(s2), True) if spread > _LOST else slow > _LOST * np.abs(s2)
        if not stiff.any() or self._mixed.levels(s2[stiff]) is None:
            return self._joined(s, s2, level)
        size = 2 * self.line.end_values + len(self.line.coordinates)
        found = np.zeros((size, size, len(s2)), s2.dtype if s is None else np.complex128)
        count = np.zeros(len(s2), np.int64)
        for here, part in ((stiff, self._from_mixed), (~stiff, lambda s, s2: self._joined(s, s2, level))):
            if here.any():
                found[:, :, here], passed = part(None if s is None else s[here], s2[here])
                count[here] = passed if s is None else 0
        return found, count

    def _from_mixed(self, s: Matrices | None, s2: Matrices) -> tuple[Matrices, Counts]:
        """D from the mixed form of the whole line."""
        e = self.line.end_values
        H, count = self._whole_mixed(s, s2)
        D, count = stiffness_of(H, count, e)
        return np.moveaxis(D, 0, 2), count

    def _whole_mixed(self, s: Matrices | None, s2: Matrices) -> tuple[Matrices, Counts]:
        """(point, row, column) over (q_a, f, coordinates) in their own units, and J_0 of the mixed form."""
        e, levels = self.line.end_values, self._mixed.levels(s2)
        if levels is None:
            raise FlexuraError(
                f"The line of {self.line.name} cannot be resolved at s^2 of size {np.abs(s2).max():.3g}: its"
                " stiffness must be positive and its properties smooth in x",
                advice="check the values",
            )
        size = 2 * e + len(self.line.coordinates)
        found = np.zeros((len(s2), size, size), s2.dtype if s is None else np.complex128)
        count = np.zeros(len(s2), np.int64)
        for level in map(int, np.unique(levels)):
            here = levels == level
            H, passed = self._mixed(None if s is None else s[here], s2[here], level)
            count[here] = passed if s is None else 0
            scales = self._scales(self._mixed.at(level).plain)
            scales[e : 2 * e] = 1 / scales[e : 2 * e]
            found[here] = H * scales[:, None] * scales
        return found, count

    def part(self, s: Matrices | None, s2: Matrices) -> tuple[Matrices, Counts]:
        """What the line adds to D: its stiffness, or (q_a, f, coordinates, q_b) in mixed form, less e for its count."""
        if self.line.loads is None:
            return self(s, s2)
        e = self.line.end_values
        H, count = self._whole_mixed(s, s2)
        n = H.shape[1]
        found = np.zeros((n + e, n + e, len(s2)), H.dtype)
        found[:n, :n] = np.moveaxis(H, 0, 2)
        found[e : 2 * e, n:] = found[n:, e : 2 * e] = np.eye(e)[:, :, None]
        return found, count - e if s is None else count

    def _joined(self, s: Matrices | None, s2: Matrices, level: int) -> tuple[Matrices, Counts]:
        """The same by the stiffness of stretches."""
        condensed = self.stretches(level).condensed
        if level == 0 and not self.line.breaks and condensed is not None and condensed.coupled is None:
            D, passed = condensed.single(s, s2)
            scales = self._scales(self.stretches(level))
            return D * scales[:, None, None] * scales[None, :, None], passed
        D, passed = self.galerkin(s, s2, level)
        return np.moveaxis(D, 0, 2), passed

    def _scales(self, stretches: Stretches) -> Array:
        """The unit of each value that stays."""
        return np.concatenate([np.tile(stretches.end_scales, 2), np.ones(len(self.line.coordinates))])

    def galerkin(self, s: Matrices | None, s2: Matrices, level: int) -> tuple[Matrices, Counts]:
        """D over (point, row, column) of the line cut at a level, and J_0 (the phase of what was condensed)."""
        stretches = self.stretches(level)
        if stretches.condensed is None:
            raise FlexuraError(f"The stiffness of {self.line.name} is not positive", advice="check the values")
        D, below = stretches.condensed(s, s2)
        e = self.line.end_values
        D, below = glued(D, below, e, level if self._alike else None, stiffness_pair)
        scales = self._scales(stretches)
        return D * scales[:, None] * scales, below

    @cached_property
    def map(self) -> Array:
        """(end a, end b, coordinates) from generalized coordinates."""
        units = np.eye(self.line.ends.shape[1])[list(self.line.coordinates)]
        return np.vstack([self.line.ends, units])

    @cached_property
    def simple(self) -> Stretches:
        """The line with one inner function a field, to judge sizes by."""
        return Stretches(self.line, np.array([self.line.start, *self.line.breaks, self.line.end]), 1)

    @cached_property
    def _first(self) -> Array:
        """(stretch, inner function): stiffness by inertia."""
        k, m = (np.einsum("kii->ki", self.simple.forms[power])[:, self.simple.outer :] for power in (0, 2))
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(m > 0, np.abs(k) / m, np.inf)

    @cached_property
    def first(self) -> float:
        """About the first omega^2 with both ends held; infinite where the line has no inertia."""
        return float(self._first.min(initial=np.inf))

    @property
    def may_be_mixed(self) -> bool:
        """The line can enter in mixed form, and has not."""
        return self.line.loads is None and self.symmetric and self.line.end_values > 0

    @cached_property
    def rigid_below(self) -> float:
        """The |s^2| below which D would lose the weight of some field in its stiffness; zero where none has any."""
        if not self.may_be_mixed:
            return 0.0
        first = self._first.reshape(-1, len(self.line.fields), self.simple.inner).min(axis=(0, 2))
        return 1e-5 * float(np.max(first, where=np.isfinite(first), initial=0.0))

    @cached_property
    def _sizes(self) -> tuple[Array, Array, Array]:
        """(stiffness, inertia/stiffness, exponent)"""
        simple, outer = self.simple, self.simple.outer
        scales = np.concatenate([np.tile(simple.end_scales, 2), np.ones(len(self.line.coordinates))])
        k, m = (np.abs(np.einsum("kii->i", simple.forms[power][:, :outer, :outer])) * scales**2 for power in (0, 2))
        powers = [(2 * n - 1 - 2 * x) / (2 * n) for n in self.line.orders for x in range(n)]
        stiff = np.where(k > 0, k, 1e-3 * m)
        ratio = np.divide(m, stiff, out=np.zeros_like(m), where=stiff > 0)
        return stiff, ratio, np.array([*powers, *powers, *(1.0 for _ in self.line.coordinates)])

    def sizes(self, size: Array) -> Array:
        """About how large D's diagonal is at each |s^2|: stiffness (1 + |s^2| inertia/stiffness)^exponent."""
        if self.line.loads is not None:
            return self._mixed_sizes(size)
        stiff, ratio, powers = self._sizes
        found = 1 + ratio[:, None] * size
        for i, power in enumerate(powers):
            if power < 1:  # quarters, for beams and rods
                root = np.sqrt(found[i])
                found[i] = root * np.sqrt(root) if power == 0.75 else np.sqrt(root) if power == 0.25 else root
        return np.asarray(stiff[:, None] * found)

    @cached_property
    def _at_rest(self) -> Array:
        """|H| of the mixed form without inertia, over (q_a, f, coordinates)."""
        H = np.abs(self._whole_mixed(None, np.zeros(1))[0][0])
        return np.asarray(H * self.coupled[: len(H), : len(H)])

    @cached_property
    def coupled(self) -> Array:
        """1 where D has an entry at some s, 0 elsewhere: bending in one plane takes no part in that in the other."""
        line, fields = self.line, len(self.line.fields)
        of = [field if field >= 0 else fields + line.coordinates.index(which) for field, which in line.slots]
        meet = np.eye(fields + len(line.coordinates))
        pairs = [(of[i], of[j]) for _, i, j in [*np.argwhere(line.constant), *(one[:3] for one in line.varying)]]
        for i, j in [*pairs, *((fields + line.coordinates.index(place), field) for place, field, _ in line.points)]:
            meet[i, j] = meet[j, i] = 1.0
        inside = np.linalg.matrix_power(meet[:fields, :fields], max(1, fields))
        along = meet[:, :fields] @ inside  # by way of what is condensed: fields, never coordinates
        meet = np.maximum(meet, along @ along.T) > 0
        ends = np.repeat(np.arange(fields), line.orders)
        values = np.concatenate([ends, ends, fields + np.arange(len(line.coordinates))])
        if line.loads is not None:  # (end a, loads, coordinates, end b)
            values = np.concatenate([values, ends])
        return np.asarray(meet[values[:, None], values], np.float64)

    def rounded_loads(self, x: Array, y: Array) -> Array:
        """What an error of 1 in the entries of loads of a mixed form makes of y' D x: (column of y, point).

        `x`, (row, point), and `y`, (row, column, point), hold no signs.
        """
        e = self.line.end_values
        a, f, b, H = slice(0, e), slice(e, 2 * e), slice(-e, None), self._at_rest
        left, right = H[f, a] @ x[a] + x[b], np.einsum("fa,akp->fkp", H[f, a], y[a]) + y[b]
        found = np.einsum("fp,fkp->kp", left, y[f]) + np.einsum("fp,fkp->kp", x[f], right)
        return np.asarray(found + np.einsum("fp,fkp->kp", H[f, f] @ x[f], y[f]))

    def _mixed_sizes(self, size: Array) -> Array:
        """The same of (q_a, f, coordinates, q_b): what moves the line as if it were rigid; none for loads."""
        e, mixed = self.line.end_values, self._mixed.at(0)
        k, m = (np.abs(np.einsum("kii->i", mixed.forms[power])) for power in (0, 2))
        rigid = (k[:, None] + m[:, None] * size) * np.ones((len(k), len(size)))
        a = rigid[:e] * mixed.plain.end_scales[:, None] ** 2
        return np.concatenate([a, 0 * a, rigid[2 * e : mixed.plain.outer], a])


def _refuse_points(line: Line) -> None:
    """Refuse a stiffness that vanishes at an end: no cut, however short, resolves what the tip does."""
    x = np.array([line.start, (line.start + line.end) / 2, line.end])
    for power, i, j, f in line.varying:
        field, which = line.slots[i]
        if power == 0 and i == j and field >= 0 and which == line.orders[field] and not line.constant[0, i, i]:
            a, middle, b = np.abs(f(x))
            for at, value in ((line.start, a), (line.end, b)):
                if value <= 1e-36 * middle:
                    raise FlexuraError(
                        f"The stiffness of {line.fields[field]} vanishes at x = {at:.6g}, where the line runs out"
                        " in a point",
                        advice=(
                            "let it end a little blunt there ((1.0001 - x) for (1 - x)), or ask for its modes with"
                            " method='ritz'"
                        ),
                    )


def kind(line: Line) -> tuple[object, ...] | None:
    """What uniform lines that behave alike have in common, wherever they stand."""
    if not line.uniform or line.breaks:
        return None
    slots = tuple(slot if slot[0] >= 0 else (-1, 0) for slot in line.slots)
    return line.end - line.start, line.orders, slots, line.constant.tobytes(), line.loads is None
