"""The variables of a MATLAB file of version 4, 6 or 7, read by ourselves: SciPy's reader dies of damaged ones.

>>> variables(path.read_bytes(), budget)          # {"K": sparse, "F": dense, "dofs": ("u1", "u2")}

[MAT-file format, The MathWorks]. Every length is checked against what is there before it is used. Structures, objects
and functions are passed over; text and cells of text become tuples.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from flexura.systems.matrix_files.budget import Budget
from flexura.systems.matrix_files.compressed import by_columns
from flexura.systems.matrix_files.texts import BadFile

_NUMBERS = {
    1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8",
    16: "u1", 17: "u2", 18: "u4",
}  # fmt: skip
_TEXTS = {1: "latin-1", 2: "latin-1", 16: "utf-8", 4: "utf-16", 17: "utf-16", 18: "utf-32"}
_OLD = ("f8", "f4", "i4", "i2", "u2", "u1")
_MATRIX, _COMPRESSED = 14, 15
_CELL, _CHAR, _SPARSE, _DENSE = 1, 4, 5, range(6, 16)  # the classes of arrays that are read
_COMPLEX = 0x800
_DEEP = 4  # cells in cells; names need one


def variables(data: bytes, budget: Budget) -> dict[str, Any]:
    """Matrices and texts by name."""
    order = {b"IM": "<", b"MI": ">"}.get(data[126:128])
    if order is None or 0 in data[:4]:
        return dict(_Old(data, budget).all())
    return dict(_Modern(data, order, budget).all())


class _MatReader:
    """Bytes, and how to complain about them."""

    def __init__(self, data: bytes, budget: Budget) -> None:
        self.data, self.budget = memoryview(data), budget

    def bad(self, problem: str) -> BadFile:
        return BadFile(
            f"{self.budget.path} is not a MATLAB file that can be read ({problem})",
            advice="save it with save(..., '-v7')",
        )

    def take(self, data: memoryview, at: int, size: int) -> memoryview:
        if size < 0 or at + size > len(data):
            raise self.bad(f"it is cut short, or a length in it is wrong, at the byte {at}")
        return data[at : at + size]

    def table(self, values: Any, shape: tuple[int, ...], name: str) -> Any:
        size = 1
        for extent in shape:
            size *= extent
        if any(extent < 0 for extent in shape) or size != len(values):
            raise self.bad(f"{name} has {len(values)} numbers for the shape {' x '.join(map(str, shape))}")
        return values.astype(np.complex128 if values.dtype.kind == "c" else np.float64, copy=False).reshape(
            shape, order="F"
        )


class _Modern(_MatReader):
    """Versions 6 and 7: elements with a tag each, compressed or not."""

    def __init__(self, data: bytes, order: str, budget: Budget) -> None:
        super().__init__(data, budget)
        self.order = order

    def all(self) -> Iterator[tuple[str, Any]]:
        at = 128
        while at < len(self.data):
            kind, content, at = self.element(self.data, at, padded=False)
            if kind == _COMPRESSED:
                kind, content, _ = self.element(self.inflated(content), 0)
            if kind != _MATRIX:
                raise self.bad(f"an element is of the type {kind}, not a matrix")
            name, array = self.array(content)
            if array is not None:
                yield name, array

    def element(self, data: memoryview, at: int, padded: bool = True) -> tuple[int, memoryview, int]:
        """The type and the bytes of an element, and where the next one starts; four bytes or fewer fit its tag."""
        kind, size = struct.unpack(f"{self.order}II", self.take(data, at, 8))
        if kind >> 16:
            if kind >> 16 > 4:
                raise self.bad(f"a tag at the byte {at} holds more than fits it")
            return kind & 0xFFFF, self.take(data, at + 4, kind >> 16), at + 8
        end = at + 8 + size
        padding = -size % 8 if padded and kind != _COMPRESSED else 0
        return kind, self.take(data, at + 8, size), min(end + padding, max(end, len(data)))

    def inflated(self, data: memoryview) -> memoryview:
        """A compressed element; its own tag says how long it is, and no more is made of it."""
        machine = zlib.decompressobj()
        try:
            tag = machine.decompress(data, 8)
            size = struct.unpack(f"{self.order}II", self.take(memoryview(tag), 0, 8))[1]
            self.budget.check(float(size), "a compressed matrix")
            return memoryview(tag + machine.decompress(machine.unconsumed_tail, size + 1))
        except zlib.error as error:
            raise self.bad(str(error)) from None

    def array(self, data: memoryview, depth: int = 0) -> tuple[str, Any]:
        """One array and its name; None is one that is passed over."""
        _, flags, at = self.element(data, 0)
        word = struct.unpack(f"{self.order}I", self.take(flags, 0, 4))[0]
        kind = word & 0xFF
        if kind not in (_CELL, _CHAR, _SPARSE, *_DENSE):
            return "", None
        shape, at = self.numbers(data, at)
        label, at = self.numbers(data, at)
        name, extent = label.tobytes().decode("latin-1"), tuple(int(one) for one in shape)
        if kind == _CHAR:
            return name, self.texts(data, at, extent)
        if kind == _CELL:
            return name, self.cells(data, at, depth)
        if kind == _SPARSE:
            return name, self.sparse(data, at, extent, name, bool(word & _COMPLEX))
        values, at = self.numbers(data, at)
        if word & _COMPLEX:
            imaginary, _ = self.numbers(data, at)
            values = self.complex(values, imaginary)
        return name, self.table(values, extent, name)

    def numbers(self, data: memoryview, at: int) -> tuple[Any, int]:
        kind, content, at = self.element(data, at)
        if kind not in _NUMBERS:
            raise self.bad(f"numbers are of the type {kind}")
        dtype = np.dtype(self.order + _NUMBERS[kind])
        if len(content) % dtype.itemsize:
            raise self.bad(f"numbers of {dtype.itemsize} bytes take {len(content)} bytes")
        return np.frombuffer(content, dtype).astype(dtype.newbyteorder("=")), at

    def complex(self, values: Any, imaginary: Any) -> Any:
        if len(values) != len(imaginary):
            raise self.bad("real and imaginary parts differ in length")
        return values + 1j * imaginary

    def sparse(self, data: memoryview, at: int, shape: tuple[int, ...], name: str, is_complex: bool) -> Any:
        if len(shape) != 2 or min(shape) < 0:
            raise self.bad(f"{name} is sparse and has the shape {shape}")
        rows, at = self.numbers(data, at)
        pointers, at = self.numbers(data, at)
        values, at = self.numbers(data, at)
        if is_complex:
            values = self.complex(values, self.numbers(data, at)[0])
        count = int(pointers[-1]) if len(pointers) else 0  # there may be room for more than there are
        if not 0 <= count <= min(len(rows), len(values)):
            raise self.bad(f"{name} has {len(values)} values and pointers to {count}")
        if rows.dtype.kind not in "iu" or pointers.dtype.kind not in "iu":
            raise self.bad(f"the indices of {name} are not whole numbers")
        values = values[:count].astype(np.complex128 if is_complex else np.float64)
        return by_columns(
            name, values, rows[:count].astype(np.int64), pointers.astype(np.int64), (shape[0], shape[1]), self.budget
        )

    def texts(self, data: memoryview, at: int, shape: tuple[int, ...]) -> tuple[str, ...]:
        """The rows of a table of letters, which are written column by column."""
        kind, content, _ = self.element(data, at)
        coding = _TEXTS.get(kind, "latin-1")
        if coding in ("utf-16", "utf-32"):
            coding += "-le" if self.order == "<" else "-be"
        letters = bytes(content).decode(coding, errors="replace")
        count = shape[0] if shape and shape[0] > 1 else 1
        if len(letters) % count:
            raise self.bad(f"a text has {len(letters)} letters in {count} rows")
        rows = (letters[i::count] for i in range(count))
        return tuple(row.rstrip() if count > 1 else row for row in rows)

    def cells(self, data: memoryview, at: int, depth: int) -> tuple[str, ...]:
        """The first text of each cell, as names are kept; what is no text is empty."""
        if depth > _DEEP:
            raise self.bad("cells lie in cells in cells")
        found = []
        while at < len(data):
            kind, content, at = self.element(data, at)
            one = self.array(content, depth + 1)[1] if kind == _MATRIX and content else None
            found.append(one[0] if isinstance(one, tuple) and one else "")
        return tuple(found)


class _Old(_MatReader):
    """Version 4: a header of five whole numbers, a name and a table of numbers for each matrix."""

    def all(self) -> Iterator[tuple[str, Any]]:
        at = 0
        while at < len(self.data):
            head = self.take(self.data, at, 20)
            order = "<" if 0 <= struct.unpack("<i", head[:4])[0] < 5000 else ">"
            code, rows, columns, imaginary, length = struct.unpack(f"{order}5i", head)
            precision, kind = code // 10 % 10, code % 10
            if not 0 <= code < 5000 or code // 100 % 10 or precision >= len(_OLD) or kind > 2 or min(rows, columns) < 0:
                raise self.bad(f"at the byte {at} there is no header of a matrix")
            name = bytes(self.take(self.data, at + 20, length)).rstrip(b"\x00").decode("latin-1")
            dtype = np.dtype(order + _OLD[precision])
            size, at = rows * columns * dtype.itemsize, at + 20 + length
            parts = [np.frombuffer(self.take(self.data, at, size), dtype).astype(dtype.newbyteorder("="))]
            at += size
            if imaginary:
                parts.append(np.frombuffer(self.take(self.data, at, size), dtype))
                at += size
            values = parts[0] + 1j * parts[1] if imaginary else parts[0]
            table = self.table(values, (rows, columns), name)
            if kind != 1:
                yield name, self.sparse(table, name) if kind == 2 else table

    def sparse(self, table: Any, name: str) -> Any:
        """Rows of (row, column, value); the last one holds the shape."""
        if table.dtype.kind == "c" or table.shape[1] != 3 or not len(table):
            raise self.bad(f"{name} is sparse and has {table.shape[1]} columns, where three are needed")
        places = table[:, :2]
        if not (np.isfinite(places).all() and (places == np.floor(places)).all() and (abs(places) < 2**53).all()):
            raise self.bad(f"the indices of {name} are not whole numbers")
        (*_, last), indices = places.astype(np.int64), places[:-1].astype(np.int64) - 1
        shape = (int(last[0]), int(last[1]))
        if min(shape) < 0 or (len(indices) and ((indices < 0).any() or (indices >= shape).any())):
            raise self.bad(f"an index of {name} lies outside {shape[0]} x {shape[1]}")
        self.budget.sparse(*shape, len(indices), name)
        order = np.argsort(indices[:, 1], kind="stable")
        pointers = np.concatenate([[0], np.cumsum(np.bincount(indices[:, 1], minlength=shape[1]))])
        return by_columns(name, table[:-1, 2][order], indices[order, 0], pointers, shape, self.budget)
