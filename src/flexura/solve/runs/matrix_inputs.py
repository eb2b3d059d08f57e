"""Inputs of systems of matrices: what users give (numbers, functions, arrays on t, text) as columns B u(t).

>>> given = read_matrix_inputs(system, {"F": "sin(3*t)"}, t)
>>> given.B, given.together().at(times)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from flexura.solve.runs.impulsive import Strike, taken_out
from flexura.solve.runs.inputs import not_given, unknown
from flexura.solve.steppers.linear_inputs import Signals
from flexura.solve.values import real
from flexura.systems.nonlinear import InputSlot
from flexura.systems.second_order import SecondOrderSystem
from flexura.systems.signals.features import together
from flexura.systems.signals.scales import Scales
from flexura.systems.signals.signal import Signal, read_signal

Array = NDArray[np.float64]
_ALL = "the input"  # where one drives all columns


@dataclass(frozen=True, eq=False)
class MatrixInputs:
    """Loads B u(t): columns, the signals that drive them (each as many columns as it has values), and their names."""

    B: Any
    signals: tuple[Signal, ...]
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()
    strikes: tuple[Strike, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    """What the user gave, impulses among it, where there are strikes."""

    @property
    def by_name(self) -> dict[str, Any]:
        """What drives each column, as programs of equations take it."""
        found: dict[str, Any] = dict(zip(self.names, self.signals, strict=True))
        struck = {name for one in self.strikes for name in one.inputs}
        return found | {name: self.given[name] for name in struck}

    @property
    def blows(self) -> tuple[tuple[float, Array], ...]:
        """The times of impulses, and what each gives to the momenta."""
        sizes = [one.size for one in self.signals]
        return tuple(
            (one.t, np.asarray(self.B @ np.repeat([_amount(one, name) for name in self.names], sizes)))
            for one in self.strikes
        )

    @property
    def slots(self) -> tuple[InputSlot, ...]:
        """Where each signal stands in u."""
        starts = np.cumsum([0, *(one.size for one in self.signals)]).tolist()
        return tuple(
            InputSlot(name, start, count=signal.size)
            for name, start, signal in zip(self.names, starts, self.signals, strict=False)
        )

    def together(self, breaks: tuple[float, ...] = (), longest_step: float = np.inf) -> Signals:
        """All of them as linear steppers take them; `breaks` are further times at which one may jump."""
        signals, seen = self.signals, together(one.seen for one in self.signals)

        def at(times: Array) -> Array:
            return np.hstack([one.at(times) for one in signals]) if signals else np.zeros((len(times), 0))

        return Signals(
            self.B,
            at,
            max((one.degree for one in signals), default=0),
            (*self.notes, *dict.fromkeys(seen.notes)),
            Scales.of(seen.edges, longest_step),
            tuple(sorted({*seen.breaks, *breaks})) if breaks or len(signals) > 1 else seen.breaks,
        )


def read_matrix_inputs(system: SecondOrderSystem, inputs: Any, t: Array) -> MatrixInputs:
    """The loads and their histories; what is not given is zero, and said so.

    By the names of inputs (columns of F) or of dofs; or, not named, one signal for all columns, or for all dofs.
    """
    columns = None if system.F is None else system.F.reshape(system.n, -1)
    if inputs is None or isinstance(inputs, Mapping):
        given, strikes = taken_out(inputs or {}, t)
        return replace(_named(system, columns, given, t), strikes=strikes, given=inputs or {})
    given, strikes = taken_out({_ALL: inputs}, t)
    B = sparse.identity(system.n, format="csr") if columns is None else columns
    signal = read_signal(given[_ALL], _ALL, t, B.shape[1])
    return MatrixInputs(B, (signal,), (_ALL,), strikes=strikes, given={_ALL: inputs})


def _amount(strike: Strike, name: str) -> float:
    """An impulse as a number."""
    given = strike.inputs.get(name)
    return 0.0 if given is None else real(given.engine, f"The impulse of the input {name} at t = {strike.t:.6g}")


def _named(system: SecondOrderSystem, columns: Any, inputs: Mapping[str, Any], t: Array) -> MatrixInputs:
    names = system.input_names
    loads, signals = [], []
    rows = {name: i for i, name in enumerate(system.names)}
    for name, value in inputs.items():
        if name in names:
            loads.append(columns[:, names.index(name)])
        elif name in rows:
            loads.append(np.eye(1, system.n, rows[name])[0])
        else:
            raise unknown(f"There is no input {name!r}", name, (*names, *system.names))
        signals.append(read_signal(value, f"the input {name}", t))
    B = np.column_stack(loads) if loads else np.zeros((system.n, 0))
    idle = not_given(name for name in names if name not in inputs)
    return MatrixInputs(B, tuple(signals), tuple(map(str, inputs)), idle)
