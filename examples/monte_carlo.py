"""A cantilever whose stiffness and tip mass are known to a few percent: how much its first frequency scatters.

Look at the last line: a sweep over a Latin hypercube asks for the modes at 200 points, and the gradients of the nominal
frequency tell the same scatter to first order, at the cost of one answer.
"""

import numpy as np

import flexura as fx

beam = fx.EulerBernoulliBeam("beam", EI="EI", rho=1.2, length=1.0)
tip = fx.Mass("tip", "m")
equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, tip)))
nominal, spread = {"EI": 50.0, "m": 0.4}, {"EI": 0.04, "m": 0.06}


def first(**values: float) -> float:
    return float(fx.modes(equations, 1, values).frequencies[0])


if __name__ == "__main__":
    print(equations)
    print(str(fx.verify(equations)).splitlines()[0])
    ranges = {name: (value * (1 - spread[name]), value * (1 + spread[name])) for name, value in nominal.items()}
    table = fx.sweep(first, fx.LatinHypercube(ranges, 200, seed=1), workers=1)
    slopes = fx.sensitivity(equations, list(nominal), 1, nominal)
    parts = [float(slopes[name][0]) * nominal[name] * spread[name] / np.sqrt(3) for name in nominal]  # uniform
    found, predicted = float(np.std(table.values)), float(np.hypot(*parts))
    print(f"{first(**nominal):.3f} rad/s, +- {found:.3f} by 200 points, +- {predicted:.3f} by gradients")
