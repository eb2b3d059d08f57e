"""Answers over time that know what they are of: arrays with their times, how far they may be off, and a table.

>>> found = fx.step_response(equations, t, "F", beam.end)
>>> found.max(), found.t, found.error, found.to_dataframe()
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.display import Displayed, Table, counted
from flexura.errors import FlexuraError
from flexura.solve.steppers.trajectory import extremes
from flexura.systems.dataframes import dataframe, numbered
from flexura.systems.labelled import Labelled

Array = NDArray[np.float64]


class OverTime(Displayed, Labelled, np.ndarray[Any, np.dtype[np.float64]]):
    """A real array over `t`, then outputs, then loads; parts and functions of it are arrays like any other.

    `error` is what it may be off by, as a part of the largest. What a kind of answer holds beside is in `_more`.
    """

    t: Array | None
    label: str
    error: float
    columns: tuple[str, ...]
    _more: dict[str, Any] = {}  # noqa: RUF012  # never changed: names and what they are of a part

    def __array_finalize__(self, source: Any) -> None:
        whole = source is not None and getattr(source, "shape", None) == self.shape
        usual = {"t": None, "label": "", "error": 0.0, "columns": (), **self._more}
        for name, empty in usual.items():
            setattr(self, name, getattr(source, name, empty) if whole else empty)

    @property
    def names(self) -> tuple[str, ...]:
        """What the columns are called."""
        count = int(np.prod(self.shape[1:]))
        return self.columns if len(self.columns) == count else numbered(self.label or "value", count)

    def to_dataframe(self) -> Any:
        """A pandas table: times as its index, a column for each output and load, with its unit."""
        if self.t is None:
            raise FlexuraError("A part of a response has no times of its own", advice="make the table of the whole")
        flat = np.asarray(self).reshape(len(self.t), -1)
        return dataframe(dict(zip(self.names, flat.T, strict=True)), self.t, "t (s)")

    @property
    def is_drawn(self) -> bool:
        """Its curves; parts of it are arrays."""
        return self.t is not None

    def __repr__(self) -> str:
        return super().__repr__() if self.t is not None else repr(np.asarray(self))

    def __str__(self) -> str:
        return super().__str__() if self.t is not None else str(np.asarray(self))

    def summary(self) -> str:
        """What it is of, and when."""
        t = np.zeros(0) if self.t is None else self.t
        span = f", t = {t.min():.6g} to {t.max():.6g} s" if len(t) else ""
        return f"{self.label}, {counted(len(t), 'time')}{span}"

    def told(self) -> Iterator[Table | str]:
        """First, smallest, largest and last of each column, and what they may be off by."""
        yield self.summary()
        if self.t is not None and len(self.t):
            flat = np.asarray(self).reshape(len(self.t), -1).T
            rows = [(name, *extremes(column)) for name, column in zip(self.names, flat, strict=True)]
            yield Table(("", "first", "smallest", "largest", "last"), rows)
        if self.error:
            yield f"It may be off by {self.error:.1g} of its largest value."


class TimeResponse(OverTime):
    """What an impulse or a step does: a real array over `t`, then outputs, then loads."""

    notes: tuple[str, ...]
    _more: dict[str, Any] = {"notes": ()}  # noqa: RUF012  # never changed

    @classmethod
    def of(
        cls,
        values: Any,
        t: Any,
        label: str,
        error: float,
        notes: tuple[str, ...] = (),
        columns: tuple[str, ...] = (),
    ) -> TimeResponse:
        """The same numbers, labelled."""
        made = np.asarray(values, dtype=np.float64).view(cls)
        made.t, made.label, made.error, made.notes = np.asarray(t, dtype=np.float64), label, error, notes
        made.columns = columns
        return made
