"""`make demo` writes what it says: pictures, a film and reports, each whole, and a summary of all."""

import re
import runpy
from pathlib import Path

from PIL import Image

DEMO = Path(__file__).parents[2] / "examples" / "demo" / "demo.py"


def test_the_demo_says_all_that_it_writes(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(DEMO), run_name="__main__")
    told = capsys.readouterr().out
    out = tmp_path / "out"
    written = {path.name for path in out.iterdir()}
    assert set(re.findall(r"out/(\S+)", told.replace("\\", "/"))) == written
    assert {"schematic.svg", "free_bodies.svg", "modes.svg", "response.svg", "arm.svg", "arm.gif"} < written
    assert {"example_one.html", "example_one.pdf"} < written
    assert "surrogate route: verified." in told
    assert "Field equations" in told
    assert float(re.search(r"balance to (\S+)\.", told)[1]) < 1e-6
    assert (out / "example_one.pdf").read_bytes().startswith(b"%PDF")
    assert Image.open(out / "arm.gif").n_frames > 40
    report = (out / "example_one.html").read_text(encoding="utf-8")
    assert all(f"<h2>{title}</h2>" in report for title in ("Free bodies", "Modes", "Frequency response", "Derivation"))
