"""Stiffness, damping and tip mass of a cantilever, fitted to a measured frequency response by scipy.optimize.

The measurement is made here: the exact response of a beam whose numbers are known, with noise.
"""

import numpy as np
from scipy.optimize import least_squares

import flexura as fx

TRUE = {"EI": 50.0, "eta": 2e-3, "m": 0.4}
tip = fx.Mass("tip", m="m")
beam = fx.EulerBernoulliBeam("beam", EI="EI", rho=1.2, length=1.0, internal_damping="eta")
equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, tip), fx.Force(tip, "F")))
omega = np.concatenate([np.linspace(8, 22, 15), np.linspace(90, 140, 15)])  # rad/s, about two resonances


def measured(noise=1e-3):
    """Complex receptances, with noise of a part of the largest."""
    exact = np.asarray(fx.frequency_response(equations, omega, "F", fx.Motion(tip), TRUE))
    random = np.random.default_rng(1)
    scatter = random.normal(size=(2, len(omega)))
    return exact + noise * np.abs(exact).max() * (scatter[0] + 1j * scatter[1])


def fitted(data, start):
    """The parameters whose response is nearest, real and imaginary parts alike; slopes are exact."""
    names, scale = list(start), np.array(list(start.values()))

    def answer(p):
        values = dict(zip(names, p * scale, strict=True))
        return fx.sensitivity(equations, names, values=values, omega=omega, load="F", output=fx.Motion(tip))

    def parts(complex_values):
        return np.concatenate([complex_values.real, complex_values.imag])

    found = least_squares(
        lambda p: parts(answer(p).response - data),
        np.ones(len(names)),
        jac=lambda p: np.column_stack([parts(answer(p)[name]) * one for name, one in zip(names, scale, strict=True)]),
        x_scale="jac",
    )
    return dict(zip(names, found.x * scale, strict=True))


if __name__ == "__main__":
    found = fitted(measured(), {"EI": 45.0, "eta": 4e-3, "m": 0.5})
    for name, one in found.items():
        print(f"{name}: fitted {one:.6g}, true {TRUE[name]:.6g}")
