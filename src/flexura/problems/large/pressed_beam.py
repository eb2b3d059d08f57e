"""How a strut slows before it buckles.

A pinned beam is pressed by half, nine tenths and 0.999 of its critical load. What is left of its lowest frequency?

Source: closed form sqrt(1 - P/Pe); S. Timoshenko, D. H. Young, W. Weaver, Vibration Problems in Engineering, 4th
edition. It is how critical loads are measured without reaching them.
"""

import numpy as np

import flexura as fx

strut = fx.EulerBernoulliBeam("strut", EI=1.0, rho=1.0, length=1.0, axial_force="-P")
model = fx.Model(fx.Pin(fx.ground, strut.start), fx.Pin(fx.ground, strut.end))
shares = np.array([0.5, 0.9, 0.999])
answer = {
    "part of the frequency": [
        fx.modes(model, 1, values={"P": one * np.pi**2}).frequencies[0] / np.pi**2 for one in shares
    ]
}
known = {"part of the frequency": np.sqrt(1 - shares)}
