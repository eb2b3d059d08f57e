"""What goes to infinity is refused with its time; what only looks so, or is integrated all the same, is right."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

T = np.linspace(0.0, 1.0, 11)
BOUNDED = {"sin(t)/t": float(mpmath.si(1) - 1 + mpmath.cos(1)), "1/t - cos(t)/t": None, "t*log(t)": -5 / 36}
BOUNDED["1/t - cos(t)/t"] = float(mpmath.euler - mpmath.ci(1)) - 1 + float(mpmath.sin(1))
BLOCK = fx.Mass("b", m=1.0)
FREE = fx.derive(fx.Model(fx.Slide(fx.ground, BLOCK, name="x"), fx.Force(BLOCK, "F")))
MATRICES = fx.SecondOrderSystem(M=np.eye(1), C=np.zeros((1, 1)), K=np.zeros((1, 1)))


def moved(load, t=T):
    """Where a free unit mass is in the end."""
    return float(fx.simulate(FREE, t, inputs={"F": load})["x"][-1])


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 100), st.integers(3, 30), st.sampled_from([-1e3, -0.01, 0.5, 20.0]), st.booleans())
def test_powers_go_to_infinity_where_they_do(place, power, size, spread):
    """|t - place|**-power, beside what is a thousand times larger: the integral does not exist, or is known badly."""
    place, power = place / 100, power / 10
    load = f"{size!r}*abs(t - {place!r})**(-{power!r}) + {1000 * abs(size) * spread!r}*sin(t)"
    for run in (lambda: moved(load), lambda: fx.simulate(MATRICES, T, inputs=load)):
        with pytest.raises(fx.FlexuraError, match=r"^The input.* (goes to infinity|is not finite) at t = ") as caught:
            run()
        assert float(str(caught.value).split("at t = ")[1].split(";")[0]) == pytest.approx(place, abs=1e-5)


@pytest.mark.parametrize("load", ["tan(2*t)", "1/t", "1/(t - 0.3)", "1/sqrt(t)", "1/sin(50*t)"])
def test_known_poles(load):
    with pytest.raises(fx.FlexuraError, match="The input F goes to infinity at t = "):
        moved(load)


@pytest.mark.parametrize("load", ["1/(x - 0.31)", "1/sqrt(x)", "tan(4*x)", "sin(t)/(x - 0.31)**2"])
def test_loads_along_members_that_go_to_infinity_are_refused(load):
    beam = fx.EulerBernoulliBeam("b", EI=1.0, rho=1.0, length=1.0)
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.DistributedForce(beam, "f(x,t)")))
    with pytest.raises(fx.FlexuraError, match=r"goes to infinity at x = (0|0\.31|0\.392699); .* leave that place out"):
        fx.simulate(equations, [0, 0.1], inputs={"f": load})


@pytest.mark.parametrize("load", BOUNDED)
def test_what_stays_finite_beside_an_infinite_bound_is_followed(load):
    """x(1) = the integral of (1 - t) F, in closed form."""
    assert moved(load) == pytest.approx(BOUNDED[load], rel=1e-9)


def test_a_logarithm_is_integrated_through_zero():
    assert moved("log(t)") == pytest.approx(-0.75, rel=1e-9)


@pytest.mark.parametrize(("width", "place"), [(0.01, 0.5), (0.3, 0.75)])
def test_resonances_are_no_poles(width, place):
    def integral(t):  # of (1 - t)/(width^2 + (t - place)^2)
        return (1 - place) / width * np.arctan((t - place) / width) - np.log(width**2 + (t - place) ** 2) / 2

    assert moved(f"1/({width}**2 + (t - {place})**2)") == pytest.approx(integral(1) - integral(0), rel=1e-7)


@pytest.mark.parametrize("turning", [False, True])
@pytest.mark.parametrize("motion", ["1/t", "1/(t - 0.31)", "tan(2*t)", "log(abs(t - 0.31))", "1/(t - 0.31)**2"])
def test_motions_that_go_to_infinity_are_refused(motion, turning):
    joint = fx.Revolute if turning else fx.Slide
    body, mass = fx.RigidBody("a", m=1.0, I=1.0), fx.Mass("b", m=1.0)
    model = fx.Model(
        joint(fx.ground, body, name="u", motion=motion),
        fx.Slide(body if turning else fx.ground, mass, name="x"),
        fx.Spring(body, mass, k=4.0),
    )
    with pytest.raises(fx.FlexuraError, match=r"(goes to infinity|is not finite) at t = (0|0\.31|0\.785398);"):
        fx.simulate(model, T)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_records_hold_finite_numbers(bad):
    values = np.r_[0.0, 1.0, bad, np.zeros(8)]
    for load in (values, (T, values)):
        with pytest.raises(fx.FlexuraError, match=r"The input F (is not finite at t = 0\.2|holds what is no finite)"):
            moved(load)
