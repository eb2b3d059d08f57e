"""Half a cylinder rocks on a table.

A solid half cylinder of radius R lies on its round side and rocks without slip. Find the frequency of small motions,
and from what angle it must be let go to pass the middle at 2 rad/s.

Source: closed form: the mass centre lies 4 R / (3 pi) below the middle of the flat side, so omega^2 = 8 g / (R (9 pi
- 16)) and, by energy, m g (4 R/(3 pi)) (1 - cos(theta_0)) = (1/2) I_contact theta_t^2.
"""

import numpy as np

import flexura as fx

R, m, e = 0.5, 6.0, 4 / (3 * np.pi) * 0.5
theta = fx.Coordinate("theta")
about_centre = m * R**2 / 2 - m * e**2
body = fx.Lagrangian(
    kinetic=m * theta.t**2 * (R**2 + e**2 - 2 * R * e * fx.cos(theta)) / 2 + about_centre * theta.t**2 / 2,
    potential=-m * 9.81 * e * fx.cos(theta),
)
at_contact = about_centre + m * (R - e) ** 2
start = np.arccos(1 - at_contact * 2.0**2 / (2 * m * 9.81 * e))
run = fx.simulate(body, [0, 2.0], initial={"theta": start}, events={"middle": "theta"}, stop="middle")
answer = {"omega (rad/s)": fx.modes(body, 1).frequencies[0], "rate in the middle (rad/s)": -run["theta_t"][-1]}
known = {"omega (rad/s)": np.sqrt(8 * 9.81 / (R * (9 * np.pi - 16))), "rate in the middle (rad/s)": 2.0}
within = 1e-8
