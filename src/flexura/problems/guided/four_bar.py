"""A four-bar linkage.

The crank of a four-bar linkage stands at an angle and turns. How fast does the rocker turn?

Source: Freudenstein's equation k1 cos(p) - k2 cos(a) + k3 = cos(a - p), differentiated; F. Freudenstein, Transactions
of the ASME 77, 1955.
"""

import numpy as np
from scipy.optimize import brentq

import flexura as fx

crank, coupler, rocker, base = 0.1, 0.25, 0.2, 0.3
start = np.radians(60)  # the reference configuration: the linkage closed at this angle
k1, k2, k3 = base / crank, base / rocker, (crank**2 - coupler**2 + rocker**2 + base**2) / (2 * crank * rocker)


def rocker_angle(a):
    """Freudenstein's equation solved for the rocker."""
    return brentq(lambda p: k1 * np.cos(p) - k2 * np.cos(a) + k3 - np.cos(a - p), 0.5, 3.0, xtol=1e-15)


def point(length, angle):
    """The far end of a bar."""
    return length * np.array([np.cos(angle), np.sin(angle)])


A, B = point(crank, start), np.array([base, 0]) + point(rocker, rocker_angle(start))
one, two, three = (fx.RigidBody(name, m=1.0, I=0.01) for name in ("one", "two", "three"))
model = fx.Model(
    fx.Revolute(fx.ground, one, name="a", motion="2*t"),
    fx.Revolute(one.at(*A), two.at(*A), name="c"),
    fx.Revolute(fx.ground.at(base), three.at(base), name="p"),
    fx.Revolute(two.at(*B), three.at(*B), name="pin"),
)
run = fx.simulate(model, [0, 0.4], tolerance=1e-10)
p, a = rocker_angle(start + 0.8), start + 0.8
rate = 2 * (np.sin(a - p) + k2 * np.sin(a)) / (k1 * np.sin(p) + np.sin(a - p))
answer = {"rocker (rad)": run["p"][-1], "its rate (rad/s)": run["p_t"][-1]}
known = {"rocker (rad)": p - rocker_angle(start), "its rate (rad/s)": rate}
within = 1e-7
