"""An absorber tuned by scipy.optimize: the largest response made as small as it can be, with exact slopes.

The closed form of the same optimum: Nishihara & Asami, J. Vib. Acoust. 124 (2002). Den Hartog's rule is close to it.
"""

import numpy as np
from scipy.optimize import minimize

import flexura as fx

MU = 0.1
structure, absorber = fx.Mass("structure", m=1.0), fx.Mass("absorber", m=MU)
equations = fx.derive(
    fx.Model(
        fx.Slide(fx.ground, structure, name="y"),
        fx.Slide(fx.ground, absorber, name="z"),
        fx.Spring(fx.ground, structure, k=1.0),
        fx.Spring(structure, absorber, k="k"),
        fx.Damper(structure, absorber, c="c"),
        fx.Force(structure, "F"),
    )
)
omega = np.linspace(0.7, 1.2, 301)


def asked(p):
    return fx.sensitivity(equations, ["k", "c"], values={"k": p[0], "c": p[1]}, omega=omega, load="F", output="y")


def tuned():
    """Least h with |response| <= h at every frequency: k, c, h."""
    seen = {}

    def answer(p):
        key = (p[0], p[1])
        if key not in seen:
            seen[key] = asked(p)
        return seen[key]

    def slack(p):
        return p[2] - np.abs(answer(p).response)

    def slopes(p):
        by = answer(p).magnitude
        return np.column_stack([-by["k"], -by["c"], np.ones(len(omega))])

    k = MU / (1 + MU) ** 2  # Den Hartog: fixed points of the same height
    c = 2 * MU * np.sqrt(3 * MU / (8 * (1 + MU) ** 3))
    start = np.array([k, c, np.abs(asked((k, c)).response).max()])
    found = minimize(
        lambda p: p[2],
        start,
        jac=lambda p: np.array([0.0, 0.0, 1.0]),
        constraints=[{"type": "ineq", "fun": slack, "jac": slopes}],
        method="SLSQP",
        options={"ftol": 1e-12},
    )
    return found.x


def closed_form():
    """The height of the two equal peaks."""
    root = (8 + 9 * MU) ** 2 * (16 + 9 * MU) - 128 * (4 + 3 * MU) ** 1.5
    return np.sqrt(root / (3 * (32 + 27 * MU))) / (3 * MU)


if __name__ == "__main__":
    k, c, h = tuned()
    print(f"k = {k:.5f}, c = {c:.5f}: largest response {h:.5f}, closed form {closed_form():.5f}")
