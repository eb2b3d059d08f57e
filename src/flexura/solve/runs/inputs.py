"""Inputs of a simulation as users give them (numbers, functions, arrays on t, text) as the vector u(t) of a system.

>>> loads = read_inputs(equations, system, {"F": "sin(3*t)", "f": lambda x, t: x * t}, values, times)
>>> loads.at(0.5), loads.breaks
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.runs.bare import Bare
from flexura.solve.runs.distributed import arguments_of, check_order
from flexura.solve.runs.feedback import Seeing, seeing_input
from flexura.solve.runs.spread import Along, function_along, moving_breaks, text_along
from flexura.solve.values import no_input
from flexura.symbolic.engine import SPINE, TIME, Basic, Symbol, exact, partial
from flexura.symbolic.machine import machine_function
from flexura.systems.nonlinear import InputSlot, NonlinearSystem
from flexura.systems.signals.breaks import crossings, switches, zeros
from flexura.systems.signals.features import Features, together, unseen
from flexura.systems.signals.functions import values_along
from flexura.systems.signals.memory import refuse_memory
from flexura.systems.signals.resolution import resolved
from flexura.systems.signals.scales import look
from flexura.systems.signals.signal import SMOOTH, Signal, finite, formula_of, given_numbers, is_formula, read_signal
from flexura.systems.signals.travelling import COUPLE, travelling, unit_couple, unit_load

Array = NDArray[np.float64]
Entry = Callable[[Any], Any]
_SHOWN = 12  # names in a sentence
_SAMPLES_ALONG = 4**5  # times at which functions of x and t are looked at


@dataclass(frozen=True, eq=False)
class InputVector:
    """u(t), of one time or of many (a row for each), and the times at which it is not smooth.

    `edges` bound pieces of time on which an input is nearly straight.
    """

    at: Entry
    breaks: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()
    edges: tuple[Array, ...] = ()
    seeing: tuple[tuple[InputSlot, Seeing], ...] = ()


def read_inputs(
    equations: Equations,
    system: NonlinearSystem,
    inputs: Mapping[str, Any] | None,
    known: Mapping[str, float],
    times: Array,
    held: Mapping[str, str] | None = None,
) -> InputVector:
    """The loads; what is not given is zero. `known` are the numbers of parameters, which text may name.

    `held` are inputs that something else gives, with the words for it.
    """
    travels = dict.fromkeys(getattr(equations.lagrangian, "travelling", ()), "a load that travels")
    held = {**(held or {}), **travels}
    named = None if isinstance(equations, Bare) else known  # what came without equations has no parameters
    reader = _InputReader(equations.lagrangian, system, named, times)
    signals: dict[str, dict[InputSlot, Signal]] = {}
    seeing: list[tuple[InputSlot, Seeing]] = []
    for name, value in (inputs or {}).items():
        target = reader.target(name)
        if target in held:
            raise FlexuraError(f"The input {target} is given by {held[target]} and as {name!r}", advice="give it once")
        if target in signals:
            raise FlexuraError(f"The input {target} is given twice, once as {name!r}", advice="give it once")
        seen = reader.seeing(target, value)
        if seen:
            seeing.extend(seen)
        signals[target] = {} if seen else reader.signals(target, value)
    for name, place in getattr(equations.lagrangian, "travelling", {}).items():
        signals[name] = reader.travelling(name, place)
    by_slot = {slot: signal for some in signals.values() for slot, signal in some.items()}
    found = together(dict.fromkeys(signal.seen for signal in by_slot.values()))
    asked = dict.fromkeys(slot.name for slot in system.slots)
    notes = (*not_given(name for name in asked if name not in (*signals, *held)), *dict.fromkeys(found.notes))
    at = _assembled(system, by_slot)
    return InputVector(at, tuple(sorted(set(found.breaks))), notes, found.edges, tuple(seeing))


def _assembled(system: NonlinearSystem, signals: Mapping[InputSlot, Signal]) -> Entry:
    """u(t), in which constant entries are filled in once."""
    u = system.rest
    moving: list[tuple[slice, Entry]] = []
    for slot in system.slots:
        if slot not in signals:
            continue
        if signals[slot].constant:
            u[slot.where] = signals[slot].at(0.0)
        else:
            moving.append((slot.where, signals[slot].at))

    def at(t: Any) -> Array:
        now = np.tile(u, (*np.shape(t), 1)) if np.ndim(t) else u.copy()
        for where, function in moving:
            now[..., where] = function(t)
        return now

    return at if moving else lambda t: np.broadcast_to(u, (*np.shape(t), len(u)))


@dataclass
class _InputReader:
    energies: Lagrangian
    system: NonlinearSystem
    known: Mapping[str, float] | None
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

    def travelling(self, name: str, place: Basic) -> dict[InputSlot, Signal]:
        """A unit load that travels along a member, on the places of its slots; none where its place is a coordinate."""
        if str(place) in self.system.names:
            return {}
        start, end = float(self.times[0]), float(self.times[-1])
        tree = place.xreplace({Symbol(one): exact(value) for one, value in (self.known or {}).items()})
        stray = sorted(one.name for one in tree.free_symbols - {TIME})
        if stray:
            raise FlexuraError(
                f"The place of a load that travels holds {', '.join(stray)}, which has no value",
                advice=f"give values={{{stray[0]!r}: ...}}",
                missing=tuple(stray),
            )
        made = machine_function([TIME], [tree], backend="lambda")
        found: dict[InputSlot, Signal] = {}
        for slot in self.system.slots:
            if slot.name == name and slot.points is not None and slot.nodes is not None:
                met = [zeros(tree - float(node), TIME, start, end) for node in slot.nodes]
                breaks = tuple(sorted({t for some in met for t in some if start < t < end}))
                unit = unit_couple if name.startswith(COUPLE) else unit_load
                at = travelling(lambda t: made(t.reshape(-1, 1)).reshape(t.shape), slot.nodes, slot.points, unit)
                found[slot] = Signal(f"The load {name}", at, slot.size, SMOOTH, Features((), breaks))
        return found

    def seeing(self, name: str, value: Any) -> list[tuple[InputSlot, Seeing]]:
        """A function that sees the motion, (t, run) or (x, t, run); nothing where it is another thing."""
        if not callable(value) or isinstance(value, Signal) or hasattr(value, "engine"):
            return []
        slots = [slot for slot in self.system.slots if slot.name == name]
        along, arguments = any(slot.points is not None for slot in slots), arguments_of(value)
        if arguments < (3 if along else 2):
            return []
        if along:
            check_order(name, value)
        if not along and name in getattr(self.energies, "per_length", ()):
            raise FlexuraError(
                f"The input {name} is a force per length, but nothing that moves here tells how it varies along x",
                advice="give a function of t alone, or write it as a formula of x where the load is given",
            )
        return [(slot, seeing_input(name, value, slot, arguments)) for slot in slots]

    def signals(self, name: str, value: Any) -> dict[InputSlot, Signal]:
        """One input at every place where the system asks for it; looked at even where it asks nowhere."""
        slots = [slot for slot in self.system.slots if slot.name == name] or [InputSlot(name, 0)]
        spread = any(slot.points is not None for slot in slots)
        if spread and is_formula(value):
            tree = formula_of(value, f"the input {name}", self.known, spine=True)
            if SPINE in tree.free_symbols:
                return {slot: self._formula_along(name, tree, slot) for slot in slots}
        elif spread and callable(value) and not isinstance(value, Signal):
            arguments = arguments_of(value)
            only_x = "t" not in self.energies.inputs[name] and "x" in self.energies.inputs[name]
            if arguments > 1 or only_x:
                return {slot: self._function_along(name, value, slot, arguments) for slot in slots}
        read: dict[tuple[int, int], Signal] = {}  # what stands at several places is read once
        for slot in slots:
            if (slot.size, slot.derivative) not in read:
                read[slot.size, slot.derivative] = read_signal(
                    value, f"the input {name}", self.times, slot.size, self.known, slot.derivative
                )
        return {slot: read[slot.size, slot.derivative] for slot in slots}

    def _function_along(self, name: str, value: Callable[..., Any], slot: InputSlot, arguments: int) -> Signal:
        """A function of x and t, or of x alone, on the places of a slot."""
        what, (start, end) = f"The input {name}", (float(self.times[0]), float(self.times[-1]))
        if slot.points is None:
            raise _without_x(name)
        check_order(name, value)

        def called(x: Array, t: float) -> Array:
            found = values_along(value, x, *(() if arguments == 1 else (t,)))
            return np.broadcast_to(finite(what, given_numbers(what, found, t, len(x), "x"), t), x.shape)

        if slot.derivative:
            raise FlexuraError(f"The equations need the rate of {name}", advice="give that input as text in t")
        along, error = function_along(called, slot, start, end)
        if arguments == 1:
            level = np.asarray(along(start))
            return Signal(what, lambda t: level, slot.size, 0, Features(notes=_known_to(name, error)), constant=True)
        refuse_memory(what, along, start, end)
        seen = look(lambda t: np.reshape(along(t), (len(t), -1)), start, end, _SAMPLES_ALONG)
        notes = (*_known_to(name, error), unseen(what, seen.finest))
        return Signal(what, along, slot.size, SMOOTH, Features((seen.edges,), seen.jumps, notes))

    def _formula_along(self, name: str, tree: Basic, slot: InputSlot) -> Signal:
        """A formula in x, and t, on the places of a slot, or a rate of it."""
        what, (start, end) = f"The input {name}", (float(self.times[0]), float(self.times[-1]))
        if slot.points is None:
            raise _without_x(name)
        breaks = tuple(sorted({*switches([tree], start, end), *moving_breaks(tree, slot, start, end)}))
        for _ in range(slot.derivative):
            tree = partial(tree, TIME)
        edges: tuple[Array, ...] = ()
        # what jumps along x at places that move has no straight pieces: it is smooth in time between its breaks
        if TIME in tree.free_symbols and not any(g.free_symbols > {TIME} for g in crossings([tree])):
            held = {} if slot.nodes is None else {SPINE: (float(slot.nodes[0]), float(slot.nodes[-1]))}
            edges = (resolved(tree, TIME, start, end, breaks, held)[0],)
        made: list[Along] = []

        def at(t: Any) -> Any:
            if not made:
                made.append(text_along(tree, slot, start, end))
            return finite(what, made[0](t), t)

        constant = TIME not in tree.free_symbols
        return Signal(what, at, slot.size, SMOOTH, Features(edges, breaks), constant)


def _without_x(name: str) -> FlexuraError:
    return FlexuraError(f"The input {name} is one number at each time", advice="write it without x")


def _known_to(name: str, error: float) -> tuple[str, ...]:
    """A note on integrals along x that are not known to the last digits."""
    if error <= 1e-9:
        return ()
    return (f"The integrals of {name} along x, a function that was sampled, are known to {error:.1g} of the largest.",)


def not_given(idle: Iterable[str]) -> tuple[str, ...]:
    """A note on inputs that were left out."""
    names = tuple(idle)
    return (f"No input was given for {', '.join(names)}: zero.",) if names else ()


def check_input_names(equations: Equations, inputs: Mapping[str, Any] | None) -> None:
    """Refuse inputs that the model reads as parameters, before values for those are missed."""
    energies = equations.lagrangian
    for name in inputs or {}:
        if name not in energies.inputs and name not in energies.loads and (error := no_input(energies, name, "input")):
            raise error


def unknown(problem: str, name: str, known: Iterable[str]) -> FlexuraError:
    """What is wrong about a name that is not known, with the nearest one, or all."""
    names = list(known)
    lower = {one.lower(): one for one in reversed(names)}
    near = difflib.get_close_matches(str(name).lower(), lower, 1)
    if near:
        return FlexuraError(problem, advice=f"did you mean {lower[near[0]]!r}?")
    shown = ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")
    return FlexuraError(problem, advice=f"there {'are ' + shown if names else 'is none'}")
