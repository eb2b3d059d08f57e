"""Functions along members, written for an array of places or for one place, give the same motion."""

import math

import numpy as np
import pytest

import flexura as fx

T = np.linspace(0, 1, 5)


def cantilever():
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.0, length=1.0)
    return fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.DistributedForce(beam, "f"))), beam


@pytest.mark.parametrize(
    ("one_by_one", "at_once"),
    [
        (lambda x, t: math.sin(x) * t, lambda x, t: np.sin(x) * t),
        (lambda x, t: 1.0 if x < 0.5 else 0.0, lambda x, t: 1.0 * (x < 0.5)),
        (lambda x, t: max(x, 0.3) * t, lambda x, t: np.maximum(x, 0.3) * t),
        (lambda x, t, run: math.cos(x) - run["y"], lambda x, t, run: np.cos(x) - run["y"]),
    ],
)
def test_loads(one_by_one, at_once):
    beam = fx.EulerBernoulliBeam("beam", EI=2.0, rho=1.0, length=1.0)
    load = fx.DistributedForce(beam, "f")
    tip = fx.Fixed(beam.end, fx.Mass("m", 0.5))
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), tip, load, names={beam.end: ("y", None)}))
    first, second = (fx.simulate(equations, T, inputs={"f": f}, order=6)["y"] for f in (one_by_one, at_once))
    assert np.abs(second).max() > 1e-3
    assert np.allclose(first, second, rtol=1e-9, atol=1e-12)


def test_a_piecewise_load_is_the_one_in_text():
    equations, beam = cantilever()
    text = fx.simulate(equations, T, inputs={"f": "Piecewise((1, x < 1/2), (0, True))"}).place(beam, 1.0)
    function = fx.simulate(equations, T, inputs={"f": lambda x, t: 1.0 if x < 0.5 else 0.0}).place(beam, 1.0)
    assert np.allclose(function, text, rtol=1e-4)


@pytest.mark.parametrize(
    "shape", [lambda x: 0.01 * math.pow(x, 2), lambda x: 0.01 * x**2 if x > 0.5 else 0.01 * x * x, "0.01*x**2"]
)
def test_shapes_to_start_from(shape):
    equations, beam = cantilever()
    run = fx.simulate(equations, T, initial={"w_beam": shape})
    assert run.place(beam, 0.6)[0] == pytest.approx(0.0036)


def test_what_fails_at_one_place_too_is_the_functions_own_error():
    equations, _ = cantilever()
    with pytest.raises(ValueError, match="math domain"):
        fx.simulate(equations, T, inputs={"f": lambda x, t: math.log(-1 - x)})


@pytest.mark.parametrize("function", [lambda t, x: t, lambda t, x, run: t])
def test_the_order_of_x_and_t_is_never_guessed(function):
    equations, _ = cantilever()
    with pytest.raises(fx.FlexuraError, match=r"f is a function of \(t, x\); write it as a function of \(x, t\)"):
        fx.simulate(equations, T, inputs={"f": function})


def test_the_state_may_be_called_x_where_there_is_no_place():
    mass = fx.Mass("m", 1.0)
    model = fx.Model(fx.Slide(fx.ground, mass, name="q"), fx.Force(mass, "F"))
    run = fx.simulate(model, T, initial={"q": 1.0}, inputs={"F": lambda t, x: -4 * x["q"]})
    assert np.allclose(run["q"], np.cos(2 * T), atol=1e-6)
