"""Equations as LaTeX: exact strings of known systems, names, and balance on every tree."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

import pytest
import symengine
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.derivation.equations.latex import row_latex, rows_latex, sum_latex, tree_latex
from flexura.derivation.equations.rows import Row, Sum, tidy
from flexura.derivation.surrogate import surrogate_rows
from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.symbolic.engine import FUNCTIONS, SPINE, TIME, WIDTH, ZERO, Basic, Symbol, exact
from random_systems import systems


def tree(text: str) -> Basic:
    """An engine tree; X is the spine's variable, w__b the value of w at the end b."""
    f = symengine.sympify(text)
    names = {one: Symbol(one.name.replace("__", "@")) for one in f.free_symbols if "__" in one.name}
    return f.xreplace({Symbol("X"): SPINE, **names})


def system(**parts: Any) -> Lagrangian:
    """A Lagrangian of the given parts; what is left out is empty."""
    empty = {"B": ZERO, "t": (), "M": {}, "A": None, "O": None}
    return Lagrangian.of_parts(**{one.name: empty[str(one.type)[0]] for one in fields(Lagrangian)} | parts)


def shown(energies: Lagrangian) -> list[Row]:
    return [tidy(row, energies) for row in surrogate_rows(energies)]


EXAMPLE_ONE = system(
    coordinates=("q1", "q2", "q4", "q5"),
    spines=(Spine("beam", ZERO, Symbol("l"), ("q3",)),),
    kinetic=tree("m_a*q1_t**2/2 + m_b*(q1_t + q2_t)**2/2 + m_c*(q1_t + q4_t)**2/2 + I_c*q5_t**2/2"),
    potential=tree("K1*q1**2/2 + K2*q2**2/2 + K3*(q1 + q4)**2/2"),
    dissipation=tree("b*q2_t**2/2"),
    density={"beam": tree("rho*(q1_t + q3_t)**2/2 - EI*q3_xx**2/2")},
    work_density={"beam": {"q3": tree("f"), "q1": tree("f")}},
    boundary={"q3@a": tree("q2"), "q3_x@a": ZERO, "q3@b": tree("q4"), "q3_x@b": tree("q5")},
    inputs={"f": frozenset("x")},
)
MIXED = system(
    coordinates=("q1", "theta_a", "x", "i2"),
    spines=(Spine("s", ZERO, Symbol("l_1"), ("w_beam", "phi")),),
    density={"s": tree("f*p*w_beam_x")},
    constraints={"lambda_1": tree("q1")},
    inputs={"f": frozenset("x"), "p": frozenset("xt"), "F": frozenset("t")},
)


def test_example_one() -> None:
    assert [row_latex(row, EXAMPLE_ONE) for row in shown(EXAMPLE_ONE)] == [
        r"\left(m_{a} + m_{b} + m_{c} + \rho l\right) \ddot{q}_{1} + m_{b} \ddot{q}_{2} + m_{c} \ddot{q}_{4}"
        r" + \int_{0}^{l} \rho \frac{\partial^{2} q_{3}}{\partial t^{2}} \,dx"
        r" + \left(K_{1} + K_{3}\right) q_{1} + K_{3} q_{4} = \int_{0}^{l} f(x) \,dx",
        r"m_{b} \left(\ddot{q}_{1} + \ddot{q}_{2}\right) + b \dot{q}_{2} + K_{2} q_{2}"
        r" = -\left. \mathit{EI} \frac{\partial^{3} q_{3}}{\partial x^{3}} \right|_{x=0}",
        r"m_{c} \left(\ddot{q}_{1} + \ddot{q}_{4}\right) + K_{3} \left(q_{1} + q_{4}\right)"
        r" = \left. \mathit{EI} \frac{\partial^{3} q_{3}}{\partial x^{3}} \right|_{x=l}",
        r"I_{c} \ddot{q}_{5} = -\left. \mathit{EI} \frac{\partial^{2} q_{3}}{\partial x^{2}} \right|_{x=l}",
        r"\rho \left(\ddot{q}_{1} + \frac{\partial^{2} q_{3}}{\partial t^{2}}\right)"
        r" + \mathit{EI} \frac{\partial^{4} q_{3}}{\partial x^{4}} = f(x),\quad 0 < x < l",
        r"\left. q_{3} \right|_{x=0} = q_{2}",
        r"\left. \frac{\partial q_{3}}{\partial x} \right|_{x=0} = 0",
        r"\left. q_{3} \right|_{x=l} = q_{4}",
        r"\left. \frac{\partial q_{3}}{\partial x} \right|_{x=l} = q_{5}",
    ]


def test_rows_stand_in_one_aligned_environment() -> None:
    text = rows_latex(shown(EXAMPLE_ONE), EXAMPLE_ONE)
    assert text.startswith("\\begin{aligned}\n& ")
    assert text.endswith("\n\\end{aligned}")
    assert text.count(r"\\[1ex]") == 2  # three sections
    assert text.count("\n& ") - text.count(r"& \quad") == 9


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("q1", "q_{1}"),
        ("m_a", "m_{a}"),
        ("theta1", r"\theta_{1}"),
        ("theta", r"\theta"),
        ("θ2", r"\theta_{2}"),
        ("I_c", "I_{c}"),
        ("I_rho", r"I_{\rho}"),
        ("Omega_max", r"\Omega_{\mathrm{max}}"),
        ("EI_beam", r"\mathit{EI}_{\mathrm{beam}}"),
        ("kGA", r"\mathit{kGA}"),
        ("m12_left_3", r"m_{12,\mathrm{left},3}"),
        ("_a", r"\__{a}"),
        ("a_", r"a_{\_}"),
        ("a#b", r"a_{\mathrm{\#b}}"),
    ],
)
def test_names(name: str, expected: str) -> None:
    assert tree_latex(Symbol(name), EXAMPLE_ONE) == expected


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("w_beam_xt", r"\frac{\partial^{2} w_{\mathrm{beam}}}{\partial x \partial t}"),
        ("theta_a_tt", r"\ddot{\theta}_{a}"),
        ("q1_ttt", r"\frac{d^{3} q_{1}}{d t^{3}}"),
        ("q1_t**2/2", r"\frac{1}{2} \dot{q}_{1}^{2}"),
        ("x", "x(t)"),
        ("F_t*p_x", r"\dot{F}(t) \frac{\partial p(x,t)}{\partial x}"),
        ("f_xx__b_s", "f''(l_{1})"),
        ("12*EI*q1/l**3", r"\frac{12 \mathit{EI}}{l^{3}} q_{1}"),
        ("m*g*l/2", r"\frac{m g l}{2}"),
        ("(a + b)**2*sqrt(k/m)", r"\left(a + b\right)^{2} \sqrt{\frac{k}{m}}"),
        ("sin(q1)**2*asin(a)", r"\arcsin\left(a\right) \sin^{2}\left(q_{1}\right)"),
        ("abs(q1_t)*sign(q1)", r"\left|\dot{q}_{1}\right| \operatorname{sgn}\left(q_{1}\right)"),
        ("exp(-a*t) + pi", r"\pi + \exp\left(-a t\right)"),
        ("k*(w_beam__b)**2*X", r"k x \left(\left. w_{\mathrm{beam}} \right|_{x=l_{1}}\right)^{2}"),
    ],
)
def test_expressions(written: str, expected: str) -> None:
    assert tree_latex(tree(written), MIXED) == expected


def test_piecewise_property() -> None:
    rho = symengine.Piecewise((tree("rho_1"), symengine.Lt(SPINE, tree("l/2"))), (tree("rho_2"), True))
    assert tree_latex(rho * tree("phi_tt"), MIXED) == (
        r"\left(\begin{cases} \rho_{1} & \text{if } x < \frac{l}{2} \\ \rho_{2} & \text{otherwise} \end{cases}\right)"
        r" \frac{\partial^{2} \phi}{\partial t^{2}}"
    )


def test_integrals() -> None:
    side = Sum(ZERO, {"s": tree("-rho*phi_t - rho*X*w_beam_t")})
    assert sum_latex(side, MIXED) == (
        r"-\int_{0}^{l_{1}} \left(\rho x \frac{\partial w_{\mathrm{beam}}}{\partial t}"
        r" + \rho \frac{\partial \phi}{\partial t}\right) \,dx"
    )


JETS = (
    "q1 q1_t q1_tt q1_ttt theta_a theta_a_t x x_t i2_t w_beam w_beam_x w_beam_xt w_beam_xx@b phi@a phi_t f f_x f_xx@b_s"
    " p p_xt p@a_s p_x@b_s F F_t EI rho_a k1 l_1 g lambda_1 a__b"
)
NUMBERS = [symengine.pi, symengine.E, symengine.sqrt(2), symengine.Rational(-2, 3), exact(0.12345)]
LEAF = st.sampled_from([*map(Symbol, JETS.split()), SPINE, TIME, WIDTH, *NUMBERS])
FUNCTION = st.sampled_from([one for name, one in FUNCTIONS.items() if name != "atan2"])
EXPONENT = st.sampled_from([2, -1, symengine.Rational(1, 2), symengine.Rational(-3, 2), Symbol("n")])


@st.composite
def trees(draw: st.DrawFn, depth: int = 4) -> Basic:
    kind = draw(st.sampled_from(["leaf", "sum", "product", "power", "call", "cases"])) if depth else "leaf"
    if kind == "leaf":
        return draw(LEAF)
    f = draw(trees(depth - 1))
    if kind == "call":
        return draw(FUNCTION)(f) if f not in (0, 1, -1) else f
    if kind == "power":
        return f ** draw(EXPONENT) if f != 0 else f
    g = draw(trees(depth - 1))
    if kind == "cases":
        return symengine.Piecewise((f, symengine.Lt(SPINE, Symbol("l_1"))), (g, True))
    return f + g if kind == "sum" else f * g


def balanced(text: str) -> bool:
    """Braces, \\left and \\right, \\begin and \\end match, inside one another."""
    opposite = {"}": "{", r"\right": r"\left", r"\end": r"\begin"}
    open_: list[str] = []
    for token in re.findall(r"\\(?:left|right|begin|end)(?![a-z])|(?<!\\)[{}]", text):
        if token not in opposite:
            open_.append(token)
        elif not open_ or open_.pop() != opposite[token]:
            return False
    return not open_


@given(trees())
def test_any_tree_is_balanced(f: Basic) -> None:
    for text in (tree_latex(f, MIXED), sum_latex(Sum(f, {"s": f}), MIXED)):
        assert balanced(text), text
        assert not re.search(r"(?<!\\)[$@#%]|\+ -|__", text), text


@settings(max_examples=15)
@given(systems())
def test_any_system_is_balanced(energies: Lagrangian) -> None:
    text = rows_latex(shown(energies), energies)
    assert balanced(text), text
    for line in text.splitlines():
        assert line.count(r"\left") == line.count(r"\right"), line
