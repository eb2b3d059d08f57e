"""Damped."""
from __future__ import annotations
from dataclasses import dataclass
from typing import Any
@dataclass(frozen=True)
class Damped:
    eigenvalues: Any
def solve_damped(system: Any, count: int, near: Any) -> Any:
    raise NotImplementedError
