"""Two exact beams hinged to one another and to ground by their bare ends, with no bodies between."""

import numpy as np
import pytest
import scipy.integrate

import flexura as fx

G = 9.81


def _rods(t: np.ndarray, first: float, second: float) -> np.ndarray:
    """The tip of the double pendulum of uniform rigid rods (mass and length 1), by absolute angles."""

    def rates(_: float, y: np.ndarray) -> list[float]:
        p, q, p_t, q_t = y
        M = np.array([[4 / 3, np.cos(p - q) / 2], [np.cos(p - q) / 2, 1 / 3]])
        turning = np.sin(p - q) / 2
        f = [-turning * q_t**2 - 1.5 * G * np.cos(p), turning * p_t**2 - G * np.cos(q) / 2]
        return [p_t, q_t, *np.linalg.solve(M, f)]

    y = scipy.integrate.solve_ivp(rates, (0, t[-1]), [first, second, 0, 0], t_eval=t, rtol=1e-10).y
    return np.array([np.cos(y[0]) + np.cos(y[1]), np.sin(y[0]) + np.sin(y[1])]).T


def test_stiff_ones_swing_as_rigid_rods_without_hubs() -> None:
    links = [fx.ExactBeam(name, EI=1e3, rho=1.0, length=1.0) for name in ("upper", "lower")]
    upper, lower = links
    model = fx.Model(
        fx.Revolute(fx.ground, upper.start, name="a"), fx.Revolute(upper.end, lower.start, name="r"), fx.Gravity()
    )
    t = np.linspace(0, 0.1, 3)
    run = fx.simulate(fx.derive(model), t, initial={"a": -1.0, "r": 0.5}, order=4, elements=1, tolerance=1e-5)
    assert run.complete
    assert run.energy.error < 1e-6
    swung = _rods(t, -1.0, -0.5)
    assert np.linalg.norm(swung[-1] - swung[0]) > 0.05
    assert run.position(lower.end)[:, :2] == pytest.approx(swung, abs=1e-4)  # they bend a little
