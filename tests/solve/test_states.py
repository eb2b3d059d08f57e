"""First-order states in every verb: against matrices written by hand, an independent integrator, and each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.integrate
import scipy.linalg
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

GAINS = {"kp": 20.0, "kd": 3.0, "ki": 8.0}


def arm(scale: float = 1.0, torque: str = "kp*(r(t) - th) - kd*th_t + ki*z/S") -> fx.Equations:
    """A PID on the hub of a flexible arm; the state is kept in units that differ by `scale`."""
    hub, tip = fx.RigidBody("hub", m=1.0, I=0.3), fx.Mass("tip", 0.1)
    beam = fx.EulerBernoulliBeam("beam", EI=5.0, rho=0.4, length=1.2)
    for name, value in (*GAINS.items(), ("S", scale)):
        torque = torque.replace(name, repr(value))
    return fx.derive(
        fx.Model(
            fx.Revolute(fx.ground, hub, name="th"),
            fx.Fixed(hub, beam.start),
            fx.Fixed(beam.end, tip),
            fx.State("z", f"{scale!r}*(r(t) - th)"),
            fx.Torque(hub, torque),
        )
    )


def cart() -> fx.Equations:
    mass = fx.Mass("c", 0.1)
    return fx.derive(
        fx.Model(
            fx.Slide(fx.ground, mass, name="y"),
            fx.Spring(fx.ground, mass, k=3.0),
            fx.State("z", "-2*z + y_t", initial=0.3),
            fx.State("u", "z_t - u + G"),
            fx.Force(mass, "u - y_t"),
            fx.Force(mass, "F"),
            fx.Force(mass, "G"),
        )
    )


A = np.array([[0, 1, 0, 0], [-30, -10, 0, 10], [0, 1, -2, 0], [0, 1, -2, -1]], dtype=float)  # of (y, y_t, z, u)


def test_eigenvalues_are_those_of_the_state_matrix() -> None:
    expected = np.linalg.eigvals(A)
    expected = sorted((one for one in expected if one.imag >= -1e-9), key=abs)
    for method in ("exact", "ritz"):
        modes = fx.modes(cart(), 4, method=method)
        np.testing.assert_allclose(modes.eigenvalues, expected, rtol=1e-9)
        assert modes.certificate


def test_responses_are_those_of_the_state_matrix() -> None:
    omega = np.array([0.3, 2.0, 7.0])
    by_F, by_G = np.array([0, 10, 0, 0]), np.array([0, 10, 0, 1])
    for load, column in (("F", by_F), ("G", by_G)):
        for row, output in ((0, "y"), (2, "z"), (3, "u")):
            found = fx.frequency_response(cart(), omega, load, output)
            expected = [np.linalg.solve(1j * w * np.eye(4) - A, column)[row] for w in omega]
            np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_a_simulation_follows_an_independent_integrator() -> None:
    t = np.linspace(0, 5, 101)
    run = fx.simulate(cart(), t, initial={"y": 0.2}, inputs={"F": "sin(3*t)", "G": 0.1})

    def rate(t: float, s: Any) -> Any:
        return A @ s + np.array([0, 10, 0, 0]) * np.sin(3 * t) + 0.1 * np.array([0, 10, 0, 1])

    expected = scipy.integrate.solve_ivp(rate, (0, 5), [0.2, 0, 0.3, 0], "DOP853", t, rtol=1e-12, atol=1e-13).y
    for row, name in enumerate(("y", "y_t", "z", "u")):
        np.testing.assert_allclose(run[name], expected[row], atol=1e-9)
    np.testing.assert_allclose(run["z_t"], -2 * run["z"] + run["y_t"], atol=1e-12)
    assert run.energy.error < 1e-8
    np.testing.assert_allclose(run.energy.kinetic, 0.1 * run["y_t"] ** 2 / 2, atol=1e-12)
    potential = 3 * run["y"] ** 2 / 2
    gained = run.energy.supplied - run.energy.dissipated  # by the loads, of which the states hold nothing
    np.testing.assert_allclose(gained, run.energy.kinetic + potential - potential[0], atol=1e-8)
    assert not [name for name in (*run, *run.error.time) if "$" in name]


def test_initial_overrides_and_events_see_states() -> None:
    t = np.linspace(0, 2, 21)
    run = fx.simulate(cart(), t, initial={"z": -1.0}, events={"zero": "z + 0.1", "seen": lambda t, s: s["z"] + 0.5})
    assert run["z"][0] == -1.0
    for name, level in (("zero", -0.1), ("seen", -0.5)):
        expected = scipy.linalg.expm(A * run.events[name][0]) @ np.array([0, 0, -1.0, 0])
        assert expected[2] == pytest.approx(level, abs=1e-8)
    with pytest.raises(fx.FlexuraError, match="The initial z_t cannot be given"):
        fx.simulate(cart(), t, initial={"z_t": 1.0})


def test_equilibrium_and_accelerations() -> None:
    # -3 y + u + F + G = 0, z = 0, u = G
    rest = fx.equilibrium(cart(), values={"F": 2.0, "G": 0.5})
    assert rest["y"] == pytest.approx(1.0)
    assert rest["z"] == pytest.approx(0.0, abs=1e-12)
    assert rest["u"] == pytest.approx(0.5)
    state = {"y": 0.1, "y_t": -0.4, "z": 0.7, "u": 1.1}
    found = fx.accelerations(cart(), state)
    expected = A @ np.array(list(state.values()))
    assert found == pytest.approx({"y": expected[1], "z_t": expected[2], "u_t": expected[3]})
    assert fx.derive(cart().lagrangian).mass_matrix.shape == (1, 1)


def test_linearised_about_a_working_point() -> None:
    """z_t = y - z^2 about y = z = 1 is dz_t = dy - 2 dz, and starts where z does."""
    mass = fx.Mass("c", 1.0)
    equations = fx.derive(
        fx.Model(
            fx.Slide(fx.ground, mass, name="y"),
            fx.Spring(fx.ground, mass, k=4.0),
            fx.State("z", "y - z**2", initial=1.25),
            fx.Force(mass, "F - z_t"),
            fx.Force(mass, "F"),
        )
    )
    about = {"y": 1.0, "z": 1.0}
    linear = fx.linearise(equations, about=about, values={"F": 2.0})
    J = np.array([[0, 1, 0], [-4 - 1, 0, 2], [1, 0, -2]], dtype=float)
    expected = sorted((one for one in np.linalg.eigvals(J) if one.imag >= -1e-9), key=abs)
    np.testing.assert_allclose(fx.modes(linear, 3).eigenvalues, expected, rtol=1e-9)
    t = np.linspace(0, 1, 11)
    run = fx.simulate(linear, t)
    np.testing.assert_allclose(run["z"], [(scipy.linalg.expm(J * s) @ [0, 0, 0.25])[2] for s in t], atol=1e-9)


def test_an_integrator_that_nothing_reads_is_one_zero_root() -> None:
    mass = fx.Mass("c", 1.0)
    model = fx.Model(
        fx.Slide(fx.ground, mass, name="y"),
        fx.Spring(fx.ground, mass, k=4.0),
        fx.Damper(fx.ground, mass, c=0.4),
        fx.State("z", "y"),
    )
    for method in ("exact", "ritz"):
        found = fx.modes(fx.derive(model), 5, method=method).eigenvalues
        np.testing.assert_allclose(found, [0, -0.2 + 1j * np.sqrt(4 - 0.04)], atol=1e-10)


@pytest.mark.parametrize("scale", [1.0, 1e6, 1e-6])
def test_the_decay_of_a_closed_loop_is_its_eigenvalue(scale: float) -> None:
    """PID on a flexible arm: started in a mode, it decays as that root says, whatever units the state has."""
    equations = arm(scale)
    exact, ritz = (fx.modes(equations, 5, method=method).eigenvalues for method in ("exact", "ritz"))
    np.testing.assert_allclose(exact, ritz, rtol=1e-8)
    assert exact[0].imag == 0  # the integral's own root, and the pair of the arm that it drives
    linear, modes, t = fx.linearise(equations), fx.modes(equations, 3), np.linspace(0, 1.5, 16)
    for k in (0, 1):
        s, shape = modes.eigenvalues[k], modes.shape(k)
        size = 1 / abs(shape["th"])
        start: dict[str, Any] = {"z": (size * shape["z"]).real}
        for name, factor in (("", size), ("_t", size * s)):
            start[f"th{name}"] = (factor * shape["th"]).real
            start[f"w_beam{name}"] = lambda x, factor=factor, shape=shape: np.real(factor * shape["w_beam"](x))
        run = fx.simulate(linear, t, initial=start, order=8)
        for name in ("th", "z"):
            expected = (size * shape[name] * np.exp(s * t)).real
            np.testing.assert_allclose(run[name], expected, rtol=1e-6, atol=1e-6 * abs(expected).max())


@settings(max_examples=15, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.integers(1, 3), st.integers(1, 3))
def test_random_loops_have_the_roots_of_their_state_matrices(seed: int, masses: int, states: int) -> None:
    """M y'' + C y' + K y = B z, z' = P y + Q y' + R z with random numbers."""
    draw = np.random.default_rng(seed)
    C, K = (draw.normal(size=(masses, masses)).round(2) for _ in range(2))
    B, R = draw.normal(size=(masses, states)).round(2), draw.normal(size=(states, states)).round(2)
    P, Q = (draw.normal(size=(states, masses)).round(2) for _ in range(2))
    m = draw.uniform(0.5, 2, masses).round(2)
    bodies = [fx.Mass(f"m{i}", m[i]) for i in range(masses)]
    things: list[Any] = [fx.Slide(fx.ground, body, name=f"y{i}") for i, body in enumerate(bodies)]

    def total(row: Any, names: list[str]) -> str:
        return " + ".join(f"({one!r})*{name}" for one, name in zip(row.tolist(), names, strict=True))

    y, v, z = (
        [f"{stem}{i}{end}" for i in range(n)]
        for stem, n, end in (("y", masses, ""), ("y", masses, "_t"), ("z", states, ""))
    )
    for i, body in enumerate(bodies):
        things.append(fx.Force(body, f"{total(-K[i], y)} + {total(-C[i], v)} + {total(B[i], z)}"))
    for i in range(states):
        things.append(fx.State(f"z{i}", f"{total(P[i], y)} + {total(Q[i], v)} + {total(R[i], z)}"))
    W = np.diag(1 / m)
    whole = np.block(
        [[np.zeros((masses, masses)), np.eye(masses), np.zeros((masses, states))], [-W @ K, -W @ C, W @ B], [P, Q, R]]
    )
    expected = sorted((one for one in np.linalg.eigvals(whole) if one.imag >= -1e-9), key=abs)
    equations = fx.derive(fx.Model(*things))
    found = fx.modes(equations, 20).eigenvalues
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-8)
    start = draw.normal(size=masses).round(2)
    run = fx.simulate(equations, [0, 0.4, 0.8], initial=dict(zip(y, start.tolist(), strict=True)))
    state = scipy.linalg.expm(0.8 * whole) @ np.concatenate([start, np.zeros(masses + states)])
    np.testing.assert_allclose([run[name][-1] for name in (*y, *v, *z)], state, rtol=1e-6, atol=1e-7)
