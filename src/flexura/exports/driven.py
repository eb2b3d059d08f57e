"""Motions that are inputs, in code: what comes in is their acceleration, and displacement and rate are states.

>>> with_motions(written, {"y": "zr"})        # the row of y reads y_tt = zr_tt, an input
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import symengine

from flexura.discretisation.written import WrittenSystem
from flexura.errors import FlexuraError
from flexura.symbolic.engine import ONE, ZERO, Symbol


def with_motions(written: WrittenSystem, motions: Mapping[str, str]) -> WrittenSystem:
    """The same system, in which the coordinates of `motions` are moved by inputs, called after these."""
    if not motions:
        return written
    at = [written.names.index(name) for name in motions]
    labels = [f"{one}_tt" for one in motions.values()]
    inputs = [Symbol(f"{name} as an input") for name in labels]
    if written.multipliers and any(symengine.sympify(one) != 0 for one in written.constraints[1][:, at].ravel()):
        raise FlexuraError(
            f"A constraint holds {', '.join(motions)}, which an input moves, so what drives it cannot be left out",
            advice="write the motion as a function of t, or drive it by a load",
        )

    def evaluate() -> tuple[Any, Any]:
        M, f = (np.array(one, dtype=object) for one in written.evaluate())
        M[at], f[at] = ZERO, inputs
        for i in at:
            M[i, i] = ONE
        return M, f

    def slopes() -> tuple[Any, Any]:
        R_q, R_v = (np.array(one, dtype=object) for one in written.slopes())
        R_q[at], R_v[at] = ZERO, ZERO
        return R_q, R_v

    return replace(
        written,
        inputs=(*written.inputs, *labels),
        u=[*written.u, *inputs],
        evaluate=evaluate,
        slopes=slopes,
    )
