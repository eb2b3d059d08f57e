"""How many shapes members get: fields count for as much as they move, and forces are read on one side of a jump."""

from __future__ import annotations

import numpy as np
import pytest

import flexura as fx
from flexura.solve.discretise import motion_system
from flexura.solve.runs.case import first_state, make_case
from flexura.solve.runs.options import read_options
from flexura.solve.runs.question import ask
from flexura.solve.runs.refine import refined
from flexura.solve.steppers.run import expected_speed


def hub(kind: str = "EulerBernoulliBeam", along: str = "y", **section: float) -> fx.Equations:
    """A beam on a hub that turns against a spring, with a force at its end."""
    beam = getattr(fx, kind)("b", rho=1.5, length=0.8, **({"EI": 20.0} | section))
    body = fx.RigidBody("hub", m=0.7, I=0.05)
    return fx.derive(
        fx.Model(
            beam,
            body,
            fx.Revolute(fx.ground, body, name="q"),
            fx.Fixed(body.at(0.1, 0.0, 0.0), beam.start),
            fx.TorsionSpring(fx.ground, body, k=12.0),
            fx.Force(beam.end, value="F", along=along),
        )
    )


def question(equations: fx.Equations, force: str, end: float = 2.0):
    return ask(equations, np.linspace(0, end, 5), None, {"F": force}, None, read_options(1e-8), "correct", None)


def pulse(start: float, end: float, size: float = 1e-3) -> str:
    return f"{size}*Piecewise((0, t < {start!r}), (1, t < {end!r}), (0, True))"


@pytest.mark.parametrize("cut", [0.53, 0.61, 0.77, 0.9])
def test_a_load_that_ends_suddenly_leaves_the_shapes_fit(cut, monkeypatch):
    """Every state of a run may be among those at which forces are looked at, the one at the jump too."""
    from flexura.solve.runs import left_out

    monkeypatch.setattr(left_out, "_STATES", 10_000)
    case, _ = refined(question(hub(), pulse(0.5, cut, 0.1)), None)
    assert case.T is not None  # shapes were chosen
    assert max(case.left_out.values()) < 0.01


def pulled(t: np.ndarray, EA: float, rho: float = 1.5, length: float = 0.8) -> np.ndarray:
    """The end of a rod after a unit force begins there, by d'Alembert: up to twice the steady stretch and back."""
    period = 4 * length / np.sqrt(EA / rho)
    phase = np.mod(np.maximum(t, 0), period) / period
    return 2 * length / EA * (1 - np.abs(1 - 2 * phase))


@pytest.mark.parametrize(
    "section", [{"kGA": 900.0, "EI": 1e6, "rotary_inertia": 0.01, "EA": 4e3}, {"EA": 5e3, "EI": 1e5}]
)
def test_fields_that_hardly_move_do_not_take_the_shapes_from_all(section):
    """Pulled along its axis a beam bends next to nothing: shapes follow the stretch, as well as the run says."""
    kind = "TimoshenkoBeam" if "kGA" in section else "EulerBernoulliBeam"
    t = np.linspace(0, 0.2, 81)
    run = fx.simulate(hub(kind, "x", **section), t, inputs={"F": pulse(0.05, 0.1, 0.1)}, tolerance=1e-6)
    assert not any("do not follow" in note for note in run.notes)
    expected = 0.1 * (pulled(t - 0.05, section["EA"]) - pulled(t - 0.1, section["EA"]))
    assert np.abs(run.place("b", 0.8)[:, -1] - expected).max() < (run.error.share + 1e-3) * np.abs(expected).max()


@pytest.mark.parametrize("start", [0.03, 0.31, 0.77, 1.71])
@pytest.mark.parametrize("width", [1e-3, 0.02, 0.1])
def test_what_loads_could_drive_a_system_to_sees_pulses_wherever_they_are(start, width):
    """The impulse of a force on a body at rest is its width times its size."""
    equations = hub()
    asked = question(equations, pulse(start, start + width))
    case = make_case(asked, motion_system(equations, None, 4, None))
    state = first_state(case)
    found = expected_speed(case.mechanics, state, 2.0, case.scales, case.breaks)
    case.mechanics.within()
    a = case.mechanics.acceleration(start + width / 2, state.q, state.v)[0]
    impulse = width * np.sqrt(a @ case.mechanics.mass @ a)
    assert 0.99 * impulse < found < 1.6 * impulse
