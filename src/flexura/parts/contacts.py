"""Dry friction and one-sided contact between two places.

>>> Friction(ground, block, force=3.0, along="x"), Stop(ground, ball, gap=0, along="-y", restitution=0.8, name="floor")
>>> Stop(ground, ball, gap=0, along="-y", law="k*s**1.5*(1 + 1.5*a*v)")           # Hunt and Crossley

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
from flexura.parts.springs import StraightLink, check_law
from flexura.symbolic.antiderivatives import antiderivative
from flexura.symbolic.engine import ONE, TIME, ZERO, Basic, Symbol
from flexura.symbolic.expression import Expression
from flexura.symbolic.kinematics.motion import STRETCH, STRETCH_RATE
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

    @property
    def caption(self) -> str:
        """Its name."""
        return self.name

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
        law: Any = None,
    ) -> None:
        """Rigid, with a coefficient of restitution; or with k and c compliant: k (s - gap) + c s_t, never pulling.

        Or with `law`, the push as a function of the depth s beyond the gap and its rate v: "k*s**1.5*(1 + 1.5*a*v)" is
        that of Hunt and Crossley. What it is at v = 0 is stored, the rest is lost.
        """
        self._begin(p, q, along, name)
        laws = {"gap": quantity(gap, "gap", self.name, dimension="m")}
        damping = quantity(0 if c is None else c, "c", self.name, dimension="N*s/m", sign="nonnegative")
        if law is not None:
            self._refuse_others(restitution=None if restitution == 0 else restitution, k=k, c=c)
            laws |= self._pressing(law)
        elif k is None:
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

    def _refuse_others(self, **given: Any) -> None:
        """A law says all of what the stop does."""
        for word, value in given.items():
            if value is not None:
                raise FlexuraError(
                    f"{self!r} has both law and {word}",
                    advice=f"write what it does into the law, and leave {word} out",
                    part=repr(self),
                    keyword=word,
                )

    def _pressing(self, law: Any) -> dict[str, Expression]:
        """The law in STRETCH and STRETCH_RATE, and what it stores."""
        read = quantity(law, "law", self.name, unit_allowed=False)
        declared = frozenset(one for one in read.declarations if one.name not in ("s", "v"))
        check_law(read, declared, ("s", "v"), "m", self.name)
        tree = read.engine.xreplace({Symbol("s"): STRETCH, Symbol("v"): STRETCH_RATE})
        stored = antiderivative(tree.xreplace({STRETCH_RATE: ZERO}), STRETCH)
        what = f"The law of {self!r} is {read}"
        if STRETCH not in tree.free_symbols or TIME in tree.free_symbols:
            raise FlexuraError(
                f"{what}, which {'holds t' if TIME in tree.free_symbols else 'is no function of the depth s'}",
                advice="write the push as a function of s, the depth, v, its rate, and parameters",
                part=repr(self),
                keyword="law",
            )
        if stored is None:
            raise FlexuraError(
                f"{what}, whose integral over s at v = 0 is not known, so neither is what it stores",
                advice="write a law of powers, usual functions or pieces with bounds of s",
                part=repr(self),
                keyword="law",
            )
        return {"law": Expression(tree, declared), "stored": Expression(stored, declared)}
