"""What a file may ask for: the memory its matrices need is known from what it announces, before any is taken.

>>> budget = Budget.of(path)
>>> budget.check(8 * rows * columns, "K")
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from flexura.errors import FlexuraError
from flexura.systems.matrix_files.texts import BadFile

_LEAST = 1e9  # bytes that any file may ask for
_GROWTH = 100  # times its own size that a larger one may: sparse matrices of a mesh compress to a hundredth


@dataclass(frozen=True)
class Budget:
    """The bytes that the matrices of one file may take; a file that announces more is damaged, or meant to harm."""

    path: Path
    largest: float

    @classmethod
    def of(cls, path: Path, largest: float | None = None) -> Budget:
        """What a file of that size is trusted with, unless the user says."""
        if largest is not None and not (isinstance(largest, int | float) and largest > 0):
            raise FlexuraError(f"largest is {largest!r}", advice="give the bytes that the matrices may take, like 8e9")
        return cls(path, largest or max(_LEAST, _GROWTH * path.stat().st_size))

    def check(self, size: float, what: str) -> None:
        """Refuse what needs more bytes than the file is trusted with."""
        if size > self.largest:
            raise BadFile(
                f"{what} needs {_shown(size)}, and this file is trusted with {_shown(self.largest)}",
                advice=f"if it is right, read it with largest={float(f'{1.01 * size:.1e}'):g}",
                place=str(self.path),
            )

    def sparse(self, rows: int, columns: int, entries: int, what: str) -> None:
        """The same for a sparse matrix, pointers by rows and by columns included."""
        self.check(8.0 * (rows + columns) + 16.0 * entries, f"{what} ({rows} x {columns})")

    def dense(self, shape: tuple[int, ...], what: str) -> None:
        """The same for numbers in a table."""
        size = 8.0
        for extent in shape:
            size *= extent
        self.check(size, f"{what} ({' x '.join(map(str, shape))})")


def _shown(size: float) -> str:
    power = min(int(math.log10(max(size, 1))) // 3, 4)
    return f"{size / 1000**power:.3g} {('bytes', 'kB', 'MB', 'GB', 'TB')[power]}"
