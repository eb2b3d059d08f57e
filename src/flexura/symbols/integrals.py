"""Definite integrals along the spine that can be done in closed form: powers of x times what does not vary with x.

>>> definite(rho * SPINE**2, ZERO, l)        # rho*l**3/3
"""

from __future__ import annotations

import symengine

from flexura.symbols.engine import SPINE, Basic


def terms(f: Basic) -> tuple[Basic, ...]:
    """The summands of an expanded expression."""
    return tuple(f.args) if isinstance(f, symengine.Add) else ((f,) if f != 0 else ())


def factors(term: Basic) -> tuple[Basic, ...]:
    """The factors of a product."""
    return tuple(term.args) if isinstance(term, symengine.Mul) else (term,)


def integral_of_power(term: Basic, start: Basic, end: Basic) -> Basic | None:
    """The integral of c x^n from `start` to `end`, or None if the term is not of that form."""
    power = 0
    for factor in factors(term):
        if factor == SPINE:
            power = 1
        elif isinstance(factor, symengine.Pow) and factor.args[0] == SPINE and factor.args[1].is_Integer:
            power = int(factor.args[1])
        elif SPINE in factor.free_symbols:
            return None
    if power < 0:
        return None
    rest = term / SPINE**power
    return rest * (end ** (power + 1) - start ** (power + 1)) / (power + 1)


def definite(f: Basic, start: Basic, end: Basic) -> Basic | None:
    """The integral of `f` over x, by powers if it is a polynomial in x, else by SymPy; None if neither can."""
    parts = [integral_of_power(term, start, end) for term in terms(f.expand())]
    if all(one is not None for one in parts):
        return symengine.Add(*parts)
    return _by_sympy(f, start, end)


def _by_sympy(f: Basic, start: Basic, end: Basic) -> Basic | None:
    import sympy

    variable = sympy.Symbol("$x")
    found = sympy.integrate(f._sympy_(), (variable, start._sympy_(), end._sympy_()), conds="none")
    return None if found.has(sympy.Integral, sympy.Piecewise, sympy.Min, sympy.Max) else symengine.sympify(found)
