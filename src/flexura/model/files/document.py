"""What a model file may hold, before anything is built: tables of the right shape under known names."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

Entry = dict[str, Any]


class ModelDocument(BaseModel):
    """A model file: parameters, parts and states by name, then lists of connections and loads."""

    model_config = ConfigDict(extra="forbid", strict=True)

    title: str = ""
    parameters: dict[str, int | float | str] = Field(default_factory=dict)
    parts: dict[str, Entry] = Field(default_factory=dict)
    frame: Entry | None = None
    connections: list[Entry] = Field(default_factory=list)
    loads: list[Entry] = Field(default_factory=list)
    gravity: Entry | None = None
    constraints: list[str] = Field(default_factory=list)
    states: dict[str, Entry] = Field(default_factory=dict)
    measured_from: dict[str, str] = Field(default_factory=dict)
    names: dict[str, str | list[str]] = Field(default_factory=dict)
    foreshortening: bool = True
