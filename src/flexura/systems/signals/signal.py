"""What users give as a function of time: a number, text or an expression in t, a function, or an array on t.

    >>> signal = read_signal("sin(3*t)", "the input F", t)
    >>> signal.at(0.5), signal.at(times), signal.breaks

One reader and one set of sentences for equations, matrices, frames and mechanisms: whatever drives a motion is read
here, and comes with what steps in time must know of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.symbolic.dimensions import in_si
from flexura.symbolic.engine import SPINE, TIME, Basic, Symbol, exact, partial
from flexura.symbolic.machine import machine_function
from flexura.symbolic.quantities import text_or_expression
from flexura.systems.signals.breaks import crossings, switches
from flexura.systems.signals.features import Features, resolved_in_time, unseen
from flexura.systems.signals.memory import refuse_memory
from flexura.systems.signals.scales import SAMPLES, look, many
from flexura.systems.signals.tables import is_record, kinks, record_of

Array = NDArray[np.float64]
At = Callable[[Any], Any]
SMOOTH = 5  # the degree of what is no polynomial: whoever needs polynomials fits them, and cuts time until they agree


@dataclass(frozen=True, eq=False)
class Signal:
    """A function of time, checked: `at(t)` of one time a number or (size,), of many (times, size).

    `degree` is that of the polynomials it is made of between the points of t, `SMOOTH` where there are none. `seen`
    holds its jumps, nearly straight pieces, and notes on what may have gone unseen.
    """

    what: str
    at: At
    size: int = 1
    degree: int = SMOOTH
    seen: Features = field(default_factory=Features)
    constant: bool = False

    @property
    def breaks(self) -> tuple[float, ...]:
        """The times at which it is not smooth."""
        return self.seen.breaks

    @property
    def edges(self) -> tuple[Array, ...]:
        """Ends of pieces of time on which it is nearly straight."""
        return self.seen.edges

    @property
    def notes(self) -> tuple[str, ...]:
        """What is in doubt about it."""
        return self.seen.notes


def read_signal(
    value: Any, what: str, t: Array, size: int = 1, known: Mapping[str, float] | None = None, derivative: int = 0
) -> Signal:
    """Whatever was given as a function of time; `size` numbers at each time, or one for all of them.

    `known` are the numbers of names that text may hold, None where there are no such names. `derivative` asks for a
    rate, which only formulas have.
    """
    if isinstance(value, Signal):
        return value
    what, named = what[0].upper() + what[1:], what
    start, end = float(t[0]), float(t[-1])
    if is_formula(value):
        return signal_of_formula(formula_of(value, named, known), what, start, end, size, derivative)
    if callable(value):
        _refuse_rate(what, derivative)
        return signal_of_function(value, what, start, end, size)
    return _of_numbers(value, what, t, size, derivative)


# -- numbers and tables ------------------------------------------------------------------------------------------------


def real_array(
    value: Any,
    what: str,
    advice: str = "give a number, a function, an array on t, or text in t",
    unit: str | None = None,
) -> Array:
    """Real, finite or not, as an array; truth values, complex numbers and what is no number are refused.

    A quantity of pint counts in SI units, or in `unit`.
    """
    value = in_si(value, what, unit)
    if isinstance(value, np.ma.MaskedArray):  # what is masked has no value
        value = np.where(np.ma.getmaskarray(value), np.nan, np.ma.getdata(value))
    try:
        given = np.asarray(value)
    except ValueError:  # rows of different lengths
        given = np.array(None)
    listed = np.asarray(value, dtype=object).ravel() if isinstance(value, list | tuple) and given.ndim == 1 else ()
    truths = [one for one in listed if isinstance(one, bool | np.bool_)]
    if given.dtype.kind == "b" or truths:
        shown = truths[0] if truths else given.ravel()[0] if given.size else "empty"
        raise FlexuraError(f"{what} is {shown}, a truth value", advice=advice)
    if given.dtype.kind == "c":
        raise FlexuraError(f"{what} holds complex numbers", advice="give real ones")
    try:
        if given.dtype.kind in "iuf" or (given.dtype.kind == "O" and not any(one is None for one in given.ravel())):
            return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    shown = repr(value)
    raise FlexuraError(f"{what} is {shown if len(shown) <= 60 else shown[:57] + '...'}", advice=advice)


def real_number(value: Any, what: str, advice: str = "give a finite number") -> float:
    """One finite real number."""
    if isinstance(value, float | int) and not isinstance(value, bool) and math.isfinite(value):
        return float(value)
    found = real_array(value, what, advice)
    if found.size != 1:
        raise FlexuraError(f"{what} holds {found.size} numbers", advice=advice)
    number = float(found.ravel()[0])
    if not math.isfinite(number):
        raise FlexuraError(f"{what} is {number}", advice=advice)
    return number


def _of_numbers(value: Any, what: str, t: Array, size: int, derivative: int) -> Signal:
    if is_record(value):
        start, end = float(t[0]), float(t[-1])
        t, value = record_of(value, what, t)
        slack = 1e-9 * (end - start)
        if t[0] > start + slack or t[-1] < end - slack:
            raise FlexuraError(
                f"{what} is a record from t = {t[0]:g} to {t[-1]:g}, and the run goes from {start:g} to {end:g}",
                advice="ask for times within the record, or lengthen it, for instance by zeros",
            )
    table = real_array(value, what)
    if not np.all(np.isfinite(table)):
        bad = int(np.flatnonzero(~np.isfinite(table.reshape(len(table), -1) if table.ndim else table).ravel())[0])
        row = bad // max(1, table.size // max(1, len(t)))
        at = f" at t = {t[row]:g}" if table.ndim and len(table) == len(t) else ""
        raise FlexuraError(f"{what} is not finite{at}", advice="give finite numbers")
    if table.ndim == 0:
        return _level(what, float(table) if derivative == 0 else 0.0, size)
    if size > 1 and table.shape == (size,):
        if size == len(t):
            raise FlexuraError(
                f"{what} holds {size} numbers, which could be one for each point of t or one for each of {size} loads",
                advice=f"give an array of the shape ({len(t)}, {size})",
            )
        return _level(what, table if derivative == 0 else 0.0 * table, size)
    _refuse_rate(what, derivative)
    columns = table.reshape(len(table), -1) if table.size else table
    if len(table) != len(t) or columns.shape[1:] not in ((1,), (size,)):
        wanted = "one number" if size == 1 else f"one number, or {size},"
        raise FlexuraError(
            f"{what} has the shape {table.shape}, but t has {len(t)} points", advice=f"give {wanted} for each of them"
        )
    return _straight(what, t, np.broadcast_to(columns, (len(t), size)), size)


def _straight(what: str, t: Array, columns: Array, size: int) -> Signal:
    """A table on t, straight between its points."""

    def at(times: Any) -> Any:
        if size == 1:
            found = np.interp(times, t, columns[:, 0])
            return found[:, None] if np.ndim(times) else float(found)
        return np.stack([np.interp(times, t, one) for one in columns.T], axis=-1)

    return Signal(what, at, size, 1, Features(breaks=tuple(kinks(t, columns)) if len(t) > 2 else ()))


def _level(what: str, value: Any, size: int) -> Signal:
    """What does not change."""
    whole = np.broadcast_to(np.asarray(value, dtype=np.float64), (size,))
    one: Any = float(whole[0]) if size == 1 else whole

    def at(times: Any) -> Any:
        return np.broadcast_to(whole, (len(times), size)) if np.ndim(times) else one

    return Signal(what, at, size, 0, constant=True)


def _refuse_rate(what: str, derivative: int) -> None:
    if derivative:
        name = what.removeprefix("The input ")
        raise FlexuraError(f"The equations need the rate of {name}", advice="give that input as text in t")


# -- formulas ----------------------------------------------------------------------------------------------------------


def is_formula(value: Any) -> bool:
    """Text, an expression of ours, or one of SymPy or symengine."""
    return isinstance(value, str) or hasattr(value, "engine") or hasattr(value, "free_symbols")


def formula_of(value: Any, what: str, known: Mapping[str, float] | None = None, spine: bool = False) -> Basic:
    """The tree of text or of an expression, in t (and x, with `spine`) alone: `known` numbers are put in."""
    tree = text_or_expression(value, what=what, spine=spine).engine
    tree = tree.xreplace({Symbol(name): exact(number) for name, number in (known or {}).items()})
    left = sorted(str(one) for one in tree.free_symbols - ({TIME, SPINE} if spine else {TIME}))
    if left:
        advice = "write it with numbers and t only" if known is None else "give values for it, or write a number"
        raise FlexuraError(f"{what[0].upper()}{what[1:]} holds {', '.join(left)}, which has no value", advice=advice)
    return tree


def signal_of_formula(tree: Basic, what: str, start: float, end: float, size: int = 1, derivative: int = 0) -> Signal:
    """A formula in t, or a rate of it; what it does between start and end is found by bounds."""
    breaks = switches([tree], start, end)
    rough = bool(crossings([tree]))
    for _ in range(derivative):
        tree = partial(tree, TIME)
    if TIME not in tree.free_symbols:
        value = float(tree)
        return _level(what, finite(what, value, start), size)
    edges = resolved_in_time(tree, what, start, end, breaks)
    straight = not rough and TIME not in partial(tree, TIME).free_symbols
    return Signal(what, _compiled(what, tree, size), size, 1 if straight else SMOOTH, Features((edges,), breaks))


def _compiled(what: str, tree: Basic, size: int) -> At:
    """Compiled when it is first asked."""
    made: list[Any] = []
    single, out = np.zeros(1), np.zeros(1)

    def at(t: Any) -> Any:
        if not made:  # the engine's first compiler, because one tree does not pay for the other
            made.append(machine_function([TIME], [tree], backend="lambda"))
        if isinstance(t, float):
            single[0] = t
            made[0].unsafe_real(single, out)
            found = finite(what, float(out[0]), t)
            return found if size == 1 else np.full(size, found)
        times = np.asarray(t, dtype=np.float64)
        if not times.ndim:
            return at(float(times))
        rows = finite(what, np.asarray(made[0](times.reshape(-1, 1))).reshape(-1, 1), times)
        return np.broadcast_to(rows, (len(times), size))

    return at


# -- functions ---------------------------------------------------------------------------------------------------------


def signal_of_function(
    value: Callable[[float], Any], what: str, start: float, end: float, size: int = 1, samples: int = SAMPLES
) -> Signal:
    """A function of t, looked at closely from start to end."""

    def one(t: float) -> Any:
        found = value(t)
        if type(found) is float and size == 1 and math.isfinite(found):
            return found
        return finite(what, given_numbers(what, found, t, size), t)

    def at(t: Any) -> Any:
        return np.array([one(s) for s in t.tolist()]).reshape(len(t), size) if np.ndim(t) else one(float(t))

    own = getattr(value, "features", None)
    if own is not None:
        return Signal(what, at, size, SMOOTH, own(start, end))
    refuse_memory(what, value, start, end)
    seen = look(many(value, one), start, end, samples)
    return Signal(what, at, size, SMOOTH, Features((seen.edges,), seen.jumps, (unseen(what, seen.finest),)))


def given_numbers(what: str, found: Any, t: float, size: int, each: str = "load") -> Any:
    """What a function gave, if it is one number, or one for each place."""
    read = np.asarray(found) if found is not None else np.array("")
    if read.dtype.kind not in "biuf":
        try:
            read = real_array(found, what).astype(np.float64)
        except FlexuraError:
            raise FlexuraError(f"{what} is {found!r} at t = {t:.6g}", advice="let the function give a number") from None
    if read.size not in (1, size):
        wanted = "one number" if size == 1 else f"one number, or {size}, one for each {each}"
        raise FlexuraError(f"{what} gives {read.size} numbers at t = {t:.6g}", advice=f"let the function give {wanted}")
    if size == 1:
        return float(read.ravel()[0])
    return np.broadcast_to(read.astype(np.float64).ravel(), (size,))


def finite(what: str, found: Any, t: Any) -> Any:
    """What was found at t, of one time or of many, if it is finite."""
    if isinstance(found, float | int):
        good = math.isfinite(found)
    else:
        found = np.asarray(found, dtype=np.float64)
        good = bool(np.all(np.isfinite(found)))
    if not good:
        if np.ndim(t):
            t = np.asarray(t)[~np.isfinite(found.reshape(len(t), -1)).all(axis=1)][0]
        raise FlexuraError(f"{what} is not finite at t = {t:.6g}", advice="give finite numbers")
    return found
