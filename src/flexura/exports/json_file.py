"""Answers, systems and equations as .json.

>>> fx.export(equations, "arm.json")            # read back with fx.Equations.from_json
>>> fx.export(ss, "arm.json"), fx.export(run, "run.json")
"""

from __future__ import annotations

import json
from functools import singledispatch
from pathlib import Path
from typing import Any

import numpy as np

from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import described, equations_of
from flexura.exports.tables import columns_of
from flexura.systems.second_order import SecondOrderSystem, as_dense
from flexura.systems.state_space import StateSpace


def write(thing: Any, path: Path) -> None:
    """One document; what is no number (nan) is null."""
    if described(thing) is not None:
        thing = equations_of(thing)
    path.write_text(_text(thing), encoding="utf-8")


@singledispatch
def _text(thing: Any) -> str:
    columns = columns_of(thing, ".json")
    return json.dumps({name: _plain(one) for name, one in columns.items()}, ensure_ascii=False)


@_text.register
def _(thing: Equations) -> str:
    return thing.to_json()


@_text.register
def _(thing: StateSpace) -> str:
    names = {which: list(getattr(thing, which)) for which in ("states", "inputs", "outputs")}
    units = {which: list(one) for which, one in thing.units.items()}
    matrices = {name: getattr(thing, name).tolist() for name in "ABCD"}
    return json.dumps({**matrices, **names, "units": units, "dt": thing.dt}, ensure_ascii=False)


@_text.register
def _(thing: SecondOrderSystem) -> str:
    held = {name: one for name in ("M", "D", "K", "G", "H", "F", "C") if (one := getattr(thing, name)) is not None}
    matrices = {name: np.asarray(as_dense(one)).tolist() for name, one in held.items()}
    names = {"dofs": list(thing.names), "inputs": list(thing.input_names), "outputs": list(thing.outputs or ())}
    return json.dumps({**matrices, **names}, ensure_ascii=False)


def _plain(column: Any) -> list[Any]:
    if column.dtype.kind != "f":
        return list(column.tolist())
    return [one if np.isfinite(one) else None for one in column.tolist()]
