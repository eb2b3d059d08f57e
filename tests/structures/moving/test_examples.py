"""The examples of examples/moving/ run, are short, and show what they say."""

import re
import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[3] / "examples" / "moving"


def output(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    return capsys.readouterr().out


def test_rotating_cantilever(tmp_path, monkeypatch, capsys):
    out = output("rotating_cantilever", tmp_path, monkeypatch, capsys)
    rows = [list(map(float, line.split())) for line in out.splitlines() if re.match(r"\s*\d+\.\d", line)]
    assert len(rows) == 4
    for _, lag, lag_exact, flap, flap_exact in rows:
        assert lag == pytest.approx(lag_exact, rel=2e-5)
        assert flap == pytest.approx(flap_exact, rel=2e-5)
    assert "lost at 3.516" in out


def test_spinning_shaft(tmp_path, monkeypatch, capsys):
    out = output("spinning_shaft", tmp_path, monkeypatch, capsys)
    assert "critical speed: 359.2" in out
    assert (tmp_path / "out" / "whirl.png").stat().st_size > 10_000


def test_slider_crank_rod(tmp_path, monkeypatch, capsys):
    out = output("slider_crank_rod", tmp_path, monkeypatch, capsys)
    off = [float(one) for one in re.findall(r"(\d+\.\d+)% off", out)]
    assert off[0] > off[1] > off[2]
    assert off[2] < 2


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_short_and_says_what_to_look_at(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 45
    assert "Look at" in text
