"""Loads on a frame over time, as users give them: constant vectors, columns with a history each, whole vectors.

>>> terms = load_terms(Constants.of(frame), {"v4": "10*sin(5*t)"}, times)
>>> terms.at(0.5), terms.seen.breaks
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.structures.moving.assembly import Constants
from flexura.structures.moving.loads import FrameLoad, by_name, dof_named, vector_of
from flexura.systems.signals.features import Features, together
from flexura.systems.signals.signal import Signal, read_signal

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LoadTerms:
    """A constant vector, columns with a history each, and whatever is only known as a whole.

    `steady` are the loads as they were given, with numbers in, where none of them changes; None otherwise.
    """

    constant: Array
    columns: tuple[Array, ...] = ()
    histories: tuple[Signal, ...] = ()
    general: tuple[Signal, ...] = ()
    steady: Any = None

    def __add__(self, other: LoadTerms) -> LoadTerms:
        return LoadTerms(
            self.constant + other.constant,
            self.columns + other.columns,
            self.histories + other.histories,
            self.general + other.general,
        )

    def at(self, t: float) -> Array:
        """The load vector at t."""
        total = self.constant
        for column, history in zip(self.columns, self.histories, strict=True):
            total = total + history.at(t) * column
        for one in self.general:
            total = total + one.at(t)
        return total

    @cached_property
    def seen(self) -> Features:
        """When and how quickly the loads change."""
        return together(one.seen for one in (*self.histories, *self.general))


def load_terms(constants: Constants, loads: Any, times: Array) -> LoadTerms:
    """The loads as the user gave them: see `simulate_frame`."""
    if loads is None:
        return LoadTerms(np.zeros(constants.pattern.n))
    if isinstance(loads, list | tuple) and any(_alone(one) for one in loads):
        all_of_them = [load_terms(constants, one, times) for one in loads]
        total = sum(all_of_them[1:], start=all_of_them[0])
        steady = [one.steady for one in all_of_them]
        return replace(total, steady=None if any(one is None for one in steady) else steady)
    if isinstance(loads, FrameLoad):
        return _of_frame_load(constants, loads, times)
    if isinstance(loads, Mapping):
        return _by_name(constants, loads, times)
    if callable(loads):
        return _as_a_whole(constants, loads, times)
    vector = vector_of(constants, loads)
    return LoadTerms(vector, steady=vector)


def _alone(one: Any) -> bool:
    """Whether it is a load by itself, and not a number in a vector."""
    return isinstance(one, FrameLoad | Mapping) or callable(one)


def _of_frame_load(constants: Constants, load: FrameLoad, times: Array) -> LoadTerms:
    vector = vector_of(constants, load)
    if load.history is None:
        return LoadTerms(vector, steady=load)
    history = read_signal(load.history, "the history of a load", times)
    return LoadTerms(0 * vector, (vector,), (history,))


def _by_name(constants: Constants, loads: Mapping[Any, Any], times: Array) -> LoadTerms:
    total, steady, n = LoadTerms(np.zeros(constants.pattern.n)), dict[str, float](), constants.pattern.n
    for name, one in by_name(loads).items():
        unit = np.eye(1, n, dof_named(constants.frame, name))[0]
        signal = read_signal(one, f"the load on {name}", times)
        if signal.constant:
            steady[name] = float(signal.at(0.0))
            total += LoadTerms(steady[name] * unit)
        else:
            total += LoadTerms(0 * unit, (unit,), (signal,))
    return total if total.histories else replace(total, steady=steady)


def _as_a_whole(constants: Constants, load: Callable[[float], Any], times: Array) -> LoadTerms:
    """A function of t that gives all loads, as a vector or by name."""
    signal = read_signal(lambda t: vector_of(constants, load(t)), "the load", times, constants.pattern.n)
    return LoadTerms(np.zeros(constants.pattern.n), general=(signal,))
