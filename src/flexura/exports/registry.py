"""`fx.export(thing, path)`: the ending says the format; one file here writes each of them.

>>> fx.export(run, "run.csv"), fx.export(equations, "arm.c"), fx.export(model, "arm.fmu", version="3.0")

A new format is one file with `write(thing, path, **options)` and a line in FORMATS.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from flexura.arguments import checked
from flexura.errors import FlexuraError
from flexura.files.writing import check_place, replacing

FORMATS: dict[str, str] = {
    ".c": "c_file",
    ".csv": "csv_file",
    ".fmu": "fmu_file",
    ".json": "json_file",
    ".m": "matlab_file",
    ".mat": "mat_file",
    ".mml": "formula_file",
    ".mo": "modelica_file",
    ".nc": "netcdf",
    ".parquet": "parquet_file",
    ".py": "python_file",
    ".tex": "formula_file",
    ".typ": "formula_file",
    ".vtu": "vtu",
}


def export(thing: Any, path: str | Path, **options: Any) -> Path:
    """Write a model, equations, a system or an answer to a file; the ending of the path says the format.

    Arguments:
        `thing`: answers (runs, responses, modes, sweeps): .csv, .parquet, .nc, .json, .mat; models, equations and
            systems: .c, .fmu, .mo, .m, .py, and .json, .mat for what these can hold; equations as formulas: .tex,
            .typ, .mml; structures: .vtu.
        `path`: where to; the file is written beside its place and moved there when it is whole.
        `options`: those of the format.
    Returns the path.

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    >>> model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    >>> fx.export(fx.modes(model, 2), "modes.csv").name
    'modes.csv'
    """
    path = check_export(path)
    writer = import_module(f"flexura.exports.{FORMATS[path.suffix.lower()]}")
    write = checked(writer.write, f"fx.export to {path.suffix}")
    with replacing(path) as unfinished:
        write(thing, unfinished, **options)
    return path


def check_export(path: str | Path) -> Path:
    """The path, if something can be written there in some format; long computations ask before they begin."""
    path = Path(path)
    if path.suffix.lower() not in FORMATS:
        raise FlexuraError(
            f"{path.name} ends in {path.suffix or 'nothing'}, which is no format",
            advice=f"end it in one of {', '.join(FORMATS)}",
        )
    return check_place(path)


def refused(thing: Any, ending: str, takes: str) -> FlexuraError:
    """What a format cannot hold."""
    return FlexuraError(f"A {type(thing).__name__} cannot be written as {ending}", advice=f"give {takes}")
