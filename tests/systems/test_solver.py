"""Solvers that users choose: the same answers and certificates, whoever factorizes."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse as sparse

import flexura as fx
from flexura.systems import solver as module
from flexura.systems.factor import factorize
from flexura.systems.pardiso import Pardiso
from flexura.systems.superlu import SuperLU

NAMES = [
    "superlu",
    pytest.param("pardiso", marks=pytest.mark.skipif(not Pardiso.installed(), reason="pypardiso is not installed")),
]


def chain(n: int = 400) -> fx.SecondOrderSystem:
    K = sparse.diags_array([-1.0, 2.0, -1.0], offsets=[-1, 0, 1], shape=(n, n)).tolil()
    K[0, 0] = K[n - 1, n - 1] = 1.0
    return fx.SecondOrderSystem(sparse.eye_array(n, format="csr"), None, 1e4 * sparse.csr_array(K))


@pytest.mark.parametrize("name", NAMES)
def test_modes_of_a_free_structure_are_counted_whoever_solves(name):
    with fx.solver(name):
        found = fx.modes(chain(), 6)
    wanted = 200 * np.sin(np.pi * np.arange(6) / 800)
    assert found.frequencies == pytest.approx(wanted, rel=1e-9, abs=1e-9)
    assert found.frequencies[0] == 0.0
    assert found.certificate
    assert "agrees with the list" in str(found.certificate)


@pytest.mark.parametrize("name", NAMES)
def test_solutions_and_counts_are_those_of_dense_matrices(name):
    rng = np.random.default_rng(2)
    A = sparse.coo_array(np.where(rng.uniform(size=(60, 60)) < 0.1, rng.uniform(size=(60, 60)), 0.0))
    A = (A + A.T + sparse.diags_array(rng.uniform(-3, 3, 60))).tocsr()
    b = rng.standard_normal((60, 3))
    with fx.solver(name):
        for B in (A, A + 1j * sparse.eye_array(60)):
            assert factorize(B, symmetric=False).solve(b.astype(B.dtype)) == pytest.approx(
                np.linalg.solve(B.toarray(), b)
            )
        shifted = (A + 8 * sparse.eye_array(60)).tocsr()
        assert factorize(shifted).solve(b[:, 0]) == pytest.approx(np.linalg.solve(shifted.toarray(), b[:, 0]))
        counted = factorize(chain(60).K - 5e3 * sparse.eye_array(60), count=True).negative
    assert counted == int((scipy.linalg.eigvalsh(chain(60).K.toarray()) < 5e3).sum())


def test_another_solver_is_one_class_and_is_asked_for_everything_inside(monkeypatch):
    asked = []

    class Own(SuperLU):
        def factorize(self, A, asked_for):
            asked.append(asked_for.what)
            return super().factorize(A, asked_for)

    monkeypatch.setitem(module.SOLVERS, "own", Own())
    with fx.solver("own"):
        found = fx.modes(chain(100), 3)
        with fx.solver(None):
            count = len(asked)
            fx.modes(chain(100), 3)
            assert len(asked) == count
        kept = pickle.loads(pickle.dumps(factorize(chain(100).K + sparse.eye_array(100))))
        assert len(asked) > count
    count = len(asked)
    assert fx.modes(chain(100), 3).frequencies == pytest.approx(found.frequencies, rel=1e-12, abs=0)
    assert len(asked) == count
    assert count > 2
    assert kept.solve(np.ones(100)) == pytest.approx(np.ones(100))


def test_what_is_not_there_is_said(monkeypatch):
    with (
        pytest.raises(fx.FlexuraError, match="There is no solver 'mumps'; there are superlu, pardiso"),
        fx.solver("mumps"),
    ):
        pass
    monkeypatch.setitem(__import__("sys").modules, "pypardiso", None)
    with pytest.raises(fx.FlexuraError, match="pypardiso is not installed; run pip install"), fx.solver("pardiso"):
        pass
