"""A discretised system without its equations, as a simulation sees it: names only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from flexura.systems.nonlinear import NonlinearSystem


@dataclass(frozen=True, eq=False)
class Bare:
    """What equations would say of a system that came alone. It stands for the equations and for their energies."""

    system: NonlinearSystem
    members: Mapping[str, Any] = field(default_factory=dict)
    loads: Mapping[str, Any] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    settled_boundary: Mapping[str, Any] = field(default_factory=dict)
    work: Mapping[str, Any] = field(default_factory=dict)
    work_density: Mapping[str, Any] = field(default_factory=dict)
    geometry: None = None

    @property
    def lagrangian(self) -> Bare:
        """Itself."""
        return self

    @property
    def fields(self) -> tuple[str, ...]:
        """Names of the fields."""
        return tuple(self.system.fields)

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """Unknowns that are no amplitudes."""
        return tuple(name for name in self.system.names if "[" not in name and "@" not in name)

    @property
    def prescribed(self) -> tuple[str, ...]:
        """Names of the coordinates whose motion is given."""
        return self.system.prescribed

    @cached_property
    def inputs(self) -> dict[str, frozenset[str]]:
        """Inputs and what they depend on."""
        spread = {slot.name for slot in self.system.slots if slot.points is not None}
        return {name: frozenset("xt" if name in spread else "t") for name in self.system.inputs}
