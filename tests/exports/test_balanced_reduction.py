"""Exported systems are reduced in python-control: the error stays within twice the sum of what was left out."""

import numpy as np
import pytest
import scipy.linalg

import flexura as fx

control = pytest.importorskip("control", reason="python-control is not installed")


def exported():
    tip = fx.Mass("tip", m=0.5)
    beam = fx.EulerBernoulliBeam("b", EI=50.0, rho=1.2, length=1.0, damping=3.0)
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, tip), fx.Force(tip, "F"))
    return fx.state_space(model, "F", [fx.Motion(tip)], order=8)


def root_of(gramian):
    values, vectors = np.linalg.eigh((gramian + gramian.T) / 2)
    return vectors * np.sqrt(np.maximum(values, 0.0))


def balanced(space, order):
    """Square-root balanced truncation (Laub, Heath, Paige & Ward 1987) of A, B, C as they were exported."""
    P = scipy.linalg.solve_continuous_lyapunov(space.A, -space.B @ space.B.T)
    Q = scipy.linalg.solve_continuous_lyapunov(space.A.T, -space.C.T @ space.C)
    Lp, Lq = root_of(P), root_of(Q)
    U, hankel, Vt = np.linalg.svd(Lq.T @ Lp)
    left = Lq @ U[:, :order] / np.sqrt(hankel[:order])
    right = Lp @ Vt[:order].T / np.sqrt(hankel[:order])
    return control.StateSpace(left.T @ space.A @ right, left.T @ space.B, space.C @ right, space.D), hankel


def test_a_reduced_beam_keeps_to_its_bound():
    space = exported()
    whole = space.to_control()
    assert np.sort_complex(control.poles(whole)) == pytest.approx(np.sort_complex(np.linalg.eigvals(space.A)))
    omega = np.geomspace(0.1, 3000, 400)
    exact = np.asarray(whole(1j * omega)).reshape(len(omega))
    for order in (2, 4, 6):
        small, hankel = balanced(space, order)
        found = np.asarray(small(1j * omega)).reshape(len(omega))
        bound = 2 * hankel[order:].sum()
        assert np.abs(found - exact).max() <= bound * (1 + 1e-6)
        assert np.abs(found - exact).max() >= hankel[order] * 0.5  # and no better than it can be, by far
    assert np.all(np.real(control.poles(small)) < 0)


def test_python_control_reduces_it_itself():
    pytest.importorskip("slycot", reason="slycot is not installed")
    space = exported()
    small = control.balanced_reduction(space.to_control(), 4, method="truncate")
    ours, _ = balanced(space, 4)
    s = 1j * np.array([0.5, 5.0, 50.0])
    assert np.asarray(small(s)) == pytest.approx(np.asarray(ours(s)), rel=1e-6)
