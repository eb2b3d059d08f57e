"""Equations as JSON and back, losslessly: trees are written in the text grammar, names mean what they mean inside."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.json_shape import (
    FORMAT,
    AnchorShape,
    GeometryShape,
    LagrangianShape,
    LocatedShape,
    RowShape,
    document_of,
)
from flexura.derivation.equations.rows import Row, Sum
from flexura.derivation.equations.steps import Step
from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.errors import FlexuraError
from flexura.symbolic.engine import Basic
from flexura.symbolic.expression import ParameterDeclaration
from flexura.symbolic.kinematics.geometry import Anchor, Bend, Gap, Geometry, Join, Located, Mark, Mesh, Wheel
from flexura.symbolic.kinematics.vectors import Vector
from flexura.symbolic.parser import parse, to_text

_BY_NAME = ("density", "dissipation_density", "work", "boundary", "constraints", "prescribed", "states", "travelling")


def equations_to_json(equations: Equations) -> str:
    """One JSON document."""
    document = {
        "format": FORMAT,
        "method": equations.method,
        "speeds": _trees_out(equations.speeds),
        "lagrangian": _lagrangian_out(equations.lagrangian),
        "rows": [_row_out(row) for row in equations.derived],
        "steps": [
            {
                "number": s.number,
                "title": s.title,
                "text": s.text,
                "content": [_row_out(row) for row in s.content],
                "cuts": s.cuts,
            }
            for s in equations.steps
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def equations_from_json(text: str) -> Equations:
    """Read a document back."""
    document = document_of(text)
    energies = _lagrangian_in(document.lagrangian)
    _check_ends(energies)
    steps = tuple(
        Step(s.number, s.title, s.text, tuple(map(_row_in, s.content)), energies, s.cuts) for s in document.steps
    )
    return Equations(energies, document.method, tuple(map(_row_in, document.rows)), steps, _trees_in(document.speeds))


def _check_ends(energies: Lagrangian) -> None:
    """Ends of an axis do not move, and no value at an end is given through itself."""
    for spine in energies.spines:
        if energies.jets.unknowns(spine.start) or energies.jets.unknowns(spine.end):
            raise FlexuraError(
                f"The axis {spine.name} of the document has ends that move", advice="write the document again"
            )
    try:
        energies.settled_boundary  # noqa: B018  # reading it follows what is given through what
    except RecursionError:
        raise FlexuraError(
            "A value at an end is given through itself in the document", advice="write it again"
        ) from None


def _lagrangian_out(energies: Lagrangian) -> dict[str, Any]:
    return {
        "coordinates": list(energies.coordinates),
        "spines": [
            {"name": s.name, "start": to_text(s.start), "end": to_text(s.end), "fields": list(s.fields)}
            for s in energies.spines
        ],
        **{name: to_text(getattr(energies, name)) for name in ("kinetic", "potential", "dissipation")},
        **{name: _trees_out(getattr(energies, name)) for name in _BY_NAME},
        "work_density": _each(_trees_out, energies.work_density),
        "parameters": [
            {"name": p.name, "value": p.value, "unit": p.unit, "parts": list(p.parts), "new": p.new}
            for p in energies.parameters.values()
        ],
        "inputs": {name: "".join(sorted(of)) for name, of in energies.inputs.items()},
        "members": {name: list(spines) for name, spines in energies.members.items()},
        "loads": {name: _each(_trees_out, parts) for name, parts in energies.loads.items()},
        "contacts": _each(_trees_out, energies.contacts),
        "ties": dict(energies.ties),
        "spare": list(energies.spare),
        "per_length": list(energies.per_length),
        "small": None if energies.small is None else _lagrangian_out(energies.of_small_motions),
        "story": {str(number): text for number, text in energies.story.items()},
        "geometry": _geometry_out(energies.geometry),
    }


def _lagrangian_in(data: LagrangianShape) -> Lagrangian:
    return Lagrangian.of_parts(
        coordinates=tuple(data.coordinates),
        spines=tuple(Spine(s.name, _in(s.start), _in(s.end), tuple(s.fields)) for s in data.spines),
        **{name: _in(getattr(data, name)) for name in ("kinetic", "potential", "dissipation")},
        **{name: _trees_in(getattr(data, name)) for name in _BY_NAME},
        work_density=_each(_trees_in, data.work_density),
        parameters={
            p.name: ParameterDeclaration(p.name, p.value, p.unit, tuple(p.parts), new=p.new) for p in data.parameters
        },
        inputs={name: frozenset(of) for name, of in data.inputs.items()},
        members={name: tuple(spines) for name, spines in data.members.items()},
        loads={name: _each(_trees_in, parts) for name, parts in data.loads.items()},
        contacts=_each(_trees_in, data.contacts),
        ties=dict(data.ties),
        spare=tuple(data.spare),
        per_length=tuple(data.per_length),
        small=None if data.small is None else _lagrangian_in(data.small),
        story={int(number): text for number, text in data.story.items()},
        motion=None,
        geometry=None if data.geometry is None else _geometry_in(data.geometry),
    )


def _geometry_out(geometry: Geometry | None) -> dict[str, Any] | None:
    if geometry is None:
        return None
    return {
        "parts": [
            {
                "name": one.name,
                "spine": one.spine,
                "position": list(map(to_text, one.position)),
                "rotation": [list(map(to_text, row)) for row in one.rotation],
                "kind": one.kind,
            }
            for one in geometry.parts
        ],
        "joins": [
            {
                "kind": one.kind,
                "p": _anchor_out(one.p),
                "q": _anchor_out(one.q),
                "axis": list(map(to_text, one.axis)),
                "name": one.name,
            }
            for one in geometry.joins
        ],
        "bends": [
            {
                "member": one.member,
                "spine": one.spine,
                "squared": to_text(one.squared),
                "outward": one.outward,
                "carried": list(one.carried),
                "hinged": one.hinged,
                "held": one.held,
            }
            for one in geometry.bends
        ],
        "marks": [
            {
                "kind": one.kind,
                "name": one.name,
                "at": _anchor_out(one.at),
                "axis": list(map(to_text, one.axis)),
                "of": one.of,
            }
            for one in geometry.marks
        ],
        "carriers": {spine: dict(carried) for spine, carried in geometry.carriers.items()},
        "gaps": [{"connection": one.connection, "apart": list(map(to_text, one.apart))} for one in geometry.gaps],
        "wheels": [
            {
                "at": _anchor_out(one.at),
                "on": one.on,
                "contact": list(map(to_text, one.contact)),
                "axis": list(map(to_text, one.axis)),
            }
            for one in geometry.wheels
        ],
        "meshes": [
            {
                "p": _anchor_out(one.p),
                "q": _anchor_out(one.q),
                "ratio": to_text(one.ratio),
                "turns": list(one.turns),
            }
            for one in geometry.meshes
        ],
    }


def _anchor_out(anchor: Anchor) -> dict[str, Any]:
    return {"part": anchor.part, "point": list(map(to_text, anchor.point)), "everywhere": anchor.everywhere}


def _geometry_in(data: GeometryShape) -> Geometry:
    def located(one: LocatedShape) -> Located:
        a, b, c = map(_vector_in, one.rotation)
        return Located(one.name, one.spine, _vector_in(one.position), (a, b, c), one.kind)

    def anchor(one: AnchorShape) -> Anchor:
        return Anchor(one.part, _vector_in(one.point), one.everywhere)

    joins = (Join(one.kind, anchor(one.p), anchor(one.q), _vector_in(one.axis), one.name) for one in data.joins)
    bends = (
        Bend(one.member, one.spine, _in(one.squared), one.outward, tuple(one.carried), one.hinged, one.held)
        for one in data.bends
    )
    marks = (Mark(one.kind, one.name, anchor(one.at), _vector_in(one.axis), one.of) for one in data.marks)
    gaps = (Gap(one.connection, _vector_in(one.apart)) for one in data.gaps)
    wheels = (Wheel(anchor(one.at), one.on, _vector_in(one.contact), _vector_in(one.axis)) for one in data.wheels)
    meshes = (Mesh(anchor(one.p), anchor(one.q), _in(one.ratio), one.turns) for one in data.meshes)
    return Geometry(
        tuple(map(located, data.parts)),
        tuple(joins),
        tuple(bends),
        tuple(marks),
        data.carriers,
        tuple(gaps),
        tuple(wheels),
        tuple(meshes),
    )


def _vector_in(texts: Iterable[str]) -> Vector:
    x, y, z = map(_in, texts)
    return (x, y, z)


def _row_out(row: Row) -> dict[str, Any]:
    sides = {
        name: {"local": to_text(s.local), "integrals": _trees_out(s.integrals)}
        for name, s in zip(("left", "right"), row.sides, strict=True)
    }
    return {"kind": row.kind, "name": row.name, "spine": row.spine, **sides}


def _row_in(data: RowShape) -> Row:
    left, right = (Sum(_in(side.local), _trees_in(side.integrals)) for side in (data.left, data.right))
    return Row(data.kind, data.name, left, right, data.spine)


def _each(change: Callable[[Any], Any], parts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: change(part) for name, part in parts.items()}


def _trees_out(trees: Mapping[str, Basic]) -> dict[str, str]:
    return {name: to_text(f) for name, f in trees.items()}


def _trees_in(texts: Mapping[str, str]) -> dict[str, Basic]:
    return {name: _in(text) for name, text in texts.items()}


def _in(text: str) -> Basic:
    return parse(text, internal=True).engine
