"""The house is as its pages say: every room names every file in it, and the facade and its stub hold the same words."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import flexura as fx

HOUSE = Path(fx.__file__).parent
ROOMS = sorted(page.parent for page in HOUSE.rglob("__init__.py") if page.parent != HOUSE)


@pytest.mark.parametrize("room", ROOMS, ids=[str(room.relative_to(HOUSE)) for room in ROOMS])
def test_a_room_names_every_file_in_it(room: Path) -> None:
    page = ast.get_docstring(ast.parse((room / "__init__.py").read_text(encoding="utf-8"))) or ""
    named = {line.split()[0] for line in page.splitlines() if line.startswith("    ") and line.strip()}
    files = {file.stem for file in room.glob("*.py")} - {"__init__"}
    rooms = {f"{page.parent.name}/" for page in room.glob("*/__init__.py")}
    assert files | rooms <= named, sorted(files | rooms - named)


def test_the_stub_holds_the_words_of_the_facade() -> None:
    stub = ast.parse((HOUSE / "__init__.pyi").read_text(encoding="utf-8"))
    words = {
        name.asname: f"{node.module}".removeprefix("flexura.")
        for node in stub.body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    assert words == fx._FILES


def test_the_facade_lists_the_public_words_and_no_more() -> None:
    assert set(dir(fx)) == {*fx.__all__, "__version__"}
    assert all(getattr(fx, word) is not None for word in fx.__all__)


def test_verbs_stay_verbs_when_rooms_are_imported() -> None:
    clashing = {room.name for room in ROOMS if room.parent == HOUSE} & set(fx.__all__)
    assert clashing == set()


def test_trees_are_compiled_by_one_function_alone() -> None:
    """The engine's compilers make infinity by infinity of long fractions; `machine_function` does not."""
    door = HOUSE / "symbolic" / "machine.py"
    compilers = {"Lambdify", "LambdaDouble", "LLVMDouble"}
    others = {
        str(file.relative_to(HOUSE))
        for file in HOUSE.rglob("*.py")
        if file != door
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if getattr(node, "attr", getattr(node, "id", getattr(node, "name", None))) in compilers
    }
    assert "Lambdify" in door.read_text(encoding="utf-8")
    assert others == set()
