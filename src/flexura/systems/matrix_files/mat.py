"""MATLAB files (.mat, to version 7): matrices by name, sparse ones sparse."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sparse

from flexura.systems.matrix_files.contents import NAMES, BadFile, Contents

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


def read(path: Path) -> Contents:
    """Read contents; a square C beside M and K without D is taken for damping, as MATLAB users call it."""
    try:
        found = scipy.io.loadmat(path, spmatrix=False) if _modern() else scipy.io.loadmat(path)
    except NotImplementedError:
        raise BadFile(f"{path} is a MATLAB file of version 7.3; save it with save(..., '-v7').") from None
    except (OSError, ValueError, TypeError, EOFError, IndexError, scipy.io.matlab.MatReadError) as error:
        raise BadFile(
            f"{path} is not a MATLAB file that can be read ({error}); save it with save(..., '-v7')."
        ) from None
    contents: Contents = {}
    for name, one in found.items():
        if name.startswith("__") or name == _OWN:
            continue
        if name in NAMES:
            contents[name] = tuple(str(np.ravel(item)[0]) if np.size(item) else "" for item in np.ravel(one))
        elif np.issubdtype(one.dtype, np.number):
            contents[name] = one if sparse.issparse(one) else np.asarray(one, dtype=np.float64)
    foreign = _OWN not in found and "D" not in contents and {"C", "M"} <= set(contents)
    if foreign and contents["C"].shape == contents["M"].shape:
        contents["D"] = contents.pop("C")
    return contents


def _modern() -> bool:
    import inspect

    return "spmatrix" in inspect.signature(scipy.io.loadmat).parameters
