"""Files of matrices: `fx.read_system(path)`, `fx.write_system(system, path)`.

One file here for each format. A format that holds many matrices (.npz, .mat, .op4, .dmig/.bdf/.pch) reads to contents
by name; one that holds a single matrix (.mtx, .rsa/.rua/.hb) keeps the others beside it: plate.mtx is K, plate.M.mtx
the mass, and so on. A new format is one file with `read` and `write`, and a line in `_FORMATS`.

Files:

    beside          Formats of one matrix a file: plate.mtx is K; plate.M.mtx, plate.D.mtx, plate.F.mtx,
                    plate.nodes.mtx lie beside it
    budget          What a file may ask for: the memory its matrices need is known from what it announces, before
                    any is taken
    compressed      Sparse matrices by columns or rows, checked before SciPy sees them: an index out of range kills
                    it
    contents        What a file of matrices holds, by name, and the system it makes
    dmig            Nastran DMIG cards (.dmig, .bdf, .pch): matrices between motions of grid points, with GRID cards
                    for nodes
    harwell_boeing  Harwell-Boeing (.rsa, .rua, .hb): one assembled real matrix in columns of fixed width, as
                    Fortran wrote it
    mat             MATLAB files (.mat, to version 7): matrices by name, sparse ones sparse
    mat_variables   The variables of a MATLAB file of version 4, 6 or 7, read by ourselves: SciPy's reader dies of
                    damaged ones
    matrix_market   Matrix Market (.mtx): one matrix as text, coordinates or an array
    npz             NumPy archives (.npz): a sparse matrix in parts, K.data, K.indices, K.indptr, K.shape; a dense
                    one as an array
    op4             Nastran OUTPUT4 as text (.op4): matrices by name, dense columns, or strings of sparse ones in
                    either numbering
    op4_binary      Nastran OUTPUT4 as Fortran writes it unformatted (.op4): matrices by name, in records between their
                    lengths
    plain_lines     Whether every line of a text is nothing but the numbers that SciPy reads of it, in the usual layout
    plain_numbers   Whether a text is nothing but numbers, decided at the speed of memory: sets of characters as
                    bits
    triples         Entries as plain lines: what Abaqus writes for *MATRIX GENERATE (.mtx) and CalculiX as .sti, .mas
                    and .dof
    texts           What readers of text share: numbers as Fortran writes them, and sentences with a line and a
                    column
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from flexura.errors import FlexuraError
from flexura.files.writing import replacing
from flexura.systems.matrix_files import dmig, harwell_boeing, mat, matrix_market, npz, op4, triples
from flexura.systems.matrix_files.beside import read_beside, read_names, write_beside, write_with_names
from flexura.systems.matrix_files.budget import Budget
from flexura.systems.matrix_files.contents import Contents, check_roles, contents_of, renamed, system_of
from flexura.systems.matrix_files.texts import ending
from flexura.systems.second_order import SecondOrderSystem, required

_MANY: Mapping[str, Any] = {
    ".npz": npz, ".mat": mat, ".op4": op4, ".dmig": dmig, ".bdf": dmig, ".pch": dmig, ".nas": dmig, ".dat": dmig,
}  # fmt: skip
_SINGLE: Mapping[str, Any] = {
    ".mtx": matrix_market, ".mm": matrix_market,
    ".hb": harwell_boeing, ".rsa": harwell_boeing, ".rua": harwell_boeing, ".rb": harwell_boeing,
}  # fmt: skip


def read_system(path: str | Path, *, largest: float | None = None, **names: Any) -> SecondOrderSystem:
    """Read a system; the ending of the path says the format.

    `M=`, `D=`, `K=`, `F=` and so on say which matrix of the file is which, or which other file holds it, where names
    alone do not: fx.read_system("run.op4", K="KGG", M="MGG"), fx.read_system("bcsstk01.rsa", M="bcsstm01.rsa").
    `largest` is how many bytes the matrices may take, where a file that is small announces much.
    """
    path = Path(path)
    suffix = ending(path)[1].lower()
    if path.is_dir() or not path.exists():
        raise FlexuraError(f"There is no file {path}", advice="give the path of a file that holds matrices")
    check_roles(names)
    try:
        budget = Budget.of(path, largest)
        if suffix in (".mtx", ".sti", ".mas") and triples.is_plain(path, suffix):
            contents: Contents = triples.read(path, names, largest)
        elif suffix == ".npz" and npz.is_single(path):
            contents = read_beside(path, lambda at: npz.read_single(at, Budget.of(at, largest)), names)
        elif suffix in _MANY:
            beside = {} if suffix in (".npz", ".mat") else read_names(path)
            contents = renamed(_MANY[suffix].read(path, budget), names, path) | beside
        elif suffix.removesuffix(".gz") in _SINGLE:
            single = _SINGLE[suffix.removesuffix(".gz")]
            contents = read_beside(path, lambda at: single.read(at, Budget.of(at, largest)), names)
        else:
            raise FlexuraError(
                f"{path} ends in {suffix or 'nothing'}", advice=f"matrices are read from {_read_endings()}"
            )
        return system_of(contents, budget)
    except OSError as error:
        raise FlexuraError(f"{path} cannot be read: {error.strerror or error}", advice="check the file") from None


def write_system(system: SecondOrderSystem, path: str | Path) -> tuple[Path, ...]:
    """Write a system with nodes, names and loads; the ending of the path says the format. Returns what was written."""
    path = Path(path)
    suffix = path.suffix.lower()
    contents = contents_of(required(system))
    if suffix in (".npz", ".mat"):
        with replacing(path) as unfinished:
            _MANY[suffix].write(unfinished, contents)
        return (path,)
    if suffix in _MANY:
        return write_with_names(path, _MANY[suffix].write, contents)
    if suffix in _SINGLE:
        return write_beside(path, _SINGLE[suffix].write, contents)
    raise FlexuraError(f"{path} ends in {suffix or 'nothing'}", advice=f"matrices are written to {_endings()}")


def _endings() -> str:
    return ", ".join((*_MANY, *_SINGLE))


def _read_endings() -> str:
    return f"{_endings()}, .sti, .mas, or .gz of those of one matrix"
