"""Curves that lie at rest: how far their tangent has turned about one axis, and where their points lie.

>>> angle, along, across = arc(k)        # k x, sin(k x)/k and (1 - cos(k x))/k
"""

from __future__ import annotations

import math
from collections.abc import Callable

import symengine

from flexura.symbolic.engine import SPINE, ZERO, Basic, exact
from flexura.symbolic.integrals import definite
from flexura.symbolic.walk import atoms

_POINTS = 20  # of Gauss's formula: exact to rounding up to about 30 rad


def arc(curvature: Basic) -> tuple[Basic, Basic, Basic] | None:
    """int_0^x curvature, and the integrals of its cosine and sine; None where there is no closed form."""
    if curvature == 0:
        return ZERO, SPINE, ZERO
    angle = None if atoms(curvature, symengine.Piecewise) else definite(curvature, ZERO, SPINE)
    if angle is None:
        return None
    if SPINE in curvature.free_symbols:
        return angle, _integrated(symengine.cos, angle), _integrated(symengine.sin, angle)
    turned = curvature * SPINE
    return angle, symengine.sin(turned) / curvature, (1 - symengine.cos(turned)) / curvature


def _integrated(f: Callable[[Basic], Basic], angle: Basic) -> Basic:
    """int_0^x f(angle) ds by Gauss's formula, which for a smooth curve of some turns is right to all digits kept."""
    shares = [(exact((1 + at) / 2), exact(weight / 2)) for at, weight in _gauss(_POINTS)]
    return SPINE * symengine.Add(*(weight * f(angle.xreplace({SPINE: share * SPINE})) for share, weight in shares))


def _gauss(count: int) -> list[tuple[float, float]]:
    """Points and weights on -1..1, by Newton's method on Legendre's polynomial."""
    found = []
    for i in range(count):
        at, slope = math.cos(math.pi * (i + 0.75) / (count + 0.5)), 1.0
        for _ in range(8):
            before, value = 1.0, at
            for n in range(2, count + 1):
                before, value = value, ((2 * n - 1) * at * value - (n - 1) * before) / n
            slope = count * (at * value - before) / (at * at - 1)
            at -= value / slope
        found.append((at, 2 / ((1 - at * at) * slope * slope)))
    return found
