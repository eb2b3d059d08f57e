"""Quantities with units wherever a frame or its motion takes a number: "300 g", "1 kN/m", "60 rpm".

>>> measured("300 g", "m", "the body of node 2", "kg")
0.3
"""

from __future__ import annotations

from typing import Any

from flexura.symbolic.expression import ParameterDeclaration
from flexura.symbolic.quantities import quantity, unit_of


def measured(value: Any, keyword: str, owner: str, unit: str | None) -> Any:
    """A number in SI units for text with a unit or a quantity of pint, in lists and tuples too; all else as it is."""
    if isinstance(value, list | tuple):
        return type(value)(measured(one, keyword, owner, unit) for one in value)
    if not unit_of(value):
        return value
    read = quantity(value, keyword, owner, dimension=unit)
    carried = (one for one in read.declarations if isinstance(one, ParameterDeclaration))
    return next((float(one.value) for one in carried if one.value is not None), 0.0)  # a literal zero carries nothing
