"""Matrix Market (.mtx): one matrix as text, coordinates or an array."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sparse

from flexura.systems.matrix_files.contents import BadFile, bad

_BANNER = re.compile(
    r"%%MatrixMarket\s+matrix\s+(coordinate|array)\s+(real|integer|pattern|complex)\s+(\w[\w-]*)", re.I
)


def write(path: Path, one: Any) -> None:
    """Write one matrix with all its digits, its lower half where it is symmetric."""
    one = sparse.coo_matrix(one) if sparse.issparse(one) else np.asarray(one).reshape(len(one), -1)
    with path.open("wb") as file:
        scipy.io.mmwrite(file, one, comment=" written by flexura", precision=17)


def read(path: Path) -> Any:
    """Read one matrix; a file that cannot be read is told by line and column."""
    try:
        found = scipy.io.mmread(path)
    except (ValueError, OverflowError, TypeError, EOFError, OSError) as error:
        _locate(path)
        raise BadFile(f"{path} cannot be read as Matrix Market ({error}).") from None
    return sparse.csr_array(found) if sparse.issparse(found) else np.asarray(found)


def _locate(path: Path) -> None:
    """Find what is wrong, line by line."""
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    banner = _BANNER.match(lines[0]) if lines else None
    if banner is None:
        raise bad(
            path, 1, 1, "this is not the header of a Matrix Market file (%%MatrixMarket matrix coordinate real ...)"
        )
    body = [(i, line) for i, line in enumerate(lines[1:], 2) if line.strip() and not line.startswith("%")]
    if not body:
        raise bad(path, len(lines), 1, "the line with the size is missing")
    coordinate = banner[1].lower() == "coordinate"
    size = _numbers(path, *body[0], (int,) * (3 if coordinate else 2))
    values = {"pattern": 0, "complex": 2}.get(banner[2].lower(), 1)
    shape = (int,) * (2 if coordinate else 0) + (float,) * values
    for number, line in body[1:]:
        entry = _numbers(path, number, line, shape)
        if coordinate and not (1 <= entry[0] <= size[0] and 1 <= entry[1] <= size[1]):
            raise bad(path, number, 1, f"the entry ({entry[0]}, {entry[1]}) lies outside {size[0]} x {size[1]}")
    if coordinate and len(body) - 1 != size[2]:
        raise bad(path, body[-1][0], 1, f"{len(body) - 1} entries were found, but {size[2]} are announced")


def _numbers(path: Path, number: int, line: str, kinds: tuple[Any, ...]) -> list[Any]:
    tokens = list(re.finditer(r"\S+", line))
    for kind, token in zip(kinds, tokens, strict=False):
        try:
            kind(token[0])
        except ValueError:
            raise bad(path, number, token.start() + 1, f"{token[0]!r} is not a number") from None
    if len(tokens) != len(kinds):
        raise bad(path, number, len(line) + 1, f"the line has {len(tokens)} numbers, {len(kinds)} are needed")
    return [kind(token[0]) for kind, token in zip(kinds, tokens, strict=True)]
