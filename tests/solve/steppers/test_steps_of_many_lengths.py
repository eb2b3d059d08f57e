"""Exact steps of many lengths: no more of them are held at once than memory allows, and nothing changes by that."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import flexura as fx
from flexura.solve.steppers import linear_exact


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
