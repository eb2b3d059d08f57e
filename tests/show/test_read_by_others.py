"""Reports as other programs read them: pandoc counts the equations of .docx, poppler draws .pdf, LaTeX sets .tex.

`make tools` installs Debian's; without one of them its tests say so and are skipped.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import flexura as fx
from flexura.gallery import example

EXAMPLES = Path(__file__).parents[2] / "examples"
SYSTEMS = {
    "example_one": lambda: fx.read_model(EXAMPLES / "example_one.toml"),
    "two-link-arm": lambda: example("two-link-arm"),
    "portal": lambda: fx.read_model(EXAMPLES / "portal.toml"),
    "satellite": lambda: example("satellite"),
    "quarter_car": lambda: fx.read_model(EXAMPLES / "quarter_car.toml"),
}


def needs(program: str) -> pytest.MarkDecorator:
    missing = shutil.which(program) is None
    return pytest.mark.skipif(missing, reason=f"there is no {program} here; `make tools` installs Debian's")


def ran(*command: Any, within: Path) -> str:
    done = subprocess.run([str(one) for one in command], cwd=within, capture_output=True, text=True, timeout=180)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def displayed(tree: Any) -> Iterator[str]:
    """Every formula of a document as pandoc reads it."""
    if isinstance(tree, dict):
        if tree.get("t") == "Math" and tree["c"][0]["t"] == "DisplayMath":
            yield tree["c"][1]
        for one in tree.values():
            yield from displayed(one)
    elif isinstance(tree, list):
        for one in tree:
            yield from displayed(one)


@needs("pandoc")
@pytest.mark.filterwarnings("ignore:The member")
@pytest.mark.parametrize("name", SYSTEMS)
def test_word_processors_find_every_equation(name, tmp_path):
    model = SYSTEMS[name]()
    fx.report(model, tmp_path / "report.docx")
    fx.report(model, tmp_path / "report.md")
    word = list(displayed(json.loads(ran("pandoc", "report.docx", "-t", "json", within=tmp_path))))
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line.strip() == "$$"]
    assert len(word) >= len(lines) // 2 > 10  # a long one may be several there
    assert all(one.strip() for one in word)


@needs("pdftoppm")
@pytest.mark.filterwarnings("ignore:The member")
@pytest.mark.parametrize("name", SYSTEMS)
def test_no_page_of_a_pdf_is_blank_or_runs_over(name, tmp_path):
    pytest.importorskip("typst", reason="reports as .pdf need typst, of the extra flexura[pdf]")
    fx.report(SYSTEMS[name](), tmp_path / "report.pdf")
    ran("pdftoppm", "-r", "40", "-gray", "report.pdf", "page", within=tmp_path)
    pages = sorted(tmp_path.glob("page-*.pgm"))
    assert pages
    for page in pages:
        seen = np.asarray(Image.open(page), dtype=float)
        ink = seen < 200
        assert ink.mean() > 1e-3, page.name
        assert not ink[:, :8].any(), page.name  # nothing leaves the page: its edges are empty
        assert not ink[:, -8:].any(), page.name


@needs("pdflatex")
@pytest.mark.filterwarnings("ignore:The member")
@pytest.mark.parametrize("name", SYSTEMS)
def test_latex_sets_reports_and_drawings_unedited(name, tmp_path):
    model = SYSTEMS[name]()
    fx.report(model, tmp_path / "report.tex")
    fx.plot(model, tmp_path / "drawing.tex")
    for file in ("report", "drawing"):
        for _ in range(2):  # references, then the contents
            ran("pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"{file}.tex", within=tmp_path)
        log = (tmp_path / f"{file}.log").read_text(encoding="utf-8", errors="replace")
        assert "undefined references" not in log
        assert (tmp_path / f"{file}.pdf").read_bytes().startswith(b"%PDF")


@needs("pdflatex")
def test_latex_shows_names_of_any_signs_as_text(tmp_path):
    """No name is a command, and letters that the fonts do not hold are told by their numbers."""
    names = (r"\input{x} 50% $y$ _^~ {", "é ł 字 \u2074 m² 𝄞", "#1 & \\\\ <b> |")
    rods = [fx.Rod(name, EA=1.0, rho=1.0, length=1.0, field=f"u{i}") for i, name in enumerate(names)]
    model = fx.Model(*(fx.Fixed(fx.ground.at(0, i), rod.start) for i, rod in enumerate(rods)))
    fx.report(model, tmp_path / "report.tex", title=" ".join(names))
    fx.plot(model, tmp_path / "drawing.tex")
    for file in ("report", "drawing"):
        ran("pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"{file}.tex", within=tmp_path)
    text = (tmp_path / "report.tex").read_text(encoding="utf-8")
    assert "U+5B57" in text
    assert "U+1D11E" in text
    assert "字" not in text
