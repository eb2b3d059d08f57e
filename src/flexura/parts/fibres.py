"""The stress in a fibre of a member, as an output: sigma = N/A - M_z y/I_z + M_y z/I_y.

>>> run[Stress(beam, 0, y="20 mm", section="rectangle 20x40 mm")]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.parts.sections import CrossSection, section_of
from flexura.symbolic.outputs import Internal, Weighted
from flexura.symbolic.quantities import parameter_value, quantity


@checked_methods
@dataclass(frozen=True, init=False, repr=False)
class Stress(Weighted):
    """The normal stress at a fibre of a member, in Pa, tension positive: an output of every verb.

    The fibre lies at (y, z) from the centroid of the section at s, in the member's axes. It follows from the axial
    force and the bending moments there, internal damping included, and from `section`: a fx.CrossSection, or its text.

    >>> fx.frequency_response(equations, omega, "F", fx.Stress(beam, 0, y=0.02, section="rectangle 20x40 mm"))
    """

    member: Any
    s: Any
    y: float
    z: float
    section: CrossSection

    def __init__(self, member: Any, s: Any, y: Any = 0, z: Any = 0, section: Any = None) -> None:
        """`s`, `y` and `z` are lengths, like "20 mm"."""
        if section is None:
            raise FlexuraError(
                "A Stress needs the section of its member",
                advice="give section=, like 'rectangle 20x40 mm' or fx.CrossSection(A, Iz, Iy, J)",
                keyword="section",
            )
        there = Internal(member, s)
        values = {"member": member, "s": there.s, "section": section_of(section)}
        values |= {name: _length(name, one) for name, one in (("y", y), ("z", z))}
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def terms(self) -> tuple[tuple[Internal, float], ...]:
        """The axial force and the moments, each with the stress here per unit of it."""
        one = self.section
        shares = {"axial": 1 / one.A, "moment": -self.y / one.Iz, "moment_y": self.z / one.Iy}
        return tuple((Internal(self.member, self.s, kind), float(share)) for kind, share in shares.items())

    @property
    def unit(self) -> str:
        """Pascal."""
        return "Pa"

    def __repr__(self) -> str:
        """What it shows, as a label has it."""
        return f"stress of {self.name} at {self.s}, y = {self.y:g}, z = {self.z:g}"


def _length(name: str, given: Any) -> float:
    quantity(given, name, "a Stress", dimension="m")  # refuses other units
    return parameter_value(name, given)[0]
