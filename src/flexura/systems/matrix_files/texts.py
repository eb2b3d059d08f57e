"""What readers of text share: numbers as Fortran writes them, and sentences with a line and a column.

>>> real("1.5+3"), whole(" 12 "), real("1.5+")          # 1500.0, 12, None
"""

from __future__ import annotations

import gzip
import re
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from flexura.errors import FlexuraError

if TYPE_CHECKING:
    from flexura.systems.matrix_files.budget import Budget

_SHORT = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+))(?:[dD]([-+]?\d+)|([-+]\d+))\s*", re.ASCII)
_LONGEST = 10**15


class BadFile(FlexuraError):
    """A file that cannot be read: it says where."""


def bad(path: Path, line: int, column: int, problem: str, advice: str = "") -> BadFile:
    """What is wrong at a line and a column, both from 1."""
    return BadFile(problem, advice=advice, place=f"{path}, line {line}, column {column}")


def bytes_of(path: Path, budget: Budget) -> bytes:
    """What a file holds, unpacked if it ends in .gz, and no more of it than it is trusted with."""
    if path.suffix.lower() != ".gz":
        return path.read_bytes()
    try:
        with gzip.open(path) as file:
            data = file.read(int(budget.largest) + 1)
    except (OSError, EOFError, zlib.error) as error:
        raise BadFile(f"{path} cannot be unpacked ({error})", advice="compress it again with gzip") from None
    budget.check(float(len(data)), "what it holds")
    return data


def ending(path: Path) -> tuple[str, str]:
    """The name of a file and its ending, of which .gz is a part: plate, .mtx.gz."""
    if path.suffix.lower() != ".gz":
        return path.stem, path.suffix
    inner = Path(path.stem)
    return inner.stem, inner.suffix + path.suffix


def whole(text: str) -> int | None:
    """A whole number of up to 15 digits, or None."""
    try:
        value = int(text)
    except ValueError:
        return None
    return value if abs(value) < _LONGEST and "_" not in text else None


def real(text: str) -> float | None:
    """A finite number, 1.5, 1.5E3, 1.5D3 or 1.5+3, or None."""
    try:
        value = float(text)
    except ValueError:
        short = _SHORT.fullmatch(text)
        if short is None:
            return None
        value = float(f"{short[1]}E{short[2] or short[3]}")
    return value if value - value == 0 and "_" not in text else None  # neither nan nor infinite
