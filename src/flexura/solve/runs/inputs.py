"""Inputs of a simulation as users give them (numbers, functions, arrays on t, text) as the vector u(t) of a system.

>>> loads = read_inputs(equations, system, {"F": "sin(3*t)", "f": lambda x, t: x * t}, values, times)
>>> loads.at(0.5), loads.breaks
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.runs.distributed import arguments_of
from flexura.solve.runs.spread import Along, function_along, moving_breaks, text_along
from flexura.symbolic.engine import SPINE, TIME, Basic, Symbol, exact, partial
from flexura.symbolic.quantities import text_or_expression
from flexura.systems.nonlinear import InputSlot, NonlinearSystem
from flexura.systems.signals.breaks import crossings, switches
from flexura.systems.signals.resolution import resolved
from flexura.systems.signals.scales import Seen, look, many
from flexura.systems.signals.tables import kinks

Array = NDArray[np.float64]
Entry = Callable[[Any], Any]
Function = Callable[[InputSlot, Any], Any]
_SAMPLES_ALONG = 4**5  # times at which functions of x and t are looked at


@dataclass(frozen=True, eq=False)
class Loads:
    """u(t), of one time or of many (a row for each), and the times at which it is not smooth.

    `edges` bound pieces of time on which an input is nearly straight.
    """

    at: Entry
    breaks: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()
    edges: tuple[Array, ...] = ()


@dataclass(frozen=True)
class _Signal:
    """One input: its value and derivatives as functions of (slot, t); of many times they give a row for each."""

    name: str
    functions: tuple[Function, ...]
    breaks: tuple[float, ...] = ()
    constant: bool = False
    notes: tuple[str, ...] = ()
    edges: tuple[Array, ...] = ()


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
            raise FlexuraError(f"The input {target} is given twice, once as {name!r}", advice="give it once")
        signals[target] = reader.signal(target, value)
    idle = [name for name in system.inputs if name not in signals]
    notes = [f"No input was given for {', '.join(idle)}: zero."] if idle else []
    breaks = sorted({one for signal in signals.values() for one in signal.breaks})
    notes += [note for signal in signals.values() for note in signal.notes]
    edges = tuple(one for signal in signals.values() for one in signal.edges)
    return Loads(_assembled(system, signals, float(times[0])), tuple(breaks), tuple(notes), edges)


def _assembled(system: NonlinearSystem, signals: Mapping[str, _Signal], start: float) -> Entry:
    """u(t), in which constant entries are filled in once."""
    u = system.rest
    moving: list[tuple[InputSlot, Function]] = []
    for slot in system.slots:
        if slot.name not in signals:
            continue
        signal = signals[slot.name]
        if slot.derivative >= len(signal.functions):
            raise FlexuraError(f"The equations need the rate of {slot.name}", advice="give that input as text in t")
        function = signal.functions[slot.derivative]
        if signal.constant:
            u[slot.where] = function(slot, start)
        else:
            moving.append((slot, function))

    def at(t: Any) -> Array:
        now = np.tile(u, (*np.shape(t), 1)) if np.ndim(t) else u.copy()
        for slot, function in moving:
            found = function(slot, t)
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
        raise unknown(f"There is no input {name!r}", name, inputs)

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
        spread = any(slot.points is not None for slot in self._slots(name))
        if isinstance(value, bool):
            raise FlexuraError(
                f"The input {name} is {value}, a truth value", advice="give a number, a function, an array or text"
            )
        if callable(value) and not hasattr(value, "engine"):
            return self._of_function(name, value, spread)
        if isinstance(value, str) or hasattr(value, "engine"):
            return self._of_text(name, value, spread)
        return self._of_table(name, value)

    def _of_function(self, name: str, value: Callable[..., Any], spread: bool) -> _Signal:
        arguments = arguments_of(value)
        only_x = "t" not in self.energies.inputs[name] and "x" in self.energies.inputs[name]
        start, end = float(self.times[0]), float(self.times[-1])
        made: dict[InputSlot, Along] = {}
        errors = [0.0]

        def called(x: Array, t: float) -> Array:
            found = value(x) if arguments == 1 else value(x, t)
            return np.broadcast_to(_finite(name, _numbers(name, found, t, x), t), x.shape)

        def at_points(slot: InputSlot, t: Any) -> Any:
            if slot not in made:
                made[slot], error = function_along(called, slot, start, end)
                errors.append(error)
            return made[slot](t)

        def in_time(slot: InputSlot, t: Any) -> Any:
            if np.ndim(t):
                return np.array([in_time(slot, float(one)) for one in t])
            return _finite(name, _numbers(name, value(t), t, slot.points), t)

        function = at_points if spread and (arguments > 1 or only_x) else in_time
        slots = [slot for slot in self._slots(name) if slot.points is not None] or [_NUMBER]
        if function is at_points and arguments == 1:  # of x alone
            function(slots[0], start)
            return _Signal(name, (function,), constant=True, notes=_known_to(name, max(errors)))
        seen = [self._looked_at(value, function, slot) for slot in slots]
        notes = (*_known_to(name, max(errors)), _unseen(name, max(one.finest for one in seen)))
        breaks = {one for some in seen for one in some.jumps}
        return _Signal(name, (function,), tuple(sorted(breaks)), notes=notes, edges=tuple(one.edges for one in seen))

    def _looked_at(self, value: Callable[..., Any], function: Function, slot: InputSlot) -> Seen:
        """A function that is called with one time, or that gives values along a member, looked at closely."""
        start, end = float(self.times[0]), float(self.times[-1])
        if slot.points is None:
            return look(many(value, lambda t: function(slot, t)), start, end)
        return look(lambda times: np.reshape(function(slot, times), (len(times), -1)), start, end, _SAMPLES_ALONG)

    def _slots(self, name: str) -> list[InputSlot]:
        """Where the system asks for an input."""
        return [slot for slot in self.system.slots if slot.name == name]

    def _of_text(self, name: str, value: Any, spread: bool) -> _Signal:
        tree = text_or_expression(value, what=f"the input {name}", spine=spread).engine
        tree = tree.xreplace({Symbol(one): exact(number) for one, number in self.known.items()})
        left = sorted(one.name for one in tree.free_symbols - {TIME, SPINE})
        if left:
            raise FlexuraError(
                f"The input {name} holds {', '.join(left)}, which has no value",
                advice="give values for it, or write a number",
                missing=tuple(left),
            )
        trees = [tree]
        for _ in range(2):
            trees.append(partial(trees[-1], TIME))
        start, end = float(self.times[0]), float(self.times[-1])
        breaks = {*switches([tree], start, end)}
        for slot in self._slots(name) if SPINE in tree.free_symbols else ():
            breaks.update(moving_breaks(tree, slot, start, end))
        functions = tuple(_compiled(name, one, start, end) for one in trees)
        edges = self._edges(name, trees, tuple(sorted(breaks)))
        return _Signal(name, functions, tuple(sorted(breaks)), TIME not in tree.free_symbols, edges=edges)

    def _edges(self, name: str, trees: list[Basic], breaks: tuple[float, ...]) -> tuple[Array, ...]:
        """Nearly straight pieces of text, and of the rates of it that the system asks for.

        What jumps along x at places that move has none: it is smooth in time between its breaks.
        """
        start, end = float(self.times[0]), float(self.times[-1])
        found = []
        for slot in self._slots(name):
            tree = trees[slot.derivative]
            along = {} if slot.nodes is None else {SPINE: (float(slot.nodes[0]), float(slot.nodes[-1]))}
            if TIME in tree.free_symbols and not any(g.free_symbols > {TIME} for g in crossings([tree])):
                found.append(resolved(tree, TIME, start, end, breaks, along)[0])
        return tuple(found)

    def _of_table(self, name: str, value: Any) -> _Signal:
        if np.iscomplexobj(value):
            raise FlexuraError(f"The input {name} holds complex numbers", advice="give real ones")
        try:
            table = _real(value)
        except (TypeError, ValueError):
            raise FlexuraError(
                f"The input {name} is {value!r}", advice="give a number, a function, an array on t, or text in t"
            ) from None
        if not np.all(np.isfinite(table)):
            bad = np.flatnonzero(~np.isfinite(table).ravel())[0]
            at = f" at t = {self.times[bad]:g}" if table.shape == self.times.shape else ""
            raise FlexuraError(f"The input {name} is not finite{at}", advice="give finite numbers")
        if table.ndim == 0:
            levels = (float(table), 0.0, 0.0)  # its value and two rates
            return _Signal(name, tuple(map(_level, levels)), (), constant=True)
        if table.shape != self.times.shape:
            raise FlexuraError(
                f"The input {name} has the shape {table.shape}, but t has {len(self.times)} points",
                advice="give one number for each of them",
            )
        times = self.times

        def straight(slot: InputSlot, t: Any) -> Any:
            return np.interp(t, times, table)

        return _Signal(name, (straight,), tuple(kinks(times, table)))


def _level(value: float) -> Function:
    """A signal that does not change."""
    return lambda slot, t: value


_NUMBER = InputSlot("", 0)  # one that takes a number


def _unseen(name: str, finest: float) -> str:
    """What every function leaves in doubt."""
    return (
        f"The input {name} is a function, which was looked at every {finest:.2g} s: what is shorter may go unseen; name"
        " its times in breaks=, or give longest_step=."
    )


def _known_to(name: str, error: float) -> tuple[str, ...]:
    """A note on integrals along x that are not known to the last digits."""
    if error <= 1e-9:
        return ()
    return (f"The integrals of {name} along x, a function that was sampled, are known to {error:.1g} of the largest.",)


def unknown(problem: str, name: str, known: Iterable[str]) -> FlexuraError:
    """What is wrong about a name that is not known, with the nearest one, or all."""
    names = list(known)
    near = difflib.get_close_matches(name, names, 1)
    if near:
        return FlexuraError(problem, advice=f"did you mean {near[0]!r}?")
    return FlexuraError(problem, advice=f"there {'are ' + ', '.join(names) if names else 'is none'}")


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
        raise FlexuraError(
            f"The input {name} is {found!r} at t = {t:.6g}", advice="let the function give a number"
        ) from None
    places = 1 if points is None else len(points)
    if read.size not in (1, places):
        wanted = "one number" if places == 1 else f"one number, or {places}, one for each x"
        raise FlexuraError(
            f"The input {name} gives {read.size} numbers at t = {t:.6g}", advice=f"let the function give {wanted}"
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
        raise FlexuraError(f"The input {name} is not finite at t = {t:.6g}", advice="give finite numbers")
    return found


def _compiled(name: str, tree: Basic, start: float, end: float) -> Function:
    """Compiled when it is first asked."""
    if TIME not in tree.free_symbols and SPINE not in tree.free_symbols:
        return _level(float(tree))
    if SPINE in tree.free_symbols:
        return _compiled_along(name, tree, start, end)
    made: list[Any] = []
    single, out = np.zeros(1), np.zeros(1)

    def function(slot: InputSlot, t: Any) -> Any:
        if not made:  # the engine's first compiler, because one tree does not pay for the other
            made.append(symengine.Lambdify([TIME], [tree], backend="lambda"))
        if isinstance(t, float):
            single[0] = t
            made[0].unsafe_real(single, out)
            return _finite(name, float(out[0]), t)
        times = np.asarray(t, dtype=np.float64)
        return _finite(name, np.asarray(made[0](times.reshape(-1, 1))).reshape(times.shape), t)

    return function


def _compiled_along(name: str, tree: Basic, start: float, end: float) -> Function:
    made: dict[InputSlot, Along] = {}

    def function(slot: InputSlot, t: Any) -> Any:
        if slot.points is None:
            raise FlexuraError(f"The input {name} is one number at each time", advice="write it without x")
        if slot not in made:
            made[slot] = text_along(tree, slot, start, end)
        return _finite(name, made[slot](t), t)

    return function
