"""A system as a MATLAB file of functions, or a state space as one of matrices.

>>> fx.export(model, "arm.m")          # s = arm(); [M, f] = s.system(t, q, v, u, s.parameters)
>>> fx.export(ss, "plant.m")           # s = plant(); ss(s.A, s.B, s.C, s.D)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import symengine

from flexura.exports.mat_file import matlab_name
from flexura.exports.straight_line import MATLAB, StraightLine
from flexura.exports.systems import ExportedSystem, exported
from flexura.symbolic.engine import TIME, Basic
from flexura.systems.state_space import StateSpace

_STATE = "t, q, v, u, p"
_WHOLE = "t, q, v, a, lam, u, p"


def write(
    thing: Any,
    path: Path,
    values: Mapping[str, Any] | None = None,
    order: int | None = None,
    elements: int | None = None,
    outputs: Any = None,
    initial: Mapping[str, Any] | None = None,
) -> None:
    """One file, whose first function is called after it and returns a struct of all the others."""
    name = matlab_name(path.name.split(".")[0])
    if isinstance(thing, StateSpace):
        path.write_text(_space(thing, name), encoding="utf-8")
        return
    system = exported(thing, ".m", values, order, elements, outputs, initial)
    path.write_text(matlab_source(system, name), encoding="utf-8")


def matlab_source(system: ExportedSystem, name: str) -> str:
    """The text of the file."""
    w = system.written
    g, A, b, c = w.constraints
    R_q, R_v = w.jacobians
    outputs = np.array([*system.outputs.values()], dtype=object)
    facts = [
        f"s.names = {_cell(w.names)};",
        f"s.inputs = {_cell(w.inputs)};",
        f"s.outputs = {_cell(list(system.outputs))};",
        f"s.parameter_names = {_cell(list(w.parameters))};",
        f"s.parameters = {_column(list(w.parameters.values()))};",
        f"s.start_q = {_column(system.start[0])};",
        f"s.start_v = {_column(system.start[1])};",
        "s.system = @system_of; s.constraints = @constraints_of; s.jacobian = @jacobian_of;",
        "s.outputs_of = @outputs_of; s.energies = @energies_of; s.accelerations = @accelerations_of;",
        "s.rates = @rates_of;",
    ]
    parts = [
        f"function s = {name}()",
        "% Equations of motion M a = f + A' lam, written by flexura; SI units, columns of q, v, a, lam, u and p.",
        *(f"    {line}" for line in facts),
        "end",
        "",
        _function("system_of", _STATE, system, {"M": w.mass, "f": w.forces}),
        _function("constraints_of", _STATE, system, {"g": g, "A": A, "b": b, "c": c}),
        _function("jacobian_of", _WHOLE, system, {"R_q": R_q, "R_v": R_v}),
        _function("outputs_of", _WHOLE, system, {"y": outputs}),
        _function("energies_of", _STATE, system, {"E": w.energies()}),
        _TAIL,
    ]
    return "\n".join(parts)


def _function(name: str, arguments: str, system: ExportedSystem, blocks: Mapping[str, Any]) -> str:
    w = system.written
    names: dict[Basic, str] = {TIME: "t"}
    for letter, symbols in {"q": w.q, "v": w.v, "a": w.a, "lam": w.lam, "u": w.u, "p": w.p}.items():
        names |= {symbol: f"{letter}({i + 1})" for i, symbol in enumerate(symbols)}
    arrays = {key: np.asarray(block, dtype=object) for key, block in blocks.items()}
    trees = [symengine.sympify(f) for block in arrays.values() for f in block.ravel()]
    lines, texts = StraightLine(MATLAB, names).lines(trees)
    waiting = iter(texts)
    for key, block in arrays.items():
        rows, columns = block.shape if block.ndim == 2 else (len(block), 1)
        lines.append(f"{key} = zeros({rows}, {columns});")
        for place in np.ndindex(block.shape):
            at = ", ".join(str(i + 1) for i in place)
            if (text := next(waiting)) != "0.0":
                lines.append(f"{key}({at}) = {text};")
    return "\n".join(
        [f"function [{', '.join(arrays)}] = {name}({arguments})", *(f"    {one}" for one in lines), "end", ""]
    )


_TAIL = """function [a, lam] = accelerations_of(t, q, v, u, p)
    [M, f] = system_of(t, q, v, u, p);
    [~, A, ~, c] = constraints_of(t, q, v, u, p);
    m = numel(c);
    x = [M, -A'; A, zeros(m, m)] \\ [f; -c];
    a = x(1:numel(f));
    lam = x(numel(f) + 1:end);
end

function dx = rates_of(t, x, u, p)
    n = numel(x)/2;
    dx = [x(n + 1:end); accelerations_of(t, x(1:n), x(n + 1:end), u, p)];
end

function y = choose(condition, first, second)
    if condition
        y = first;
    else
        y = second;
    end
end
"""


def _cell(names: Sequence[str]) -> str:
    return "{" + ", ".join("'" + name.replace("'", "''") + "'" for name in names) + "}"


def _column(numbers: Any) -> str:
    return "[" + "; ".join(repr(float(one)) for one in numbers) + "]"


def _space(space: StateSpace, name: str) -> str:
    lines = [f"function s = {name}()", "% x' = A x + B u, y = C x + D u, written by flexura."]
    for letter in "ABCD":
        matrix = getattr(space, letter)
        rows = ";\n        ".join(", ".join(repr(float(one)) for one in row) for row in matrix)
        lines.append(f"    s.{letter} = reshape([{rows}], {matrix.shape[0]}, {matrix.shape[1]});")
    lines += [f"    s.{which} = {_cell(getattr(space, which))};" for which in ("states", "inputs", "outputs")]
    return "\n".join([*lines, f"    s.dt = {space.dt!r};", "end", ""])
