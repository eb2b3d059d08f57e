"""A guided member whose other end is held at a point of ground: its length in numbers closes the loop."""

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.errors import FlexuraError


def guided(length: object, point: float) -> fx.Model:
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=length)
    return fx.Model(fx.Slide(fx.ground, beam.start), fx.Fixed(beam.end, fx.ground.at(point)))


def by_elements(length: float, count: int = 24) -> np.ndarray:
    """Hermite beams: the first end may move across but not turn, the last is clamped."""
    h, n = length / count, count + 1
    K, M = np.zeros((2 * n, 2 * n)), np.zeros((2 * n, 2 * n))
    k = [[12, 6 * h, -12, 6 * h], [6 * h, 4 * h * h, -6 * h, 2 * h * h]]
    k += [[-12, -6 * h, 12, -6 * h], [6 * h, 2 * h * h, -6 * h, 4 * h * h]]
    m = [[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h]]
    m += [[54, 13 * h, 156, -22 * h], [-13 * h, -3 * h * h, -22 * h, 4 * h * h]]
    for i in range(count):
        here = slice(2 * i, 2 * i + 4)
        K[here, here] += 50.0 / h**3 * np.array(k)
        M[here, here] += 1.2 * h / 420 * np.array(m)
    free = [i for i in range(2 * n) if i not in (1, 2 * n - 2, 2 * n - 1)]
    return np.sqrt(scipy.linalg.eigh(K[np.ix_(free, free)], M[np.ix_(free, free)], eigvals_only=True))


@settings(max_examples=6, deadline=None)
@given(st.integers(5, 40).map(lambda i: i / 10), st.booleans())
def test_a_length_in_numbers_closes_a_loop_through_a_slide(length: float, named: bool) -> None:
    found = fx.modes(guided(("l", length) if named else length, length), 3)
    np.testing.assert_allclose(found.frequencies, by_elements(length)[:3], rtol=2e-5)
    with pytest.raises(FlexuraError, match=r"contradicts itself: along x its places stay"):
        fx.derive(guided(("l", length), length + 0.01))
    with pytest.raises(FlexuraError, match=r"contradicts itself: along x its places stay"):
        fx.derive(guided("l", length))  # a length that may be anything does not close


@pytest.mark.parametrize("verb", ["modes", "simulate", "linearise"])
def test_values_that_would_open_it_are_refused_by_every_verb(verb: str) -> None:
    equations = fx.derive(guided(("l", 2.0), 2.0))
    ask = {
        "modes": lambda values: fx.modes(equations, 2, values=values),
        "simulate": lambda values: fx.simulate(equations, [0, 0.1], values=values),
        "linearise": lambda values: fx.linearise(equations, values=values),
    }[verb]
    ask({"l": 2.0})
    with pytest.raises(FlexuraError, match=r"With the given l the loop closed by Fixed\(beam.end, ground.at"):
        ask({"l": 3.0})
