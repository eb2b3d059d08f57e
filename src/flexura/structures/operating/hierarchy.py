"""The hierarchy a_n'' + a_(n+1) = 0, and why the self-consistent projection replaces it (theory, section 5; [S] 5.1).

Projected on the dual basis z_i, z_i'M x_j = delta_ij, the expansion obeys a chain: the last coefficient feels nothing,
so it drifts, the one before is driven by that drift, and so on. All frequencies are zero, in one Jordan block: what is
put in grows like t^(2n-1) where the structure would oscillate. The matrix is not symmetric; no energy is kept.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.errors import FlexuraError
from flexura.structures.operating.krylov import raw_modes
from flexura.systems.second_order import SecondOrderSystem, real_stiffness, required


def hierarchy(system: SecondOrderSystem, F: Any, count: int) -> SecondOrderSystem:
    """The chain of `count` coefficients as a system (its stiffness has a skew part H), with the raw x_n as its basis.

    >>> chain = hierarchy(system, F, 3)
    >>> simulate_system(chain, t, initial={"a2_t": 1.0})["a0"]       # grows like t^5
    """
    system = required(system)
    real_stiffness(system, "the hierarchy")
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise FlexuraError(f"count is {count!r}", advice="give a whole number of coefficients, 1 or more")
    X = raw_modes(system, F, int(count))
    scale = np.linalg.norm(X, axis=0)
    dual = np.linalg.pinv((X / scale).T @ (system.M @ (X / scale)), rcond=1e-15)
    shift = np.eye(count, k=1)  # z_i'K x_j = z_i'M x_(j-1)
    D = None
    if system.D is not None:
        D = (dual @ ((X / scale).T @ (system.D @ (X / scale)))) * scale / scale[:, None]
    return SecondOrderSystem(
        np.eye(count),
        None if D is None else (D + D.T) / 2,
        (shift + shift.T) / 2,
        G=None if D is None else (D - D.T) / 2,
        H=(shift - shift.T) / 2,
        dofs=tuple(f"a{i}" for i in range(count)),
        basis=X,
        full=system,
    )
