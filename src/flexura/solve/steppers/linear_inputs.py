"""Inputs of systems of matrices: what users give (numbers, functions, arrays on t, text) as columns B u(t).

>>> signals = read_signals(system, {"F": "sin(3*t)"}, t)
>>> signals.at(times), signals.B
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.symbolic.engine import TIME
from flexura.symbolic.quantities import text_or_expression
from flexura.systems.deadline import between_pieces
from flexura.systems.second_order import SecondOrderSystem
from flexura.systems.signals.breaks import switches
from flexura.systems.signals.features import features
from flexura.systems.signals.resolution import resolved
from flexura.systems.signals.scales import Scales

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Signals:
    """Loads B (n, k), their histories `at(times)` (times, k), and the degree of the polynomials they are between t.

    `scales` tell how short their features are, `breaks` where they jump.
    """

    B: Any
    at: Callable[[Array], Array]
    degree: int
    notes: tuple[str, ...] = ()
    scales: Scales = field(default_factory=Scales)
    breaks: tuple[float, ...] = ()

    @property
    def count(self) -> int:
        """How many inputs there are."""
        return int(self.B.shape[1])


def read_signals(system: SecondOrderSystem, inputs: Any, t: Array) -> Signals:
    """The loads and their histories; what is not given is zero, and said so."""
    columns = None if system.F is None else system.F.reshape(system.n, -1)
    if inputs is None:
        idle = () if columns is None else system.input_names
        notes = (f"No inputs were given, so {', '.join(idle)} are zero.",) if idle else ()
        return Signals(np.zeros((system.n, 0)), lambda times: np.zeros((len(times), 0)), 0, notes)
    if isinstance(inputs, Mapping):
        return _named(system, columns, inputs, t)
    if columns is None:
        return _signals(sparse.identity(system.n, format="csr"), [_history(inputs, "inputs", t, system.n)])
    return _signals(columns, [_history(inputs, "inputs", t, columns.shape[1])])


@dataclass(frozen=True)
class _History:
    """One input, or all that come together: `at(times)` (times, k), its degree between t, and what was seen of it."""

    at: Callable[[Array], Array]
    degree: int
    edges: tuple[Array, ...] = ()
    breaks: tuple[float, ...] = ()
    notes: tuple[str, ...] = ()


def _signals(B: Any, histories: list[_History], notes: tuple[str, ...] = ()) -> Signals:
    """Inputs that act together."""

    def at(times: Array) -> Array:
        return np.hstack([one.at(times) for one in histories]) if histories else np.zeros((len(times), 0))

    breaks = sorted({x for one in histories for x in one.breaks})
    return Signals(
        B,
        at,
        max((one.degree for one in histories), default=0),
        (*notes, *(note for one in histories for note in one.notes)),
        Scales.of(edges for one in histories for edges in one.edges),
        tuple(breaks),
    )


def _named(system: SecondOrderSystem, columns: Any, inputs: Mapping[str, Any], t: Array) -> Signals:
    names = system.input_names
    loads, histories = [], []
    rows = {name: i for i, name in enumerate(system.names)}
    for name, value in inputs.items():
        if name in names:
            loads.append(columns[:, names.index(name)])
        elif name in rows:
            loads.append(np.eye(1, system.n, rows[name])[0])
        else:
            raise FlexuraError(f"The system has no input {name!r}", advice=_advice(name, (*names, *system.names)))
        histories.append(_history(value, f"The input {name}", t, 1))
    idle = [name for name in names if name not in inputs]
    notes = (f"Inputs that were not given are zero: {', '.join(idle)}.",) if idle else ()
    return _signals(np.column_stack(loads) if loads else np.zeros((system.n, 0)), histories, notes)


def _advice(name: str, known: tuple[str, ...]) -> str:
    lower = {one.lower(): one for one in reversed(known)}
    near = difflib.get_close_matches(str(name).lower(), lower, 1)
    return f"did you mean {lower[near[0]]!r}?" if near else f"give one of {', '.join(known[:8])}"


def _history(value: Any, what: str, t: Array, k: int) -> _History:
    """What was given as a history."""
    what = what[0].upper() + what[1:]
    if isinstance(value, str):
        return _of_text(value, what, t, k)
    if callable(value):
        seen = features(
            value, what, float(t[0]), float(t[-1]), read=lambda at: _called(value, what, np.array([at]), k)[0]
        )
        return _History(lambda times: _called(value, what, times, k), 5, seen.edges, seen.breaks, seen.notes)
    given = np.asarray(value, dtype=np.float64)
    if not np.all(np.isfinite(given)):
        raise FlexuraError(f"{what} holds values that are not finite", advice="give finite numbers")
    if given.ndim == 0 or (given.shape == (k,) and given.shape != t.shape):
        constant = np.broadcast_to(given, (k,))
        return _History(lambda times: np.broadcast_to(constant, (len(times), k)), 0)
    table = given.reshape(len(given), -1) if given.size else given
    if table.shape not in ((len(t), k), (len(t), 1)):
        raise FlexuraError(
            f"{what} has the shape {given.shape}", advice=f"give an array on t, of the shape ({len(t)}, {k})"
        )
    table = np.broadcast_to(table, (len(t), k))
    return _History(lambda times: np.column_stack([np.interp(times, t, one) for one in table.T]), 1)


def _of_text(text: str, what: str, t: Array, k: int) -> _History:
    import symengine

    tree = text_or_expression(text, what=what).engine
    others = sorted(str(one) for one in tree.free_symbols if one != TIME)
    if others:
        raise FlexuraError(
            f"{what} is {text!r}, with {', '.join(others)} in it", advice="write an expression in t alone"
        )
    made = symengine.Lambdify([TIME], [tree])
    start, end = float(t[0]), float(t[-1])
    breaks = switches([tree], start, end)
    edges, _ = resolved(tree, TIME, start, end, breaks)
    called = partial(_called, lambda at: float(np.asarray(made([at])).ravel()[0]), what, k=k)
    return _History(lambda times: called(times), 5, (edges,), breaks)


def _called(function: Callable[[float], Any], what: str, times: Array, k: int) -> Array:
    values = [np.asarray(function(float(one)), dtype=np.float64) for one in times]
    for one, at in zip(values, times, strict=True):
        if one.size not in (1, k):
            raise FlexuraError(f"{what} has the shape {one.shape} at t = {at:g}", advice=f"give {k} numbers")
        if not np.all(np.isfinite(one)):
            raise FlexuraError(f"{what} is not finite at t = {at:g}", advice="give finite numbers")
    return np.array([np.broadcast_to(one.ravel(), (k,)) for one in values], dtype=np.float64).reshape(len(times), k)


@dataclass(frozen=True)
class Pieces:
    """Time cut into pieces on which every input is a polynomial in s = (t - start)/(end - start)."""

    start: Array
    end: Array
    coefficients: Array
    """(pieces, degree + 1, k), of 1, s, s^2, ..."""
    last: NDArray[np.int64]
    """Which piece ends at each point of t, from the second on."""
    notes: tuple[str, ...] = ()
    missed: float = 0.0
    """The impulse that the polynomials may miss, as a part of all of it."""


_NODES = (1 - np.cos(np.pi * np.arange(6) / 5)) / 2
_BETWEEN = np.array([0.06, 0.21, 0.53, 0.79, 0.94])
_DEEPEST = 14
_DEEPEST_OF_ALL = 40  # where pieces are known to be longer than a feature of an input
_AGREES = 1e-10


def cut(signals: Signals, t: Array) -> Pieces:
    """Pieces between the points of t; where a polynomial does not follow an input, they are halved until it does."""
    inside = [one for one in signals.breaks if t[0] < one < t[-1]]
    points = np.union1d(t, inside) if inside else t
    start, end = points[:-1], points[1:]
    owner: NDArray[np.int64] = np.searchsorted(t, (start + end) / 2) - 1
    if signals.degree < 2:
        first, second = signals.at(start), signals.at(end)
        coefficients = np.stack([first, second - first][: signals.degree + 1], axis=1)
        return Pieces(start, end, coefficients, owner)
    done: list[tuple[Array, Array, Array, NDArray[np.int64]]] = []
    size, jumps, missed, given = 0.0, 0.0, 0.0, 0.0
    for depth in range(_DEEPEST_OF_ALL + 1):
        between_pieces()
        coefficients, misfit, heights = _fit(signals, start, end)
        size = max(size, float(heights.max(initial=0.0)))
        rough = (misfit > _AGREES * max(size, 1e-300)) & (depth < _DEEPEST)
        rough |= signals.scales.crowded(start, end) & (depth < _DEEPEST_OF_ALL)
        jumps = max(jumps, float(misfit[~rough].max(initial=0.0)))
        missed += float(misfit[~rough] @ (end - start)[~rough])
        given += float(heights[~rough] @ (end - start)[~rough])
        done.append((start[~rough], end[~rough], coefficients[~rough], owner[~rough]))
        if not rough.any():
            break
        middle = (start[rough] + end[rough]) / 2
        start, end = np.concatenate([start[rough], middle]), np.concatenate([middle, end[rough]])
        owner = np.concatenate([owner[rough], owner[rough]])
    start, end, coefficients = (np.concatenate([one[i] for one in done]) for i in range(3))
    owner = np.concatenate([one[3] for one in done])
    order = np.argsort(start, kind="stable")
    last: NDArray[np.int64] = np.searchsorted(owner[order], np.arange(len(t) - 1), side="right") - 1
    jump = jumps > 1e-6 * max(size, 1e-300)
    notes = (
        ("An input jumps between the points of t; put a point of t at each jump to follow it exactly.",) if jump else ()
    )
    return Pieces(start[order], end[order], coefficients[order], last, notes, missed / given if given else 0.0)


def _fit(signals: Signals, start: Array, end: Array) -> tuple[Array, Array, Array]:
    """Polynomials through six points of each piece, how far the input is from them in between, and how large it is."""
    places = np.concatenate([_NODES, _BETWEEN])
    times = start[:, None] + (end - start)[:, None] * places
    if signals.breaks:  # at a jump, the value from inside the piece
        slack = 8 * np.spacing(np.maximum(np.abs(start), np.abs(end)))[:, None]
        times = np.clip(times, start[:, None] + slack, end[:, None] - slack)
    values = signals.at(times.ravel()).reshape(len(start), len(places), signals.count)
    powers = np.vander(_NODES, increasing=True)
    coefficients = np.einsum("ij,pjk->pik", np.linalg.inv(powers), values[:, :6])
    model = np.einsum("ij,pjk->pik", np.vander(_BETWEEN, 6, increasing=True), coefficients)
    misfit = np.abs(model - values[:, 6:]).max(axis=(1, 2), initial=0.0)
    return coefficients, misfit, np.abs(values).max(axis=(1, 2), initial=0.0)
