"""A rotor blade stiffens as it turns.

A uniform blade is clamped to a small hub that turns at Omega. Find how its first two frequencies out of the plane of
rotation (flap) rise, and the first one in it (lag) at Omega = 10.

Source: A. D. Wright, C. E. Smith, R. W. Thresher, J. L. C. Wang, Vibration modes of centrifugally stiffened beams,
Journal of Applied Mechanics 49, 1982, for flap; lag from the same by omega^2 = flap^2 - Omega^2, R. V. Southwell,
1921.
"""

import flexura as fx


def frequencies(about, Omega):
    """Of a blade with EI = rho = L = 1 that turns about z (lag) or y (flap)."""
    hub, blade = fx.RigidBody("hub", m=0, I=0), fx.EulerBernoulliBeam("blade", EI=1.0, rho=1.0, length=1.0)
    spin = fx.Revolute(fx.ground, hub, about=about, motion="Omega*t")
    return fx.modes(fx.Model(spin, fx.Fixed(hub, blade.start)), 2, values={"Omega": Omega}).frequencies


answer = {
    "flap at 2": frequencies("y", 2.0),
    "flap at 12": frequencies("y", 12.0),
    "lag at 10": frequencies("z", 10.0)[0],
}
known = {"flap at 2": ["4.1373", "22.6149"], "flap at 12": ["13.1702", "37.6031"], "lag at 10": "5.049"}
