"""Nastran DMIG cards (.dmig, .bdf, .pch): matrices between motions of grid points, with GRID cards for nodes.

Rows are called 12:u, 12:v, ... after the grid point and its component 1 to 6, or 12:s for a scalar point. Numbers have
16 characters on a card, which is 11 to 13 digits.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sparse

from flexura.errors import FlexuraError
from flexura.systems.matrix_files.contents import MATRICES, BadFile, Contents, bad

_MOTIONS = ("s", "u", "v", "w", "alpha", "beta", "gamma")
_SHORT = re.compile(r"([+-]?(?:\d+\.?\d*|\.\d+))([+-]\d+)")


# -- reading ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Field:
    """The text of a field and where it stands."""

    text: str
    line: int
    column: int


@dataclass(frozen=True)
class _Card:
    """A card with its continuations, without its name."""

    name: str
    fields: list[_Field]
    line: int


def read(path: Path) -> Contents:
    """Read all DMIG matrices and grid points; other cards are passed over."""
    entries: dict[str, list[tuple[tuple[int, int], tuple[int, int], float]]] = {}
    forms: dict[str, int] = {}
    grids: dict[int, list[float]] = {}
    for card in _cards(path):
        if card.name == "GRID":
            grids[_whole(path, card, 0)] = _grid(path, card)
        elif card.name == "DMIG":
            _dmig(path, card, entries, forms)
    if not entries:
        raise BadFile(f"{path} holds no DMIG card; give a file with DMIG matrices.")
    return _assembled(path, entries, forms, grids)


def _cards(path: Path) -> Iterator[_Card]:
    card: _Card | None = None
    for number, raw in enumerate(path.read_text(encoding="ascii", errors="replace").splitlines(), 1):
        line = raw.split("$")[0].rstrip()
        if not line.strip():
            continue
        first, fields = _fields(line, number)
        if " " in first:
            raise bad(path, number, line.index(",") + 1, "a comma stands in a line of fixed columns; keep to one")
        if first.startswith(("*", "+")) or not first:
            if card is None:
                continue
            card.fields.extend(fields)
            continue
        if card is not None:
            yield card
        card = _Card(first.rstrip("*").upper(), fields, number)
    if card is not None:
        yield card


def _fields(line: str, number: int) -> tuple[str, list[_Field]]:
    """The name of a card and its fields: four of 16 where the name has a star, eight of 8, or between commas."""
    if "," in line:
        pieces, at = [], 1
        for text in line.split(","):
            pieces.append(_Field(text.strip(), number, at))
            at += len(text) + 1
        return pieces[0].text, pieces[1:9]
    name = line[:8].strip()
    width, count = (16, 4) if "*" in name else (8, 8)
    starts = [8 + width * i for i in range(count)]
    return name, [_Field(line[at : at + width].strip(), number, at + 1) for at in starts]


def _field(card: _Card, index: int) -> _Field:
    return card.fields[index] if index < len(card.fields) else _Field("", card.line, 1)


def _whole(path: Path, card: _Card, index: int) -> int:
    field = _field(card, index)
    try:
        return int(field.text)
    except ValueError:
        raise bad(path, field.line, field.column, f"{field.text!r} is not a whole number") from None


def _number(path: Path, field: _Field) -> float:
    """A Nastran number: 1.5, 1.5E3, 1.5D3 and 1.5+3 are all allowed."""
    text = field.text.upper().replace("D", "E")
    short = _SHORT.fullmatch(text)
    try:
        return float(f"{short[1]}E{short[2]}" if short else text)
    except ValueError:
        raise bad(path, field.line, field.column, f"{field.text!r} is not a number") from None


def _grid(path: Path, card: _Card) -> list[float]:
    frame = _field(card, 1)
    if frame.text not in ("", "0"):
        raise bad(
            path, frame.line, frame.column, f"the grid point is in coordinate system {frame.text}; give basic ones (0)"
        )
    return [_number(path, _field(card, i)) if _field(card, i).text else 0.0 for i in (2, 3, 4)]


def _dmig(path: Path, card: _Card, entries: Any, forms: dict[str, int]) -> None:
    name = _field(card, 0).text.upper()
    if _field(card, 1).text == "0":
        kind = _field(card, 3)
        if kind.text not in ("1", "2", ""):
            raise bad(
                path, kind.line, kind.column, f"matrices of the type {kind.text} (complex) are not read; give real ones"
            )
        forms[name] = _whole(path, card, 2)
        entries.setdefault(name, [])
        return
    if name not in forms:
        raise bad(path, card.line, 9, f"the column of {name} comes before its header (DMIG {name} 0 ...)")
    column = _whole(path, card, 1), _whole(path, card, 2) if _field(card, 2).text else 0
    for at in range(4, len(card.fields), 4):
        if not _field(card, at).text:
            continue
        row = _whole(path, card, at), _whole(path, card, at + 1) if _field(card, at + 1).text else 0
        entries[name].append((row, column, _number(path, _field(card, at + 2))))


def _assembled(path: Path, entries: Any, forms: dict[str, int], grids: dict[int, list[float]]) -> Contents:
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
                f"{path}: {name} has a row {unknown[0]}:{unknown[1]} that no square matrix has; check its points."
            )
        i, j = [index[row] for row, _, _ in triples], [columns[column] for _, column, _ in triples]
        v = np.array([value for _, _, value in triples], dtype=np.float64)
        A = sparse.csr_array((v, (i, j)), shape=(len(rows), len(columns)))
        if forms[name] == 6:
            A = A + A.T - sparse.diags_array(A.diagonal())
        contents[name] = sparse.csr_array(A.T if name == "C" else A)
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
        for i, (x, y, z) in enumerate(nodes)
    ]
    for name in MATRICES:
        if name in contents:
            symmetric = name in ("M", "D", "K")
            A = sparse.csc_matrix(contents[name])
            lines += _card(
                name, sparse.tril(A, format="csc") if symmetric else A, points, points, 6 if symmetric else 1
            )
    for name, one in (("F", contents.get("F")), ("C", contents.get("C"))):
        if one is not None:
            columns = sparse.csc_matrix(np.asarray(one).T if name == "C" else np.asarray(one).reshape(len(points), -1))
            lines += _card(name, columns, points, [(j + 1, 0) for j in range(columns.shape[1])], 9)
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def _points(contents: Contents) -> tuple[list[tuple[int, int]], Any]:
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


def _point(name: str) -> tuple[int, int] | None:
    """12:u is component 1 of grid point 12; u11 is the same, counted from 0; other names become scalar points."""
    match = re.fullmatch(r"(\d+)[:._](\w+)", name) or re.fullmatch(r"(?P<m>[a-z]+)[_\[]?(?P<n>\d+)\]?", name)
    if match and match.re.groups == 2:
        point, motion = (match[1], match[2]) if match[1].isdigit() else (str(int(match[2]) + 1), match[1])
        if motion in _MOTIONS:
            return int(point), _MOTIONS.index(motion)
    return None


def _card(name: str, A: Any, rows: list[tuple[int, int]], columns: list[tuple[int, int]], form: int) -> list[str]:
    lines = [f"{'DMIG':8s}{name:8s}{0:8d}{form:8d}{2:8d}{0:8d}{'':16s}{A.shape[1] if form == 9 else '':8}".rstrip()]
    for j in range(A.shape[1]):
        span = slice(A.indptr[j], A.indptr[j + 1])
        if span.start == span.stop:
            continue
        lines.append(f"{'DMIG*':8s}{name:16s}{columns[j][0]:16d}{columns[j][1]:16d}")
        for i, value in zip(A.indices[span], A.data[span], strict=True):
            lines.append(f"{'*':8s}{rows[i][0]:16d}{rows[i][1]:16d}{_text(value):>16s}")
    return lines


def _text(value: float) -> str:
    """A number in 16 characters with as many digits as fit: -1.2345678901+12."""
    if value == 0:
        return "0.0"
    for digits in range(14, 0, -1):
        mantissa, exponent = f"{value:.{digits}E}".split("E")
        text = f"{mantissa}{int(exponent):+d}"
        if len(text) <= 16:
            return text
    raise FlexuraError(f"{value!r} does not fit a card of 16 characters.")
