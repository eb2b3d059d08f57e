"""A post that leans.

A rigid post stands on a torsion spring under a weight. How far does it lean at 1.3 times its critical load?

Source: closed form P l/k = theta/sin(theta): beyond P l = k the upright post is unstable and two leaning ones are
stable; J. M. T. Thompson, G. W. Hunt, A General Theory of Elastic Stability, 1973.
"""

import numpy as np
from scipy.optimize import brentq

import flexura as fx

k, l = 20.0, 2.0
post = fx.Mass("head", m=1.0)
model = fx.Model(
    fx.Revolute(fx.ground, post.at(0, -l), name="theta"), fx.TorsionSpring(fx.ground, post, k=k), fx.Force(post, "-P")
)
upright = fx.equilibrium_path(model, "P", (5.0, 13.0))
leaning = fx.equilibrium_path(model, "P", (5.0, 13.0), branch=upright.branches[0])
theta = brentq(lambda a: a / np.sin(a) - 1.3, 0.5, 2.0, xtol=1e-15)
answer = {
    "critical load": upright.branch_points[0],
    "angle at 1.3 times": abs(leaning["theta"][-1]),
    "stable at the start and end, leaning at the end": [
        *upright.stable[[0, -1]].astype(float),
        float(leaning.stable[-1]),
    ],
}
known = {
    "critical load": k / l,
    "angle at 1.3 times": theta,
    "stable at the start and end, leaning at the end": [1.0, 0.0, 1.0],
}
within = 1e-8
