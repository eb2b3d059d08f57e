"""What a model file may hold, as a JSON Schema, so that editors complete its words and mark what is wrong.

>>> model_schema()["properties"]["parts"]["additionalProperties"]["oneOf"]

It is made of what reads files: a new kind of part is in it as soon as it is in `kinds.py`.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from flexura.model.files.document import ModelDocument
from flexura.model.files.kinds import CONNECTIONS, LOADS, PARTS, TEXTS, keywords
from flexura.parts.control import State
from flexura.parts.loads import Gravity

Schema = dict[str, Any]
_PLACE: Schema = {"type": "string", "description": 'like "ground", "hub", "hub.at(1, 0)", "beam.end", "beam.at(l/2)"'}
_BETWEEN: Schema = {"type": "array", "items": _PLACE, "minItems": 2, "maxItems": 2}
_QUANTITY: Schema = {
    "description": "a number, a number with a unit, a name, an expression, a name with its number, or a table of them",
    "anyOf": [{"type": ["number", "string", "boolean"]}, {"type": "array", "items": {"$ref": "#/$defs/quantity"}}],
}
_WORD: Schema = {"description": "a word, or a direction", "anyOf": [{"type": "string"}, {"type": "array"}]}


def model_schema() -> Schema:
    """The schema of a whole file."""
    schema = ModelDocument.model_json_schema()
    tables = schema["properties"]
    tables["parameters"]["additionalProperties"] = {"type": ["number", "string"]}
    tables["parts"]["additionalProperties"] = _one_of(PARTS, {})
    tables["connections"]["items"] = _one_of(CONNECTIONS, {"between": _BETWEEN})
    tables["loads"]["items"] = {"oneOf": [_load(name, kind) for name, kind in LOADS.items()]}
    tables["gravity"] = _table(Gravity, {})
    tables["states"]["additionalProperties"] = _table(State, {})
    return {
        **schema,
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A model of flexura",
        "$defs": {**schema.get("$defs", {}), "quantity": _QUANTITY},
    }


def _one_of(kinds: Mapping[str, Any], places: Schema) -> Schema:
    return {"oneOf": [_entry(name, kind, places) for name, kind in kinds.items()]}


def _load(name: str, kind: Any) -> Schema:
    where = "member" if "member" in inspect.signature(kind.__init__).parameters else "at"
    others = {key: _PLACE for key in ("reaction", "axes") if key in inspect.signature(kind.__init__).parameters}
    return _entry(name, kind, {where: _PLACE}, others)


def _entry(name: str, kind: Any, places: Schema, others: Schema | None = None) -> Schema:
    """The table of one kind: its name, its places, and its keywords."""
    table = _table(kind, {"kind": {"const": name}, **places, **(others or {})})
    return {**table, "required": ["kind", *places, *table["required"]]}


def _table(kind: Any, more: Schema) -> Schema:
    known = keywords(kind)
    words = {key: _WORD if key in TEXTS else {"$ref": "#/$defs/quantity"} for key in known}
    return {
        "type": "object",
        "description": (inspect.getdoc(kind) or "").partition("\n")[0],
        "properties": {**more, **words},
        "required": [key for key, needed in known.items() if needed],
        "additionalProperties": False,
    }
