"""Nastran OUTPUT4 as text (.op4): matrices by name, dense columns, or strings of sparse ones in either numbering."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sparse

from flexura.systems.matrix_files import op4_binary
from flexura.systems.matrix_files.budget import Budget
from flexura.systems.matrix_files.contents import NAMES, SHORT, Contents
from flexura.systems.matrix_files.texts import bad, real, whole

_BIG = 65536
_WIDTH, _EACH = 24, 3  # a sign and an exponent of three digits fit
_LONGEST = (10**8 // _BIG - 2) // 2  # numbers in a string whose length and first row, packed, fit eight characters


def write(path: Path, contents: Contents) -> None:
    """Write matrices in double precision, sparse."""
    lines: list[str] = []
    for name, one in contents.items():
        if name in NAMES:
            continue  # they lie beside the file
        lines += _matrix(
            SHORT.get(name, name.upper()),
            sparse.csc_matrix(one if sparse.issparse(one) else np.asarray(one).reshape(len(one), -1)),
        )
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def _matrix(name: str, A: Any) -> list[str]:
    A.sort_indices()
    rows, columns = A.shape
    big = rows >= _BIG
    form = 6 if rows == columns and abs(A - A.T).max() == 0 else 1 if rows == columns else 2
    lines = [f"{columns:8d}{-rows if big else rows:8d}{form:8d}{2:8d}{name:8s}1P,{_EACH}E{_WIDTH}.16"]
    for j in range(columns):
        span = slice(A.indptr[j], A.indptr[j + 1])
        indices, values = A.indices[span], A.data[span]
        if not len(indices):
            continue
        strings = _strings(indices, len(indices) if big else _LONGEST)
        words = sum((2 if big else 1) + 2 * len(one) for one in strings)
        lines.append(f"{j + 1:8d}{0:8d}{words:8d}")
        for one in strings:
            row, length = int(indices[one[0]]) + 1, 2 * len(one) + 1
            lines.append(f"{length:8d}{row:8d}" if big else f"{row + _BIG * length:8d}")
            texts = [f"{v:{_WIDTH}.16E}" for v in values[one]]
            lines += ["".join(texts[i : i + _EACH]) for i in range(0, len(texts), _EACH)]
    lines += [f"{columns + 1:8d}{1:8d}{1:8d}", f"{1.0:{_WIDTH}.16E}"]
    return lines


def _strings(indices: Any, longest: int) -> list[Any]:
    """Runs of consecutive rows, none longer than that."""
    runs = np.split(np.arange(len(indices)), np.flatnonzero(np.diff(indices) > 1) + 1)
    return [run[at : at + longest] for run in runs for at in range(0, len(run), longest)]


def read(path: Path, budget: Budget) -> Contents:
    """Read all matrices."""
    data = path.read_bytes()
    if b"\x00" in data[:1024]:
        return op4_binary.read(path, data, budget)
    reader = _Op4Reader(path, data.decode("ascii", errors="replace").splitlines(), budget)
    contents: Contents = {}
    while reader.more():
        name, one = reader.matrix()
        contents["nodes" if name == "NODES" else name] = one
    return contents


class _Op4Reader:
    """The lines of a file, and where we are in them."""

    def __init__(self, path: Path, lines: list[str], budget: Budget) -> None:
        self.path, self.lines, self.at, self.width = path, lines, 0, _WIDTH
        self.budget = budget

    def more(self) -> bool:
        while self.at < len(self.lines) and not self.lines[self.at].strip():
            self.at += 1
        return self.at < len(self.lines)

    def line(self) -> str:
        if self.at >= len(self.lines):
            raise bad(self.path, len(self.lines) + 1, 1, "the file ends inside a matrix")
        self.at += 1
        return self.lines[self.at - 1]

    def integers(self, line: str, count: int, width: int = 8) -> list[int]:
        found = []
        for i in range(count):
            text = line[width * i : width * i + width]
            value = whole(text)
            if value is None:
                raise bad(self.path, self.at, width * i + 1, f"{text.strip()!r} is not a whole number")
            found.append(value)
        return found

    def matrix(self) -> tuple[str, Any]:
        header = self.line()
        columns, rows, _, kind = self.integers(header, 4)
        if kind not in (1, 2):
            raise bad(self.path, self.at, 25, f"matrices of the type {kind} (complex) are not read", "give real ones")
        name, layout = header[32:40].strip(), re.search(r"(\d+)[ED](\d+)\.\d+", header[40:])
        if layout is None or not 0 < int(layout[2][:9]) < 1000:
            raise bad(self.path, self.at, 41, f"{header[40:].strip()!r} is not a format such as 1P,3E23.16")
        self.width, big = int(layout[2]), rows < 0
        rows = abs(rows)
        if rows < 1 or columns < 1:
            raise bad(self.path, self.at, 1, f"the matrix {name} has {rows} rows and {columns} columns")
        self.budget.sparse(rows, columns, 0, name)
        i: list[int] = []
        j: list[int] = []
        v: list[float] = []
        before = 0
        while True:
            column, first, words = self.integers(self.line(), 3)
            if column > columns:
                self.values()
                break
            if column <= before:
                raise bad(self.path, self.at, 1, f"the column {column} lies outside {before + 1} to {columns}")
            before, reached = column, 0
            runs = [(first, self.values())] if first else self.strings(words, kind, big)
            for row, values in runs:
                if row <= reached or row - 1 + len(values) > rows:
                    span = f"rows {row} to {row - 1 + len(values)} of the column {column}"
                    raise bad(self.path, self.at, 1, f"{span} lie outside {reached + 1} to {rows}")
                reached = row - 1 + len(values)
                i += range(row - 1, row - 1 + len(values))
                j += [column - 1] * len(values)
                v += values
        return name, sparse.csr_array((np.array(v, dtype=np.float64), (i, j)), shape=(rows, columns))

    def strings(self, words: int, kind: int, big: bool) -> list[tuple[int, list[float]]]:
        """Runs of consecutive rows; each is headed by its length in words and its first row, packed in one if small."""
        runs = []
        while words > 0:
            line = self.line()
            head = self.integers(line, 2) if big else self.integers(line, 1, max(len(line), 1))
            length, row = (head[0], head[1]) if big else divmod(head[0], _BIG)
            values = self.values()
            if length < 1 or kind * len(values) != length - 1:
                raise bad(
                    self.path, self.at, 1, f"{len(values)} numbers were found where {(length - 1) // kind} are needed"
                )
            runs.append((row, values))
            words -= length + (1 if big else 0)
        return runs

    def values(self) -> list[float]:
        """Numbers of fixed width until a line of whole numbers comes."""
        found: list[float] = []
        while self.at < len(self.lines) and "." in self.lines[self.at][: self.width]:
            line = self.line().rstrip()
            for k in range(0, len(line), self.width):
                text = line[k : k + self.width]
                value = real(text)
                if value is None:
                    raise bad(self.path, self.at, k + 1, f"{text.strip()!r} is not a number")
                found.append(value)
        return found
