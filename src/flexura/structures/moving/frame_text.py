"""What a file about a frame on a moving body may hold, and its numbers: the arguments of `fx.BeamFrame` as plain data.

[frame]
about = "x"
nodes = [[0, 0, 0], ["l/2", 0, 0], ["l", 0, 0]]
elements = [[0, 1], [1, 2]]
section = {E = "210 GPa", G = "81 GPa", rho = 7800, A = "pi*r**2", Iy = "pi*r**4/4", Iz = "pi*r**4/4"}
bodies = {1 = {m = "12 kg", I = [0.09, 0.045, 0.045]}}
bearings = {0 = ["x", "20 kN/mm"], 2 = ["x", "20 kN/mm"]}
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from flexura.errors import FlexuraError
from flexura.files.toml_quantities import Quantities
from flexura.files.toml_source import Source

Path = tuple[str | int, ...]
Rows = list[list[Any]]


class BodyTable(BaseModel):
    """A rigid body on a node."""

    model_config = ConfigDict(extra="forbid", strict=True)
    m: Any
    I: Any = 0.0
    centre: list[Any] = Field(default_factory=lambda: [0.0, 0.0, 0.0])


class LinkTable(BaseModel):
    """A node tied to another."""

    model_config = ConfigDict(extra="forbid", strict=True)
    node: int
    tied: int
    motions: str = "all"


class BearingTable(BaseModel):
    """A bearing on ground: k and c are numbers, pairs or 2 x 2, or lists of these over `speeds`."""

    model_config = ConfigDict(extra="forbid", strict=True)
    k: Any
    c: Any = 0.0
    speeds: list[Any] | None = None


class RotorTable(BaseModel):
    """What makes the frame a rotor that ground sees: bearings that may differ across the axis, and unbalance."""

    model_config = ConfigDict(extra="forbid", strict=True)
    bearings: dict[str, BearingTable] = Field(min_length=1)
    unbalance: dict[str, Any] = Field(default_factory=dict)


class FrameTable(BaseModel):
    """The words of `fx.BeamFrame`, the axis it turns about, and into how many each element is cut."""

    model_config = ConfigDict(extra="forbid", strict=True)
    nodes: Rows
    elements: Rows
    about: Literal["x", "y", "z"] = "x"
    refine: int = Field(default=1, ge=1)
    section: dict[str, Any] | None = None
    sections: dict[str, dict[str, Any]] = Field(default_factory=dict)
    supports: dict[str, str] = Field(default_factory=dict)
    bodies: dict[str, BodyTable] = Field(default_factory=dict)
    springs: dict[str, dict[str, Any]] = Field(default_factory=dict)
    dampers: dict[str, dict[str, Any]] = Field(default_factory=dict)
    bearings: dict[str, list[Any]] = Field(default_factory=dict)
    links: list[LinkTable] = Field(default_factory=list)
    offsets: dict[str, Rows] = Field(default_factory=dict)
    damping: list[Any] = Field(default_factory=lambda: [0.0, 0.0], min_length=2, max_length=2)
    y_axis: list[Any] | None = None
    shear: bool = True
    section_energy: str = "consistent"


class FrameDocument(BaseModel):
    """A file about a frame."""

    model_config = ConfigDict(extra="forbid", strict=True)
    title: str = ""
    parameters: dict[str, int | float | str] = Field(default_factory=dict)
    frame: FrameTable
    rotor: RotorTable | None = None


class FrameText:
    """A frame's file as numbers: `arguments()` for `fx.BeamFrame`, `sections` by name, all else in `document`."""

    def __init__(self, text: str, name: str, values: Mapping[str, Any] | None = None) -> None:
        """`values` replace parameters of the file."""
        self.source = Source(text, name, FrameDocument)
        self.document = self.source.document
        self.frame = self.document.frame
        self.quantities = Quantities()
        given = self.document.parameters
        unknown = [one for one in values or {} if one not in given]
        if unknown:
            known = f"it has {', '.join(given)}" if given else "it has none, so write one under [parameters] first"
            raise FlexuraError(f"The file {name} has no parameter {unknown[0]}", advice=known)
        for parameter, value in {**given, **(values or {})}.items():
            with self.source.within("parameters", parameter):
                self.quantities.add(parameter, value)

    @property
    def sections(self) -> dict[str, dict[str, Any]]:
        """The sections by name; the only one, if they have none, is called by no name."""
        table = self.frame
        if (table.section is None) == (not table.sections):
            raise FlexuraError(
                "a frame has one [frame.section], or several [frame.sections.NAME]",
                advice="give one",
                place=self.source.place("frame"),
            )
        if table.section is not None:
            return {"": self._section(table.section, ("frame", "section"))}
        return {name: self._section(one, ("frame", "sections", name)) for name, one in table.sections.items()}

    def section_path(self, element: int) -> Path:
        """Where the section of an element stands."""
        name = self.names()[element]
        return ("frame", "sections", name) if name else ("frame", "section")

    def path(self, keyword: str, entry: Any) -> Path:
        """Where what a frame's keyword holds for a node, an element or a pair of nodes stands."""
        if keyword == "links":
            pairs = [(one.node, one.tied) for one in self.frame.links]
            return ("frame", "links", pairs.index(entry)) if entry in pairs else ("frame", "links")
        return ("frame", keyword) if entry is None else ("frame", keyword, str(entry))

    def names(self) -> list[str]:
        """The name of the section of each element."""
        named = bool(self.frame.sections)
        found = []
        for e, row in enumerate(self.frame.elements):
            name = row[2] if named and len(row) == 3 else ""
            if named and name not in self.frame.sections:
                what = f"names the section {name!r}" if len(row) == 3 else "names no section"
                known = ", ".join(self.frame.sections)
                raise FlexuraError(
                    f"element {e} {what}",
                    advice=f"write [node, node, section], with one of {known}",
                    place=self.source.place("frame", "elements"),
                )
            found.append(str(name))
        return found

    def arguments(self) -> dict[str, Any]:
        """The arguments of `fx.BeamFrame`, but for its section."""
        table, axis = self.frame, self.frame.y_axis
        made = {
            "nodes": [self._row(row, f"node {k}", "m", "frame", "nodes") for k, row in enumerate(table.nodes)],
            "elements": [row[:2] if table.sections else row for row in table.elements],
            "supports": {_node(key): one for key, one in table.supports.items()},
            "bodies": {_node(key): self._body(key, one) for key, one in table.bodies.items()},
            "springs": {_node(key): self._spring(key, one, "springs") for key, one in table.springs.items()},
            "dampers": {_node(key): self._spring(key, one, "dampers") for key, one in table.dampers.items()},
            "bearings": {_node(key): self._bearing(key, one) for key, one in table.bearings.items()},
            "links": {(one.node, one.tied): one.motions for one in table.links},
            "offsets": {_node(key): self._offset(key, one) for key, one in table.offsets.items()},
            "damping": tuple(self._row(table.damping, "the frame", None, "frame", "damping")),
            "y_axis": None if axis is None else self._row(axis, "the frame", None, "frame", "y_axis"),
            "shear": table.shear,
            "section_energy": table.section_energy,
        }
        return made

    def bearings(self) -> dict[Any, dict[str, Any]]:
        """The arguments of fx.Bearing by node, where there is a [rotor]."""
        rotor = self.document.rotor
        return {} if rotor is None else {_node(key): self._ground(key, one) for key, one in rotor.bearings.items()}

    def unbalance(self) -> dict[Any, float]:
        """Mass times eccentricity by node."""
        given = {} if self.document.rotor is None else self.document.rotor.unbalance
        where = ("rotor", "unbalance")
        return {_node(key): self._number(one, key, "the unbalance", "kg*m", *where) for key, one in given.items()}

    def _ground(self, key: str, one: BearingTable) -> dict[str, Any]:
        owner, path = f"the bearing of node {key}", ("rotor", "bearings", key)
        made = {
            word: self._nested(getattr(one, word), word, owner, unit, path)
            for word, unit in (("k", "N/m"), ("c", "N*s/m"))
        }
        if one.speeds is None:
            return made
        speeds = self._nested(one.speeds, "speeds", owner, "rad/s", path)
        over = {word: (speeds, value) for word, value in made.items() if isinstance(value, list)}
        if not over:
            raise FlexuraError(
                f"{owner} has speeds, but neither k nor c is a list over them",
                advice="give one value for each speed, or leave speeds out",
                place=self.source.place(*path, "speeds"),
            )
        return {**made, **over}

    def _nested(self, given: Any, word: str, owner: str, unit: str, path: Path) -> Any:
        if isinstance(given, list):
            return [self._nested(one, word, owner, unit, path) for one in given]
        return self._number(given, word, owner, unit, *path, word)

    def _number(self, value: Any, keyword: str, owner: str, unit: str | None, *path: str | int) -> float:
        with self.source.within(*path):
            return self.quantities.number(value, keyword, owner, unit)

    def _row(self, values: Any, owner: str, unit: str | None, *path: str | int) -> list[float]:
        keyword = "place" if unit == "m" else str(path[-1])
        return [self._number(one, keyword, owner, unit, *path) for one in values]

    def _section(self, given: dict[str, Any], path: Path) -> dict[str, Any]:
        """Expressions in x with the values of their names."""
        read = {}
        for key, value in given.items():
            with self.source.within(*path, key):
                read[key] = self.quantities.known(self.quantities.read(value, key), f"The {key} of the section")
        return read

    def _body(self, key: str, one: BodyTable) -> tuple[Any, ...]:
        owner, path = f"the body of node {key}", ("frame", "bodies", key)
        mass = self._number(one.m, "m", owner, "kg", *path)
        centre = self._row(one.centre, owner, "m", *path)
        return mass, self._inertia(one.I, owner, path), centre

    def _inertia(self, given: Any, owner: str, path: Path) -> Any:
        if isinstance(given, list):
            return [self._inertia(one, owner, path) for one in given]
        return self._number(given, "I", owner, "kg*m**2", *path)

    def _spring(self, key: str, given: dict[str, Any], what: str) -> dict[str, float]:
        owner, path = f"the {what[:-1]} of node {key}", ("frame", what, key)
        return {name: self._number(one, name, owner, _unit(name, what), *path) for name, one in given.items()}

    def _bearing(self, key: str, given: list[Any]) -> tuple[Any, ...]:
        owner, path = f"the bearing of node {key}", ("frame", "bearings", key)
        units = zip(given[1:], ("k", "c"), ("N/m", "N*s/m"), strict=False)
        numbers = [self._number(one, word, owner, unit, *path) for one, word, unit in units]
        return (*given[:1], *numbers, *given[3:])

    def _offset(self, key: str, given: Rows) -> list[list[float]]:
        return [self._row(row, f"the offset of element {key}", "m", "frame", "offsets", key) for row in given]

    def refuse_unused(self) -> None:
        """Parameters that nothing read are mistakes."""
        for name in self._unused():
            raise FlexuraError(
                f"the parameter {name} is used nowhere",
                advice="use it, or leave it out",
                place=self.source.place("parameters", name),
            )

    def _unused(self) -> Iterator[str]:
        _ = self.sections
        return (name for name in self.document.parameters if name not in self.quantities.used)


def _node(key: str) -> int | str:
    """The number of a node; what is none is refused by the frame, which knows its nodes."""
    return int(key) if key.isdigit() else key


def _unit(motions: str, what: str) -> str | None:
    turning = {one in ("alpha", "beta", "gamma") for one in motions.split()}
    if len(turning) != 1:
        return None  # the coupling of a displacement with a rotation, or no motion at all
    unit = "N*m/rad" if turning == {True} else "N/m"
    return unit.replace("N", "N*s") if what == "dampers" else unit
