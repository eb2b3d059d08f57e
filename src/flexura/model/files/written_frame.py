"""The table [frame] of a model that `fx.frame` made, in the words it was given.

>>> frame_tables(model.frame, word, value)      # ["[frame.nodes]\\nA = [0, 0]", ...]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from flexura.errors import FlexuraError
from flexura.model.files.frame_table import TABLES, WORDS
from flexura.model.frame import is_pair
from flexura.parts.members.member import Member

Say = Callable[[Any], str]


def frame_tables(given: Mapping[str, Any], word: Say, value: Say, key: Say) -> Iterator[str]:
    """Each table as text; `word` says words and directions, `value` quantities, `key` the names of entries."""
    write = _Frame(word, value, key)
    for what in TABLES:
        entries = given.get(what) or {}
        if entries:
            rows = (f"{write.name(name, what)} = {write.entry(what, name, one)}" for name, one in entries.items())
            yield "\n".join((f"[frame.{what}]", *rows))
    section = given.get("section")
    if section is not None:
        properties = section if isinstance(section, Mapping) else {"section": section}
        yield "\n".join(("[frame.section]", *(f"{k} = {write.property(k, one)}" for k, one in properties.items())))


class _Frame:
    def __init__(self, word: Say, value: Say, key: Say) -> None:
        self.word, self.value, self.key = word, value, key

    def name(self, name: Any, what: str) -> str:
        """Of a node or member; a file knows texts only."""
        if not isinstance(name, str):
            raise FlexuraError(
                f"A model file has no word for {name!r} among the {what} of the frame, so nothing was written",
                advice="call nodes and members by texts, like 'A'",
                entry=name,
            )
        return self.key(name)

    def entry(self, what: str, name: Any, one: Any) -> str:
        """What stands behind a name."""
        if what == "supports":
            return self.word(one)
        if what == "members":
            return self._member(name, one)
        if isinstance(one, Mapping):
            return self._inline({motion: self.value(amount) for motion, amount in one.items()})
        if what == "masses" and isinstance(one, tuple | list) and not is_pair(one):
            return f"[{self.value(one)}, 0]"  # a name with its number, which a file would take for mass and inertia
        return self.value(one)

    def _member(self, name: Any, one: Any) -> str:
        a, b, *rest = one
        ends = [self.word(self._node(end, name)) for end in (a, b)]
        own = rest[0] if rest and rest[0] is not None else {}
        if isinstance(own, Member):
            raise FlexuraError(
                f"The member {name} was given as a part of its own, which a frame in a file is not, so nothing was"
                " written",
                advice="give its properties in a dict",
                part=str(name),
            )
        properties = own if isinstance(own, Mapping) else {"section": own}
        shown = [self._inline({k: self.property(k, given) for k, given in properties.items()})] if properties else []
        return f"[{', '.join((*ends, *shown))}]"

    def _node(self, node: Any, name: Any) -> str:
        self.name(node, f"ends of {name}")
        return str(node)

    def property(self, key: str, one: Any) -> str:
        """A quantity, or a word: the kind of a member, its section, its material, where it is pinned."""
        if key == "kind" and isinstance(one, type):
            return self.word(one.__name__)
        if key in WORDS:
            if not isinstance(one, str):
                raise FlexuraError(
                    f"A model file has no word for {key}={one!r}, so nothing was written",
                    advice=f"give {key} by name, or the numbers that follow from it",
                    keyword=key,
                )
            return self.word(one)
        return self.value(one)

    def _inline(self, entries: Mapping[str, str]) -> str:
        return f"{{ {', '.join(f'{k} = {one}' for k, one in entries.items())} }}"
