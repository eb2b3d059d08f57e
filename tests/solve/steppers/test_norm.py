"""How large an error of a step counts: against the largest motion so far, also where the motion stands still."""

import numpy as np
import pytest

import flexura as fx
from flexura.solve.discretise import motion_system
from flexura.solve.steppers.mechanics import Mechanics
from flexura.solve.steppers.norm import Norm


@pytest.fixture
def mechanics():
    cart = fx.Mass("cart", 4.0)
    equations = fx.derive(fx.Model(fx.Slide(fx.ground, cart, name="y"), fx.Spring(fx.ground, cart, k=100.0)))
    return Mechanics(motion_system(equations, None, None), lambda t: np.zeros((*np.shape(t), 0)))


def norm_at(mechanics, q, v):
    start = mechanics.state(0.0, np.array([q]), np.array([v]))
    return Norm.of(mechanics, start, mechanics.newton(start))


def test_the_largest_speed_so_far_is_what_errors_are_held_against(mechanics):
    norm = norm_at(mechanics, 0.0, 3.0)  # sqrt(m) v = 6
    norm.see(mechanics.state(0.1, np.zeros(1), np.array([0.5])))  # slower: the largest stays
    assert norm.largest == pytest.approx(6.0, rel=1e-14)
    assert norm.relative(np.zeros(1), np.array([0.3]), 0.1, np.array([0.5])) == pytest.approx(0.1, rel=1e-14)
    norm.see(mechanics.state(0.2, np.zeros(1), np.array([-6.0])))
    assert norm.largest == pytest.approx(12.0, rel=1e-14)
    assert norm.relative(np.zeros(1), np.array([0.3]), 0.1, np.array([0.5])) == pytest.approx(0.05, rel=1e-14)


def test_many_states_count_like_one_after_another(mechanics):
    norm = norm_at(mechanics, 0.0, 1.0)
    norm.see_many(np.array([1.0, 7.0, 2.0]), np.zeros((3, 1)))
    assert norm.largest == pytest.approx(7.0, rel=1e-14)


def test_a_strained_start_at_rest_has_a_scale(mechanics):
    """sqrt(k) q = 10 * 2 could become a speed; a ten-thousandth of it is where motion begins to count."""
    norm = norm_at(mechanics, 2.0, 0.0)
    assert norm.largest == pytest.approx(20e-4, rel=1e-12)


def test_at_rest_without_strain_no_error_is_none_and_any_error_is_infinite(mechanics):
    norm, still = norm_at(mechanics, 0.0, 0.0), np.zeros(1)
    assert norm.relative(still, still, 0.1, still) == 0.0
    assert norm.relative(still, np.array([1e-300]), 0.1, still) == 0.0  # its square is no number but zero
    assert norm.relative(still, np.array([1e-20]), 0.1, still) == np.inf
    assert norm.relative(np.array([1e-20]), still, 0.1, still) == np.inf


def test_errors_of_coordinates_count_over_their_step(mechanics):
    norm = norm_at(mechanics, 0.0, 1.0)  # scale 2
    assert norm.relative(np.array([0.01]), np.zeros(1), 0.1, np.zeros(1)) == pytest.approx(0.1, rel=1e-14)
