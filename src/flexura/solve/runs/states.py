"""First-order states of a run: each is followed as the rate of a hidden coordinate, so that every stepper takes it.

    >>> equations, initial = followed_states(equations, initial, weights={"z": 1.0})

With z = Z_t, the equation z_t = rate becomes mu Z_tt = mu rate, which has an inertia mu of its own. It enters neither
what users see nor any other equation; mu only says how an error of z counts beside one of the motion. The energy
mu z^2 / 2 that the hidden coordinate would have is taken off again, from both sides of the balance.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.steppers.accuracy import MotionError
from flexura.solve.steppers.trajectory import Energy
from flexura.symbolic.engine import Basic, Symbol, exact
from flexura.symbolic.expression import Expression
from flexura.symbolic.jets import Jet

Array = NDArray[np.float64]
_HEAVY, _LIGHT = 10.0, 1e-4  # of the largest energy: what a state may count for
_SHARE = 0.1  # what it counts for after it was weighed


def hidden(state: str) -> str:
    """The coordinate whose rate a state is."""
    return f"${state}"


def followed_states(
    equations: Equations, initial: Any, weights: Mapping[str, float]
) -> tuple[Equations, dict[str, Any]]:
    """The equations with states as rates of hidden coordinates, and where these start."""
    energies = equations.lagrangian
    change = _change(energies)
    parts = {one.name: getattr(energies, one.name) for one in fields(energies)}
    parts["coordinates"] = tuple(hidden(name) if name in energies.states else name for name in energies.coordinates)
    work: dict[str, Basic] = {}
    for target, f in energies.work.items():
        if target in energies.states:
            work[hidden(target)] = exact(weights[target]) * energies.rate_of(target).xreplace(change)
        else:
            work[target] = f.xreplace(change)
    parts["work"] = work
    parts["work_density"] = {
        spine: {target: f.xreplace(change) for target, f in rows.items()}
        for spine, rows in energies.work_density.items()
    }
    for name in energies.states:
        parts["kinetic"] += exact(weights[name]) * Symbol(f"{hidden(name)}_t") ** 2 / 2
    start: dict[str, Any] = {}
    for key, value in (initial or {}).items():
        if isinstance(key, str) and key.removesuffix("_t") in energies.states and key not in energies.states:
            raise FlexuraError(f"The initial {key} cannot be given: it follows from the state", advice="leave it out")
        start[f"{hidden(key)}_t" if key in energies.states else key] = value
    for name, tree in energies.states.items():
        start.setdefault(f"{hidden(name)}_t", Expression(tree))
    return replace(equations, lagrangian=Lagrangian.of_parts(**parts)), start


def _change(energies: Lagrangian) -> dict[Symbol, Basic]:
    """States and their rates in the hidden coordinates."""
    states = {Symbol(name): Symbol(f"{hidden(name)}_t") for name in energies.states}
    rates = {Jet(name, t=1).symbol: energies.rate_of(name).xreplace(states) for name in energies.states}
    return {**states, **rates}


def taken_off(energy: Energy, histories: Mapping[str, Array], weights: Mapping[str, float]) -> Energy:
    """The energy balance without what hidden coordinates would hold."""
    if not weights:
        return energy
    held = np.sum([mu * histories[name] ** 2 / 2 for name, mu in weights.items()], axis=0)
    most = float(np.max(held))
    found = replace(energy, kinetic=energy.kinetic - held, supplied=energy.supplied - (held - held[:1]), largest=0.0)
    return replace(found, largest=max(found.scale, energy.largest - 2 * most))


def weighed(energy: Energy, histories: Mapping[str, Array], weights: Mapping[str, float]) -> dict[str, float] | None:
    """Other weights, where a state counts far more or far less than the motion does; None where these are right."""
    scale, found = energy.scale, dict(weights)
    for name, mu in weights.items():
        held = mu * float(np.max(histories[name] ** 2)) / 2
        if held > 0 and scale > 0 and not _LIGHT <= held / scale <= _HEAVY:
            found[name] = mu * _SHARE * scale / held
    return None if found == dict(weights) else found


def without_hidden(error: MotionError | None) -> MotionError | None:
    """What is told of errors without hidden coordinates."""
    if error is None:
        return None
    return replace(error, time={name: size for name, size in error.time.items() if not name.startswith("$")})
