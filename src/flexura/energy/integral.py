"""Integrals over a member, for energies that know the whole of it.

>>> S = integral(w.x**2 / 2, over=w)                        # how much longer bending makes the axis
>>> Lagrangian(potential=EA / (2 * L) * S**2, density={w: ...})                         # Woinowsky, Krieger (1950)

The integral is the value at the end of a field S that starts from nothing and has the integrand as its slope: S_x = f,
a condition along the member. The multiplier N of that is dV/dS and does not vary with x: of V = EA S^2/(2 L) it is the
tension, with its name in the equations, and all of them stay local.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from flexura.energy.field import EndValue, Field
from flexura.errors import FlexuraError
from flexura.symbolic.expression import Declaration, Expression, check_name
from flexura.symbolic.jets import Jet
from flexura.symbolic.quantities import text_or_expression


@dataclass(frozen=True, eq=False)
class IntegralDeclaration(Declaration):
    """What the field of that name grows by along its spine, and the name of the force that sees to it."""

    integrand: Expression
    multiplier: str
    kind: ClassVar[str] = "integral"


def integral(f: Any, over: Field, name: str = "") -> EndValue:
    """The integral of an expression along a member, for energies, conditions and loads; its rate is `.t`.

    It is called S_w after its field, or `name`; the force dV/dS stands in the equations as N_S_w. Give several over one
    member names of their own, and use the object in every place where one is meant.

    >>> fx.integral(w.x**2 / 2, over=w)
    """
    if not isinstance(over, Field):
        raise FlexuraError(f"The integral runs over {over!r}, which is no field", advice="write fx.integral(f, over=w)")
    name = check_name(name or f"S_{over.name}", "An integral")
    integrand = text_or_expression(f, what=f"the integrand of {name}", spine=True)
    return Integrated(over, IntegralDeclaration(name, integrand, f"N_{name}"))


class Integrated(EndValue):
    """The value at the end of the field whose slope is the integrand."""

    __slots__ = ()

    def __init__(self, over: Field, declared: IntegralDeclaration) -> None:
        """Made by `integral`."""
        grown = Field(declared.name, spine=over)
        known = grown.declarations | over.declarations | declared.integrand.declarations | {declared}
        Expression.__init__(grown, grown.engine, known)
        super().__init__(grown, Jet(declared.name, end="b"))
