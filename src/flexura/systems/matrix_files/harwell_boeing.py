"""Harwell-Boeing (.rsa, .rua, .hb): one assembled real matrix in columns of fixed width, as Fortran wrote it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sparse

from flexura.systems.matrix_files.budget import Budget
from flexura.systems.matrix_files.compressed import by_columns
from flexura.systems.matrix_files.texts import bad, bytes_of, real, whole

_FORMAT = re.compile(r"\(\s*(?:\d+P,?)?\s*(\d*)\s*([IEDFG])\s*(\d+)(?:\.(\d+))?(?:E\d+)?\s*\)", re.IGNORECASE)


def write(path: Path, one: Any, mark: str) -> None:
    """Write one matrix: its lower half where it is symmetric (RSA), else all of it (RUA)."""
    A = sparse.csc_matrix(one if sparse.issparse(one) else np.asarray(one).reshape(len(one), -1))
    symmetric = A.shape[0] == A.shape[1] and abs(A - A.T).max() == 0
    A = sparse.csc_matrix(sparse.tril(A, format="csc")) if symmetric else A
    A.sort_indices()
    pointers = _lines(A.indptr + 1, 8, lambda v: f"{v:10d}")
    rows, values = _lines(A.indices + 1, 8, lambda v: f"{v:10d}"), _lines(A.data, 3, lambda v: f"{v:25.16E}")
    counts = [len(pointers), len(rows), len(values)]
    header = [
        f"{mark:72s}{'flexura':8s}",
        f"{sum(counts):14d}{counts[0]:14d}{counts[1]:14d}{counts[2]:14d}{0:14d}",
        f"{'RSA' if symmetric else 'RUA':3s}{'':11s}{A.shape[0]:14d}{A.shape[1]:14d}{A.nnz:14d}{0:14d}",
        f"{'(8I10)':16s}{'(8I10)':16s}{'(3E25.16)':20s}{'':20s}",
    ]
    path.write_text("\n".join([*header, *pointers, *rows, *values]) + "\n", encoding="ascii")


def _lines(values: Any, each: int, shown: Any) -> list[str]:
    texts = [shown(one) for one in values]
    return ["".join(texts[i : i + each]) for i in range(0, len(texts), each)]


def read(path: Path, budget: Budget) -> Any:
    """Read one matrix."""
    lines = bytes_of(path, budget).decode("ascii", errors="replace").splitlines()
    if len(lines) < 4:
        raise bad(path, len(lines) + 1, 1, "the file ends before its four header lines", "it is not Harwell-Boeing")
    counts = _integers(path, 2, lines[1], 0, 4)
    kind = lines[2][:3].upper()
    if kind not in ("RSA", "RUA", "RZA", "PSA", "PUA"):
        raise bad(path, 3, 1, f"matrices of the type {kind!r} are not read", "give an assembled real one (RSA or RUA)")
    rows, columns, entries = _integers(path, 3, lines[2], 14, 3)
    extra = _integers(path, 2, lines[1], 56, 1)[0] if lines[1][56:70].strip() else 0
    start = 4 + bool(extra)
    if sum(counts[1:]) > len(lines):
        raise bad(path, len(lines) + 1, 1, "the file ends too early")
    if kind[1] in "SZ" and rows != columns:
        raise bad(path, 3, 15, f"a matrix of the type {kind} and of {rows} x {columns} is not square")
    formats = [
        _format(path, lines[3], at, width) for at, width in ((0, 16), (16, 16), (32, 20))[: 3 if counts[3] else 2]
    ]
    blocks, first = [], start
    for length, wanted, form, number in zip(
        counts[1:], (columns + 1, entries, entries), formats, (whole, whole, real), strict=False
    ):
        blocks.append(_block(path, lines, first, length, wanted, form, number))
        first += length
    pointers, indices = (np.array(one, dtype=np.int64) - 1 for one in blocks[:2])
    _consistent(path, start, pointers, indices, rows, entries)
    values = np.array(blocks[2], dtype=np.float64) if len(blocks) == 3 else np.ones(entries)
    A = by_columns("the matrix", values, indices, pointers, (rows, columns), budget)
    if kind[1] in "SZ":
        strict = sparse.tril(A, -1) + sparse.triu(A, 1)
        A = A + strict.T if kind[1] == "S" else A - strict.T
    return sparse.csr_array(A)


def _integers(path: Path, number: int, line: str, start: int, count: int) -> list[int]:
    found = []
    for i in range(count):
        at = start + 14 * i
        value = whole(line[at : at + 14])
        if value is None or value < 0:
            raise bad(path, number, at + 1, f"{line[at : at + 14].strip()!r} is not a whole number")
        found.append(value)
    return found


def _format(path: Path, line: str, start: int, width: int) -> tuple[int, int]:
    """How many numbers stand in a line, and how wide they are."""
    match = _FORMAT.fullmatch(line[start : start + width].strip())
    if match is None or not int(match[3]):
        raise bad(path, 4, start + 1, f"{line[start : start + width].strip()!r} is not a Fortran format such as (8I10)")
    return int(match[1] or 1), int(match[3])


def _block(
    path: Path, lines: list[str], first: int, count: int, wanted: int, form: tuple[int, int], number: Callable[..., Any]
) -> list[Any]:
    each, width = form
    found: list[Any] = []
    for i in range(first, first + count):
        if i >= len(lines):
            raise bad(path, len(lines) + 1, 1, "the file ends too early")
        for j in range(min(each, wanted - len(found))):
            text = lines[i][j * width : (j + 1) * width]
            value = number(text)
            if value is None:
                raise bad(path, i + 1, j * width + 1, f"{text.strip()!r} is not a number")
            found.append(value)
    if len(found) != wanted:
        raise bad(path, first + count, 1, f"{len(found)} numbers were found where {wanted} are needed")
    return found


def _consistent(path: Path, start: int, pointers: Any, indices: Any, rows: int, entries: int) -> None:
    if pointers[0] != 0 or pointers[-1] != entries or (np.diff(pointers) < 0).any():
        raise bad(path, start + 1, 1, f"the column pointers do not run from 1 to {entries + 1}")
    if len(indices) and (indices.min() < 0 or indices.max() >= rows):
        raise bad(path, start + 1, 1, f"a row index lies outside 1 to {rows}")
