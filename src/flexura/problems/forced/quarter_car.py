"""What no suspension can change.

A wheel on its tyre carries a quarter of a car on a suspension. At the frequency sqrt(kt/mu), at which the wheel would
hop under a car held still, how much of the road's motion reaches the car?

Source: J. K. Hedrick, T. Butsuen, Invariant properties of automotive suspensions, 1990: mu/ms in size, whatever
spring and damper are between them, because these are forces inside the whole.
"""

import numpy as np

import flexura as fx

ms, mu, kt = 320.0, 45.0, 2e5


def reaches(k, c):
    """How much of the road's motion reaches the car at that frequency."""
    road, wheel, car = fx.RigidBody("road", m=1, I=0), fx.Mass("wheel", m=mu), fx.Mass("car", m=ms)
    model = fx.Model(
        fx.Slide(fx.ground, road, motion="z(t)"),
        fx.Slide(fx.ground, wheel),
        fx.Slide(fx.ground, car),
        fx.Spring(road, wheel, k=kt),
        fx.Spring(wheel, car, k=k),
        fx.Damper(wheel, car, c=c),
    )
    return abs(fx.transmissibility(model, np.sqrt(kt / mu), "z", car))


answer = {"soft": reaches(1.2e4, 900.0), "sporty": reaches(4e4, 3000.0)}
known = dict.fromkeys(answer, mu / ms)
