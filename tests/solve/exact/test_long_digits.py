"""Large frames: numbers with long digits against fractions, counts against closed forms, sparse against full ways."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.solve.exact import response
from flexura.solve.exact.dynamic_stiffness import DynamicStiffness
from flexura.solve.exact.long_count import LongCount
from flexura.solve.exact.long_digits import Long, exact_product, exact_sum, minus, over, plus, times
from flexura.solve.exact.reading import read_linear
from flexura.solve.exact.sparse_rank import few_of_kernel
from flexura.solve.values import numbers

MODERATE = st.floats(1e-8, 1e8).flatmap(lambda one: st.sampled_from([one, -one]))
PLAIN = {plus: Fraction.__add__, minus: Fraction.__sub__, times: Fraction.__mul__, over: Fraction.__truediv__}


def fraction(one: Long) -> Fraction:
    return Fraction(float(one.head)) + Fraction(float(one.tail))


@given(MODERATE, MODERATE)
def test_sums_and_products_of_plain_numbers_are_exact(a, b):
    for made, known in ((exact_sum, Fraction(a) + Fraction(b)), (exact_product, Fraction(a) * Fraction(b))):
        assert fraction(made(np.float64(a), np.float64(b))) == known


@given(st.lists(MODERATE, min_size=4, max_size=4), st.sampled_from(list(PLAIN)))
def test_operations_keep_thirty_digits(drawn, operation):
    a, b = (exact_product(np.float64(x), np.float64(y)) for x, y in zip(drawn[::2], drawn[1::2], strict=True))
    found, known = fraction(operation(a, b)), PLAIN[operation](fraction(a), fraction(b))
    size = abs(known) if operation in (times, over) else abs(fraction(a)) + abs(fraction(b))
    assert abs(found - known) <= size * Fraction(1, 10**30)


@given(st.integers(0, 4), st.integers(0, 10**6))
def test_kernels_of_sparse_conditions_are_those_of_full_ones(motions, seed):
    random = np.random.default_rng(seed)
    n = 40
    chain = np.eye(n + 3, n) - np.eye(n + 3, n, k=1)
    chain[n:] = chain[:3] - 2 * chain[3:6]
    rows = chain * random.uniform(0.5, 2.0, (len(chain), 1))
    rows = np.vstack([rows[: n - 1 - motions], rows[n:]]) if motions else rows
    rows = np.vstack([rows, np.zeros((max(0, n - len(rows)), n))])
    found, known = few_of_kernel(rows, 1e-10), scipy.linalg.null_space(rows, rcond=1e-10)
    assert found.shape == known.shape
    np.testing.assert_allclose(found @ (found.T @ known), known, atol=1e-9)


@pytest.mark.parametrize("members", [40, 200])
def test_a_beam_of_many_members_is_one_beam(members):
    nodes = {f"n{i}": (0.5 * i, 0.0) for i in range(members + 1)}
    bars = {f"b{i}": (f"n{i}", f"n{i + 1}") for i in range(members)}
    frame = fx.frame(nodes, bars, {"n0": "fixed"}, section={"EI": 3.0, "EA": 5e4, "rho": 2.0})
    modes = fx.modes(frame, 4)
    beta = np.array([1.8751040687119611, 4.694091132974174, 7.854757438237613, 10.995540734875467])
    np.testing.assert_allclose(modes.frequencies, beta**2 * np.sqrt(1.5) / (0.5 * members) ** 2, rtol=1e-11)
    assert modes.certificate.verified
    assert "steps within 2e-12 of each frequency" in modes.certificate.text


def test_responses_by_sparse_factors_are_those_by_full_matrices(monkeypatch):
    nodes = {f"n{i}": (0.8 * i, 0.6 * (i % 2)) for i in range(26)}
    bars = {f"b{i}": (f"n{i}", f"n{i + 1}") for i in range(25)}
    section = {"EI": 100.0, "EA": 1e5, "rho": 1.0}
    supports, dampers = {"n0": "fixed", "n25": "pinned"}, {"n8": {"y": 0.3}}
    for damped in (False, True):
        frame = fx.frame(
            nodes, bars, supports, section=section, loads={"n12": {"y": "F"}}, dampers=dampers if damped else None
        )
        omega = np.linspace(0.5, 300.0, 23)
        known = fx.frequency_response(frame, omega, "F", "y_n8")
        monkeypatch.setattr(response, "_GROWTH", 0.0)
        sparse = fx.frequency_response(frame, omega, "F", "y_n8")
        monkeypatch.setattr(response, "_MANY", 10**9)
        full = fx.frequency_response(frame, omega, "F", "y_n8")
        monkeypatch.undo()
        np.testing.assert_allclose(sparse, full, rtol=1e-8)
        np.testing.assert_allclose(sparse, known, rtol=1e-8)


KINDS = {
    "EulerBernoulliBeam": {"EI": 3.0, "EA": 900.0, "rho": 2.0},
    "TimoshenkoBeam": {"EI": 3.0, "kGA": 200.0, "EA": 900.0, "rho": 2.0, "rotary_inertia": 0.02},
    "RayleighBeam": {"EI": 3.0, "EA": 900.0, "rho": 2.0, "rotary_inertia": 0.05},
}


@settings(max_examples=10)
@given(st.lists(st.sampled_from(sorted(KINDS)), min_size=2, max_size=4), st.booleans(), st.integers(0, 10**6))
def test_counts_with_long_digits_are_those_without(kinds, braced, seed):
    random = np.random.default_rng(seed)
    nodes = {f"n{i}": (0.8 * i + 0.1 * random.random(), random.random()) for i in range(len(kinds) + 1)}
    factors = random.uniform(0.3, 3.0, len(kinds))
    members = {
        f"b{i}": (f"n{i}", f"n{i + 1}", {"kind": kind} | {key: size * factors[i] for key, size in KINDS[kind].items()})
        for i, kind in enumerate(kinds)
    }
    springs = {f"n{len(kinds)}": {"y": 2.0}} if braced else {}
    frame = fx.frame(nodes, members, {"n0": "fixed"}, masses={"n1": (1.5, 0.1)}, springs=springs)
    linear = fx.linearise(fx.derive(frame))
    stiffness = DynamicStiffness(read_linear(linear, numbers(linear, None)))
    squares = 10 ** random.uniform(-3, 4, 40)
    negative, _, passed = LongCount(stiffness)(squares)
    assert LongCount(stiffness).serves(list(range(len(kinds))))
    np.testing.assert_array_equal(negative + passed, stiffness._short_count(squares))
