"""The types of the symbolic engine mean something: a function that returns text for a tree does not pass."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
import symengine

ROOT = Path(__file__).parents[1]
WRONG = {
    "text for a tree": "def f(a: Basic) -> Basic:\n    return str(a)\n",
    "a tree for text": "def f(a: Basic) -> str:\n    return a + 1\n",
    "a word the engine does not have": "def f(a: Basic) -> Basic:\n    return a.simplify_all()\n",
}


@pytest.mark.parametrize("case", WRONG)
def test_what_is_no_tree_is_seen(case: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text(f"from symengine import Basic\n\n{WRONG[case]}", encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path / "cache"), str(file)]
    told = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env={"MYPYPATH": str(ROOT / "typings")}
    )
    assert told.returncode == 1, told.stdout + told.stderr


def test_the_engine_has_every_word_of_the_stub() -> None:
    lines = (ROOT / "typings" / "symengine" / "__init__.pyi").read_text(encoding="utf-8").splitlines()
    words = [line.split()[1].split("(")[0].rstrip(":") for line in lines if line.startswith(("class ", "def "))]
    assert [word for word in words if not word.startswith("_") and not hasattr(symengine, word)] == ["Boolean"]
