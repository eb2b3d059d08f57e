"""FMUs of systems that jump or have kinks: events are indicated, met, and the motion is that of fx.simulate."""

import numpy as np
import pytest

import flexura as fx

fmpy = pytest.importorskip("fmpy", reason="FMPy is not installed")
from fmpy.validation import validate_fmu  # noqa: E402

from flexura.exports.fmu_file import compiler  # noqa: E402

needs_compiler = pytest.mark.skipif(compiler() is None, reason="no C compiler (cc, gcc, clang) is found here")


def bouncing():
    """A mass that drops on a stiff spring that only pushes, kicked at 0.5 s."""
    mass = fx.Mass("m", m=("m", 1.0))
    return fx.Model(
        fx.Slide(fx.ground, mass, along="y", name="y"),
        fx.Spring(fx.ground, mass, law="Piecewise((400*s, s < 0), (0, True))"),
        fx.Force(mass, "-9.81 + 3*step(t - 0.5)"),
        fx.Damper(fx.ground, mass, law="0.3*v*abs(v)"),
    )


def arm():
    """Two links; the motor is switched by the angle."""
    first, second = fx.RigidBody("first", m=1.0, I=0.1), fx.RigidBody("second", m=0.5, I=0.05)
    return fx.Model(
        fx.Revolute(fx.ground, first.at(-0.5), name="th1"),
        fx.Revolute(first.at(0.5), second.at(-0.4), name="th2"),
        fx.Gravity(),
        fx.Torque(first, "2*sign(0.3 - th1) + tau(t)"),
        fx.TorsionDamper(fx.ground, first, c=0.2),
        fx.TorsionDamper(first, second, c=0.1),
    )


CASES = {
    "bouncing": (bouncing, {"y": 0.2}, {}, 1.0),
    "arm": (arm, {"th1": -1.0}, {"tau": 0.5}, 1.0),
}


@needs_compiler
@pytest.mark.parametrize("version", ["2.0", "3.0"])
@pytest.mark.parametrize("name", CASES)
def test_events_are_met(name, version, tmp_path):
    make, initial, inputs, end = CASES[name]
    path = fx.export(make(), tmp_path / f"{name}.fmu", initial=initial, version=version)
    assert validate_fmu(str(path)) == []
    about = fmpy.read_model_description(str(path))
    times = np.linspace(0, end, 11)
    run = fx.simulate(make(), times, initial, inputs, tolerance=1e-11)
    outputs = [one.name for one in about.modelVariables if one.causality == "output"]
    for kind, error in (("CoSimulation", 1e-8), ("ModelExchange", 1e-6)):
        found = fmpy.simulate_fmu(
            str(path),
            fmi_type=kind,
            start_values=inputs,
            stop_time=end,
            output_interval=0.1,
            output=outputs,
            relative_tolerance=1e-11,
            record_events=False,
        )
        assert len(found) == len(times)
        for one in outputs:
            assert found[one] == pytest.approx(run[one], abs=error), (kind, one)


@needs_compiler
def test_indicators_are_counted_and_told(tmp_path):
    for version in ("2.0", "3.0"):
        path = fx.export(bouncing(), tmp_path / "b.fmu", version=version)
        about = fmpy.read_model_description(str(path))
        count = int(about.numberOfEventIndicators) if version == "2.0" else len(about.eventIndicators)
        assert count == 3  # the contact, the kick, the turn of the damper's rate
        assert {one.name for one in about.modelVariables} >= {"event0", "event1", "event2", "m"}
