"""What a model file may hold, before anything is built: tables of the right shape under known names."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

Entry = dict[str, Any]


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class ResponseAsked(_Asked):
    """A frequency response for a report, over omega in rad/s."""

    load: str
    output: str
    first: float = Field(alias="from", ge=0)
    last: float = Field(alias="to", gt=0)
    points: int = Field(default=200, ge=2)


class RunAsked(_Asked):
    """A run for a report, from rest or from what is given."""

    until: float = Field(gt=0)
    points: int = Field(default=201, ge=2)
    initial: dict[str, int | float | str] = Field(default_factory=dict)
    inputs: dict[str, int | float | str] = Field(default_factory=dict)


class ReportAsked(_Asked):
    """What `flexura report` shows beside the derivation and its proof."""

    modes: int = Field(default=0, ge=0)
    response: ResponseAsked | None = None
    run: RunAsked | None = None


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
    report: ReportAsked | None = None
