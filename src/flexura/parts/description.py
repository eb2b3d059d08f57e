"""What a user described: the arguments of `fx.Model` as data, kept with the energies that were written from them.

>>> fx.Mass("m", "2 kg").given             # {"name": "m", "m": "2 kg"}: as it was said, so that a file can say it
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self


@dataclass(frozen=True, eq=False)
class Description:
    """Parts, connections and loads as listed, and how deflections are measured and ends named."""

    things: tuple[Any, ...]
    measured_from: Mapping[Any, Any]
    names: Mapping[Any, Any]
    foreshortening: bool


class Described:
    """A part that remembers the words it was made with."""

    def __new__(cls, *arguments: Any, **keywords: Any) -> Self:
        """Keep what is said; what it means is read by `__init__`."""
        made = super().__new__(cls)
        object.__setattr__(made, "_said", (arguments, keywords))
        return made

    @property
    def given(self) -> dict[str, Any]:
        """The arguments by name, as they were given; those left out are not there."""
        arguments, keywords = self.__dict__["_said"]
        said = inspect.signature(type(self).__init__).bind(self, *arguments, **keywords).arguments
        return dict(list(said.items())[1:])
