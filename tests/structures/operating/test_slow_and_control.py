"""Slow changes, the series of smooth inputs, the first correction, inputs over intervals, checks of systems."""

import numpy as np
import pytest
import scipy.sparse as sparse
from numpy.polynomial import Polynomial
from scipy.integrate import solve_ivp

import flexura as fx
from free_structures import bar, beam, network, plate


def push(system, value=100.0):
    F = np.zeros(system.n)
    F[0] = value
    return F


def test_from_acceleration_to_velocity():
    """alpha = exp(-t'Dt/t'Mt t), x = alpha x_a + (1 - alpha) x_v."""
    system = bar(12)
    D = np.zeros((13, 13))
    D[3, 3], D[9, 9] = 0.02, 0.05
    system = system.with_(D=D)
    F = push(system)
    change = fx.slow_changes(system, F)
    mass = 2700 * 1e-4
    assert change.rates == pytest.approx([0.07 / mass], rel=1e-10)
    t = np.linspace(0, 20, 5)
    assert change.alpha(t) == pytest.approx(np.exp(-0.07 / mass * t), rel=1e-10)
    x_a = fx.operating_state(system, F).deformation
    x_v = fx.operating_state(system, F, kind="velocity")
    alpha = change.alpha(t)[:, None]
    assert np.allclose(change.deformation(t), alpha * x_a + (1 - alpha) * x_v.deformation, atol=1e-15)
    assert np.allclose(change.velocity(t), (1 - alpha) * x_v.rate, rtol=1e-9)
    assert change.deformation(0.0) == pytest.approx(x_a)


def test_slow_change_of_coupled_directions_follows_the_full_motion():
    """A heavily damped inside makes the full motion quasi-static, which is what the formula says."""
    system = beam(4, EI=1e4, EA=1e6)
    rng = np.random.default_rng(1)
    d = rng.uniform(0.1, 1.0, system.n)
    D = sparse.csr_array(sparse.diags_array(d)) + 1e-3 * system.K
    system = system.with_(D=D)
    F = np.zeros(system.n)
    F[1], F[3] = 1.0, 0.5
    change = fx.slow_changes(system, F)
    assert change.decay.shape == (3, 3)
    run = fx.simulate(system, np.linspace(0, 1.0, 201), inputs={"x1": 1.0, "x3": 0.5})
    Q = fx.rigid_body_modes(system)
    x = np.array([run[name][-1] for name in system.names])
    deformation = x - Q @ (Q.T @ (system.M @ x))
    assert np.abs(deformation - change.deformation(1.0)).max() < 2e-2 * np.abs(deformation).max()
    v = np.array([run[f"{name}_t"][-1] for name in system.names])
    assert np.abs(v - change.velocity(1.0)).max() < 1e-2 * np.abs(v).max()


def test_slow_changes_need_travel():
    held, F = network(2, free=False)
    with pytest.raises(fx.FlexuraError, match="held and cannot travel"):
        fx.slow_changes(held, F)
    system = bar(4)
    balanced = np.array([1.0, 0, 0, 0, -1.0])
    with pytest.raises(fx.FlexuraError, match="in balance and moves nothing"):
        fx.slow_changes(system, balanced)


@pytest.mark.parametrize("coefficients", [[2.0], [1.0, -3.0, 2.0], [0.0, 0, 0, 0, 1.0, 0.5]])
def test_a_polynomial_input_has_an_exact_series(coefficients):
    system, F = network(6)
    answer = fx.smooth_response(system, F, coefficients)
    a = Polynomial(coefficients)
    for t in (0.3, 1.7):
        left = system.M @ answer.position(t, 2) + system.K @ answer.position(t)
        assert np.abs(left - a(t) * F).max() < 1e-9 * max(1.0, abs(a(t)))
    assert answer.deformation(np.array([0.0, 1.0])).shape == (2, system.n)
    Q = fx.rigid_body_modes(system)
    assert np.abs(Q.T @ system.M @ answer.deformation(0.7)).max() < 1e-10


def test_odd_terms_vanish_and_even_ones_alternate():
    system, F = network(6)
    terms = fx.smooth_response(system, F, [0, 0, 0, 0, 1.0]).terms
    assert terms.shape[1] == 3
    assert system.K @ terms[:, 1] == pytest.approx(-system.M @ terms[:, 0], abs=1e-10)


def test_the_series_is_for_undamped_systems():
    system, F = network(6, damping="relative")
    with pytest.raises(fx.FlexuraError, match="undamped"):
        fx.smooth_response(system, F, [1.0])
    assert fx.smooth_response(system.with_(D=None), F, [1.0]).terms.shape[1] == 1


def test_the_first_correction():
    """m b'' + d b' + k b = -(m a'' + d a'), by an independent integration of the projected equation."""
    system, F = network(6, damping="relative")
    H = fx.first_correction(system, F)
    x = fx.operating_state(system, F).deformation
    assert [H.m, H.d, H.k] == pytest.approx([x @ (A @ x) for A in (system.M, system.D, system.K)], rel=1e-8)
    omega = 0.3 * H.frequency

    def rate(t, z):
        a_t, a_tt = omega * np.cos(omega * t), -(omega**2) * np.sin(omega * t)
        return [z[1], (-H.m * a_tt - H.d * a_t - H.d * z[1] - H.k * z[0]) / H.m]

    end = 400 / H.frequency + 60 * H.m / H.d
    t = np.linspace(end, end + 2 * np.pi / omega, 200)
    z = solve_ivp(rate, (0, t[-1]), [0, 0], t_eval=t, rtol=1e-9, atol=1e-12).y[0]
    assert z == pytest.approx((H(1j * omega) * np.exp(1j * omega * t)).imag, abs=1e-5)
    assert H(0.0) == 0
    assert pytest.approx(H.m / H.k) == H.delay
    near = 1e-4 * H.frequency
    undamped = fx.first_correction(system.with_(D=None), F)
    assert undamped(1j * near) == pytest.approx(H.delay * near**2, rel=1e-6)  # low frequency


def test_a_load_that_does_not_deform_has_no_correction():
    system = bar(6)
    with pytest.raises(fx.FlexuraError, match="without deforming"):
        fx.first_correction(system, system.M @ np.ones(7))


# -- intervals -------------------------------------------------------------------------------------------------------


def test_inputs_over_intervals_follow_the_full_motion():
    system = bar(24)
    first = fx.modes(system, 2).frequencies[1]
    left, right = push(system), np.zeros(25)
    right[-1] = -60.0
    switch, end = 9.3 / first, 20 / first
    t = np.linspace(0, end, 161)
    text = f"sin({0.3 * first}*t)"
    runs = [fx.simulate_piecewise(system, [(0.0, left, text), (switch, right, 1.0)], t, 5, carry) for carry in (0, 5)]
    full = fx.simulate(
        system.with_(F=np.column_stack([left, right])), np.unique(np.append(t, switch)),
        inputs={"F0": lambda s: np.sin(0.3 * first * s) * (s < switch), "F1": lambda s: float(s >= switch)},
    )  # fmt: skip
    exact = full["x24"][np.searchsorted(full.t, t)]
    errors = [np.abs(run["x24"] - exact).max() / np.abs(exact).max() for run in runs]
    assert errors[1] < 2e-2
    assert errors[1] < errors[0]  # carried modes pay
    assert runs[1].energy.error < 1e-9
    assert runs[0].energy.error < 1e-9  # what the change of basis loses is in the energy balance
    assert any("left" in note for note in runs[0].notes)
    with pytest.raises(fx.FlexuraError, match="has no 'y'"):
        runs[0]["y"]


def test_intervals_must_fit_the_times():
    system = bar(4)
    F = push(system)
    with pytest.raises(fx.FlexuraError, match="each later than the one before"):
        fx.simulate_piecewise(system, [(0.0, F, 1.0), (0.0, F, 1.0)], [0, 1.0])
    with pytest.raises(fx.FlexuraError, match="must start with the first interval"):
        fx.simulate_piecewise(system, [(0.0, F, 1.0)], [0.5, 1.0])
    assert fx.simulate_piecewise(system, [(0.5, F, 1.0)], [0.5, 0.5001]).energy.error < 1e-9


# -- checks ----------------------------------------------------------------------------------------------------------


def test_a_sound_system_passes():
    found = fx.check_system(plate(3, 2))
    assert found
    assert "6 rigid motions: translation x" in str(found)
    assert "Mass 43.2 along x, 43.2 along y, 43.2 along z" in str(found)


def test_problems_are_told():
    system = beam(4)
    swapped = fx.check_system(plate(3, 2).with_(nodes=plate(3, 2).nodes[::-1] ** 2))
    assert any("another order" in one for one in swapped.problems)
    light = fx.check_system(system.with_(M=system.M - sparse.csr_array(sparse.diags_array(np.eye(1, 15, 4)[0]))))
    assert "The mass matrix M is indefinite (1 negative directions)" in light.problems[0]
    assert "do not account for" in fx.check_system(system.with_(nodes=np.zeros((4, 3)))).problems[0]
    heavy = sparse.csr_array(sparse.diags_array(np.eye(1, 15, 0)[0]))
    assert any(
        "not the same in all directions" in one for one in fx.check_system(system.with_(M=system.M + heavy)).problems
    )
    assert "indefinite" in fx.check_system(system.with_(K=system.K - 1e3 * heavy)).problems[0]


def test_coordinates_in_another_unit_are_told():
    system = beam(4)
    found = fx.check_system(system.with_(nodes=1000 * system.nodes))
    assert "Node coordinates are in another unit than K: multiplied by 0.001 they fit." in found.problems
    assert fx.check_system(system)
