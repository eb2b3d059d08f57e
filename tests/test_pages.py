"""The pages show what the commands and scripts print: every block is run."""

import re
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "docs"))
import refresh

ROUNDING = re.compile(r"[\d.]+e-(?:1[3-9]|[2-9]\d|\d{3})")


@pytest.mark.parametrize("path", refresh.PAGES, ids=lambda path: path.name)
def test_a_page_shows_what_is_printed(path: Path) -> None:
    assert refresh.refresh(path) == path.read_text(encoding="utf-8"), "run `make docs`"


@pytest.mark.parametrize("path", refresh.PAGES, ids=lambda path: path.name)
def test_a_page_shows_no_rounding(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    outputs = [out for form in (refresh.CONSOLE, refresh.PYTHON) for _, out in form.findall(page)]
    noise = [number for out in outputs for number in ROUNDING.findall(out)]
    assert not noise, "these digits differ from one processor to the next: say below what they are"


def test_there_is_something_to_show() -> None:
    pages = {path.name: path.read_text(encoding="utf-8") for path in refresh.PAGES}
    assert len(refresh.PYTHON.findall(pages["README.md"])) >= 1
    commands = [command for command, _ in refresh.CONSOLE.findall(pages["command_line.md"])]
    for name in ("examples", "derive", "verify", "report", "members", "--version"):
        assert any(command.startswith(name) for command in commands)
    answers = [command for command, _ in refresh.CONSOLE.findall(pages["answers.md"])]
    for name in ("modes", "respond", "campbell"):
        assert any(command.startswith(name) for command in answers)
    assert refresh.PYTHON.findall(pages["answers.md"])
