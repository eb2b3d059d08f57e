"""What small motions are called: coordinates of bodies and of ends, and in sentences those that stay at rest."""

from __future__ import annotations

from flexura.model.structure import Segment
from flexura.symbolic.engine import Symbol

BODY_NAMES = {"x": "x", "y": "y", "z": "z", "rx": "phi", "ry": "beta", "rz": "theta"}
_MOTION_NAMES = {"axial": "x", "transverse": "y", "lateral": "z", "rotation": "theta", "tilt": "beta", "twist": "phi"}


def what_moves(symbol: Symbol) -> str:
    """An unknown that stays at rest, in words: "$axial.beam", "$across.rod.b", "$body.rz"."""
    kind, *rest = symbol.name.lstrip("$").split(".")
    if kind == "axial":
        return f"the motion of {rest[0]} along its axis"
    if kind == "across":
        return f"the {'start' if rest[1] == 'a' else 'end'} of {rest[0]} across its axis"
    axis = rest[-1][-1]
    return f"the turn of {kind} about {axis}" if rest[-1][0] == "r" else f"the motion of {kind} along {axis}"


def default_name(seg: Segment, end: str, motion: str) -> str:
    """A readable name for an end's coordinate: y_beam_end."""
    return f"{_MOTION_NAMES[motion]}_{seg.name}_{'start' if end == 'a' else 'end'}"
