"""Why a run with dry friction cannot go on: what slides comes to rest, and sign(0) does not hold it.

>>> why = stuck(question, names, whole)
>>> why(states)        # an error, or None where something else stopped the run
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import symengine
from numpy.typing import NDArray

from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.runs.bare import Bare
from flexura.solve.runs.question import Question
from flexura.solve.steppers.mechanics import State
from flexura.symbolic.engine import TIME, ZERO, Basic, Symbol, exact, partial
from flexura.symbolic.machine import machine_function
from flexura.symbolic.walk import atoms

Array = NDArray[np.float64]
_SIZE = Symbol("$size")
_AT_REST = 1e-3  # of the largest speed that something slid with
_LAST, _NEAR = 20, 10.0  # states at the end, and as many of their steps away as rest is near to what never slid


def stuck(
    question: Question, names: Sequence[str], whole: Callable[[Array], Array]
) -> Callable[[Sequence[State]], FlexuraError | None]:
    """What tells whether a friction sticks in the last of some states; `whole` makes all unknowns of those followed."""
    energies = question.equations.lagrangian
    if isinstance(energies, Bare):
        return lambda states: None
    known = {Symbol(name): exact(value) for name, value in question.known.items()}
    frictions = {one: one.args[0].xreplace(known) for one in _signs(energies)}
    arguments = [TIME, *(Symbol(name) for name in names), *(Symbol(f"{name}_t") for name in names)]

    def why(states: Sequence[State]) -> FlexuraError | None:
        for friction, speed in frictions.items():
            if not speed.free_symbols <= set(arguments):
                continue
            slopes = [partial(speed, one) for one in arguments[1 + len(names) :]]
            compiled = machine_function(arguments, [speed, *slopes], backend="lambda")
            rows = np.array([[one.t, *whole(one.q), *whole(one.v)] for one in states])
            found = np.asarray(compiled(rows), dtype=np.float64).reshape(len(rows), -1)
            seen, grows = found[:, 0], np.sum(found[:, 1:] * [whole(one.a) for one in states], axis=1)
            least = _AT_REST * np.abs(seen).max(initial=0.0)
            step = np.diff(rows[-_LAST:, 0]).max(initial=0.0)  # in which what is pushed back meets zero
            if abs(seen[-1]) <= max(least, -np.sign(seen[-1]) * grows[-1] * _NEAR * step):
                slid = friction.args[0]
                return FlexuraError(
                    f"The friction {friction} sticks at t = {states[-1].t:.6g}: {slid} comes to rest there, and what"
                    " would hold it is not known",
                    advice=f"give fx.Friction in place of {friction}, which holds what rests, or end the run there by"
                    f" an event, or write tanh(({slid})/v) with a small v",
                )
        return None

    return why


def _signs(energies: Lagrangian) -> list[Basic]:
    """Signs of something that moves."""
    rows = (*energies.work.values(), *(f for some in energies.work_density.values() for f in some.values()))
    trees = [energies.settled(f) for f in (*rows, energies.dissipation, *energies.dissipation_density.values())]
    found = {one for f in trees for one in atoms(f, symengine.sign)}
    for f in (energies.dissipation, *energies.dissipation_density.values()):
        found |= {symengine.sign(one.args[0]) for one in atoms(f, symengine.Abs) if _bends(energies, f, one)}
    return sorted((one for one in found if any(jet.t for jet in energies.jets.unknowns(one.args[0]))), key=str)


def _bends(energies: Lagrangian, f: Basic, size: Basic) -> bool:
    """Whether a dissipation has a kink where a rate passes zero, as 4*abs(v) has one and abs(v)**3 has none."""
    along = partial(f.xreplace({size: _SIZE}), _SIZE)
    rates = {jet.symbol: ZERO for jet in energies.jets.unknowns(size) if jet.t}
    return bool(rates) and along.xreplace({_SIZE: ZERO}).xreplace(rates) != 0
