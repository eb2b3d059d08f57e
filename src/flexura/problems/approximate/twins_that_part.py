"""Two equal pendulums begin to feel each other.

Two equal oscillators are coupled by a spring that grows from nothing. How do their two equal frequencies begin to
part?

Source: closed form: omega_1 stays, omega_2^2 = (k + 2 kc)/m, so d omega/d kc = 0 and 1/(m omega) at kc = 0;
perturbation of degenerate states, L. D. Landau, E. M. Lifshitz, Quantum Mechanics, section 39, on the matrices of
mechanics.
"""

import numpy as np

import flexura as fx

m, k = 0.3, 30.0
left, right = fx.Mass("left", m=m), fx.Mass("right", m=m)
model = fx.Model(
    fx.Slide(fx.ground, left, along="x"),
    fx.Slide(fx.ground, right, along="x"),
    fx.Spring(fx.ground, left, k=k, along="x"),
    fx.Spring(fx.ground, right, k=k, along="x"),
    fx.Spring(left, right, k=("kc", 0.0), along="x"),
)
answer = {"d omega/d kc": sorted(fx.sensitivity(model, ["kc"], 2).slopes["kc"])}
known = {"d omega/d kc": [0, 1 / np.sqrt(k * m)]}
