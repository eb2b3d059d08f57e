"""Conditions along a member, given to fx.Lagrangian as constraints: in every verb, against what is known otherwise."""

import numpy as np
import pytest
import scipy.optimize
import sympy as sp

import flexura as fx

G, RHO = 9.81, 0.3


def _rope(direction: str, **boundary: float) -> fx.Equations:
    """An inextensible rope of length 1 from the origin; N holds its length."""
    u = fx.Field("u", length=1.0)
    v = fx.Field("v", spine=u)
    weight = {"down": -RHO * G * v, "along": RHO * G * u}[direction]
    ends = {u.at(0): 0, v.at(0): 0} | ({u.at(1.0): boundary["u"], v.at(1.0): boundary["v"]} if boundary else {})
    return fx.derive(
        fx.Lagrangian(
            density={u: RHO * (u.t**2 + v.t**2) / 2 + weight},
            boundary=ends,
            constraints={"N": (2 * u.x + u.x**2 + v.x**2) / 2},
        )
    )


def _at(shape: str, x: float) -> float:
    return float(sp.sympify(shape).subs(sp.Symbol("x"), x))


def test_a_hanging_rope_is_a_catenary() -> None:
    """y = c cosh(x/c), of length 2 c sinh(d/2c): solved apart."""
    equations = _rope("down", u=-0.2, v=0)
    assert fx.verify(equations)
    rest = fx.equilibrium(equations)
    c = scipy.optimize.brentq(lambda c: 2 * c * np.sinh(0.4 / c) - 1, 0.05, 5)
    assert _at(rest["v"], 0.5) == pytest.approx(-c * (np.cosh(0.4 / c) - 1), abs=1e-11)
    assert _at(rest["N"], 0.5) == pytest.approx(-RHO * G * c, rel=1e-9)  # the multiplier of (|r'|^2 - 1)/2
    assert rest.stable


def test_modes_of_a_hanging_chain() -> None:
    """Daniel Bernoulli: omega = j_0k sqrt(g/L)/2 with the zeros of J0, by modes about the state at rest."""
    equations = _rope("along")
    found = fx.modes(equations, 3, about=fx.equilibrium(equations)).frequencies
    zeros = np.array([2.404825557695773, 5.520078110286311, 8.653727912911013])
    assert found == pytest.approx(zeros / 2 * np.sqrt(G), rel=1e-9)


def test_flap_of_a_rotating_string() -> None:
    """omega_n = Omega sqrt(n (2 n - 1)): the centrifugal force alone holds it (Schaefer and others; Legendre's)."""
    speed = 3.0
    u = fx.Field("u", length=1.0)
    w = fx.Field("w", spine=u)
    string = fx.Lagrangian(
        density={u: RHO * (u.t**2 + w.t**2 + speed**2 * (fx.x + u) ** 2) / 2},
        boundary={u.at(0): 0, w.at(0): 0},
        constraints={"N": (2 * u.x + u.x**2 + w.x**2) / 2},
    )
    equations = fx.derive(string)
    rest = fx.equilibrium(equations)
    assert _at(rest["N"], 0.0) == pytest.approx(-RHO * speed**2 / 2, rel=1e-9)
    found = fx.modes(equations, 3, about=rest).frequencies
    assert found == pytest.approx(speed * np.sqrt([1, 6, 15]), rel=1e-9)


def test_a_rope_that_is_too_short_is_told_so_and_a_longer_one_hangs() -> None:
    with pytest.raises(fx.FlexuraError, match="No state of rest meets the conditions of N"):
        fx.equilibrium(_rope("down", u=0.2, v=0))
    assert fx.equilibrium(_rope("down", u=-0.01, v=0)).stable


def _rigid_sections(**more: object) -> fx.Equations:
    """Timoshenko's energies without shear: Rayleigh's beam."""
    w = fx.Field("w", length=1.0)
    phi = fx.Field("phi", spine=w)
    return fx.derive(
        fx.Lagrangian(
            density={w: w.t**2 / 2 + 0.01 * phi.t**2 / 2 - 100 * phi.x**2 / 2},
            boundary={w.at(0): 0, phi.at(0): 0},
            constraints=["w_x - phi"],
            work={w.at(1.0): fx.Input("P")},
        )
    )


def _rayleigh() -> tuple[fx.Equations, fx.RayleighBeam]:
    beam = fx.RayleighBeam("r", EI=100.0, rho=1.0, length=1.0, rotary_inertia=0.01)
    return fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "P"))), beam


def test_rigid_sections_are_rayleighs_beam() -> None:
    held, (plain, beam) = _rigid_sections(), _rayleigh()
    assert fx.verify(held)
    for method in ("exact", "ritz"):
        assert fx.modes(held, 3, method=method).frequencies == pytest.approx(fx.modes(plain, 3).frequencies, rel=1e-9)
    omega = np.array([0.0, 5.0, 50.0, 150.0])
    response = fx.frequency_response(held, omega, load="P", output="w@b")
    assert np.asarray(response) == pytest.approx(
        np.asarray(fx.frequency_response(plain, omega, load="P", output=beam.end)), rel=1e-9
    )
    t = np.linspace(0, 0.1, 5)
    run = fx.simulate(held, t, inputs={"P": "sin(30*t)"})
    other = fx.simulate(plain, t, inputs={"P": "sin(30*t)"})
    assert run["w@b"] == pytest.approx(other.place(beam, 1.0), rel=1e-5)  # both follow their own shapes
    assert run.energy.error < 1e-8


def test_a_rigid_member_turns_with_its_coordinate() -> None:
    """w(x) = x q: a field without slopes is held everywhere, with nothing left loose; I = J + rho l^3/3."""
    w, q = fx.Field("w", length="l"), fx.Coordinate("q")
    bar = fx.derive(
        fx.Lagrangian(
            kinetic=fx.Parameter("J", 1) * q.t**2 / 2,
            potential=fx.Parameter("k", 1) * q**2 / 2,
            density={w: fx.Parameter("rho", 3) * w.t**2 / 2},
            constraints={"f": w - fx.x * q},
            work={q: fx.Input("T")},
        )
    )
    assert fx.verify(bar)
    values = {"l": 1}
    assert fx.modes(bar, 3, values).frequencies == pytest.approx([np.sqrt(0.5)], rel=1e-12)
    omega = np.array([0.3, 1.0])
    answer = fx.frequency_response(bar, omega, load="T", output="q", values=values)
    assert np.asarray(answer) == pytest.approx(1 / (1 - 2 * omega**2), rel=1e-11)
    run = fx.simulate(bar, np.linspace(0, 2, 5), initial={"q": 0.1}, values=values)
    assert run["q"] == pytest.approx(0.1 * np.cos(np.sqrt(0.5) * run.t), abs=1e-12)


def test_responses_of_inextensible_exact_beams_are_those_of_thin_ones() -> None:
    """Lines in closed form do not take such conditions, and used to be cut without end."""
    exact = fx.ExactBeam("b", EI=100.0, rho=1.0, length=1.0)
    thin = fx.EulerBernoulliBeam("b", EI=100.0, rho=1.0, length=1.0)
    omega, found = np.array([5.0, 50.0, 150.0]), []
    for beam in (exact, thin):
        equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "P")))
        outputs = [fx.Motion(beam.at(0.5)), fx.Internal(beam, 0.3, "moment")]
        found.append(np.asarray(fx.frequency_response(equations, omega, load="P", output=outputs)))
    assert found[0] == pytest.approx(found[1], rel=1e-7)


def test_state_space_of_inextensible_exact_beams_sees_their_places() -> None:
    beam = fx.ExactBeam("b", EI=100.0, rho=1.0, length=1.0)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "P")))
    space = fx.state_space(equations, ["P"], [(beam.at(0.5), "v_b")])
    static = -space.C @ np.linalg.solve(space.A, space.B)
    assert static[0, 0] == pytest.approx(5 / 48 / 100, rel=1e-9)
    with pytest.raises(fx.FlexuraError, match="holds a condition along its member"):
        fx.state_space(equations, ["P"], [fx.Internal(beam, 0.5, "shear")])


def test_what_has_no_stiffness_without_loads_sinks_to_where_they_hold_it() -> None:
    rope = fx.ExactBeam("rope", EI=0.02, rho=RHO, length=1.0)
    ball = fx.RigidBody("ball", m=1.0, I=0.01)
    hanging = fx.derive(fx.Model(fx.Pin(fx.ground, rope.start), fx.Fixed(rope.end, ball.at(-0.1)), fx.Gravity()))
    rest = fx.equilibrium(hanging)
    assert rest.position(ball) == pytest.approx([0, -1.1, 0], abs=1e-9)
    assert rest.stable
    adrift = fx.derive(fx.Model(rope, fx.Force(rope.end, "P")))
    with pytest.raises(fx.FlexuraError, match="not determined"):
        fx.equilibrium(adrift, values={"P": 1.0})


def test_conditions_that_cannot_be_are_refused() -> None:
    u = fx.Field("u", length="L")
    v = fx.Field("v", length="M")
    density = {u: u.t**2 / 2 - u.x**2 / 2, v: v.t**2 / 2 - v.x**2 / 2}
    for constraints, message in (
        ([u - v], "fields of two spines, u and v"),
        ([u.t - u.x], "holds the rate u_t along a spine"),
        ({"u": u.x}, "is called u, and so is something else"),
    ):
        with pytest.raises(fx.FlexuraError, match=message):
            fx.Lagrangian(density=density, constraints=constraints)
    beside = fx.Field("v", spine=u)  # as the advice of the first one says
    assert fx.derive(fx.Lagrangian(density={u: u.t**2 / 2 - u.x**2 / 2}, constraints=[u - beside])).fields == (
        *("u", "v"),
        "lambda_1",
    )
    beam = fx.ExactBeam("b", EI=100.0, rho=1.0, length=1.0)
    shaken = fx.derive(fx.Model(fx.Slide(fx.ground, beam.start, along="y", name="y", motion="y0*sin(W*t)")))
    with pytest.raises(fx.FlexuraError, match="prescribed motion of members along which conditions hold"):
        fx.frequency_response(shaken, np.array([1.0]), load="y", output=fx.Motion(beam.end))
