"""Springs and dampers between two places.

>>> Spring(ground, cart, k="k"), Damper(cart, block, c="c", along="x"), TorsionSpring(ground, hub, k="k_t")

Each is the energy that it stores at a stretch, or the power that it loses at a rate of it; forces on bodies, Kane's
powers and the shortening of members follow from that, so another law is one class:

    class CubicSpring(Spring):
        def energy(self, s): return self.rate.engine * s**4 / 4
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.parts.axes import direction
from flexura.parts.joints import Connection
from flexura.symbolic.engine import ZERO, Basic
from flexura.symbolic.expression import Expression, check_name
from flexura.symbolic.kinematics.vectors import EZ, NULL, Vector
from flexura.symbolic.quantities import quantity


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class SpringOrDamper(Connection):
    """A spring or damper: `rate` is its constant."""

    rate: Expression
    name: str

    @property
    def caption(self) -> str:
        """Its constant."""
        return str(self.rate)

    def energy(self, s: Basic) -> Basic:
        """What it stores at the stretch s."""
        return ZERO

    def dissipation(self, v: Basic) -> Basic:
        """Rayleigh's function, half of the power it loses where it is linear, at the rate v of the stretch."""
        return ZERO

    def _own(self, value: Any, keyword: str, unit: str, name: str | None, along: Any) -> None:
        """Without a name it is called after its places and, but for the usual y, its direction."""
        kind = "" if along == "y" else f"_{re.sub(r'[^a-z]', '', str(along)) or 'axis'}"
        owner = name or "_".join(_word(one) for one in (self.p, self.q)) + kind
        if name is not None:
            check_name(name, "A spring or damper")
        self._set(rate=quantity(value, keyword, owner, dimension=unit), name=owner)


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class StraightLink(SpringOrDamper):
    """On the displacement of q relative to p along p's axes, or on their true distance (`along` None)."""

    along: Vector | None
    free_length: Expression | None

    @property
    def axis(self) -> Vector:
        """What it acts along; zero where that is the line between its places."""
        return NULL if self.along is None else self.along


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class TurningLink(SpringOrDamper):
    """On the angle of the Revolute between the two, else on their relative small rotation."""

    about: Vector | None

    @property
    def axis(self) -> Vector:
        """What it turns about, z if nothing was said."""
        return EZ if self.about is None else self.about


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Spring(StraightLink):
    """A linear spring on the displacement of q relative to p along p's axes, or on their true distance ("line")."""

    def __init__(
        self, p: Any, q: Any, k: Any, along: Any = "y", name: str | None = None, free_length: Any = None
    ) -> None:
        """`free_length` belongs to along="line"; without it the spring is relaxed in the reference configuration."""
        self._join(p, q)
        self._own(k, "k", "N/m", name, along)
        if free_length is not None and along != "line":
            raise FlexuraError(
                f"{self!r} has a free length but acts along {along!r}", advice="write along='line'", part=repr(self)
            )
        length = None if free_length is None else quantity(free_length, "free_length", self.name, dimension="m")
        self._set(along=None if along == "line" else direction(along, repr(self), "along"), free_length=length)

    def energy(self, s: Basic) -> Basic:
        """k s^2 / 2."""
        return self.rate.engine * s**2 / 2


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Damper(StraightLink):
    """A viscous damper on the rate of what a spring of the same direction would feel."""

    def __init__(self, p: Any, q: Any, c: Any, along: Any = "y", name: str | None = None) -> None:
        """`c` in N s/m."""
        self._join(p, q)
        self._own(c, "c", "N*s/m", name, along)
        self._set(along=None if along == "line" else direction(along, repr(self), "along"), free_length=None)

    def dissipation(self, v: Basic) -> Basic:
        """c v^2 / 2."""
        return self.rate.engine * v**2 / 2


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class TorsionSpring(TurningLink):
    """A spring on the Revolute between the two, else on their relative small rotation."""

    def __init__(self, p: Any, q: Any, k: Any, about: Any = None, name: str | None = None) -> None:
        """`k` in N m per radian."""
        self._join(p, q)
        self._own(k, "k", "N*m/rad", name, "turn")
        self._set(about=None if about is None else direction(about, repr(self), "about"))

    def energy(self, s: Basic) -> Basic:
        """k s^2 / 2."""
        return self.rate.engine * s**2 / 2


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class TorsionDamper(TurningLink):
    """A damper on the rate of what a torsion spring would feel."""

    def __init__(self, p: Any, q: Any, c: Any, about: Any = None, name: str | None = None) -> None:
        """`c` in N m s per radian."""
        self._join(p, q)
        self._own(c, "c", "N*m*s/rad", name, "turn")
        self._set(about=None if about is None else direction(about, repr(self), "about"))

    def dissipation(self, v: Basic) -> Basic:
        """c v^2 / 2."""
        return self.rate.engine * v**2 / 2


def _word(place: Any) -> str:
    if hasattr(place, "body"):
        return str(place.body.name)
    where = {"a": "_start", "b": "_end"}.get(place.end, "")
    return f"{place.member.name}{where}"
