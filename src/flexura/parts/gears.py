"""Gears, belts, racks and screws: one coordinate is a multiple of another.

>>> Gear(pinion_joint, wheel_joint, ratio=-3), Gear("x_rack", "theta_pinion", ratio="r"), Gear(screw, screw, "h/(2*pi)")
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.parts.description import Described
from flexura.parts.joints import Joint
from flexura.symbolic.engine import Basic, Symbol, exact
from flexura.symbolic.expression import Expression, check_name
from flexura.symbolic.quantities import quantity


@checked_methods
@dataclass(frozen=True, init=False, eq=False, repr=False)
class Gear(Described):
    """The coordinate of one joint is `ratio` times that of another; elastic with `k`.

    An external mesh has a negative ratio. Both count from the reference configuration, where they are zero.
    """

    first: Joint | str
    second: Joint | str
    ratio: Expression
    rate: Expression | None
    name: str

    def __init__(self, joint1: Any, joint2: Any, ratio: Any, k: Any = None, name: str | None = None) -> None:
        """Joints of one coordinate, or names of coordinates; a Cylindrical joint given twice is a screw."""
        for key, value in (("first", joint1), ("second", joint2)):
            if not isinstance(value, Joint | str) or value == "":
                raise FlexuraError(
                    f"A Gear is given {value!r} for its {key} joint",
                    advice="give a joint such as Revolute or Slide, or the name of a coordinate",
                )
            object.__setattr__(self, key, check_name(value, "A coordinate") if isinstance(value, str) else value)
        object.__setattr__(self, "name", check_name(name, "A gear") if name is not None else "")
        owner = name or "_".join(["gear", *(_word(one) for one in (joint1, joint2))])
        object.__setattr__(self, "ratio", quantity(ratio, "ratio", owner))
        object.__setattr__(self, "rate", None if k is None else quantity(k, "k", owner, sign="nonnegative"))
        if self.ratio.engine == 0:
            raise FlexuraError(
                f"{self!r} has the ratio 0", advice="give another one; fx.Fixed holds a joint", part=repr(self)
            )

    @property
    def known_ratio(self) -> Basic:
        """The ratio with the numbers it carries."""
        values = {one.name: getattr(one, "value", None) for one in self.ratio.declarations}
        return self.ratio.engine.xreplace({Symbol(name): exact(v) for name, v in values.items() if v is not None})

    @property
    def words(self) -> str:
        """What sentences call it."""
        return repr(self)

    def energy(self, s: Basic) -> Basic:
        """What it stores at the difference s = q1 - ratio*q2, if it is elastic."""
        return s**2 * self.rate.engine / 2 if self.rate is not None else s * 0

    def dissipation(self, v: Basic) -> Basic:
        """Nothing is lost."""
        return v * 0

    def __repr__(self) -> str:
        return f"Gear({self.first!r}, {self.second!r})"


def _word(joint: Joint | str) -> str:
    if isinstance(joint, str):
        return joint
    place = joint.q
    return joint.label or (place.body.name if hasattr(place, "body") else place.member.name)
