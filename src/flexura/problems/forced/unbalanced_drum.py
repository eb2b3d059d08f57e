"""An unbalanced drum shakes its frame.

A drum turns evenly at Omega in a frame on springs; its mass centre lies e off the axis. Started on the steady motion,
how far does the frame move, and is it with or against the heavy side? The speed is above the resonance.

Source: closed form Y = -m e Omega^2 / (k - (M + m) Omega^2) for the heavy side up; J. P. Den Hartog, Mechanical
Vibrations, 4th edition, chapter 2.
"""

import numpy as np

import flexura as fx

M, m, e, k, Omega = 30.0, 5.0, 0.02, 1.2e4, 40.0
frame, drum = fx.Mass("frame", m=M), fx.RigidBody("drum", m=m, I=0.1)
model = fx.Model(
    fx.Slide(fx.ground, frame, name="y"),
    fx.Revolute(frame, drum.at(0, -e), name="turn", motion=f"{Omega}*t"),
    fx.Spring(fx.ground, frame, k=k),
)
Y = m * e * Omega**2 / (k - (M + m) * Omega**2)
t = np.linspace(0, 1, 11)
run = fx.simulate(model, t, initial={"y": Y}, tolerance=1e-11)
answer = {"y (m)": run["y"]}
known = {"y (m)": Y * np.cos(Omega * t)}
within = 1e-7
