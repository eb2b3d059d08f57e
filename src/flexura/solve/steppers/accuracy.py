"""How far a run may be from the true motion, and what each of its proofs proves.

>>> run.error.time["theta"], run.error.shapes["w"], run.error.theory["beam"]
>>> print(run.error)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

ENERGY_PROVES = (
    "The balance proves that forces, velocities and energies fit together along the motion that was found; it does not"
    " prove that this motion stays near the true one, nor that members have shapes enough: see run.error."
)

_DEFECTS = "Defects of the run, carried along by the linearised equations"
_MOST = 6  # that are listed of many


@dataclass(frozen=True)
class MotionError:
    """Estimates of what separates a run from the true motion: steps in time, shapes of members, their theory.

    `time`: the largest error of each coordinate and field, in its own unit, at the times of the run; `time_share` is
    the largest of them as a part of that coordinate's motion. `shapes`: for each group of members, what their shapes
    leave out, as a part of their motion; empty where they have none. `theory`: for each member,
    what small deflections leave out, as a part of its deflection. `growth`: how much small errors grew on the way.
    `basis` says what the estimate of the steps rests on; `members` whether there are any, which matrices do not tell.
    """

    time: Mapping[str, float] = field(default_factory=dict)
    time_share: float = 0.0
    shapes: Mapping[str, float] = field(default_factory=dict)
    theory: Mapping[str, float] = field(default_factory=dict)
    growth: float = 1.0
    basis: str = _DEFECTS
    members: bool = True

    @property
    def share(self) -> float:
        """All parts together, as a part of the motion; one where nothing is left of it."""
        parts = (max(one.values(), default=0.0) for one in (self.shapes, self.theory))
        return min(1.0, self.time_share + sum(parts))

    def __str__(self) -> str:
        """The estimates, and what they rest on."""
        steps = (
            f"Steps in time: {_listed(self.time)} ({self.time_share:.1g} of the motion). {self.basis}; the true"
            " error is hardly ever ten times as large, and after implicit steps often a hundred times smaller. No more"
            " than the whole way is told."
        )
        if not self.members:
            return f"{steps}\nShapes and theory: not estimated; matrices do not tell what they were made of."
        lines = [
            steps,
            f"Shapes: {_listed(self.shapes)} of the motion. Forces that the shapes cannot balance, and what the last of"
            " them carry; or what two orders differ by."
            if self.shapes
            else "Shapes: not estimated, because no members move; where they do in a given basis, compare two orders.",
            f"Theory: {_listed(self.theory)} of the deflection, because deflections are not small."
            if self.theory
            else "Theory: no member leaves its theory.",
        ]
        return "\n".join(lines)


def _listed(sizes: Mapping[str, float]) -> str:
    largest = sorted(sizes, key=lambda name: -sizes[name])[:_MOST]
    shown = [f"{name} {sizes[name]:.1g}" for name in sizes if name in largest]
    more = [f"{len(sizes) - len(shown)} others less"] if len(shown) < len(sizes) else []
    return ", ".join([*shown, *more]) or "none"
