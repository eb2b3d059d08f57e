"""Loads with jumps, handed over as values at Gauss points: they do to every shape what the loads do."""

from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.discretisation.mesh import Mesh
from flexura.systems.signals.projection import Projection

PLACES = st.lists(st.floats(0.0, 2.0), min_size=1, max_size=4, unique=True)
COEFFICIENTS = st.lists(st.floats(-2, 2), min_size=3, max_size=3)


@settings(max_examples=30, deadline=None)
@given(PLACES, st.lists(COEFFICIENTS, min_size=5, max_size=5), st.integers(1, 3))
def test_moments_of_random_piecewise_polynomials(places, coefficients, elements):
    mesh, cuts = Mesh(0.0, 2.0, elements, 8), sorted(places)
    points, weights = mesh.gauss(9)
    projection = Projection.of(mesh.nodes, points)

    def load(x):
        piece = np.searchsorted(cuts, x, side="right")
        return np.array(coefficients)[piece, 0] + np.array(coefficients)[piece, 1] * x**2

    edges = sorted({0.0, *cuts, *mesh.nodes, 2.0})
    x, P = projection.fixed(cuts)
    moving = projection.moving(lambda at, part: load(at), np.array([[*cuts, np.nan]] * 2))
    shapes = mesh.functions(2).table(points, 0)
    for values in (P @ load(x), *moving):
        for k in range(shapes.shape[1]):
            exact, (xi, w) = 0.0, np.polynomial.legendre.leggauss(12)
            for a, b in pairwise(edges):
                at = (a + b) / 2 + (b - a) / 2 * xi
                exact += (b - a) / 2 * (w * load(at)) @ mesh.functions(2).table(at, 0)[:, k]
            assert abs((weights * values) @ shapes[:, k] - exact) < 1e-11
