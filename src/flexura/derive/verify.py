"""`verify`: derive again by every other route that applies, and compare."""

from __future__ import annotations

from flexura.derive.equivalence import equivalent
from flexura.derive.routes import MOTION_ROUTES, ROUTES, derive, why_not
from flexura.equations.certificate import Certificate, Comparison
from flexura.equations.equations import Equations


def verify(equations: Equations) -> Certificate:
    """Prove equations by independent routes.

    >>> certificate = fx.verify(fx.derive(lagrangian))
    >>> bool(certificate), print(certificate)
    """
    skipped = {method: why_not(equations.lagrangian, method) for method in MOTION_ROUTES}
    skipped = {method: reason for method, reason in skipped.items() if reason}
    methods = [method for method in (*ROUTES, *MOTION_ROUTES) if method not in (*skipped, equations.method)]
    compared = [_compare(equations, method) for method in methods]
    return Certificate(equations.method, tuple(compared), skipped)


def _compare(equations: Equations, method: str) -> Comparison:
    result = equivalent(equations, derive(equations.lagrangian, method))
    differences = {} if result else {name: str(left) for name, left in result.difference.items()}
    return Comparison(method, bool(result), result.compared, result.how, differences)
