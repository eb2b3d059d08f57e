"""Nastran OUTPUT4 as Fortran writes it unformatted (.op4): matrices by name, in records between their lengths.

A record is a length, so many bytes, and the length again, in words of four bytes of either order. A header is columns,
rows (negative: long strings), form, type and a name of eight letters; a column is its number, its first row (0: in
strings) and a count of words, then numbers, or strings each headed by its length and first row, packed in one if short.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from flexura.systems.matrix_files.budget import Budget
from flexura.systems.matrix_files.contents import Contents
from flexura.systems.matrix_files.texts import BadFile

_BIG = 65536
_HEADER = 24
_NUMBERS = {1: ("f4", 1), 2: ("f8", 2)}
"""The type of a matrix: how its numbers are kept, and in how many words."""


def read(path: Path, data: bytes, budget: Budget) -> Contents:
    """All matrices."""
    records = _Op4Records(path, data)
    contents: Contents = {}
    while records.at < len(data):
        name, one = _matrix(records, budget)
        contents["nodes" if name == "NODES" else name] = one
    return contents


class _Op4Records:
    """The records of a file, and where we are in them."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path, self.data, self.at = path, data, 0
        self.order = next((one for one in "<>" if data[:4] == np.array([_HEADER], f"{one}i4").tobytes()), "")
        if not self.order:
            raise self.bad("the file does not begin with a record of 24 bytes", "write it with 32-bit integers")

    def bad(self, problem: str, advice: str = "") -> BadFile:
        """What is wrong at this byte."""
        return BadFile(problem, advice=advice, place=f"{self.path}, byte {self.at + 1}")

    def next(self) -> bytes:
        """The bytes of the next record."""
        length = self._length(self.at)
        end = self.at + 4 + length
        if length < 12 or self._length(end) != length:
            raise self.bad("a record does not end as it begins")
        record, self.at = self.data[self.at + 4 : end], end + 4
        return record

    def _length(self, at: int) -> int:
        if at < 0 or at + 4 > len(self.data):
            raise self.bad("the file ends inside a record")
        return int(np.frombuffer(self.data, f"{self.order}i4", 1, at)[0])

    def whole(self, record: bytes, at: int, count: int) -> list[int]:
        """Whole numbers of a record."""
        if at + 4 * count > len(record):
            raise self.bad("a record ends too early")
        return [int(one) for one in np.frombuffer(record, f"{self.order}i4", count, at)]

    def numbers(self, record: bytes, at: int, words: int, kind: int) -> NDArray[np.float64]:
        """Numbers of a record that take so many words."""
        letters, each = _NUMBERS[kind]
        if words < 0 or words % each or at + 4 * words > len(record):
            raise self.bad(f"{words} words of numbers do not fit their record")
        return np.frombuffer(record, f"{self.order}{letters}", words // each, at).astype(np.float64)


def _matrix(records: _Op4Records, budget: Budget) -> tuple[str, Any]:
    header = records.next()
    columns, rows, _, kind = records.whole(header, 0, 4)
    name = header[16:_HEADER].decode("ascii", errors="replace").strip()
    if kind not in _NUMBERS:
        raise records.bad(f"matrices of the type {kind} (complex) are not read", "give real ones")
    big, rows = rows < 0, abs(rows)
    if rows < 1 or columns < 1:
        raise records.bad(f"the matrix {name} has {rows} rows and {columns} columns")
    budget.sparse(rows, columns, 0, name)
    i: list[Any] = [np.zeros(0, dtype=np.int64)]
    j, v = list(i), [np.zeros(0)]
    before = 0
    while True:
        record = records.next()
        column, first, words = records.whole(record, 0, 3)
        if column > columns:
            break
        if column <= before:
            raise records.bad(f"the column {column} lies outside {before + 1} to {columns}")
        before, reached = column, 0
        runs = (
            [(first, records.numbers(record, 12, words, kind))]
            if first
            else _strings(records, record, words, kind, big)
        )
        for row, values in runs:
            if row <= reached or row - 1 + len(values) > rows:
                span = f"rows {row} to {row - 1 + len(values)} of the column {column}"
                raise records.bad(f"{span} lie outside {reached + 1} to {rows}")
            reached = row - 1 + len(values)
            i.append(np.arange(row - 1, reached))
            j.append(np.full(len(values), column - 1))
            v.append(values)
    entries = (np.concatenate(v), (np.concatenate(i), np.concatenate(j)))
    return name, sparse.csr_array(entries, shape=(rows, columns))


def _strings(records: _Op4Records, record: bytes, words: int, kind: int, big: bool) -> list[tuple[int, Any]]:
    """Runs of consecutive rows of a column."""
    runs, at, end = [], 12, 12 + 4 * words
    while at < end:
        head = records.whole(record, at, 2 if big else 1)
        length, row = (head[0], head[1]) if big else divmod(head[0], _BIG)
        at += 4 * len(head)
        runs.append((row, records.numbers(record, at, length - 1, kind)))
        at += 4 * (length - 1)
    return runs
