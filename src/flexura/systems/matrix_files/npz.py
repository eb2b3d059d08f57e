"""NumPy archives (.npz): a sparse matrix in parts, K.data, K.indices, K.indptr, K.shape; a dense one as an array."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sparse

from flexura.systems.matrix_files.contents import NAMES, BadFile, Contents

_PARTS = ("data", "indices", "indptr", "shape")


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


def read(path: Path) -> Contents:
    """Read contents; nothing in the file is run."""
    try:
        with np.load(path, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
    except (OSError, ValueError, zipfile.BadZipFile, EOFError) as error:
        raise BadFile(
            f"{path} is not a NumPy archive that can be read ({error}); write it with fx.write_system."
        ) from None
    contents: Contents = {}
    for name, one in arrays.items():
        base, _, part = name.rpartition(".")
        if not base:
            contents[name] = tuple(map(str, one)) if name in NAMES else one
        elif part == "data":
            missing = [other for other in _PARTS if f"{base}.{other}" not in arrays]
            if missing:
                raise BadFile(f"{path} lacks {base}.{missing[0]}; write it again with fx.write_system.")
            triple = (one, arrays[f"{base}.indices"], arrays[f"{base}.indptr"])
            contents[base] = sparse.csr_array(triple, shape=tuple(arrays[f"{base}.shape"]))
    return contents
