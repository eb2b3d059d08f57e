"""What a file of matrices holds, by name, and the system it makes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sparse

from flexura.errors import FlexuraError
from flexura.systems.second_order import SecondOrderSystem

Contents = dict[str, Any]
"""Matrices M D K G H, loads F, outputs C, nodes; names dofs, inputs, outputs; anything else as it is called."""

MATRICES = ("M", "D", "K", "G", "H")
TABLES = ("F", "C", "nodes")
NAMES = ("dofs", "inputs", "outputs")
_ROLES = {"M": "M", "K": "K", "D": "D", "B": "D", "P": "F", "F": "F", "G": "G", "H": "H", "C": "C"}
_WORDS = {
    "M": "mass",
    "K": "stiffness",
    "D": "damping",
    "G": "gyroscopic",
    "H": "circulatory",
    "F": "load",
    "C": "output",
}


class BadFile(FlexuraError):
    """A file that cannot be read: it says where."""


def bad(path: Path, line: int, column: int, problem: str) -> BadFile:
    """A sentence with the line and the column, both from 1."""
    return BadFile(f"{path}, line {line}, column {column}: {problem}.")


def contents_of(system: SecondOrderSystem) -> Contents:
    """All that a file should keep."""
    found = {name: getattr(system, name) for name in (*MATRICES, *TABLES, *NAMES)}
    return {name: one for name, one in found.items() if one is not None}


def role(name: str) -> str | None:
    """What a matrix of this name usually is: KAAX is a stiffness, MGG a mass, BGG or D2GG a damping."""
    if name in (*MATRICES, *TABLES):
        return name
    if name.lower() == "nodes":
        return "nodes"
    first = name[:1].upper()
    return _ROLES.get(first) if len(name) == 1 or name[1:2].isdigit() or name.isupper() else None


def renamed(contents: Contents, names: dict[str, Any], path: Path) -> Contents:
    """Matrices under the names of a system, by what the user says, else by what names usually mean."""
    result: Contents = {name: one for name, one in contents.items() if name in NAMES}
    for target, source in names.items():
        if source not in contents:
            raise FlexuraError(f"{path} holds no {source!r} for {target}; it holds {', '.join(contents) or 'nothing'}.")
        result[target] = contents[source]
    for name, one in contents.items():
        meant = role(name)
        if name in NAMES or meant is None or name in names.values() or meant in names:
            continue
        if meant in result:
            both = ", ".join(other for other in contents if role(other) == meant)
            what = _WORDS.get(meant, meant)
            raise FlexuraError(f"{path} holds several {what} matrices ({both}); say which, {meant}=.")
        result[meant] = one
    return result


def system_of(contents: Contents, path: Path) -> SecondOrderSystem:
    """The system, or a sentence about what is missing."""
    for name in ("M", "K"):
        if name not in contents:
            found = ", ".join(contents) or "nothing"
            raise FlexuraError(
                f"{path} holds no {_WORDS[name]} matrix ({found} was found); say which it is with {name}=."
            )
    given = {name: contents[name] for name in (*MATRICES, *TABLES, *NAMES) if name in contents}
    for name in MATRICES:
        if name in given and np.iscomplexobj(given[name].data if sparse.issparse(given[name]) else given[name]):
            raise FlexuraError(f"{path}: {name} is complex; give real matrices, and damping as D.")
    if "F" in given:
        given["F"] = _columns(given["F"])
    for name in ("C", "nodes"):
        if name in given and sparse.issparse(given[name]):
            given[name] = given[name].toarray()
    try:
        return SecondOrderSystem(**given)
    except FlexuraError as error:
        raise FlexuraError(f"{path}: {error}") from None


def _columns(F: Any) -> Any:
    F = F.toarray() if sparse.issparse(F) else np.asarray(F, dtype=np.float64)
    return F[:, 0] if F.ndim == 2 and F.shape[1] == 1 else F
