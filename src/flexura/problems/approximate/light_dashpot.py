"""A little damping at the tip.

A weak dashpot holds the tip of a cantilever. At what rate do its modes die away, per strength of the dashpot?

Source: closed form Re(s) = -c w(L)^2/2 = -2 c/(rho L) to first order, for every mode alike; Lord Rayleigh, The Theory
of Sound I, section 102.
"""

import flexura as fx

EI, rho, L, c = 3.0, 0.2, 0.4, 1e-6
beam = fx.EulerBernoulliBeam("beam", EI=EI, rho=rho, length=L)
model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Damper(fx.ground, beam.end, c=c))
answer = {"Re(s)/c": fx.modes(model, 3).eigenvalues.real / c}
known = {"Re(s)/c": [-2 / (rho * L)] * 3}
within = 1e-8
