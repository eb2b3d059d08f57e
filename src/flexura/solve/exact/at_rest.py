"""A line's stiffness at rest by how it is strained, and apart from it what inertia adds: for counts with long digits.

    D(s) = T' k T + R(s),          T = [-C  1],  q_b - C q_a: what the end moves beyond the start's rigid motion

EI/h^3 against what moves slowly holds next to nothing of omega^2 m in 16 digits. C holds ones and lengths, and k is as
stiff as strains are, so T' k T has its rigid motions to all digits that the sum over members is made with
(`long_count.py`), while R is rounded against inertia alone.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from flexura.solve.exact.line_stiffness import LineStiffness
from flexura.solve.exact.lines import Array
from flexura.solve.exact.mixed import strainless

_RIGID = 1e-9  # of the stiffness: what a motion without strain may feel of it


class LineAtRest:
    """One line so; `strains` is None where its stiffness is not of that form (beds, preloads, loads along it)."""

    def __init__(self, line: LineStiffness) -> None:
        """Lines with breaks, or in mixed form, have none."""
        self.line = line

    @cached_property
    def strains(self) -> tuple[Array, Array] | None:
        """T over (q_a, q_b, coordinates), and k."""
        line, e = self.line.line, self.line.line.end_values
        if line.breaks or line.points or line.loads is not None or not e or not self.line.symmetric:
            return None
        condensed = self.line.stretches(0).condensed
        if condensed is None or condensed.coupled is not None or len(condensed.B[0]) != 1:
            return None
        T = np.zeros((e, 2 * e + len(line.coordinates)))
        T[:, :e], T[:, e : 2 * e] = -_carried(strainless(line)[0], line.end - line.start), np.eye(e)
        K = self._stiffness
        k = (K[e : 2 * e, e : 2 * e] + K[e : 2 * e, e : 2 * e].T) / 2
        size = np.sqrt(np.abs(np.diagonal(K)))
        unit = np.outer(
            np.where(size > 0, size, size.max(initial=0.0)), np.where(size > 0, size, size.max(initial=0.0))
        )
        return (T, k) if np.all(np.abs(T.T @ k @ T - K) <= _RIGID * unit) else None

    @cached_property
    def _scales(self) -> Array:
        stretches = self.line.stretches(0)
        return np.concatenate([np.tile(stretches.end_scales, 2), np.ones(len(self.line.line.coordinates))])

    @cached_property
    def _stiffness(self) -> Array:
        """D(0)"""
        one = self.line.stretches(0).condensed
        assert one is not None
        K = one.B[0, 0] - one.left[0, 0] @ one.right[0, 0]
        return np.asarray(K * self._scales[:, None] * self._scales)

    def inertia(self, s2: Array, part: Array) -> Array:
        """R as (row, column, point), where `part` is D: what is left of it without its stiffness at rest."""
        found = part - self._stiffness[:, :, None]
        whole = np.full(len(s2), True)
        if self.line.closed is not None:
            with np.errstate(divide="ignore", invalid="ignore"):
                whole = self.line.finest_each(s2) == 0
        else:
            whole = np.abs(s2) <= self.line.top(0)
        here = np.flatnonzero(whole)
        found[:, :, here] = self._small(s2[here]) * self._scales[:, None, None] * self._scales[None, :, None]
        return found

    def _small(self, s2: Array) -> Array:
        """s^2 (B_2 + sum_j (mu l_0 r_0 - l_0 r_2 - l_2 r_0 - s^2 l_2 r_2)_j / (1 + s^2 mu_j)), from one stretch."""
        one = self.line.stretches(0).condensed
        assert one is not None
        l0, l2, r0, r2 = one.left[0, 0], one.left[2, 0], one.right[0, 0], one.right[2, 0]
        n, mu = len(l0), one.mu[0]
        still = mu * l0[:, None] * r0.T - l0[:, None] * r2.T - l2[:, None] * r0.T
        divisor = 1 + mu[:, None] * s2
        inverse = 1 / np.where(np.abs(divisor) < 1e-300, 1e-300, divisor)
        first = (still.reshape(n * n, -1) @ inverse).reshape(n, n, -1)
        second = ((l2[:, None] * r2.T).reshape(n * n, -1) @ inverse).reshape(n, n, -1)
        return np.asarray(s2 * (one.B[2, 0][:, :, None] + first - s2 * second))


def _carried(G: Array, length: float) -> Array:
    """How the end follows the start without strain: exp(G l), of which few powers do not vanish."""
    found, power = np.zeros(G.shape), np.eye(len(G))
    for j in range(len(G)):
        found, power = found + length**j * power, power @ G / (j + 1)
    return found
