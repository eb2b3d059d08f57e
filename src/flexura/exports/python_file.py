"""A system as Python source: NumPy functions that need nothing of this package, or SymPy's own expressions.

>>> fx.export(model, "arm.py", values={"g": 9.81})              # import arm; arm.mass(t, q, v, u), arm.rates(t, x, u)
>>> fx.export(equations, "arm.py", form="sympy")                # arm.ordinary["theta"] is a SymPy equation
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import symengine

from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import can_be_derived, equations_of
from flexura.errors import FlexuraError
from flexura.exports.straight_line import PYTHON, StraightLine
from flexura.exports.systems import ExportedSystem, exported
from flexura.symbolic.engine import TIME, Basic


def write(
    thing: Any,
    path: Path,
    values: Mapping[str, Any] | None = None,
    order: int | None = None,
    elements: int | None = None,
    outputs: Any = None,
    initial: Mapping[str, Any] | None = None,
    form: str = "numpy",
) -> None:
    """The module; `form` is "numpy" or "sympy"."""
    if form == "sympy":
        if not can_be_derived(thing):
            raise FlexuraError(
                f"A {type(thing).__name__} has no equations in SymPy", advice="give a model or equations"
            )
        path.write_text(sympy_source(equations_of(thing)), encoding="utf-8")
    elif form == "numpy":
        system = exported(thing, ".py", values, order, elements, outputs, initial)
        path.write_text(numpy_source(system), encoding="utf-8")
    else:
        raise FlexuraError(f"form is {form!r}", advice="use 'numpy' or 'sympy'")


def numpy_source(system: ExportedSystem) -> str:
    """Functions of t, q, v, u and parameters p."""
    w = system.written
    g, A, b, c = w.constraints
    R_q, R_v = w.jacobians
    state = "t, q, v, u=(), p=parameters"
    parts = [
        _HEAD.format(
            names=list(w.names),
            inputs=list(w.inputs),
            multipliers=list(w.multipliers),
            holonomic=list(w.holonomic),
            outputs=list(system.outputs),
            parameters={name: float(one) for name, one in w.parameters.items()},
            q=[float(one) for one in system.start[0]],
            v=[float(one) for one in system.start[1]],
        ),
        _function("system", state, system, {"M": w.mass, "f": w.forces}),
        _function("constraints", state, system, {"g": g, "A": A, "b": b, "c": c}),
        _function("jacobian", "t, q, v, a, lam=(), u=(), p=parameters", system, {"R_q": R_q, "R_v": R_v}),
        _function("energies", state, system, {"E": w.energies()}),
        _function(
            "outputs_of",
            "t, q, v, a, lam=(), u=(), p=parameters",
            system,
            {"y": np.array([*system.outputs.values()], dtype=object)},
        ),
        _TAIL,
    ]
    return "\n".join(parts)


def _function(name: str, arguments: str, system: ExportedSystem, blocks: Mapping[str, Any]) -> str:
    w = system.written
    names: dict[Basic, str] = {TIME: "t"}
    names |= {symbol: f"p[{key!r}]" for symbol, key in zip(w.p, w.parameters, strict=True)}
    for letter, symbols in {"q": w.q, "v": w.v, "a": w.a, "lam": w.lam, "u": w.u}.items():
        names |= {symbol: f"{letter}[{i}]" for i, symbol in enumerate(symbols)}
    arrays = {key: np.asarray(block, dtype=object) for key, block in blocks.items()}
    trees = [symengine.sympify(f) for block in arrays.values() for f in block.ravel()]
    lines, texts = StraightLine(PYTHON, names).lines(trees)
    waiting = iter(texts)
    for key, block in arrays.items():
        lines.append(f"{key} = zeros({block.shape})")
        lines += [
            f"{key}{list(place)} = {text}" for place in np.ndindex(block.shape) if (text := next(waiting)) != "0.0"
        ]
    lines.append(f"return {', '.join(arrays)}")
    return "\n".join([f"def {name}({arguments}):", *(f"    {line}" for line in lines), "", ""])


_HEAD = '''"""Equations of motion M a = f + A' lambda, written by flexura; SI units. Needs NumPy alone."""

from numpy import abs, arccos, arccosh, arcsin, arcsinh, arctan, arctan2, arctanh, array, concatenate, cos, cosh, exp
from numpy import linalg, log, maximum, minimum, nan, sign, sin, sinh, sqrt, tan, tanh, where, zeros

names = {names!r}
inputs = {inputs!r}
multipliers = {multipliers!r}
holonomic = {holonomic!r}
outputs = {outputs!r}
parameters = {parameters!r}
start_q = array({q!r})
start_v = array({v!r})

'''
_TAIL = '''def mass(t, q, v, u=(), p=parameters):
    return system(t, q, v, u, p)[0]


def forcing(t, q, v, u=(), p=parameters):
    return system(t, q, v, u, p)[1]


def residual(t, q, v, a, lam=(), u=(), p=parameters):
    M, f = system(t, q, v, u, p)
    A = constraints(t, q, v, u, p)[1]
    return M @ array(a) - f - A.T @ array(lam, dtype=float)


def accelerations(t, q, v, u=(), p=parameters, alpha=0.0):
    """Accelerations and multipliers; alpha > 0 lets what is missed of the constraints decay."""
    M, f = system(t, q, v, u, p)
    g, A, b, c = constraints(t, q, v, u, p)
    n, m = len(f), len(c)
    rate, held = A @ array(v, dtype=float) + b, iter(g)
    right = [-c[k] - (2.0 if holonomic[k] else 1.0) * alpha * rate[k] - (alpha**2 * next(held) if holonomic[k] else 0.0)
             for k in range(m)]
    whole = zeros((n + m, n + m))
    whole[:n, :n], whole[:n, n:], whole[n:, :n] = M, -A.T, A
    found = linalg.solve(whole, concatenate([f, right]))
    return found[:n], found[n:]


def rates(t, x, u=(), p=parameters, alpha=0.0):
    """The first-order form, for any integrator: x = (q, v)."""
    n = len(names)
    return concatenate([x[n:], accelerations(t, x[:n], x[n:], u, p, alpha)[0]])
'''


def sympy_source(equations: Equations) -> str:
    """The equations as SymPy builds them: what is printed makes the same expressions again."""
    import sympy

    groups = {"ordinary": equations.ordinary, "partial": equations.partial}
    lines = ['"""Equations of motion in SymPy, written by flexura."""', "", "from sympy import *", ""]
    for name, rows in groups.items():
        lines += [f"{name} = {{", *(f"    {key!r}: {sympy.srepr(row)}," for key, row in rows.items()), "}"]
    for name, some in {"boundary": equations.boundary, "constraints": equations.constraints}.items():
        lines += [f"{name} = [", *(f"    {sympy.srepr(row)}," for row in some), "]"]
    return "\n".join([*lines, ""])
