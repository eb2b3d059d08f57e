"""The energies of a model with one of its connections giving way: what drives the gap is what the connection exerts.

>>> Release(description, frozenset(), {})(clamp, along=(EY,), about=())        # $gap1 is prescribed, and stays zero
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.model.builder import Builder
from flexura.model.gaps import Gap
from flexura.parts.description import Description
from flexura.parts.joints import Connection
from flexura.symbolic.engine import Symbol
from flexura.symbolic.kinematics.vectors import Vector


@dataclass(frozen=True, eq=False)
class Small:
    """The energies of a model anew, to second order in all deflections: enough where these are small."""

    described: Description
    idle: frozenset[str]

    def __call__(self) -> Lagrangian:
        """With its parts, and connections that can give way."""
        told = self.described
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what was to be told has been
            builder = Builder(
                told.things, told.measured_from, told.names, told.foreshortening, self.idle, None, tied=False
            )
            found = builder.lagrangian()
        return found.changed(release=Release(builder.described, builder.idle, builder.placed.owners, tied=False))


@dataclass(frozen=True, eq=False)
class Release:
    """The energies of a model anew, with one of its connections giving way."""

    described: Description
    idle: frozenset[str]
    coordinates: Mapping[str, Any]
    tied: bool = True

    def __call__(self, connection: Any, along: tuple[Vector, ...], about: tuple[Vector, ...]) -> Lagrangian:
        """With the gaps $gap1, $gap2, ... as prescribed coordinates that stay zero: along, then about."""
        names = iter(Symbol(f"$gap{i}") for i in range(1, 1 + len(along) + len(about)))
        forces = tuple((next(names), one) for one in along)
        gap = Gap(self.find(connection), forces, tuple((next(names), one) for one in about))
        told = self.described
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what was to be told has been
            builder = Builder(
                told.things, told.measured_from, told.names, told.foreshortening, self.idle, gap, self.tied
            )
            return builder.lagrangian().changed(source=None, motion=None)

    def find(self, connection: Any) -> Connection:
        """The connection itself, or that of a name: its own or its coordinate's."""
        known = [one for one in self.described.things if isinstance(one, Connection)]
        if any(one is connection for one in known):
            return cast(Connection, connection)
        named = [one for one in known if connection in (getattr(one, "name", ""), repr(one))]
        found = [*named, *([self.coordinates[connection]] if connection in self.coordinates else [])]
        if isinstance(connection, str) and found:
            return cast(Connection, found[0])
        raise FlexuraError(
            f"The model has no connection {connection!r}",
            advice=f"it has {', '.join(map(repr, known)) or 'none'}",
        )
