"""Matrices, state space and answers as MATLAB's .mat (version 5).

>>> fx.export(ss, "plant.mat")                  # A, B, C, D, states, inputs, outputs, units_...
>>> fx.export(run, "run.mat")                   # t, theta, theta_t, ...
"""

from __future__ import annotations

import re
from functools import singledispatch
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io

from flexura.errors import FlexuraError
from flexura.exports.tables import columns_of
from flexura.systems.matrix_files import mat
from flexura.systems.matrix_files.contents import contents_of
from flexura.systems.second_order import SecondOrderSystem
from flexura.systems.state_space import StateSpace

_LONGEST = 63  # letters in a name of MATLAB's


def write(thing: Any, path: Path) -> None:
    """Variables by the names they have here, as far as MATLAB takes them: w_beam[0] is w_beam_0."""
    if isinstance(thing, SecondOrderSystem):
        mat.write(path, contents_of(thing))
        return
    scipy.io.savemat(path, _variables(thing), do_compression=True)


@singledispatch
def _variables(thing: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, one in columns_of(thing, ".mat").items():
        word = matlab_name(name)
        if word in found:
            raise FlexuraError(f"Two columns would both be called {word} in MATLAB", advice="rename one of them")
        found[word] = one.reshape(-1, 1) if one.dtype.kind in "biuf" else np.array(one.tolist(), dtype=object)
    return found


@_variables.register
def _(thing: StateSpace) -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(thing, name) for name in "ABCD"}
    for which in ("states", "inputs", "outputs"):
        found[which] = np.array(getattr(thing, which), dtype=object)
        found[f"units_{which}"] = np.array(thing.units.get(which, ()), dtype=object)
    return {**found, "dt": thing.dt}


def matlab_name(name: str) -> str:
    """A name as MATLAB takes it."""
    word = re.sub(r"\W", "_", name.replace("]", "")).strip("_")
    return (word if word[:1].isalpha() else f"x{word}")[:_LONGEST]
