"""Dry friction and one-sided contact between two places.

>>> Friction(ground, block, force=3.0, along="x"), Stop(ground, ball, gap=0, along="-y", restitution=0.8, name="floor")

Each exerts one force on q along one direction, which no energy gives: it is an unknown of its own, R_<name>, and how
large it is follows from the motion: what slides, sticks, hits or rests.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError, concerning
from flexura.parts.axes import direction
from flexura.parts.springs import StraightLink
from flexura.symbolic.engine import ONE, Basic, Symbol
from flexura.symbolic.expression import Expression
from flexura.symbolic.kinematics.vectors import Vector
from flexura.symbolic.quantities import check_dimension, quantity


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Contact(StraightLink):
    """A force on q along the displacement of q relative to p; between places joined by a Revolute about its axis."""

    turns = True
    """Whether it is a torque between places that are joined by a Revolute."""
    about: Vector | None
    laws: Mapping[str, Expression]

    @property
    def acting(self) -> Basic:
        """The force on q along the stretch."""
        return Symbol(f"R_{self.name}")

    def _begin(self, p: Any, q: Any, along: Any, name: str | None) -> None:
        self._join(p, q)
        if along == "line":
            raise FlexuraError(
                f"{self!r} acts along the line between its places",
                advice="choose a direction, like along='y'",
                part=repr(self),
                keyword="along",
            )
        self._own(0, "force", "N", name, along)
        self._set(along=direction(along, repr(self), "along"), free_length=None, about=None)


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Friction(Contact):
    """Dry friction: it opposes the velocity of q relative to p, and holds q to p where it can."""

    def __init__(
        self, p: Any, q: Any, force: Any, along: Any = "y", static: Any = None, name: str | None = None
    ) -> None:
        """`force` and `static` (default: force) are limits: numbers, names, or "mu*N_<connection>"."""
        self._begin(p, q, along, name)
        sliding = self._limit(force, "force")
        if isinstance(force, int | float) and isinstance(static, int | float) and static < force:
            raise FlexuraError(
                f"The static limit of {self!r} is {static}, less than its force {force} while it slides",
                advice="give static= at least as large, or leave it out",
                part=repr(self),
                keyword="static",
            )
        self._set(laws={"force": sliding, "static": sliding if static is None else self._limit(static, "static")})

    def _limit(self, value: Any, keyword: str) -> Expression:
        """A force, or a torque where it acts between places joined by a Revolute."""
        found = quantity(value, keyword, self.name, sign="nonnegative")
        try:
            check_dimension(found, "N*m", "")
        except FlexuraError:
            with concerning(part=self.name, keyword=keyword):
                check_dimension(found, "N", f"The {keyword} of {self.name}")
        return found


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Stop(Contact):
    """One-sided contact: the displacement s of q relative to p along `along` is held to s <= gap."""

    turns = False

    def __init__(
        self,
        p: Any,
        q: Any,
        gap: Any,
        along: Any = "y",
        restitution: Any = 0,
        k: Any = None,
        c: Any = None,
        name: str | None = None,
    ) -> None:
        """Rigid, with a coefficient of restitution; or with k and c compliant: k (s - gap) + c s_t, never pulling."""
        self._begin(p, q, along, name)
        laws = {"gap": quantity(gap, "gap", self.name, dimension="m")}
        damping = quantity(0 if c is None else c, "c", self.name, dimension="N*s/m", sign="nonnegative")
        if k is None:
            if c is not None:
                raise FlexuraError(
                    f"{self!r} has c and no k", advice="give k too, or restitution alone", part=repr(self), keyword="c"
                )
            laws["restitution"] = quantity(
                restitution, "restitution", self.name, dimension="dimensionless", sign="nonnegative"
            )
            known = laws["restitution"].engine
            if known.is_Number and known > ONE:
                raise FlexuraError(
                    f"The restitution of {self!r} is {restitution}",
                    advice="give a number from 0 (nothing comes back) to 1 (all of it)",
                    part=repr(self),
                    keyword="restitution",
                )
        elif isinstance(restitution, int | float) and restitution == 0:
            laws["k"] = quantity(k, "k", self.name, dimension="N/m", sign="positive")
            laws["c"] = damping
        else:
            raise FlexuraError(
                f"{self!r} has both restitution and k",
                advice="a compliant stop loses what c takes, so leave restitution out",
                part=repr(self),
                keyword="restitution",
            )
        self._set(laws=laws)
