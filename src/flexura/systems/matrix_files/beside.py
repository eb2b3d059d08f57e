"""Formats of one matrix a file: plate.mtx is K; plate.M.mtx, plate.D.mtx, plate.F.mtx, plate.nodes.mtx lie beside it.

Names of rows are kept in plate.names.json. Files of others are found too: K.mtx beside M.mtx, wing_K.mtx beside
wing_M.mtx, bcsstk01.rsa beside bcsstm01.rsa.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from flexura.errors import FlexuraError
from flexura.systems.matrix_files.contents import MATRICES, NAMES, TABLES, Contents
from flexura.systems.matrix_files.texts import BadFile, bad

_AGAIN = "correct it, or write it again with fx.write_system"


def write_beside(path: Path, write: Callable[[Path, Any], None], contents: Contents) -> tuple[Path, ...]:
    """One file for each matrix, and one for the names."""
    made = []
    for name in (*MATRICES, *TABLES):
        at = path if name == "K" else path.with_name(f"{path.stem}.{name}{path.suffix}")
        if name in contents:
            write(at, contents[name])
            made.append(at)
        elif name != "K" and at.exists():
            at.unlink()  # of an earlier system with the same name
    return (*made, *write_names(path, contents))


def write_names(path: Path, contents: Contents) -> tuple[Path, ...]:
    """Names of rows, inputs and outputs, for formats that have no place for them."""
    names = {name: list(contents[name]) for name in NAMES if name in contents}
    at = path.with_name(f"{path.stem}.names.json")
    if not names:
        at.unlink(missing_ok=True)  # of an earlier system with the same name
        return ()
    at.write_text(json.dumps(names), encoding="utf-8")
    return (at,)


def read_names(path: Path) -> Contents:
    """Names that lie beside a file, if any do."""
    at = path.with_name(f"{path.stem}.names.json")
    if not at.exists():
        return {}
    try:
        found = json.loads(at.read_bytes())
    except json.JSONDecodeError as error:
        raise bad(at, error.lineno, error.colno, f"this is not JSON; {_AGAIN}") from None
    except (ValueError, RecursionError, OSError):  # no text, too deep, a number that is too long
        raise BadFile(f"{at} is not JSON; {_AGAIN}.") from None
    for name in NAMES:
        names = found.get(name, []) if isinstance(found, dict) else None
        if not isinstance(names, list) or not all(isinstance(one, str) for one in names):
            raise BadFile(f"{at} does not hold lists of names, {', '.join(NAMES)}; {_AGAIN}.")
    return {name: tuple(found[name]) for name in NAMES if name in found}


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
            raise FlexuraError(f"There is no file {at} for {name}; give the path of a file that holds it.")
        if name not in contents and at.exists():
            contents[name] = read(at)
    if "M" not in contents:
        raise FlexuraError(
            f"There is no mass matrix beside {path} (looked for {sibling('M').name}); say where with M=."
        )
    return contents | read_names(path)


def _siblings(path: Path) -> tuple[str, Callable[[str], Path]]:
    """What this file is, and how its siblings are called."""
    stem, suffix = path.stem, path.suffix
    marked = re.fullmatch(r"(?:(.*)([._-]))?([MDKGH])", stem)
    if marked:
        head, mark = marked[1] or "", marked[2] or ""
        return marked[3], lambda name: path.with_name(f"{head}{mark}{name}{suffix}")
    collected = re.fullmatch(r"(bcsst)([km])(\d+)", stem, re.IGNORECASE)
    if collected:
        own = collected[2].upper()
        return own, lambda name: path.with_name(f"{collected[1]}{name.lower()}{collected[3]}{suffix}")
    return "K", lambda name: path.with_name(f"{stem}.{name}{suffix}")
