"""Machines that shake or are shaken, read from TOML: each answer of one call against closed forms written here."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import flexura as fx
from flexura.cli.app import app

EXAMPLES = Path(__file__).parents[2] / "examples"


def respond(name, load, output, first, last, *more):
    """What the command line prints, one complex number for each of 7 frequencies."""
    words = ["respond", str(EXAMPLES / f"{name}.toml"), "--load", load, "--output", output, "--json", "--points", "7"]
    ran = CliRunner().invoke(app, [*words, "--from", str(first), "--to", str(last), *more])
    assert ran.exit_code == 0, ran.output
    data = json.loads(ran.output)
    return np.array(data["omega"]), np.array([complex(one["re"], one["im"]) for one in data["response"]])


def test_a_quarter_car():
    omega, found = respond("quarter_car", "zr", "zb", 0, 100)
    s, k = 1j * omega, 16e3 + 1200j * omega
    wheel = 180e3 / (40 * s**2 + 180e3 + k - k**2 / (300 * s**2 + k))
    assert np.allclose(found, wheel * k / (300 * s**2 + k), rtol=1e-9)


def test_a_frame_of_two_storeys():
    omega, found = respond("shaken_frame", "xg", "floor2", 1, 60)
    EI, h, rho = 1e6, 3.0, 30.0

    def storey(w):
        """Two columns held against turning at both ends: stiffness of an end alone, and from end to end."""
        beta = (rho * w**2 / EI) ** 0.25
        z = beta * h
        below = 1 - np.cos(z) * np.cosh(z)
        own = np.sin(z) * np.cosh(z) + np.cos(z) * np.sinh(z)
        return 2 * EI * beta**3 * own / below, -2 * EI * beta**3 * (np.sinh(z) + np.sin(z)) / below

    for w, one in zip(omega, found, strict=True):
        own, across = storey(w)
        K = np.array([[2 * own - 8e3 * w**2, across], [across, own - 6e3 * w**2]])
        assert one == pytest.approx(np.linalg.solve(K, [-across, 0])[1], rel=1e-9)


def test_a_machine_on_a_floor():
    omega, found = respond("isolated_machine", "F", "machine", 1, 200)
    EI, L, rho = 4e6, 6.0, 220.0
    beta = (rho * omega**2 / EI) ** 0.25
    floor = (np.tan(beta * L / 2) - np.tanh(beta * L / 2)) / (4 * EI * beta**3)  # of its middle, under a load there
    k = 400e3 + 2500j * omega
    through = k / (1 + k * floor)  # isolators and floor, one after the other
    assert np.allclose(found, 1 / (through - 500 * omega**2), rtol=1e-9)


def test_den_hartogs_absorber():
    """At the two frequencies where damping does not matter the best tuning has the same amplitude, sqrt(1 + 2/mu)."""
    mu, model = 0.05, fx.read_model(EXAMPLES / "tuned_mass_damper.toml")
    level = np.sqrt(1 + 2 / mu)
    fixed = np.sqrt((1 + np.array([-1, 1]) * np.sqrt(mu / (2 + mu))) / (1 + mu))
    assert np.abs(fx.frequency_response(model, fixed, "F", "y")) == pytest.approx([level, level], rel=1e-9)
    assert np.abs(fx.frequency_response(model, load="F", output="y")).max() == pytest.approx(level, rel=2e-2)


def test_a_washing_machine():
    run = fx.simulate(fx.read_model(EXAMPLES / "washing_machine.toml"), np.linspace(0, 3, 301))
    M, me, speed = 25 + 8 + 1.5, 1.5 * 0.2, 600 * 2 * np.pi / 60
    for name, k, c, push in (("x", 12e3, 150.0, 1.0), ("y", 18e3, 200.0, -1j)):
        steady = push * me * speed**2 / (k - M * speed**2 + 1j * speed * c)
        roots = np.roots([M, c, k])
        start = np.linalg.solve([[1, 1], roots], [-steady.real, -(1j * speed * steady).real])
        swing = (steady * np.exp(1j * speed * run.t)).real
        wanted = swing + (start[0] * np.exp(roots[0] * run.t) + start[1] * np.exp(roots[1] * run.t)).real
        assert run[name] == pytest.approx(wanted, abs=1e-9 * np.abs(wanted).max()), name
