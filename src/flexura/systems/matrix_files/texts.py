"""What readers of text share: numbers as Fortran writes them, and sentences with a line and a column.

>>> real("1.5+3"), whole(" 12 "), real("1.5+")          # 1500.0, 12, None
"""

from __future__ import annotations

import re
from pathlib import Path

from flexura.errors import FlexuraError

_SHORT = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+))(?:[dD]([-+]?\d+)|([-+]\d+))\s*", re.ASCII)
_LONGEST = 10**15


class BadFile(FlexuraError):
    """A file that cannot be read: it says where."""


def bad(path: Path, line: int, column: int, problem: str, advice: str = "") -> BadFile:
    """What is wrong at a line and a column, both from 1."""
    return BadFile(problem, advice=advice, place=f"{path}, line {line}, column {column}")


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
