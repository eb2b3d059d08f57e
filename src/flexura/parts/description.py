"""What a user described: the arguments of `fx.Model` as data, kept with the energies that were written from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class Description:
    """Parts, connections and loads as listed, and how deflections are measured and ends named."""

    things: tuple[Any, ...]
    measured_from: Mapping[Any, Any]
    names: Mapping[Any, Any]
    foreshortening: bool
