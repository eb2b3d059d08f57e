"""Soft motions beside stiff ones, exactly stepped: whatever the ratio, they move as they would alone."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
from flexura.solve.steppers.linear_exact import exact_steps
from flexura.solve.steppers.linear_inputs import Signals
from flexura.solve.steppers.linear_step import _phi
from flexura.systems.deadline import Deadline, OutOfTime, preparing
from flexura.systems.graded import graded_modes
from free_structures import plate

T = np.linspace(0, 10, 5)


@pytest.mark.parametrize("stiff", 10.0 ** np.arange(2, 31, 4))
def test_a_soft_spring_beside_a_stiff_one(stiff):
    system = fx.SecondOrderSystem(np.eye(2), None, np.diag([1.0, stiff]), F=[1.0, 1.0])
    run = fx.simulate(system, T, inputs=1.0)
    assert np.abs(run["x0"] - (1 - np.cos(T))).max() < 1e-13
    phase = np.sqrt(stiff) * T
    assert np.abs(run["x1"] * stiff - (1 - np.cos(phase))).max() < 1e-13 + 1e-15 * phase[-1]
    assert run.energy.error < 1e-7
    assert run.notes == ()


@pytest.mark.parametrize("light", 10.0 ** -np.arange(2, 19, 4))
def test_a_light_mass_on_a_heavy_one(light):
    """Joined by a spring of 1, the heavy one held by another: both move as one mass would on it."""
    system = fx.SecondOrderSystem(np.diag([1.0, light]), None, np.array([[2.0, -1.0], [-1.0, 1.0]]))
    run = fx.simulate(system, T, initial={"x0": 1.0, "x1": 1.0})
    assert np.abs(run["x0"] - np.cos(T)).max() < 30 * light + 1e-13


@pytest.mark.parametrize("stiff", 10.0 ** np.arange(3, 16, 2))
def test_a_soft_mount_of_a_stiff_pair(stiff):
    """Two masses tied by a stiff spring, on a mount of 1 that is given apart from it, or is summed into it."""
    pair, mount = stiff * np.array([[1.0, -1.0], [-1.0, 1.0]]), np.diag([1.0, 0.0])
    start = {"x0": 1.0, "x1": 1.0}
    expected = np.cos(np.sqrt(0.5) * T)
    apart = fx.simulate(fx.SecondOrderSystem(np.eye(2), None, pair, springs=mount), T, initial=start)
    assert np.abs(apart["x0"] - expected).max() < 20 / stiff + 1e-11
    summed = fx.simulate(fx.SecondOrderSystem(np.eye(2), None, pair + mount), T, initial=start)
    off = np.abs(summed["x0"] - expected).max()
    assert off < 20 / stiff + 2 * summed.error.time["x0"]
    assert off < 20 / stiff + 0.03 or any("rounding of K" in note for note in summed.notes)


def test_a_free_structure_is_not_suspected():
    """The rounding of its K is no spring."""
    system = plate(2, 1)
    run = fx.simulate(system, T, initial=(np.zeros(system.n), np.ones(system.n)))
    assert run.notes == ()
    assert sum(graded_modes(system).squares == 0) == 6


@pytest.mark.parametrize("stiff", [1e3, 1e8, 1e13])
def test_damping_that_couples_soft_and_stiff(stiff):
    """By 40 digits, from the matrix exponential."""
    D = np.array([[0.1, 0.05, 0.02], [0.05, 0.2, -0.1], [0.02, -0.1, 0.3]])
    k = [1.0, 4.0, stiff]
    run = fx.simulate(
        fx.SecondOrderSystem(np.eye(3), D, np.diag(k)), [0.0, 0.5, 1.0], initial=(np.ones(3), np.zeros(3))
    )
    with mpmath.workdps(40):
        A = mpmath.zeros(6)
        for i in range(3):
            A[i, 3 + i], A[3 + i, i] = 1, -mpmath.mpf(k[i])
            for j in range(3):
                A[3 + i, 3 + j] = -mpmath.mpf(float(D[i, j]))
        roots, right = mpmath.eig(A)
        E = right * mpmath.diag([mpmath.exp(one) for one in roots]) * right**-1
        expected = [float(mpmath.re(sum(E[i, j] for j in range(3)))) for i in range(3)]
    for i, off in enumerate((1e-11, 1e-11, 1e-15 * np.sqrt(stiff) + 1e-11)):
        assert run[f"x{i}"][-1] == pytest.approx(expected[i], abs=10 * off)
    assert run.energy.error < 1e-7


def test_damping_of_soft_modes_is_not_lost_beside_that_of_stiff_ones():
    """Two soft masses share a damper; a third is damped 1e15 times as much."""
    D = np.zeros((3, 3))
    D[:2, :2] = [[1.0, -1.0], [-1.0, 1.0]]
    D[2, 2] = 1e15
    K = np.diag([1.0, 2.0, 1e20])
    whole = fx.simulate(fx.SecondOrderSystem(np.eye(3), D, K), T, initial={"x0": 1.0})
    alone = fx.simulate(fx.SecondOrderSystem(np.eye(2), D[:2, :2], K[:2, :2]), T, initial={"x0": 1.0})
    for name in ("x0", "x1"):
        assert np.abs(whole[name] - alone[name]).max() < 1e-6


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(-9, 9), min_size=2, max_size=6), st.integers(0, 2**32 - 1))
def test_modes_of_trees_of_springs(sizes, seed):
    """Chains of springs 1e-9 to 1e9 on the ground and unit masses: omega^2 within its doubt of that in 60 digits."""
    n = len(sizes)
    k = 10.0 ** np.array(sizes)
    B = np.eye(n) - np.eye(n, k=-1)
    K = B.T @ np.diag(k) @ B
    found = graded_modes(fx.SecondOrderSystem(np.eye(n), None, K))
    with mpmath.workdps(60):
        exact = mpmath.eigsy(mpmath.matrix(K.tolist()), eigvals_only=True)
        exact = np.array(sorted(float(one) for one in exact))
    order = np.argsort(found.squares)
    free = found.squares == 0.0
    allowed = np.where(free, np.inf, 10 * n * found.doubts + 1e-12 * np.abs(found.squares))[order]
    assert np.all(np.abs(found.squares[order] - exact) <= allowed)
    for i in np.flatnonzero(free[order]):
        assert abs(exact[i]) <= 100 * n * np.finfo(float).eps * np.abs(K).max()


@settings(max_examples=100, deadline=None)
@given(st.floats(-1e4, 20), st.floats(-1e4, 1e4))
def test_phi_and_its_slope(real, imag):
    z = complex(real, imag)
    values, slopes = _phi(np.array([z]), 7)
    with mpmath.workdps(60):
        w = mpmath.mpc(z)
        for k in range(1, 7):
            tail = mpmath.hyp1f1(1, k + 1, w) / mpmath.factorial(k)
            after = mpmath.hyp1f1(1, k + 2, w) / mpmath.factorial(k + 1)
            assert abs(values[k, 0] - complex(tail)) <= 1e-11 * abs(complex(tail)) + 1e-16
            assert abs(slopes[k, 0] - complex(tail - k * after)) <= 1e-11 * abs(complex(tail - k * after)) + 1e-16


def test_a_motion_that_leaves_all_numbers_is_refused():
    system = fx.SecondOrderSystem(np.eye(1), None, -np.eye(1))
    with pytest.raises(fx.FlexuraError, match="unstable"):
        fx.simulate(system, [0.0, 2000.0], initial={"x0": 1.0})


def test_exact_steps_are_held_to_a_limit_of_time():
    """Between their pieces: a look at inputs, a step of another length, some hundred steps."""
    system = plate(2, 1)
    signals = Signals(np.ones((system.n, 1)), lambda t: np.sin(t)[:, None], 5)
    zero = np.zeros(system.n)
    with preparing(Deadline(0.0)), pytest.raises(OutOfTime, match="limit of 0 s"):
        exact_steps(system, T, zero, zero, signals)
    assert exact_steps(system, T, zero, zero, signals).x.shape == (len(T), system.n)
