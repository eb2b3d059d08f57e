"""A disc rolls on an incline, held by a spring.

A uniform disc of mass M and radius R rolls without slip on an incline of 25 degrees; a spring k along the incline
holds its centre. Where does it rest, and how fast does it oscillate about that place?

Source: C. M. Krousgrill, J. F. Rhoads, vibration notes, example I.1.1: (3/2) M x'' + k x = M g sin(alpha).
"""

import numpy as np

import flexura as fx

M, R, k, alpha = 4.0, 0.2, 300.0, np.radians(25)
disc = fx.RigidBody("disc", m=M, I=M * R**2 / 2)
model = fx.Model(
    fx.Free(fx.ground, disc, names=("x", "y", "theta")),
    fx.Rolling(disc, R),
    fx.Spring(fx.ground, disc, k=k, along="x"),
    fx.Gravity(9.81, along=(np.sin(alpha), -np.cos(alpha), 0)),
)
rest = fx.equilibrium(model)
answer = {"x at rest (m)": rest["x"], "omega (rad/s)": fx.modes(model, 1, about=rest).frequencies[0]}
known = {"x at rest (m)": M * 9.81 * np.sin(alpha) / k, "omega (rad/s)": np.sqrt(2 * k / (3 * M))}
