"""The one exception users see: data first, a sentence second.

>>> raise FlexuraError("The rod has no length", advice="give length=", part="rod", keyword="length")
The rod has no length; give length=.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class FlexuraError(Exception):
    """Something in the model or the data is wrong: `problem`, and `advice` on what to do about it.

    `part` and `keyword` say where in the description, `entry` which one of several, `missing` lists names without a
    value, `place` is where that stands in a file ("beam.toml, line 3"). The sentence is made of these; nothing reads it
    back.
    """

    def __init__(
        self,
        problem: str,
        *,
        advice: str = "",
        part: str = "",
        keyword: str = "",
        entry: Any = None,
        missing: tuple[str, ...] = (),
        place: str = "",
    ) -> None:
        """What is wrong, as a sentence without its full stop, and where."""
        self.problem, self.advice, self.place = problem.removesuffix("."), advice.removesuffix("."), place
        self.part, self.keyword, self.entry, self.missing = part, keyword, entry, tuple(missing)
        super().__init__(str(self))

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        return f"{where}{self.problem}{'; ' if self.advice else ''}{self.advice}."

    def with_(self, **data: Any) -> FlexuraError:
        """The same error with more of its data known."""
        kept = {name: one for name, one in vars(self).items() if name != "problem"}
        return type(self)(data.pop("problem", self.problem), **{**kept, **data})

    def __reduce__(self) -> tuple[Any, ...]:
        """So that it survives a process or a copy."""
        return _again, (type(self), dict(vars(self)))


def _again(kind: type[FlexuraError], data: dict[str, Any]) -> FlexuraError:
    return kind(data.pop("problem"), **data)


@contextmanager
def concerning(**data: Any) -> Iterator[None]:
    """What goes wrong inside concerns this part, keyword or entry, unless it says so itself.

    >>> with concerning(keyword="springs", entry=4): ...
    """
    try:
        yield
    except FlexuraError as error:
        unknown = {name: one for name, one in data.items() if not getattr(error, name)}
        raise error.with_(**unknown) from error.__cause__
