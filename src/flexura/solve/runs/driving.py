"""Prescribed motions that inputs give: text is put into the equations, numbers and functions drive them from outside.

>>> equations, left = with_given_motions(equations, {"zr": record}, times)

`inputs={"zr": ...}` gives the displacement, `"zr_tt"` the acceleration (an earthquake's record) and `"zr_t"` the rate.
Motions that jump are refused.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import ROUTES, derive
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.runs.bare import Bare
from flexura.solve.runs.question import Question
from flexura.symbolic.engine import TIME, Basic, Symbol, exact, partial
from flexura.symbolic.machine import machine_function
from flexura.symbolic.quantities import text_or_expression
from flexura.systems.nonlinear import NonlinearSystem
from flexura.systems.signals.breaks import picked
from flexura.systems.signals.curves import Record, Shown, SmoothFunction
from flexura.systems.signals.features import Features
from flexura.systems.signals.intervals import values
from flexura.systems.signals.signal import is_formula
from flexura.systems.signals.tables import record_of

Array = NDArray[np.float64]


def with_given_motions(
    equations: Equations, inputs: Mapping[str, Any] | None, times: Array
) -> tuple[Equations, Mapping[str, Any] | None]:
    """The equations with motions that inputs give put in, or driven by them, and the inputs that are left."""
    energies, given = equations.lagrangian, dict(inputs or {})
    held = {symbol.name for f in energies.prescribed.values() for symbol in f.free_symbols} & set(energies.inputs)
    known = {name: _given(name, energies, given) for name in sorted(held)}
    if not known:
        return equations, inputs
    trees, curves = dict[Basic, Basic](), dict[str, Any]()
    forced = {symbol.name for f in (*energies.work.values(), energies.potential) for symbol in f.free_symbols}
    for name, (value, order) in known.items():
        if order == 0 and (value is None or is_formula(value) or isinstance(value, int | float)):
            notes = (f"No input was given for {name}: zero.",) if value is None else ()
            tree = text_or_expression(value or 0, what=f"the input {name}").engine
            trees[Symbol(name)], given[name] = tree, value or 0
            curves[name] = FormulaInTime(tree, notes)
        else:
            curves[name] = curve_of(value, f"The input {name}", times, order)
            given[name] = Shown(curves[name])

    def put(f: Basic) -> Basic:
        return f.xreplace(trees)

    moved = energies.changed(
        prescribed={name: put(f) for name, f in energies.prescribed.items()},
        inputs={name: of for name, of in energies.inputs.items() if name not in trees or name in forced},
        driving=curves,
    )
    left = {name: one for name, one in given.items() if name not in known or name in forced}
    return derive(moved, equations.method if equations.method in ROUTES else "surrogate"), left


def _given(name: str, energies: Lagrangian, given: dict[str, Any]) -> tuple[Any, int]:
    """What gives an input that moves something, and which of its rates that is; taken out of what is given."""
    same = [one for one, f in energies.prescribed.items() if f == Symbol(name) and one != name]
    names = {name: 0, f"{name}_t": 1, f"{name}_tt": 2}
    names |= {f"{one}{rate}": k for one in same for k, rate in enumerate(("", "_t", "_tt"))}
    found = [(one, k) for one, k in names.items() if one in given]
    if len(found) > 1:
        raise FlexuraError(
            f"The motion {name} is given by {' and by '.join(one for one, _ in found)}", advice="give it once"
        )
    return (given.pop(found[0][0]), found[0][1]) if found else (None, 0)


def curve_of(value: Any, what: str, times: Array, order: int) -> Record | SmoothFunction | FormulaInTime:
    """A displacement with its rates, or what is known by a rate of it, from rest at zero."""
    start, end = float(times[0]), float(times[-1])
    if is_formula(value):
        tree = text_or_expression(value, what=what).engine
        value = machine_function([TIME], [tree], backend="lambda")
    if callable(value):
        if order == 0:
            return SmoothFunction.of(value, what, start, end)
        return SmoothFunction.of(value, what, start, end).integrated(order)
    t, numbers = record_of(value, what, times)
    if numbers.ndim == 0:
        numbers = np.full(t.shape, float(numbers))
    if numbers.shape != t.shape:
        raise FlexuraError(
            f"{what} has the shape {numbers.shape}, but t has {len(t)} points", advice="give one number for each"
        )
    if t[0] > start + 1e-9 * (end - start) or t[-1] < end - 1e-9 * (end - start):
        raise FlexuraError(
            f"{what} is a record from t = {t[0]:g} to {t[-1]:g}, and the run goes from {start:g} to {end:g}",
            advice="ask for times within the record, or lengthen it, for instance by zeros",
        )
    return Record.of_rates(t, numbers, what, order) if order else Record.of_values(t, numbers, what)


class FormulaInTime:
    """A formula with its rates: (3, ...)."""

    def __init__(self, tree: Basic, notes: tuple[str, ...] = ()) -> None:
        self.tree, self.notes, rate = tree, notes, partial(tree, TIME)
        self._made = machine_function([TIME], [tree, rate, partial(rate, TIME)], backend="lambda")

    def __reduce__(self) -> tuple[Any, ...]:
        return FormulaInTime, (self.tree, self.notes)

    def __call__(self, t: Any) -> Array:
        """Displacement, rate and acceleration."""
        times = np.asarray(t, dtype=np.float64)
        return np.asarray(self._made(times.reshape(-1, 1))).reshape(-1, 3).T.reshape(3, *times.shape)

    def features(self, start: float, end: float) -> Features:
        """None: the equations hold it as it is."""
        return Features(notes=self.notes)


def seen_in(
    driving: Mapping[str, Record | SmoothFunction | FormulaInTime] | None, start: float, end: float
) -> Features:
    """What steps in time must know of the curves that drive motions."""
    found = Features()
    for curve in (driving or {}).values():
        found = found + curve.features(start, end)
    return found


def finite_motion(system: NonlinearSystem, times: Array) -> None:
    """Refuse given motions that are no numbers, or jump: what would drive them is without bound."""
    if not system.prescribed:
        return
    with np.errstate(all="ignore"):
        good = np.isfinite(system.motions(times)).all(axis=0)
    for i, which in np.argwhere(~good)[:1]:
        raise FlexuraError(
            f"The motion of {system.prescribed[which]}, or a rate of it, is not finite at t = {times[i]:.6g}",
            advice="give a motion that is smooth",
        )


def steady_ends(question: Question, breaks: Sequence[float]) -> None:
    """Refuse end values, given as functions of time, whose speed jumps: no coordinate carries the blow."""
    energies = question.equations.lagrangian
    if isinstance(energies, Bare):
        return
    known = {Symbol(name): exact(value) for name, value in question.known.items()}
    for label, f in energies.boundary.items():
        tree = f.xreplace(known)
        for t in breaks if tree.free_symbols == {TIME} else ():
            for one in (tree, partial(tree, TIME)):
                old, new = (float(values(picked(one, {TIME: t + s}), {TIME: t})) for s in (-1e-9, 1e-9))
                if abs(new - old) > 1e-6 * max(abs(new), abs(old)):
                    raise FlexuraError(
                        f"The end value {label} is {f}, which jumps or changes its speed suddenly at t = {t:.6g}",
                        advice="give that motion to a body on a joint: fx.Slide(..., motion=...)",
                    )
