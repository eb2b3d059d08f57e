"""Equations as text: exact strings of known systems, and properties that hold for every tree."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import fields
from typing import Any

import pytest
import symengine
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.derivation.equations.rows import Row, Sum, tidy
from flexura.derivation.equations.text import row_text, rows_text, sum_text, tree_text
from flexura.derivation.surrogate import surrogate_rows
from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.symbolic.engine import SPINE, WIDTH, ZERO, Basic, Symbol, exact
from random_systems import systems

RAW = re.compile(r"[$@]|\w_(?:x+t*|t+)\b")


def tree(text: str) -> Basic:
    """An engine tree; X is the spine's variable, w__b the value of w at the end b."""
    f = symengine.sympify(text)
    names = {one: Symbol(one.name.replace("__", "@")) for one in f.free_symbols if "__" in one.name}
    return f.xreplace({Symbol("X"): SPINE, **names})


def system(**parts: Any) -> Lagrangian:
    """A Lagrangian of the given parts; text becomes trees, what is left out is empty."""
    empty = {"B": ZERO, "t": (), "M": {}, "A": None, "O": None}
    blank = {one.name: empty[str(one.type)[0]] for one in fields(Lagrangian)}
    return Lagrangian.of_parts(**blank | {name: _trees(part) for name, part in parts.items()})


def _trees(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _trees(one) for name, one in part.items()}
    return tree(part) if isinstance(part, str) else part


def shown(energies: Lagrangian) -> list[Row]:
    return [tidy(row, energies) for row in surrogate_rows(energies)]


def texts(energies: Lagrangian, *kinds: str) -> list[str]:
    return [row_text(row, energies) for row in shown(energies) if not kinds or row.kind in kinds]


def visible(line: str) -> int:
    return sum(not unicodedata.combining(letter) for letter in line)


BEAM = Spine("beam", ZERO, Symbol("l"), ("w",))
EXAMPLE_ONE = system(
    coordinates=("q1", "q2", "q4", "q5"),
    spines=(Spine("beam", ZERO, Symbol("l"), ("q3",)),),
    kinetic="m_a*q1_t**2/2 + m_b*(q1_t + q2_t)**2/2 + m_c*(q1_t + q4_t)**2/2 + I_c*q5_t**2/2",
    potential="K1*q1**2/2 + K2*q2**2/2 + K3*(q1 + q4)**2/2",
    dissipation="b*q2_t**2/2",
    density={"beam": "rho*(q1_t + q3_t)**2/2 - EI*q3_xx**2/2"},
    work_density={"beam": {"q3": "f", "q1": "f"}},
    boundary={"q3@a": "q2", "q3_x@a": "0", "q3@b": "q4", "q3_x@b": "q5"},
    inputs={"f": frozenset("x")},
)
ARM = system(
    coordinates=("theta",),
    spines=(BEAM,),
    kinetic="J*theta_t**2/2 + m*((l*theta_t + w_t__b)**2 + theta_t**2*w__b**2)/2",
    potential="m*g*(l*sin(theta) + w__b*cos(theta))",
    density={
        "beam": "rho*((w_t + X*theta_t)**2 + theta_t**2*w**2)/2 - EI*w_xx**2/2"
        " - rho*theta_t**2*(l**2 - X**2)*w_x**2/4 - rho*g*(X*sin(theta) + w*cos(theta))"
    },
    work={"theta": "T"},
    boundary={"w@a": "0", "w_x@a": "0"},
    inputs={"T": frozenset("t")},
)


def pendulum(links: int) -> Lagrangian:
    numbers = range(1, links + 1)
    mass = {i: "+".join(f"m{k}" for k in range(i, links + 1)) for i in numbers}
    return system(
        coordinates=tuple(f"theta{i}" for i in numbers),
        kinetic="+".join(
            f"({mass[max(i, j)]})*l{i}*l{j}*theta{i}_t*theta{j}_t*cos(theta{i} - theta{j})/2"
            for i in numbers
            for j in numbers
        ),
        potential="+".join(f"-({mass[i]})*g*l{i}*cos(theta{i})" for i in numbers),
    )


def test_example_one() -> None:
    assert texts(EXAMPLE_ONE) == [
        "(m_a + m_b + m_c + ρ l) q̈1 + m_b q̈2 + m_c q̈4 + ∫₀ˡ ρ ∂²q3/∂t² dx + (K1 + K3) q1 + K3 q4 = ∫₀ˡ f(x) dx",
        "m_b (q̈1 + q̈2) + b q̇2 + K2 q2 = −EI ∂³q3/∂x³|x=0",
        "m_c (q̈1 + q̈4) + K3 (q1 + q4) = EI ∂³q3/∂x³|x=l",
        "I_c q̈5 = −EI ∂²q3/∂x²|x=l",
        "ρ (q̈1 + ∂²q3/∂t²) + EI ∂⁴q3/∂x⁴ = f(x),   0 < x < l",
        "q3|x=0 = q2",
        "∂q3/∂x|x=0 = 0",
        "q3|x=l = q4",
        "∂q3/∂x|x=l = q5",
    ]


def test_example_one_as_a_block() -> None:
    assert (
        rows_text(shown(EXAMPLE_ONE), EXAMPLE_ONE)
        == """\
Equations of motion
  q1   (m_a + m_b + m_c + ρ l) q̈1 + m_b q̈2 + m_c q̈4 + ∫₀ˡ ρ ∂²q3/∂t² dx + (K1 + K3) q1 + K3 q4
         = ∫₀ˡ f(x) dx
  q2   m_b (q̈1 + q̈2) + b q̇2 + K2 q2 = −EI ∂³q3/∂x³|x=0
  q4   m_c (q̈1 + q̈4) + K3 (q1 + q4) = EI ∂³q3/∂x³|x=l
  q5   I_c q̈5 = −EI ∂²q3/∂x²|x=l

Field equations
  q3   ρ (q̈1 + ∂²q3/∂t²) + EI ∂⁴q3/∂x⁴ = f(x),   0 < x < l

Boundary conditions
  x = 0   q3|x=0 = q2
  x = 0   ∂q3/∂x|x=0 = 0
  x = l   q3|x=l = q4
  x = l   ∂q3/∂x|x=l = q5"""
    )


def test_energies_as_they_stand() -> None:
    width = EXAMPLE_ONE.density["beam"] * WIDTH
    assert tree_text(width, EXAMPLE_ONE) == "Δx ((1/2) ρ (q̇1 + ∂q3/∂t)² − (1/2) EI (∂²q3/∂x²)²)"
    assert tree_text(EXAMPLE_ONE.potential, EXAMPLE_ONE) == "(1/2) K1 q1² + (1/2) K3 (q1 + q4)² + (1/2) K2 q2²"


def test_rotating_arm() -> None:
    assert texts(ARM)[:4] == [
        "(J + m l² + ρ l³/3) θ̈ + ∫₀ˡ (ρ θ̈ w² − (1/2) ρ (l² − x²) θ̈ (∂w/∂x)² + ρ x ∂²w/∂t²) dx"
        " + m θ̈ w²|x=l + m l ∂²w/∂t²|x=l"
        " + ∫₀ˡ (2 ρ θ̇ w ∂w/∂t − ρ (l² − x²) θ̇ ∂w/∂x ∂²w/∂x∂t) dx + 2 m θ̇ w ∂w/∂t|x=l"
        " + (m + ρ l/2) g l cos(θ) − ∫₀ˡ ρ g w sin(θ) dx − m g w sin(θ)|x=l = T(t)",
        "ρ x θ̈ + ρ ∂²w/∂t² − ρ θ̇² w + ρ x θ̇² ∂w/∂x − (1/2) ρ (l² − x²) θ̇² ∂²w/∂x²"
        " + ρ g cos(θ) + EI ∂⁴w/∂x⁴ = 0,   0 < x < l",
        "m l θ̈ + m ∂²w/∂t²|x=l − m θ̇² w|x=l + m g cos(θ) − EI ∂³w/∂x³|x=l = 0",
        "EI ∂²w/∂x²|x=l = 0",
    ]


def test_timoshenko() -> None:
    energies = system(
        spines=(Spine("s", ZERO, Symbol("L_beam"), ("eta", "phi")),),
        density={"s": "rho*eta_t**2/2 + I_rho*phi_t**2/2 - EI*phi_x**2/2 - kGA*(eta_x - phi)**2/2"},
        boundary={"eta@a": "0", "phi@a": "0"},
        work={"eta@b": "F*cos(Omega*t)"},
    )
    assert texts(energies) == [
        "ρ ∂²η/∂t² − kGA (∂²η/∂x² − ∂φ/∂x) = 0,   0 < x < L_beam",
        "I_ρ ∂²φ/∂t² − kGA (∂η/∂x − φ) − EI ∂²φ/∂x² = 0,   0 < x < L_beam",
        "kGA (∂η/∂x − φ)|x=L_beam = F cos(Ω t)",
        "EI ∂φ/∂x|x=L_beam = 0",
        "η|x=0 = 0",
        "φ|x=0 = 0",
    ]


def test_damping_and_friction() -> None:
    energies = system(
        coordinates=("x1", "x2"),
        kinetic="m1*x1_t**2/2 + m2*x2_t**2/2",
        potential="k1*x1**2/2 + k2*(x1 - x2)**2/2 + k3*x1**4/4",
        dissipation="c*(x1_t - x2_t)**2/2 + mu*abs(x2_t - x1_t)",
        work={"x2": "F"},
        inputs={"F": frozenset("t")},
    )
    assert texts(energies) == [
        "m1 ẍ1 + μ sign(ẋ1 − ẋ2) + c (ẋ1 − ẋ2) + (k1 + k2) x1 + k3 x1³ − k2 x2 = 0",
        "m2 ẍ2 − μ sign(ẋ1 − ẋ2) − c (ẋ1 − ẋ2) − k2 (x1 − x2) = F(t)",
    ]


def test_material_damping() -> None:
    energies = system(
        spines=(BEAM,),
        density={"beam": "rho*w_t**2/2 - EI*w_xx**2/2"},
        dissipation_density={"beam": "eta*w_xxt**2/2 + c*w_t**2/2"},
    )
    assert texts(energies, "partial", "natural")[:2] == [
        "ρ ∂²w/∂t² + c ∂w/∂t + η ∂⁵w/∂x⁴∂t + EI ∂⁴w/∂x⁴ = 0,   0 < x < l",
        "η ∂⁴w/∂x³∂t|x=0 + EI ∂³w/∂x³|x=0 = 0",
    ]


def test_properties_along_x() -> None:
    stiff = system(spines=(BEAM,), density={"beam": "-EI*(1 - X/(2*l))*w_xx**2/2"})
    assert texts(stiff, "partial") == ["−(EI/l) ∂³w/∂x³ + EI (1 − x/(2 l)) ∂⁴w/∂x⁴ = 0,   0 < x < l"]
    assert texts(stiff, "natural")[3] == "(1/2) EI ∂²w/∂x²|x=l = 0"
    given = system(
        spines=(BEAM,),
        density={"beam": "-EI*w_xx**2/2"},
        work_density={"beam": {"w": "p"}},
        inputs={"EI": frozenset("x"), "p": frozenset("xt")},
    )
    assert texts(given)[:3] == [
        "EI′′(x) ∂²w/∂x² + 2 EI′(x) ∂³w/∂x³ + EI(x) ∂⁴w/∂x⁴ = p(x,t),   0 < x < l",
        "EI′(0) ∂²w/∂x²|x=0 + EI(0) ∂³w/∂x³|x=0 = 0",
        "EI(0) ∂²w/∂x²|x=0 = 0",
    ]


def test_piecewise_property() -> None:
    energies = system(spines=(BEAM,))
    rho = symengine.Piecewise((tree("rho_1"), symengine.Lt(SPINE, tree("l/2"))), (tree("rho_2"), True))
    row = Row("partial", "w", Sum(rho * tree("w_tt") + tree("EI*w_xxxx")), Sum(), "beam")
    expected = "{ρ_1 if x < l/2; ρ_2 otherwise} ∂²w/∂t² + EI ∂⁴w/∂x⁴ = 0,   0 < x < l"
    assert row_text(row, energies) == expected


def test_reactions_and_constraints() -> None:
    energies = system(
        coordinates=("x", "y"),
        kinetic="m*(x_t**2 + y_t**2)/2",
        potential="m*g*y",
        constraints={"lambda_1": "x**2 + y**2 - l**2"},
    )
    assert (
        rows_text([*shown(energies), Row("reaction", "theta", Sum(Symbol("Q_theta")), Sum(tree("J*a")))], energies)
        == """\
Equations of motion
  x   m ẍ = 2 x λ_1
  y   m ÿ = 2 y λ_1 − m g

Constraints
  λ_1   x² + y² = l²

Reactions
  θ   Q_θ = J a"""
    )


def test_a_coordinate_called_x_beside_a_spine() -> None:
    energies = system(coordinates=("x",), spines=(BEAM,), inputs={"F": frozenset("t")})
    assert tree_text(tree("k*x**2 + m*x_t + rho*X + F_tt"), energies) == "m ẋ + k x(t)² + ρ x + F̈(t)"
    row = Row("geometric", "w@a", Sum(tree("w__a")), Sum(tree("x")))
    assert row_text(row, energies) == "w|x=0 = x(t)"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("theta1*lambda_2*Omega_a*rho", "Ω_a λ_2 ρ θ1"),
        ("-a + b", "b − a"),
        ("m*g*l/2", "m g l/2"),
        ("2*q/3", "(2/3) q"),
        ("12*EI*q/l**3", "(12 EI/l³) q"),
        ("k*q/(a*cos(q))", "k q/(a cos(q))"),
        ("(a + b)*(c + d)/(a*b)", "(a + b) (c + d)/(a b)"),
        ("sqrt(k)*sqrt(EI/m)", "√k √(EI/m)"),
        ("q**n + q**(3/2)", "q^(3/2) + q^(n)"),
        ("1/sqrt(2*q)", "√2/(2 √q)"),
        ("exp(-a*t)*sin(q)**2*tan(b - a)**3", "−exp(−a t) tan³(a − b) sin²(q)"),
        ("abs(q_t)*q_t + pi*sign(q)", "q̇ abs(q̇) + π sign(q)"),
        ("i_t + i_tt", "d²i/dt² + di/dt"),
        ("k*(w__b - q)", "k (w − q)|x=l"),
        ("sin(w_x__a)*X", "x sin(∂w/∂x|x=0)"),
        ("w__b**2*X", "x (w|x=l)²"),
        ("w__b*cos(q*X)", "(w|x=l) cos(x q)"),
    ],
)
def test_expressions(written: str, expected: str) -> None:
    energies = system(coordinates=("q", "i"), spines=(BEAM,))
    assert tree_text(tree(written), energies) == expected


def test_numbers() -> None:
    energies = system(coordinates=("q",))
    assert tree_text(exact(0.12345) * Symbol("q"), energies) == "0.12345 q"
    assert tree_text(exact(-1.5), energies) == "−3/2"
    assert tree_text(ZERO, energies) == "0"
    assert sum_text(Sum(), energies) == "0"


def test_one_factor_before_linear_terms_of_one_kind() -> None:
    energies = system(coordinates=("q1", "q2"), spines=(BEAM,))
    assert sum_text(Sum(tree("k*(w__b - q1) + c*(q2_t - q1_t) + 2*(q1 + q2)")), energies) == (
        "−c (q̇1 − q̇2) + (2 − k) q1 + 2 q2 + k w|x=l"
    )
    assert sum_text(Sum(tree("k*(w__b - q1)")), energies) == "−k (q1 − w|x=l)"
    assert sum_text(Sum(tree("k*w_x__b - k*w__b")), energies) == "−k (w − ∂w/∂x)|x=l"
    assert sum_text(Sum(tree("k*w_x__b - k*w__a")), energies) == "−k (w|x=0 − ∂w/∂x|x=l)"


def test_limits_without_unicode_forms() -> None:
    spine = Spine("s", Symbol("l1"), tree("l1 + l2"), ("w",))
    energies = system(spines=(spine,))
    assert sum_text(Sum(ZERO, {"s": tree("-rho*w_t")}), energies) == "−∫[l1..l1 + l2] ρ ∂w/∂t dx"
    assert sum_text(Sum(tree("EI*w_xx__b")), energies) == "EI ∂²w/∂x²|x=(l1+l2)"


def test_pendulum_is_collected() -> None:
    energies = pendulum(8)
    block = rows_text(shown(energies), energies)
    assert len(block) < 40_000
    assert "(m7 + m8) l1 l7 θ̈7 cos(θ1 − θ7)" in block
    assert max(map(visible, block.splitlines())) <= 100


@pytest.mark.parametrize("width", [20, 60, 100, 1000])
def test_wrapping_loses_nothing(width: int) -> None:
    rows = shown(ARM)
    block = rows_text(rows, ARM, width=width)
    words = " ".join(block.split())
    for row in rows:
        assert " ".join(row_text(row, ARM).split()) in words
    assert width < 60 or max(map(visible, block.splitlines())) <= width


@settings(max_examples=15)
@given(systems())
def test_no_raw_names(energies: Lagrangian) -> None:
    block = rows_text(shown(energies), energies)
    assert not RAW.search(block), block
    assert "+ −" not in block


LEAVES = {
    "q1": "q1",
    "q1_t": "q̇1",
    "theta_tt": "θ̈",
    "w": "w",
    "w_xx": "∂²w/∂x²",
    "F": "F(t)",
    "m_a": "m_a",
    "k1": "k1",
    "rho": "ρ",
}
PRINTED = re.compile("|".join(map(re.escape, sorted(LEAVES.values(), key=len, reverse=True))))
PLAIN = {text: f"v{i}" for i, text in enumerate(LEAVES.values())}
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
NUMBERS = [symengine.Integer(2), symengine.Rational(-3, 4), symengine.Integer(-1)]
LEAF = st.sampled_from([*map(Symbol, LEAVES), *NUMBERS])
FUNCTION = st.sampled_from([symengine.sin, symengine.cos, symengine.tanh, symengine.Abs])
EXPONENT = st.sampled_from([2, 3, -1, -2, symengine.Rational(1, 2), symengine.Rational(-3, 2)])


@st.composite
def trees(draw: st.DrawFn, depth: int = 4) -> Basic:
    kind = draw(st.sampled_from(["leaf", "sum", "difference", "product", "power", "call"])) if depth else "leaf"
    if kind == "leaf":
        return draw(LEAF)
    f = draw(trees(depth - 1))
    if kind == "call":
        return draw(FUNCTION)(f)
    if kind == "power":
        return f ** draw(EXPONENT) if f != 0 else f
    g = draw(trees(depth - 1))
    return f + g if kind == "sum" else f - g if kind == "difference" else f * g


def read_back(text: str) -> Basic:
    """Printed text as a tree again, by the rules a reader applies."""
    plain = PRINTED.sub(lambda found: PLAIN[found[0]], text).replace("−", "-")
    while raised := re.search(r"([a-z]+)([⁰¹²³⁴-⁹]+)\(", plain):
        depth, end = 1, raised.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(plain[end], 0)
            end += 1
        call = f"({raised[1]}({plain[raised.end() : end]})**{raised[2].translate(SUPERSCRIPTS)}"
        plain = f"{plain[: raised.start()]}{call}{plain[end:]}"
    plain = re.sub(r"[⁰¹²³⁴-⁹]+", lambda found: "**" + found[0].translate(SUPERSCRIPTS), plain)
    plain = re.sub(r"√(\w+)", r"sqrt(\1)", plain).replace("√(", "sqrt(").replace("^", "**")
    back = symengine.sympify(re.sub(r"(?<=[\w)]) (?=[\w(])", "*", plain))
    return back.xreplace({Symbol(PLAIN[LEAVES[name]]): Symbol(name) for name in LEAVES})


def value(f: Basic, where: dict[Basic, Basic]) -> complex:
    return complex(f.xreplace(where).n(53, real=False))


@given(trees())
def test_text_means_what_the_tree_means(f: Basic) -> None:
    energies = system(coordinates=("q1", "theta"), spines=(BEAM,), inputs={"F": frozenset("t")})
    where = {Symbol(name): symengine.Rational(20 * i + 31, 73) for i, name in enumerate(LEAVES)}
    expected = value(f, where)
    assume(abs(expected) < 1e12)
    for text in (tree_text(f, energies), sum_text(Sum(f), energies)):
        assert abs(value(read_back(text), where) - expected) <= 1e-8 * max(1, abs(expected)), text


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (2.1e11 * 1.5e-4, "31500000 "),
        (0.1 + 0.2, "0.3 "),
        (1234.56789012, "1234.56789012 "),
        (1e-7 / 3, "0.0000000333333333333 "),
    ],
)
def test_numbers_are_shown_rounded_and_kept_exact(number, shown):
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    equations = fx.linearise(fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start))), values={"EI": number})
    assert f"+ {shown}∂⁴w" in str(equations)
    (density,) = equations.lagrangian.density.values()
    kept = {-2 * float(one.args[0]) for one in density.expand().args if one.args and one.args[0].is_Number}
    assert number in kept
