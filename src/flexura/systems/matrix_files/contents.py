"""What a file of matrices holds, by name, and the system it makes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sparse

from flexura.errors import FlexuraError
from flexura.systems.matrix_files.budget import Budget
from flexura.systems.second_order import SecondOrderSystem

Contents = dict[str, Any]
"""MATRICES, loads F, outputs C, nodes; names dofs, inputs, outputs; anything else as it is called."""

MATRICES = ("M", "D", "K", "G", "H", "springs", "structural")
SHORT = {"springs": "SPR", "structural": "SK"}  # where names have few letters, all of them capitals
TABLES = ("F", "C", "nodes", "basis")
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


def contents_of(system: SecondOrderSystem) -> Contents:
    """All that a file should keep."""
    found = {name: getattr(system, name) for name in (*MATRICES, *TABLES, *NAMES)}
    found |= {"K": system.bare, "springs": system.apart}  # apart, as they were given: their sum has lost digits
    return {name: one for name, one in found.items() if one is not None}


def role(name: str) -> str | None:
    """What a matrix of this name usually is: KAAX is a stiffness, MGG a mass, BGG or D2GG a damping."""
    if name in (*MATRICES, *TABLES):
        return name
    if name.lower() in ("nodes", "basis"):
        return name.lower()
    if name in SHORT.values():
        return next(long for long, short in SHORT.items() if short == name)
    first = name[:1].upper()
    return _ROLES.get(first) if len(name) == 1 or name[1:2].isdigit() or name.isupper() else None


def check_roles(names: dict[str, Any]) -> None:
    """What the user names must be matrices that a system has, by names of matrices or files."""
    for target, source in names.items():
        if target not in (*MATRICES, *TABLES):
            roles = ", ".join((*MATRICES, *TABLES))
            raise FlexuraError(f"A system has no matrix {target!r}", advice=f"say which matrix is which with {roles}")
        if not isinstance(source, str | Path):
            raise FlexuraError(
                f"{target}={source!r} is no name", advice="give the name of a matrix in the file, or of a file"
            )


def renamed(contents: Contents, names: dict[str, Any], path: Path) -> Contents:
    """Matrices under the names of a system, by what the user says, else by what names usually mean."""
    result: Contents = {name: one for name, one in contents.items() if name in NAMES}
    for target, source in names.items():
        if source not in contents:
            raise FlexuraError(
                f"{path} holds no {source!r} for {target}", advice=f"it holds {', '.join(contents) or 'nothing'}"
            )
        result[target] = contents[source]
    for name, one in contents.items():
        meant = role(name)
        if name in NAMES or meant is None or name in names.values() or meant in names:
            continue
        if meant in result:
            both = ", ".join(other for other in contents if role(other) == meant)
            what = _WORDS.get(meant, meant)
            raise FlexuraError(f"{path} holds several {what} matrices ({both})", advice=f"say which, {meant}=")
        result[meant] = one
    return result


def system_of(contents: Contents, budget: Budget) -> SecondOrderSystem:
    """The system, or a sentence about what is missing."""
    path = budget.path
    for name in ("M", "K"):
        if name not in contents:
            found = ", ".join(contents) or "nothing"
            raise FlexuraError(
                f"{path} holds no {_WORDS[name]} matrix ({found} was found)", advice=f"say which it is with {name}="
            )
    given = {name: contents[name] for name in (*MATRICES, *TABLES, *NAMES) if name in contents}
    for name in (*MATRICES, *TABLES):
        if name in given:
            _check_table(given[name], name, path)
    if "F" in given:
        given["F"] = _columns(given["F"], budget)
    for name in ("C", "nodes", "basis"):
        if name in given and sparse.issparse(given[name]):
            budget.dense(given[name].shape, name)
            given[name] = given[name].toarray()
    # rows one after another, whatever the file has: sums of products are taken in the order of memory
    given |= {name: np.ascontiguousarray(one) for name, one in given.items() if isinstance(one, np.ndarray)}
    try:
        return SecondOrderSystem(**given)
    except FlexuraError as error:
        raise error.with_(place=str(path)) from None


def _check_table(one: Any, name: str, path: Path) -> None:
    """Real numbers in rows and columns, at least one of them."""
    if one.dtype.kind == "c":
        raise FlexuraError(f"{path}: {name} is complex", advice="give real matrices, and damping as D")
    if one.dtype.kind not in "biuf":
        raise FlexuraError(f"{path}: {name} holds {one.dtype}, not numbers", advice="give a matrix")
    if one.ndim not in (1, 2) or 0 in one.shape:
        raise FlexuraError(f"{path}: {name} has the shape {one.shape}", advice="give a matrix with rows and columns")
    if name == "nodes" and one.shape[-1] > 3:
        raise FlexuraError(f"{path}: nodes has the shape {one.shape}", advice="give one row for each node, x, y and z")
    if not np.isfinite(one.data if sparse.issparse(one) else one).all():
        raise FlexuraError(f"{path}: {name} holds values that are not finite", advice="check where it comes from")


def _columns(F: Any, budget: Budget) -> Any:
    if sparse.issparse(F):
        budget.dense(F.shape, "F")
    F = F.toarray() if sparse.issparse(F) else np.asarray(F, dtype=np.float64)
    return F[:, 0] if F.ndim == 2 and F.shape[1] == 1 else F
