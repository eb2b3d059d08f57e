"""The Princeton beam (Dowell and Traybar 1975): a flat cantilever under a tip weight, turned about its axis.

Beside Kirchhoff's and Love's rod by shooting: the force at the tip is the force everywhere, the moment at the root is
searched for.
"""

from typing import Any

import numpy as np
import pytest
import scipy.integrate
import scipy.optimize

import flexura as fx

LENGTH, H, T, E, NU, WEIGHT = 0.508, 12.3777e-3, 3.2024e-3, 71.7e9, 0.31, 8.896
G, A = E / (2 * (1 + NU)), H * T
SECTION = {
    "EA": E * A,
    "kGAy": 5 / 6 * G * A,
    "kGAz": 5 / 6 * G * A,
    "GJ": G * H * T**3 * (1 / 3 - 0.21 * T / H * (1 - T**4 / (12 * H**4))),
    "EIy": E * T * H**3 / 12,
    "EIz": E * H * T**3 / 12,
}


def _shot(force: np.ndarray) -> np.ndarray:
    """The tip: r' = R (e1 + strain), R' = R hat(K), m' = n x r' with n the force."""
    stretch = 1 / np.array([SECTION[one] for one in ("EA", "kGAy", "kGAz")])
    bend = 1 / np.array([SECTION[one] for one in ("GJ", "EIy", "EIz")])

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        R, m = y[3:12].reshape(3, 3), y[12:]
        along = R @ (np.array([1.0, 0, 0]) + stretch * (R.T @ force))
        K = bend * (R.T @ m)
        hat = np.array([[0, -K[2], K[1]], [K[2], 0, -K[0]], [-K[1], K[0], 0]])
        return np.concatenate([along, (R @ hat).ravel(), np.cross(force, along)])

    def end(m: np.ndarray) -> np.ndarray:
        start = np.concatenate([np.zeros(3), np.eye(3).ravel(), m])
        return np.asarray(scipy.integrate.solve_ivp(rates, (0, LENGTH), start, rtol=1e-11, atol=1e-13).y[:, -1])

    guess = np.cross([LENGTH, 0, 0], force)
    found: Any = scipy.optimize.root(lambda m: end(m)[12:], guess, tol=1e-12)
    return end(found.x)[:3]


@pytest.mark.parametrize("degrees", [30, 90])
def test_a_turned_flat_cantilever_deflects_as_shooting_says(degrees: float) -> None:
    beam = fx.ExactSpatialBeam("beam", **SECTION, rho=1.0, length=LENGTH)
    loads = (fx.Force(beam.end, "Py", along="y"), fx.Force(beam.end, "Pz", along="z"))
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), *loads))
    force = WEIGHT * np.array([0, np.sin(np.radians(degrees)), np.cos(np.radians(degrees))])
    rest = fx.equilibrium(equations, values={"Py": force[1], "Pz": force[2]})
    assert rest.position(beam.end) == pytest.approx(_shot(force), abs=1e-8 * LENGTH)
