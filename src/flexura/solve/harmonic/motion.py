"""One periodic motion at a given frequency, in as many harmonics and polynomials as it takes.

>>> periodic_motion(shaken, omega, ["q"], 256).outputs
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.harmonic.balance import Balance, NotSettled
from flexura.solve.harmonic.floquet import multipliers
from flexura.solve.harmonic.followed import Point, motion_at
from flexura.solve.harmonic.question import Shaken
from flexura.solve.shooting import Orbit

Array = NDArray[np.float64]
ORDERS = (6, 9, 12, 16)
FIRST, MOST = 7, 31
"""Harmonics to begin with, and how many at most."""
_TOLERANCE = 1e-10
_STAYS = 1e-9


def inertia(balance: Balance) -> Array:
    """The mass matrix at rest, which measures motions."""
    n = balance.system.n
    t, u = 0.0, balance.system.rest
    return np.array(balance.system.evaluate(t, np.zeros(n), np.zeros(n), u)[0])


def carried(point: Point, balance: Balance) -> Array:
    """The same coefficients among the unknowns of finer polynomials, which hold the coarser ones."""
    found = np.zeros((len(point.x), balance.system.n))
    places = [balance.system.names.index(name) for name in point.balance.system.names]
    found[:, places] = point.x
    return found


def periodic_motion(shaken: Shaken, omega: float, outputs: Sequence[Any], samples: int) -> Orbit:
    """Outputs over one period, and Floquet's multipliers."""
    orders = ORDERS if shaken.equations.fields else ORDERS[:1]
    balance = shaken.balance(orders[0], FIRST)
    try:
        point = motion_at(balance, omega, inertia(balance), _TOLERANCE, MOST)
        seen, moved = shaken.outputs(point.balance, point.x, omega, outputs, samples), 0.0
        for order in orders[1:]:
            balance = shaken.balance(order, point.balance.harmonics)
            x = balance.settled(carried(point, balance), omega)
            point = Point(balance, x, omega, balance.error(x, omega))
            before, seen = seen, shaken.outputs(balance, x, omega, outputs, samples)
            moved = float(np.max(np.ptp(seen - before, axis=0) / np.maximum(np.ptp(seen, axis=0), 1e-300), initial=0.0))
            if moved <= _STAYS:
                break
    except NotSettled:
        raise FlexuraError(
            f"No periodic motion was found at {omega:.6g} rad/s",
            advice="follow it from another frequency with fx.response_curve, or give a smaller load",
        ) from None
    return Orbit(seen, multipliers(point.balance, point.x, omega), max(point.error, moved))
