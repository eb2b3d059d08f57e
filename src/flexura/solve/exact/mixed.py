"""A line in mixed form: the values q_a at its start, the loads f at its end.

    [ f_a ]   [  A  -C' ] [ q_a ]        A: the stiffness that the start feels while the end is free
    [     ] = [         ] [     ]        C: how the end follows the start
    [-q_b ]   [ -C  -E  ] [  f  ]        E: the flexibility of the end while the start is held

The dynamic stiffness of a stretch that is stiff beside its neighbours, or beside its inertia, is all stiffness: what
its rigid motions weigh is lost in the rounding of EI/h^3. Here no number grows with the stiffness: A is the inertia, C
the rigid motion, E is small. Functions are a motion without strain that q_a gives, and others that vanish at the start;
energies are summed from strains, so that the first have none. Stretches are glued by (f_m, q_m) with [[-E1, 1], [1,
A2]], which is 1 where both are stiff. Each stretch, and each joint beyond its e negative pivots, adds to the modes with
the start held and the end free: J_0 of the mixed form.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexura.solve.exact.gluing import Counts, glued, mixed_pair
from flexura.solve.exact.lines import Array, Line
from flexura.solve.exact.segments import TINY as _TINY
from flexura.solve.exact.segments import Condensed, Matrices, Stretches, condense, finer, off_singular

_MORE = 6  # inner functions more, to compare with


@dataclass(frozen=True)
class MixedStretches:
    """The stretches of a line over (q_a, f, coordinates | what vanishes at the start)."""

    plain: Stretches
    motion: tuple[Array, Array]
    """`strainless` of the line."""

    @property
    def _e(self) -> int:
        return self.plain.line.end_values

    def _carried(self, t: Array) -> Array:
        """Values q at distances t from the start for units of q_a (slopes times the common length): (.., q, q_a)."""
        G = self.motion[0]
        found, power = np.zeros((*t.shape, *G.shape)), np.eye(len(G))
        for j in range(len(G)):
            found = found + t[..., None, None] ** j * power
            power = power @ G / (j + 1)
        return np.asarray(found / self.plain.end_scales)

    @cached_property
    def _carried_jets(self) -> list[Array]:
        """Each slot for the motions that values at the start give, (stretch, value, point), as derivatives in xi."""
        plain, starts, found = self.plain, np.cumsum([0, *self.plain.line.orders]), []
        t = plain.lengths[:, None] * (plain.points[0] + 1) / 2
        carried = self._carried(t)
        highest = np.einsum("fq,kgqa->kgfa", self.motion[1], carried)
        for field, which in plain.line.slots:
            one = np.zeros((*t.shape, self._e))
            if field >= 0:
                of = highest[:, :, field] if which == plain.line.orders[field] else carried[:, :, starts[field] + which]
                one = of * ((plain.lengths / 2) ** which)[:, None, None]
            found.append(np.swapaxes(one, 1, 2))
        return found

    @cached_property
    def _jets(self) -> list[Array]:
        """Each slot for each function, (stretch, function, point), as derivatives in xi; none for loads."""
        plain, e, outer, found = self.plain, self._e, self.plain.outer, []
        for carried, table in zip(self._carried_jets, plain.gauss_tables, strict=True):
            one = np.zeros((len(plain.lengths), plain.size + e, table.shape[1]))
            one[:, 2 * e : outer] = table[2 * e : outer]
            one[:, outer : outer + e] = table[e : 2 * e] * plain.slope_ratio[:, e : 2 * e, None]
            one[:, outer + e :] = table[outer:]
            one[:, :e] = carried
            found.append(one)
        return found

    @cached_property
    def inertia_at_start(self) -> Array:
        """(stretch, value): what each value at the start moves, the diagonal of the form of s^2, without the rest."""
        jets, found = self._carried_jets, np.zeros((len(self.plain.lengths), self._e))
        for i, pivot, ratio, rest in self.plain.completed(2):
            strain = jets[i]
            for j in range(i + 1, len(jets)):
                strain = strain if ratio is None else strain + ratio[j - i - 1][:, None] * jets[j]
                if rest is not None:
                    found += 2 * np.einsum("kag,kag,kg->ka", jets[i], jets[j], rest[j - i - 1])
            found += np.einsum("kag,kg->ka", strain**2, pivot)
        return found

    @cached_property
    def forms(self) -> Array:
        """(3, stretch, function, function)"""
        plain, e, outer, jets = self.plain, self._e, self.plain.outer, self._jets
        forms = np.zeros((3, len(plain.lengths), plain.size + e, plain.size + e))
        for power in (0, 2):
            for i, pivot, ratio, rest in plain.completed(power):
                strain = jets[i]
                for j in range(i + 1, len(jets)):
                    if ratio is not None and ratio[j - i - 1].any():
                        strain = strain + ratio[j - i - 1][:, None] * jets[j]
                forms[power] += (strain * pivot[:, None]) @ np.swapaxes(strain, 1, 2)
                for j in range(i + 1, len(jets)):
                    if rest is not None and rest[j - i - 1].any():
                        cross = (jets[i] * rest[j - i - 1][:, None]) @ np.swapaxes(jets[j], 1, 2)
                        forms[power] += cross + np.swapaxes(cross, 1, 2)
        for (power, i, j), c in plain.weighted.items():
            if power == 1:
                forms[1] += (jets[i] * c[:, None]) @ np.swapaxes(jets[j], 1, 2)
        f, r = np.arange(e, 2 * e), np.arange(outer, outer + e)
        over = plain.end_scales[:, None] * self._carried(plain.lengths)
        forms[0, :, e : 2 * e, :e], forms[0, :, :e, e : 2 * e] = -over, -np.swapaxes(over, 1, 2)
        forms[0, :, f, r] = forms[0, :, r, f] = -1.0
        for which, field, x in plain.line.points:
            self._read(forms, which, field, x)
        return forms

    def _read(self, forms: Array, which: int, field: int, x: float) -> None:
        """A value inside the line, for a coordinate."""
        plain, e, outer = self.plain, self._e, self.plain.outer
        k, values = plain.values(field, x)
        row = np.zeros(plain.size + e)
        row[outer : outer + e], row[outer + e :] = values[e : 2 * e], values[outer:]
        start = int(sum(plain.line.orders[:field]))
        row[:e] = self._carried(np.array([x - plain.nodes[k]]))[0, start]
        place = 2 * e + plain.line.coordinates.index(which)
        forms[0, k, place] += row
        forms[0, k, :, place] += row

    @cached_property
    def condensed(self) -> Condensed | None:
        """Ready to condense at any s; None where a stretch held at its start alone is not stable: cut shorter then."""
        return condense(self.forms, self.plain.outer)

    @property
    def top(self) -> float:
        """Up to which |s|^2 it is exact to rounding; negative if it is nowhere."""
        return float(self.limits.min())

    @cached_property
    def limits(self) -> Array:
        """The same for each stretch, by comparison with more functions."""
        finer = MixedStretches(Stretches(self.plain.line, self.plain.nodes, self.plain.inner + _MORE), self.motion)
        a, b = self.condensed, finer.condensed
        if a is None or b is None:
            return np.full(len(self.plain.lengths), -1.0)
        first, second = (np.sort(one.mu, axis=1)[:, -1] for one in (a, b))
        unlike = np.abs(first - second) > 1e-9 * np.abs(second).max()
        largest = float(first.max(initial=0.0))
        half = np.array([-0.37 / largest if largest > 0 else 0.0])
        damped = bool(np.any(self.forms[1]))
        H, K = (one(np.sqrt(half + 0j) if damped else None, half)[0][0] for one in (a, b))
        e = self._e
        size = np.abs(np.einsum("kii->ki", H))
        size[:, :e] = np.abs(np.einsum("kii->ki", a.B[0] + half[0] * a.B[2]))[:, :e]
        scale = np.sqrt(size[:, :, None] * size[:, None, :])
        scale[:, :e, e : 2 * e] = scale[:, e : 2 * e, :e] = 1.0
        scale[:, 2 * e :], scale[:, :, 2 * e :] = np.inf, np.inf  # loads and outputs
        unlike |= (np.abs(H - K) > 1e-11 * scale + _TINY).any(axis=(1, 2))
        with np.errstate(divide="ignore"):
            return np.where(unlike, -1.0, 0.7 / first)


def strainless(line: Line) -> tuple[Array, Array]:
    """G of q_x = G q and R of (highest derivatives) = R q for motions without strain; plain polynomials in doubt.

    Twice the potential energy is a'Aa + 2a'Bq + ..., so a = -A^-1 B q: a beam that turns, sheared or not, stays
    straight. It must be the same all along the line.
    """
    starts = np.cumsum([0, *line.orders])
    e, N, H = int(starts[-1]), np.zeros((int(starts[-1]),) * 2), np.zeros((int(starts[-1]), len(line.orders)))
    for field, order in enumerate(line.orders):
        for x in range(order - 1):
            N[starts[field] + x, starts[field] + x + 1] = 1.0
        if order:
            H[starts[field] + order - 1, field] = 1.0
    R = _ratios(line, e)
    G = N + H @ R
    if R.any() and np.any(np.linalg.matrix_power(G, e)):
        return N, np.zeros_like(R)
    return G, R


def _ratios(line: Line, e: int) -> Array:
    none = np.zeros((len(line.orders), e))
    highest = [(field, order) for field, order in enumerate(line.orders)]
    values = [(field, x) for field, order in enumerate(line.orders) for x in range(order)]
    if any(slot not in line.slots for slot in (*highest, *values)):
        return none
    h, q = ([line.slots.index(slot) for slot in slots] for slots in (highest, values))
    x = line.start + (line.end - line.start) * np.array([0.0717, 0.2931, 0.5, 0.7123, 0.9381])
    C = np.zeros((len(x), len(line.slots), len(line.slots)))
    for (power, i, j), c in line.coefficients(x).items():
        if power == 0:
            C[:, i, j] += c
    try:
        R = -np.linalg.solve(C[:, h][:, :, h], C[:, h][:, :, q])
    except np.linalg.LinAlgError:
        return none
    return R[0] if np.all(np.isfinite(R)) and np.allclose(R, R[0], rtol=1e-13, atol=0) else none


def stiffness_of(H: Matrices, count: Counts, e: int) -> tuple[Matrices, Counts]:
    """The dynamic stiffness over (q_a, q_b, coordinates), (point, row, column), and J_0 with both ends held."""
    a, f, p = slice(0, e), slice(e, 2 * e), slice(2 * e, None)
    soft = H[..., f, f]
    unit = 1 / np.sqrt(np.abs(np.einsum("...ii->...i", soft)) + _TINY)
    rows = np.zeros((len(H), e, H.shape[-1]), H.dtype)
    rows[..., a], rows[..., f], rows[..., p] = H[..., f, a], np.eye(e), H[..., f, p]
    rows = rows * unit[:, :, None]
    soft = soft * unit[:, :, None] * unit[:, None, :]
    kept = H.copy()
    kept[..., f, :], kept[..., :, f] = 0.0, 0.0
    if np.iscomplexobj(H):
        return kept - np.swapaxes(rows, -1, -2) @ np.linalg.solve(off_singular(soft), rows), count
    sizes, V = np.linalg.eigh(soft)
    sizes = np.where(np.abs(sizes) < _TINY, _TINY, sizes)
    right = np.swapaxes(V, -1, -2) @ rows
    D = kept - np.swapaxes(right, -1, -2) @ (right / sizes[..., None])
    return D, count + (sizes < 0).sum(axis=-1) - e


class MixedLine:
    """One line in mixed form at every fineness.

    >>> H, below = MixedLine(line, INNER, False, 40, 20_000)(None, -(omega**2), level=0)
    """

    def __init__(self, line: Line, inner: int, alike: bool, highest: int, most: int) -> None:
        """Where all stretches are `alike`, one stands for 2^level; else there are at most `most`."""
        self.line, self.inner, self._alike, self._highest, self._most = line, inner, alike, highest, most
        self._made: dict[int, MixedStretches] = {}

    @cached_property
    def motion(self) -> tuple[Array, Array]:
        """Without strain, as `strainless` says."""
        return strainless(self.line)

    def at(self, level: int) -> MixedStretches:
        """Cut at a level."""
        if level not in self._made:
            self._made[level] = MixedStretches(Stretches(self.line, self._nodes(level), self.inner), self.motion)
        return self._made[level]

    def _nodes(self, level: int) -> Array:
        line = self.line
        if self._alike:
            return np.array([line.start, line.start + (line.end - line.start) / 2**level])
        if level == 0:
            return np.array([line.start, *line.breaks, line.end])
        before = self.at(level - 1)
        return finer(before.plain.nodes, before.limits)

    def levels(self, s2: Matrices) -> Counts | None:
        """The coarsest level for each |s^2|, None where there is none."""
        size, tops = float(np.abs(s2).max(initial=0.0)), [self.at(0).top]
        while tops[-1] < size:
            if len(tops) > self._highest or len(self.at(len(tops) - 1).plain.nodes) > self._most:
                return None
            tops.append(self.at(len(tops)).top)
        return np.searchsorted(np.maximum.accumulate(tops), np.abs(s2), side="left")

    def __call__(self, s: Matrices | None, s2: Matrices, level: int) -> tuple[Matrices, Counts]:
        """(point, row, column) over (q_a, f, coordinates), and J_0; slopes are times, moments by the common length."""
        mixed = self.at(level)
        assert mixed.condensed is not None
        H, below = mixed.condensed(s, s2)
        return glued(H, below, mixed.plain.line.end_values, level if self._alike else None, mixed_pair)
