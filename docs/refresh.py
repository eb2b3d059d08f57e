"""Run what the manual shows and write what it prints: `make pages`.

Console blocks (`$ flexura ...`) are followed by what the command prints; in README.md, a Python block by its output.
"""

from __future__ import annotations

import contextlib
import io
import re
import tempfile
from pathlib import Path

from flexura.cli import main

ROOT = Path(__file__).parents[1]
CONSOLE = re.compile(r"^```console\n\$ flexura (.*)\n([\s\S]*?)^```$", re.MULTILINE)
PYTHON = re.compile(r"^```python\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```$", re.MULTILINE)


def command_output(command: str) -> str:
    """What a terminal in the root would show; `| head -n N` and `; echo $?` are understood."""
    words, _, count = command.partition(" | head -n ")
    arguments, code_wanted, _ = words.partition("; echo $?")
    out, code = io.StringIO(), 0
    redirected = contextlib.redirect_stdout(out), contextlib.redirect_stderr(out)
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place), redirected[0], redirected[1]:
        try:
            main([str(ROOT / one) if one.startswith("examples/") else one for one in arguments.split()])
        except SystemExit as leaving:
            code = int(leaving.code or 0)
    lines = out.getvalue().splitlines()[: int(count) if count else None]
    return "".join(f"{line.rstrip()}\n" for line in lines) + (f"{code}\n" if code_wanted else "")


def script_output(script: str, names: dict[str, object]) -> str:
    """What a Python block prints; `names` are those of the blocks before it on the page."""
    out = io.StringIO()
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place), contextlib.redirect_stdout(out):
        exec(compile(script, "README.md", "exec"), names)  # noqa: S102 (our own page)
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def refresh(path: Path) -> str:
    """The page with every output as it is now."""
    page = path.read_text(encoding="utf-8")
    page = CONSOLE.sub(lambda m: f"```console\n$ flexura {m[1]}\n{command_output(m[1])}```", page)
    names: dict[str, object] = {}
    return PYTHON.sub(lambda m: f"```python\n{m[1]}```\n\n```text\n{script_output(m[1], names)}```", page)


_NAMES = ("start", "command_line", "answers", "simulate", "operating", "responses", "textbook", "moving", "exports")
PAGES = (ROOT / "README.md", *(ROOT / "docs" / f"{name}.md" for name in _NAMES))

if __name__ == "__main__":
    for one in PAGES:
        one.write_text(refresh(one), encoding="utf-8")
