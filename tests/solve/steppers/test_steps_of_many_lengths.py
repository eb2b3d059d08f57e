"""Exact steps of many lengths: no more of them are held at once than memory allows, and nothing changes by that."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import flexura as fx
from flexura.solve.steppers import linear_exact
from flexura.solve.steppers.linear_action import Action
from flexura.solve.steppers.linear_step import Blocks, step_of


@given(st.lists(st.integers(0, 6), max_size=40), st.integers(1, 5))
def test_parts_hold_few_lengths(group: list[int], most: int) -> None:
    """They are all pieces in order, and none could take one more."""
    parts = list(linear_exact._parts(np.array(group, dtype=np.int64), most))
    assert [which for part in parts for which in group[part]] == group
    assert all(len(set(group[part])) <= most for part in parts)
    assert all(len({*group[a], group[b.start]}) > most for a, b in itertools.pairwise(parts))


def coupled(n: int) -> fx.SecondOrderSystem:
    """A chain with one dashpot, which couples all of its modes."""
    K = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    D = np.zeros((n, n))
    D[0, 0] = 1.0
    return fx.SecondOrderSystem(np.eye(n), D, 100 * K, F=np.eye(n)[:, 0])


def test_few_steps_at_once_are_as_good_as_all(monkeypatch: pytest.MonkeyPatch) -> None:
    system, t = coupled(6), np.concatenate([[0.0], np.cumsum(np.random.default_rng(1).uniform(0.01, 0.2, 60))])
    made, held, largest = linear_exact.step_of, [0], [0]

    class Counted(tuple):  # type: ignore[type-arg]
        def __new__(cls, items: object) -> "Counted":
            held[0] += 1
            largest[0] = max(largest[0], held[0])
            return super().__new__(cls, items)  # type: ignore[arg-type]

        def __del__(self) -> None:
            held[0] -= 1

    monkeypatch.setattr(linear_exact, "step_of", lambda *asked: Counted(made(*asked)))
    monkeypatch.setattr(Action, "is_cheap", lambda *_: False)

    def run() -> fx.Trajectory:
        largest[0] = held[0]
        return fx.simulate(system, t, inputs="sin(3*t)", initial=(np.ones(6), np.zeros(6)), method="exact")

    every = run()
    assert largest[0] >= 60
    monkeypatch.setattr(linear_exact, "_NUMBERS", 3 * 16**2 * 5)
    some = run()
    assert largest[0] <= 10
    for name in every:
        np.testing.assert_allclose(some[name], every[name], rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(some.energy.dissipated, every.energy.dissipated, rtol=1e-12)
    assert some.energy.error < 1e-8


def _drawn(seed: int, m: int, q: int, stiff: float) -> Blocks:
    """A block with damping, turning, circulation and inputs, whose modes may lie far apart."""
    rng = np.random.default_rng(seed)
    squares = rng.uniform(0.0, 1.0, m) * stiff ** rng.uniform(0.0, 1.0, m)
    half = rng.normal(size=(m, m)) * 0.3
    loss, turning, circulating = half @ half.T, rng.normal(size=(m, m)), 0.1 * rng.normal(size=(m, m))
    turning, circulating = turning - turning.T, circulating - circulating.T
    E, shapes = rng.normal(size=(1, m, q)), np.eye(m)
    L, C = np.diag(squares)[None] + circulating, (loss + turning)[None]
    return Blocks(L, C, E, loss[None], E, circulating[None], shapes, shapes, np.eye(q)[None], np.zeros(m))


@given(
    st.integers(0, 2**32 - 1), st.integers(2, 7), st.integers(0, 3), st.integers(0, 5),
    st.floats(1e-6, 5.0), st.sampled_from([1.0, 100.0, 1e4]),
)  # fmt: skip
def test_the_action_is_that_of_the_matrices(seed: int, m: int, q: int, degree: int, h: float, stiff: float) -> None:
    """States and energies of a step, by its matrices and by a series of one state."""
    blocks, rng = _drawn(seed, m, q, stiff), np.random.default_rng(seed + 1)
    degree = degree if q else -1
    z, inputs = rng.normal(size=2 * m), rng.normal(size=q * (degree + 1))
    forward, lost, gained = step_of(blocks, degree, h)
    w = np.concatenate([z, inputs])
    size = np.linalg.norm(np.abs(forward[0]) @ np.abs(w))
    found, less, more = Action(blocks, degree).step(h, z, inputs)
    np.testing.assert_allclose(found, forward[0, : 2 * m] @ w, rtol=0, atol=1e-10 * size)
    for form, one in ((lost, less), (gained, more)):
        whole = 0.0 if form is None else float(w @ form[0] @ w)
        bound = 0.0 if form is None else float(np.abs(w) @ np.abs(form[0]) @ np.abs(w))
        assert abs(one - whole) <= 1e-9 * (bound + 1e-300)


def test_uneven_times_are_followed_as_even_ones() -> None:
    """A motion at uneven times, and at those of them that lie on an even grid: a matrix for all steps there."""
    system, fine = coupled(8), np.linspace(0.0, 6.0, 601)
    more = np.random.default_rng(2).uniform(0.0, 6.0, 150)
    both = np.union1d(fine[::40], more)
    asked = {"inputs": "sin(3*t)", "initial": (np.ones(8), np.zeros(8)), "method": "exact"}
    even, uneven = fx.simulate(system, fine, **asked), fx.simulate(system, both, **asked)
    at = np.searchsorted(both, fine[::40])
    for name in uneven:
        np.testing.assert_allclose(uneven[name][at], even[name][::40], rtol=0, atol=1e-11)
    np.testing.assert_allclose(uneven.energy.dissipated[at], even.energy.dissipated[::40], rtol=1e-11, atol=1e-13)
    assert uneven.energy.error < 1e-10
