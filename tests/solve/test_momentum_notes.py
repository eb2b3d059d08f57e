"""Runs next to pulses, friction and contacts: a note on momentum where some is missing, and only there."""

import importlib
from dataclasses import replace

import numpy as np
import pytest

import flexura as fx
from flexura.solve.steppers.mechanics import Mechanics

T = np.linspace(0, 5, 51)
PULSES = {
    "jump": "Piecewise((0, t < 1.2), (900, t < 1.203), (0, True))",
    "gauss": "1600*exp(-((t - 2.4)/0.0006)**2)",
    "half sine": "Piecewise((0, t < 1.11), (4383*sin(pi*(t - 1.11)/0.0023), t < 1.1123), (0, True))",
    "steady": "0.5*sin(3*t)",
}
IMPULSES = {"jump": 2.7, "gauss": 0.96 * np.sqrt(np.pi), "half sine": 4383 * 0.0023 * 2 / np.pi}
RESISTING = {
    "tanh": "-1.3*tanh(400*x_t)",
    "quadratic": "-1.4*x_t*abs(x_t)",
    "cubic": "-1.7*x_t**3",
    "contact": "2e4*(abs(-0.05 - x) - 0.05 - x)/2",
    "sign": "-0.05*sign(x_t)",
}


def sliding(resisting, k=400.0, masses=(0.9, 1.7)):
    """Two masses on a spring, free along x but for what resists the first; the second is struck."""
    a, b = fx.Mass("a", m=masses[0]), fx.Mass("b", m=masses[1])
    slides = [fx.Slide(fx.ground, one, along="x", name=name) for one, name in ((a, "x"), (b, "y"))]
    loads = [fx.Force(a, RESISTING[resisting], along="x"), fx.Force(b, "F", along="x")]
    return fx.derive(fx.Model(*slides, fx.Spring(a, b, k=k, along="x"), *loads)), {"x_t": 0.7, "y_t": -0.6}


def tumbling(resisting, EI=None):
    """A free hub with an arm on a rough joint, or with a beam; struck off its centre."""
    hub, arm = fx.RigidBody("hub", m=1.4, I=0.2), fx.RigidBody("arm", m=0.5, I=0.06)
    parts = [fx.Free(fx.ground, hub, names=("x", "y", "theta")), fx.Force(hub.at(0.3, 0.1), "F", along="y")]
    parts.append(fx.Force(hub, RESISTING[resisting], along="x"))
    if EI is None:
        parts += [fx.Revolute(hub.at(0.3, 0), arm.at(-0.4, 0), name="phi"), fx.Torque(arm, "-0.2*phi_t", reaction=hub)]
    else:
        parts.append(fx.Fixed(hub, fx.EulerBernoulliBeam("beam", EI=EI, rho=0.4, length=0.8).start))
    return fx.derive(fx.Model(*parts)), {"x_t": 0.7, "theta_t": 1.5}


MACHINES = [
    *(("sliding", resisting, pulse) for resisting in RESISTING for pulse in PULSES if resisting != "sign"),
    ("sliding", "sign", "half sine"),
    *(("tumbling", resisting, "half sine") for resisting in ("tanh", "quadratic")),
    ("tumbling with a beam", "cubic", "jump"),
]


def machine(kind, resisting):
    if kind == "sliding":
        return sliding(resisting)
    return tumbling(resisting, EI=40.0 if "beam" in kind else None)


def told(run):
    return [note for note in run.notes if note.startswith("The momentum")]


@pytest.mark.parametrize(("kind", "resisting", "pulse"), MACHINES)
def test_a_motion_that_is_right_has_no_note(kind, resisting, pulse):
    equations, start = machine(kind, resisting)
    t = T[T <= 1.5] if "beam" in kind or resisting == "sign" else T
    options = {"inputs": {"F": PULSES[pulse]}, "initial": start, "order": 4 if "beam" in kind else None}
    run = fx.simulate(equations, t, **options)
    tight = fx.simulate(equations, t, tolerance=1e-10, **options)
    assert run.complete
    for name in ("x", "x_t", "y", "y_t"):
        assert run[name] == pytest.approx(tight[name], abs=1e-6 * (1 + np.abs(tight[name]).max()))
    assert not told(run)
    assert run.momentum.error < 1e-7
    assert "x" in run.momentum.errors or "y" in run.momentum.errors


@pytest.mark.parametrize(
    ("resisting", "k", "masses", "start", "pulse"),
    [
        ("cubic", 530.5, (0.117, 0.861), (0.266, -0.239), "163365*exp(-((t - 2.403)/6.1e-5)**2)"),
        ("quadratic", 1160.0, (2.227, 0.645), (0.682, -0.22), PULSES["half sine"]),
        ("quadratic", 2470.5, (1.918, 0.671), (0.044, -0.042), PULSES["half sine"]),
        ("quadratic", 290.8, (1.104, 0.441), (0.945, -0.527), PULSES["steady"]),
    ],
)
def test_steps_beside_a_corner_do_not_stand_for_the_run(resisting, k, masses, start, pulse):
    """Of these, the few steps that were extrapolated once seemed to miss 2e-7 to 9e-7; what is told now is true.

    Where the corner of the drag falls in a step depends on rounding, and a run may really miss as much as it tells.
    """
    equations, _ = sliding(resisting, k, masses)
    options = {"inputs": {"F": pulse}, "initial": dict(zip(("x_t", "y_t"), start, strict=True))}
    run, tight = (fx.simulate(equations, T, tolerance=tolerance, **options) for tolerance in (1e-8, 1e-10))
    assert run.complete
    missed = np.abs(masses[0] * (run["x_t"] - tight["x_t"]) + masses[1] * (run["y_t"] - tight["y_t"])).max()
    largest = np.sqrt(2 * sum(masses) * run.energy.kinetic.max())
    assert not told(run) or run.momentum.error < 3 * missed / largest
    assert run.momentum.error < max(1.5e-7, 3 * missed / largest)


def judged(monkeypatch, mutate):
    """Motions are judged by a case that is not the one they were followed by."""
    module = importlib.import_module("flexura.solve.runs.equations")  # the facade has a function of that name
    real = module.momentum_balance
    monkeypatch.setattr(module, "momentum_balance", lambda case, curve: real(mutate(case), curve))


@pytest.mark.parametrize(("kind", "resisting", "pulse"), [one for one in MACHINES if one[2] != "steady"])
def test_a_pulse_that_the_motion_lost_is_found(kind, resisting, pulse, monkeypatch):
    """A hundredth of it, however short it is beside the run."""

    def more(case):
        inputs = case.mechanics.inputs
        return replace(case, mechanics=Mechanics(case.mechanics.system, lambda t: 1.01 * inputs(t)))

    equations, start = machine(kind, resisting)
    judged(monkeypatch, more)
    order = 4 if "beam" in kind else None
    t = T[(1.5 if "beam" in kind else 3) >= T]
    run = fx.simulate(equations, t, inputs={"F": PULSES[pulse]}, initial=start, order=order)
    assert told(run)
    along = "x" if kind == "sliding" else "y"
    assert run.momentum.imbalance[along][-1] == pytest.approx(-0.01 * IMPULSES[pulse], rel=1e-3)


@pytest.mark.parametrize("drag", [1e-3, 1e-5])
@pytest.mark.parametrize(
    ("kind", "resisting"), [("sliding", "contact"), ("sliding", "tanh"), ("tumbling", "quadratic")]
)
def test_momentum_that_leaks_is_found(kind, resisting, drag, monkeypatch):
    """The motion is resisted by what is not in its equations."""

    def resisted(case):
        def evaluate(t, q, v, u, real=case.whole.evaluate):
            M, f = real(t, q, v, u)
            return M, f + drag * v

        return replace(case, whole=replace(case.whole, evaluate=evaluate))

    equations, start = machine(kind, resisting)
    judged(monkeypatch, resisted)
    run = fx.simulate(equations, T, inputs={"F": PULSES["half sine"]}, initial=start)
    assert told(run)
    assert "does not follow the forces" in told(run)[0]


def test_a_long_run_says_in_how_many_steps_it_was_looked_at():
    equations, start = sliding("cubic")
    inputs = {"F": PULSES["steady"]}
    seen, steps = (long := fx.simulate(equations, T, inputs=inputs, initial=start)).momentum.steps
    assert 0 < seen < steps
    assert f"in {seen} of {steps} steps" in str(long.momentum)
    short = fx.simulate(equations, T[:2] / 10, inputs=inputs, initial=start)
    assert short.momentum.steps[0] == short.momentum.steps[1] > 0
    assert "each for those beside it" not in str(short.momentum)
