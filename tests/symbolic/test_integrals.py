"""Integrals along the spine are those that quadrature finds, or are refused soon and without foreign errors."""

import mpmath
import pytest
import symengine

from flexura.symbolic.engine import SPINE, Basic
from flexura.symbolic.integrals import definite

VALUES = {symengine.Symbol(name): symengine.Rational(n, 10) for name, n in {"a": 7, "b": 13, "c": 4, "l": 9}.items()}
END = symengine.Symbol("l")
KNOWN = (
    "(a + b*x)**3*x",
    "x/(1 + x/l)**2",
    "x/(a + b*x + x**2)",
    "x*exp(-x/l)*a",
    "x*exp(-x)*sin(a*x)",
    "exp(-x)*sin(a*x)*cosh(x)",
    "x*sin(pi*x/l)**2",
    "x*sqrt(1 + (x/l)**2)",
    "x**2*sqrt(a + b*x)",
    "x*(a + b*x)**c",
    "x*log(a + b*x)",
    "x**2*exp(-x**2)",
    "tanh(x)",
    "cos(x)*exp(sin(x))",  # by a rule: what stands before exp is a derivative of what stands in it
    "x*log(1 + x**2)/(1 + x**2)",
)
MIXED = (
    "exp(-x**2)*sin(x)/(1 + x**3)",
    "exp(-a*x**2)/(b + c*x**3 + x)",
    "sin(a*x)/(b + l*x + x**2)",
    "sqrt(1 + x**2)/(1 + x**3)",
    "sin(x)*log(1 + x)",
)
LONG = (
    "sin(a*x)**6*cos(b*x)**4",
    "sin(a*x)*sin(b*x)*sin(c*x)*sin(l*x)",
    "sinh(a*x)*cos(b*x)*exp(c*x)*x**4",
    "1/(a + b*x + c*x**2 + l*x**3 + x**4)",
    "cosh(a*(x - l))**3*x**2",
    "1/((x + a)*(x + b)*(x + c)*(x + l)*(x + 1))",
    "(x + a)**30*sin(x)",
    "x**20*exp(a*x)*cos(b*x)",
    "(1 + a*x)**(3/2)*(1 + b*x)**(5/2)",
    "(a + b*x + c*x**2 + l*x**3)**(7/10)",
)
"""What takes SymPy minutes, by rules or by a search."""
NO_WORD = ("x*sqrt(1 - x/l)", "sqrt(1 + x**4)", "sin(x**2)", "1/(2 + cos(x))", "abs(x - l/2)")
"""What SymPy stumbles over, or answers with cases or with functions that cannot be computed here."""


def along_x(text: str) -> Basic:
    return symengine.sympify(text).xreplace({symengine.Symbol("x"): SPINE})


def value(f: Basic, x: mpmath.mpf) -> mpmath.mpf:
    return mpmath.mpf(complex(f.xreplace(VALUES).xreplace({SPINE: symengine.RealDouble(float(x))}).n(53)).real)


@pytest.mark.parametrize("text", KNOWN)
def test_an_integral_is_that_of_quadrature(text: str) -> None:
    f = along_x(text)
    integral = definite(f, SPINE, END)
    assert integral is not None
    by_points = mpmath.quad(lambda x: value(f, x), [mpmath.mpf("0.2"), mpmath.mpf("0.9")])
    assert abs(value(integral, mpmath.mpf("0.2")) - by_points) < 1e-12


@pytest.mark.parametrize("text", LONG)
def test_sympy_is_not_asked_for_what_takes_it_long(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def asked(*_: object, **__: object) -> None:
        raise AssertionError("SymPy was asked")

    monkeypatch.setattr("sympy.integrate", asked)
    assert definite(along_x(text), SPINE, END) is None


@pytest.mark.parametrize("text", MIXED)
def test_no_search_is_made_where_functions_are_mixed(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def searched(*_: object, **__: object) -> None:
        raise AssertionError("a search without an end")

    monkeypatch.setattr("sympy.integrals.heurisch.heurisch", searched)
    monkeypatch.setattr("sympy.integrals.meijerint.meijerint_indefinite", searched)
    assert definite(along_x(text), SPINE, END) is None


@pytest.mark.parametrize("text", NO_WORD)
def test_what_cannot_be_computed_is_no_integral(text: str) -> None:
    assert definite(along_x(text), SPINE, END) is None
