"""Answers as netCDF, through xarray: of runs every history over t, fields over t and x, and the energy balance.

Responses, spectra, modes and other tables have a variable for each column, complex ones two, over their first column.

>>> write_netcdf(run, "run.nc")
>>> xarray.open_dataset("run.nc")["theta"].plot()
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from flexura.errors import FlexuraError
from flexura.exports.tables import columns_of
from flexura.files.writing import check_place, replacing
from flexura.solve.steppers.trajectory import Trajectory
from flexura.solve.sweeps.table import SweepTable

_POINTS = 41
_UNIT = re.compile(r"(?P<name>.+?) \((?P<unit>[^()]*(?:\([^()]*\)[^()]*)*)\)(?P<part>_re|_im)?")  # "y per F (m/N)"


def dataset(run: Trajectory) -> Any:
    """The run as an xarray Dataset."""
    xarray = _xarray()
    variables: dict[str, Any] = {name: ("t", np.asarray(run[name])) for name in run}
    coordinates: dict[str, Any] = {"t": ("t", run.t, {"units": "s"})}
    if run.motion is not None:
        for name, one in run.motion.whole.fields.items():
            x = np.linspace(one.start, one.end, _POINTS)
            coordinates[f"x_{name}"] = (f"x_{name}", x, {"units": "m"})
            variables[name] = (("t", f"x_{name}"), run.motion.whole.values(name, x, run.t, run.motion.q))
    for name in ("kinetic", "potential", "dissipated", "supplied"):
        variables[f"energy_{name}"] = ("t", getattr(run.energy, name), {"units": "J"})
    about = {"complete": str(run.complete), "message": run.message, "notes": "\n".join(run.notes)}
    return xarray.Dataset(variables, coordinates, {**about, "ledger_error": run.energy.error})


def write(thing: Any, path: Path) -> None:
    """A run, or a sweep over its parameters."""
    if isinstance(thing, SweepTable):
        _xarray()
        found = thing.to_xarray()
        parts = {f"{name}_{part}": getattr(one, part) for name, one in found.items() if one.dtype.kind == "c"
                 for part in ("real", "imag")}  # fmt: skip
        plain = found.drop_vars([name for name, one in found.items() if one.dtype.kind == "c"]).assign(parts)
        plain.attrs = {name: "\n".join(one) for name, one in plain.attrs.items()}
        plain.to_netcdf(path, engine="scipy")
        return
    found = dataset(thing) if isinstance(thing, Trajectory) else _table(thing)
    found.to_netcdf(path, engine="scipy")


def _table(thing: Any) -> Any:
    """Columns over the first of them, with their units."""
    columns = columns_of(thing, ".nc")
    named = {name: _UNIT.fullmatch(name) for name in columns}
    variables = {
        (match["name"] + (match["part"] or "") if match else name).replace("/", " per "): (
            column,
            {"units": match["unit"]} if match else {},
        )
        for (name, match), column in zip(named.items(), columns.values(), strict=True)
    }
    over = next(iter(variables))
    return _xarray().Dataset(
        {name: (over, column, about) for name, (column, about) in variables.items() if name != over},
        {over: (over, *variables[over])},
    )


def write_netcdf(run: Trajectory, path: str | Path) -> Path:
    """Write the run; the path ends in .nc. Returns the path."""
    path = check_netcdf(path)
    with replacing(path) as unfinished:
        dataset(run).to_netcdf(unfinished, engine="scipy")
    return path


def check_netcdf(path: str | Path) -> Path:
    """The path, if a run can be written there; long runs ask before they begin."""
    path = Path(path)
    if path.suffix != ".nc":
        raise FlexuraError(f"The run cannot be written to {path.name}", advice="end its name in .nc")
    check_place(path)
    _xarray()
    return path


def _xarray() -> Any:
    try:
        import xarray
    except ImportError:
        raise FlexuraError(
            "Saving a run as netCDF needs xarray", advice="install it with pip install 'flexura[netcdf]'"
        ) from None
    return xarray
