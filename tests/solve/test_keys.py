"""Coordinates, rates and fields as keys mean what their names mean, wherever numbers are given by name."""

import numpy as np
import pytest

import flexura as fx

th, w = fx.Coordinate("th"), fx.Field("w", length=1.0)
PENDULUM = fx.Lagrangian(kinetic=th.t**2 / 2, potential=-9 * fx.cos(th))
SPRING = fx.Lagrangian(kinetic=th.t**2 / 2, potential=9 * th**2 / 2)
BAR = fx.Lagrangian(density={w: w.t**2 / 2 - w.x**2 / 2}, boundary={w.at(0): 0, w.at(1): 0})
T = np.linspace(0, 1, 5)


@pytest.mark.parametrize("system", [SPRING, fx.discretise(SPRING)], ids=["energies", "matrices"])
def test_a_start(system):
    run = fx.simulate(system, T, initial={th: 1.0, th.t: 6.0})
    assert np.allclose(run["th"], np.cos(3 * T) + 2 * np.sin(3 * T), atol=1e-6)


def test_a_start_of_a_discretised_nonlinear_system():
    by_object = fx.simulate(fx.discretise(PENDULUM), T, initial={th: 1.0})["th"]
    assert np.array_equal(by_object, fx.simulate(fx.discretise(PENDULUM), T, initial={"th": 1.0})["th"])
    assert by_object[0] == 1.0


def test_a_start_of_a_field():
    run = fx.simulate(BAR, T, initial={w: "sin(pi*x)", w.t: "0"})
    assert np.allclose(run.place("w", 0.5), np.cos(np.pi * T), atol=1e-6)


def test_a_state_to_linearise_about():
    assert np.allclose(np.sort(fx.modes(PENDULUM, about={th: "pi"}).eigenvalues), [-3, 3])
    free = fx.Lagrangian(
        kinetic=th.t**2 * fx.cos(th) ** 2 / 2
    )  # any angle is an equilibrium, and any would do as a rate
    linear = fx.linearise(free, about={th: "pi/3"})
    assert fx.equivalent(linear, fx.linearise(free, about={"th": "pi/3"}))
    assert linear.mass_matrix[0, 0] == pytest.approx(0.25)


def test_a_state_to_accelerate_from_a_guess_and_a_shape():
    assert fx.accelerations(fx.derive(PENDULUM), {th: 0.5, th.t: 1.0})["th"] == pytest.approx(-9 * np.sin(0.5))
    assert fx.equilibrium(PENDULUM, guess={th: 3.0})["th"] == pytest.approx(np.pi)
    assert fx.rayleigh_quotient(BAR, {w: "x*(1 - x)"}).frequency == pytest.approx(np.sqrt(10))


def test_what_is_given_twice_is_refused():
    with pytest.raises(fx.FlexuraError, match="initial gives th twice; give it once"):
        fx.simulate(SPRING, T, initial={th: 1.0, "th": 2.0})


@pytest.mark.parametrize("key", [3, fx.Mass("th", 1.0), None])
@pytest.mark.parametrize("system", [SPRING, PENDULUM, fx.discretise(SPRING)], ids=["linear", "nonlinear", "matrices"])
def test_what_is_no_name_is_no_coordinate(system, key):
    with pytest.raises(fx.FlexuraError, match=r"There is no .* to start from"):
        fx.simulate(system, T, initial={key: 1.0})
