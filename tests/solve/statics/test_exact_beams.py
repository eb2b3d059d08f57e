"""fx.ExactBeam at rest: inextensible and unshearable ones too, alone, on bodies, under gravity, buckled."""

from typing import Any

import numpy as np
import pytest
import scipy.linalg
import sympy
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, root
from scipy.special import ellipe, ellipk

import flexura as fx
from solve.statics.reissner import shot

RIGID = 1e300  # so stiff that nothing is left of it in shooting
SECTIONS: list[dict[str, Any]] = [{"EA": 1e4, "kGA": 5e3, "rotary_inertia": 0.01}, {"EA": 1e4}, {"kGA": 5e3}, {}]


def cantilever(**section: Any) -> tuple[fx.ExactBeam, fx.Equations]:
    beam = fx.ExactBeam("b", EI=1.0, rho=1.0, length=1.0, **section)
    tip = fx.Force(beam.end, "P"), fx.Force(beam.end, "C", along="-x"), fx.Torque(beam.end, "M")
    return beam, fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), *tip))


@pytest.mark.parametrize("section", SECTIONS)
def test_tip_loads_as_shooting_says(section: dict[str, Any]) -> None:
    beam, equations = cantilever(**section)
    rest = fx.equilibrium(equations, {"P": 10.0})
    u, v, phi = shot(10.0, 0.0, section.get("EA", RIGID), section.get("kGA", RIGID), 5.0)
    assert rest.position(beam.end) == pytest.approx([1 + u, v, 0], abs=1e-9)
    assert rest.place(beam, 1.0)[2] == pytest.approx(phi, abs=1e-9)
    assert rest.stable


@pytest.mark.parametrize(
    ("load", "published"), [(1.0, (0.05643, 0.30172, 0.46135)), (10.0, (0.55500, 0.81061, 1.43029))]
)
def test_the_elastica_of_mattiasson(load: float, published: tuple[float, ...]) -> None:
    beam, equations = cantilever()
    u, v, phi, N, Q = fx.equilibrium(equations, {"P": load}).place(beam, 1.0)
    assert (-u, v, phi) == pytest.approx(published, abs=5.1e-6)  # all their digits
    assert pytest.approx((load * np.sin(phi), load * np.cos(phi)), abs=1e-8) == (N, Q)


@pytest.mark.parametrize("turns", [1, 2])
def test_an_inextensible_beam_rolls_up(turns: int) -> None:
    beam, equations = cantilever()
    rest = fx.equilibrium(equations, {"M": 2 * np.pi * turns})
    assert rest.position(beam.end) == pytest.approx([0, 0, 0], abs=1e-9)
    a = np.pi * turns
    assert rest.position(beam.at(0.5)) == pytest.approx([np.sin(a) / (2 * a), (1 - np.cos(a)) / (2 * a), 0], abs=1e-9)


def test_eulers_column_and_its_buckled_shapes() -> None:
    """C = pi^2 EI/(4 L^2); on the branch C = K^2, x/L = 2 E/K - 1, y/L = 2 k/K of the modulus k = sin(angle/2)."""
    beam, equations = cantilever()
    straight = fx.equilibrium_path(equations, "C", (0.0, 5.0))
    assert straight.branch_points == pytest.approx([np.pi**2 / 4], rel=1e-10)
    assert np.array_equal(straight.stable, straight.parameter < np.pi**2 / 4)
    bent = fx.equilibrium_path(equations, "C", (0.0, 5.0), branch=straight.branches[0])
    place = bent.position(beam.end)
    for k in range(2, len(bent), 4):
        m = brentq(lambda m, load=bent.parameter[k]: ellipk(m) ** 2 - load, 1e-12, 0.999, xtol=1e-15)
        assert place[k, 0] == pytest.approx(2 * ellipe(m) / ellipk(m) - 1, abs=1e-8)
        assert abs(place[k, 1]) == pytest.approx(2 * np.sqrt(m) / ellipk(m), abs=1e-8)
    assert bent.stable[2:].all()
    assert bent.place(beam, 1.0).shape == (len(bent), 5)


def test_a_heavy_beam_hangs_as_shooting_says() -> None:
    """EI phi'' = w (1 - s) cos(phi): the weight beyond each section bends it."""
    beam = fx.ExactBeam("b", EI=1.0, rho=2.0, length=1.0)
    rest = fx.equilibrium(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Gravity(9.81)))

    def end(moment: Any) -> np.ndarray:
        def rates(s: float, z: np.ndarray) -> list[float]:
            return [np.cos(z[2]), np.sin(z[2]), z[3], 2.0 * 9.81 * (1 - s) * np.cos(z[2])]

        start = [0, 0, 0, float(np.squeeze(moment))]
        return np.asarray(solve_ivp(rates, (0, 1), start, "DOP853", rtol=1e-13, atol=1e-13).y[:, -1])

    found = root(lambda moment: end(moment)[3], -4.0, tol=1e-13)
    x, y, phi, _ = end(found.x)
    assert rest.position(beam.end) == pytest.approx([x, y, 0], abs=1e-9)
    assert rest.place(beam, 1.0)[2] == pytest.approx(phi, abs=1e-9)


def test_a_sprung_hub_balances_what_it_carries() -> None:
    beam = fx.ExactBeam("b", EI=1.0, rho=1.0, length=1.0)
    hub, tip = fx.RigidBody("hub", m=1.0, I=0.1), fx.Mass("tip", m=0.5)
    model = fx.Model(
        fx.Revolute(fx.ground, hub, name="theta"),
        fx.TorsionSpring(fx.ground, hub, k=3.0),
        fx.Fixed(hub, beam.start),
        fx.Fixed(beam.end, tip),
        fx.Gravity(9.81),
    )
    rest = fx.equilibrium(model)
    nodes, weights = np.polynomial.legendre.leggauss(20)
    arms = [rest.position(beam.at(float(s)))[0] for s in (nodes + 1) / 2]
    moment = 9.81 * (weights @ np.array(arms) / 2 + 0.5 * rest.position(tip)[0])
    assert -3.0 * float(rest["theta"]) == pytest.approx(moment, rel=1e-9)
    assert rest.stable
    assert (fx.modes(model, 3, about=rest, method="ritz").frequencies > 0).all()


def test_modes_about_a_bent_inextensible_beam() -> None:
    """They are those of very stiff sections in the limit, and say by which way they were found."""
    _, equations = cantilever()
    rest = fx.equilibrium(equations, {"P": 10.0})
    found = fx.modes(equations, 3, about=rest)
    assert "Ritz" in str(found.certificate)
    assert "N_b, Q_b" in str(found.certificate)
    _, stiff = cantilever(EA=1e7, kGA=1e7)
    near = fx.modes(stiff, 3, about=fx.equilibrium(stiff, {"P": 10.0}))
    assert found.frequencies == pytest.approx(near.frequencies, rel=1e-4)


def test_small_loads_bend_as_small_members_do() -> None:
    beam, equations = cantilever(EA=1e4, kGA=5e3)
    plain = fx.TimoshenkoBeam("b", EI=1.0, kGA=5e3, rho=1.0, rotary_inertia=0.01, length=1.0)
    small = fx.equilibrium(fx.Model(fx.Fixed(fx.ground, plain.start), fx.Force(plain.end, "P")), {"P": 1e-4})
    rest = fx.equilibrium(equations, {"P": 1e-4})
    assert rest.position(beam.end)[1] == pytest.approx(small.place(plain, 1.0)[0], rel=1e-7)


def test_a_slow_response_about_a_bent_state_is_the_slope_of_its_states() -> None:
    beam, equations = cantilever(**SECTIONS[0])
    rest = fx.equilibrium(equations, {"P": 10.0})
    slow = fx.frequency_response(fx.linearise(equations, about=rest), [1e-4], "M", beam.end)[0]
    after, before = (fx.equilibrium(equations, {"P": 10.0, "M": sign * 1e-3}).place(beam, 1.0) for sign in (1, -1))
    assert np.real(slow) == pytest.approx((after - before) / 2e-3, abs=1e-7)


@pytest.mark.parametrize(
    ("angle", "g", "P"), [("-pi/2", 5.0, 0.0), (0, 0.0, 3.0), (0, 0.0, -1.2)], ids=["hanging", "pulled", "pressed"]
)
def test_what_conditions_carry_straight_is_known_and_stiffens(angle: Any, g: float, P: float) -> None:
    """A straight beam that does not stretch: nothing moves under the load, and N = P + rho g (L - x) is there.

    Against Ritz's method with (EI w_xx^2 + N w_x^2)/2, written out here.
    """
    beam = fx.ExactBeam("b", EI=1.0, rho=1.0, length=1.0)
    loads = ([fx.Gravity(g)] if g else []) + ([fx.Force(beam.end, P, along="x")] if P else [])
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start, angle=angle), *loads))
    rest = fx.equilibrium(equations)
    N = np.polynomial.Polynomial([P + g, -g])
    at = sympy.lambdify(sympy.Symbol("x"), sympy.sympify(rest["N_b"]))
    assert [float(at(x)) for x in (0.0, 0.4, 1.0)] == pytest.approx([N(0.0), N(0.4), N(1.0)], abs=1e-12)
    shapes = [np.polynomial.Polynomial([0, 0, 1]) * np.polynomial.Polynomial([0.5, -1]) ** k for k in range(8)]

    def matrix(of: Any) -> Any:
        return np.array([[(f := of(a, b).integ())(1) - f(0) for a in shapes] for b in shapes])

    K = matrix(lambda a, b: a.deriv(2) * b.deriv(2) + N * a.deriv() * b.deriv())
    squares = scipy.linalg.eigh(K, matrix(lambda a, b: a * b), eigvals_only=True)
    assert fx.modes(equations, 2, about=rest).frequencies == pytest.approx(np.sqrt(squares[:2]), rel=1e-6)


def test_a_straight_column_beyond_its_critical_load_is_told_to_be_unstable() -> None:
    beam = fx.ExactBeam("b", EI=1.0, rho=1.0, length=1.0)
    rest = fx.equilibrium(fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, -5.0, along="x"))))
    assert not rest.stable
