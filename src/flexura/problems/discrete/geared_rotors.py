"""Two rotors on two shafts, joined by gears.

A motor I1 drives a load I2 through a shaft k1, a pair of gears (Ip and Iw) that turns the second shaft n times as
slowly, and a shaft k2. Find the torsional frequencies.

Source: closed form: seen from the first shaft the wheel and the load are Iw/n^2 and I2/n^2 and the second shaft is
k2/n^2, so three rotors are left, and their two frequencies are the roots of a quadratic; J. P. Den Hartog, Mechanical
Vibrations, 4th edition.
"""

import numpy as np

import flexura as fx

I1, Ip, Iw, I2, k1, k2, n = 0.4, 0.02, 0.5, 9.0, 5e3, 4e4, 3.0
bodies = [fx.RigidBody(name, m=1, I=I) for name, I in (("motor", I1), ("pinion", Ip), ("wheel", Iw), ("load", I2))]
motor, pinion, wheel, load = bodies
turns = [fx.Revolute(fx.ground, body) for body in bodies]
model = fx.Model(
    turns,
    fx.TorsionSpring(motor, pinion, k=k1),
    fx.TorsionSpring(wheel, load, k=k2),
    fx.Gear(turns[1], turns[2], ratio=-n),
)
a, b, c, k = I1, Ip + Iw / n**2, I2 / n**2, k2 / n**2
squares = np.roots([a * b * c, -(k1 * c * (a + b) + k * a * (b + c)), k1 * k * (a + b + c)])
answer = {"omega (rad/s)": fx.modes(model, 3).frequencies}
known = {"omega (rad/s)": [0, *np.sqrt(np.sort(squares))]}
