"""Frequency responses of matrices: against dense solves and modes, at low frequency, on resonance."""

import numpy as np
import pytest

import flexura as fx
from free_structures import bar, beam, network, plate


@pytest.mark.parametrize("damping", [None, "proportional", "absolute"])
@pytest.mark.parametrize("free", [True, False])
def test_responses_are_those_of_a_dense_solver(damping, free):
    system, F = network(21, free, damping)
    output = np.eye(1, system.n, 2)[0]
    omega = np.array([[0.3, 2.0], [7.0, 40.0]])
    found = fx.frequency_response(system, omega, load=F, output=output)
    assert found.shape == omega.shape
    for w, one in zip(omega.ravel(), found.ravel(), strict=True):
        assert one == pytest.approx(output @ np.linalg.solve(system.dynamic_stiffness(1j * w), F), rel=1e-8)


def test_a_free_bar_in_closed_form():
    """Receptance at the driven end: -cot(kL)/(EA k), k = omega sqrt(rho/E)."""
    system = bar(400)
    F = np.eye(1, 401, 0)[0]
    omega = np.array([0.01, 100.0, 5000.0, 9000.0])
    k = omega * np.sqrt(2700 / 70e9)
    exact = -1 / np.tan(k) / (70e9 * 1e-4 * k)
    assert fx.frequency_response(system, omega, F, F).real == pytest.approx(exact, rel=1e-4)


def test_low_frequencies_of_a_fine_free_mesh_keep_the_rigid_motion():
    """At omega -> 0 a free structure answers like its mass; a plain solve loses it to round-off."""
    system = beam(100)
    F = np.zeros(system.n)
    F[151] = 1.0  # the middle, across
    omega = 1e-3
    found = fx.frequency_response(system, omega, F, F).item()
    static = fx.operating_state(system, F).deformation @ F
    assert found == pytest.approx(-1 / omega**2 + static, rel=1e-9)
    plain = F @ np.linalg.solve((system.K - omega**2 * system.M).toarray(), F)
    assert abs(plain * omega**2 + 1) > 1e-6  # the reason for the extra work


def test_names_kinds_and_several_outputs():
    system, F = network(22, True, "absolute")
    named = system.with_(F=F, inputs=("push",), C=np.eye(2, system.n), outputs=("a", "b"))
    omega = np.array([1.0, 5.0])
    x = fx.frequency_response(named, omega, "push", "x0")
    assert x == pytest.approx(fx.frequency_response(named, omega, F, "a"))
    both = fx.frequency_response(named, omega, "push", np.eye(2, system.n))
    assert both.shape == (2, 2)
    assert both[:, 0] == pytest.approx(x)
    assert fx.frequency_response(named, omega, "push", "a", kind="mobility") == pytest.approx(1j * omega * x)
    assert fx.frequency_response(named, omega, "push", "a", kind="accelerance") == pytest.approx(-(omega**2) * x)


def test_large_sparse_systems():
    system = plate(8, 6, 1)
    assert system.n > 250
    system = system.with_(D=1e-5 * system.K)
    F = np.eye(1, system.n, 2)[0]
    omega = np.array([100.0, 900.0])
    exact = [F @ np.linalg.solve(system.dynamic_stiffness(1j * w).toarray(), F) for w in omega]
    assert fx.frequency_response(system, omega, F, F) == pytest.approx(exact, rel=1e-7)


def test_resonance_is_infinite_and_told():
    system = fx.SecondOrderSystem(np.eye(2), None, np.diag([4.0, 9.0]))
    with pytest.warns(UserWarning, match=r"undamped resonance lies at omega = 2 rad/s"):
        found = fx.frequency_response(system, [1.0, 2.0], np.ones(2), np.ones(2))
    assert np.isinf(found[1])
    assert found[0] == pytest.approx(1 / 3 + 1 / 8)


def test_zero_frequency_of_a_free_structure():
    system = bar(6)
    end = np.eye(1, 7, 0)[0]
    with pytest.warns(UserWarning, match="resonance"):
        assert np.isinf(fx.frequency_response(system, 0.0, end, end))
    pulled = np.zeros(7)
    pulled[0], pulled[-1] = -1.0, 1.0
    assert fx.frequency_response(system, 0.0, pulled, pulled) == pytest.approx(1 / (70e9 * 1e-4))  # L/EA


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"load": np.ones(3)}, "The load has 3 numbers; give 7, one for each degree of freedom."),
        ({"load": "F"}, "There is no load 'F'; it may be a vector of 7 numbers, or one of x0, x1"),
        ({"output": "tip"}, "There is no output 'tip'"),
        ({"output": np.full(7, np.nan)}, "The output holds values that are not finite"),
        ({"omega": [np.nan]}, "omega holds values that are not finite"),
        ({"kind": "stiffness"}, "kind is 'stiffness'; use 'receptance', 'mobility' or 'accelerance'."),
    ],
)
def test_wrong_questions(arguments, sentence):
    with pytest.raises(fx.FlexuraError) as told:
        fx.frequency_response(bar(6), **{"omega": [1.0], "load": np.ones(7), "output": np.ones(7), **arguments})
    assert sentence in str(told.value)


@pytest.mark.parametrize("loss", [0.0, 0.05, 0.3])
@pytest.mark.parametrize("free", [True, False])
def test_structural_damping_is_taken(loss, free):
    """K (1 + i g): every mode has s^2 = -omega^2 (1 + i g), and responses are those of the complex matrices."""
    plain, F = network(7, free)
    system = fx.SecondOrderSystem(plain.M, None, plain.K * (1 + 1j * loss))
    omega = fx.modes(plain, 8).frequencies
    found = fx.modes(system, 8)
    np.testing.assert_allclose(found.eigenvalues, 1j * omega * np.sqrt(1 + 1j * loss), rtol=1e-8)
    assert found.certificate
    assert (found.eigenvalues[:1] == 0).all() == free
    c = np.eye(1, plain.n, 3)[0]
    for at in (0.3 * omega[2], -0.3 * omega[2], 1.1 * omega[5]):
        A = plain.K * (1 + 1j * loss * np.sign(at)) - at**2 * plain.M
        np.testing.assert_allclose(fx.frequency_response(system, at, F, c), c @ np.linalg.solve(A, F), rtol=1e-7)


def test_structural_damping_of_some_parts_only():
    """Not proportional: against the eigenvalues of the complex linear problem."""
    plain, _ = network(9, False)
    S = np.diag(np.linspace(0, 40, plain.n))
    found = fx.modes(fx.SecondOrderSystem(plain.M, 0.01 * plain.M, plain.K + 1j * S), plain.n)
    n, Minv = plain.n, np.linalg.inv(plain.M)
    roots = np.linalg.eigvals(
        np.block([[np.zeros((n, n)), np.eye(n)], [-Minv @ (plain.K + 1j * S), -0.01 * np.eye(n)]])
    )
    roots = roots[roots.imag > 0]
    np.testing.assert_allclose(found.eigenvalues, roots[np.argsort(np.abs(roots))], rtol=1e-7)


def test_structural_damping_is_refused_where_it_means_nothing():
    plain, F = network(7, True)
    system = fx.SecondOrderSystem(plain.M, None, plain.K * (1 + 0.05j), F=F)
    questions = [
        lambda one: fx.simulate(one, [0.0, 1.0]),
        lambda one: fx.operating_state(one, F),
        lambda one: fx.simulate(fx.reduce(one, F, 2), [0.0, 1.0]),
    ]
    for ask in questions:
        with pytest.raises(fx.FlexuraError, match=r"K is complex \(structural damping\), which .* cannot take"):
            ask(system)
        ask(system.with_(structural=None))  # as advised
    for name in ("M", "D", "G", "F"):
        with pytest.raises(fx.FlexuraError, match=f"{name} is complex; only K may be"):
            system.with_(**{name: 1j * (F if name == "F" else plain.M)})
    with pytest.raises(fx.FlexuraError, match="The load is complex"):
        fx.frequency_response(plain, 1.0, 1j * F, F)
