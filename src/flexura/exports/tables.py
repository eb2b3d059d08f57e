"""Answers as tables: columns of equal length by name, complex ones as two.

>>> columns_of(run)                      # {"t": ..., "theta": ..., "theta_t": ..., "energy_kinetic": ...}
>>> columns_of(fx.modes(equations, 4))   # {"mode": ..., "omega": ..., "damping_ratio": ..., "s_re": ..., "s_im": ...}
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import singledispatch
from typing import Any

import numpy as np

from flexura.errors import FlexuraError
from flexura.solve.campbell import Campbell
from flexura.solve.response import Response
from flexura.solve.roots.found import Modes
from flexura.solve.steppers.trajectory import Trajectory
from flexura.solve.sweeps.table import SweepTable

TAKES = "a run, a response, modes, a Campbell chart, a sweep, a data frame, or a dict of columns"
_ENERGIES = ("kinetic", "potential", "dissipated", "supplied")


def columns_of(thing: Any, ending: str) -> dict[str, Any]:
    """Real columns, of one length."""
    found: dict[str, Any] = {}
    for name, one in _columns(thing, ending).items():
        values = np.asarray(one)
        if values.dtype.kind == "c":
            found |= {f"{name}_re": values.real, f"{name}_im": values.imag}
        else:
            found[name] = values
    lengths = {len(one) for one in found.values()}
    if len(lengths) > 1:
        raise FlexuraError("The columns have different lengths", advice="give columns of one length")
    return found


@singledispatch
def _columns(thing: Any, ending: str) -> dict[str, Any]:
    if hasattr(thing, "to_dataframe"):
        thing = thing.to_dataframe()
    if hasattr(thing, "columns") and hasattr(thing, "to_numpy"):
        index = {str(thing.index.name): thing.index.to_numpy()} if thing.index.name is not None else {}
        return {**index, **{str(name): thing[name].to_numpy() for name in thing.columns}}
    if isinstance(thing, Mapping) and all(np.ndim(one) == 1 for one in thing.values()) and thing:
        return {str(name): np.asarray(one) for name, one in thing.items()}
    raise FlexuraError(f"A {type(thing).__name__} cannot be written as {ending}", advice=f"give {TAKES}")


@_columns.register
def _(thing: SweepTable, ending: str) -> dict[str, Any]:
    return thing.columns()


@_columns.register
def _(thing: Trajectory, ending: str) -> dict[str, Any]:
    energies = {f"energy_{name}": getattr(thing.energy, name) for name in _ENERGIES}
    return {"t": thing.t, **{name: thing[name] for name in thing}, **energies}


@_columns.register
def _(thing: Modes, ending: str) -> dict[str, Any]:
    omega = thing.frequencies
    return {
        "mode": np.arange(1, len(thing) + 1),
        "omega": omega,
        "hz": omega / (2 * np.pi),
        "damping_ratio": thing.damping_ratios,
        "s": np.asarray(thing.eigenvalues),
    }


@_columns.register
def _(thing: Campbell, ending: str) -> dict[str, Any]:
    branches = {f"s{k + 1}": thing.eigenvalues[:, k] for k in range(thing.eigenvalues.shape[1])}
    return {thing.parameter: thing.values, **branches}


@_columns.register
def _(thing: Response, ending: str) -> dict[str, Any]:
    if thing.omega is None:
        raise FlexuraError(
            "This part of a response has lost its frequencies", advice="write the whole response, or a dict of columns"
        )
    omega = np.asarray(thing.omega).ravel()
    flat = np.asarray(thing).reshape(len(omega), -1)
    places = list(np.ndindex(np.shape(thing)[1:]))
    several = len(places) > 1 and len(places) == len(thing.fields)
    named = thing.fields if several else tuple(f"X{''.join(f'[{i}]' for i in place)}" for place in places)
    return {"omega": omega, **{name: flat[:, k] for k, name in enumerate(named)}}
