"""Inputs of systems of matrices: what users give (numbers, functions, arrays on t, text) as columns B u(t).

>>> given = read_matrix_inputs(system, {"F": "sin(3*t)"}, t)
>>> given.B, given.together().at(times)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray

from flexura.solve.runs.inputs import not_given, unknown
from flexura.solve.steppers.linear_inputs import Signals
from flexura.systems.nonlinear import InputSlot
from flexura.systems.second_order import SecondOrderSystem
from flexura.systems.signals.features import together
from flexura.systems.signals.scales import Scales
from flexura.systems.signals.signal import Signal, read_signal

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class MatrixInputs:
    """Loads B u(t): columns, the signals that drive them (each as many columns as it has values), and their names."""

    B: Any
    signals: tuple[Signal, ...]
    names: tuple[str, ...]
    notes: tuple[str, ...] = ()

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
        return _named(system, columns, inputs or {}, t)
    B = sparse.identity(system.n, format="csr") if columns is None else columns
    return MatrixInputs(B, (read_signal(inputs, "the input", t, B.shape[1]),), ("the input",))


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
