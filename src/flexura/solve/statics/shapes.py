"""Shapes at rest that polynomials hold, as text in x: what `about=` takes and people read.

>>> shapes(rest, y, p)["v"]        # "0.31*x**2 - ..." or a Piecewise of such
"""

from __future__ import annotations

from functools import cache
from typing import Any

import mpmath
import numpy as np
from numpy.typing import NDArray

from flexura.solve.rest_shapes import pieces_text, polynomial_text
from flexura.solve.statics.resolution import coefficients
from flexura.solve.statics.rest_system import RestSystem

Array = NDArray[np.float64]
_DIGITS = 60
_NOISE = 2e-16  # of the largest coefficient
_PLATEAU, _ROUNDING = 3.0, 1e-9  # how far coefficients of rounding scatter, and what they may be of the largest


def shapes(rest: RestSystem, y: Array, p: float) -> dict[str, str]:
    """Every field as text; powers that hold rounding alone are left out."""
    found = dict[str, str]()
    with mpmath.workdps(_DIGITS):
        for name in rest.fields:
            pieces = list(coefficients(rest, name, y, p))
            size = max(float(np.abs(c).max(initial=0.0)) for _, _, c in pieces)
            texts = [polynomial_text(_powers(_chopped(c, size)), *map(_exact, (a, b))) for a, b, c in pieces]
            found[name] = pieces_text(texts, [_exact(pieces[0][0]), *(_exact(b) for _, b, _ in pieces)])
    return found


def _exact(x: float) -> Any:
    return mpmath.mpf(repr(x))


def _chopped(c: Array, size: float) -> Array:
    """Without the highest powers that are rounding: those that do not fall any more, or are next to nothing."""
    last = np.abs(c[-max(6, len(c) // 3) :])
    half = len(last) // 2
    noise = _PLATEAU * float(last.max(initial=0.0))
    flat = last[:half].max(initial=0.0) <= _PLATEAU * last[half:].max(initial=0.0) and noise < _ROUNDING * size
    kept = np.flatnonzero(np.abs(c) > (noise if flat else _NOISE * size))
    return c[: kept[-1] + 1] if len(kept) else c[:1] * 0.0


def _powers(c: Array) -> list[Any]:
    """Coefficients of Legendre polynomials as those of powers."""
    found = [mpmath.mpf(0)] * len(c)
    for k, value in enumerate(c):
        for i, one in enumerate(_legendre(k)):
            found[i] += mpmath.mpf(float(value)) * one
    return found


@cache
def _legendre(k: int) -> tuple[Any, ...]:
    """The powers of P_k: (k + 1) P_(k+1) = (2k + 1) z P_k - k P_(k-1)."""
    if k < 2:
        return (mpmath.mpf(1),) if k == 0 else (mpmath.mpf(0), mpmath.mpf(1))
    with mpmath.workdps(_DIGITS):
        up, down = (mpmath.mpf(0), *_legendre(k - 1)), (*_legendre(k - 2), mpmath.mpf(0), mpmath.mpf(0))
        return tuple(((2 * k - 1) * a - (k - 1) * b) / k for a, b in zip(up, down, strict=True))
