"""Loads and masses that travel along members, against the classical series and against codes written here."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import flexura as fx

EI, RHO, L = 4.0, 0.7, 1.5


def simple_beam(**options: Any) -> tuple[Any, list[Any]]:
    beam = fx.EulerBernoulliBeam("beam", EI=EI, rho=RHO, length=L, **options)
    return beam, [fx.Pin(fx.ground, beam.start), fx.Pin(fx.ground, beam.end)]


def series(P: float, v: float, x: float, t: Any, terms: int = 4000) -> Any:
    """The force P at v*t on a simply supported beam at rest, mode by mode."""
    n = np.arange(1, terms + 1)[:, None]
    omega = n**2 * np.pi**2 / L**2 * np.sqrt(EI / RHO)
    drive = n * np.pi * v / L
    q = 2 * P / (RHO * L) / (omega**2 - drive**2) * (np.sin(drive * t) - drive / omega * np.sin(omega * t))
    return (q * np.sin(n * np.pi * x / L)).sum(axis=0)


@pytest.mark.parametrize("v", [0.7, 3.0, 9.0])
def test_a_force_that_crosses_a_beam_is_the_series(v: float) -> None:
    beam, held = simple_beam()
    equations = fx.derive(fx.Model(*held, fx.Force(beam.at("v*t"), -2.0)))
    t = np.linspace(0, L / v, 41)
    run = fx.simulate(equations, t, values={"v": v}, order=16, elements=12)
    expected = series(-2.0, v, L / 2, t)
    np.testing.assert_allclose(run.place(beam, L / 2), expected, atol=1e-8 * abs(expected).max())


def test_after_the_force_has_left_the_beam_swings_freely() -> None:
    beam, held = simple_beam()
    equations = fx.derive(fx.Model(*held, fx.Force(beam.at("v*t"), "F")))
    v = 3.0
    t = np.linspace(0, 1.3 * L / v, 27)
    run = fx.simulate(equations, t, values={"v": v}, inputs={"F": -2.0}, order=10, elements=4)
    n = np.arange(1, 200)
    omega, drive = n**2 * np.pi**2 / L**2 * np.sqrt(EI / RHO), n * np.pi * v / L
    gain, left = 2 * -2.0 / (RHO * L) / (omega**2 - drive**2), L / v
    q = gain * (np.sin(drive * left) - drive / omega * np.sin(omega * left))
    rate = gain * drive * (np.cos(drive * left) - np.cos(omega * left))
    late = t[t > left][:, None] - left
    expected = ((q * np.cos(omega * late) + rate / omega * np.sin(omega * late)) * np.sin(n * np.pi / 2)).sum(axis=1)
    np.testing.assert_allclose(run.place(beam, L / 2)[t > left], expected, atol=2e-6 * abs(expected).max())
    assert run.energy.error < 1e-8


def test_the_equations_of_a_travelling_force_are_proved() -> None:
    beam, held = simple_beam()
    equations = fx.derive(fx.Model(*held, fx.Force(beam.at("v*t"), "F")))
    assert fx.verify(equations)
    assert "δ_beam" in str(equations)
    again = fx.Equations.from_json(equations.to_json())
    assert again.lagrangian.travelling == equations.lagrangian.travelling


def test_two_forces_in_a_row_are_the_sum_of_each() -> None:
    beam, held = simple_beam()
    t = np.linspace(0, 0.6, 13)

    def mid(*forces: Any) -> Any:
        run = fx.simulate(fx.derive(fx.Model(*held, *forces)), t, order=8, elements=2)
        return run.place(beam, L / 2)

    first, second = fx.Force(beam.at("2*t"), -1.0), fx.Force(beam.at("2*t - 3/10"), -1.5)
    np.testing.assert_allclose(mid(first, second), mid(first) + mid(second), atol=1e-10)


def test_a_place_that_depends_on_a_coordinate_is_refused() -> None:
    beam, held = simple_beam()
    cart = fx.Mass("cart", 1.0)
    with pytest.raises(fx.FlexuraError, match="depends on s, but it may depend on t and parameters only"):
        fx.derive(fx.Model(*held, fx.Slide(fx.ground, cart, along="x", name="s"), fx.Force(beam.at("s + t"), "F")))
    with pytest.raises(fx.FlexuraError, match="where only a Force may"):
        fx.derive(fx.Model(*held, fx.Spring(fx.ground, beam.at("v*t"), k=1.0)))
