"""Tables: what was written is read back, to the last bit."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.io

import flexura as fx

BEAM = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3, damping=0.4)
MODEL = fx.Model(fx.Fixed(fx.ground, BEAM.start), fx.Force(BEAM.end, "F"))


def pendulum() -> Any:
    bob = fx.RigidBody("bob", m=0.7, I=0.02)
    model = fx.Model(fx.Revolute(fx.ground, bob.at(0, 0.5), name="th"), fx.Gravity())
    return fx.simulate(model, np.linspace(0, 1, 11), {"th": 0.4})


def read_csv(path: Path) -> dict[str, Any]:
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = list(csv.reader(file))
    return {name: np.array([float(row[i]) for row in rows]) for i, name in enumerate(head)}


def test_a_run(tmp_path: Path) -> None:
    run = pendulum()
    found = read_csv(fx.export(run, tmp_path / "run.csv"))
    for name in ("th", "th_t", "th_tt"):
        assert np.array_equal(found[name], run[name])
    assert np.array_equal(found["t"], run.t)
    assert np.array_equal(found["energy_kinetic"], run.energy.kinetic)
    data = json.loads(fx.export(run, tmp_path / "run.json").read_text())
    assert data["th"] == run["th"].tolist()
    matlab = scipy.io.loadmat(fx.export(run, tmp_path / "run.mat"))
    assert np.array_equal(matlab["th_t"].ravel(), run["th_t"])
    xarray = pytest.importorskip("xarray", reason="xarray is not installed")
    with xarray.open_dataset(fx.export(run, tmp_path / "run.nc")) as kept:
        assert np.array_equal(kept["th"].values, run["th"])


def test_responses_and_modes(tmp_path: Path) -> None:
    omega = np.linspace(1, 50, 5)
    response = fx.frequency_response(MODEL, omega, "F", BEAM.end)
    found = read_csv(fx.export(response, tmp_path / "frf.csv"))
    assert np.array_equal(found["X_re"] + 1j * found["X_im"], np.asarray(response))
    modes = fx.modes(MODEL, 3)
    found = read_csv(fx.export(modes, tmp_path / "modes.csv"))
    assert np.array_equal(found["omega"], modes.frequencies)
    assert np.array_equal(found["s_re"], modes.eigenvalues.real)


def test_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    run = pendulum()
    table = parquet.read_table(fx.export(run, tmp_path / "run.parquet"))
    assert np.array_equal(table["th"].to_numpy(), run["th"])


def test_sweeps(tmp_path: Path) -> None:
    def question(a: float, b: float) -> dict[str, Any]:
        if a == 2:
            raise ValueError("no answer, here")
        return {"y": a * b, "z": np.exp(1j * a)}

    table = fx.sweep(question, {"a": [1, 2], "b": [0.1, 0.2]}, workers=1)
    with fx.export(table, tmp_path / "sweep.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[3]["error"] == "ValueError: no answer, here"
    assert float(rows[1]["y"]) == 0.2
    xarray = pytest.importorskip("xarray", reason="xarray is not installed")
    with xarray.open_dataset(fx.export(table, tmp_path / "sweep.nc")) as kept:
        assert kept["z_real"].dims == ("a", "b")
        assert float(kept["y"].sel(a=1, b=0.2)) == 0.2


def test_state_space_and_equations(tmp_path: Path) -> None:
    space = fx.state_space(MODEL, "F", None, order=4)
    found = scipy.io.loadmat(fx.export(space, tmp_path / "plant.mat"))
    assert np.array_equal(found["A"], space.A)
    assert [str(one[0]) for one in found["states"].ravel()] == list(space.states)
    data = json.loads(fx.export(space, tmp_path / "plant.json").read_text())
    assert np.array_equal(data["B"], space.B)
    text = fx.export(space, tmp_path / "plant.m").read_text()
    assert text.startswith("function s = plant()")
    equations = fx.derive(MODEL)
    kept = fx.Equations.from_json(fx.export(equations, tmp_path / "beam.json").read_text())
    assert fx.equivalent(kept, equations)
    system = fx.discretise(equations, order=4)
    again = fx.read_system(fx.export(system, tmp_path / "beam.mat"))
    assert np.array_equal(again.K, system.K)


def test_what_is_no_table_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    for ending in (".csv", ".json", ".mat", ".nc"):
        with pytest.raises(fx.FlexuraError, match=f"A function cannot be written as {ending}"):
            fx.export(fx.modes, tmp_path / f"x{ending}")
    with pytest.raises(fx.FlexuraError, match="different lengths"):
        fx.export({"a": [1, 2], "b": [1]}, tmp_path / "x.csv")
    with pytest.raises(fx.FlexuraError, match=r"folder .* does not exist"):
        fx.export({"a": [1, 2]}, tmp_path / "no" / "x.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_was_there_stays_where_an_export_fails(tmp_path: Path) -> None:
    path = tmp_path / "run.csv"
    path.write_text("before")
    with pytest.raises(fx.FlexuraError):
        fx.export(3, path)
    assert path.read_text() == "before"
