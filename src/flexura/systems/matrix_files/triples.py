"""Entries as plain lines: what Abaqus writes for *MATRIX GENERATE (.mtx) and CalculiX as .sti, .mas and .dof.

A line is row, column, value; or node, motion, node, motion, value (MATRIX INPUT), whose rows are called 12:u, 12:v, ...
after the node and its motion 1 to 6. Where only one half of a matrix is written, the other follows. run_STIF1.mtx has
run_MASS1.mtx beside it, run.sti has run.mas; run.dof names the rows, 12.1 or 12:1 each.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sparse

from flexura.errors import FlexuraError
from flexura.systems.matrix_files.budget import Budget
from flexura.systems.matrix_files.contents import Contents
from flexura.systems.matrix_files.texts import BadFile, bad, bytes_of, real, whole

MOTIONS = ("s", "u", "v", "w", "alpha", "beta", "gamma")
_ABAQUS = re.compile(r"(.*_)(STIF|MASS|DMPV)(\d*)", re.IGNORECASE)
_CALCULIX = {".sti": "K", ".mas": "M"}
_ROLES = {"K": "STIF", "M": "MASS", "D": "DMPV"}
Row = tuple[int, int]
Entry = tuple[Row, Row, float]


def is_plain(path: Path, suffix: str) -> bool:
    """Whether a file holds such lines: by its ending, or because an .mtx does not begin as Matrix Market does."""
    if suffix in _CALCULIX:
        return True
    with path.open("rb") as file:
        first = next((line for line in iter(lambda: file.readline(400), b"") if not line.startswith(b"**")), b"")
    return suffix == ".mtx" and re.match(rb"\s*-?\d+\s*[, \t]\s*-?\d", first) is not None


def read(path: Path, names: dict[str, Any], largest: float | None) -> Contents:
    """The matrix at the path and those of the same run beside it, over the same rows."""
    places = _places(path, names)
    if "M" not in places or not places["M"].exists():
        looked = f" (looked for {places['M'].name})" if "M" in places else ""
        raise FlexuraError(f"There is no mass matrix beside {path}{looked}", advice="say where with M=")
    entries = {}
    for name, at in places.items():
        if name in names and not at.exists():
            raise FlexuraError(f"There is no file {at} for {name}", advice="give the path of a file that holds it")
        if at.exists():
            entries[name] = _entries(at, Budget.of(at, largest))
    rows = _rows(path, entries)
    index = {row: i for i, row in enumerate(rows)}
    Budget.of(path, largest).sparse(len(rows), len(rows), sum(map(len, entries.values())), "the matrix")
    contents: Contents = {name: _matrix(places[name], triples, index) for name, triples in entries.items()}
    named = _names(path, rows)
    return contents | ({} if named is None else {"dofs": named})


def _places(path: Path, names: dict[str, Any]) -> dict[str, Path]:
    """The files of a run by what they hold."""
    found = _ABAQUS.fullmatch(path.stem)
    if path.suffix.lower() in _CALCULIX:
        upper = path.suffix.isupper()
        places = {name: path.with_suffix(end.upper() if upper else end) for end, name in _CALCULIX.items()}
    elif found:
        lower = found[2].islower()
        places = {
            name: path.with_name(f"{found[1]}{word.lower() if lower else word}{found[3]}{path.suffix}")
            for name, word in _ROLES.items()
        }
    else:
        places = {"K": path}
    for name, at in names.items():
        given = Path(at)
        places[name] = path.parent / given if not given.exists() and (path.parent / given).exists() else given
    return places


def _entries(path: Path, budget: Budget) -> list[Entry]:
    """Row, column and value of every line."""
    found: list[Entry] = []
    width = 0
    for number, line in enumerate(bytes_of(path, budget).decode("ascii", errors="replace").splitlines(), 1):
        words = line.replace(",", " ").split()
        if not words or line.startswith("**"):
            continue
        width = width or len(words)
        if width not in (3, 5) or len(words) != width:
            problem = f"the line has {len(words)} numbers, {width if width in (3, 5) else '3 or 5'} are needed"
            raise bad(path, number, 1, problem)
        places = [whole(one) for one in words[:-1]]
        value = real(words[-1])
        for word, one in zip(words, [*places, value], strict=True):
            if one is None:
                raise bad(path, number, line.index(word) + 1, f"{word!r} is not a number that can stand here")
        found.append(_entry(path, number, [int(one) for one in places if one is not None], float(value or 0.0)))
    if not found:
        raise BadFile(f"{path} holds no entry", advice="give a matrix that has one")
    return found


def _entry(path: Path, number: int, places: list[int], value: float) -> Entry:
    if len(places) == 2:
        if min(places) < 1:
            raise bad(path, number, 1, f"the entry ({places[0]}, {places[1]}) counts rows from 1")
        return (places[0], -1), (places[1], -1), value
    node, motion, other, its = places
    for one in (motion, its):
        if not 0 <= one < len(MOTIONS):
            raise bad(path, number, 1, f"{one} is no motion", "only 1 to 6 are read (displacements and rotations)")
    return (node, motion), (other, its), value


def _rows(path: Path, entries: dict[str, list[Entry]]) -> list[Row]:
    every = {row for triples in entries.values() for one in triples for row in one[:2]}
    counted = {motion < 0 for _, motion in every}
    if len(counted) > 1:
        raise BadFile(f"The files beside {path} are in two formats", advice="write all of them in one")
    if counted == {False}:
        return sorted(every)
    most = max(row for row, _ in every)
    if most > 100 * (len(every) + 1000):
        raise BadFile(f"{path} has a row {most}, but only {len(every)} rows hold anything", advice="check its numbers")
    return [(i, -1) for i in range(1, most + 1)]


def _matrix(path: Path, triples: list[Entry], index: dict[Row, int]) -> Any:
    i = np.array([index[row] for row, _, _ in triples], dtype=np.int64)
    j = np.array([index[column] for _, column, _ in triples], dtype=np.int64)
    v = np.array([value for _, _, value in triples], dtype=np.float64)
    n = len(index)
    if len(np.unique(i * n + j)) < len(i):
        raise BadFile(f"{path} has an entry twice", advice="give each once")
    A = sparse.csr_array((v, (i, j)), shape=(n, n))
    half = not (np.any(i > j) and np.any(i < j))
    return sparse.csr_array(A + A.T - sparse.diags_array(A.diagonal())) if half else A


def _names(path: Path, rows: list[Row]) -> tuple[str, ...] | None:
    """12:u, 12:v, ..., from the rows themselves or from the file of names beside them."""
    at = path.with_suffix(".DOF" if path.suffix.isupper() else ".dof")
    if rows[0][1] >= 0:
        return tuple(f"{node}:{MOTIONS[motion]}" for node, motion in rows)
    if path.suffix.lower() not in _CALCULIX or not at.exists():
        return None
    names = []
    for number, line in enumerate(at.read_bytes().decode("ascii", errors="replace").split("\n"), 1):
        word = re.fullmatch(r"\s*(\d{1,15})[.:]([1-6])0*\s*", line, re.ASCII)
        if word is None and line.strip():
            raise bad(at, number, 1, f"{line.strip()!r} is no node and motion such as 12.1")
        if word is not None:
            names.append(f"{int(word[1])}:{MOTIONS[int(word[2])]}")
    if len(names) != len(rows) or len(set(names)) < len(names):
        raise BadFile(
            f"{at} names {len(set(names))} rows, but the matrices have {len(rows)}", advice="name each of them once"
        )
    return tuple(names)
