"""Carbon dioxide stretches.

Three atoms lie in a line, two equal ones about a third, with two equal bonds. Nothing holds the molecule. Find the
frequencies of its motions along the line.

Source: L. D. Landau, E. M. Lifshitz, Mechanics, section 24, problem 1: 0, sqrt(k/m), sqrt(k (M + 2 m) / (m M)).
"""

import numpy as np

import flexura as fx

m, M, k = 16.0, 12.0, 1600.0
left, middle, right = fx.Mass("left", m=m), fx.Mass("middle", m=M), fx.Mass("right", m=m)
model = fx.Model(
    [fx.Slide(fx.ground, atom, along="x") for atom in (left, middle, right)],
    fx.Spring(left, middle, k=k, along="x"),
    fx.Spring(middle, right, k=k, along="x"),
)
answer = {"omega": fx.modes(model, 3).frequencies}
known = {"omega": [0, np.sqrt(k / m), np.sqrt(k * (M + 2 * m) / (m * M))]}
