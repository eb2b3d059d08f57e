"""Formats of one matrix a file: plate.mtx is K; plate.M.mtx, plate.D.mtx, plate.F.mtx, plate.nodes.mtx lie beside it.

Names of rows are kept in plate.names.json. What we write says so, and of which system it is: only that is written over
or taken away when the system is written again. Files of others are found too: K.mtx beside M.mtx, wing_K.mtx beside
wing_M.mtx, bcsstk01.rsa beside bcsstm01.rsa.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from flexura.errors import FlexuraError
from flexura.files.writing import replacing
from flexura.systems.matrix_files.contents import MATRICES, NAMES, TABLES, Contents
from flexura.systems.matrix_files.texts import BadFile, bad, ending

_AGAIN = "correct it, or write it again with fx.write_system"
_MARK = "written by"
_LONGEST = 72  # characters of a mark: the title of a Harwell-Boeing file


def write_beside(path: Path, write: Callable[[Path, Any, str], None], contents: Contents) -> tuple[Path, ...]:
    """One file for each matrix, and one for the names; all are whole before any takes its place."""
    own, _ = _siblings(path)
    if own != "K":
        raise FlexuraError(
            f"{path.name} would be read as {own}, and K is written there", advice="give a name that ends in K"
        )
    places = {name: _beside(path, name) for name in (*MATRICES, *TABLES) if name != "K"}
    old = [at for name, at in places.items() if at.exists() and _ours(at, _mark(path, name))]
    _refuse_foreign(path, (at for at in places.values() if at.exists() and at not in old))
    written = {name: places.get(name, path) for name in (*MATRICES, *TABLES) if name in contents}
    names = names_to_write(path, contents)
    with ExitStack() as files:
        for name, at in written.items():
            write(files.enter_context(replacing(at)), contents[name], _mark(path, name))
        _write_names(files, names)
    _take_away({*old} - {*written.values()})
    _take_away(at for at, document in names.items() if document is None)
    return (*written.values(), *names_written(path, names))


def _mark(path: Path, name: str) -> str:
    return f"{_MARK} flexura as {name} of {ascii(path.name)[1:-1]}"[:_LONGEST].rstrip()


def _ours(at: Path, mark: str) -> bool:
    """Whether a file says that we wrote it for this system; it does so among its first lines."""
    with at.open("rb") as file:
        lines = [line.decode(errors="replace").lstrip("% ") for line in file.readlines(400)]
    return any(line[:_LONGEST].rstrip() == mark for line in lines)


def _take_away(files: Iterable[Path]) -> None:
    """Files of ours, of the system that another has replaced."""
    for at in files:
        at.unlink(missing_ok=True)


def _refuse_foreign(path: Path, there: Iterable[Path]) -> None:
    for at in there:
        raise FlexuraError(
            f"{at} is there already and was not written with {path.name}, whose part it would become",
            advice="move it away, or write the system under another name",
        )


# -- names -----------------------------------------------------------------------------------------------------------


def names_to_write(path: Path, contents: Contents) -> dict[Path, dict[str, Any] | None]:
    """What the file of names beside a system shall hold; None takes it away. A file of others is refused.

    It says of which files it holds the names: the same system may be written in several formats.
    """
    at = path.with_name(f"{path.stem}.names.json")
    names = {name: list(contents[name]) for name in NAMES if name in contents}
    if not at.exists():
        return {at: _named([path.name], names)} if names else {}
    there = _json(at)
    files = there.get("of") if there.get(_MARK) == "flexura" else None
    if not isinstance(files, list):
        _refuse_foreign(path, [at])
        return {}
    others = [str(one) for one in files if one != path.name]
    if others and names and names != {name: there[name] for name in NAMES if name in there}:
        raise FlexuraError(
            f"{at} holds the names of {', '.join(others)}, which are others",
            advice="write the system under another name",
        )
    if names:
        return {at: _named([*others, path.name], names)}
    return {at: _named(others, {name: there[name] for name in NAMES if name in there}) if others else None}


def _named(files: list[str], names: dict[str, Any]) -> dict[str, Any]:
    return {_MARK: "flexura", "of": files, **names}


def names_written(path: Path, names: dict[Path, dict[str, Any] | None]) -> tuple[Path, ...]:
    """The file of names, if this system has one."""
    return tuple(at for at, document in names.items() if document and path.name in document["of"])


def _write_names(files: ExitStack, names: dict[Path, dict[str, Any] | None]) -> None:
    for at, document in names.items():
        if document is not None:
            files.enter_context(replacing(at)).write_text(json.dumps(document), encoding="utf-8")


def write_with_names(path: Path, write: Callable[[Path, Any], None], contents: Contents) -> tuple[Path, ...]:
    """A file of all matrices, and one of names beside it."""
    names = names_to_write(path, contents)
    with ExitStack() as files:
        write(files.enter_context(replacing(path)), contents)
        _write_names(files, names)
    _take_away(at for at, document in names.items() if document is None)
    return (path, *names_written(path, names))


def read_names(path: Path) -> Contents:
    """Names that lie beside a file, if any do, and if they are its own."""
    at = path.with_name(f"{path.stem}.names.json")
    if not at.exists():
        return {}
    found = _json(at)
    for name in ("of", *NAMES) if _MARK in found else NAMES:
        names = found.get(name, None if name == "of" else [])
        if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
            raise BadFile(f"{at} does not hold lists of names, {', '.join(NAMES)}", advice=_AGAIN)
    if _MARK in found and path.name not in found["of"]:
        return {}
    return {name: tuple(found[name]) for name in NAMES if name in found}


def _json(at: Path) -> dict[str, Any]:
    try:
        found = json.loads(at.read_bytes())
    except json.JSONDecodeError as error:
        raise bad(at, error.lineno, error.colno, "this is not JSON", _AGAIN) from None
    except (ValueError, RecursionError, OSError):  # no text, too deep, a number that is too long
        raise BadFile(f"{at} is not JSON", advice=_AGAIN) from None
    if not isinstance(found, dict):
        raise BadFile(f"{at} does not hold lists of names, {', '.join(NAMES)}", advice=_AGAIN)
    return found


# -- reading ---------------------------------------------------------------------------------------------------------


def read_beside(path: Path, read: Callable[[Path], Any], names: dict[str, Any]) -> Contents:
    """The matrix at the path and what lies beside it."""
    contents: Contents = {}
    own, sibling = _siblings(path)
    contents[own] = read(path)
    for name in (*MATRICES, *TABLES):
        at = Path(names[name]) if name in names else sibling(name)
        if name in names and not at.exists() and (path.parent / at).exists():
            at = path.parent / at
        if name in names and not at.exists():
            raise FlexuraError(f"There is no file {at} for {name}", advice="give the path of a file that holds it")
        if name not in contents and at.exists():
            contents[name] = read(at)
    if "M" not in contents:
        raise FlexuraError(
            f"There is no mass matrix beside {path} (looked for {sibling('M').name})", advice="say where with M="
        )
    return contents | read_names(path)


def _beside(path: Path, name: str) -> Path:
    stem, suffix = ending(path)
    return path.with_name(f"{stem}.{name}{suffix}")


def _siblings(path: Path) -> tuple[str, Callable[[str], Path]]:
    """What this file is, and how its siblings are called."""
    stem, suffix = ending(path)
    marked = re.fullmatch(r"(?:(.*)([._-]))?([MDKGH])", stem)
    collected = re.fullmatch(r"(bcsst)([km])(\d+)", stem, re.IGNORECASE)
    if _ours_at(path) or not (marked or collected):
        return "K", lambda name: _beside(path, name)
    if marked:
        head, mark = marked[1] or "", marked[2] or ""
        return marked[3], lambda name: path.with_name(f"{head}{mark}{name}{suffix}")
    assert collected is not None
    own = collected[2].upper()
    return own, lambda name: path.with_name(f"{collected[1]}{name.lower()}{collected[3]}{suffix}")


def _ours_at(path: Path) -> bool:
    return path.is_file() and _ours(path, _mark(path, "K"))
