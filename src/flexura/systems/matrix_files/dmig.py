"""Nastran DMIG cards (.dmig, .bdf, .pch): matrices between motions of grid points, with GRID cards for nodes.

Rows are called 12:u, 12:v, ... after the grid point and its component 1 to 6, or 12:s for a scalar point. A number has
16 characters on a card, too few for all its digits: what K leaves over is written as a second matrix KLO, in the same
cards, and added when the file is read. In Nastran ask for both, K2GG = K, KLO.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sparse

from flexura.errors import FlexuraError
from flexura.systems.matrix_files.budget import Budget
from flexura.systems.matrix_files.contents import MATRICES, SHORT, Contents
from flexura.systems.matrix_files.texts import BadFile, bad, real, whole

Point = tuple[int, int]
"""A grid point and its component, 0 for a scalar point."""

Entries = dict[str, list[tuple[Point, Point, float]]]
"""The matrices by name: row, column and value of every entry."""

_READ = ("DMIG", "GRID", "GRDSET")
_MOTIONS = ("s", "u", "v", "w", "alpha", "beta", "gamma")
_ROWS = ("C", "BASIS")  # written as columns, because a row of a DMIG is a motion of the system
_REST = "LO"
_SUM = "$ flexura: {0} is the sum of {0} and {0}LO"
_SUMMED = re.compile(r"\$ flexura: (\w+) is the sum of \1 and \1LO\s*")


# -- reading ---------------------------------------------------------------------------------------------------------


class _CardField(NamedTuple):
    """The text of a field and where it stands."""

    text: str
    line: int
    column: int


@dataclass(frozen=True)
class _Card:
    """A card with its continuations, without its name."""

    name: str
    fields: list[_CardField]
    line: int


def read(path: Path, budget: Budget) -> Contents:
    """Read all DMIG matrices and grid points; other cards are passed over."""
    lines = path.read_bytes().decode("ascii", errors="replace").splitlines()
    entries: Entries = {}
    forms: dict[str, int] = {}
    grids: dict[int, list[float]] = {}
    turned: dict[int, _CardField] = {}
    defaults = _Card("GRDSET", [], 0)
    for card in _cards(path, lines):
        if card.name == "GRDSET":
            defaults = card
        elif card.name == "GRID":
            point = _whole(path, card, 0)
            grids[point] = _grid(path, card, defaults)
            axes = _with_default(card, defaults, 5)
            if axes.text not in ("", "0"):
                turned[point] = axes
        elif card.name == "DMIG":
            _dmig(path, card, entries, forms)
    if not entries:
        raise BadFile(f"{path} holds no DMIG card", advice="give a file with DMIG matrices")
    _check_axes(path, entries, turned)
    summed = {found[1] for line in lines if (found := _SUMMED.fullmatch(line))}
    return _assembled(path, _joined(entries, summed), forms, grids)


def _cards(path: Path, lines: list[str]) -> Iterator[_Card]:
    """The cards that are read, with their continuations; what comes before BEGIN BULK are no cards."""
    card: _Card | None = None
    begin = next((i for i, line in enumerate(lines) if re.match(r"\s*BEGIN\s+BULK\b", line, re.I)), -1)
    for number, raw in enumerate(lines[begin + 1 :], begin + 2):
        line = raw.split("$")[0].expandtabs(8).rstrip()
        if not line.strip():
            continue
        if line.strip().upper() == "ENDDATA":
            break
        first, fields = _fields(line, number)
        if first.startswith(("*", "+")) or not first:
            if card is not None:
                card.fields.extend(fields)
            continue
        if card is not None:
            yield card
        name, *more = re.split(r"[\s*]+", first.upper(), maxsplit=1)
        card = _Card(name, fields, number) if name in _READ else None
        if card is not None and more and more[0]:
            if "," not in line:
                raise bad(path, number, 1, f"{first!r} is not the name of a card", "begin its fields at column 9")
            raise bad(path, number, line.index(",") + 1, "a comma stands in a line of fixed columns", "keep to one")
    if card is not None:
        yield card


def _fields(line: str, number: int) -> tuple[str, list[_CardField]]:
    """The name of a card and its fields: four of 16 where the name has a star, eight of 8, or between commas."""
    if "," in line:
        pieces, at = [], 1
        for text in line.split(","):
            pieces.append(_CardField(text.strip(), number, at))
            at += len(text) + 1
        name, fields = pieces[0].text, pieces[1:9]
        blank = [_CardField("", number, at)] * ((4 if "*" in name else 8) - len(fields))
        return name, fields + blank  # what a continuation says stands in the fields after these
    name = line[:8].strip()
    width, count = (16, 4) if "*" in name else (8, 8)
    starts = [8 + width * i for i in range(count)]
    return name, [_CardField(line[at : at + width].strip(), number, at + 1) for at in starts]


def _field(card: _Card, index: int) -> _CardField:
    return card.fields[index] if index < len(card.fields) else _CardField("", card.line, 1)


def _with_default(card: _Card, defaults: _Card, index: int) -> _CardField:
    """A field of a grid point, or what GRDSET says where it is blank."""
    field = _field(card, index)
    return field if field.text else _field(defaults, index)


def _whole(path: Path, card: _Card, index: int) -> int:
    field = _field(card, index)
    value = whole(field.text)
    if value is None:
        raise bad(path, field.line, field.column, f"{field.text!r} is not a whole number")
    return value


def _component(path: Path, card: _Card, index: int) -> int:
    field = _field(card, index)
    value = _whole(path, card, index) if field.text else 0
    if not 0 <= value < len(_MOTIONS):
        raise bad(path, field.line, field.column, f"{value} is no motion", "give 1 to 6, or 0 for a scalar point")
    return value


def _number(path: Path, field: _CardField) -> float:
    """A Nastran number: 1.5, 1.5E3, 1.5D3 and 1.5+3 are all allowed."""
    value = real(field.text)
    if value is None:
        raise bad(path, field.line, field.column, f"{field.text!r} is not a number")
    return value


def _grid(path: Path, card: _Card, defaults: _Card) -> list[float]:
    frame = _with_default(card, defaults, 1)
    if frame.text not in ("", "0"):
        raise bad(
            path,
            frame.line,
            frame.column,
            f"the grid point is in coordinate system {frame.text}",
            "give basic ones (0)",
        )
    return [_number(path, _field(card, i)) if _field(card, i).text else 0.0 for i in (2, 3, 4)]


def _check_axes(path: Path, entries: Entries, turned: dict[int, _CardField]) -> None:
    """The motions of a point are along the axes that its field CD names; only the basic ones are read."""
    for triples in entries.values():
        for (point, motion), _, _ in triples if turned else ():
            if motion and point in turned:
                axes = turned[point]
                problem = f"the motions of grid point {point} are along the axes of coordinate system {axes.text} (CD)"
                raise bad(path, axes.line, axes.column, problem, "write the matrices in basic axes (0)")


def _dmig(path: Path, card: _Card, entries: Entries, forms: dict[str, int]) -> None:
    name = _field(card, 0).text.upper()
    if _field(card, 1).text == "0":
        kind = _field(card, 3)
        if kind.text not in ("1", "2", ""):
            raise bad(
                path,
                kind.line,
                kind.column,
                f"matrices of the type {kind.text} (complex) are not read",
                "give real ones",
            )
        if name in forms:
            raise bad(path, card.line, 9, f"{name} has two headers (DMIG {name} 0 ...)", "keep one")
        forms[name] = _whole(path, card, 2)
        entries[name] = []
        return
    if name not in forms:
        raise bad(path, card.line, 9, f"the column of {name} comes before its header (DMIG {name} 0 ...)")
    column = _whole(path, card, 1), _component(path, card, 2)
    for at in range(4, len(card.fields), 4):
        if not _field(card, at).text:
            stray = next((one for one in card.fields[at + 1 : at + 4] if one.text), None)
            if stray is not None:
                raise bad(path, stray.line, stray.column, f"{stray.text!r} stands where its grid point is left out")
            continue
        row = _whole(path, card, at), _component(path, card, at + 1)
        entries[name].append((row, column, _number(path, _field(card, at + 2))))


def _joined(entries: Entries, summed: set[str]) -> Entries:
    """Every matrix with the digits that its cards had no room for."""
    joined = {}
    for name, triples in entries.items():
        if name in summed and name + _REST in entries:
            rest = {(row, column): value for row, column, value in entries[name + _REST]}
            joined[name] = [(row, column, value + rest.get((row, column), 0.0)) for row, column, value in triples]
        elif not (name.endswith(_REST) and name.removesuffix(_REST) in summed):
            joined[name] = triples
    return joined


def _check_twice(path: Path, name: str, rows: list[Point], i: list[int], j: list[int], symmetric: bool) -> None:
    """An entry that is given twice is a mistake, not a sum; of a symmetric matrix either half stands for both."""
    first, second = np.array(i, dtype=np.int64), np.array(j, dtype=np.int64)
    if symmetric:
        first, second = np.maximum(first, second), np.minimum(first, second)
    places, counts = np.unique(first * (1 + max(j, default=0)) + second, return_counts=True)
    if len(places) < len(i):
        row = rows[int(places[counts > 1][0]) // (1 + max(j, default=0))]
        problem = f"{name} has an entry of the row {row[0]}:{row[1]} twice"
        raise BadFile(problem, advice="give each once", place=str(path))


def _assembled(path: Path, entries: Entries, forms: dict[str, int], grids: dict[int, list[float]]) -> Contents:
    square = [name for name in entries if forms[name] in (1, 6)]
    rows = sorted({point for name in square for row, column, _ in entries[name] for point in (row, column)})
    index = {point: i for i, point in enumerate(rows)}
    contents: Contents = {}
    for name, triples in entries.items():
        loads = forms[name] not in (1, 6)
        columns = {point: i for i, point in enumerate(sorted({column for _, column, _ in triples}))} if loads else index
        unknown = next((row for row, _, _ in triples if row not in index), None)
        if unknown:
            raise BadFile(
                f"{name} has a row {unknown[0]}:{unknown[1]} that no square matrix has",
                advice="check its points",
                place=str(path),
            )
        i, j = [index[row] for row, _, _ in triples], [columns[column] for _, column, _ in triples]
        _check_twice(path, name, rows, i, j, forms[name] == 6)
        v = np.array([value for _, _, value in triples], dtype=np.float64)
        if not len(rows) or not len(columns):
            raise BadFile(f"{name} has no entry", advice="give a matrix that has one", place=str(path))
        A = sparse.csr_array((v, (i, j)), shape=(len(rows), len(columns)))
        if forms[name] == 6:
            A = A + A.T - sparse.diags_array(A.diagonal())
        contents[name] = sparse.csr_array(A.T if name in _ROWS else A)
    contents["dofs"] = tuple(f"{point}:{_MOTIONS[component]}" for point, component in rows)
    points = sorted({point for point, _ in rows})
    if points and all(point in grids for point in points):
        contents["nodes"] = np.array([grids[point] for point in points])
    return contents


# -- writing ---------------------------------------------------------------------------------------------------------


def write(path: Path, contents: Contents) -> None:
    """Write square matrices, loads and outputs (as columns), and nodes as grid points."""
    points, nodes = _points(contents)
    lines = [
        f"{'GRID*':8s}{i + 1:16d}{'':16s}{_text(x):>16s}{_text(y):>16s}\n{'*':8s}{_text(z):>16s}"
        for i, (x, y, z) in enumerate(nodes.tolist())
    ]
    for name in MATRICES:
        if name in contents:
            A = sparse.csc_matrix(contents[name])
            symmetric = abs(A - A.T).max() == 0  # to the last digit, or both halves are written
            half = sparse.tril(A, format="csc") if symmetric else A
            lines += _cards_of(SHORT.get(name, name), half, points, points, 6 if symmetric else 1)
    for name, one in (("F", contents.get("F")), ("C", contents.get("C")), ("BASIS", contents.get("basis"))):
        if one is not None:
            columns = sparse.csc_matrix(
                np.asarray(one).T if name in _ROWS else np.asarray(one).reshape(len(points), -1)
            )
            lines += _cards_of(name, columns, points, [(j + 1, 0) for j in range(columns.shape[1])], 9)
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def _points(contents: Contents) -> tuple[list[Point], Any]:
    """The grid point and component of every row, and the nodes that have a card."""
    n, dofs, nodes = contents["K"].shape[0], contents.get("dofs"), contents.get("nodes")
    places = np.zeros((0, 3))
    if nodes is not None:
        places = np.zeros((len(nodes), 3))
        places[:, : nodes.shape[1]] = nodes
    if dofs is not None:
        named = [_point(name) for name in dofs]
        points = [one for one in named if one is not None]
        if len(points) == n and all(a < b for a, b in itertools.pairwise(points)):
            return points, places
        return [(i + 1, 0) for i in range(n)], places
    if nodes is not None and n % len(nodes) == 0 and n // len(nodes) in (1, 2, 3, 6):
        each = n // len(nodes)
        return [(i // each + 1, i % each + 1) for i in range(n)], places
    return [(i + 1, 0) for i in range(n)], places


def _point(name: str) -> Point | None:
    """12:u is component 1 of grid point 12; u11 is the same, counted from 0; other names become scalar points."""
    match = re.fullmatch(r"(\d+)[:._](\w+)", name) or re.fullmatch(r"(?P<m>[a-z]+)[_\[]?(?P<n>\d+)\]?", name)
    if match and match.re.groups == 2:
        point, motion = (match[1], match[2]) if match[1].isdigit() else (str(int(match[2]) + 1), match[1])
        if motion in _MOTIONS:
            return int(point), _MOTIONS.index(motion)
    return None


def _cards_of(name: str, A: Any, rows: list[Point], columns: list[Point], form: int) -> list[str]:
    """A matrix, and what its cards leave over of its digits as another."""
    texts = [_text(value) for value in A.data.tolist()]
    rest = A.data - np.array([real(text) or 0.0 for text in texts])
    lines = _card(name, A, texts, rows, columns, form)
    if rest.any():
        lines = [_SUM.format(name), *lines]
        lines += _card(name + _REST, A, [_text(value) if value else "" for value in rest.tolist()], rows, columns, form)
    return lines


def _card(name: str, A: Any, texts: list[str], rows: list[Point], columns: list[Point], form: int) -> list[str]:
    lines = [f"{'DMIG':8s}{name:8s}{0:8d}{form:8d}{2:8d}{0:8d}{'':16s}{A.shape[1] if form == 9 else '':8}".rstrip()]
    for j in range(A.shape[1]):
        span = slice(A.indptr[j], A.indptr[j + 1])
        entries = [(i, text) for i, text in zip(A.indices[span], texts[span], strict=True) if text]
        if entries:
            lines.append(f"{'DMIG*':8s}{name:16s}{columns[j][0]:16d}{columns[j][1]:16d}")
            lines += [f"{'*':8s}{rows[i][0]:16d}{rows[i][1]:16d}{text:>16s}" for i, text in entries]
    return lines


def _text(value: float) -> str:
    """A number in 16 characters with as many digits as fit: -1234567.8901234, or -1.2345678901+12."""
    shortest = repr(value)
    if len(shortest) <= 16 and "e" not in shortest:
        return shortest
    size = math.floor(math.log10(abs(value)))
    if -3 <= size < 14:  # without an exponent there is room for more
        text = f"{value:.{15 - (value < 0) - max(size + 1, 1)}f}"
        if len(text) <= 16:
            return text
    for digits in range(14, 0, -1):
        mantissa, exponent = f"{value:.{digits}E}".split("E")
        text = f"{mantissa}{int(exponent):+d}"
        if len(text) <= 16:
            return text
    raise FlexuraError(f"{value!r} does not fit a card of 16 characters", advice="write the system as .op4 instead")
