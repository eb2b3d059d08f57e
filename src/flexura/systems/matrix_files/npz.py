"""NumPy archives (.npz): a sparse matrix in parts, K.data, K.indices, K.indptr, K.shape; a dense one as an array."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.lib import format as npy

from flexura.systems.matrix_files.budget import Budget
from flexura.systems.matrix_files.compressed import by_columns, by_places, by_rows
from flexura.systems.matrix_files.contents import NAMES, Contents
from flexura.systems.matrix_files.texts import BadFile

_PARTS = ("data", "indices", "indptr", "shape")
_HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def write(path: Path, contents: Contents) -> None:
    """Write contents, compressed."""
    arrays: dict[str, Any] = {}
    for name, one in contents.items():
        if sparse.issparse(one):
            compressed = sparse.csr_array(one)
            arrays |= {f"{name}.{part}": getattr(compressed, part) for part in _PARTS}
        else:
            arrays[name] = np.array(one, dtype=str) if name in NAMES else np.asarray(one)
    np.savez_compressed(path, **arrays)


def read(path: Path, budget: Budget) -> Contents:
    """Read contents; nothing in the file is run."""
    arrays = _arrays(path, budget)
    contents: Contents = {}
    for name, one in arrays.items():
        base, _, part = name.rpartition(".")
        if not base:
            contents[name] = tuple(map(str, one.ravel())) if name in NAMES else one
        elif part == "data":
            missing = [other for other in _PARTS if f"{base}.{other}" not in arrays]
            if missing:
                raise BadFile(f"{path} lacks {base}.{missing[0]}", advice="write it again with fx.write_system")
            shape = _shape(path, base, arrays[f"{base}.shape"])
            contents[base] = by_rows(base, one, arrays[f"{base}.indices"], arrays[f"{base}.indptr"], shape, budget)
    return contents


def is_single(path: Path) -> bool:
    """Whether it is one matrix as scipy.sparse.save_npz writes it."""
    try:
        with zipfile.ZipFile(path) as archive:
            return {"format.npy", "shape.npy", "data.npy"} <= set(archive.namelist())
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile):
        return False


def read_single(path: Path, budget: Budget) -> Any:
    """The matrix of scipy.sparse.save_npz, whatever its layout."""
    arrays = _arrays(path, budget)
    layout, data = arrays["format"].ravel()[:1].tolist(), arrays["data"]
    layout = [one.decode("ascii", "replace") if isinstance(one, bytes) else one for one in layout]
    parts = {"csr": ("indices", "indptr"), "csc": ("indices", "indptr"), "coo": ("row", "col")}.get(str(*layout))
    if parts is None or any(one not in arrays for one in parts):
        raise BadFile(f"{path} holds a matrix of the layout {str(*layout)!r}", advice="save it as csr, csc or coo")
    shape = _shape(path, "the matrix", arrays["shape"])
    first, second = (arrays[one] for one in parts)
    if layout == ["csr"]:
        return by_rows("the matrix", data, first, second, shape, budget)
    if layout == ["csc"]:
        return sparse.csr_array(by_columns("the matrix", data, first, second, shape, budget))
    return sparse.csr_array(by_places("the matrix", data, first, second, shape, budget))


def _arrays(path: Path, budget: Budget) -> dict[str, Any]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
            budget.check(float(sum(one.file_size for one in members)), "what it holds")
            return {one.filename.removesuffix(".npy"): _array(archive, one) for one in members}
    except BadFile:
        raise
    except Exception as error:  # what a damaged archive raises is open: of zipfile, zlib, struct, ast, ...
        raise BadFile(
            f"{path} is not a NumPy archive that can be read ({error})", advice="write it with fx.write_system"
        ) from None


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Any:
    """One array; its header must announce as many bytes as follow, since NumPy takes the memory first."""
    with archive.open(member) as file:
        version = npy.read_magic(file)
        if version not in _HEADERS:
            raise ValueError(f"{member.filename} is of the version {version}")
        shape, fortran, dtype = _HEADERS[version](file)
        if dtype.kind not in "biufcUS":
            raise ValueError(f"{member.filename} holds {dtype}, not numbers or names")
        data = bytearray(file.read())
    if not all(isinstance(extent, int) and extent >= 0 for extent in shape):
        raise ValueError(f"{member.filename} has the shape {shape}")
    array = np.frombuffer(data, dtype) if dtype.itemsize else np.zeros(0, dtype)
    return array.reshape(shape, order="F" if fortran else "C")


def _shape(path: Path, name: str, given: Any) -> tuple[int, int]:
    if given.shape != (2,) or not np.issubdtype(given.dtype, np.integer) or (given < 0).any():
        problem = f"{name}.shape is {given.tolist()!r}"
        raise BadFile(problem, advice="give the counts of rows and columns", place=str(path))
    return int(given[0]), int(given[1])
