"""A valve train driven by a square wave.

A damped oscillator is pushed by a force that changes its sign every half period. Find its steady motion at the end
and in the middle of a half period.

Source: closed form: free motion about +F/k through half a period ends in minus its start; W. Weaver, S. Timoshenko,
D. H. Young, Vibration Problems in Engineering, on arbitrary periodic forces.
"""

import numpy as np
from scipy.linalg import expm

import flexura as fx

m, k, c, half = 1.0, 90.0, 2.0, 0.7
mass = fx.Mass("mass", m=m)
model = fx.Model(
    fx.Slide(fx.ground, mass, name="x"),
    fx.Spring(fx.ground, mass, k=k),
    fx.Damper(fx.ground, mass, c=c),
    fx.Force(mass, "F"),
)
wave = f"sign(sin(pi*t/{half}))"
found = fx.periodic_response(model, {"F": wave}, "x", period=2 * half)
A, rest = np.array([[0, 1], [-k / m, -c / m]]), np.array([1 / k, 0])
start = -np.linalg.solve(np.eye(2) + expm(A * half), (np.eye(2) - expm(A * half)) @ rest)
middle = rest + expm(A * half / 2) @ (start - rest)
answer = {"k x at 0 and in the middle": k * np.asarray(found)[[0, len(found) // 4]]}
known = {"k x at 0 and in the middle": k * np.array([start[0], middle[0]])}
within = 1e-5
