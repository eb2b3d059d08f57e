"""How far a run may be from the true motion, told beside its balances; and balances that give no false alarm."""

import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import flexura as fx

q = fx.Coordinate("q")
STEADY = settings(
    max_examples=6,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
)


def silent(run):
    return not any("energy balance" in note or "momentum" in note or "may be off" in note for note in run.notes)


# -- no false alarms --------------------------------------------------------------------------------------------------


@STEADY
@given(st.floats(0.2, 2.5), st.integers(1, 12), st.floats(0.5, 20.0))
def test_two_times_are_enough_for_a_balance(amplitude, turns, stiffness):
    equations = fx.derive(fx.Lagrangian(kinetic=q.t**2 / 2, potential=-stiffness * fx.cos(q)))
    period = 4 * ellipk(np.sin(amplitude / 2) ** 2) / np.sqrt(stiffness)
    run = fx.simulate(equations, [0.0, turns * period], initial={"q": amplitude})
    assert run["q"][-1] == pytest.approx(amplitude, abs=1e-6)  # back where it started, with nothing moving
    assert run.energy.error < 1e-8
    assert run.energy.scale > 0.9 * stiffness * (1 - np.cos(amplitude))
    assert silent(run)


def test_two_times_are_enough_for_an_exact_motion():
    equations = fx.derive(fx.Lagrangian(kinetic=q.t**2 / 2, potential=2 * q**2, work={q: fx.Input("F")}))
    run = fx.simulate(equations, [0.0, 10 * np.pi], initial={"q_t": 1.0}, inputs={"F": "sin(3*t)"})
    assert "Propagated exactly." in run.notes
    assert run.energy.error < 1e-8
    assert run.energy.scale > 0.3


@pytest.mark.parametrize("stiffness", [1e3, 1e5, 1e7])
def test_a_contact_that_pushes_in_few_states_is_in_the_balance(stiffness):
    law = {q: "Piecewise((-k*q, q < 0), (0, True))"}
    equations = fx.derive(fx.Lagrangian(kinetic=q.t**2 / 2, potential=9.81 * q, work=law))
    t = np.linspace(0, 2, 201)
    run = fx.simulate(equations, t, initial={"q": 1.0}, values={"k": stiffness})
    fall, w = np.sqrt(2 / 9.81), np.sqrt(stiffness)
    turn = 2 * (np.pi - np.arctan2(np.sqrt(2 * 9.81), 9.81 / w))  # of the half swing in contact, about -g/k
    contact = turn / w
    since = np.mod(t + fall + contact, 2 * fall + contact)  # the last touch
    down = 9.81 / w**2
    swing = -down + down * np.cos(w * since) - np.sqrt(2 * 9.81) / w * np.sin(w * since)
    flight = np.sqrt(2 * 9.81) * (since - contact) - 9.81 / 2 * (since - contact) ** 2
    assert run["q"] == pytest.approx(np.where(since < contact, swing, flight), abs=1e-6)
    assert run.energy.error < 1e-8
    assert silent(run)


@pytest.mark.parametrize("stiffness", [1e4, 1e6])
def test_a_contact_that_loses_energy_is_in_the_balance(stiffness):
    law = {q: "Piecewise((-k*q - 10*q_t, q < 0), (0, True))"}
    equations = fx.derive(fx.Lagrangian(kinetic=q.t**2 / 2, potential=9.81 * q, work=law))
    run = fx.simulate(equations, np.linspace(0, 1.2, 7), initial={"q": 1.0}, values={"k": stiffness})
    assert run.complete
    assert run.energy.error < 1e-8
    assert silent(run)


# -- and the errors that balances do not see --------------------------------------------------------------------------


def double_pendulum():
    a, b = fx.RigidBody("a", m=1, I=0.1), fx.RigidBody("b", m=1, I=0.1)
    joints = fx.Revolute(fx.ground, a.at(-0.5), name="p1"), fx.Revolute(a.at(0.5), b.at(-0.5), name="p2")
    return fx.derive(fx.Model(*joints, fx.Gravity(9.81)))


def test_a_chaotic_run_tells_that_it_is_lost():
    equations, t = double_pendulum(), np.linspace(0, 20, 101)
    run = fx.simulate(equations, t, initial={"p1": 2.0})
    true = fx.simulate(equations, t, initial={"p1": 2.0}, tolerance=1e-10)
    assert run.energy.error < 1e-8
    off = np.abs(run["p1"] - true["p1"])
    assert off.max() > 0.3
    assert off.max() / 10 < run.error.time["p1"] < 30 * off.max()
    assert run.error.time_share > 0.3
    assert run.error.growth > 1e6
    (told,) = [note for note in run.notes if "may be off" in note]
    until = float(told.partition("up to t = ")[2].split()[0])
    assert off[t <= until].max() < 0.1  # what is said to be known is
    assert "does not prove" in str(run.energy)
    assert "linearised" in str(run.error)


def test_a_plain_pendulum_knows_its_error():
    equations, t = fx.derive(fx.Lagrangian(kinetic=q.t**2 / 2, potential=-4 * fx.cos(q))), np.linspace(0, 20, 101)
    true = fx.simulate(equations, t, initial={"q": 2.0}, tolerance=1e-13)
    for tolerance in (1e-4, 1e-6, 1e-8, 1e-10):
        run = fx.simulate(equations, t, initial={"q": 2.0}, tolerance=tolerance)
        off = np.abs(run["q"] - true["q"]).max()
        assert off / 10 < run.error.time["q"] < 30 * off
        assert silent(run)


@st.composite
def systems(draw):
    """Masses in a row on springs that harden or soften, driven, damped, hung by a bar of fixed length, or tumbling."""
    number = st.floats(0.3, 2.0).map(lambda one: round(one, 2))
    count = draw(st.integers(1, 3))
    z = [fx.Coordinate(f"z{k}") for k in range(count)]
    kinetic = sum((draw(number) * one.t**2 / 2 for one in z), 0 * z[0])
    between = [after - before for before, after in zip([0 * z[0], *z], z, strict=False)]
    potential = sum((draw(number) * 4 * one**2 / 2 + draw(number) * one**4 for one in between), 0 * z[0])
    if draw(st.booleans()):
        potential = potential - 3 * fx.cos(z[0])
    loss = draw(st.sampled_from([0.0, 0.2])) * z[-1].t ** 2 / 2
    work = {z[0]: "cos(1.3*t)"} if draw(st.booleans()) else {}
    held = [z[0] ** 2 + z[-1] ** 2 - 1.0] if count == 3 and draw(st.booleans()) else []
    start = {"z0": 1.0, "z2": 0.0} if held else {"z0": draw(number), f"z{count - 1}_t": draw(number)}
    parts = fx.Lagrangian(kinetic=kinetic, potential=potential, dissipation=loss, work=work, constraints=held)
    return parts, start


@settings(STEADY, max_examples=8)
@given(systems(), st.sampled_from([1e-5, 1e-7, 1e-9]), st.sampled_from([None, "radau", "explicit"]))
def test_the_estimate_is_honest(drawn, tolerance, method):
    parts, start = drawn
    equations, t = fx.derive(parts), np.linspace(0, 8, 41)
    run = fx.simulate(equations, t, initial=start, tolerance=tolerance, method=method)
    true = fx.simulate(equations, t, initial=start, tolerance=1e-13)
    off = {name: np.abs(run[name] - true[name]).max() for name in equations.coordinates}
    told, worst = max(run.error.time.values()), max(off.values())
    assert worst / 10 - 1e-12 < told < 30 * worst + 1e-11
    assert silent(run)


def test_members_tell_what_steps_shapes_and_theory_leave_out():
    hub = fx.RigidBody("hub", m=1, I=0.3)
    arm = fx.EulerBernoulliBeam("arm", EI=20.0, rho=0.5, length=1.0, field="w")
    parts = fx.Revolute(fx.ground, hub, name="theta"), fx.Fixed(hub, arm.start), fx.Torque(hub, "tau")
    equations, t = fx.derive(fx.Model(*parts)), np.linspace(0, 0.5, 101)
    run = fx.simulate(equations, t, inputs={"tau": "2*sin(4*pi*t)"})
    fine = fx.simulate(equations, t, inputs={"tau": "2*sin(4*pi*t)"}, order=14)
    tip, true = run.place(arm, 1.0), fine.place(arm, 1.0)
    share = np.abs(tip - true).max() / np.abs(true).max()
    assert share / 10 < run.error.shapes["w"] < max(30 * share, 1e-3)
    assert run.error.time["w"] < 1e-5
    assert run.error.share < 2e-3
    assert 0.01 < fx.simulate(equations, t, order=4, inputs={"tau": 1.0}).error.shapes["w"] < 1


def test_the_estimate_does_not_depend_on_how_many_steps_are_taken_together(monkeypatch):
    from flexura.solve.steppers import error

    equations = fx.derive(fx.Lagrangian(kinetic=q.t**2 / 2, potential=-9.0 * fx.cos(q)))

    def estimate():
        return fx.simulate(equations, np.linspace(0, 9, 5), initial={"q": 3.0}).error

    whole = estimate()
    monkeypatch.setattr(error, "_TOGETHER", 0)
    monkeypatch.setattr(error, "_LEAST_TOGETHER", 3)
    assert estimate().time == pytest.approx(whole.time, rel=1e-6)
    assert estimate().growth == pytest.approx(whole.growth, rel=1e-6)


def tumbling() -> fx.Equations:
    """A double pendulum that is chaotic."""
    upper, lower = (fx.RigidBody(name, m=1.0, I=0.01) for name in ("upper", "lower"))
    joints = (
        fx.Revolute(fx.ground, upper.at(-0.5, 0), name="p"),
        fx.Revolute(upper.at(0.5, 0), lower.at(-0.5, 0), name="q"),
    )
    return fx.derive(fx.Model(*joints, fx.Gravity(9.81)))


@pytest.mark.parametrize("method", ["radau", "explicit"])
@pytest.mark.parametrize("start", [(1.52, 0.9), (0.79, 0.9), (1.12, -0.15), (2.2, -0.2)])
def test_no_error_of_a_chaotic_run_is_ten_times_what_is_told(method, start):
    """Where nothing is left of it, too: an angle that tumbles otherwise is off by many turns, not by a swing."""
    equations, t, initial = tumbling(), np.linspace(0, 12, 61), dict(zip("pq", start, strict=True))
    near = fx.simulate(equations, t, initial=initial, tolerance=1e-13)
    run = fx.simulate(equations, t, initial=initial, method=method, tolerance=1e-6)
    for name in "pq":
        true = np.abs(run[name] - near[name]).max()
        assert true < 10 * run.error.time[name] + near.error.time[name]
        assert run.error.time[name] <= np.ptp(run[name]) * 1.5


def test_errors_beyond_all_numbers_are_as_large_as_the_motion(monkeypatch):
    """As of a chaotic run that lasts: a change of its start grows by more than a number can hold."""
    monkeypatch.setattr(
        "flexura.solve.runs.run_error.time_errors",
        lambda mechanics, curve, *most: (curve.t, np.full(curve.q.shape, np.inf), np.inf),
    )
    equations = fx.derive(fx.Lagrangian(kinetic=q.t**2 / 2, potential=q**2 / 2 + q**4))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        run = fx.simulate(equations, np.linspace(0, 10, 11), initial={"q": 1.0})
    assert run.error.time["q"] == pytest.approx(2.0, rel=1e-2)
    assert run.error.time_share == 1.0
    assert any("may be off by as much as q" in note for note in run.notes)


def four_bars(count: int) -> tuple[fx.Equations, dict[str, float]]:
    """The IFToMM benchmark A02: parallelograms of links of 1 m and 1 kg in a row, upright, which swing as one angle."""
    cranks = [fx.RigidBody(f"crank{i}", 1.0, 1 / 12) for i in range(count + 1)]
    couplers = [fx.RigidBody(f"coupler{i}", 1.0, 1 / 12) for i in range(count)]
    joints = [fx.Revolute(fx.ground.at(i, 0), one.at(-0.5), name=f"q{i}") for i, one in enumerate(cranks)]
    for i, one in enumerate(couplers):
        joints.append(fx.Revolute(cranks[i].at(0.5), one.at(-0.5), name=f"p{i}"))
        joints.append(fx.Revolute(one.at(0.5), cranks[i + 1].at(0.5), name=f"r{i}"))
    start = {f"q{i}": np.pi / 2 for i in range(count + 1)} | {f"p{i}": -np.pi / 2 for i in range(count)}
    rates = {f"q{i}_t": -1.0 for i in range(count + 1)} | {f"p{i}_t": 1.0 for i in range(count)}
    return fx.derive(fx.Model(*joints, fx.Gravity(along="-y"))), start | rates


@pytest.mark.parametrize("count", [1, 2, 4])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-8])
def test_loops_that_pass_flat_positions_keep_their_errors(count, tolerance):
    """All cranks lie flat several times in 10 s, where conditions repeat one another: one angle, followed by SciPy."""
    equations, start = four_bars(count)
    t = np.linspace(0, 10, 201)
    run = fx.simulate(equations, t, initial=start, tolerance=tolerance)
    inertia, weight = (count + 1) / 3 + count, 9.81 * ((count + 1) / 2 + count)
    exact = solve_ivp(
        lambda t, y: [y[1], -weight * np.cos(y[0]) / inertia], (0, 10), [np.pi / 2, -1.0], "DOP853", t, rtol=1e-13,
        atol=1e-14,
    ).y[0]  # fmt: skip
    off = np.abs(run["q0"] - exact).max()
    assert off <= run.error.time["q0"] <= 100 * off
    assert not any("may be off" in note for note in run.notes)


@pytest.mark.parametrize("tolerance", [1e-6, 1e-8])
def test_a_pendulum_in_two_coordinates_keeps_its_errors(tolerance):
    x, y = fx.Coordinate("x"), fx.Coordinate("y")
    energies = fx.Lagrangian(kinetic=(x.t**2 + y.t**2) / 2, potential=9.81 * y, constraints={"rod": x**2 + y**2 - 1})
    t = np.linspace(0, 10, 201)
    run = fx.simulate(fx.derive(energies), t, initial={"x": 1.0, "y": 0.0}, tolerance=tolerance)
    angle = solve_ivp(
        lambda t, s: [s[1], -9.81 * np.cos(s[0])], (0, 10), [0.0, 0.0], "DOP853", t, rtol=1e-13, atol=1e-14
    ).y[0]
    off = max(np.abs(run["x"] - np.cos(angle)).max(), np.abs(run["y"] - np.sin(angle)).max())
    assert off <= max(run.error.time.values()) <= 100 * off
