"""A uniform beam between all pairs of end conditions.

The ends of a uniform beam are clamped, pinned, free, or sliding (held in slope, free across). Find the lowest
frequency that is not zero for each pair, as lambda in omega = lambda^2 sqrt(EI/(rho L^4)).

Source: R. D. Blevins, Formulas for Natural Frequency and Mode Shape, 1979, Table 8-1.
"""

import numpy as np

import flexura as fx

HOLDS = {"clamped": fx.Fixed, "pinned": fx.Pin, "sliding": fx.Slide}


def first_lambda(start, end):
    """The lowest one that is not zero, for EI = rho = L = 1."""
    beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.0)
    ends = ((start, beam.start), (end, beam.end))
    frequencies = fx.modes(
        fx.Model(beam, [HOLDS[kind](fx.ground, place) for kind, place in ends if kind in HOLDS]), 3
    ).frequencies
    return np.sqrt(frequencies[frequencies > 0][0])


known = {
    "free-free": "4.73004074",
    "free-sliding": "2.36502037",
    "clamped-free": "1.87510407",
    "free-pinned": "3.92660231",
    "pinned-pinned": "3.14159265",
    "clamped-pinned": "3.92660231",
    "clamped-clamped": "4.73004074",
    "clamped-sliding": "2.36502037",
    "sliding-pinned": "1.57079633",
    "sliding-sliding": "3.14159265",
}
answer = {pair: first_lambda(*pair.split("-")) for pair in known}
