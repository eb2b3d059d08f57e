"""Numbers whose squares and products have no place among floating-point numbers.

>>> refuse_size(1e300, "the line of w")
"""

from __future__ import annotations

from flexura.errors import FlexuraError

LARGEST = 1e60  # of a stiffness or an inertia: its powers must stay within 1e308


def refuse_size(size: float, where: str) -> None:
    """Refuse a stiffness, damping or inertia that is too large or too small to count with."""
    if size and not 1 / LARGEST < size < LARGEST:
        raise FlexuraError(
            f"A stiffness, damping or inertia in {where} is of size {size:.1e}, and its powers would leave the"
            " range of floating-point numbers",
            advice=f"give values between {1 / LARGEST:.0e} and {LARGEST:.0e}, in other units",
        )
