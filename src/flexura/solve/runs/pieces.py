"""A run with contacts as users see it: states, energies and forces of its phases, one after the other.

>>> phased = Phased(pieces, inputs)
>>> q, v = phased.states(times); phased.energy(times, losses)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.solve.runs.followed import Piece
from flexura.solve.steppers.energy_balance import energy_balance
from flexura.solve.steppers.impulses import Blow
from flexura.solve.steppers.trajectory import Energy

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Phased:
    """Pieces of a run, each with its own conditions; `inputs` are those that users give."""

    pieces: Sequence[Piece]
    inputs: Callable[[Any], Array]

    @cached_property
    def _starts(self) -> Array:
        return np.array([one.start for one in self.pieces])

    def owner(self, times: Array) -> NDArray[np.int64]:
        """Which piece each time belongs to; where one follows another, to the later."""
        return np.clip(np.searchsorted(self._starts, times, side="right") - 1, 0, len(self.pieces) - 1)

    def states(self, times: Array) -> tuple[Array, Array]:
        """q and v at times."""
        n = self.pieces[0].phase.base.n
        q, v, owner = np.empty((len(times), n)), np.empty((len(times), n)), self.owner(times)
        for k in np.unique(owner):
            mine = owner == k
            q[mine], v[mine] = self.pieces[k].states(np.minimum(times[mine], self.pieces[k].end))
        return q, v

    def accelerations(self, times: Array, q: Array, v: Array) -> tuple[Array, Array]:
        """Accelerations, and the multipliers of the system's own conditions."""
        a, lam = np.empty(q.shape), np.empty((len(times), self.pieces[0].phase.base.m))
        for i, k in enumerate(self.owner(times)):
            piece = self.pieces[k]
            found, multipliers = piece.solved(self._inside(piece, float(times[i])), q[i], v[i])
            a[i], lam[i] = found, multipliers[: lam.shape[1]]
        return a, lam

    def fed(self, t: Any, q: Array, v: Array, u: Array) -> Array:
        """All inputs with the forces of contacts."""
        if q.ndim == 1:
            return np.asarray(self.fed(np.array([t]), q[None], v[None], np.atleast_2d(u))[0])
        found, owner = np.array(np.broadcast_to(u, (len(q), u.shape[-1]))), self.owner(np.asarray(t))
        for i, k in enumerate(owner):
            piece = self.pieces[k]
            found[i] = piece.phase.exerted(self._inside(piece, float(t[i])), q[i], v[i], found[i])
        return found

    def _inside(self, piece: Piece, t: float) -> float:
        return min(max(t, piece.start), piece.end)

    def energy(self, times: Array, losses: Sequence[Blow], blows: Sequence[Blow], least: float = 0.0) -> Energy:
        """The energy balance, with what impacts took and what jumps of given motions supplied; `least` is none."""
        return energy_of_pieces(self.pieces, self.owner(times), times, losses, blows, least)


def energy_of_pieces(
    pieces: Sequence[Any],
    owner: NDArray[np.int64],
    times: Array,
    losses: Sequence[Blow],
    blows: Sequence[Blow],
    least: float = 0.0,
) -> Energy:
    """The energy balance of parts of a run, one after the other, each with its own mechanics, curve and end.

    Where the largest energy is smaller than `least`, that takes its place: the motion is rest.
    """
    rows = np.zeros((4, len(times)))
    lost, given, largest = 0.0, 0.0, least
    for k, piece in enumerate(pieces):
        mine = np.flatnonzero(owner == k)
        moments = np.append(np.minimum(times[mine], piece.end), piece.end)
        q, v, _ = piece.curve.at(moments)
        energy = energy_balance(piece.mechanics, piece.curve, moments, q, v)
        rows[0, mine], rows[1, mine] = energy.kinetic[:-1], energy.potential[:-1]
        rows[2, mine], rows[3, mine] = lost + energy.dissipated[:-1], given + energy.supplied[:-1]
        lost, given = lost + float(energy.dissipated[-1]), given + float(energy.supplied[-1])
        largest = max(largest, energy.scale, abs(lost), abs(given))
    for row, booked in ((2, losses), (3, blows)):
        for one in booked:
            rows[row] += one.work * (times >= one.t)
    return Energy(*rows, largest=largest)
