"""Motion of systems of matrices: against an independent integrator, with every kind of input, and its ledger."""

import numpy as np
import pytest
import scipy.sparse as sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import flexura as fx
from flexura.solve.runs.matrices import simulate_system
from free_structures import bar, plate

T = np.linspace(0, 6, 61)


def drawn(seed, n=4, damping="none"):
    rng = np.random.default_rng(seed)

    def positive(size):
        A = rng.normal(size=(n, n))
        return size * A @ A.T

    M, K = positive(1.0) + n * np.eye(n), positive(10.0)
    D = {"none": None, "proportional": 0.1 * M + 0.01 * K}.get(damping, positive(0.2))
    G = H = None
    if damping == "everything":
        A, B = rng.normal(size=(2, n, n))
        G, H = A - A.T, 0.1 * (B - B.T)
    system = fx.SecondOrderSystem(M, D, K, G=G, H=H, F=rng.normal(size=n))
    return system, rng.normal(size=n), rng.normal(size=n)


def reference(system, x, v, u, t=T):
    C = 0 * system.M if system.rates is None else system.rates
    inverse, n = np.linalg.inv(system.M), system.n

    def rate(s, z):
        return np.concatenate([z[n:], inverse @ (system.F * u(s) - C @ z[n:] - system.displacements @ z[:n])])

    return solve_ivp(rate, (t[0], t[-1]), np.concatenate([x, v]), "DOP853", t, rtol=1e-12, atol=1e-13).y.T


def signal(s):
    return np.sin(3 * s) + np.exp(-s)


@pytest.mark.parametrize("damping", ["none", "proportional", "general", "everything"])
def test_exact_steps_follow_a_precise_integrator(damping):
    system, x, v = drawn(3, damping=damping)
    run = simulate_system(system, T, (x, v), signal)
    exact = reference(system, x, v, signal)
    for i, name in enumerate(system.names):
        assert run[name] == pytest.approx(exact[:, i], abs=1e-9)
        assert run[f"{name}_t"] == pytest.approx(exact[:, system.n + i], abs=1e-9)
    a = np.column_stack([run[f"{name}_tt"] for name in system.names])
    C = 0 * system.M if system.rates is None else system.rates
    n = system.n
    left = a @ system.M + exact[:, n:] @ C.T + exact[:, :n] @ system.displacements.T
    assert left == pytest.approx(np.outer([signal(s) for s in T], system.F), abs=1e-8)
    assert run.energy.error < 1e-12


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.sampled_from(["none", "proportional", "general", "everything"]))
def test_the_ledger_is_closed(seed, damping):
    system, x, v = drawn(seed, damping=damping)
    run = simulate_system(system, np.sort(np.append(T, [0.01, 0.77])), (x, v), {"F": "cos(2*t)**2"})
    assert run.energy.error < 1e-11
    if damping in ("none", "proportional", "general"):
        assert np.all(np.diff(run.energy.dissipated) >= -1e-12)


@pytest.mark.parametrize("damping", ["none", "everything"])
def test_implicit_steps_converge_at_second_order_and_close_the_ledger(damping):
    system, x, v = drawn(5, damping=damping)
    exact = simulate_system(system, T, (x, v), signal)
    errors = []
    for step in (0.02, 0.01):
        run = simulate_system(system, T, (x, v), signal, method="trapezoidal", step=step)
        errors.append(np.abs(run["x1"] - exact["x1"]).max())
        assert run.energy.error < 1e-12
    assert np.log2(errors[0] / errors[1]) == pytest.approx(2, abs=0.1)
    alpha = simulate_system(system, T, (x, v), signal, method="generalized_alpha", step=0.01)
    assert np.abs(alpha["x1"] - exact["x1"]).max() < 3 * errors[1]
    assert any("takes energy out of fast motion" in note for note in alpha.notes)


def test_a_large_sparse_system_takes_implicit_steps_with_one_factorization(monkeypatch):
    import flexura.solve.steppers.linear_implicit as implicit

    made = []
    monkeypatch.setattr(implicit, "factorize", lambda *a, f=implicit.factorize, **k: made.append(k) or f(*a, **k))
    system = plate(12, 8, 1)
    assert system.n > 400
    F = np.zeros(system.n)
    F[2] = 1.0
    run = fx.simulate(system.with_(F=F), np.linspace(0, 0.02, 41), inputs={"F": 1.0})
    assert len(made) == 2  # the mass matrix at the start, and one for all steps
    assert run.energy.error < 1e-9
    assert run["x2"][-1] != 0


def test_steps_that_are_too_long_are_told_and_the_advice_helps():
    system, x, v = drawn(5)
    coarse = simulate_system(system, T, (x, v), method="trapezoidal")
    assert "Steps of 0.1 may be too long" in coarse.notes[-1]
    assert "give step= for shorter ones" in coarse.notes[-1]
    fine = simulate_system(system, T, (x, v), method="trapezoidal", step=1e-3)
    assert not any("too long" in note for note in fine.notes)
    exact = simulate_system(system, T, (x, v))["x0"]
    errors = [np.abs(run["x0"] - exact).max() for run in (coarse, fine)]
    assert errors[1] < 1e-3 * errors[0]


def test_free_motion_is_exact_forever():
    system = bar(3)
    run = simulate_system(system, np.array([0.0, 1.0, 1e3, 1e6]), {f"x{i}_t": 2.0 for i in range(4)})
    assert run["x0"] == pytest.approx(2.0 * run.t, rel=1e-12)


def test_inputs_of_all_kinds_agree():
    system, x, v = drawn(7, damping="general")
    ways = [signal, {"F": signal}, {"F": "sin(3*t) + exp(-t)"}]
    runs = [simulate_system(system, T, (x, v), one)["x2"] for one in ways]
    assert runs[1] == pytest.approx(runs[0], abs=1e-12)
    assert runs[2] == pytest.approx(runs[0], abs=1e-11)
    fine = np.linspace(0, 6, 6001)
    table = simulate_system(system, fine, (x, v), [signal(s) for s in fine])["x2"][::100]
    assert table == pytest.approx(runs[0], abs=1e-5)
    rows = simulate_system(system.with_(F=None), T, (x, v), lambda s: system.F * signal(s))["x2"]
    assert rows == pytest.approx(runs[0], abs=1e-10)
    dofs = {name: (lambda s, f=f: f * signal(s)) for name, f in zip(system.names, system.F, strict=True)}
    assert simulate_system(system, T, (x, v), dofs)["x2"] == pytest.approx(runs[0], abs=1e-10)


def test_arrays_are_straight_between_their_points():
    system, x, v = drawn(8)
    t = np.array([0.0, 1.0, 2.5, 3.0])
    u = np.array([0.0, 2.0, -1.0, 0.0])
    run = simulate_system(system, t, (x, v), {"F": u})
    exact = reference(system, x, v, lambda s: np.interp(s, t, u), np.linspace(0, 3, 7))
    assert run["x0"][-1] == pytest.approx(exact[-1, 0], abs=1e-6)
    assert run.energy.error < 1e-12


def test_a_jump_between_points_is_followed():
    system, x, v = drawn(8)
    t = np.linspace(0, 3, 8)
    run = simulate_system(system, t, (x, v), lambda s: float(s > 1.3))
    exact = simulate_system(system, np.sort(np.append(t, 1.3)), (x, v), lambda s: float(s > 1.3))
    assert run["x0"][-1] == pytest.approx(exact["x0"][-1], rel=1e-9)


def test_what_is_not_given_is_zero_and_told():
    system, x, v = drawn(8)
    run = simulate_system(system.with_(F=np.eye(4)[:, :2], inputs=("left", "right")), T, None, {"left": 1.0})
    assert run.notes == ("No input was given for right: zero.",)
    assert simulate_system(system, T, (x, v)).notes == ("No input was given for F: zero.",)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"t": [0, 1, 1]}, "t does not increase"),
        ({"t": [0, np.nan]}, "t is not finite at its point 1; give finite times"),
        ({"initial": {"y": 1.0}}, "There is no 'y' to start from; there are x0, x1, x2, x3"),
        ({"initial": (np.ones(3), np.ones(4))}, "initial has 3 displacements and 4 rates; give 4 of each."),
        ({"initial": (np.full(4, np.inf), np.ones(4))}, "initial is not finite; give finite numbers"),
        ({"inputs": {"f": 1.0}}, "There is no input 'f'; did you mean 'F'?"),
        ({"inputs": {"pressure": 1.0}}, "There is no input 'pressure'; there are F, x0"),
        (
            {"inputs": {"F": np.ones(5)}},
            "The input F has the shape (5,), but t has 61 points; give one number for each of them.",
        ),
        ({"inputs": {"F": np.nan}}, "The input F is not finite; give finite numbers"),
        ({"inputs": {"F": lambda s: np.nan}}, "The input F is not finite at t = 0"),
        (
            {"inputs": {"F": lambda s: np.ones(3)}},
            "The input F gives 3 numbers at t = 0; let the function give one number.",
        ),
        ({"inputs": {"F": "a*t"}}, "The input F holds a, which has no value; write it with numbers and t only."),
        (
            {"method": "euler"},
            "method is 'euler'; use 'explicit', 'radau', 'generalized_alpha', 'symplectic', 'trapezoidal', 'exact'",
        ),
        ({"method": "trapezoidal", "step": -1.0}, "step is -1.0"),
        ({"method": "generalized_alpha", "radius": 2.0}, "radius is 2.0; give a number from 0 to 1."),
    ],
)
def test_wrong_questions(arguments, sentence):
    system, _, _ = drawn(1)
    with pytest.raises(fx.FlexuraError) as told:
        simulate_system(system, **{"t": T, **arguments})
    assert sentence in str(told.value)


def test_a_row_without_mass_is_named():
    system = fx.SecondOrderSystem(np.diag([1.0, 0.0]), None, np.eye(2), dofs=("q", "p"))
    with pytest.raises(fx.FlexuraError, match=r"not positive definite \(p moves with a mass of 0\)"):
        simulate_system(system, [0.0, 1.0], {"q": 1.0})
    assert simulate_system(system.with_(M=np.diag([1.0, 0.1])), [0.0, 1.0], {"q": 1.0})["q"][-1] == pytest.approx(
        np.cos(1)
    )


def test_the_trajectory_reads_like_others():
    system, x, v = drawn(2)
    run = fx.simulate(system, T, (x, v))
    assert set(run) == {name + end for name in system.names for end in ("", "_t", "_tt")}
    assert run["x0"][0] == x[0]
    with pytest.raises(fx.FlexuraError, match="has no 'z'; it knows x0, x1, x2, x3"):
        run["z"]
    assert fx.simulate(fx.SecondOrderSystem(sparse.eye_array(2), None, sparse.eye_array(2)), T, {"x0": 1})["x0"][
        -1
    ] == pytest.approx(np.cos(6))


def test_a_tolerance_shortens_implicit_steps_as_far_as_makes_sense():
    system, x, v = drawn(5)
    t = np.linspace(0, 1, 11)
    exact = simulate_system(system, t, (x, v))["x0"]
    for method in ("trapezoidal", "generalized_alpha"):
        run = simulate_system(system, t, (x, v), method=method, tolerance=1e-4)
        assert np.abs(run["x0"] - exact).max() < 1e-4 * np.abs(exact).max()
        assert run.error.share <= 1e-4
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("flexura.solve.runs.matrices._MOST", 2000)
        run = simulate_system(system, t, (x, v), method="trapezoidal", tolerance=1e-13)
    assert "The tolerance 1e-13 was not reached: displacements hold to about" in run.notes[-1]


def test_what_changes_nothing_is_told_or_refused():
    system, x, v = drawn(5)
    for how in ({"step": 0.01}, {"radius": 0.5}):
        assert simulate_system(system, T, (x, v), **how).notes[-1] == (
            "Steps are exact, so step= and radius= change nothing."
        )
    assert simulate_system(system, T, (x, v), {"F": 0.0}).notes == ()
    with pytest.raises(fx.FlexuraError, match="radius belongs to generalized-alpha, and the trapezoidal rule"):
        simulate_system(system, T, (x, v), method="trapezoidal", radius=0.5)
