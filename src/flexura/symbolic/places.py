"""Places as text: "hub", "hub.at(r, 0)", "beam.start", "beam.at(l/2)", "ground.at(1, 0)". Files and answers read them.

>>> read_place("beam.at(l/2)")        # PlaceText("beam", "at", ("l/2",))
"""

from __future__ import annotations

import re
from typing import NamedTuple

from flexura.errors import FlexuraError

_PLACE = re.compile(r"\s*(?P<part>[^\W\d]\w*)\s*(?:\.\s*(?:(?P<end>start|end)|at\s*\((?P<at>.*)\)))?\s*\Z", re.DOTALL)


class PlaceText(NamedTuple):
    """A part's name, which place of it ("", "start", "end" or "at"), and the coordinates of "at"."""

    part: str
    which: str
    at: tuple[str, ...] = ()


def read_place(text: str) -> PlaceText:
    """Take a place apart; whether there is such a part is for others to say."""
    found = _PLACE.match(text)
    if not found:
        raise FlexuraError(
            f"{text!r} is no place",
            advice="write a part's name, like 'hub', or a place of it, like 'beam.start', 'beam.at(l/2)' or"
            " 'hub.at(r, 0)'",
        )
    part, end, at = found.group("part", "end", "at")
    if at is None:
        return PlaceText(part, end or "")
    coordinates = tuple(one.strip() for one in _split(at))
    if not all(coordinates) or len(coordinates) > 3:
        raise FlexuraError(
            f"{text!r} is no place", advice="inside at(...) give one distance, or up to three coordinates"
        )
    return PlaceText(part, "at", coordinates)


def _split(text: str) -> list[str]:
    """At commas that no parentheses enclose."""
    found, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return found
