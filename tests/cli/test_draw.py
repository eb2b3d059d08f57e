"""`flexura new` and `flexura draw`: a first model, and its picture."""

import json

import pytest

import flexura as fx
from flexura.cli import main


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as leaving:
            main(arguments)
        out, err = capsys.readouterr()
        return int(leaving.value.code or 0), out, err

    return command


def test_a_new_model_is_read_drawn_and_solved(run, tmp_path):
    assert run("new", "arm.toml") == (0, "arm.toml\n", "")
    assert fx.verify(fx.derive(fx.read_model(tmp_path / "arm.toml")))
    assert run("draw", "arm.toml") == (0, "arm.svg\n", "")
    assert (tmp_path / "arm.svg").read_text().startswith("<?xml")
    code, out, _ = run("draw", "arm.toml", "arm.png", "--json")
    assert (code, json.loads(out)) == (0, {"path": "arm.png"})
    code, out, _ = run("modes", "arm.toml", "--json")
    assert code == 0


def test_the_commands_that_it_tells_of_work(run, tmp_path):
    run("new", "arm.toml")
    told = [line for line in (tmp_path / "arm.toml").read_text().splitlines() if line.startswith("#   flexura ")]
    for line in told:
        words = line.removeprefix("#   flexura ").split("  ")[0].strip()
        command, _, option = words.partition(" --input ")
        code, _, err = run(*command.split(), *(["--input", option.strip('"')] if option else []))
        assert (code, err) == (0, ""), words


def test_nothing_is_overwritten(run, tmp_path):
    (tmp_path / "mine.toml").write_text("title = 'mine'")
    code, _, err = run("new", "mine.toml")
    assert (code, err) == (1, "mine.toml is there already; choose another name; nothing was written.\n")
    assert (tmp_path / "mine.toml").read_text() == "title = 'mine'"
    code, _, err = run("new", "mine.txt")
    assert (code, err) == (1, "A model file ends in .toml, and mine.txt does not; write mine.toml.\n")


def test_a_picture_nobody_can_write_is_refused_first(run):
    code, _, err = run("draw", "portal-frame", "portal.doc")
    assert code == 1
    assert "no ending that can be written" in err


def test_dimensions_are_drawn_where_they_are_asked_for(run, tmp_path):
    assert run("draw", "satellite", "s.svg", "--dimensions", "--value", "l=2")[0] == 0
    assert 'id="dimension-left"' in (tmp_path / "s.svg").read_text(encoding="utf-8")
    assert run("draw", "satellite", "s.svg")[0] == 0
    assert "dimension" not in (tmp_path / "s.svg").read_text(encoding="utf-8")
    code, _, err = run("draw", "satellite", "s.svg", "--dimensions", "--free-bodies")
    assert code == 2
    assert "keep one of them" in " ".join(err.split())
