"""Reactions as outputs of a discretised linear system: what keeps a gap in a connection closed.

>>> reaction_row(equations, asked, discrete, fx.Reaction(clamp, along="y"), values)

The connection gives way along one coordinate more, which is held at zero: its row of M a + C v + K q - F u is the load
that holds it, in the shapes of the system itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from flexura.derivation.equations.equations import Equations
from flexura.derivation.opened import released
from flexura.derivation.routes import derive
from flexura.discretisation.linear import LinearDiscrete
from flexura.errors import FlexuraError
from flexura.solve.discretise import linear_matrices, motion_system
from flexura.solve.linear_inputs import AskedInputs, asked_inputs
from flexura.solve.linear_outputs import OutputRow
from flexura.symbolic.outputs import Reaction

_GAP = "$gap1"


def reaction_row(
    equations: Equations,
    asked: AskedInputs,
    discrete: LinearDiscrete,
    output: Reaction,
    values: Mapping[str, Any] | None,
    linearised: Callable[[AskedInputs, Mapping[str, Any] | None], Equations],
) -> OutputRow:
    """The row of one reaction; `linearised` makes linear equations of what was asked."""
    along, about = ((one,) if one else () for one in (output.along, output.about))
    if not along and not about:
        raise FlexuraError(f"{output!r} is a vector, which is no single output", advice="give along= or about=")
    energies = released(equations, output.connection, along, about)
    opened = asked_inputs(derive(energies), [*asked.labels, _GAP], values)
    origin = equations.lagrangian.origin
    if origin is not None:
        opened = replace(opened, about=origin.about, values=origin.values)
    order, elements, _ = discrete.whole.shapes or (None, None, {})
    linear = linearised(opened, values)
    system = motion_system(linear, values, order, elements)
    if system.m:
        raise FlexuraError(
            f"The {output!r} is not known of linear systems with constraints", advice="ask a run for it: run[...]"
        )
    matrices = linear_matrices(linear, system, values, opened.driven).system
    gap = matrices.names.index(_GAP)
    F = np.zeros((matrices.n, 0)) if matrices.F is None else matrices.F
    columns = {name: F[gap, i] for i, name in enumerate(matrices.input_names)}
    direct = np.zeros(len(asked.labels))
    for j, k in enumerate(asked.order):
        if k < len(asked.columns):
            direct[j] = -columns.get(opened.columns[k], 0.0)
    C = np.zeros((matrices.n, matrices.n)) if matrices.rates is None else matrices.rates
    rows = {0: matrices.displacements[gap], 1: C[gap], 2: matrices.M[gap]}
    unit = "N" if along else "N*m"
    return OutputRow(repr(output), unit, {k: _placed(row, matrices.names, discrete) for k, row in rows.items()}, direct)


def _placed(row: Any, names: tuple[str, ...], discrete: LinearDiscrete) -> Any:
    """Over the unknowns of the system itself, which has no gap."""
    found = np.zeros(discrete.whole.n)
    for name, one in zip(names, row, strict=True):
        if name != _GAP and one:
            found[discrete.whole.names.index(name)] = one
    return found
