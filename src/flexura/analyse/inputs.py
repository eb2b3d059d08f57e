"""Inputs of a simulation as users give them (numbers, functions, arrays on t, text) as the vector u(t) of a system.

>>> loads = read_inputs(equations, system, {"F": "sin(3*t)", "f": lambda x, t: x * t}, values, times)
>>> loads.at(0.5), loads.breaks
"""

from __future__ import annotations

import difflib
import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.energy.lagrangian import Lagrangian
from flexura.equations.equations import Equations
from flexura.errors import FlexuraError
from flexura.integrate.breaks import jumps, kinks, switches
from flexura.symbols.engine import SPINE, TIME, Basic, Symbol, exact, partial
from flexura.symbols.quantities import text_or_expression
from flexura.systems.nonlinear import InputSlot, NonlinearSystem

Array = NDArray[np.float64]
Entry = Callable[[Any], Any]
Function = Callable[[Array | None, Any], Any]


@dataclass(frozen=True, eq=False)
class Loads:
    """u(t), of one time or of many (a row for each), and the times at which it is not smooth."""

    at: Entry
    breaks: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Signal:
    """One input: its value and derivatives as functions of (points, t); of many times they give a row for each."""

    name: str
    functions: tuple[Function, ...]
    breaks: tuple[float, ...] = ()
    constant: bool = False


def read_inputs(
    equations: Equations,
    system: NonlinearSystem,
    inputs: Mapping[str, Any] | None,
    known: Mapping[str, float],
    times: Array,
) -> Loads:
    """The loads; what is not given is zero. `known` are the numbers of parameters, which text may name."""
    reader = _Reader(equations.lagrangian, system, known, times)
    signals = {}
    for name, value in (inputs or {}).items():
        target = reader.target(name)
        if target in signals:
            raise FlexuraError(f"The input {target} is given twice, once as {name!r}; give it once.")
        signals[target] = reader.signal(target, value)
    idle = [name for name in system.inputs if name not in signals]
    notes = (f"No input was given for {', '.join(idle)}: zero.",) if idle else ()
    breaks = sorted({one for signal in signals.values() for one in signal.breaks})
    return Loads(_assembled(system, signals, float(times[0])), tuple(breaks), notes)


def spread_inputs(equations: Equations, inputs: Mapping[str, Any]) -> Equations:
    """The equations in which distributed inputs that are given as functions of x depend on x: "f" becomes f(x, t)."""
    energies = equations.lagrangian
    loads = [f for rows in energies.work_density.values() for f in rows.values()]
    varying = {
        name
        for name, value in inputs.items()
        if name in energies.inputs
        and "x" not in energies.inputs[name]
        and any(Symbol(name) in f.free_symbols for f in loads)
        and _holds_x(name, value)
    }
    if not varying:
        return equations
    parts = {one.name: getattr(energies, one.name) for one in fields(energies)}
    parts["inputs"] = {name: of | {"x", "t"} if name in varying else of for name, of in energies.inputs.items()}
    return replace(equations, lagrangian=Lagrangian.of_parts(**parts))


def _holds_x(name: str, value: Any) -> bool:
    if callable(value) and not hasattr(value, "engine"):
        return _arguments(value) > 1
    if isinstance(value, str):
        return SPINE in text_or_expression(value, what=f"the input {name}", spine=True).engine.free_symbols
    return hasattr(value, "engine") and SPINE in value.engine.free_symbols


def _assembled(system: NonlinearSystem, signals: Mapping[str, _Signal], start: float) -> Entry:
    """u(t), in which constant entries are filled in once."""
    u = system.rest
    moving: list[tuple[InputSlot, Function]] = []
    for slot in system.slots:
        if slot.name not in signals:
            continue
        signal = signals[slot.name]
        if slot.derivative >= len(signal.functions):
            raise FlexuraError(f"The equations need the rate of {slot.name}; give that input as text in t.")
        function = signal.functions[slot.derivative]
        if signal.constant:
            u[slot.where] = function(slot.points, start)
        else:
            moving.append((slot, function))

    def at(t: Any) -> Array:
        now = np.tile(u, (*np.shape(t), 1)) if np.ndim(t) else u.copy()
        for slot, function in moving:
            found = function(slot.points, t)
            now[..., slot.where] = np.reshape(found, (len(t), -1)) if np.ndim(t) else found
        return now

    return at if moving else lambda t: np.broadcast_to(u, (*np.shape(t), len(u)))


@dataclass
class _Reader:
    energies: Lagrangian
    system: NonlinearSystem
    known: Mapping[str, float]
    times: Array

    def target(self, name: str) -> str:
        """The input a name means: its own, or that of the load called so."""
        inputs = self.energies.inputs
        if name in inputs:
            return name
        meant = [one for one in inputs if self._drives(one, name)] if name in self.energies.loads else []
        if len(meant) == 1:
            return meant[0]
        raise FlexuraError(unknown(f"There is no input {name!r}", name, inputs))

    def _drives(self, name: str, load: str) -> bool:
        """Whether an input drives the load of a name."""
        symbol = Symbol(name)
        for spine, targets in self.energies.loads[load].items():
            rows = self.energies.work_density.get(spine, {}) if spine else self.energies.work
            for target, unit in targets.items():
                slope = partial(rows.get(target, symengine.Integer(0)), symbol)
                if slope != 0 and (slope - unit).expand() == 0:
                    return True
        return False

    def signal(self, name: str, value: Any) -> _Signal:
        """Read one input."""
        spread = self._points(name) is not None
        if isinstance(value, bool):
            raise FlexuraError(
                f"The input {name} is {value}, a truth value; give a number, a function, an array or text."
            )
        if callable(value) and not hasattr(value, "engine"):
            return self._of_function(name, value, spread)
        if isinstance(value, str) or hasattr(value, "engine"):
            return self._of_text(name, value, spread)
        return self._of_table(name, value)

    def _of_function(self, name: str, value: Callable[..., Any], spread: bool) -> _Signal:
        arguments = _arguments(value)
        only_x = "t" not in self.energies.inputs[name] and "x" in self.energies.inputs[name]

        def function(points: Array | None, t: Any) -> Any:
            if np.ndim(t):
                return np.array([function(points, float(one)) for one in t])
            if points is None or not spread or (arguments == 1 and not only_x):
                found = value(t)
            else:
                found = value(points) if arguments == 1 else value(points, t)
            return _finite(name, _numbers(name, found, t, points), t)

        points = self._points(name)
        where = jumps(lambda t: function(points, t), float(self.times[0]), float(self.times[-1]))
        return _Signal(name, (function,), tuple(where))

    def _points(self, name: str) -> Array | None:
        """Where the system asks for a distributed input."""
        slots = (slot.points for slot in self.system.slots if slot.name == name)
        return next((points for points in slots if points is not None), None)

    def _of_text(self, name: str, value: Any, spread: bool) -> _Signal:
        tree = text_or_expression(value, what=f"the input {name}", spine=spread).engine
        tree = tree.xreplace({Symbol(one): exact(number) for one, number in self.known.items()})
        left = sorted(one.name for one in tree.free_symbols - {TIME, SPINE})
        if left:
            raise FlexuraError(
                f"The input {name} holds {', '.join(left)}, which has no value; give values for it, or write a number."
            )
        trees = [tree]
        for _ in range(2):
            trees.append(partial(trees[-1], TIME))
        constant = TIME not in tree.free_symbols
        functions = tuple(_compiled(name, one) for one in trees)
        return _Signal(name, functions, tuple(switches([tree], self.times[0], self.times[-1])), constant)

    def _of_table(self, name: str, value: Any) -> _Signal:
        if np.iscomplexobj(value):
            raise FlexuraError(f"The input {name} holds complex numbers; give real ones.")
        try:
            table = _real(value)
        except (TypeError, ValueError):
            raise FlexuraError(
                f"The input {name} is {value!r}; give a number, a function, an array on t, or text in t."
            ) from None
        if not np.all(np.isfinite(table)):
            bad = np.flatnonzero(~np.isfinite(table).ravel())[0]
            at = f" at t = {self.times[bad]:g}" if table.shape == self.times.shape else ""
            raise FlexuraError(f"The input {name} is not finite{at}; give finite numbers.")
        if table.ndim == 0:
            levels = (float(table), 0.0, 0.0)  # its value and two rates
            return _Signal(name, tuple(map(_level, levels)), (), constant=True)
        if table.shape != self.times.shape:
            raise FlexuraError(
                f"The input {name} has the shape {table.shape}, but t has {len(self.times)} points; give one number for"
                " each of them."
            )
        times = self.times

        def straight(points: Any, t: Any) -> Any:
            return np.interp(t, times, table)

        return _Signal(name, (straight,), tuple(kinks(times, table)))


def _level(value: float) -> Function:
    """A signal that does not change."""
    return lambda points, t: value


def unknown(sentence: str, name: str, known: Iterable[str]) -> str:
    """The end of a sentence about a name that is not known: the nearest one, or all."""
    names = list(known)
    near = difflib.get_close_matches(name, names, 1)
    if near:
        return f"{sentence}; did you mean {near[0]!r}?"
    return f"{sentence}; there {'are ' + ', '.join(names) if names else 'is none'}."


def _arguments(function: Callable[..., Any]) -> int:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 1
    required = [
        one
        for one in parameters
        if one.default is one.empty and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    return len(required) or 1


def _real(value: Any) -> Array:
    """Numbers as an array; complex ones and None are refused, not cut to what is real of them."""
    if value is None or np.iscomplexobj(value):
        raise TypeError
    return np.asarray(value, dtype=np.float64)


def _numbers(name: str, found: Any, t: float, points: Array | None) -> Any:
    """What a function gave, if it is one number, or one for each place."""
    if isinstance(found, float):
        return found
    try:
        read = _real(found)
    except (TypeError, ValueError):
        raise FlexuraError(f"The input {name} is {found!r} at t = {t:.6g}; let the function give a number.") from None
    places = 1 if points is None else len(points)
    if read.size not in (1, places):
        wanted = "one number" if places == 1 else f"one number, or {places}, one for each x"
        raise FlexuraError(
            f"The input {name} gives {read.size} numbers at t = {t:.6g}; let the function give {wanted}."
        )
    return read.ravel() if read.size > 1 else float(read.ravel()[0])


def _finite(name: str, found: Any, t: Any) -> Any:
    if isinstance(found, float | int):
        good = math.isfinite(found)
    else:
        found = np.asarray(found, dtype=np.float64)
        good = bool(np.all(np.isfinite(found)))
    if not good:
        if np.ndim(t):
            t = t[~np.isfinite(found.reshape(len(t), -1)).all(axis=1)][0]
        raise FlexuraError(f"The input {name} is not finite at t = {t:.6g}; give finite numbers.")
    return found


def _compiled(name: str, tree: Basic) -> Function:
    """Compiled when it is first asked; the engine's first compiler, because one tree does not pay for the other."""
    if TIME not in tree.free_symbols and SPINE not in tree.free_symbols:
        return _level(float(tree))
    made: list[Any] = []
    spread = SPINE in tree.free_symbols
    single, out = np.zeros(2), np.zeros(1)

    def function(points: Array | None, t: Any) -> Any:
        if not made:
            made.append(symengine.Lambdify([SPINE, TIME], [tree], backend="lambda"))
        if not spread and isinstance(t, float):
            single[1] = t
            made[0].unsafe_real(single, out)
            return _finite(name, float(out[0]), t)
        if spread and points is None:
            raise FlexuraError(f"The input {name} is one number at each time; write it without x.")
        places = np.zeros(1) if points is None or not spread else points
        x, moments = np.broadcast_arrays(places, np.asarray(t, dtype=np.float64)[..., None])
        found = np.asarray(made[0](np.stack([x, moments], axis=-1).reshape(-1, 2))).reshape(x.shape)
        return _finite(name, found if spread else found[..., 0], t)

    return function
