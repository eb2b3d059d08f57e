"""What jumps or has a kink in a system: functions whose zeros are events, and the system between them.

>>> frozen, indicators = between_events(system)
>>> frozen.written.parameters            # ..., "$mode0": -1.0: each branch is chosen by a number, not by the state

Between two events every branch stays what it was, so that integrators see smooth right-hand sides and find the zeros;
at an event the numbers that choose are set anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import symengine

from flexura.exports.systems import ExportedSystem
from flexura.symbolic.engine import ONE, ZERO, Basic, Symbol
from flexura.symbolic.walk import branches, remade

_RELATIONS = (symengine.LessThan, symengine.StrictLessThan)
_ROUGH = (*_RELATIONS, symengine.Abs, symengine.sign)
MODE = "$mode"


def between_events(system: ExportedSystem) -> tuple[ExportedSystem, list[Basic]]:
    """The system with a number for each branch, and the functions whose signs these numbers are."""
    written = system.written
    whole = [
        *_trees(written.mass),
        *_trees(written.forces),
        *_trees(np.array([*system.outputs.values()], dtype=object)),
    ]
    known = {*written.a, *written.lam}
    found: dict[Basic, Symbol] = {}
    for one in branches(whole):
        if isinstance(one, _ROUGH):
            g = _function(one)
            if g.free_symbols and not g.free_symbols & known and not any(isinstance(b, _ROUGH) for b in branches([g])):
                found.setdefault(g, Symbol(f"{MODE}{len(found)}"))
    if not found:
        return system, []

    def put(array: Any) -> Any:
        given = np.asarray(array, dtype=object)
        trees = [_frozen(symengine.sympify(f), found) for f in given.ravel()]
        return np.array([*trees, None], dtype=object)[:-1].reshape(given.shape)

    frozen = replace(
        written,
        parameters={**written.parameters, **{mode.name: 1.0 for mode in found.values()}},
        evaluate=lambda: (put(written.mass), put(written.forces)),
        slopes=lambda: (put(written.jacobians[0]), put(written.jacobians[1])),
        held=lambda: tuple(put(one) for one in written.constraints),
        energies=lambda: put(written.energies()),
    )
    outputs = {name: _frozen(symengine.sympify(f), found) for name, f in system.outputs.items()}
    return replace(system, written=frozen, outputs=outputs), [*found]


def _trees(array: Any) -> Iterator[Basic]:
    return (symengine.sympify(f) for f in np.asarray(array, dtype=object).ravel())


def _function(one: Basic) -> Basic:
    """What changes its sign where a condition, an absolute value or a sign changes over."""
    return one.args[0] - one.args[1] if isinstance(one, _RELATIONS) else one.args[0]


def _frozen(f: Basic, modes: dict[Basic, Symbol]) -> Basic:
    made: dict[Basic, Basic] = {}
    for one in branches([f]):
        mode = modes.get(_function(one)) if isinstance(one, _ROUGH) else None
        if mode is None:
            made[one] = remade(one, [made[part] for part in one.args]) if one.args else one
        elif isinstance(one, _RELATIONS):
            made[one] = symengine.Lt(mode, ZERO)
        else:
            made[one] = mode * (made[one.args[0]] if isinstance(one, symengine.Abs) else ONE)
    return made[f]
