"""Definite integrals along the spine that can be done in closed form: powers of x times what does not vary with x.

>>> definite(rho * SPINE**2, ZERO, l)        # rho*l**3/3
"""

from __future__ import annotations

from typing import Any

import symengine

from flexura.symbolic.engine import FUNCTIONS, SPINE, Basic, Symbol


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
    every = terms(f.expand())
    parts = [part for term in every if (part := integral_of_power(term, start, end)) is not None]
    if len(parts) == len(every):
        return symengine.Add(*parts)
    return _by_sympy(f, start, end)


def _by_sympy(f: Basic, start: Basic, end: Basic) -> Basic | None:
    import sympy

    x, integrand = sympy.Symbol("$x"), f._sympy_()
    limits = (x, start._sympy_(), end._sympy_())
    if not _is_small(integrand, x):
        return None
    by_rules = {} if _is_worth_a_search(integrand, x) else {"manual": True}
    try:
        found = sympy.integrate(integrand, limits, conds="none", **by_rules)
        if found.has(sympy.Integral, sympy.Piecewise, sympy.Min, sympy.Max, sympy.floor):
            return None
        integral = symengine.sympify(found)
    except (ValueError, NotImplementedError, symengine.SympifyError):
        return None  # SymPy cannot tell cases apart, as in x*sqrt(1 - x/l), or finds what the engine has no word for
    unknown = integral.atoms(symengine.FunctionSymbol) - f.atoms(symengine.FunctionSymbol)  # such as Si(x)
    return None if unknown else integral


def indefinite(f: Basic, s: Symbol) -> Basic | None:
    """An integral of a smooth `f` over s by SymPy, where that comes soon; None if it knows none.

    Logarithms are those of sizes, so that an integral is real on either side of a pole.
    """
    import sympy

    x = sympy.Symbol(s.name, real=True)
    integrand = f._sympy_().xreplace({sympy.Symbol(s.name): x})
    if not _is_small(integrand, x):
        return None
    by_rules = {} if _is_worth_a_search(integrand, x) else {"manual": True}
    try:
        found = sympy.integrate(integrand, x, conds="none", **by_rules)
        if found.has(sympy.Integral, sympy.Piecewise, sympy.Min, sympy.Max, sympy.floor, sympy.I):
            return None
        found = found.replace(sympy.log, lambda u: sympy.log(sympy.Abs(u) if u.has(x) and not u.is_positive else u))
        integral = symengine.sympify(found.xreplace({x: sympy.Symbol(s.name)}))
    except (ValueError, NotImplementedError, symengine.SympifyError):
        return None
    known = {function for function in FUNCTIONS.values() if isinstance(function, type)}
    return None if any(type(one) not in known for one in integral.atoms(symengine.Function)) else integral


def _is_worth_a_search(f: Any, x: Any) -> bool:
    """Whether SymPy may search beyond its table of rules, which pays for one function of x or for products of waves.

    The search goes through all powers of all functions and factors of denominators: where they are mixed, as in
    exp(-x**2)*sin(x)/(1 + x**3), there is hardly ever an integral, and that is known only after minutes.
    """
    import sympy

    waves = (sympy.exp, sympy.sin, sympy.cos, sympy.sinh, sympy.cosh)
    powers = {node for node in f.atoms(sympy.Pow) if node.has(x)}
    roots = {node for node in powers if not node.exp.is_Integer}
    functions = roots | {node for node in f.atoms(sympy.Function) if node.has(x)}
    divisors = {node.base for node in powers - roots if node.exp.is_negative}
    if len(functions) < 2:
        hidden = dict.fromkeys(functions, sympy.Dummy())
        return not functions or not any(node.xreplace(hidden).has(x) for node in divisors)
    return not divisors and all(isinstance(node, waves) and not node.args[0].diff(x).has(x) for node in functions)


def _is_small(f: Any, x: Any) -> bool:
    """Whether SymPy comes back soon: it multiplies powers of functions out, and factors denominators with symbols.

    Four sines multiplied, cosh(x)**3*x**2 or one over a product of five factors take it minutes or for ever.
    """
    import sympy

    powers = {node for node in f.atoms(sympy.Pow) if node.has(x)}
    roots = {node for node in powers if not node.exp.is_Integer}
    divisors = {node.base for node in powers - roots if node.exp.is_negative}
    if len(roots) > 1 or len(divisors) > 2 or not all(_is_plain(one, x) for one in divisors):
        return False
    if not all(_is_plain(node.base, x) for node in roots if node.base.is_polynomial(x)):
        return False
    different = len({node for node in f.atoms(sympy.Function) if node.has(x)})
    functions, power = _degrees(f, x)
    if different < 2 and (functions < 2 or not power):
        return max(functions, power) <= 8
    return functions <= 3 and functions + power <= 4


def _is_plain(base: Any, x: Any) -> bool:
    """At most quadratic, or of two terms, such as 1 + x**5; what is no polynomial is judged by its functions."""
    if not base.is_polynomial(x):
        return True
    polynomial = base.as_poly(x)
    return bool(polynomial.degree() <= 2 or len(polynomial.terms()) <= 2)


def _degrees(f: Any, x: Any) -> tuple[int, int]:
    """How many functions of x, and x how often, are multiplied in a term at most."""
    if not f.has(x) or f.is_Function:
        return int(f.has(x)), 0
    if f == x:
        return 0, 1
    parts = [_degrees(one, x) for one in f.args]
    if f.is_Mul:
        return sum(one for one, _ in parts), sum(one for _, one in parts)
    if f.is_Pow:
        times = abs(int(f.exp)) if f.exp.is_Integer else 1
        return times * parts[0][0], times * parts[0][1] if f.exp.is_positive and f.exp.is_Integer else 0
    return max(one for one, _ in parts), max(one for _, one in parts)
