"""Directions as users write them: "x", "-y", or a vector."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from flexura.errors import FlexuraError
from flexura.symbolic.engine import Basic, exact
from flexura.symbolic.expression import Expression
from flexura.symbolic.kinematics.vectors import AXES, Vector, scale, unit


def direction(given: Any, what: str, keyword: str = "along") -> Vector:
    """A unit vector from "x", "y", "z", a sign before them, or three numbers."""
    if isinstance(given, str):
        sign, letter = (-1, given[1:]) if given[:1] == "-" else (1, given.removeprefix("+"))
        if letter in ("x", "y", "z"):
            axis = AXES["xyz".index(letter)]
            return axis if sign > 0 else scale(exact(-1), axis)
    else:
        parts = [_component(one) for one in given] if isinstance(given, Iterable) else []
        known = [one for one in parts if one is not None]
        if len(known) == len(parts) == 3 and any(one != 0 for one in known):
            return unit((known[0], known[1], known[2]))
    raise FlexuraError(
        f"The direction of {what} is {given!r}",
        advice="write 'x', 'y', 'z', a signed one like '-y', or a vector",
        part=what,
        keyword=keyword,
    )


def _component(one: Any) -> Basic | None:
    """An exact number or an expression; None for what is neither."""
    one = one.item() if hasattr(one, "item") else one  # a NumPy number, without importing NumPy
    if isinstance(one, int | float):
        return exact(one) if math.isfinite(one) else None
    return one.engine if isinstance(one, Expression) else None
