"""Frequency responses of members along which conditions hold: by Ritz, of degrees that rise until the answers stay.

>>> held_answer(linear, values, omega, "F", beam.end)

Lines in closed form have no place for a force that holds a condition at every x. Discretised, it is held at Gauss
points and takes unknowns out, so matrices are left that answer at any frequency.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import derive
from flexura.errors import FlexuraError
from flexura.solve.answer import Answer
from flexura.solve.discretise import linear_matrices, motion_system
from flexura.solve.linear_inputs import asked_inputs, with_small_loads
from flexura.solve.linear_outputs import OutputRow, OutputRows
from flexura.solve.matrix_response import amplitudes
from flexura.solve.values import numbers
from flexura.symbolic.outputs import Reaction, is_force

Array = NDArray[np.float64]
_ORDERS = range(8, 33, 4)
_AGREE = 1e-10
_SMALL = 1e-6  # beside the largest of all frequencies: what is smaller is looked at beside that


def held_answer(
    equations: Equations, values: Mapping[str, Any], omega: Array, load: str, output: Any, listed: bool
) -> Answer:
    """The output per unit of the load, of linear equations."""
    asked = asked_inputs(equations, [load], values)
    if asked.driven:
        raise FlexuraError(
            f"The load {load} is a prescribed motion of members along which conditions hold, and such responses are"
            " known under forces only",
            advice="give the member stiffness in place of the condition, or follow the motion with fx.simulate",
        )
    if isinstance(output, Reaction):
        raise FlexuraError(
            f"The {output!r} is not known of linear systems with conditions along members",
            advice="ask a run for it: run[...]",
        )
    linear = derive(with_small_loads(asked.energies, values))
    before = None
    for found, rows in _refined(linear, values, omega, asked.columns[0], output):
        if listed and len(rows) > 1:
            raise FlexuraError(
                f"The place {output!r} has {len(rows)} fields, and a list takes one of them at a time",
                advice=f"write ({output!r}, '{_field(rows[0])}'), or another of {', '.join(map(_field, rows))}",
            )
        moved = np.full(found.shape, np.inf) if before is None else _moved(before, found)
        resonant = np.isinf(found)
        if np.all(moved <= _AGREE):
            break
        before = found
    doubt = np.where(resonant, 0.0, moved).max(axis=1)
    fields = tuple(_field(one) for one in rows) if len(rows) > 1 else ()
    return Answer(
        found, np.asarray(resonant.any(axis=1)), np.where(doubt <= _AGREE, 0.0, doubt), fields, is_force(output)
    )


def _refined(
    linear: Equations, values: Mapping[str, Any], omega: Array, load: str, output: Any
) -> Iterator[tuple[NDArray[np.complex128], list[OutputRow]]]:
    """(frequency, output) amplitudes and what was seen, of rising degrees."""
    known = numbers(linear, values)
    for degree in _ORDERS:
        discrete = linear_matrices(linear, motion_system(linear, values, degree), values)
        system = discrete.system
        given = dict(zip(system.input_names, () if system.F is None else system.F.T, strict=False))
        F = given.get(load, np.zeros(system.n))
        rows = OutputRows(linear, discrete.whole, known).read(output)
        found = np.zeros((len(omega), len(rows)), dtype=np.complex128)
        for rate in {rate for one in rows for rate in one.rows}:
            seen = np.array([one.rows.get(rate, np.zeros(discrete.whole.n)) for one in rows]) @ discrete.independent
            X = amplitudes(system, omega, F, seen)
            with np.errstate(invalid="ignore"):
                found += np.where(np.isfinite(X), X * ((1j * omega) ** rate)[:, None], np.inf)
        yield found, rows


def _moved(before: NDArray[np.complex128], found: NDArray[np.complex128]) -> Array:
    """How far each answer moved, beside itself."""
    both = np.isfinite(before) & np.isfinite(found)
    largest = np.abs(np.where(both, found, 0.0)).max(axis=0, initial=0.0)
    size = np.maximum(np.abs(found), _SMALL * largest)
    with np.errstate(invalid="ignore", divide="ignore"):
        moved = np.where(size > 0, np.abs(found - before) / size, 0.0)
    return np.asarray(np.where(both, moved, np.where(np.isinf(before) & np.isinf(found), 0.0, np.inf)))


def _field(row: OutputRow) -> str:
    return row.label.partition("(")[0]
