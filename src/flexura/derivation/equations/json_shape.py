"""What a document of equations holds, entry by entry: whoever wrote it, it is read only if it has this shape."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from flexura.derivation.equations.rows import Kind
from flexura.errors import FlexuraError

FORMAT = "flexura equations 1"
Name = Annotated[str, StringConstraints(min_length=1, max_length=1000)]
Tree = str
Trees = dict[Name, Tree]
Vector = Annotated[list[Tree], Field(min_length=3, max_length=3)]


class _JsonShape(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", allow_inf_nan=False)


class SumShape(_JsonShape):
    """Local terms and integrals along spines."""

    local: Tree
    integrals: Trees


class RowShape(_JsonShape):
    """One equation."""

    kind: Kind
    name: Name
    spine: str
    left: SumShape
    right: SumShape


class StepShape(_JsonShape):
    """One step of a derivation."""

    number: int
    title: str
    text: str
    content: list[RowShape]
    cuts: bool = False


class SpineShape(_JsonShape):
    """The axis of a member, and its fields."""

    name: Name
    start: Tree
    end: Tree
    fields: list[Name]


class ParameterShape(_JsonShape):
    """A parameter with its value and unit."""

    name: Name
    value: float | None
    unit: str
    parts: list[str]
    new: bool = False


class LocatedShape(_JsonShape):
    """Where a part is."""

    name: Name
    spine: str
    position: Vector
    rotation: Annotated[list[Vector], Field(min_length=3, max_length=3)]
    kind: str = ""


class AnchorShape(_JsonShape):
    """A place on a part."""

    part: str
    point: Vector
    everywhere: bool


class JoinShape(_JsonShape):
    """What joins two places."""

    kind: str
    p: AnchorShape
    q: AnchorShape
    axis: Vector = ["0", "0", "0"]
    name: str = ""


class MarkShape(_JsonShape):
    """A load or a coordinate at a place."""

    kind: str
    name: str
    at: AnchorShape
    axis: Vector
    of: str = ""


class BendShape(_JsonShape):
    """How a line bends."""

    member: str
    spine: str
    squared: Tree
    outward: int
    carried: list[str]
    hinged: bool
    held: bool = False


class GapShape(_JsonShape):
    """A loop that closes with the values its parts carry."""

    connection: str
    apart: Vector


class WheelShape(_JsonShape):
    """A body that rolls."""

    at: AnchorShape
    on: str
    contact: Vector
    axis: Vector


class MeshShape(_JsonShape):
    """Two joints that a gear ties."""

    p: AnchorShape
    q: AnchorShape
    ratio: Tree
    turns: tuple[bool, bool]


class GeometryShape(_JsonShape):
    """Where parts are, what joins them, how lines bend, what carries motions, and which loops other values may open."""

    parts: list[LocatedShape]
    joins: list[JoinShape]
    bends: list[BendShape] = []
    marks: list[MarkShape] = []
    carriers: dict[Name, dict[str, str]] = {}
    gaps: list[GapShape] = []
    wheels: list[WheelShape] = []
    meshes: list[MeshShape] = []


class LagrangianShape(_JsonShape):
    """The energies."""

    coordinates: list[Name]
    spines: list[SpineShape]
    kinetic: Tree
    potential: Tree
    dissipation: Tree
    density: Trees
    dissipation_density: Trees
    work: Trees
    boundary: Trees
    constraints: Trees
    prescribed: Trees
    states: Trees = Field(default_factory=dict)
    travelling: Trees = Field(default_factory=dict)
    contacts: dict[Name, Trees] = Field(default_factory=dict)
    work_density: dict[Name, Trees]
    parameters: list[ParameterShape]
    inputs: dict[Name, Literal["", "t", "x", "tx"]]
    members: dict[Name, list[Name]]
    loads: dict[Name, dict[Name, Trees]]
    story: dict[Annotated[str, StringConstraints(pattern=r"^\d{1,3}$")], str]
    geometry: GeometryShape | None = None
    ties: dict[Name, Name] = Field(default_factory=dict)
    spare: list[str] = Field(default_factory=list)
    per_length: list[str] = Field(default_factory=list)
    small: LagrangianShape | None = None


class DocumentShape(_JsonShape):
    """The whole."""

    format: str
    method: str
    speeds: Trees = Field(default_factory=dict)
    lagrangian: LagrangianShape
    rows: list[RowShape]
    steps: list[StepShape]


def document_of(text: str) -> DocumentShape:
    """The document in a text, or a sentence about where it is not one."""
    try:
        document = DocumentShape.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(one) for one in first["loc"]) or "the text"
        raise FlexuraError(
            f"This is not a document of equations: {where} has the wrong form ({first['msg'][:1].lower()}"
            f"{first['msg'][1:]})",
            advice="write one with equations.to_json()",
        ) from None
    if document.format != FORMAT:
        raise FlexuraError(f"The document says it is {document.format!r}", advice=f"this version reads {FORMAT!r}")
    _check_names(document)
    return document


def _check_names(document: DocumentShape) -> None:
    """Every spine that is spoken of exists, and no name is given twice."""
    energies = document.lagrangian
    spines = [one.name for one in energies.spines]
    fields = [name for one in energies.spines for name in one.fields]
    _once("coordinate", [*energies.coordinates, *energies.prescribed])
    _once("axis", spines)
    _once("field", [*fields, *energies.coordinates])
    _once("parameter", [one.name for one in energies.parameters])
    for name in _spoken(document):
        if name not in spines:
            raise FlexuraError(
                f"The document speaks of the axis {name!r}, which it does not hold", advice="write it again"
            )


def _spoken(document: DocumentShape) -> Iterator[str]:
    energies = document.lagrangian
    yield from (*energies.density, *energies.dissipation_density, *energies.work_density)
    for names in energies.members.values():
        yield from names
    rows = [*document.rows, *(row for step in document.steps for row in step.content)]
    for row in rows:
        needed = row.spine or row.kind == "partial"
        yield from (*([row.spine] if needed else ()), *row.left.integrals, *row.right.integrals)


def _once(what: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise FlexuraError(f"The document holds the {what} {name!r} twice", advice="write it again")
        seen.add(name)
