"""Inertia that is positive up to rounding is never refused, inertia that takes energy always is.

Masses are made as B'B, so that they are semidefinite but for rounding, with rows and columns missing, in units that
differ by any power of ten; stiffnesses differ by up to 1e12. What is negative is made so by a known number, beyond what
rounding could take: of terms that cancelled, as large as those of the other coordinates.
"""

import mpmath
import numpy as np
import pytest
import scipy.sparse as sparse
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.discretisation.eigen import undamped
from flexura.systems.inertia import definite, rank, refuse_indefinite, semidefinite

SEEDS = st.integers(0, 2**32 - 1)


def drawn(seed):
    """B of a random rank and units, some columns zero, and a positive K whose stiffnesses lie up to 1e12 apart."""
    random = np.random.default_rng(seed)
    n = int(random.integers(1, 9))
    B = random.standard_normal((int(random.integers(1, n + 1)), n))
    B[:, random.random(n) < 0.3] = 0.0
    C = random.standard_normal((n, n)) + 2 * np.eye(n)
    units = 10.0 ** random.uniform(-3, 3, n)
    return random, B * units, C * units * 10.0 ** random.uniform(0, 6, n)


def turned(random, *forms):
    """The same forms in other coordinates: all mixed, or some added to others, as constraints do."""
    n = len(forms[0])
    T = (
        random.standard_normal((n, n))
        if random.random() < 0.5
        else np.eye(n) + np.triu(random.integers(-2, 3, (n, n)), 1)
    )
    return [(one + one.T) / 2 for one in (T.T @ form @ T for form in forms)]


@settings(deadline=None, max_examples=150)
@given(SEEDS)
def test_what_is_semidefinite_up_to_rounding_is_not_refused(seed):
    random, B, C = drawn(seed)
    M, K = B.T @ B, C.T @ C
    for mass, stiffness in ((M, K), turned(random, M, K)):
        refuse_indefinite(mass, stiffness)
        refuse_indefinite(sparse.csr_matrix(mass), sparse.csr_matrix(stiffness))
    moving = undamped(M, K)
    assert len(moving.squares) <= np.linalg.matrix_rank(B / np.where(B.any(axis=0), np.linalg.norm(B, axis=0), 1.0))
    assert np.all(moving.squares >= 0)


def explained(units, K, y):
    """Energy that rounding may take from y, in `units`: terms of each coordinate as large as its stiffness allows."""
    per_stiffness = units / np.sqrt(np.diag(K))
    return 16 * len(y) * np.finfo(float).eps * np.sum((y * per_stiffness.max() / per_stiffness) ** 2)


@settings(deadline=None, max_examples=150)
@given(SEEDS, st.floats(-9, 3))
def test_what_takes_energy_is_refused_in_all_coordinates(seed, power):
    random, B, C = drawn(seed)
    M, K = B.T @ B, C.T @ C
    units = np.sqrt(np.where(np.diag(M) > 0, np.diag(M), np.diag(K) * (np.diag(M) / np.diag(K)).max()))
    y = random.standard_normal(len(M))
    y -= np.linalg.pinv(B / np.where(units > 0, units, 1.0)) @ (B / np.where(units > 0, units, 1.0)) @ y
    if np.linalg.norm(y) < 1e-6:  # every motion has inertia, so that much must be taken away
        y, power = random.standard_normal(len(M)), 3.0
    if not units.any():
        return
    taken = max(10**power, 4 * explained(units, K, y) / (y @ y))
    M = M - taken * np.outer(y * units, y * units) / (y @ y)
    for mass, stiffness in ((M, K), (M * np.outer(units, units), K * np.outer(units, units))):
        for form in (mass, sparse.csr_matrix(mass)):
            with pytest.raises(fx.FlexuraError, match="inertia is not positive"):
                refuse_indefinite(form, stiffness)
        with pytest.raises(fx.FlexuraError, match="inertia is not positive"):
            undamped(mass, stiffness)
        with pytest.raises(fx.FlexuraError, match="inertia is not positive"):
            fx.modes(fx.SecondOrderSystem(mass, None, stiffness))


@pytest.mark.parametrize("stiffness", [1.0, 1e6, 1e12])
def test_a_negative_mass_does_not_hide_behind_a_stiff_spring(stiffness):
    M, K = np.diag([1.0, -1e-3]), np.diag([1.0, stiffness])
    system = fx.SecondOrderSystem(M, None, K)
    with pytest.raises(fx.FlexuraError, match="inertia is not positive"):
        fx.modes(system)
    with pytest.raises(fx.FlexuraError, match="not positive definite"):
        fx.simulate(system, [0.0, 1.0])
    x, y = fx.Coordinate("x"), fx.Coordinate("y")
    given = fx.Lagrangian(kinetic=x.t**2 / 2 - y.t**2 / 2000, potential=x**2 / 2 + stiffness * y**2 / 2)
    for method in ("exact", "ritz"):
        with pytest.raises(fx.FlexuraError, match="inertia is not positive"):
            fx.modes(fx.derive(given), method=method)


@settings(deadline=None, max_examples=40)
@given(SEEDS)
def test_rank_is_that_of_many_digits(seed):
    _, B, _ = drawn(seed)
    M = B.T @ B
    own = [k for k in range(len(M)) if B[:, k].any()]
    if not own:
        assert (rank(M), definite(M)) == (0, False)
        return
    with mpmath.workdps(60):
        exact = mpmath.matrix((B / np.linalg.norm(B, axis=0).clip(1e-300))[:, own].tolist())
        values = [float(one) for one in mpmath.eigsy(exact.T * exact, eigvals_only=True)]
    if any(1e-40 < one < 1e-9 for one in values):  # neither here nor there
        return
    assert rank(M) == sum(one > 1e-9 for one in values)
    assert definite(M) == (rank(M) == len(M))
    assert semidefinite(M)


def test_a_body_that_nothing_lets_move_leaves_rounding_behind():
    M, T = np.array([[1.0, 0.1], [0.1, 0.01]]), np.array([[1.0, 0.1], [0.0, -1.0]])  # the second: no motion of the mass
    left = T.T @ M @ T
    left[1, 1], left[0, 1], left[1, 0] = -3e-18, 1e-17, 1e-17  # as some kernels leave it
    refuse_indefinite(left, np.eye(2))
    assert undamped(left, np.eye(2)).squares == pytest.approx([1.0], rel=1e-12)
    with pytest.raises(fx.FlexuraError, match="inertia is not positive"):  # beside such a spring it is no rounding
        refuse_indefinite(left, np.diag([1.0, 1e-9]))
