"""Functions along a spine: they interpolate, join smoothly, and span every polynomial of their degree."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from flexura.discretisation.mesh import Mesh, assumed
from flexura.errors import FlexuraError

MESHES = st.builds(
    Mesh, st.just(0.5), st.just(2.5), st.integers(1, 5), st.integers(3, 9), st.sampled_from([(), (0.9,), (0.7, 1.9)])
)


@settings(max_examples=30, deadline=None)
@given(MESHES, st.integers(0, 2))
def test_functions_span_polynomials_and_join(mesh, ends):
    functions, x = mesh.functions(ends), np.linspace(0.5, 2.5, 200)
    table = functions.table(x, 0)
    assert table.shape == (200, 2 * functions.ends + functions.amplitudes)
    wanted = x**mesh.order
    missed = table @ np.linalg.lstsq(table, wanted, rcond=None)[0] - wanted
    assert np.abs(missed).max() < 1e-9 * np.abs(wanted).max()
    for node in mesh.nodes[1:-1]:
        for derivative in range(ends):
            left, right = (functions.table(np.array([node + side * 1e-9]), derivative) for side in (-1, 1))
            assert left == pytest.approx(right, abs=1e-5 * max(1.0, np.abs(left).max()))


@settings(max_examples=20, deadline=None)
@given(MESHES, st.integers(1, 2))
def test_end_functions_are_values_and_slopes_at_the_ends(mesh, ends):
    functions, corners = mesh.functions(ends), np.array([0.5, 2.5])
    found = np.array([functions.table(corners, i) for i in range(ends)])  # (derivative, corner, function)
    expected = np.zeros_like(found)
    for i in range(ends):
        for corner in (0, 1):
            expected[i, corner, corner * ends + i] = 1.0
    assert found == pytest.approx(expected, abs=1e-11)


@settings(max_examples=20, deadline=None)
@given(MESHES, st.integers(0, 2), st.integers(0, 1))
def test_derivatives_are_slopes(mesh, ends, derivative):
    functions, h = mesh.functions(ends), 1e-6
    x = (mesh.nodes[:-1] + mesh.nodes[1:]) / 2 + 0.01
    slope = (functions.table(x + h, derivative) - functions.table(x - h, derivative)) / (2 * h)
    found = functions.table(x, derivative + 1)
    assert found == pytest.approx(slope, abs=1e-6 * max(1.0, np.abs(found).max()))


def test_gauss_points_integrate_and_nodes_lie_at_breaks():
    mesh = Mesh(0.0, 2.0, 4, 5, (0.3,))
    assert 0.3 in mesh.nodes
    x, w = mesh.gauss(4)
    assert w @ x**7 == pytest.approx(2**8 / 8, rel=1e-14)


def test_given_functions_lose_their_ends_and_repeats():
    mesh = Mesh(0.0, 1.0, 1, 8)

    def sine(n):
        return lambda x, derivative: (n * np.pi) ** derivative * np.sin(n * np.pi * x + derivative * np.pi / 2)

    functions = assumed(mesh, 2, [sine(1), sine(2), sine(1), _cube])
    assert functions.amplitudes == 2  # the repeat and the cubic add nothing
    corners = np.array([0.0, 1.0])
    for derivative in (0, 1):
        assert functions.table(corners, derivative)[:, 4:] == pytest.approx(0, abs=1e-12)
    x = np.linspace(0, 1, 50)
    table = functions.table(x, 0)
    wanted = np.sin(2 * np.pi * x)
    assert table @ np.linalg.lstsq(table, wanted, rcond=None)[0] == pytest.approx(wanted, abs=1e-12)


def _cube(x, derivative):
    x = np.asarray(x, dtype=float)
    return (x**3, 3 * x**2, 6 * x, 6 + 0 * x)[derivative]


@pytest.mark.parametrize(("ends", "order", "enough"), [(2, 2, 3), (1, 0, 1)])
def test_a_degree_too_low_is_refused(ends, order, enough):
    with pytest.raises(FlexuraError, match=f"order is {order}, but w .*give order={enough}"):
        Mesh(0.0, 1.0, 1, order).functions(ends, "w")
    assert Mesh(0.0, 1.0, 1, enough).functions(ends, "w").amplitudes == 0
