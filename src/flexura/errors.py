"""The one exception users see: data first, a sentence second; and warnings, at the line of the user's.

>>> raise FlexuraError("The rod has no length", advice="give length=", part="rod", keyword="length")
The rod has no length; give length=.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, Self

_HOUSE = str(Path(__file__).parent)

_DATA = ("problem", "advice", "part", "keyword", "entry", "missing", "place")


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
        self.problem, self.advice, self.place = _open(problem), _open(advice), place
        self.part, self.keyword, self.entry, self.missing = part, keyword, entry, tuple(missing)
        super().__init__(str(self))

    def __str__(self) -> str:
        where = f"{self.place}: " if self.place else ""
        return f"{where}{self.words}{'' if self.words.endswith('?') else '.'}"

    @property
    def words(self) -> str:
        """Problem and advice without place and full stop, to stand in a longer sentence."""
        return f"{self.problem}; {self.advice}" if self.advice else self.problem

    def with_(self, **data: Any) -> Self:
        """The same error with more of its data known, and with the notes that were added to it."""
        made = type(self)(**{**self._data(), **data})
        vars(made).update(self._more())
        return made

    def _data(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _DATA}

    def _more(self) -> dict[str, Any]:
        return {name: one for name, one in vars(self).items() if name not in _DATA}

    def __reduce__(self) -> tuple[Any, ...]:
        """So that it survives a process or a copy."""
        return _again, (type(self), self._data()), self._more()


def _open(words: str) -> str:
    """Without a full stop, so that more may follow; the three dots of what is cut short are none."""
    stopped = words.removesuffix(".")
    return words if stopped.endswith("..") and not stopped.endswith("...") else stopped


def _again(kind: type[FlexuraError], data: dict[str, Any]) -> FlexuraError:
    return kind(**data)


@contextmanager
def concerning(**data: Any) -> Iterator[None]:
    """What goes wrong inside concerns this part, keyword or entry, unless it says so itself.

    >>> with concerning(keyword="springs", entry=4): ...
    """
    try:
        yield
    except FlexuraError as error:
        new = {name: one for name, one in data.items() if not _known(getattr(error, name))}
        raise error.with_(**new).with_traceback(error.__traceback__) from error.__cause__


def _known(one: Any) -> bool:
    """Node 0 is as good an entry as any other."""
    return one is not None and not (isinstance(one, str | tuple) and not one)


def warn(sentence: str) -> None:
    """Warn at the line of the user's that asked, however deep in the package that is seen."""
    frame: FrameType | None = sys._getframe()
    level, ours = 1, 1
    while frame is not None:
        if frame.f_code.co_filename.startswith(_HOUSE):
            ours = level
        frame, level = frame.f_back, level + 1
    warnings.warn(sentence, stacklevel=ours + 1)
