"""What an operating state is: a steady deformation, the motion it goes with, and what bearings must carry."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[np.float64]
_ROUNDING = 1e-12  # digits below it differ from one processor to the next and are not shown


@checked_methods
@dataclass(frozen=True, eq=False)
class Reactions(Mapping[str, float]):
    """Forces and torques that guides or bearings exert, by the motion they hold; an array to NumPy."""

    values_by_name: Mapping[str, float]

    __eq__, __hash__ = object.__eq__, object.__hash__  # never of the arrays that it holds

    def __getitem__(self, name: str) -> float:
        if name not in self.values_by_name:
            raise FlexuraError(f"There is no reaction {name!r}", advice=f"there are {', '.join(self) or 'none'}")
        return self.values_by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        return np.array(list(self.values_by_name.values()), dtype=dtype or np.float64)


@dataclass(frozen=True, eq=False)
class OperatingState:
    """A steady state: `deformation` (n,) without rigid part, `rate`, `reactions` and the `residual` of its equation.

    `rate` is the acceleration or velocity of every row, (n,), or the angular speed in rad/s; `motion` is the same by
    the names of rigid motions. `residual` is relative to the terms that balance. `critical_speed` is where a rotating
    structure would lose its stiffness. `notes` say what was assumed.
    """

    kind: str
    deformation: Array
    rate: Any
    reactions: Reactions
    residual: float
    motion: Mapping[str, float] = field(default_factory=dict)
    axis: Array | None = None
    critical_speed: float = np.inf
    iterations: int = 0
    notes: tuple[str, ...] = ()
    system: SecondOrderSystem | None = field(default=None, repr=False)
    load: Any = field(default=None, repr=False)

    @property
    def elastic_energy(self) -> float:
        """x'Kx/2, from the load that the deformation balances."""
        assert self.system is not None
        return float(self.deformation @ (self.system.K @ self.deformation)) / 2

    def __str__(self) -> str:
        """The state in a few lines."""
        unit = {"acceleration": "", "velocity": ""}.get(self.kind, " rad/s")
        motion = ", ".join(f"{name} {value:.6g}{unit}" for name, value in self.motion.items()) or "none"
        carried = ", ".join(f"{name} {value:.6g}" for name, value in self.reactions.items() if value) or "none"
        lines = [f"Constant {self.kind}: {motion}", f"largest deformation {np.abs(self.deformation).max():.6g}"]
        balance = "below 1e-12" if self.residual < _ROUNDING else f"{self.residual:.1e}"
        lines += [f"reactions: {carried}", f"residual {balance}", *self.notes]
        return "\n".join(lines)


def backward_residual(K: Any, x: Array, right: Array) -> float:
    """|K x - right| relative to |K||x| + |right|: what round-off alone leaves is about 1e-16."""
    size = float(np.linalg.norm(abs(K) @ np.abs(x)) + np.linalg.norm(right))
    return float(np.linalg.norm(K @ x - right) / size) if size else 0.0
