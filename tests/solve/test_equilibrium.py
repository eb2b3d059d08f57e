"""States of rest: closed forms, other solvers, and linearisation about what was found."""

import math
from typing import Any

import numpy as np
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_bvp

import flexura as fx
from flexura import gallery
from flexura.derivation.linearise import linearise
from flexura.solve.equilibrium import equilibrium
from flexura.solve.matrices import matrices

x = sp.Symbol("x")
BEAM = {"EI": 50.0, "rho": 1.2, "g": 9.81, "l": 1.3}


def shape(text: Any) -> Any:
    return sp.lambdify(x, sp.sympify(str(text)), "numpy")


def along(length: float, text: Any) -> np.ndarray:
    return np.broadcast_to(shape(text)(np.linspace(0, length, 41)), (41,))


def cantilever(density: str = "", **more: Any) -> fx.Equations:
    w = fx.Field("w", length="l")
    ends = {w.at(0): 0, w.slope(0): 0}
    return fx.derive(
        fx.Lagrangian(density={w: f"rho*w_t**2/2 - EI*w_xx**2/2 - rho*g*w{density}"}, boundary=ends, **more)
    )


# -- systems without fields --------------------------------------------------------------------------------------------


def test_a_mass_on_a_hardening_spring() -> None:
    q = fx.Coordinate("q")
    spring = fx.derive(fx.Lagrangian(kinetic="m*q_t**2/2", potential="m*g*q + k*q**2/2 + k3*q**4/4", work={q: 0}))
    values = {"m": 2.0, "g": 9.81, "k": 30.0, "k3": 400.0}
    found = equilibrium(spring, values)
    roots = np.roots([400, 0, 30, 2 * 9.81])
    assert found["q"] == pytest.approx(float(roots[np.abs(roots.imag) < 1e-12].real[0]), rel=1e-14)
    assert found.residual < 1e-14
    linear = matrices(linearise(spring, about=found, values=values)).numbers()
    assert linear.K[0, 0] == pytest.approx(30 + 3 * 400 * found["q"] ** 2)


def hoop(motion: str = "Omega*t") -> fx.Equations:
    """A bead on a hoop that turns about its vertical diameter."""
    theta, phi = fx.Coordinate("theta"), fx.Coordinate("phi")
    return fx.derive(
        fx.Lagrangian(
            kinetic="m*r**2*(theta_t**2 + sin(theta)**2*phi_t**2)/2",
            potential="-m*g*r*cos(theta)",
            prescribed={phi: motion},
            work={theta: 0},
        )
    )


def test_a_bead_on_a_turning_hoop_rises() -> None:
    values = {"m": 0.1, "r": 0.4, "g": 9.81, "Omega": 7.0}
    risen = equilibrium(hoop(), values, guess={"theta": 1.0})
    assert math.cos(float(risen["theta"])) == pytest.approx(9.81 / (0.4 * 49), rel=1e-13)
    linear = matrices(linearise(hoop(), about=risen, values=values)).numbers()
    assert linear.K[0, 0] / linear.M[0, 0] == pytest.approx(49 * math.sin(float(risen["theta"])) ** 2)
    assert equilibrium(hoop(), values) == {"theta": 0.0}


def test_the_pendulum_in_x_and_y_has_two_rests_and_a_pull() -> None:
    X, Y, l = fx.Coordinate("X"), fx.Coordinate("Y"), fx.Parameter("l")
    pendulum = fx.derive(
        fx.Lagrangian(kinetic="m*(X_t**2 + Y_t**2)/2", potential="m*g*Y", constraints=[X**2 + Y**2 - l**2])
    )
    values = {"m": 2.0, "g": 9.81, "l": 1.5}
    assert equilibrium(pendulum, values) == pytest.approx({"X": 0.0, "Y": -1.5, "lambda_1": -2 * 9.81 / 3})
    standing = equilibrium(pendulum, values, guess={"Y": 1.0})
    assert standing == pytest.approx({"X": 0.0, "Y": 1.5, "lambda_1": 2 * 9.81 / 3})
    for about, sign in ((equilibrium(pendulum, values), 1), (standing, -1)):
        found = matrices(linearise(pendulum, about=about, values=values)).numbers()
        assert found.K[0, 0] / found.M[0, 0] == pytest.approx(sign * 9.81 / 1.5)


def test_a_rope_over_two_pulleys_is_a_force_triangle() -> None:
    """Three weights: the angles at the knot satisfy the law of sines."""
    X, Y = fx.Coordinate("X"), fx.Coordinate("Y")
    pull = fx.Parameter("A") * fx.sqrt(X**2 + Y**2) + fx.Parameter("B") * fx.sqrt((X - 1) ** 2 + Y**2)
    knot = fx.derive(fx.Lagrangian(kinetic="m*(X_t**2 + Y_t**2)/2", potential=pull + fx.Parameter("C") * Y))
    found = equilibrium(knot, {"m": 1, "A": 3.0, "B": 4.0, "C": 5.0}, guess={"X": 0.4, "Y": -0.5})
    to_a = np.array([0 - found["X"], -found["Y"]], dtype=float)
    to_b = np.array([1 - found["X"], -found["Y"]], dtype=float)
    assert to_a @ to_b == pytest.approx(0, abs=1e-12)  # 3-4-5: a right angle
    assert 3 * to_a / np.linalg.norm(to_a) + 4 * to_b / np.linalg.norm(to_b) == pytest.approx([0, 5])


def test_a_steady_load_on_an_input() -> None:
    q = fx.Coordinate("q")
    spring = fx.derive(fx.Lagrangian(kinetic="m*q_t**2/2", potential="k*q**2/2", work={q: fx.Input("F")}))
    assert equilibrium(spring, {"m": 1, "k": 4}) == {"q": 0.0}
    assert equilibrium(spring, {"m": 1, "k": 4, "F": 3}) == {"q": 0.75}


def test_a_knife_edge_rests_anywhere() -> None:
    found = equilibrium(fx.derive(gallery.example("knife-edge")), {"m": 1, "I": 1}, guess={"theta": 0.3})
    assert found == {"X": 0.0, "Y": 0.0, "theta": 0.3, "lambda_1": 0.0}


# -- shapes ------------------------------------------------------------------------------------------------------------


def test_a_cantilever_sags_as_in_every_book() -> None:
    EI, rho, g, l = BEAM.values()
    found = equilibrium(cantilever(), BEAM)
    closed = sp.sympify(str(found["w"])) + rho * g / (24 * EI) * x**2 * (x**2 - 4 * l * x + 6 * l**2)
    assert max(abs(float(c)) for c in sp.Poly(closed, x).all_coeffs()) < 1e-16
    assert sp.Poly(sp.sympify(str(found["w"])), x).degree() == 4
    linear = linearise(cantilever(), about=found, values=BEAM)
    assert fx.equivalent(linear, linearise(cantilever(work_density=None), about=found, values=BEAM))
    assert linear.rows[0].right.empty


def test_a_string_whose_tension_grows() -> None:
    """((T0 + rho g x) w_x)_x = -f: a logarithm, which no polynomial is."""
    w = fx.Field("w", length="l")
    string = fx.derive(
        fx.Lagrangian(
            density={w: "rho*w_t**2/2 - (T0 + rho*g*x)*w_x**2/2"},
            work_density={w: fx.Input("f", of="x")},
            boundary={w.at(0): 0, w.at("l"): 0},
        )
    )
    values = {"rho": 1.2, "T0": 30.0, "g": 9.81, "l": 1.3, "f": 2.5}
    found = equilibrium(string, values)
    a, T0, f, l, C = 1.2 * 9.81, 30.0, 2.5, 1.3, sp.Symbol("C")
    exact = -f / a * x + (C + f * T0 / a) / a * sp.log(1 + a * x / T0)
    exact = exact.subs(C, sp.solve(exact.subs(x, l), C)[0])
    assert np.allclose(along(l, found["w"]), along(l, exact), rtol=0, atol=1e-13)
    assert found.residual < 1e-12
    linear = linearise(string, about=found, values=values)
    assert linear.rows[0].right.empty
    lopsided = equilibrium(string, {**values, "f": "2.5*x**2"})
    assert shape(lopsided["w"])(0.9) > shape(lopsided["w"])(0.4)


def test_a_beam_column_bends_as_its_transcendental_form_says() -> None:
    """EI w'''' - T w'' = -rho g with a tension T, clamped and free."""
    EI, rho, g, l = BEAM.values()
    T = 400.0
    found = equilibrium(cantilever(" - T*w_x**2/2"), {**BEAM, "T": T})
    b = math.sqrt(T / EI)
    c1, c2, c3, c4 = sp.symbols("c1:5")
    w = c1 + c2 * x + c3 * sp.cosh(b * x) + c4 * sp.sinh(b * x) + rho * g / (2 * T) * x**2
    ends = [w.subs(x, 0), w.diff(x).subs(x, 0), w.diff(x, 2).subs(x, l), (EI * w.diff(x, 3) - T * w.diff(x)).subs(x, l)]
    closed = w.subs(sp.solve(ends, (c1, c2, c3, c4)))
    assert np.allclose(along(l, found["w"]), along(l, closed), rtol=0, atol=1e-13)


def test_a_tapered_beam_agrees_with_scipy() -> None:
    w = fx.Field("w", length="l")
    tapered = fx.derive(
        fx.Lagrangian(
            density={w: "rho*w_t**2/2 - EI*exp(-x)*w_xx**2/2 - rho*g*w"}, boundary={w.at(0): 0, w.slope(0): 0}
        )
    )
    found = equilibrium(tapered, BEAM)
    EI, rho, g, l = BEAM.values()

    def moment(s: np.ndarray) -> np.ndarray:
        return -rho * g * (l - s) ** 2 / 2 / (EI * np.exp(-s))

    solved = solve_bvp(
        lambda s, y: np.vstack([y[1], moment(s)]), lambda a, b: np.array([a[0], a[1]]), np.linspace(0, l, 50),
        np.zeros((2, 50)), tol=1e-12, max_nodes=100000,
    )  # fmt: skip
    assert np.allclose(along(l, found["w"]), solved.sol(np.linspace(0, l, 41))[0], rtol=0, atol=1e-11)


def test_a_timoshenko_beam_shears_and_bends() -> None:
    eta = fx.Field("eta", length="l")
    phi = fx.Field("phi", spine=eta)
    beam = fx.derive(
        fx.Lagrangian(
            density={eta: "(rho*eta_t**2 + J*phi_t**2 - EI*phi_x**2 - kGA*(eta_x - phi)**2)/2"},
            work={eta.at("l"): fx.Input("F")},
            boundary={eta.at(0): 0, phi.at(0): 0},
        )
    )
    values = {"rho": 1, "J": 0.1, "EI": 50.0, "kGA": 300.0, "l": 1.3, "F": 7.0}
    found = equilibrium(beam, values)
    tip = 7 * 1.3**3 / (3 * 50) + 7 * 1.3 / 300
    assert shape(found["eta"])(1.3) == pytest.approx(tip, rel=1e-14)
    assert shape(found["phi"])(1.3) == pytest.approx(7 * 1.3**2 / 100, rel=1e-14)


def test_example_one_rests_with_its_load_in_the_springs() -> None:
    equations = fx.derive(gallery.example("example-one"))
    values = {
        "m_a": 1,
        "m_b": 1,
        "m_c": 1,
        "I_c": 1,
        "K1": 11.0,
        "K2": 23.0,
        "K3": 37.0,
        "b": 1,
        "EI": 4.0,
        "rho": 1,
        "l": 1.3,
    }
    found = equilibrium(equations, {**values, "f": "2 + x"})
    total = 2 * 1.3 + 1.3**2 / 2
    q1, q2, q4 = (float(found[name]) for name in ("q1", "q2", "q4"))
    assert 11 * q1 + 37 * (q1 + q4) == pytest.approx(total, rel=1e-13)
    beam = shape(found["q3"])
    assert (beam(0.0), beam(1.3)) == pytest.approx((q2, q4))
    shear = 4 * float(sp.sympify(str(found["q3"])).diff(x, 3).subs(x, 0))
    assert 23 * q2 == pytest.approx(-shear, rel=1e-13)
    linear = linearise(equations, about=found, values={**values, "f": "2 + x"})
    assert all(row.right.empty for row in linear.of_kind("partial"))


def test_a_hub_that_gravity_turns_against_its_spring() -> None:
    """A rigid angle and a bending arm together: nonlinear in the angle, linear in the shape."""
    theta, w = fx.Coordinate("theta"), fx.Field("w", length="l")
    arm = fx.derive(
        fx.Lagrangian(
            kinetic="J*theta_t**2/2",
            potential="k*theta**2/2",
            density={w: "rho*(w_t + x*theta_t)**2/2 - EI*w_xx**2/2 - rho*g*(x*sin(theta) + w*cos(theta))"},
            work={theta: 0},
            boundary={w.at(0): 0, w.slope(0): 0},
        )
    )
    values = {**BEAM, "J": 0.2, "k": 20.0}
    found = equilibrium(arm, values)
    EI, rho, g, l = BEAM.values()
    angle, load = float(found["theta"]), rho * g * math.cos(float(found["theta"]))
    assert shape(found["w"])(l) == pytest.approx(-load * l**4 / (8 * EI), rel=1e-13)
    lean = math.sin(angle) * rho * g * load * l**5 / (20 * EI)  # the sagging arm's weight, about the hub
    assert 20 * angle + rho * g * l**2 / 2 * math.cos(angle) + lean == pytest.approx(0, abs=1e-12)
    assert linearise(arm, about=found, values=values)


def test_a_hanging_arm_is_a_state_in_decimals() -> None:
    """Nothing but an integral stands in the row of the angle; at -pi/2 in decimals it is zero to rounding."""
    theta, w = fx.Coordinate("theta"), fx.Field("w", length="l")
    arm = fx.derive(
        fx.Lagrangian(
            density={w: "rho*(w_t + x*theta_t)**2/2 - EI*w_xx**2/2 - rho*g*(x*sin(theta) + w*cos(theta))"},
            work={theta: 0},
            boundary={w.at(0): 0, w.slope(0): 0},
        )
    )
    found = equilibrium(arm, BEAM, guess={"theta": -1.2})
    assert found["theta"] == pytest.approx(-math.pi / 2, rel=1e-15)
    row = linearise(arm, about=found, values=BEAM).rows[0]
    weight = 1.2 * 9.81 * 1.3**2 / 2
    assert float(row.left.local.diff(fx.Coordinate("theta").engine)) == pytest.approx(weight)


def test_a_stretching_beam_agrees_with_scipy() -> None:
    """Von Karman under a uniform load: nonlinear in the field."""
    w = fx.Field("w", length="l")
    u = fx.Field("u", spine=w)
    held = dict.fromkeys((w.at(0), w.slope(0), w.at("l"), w.slope("l"), u.at(0), u.at("l")), 0)
    density = "rho*(w_t**2 + u_t**2)/2 - EI*w_xx**2/2 - EA*(u_x + w_x**2/2)**2/2"
    plate = fx.derive(fx.Lagrangian(density={w: density}, work_density={w: fx.Parameter("p")}, boundary=held))
    values = {"EI": 1.0, "EA": 100.0, "rho": 1.0, "l": 1.0, "p": 20.0}
    found = equilibrium(plate, values)

    def slopes(s: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.vstack([y[1], y[2], y[3], y[5] * y[2] + 20, y[5] / 100 - y[1] ** 2 / 2, 0 * s])

    def ends(a: np.ndarray, b: np.ndarray) -> np.ndarray:
        return np.array([a[0], a[1], b[0], b[1], a[4], b[4]])

    solved = solve_bvp(slopes, ends, np.linspace(0, 1, 80), np.zeros((6, 80)), tol=1e-11, max_nodes=100000)
    assert solved.success
    assert np.allclose(along(1.0, found["w"]), solved.sol(np.linspace(0, 1, 41))[0], rtol=0, atol=1e-9)
    assert linearise(plate, about=found, values=values)


# -- what is refused, in sentences -------------------------------------------------------------------------------------


def refused(equations: fx.Equations, values: Any, **given: Any) -> str:
    with pytest.raises(fx.FlexuraError) as caught:
        equilibrium(equations, values, **given)
    return str(caught.value)


def test_missing_and_unknown_names() -> None:
    assert refused(cantilever(), {"EI": 1}).startswith("No value is known for g, l (w), rho; give values=")
    assert "which the equations do not hold" in refused(cantilever(), {**BEAM, "q": 1})
    values = {"m": 0.1, "r": 0.4, "g": 9.81, "Omega": 7.0}
    assert "The guess gives 'phi', which is no coordinate; it takes theta." in refused(hoop(), values, guess={"phi": 1})


def test_motions_that_never_rest() -> None:
    values = {"m": 0.1, "r": 0.4, "g": 9.81, "Omega": 7.0}
    message = refused(hoop("sin(Omega*t)"), values)
    assert message.startswith(
        "There is no equilibrium: the equation of theta depends on t through the prescribed motion phi"
    )
    q = fx.Coordinate("q")
    driven = fx.derive(fx.Lagrangian(kinetic="m*q_t**2/2", potential="k*q**2/2", work={q: "sin(t)"}))
    assert "through a load or a coefficient that holds t" in refused(driven, {"m": 1, "k": 1})


def test_loads_that_nothing_holds() -> None:
    q = fx.Coordinate("q")
    falling = fx.derive(fx.Lagrangian(kinetic="m*q_t**2/2", potential="m*g*q", work={q: 0}))
    message = refused(falling, {"m": 1, "g": 9.81})
    assert message.startswith("No equilibrium was found from 60 starts")
    assert "the equation of q is out of balance" in message
    w = fx.Field("w", length="l")
    free = fx.derive(fx.Lagrangian(density={w: "rho*w_t**2/2 - EI*w_xx**2/2 - rho*g*w"}))
    assert refused(free, BEAM).startswith("The system at rest is not determined: something can move without strain")


def test_a_load_too_narrow_for_polynomials_is_refused_and_the_advice_helps() -> None:
    w = fx.Field("w", length="l")

    def loaded(shape: str) -> fx.Equations:
        density = {w: f"rho*w_t**2/2 - EI*w_xx**2/2 - rho*g*w*({shape})"}
        return fx.derive(fx.Lagrangian(density=density, boundary={w.at(0): 0, w.slope(0): 0}))

    message = refused(loaded("1 + exp(-((x - 1/2)*1000)**2)"), BEAM)
    assert "write what is steep or narrow along x as a Piecewise of gentle pieces" in message
    fx.equilibrium(loaded("Piecewise((1, abs(x - 1/2) < 1/1000), (0, True))"), BEAM)


@settings(max_examples=5, deadline=None)
@given(count=st.integers(3, 5), k=st.floats(20, 200), m=st.floats(0.5, 5))
def test_multipliers_of_repeated_conditions_are_of_least_norm(count: int, k: float, m: float) -> None:
    """A platform on parallel cranks, one of which would do: forces share out as the pseudo-inverse of statics does."""
    cranks = [fx.RigidBody(f"r{i}", m=1.0, I=0.1) for i in range(count)]
    platform = fx.RigidBody("p", m=m, I=0.3)
    roots = [fx.Revolute(fx.ground.at(float(i)), one.at(-0.5), name=f"a{i}") for i, one in enumerate(cranks)]
    first = fx.Revolute(cranks[0].at(0.5), platform.at(0.0), name="b")
    pins = [fx.Pin(one.at(0.5), platform.at(float(i))) for i, one in enumerate(cranks) if i]
    spring = fx.TorsionSpring(fx.ground, cranks[0], k=k)
    equations = fx.derive(fx.Model(*roots, first, *pins, spring, fx.Gravity(9.81)))
    rest = fx.equilibrium(equations)
    a = float(rest["a0"])
    assert k * a + 9.81 * np.cos(a) * (0.5 * count + m) == pytest.approx(0, abs=1e-8 * k)  # one crank's virtual work
    assert "least norm" in " ".join(rest.notes)
    lam = np.array([rest[name] for name in equations.lagrangian.multipliers])
    assert np.abs(lam).max() < 9.81 * (m + count) * 10
    # cranks are in balance by themselves; the platform turns about its first pin, and only what acts along them is free
    arm = np.array([np.cos(a), np.sin(a)])
    each = np.array([one @ arm for one in lam.reshape(-1, 2)])  # along its crank, a force does nothing to the crank
    across = np.array([one @ [-arm[1], arm[0]] for one in lam.reshape(-1, 2)])
    assert np.abs(across) == pytest.approx(np.full(count - 1, 9.81 * 0.5 * np.cos(a)), abs=1e-8)
    lever = np.arange(1, count) * np.sin(a)  # of what acts along crank i about the platform's first pin
    assert each == pytest.approx(lever * (each @ lever) / (lever @ lever), abs=1e-6)


def test_a_state_of_rest_is_a_table():
    pytest.importorskip("pandas")
    bar = fx.RigidBody("p", m=2.0, I=0.1)
    model = fx.Model(
        fx.Revolute(fx.ground, bar.at(0, 0.5), name="th"), fx.TorsionSpring(fx.ground, bar, k=3.0), fx.Torque(bar, "T")
    )
    table = fx.equilibrium(fx.derive(model), values={"T": 0.6}).to_dataframe()
    assert table["th (rad)"].tolist() == pytest.approx([0.2])
