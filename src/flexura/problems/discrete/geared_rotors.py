"""Two rotors on two shafts, joined by gears.

A motor I1 drives a load I2 through a shaft k1, a pair of gears that turns the second shaft n times as slowly, and a shaft
k2. The gears have no inertia of their own. Find the torsional frequencies.

Source: closed form: seen from the first shaft the load is I2/n^2 and the springs are in series, 1/k = 1/k1 + n^2/k2, so
omega^2 = k (1/I1 + n^2/I2); J. P. Den Hartog, Mechanical Vibrations, 4th edition, section 1.6 and chapter 5.
"""

import numpy as np

import flexura as fx

I1, I2, k1, k2, n = 0.4, 9.0, 5e3, 4e4, 3.0
motor, pinion = fx.RigidBody("motor", m=1, I=I1), fx.RigidBody("pinion", m=1, I=0)
wheel, load = fx.RigidBody("wheel", m=1, I=0), fx.RigidBody("load", m=1, I=I2)
turn = {body.name: fx.Revolute(fx.ground, body, name=f"theta_{body.name}") for body in (motor, pinion, wheel, load)}
model = fx.Model(
    list(turn.values()),
    fx.TorsionSpring(motor, pinion, k=k1),
    fx.TorsionSpring(wheel, load, k=k2),
    fx.Gear(turn["pinion"], turn["wheel"], ratio=-n),
)
k = 1 / (1 / k1 + n**2 / k2)
answer = {"omega (rad/s)": fx.modes(model, 2).frequencies}
known = {"omega (rad/s)": [0, np.sqrt(k * (1 / I1 + n**2 / I2))]}
