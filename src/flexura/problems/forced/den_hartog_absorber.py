"""The best damped absorber.

An absorber of mass ratio mu has the stiffness that makes the two points through which all response curves pass
equally high. How high are they, and are they the same for two dampings?

Source: J. P. Den Hartog, Mechanical Vibrations, 4th edition, chapter 3: tuning 1/(1 + mu), height sqrt(1 + 2/mu), at
r^2 = (1 -+ sqrt(mu/(2 + mu)))/(1 + mu); J. Ormondroyd, J. P. Den Hartog, 1928.
"""

import numpy as np

import flexura as fx

mu = 0.1
r = np.sqrt((1 + np.array([-1, 1]) * np.sqrt(mu / (2 + mu))) / (1 + mu))


def heights(c):
    """How far the machine moves at both points, per static deflection, with M = K = 1."""
    machine, small = fx.Mass("machine", m=1.0), fx.Mass("small", m=mu)
    model = fx.Model(
        fx.Slide(fx.ground, machine),
        fx.Slide(fx.ground, small),
        fx.Spring(fx.ground, machine, k=1.0),
        fx.Spring(machine, small, k=mu / (1 + mu) ** 2),
        fx.Damper(machine, small, c=c),
        fx.Force(machine, "F"),
    )
    return abs(fx.frequency_response(model, r, "F", machine))


answer = {"light damping": heights(0.01), "heavy damping": heights(0.1)}
known = dict.fromkeys(answer, [np.sqrt(1 + 2 / mu)] * 2)
