"""A load is lifted with a jerk, or with a ramp.

The base of undamped oscillators is accelerated by a ramp that ends in a constant. Find the largest relative
displacement over the static one for oscillators of several frequencies.

Source: closed form 1 + |sin(omega t_r/2)|/(omega t_r/2); L. S. Jacobsen, R. S. Ayre, Engineering Vibrations, 1958.
"""

import numpy as np

import flexura as fx

tr, a = 0.5, 2.0
omega = np.array([3.0, 8.0, 4 * np.pi, 30.0])
t = np.array([0, tr, tr + 2 * np.pi / omega.min() + 0.1])
answer = {"largest over static": omega**2 / a * fx.response_spectrum((t, [0, a, a]), omega, 0.0)}
known = {"largest over static": 1 + abs(np.sin(omega * tr / 2)) / (omega * tr / 2)}
