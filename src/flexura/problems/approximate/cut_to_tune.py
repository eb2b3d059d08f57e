"""Tuning a bar by its length.

A free-free bar of a xylophone is cut shorter, or its stiffness raised. How do its frequencies answer, in percent per
percent?

Source: closed form: omega goes as EI^(1/2) rho^(-1/2) L^(-2), by dimensions alone.
"""

import flexura as fx

bar = fx.EulerBernoulliBeam("bar", EI=("EI", 4.0), rho=("rho", 0.3), length=("L", 0.5))
found = fx.sensitivity(fx.Model(bar), ["EI", "rho", "L"], 4)
omega = found.frequencies[2:]
values = {"EI": 4.0, "rho": 0.3, "L": 0.5}
answer = {name: found.slopes[name][2:] * values[name] / omega for name in values}
known = {"EI": [0.5, 0.5], "rho": [-0.5, -0.5], "L": [-2.0, -2.0]}
