"""Energies with integrals over a member: Woinowsky-Krieger's beam in every verb, against its closed forms."""

import numpy as np
import pytest
import scipy.integrate
import scipy.optimize
import sympy as sp
from scipy.special import ellipj

import flexura as fx

EA, EI = 1e4, 1.0


def _beam(pressed: float = 0.0) -> fx.Equations:
    """rho = L = 1, pinned, EA (int w_x^2/2 dx)^2/2, pressed by a force in multiples of Euler's."""
    w = fx.Field("w", length=1.0)
    longer = fx.integral(w.x**2 / 2, over=w)
    return fx.derive(
        fx.Lagrangian(
            potential=EA / 2 * longer**2,
            density={w: w.t**2 / 2 - EI * w.xx**2 / 2 + pressed * np.pi**2 * w.x**2 / 2},
            boundary={w.at(0): 0, w.at(1.0): 0},
            work_density={w: fx.Parameter("f") * fx.sin(fx.pi * fx.x)},
        )
    )


def _cubic(a: float, pressed: float = 0.0) -> float:
    """The load of an amplitude a of half a sine."""
    return np.pi**4 * ((1 - pressed) * EI * a + EA * a**3 / 4)


def test_the_tension_stands_in_the_equations_by_name() -> None:
    equations = _beam()
    assert fx.verify(equations)
    assert equations.fields == ("w",)
    text = str(equations)
    assert "∂N_S_w/∂x = 0" in text
    assert "S_w|x=length_w − N_S_w|x=length_w = 0" in text
    again = fx.Equations.from_json(equations.to_json())
    assert fx.equivalent(again, equations)


def test_at_rest_it_follows_the_cubic() -> None:
    load = 0.02 * np.pi**4
    rest = fx.equilibrium(_beam(), values={"f": load})
    expected = scipy.optimize.brentq(lambda a: _cubic(a) - load, 0, 0.02, xtol=1e-16)
    assert float(sp.sympify(rest["w"]).subs("x", 0.5)) == pytest.approx(expected, rel=1e-10)
    assert float(sp.sympify(rest["N_S_w"]).subs("x", 0.3)) == pytest.approx(EA * np.pi**2 * expected**2 / 4, rel=1e-8)


def test_modes_about_rest_and_about_a_bent_state() -> None:
    """k^2 pi^2 about the straight one; about a sine of the amplitude a its own mode has pi^4 (1 + 3 EA a^2/4)."""
    equations = _beam()
    plain = fx.modes(equations, 3, values={"f": 0})
    assert plain.frequencies == pytest.approx(np.pi**2 * np.arange(1, 4) ** 2, rel=1e-12)
    assert "Wittrick-Williams" in plain.certificate.text
    a = 0.01
    bent = fx.equilibrium(equations, values={"f": _cubic(a)})
    tension = EA * np.pi**2 * a**2 / 4
    expected = [np.pi**2 * np.sqrt(1 + 3 * EA * a**2 / 4), np.sqrt((2 * np.pi) ** 4 + tension * (2 * np.pi) ** 2)]
    assert fx.modes(equations, 2, about=bent).frequencies == pytest.approx(expected, rel=1e-8)


def test_a_free_vibration_is_duffings() -> None:
    """a'' + pi^4 a + pi^4 EA a^3/4 = 0 from rest at a0: a0 cn(W t | m) with W^2 = pi^4 (1 + EA a0^2/4)."""
    a0, t = 0.02, np.linspace(0, 1, 11)
    run = fx.simulate(_beam(), t, initial={"w": "0.02*sin(pi*x)"}, values={"f": 0})
    cubic = np.pi**4 * EA / 4 * a0**2
    W2 = np.pi**4 + cubic
    expected = a0 * ellipj(np.sqrt(W2) * t, cubic / (2 * W2))[1]
    assert run["w_x@a"] / np.pi == pytest.approx(expected, abs=1e-6 * a0 * 10)
    assert run.energy.error < 1e-8


def test_where_it_hardly_resists_its_tension_does() -> None:
    equations, load = _beam(pressed=0.99), _cubic(0.01, 0.99)
    rest = fx.equilibrium(equations, values={"f": load})
    assert rest.stable
    assert float(sp.sympify(rest["w"]).subs("x", 0.5)) == pytest.approx(0.01, rel=1e-8)


def test_inertia_of_what_bending_draws_in() -> None:
    """A mass at a roller, m/2 (d/dt int w_x^2/2 dx)^2: a sine stays, a_t^2 (1/4 + m pi^4 a^2/8) + pi^4 a^2/4 = E."""
    m, a0, t = 4.0, 0.1, np.linspace(0, 0.3, 4)
    w = fx.Field("w", length=1.0)
    longer = fx.integral(w.x**2 / 2, over=w, name="S")
    equations = fx.derive(
        fx.Lagrangian(
            kinetic=fx.Parameter("m", m) * longer.t**2 / 2,
            density={w: w.t**2 / 2 - w.xx**2 / 2},
            boundary={w.at(0): 0, w.at(1.0): 0},
        )
    )
    assert fx.verify(equations)
    run = fx.simulate(equations, t, initial={"w": f"{a0}*sin(pi*x)"}, tolerance=1e-9)

    def rates(_: float, y: np.ndarray) -> list[float]:
        inertia = 1 / 2 + m * np.pi**4 * y[0] ** 2 / 4
        return [y[1], -(np.pi**4 * y[0] / 2 + m * np.pi**4 * y[0] * y[1] ** 2 / 4) / inertia]

    expected = scipy.integrate.solve_ivp(rates, (0, t[-1]), [a0, 0], t_eval=t, rtol=1e-11, atol=1e-14).y[0]
    assert run["w_x@a"] / np.pi == pytest.approx(expected, abs=1e-5 * a0)


def test_what_is_no_integral_over_a_member_is_refused() -> None:
    w = fx.Field("w", length=1.0)
    with pytest.raises(fx.FlexuraError, match="which is no field"):
        fx.integral("w_x**2", over="w")
    twice = fx.integral(w.x**2, over=w) + fx.integral(w**2, over=w)
    with pytest.raises(fx.FlexuraError, match="Two different things are called S_w"):
        fx.Lagrangian(potential=twice, density={w: w.t**2 - w.x**2})
    named = fx.integral(w.x**2, over=w) + fx.integral(w**2, over=w, name="Q")
    assert fx.Lagrangian(potential=named, density={w: w.t**2 - w.x**2}).fields == ("w", "S_w", "Q", "N_S_w", "N_Q")
    with pytest.raises(fx.FlexuraError, match="holds the rate w_t along a spine"):
        fx.Lagrangian(potential=fx.integral(w.t**2, over=w), density={w: w.t**2 - w.x**2})
