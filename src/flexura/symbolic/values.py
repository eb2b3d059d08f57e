"""The number that a tree without symbols comes to.

>>> real_value(symengine.atan2(2, 3))
0.5880026035475675
"""

from __future__ import annotations

import cmath

import symengine

from flexura.symbolic.engine import Basic, exact


def real_value(f: Basic) -> float:
    """The value of a tree without symbols; not a number where it has no finite real one.

    The engine knows some functions (atan2, conditions) for real numbers only, others (a root of a negative number on
    the way) for complex ones only, and stops where an intermediate number is too large; SymPy is slow and knows all.
    """
    if isinstance(f, symengine.RealDouble):
        return float(f)
    for real in (True, False):
        try:
            found = complex(f.n(53, real=real))
        except (RuntimeError, TypeError, ValueError):
            continue
        if cmath.isfinite(found):
            return _real(found)
    try:
        return _real(complex(rational(f)._sympy_().evalf(20)))
    except (AttributeError, OverflowError, RuntimeError, TypeError, ValueError):
        return float("nan")


def rational(f: Basic) -> Basic:
    """The same tree with each floating number as the rational it stands for: nothing overflows when numbers meet."""
    floats = [one for one in f.atoms(symengine.RealDouble) if cmath.isfinite(float(one))]
    return f.xreplace({one: exact(float(one)) for one in floats})


def _real(found: complex) -> float:
    return found.real if cmath.isfinite(found) and abs(found.imag) <= 1e-12 * abs(found.real) else float("nan")
