"""`flexura sweep` and `flexura export`."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from flexura.cli import main

MODEL = """
[parameters]
EI = 50.0
[parts.beam]
kind = "EulerBernoulliBeam"
EI = "EI"
rho = 1.2
length = "1.3 m"
[[connections]]
kind = "Fixed"
between = ["ground", "beam.start"]
"""
FIRST = (1.8751040687119611 / 1.3) ** 2


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "beam.toml"
    path.write_text(MODEL, encoding="utf-8")
    return str(path)


def test_modes_over_a_parameter(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "table.csv"
    main_0 = ["sweep", model, "--over", "EI=10:100:10", "--modes", "3", "--json", "--save", str(out), "--workers", "2"]
    with pytest.raises(SystemExit) as left:
        main(main_0)
    assert left.value.code == 0
    data = json.loads(capsys.readouterr().out)
    assert data["over"]["EI"] == list(np.linspace(10, 100, 10))
    for point in data["points"]:
        assert len(point["frequencies"]) == 3
        assert point["frequencies"][0] == pytest.approx(FIRST * np.sqrt(point["EI"] / 1.2), rel=1e-10)
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 10
    assert float(rows[4]["omega[0]"]) == data["points"][4]["frequencies"][0]


def test_failures_are_told(model: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["sweep", model, "--over", "EI=50,-1", "--modes", "1", "--workers", "1"])
    assert left.value.code == 0
    assert "No answer at EI=-1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("options", "code", "sentence"),
    [
        (["--over", "EI"], 2, "NAME=first:last:count"),
        (["--over", "EI=1:2"], 2, "NAME=first:last:count"),
        (["--over", "E=1:2:3"], 1, "E"),
    ],
)
def test_what_is_wrong_is_said(
    model: str, options: list[str], code: int, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["sweep", model, *options])
    assert left.value.code == code
    assert sentence in capsys.readouterr().err


def test_export_writes_by_the_ending(model: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("beam.c", "beam.m", "beam.py", "beam.json"):
        with pytest.raises(SystemExit) as left:
            main(["export", model, str(tmp_path / name)])
        assert left.value.code == 0
        assert (tmp_path / name).stat().st_size > 100
    with pytest.raises(SystemExit) as left:
        main(["export", model, str(tmp_path / "beam.xyz")])
    assert left.value.code == 1
    assert ".c, .csv" in capsys.readouterr().err
