"""Sweeps: the same answers with any number of workers, failures kept apart, and nothing asked twice."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx

BEAM = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length=1.3)
CANTILEVER = fx.Model(fx.Fixed(fx.ground, BEAM.start))


def lowest(EI: float, rho: float) -> Any:
    return fx.modes(CANTILEVER, 3, values={"EI": EI, "rho": rho}).frequencies


def several(a: float, b: float) -> dict[str, Any]:
    if a == 2 and b == 1:
        raise fx.FlexuraError("This point is bad", advice="leave it out")
    return {"sum": a + b, "row": np.arange(int(a)) * b, "turn": np.exp(1j * a)}


def test_modes_over_a_grid_scale_as_they_must() -> None:
    over = {"EI": [40.0, 50.0, 90.0], "rho": [1.2, 2.0]}
    one, two = (fx.sweep(lowest, over, workers=count) for count in (1, 2))
    assert one.values.shape == (3, 2, 3)
    assert np.array_equal(one.values, two.values)
    for (i, EI), (j, rho) in itertools.product(enumerate(over["EI"]), enumerate(over["rho"])):
        beta = np.array([1.8751040687119611, 4.694091132974175, 7.854757438237613]) / 1.3
        assert np.allclose(one.values[i, j], beta**2 * np.sqrt(EI / rho), rtol=1e-10)
    assert not one.errors


def test_the_last_name_is_the_fastest() -> None:
    table = fx.sweep(lambda a, b: 10 * a + b, {"a": [1, 2], "b": [3, 4, 5]}, workers=1)
    assert [one["b"] for one in table.points] == [3, 4, 5, 3, 4, 5]
    assert table.to_dataframe()["value"].tolist() == [13, 14, 15, 23, 24, 25]
    assert table.values.shape == (2, 3)


def test_a_failure_is_nan_with_its_sentence() -> None:
    table = fx.sweep(several, {"a": [1, 2, 3], "b": [1.0, 2.0]}, workers=2)
    assert dict(table.errors) == {2: "This point is bad; leave it out."}
    assert np.isnan(table["sum"][1, 0])
    assert np.nansum(table["sum"]) == 2 + 3 + 4 + 4 + 5
    assert table["row"].shape == (3, 2, 3)
    assert np.isnan(table["row"][0, 0, 1:]).all()
    frame = table.to_dataframe()
    assert list(frame.columns) == ["a", "b", "sum", "row[0]", "row[1]", "row[2]", "turn", "error"]
    assert frame["error"][2] == "This point is bad; leave it out."


def test_xarray_has_the_parameters_as_dimensions() -> None:
    pytest.importorskip("xarray", reason="xarray is not installed")
    found = fx.sweep(several, {"a": [1, 2, 3], "b": [1.0, 2.0]}, workers=1).to_xarray()
    assert found["sum"].dims == ("a", "b")
    assert float(found["sum"].sel(a=3, b=2.0)) == 5
    assert found["row"].dims == ("a", "b", "row_0")


def test_what_any_code_raises_is_kept() -> None:
    table = fx.sweep(lambda a: 1 / a, {"a": [0, 2]}, workers=1)
    assert table.errors[0].startswith("ZeroDivisionError")
    assert table.values[1] == 0.5


def dying(a: int) -> float:
    if a == 5:
        os._exit(3)
    return 2.0 * a


@pytest.mark.skipif(os.name == "nt", reason="processes are started anew there, and cannot find this function")
def test_a_process_that_dies_loses_its_own_point_only() -> None:
    table = fx.sweep(dying, {"a": range(12)}, workers=2)
    assert list(table.errors) == [5]
    assert "died" in table.errors[5]
    assert np.array_equal(np.delete(table.values, 5), 2.0 * np.delete(np.arange(12), 5))


def test_a_stopped_sweep_goes_on(tmp_path: Path) -> None:
    asked: list[float] = []

    def question(a: float) -> dict[str, Any]:
        asked.append(a)
        if a == 3 and len(asked) < 6:
            raise KeyboardInterrupt
        return {"third": a / 3, "turn": np.exp(1j * np.array([a, 2 * a]))}

    path = tmp_path / "kept.jsonl"
    with pytest.raises(KeyboardInterrupt):
        fx.sweep(question, {"a": [1, 2, 3, 4]}, workers=1, path=path)
    with path.open("a") as file:
        file.write('{"index": 3, "arr')  # cut short in the middle of a line
    asked[:] = [0.0] * 6
    table = fx.sweep(question, {"a": [1, 2, 3, 4]}, workers=1, path=path)
    assert asked[6:] == [3, 4]
    whole = fx.sweep(question, {"a": [1, 2, 3, 4]}, workers=1)
    assert np.array_equal(table["third"], whole["third"])
    assert np.array_equal(table["turn"], whole["turn"])
    with pytest.raises(fx.FlexuraError, match="other points"):
        fx.sweep(question, {"a": [1, 2]}, workers=1, path=path)
    again = fx.sweep(question, {"a": [1, 2, 3, 4]}, workers=1, path=path)
    assert np.array_equal(again["turn"], whole["turn"])


def test_what_is_no_file_of_a_sweep_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("my notes\n")
    with pytest.raises(fx.FlexuraError, match="not the file of a sweep"):
        fx.sweep(lambda a: a, {"a": [1]}, path=path)
    assert path.read_text() == "my notes\n"


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 40), st.integers(0, 1000))
def test_a_latin_hypercube_has_one_point_in_each_part(count: int, seed: int) -> None:
    found = fx.LatinHypercube({"x": (2.0, 5.0), "y": (-1.0, 1.0)}, count, seed).points()
    for name, low, width in (("x", 2.0, 3.0), ("y", -1.0, 2.0)):
        parts = sorted(int((one[name] - low) / width * count) for one in found)
        assert parts == list(range(count))


def test_samplers_and_lists_of_points() -> None:
    table = fx.sweep(lambda x, y: x * y, fx.RandomSamples({"x": (0, 1), "y": (2, 3)}, 7, seed=4), workers=1)
    assert table.values.shape == (7,)
    assert np.allclose(table.values, table["x"] * table["y"])
    assert fx.sweep(lambda x: x, [{"x": 1}, {"x": 7}], workers=1).values.tolist() == [1, 7]
    assert table.to_xarray()["value"].dims == ("point",)


def test_dask_answers_alike() -> None:
    distributed = pytest.importorskip("distributed", reason="dask is not installed")
    over = {"a": [1, 2, 3], "b": [1.0, 2.0]}
    with (
        distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster,
        distributed.Client(cluster) as client,
    ):
        table = fx.sweep(several, over, client=client)
    plain = fx.sweep(several, over, workers=1)
    assert np.array_equal(table["row"], plain["row"], equal_nan=True)
    assert table.errors == plain.errors


def test_warnings_are_told_with_their_point() -> None:
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.0)
    free = fx.derive(fx.Model(beam, fx.Force(beam.end, "F")))
    table = fx.sweep(
        lambda omega: abs(fx.frequency_response(free, [omega], "F", beam.end)[0]), {"omega": [0.0, 3.0]}, workers=1
    )
    assert list(table.warnings) == [0]
    assert "infinite" in table.warnings[0][0]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"question": 3}, "The question is a int"),
        ({"over": 3.0}, "over is a float.*LatinHypercube"),
        ({"over": {"a": []}}, "no values for a"),
        ({"over": [{"a": 1}, {"b": 1}]}, "Point 1 of the sweep gives b"),
        ({"workers": 0}, "workers is 0"),
        ({"client": "cluster"}, "client is a str"),
    ],
)
def test_what_is_wrong_is_said(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(fx.FlexuraError, match=sentence):
        fx.sweep(**({"question": lambda a: a, "over": {"a": [1]}} | arguments))


SCRIPT = """
import multiprocessing
multiprocessing.set_start_method("spawn")
import flexura as fx
print(fx.sweep(lambda a: 2.0 * a, {"a": [1, 2, 3]}, workers=2).values.tolist())
"""


def test_a_script_that_is_not_guarded_is_told_and_answered(tmp_path: Path) -> None:
    """Where processes are not forked they run the script again, which would start processes again."""
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip().splitlines()[-1] == "[2.0, 4.0, 6.0]"
    assert "__name__ == '__main__'" in done.stderr
