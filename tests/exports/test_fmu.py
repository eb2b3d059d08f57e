"""FMUs: valid, and run by another program they move as the system does."""

from __future__ import annotations

import re
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flexura as fx

sys.path.insert(0, str(Path(__file__).parent))
from machines import MACHINES, VALUES

fmpy = pytest.importorskip("fmpy", reason="FMPy is not installed")
from fmpy.validation import validate_fmu  # noqa: E402

from flexura.exports.fmu_file import compiler  # noqa: E402

needs_compiler = pytest.mark.skipif(
    compiler() is None or sys.platform == "win32", reason="no C compiler (cc, gcc, clang) is found here"
)
CASES: dict[str, tuple[dict[str, Any], dict[str, float]]] = {
    "arm": ({"th1": 0.3}, {"tau": 0.5}),
    "slider_crank": ({}, {"T": 1.0}),
    "controlled": ({"th": 0.4}, {"T": 0.3}),
    "shaken": ({"th_t": 0.2}, {"T": 0.1}),
    "flexible_arm": ({}, {"T": 0.4, "f": 0.1}),
}


def made(machine: str, path: Path, **options: Any) -> Path:
    initial, _ = CASES[machine]
    return fx.export(MACHINES[machine](), path, values=VALUES[machine], initial=initial, order=4, **options)


@needs_compiler
@pytest.mark.parametrize("version", ["2.0", "3.0"])
@pytest.mark.parametrize("name", CASES)
def test_another_program_runs_it_alike(name: str, version: str, tmp_path: Path) -> None:
    path = made(name, tmp_path / "machine.fmu", version=version)
    assert validate_fmu(str(path)) == []
    initial, inputs = CASES[name]
    times = np.linspace(0, 0.8, 9)
    run = fx.simulate(MACHINES[name](), times, initial, inputs, VALUES[name], order=4, tolerance=1e-11)
    outputs = [one.name for one in fmpy.read_model_description(str(path)).modelVariables if one.causality == "output"]
    kinds = ["CoSimulation"] if name == "flexible_arm" else ["CoSimulation", "ModelExchange"]
    for kind in kinds:
        found = fmpy.simulate_fmu(
            str(path),
            fmi_type=kind,
            start_values=inputs,
            stop_time=0.8,
            output_interval=0.1,
            output=outputs,
            relative_tolerance=1e-10,
        )
        assert np.allclose(found["time"], times)
        for one in outputs:
            assert np.allclose(found[one], run[one], rtol=0, atol=1e-8), (kind, one)


@needs_compiler
def test_parameters_and_places(tmp_path: Path) -> None:
    """A parameter changed in the FMU is the parameter of the model; a place on a member is an output."""
    path = made("arm", tmp_path / "arm.fmu", outputs=["th1", "th2_t"])
    found = fmpy.simulate_fmu(str(path), start_values={"kt": 9.0, "tau": 0.5}, stop_time=0.5, output_interval=0.25)
    run = fx.simulate(MACHINES["arm"](), [0, 0.25, 0.5], {"th1": 0.3}, {"tau": 0.5}, {"kt": 9.0}, tolerance=1e-11)
    assert np.allclose(found["th1"], run["th1"], rtol=0, atol=1e-8)
    assert np.allclose(found["th2_t"], run["th2_t"], rtol=0, atol=1e-8)
    beam = fx.EulerBernoulliBeam("beam", EI=60.0, rho=1.1, length=1.2)
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    path = fx.export(model, tmp_path / "beam.fmu", outputs=[beam.at(0.7)], order=4)
    found = fmpy.simulate_fmu(str(path), start_values={"F": 1.0}, stop_time=0.1, output_interval=0.05)
    run = fx.simulate(model, [0, 0.05, 0.1], inputs={"F": 1.0}, order=4, elements=1, tolerance=1e-11)
    assert np.allclose(found["w_beam(0.7)"], run.place(beam, 0.7), rtol=0, atol=1e-8)


@needs_compiler
def test_states_can_be_kept_and_set_back(tmp_path: Path) -> None:
    """What an importer asks for when it repeats a step."""
    path = made("arm", tmp_path / "arm.fmu")
    folder, about = fmpy.extract(str(path), str(tmp_path / "open")), fmpy.read_model_description(str(path))
    unit = fmpy.fmi2.FMU2Slave(guid=about.guid, unzipDirectory=folder, modelIdentifier="arm", instanceName="one")
    unit.instantiate()
    unit.setupExperiment(startTime=0.0)
    unit.enterInitializationMode()
    unit.exitInitializationMode()
    (angle,) = [one.valueReference for one in about.modelVariables if one.name == "th1"]
    unit.doStep(0.0, 0.1)
    kept = unit.getFMUState()
    unit.doStep(0.1, 0.1)
    first = unit.getReal([angle])[0]
    unit.setFMUState(kept)
    unit.doStep(0.1, 0.1)
    assert unit.getReal([angle])[0] == first
    unit.terminate()
    unit.freeInstance()


@needs_compiler
def test_the_sources_in_it_make_the_same(tmp_path: Path) -> None:
    path = made("arm", tmp_path / "arm.fmu")
    again = made("arm", tmp_path / "again.fmu", name="arm")
    with zipfile.ZipFile(path) as one, zipfile.ZipFile(again) as other:
        assert one.read("sources/arm.c") == other.read("sources/arm.c")
        assert one.read("modelDescription.xml") == other.read("modelDescription.xml")
        assert len([name for name in one.namelist() if name.startswith("binaries/")]) == 1
        assert "#include" in one.read("sources/arm.c").decode()
        assert not re.search(r'#include "', one.read("sources/arm.c").decode())


def test_without_a_compiler_sources_are_left_and_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("flexura.exports.fmu_file.compiler", lambda: None)
    with pytest.warns(UserWarning, match="No C compiler"):
        path = made("arm", tmp_path / "arm.fmu", version="3.0")
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
    assert sorted(names) == ["modelDescription.xml", "sources/arm.c", "sources/buildDescription.xml"]
    made("arm", tmp_path / "quiet.fmu", compile=False)


def test_what_is_wrong_is_said(tmp_path: Path) -> None:
    with pytest.raises(fx.FlexuraError, match=r"version is '1\.0'"):
        made("arm", tmp_path / "arm.fmu", version="1.0")
    with pytest.raises(fx.FlexuraError, match="no 'theta' to start from"):
        fx.export(MACHINES["arm"](), tmp_path / "arm.fmu", values={"kt": 1.0}, initial={"theta": 1.0})
    assert list(tmp_path.iterdir()) == []
