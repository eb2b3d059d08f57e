"""Periodic loads that jump, bend or are tables: against the motion from one jump to the next by exponentials."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import flexura as fx

A, B = np.array([[0.0, 1.0], [-4.0, -0.2]]), np.array([0.0, 1.0])


def oscillator():
    mass = fx.Mass("m", m=1.0)
    return fx.derive(
        fx.Model(
            fx.Slide(fx.ground, mass, name="y"),
            fx.Spring(fx.ground, mass, k=4.0),
            fx.Damper(fx.ground, mass, c=0.2),
            fx.Force(mass, "F"),
        )
    )


def of_square_wave(times, half=1.0):
    """The steady motion under 1 for half a period and -1 for the other: it comes back with the other sign."""

    def after(x, t, force):
        return expm(A * t) @ x + force * np.linalg.solve(A, (expm(A * t) - np.eye(2)) @ B)

    start = -np.linalg.solve(np.eye(2) + expm(A * half), after(np.zeros(2), half, 1.0))
    return np.array([(after(start, t, 1.0) if t < half else after(-start, t - half, -1.0))[0] for t in times])


@pytest.mark.parametrize(
    "load",
    [
        "sign(sin(pi*t))",
        "Piecewise((1, t < 1), (-1, True))",
        "1 - 2*step(t - 1)",
        lambda t: 1.0 if t % 2 < 1 else -1.0,
    ],
    ids=["sign", "pieces", "step", "function"],
)
def test_a_square_wave_is_exact_however_it_is_written(load):
    found = fx.periodic_response(oscillator(), {"F": load}, "y", period=2.0)
    assert found == pytest.approx(of_square_wave(found.t), abs=1e-8)  # 1023 harmonics
    assert found.error < 1e-6
    repeated = isinstance(load, str) and "sign" not in load
    assert bool(found.notes) == repeated


def test_tables_and_records_are_straight_lines():
    equations = oscillator()
    when, values = np.array([0, 0.3, 1.0, 1.7, 2.0]), np.array([-1.0, -0.5, 0, 0.5, -1.0])
    uneven = fx.periodic_response(equations, {"F": (when, values)}, "y")
    assert uneven.period == 2.0
    same = [
        fx.periodic_response(equations, {"F": given}, "y", period=2.0)
        for given in ((when[:-1], values[:-1]), lambda t: float(np.interp(t, when, values)))
    ]
    assert same[0] == pytest.approx(uneven, abs=1e-14)
    assert same[1] == pytest.approx(uneven, abs=1e-7)
    even, listed = (
        fx.periodic_response(equations, {"F": given}, "y", period=2.0)
        for given in ((0.5, values[:4]), values[:4])
    )  # fmt: skip
    assert even == pytest.approx(listed, abs=1e-15)
    jumping = fx.periodic_response(equations, {"F": (np.array([0, 2.0]), np.array([-1.0, 1.0]))}, "y")
    saw = fx.periodic_response(equations, {"F": lambda t: t % 2 - 1}, "y", period=2.0)
    assert jumping == pytest.approx(saw, abs=1e-12)
    with pytest.raises(fx.FlexuraError, match="give a record of one period"):
        fx.periodic_response(equations, {"F": (when, values)}, "y", period=1.0)


def test_what_bends_is_exact_as_text():
    bent = fx.periodic_response(oscillator(), {"F": "abs(sin(3*t))"}, "y", period=np.pi / 3)
    k = np.arange(1, 400)
    a = -4 / np.pi / (4 * k**2 - 1)  # |sin x| = 2/pi - 4/pi sum cos(2kx)/(4k^2 - 1)
    exact = 2 / np.pi / 4 + np.real(np.exp(6j * np.outer(bent.t, k)) @ (a / (4 - 36 * k**2 + 1.2j * k)))
    assert bent == pytest.approx(exact, abs=1e-9)


def test_nonlinear_motions_take_repeated_text():
    q, F = fx.Coordinate("q"), fx.Input("F")
    duffing = fx.Lagrangian(kinetic=q.t**2 / 2, potential=q**2 / 2 + q**4 / 4, dissipation=0.1 * q.t**2, work={q: F})
    found = fx.periodic_response(duffing, {"F": "Piecewise((0.3, t < 2), (-0.3, True))"}, ["q", "q_t"], 4.0)
    assert found.notes
    state = np.asarray(found[0])
    for force, span in ((0.3, (0.0, 2.0)), (-0.3, (2.0, 4.0))):
        seen = solve_ivp(
            lambda t, y, f=force: [y[1], f - y[0] - y[0] ** 3 - 0.2 * y[1]], span, state, rtol=1e-10, atol=1e-12
        )
        state = seen.y[:, -1]
    assert state == pytest.approx(np.asarray(found[0]), abs=1e-8)  # it comes back


def test_no_output_hides_the_doubt_of_another():
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.0)
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    t = np.linspace(0, 0.2, 5)
    alone = fx.step_response(model, t, "F", beam.end)
    with pytest.warns(UserWarning, match="may be off"):
        both = fx.step_response(model, t, "F", [beam.end, fx.Internal(beam, 0, "moment")])
    assert 0 < alone.error < 1e-6 < both.error
    with pytest.warns(UserWarning, match="may be off"):
        struck = fx.impulse_response(model, t, "F", beam.end)
    with pytest.warns(UserWarning, match="may be off"):
        both = fx.impulse_response(model, t, "F", [beam.end, fx.Internal(beam, 0, "moment")])
    assert both.error >= struck.error > 1e-6


def test_a_record_keeps_its_own_times():
    system = fx.SecondOrderSystem([[1.0]], [[0.5]], [[8.0]], F=[[1.0]])
    (load,), (name,) = system.input_names, system.names
    wanted = fx.periodic_response(system, {load: "cos(2*t)"}, name)
    t = 0.5 + np.linspace(0, np.pi, 2001)
    found = fx.periodic_response(system, {load: (t, np.cos(2 * t))}, name)
    assert np.asarray(found) == pytest.approx(np.asarray(wanted), abs=1e-6)
