"""The manual of the command line shows what the commands print: every console block is run."""

import re
from pathlib import Path

import pytest

from flexura.cli import main

MANUAL = Path(__file__).parents[2] / "docs" / "command_line.md"
BLOCKS = re.findall(r"^```console\n\$ flexura (.*)\n([\s\S]*?)^```$", MANUAL.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize(("command", "shown"), BLOCKS, ids=[command for command, _ in BLOCKS])
def test_a_console_block_shows_what_is_printed(command, shown, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert printed(command, capsys) == shown


def printed(command, capsys):
    """What a terminal would show; `| head -n N` and `; echo $?` are understood."""
    words, _, count = command.partition(" | head -n ")
    arguments, code_wanted, _ = words.partition("; echo $?")
    with pytest.raises(SystemExit) as leaving:
        main(arguments.split())
    out, err = capsys.readouterr()
    lines = (out + err).splitlines(keepends=True)
    shown = "".join(line.rstrip() + "\n" for line in lines[: int(count) if count else None])
    return shown + (f"{leaving.value.code or 0}\n" if code_wanted else "")


def test_every_command_is_in_the_manual():
    assert len(BLOCKS) > 8
    for name in ("examples", "derive", "verify", "report", "members", "--version"):
        assert any(command.startswith(name) for command, _ in BLOCKS)
