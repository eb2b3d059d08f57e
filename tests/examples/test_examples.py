"""Every script of examples/ runs, is short, and proves what it prints; the gallery's models are all registered."""

import runpy
from pathlib import Path

import pytest

from flexura import gallery
from flexura.gallery import models

EXAMPLES = Path(__file__).parents[2] / "examples"
SCRIPTS = sorted(path.stem for path in EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_script_runs_and_proves_what_it_prints(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    out = capsys.readouterr().out
    assert "not verified" not in out
    assert "Field equations" in out or "Equations of motion" in out
    if name != "fluid_pipe":
        assert "verified." in out
    written = {path.name for path in tmp_path.rglob("*") if path.is_file()}
    assert written == (
        {"example_one.html", "example_one.tex", "example_one-schematic.pdf", "example_one-free_bodies.pdf"}
        if name == "example_one"
        else set()
    )


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_script_is_short_and_says_what_to_look_at(name):
    text = (EXAMPLES / f"{name}.py").read_text(encoding="utf-8")
    if name != "fluid_pipe":
        assert len(text.splitlines()) < 40
        assert "ook at" in text


def test_every_model_of_the_gallery_has_a_name_and_a_title():
    written = {one for name, one in vars(models).items() if getattr(one, "__module__", "") == models.__name__}
    public = {one for one in written if not one.__name__.startswith("_")}
    assert public <= set(gallery.EXAMPLES.values())
    assert len(public) == 10
    assert all(gallery.title(name).endswith(".") for name in gallery.EXAMPLES)
