"""Why a book tumbles.

A body with three different moments of inertia spins about the middle axis, with nothing acting on it. How fast does a
disturbance grow?

Source: closed form n sqrt((I2 - I1)(I3 - I2)/(I1 I3)), Euler's equations; L. D. Landau, E. M. Lifshitz, Mechanics,
section 37; L. Poinsot, 1834.
"""

import numpy as np

import flexura as fx

I1, I2, I3, n = 0.02, 0.05, 0.06, 9.0
frame, book = fx.RigidBody("frame", m=0, I=0), fx.RigidBody("book", m=1.0, I=(I1, I3, I2))
model = fx.Model(
    fx.Revolute(fx.ground, frame, about="z", motion=f"{n}*t"), fx.Universal(frame, book, names=("alpha", "beta"))
)
growth = n * np.sqrt((I2 - I1) * (I3 - I2) / (I1 * I3))
roots = fx.modes(model, 3).eigenvalues
answer = {"growing, dying, and turning with the axis (1/s)": roots[np.argsort(-roots.real)][[0, 2, 1]]}
known = {"growing, dying, and turning with the axis (1/s)": [growth, -growth, 1j * n]}
