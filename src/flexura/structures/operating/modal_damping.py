"""Modal damping: a share of critical damping for each mode, as a matrix D.

>>> fx.modal_damping(system, 0.02)                  # every elastic mode
>>> fx.modal_damping(small, [0.01, 0.02, 0.02])     # the three lowest; the others keep what they have
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.errors import FlexuraError
from flexura.structures.operating.elastic import elastic_modes
from flexura.structures.operating.inverse import mass_metric_inverse
from flexura.systems.second_order import SecondOrderSystem, real_stiffness, required

_MOST = 3000


def modal_damping(system: SecondOrderSystem, ratios: Any) -> SecondOrderSystem:
    """The system with D + M V diag(2 zeta omega) V'M, V its modes without damping, of which V'MV = 1.

    `ratios`: one number for all elastic modes, or one for each of the lowest. Rigid motions are not damped. D is a full
    matrix, so large systems are reduced first: fx.modal_damping(fx.reduce(system, F, 20), 0.02).
    """
    system = required(system)
    real_stiffness(system, "modal damping")
    if system.n > _MOST:
        raise FlexuraError(
            f"Modal damping of {system.n} degrees of freedom would fill a matrix of that size",
            advice="reduce the system first, fx.modal_damping(fx.reduce(system, F, order), ratios)",
        )
    inverse = mass_metric_inverse(system)
    every = system.n - inverse.rigid.count
    try:
        zeta = np.asarray(ratios, dtype=np.float64)
    except (TypeError, ValueError):
        zeta = np.full(1, np.nan)
    if zeta.ndim > 1 or not np.all(np.isfinite(zeta)) or np.any(zeta < 0) or zeta.size > every:
        raise FlexuraError(
            f"ratios is {ratios!r}",
            advice=f"give a share of critical damping, 0 or more, or a list of them for up to {every} elastic modes",
        )
    zeta = np.full(every, float(zeta)) if zeta.ndim == 0 else zeta
    squares, shapes = elastic_modes(inverse, len(zeta))
    pushed = system.M @ shapes
    damping = (pushed * (2 * zeta[: len(squares)] * np.sqrt(squares))) @ pushed.T
    whole = damping if system.D is None else system.D + damping
    return system.with_(D=np.asarray((whole + whole.T) / 2))
