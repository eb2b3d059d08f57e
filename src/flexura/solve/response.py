"""A frequency response that knows what it is of: a complex array with its frequencies, for pictures and files.

>>> found = fx.frequency_response(equations, omega, load="F", output="q4")
>>> abs(found).max(), found.omega, found.label        # an array like any other
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.display import Displayed, Table, counted
from flexura.errors import FlexuraError
from flexura.systems.dataframes import dataframe, numbered
from flexura.systems.labelled import Labelled
from flexura.systems.signals.signal import real_array


class Response(Displayed, Labelled, np.ndarray[Any, np.dtype[np.complex128]]):
    """A complex array over `omega`, with one more axis where a place has several `fields`; `[:, i]` is one of them.

    Other parts and functions of it are plain arrays' results without the label.
    """

    omega: NDArray[np.float64] | None
    label: str
    fields: tuple[str, ...]
    error: NDArray[np.float64] | None
    """Of a large system of matrices: the relative error of the displacements at each frequency."""
    columns: tuple[str, ...]

    @classmethod
    def of(
        cls,
        values: Any,
        omega: Any,
        load: Any,
        output: Any,
        kind: str,
        fields: tuple[str, ...] = (),
        columns: tuple[str, ...] = (),
    ) -> Response:
        """The same numbers, labelled."""
        made = np.asarray(values, dtype=np.complex128).view(cls)
        made.omega, made.fields, made.columns = np.asarray(omega, dtype=np.float64), tuple(fields), tuple(columns)
        texts = [_text(output), _text(load)]
        made.label = f"{kind} of {texts[0]} per unit {texts[1]}" if all(len(one) < 40 for one in texts) else kind
        return made

    def __array_finalize__(self, source: Any) -> None:
        whole = source is not None and getattr(source, "shape", None) == self.shape
        self.omega = getattr(source, "omega", None) if whole else None
        self.label = getattr(source, "label", "") if whole else ""
        self.fields = getattr(source, "fields", ()) if whole else ()
        self.error = getattr(source, "error", None) if whole else None
        self.columns = getattr(source, "columns", ()) if whole else ()

    def to_dataframe(self) -> Any:
        """A pandas table: omega as its index, a complex column for each output and load, with its unit."""
        if self.omega is None:
            raise FlexuraError("A part of a response has no frequencies of its own", advice="make the table of all")
        flat = np.asarray(self).reshape(self.omega.size, -1)
        names = self.columns if len(self.columns) == flat.shape[1] else numbered(self.label or "X", flat.shape[1])
        return dataframe(dict(zip(names, flat.T, strict=True)), self.omega.ravel(), "omega (rad/s)")

    def __getitem__(self, key: Any) -> Any:
        """As of any array; a column of one field keeps its frequencies."""
        found = super().__getitem__(key)
        every = isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], slice) and key[0] == slice(None)
        if every and isinstance(key[1], int) and self.omega is not None and self.ndim == self.omega.ndim + 1 == 2:
            field = self.fields[key[1]] if self.fields else str(key[1])
            found.omega, found.fields, found.label = self.omega, (field,), f"{self.label}, {field}"
        return found

    @property
    def _whole(self) -> bool:
        """Not a part of one, nor magnitudes: those show themselves as arrays do."""
        return self.omega is not None and bool(np.iscomplexobj(self))

    def __repr__(self) -> str:
        return super().__repr__() if self._whole else repr(np.asarray(self))

    def __str__(self) -> str:
        return super().__str__() if self._whole else str(np.asarray(self))

    @property
    def is_drawn(self) -> bool:
        """Magnitude and phase."""
        return self._whole

    def summary(self) -> str:
        """What it is of, and where."""
        points = np.ravel(self.omega if self.omega is not None else [])
        over = f", {points.min():.6g} to {points.max():.6g} rad/s" if len(points) else ""
        return f"{self.label or 'response'}, {counted(len(points), 'frequency', 'frequencies')}{over}"

    @property
    def _columns(self) -> list[str]:
        """Fields by name; of lists of outputs and loads, the places in the array."""
        places = np.ndindex(self.shape[1:] if self.omega is not None and self.omega.ndim == 1 else ())
        return list(self.fields) or [",".join(map(str, place)) for place in places]

    def told(self) -> Iterator[Table | str]:
        """Magnitude and phase at every frequency."""
        points = np.ravel(self.omega if self.omega is not None else [])
        columns = np.asarray(self).reshape(len(points), -1)
        names = [f"|{name}|" for name in self._columns]
        if len(names) == 1:
            names = [self.label]
        else:
            yield self.label
        rows = [
            (f"{w:.8g}", *(text for value in row for text in (f"{abs(value):.8g}", f"{_degrees(value):.4f}")))
            for w, row in zip(points, columns, strict=True)
        ]
        yield Table(("omega rad/s", *(text for name in names for text in (name, "phase deg"))), rows)


def _degrees(value: complex) -> float:
    return float(np.degrees(np.angle(value)) + 0.0)


def _text(one: Any) -> str:
    if isinstance(one, tuple) and len(one) == 2:
        return f"{getattr(one[1], 'name', one[1])} at {_text(one[0])}"
    return one if isinstance(one, str) else repr(one)


def read_frequencies(omega: Any) -> Any:
    """Finite real frequencies in rad/s, of any shape."""
    points = real_array(omega, "omega", "give frequencies in rad/s", "rad/s")
    if points.size and not np.all(np.isfinite(points)):
        raise FlexuraError("omega holds values that are not finite", advice="give frequencies in rad/s")
    return points
