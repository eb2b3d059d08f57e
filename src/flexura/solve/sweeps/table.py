"""What a sweep found: answers by name over the parameters, as arrays, a data frame or an xarray.

>>> table = fx.sweep(question, {"EI": [40, 50, 60]})
>>> table["omega"], table.errors, table.to_dataframe()
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.display import Displayed, Table, counted
from flexura.errors import FlexuraError
from flexura.solve.sweeps.answers import VALUE, Answer
from flexura.solve.sweeps.points import Points

_SENTENCES = 5  # of failed points that are shown


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class SweepTable(Displayed):
    """`table[name]` is an array over the grid (or over the points of a sampler) of what the question called so.

    A question that answers a number or an array is found in `table.values`. `errors` and `warnings` are sentences by
    the number of the point, counted from 0 in the order of `points`; there the answers are nan.
    """

    over: Points
    answers: tuple[Answer, ...]

    def summary(self) -> str:
        """What was asked, over what, and at how many points."""
        failed = f", {len(self.errors)} failed" if self.errors else ""
        points = counted(len(self.answers), "point")
        return f"{', '.join(self) or 'nothing'} over {', '.join(self.over.names)}, {points}{failed}"

    def told(self) -> Iterator[Table | str]:
        """A row for each point, and the first sentences of those that have no answer."""
        shown = {name: column for name, column in self.columns().items() if name != "error"}
        yield Table(tuple(shown), [tuple(map(_cell, row)) for row in zip(*shown.values(), strict=True)])
        for i, sentence in list(self.errors.items())[:_SENTENCES]:
            yield f"No answer at {', '.join(f'{name}={_cell(at)}' for name, at in self.points[i].items())}: {sentence}"

    def __len__(self) -> int:
        return len(self.answers)

    def __iter__(self) -> Iterator[str]:
        return iter(self._arrays)

    @property
    def names(self) -> tuple[str, ...]:
        """What was swept over."""
        return self.over.names

    @property
    def points(self) -> list[dict[str, Any]]:
        """The parameters of every point, in order."""
        return [dict(one) for one in self.over.each]

    @cached_property
    def errors(self) -> Mapping[int, str]:
        """Why there is no answer, by the number of the point."""
        return {i: one.error for i, one in enumerate(self.answers) if one.error}

    @cached_property
    def warnings(self) -> Mapping[int, tuple[str, ...]]:
        """What was warned of, by the number of the point."""
        return {i: one.warnings for i, one in enumerate(self.answers) if one.warnings}

    @cached_property
    def parameters(self) -> dict[str, NDArray[Any]]:
        """The parameters as arrays, arranged as the answers are."""
        return {
            name: np.array([one[name] for one in self.over.each]).reshape(self.over.shape) for name in self.over.names
        }

    @property
    def values(self) -> NDArray[Any]:
        """The answers of a question that gives a number or an array."""
        if list(self._arrays) not in ([VALUE], []):
            raise FlexuraError(
                "The question answers by names", advice=f"ask for one of them, like table[{next(iter(self))!r}]"
            )
        return self._arrays[VALUE] if self._arrays else np.full(self.over.shape, np.nan)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Answers, or parameters, by name."""
        if name in self._arrays:
            return self._arrays[name]
        if name in self.over.names:
            return self.parameters[name]
        known = ", ".join((*self._arrays, *self.over.names))
        raise FlexuraError(f"The sweep has no {name!r}", advice=f"it has {known}")

    @cached_property
    def _arrays(self) -> dict[str, NDArray[Any]]:
        names = dict.fromkeys(name for one in self.answers for name in one.arrays)
        return {name: self._stacked(name) for name in names}

    def _stacked(self, name: str) -> NDArray[Any]:
        """One array, nan where there is no answer; shorter answers are filled up with nan."""
        given = [one.arrays.get(name) for one in self.answers]
        there = [one for one in given if one is not None]
        most = max(one.ndim for one in there)
        shape = tuple(max(one.shape[k] if k < one.ndim else 1 for one in there) for k in range(most))
        kind = np.complex128 if any(one.dtype.kind == "c" for one in there) else np.float64
        found = np.full((len(given), *shape), np.nan, dtype=kind)
        for i, one in enumerate(given):
            if one is not None:
                one = one.reshape((*one.shape, *(1,) * (most - one.ndim)))
                place: tuple[Any, ...] = (i, *(slice(size) for size in one.shape))
                found[place] = one
        return found.reshape((*self.over.shape, *shape))

    def to_dataframe(self) -> Any:
        """A pandas DataFrame, one row a point: parameters, answers (arrays as name[0], name[1], ...), and `error`.

        >>> fx.sweep(question, over).to_dataframe().plot(x="EI", y="value")
        """
        try:
            import pandas
        except ImportError:
            raise FlexuraError(
                "A data frame needs pandas", advice="install it with pip install 'flexura[sweep]'"
            ) from None
        return pandas.DataFrame(self.columns())

    def columns(self) -> dict[str, Any]:
        """The columns of that frame."""
        count = len(self.answers)
        found: dict[str, Any] = {name: one.ravel() for name, one in self.parameters.items()}
        for name, one in self._arrays.items():
            flat = one.reshape(count, -1)
            shape = one.shape[len(self.over.shape) :]
            for k, place in enumerate(np.ndindex(shape)):
                label = f"[{','.join(map(str, place))}]" if shape else ""
                found[_apart(name + label, found)] = flat[:, k]
        if self.errors:
            found[_apart("error", found)] = [self.errors.get(i, "") for i in range(count)]
        return found

    def to_xarray(self) -> Any:
        """An xarray Dataset: one dimension a parameter of a grid (`point` for other points), more for arrays.

        >>> fx.sweep(question, over).to_xarray()["value"].sel(EI=50)
        """
        try:
            import xarray
        except ImportError:
            raise FlexuraError("This needs xarray", advice="install it with pip install 'flexura[sweep]'") from None
        grid = self.over.grid
        dims = tuple(self.over.names) if grid is not None else ("point",)
        coordinates: dict[str, Any] = dict(grid) if grid is not None else {"point": np.arange(len(self.answers))}
        if grid is None:
            coordinates |= {name: ("point", one) for name, one in self.parameters.items()}
        variables = {}
        for name, one in self._arrays.items():
            more = tuple(f"{name}_{k}" for k in range(one.ndim - len(self.over.shape)))
            variables[_apart(name, coordinates)] = ((*dims, *more), one)
        told = {"errors": [f"{self.over.each[i]}: {sentence}" for i, sentence in self.errors.items()]}
        return xarray.Dataset(variables, coordinates, told if self.errors else {})


def _apart(name: str, taken: Mapping[str, Any]) -> str:
    """A name that is not taken: an answer may be called as a parameter is."""
    while name in taken:
        name += "_"
    return name


def _cell(value: Any) -> str:
    return f"{value:.9g}" if isinstance(value, int | float | np.number) else str(value)
