"""A TOML file becomes a frame on a moving body; what is wrong in it is said with its line.

>>> file = fx.read_frame("shaft.toml")
>>> fx.whirl(file.frame, np.linspace(0, 500, 11), file.about)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.files.toml_source import text_of
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.frame_text import FrameText
from flexura.structures.moving.rotor import Bearing, Rotor
from flexura.structures.moving.section import Section


@checked_methods
@dataclass(frozen=True)
class FrameFile:
    """What a file describes: the frame, the axis through the origin it turns about, and a title.

    With a [rotor], `rotor` is the frame on its bearings, and `unbalance` {node: mass x eccentricity}.
    """

    frame: BeamFrame
    about: str
    title: str
    rotor: Rotor | None = None
    unbalance: Mapping[int, float] = field(default_factory=dict)


def read_frame(path: str | Path, values: Mapping[str, Any] | None = None) -> FrameFile:
    """Read a frame from a file that ends in .toml; `values` replace the parameters of the file."""
    path = Path(path)
    return frame_of_text(text_of(path), path.name, values, path.stem)


def frame_of_text(
    text: str, name: str = "the frame", values: Mapping[str, Any] | None = None, title: str = ""
) -> FrameFile:
    """The same from text; `name` stands in sentences."""
    given = FrameText(text, name, values)
    sections = {one: _section(given, one, properties) for one, properties in given.sections.items()}
    each, arguments = [sections[one] for one in given.names()], given.arguments()
    if given.frame.refine > 1 and given.frame.offsets:
        raise FlexuraError(
            "a frame with offsets cannot be cut",
            advice="leave refine out and write the nodes in between",
            place=given.source.place("frame", "refine"),
        )
    try:
        frame = BeamFrame(section=each, **arguments)
    except FlexuraError as error:
        raise error.with_(place=given.source.place(*_path(error, given))) from None
    frame, about = frame.refined(given.frame.refine), given.frame.about
    rotor, unbalance = _rotor(given, frame), given.unbalance()
    given.refuse_unused()
    return FrameFile(frame, about, given.document.title or title, rotor, unbalance)


def _rotor(given: FrameText, frame: BeamFrame) -> Rotor | None:
    """The frame on its bearings; a node that does not exist is refused with its line."""
    found: dict[Any, Bearing] = {}
    for node, words in given.bearings().items():
        with given.source.within("rotor", "bearings", str(node)):
            found[node] = Bearing(**words)
    if not found:
        return None
    try:
        return Rotor(frame, found, given.frame.about)
    except FlexuraError as error:
        entry = () if error.entry is None else (str(error.entry),)
        raise error.with_(place=given.source.place("rotor", "bearings", *entry)) from None


def _section(given: FrameText, name: str, properties: dict[str, Any]) -> Section:
    path = ("frame", "sections", name) if name else ("frame", "section")
    words = [one for one in Section.__dataclass_fields__ if one != "start"]
    with given.source.within(*path):
        extra = [one for one in properties if one not in words]
        if extra:
            raise FlexuraError(f"A section takes no {extra[0]!r}", advice=f"it takes {', '.join(words)}")
        missing = [one for one in words[:6] if one not in properties]
        if missing:
            raise FlexuraError(f"The section {name or 'of the frame'} needs {', '.join(missing)}", advice="add it")
        return Section(**properties)


def _path(error: FlexuraError, given: FrameText) -> tuple[str | int, ...]:
    """The entry of the file that an error of a frame is about."""
    if error.part == "section" and error.entry is not None:
        return (*given.section_path(error.entry), error.keyword)
    return given.path(error.keyword, error.entry) if error.keyword else ("frame",)
