"""Matrix Market (.mtx): one matrix as text, coordinates or an array.

SciPy reads the numbers, and quickly; but it dies of a file that ends inside a number, passes over what follows a number
in its line, and takes 2.5 for two numbers where a place should stand. So the text is checked first, by sets of
characters as bits (`plain_lines.py`, `plain_numbers.py`).
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scipy.io
import scipy.sparse as sparse

from flexura.systems.matrix_files.budget import Budget
from flexura.systems.matrix_files.plain_lines import separators
from flexura.systems.matrix_files.plain_numbers import words_of_numbers
from flexura.systems.matrix_files.texts import BadFile, bad, bytes_of

_BANNER = re.compile(
    r"%%MatrixMarket\s+matrix\s+(coordinate|array)\s+(real|integer|pattern|complex)"
    r"\s+(general|symmetric|skew-symmetric|hermitian)\s*",
    re.I,
)
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|[-+]?(?:nan|inf(?:inity)?)", re.I | re.ASCII)
_WHOLE = re.compile(r"[-+]?\d+", re.ASCII)
_INDEX = re.compile(r"\d{1,15}", re.ASCII)


def write(path: Path, one: Any, mark: str) -> None:
    """Write one matrix with all its digits, its lower half where it is symmetric."""
    one = sparse.coo_matrix(one) if sparse.issparse(one) else np.asarray(one).reshape(len(one), -1)
    with path.open("wb") as file:
        scipy.io.mmwrite(file, one, comment=f" {mark}", precision=17)


def read(path: Path, budget: Budget) -> Any:
    """Read one matrix; a file that cannot be read is told by line and column."""
    data = bytes_of(path, budget)
    if not data.endswith(b"\n"):
        data += b"\n"  # SciPy looks for the end of the last line beyond the end of the text
    if not _plain(data, _body(path, data, budget)):  # the quick look is enough for nearly every file
        _check_lines(path, data)
    try:
        found = scipy.io.mmread(io.BytesIO(data))
    except (ValueError, OverflowError, TypeError, EOFError, OSError, MemoryError) as error:
        _check_lines(path, data)
        raise BadFile(f"{path} cannot be read as Matrix Market ({error})", advice="write it again") from None
    return sparse.csr_array(found) if sparse.issparse(found) else np.asarray(found)


class _Body(NamedTuple):
    """Where the entries begin, how many words they have, how many lines if each is one, and if all are whole."""

    start: int
    words: int
    lines: int | None
    whole: bool


def _body(path: Path, data: bytes, budget: Budget) -> _Body:
    """What the header announces, if it is right."""
    banner = _banner(path, data)
    number, at = 1, data.index(b"\n") + 1
    while at < len(data) and (data[at : at + 1] == b"%" or not data[at : data.index(b"\n", at)].strip()):
        number, at = number + 1, data.index(b"\n", at) + 1
    if at >= len(data):
        raise bad(path, number, 1, "the line with the size is missing")
    end = data.index(b"\n", at) + 1
    coordinate = banner[1].lower() == "coordinate"
    size = _whole(path, number + 1, data[at:end].decode("latin-1"), 3 if coordinate else 2)
    if banner[3].lower() != "general" and size[0] != size[1]:
        raise bad(path, number + 1, 1, f"a {banner[3].lower()} matrix of {size[0]} x {size[1]} is not square")
    whole = banner[2].lower() == "integer"
    if coordinate:
        budget.sparse(size[0], size[1], size[2], "the matrix")
        return _Body(end, size[2] * (2 + _values(banner)), None, whole)
    budget.dense((size[0], size[1]), "the matrix")
    count = _announced(banner[3].lower(), size[0], size[1])
    return _Body(end, _values(banner) * count, count, whole)


def _banner(path: Path, data: bytes) -> re.Match[str]:
    banner = _BANNER.fullmatch(data[: data.index(b"\n")].decode("latin-1"))
    if banner is None:
        raise bad(
            path, 1, 1, "this is not the header of a Matrix Market file (%%MatrixMarket matrix coordinate real ...)"
        )
    return banner


def _values(banner: re.Match[str]) -> int:
    return {"pattern": 0, "complex": 2}.get(banner[2].lower(), 1)


def _plain(data: bytes, body: _Body) -> bool:
    """Whether there is nothing but numbers, as many as announced."""
    places = body.lines is None
    if body.whole and any(data.find(mark, body.start) >= 0 for mark in (b".", b"e", b"E")):
        return False
    if separators(data, body.start, places) == body.words:
        return True
    if not places and data.count(b"\n", body.start) != body.lines:
        return False
    return words_of_numbers(data, body.start, places=places) == body.words


def _check_lines(path: Path, data: bytes) -> None:
    """Find what is wrong, line by line; what is right returns."""
    banner = _banner(path, data)
    lines = data.decode("latin-1").split("\n")
    body = [(i, line) for i, line in enumerate(lines[1:], 2) if line.strip() and not line.startswith("%")]
    coordinate = banner[1].lower() == "coordinate"
    size = _whole(path, *body[0], 3 if coordinate else 2)
    value = _WHOLE if banner[2].lower() == "integer" else _NUMBER
    shape = (_INDEX,) * (2 if coordinate else 0) + (value,) * _values(banner)
    for number, line in body[1:]:
        entry = _words(path, number, line, shape)
        if coordinate and not (1 <= int(entry[0]) <= size[0] and 1 <= int(entry[1]) <= size[1]):
            raise bad(path, number, 1, f"the entry ({entry[0]}, {entry[1]}) lies outside {size[0]} x {size[1]}")
    announced = size[2] if coordinate else _announced(banner[3].lower(), size[0], size[1])
    if len(body) - 1 != announced:
        raise bad(path, body[-1][0], 1, f"{len(body) - 1} entries were found, but {announced} are announced")


def _announced(symmetry: str, rows: int, columns: int) -> int:
    """Entries of an array, of which only the lower half is written where the rest follows."""
    if symmetry == "general":
        return rows * columns
    return rows * (rows - 1) // 2 if symmetry == "skew-symmetric" else rows * (rows + 1) // 2


def _whole(path: Path, number: int, line: str, count: int) -> list[int]:
    return [int(word) for word in _words(path, number, line, (_INDEX,) * count)]


def _words(path: Path, number: int, line: str, forms: tuple[re.Pattern[str], ...]) -> list[str]:
    words = list(re.finditer(r"\S+", line))
    for form, word in zip(forms, words, strict=False):
        if not form.fullmatch(word[0]):
            raise bad(path, number, word.start() + 1, f"{word[0]!r} is not a number that can stand here")
    if len(words) != len(forms):
        raise bad(path, number, len(line) + 1, f"the line has {len(words)} numbers, {len(forms)} are needed")
    return [word[0] for word in words]
