"""Conditions among rows of matrices, given or as Lagrange multipliers, against dense null spaces."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from free_structures import plate


def random_system(seed: int, n: int = 9) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    A, B = rng.standard_normal((2, n, n))
    return A @ A.T + n * np.eye(n), B @ B.T + np.eye(n)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5), st.booleans())
def test_modes_under_conditions_are_those_of_the_null_space(seed, count, as_multipliers):
    K, M = random_system(seed)
    rng = np.random.default_rng(seed + 1)
    A = rng.integers(-2, 3, (count, 9)).astype(float)
    A[:, 0] += ~A.any(axis=1)
    A = np.vstack([A, A[0] - 2 * A[-1]]) if np.any(A[0] - 2 * A[-1]) else A
    if as_multipliers:
        m = len(A)
        whole = fx.SecondOrderSystem(
            sparse.block_diag([M, np.zeros((m, m))], format="csr"), None,
            sparse.csr_array(np.block([[K, A.T], [A, np.zeros((m, m))]])),
        )  # fmt: skip
        made = fx.without_multipliers(whole)
    else:
        made = fx.constrained(fx.SecondOrderSystem(M, None, K), A)
    null = scipy.linalg.null_space(A)
    wanted = np.sqrt(scipy.linalg.eigh(null.T @ K @ null, null.T @ M @ null, eigvals_only=True))
    assert len(made.repeated) == len(A) - np.linalg.matrix_rank(A)
    assert made.system.n == null.shape[1]
    assert fx.modes(made.system, made.system.n).frequencies == pytest.approx(wanted, rel=1e-9)
    x = made.expand(rng.standard_normal((2, made.system.n)))
    assert pytest.approx(np.zeros((len(A), 2)), abs=1e-12 * np.abs(x).max()) == A @ x.T


def test_two_free_plates_that_are_tied_are_free_and_keep_their_rigid_motions():
    one = plate(2, 2, 1)
    n = one.n
    two = fx.SecondOrderSystem(
        sparse.block_diag([one.M, one.M], format="csr"), None, sparse.block_diag([one.K, one.K], format="csr"),
        nodes=np.vstack([one.nodes, one.nodes]),
    )  # fmt: skip
    A = np.hstack([np.eye(n)[:9], -np.eye(n)[:9]])  # the first three nodes of both are one
    made = fx.constrained(two, A)
    found = fx.modes(made.system, 8)
    assert found.frequencies[:6] == pytest.approx(np.zeros(6), abs=0)
    null = scipy.linalg.null_space(A)
    dense = [null.T @ one.toarray() @ null for one in (two.K, two.M)]
    wanted = np.sqrt(scipy.linalg.eigh(*dense, eigvals_only=True, subset_by_index=[6, 7]))
    assert found.frequencies[6:] == pytest.approx(wanted, rel=1e-6)
    assert made.system.names[:3] == ("u3", "v3", "w3") or made.system.names[0] in ("u0", "u3")


def test_dampers_loads_and_outputs_go_along():
    K, M = random_system(1)
    system = fx.SecondOrderSystem(M, 0.1 * K, K, F=np.eye(9)[0], C=np.eye(9)[1:2])
    A = np.array([[1.0, -1, 0, 0, 0, 0, 0, 0, 0]])
    made = fx.constrained(system, A).system
    null = scipy.linalg.null_space(A)
    T = null.T @ (K + 0.3j * 0.1 * K - 0.09 * M) @ null
    wanted = (null @ np.linalg.solve(T, null.T @ np.eye(9)[0]))[1]
    found = fx.frequency_response(made, [0.3], load=made.F, output=made.C[0])
    assert np.ravel(found) == pytest.approx([wanted])


SAID = {
    "shape": (lambda s: fx.constrained(s, [[1, 2]]), "The conditions have the shape"),
    "nothing": (lambda s: fx.constrained(s, np.zeros((1, 9))), "Condition 0 holds nothing; leave it out"),
    "nan": (lambda s: fx.constrained(s, np.full((1, 9), np.nan)), "complex or not finite"),
    "text": (lambda s: fx.constrained(s, "x0 = x1"), "give rows of 9 numbers"),
    "none": (lambda s: fx.without_multipliers(s), "The system has no Lagrange multipliers"),
    "expand": (lambda s: fx.constrained(s, np.eye(9)[:1]).expand([1.0]), "give the 8 independent motions"),
}


@pytest.mark.parametrize("case", SAID)
def test_what_cannot_be_is_said(case):
    wrong, sentence = SAID[case]
    with pytest.raises(fx.FlexuraError, match=sentence):
        wrong(fx.SecondOrderSystem(random_system(1)[1], None, random_system(1)[0]))


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_verbs_point_to_multipliers(form):
    K, M = np.array([[2, -1, 1.0], [-1, 2, -1], [1, -1, 0]]), np.diag([1.0, 1, 0])
    system = fx.SecondOrderSystem(form(M), None, form(K))
    with pytest.raises(fx.FlexuraError, match="take Lagrange multipliers out"):
        fx.modes(system, 2)
    assert fx.modes(fx.without_multipliers(system).system, 1).frequencies == pytest.approx([1.0])
    found = fx.frequency_response(system, [0.5], load=np.eye(3)[0], output=np.eye(3)[0])
    assert np.ravel(found) == pytest.approx([0.5 / 0.75])


def test_outputs_that_read_a_multiplier_are_not_lost():
    K = np.array([[3.0, -1, 1], [-1, 2, -1], [1, -1, 0]])
    given = {"M": np.diag([1.0, 2, 0]), "D": None, "K": K}
    with pytest.raises(fx.FlexuraError, match="reads a Lagrange multiplier"):
        fx.without_multipliers(fx.SecondOrderSystem(**given, C=[[1.0, 0, 0], [0, 0, 1.0]]))
    assert fx.without_multipliers(fx.SecondOrderSystem(**given, C=[[1.0, 0, 0]])).system.C.shape == (1, 1)
