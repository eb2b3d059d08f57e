"""Axial displacements that conditions along members give by their bending, put in: M = J' M J is positive as it stands.

A condition a_x + w_x^2/2 = u_x, held at as many Gauss points of an element as a has slopes there, gives the unknowns d
of a by all others. With z the whole vector and s = P z the slopes at the points,

    L z + C s^2 = 0        A = L + 2 C diag(s) P        A z_t = 0        A z_tt = -2 C s_t^2

so that z_t = J v with J the identity for what is kept and -A_d^-1 A_kept for d, and

    R = J' R_f(z, z_t, z_tt)

holds no multiplier. Members in one frame may lean on one another, so that A_d changes with the motion too; its inverse
on the forces on d is the tension at the points.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.discretisation.held import LineCondition
from flexura.discretisation.layout import Unknowns
from flexura.symbolic.engine import SPINE, TIME, ZERO, Basic, partial
from flexura.symbolic.values import real_value

Array = NDArray[np.float64]
_NOTHING = 1e-15  # of the motion, which conditions may miss
_REACHED = 1e-14  # of what shapes reach, below which it is rounding
_SOLVABLE = 1e-10  # the smallest singular value of what gives d, of the largest


@dataclass(frozen=True, eq=False)
class Ties:
    """What conditions give: `given` are the places of d in the whole vector, `kept` those of all others."""

    given: NDArray[np.intp]
    kept: NDArray[np.intp]
    L: Array
    C: Array
    P: Array

    @cached_property
    def _back(self) -> Array:
        """The inverse of A_d at rest."""
        return np.asarray(np.linalg.inv(self.L[:, self.given]))

    @property
    def leans(self) -> bool:
        """Whether members lean on one another."""
        return self._leaning > 0

    @cached_property
    def _leaning(self) -> int:
        """How many conditions hold slopes of members that lean on others: 0 where A_d never changes."""
        return int(np.any(self.P[:, self.given], axis=1).sum())

    def whole(self, z: Array) -> Array:
        """The whole vector, from one in which nothing stands yet for d."""
        found = z.copy()
        found[..., self.given] = 0.0
        for _ in range(1 + self._leaning):  # members next to what carries them first
            left = found @ self.L.T + (found @ self.P.T) ** 2 @ self.C.T
            found[..., self.given] -= left @ self._back.T
            if not self._leaning or np.abs(left).max(initial=0.0) <= _NOTHING * np.abs(found).max(initial=0.0):
                break
        return found

    def within(self, T: Array) -> tuple[Array, Ties] | None:
        """What T z makes of d: the few combinations it can reach, and the conditions that give their sizes.

        None where members lean on one another. T is over all that is kept; products of columns that meet on no member
        are nothing.
        """
        if self._leaning:
            return None
        P = self.P[:, self.kept] @ T
        pairs = [P[:, [i]] * P[:, i:] for i in range(T.shape[1])]
        met = np.hstack([one[:, one.any(axis=0)] for one in pairs])
        reached = self._back @ np.hstack([self.L[:, self.kept] @ T, self.C @ met])
        sizes = np.linalg.norm(reached, axis=0)
        u, s, _ = np.linalg.svd(reached[:, sizes > 0] / sizes[sizes > 0], full_matrices=False)
        W = u[:, s > _REACHED * s.max(initial=0.0)]
        k, r = T.shape[1], W.shape[1]
        L = np.hstack([W.T @ self._back @ self.L[:, self.kept] @ T, np.eye(r)])
        given, kept = np.arange(k, k + r), np.arange(k)
        return W, Ties(given, kept, L, W.T @ self._back @ self.C, np.hstack([P, np.zeros((len(P), r))]))

    def inverse(self, z: Array) -> Array:
        """Of A_d."""
        if not self._leaning:
            return self._back
        return np.asarray(np.linalg.inv(self.L[:, self.given] + self._bent(z)[..., self.given]))

    def slopes(self, z: Array, inverse: Array) -> Array:
        """J over the whole vector, (..., whole, kept)."""
        found = np.zeros((*z.shape[:-1], z.shape[-1], len(self.kept)))
        found[..., self.kept, np.arange(len(self.kept))] = 1.0
        found[..., self.given, :] = -inverse @ (self.L[:, self.kept] + self._bent(z)[..., self.kept])
        return found

    def _bent(self, z: Array) -> Array:
        """2 C diag(P z) P."""
        return np.asarray((2 * self.C * (z @ self.P.T)[..., None, :]) @ self.P)

    def turned(self, z: Array, inverse: Array, J: Array) -> Array:
        """How J changes along z, or what it does to z along the kept; both are one."""
        return np.asarray(-inverse @ self._bent(z) @ J)

    def convective(self, w: Array, inverse: Array) -> Array:
        """What d accelerates by the rates alone."""
        found = -2 * (w @ self.P.T) ** 2 @ self.C.T
        return np.asarray((inverse @ found[..., None])[..., 0])

    def leaned(self, w: Array, inverse: Array, turned: Array) -> Array:
        """How that changes with the kept where members lean on others, besides what `turned` tells."""
        if not self._leaning:
            return np.zeros_like(turned)
        return np.asarray(-2 * inverse @ self._bent(w)[..., self.given] @ turned)

    def pushed(self, force: Array, inverse: Array, J: Array) -> Array:
        """How J' R changes with the kept, by the forces on d."""
        tension = (np.swapaxes(inverse, -1, -2) @ force[..., None])[..., 0]
        P = self.P @ J
        return np.asarray(-np.swapaxes(P, -1, -2) @ ((2 * (tension @ self.C))[..., None] * P))


def ties_of(conditions: Sequence[LineCondition], layout: Unknowns) -> Ties | None:
    """None where the conditions do not give the axial displacements one after the other."""
    if not conditions:
        return None
    given = _places(layout)
    kept = np.setdiff1d(np.arange(layout.size), given)
    linear, squares = zip(*(_split(one) or (None, None) for one in conditions), strict=True)
    if any(one is None for one in linear):
        return None
    L = np.vstack(linear)
    P = np.vstack([rows for rows, _ in squares])
    counts = np.cumsum([0, *(len(rows) for rows, _ in squares)])
    C = np.zeros((len(L), len(P)))
    at = 0
    for i, (one, (_, c)) in enumerate(zip(conditions, squares, strict=True)):
        C[at : at + one.count, counts[i] : counts[i + 1]] = c
        at += one.count
    if len(L) != len(given):
        return None
    square = L[:, given]
    sizes = np.linalg.svd(square, compute_uv=False)
    if not sizes[-1] > _SOLVABLE * sizes[0]:
        return None
    return Ties(given, kept, L, C, P)


def _places(layout: Unknowns) -> NDArray[np.intp]:
    """Where the unknowns of axial displacements stand: free values at ends, and amplitudes."""
    names = tuple(layout.energies.ties)
    mine = [i for i, name in enumerate(layout.names) if name.partition("@")[0].partition("[")[0] in names]
    return np.array(mine, dtype=np.intp)


def _split(one: LineCondition) -> tuple[Array, tuple[Array, Array]] | None:
    """A condition as L z + C (P z)^2 with constant L, P, C; None if it is not so."""
    seconds = [[partial(partial(one.tree, a), b) for a in one.xi] for b in one.xi]
    if any(_varies(f, one) for row in seconds for f in row):
        return None
    H = np.array([[real_value(f) for f in row] for row in seconds])
    if np.any(H - np.diag(np.diag(H))):
        return None
    still = dict.fromkeys(one.xi, ZERO)
    firsts = [partial(one.tree, a).xreplace(still) for a in one.xi]
    if any(_varies(f, one) for f in firsts) or one.tree.xreplace(still).expand() != 0:
        return None
    rows = one.S.reshape(one.count, len(one.xi), -1)
    L = np.einsum("k,gkn->gn", np.array([real_value(f) for f in firsts]), rows)
    curved = [k for k in range(len(one.xi)) if H[k, k]]
    P = np.vstack([rows[:, k] for k in curved])
    C = np.hstack([H[k, k] / 2 * np.eye(one.count) for k in curved])
    return L, (P, C)


def _varies(f: Basic, one: LineCondition) -> bool:
    return bool({SPINE, TIME, *one.xi} & f.free_symbols)
