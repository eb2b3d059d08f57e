"""A servo with an integrator.

A hub is turned by a motor under PID control. Find the roots, and the angle that remains under a constant load torque.

Source: closed form I s^3 + kd s^2 + kp s + ki = 0; the integrator leaves no error; K. J. Astrom, R. M. Murray,
Feedback Systems.
"""

import numpy as np

import flexura as fx

I, kp, ki, kd = 0.5, 40.0, 30.0, 6.0
hub = fx.RigidBody("hub", m=1, I=I)
model = fx.Model(
    fx.Revolute(fx.ground, hub, name="theta"),
    fx.State("z", "-theta"),
    fx.Torque(hub, f"-{kp}*theta + {ki}*z - {kd}*theta_t"),
    fx.Torque(hub, "load"),
)
roots = np.roots([I, kd, kp, ki])
roots = roots[roots.imag >= 0]
answer = {
    "s (1/s)": fx.modes(model, 3).eigenvalues,
    "angle under a load": fx.equilibrium(model, values={"load": 2.0})["theta"],
}
known = {"s (1/s)": roots[np.argsort(abs(roots))], "angle under a load": 0.0}
