"""Reduced models of damped, gyroscopic and circulatory systems, against dense solutions written here."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx
import flexura.structures.operating.accuracy as accuracy
from free_structures import network, plate

METHODS = ("static_deformation", "modal", "craig_bampton")


def machine(seed, kind):
    """A network with rates of one kind, and its first elastic frequency."""
    system, F = network(seed, free=seed % 2 > 0, damping="relative")
    rng, n = np.random.default_rng(seed), system.n
    squares = np.sort(np.linalg.eigvals(np.linalg.solve(system.M, system.K)).real)
    first = float(np.sqrt(squares[squares > 1e-9 * squares[-1]][0]))
    D, skew = 0.1 * system.D, rng.normal(size=(n, n))
    skew = skew - skew.T
    if kind == "dashpots":
        D = np.zeros((n, n))
        rows = rng.choice(n, 3, replace=False)
        D[rows, rows] = 10 ** rng.uniform(-1, 3, 3)
    changes = {"D": None if kind == "structural" else D}
    if kind == "gyroscopic":
        changes["G"] = 0.3 * skew
    if kind == "circulatory":
        changes["H"] = 0.02 * first**2 * skew * np.sqrt(np.outer(system.M.diagonal(), system.M.diagonal()))
        changes["H"] -= changes["H"].T
    if kind == "structural":
        changes["K"] = system.K * (1 + 0.04j)
    return system.with_(**changes), F, first


def true_error(system, reduced, loads, omega):
    x = np.linalg.solve(system.dynamic_stiffness(1j * omega), loads).reshape(system.n, -1)
    e = x - reduced.basis @ np.linalg.solve(reduced.dynamic_stiffness(1j * omega), reduced.F).reshape(reduced.n, -1)
    mass = np.einsum("ij,ik,kj->j", e.conj(), system.M, e), np.einsum("ij,ik,kj->j", x.conj(), system.M, x)
    plain = np.linalg.norm(e, axis=0) / np.linalg.norm(x, axis=0)
    return float(max(plain.max(), np.sqrt(np.abs(mass[0] / mass[1])).max()))


KINDS = ("dashpots", "gyroscopic", "circulatory", "structural")


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(KINDS), st.sampled_from(METHODS), st.integers(1, 5))
def test_the_estimate_bounds_the_error(seed, kind, method, order):
    system, F, first = machine(seed, kind)
    reduced = fx.reduce(system, F, order, method=method)
    for factor in (0.05, 0.7, 4.0):
        error = true_error(system, reduced, F, factor * first)
        assert error <= reduced.error(factor * first) * (1 + 1e-6) + 1e-11


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.booleans(), st.sampled_from(METHODS), st.integers(1, 5))
def test_it_is_the_larger_of_the_two_errors_it_says_of_undamped_systems_too(seed, free, method, order):
    """In both norms that it names, of all displacements; near resonances too, and no larger than either needs."""
    system, F = network(seed, free=free, damping=None)
    first = fx.modes(system, 7).frequencies
    first = first[first > 0][0]
    reduced = fx.reduce(system, F, order, method=method)
    for factor in (0.05, 0.7, 1.01, 4.0):
        error, told = true_error(system, reduced, F, factor * first), reduced.error(factor * first)
        assert error <= told * (1 + 1e-6) + 1e-11
        assert told <= 3 * error + 1e-6


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(KINDS), st.sampled_from(METHODS))
def test_so_does_the_estimate_of_large_systems(seed, kind, method):
    """The same where the full system is not solved at every frequency, by random probes."""
    system, F, first = machine(seed, kind)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accuracy, "_SOLVED", 0)
        reduced = fx.reduce(system, F, 3, method=method)
        omega = first * np.linspace(0.05, 6.0, 40)
        estimates = reduced.error(omega)
    errors = np.array([true_error(system, reduced, F, one) for one in omega])
    assert np.all(errors <= estimates * (1 + 1e-6) + 1e-11)
    # the size of the doubt is told, not a number that is always large enough
    assert np.median(estimates / np.maximum(errors, 1e-11)) < 10


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(KINDS))
def test_a_tolerance_holds_in_the_band(seed, kind):
    system, F, first = machine(seed, kind)
    reduced = fx.reduce(system, F, tolerance=1e-5, band=(0.1 * first, 3 * first))
    for one in first * np.linspace(0.1, 3.0, 60):
        assert true_error(system, reduced, F, one) < 1e-4
    assert true_error(system, reduced, F, 3 * first) <= 1e-5 * (1 + 1e-6)


def held_plate():
    """A plate held along an edge, with three strong dashpots to ground."""
    system = plate(8, 6, 1, size=(1.0, 0.8, 0.05))
    n, K, D = system.n, system.K.tolil(), np.zeros(system.n)
    for row in range(21):
        K[row, row] += 1e9
    D[[92, 140, n - 1]] = 3000.0
    F = np.eye(1, n, n - 4)[0]
    held = fx.SecondOrderSystem(system.M.toarray(), np.diag(D), K.toarray())
    return held, F, float(fx.modes(held.with_(D=None), 1).frequencies[0])


def test_grounded_dashpots_take_few_vectors():
    """What modes around rest do not see: strong dashpots hold their places, and a hundred modes are not enough."""
    system, F, first = held_plate()
    reduced = fx.reduce(system, F, tolerance=1e-8, band=8 * first)
    assert reduced.n < 36
    omega = first * np.linspace(0.05, 8, 50)
    assert max(true_error(system, reduced, F, one) for one in omega) < 1e-6
    around = fx.reduce(system, F, 30)
    assert true_error(system, around, F, 2 * first) < 1e-8


def test_the_second_order_expansion_matches_moments():
    """x(s) = x_0 + s x_1 + ...: with k vectors the first k coefficients, solved for here, are in the span."""
    system, F, _ = machine(12, "dashpots")
    reduced = fx.reduce(system, F, 5)
    K, V = system.K, reduced.basis
    x, before = np.linalg.solve(K, F), np.zeros(system.n)
    for _ in range(5):
        rest = x - V @ (V.T @ (system.M @ x))
        assert np.linalg.norm(rest) < 1e-7 * np.linalg.norm(x)
        before, x = x, -np.linalg.solve(K, system.D @ x + system.M @ before)


def test_craig_bampton_spans_the_textbook_basis():
    """Craig and Bampton (1968): constraint modes [1; -K_ii^-1 K_ib] and modes with the interface held."""
    system, _ = network(5, free=False)
    interface = [0, 3]
    inner = np.setdiff1d(np.arange(system.n), interface)
    K, M = system.K, system.M
    textbook = np.zeros((system.n, 2 + 4))
    textbook[interface, [0, 1]] = 1.0
    textbook[np.ix_(inner, [0, 1])] = -np.linalg.solve(K[np.ix_(inner, inner)], K[np.ix_(inner, interface)])
    squares, shapes = np.linalg.eig(np.linalg.solve(M[np.ix_(inner, inner)], K[np.ix_(inner, inner)]))
    textbook[np.ix_(inner, range(2, 6))] = shapes[:, np.argsort(squares.real)[:4]].real
    F = np.zeros((system.n, 2))
    F[interface, [0, 1]] = 1.0
    reduced = fx.reduce(system, F, 2, method="craig_bampton")
    assert reduced.n == 6
    left = textbook - reduced.basis @ (reduced.basis.T @ (M @ textbook))
    assert np.abs(left).max() < 1e-9 * np.abs(textbook).max()
    named = fx.reduce(system, F, 2, method="craig_bampton", interface=["x0", "x3"])
    assert np.abs(named.basis).max() == pytest.approx(np.abs(reduced.basis).max())


def test_residual_vectors_make_modal_models_exact_at_rest():
    system, F = network(5, free=False)
    reduced = fx.reduce(system, F, 3, method="modal")
    assert reduced.basis @ np.linalg.solve(reduced.K, reduced.F) == pytest.approx(np.linalg.solve(system.K, F))


def test_a_structurally_damped_model_answers_like_the_full_one():
    system, F, first = machine(4, "structural")
    reduced = fx.reduce(system, F, tolerance=1e-8, band=2 * first)
    omega = first * np.array([0.3, 0.9, 1.7])
    full = [F @ np.linalg.solve(system.dynamic_stiffness(1j * one), F) for one in omega]
    assert fx.frequency_response(reduced, omega, "F", reduced.F) == pytest.approx(np.array(full), rel=1e-6)
    with pytest.raises(fx.FlexuraError, match="structural damping"):
        fx.simulate(reduced, np.linspace(0, 1, 5), inputs={"F": 1.0})


def test_two_forces_on_a_stiff_lever_are_told_to_be_one():
    """A stiff lever on a hinge with a soft spring: of two forces one stands twice as far from the hinge."""
    h, EI = 0.5, 1e9
    lever = fx.BeamFrame(
        [[h * k, 0, 0] for k in range(5)], [[k, k + 1] for k in range(4)],
        fx.Section(E=EI, G=EI, rho=1.0, A=1.0, Iy=1.0, Iz=1.0),
        supports={0: "u v w alpha beta", **dict.fromkeys(range(1, 5), "w alpha beta")}, springs={0: {"gamma": 10.0}},
    )  # fmt: skip
    system = fx.moving_system(lever, fx.MovingFrame())
    F = np.zeros((system.n, 2))
    F[system.names.index("v2"), 0] = F[system.names.index("v4"), 1] = 1.0
    (note,) = fx.reduce(system, F, 2).notes
    assert "The inputs F0 and F1 act as one: F1 moves the structure as 2 times F0 does" in note
    across = np.column_stack([F[:, 0], F[:, 1] - 2 * F[:, 0]])
    assert fx.reduce(system, across, 2).notes == ()


def test_large_systems_are_solved_at_a_few_frequencies(monkeypatch):
    import flexura.solve.matrix_response as matrix_response
    import flexura.structures.operating.frequencies as frequencies

    system, F, first = held_plate()
    omega = first * np.linspace(0.1, 6, 80)
    direct = fx.frequency_response(system, omega, F, F)
    asked = []
    monkeypatch.setattr(matrix_response, "_LARGE", 10)
    monkeypatch.setattr(accuracy, "_SOLVED", 10)
    plain = frequencies.Frequency.__init__
    monkeypatch.setattr(
        frequencies.Frequency, "__init__", lambda self, *given: (asked.append(given[1]), plain(self, *given))[0]
    )
    fast = fx.frequency_response(system, omega, F, F)
    assert 2 <= len(asked) <= 12, len(asked)
    assert np.abs(fast - direct).max() < 1e-7 * np.abs(direct).max()
    assert fast.error.shape == omega.shape
    assert fast.error.max() <= 1e-8


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"interface": [0]}, "method='static_deformation' has no interface"),
        ({"method": "craig_bampton", "interface": ["nowhere"]}, "The interface names 'nowhere'"),
        ({"method": "craig_bampton", "interface": [99]}, "The interface names 99"),
        ({"method": "craig_bampton", "interface": []}, "The interface holds all degrees of freedom or none"),
    ],
)
def test_wrong_interfaces(arguments, sentence):
    system, F = network(1, free=False)
    with pytest.raises(fx.FlexuraError) as told:
        fx.reduce(system, F, 2, **arguments)
    assert sentence in str(told.value)


def test_a_load_everywhere_is_no_interface():
    system, F = network(1, free=False)
    with pytest.raises(fx.FlexuraError, match="too many to be an interface"):
        fx.reduce(system, F + 1, 2, method="craig_bampton")
