"""MATLAB files (.mat, to version 7): matrices by name, sparse ones sparse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sparse

from flexura.systems.matrix_files.budget import Budget
from flexura.systems.matrix_files.contents import NAMES, Contents
from flexura.systems.matrix_files.mat_variables import variables
from flexura.systems.matrix_files.texts import BadFile

_OWN = "flexura"


def write(path: Path, contents: Contents) -> None:
    """Write contents; names of rows become a cell array."""
    found: dict[str, Any] = {_OWN: 1.0}
    for name, one in contents.items():
        if name in NAMES:
            found[name] = np.array(one, dtype=object)
        elif sparse.issparse(one):
            found[name] = sparse.csc_matrix(one)
        else:
            found[name] = one.reshape(len(one), -1) if name == "F" else one
    scipy.io.savemat(path, found, do_compression=True)


def read(path: Path, budget: Budget) -> Contents:
    """Read contents; a square C beside M and K without D is taken for damping, as MATLAB users call it."""
    data = path.read_bytes()
    if data[124:126] in (b"\x00\x02", b"\x02\x00") or data[:8] == b"\x89HDF\r\n\x1a\n":
        raise BadFile(f"{path} is a MATLAB file of version 7.3", advice="save it with save(..., '-v7')")
    found = variables(data, budget)
    contents = {name: one for name, one in found.items() if name != _OWN and isinstance(one, tuple) == (name in NAMES)}
    foreign = _OWN not in found and "D" not in contents and {"C", "M"} <= set(contents)
    if foreign and contents["C"].shape == contents["M"].shape:
        contents["D"] = contents.pop("C")
    return contents
