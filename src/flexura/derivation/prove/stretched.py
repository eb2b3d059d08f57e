"""Which pieces stretch where they bend: those held along their axis at both ends, in frames that turn.

>>> stretches(state, piece)
"""

from __future__ import annotations

from flexura.derivation.prove.moving import RandomState, Snapshot
from flexura.derivation.prove.program import STEP, mp
from flexura.derivation.prove.read import ReadPiece
from flexura.derivation.prove.vectors import ZERO, axial
from flexura.parts.members.tied import can_stretch

_STILL = mp.mpf(10) ** -20  # what digits leave of a spin that is none


def stretches(state: RandomState, piece: ReadPiece) -> bool:
    """Whether what pulls along a turning piece stiffens it, because nothing there can be drawn in."""
    reading, carried = state.reading, state.rest.carried
    if id(piece) not in carried or not carried[id(piece)][0].held or not reading.described.foreshortening:
        return False
    if piece.tied or not can_stretch(piece.member):
        return False
    frame = id(reading.frame(piece))
    before, after = (Snapshot(state, ZERO, moment).turned[frame] for moment in (-STEP, STEP))
    return any(abs(one) > _STILL for one in axial(before, after, 2 * STEP))
