"""A weight bounces and swings on a soft spring.

A weight hangs from a spring of free length L that may swing. Find the frequencies about rest.

Source: closed form sqrt(k/m) up and down and sqrt(g/(L + m g/k)) sideways; A. H. Nayfeh, D. T. Mook, Nonlinear
Oscillations, 1979, on the spring pendulum.
"""

import numpy as np

import flexura as fx

m, k, L = 0.4, 25.0, 0.5
bob = fx.Mass("bob", m=m)
model = fx.Model(
    fx.Free(fx.ground.at(0, -L), bob, names=("x", "y")),
    fx.Spring(fx.ground.at(0, 0), bob, k=k, along="line", free_length=L),
    fx.Gravity(),
)
rest = fx.equilibrium(model)
answer = {"omega (rad/s)": fx.modes(model, 2, about=rest).frequencies}
known = {"omega (rad/s)": sorted([np.sqrt(9.81 / (L + m * 9.81 / k)), np.sqrt(k / m)])}
