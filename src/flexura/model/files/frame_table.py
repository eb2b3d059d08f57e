"""The table [frame] of a model file: the words of `fx.frame`, each with its line at hand for what goes wrong.

[frame.nodes]
A = [0, 0]
B = [0, "h"]
[frame.members]
column = ["A", "B", { EI = 1e5, EA = 1e8, rho = 4.0 }]
[frame.supports]
A = "fixed"
"""

from __future__ import annotations

from typing import Any

from flexura.arguments import nearest
from flexura.errors import FlexuraError
from flexura.files.toml_quantities import Quantities
from flexura.files.toml_source import Source
from flexura.model.files.document import Entry
from flexura.model.files.kinds import TEXTS
from flexura.model.frame import frame
from flexura.model.model import Model

TABLES = ("nodes", "members", "supports", "masses", "springs", "dampers", "loads")
WORDS = TEXTS | {"kind", "section", "material", "pinned", "shear"}


def frame_of(table: Entry, quantities: Quantities, source: Source[Any]) -> Model:
    """The frame that the table describes."""
    for key in table:
        if key not in (*TABLES, "section"):
            with source.within("frame", key):
                raise FlexuraError(f"The frame has {key!r}", advice=nearest(key, (*TABLES, "section")))
    read = {key: _entries(key, table.get(key, {}), quantities, source) for key in TABLES}
    with source.within("frame", "section"):
        section = _properties(table.get("section", {}), quantities)
    with source.within("frame"):
        try:
            return frame(**read, section=section)
        except FlexuraError as error:
            if error.keyword not in read or not (error.part or error.entry):
                raise
            path = ("frame", error.keyword, str(error.part or error.entry))
            raise error.with_(place=source.place(*path)) from None


def _entries(key: str, given: Any, quantities: Quantities, source: Source[Any]) -> dict[str, Any]:
    with source.within("frame", key):
        if not isinstance(given, dict):
            raise FlexuraError(
                f"The {key} of the frame are {given!r}", advice=f"write them by name under [frame.{key}]"
            )
    found = {}
    for name, one in given.items():
        with source.within("frame", key, name):
            found[name] = _entry(key, one, quantities)
    return found


def _entry(key: str, one: Any, quantities: Quantities) -> Any:
    if key == "supports":
        return one
    if key == "members":
        rest = one[2:] if isinstance(one, list) else []
        return one if not isinstance(one, list) else [*one[:2], *(_properties(given, quantities) for given in rest)]
    if key in ("nodes", "masses"):
        return (
            [quantities.read(part, key, spine=False) for part in one]
            if isinstance(one, list)
            else quantities.read(one, key)
        )
    if not isinstance(one, dict):
        return one
    return {word: quantities.read(part, word, inputs=key == "loads") for word, part in one.items()}


def _properties(given: Any, quantities: Quantities) -> Any:
    if not isinstance(given, dict):
        return given
    return {key: one if key in WORDS else quantities.read(one, key) for key, one in given.items()}
