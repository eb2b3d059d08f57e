"""The benchmark bicycle of Meijaard, Papadopoulos, Ruina and Schwab (Proc. R. Soc. A 463, 2007): wheels without slip.

Its canonical matrices are those of table 1's parameters; the model here knows nothing of them: four bodies, three
hinges, two discs that roll.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import flexura as fx

M = np.array([[80.81722, 2.31941332208709], [2.31941332208709, 0.29784188199686]])
C1 = np.array([[0, 33.86641391492494], [-0.85035641456978, 1.68540397397560]])
K0 = np.array([[-80.95, -2.59951685249872], [-2.59951685249872, -0.80329488458618]])
K2 = np.array([[0, 76.59734589573222], [0, 2.65431523794604]])


def canonical(speed: float) -> np.ndarray:
    """Eigenvalues of lean and steer, those with Im >= 0."""
    K = 9.81 * K0 + speed**2 * K2
    first = np.block([[np.zeros((2, 2)), np.eye(2)], [-np.linalg.solve(M, K), -np.linalg.solve(M, speed * C1)]])
    found = np.linalg.eigvals(first)
    return np.sort_complex(found[found.imag >= -1e-9])


def bicycle() -> fx.Model:
    """x ahead, z up; the rear wheel touches at the origin, the front one at the wheelbase."""
    base, trail, tilt = 1.02, 0.08, math.pi / 10
    rear = fx.RigidBody("rear", 2.0, (0.0603, 0.12, 0.0603))
    rider = fx.RigidBody("rider", 85.0, ((9.2, 0, -2.4), (0, 11.0, 0), (-2.4, 0, 2.8)))
    fork = fx.RigidBody("fork", 4.0, ((0.05892, 0, 0.00756), (0, 0.06, 0), (0.00756, 0, 0.00708)))
    front = fx.RigidBody("front", 3.0, (0.1405, 0.28, 0.1405))
    head = base + trail - math.tan(tilt) * 0.7  # where the steering axis is as high as the fork's centre
    return fx.Model(
        fx.Free(fx.ground.at(0.3, 0, 0.9), rider, names=("x", "y", "z", "yaw", "pitch", "lean")),
        fx.Revolute(rider.at(-0.3, 0, -0.6), rear, about="y", name="p"),
        fx.Revolute(
            rider.at(head - 0.3, 0, -0.2),
            fork.at(head - 0.9, 0, 0),
            about=(-math.sin(tilt), 0, math.cos(tilt)),
            name="steer",
        ),
        fx.Revolute(fork.at(base - 0.9, 0, -0.35), front, about="y", name="q"),
        fx.Rolling(rear, 0.3, normal="z", axis="y"),
        fx.Rolling(front, 0.35, normal="z", axis="y"),
        fx.Gravity(along="-z"),
    )


def test_the_benchmark_bicycle() -> None:
    equations = fx.derive(bicycle())
    linear = fx.linearise(equations, about={"x_t": "v", "p_t": "v/0.3", "q_t": "v/0.35"})
    np.testing.assert_allclose(
        canonical(5.0), [-14.07838969279822, -0.77534188219585 + 4.46486771378823j, -0.32286642900409], rtol=1e-10
    )
    for speed in (3.0, 5.0, 7.0):
        found = fx.modes(linear, 9, values={"v": speed}).eigenvalues
        moving = np.sort_complex(found[np.abs(found) > 0])
        np.testing.assert_allclose(moving, canonical(speed), rtol=1e-9)
    weight = fx.accelerations(equations, {"x_t": 5.0, "p_t": 5 / 0.3, "q_t": 5 / 0.35})
    assert weight["lambda_rolling_rear_n"] + weight["lambda_rolling_front_n"] == pytest.approx(94 * 9.81)
