"""What the tests of examples share: reading rows in SymPy, and saying when they vanish."""

from collections import defaultdict

import sympy as sp
from sympy.core.function import AppliedUndef

import flexura as fx

x, t = sp.symbols("x t")
EI, rho = sp.symbols("EI rho")


def coordinate(name):
    return sp.Function(name)(t)


def field(name):
    return sp.Function(name)(x, t)


def at(f, place):
    return sp.Subs(f, x, place)


def left(row):
    """Everything on one side."""
    return row.lhs - row.rhs


def vanishes(f):
    """Zero as a polynomial in functions and derivatives, modulo sin^2 + cos^2 = 1; integrals by their integrands."""
    local, inside = sp.Integer(0), defaultdict(lambda: sp.Integer(0))
    for term in sp.Add.make_args(sp.expand(f)):
        integrals = term.atoms(sp.Integral)
        if not integrals:
            local += term
            continue
        (one,) = integrals
        for part in sp.Add.make_args(sp.expand(one.function * (term / one))):
            if any(x in function.args for function in part.atoms(AppliedUndef)):
                inside[one.limits] += part
            else:
                local += sp.integrate(part, *one.limits)
    return all(_normal(part) == 0 for part in (local, *inside.values()))


def _normal(f):
    def even(power):
        return power.base ** (power.exp % 2) * (1 - sp.sin(power.base.args[0]) ** 2) ** (power.exp // 2)

    f = sp.expand(sp.expand_trig(sp.expand(f)))
    return sp.expand(f.replace(lambda e: e.is_Pow and e.base.func is sp.cos and e.exp.is_Integer and e.exp > 1, even))


def same(rows, **expected):
    """Rows by name are what is expected, up to a sign."""
    for name, f in expected.items():
        assert vanishes(left(rows[name]) - f) or vanishes(left(rows[name]) + f), (name, rows[name])


def holds(conditions, *expected):
    """Each expected condition is among those found, up to a sign, and there are no others."""
    found = [left(one) for one in conditions]
    for f in expected:
        match = [one for one in found if vanishes(one - f) or vanishes(one + f)]
        assert len(match) == 1, f
        found.remove(match[0])
    assert not found


def beam_equation(w):
    return rho * w.diff(t, 2) + EI * w.diff(x, 4)


def parameters(names):
    return [fx.Parameter(name) for name in names.split()]


def coordinates(names):
    return [fx.Coordinate(name) for name in names.split()]
