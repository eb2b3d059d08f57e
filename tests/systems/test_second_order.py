"""Systems of matrices: what they check, what they are called, and their factors."""

import numpy as np
import pytest
import scipy.sparse as sparse

import flexura as fx
from flexura.systems.factor import factorize
from flexura.systems.ordering import dissection
from free_structures import network, plate

EYE = np.eye(3)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"M": np.ones((2, 3)), "K": EYE}, "M has the shape (2, 3); give a square matrix."),
        ({"M": EYE, "K": np.eye(4)}, "K is 4 x 4, but M has 3 rows; give one size."),
        ({"M": EYE, "K": EYE, "D": np.eye(2)}, "D is 2 x 2, but M has 3 rows"),
        ({"M": EYE, "K": np.triu(np.ones((3, 3)))}, "K is not symmetric: K - K' reaches 1 (largest entry 1); put its"),
        ({"M": np.triu(np.ones((3, 3))), "K": EYE}, "M is not symmetric"),
        ({"M": EYE, "K": EYE, "G": EYE}, "G is not skew: G + G' reaches 2 (largest entry 1); put its symmetric"),
        ({"M": EYE, "K": EYE * np.nan}, "K holds values that are not finite"),
        ({"M": EYE}, "The stiffness matrix K is missing; give M and K."),
        ({"M": EYE, "K": EYE, "F": np.ones(4)}, "F has the shape (4,); give 3 rows"),
        ({"M": EYE, "K": EYE, "C": np.ones((2, 4))}, "C has the shape (2, 4); give 3 columns"),
        ({"M": EYE, "K": EYE, "dofs": ("a", "b")}, "dofs names 2 rows, but the matrices have 3; name each."),
        ({"M": EYE, "K": EYE, "F": np.ones(3), "inputs": ("a", "b")}, "inputs names 2, but F holds 1; name each"),
        ({"M": EYE, "K": EYE, "C": EYE, "outputs": ("a",)}, "outputs names 1, but C holds 3"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told(given, sentence):
    with pytest.raises(fx.FlexuraError) as told:
        fx.SecondOrderSystem(**{"D": None, **given})
    assert sentence in str(told.value)


def test_the_advice_on_skew_parts_works():
    K = np.triu(np.ones((3, 3))) + 3 * EYE
    system = fx.SecondOrderSystem(EYE, None, (K + K.T) / 2, H=(K - K.T) / 2)
    assert np.array_equal(system.displacements, K)


def test_names():
    system = fx.SecondOrderSystem(EYE, None, EYE, F=EYE[:, :2])
    assert system.names == ("x0", "x1", "x2")
    assert system.input_names == ("F0", "F1")
    assert system.with_(F=EYE[:, 0]).input_names == ("F",)
    assert system.with_(inputs=("a", "b")).input_names == ("a", "b")
    assert system.with_(F=None).input_names == ()


def test_matrices_are_kept_as_they_came():
    system = fx.SecondOrderSystem(sparse.eye_array(3), None, sparse.coo_array(EYE))
    assert system.is_sparse
    assert system.K.format == "csr"
    assert not fx.SecondOrderSystem(EYE, None, EYE).is_sparse
    assert system.conservative
    assert system.symmetric
    assert not system.with_(D=sparse.eye_array(3)).conservative


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_factors_solve_and_count(kind):
    system = plate(4, 3, 1)
    shift = 3e8
    A = system.K - shift * system.M
    A = A.toarray() if kind == "dense" else A
    factor = factorize(A, count=True)
    values = np.linalg.eigvals(np.linalg.solve(system.M.toarray(), system.K.toarray())).real
    assert factor.negative == int((values < shift).sum())
    b = np.linspace(0, 1, system.n)
    assert A @ factor.solve(b) == pytest.approx(b, abs=1e-7)
    assert factor.solve(np.column_stack([b, 2 * b]))[:, 1] == pytest.approx(2 * factor.solve(b))


def test_factors_of_complex_and_unsymmetric_matrices():
    system, F = network(3, False, "absolute")
    for A in (system.dynamic_stiffness(2j), sparse.csr_array(system.dynamic_stiffness(2j))):
        assert A @ factorize(A).solve(F.astype(complex)) == pytest.approx(F, abs=1e-10)
    A = sparse.csr_array(system.K + np.triu(np.ones_like(system.K)))
    assert A @ factorize(A, symmetric=False).solve(F) == pytest.approx(F, abs=1e-10)


def test_singular_matrices_are_told():
    for A in (np.zeros((2, 2)), sparse.csr_array((2, 2))):
        with pytest.raises(fx.FlexuraError, match="The stiffness is singular"):
            factorize(A, what="The stiffness")


def test_pardiso_is_asked_for_by_name(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pypardiso", None)
    with pytest.raises(fx.FlexuraError, match="pypardiso is not installed; run pip install pypardiso"):
        factorize(sparse.eye_array(3, format="csr"), pardiso=True)
    assert factorize(sparse.eye_array(3, format="csr")).solve(np.ones(3)) == pytest.approx(1)


def test_nested_dissection_is_an_order_with_little_fill():
    system = plate(9, 9, 9, size=(1.0, 1.0, 1.0))
    node = np.arange(system.n) // 3
    order = dissection(system.K, node, system.nodes)
    assert np.array_equal(np.sort(order), np.arange(system.n))
    A = system.K + 1e6 * sparse.eye_array(system.n, format="csr")
    degree, ours = factorize(A), factorize(A[order][:, order], natural=True)
    assert ours.entries < 0.9 * degree.entries
    b = np.linspace(0, 1, system.n)
    x = np.empty(system.n)
    x[order] = ours.solve(b[order])
    assert x == pytest.approx(degree.solve(b), rel=1e-6)
