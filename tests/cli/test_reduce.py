"""`flexura reduce` and `flexura state`: what they print, write and refuse."""

import json

import numpy as np
import pytest

import flexura as fx
from flexura.cli import main
from free_structures import bar, plate


@pytest.fixture
def run(capsys):
    def command(*arguments):
        with pytest.raises(SystemExit) as leaving:
            main([str(one) for one in arguments])
        out, err = capsys.readouterr()
        return int(leaving.value.code or 0), out, err

    return command


@pytest.fixture
def pushed(tmp_path):
    system = bar(10)
    path = tmp_path / "bar.npz"
    fx.write_system(system.with_(F=np.eye(1, 11, 0)[0] * 100.0), path)
    return path


def test_a_system_is_reduced_written_and_drawn(run, pushed, tmp_path):
    small, picture = tmp_path / "small.npz", tmp_path / "error.png"
    code, out, err = run("reduce", pushed, "--order", 3, "--write", small, "--plot", picture)
    assert (code, err) == (0, "")
    assert out.startswith("11 degrees of freedom reduced to 4")
    assert fx.read_system(small).n == 4
    assert picture.stat().st_size > 5000


def test_reduction_as_json(run, pushed):
    code, out, _ = run("reduce", pushed, "--tolerance", "1e-8", "--band", "3000", "--json")
    data = json.loads(out)
    assert code == 0
    assert data["size"] == 11
    assert data["reduced"] == len(data["names"]) < 8
    assert max(data["error"]) < 1e-7
    assert data["frequencies"][0] == 0


def test_states(run, pushed, tmp_path):
    code, out, _ = run("state", pushed)
    assert code == 0
    assert out.startswith("Constant acceleration: translation x 370.37")
    code, out, _ = run("state", pushed, "--kind", "rotation", "--axis", "z", "--speed", 100, "--json")
    assert json.loads(out)["rate"] == 100.0
    code, out, _ = run("state", pushed, "--load", "x10", "--json", "--vtu", tmp_path / "s.vtu")
    assert json.loads(out)["motion"]["translation x"] == pytest.approx(1 / 0.27)
    assert (tmp_path / "s.vtu").exists()


def test_an_example_is_reduced(run):
    code, out, err = run("reduce", "cantilever", "--load", "w[0]", "--order", 2, "--json")
    if code:  # the name of a row is the discretisation's affair
        assert "The system has no load or row" in err
        row = err.split("it has ")[1].split(",")[0]
        code, out, _ = run("reduce", "cantilever", "--load", row, "--order", 2, "--json")
    assert code == 0
    assert json.loads(out)["reduced"] == 2


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (("reduce", "gone.npz"), 1, "There is no file gone.npz"),
        (("reduce", "{bar}", "--load", "wind"), 1, "The system has no load or row 'wind'; it has F, x0"),
        (("state", "{bar}", "--kind", "velocity"), 1, "The system has no damping D"),
        (("state", "{bar}", "--kind", "rotation", "--axis", "1,b,0", "--speed", "1"), 2, "--axis takes x, y, z"),
        (("reduce", "{bar}", "--order", "-1"), 2, "order"),
        (("reduce", "{free}"), 1, "The system holds no loads; name a row with --load"),
    ],
)
def test_what_is_wrong_is_told(run, pushed, tmp_path, arguments, code, sentence):
    fx.write_system(plate(2, 1), tmp_path / "free.npz")
    filled = [one.format(bar=pushed, free=tmp_path / "free.npz") for one in arguments]
    found, _, err = run(*filled)
    assert found == code
    assert sentence in err
