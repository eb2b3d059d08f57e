"""Springs and dampers between two places.

>>> Spring(ground, cart, k="k"), Damper(cart, block, c="c", along="x"), TorsionSpring(ground, hub, k="k_t")
>>> Spring(ground, cart, law="k*s + k3*s**3"), Damper(ground, cart, law="c*v*abs(v)")

Each is the energy that it stores at a stretch, or Rayleigh's function of the rate of it; forces on bodies, Kane's
powers and the shortening of members follow from that, so another law is one class:

    class CubicSpring(Spring):
        def energy(self, s): return self.rate.engine * s**4 / 4
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError, concerning
from flexura.parts.axes import direction
from flexura.parts.joints import Connection
from flexura.symbolic.antiderivatives import antiderivative
from flexura.symbolic.engine import TIME, ZERO, Basic, Symbol
from flexura.symbolic.expression import Declaration, Expression, ParameterDeclaration, check_name
from flexura.symbolic.kinematics.motion import STRETCH
from flexura.symbolic.kinematics.vectors import EZ, NULL, Vector
from flexura.symbolic.quantities import check_dimension, quantity

_LINEAR = Expression(ZERO)
_SHORT = 30  # letters that a picture has room for


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class SpringOrDamper(Connection):
    """A spring or damper: `rate` is its constant, or `law` its force and `integral` what follows from it."""

    rate: Expression
    law: Expression | None
    integral: Basic

    @property
    def caption(self) -> str:
        """Its constant or its law; its name where that is long."""
        text = str(self.rate if self.law is None else self.law)
        return text if len(text) <= _SHORT else self.name

    def energy(self, s: Basic) -> Basic:
        """What it stores at the stretch s."""
        return ZERO

    def dissipation(self, v: Basic) -> Basic:
        """Rayleigh's function, half of the power it loses where it is linear, at the rate v of the stretch.

        Its slope is the force, so that the power it loses is v times that.
        """
        return ZERO

    @property
    def acting(self) -> Basic:
        """A force on q along the stretch that is an unknown of its own, as those of contacts are."""
        return ZERO

    def _own(
        self, value: Any, keyword: str, unit: str, name: str | None, along: Any, law: Any = None, of: str = ""
    ) -> None:
        """Without a name it is called after its places and, but for the usual y, its direction."""
        kind = "" if along == "y" else f"_{re.sub(r'[^a-z]', '', str(along)) or 'axis'}"
        owner = name or "_".join(_word(one) for one in (self.p, self.q)) + kind
        if name is not None:
            check_name(name, "A spring or damper")
        self._set(name=owner, law=None, integral=ZERO)
        if (value is None) == (law is None):
            many = "neither" if value is None else "both"
            raise FlexuraError(
                f"{self!r} is given {many} {'of ' if value is None else ''}{keyword} and law",
                advice=f"give one: {keyword}, or law as a function of {of}",
                part=repr(self),
                keyword=keyword if value is None else "law",
            )
        self._set(rate=_LINEAR if value is None else quantity(value, keyword, owner, dimension=unit))
        if law is not None:
            read = quantity(law, "law", owner, unit_allowed=False)
            declared = frozenset(one for one in read.declarations if one.name != of)  # a coordinate may be called s
            check_law(read, declared, (of,), "rad" if unit.endswith("rad") else "m", owner)
            self._set(law=Expression(read.engine, declared), integral=self._integrated(read, of))

    def _integrated(self, law: Expression, of: str) -> Basic:
        """What a law stores or dissipates, in STRETCH; s and v are reserved in it."""
        other = {"s": "v", "v": "s"}[of]
        spring = "spring" if of == "s" else "damper"
        what = f"The law of {self!r} is {law}"
        symbols = law.engine.free_symbols
        if {Symbol(other), TIME} & symbols:
            held = other if Symbol(other) in symbols else "t"
            raise FlexuraError(
                f"{what}, which holds {held}, but a {spring}'s is a function of {of} and parameters",
                advice="write what depends on anything else as a Force or Torque",
                part=repr(self),
                keyword="law",
            )
        if Symbol(of) not in symbols:
            raise FlexuraError(
                f"{what}, which is no function of {of}",
                advice=f"write it in {of}, {'the stretch' if of == 's' else 'the rate of the stretch'}",
                part=repr(self),
                keyword="law",
            )
        found = antiderivative(law.engine.xreplace({Symbol(of): STRETCH}), STRETCH)
        if found is None:
            raise FlexuraError(
                f"{what}, whose integral over {of} is not known, so neither is its energy",
                advice="write a law of powers, usual functions or pieces with bounds of s, or a Force",
                part=repr(self),
                keyword="law",
            )
        return found


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
    """A spring on the displacement of q relative to p along p's axes, or on their true distance ("line")."""

    def __init__(
        self,
        p: Any,
        q: Any,
        k: Any = None,
        along: Any = "y",
        name: str | None = None,
        free_length: Any = None,
        law: Any = None,
    ) -> None:
        """`k`, or `law` as a function of the stretch s: the force against it, positive in tension.

        `free_length` belongs to along="line"; without it the spring is relaxed in the reference configuration.
        """
        self._join(p, q)
        self._own(k, "k", "N/m", name, along, law, "s")
        if free_length is not None and along != "line":
            raise FlexuraError(
                f"{self!r} has a free length but acts along {along!r}", advice="write along='line'", part=repr(self)
            )
        length = None if free_length is None else quantity(free_length, "free_length", self.name, dimension="m")
        self._set(along=None if along == "line" else direction(along, repr(self), "along"), free_length=length)

    def energy(self, s: Basic) -> Basic:
        """k s^2 / 2, or the integral of the law."""
        return _stored(self, s)


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Damper(StraightLink):
    """A damper on the rate of what a spring of the same direction would feel."""

    def __init__(
        self, p: Any, q: Any, c: Any = None, along: Any = "y", name: str | None = None, law: Any = None
    ) -> None:
        """`c` in N s/m, or `law` as a function of the rate v: the force against it, which loses v times that."""
        self._join(p, q)
        self._own(c, "c", "N*s/m", name, along, law, "v")
        self._set(along=None if along == "line" else direction(along, repr(self), "along"), free_length=None)

    def dissipation(self, v: Basic) -> Basic:
        """c v^2 / 2, or the integral of the law."""
        return _stored(self, v)


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class TorsionSpring(TurningLink):
    """A spring on the Revolute between the two, else on their relative small rotation."""

    def __init__(
        self, p: Any, q: Any, k: Any = None, about: Any = None, name: str | None = None, law: Any = None
    ) -> None:
        """`k` in N m per radian, or `law` as a function of the angle s."""
        self._join(p, q)
        self._own(k, "k", "N*m/rad", name, "turn", law, "s")
        self._set(about=None if about is None else direction(about, repr(self), "about"))

    def energy(self, s: Basic) -> Basic:
        """k s^2 / 2, or the integral of the law."""
        return _stored(self, s)


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class TorsionDamper(TurningLink):
    """A damper on the rate of what a torsion spring would feel."""

    def __init__(
        self, p: Any, q: Any, c: Any = None, about: Any = None, name: str | None = None, law: Any = None
    ) -> None:
        """`c` in N m s per radian, or `law` as a function of the rate v."""
        self._join(p, q)
        self._own(c, "c", "N*m*s/rad", name, "turn", law, "v")
        self._set(about=None if about is None else direction(about, repr(self), "about"))

    def dissipation(self, v: Basic) -> Basic:
        """c v^2 / 2, or the integral of the law."""
        return _stored(self, v)


def check_law(law: Expression, declared: frozenset[Declaration], of: tuple[str, ...], length: str, owner: str) -> None:
    """The law is a force, or a moment, where s is a length, or an angle, and v the rate of it."""
    if any(getattr(one, "given_in", "") for one in declared):
        stretch = {ParameterDeclaration(one, given_in=length if one == "s" else f"{length}/s") for one in of}
        with concerning(part=owner, keyword="law"):
            wanted = "N" if length == "m" else "N*m"
            check_dimension(Expression(law.engine, declared | stretch), wanted, f"The law of {owner}")


def _stored(link: SpringOrDamper, s: Basic) -> Basic:
    return link.rate.engine * s**2 / 2 if link.law is None else link.integral.xreplace({STRETCH: s})


def _word(place: Any) -> str:
    if hasattr(place, "body"):
        return str(place.body.name)
    where = {"a": "_start", "b": "_end"}.get(place.end, "")
    return f"{place.member.name}{where}"
