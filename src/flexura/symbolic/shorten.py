"""sin^2 + cos^2 = 1 where it makes an expression shorter; dot products of vectors along turned axes are full of it.

>>> shorter(a * sin(q) ** 2 + a * cos(q) ** 2)
a
"""

from __future__ import annotations

import symengine

from flexura.symbolic.engine import Basic, Symbol
from flexura.symbolic.integrals import factors, terms
from flexura.symbolic.multiplied import multiplied_out
from flexura.symbolic.walk import atoms
from flexura.symbolic.zero import SHORT, normal_form, short_normal_form, within, without_tangents

LIMIT = 1000
"""Larger trees (in nodes) are not brought to the normal form: that costs more than the derivation."""


_TERMS = 20_000  # nor those that have more when multiplied out


def shorter(f: Basic) -> Basic:
    """Expanded, in normal form if that leaves fewer terms; nothing is multiplied or divided."""
    if not f.args or not within(f, LIMIT) or not atoms(f, symengine.sin) or multiplied_out(f) > _TERMS:
        return f
    plain = f.expand()
    whole = without_tangents(plain)  # here, so that the denominators they bring get stand-ins as well
    below = [one for one in atoms(whole, symengine.Pow) if one.args[1].is_Number and one.args[1].is_negative]
    stand_ins = {one: Symbol(f"$below{i}") for i, one in enumerate(sorted(below, key=str))}
    back = {symbol: one for one, symbol in stand_ins.items()}
    form = short_normal_form(whole.xreplace(stand_ins), _TERMS)
    if form is None:
        return plain
    form = form.xreplace(back)
    return form if len(terms(form)) < len(terms(plain)) else plain


def tidied(f: Basic) -> Basic:
    """Expanded, where that makes a short tree shorter to read; a long one may grow beyond bounds and stays as it is."""
    return f.expand() if within(f, SHORT) else f


def quotient(f: Basic) -> Basic:
    """Numerator over denominator, both in normal form."""
    above, below = without_tangents(f).as_numer_denom()
    bottom = normal_form(below)
    return normal_form(above) / bottom if bottom != 0 else f


def paired(f: Basic) -> Basic:
    """An expanded sum of any length with c sin^2 + c cos^2 = c, wherever both are there; the rest stays as written."""
    present, found = dict.fromkeys(terms(f)), True
    while found:
        found = sum(_pair(term, present) for term in list(present) if term in present) > 0
    return symengine.Add(*present)


def _pair(term: Basic, present: dict[Basic, None]) -> bool:
    """Replace a term with sin^2 and its partner with cos^2 by what they share; False if it has none."""
    for square in _squares(term):
        angle = square.args[0].args[0]
        rest = term / symengine.sin(angle) ** 2
        partner = rest * symengine.cos(angle) ** 2
        if partner in present:
            del present[term], present[partner]
            while rest in present:  # the same term was there already
                del present[rest]
                rest = 2 * rest
            present[rest] = None
            return True
    return False


def _squares(term: Basic) -> list[Basic]:
    return [
        one
        for one in factors(term)
        if isinstance(one, symengine.Pow)
        and isinstance(one.args[0], symengine.sin)
        and one.args[1].is_Integer
        and int(one.args[1]) >= 2
    ]
