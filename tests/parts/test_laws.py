"""Springs and dampers by a law: the force is the law, what is stored and lost is its integral."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad, solve_ivp

import flexura as fx
from flexura.model.files.reading import model_of_text
from flexura.symbolic.antiderivatives import antiderivative
from flexura.symbolic.engine import Symbol
from flexura.symbolic.parser import parse

VALUES = {"k": 40.0, "k3": 7.0, "c": 0.3, "w": 0.05, "g": 0.2, "F0": 1.5, "L": 3.0, "p": 2.0}

LAWS = {
    "k*s + k3*s**3": lambda s: 40 * s + 7 * s**3,
    "F0 + k*s": lambda s: 1.5 + 40 * s,
    "c*s*abs(s)": lambda s: 0.3 * s * abs(s),
    "F0*sign(s)": lambda s: 1.5 * np.sign(s),
    "c*sign(s)*sqrt(abs(s))": lambda s: 0.3 * np.sign(s) * np.sqrt(abs(s)),
    "k*tanh(s/w)": lambda s: 40 * np.tanh(s / 0.05),
    "Piecewise((k*(s - g), s > g), (k*(s + g), s < -g), (0, True))": lambda s: 40 * (s - np.clip(s, -0.2, 0.2)),
    "Piecewise((0, abs(s) < g), (k*(s - g*sign(s)), True))": lambda s: 40 * (s - np.clip(s, -0.2, 0.2)),
    "k*s + Piecewise((k3*(s - 1)**2, s > 1), (0, True))": lambda s: 40 * s + 7 * max(s - 1, 0.0) ** 2,
    "k*abs(s - g)": lambda s: 40 * abs(s - 0.2),
    "p/(L - s) - p/L": lambda s: 2 / (3 - s) - 2 / 3,
    "k*sin(s)": lambda s: 40 * np.sin(s),
    "p*(exp(s/L) - 1)": lambda s: 2 * np.expm1(s / 3),
    "k*s/sqrt(L**2 + s**2)": lambda s: 40 * s / np.sqrt(9 + s**2),
}


@pytest.mark.parametrize("law", LAWS)
def test_what_is_stored_is_the_integral_of_the_law(law):
    """Against quadrature of the same law written in NumPy; from below to above every kink."""
    found = antiderivative(parse(law).engine, Symbol("s"))
    known = {Symbol(name): value for name, value in VALUES.items()}
    for s in (-2.7, -1.1, -0.15, 0.0, 0.1, 0.6, 1.3, 2.2):
        expected = quad(LAWS[law], 0, s, points=[one for one in (-0.2, 0.2, 1.0) if 0 < one / s < 1] if s else None)[0]
        assert float(found.subs({**known, Symbol("s"): s})) == pytest.approx(expected, rel=1e-7, abs=1e-9)


@pytest.mark.parametrize("law", LAWS)
def test_the_force_is_the_law(law):
    """m q'' = -law(q - y): y held, the spring drawn out by the cart."""
    cart = fx.Mass("cart", m=2.0)
    equations = fx.derive(fx.Model(fx.Slide(fx.ground, cart, name="q"), fx.Spring(fx.ground, cart, law=law)))
    values = {name: one for name, one in VALUES.items() if name in equations.lagrangian.parameters}
    for q in (-1.3, -0.1, 0.07, 0.5, 1.7):
        found = fx.accelerations(equations, {"q": q}, values=values)["q"]
        assert found == pytest.approx(-LAWS[law](q) / 2, rel=1e-12)


@pytest.mark.parametrize("law", [*list(LAWS)[:3], "k*tanh(s/w)", "Piecewise((k*(s - g), s > g), (0, True))"])
def test_all_routes_agree_on_a_law(law):
    hub, bob = fx.RigidBody("hub", m=1, I=2), fx.RigidBody("bob", m=3, I=1)
    model = fx.Model(
        fx.Revolute(fx.ground, hub, name="a"),
        fx.Revolute(hub.at(1, 0), bob.at(0, 1), name="b"),
        fx.Spring(fx.ground.at(2, 1), bob, law=law, along="line", free_length="l0"),
        fx.TorsionSpring(hub, bob, law=law),
        fx.Damper(hub.at(0, 1), bob, law=re.sub(r"\bs\b", "v", law), along="x"),
        fx.TorsionDamper(fx.ground, hub, law="c*v*abs(v)"),
    )
    assert fx.verify(fx.derive(model))


def test_energies_close_and_what_is_lost_is_the_power_of_the_law():
    """A Duffing oscillator with quadratic damping, against SciPy; the loss against the integral of v law(v)."""
    cart = fx.Mass("cart", m=2.0)
    model = fx.Model(
        fx.Slide(fx.ground, cart, name="q"),
        fx.Spring(fx.ground, cart, law="4*s + 2*s**3"),
        fx.Damper(fx.ground, cart, law="0.3*v*abs(v) + 0.1*sign(v)*sqrt(abs(v))"),
    )
    t = np.linspace(0, 4, 41)
    run = fx.simulate(fx.derive(model), t, initial={"q": 1.0, "q_t": 0.5}, tolerance=1e-9)

    def drag(v):
        return 0.3 * v * abs(v) + 0.1 * np.sign(v) * np.sqrt(abs(v))

    def rate(_, y):
        return [y[1], -(4 * y[0] + 2 * y[0] ** 3 + drag(y[1])) / 2, y[1] * drag(y[1])]

    true = solve_ivp(rate, (0, 4), [1.0, 0.5, 0.0], "DOP853", t_eval=t, rtol=1e-10, atol=1e-11).y
    np.testing.assert_allclose(run["q"], true[0], atol=1e-6)
    np.testing.assert_allclose(run.energy.dissipated, true[2], atol=1e-6)
    assert run.energy.error < 1e-6


@settings(max_examples=20, deadline=None)
@given(
    st.lists(st.tuples(*[st.integers(-50, 50).map(lambda n: n / 16)] * 3), min_size=1, max_size=4),
    st.integers(-64, 64).map(lambda n: n / 16),
)
def test_pieces_in_any_order_of_bounds(pieces, s):
    """Straight lines between bounds that are drawn at random: only the first condition that holds counts."""
    text = ", ".join(f"({a!r}*s + {b!r}, s < {bound!r})" for bound, a, b in pieces)
    found = antiderivative(parse(f"Piecewise({text}, (s, True))").engine, Symbol("s"))

    def law(at):
        return next((a * at + b for bound, a, b in pieces if at < bound), at)

    ends = sorted({0.0, s, *(bound for bound, _, _ in pieces if min(0, s) < bound < max(0, s))})
    expected = sum((law(0.5 * (a + b))) * (b - a) for a, b in pairwise(ends))  # exact for lines
    assert float(found.subs({Symbol("s"): s})) == pytest.approx(expected * (1 if s > 0 else -1), rel=1e-9, abs=1e-9)


def test_small_motions_of_laws():
    """tanh(s/w) k: stiffness k/w; v|v| has no part that is linear; a kink at the state itself is refused."""
    cart = fx.Mass("cart", m=2.0)

    def model(*links):
        return fx.derive(fx.Model(fx.Slide(fx.ground, cart, name="q"), *links))

    smooth = model(fx.Spring(fx.ground, cart, law="8*tanh(s/4)"), fx.Damper(fx.ground, cart, law="3*v*abs(v)"))
    assert fx.modes(smooth, 1).frequencies[0] == pytest.approx(1.0, rel=1e-12)
    for law in ("2*s + 3*sign(s)", "Piecewise((2*s, s > 0), (0, True))", "abs(s)"):
        with pytest.raises(fx.FlexuraError, match="kink"):
            fx.modes(model(fx.Spring(fx.ground, cart, law=law)), 1)
    gap = fx.Spring(fx.ground, cart, law="Piecewise((9*(s - g), s > g), (0, True))", name="gap")
    loose = model(gap, fx.Spring(fx.ground, cart, 8.0))
    assert fx.modes(loose, 1, values={"g": 0.1}).frequencies[0] == pytest.approx(2.0)


def test_a_load_with_a_sign_is_not_linear():
    """It has no slope beside zero, so nothing but its kink tells."""
    cart = fx.Mass("cart", m=1.0)
    model = fx.Model(fx.Slide(fx.ground, cart, name="q"), fx.Force(cart, "-4*q - 3*sign(q_t)"))
    with pytest.raises(fx.FlexuraError, match="kink"):
        fx.modes(fx.derive(model), 1)


def test_a_coordinate_may_be_called_s():
    cart = fx.Mass("cart", m=2.0)
    model = fx.Model(fx.Slide(fx.ground, cart, name="s"), fx.Spring(fx.ground, cart, law="6*s"))
    assert fx.accelerations(fx.derive(model), {"s": 1.0}) == pytest.approx({"s": -3.0})


@pytest.mark.parametrize(
    ("keywords", "said"),
    [
        ({}, "neither of k and law; give one"),
        ({"k": 1, "law": "s"}, "both k and law; give one"),
        ({"law": "k*v"}, "holds v, but a spring's is a function of s"),
        ({"law": "k*s*t"}, "holds t, but"),
        ({"law": "k"}, "no function of s; write it in s"),
        ({"law": "exp(-s**2)"}, "integral over s is not known"),
        ({"law": "Piecewise((s, sin(s) > 0), (0, True))"}, "integral over s is not known"),
        ({"law": "k*s +"}, "cannot be read"),
    ],
)
def test_what_is_no_law(keywords, said):
    with pytest.raises(fx.FlexuraError, match=said):
        fx.Spring(fx.ground, fx.Mass("m", m=1), **keywords)


def test_laws_in_a_file():
    text = """
    [parameters]
    k3 = 2.0

    [parts.cart]
    kind = "Mass"
    m = 2

    [[connections]]
    kind = "Slide"
    between = ["ground", "cart"]
    name = "q"

    [[connections]]
    kind = "Spring"
    between = ["ground", "cart"]
    law = "4*s + k3*s**3"

    [[connections]]
    kind = "Damper"
    between = ["ground", "cart"]
    law = "0.5*v*abs(v)"
    """
    found = fx.accelerations(fx.derive(model_of_text(text)), {"q": 1.0, "q_t": -2.0})
    assert found == pytest.approx({"q": -(4 + 2 - 0.5 * 4) / 2})
