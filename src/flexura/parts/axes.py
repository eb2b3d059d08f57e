"""Directions as users write them: "x", "-y", or a vector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flexura.errors import FlexuraError
from flexura.kinematics.vectors import AXES, Vector, scale, unit
from flexura.symbols.engine import exact


def direction(given: Any, what: str) -> Vector:
    """A unit vector from "x", "y", "z", a sign before them, or three numbers."""
    if isinstance(given, str):
        sign, letter = (-1, given[1:]) if given[:1] == "-" else (1, given.removeprefix("+"))
        if letter in ("x", "y", "z"):
            axis = AXES["xyz".index(letter)]
            return axis if sign > 0 else scale(exact(-1), axis)
    elif isinstance(given, Sequence) and len(given) == 3 and any(given):
        a, b, c = (exact(one) if isinstance(one, int | float) else one.engine for one in given)
        return unit((a, b, c))
    raise FlexuraError(
        f"The direction of {what} is {given!r}; write 'x', 'y', 'z', a signed one like '-y', or a vector."
    )
