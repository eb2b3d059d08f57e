"""The piston of an engine.

A crank turns evenly and drives a piston through a connecting rod. Find the piston's place and acceleration at several
angles.

Source: closed form s = r cos(a) + sqrt(l^2 - r^2 sin(a)^2) and its second derivative; J. P. Den Hartog, Mechanical
Vibrations, 4th edition.
"""

import numpy as np
import sympy

import flexura as fx

r, l, W = 0.05, 0.17, 100.0
crank, rod = fx.RigidBody("crank", m=1.0, I=1e-3), fx.RigidBody("rod", m=0.6, I=2e-3)
piston = fx.Mass("piston", m=0.5)
model = fx.Model(
    fx.Revolute(fx.ground, crank.at(-r / 2), name="a", motion=f"{W}*t"),
    fx.Revolute(crank.at(r / 2), rod.at(-l / 2), name="b"),
    fx.Slide(fx.ground, piston, along="x", name="s"),
    fx.Revolute(rod.at(l / 2), piston, name="pin"),
)
t = np.array([0.0, 0.01, 0.025, 0.05])
run = fx.simulate(model, t, tolerance=1e-10)
a = sympy.Symbol("a")
place = r * sympy.cos(a) + sympy.sqrt(l**2 - r**2 * sympy.sin(a) ** 2)
exact = [np.array([float(f.subs(a, W * one)) for one in t]) for f in (place, W**2 * place.diff(a, 2))]
answer = {"piston (m)": run.position(piston)[:, 0], "acceleration (m/s^2)": run["s_tt"]}
known = {"piston (m)": exact[0], "acceleration (m/s^2)": exact[1]}
within = 1e-7
