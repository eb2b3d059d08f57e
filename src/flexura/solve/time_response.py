"""Answers over time that know what they are of: arrays with their times, how far they may be off, and a table.

>>> found = fx.step_response(equations, t, "F", beam.end)
>>> found.max(), found.t, found.error, found.to_dataframe()
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.dataframes import dataframe, numbered

Array = NDArray[np.float64]


class TimeResponse(np.ndarray[Any, np.dtype[np.float64]]):
    """A real array over `t`, then outputs, then loads; `error` is what it may be off by, as a part of the largest."""

    t: Array | None
    label: str
    error: float
    notes: tuple[str, ...]
    columns: tuple[str, ...]

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

    def __array_finalize__(self, source: Any) -> None:
        whole = source is not None and getattr(source, "shape", None) == self.shape
        self.t = getattr(source, "t", None) if whole else None
        self.label = getattr(source, "label", "") if whole else ""
        self.error = getattr(source, "error", 0.0) if whole else 0.0
        self.notes = getattr(source, "notes", ()) if whole else ()
        self.columns = getattr(source, "columns", ()) if whole else ()

    def to_dataframe(self) -> Any:
        """A pandas table: times as its index, a column for each output and load, with its unit."""
        if self.t is None:
            raise FlexuraError("A part of a response has no times of its own", advice="make the table of the whole")
        flat = np.asarray(self).reshape(len(self.t), -1)
        names = self.columns if len(self.columns) == flat.shape[1] else numbered(self.label or "value", flat.shape[1])
        return dataframe(dict(zip(names, flat.T, strict=True)), self.t, "t (s)")
