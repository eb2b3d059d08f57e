"""Every registered stepper through the same trials: order, energy, constraints, events, dense output, restart, jumps.

A stepper that is added to the table is tried here without a word more.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import flexura as fx
from flexura.solve.runs.matrices import simulate_system
from flexura.solve.steppers.generalized_alpha import USUAL, generalized_alpha
from flexura.solve.steppers.linear_exact import LinearMotion
from flexura.solve.steppers.mechanics import Mechanics
from flexura.solve.steppers.norm import Norm
from flexura.solve.steppers.pace import Pace
from flexura.solve.steppers.run import Options, follow
from flexura.solve.steppers.table import STEPPERS, Stepper, register
from flexura.solve.steppers.varying import AlphaStepper, MatricesAt
from flexura.systems.linear_motion import motion_of
from flexura.systems.nonlinear import InputSlot
from hand_systems import NONE, constrained_pendulum

M, K = np.diag([2.0, 1.0]), np.array([[30.0, -10.0], [-10.0, 20.0]])
SYSTEM = fx.SecondOrderSystem(M, 0.01 * K, K, F=[1.0, 0.0], dofs=("p", "q"))
STATES = motion_of(SYSTEM, SYSTEM.F[:, None], (InputSlot("F", 0),))
FREE = motion_of(SYSTEM.with_(D=None), np.zeros((2, 0)), ())
START = np.array([0.1, 0.0]), np.array([0.0, 0.3])
T = np.linspace(0, 3, 61)
ON_STATES = [name for name, one in STEPPERS.items() if one.on_states]
ON_MATRICES = [name for name, one in STEPPERS.items() if one.on_matrices]
WAYS = [(name, STATES) for name in ON_STATES] + [(name, SYSTEM) for name in ON_MATRICES]
EVERY = pytest.mark.parametrize(("name", "system"), WAYS, ids=[f"{n} of {type(s).__name__}" for n, s in WAYS])


def low(name):
    """Whether a stepper is of low order, so that much accuracy would take long."""
    return STEPPERS[name].order is not None and STEPPERS[name].order <= 2


def middle(name):
    """Whether it is of an order between."""
    return STEPPERS[name].order is not None and 2 < STEPPERS[name].order <= 4


def followed(name, system, t=T, start=START, force="sin(2*t)", **more):
    """A run as good as the order allows in little time; how good that is."""
    how = {"tolerance": 1e-4 if low(name) else 1e-9}
    if system is SYSTEM and low(name) and not more:
        how = {"step": 2e-3, **({"radius": 0.8} if name == "generalized_alpha" else {})}
    return fx.simulate(system, t, start, {"F": force}, method=name, **how, **more), 3e-4 if low(name) else 1e-9


def truth(t, force):
    """By a program of somebody else's."""

    def rates(s, z):
        return np.concatenate([z[2:], np.linalg.solve(M, force(s) * SYSTEM.F - 0.01 * K @ z[2:] - K @ z[:2])])

    z = np.concatenate(START)
    found = [z]
    for a, b in pairwise(t):
        z = solve_ivp(rates, (a, b), z, "DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
        found.append(z)
    return np.array(found)


TRUTH = truth(T, lambda s: np.sin(2 * s))
SIZE = np.abs(TRUTH).max(axis=0)


def off(run, wanted=TRUTH):
    found = np.column_stack([run[name] for name in ("p", "q", "p_t", "q_t")])
    return float((np.abs(found - wanted) / SIZE).max())


@EVERY
def test_the_motion_at_any_times(name, system):
    """Dense output: the times that are asked for are not those of the steps."""
    run, close = followed(name, system)
    assert run.complete
    assert off(run) < close
    balance = np.column_stack([run["p_tt"], run["q_tt"]]) @ M + TRUTH[:, 2:] @ (0.01 * K) + TRUTH[:, :2] @ K
    balance[:, 0] -= np.sin(2 * T)
    assert np.abs(balance).max() < 30 * close * np.abs(TRUTH[:, :2] @ K).max()


def ends(name, tolerance):
    """The number of steps and the error at the end, of a stepper by itself."""
    mechanics = Mechanics(STATES, lambda t: np.sin(2 * np.asarray(t, dtype=float))[..., None])
    start = mechanics.state(0.0, *START)
    norm, pace = Norm.of(mechanics, start, mechanics.newton(start)), Pace(0.01, 3.0)
    states = list(STEPPERS[name].on_states(mechanics, norm, start, 3.0, tolerance, pace))
    assert states[-1].t == 3.0
    return len(states), np.abs(states[-1].q - TRUTH[-1, :2]).max()


@pytest.mark.parametrize("name", ON_STATES)
def test_the_order_on_states(name):
    tolerances = (1e-3, 1e-4, 1e-5) if low(name) else (1e-6, 1e-7, 1e-8, 1e-9)
    steps, errors = zip(*(ends(name, one) for one in tolerances), strict=True)
    rate = -np.polyfit(np.log(steps), np.log(errors), 1)[0]
    assert rate > STEPPERS[name].order - 0.7


@pytest.mark.parametrize("name", ON_MATRICES)
def test_the_order_on_matrices(name):
    if STEPPERS[name].order is None:
        assert off(simulate_system(SYSTEM, T, START, {"F": "sin(2*t)"}, method=name)) < 1e-11
        far = simulate_system(SYSTEM, [0.0, 3.0], START, {"F": "sin(2*t)"}, method=name)
        assert far["p"][-1] == pytest.approx(TRUTH[-1, 0], abs=1e-11)
        return
    lengths = np.array([0.025, 0.0125, 0.00625])
    errors = [off(simulate_system(SYSTEM, T, START, {"F": "sin(2*t)"}, method=name, step=h)) for h in lengths]
    assert np.polyfit(np.log(lengths), np.log(errors), 1)[0] == pytest.approx(STEPPERS[name].order, abs=0.2)


@EVERY
def test_the_energies_balance(name, system):
    run, close = followed(name, system)
    assert run.energy.error < close
    free = FREE if system is STATES else SYSTEM.with_(D=None, F=None)
    kept = fx.simulate(free, T, START, method=name, **({"step": 2e-3} if low(name) and system is SYSTEM else
                                                      {"tolerance": 1e-4 if low(name) else 1e-9}))  # fmt: skip
    assert np.ptp(kept.energy.total) < close * kept.energy.total[0]


@pytest.mark.parametrize("name", [one for one in ON_STATES if STEPPERS[one].constraints])
def test_constraints_are_met(name):
    mechanics = Mechanics(constrained_pendulum(), lambda t: NONE)
    start = mechanics.state(0.0, np.array([1.0, 0.0]), np.array([0.0, 0.0]))
    found = follow(mechanics, start, 3.0, Options(local=1e-5 if low(name) else 1e-10, method=name))
    assert found.complete
    for state in found.history.states:
        A, b = mechanics.system.velocity(state.t, state.q)
        assert np.abs(mechanics.system.position(state.t, state.q)).max() < 1e-11
        assert np.abs(A @ state.v + b).max() < 1e-10


@pytest.mark.parametrize("name", ON_STATES)
@pytest.mark.parametrize("kind", ["equations", "matrices"])
def test_events_are_found_and_end_the_run(name, kind):
    system = STATES if kind == "equations" else SYSTEM
    run, close = followed(name, system, events={"through": "p", "level": lambda t, state: state["q"] - 0.02})
    wanted = [np.interp(t, T, TRUTH[:, 0]) for t in run.events["through"]]
    assert len(run.events["through"]) == np.count_nonzero(np.diff(np.sign(TRUTH[:, 0])))
    assert np.abs(wanted).max() < 2e-3  # as far as straight lines tell
    short, _ = followed(name, system, events={"through": "p"}, stop="through")
    assert short.stopped
    late = 1e-7 if middle(name) else 10 * close  # a run that ends here has no state beyond for its curve: 1.5e-8
    assert short.t[-1] == pytest.approx(run.events["through"][0], abs=late)
    assert abs(short["p"][-1]) < 1e-9


@pytest.mark.parametrize("name", [one for one in STEPPERS if not STEPPERS[one].events])
def test_without_states_there_are_no_events(name):
    with pytest.raises(fx.FlexuraError, match=f"method='{name}' is for .* without (constraints or )?events; leave the"):
        fx.simulate(SYSTEM, T, START, method=name, events={"through": "p"})


@EVERY
def test_a_restart_gives_the_same_motion(name, system):
    whole, close = followed(name, system)
    half = len(T) // 2
    first, _ = followed(name, system, T[: half + 1])
    state = tuple(np.array([first[f"p{end}"][-1], first[f"q{end}"][-1]]) for end in ("", "_t"))
    second, _ = followed(name, system, T[half:], state)
    assert second["p"] == pytest.approx(whole["p"][half:], abs=close * SIZE[0])
    assert second["q_t"] == pytest.approx(whole["q_t"][half:], abs=close * SIZE[3])


JUMPS = {
    "text": "Piecewise((1, t < 1.2345), (-2, True))",
    "function": lambda t: 1.0 if t < 1.2345 else -2.0,
}


@EVERY
@pytest.mark.parametrize("way", JUMPS)
def test_jumps_of_inputs_are_met(name, system, way):
    run, close = followed(name, system, force=JUMPS[way])
    times = np.union1d(T, 1.2345)
    side = truth(times, lambda s: 1.0)[times <= 1.2345]
    later = solve_ivp(
        lambda s, z: np.concatenate([z[2:], np.linalg.solve(M, -2 * SYSTEM.F - 0.01 * K @ z[2:] - K @ z[:2])]),
        (1.2345, 3.0), side[-1], "DOP853", rtol=1e-12, atol=1e-13, t_eval=times[times > 1.2345],
    ).y.T  # fmt: skip
    wanted = np.vstack([side, later])[np.isin(times, T)]
    assert off(run, wanted) < close


@pytest.mark.parametrize("radius", [0.8])
def test_generalized_alpha_is_one_method(radius):
    """On states and on matrices: the same numbers, where both take the same steps."""
    mechanics, h = Mechanics(STATES, lambda t: np.sin(2 * np.asarray(t, dtype=float))[..., None]), 0.01
    start = mechanics.state(0.0, *START)
    norm = Norm.of(mechanics, start, mechanics.newton(start))
    states = list(generalized_alpha(mechanics, norm, start, 1.0, 1e9, Pace(h, h)))  # whatever the error, steps of h
    linear = AlphaStepper(USUAL)
    x, v, a = start.q, start.v, start.a
    for k in range(len(states)):
        loads = [np.sin(2 * (k + j) * h) * SYSTEM.F for j in (0, 1)]
        f = (1 - USUAL.alpha_f) * loads[1] + USUAL.alpha_f * loads[0]
        x, v, a = linear.step(MatricesAt(SYSTEM.M, SYSTEM.D, None, SYSTEM.K, None, f), h, x, v, a)
    assert len(states) == 100
    assert states[-1].q == pytest.approx(x, abs=1e-13)
    assert states[-1].v == pytest.approx(v, abs=1e-12)
    assert linear.factorizations == 1


# -- one from outside --------------------------------------------------------------------------------------------------


def midpoint(mechanics, norm, start, end, tolerance, pace):
    """Explicit midpoint steps, as short as a tenth of the tolerance's root."""
    state, h = start, 0.02 * tolerance**0.5
    while state.t < end:
        step = min(h, end - state.t, pace.scales.reach(state.t))
        q, v = state.q + step / 2 * state.v, state.v + step / 2 * state.a
        a, _ = mechanics.acceleration(state.t + step / 2, q, v)
        state = mechanics.state(state.t + step, state.q + step * v, state.v + step * a)
        norm.see(state)
        pace.accept(step, step)
        yield state


def test_a_stepper_from_outside():
    register(Stepper("midpoint", 2, midpoint))
    try:
        run = fx.simulate(SYSTEM, T, START, {"F": "sin(2*t)"}, method="midpoint", tolerance=0.1)
        assert off(run) < 1e-3
        assert "midpoint steps" in run.notes[-1]
        with pytest.raises(fx.FlexuraError, match="There is a stepper 'midpoint' already"):
            register(Stepper("midpoint", 2, midpoint))
    finally:
        del STEPPERS["midpoint"]
    with pytest.raises(fx.FlexuraError, match="follows nothing"):
        register(Stepper("nothing", 2))


def verlet(system, t, x, v, signals, step, radius):
    """Steps of Verlet's from point to point of t, on a grid that is given."""
    inverse = np.linalg.inv(system.M)

    def pull(s, x, v):
        return inverse @ (signals.B @ signals.at(np.array([s]))[0] - system.D @ v - system.K @ x)

    rows = [(x, v, pull(t[0], x, v))]
    for a, b in pairwise(t):
        x, v, _ = rows[-1]
        cuts = int(np.ceil((b - a) / step))
        h = (b - a) / cuts
        for i in range(cuts):
            v = v + h / 2 * pull(a + i * h, x, v)
            x = x + h * v
            v = v + h / 2 * pull(a + (i + 1) * h, x, v)
        rows.append((x, v, pull(b, x, v)))
    X, V, A = (np.array([row[k] for row in rows]) for k in range(3))
    return LinearMotion(X, V, A, np.zeros(len(t)), np.zeros(len(t)))


def test_a_stepper_of_matrices_from_outside():
    register(Stepper("verlet", 2, on_matrices=verlet))
    try:
        errors = [off(fx.simulate(SYSTEM, T, START, {"F": "sin(2*t)"}, method="verlet", step=h)) for h in (2e-3, 1e-3)]
        assert errors[0] < 1e-3
        assert errors[1] < 0.6 * errors[0]
        with pytest.raises(fx.FlexuraError, match="method='verlet' is for systems of matrices, and without events"):
            fx.simulate(SYSTEM, T, START, method="verlet", events={"e": "p"})
    finally:
        del STEPPERS["verlet"]
