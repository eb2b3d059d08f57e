"""`fx.to_casadi(thing)`: the functions of a system in CasADi, for optimal control and estimation.

>>> functions = fx.to_casadi(model)
>>> M = functions["mass"](t, q, v, u, p); functions["residual"], functions["rates"], functions["outputs"]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import symengine

from flexura.errors import FlexuraError
from flexura.exports.systems import ExportedSystem, exported
from flexura.symbolic.engine import TIME, Basic
from flexura.symbolic.values import real_value
from flexura.symbolic.walk import branches

_STATE, _WHOLE = ("t", "q", "v", "u", "p"), ("t", "q", "v", "a", "lam", "u", "p")
_RELATIONS = {"StrictLessThan": "lt", "LessThan": "le", "Equality": "eq", "Unequality": "ne"}
_JOINS = {"And": "logic_and", "Or": "logic_or"}


class CasadiFunctions(dict[str, Any]):
    """Functions by name, `functions["mass"]` or `functions.mass`."""

    def __getattr__(self, name: str) -> Any:
        if name not in self:
            raise AttributeError(f"There is no {name!r}; there are {', '.join(self)}.")
        return self[name]


def to_casadi(
    thing: Any,
    values: Mapping[str, Any] | None = None,
    order: int | None = None,
    elements: int | None = None,
    outputs: Any = None,
    initial: Mapping[str, Any] | None = None,
) -> CasadiFunctions:
    """CasADi functions by name: mass, forcing (of t, q, v, u, p), residual, jacobian, outputs (of t, q, v, a, lam, u,
    p), constraints, energies, and without constraints rates (of t, x, u, p), x = (q, v).

    Also "names", "inputs", "output_names", "parameters" (names with numbers, in the order of p), "start_q", "start_v".

    >>> fx.to_casadi(model)["mass"](0, q, v, [], list(functions["parameters"].values()))
    """
    try:
        import casadi
    except ImportError:
        raise FlexuraError("This needs CasADi", advice="install it with pip install 'flexura[casadi]'") from None
    system = exported(thing, "CasADi functions", values, order, elements, outputs, initial)
    return CasadiFunctions(_Writer(casadi, system).functions())


class _Writer:
    """Builds SX graphs branch by branch."""

    def __init__(self, casadi: Any, system: ExportedSystem) -> None:
        self.casadi, self.system, w = casadi, system, system.written
        sizes = {"q": w.n, "v": w.n, "a": w.n, "lam": len(w.multipliers), "u": len(w.inputs), "p": len(w.parameters)}
        self.symbols = {name: casadi.SX.sym(name, size) for name, size in sizes.items()} | {"t": casadi.SX.sym("t")}
        vectors = {"q": w.q, "v": w.v, "a": w.a, "lam": w.lam, "u": w.u, "p": w.p}
        self.known: dict[Basic, Any] = {TIME: self.symbols["t"]}
        for name, symbols in vectors.items():
            self.known |= {symbol: self.symbols[name][i] for i, symbol in enumerate(symbols)}

    def functions(self) -> dict[str, Any]:
        w = self.system.written
        M, f = self._matrix(w.mass), self._matrix(w.forces)
        g, A, b, c = (self._matrix(one) for one in w.constraints)
        R_q, R_v = (self._matrix(one) for one in w.jacobians)
        at = self.symbols
        R = M @ at["a"] - f - (A.T @ at["lam"] if w.multipliers else 0)
        outputs = self._matrix(np.array([*self.system.outputs.values()], dtype=object))
        found = {
            "mass": self._function("mass", _STATE, {"M": M}),
            "forcing": self._function("forcing", _STATE, {"f": f}),
            "residual": self._function("residual", _WHOLE, {"R": R}),
            "jacobian": self._function("jacobian", _WHOLE, {"R_q": R_q, "R_v": R_v}),
            "outputs": self._function("outputs", _WHOLE, {"y": outputs}),
            "constraints": self._function("constraints", _STATE, {"g": g, "A": A, "b": b, "c": c}),
            "energies": self._function("energies", _STATE, {"E": self._matrix(w.energies())}),
            "names": w.names,
            "inputs": w.inputs,
            "output_names": tuple(self.system.outputs),
            "parameters": dict(w.parameters),
            "start_q": self.system.start[0],
            "start_v": self.system.start[1],
        }
        return found | ({} if w.multipliers else {"rates": self._rates(M, f)})

    def _rates(self, M: Any, f: Any) -> Any:
        ca, at = self.casadi, self.symbols
        x = ca.vertcat(at["q"], at["v"])
        dx = ca.vertcat(at["v"], ca.solve(M, f))
        return ca.Function("rates", [at["t"], x, at["u"], at["p"]], [dx], ["t", "x", "u", "p"], ["dx"])

    def _function(self, name: str, arguments: tuple[str, ...], results: Mapping[str, Any]) -> Any:
        given = [self.symbols[one] for one in arguments]
        return self.casadi.Function(name, given, list(results.values()), list(arguments), list(results))

    def _matrix(self, trees: Any) -> Any:
        array = np.asarray(trees, dtype=object)
        rows, columns = array.shape if array.ndim == 2 else (len(array), 1)
        found = self.casadi.SX(rows, columns)
        flat = [symengine.sympify(one) for one in array.ravel()]
        for one in branches(flat, self.known):
            self.known[one] = self._branch(one)
        for i, one in enumerate(flat):
            if one != 0:
                found[i // columns, i % columns] = self.known[one]
        return found

    def _branch(self, one: Basic) -> Any:
        ca, kind = self.casadi, type(one).__name__
        parts = [self.known[part] for part in one.args]
        if not one.args:
            return self._leaf(one, kind)
        if isinstance(one, symengine.Add):
            return sum(parts[1:], parts[0])
        if isinstance(one, symengine.Mul):
            product = parts[0]
            for part in parts[1:]:
                product = product * part
            return product
        if isinstance(one, symengine.Pow):
            return ca.exp(parts[1]) if one.args[0] == symengine.E else parts[0] ** parts[1]
        if isinstance(one, symengine.Piecewise):
            found = ca.SX(float("nan"))
            for value, condition in reversed(list(zip(parts[::2], parts[1::2], strict=True))):
                found = ca.if_else(condition, value, found)
            return found
        word = {**_RELATIONS, **_JOINS, "Abs": "fabs", "Max": "fmax", "Min": "fmin"}.get(kind, kind)
        if not hasattr(ca, word):
            raise FlexuraError(f"The function {kind} cannot be written in CasADi", advice="write it with others")
        return getattr(ca, word)(*parts)

    def _leaf(self, one: Basic, kind: str) -> Any:
        if kind in ("BooleanTrue", "BooleanFalse"):
            return self.casadi.SX(1.0 if kind == "BooleanTrue" else 0.0)
        if isinstance(one, symengine.Symbol):
            raise FlexuraError(f"The expression holds {one}, which has no number", advice="give values for it")
        return self.casadi.SX(real_value(one))
