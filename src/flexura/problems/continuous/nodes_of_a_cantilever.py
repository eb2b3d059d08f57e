"""Where a cantilever does not move.

A uniform cantilever vibrates in its second and third mode. At which parts of its length are the nodes?

Source: closed form: zeros of cosh - cos - sigma (sinh - sin); S. S. Rao, Mechanical Vibrations, 5th edition, Figure 8.15
prints 0.783 for the second mode and 0.504 and 0.868 for the third.
"""

from scipy.optimize import brentq

import flexura as fx

beam = fx.EulerBernoulliBeam("beam", EI=20.0, rho=0.5, length=2.0)
modes = fx.modes(fx.Model(fx.Fixed(fx.ground, beam.start)), 3)
second, third = (modes.shape(k)["w_beam"] for k in (1, 2))
answer = {"second mode": brentq(second, 1.0, 1.9) / 2, "third mode": [brentq(third, *span) / 2 for span in ((0.6, 1.3), (1.5, 1.9))]}
known = {"second mode": "0.783", "third mode": ["0.504", "0.868"]}
