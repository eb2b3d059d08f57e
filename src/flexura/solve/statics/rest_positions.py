"""Where a system without fields rests: damped Newton steps from several starts, the lowest where the first fails.

>>> RestPositions(rows, names, energy).found(start)        # (state, imbalance, how many conditions repeat others)
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TypeAlias

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.derivation.equations.rows import Row
from flexura.errors import FlexuraError
from flexura.symbolic.engine import Basic, Symbol, partial
from flexura.symbolic.machine import machine_function
from flexura.systems.conditions import least, rank

Array: TypeAlias = NDArray[np.float64]
_STARTS, _BALANCED = 60, 1e-10
_SAME = 1e-10  # of rows and their slopes, by which what turned round and round may differ: rounding
_NEARLY = 1e-3, 1e-5, 1e-7  # of conditions beside the largest, below which they repeat others near a state


class NowhereAtRest(FlexuraError):
    """No state of rest was found."""


class RestPositions:
    """A system without fields: damped Newton steps from several starts; `energy` decides between their ends."""

    def __init__(self, rows: Sequence[Row], names: Sequence[str], energy: Basic) -> None:
        self.rows, self.names = [row.name for row in rows], names
        self.held = [i for i, row in enumerate(rows) if row.kind == "constraint"]
        trees, symbols = [row.left.local for row in rows], [Symbol(name) for name in names]
        known: dict[Basic, Basic] = {}
        sizes = [_size(f, known) for f in trees]
        slopes = [partial(f, one) for f in trees for one in symbols]
        self.function = machine_function(symbols, [*trees, *sizes, *slopes, energy], cse=True)

    def found(self, start: Sequence[float]) -> tuple[dict[str, float], float, int]:
        """Where the first start leads; if nowhere, the lowest of the places where the others lead.

        Of the multipliers of conditions that repeat one another there, those of least norm.
        """
        ends = [self._end(np.array(start, dtype=np.float64))]
        if ends[0][1] > _BALANCED:
            ends += [self._end(u) for u in self._starts(np.array(start, dtype=np.float64))]
        rests = [end for end in ends if end[1] <= _BALANCED]
        if not rests:
            _, imbalance, _, row = min(ends, key=lambda end: end[1])
            raise NowhereAtRest(
                f"No equilibrium was found from {_STARTS} starts: in the best of them the equation of {row} is out"
                f" of balance by {imbalance:.2g} of its terms",
                advice="see whether every load is held, or give guess={...}",
            )
        u, imbalance, _, _ = min(rests, key=lambda end: end[2])
        u = self._nearest_turns(u, np.array(start, dtype=np.float64))
        A = self._at(u)[2][self.held, : len(u) - len(self.held)]
        extra = len(A) - rank(A)
        if extra:
            u = np.concatenate([u[: len(u) - len(A)], least(A, u[len(u) - len(A) :])])
        return dict(zip(self.names, map(float, u), strict=True)), imbalance, extra

    def _starts(self, first: Array) -> Iterator[Array]:
        generator = random.Random(1)
        for i in range(1, _STARTS):
            size = (0.1, 1.0, 3.0, 10.0)[i % 4]
            yield first + np.array([generator.uniform(-size, size) for _ in self.names])

    def _nearest_turns(self, u: Array, start: Array) -> Array:
        """The same place with angles at the turn nearest to the start, alone or in pairs that only count together."""
        angles = range(len(u) - len(self.held))
        for some in (tuple(angles), *combinations(angles, 1), *combinations(angles, 2)):
            turns = np.zeros(len(u))
            turns[list(some)] = 2 * np.pi * np.round((u - start)[list(some)] / (2 * np.pi))
            if turns.any() and self._repeats(u, turns):
                u = u - turns
        return u

    def _repeats(self, u: Array, turns: Array) -> bool:
        """Whether so many turns change nothing: at a place, nor beside it."""
        beside = u + np.cos(1.0 + np.arange(len(u)))  # in no special direction
        for place in (u, beside):
            (r, size, J, _), (again, _, J_again, _) = self._at(place), self._at(place - turns)
            scale = size + np.abs(J) @ np.maximum(np.abs(place), 1.0)
            slopes = np.abs(J - J_again).max(initial=0.0) <= _SAME * np.abs(J).max(initial=0.0)
            if not (slopes and np.all(np.abs(r - again) <= _SAME * scale)):
                return False
        return True

    def _end(self, u: Array) -> tuple[Array, float, float, str]:
        """Where Newton's method ends, noise about zero removed: place, imbalance, energy, and the worst row."""
        u = self._newton(u)
        if self.held and self._imbalance(u).max() > _BALANCED and np.isfinite(self._at(u)[2]).all():
            u = self._beside_repeated(u)
        clean = np.where(np.abs(u) < 1e-12 * max(1.0, np.abs(u).max()), 0.0, u)
        u = clean if self._imbalance(clean).max() <= _BALANCED else u
        imbalance = self._imbalance(u)
        return u, float(imbalance.max()), self._at(u)[3], self.rows[int(imbalance.argmax())]

    def _beside_repeated(self, u: Array) -> Array:
        """Again where conditions that nearly repeat others threw multipliers far off: from those of least norm."""
        first = len(u) - len(self.held)
        for cut in _NEARLY:
            r, _, J, _ = self._at(u)
            pull = np.delete(J[:, first:], self.held, axis=0)
            left = pull @ u[first:] - np.delete(r, self.held)
            least_norm = np.linalg.lstsq(pull, left, rcond=cut)[0]
            again = self._newton(np.concatenate([u[:first], least_norm]), cut)
            if self._imbalance(again).max() <= _BALANCED:
                return again
        return u

    def _at(self, u: Array) -> tuple[Array, Array, Array, float]:
        """Residuals, the size of their terms, slopes, and the energy."""
        n = len(self.rows)
        found = np.asarray(self.function(u), dtype=np.float64)
        return found[:n], found[n : 2 * n], found[2 * n : -1].reshape(n, len(u)), float(found[-1])

    def _newton(self, u: Array, cut: float = 1e-12) -> Array:
        """Least-squares steps, halved until the imbalance falls; two more once they are small."""
        more = 2
        for _ in range(80):
            r, _, J, _ = self._at(u)
            if not np.isfinite(J).all() or not np.isfinite(r).all():
                break  # outside the domain of a root or a logarithm
            weight = 1 / np.where((total := np.abs(J).sum(axis=1)) > 0, total, 1.0)
            step = np.linalg.lstsq(J * weight[:, None], -r * weight, rcond=cut)[0]
            size, before = 1.0, np.linalg.norm(r * weight)
            while size > 1e-4 and not np.linalg.norm(self._at(u + size * step)[0] * weight) <= before:
                size /= 2
            u = u + size * step
            more -= int(np.abs(step).max() <= 1e-9 * max(1.0, np.abs(u).max()))
            if more < 0:
                break
        return u

    def _imbalance(self, u: Array) -> Array:
        """What is left of each row, relative to its terms and to what a displacement of 1e-6 would do."""
        r, size, J, _ = self._at(u)
        scale = size + np.abs(J) @ np.maximum(np.abs(u), 1e-6)
        return np.asarray(np.nan_to_num(np.abs(r) / np.maximum(scale, 1e-300), nan=np.inf))


def _size(f: Basic, known: dict[Basic, Basic]) -> Basic:
    """The sizes of an expression's terms, added up as if its products were multiplied out."""
    if f not in known:
        if isinstance(f, symengine.Add):
            known[f] = symengine.Add(*(_size(one, known) for one in f.args))
        elif isinstance(f, symengine.Mul):
            known[f] = symengine.Mul(*(_size(one, known) for one in f.args))
        elif isinstance(f, symengine.Pow) and isinstance(f.args[1], symengine.Integer) and f.args[1] > 0:
            known[f] = _size(f.args[0], known) ** f.args[1]
        else:
            known[f] = symengine.Abs(f)
    return known[f]
