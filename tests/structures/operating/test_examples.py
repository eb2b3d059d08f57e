"""The scripts in examples/operating run and print what they promise."""

import runpy
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[3] / "examples" / "operating"


def printed(name, monkeypatch, capsys):
    monkeypatch.setattr(sys, "path", [str(EXAMPLES), *sys.path])
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    return capsys.readouterr().out


def test_the_free_plate(monkeypatch, capsys):
    out = printed("free_plate", monkeypatch, capsys)
    assert "6 rigid modes" in out
    assert float(out.split()[-1]) < 1e-7


def test_the_four_states(monkeypatch, capsys):
    out = printed("four_states", monkeypatch, capsys)
    for kind in ("acceleration", "velocity", "rotation", "torque"):
        assert f"Constant {kind}" in out
    assert out.splitlines().count("residual below 1e-12") == 4
