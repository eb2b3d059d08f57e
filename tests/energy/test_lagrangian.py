"""What a Lagrangian reads: our expressions, text, SymPy, and mixtures of them."""

import pytest
import sympy as sp

import flexura as fx

t, x = sp.symbols("t x")


def test_text_expressions_and_sympy_say_the_same() -> None:
    k, m = sp.symbols("k m")
    q = fx.Coordinate("q")
    function = sp.Function("q")(t)
    ways = [
        (fx.Parameter("m") * q.t**2 / 2, fx.Parameter("k") * fx.cos(q)),
        ("m*q_t**2/2", "k*cos(q)"),
        (m * q.t**2 / 2, k * sp.cos(q)),
        (m * function.diff(t) ** 2 / 2, k * sp.cos(function)),
        (q.t**2 * m / 2, fx.cos(function) * k),
    ]
    lagrangians = [fx.Lagrangian(kinetic=T, potential=V, work={q: 0}) for T, V in ways]
    assert all(
        one.kinetic == lagrangians[0].kinetic and one.potential == lagrangians[0].potential for one in lagrangians
    )
    assert set(lagrangians[2].parameters) == {"k", "m"}


def test_sympy_fields() -> None:
    w = fx.Field("w", length="l")
    EI, rho = sp.symbols("EI rho")
    f = sp.Function("w")(x, t)
    a = fx.Lagrangian(density={w: rho * f.diff(t) ** 2 / 2 - EI * (1 + x) * f.diff(x, 2) ** 2 / 2})
    b = fx.Lagrangian(density={w: "rho*w_t**2/2 - EI*(1 + x)*w_xx**2/2"})
    assert a.density == b.density


def test_a_coordinate_may_be_called_x() -> None:
    cart, w = fx.Coordinate("x"), fx.Field("w", length="l")
    system = fx.Lagrangian(
        kinetic="m*x_t**2/2",
        density={w: fx.Parameter("rho") * fx.x * (w.t + cart.t) ** 2 / 2 - w.x**2},
        potential=cart**2,
    )
    equations = fx.derive(system)
    assert fx.verify(equations)
    motion = sp.Function("x")(t)
    row = equations.ordinary["x"]
    l, m, rho = sp.symbols("l m rho")
    inside = sp.Integral(rho * x * sp.Function("w")(x, t).diff(t, 2), (x, 0, l))
    expected = m * motion.diff(t, 2) + rho * l**2 / 2 * motion.diff(t, 2) + inside + 2 * motion
    assert sp.expand(row.lhs - row.rhs - expected) == 0


def test_values_and_units_travel_with_expressions() -> None:
    q = fx.Coordinate("q")
    system = fx.Lagrangian(
        kinetic=fx.Parameter("m", 2) * q.t**2 / 2, potential=sp.Symbol("k") * q * fx.Parameter("a", 1.5)
    )
    assert fx.derive(system).values == {"m": 2.0, "a": 1.5}
    assert set(system.parameters) == {"m", "k", "a"}


def test_absolute_values_differentiate_to_signs() -> None:
    q = fx.Coordinate("q")
    system = fx.Lagrangian(kinetic="m*q_t**2/2", dissipation=fx.Parameter("mu") * fx.abs_(q.t), potential="0*q")
    row = fx.derive(system).ordinary["q"]
    rate = sp.Function("q")(t).diff(t)
    m, mu = sp.symbols("m mu")
    assert sp.expand(row.lhs - row.rhs - (m * rate.diff(t) + mu * sp.sign(rate))) == 0


def test_coefficients_depending_on_time_and_place() -> None:
    w = fx.Field("w", length="l")
    density = fx.exp(-fx.time) * w.t**2 / 2 - (1 - fx.x / 2) * w.xx**2 / 2
    equations = fx.derive(fx.Lagrangian(density={w: density}))
    f = sp.Function("w")(x, t)
    expected = (sp.exp(-t) * f.diff(t)).diff(t) + ((1 - x / 2) * f.diff(x, 2)).diff(x, 2)
    row = equations.partial["w"]
    assert sp.expand(row.lhs - row.rhs - expected) == 0


@pytest.mark.parametrize("value", [True, None, [1], {"a": 1}])
def test_what_is_not_an_expression(value: object) -> None:
    with pytest.raises((TypeError, fx.FlexuraError)):
        fx.Coordinate("q") + value
