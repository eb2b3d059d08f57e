"""The text of a file with its lines at hand: what is wrong in an entry is said with the line it stands on.

>>> source = Source("[parts.beam]\\nEI = 5", "beam.toml", Document)
>>> with source.within("parts", "beam"): ...
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from flexura.errors import FlexuraError
from flexura.files.toml_lines import Lines

_DEEP = 50
_DEEP_KEY = re.compile(rf"[\s\[]*(?:[\w\"'-]+\s*\.\s*){{{_DEEP}}}")
Shape = TypeVar("Shape", bound=BaseModel)


class Source(Generic[Shape]):
    """A TOML text in the shape of a document; `name` stands in sentences."""

    def __init__(self, text: str, name: str, shape: type[Shape]) -> None:
        """Read the text, or say what is no TOML or out of place in it."""
        self.name, self.lines, self._shape = name, Lines(text), shape
        try:
            self.document = shape.model_validate(toml_of(text, name))
        except ValidationError as error:
            raise self._misshapen(error) from None

    def _misshapen(self, error: ValidationError) -> FlexuraError:
        first = error.errors()[0]
        path = tuple(first["loc"])
        shown = ".".join(str(one) for one in path)
        if first["type"] == "extra_forbidden":
            problem = f"there is no place for {shown!r} in a model file"
            return FlexuraError(problem, advice=self._places(path), place=self.place(*path))
        if first["type"] == "missing":
            problem = f"{'.'.join(map(str, path[:-1])) or 'the file'} needs {path[-1]}"
            return FlexuraError(problem, advice="add it", place=self.place(*path[:-1]))
        problem = f"{shown} has the wrong form: {first['msg'][:1].lower()}{first['msg'][1:]}"
        return FlexuraError(problem, place=self.place(*path))

    def _places(self, path: tuple[str | int, ...]) -> str:
        """What may stand where something else was found."""
        shape: type[BaseModel] = self._shape
        for word in path[:-1]:
            inner = shape.model_fields[str(word)].annotation if str(word) in shape.model_fields else None
            tables = [
                kind for kind in (inner, *get_args(inner)) if isinstance(kind, type) and issubclass(kind, BaseModel)
            ]
            if not tables:
                return "leave it out"
            shape = tables[0]
        names = ", ".join(field.alias or name for name, field in shape.model_fields.items())
        return f"the tables are {names}" if shape is self._shape else f"it takes {names}"

    def place(self, *path: str | int) -> str:
        """The line of an entry, or of the nearest that holds it."""
        line = self.lines.of(*path)
        return f"{self.name}, line {line}" if line else self.name

    @contextmanager
    def within(self, *path: str | int) -> Iterator[None]:
        """What goes wrong inside belongs to this entry, or to its keyword that is wrong."""
        try:
            yield
        except FlexuraError as error:
            if error.place:
                raise
            key = (*path, error.keyword) if error.keyword else path
            raise error.with_(place=self.place(*key)) from None


def toml_of(text: str, name: str) -> dict[str, object]:
    """The tables of a TOML text."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.count(".") > _DEEP and _DEEP_KEY.match(line):  # the time to read it grows with its square
            problem = f"a key has more than {_DEEP} dots"
            raise FlexuraError(problem, advice="a model needs three or four", place=f"{name}, line {number}")
    try:
        return tomllib.loads(text)
    except ValueError as error:  # also of dates, and of numbers that are too long
        raise FlexuraError(f"{name} is not TOML: {str(error)[:1].lower()}{str(error)[1:].rstrip('.')}.") from None
    except RecursionError:
        raise FlexuraError(f"{name} nests brackets too deeply", advice="a model needs three or four levels") from None


def text_of(path: Path) -> str:
    """The text of a file."""
    try:
        return path.read_text(encoding="utf-8-sig")  # some editors begin a file with a mark of its coding
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8 text"
        raise FlexuraError(f"The model file {path} cannot be read: {reason}", advice="check the name") from None
