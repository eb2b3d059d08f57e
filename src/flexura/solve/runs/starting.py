"""What is said of a run that was given no start, where what always acts moves the system at once.

>>> starts_moving(question, system, start)
["The run starts from zero, which is no equilibrium: without inputs theta_tt is -9.81 there; ..."]
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexura.solve.runs.initial import Start
from flexura.solve.runs.question import Question
from flexura.solve.steppers.mechanics import bordered
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_AT_REST = 1e-9  # m/s**2 or rad/s**2


def starts_moving(question: Question, system: NonlinearSystem, start: Start) -> list[str]:
    """What to say of a run that was given no start, where what always acts moves the system at once."""
    held = getattr(question.equations.lagrangian, "contacts", {})  # and what a stop holds may rest there
    if question.initial or system.prescribed or system.explicit_time or not system.n or held:
        return []
    a = _at_once(system, float(question.times[0]), start)
    named = [i for i, name in enumerate(system.names) if "[" not in name and "$" not in name]
    if not named or not np.all(np.isfinite(a)) or np.abs(a[named]).max() < _AT_REST:
        return []
    first = max(named, key=lambda i: abs(a[i]))
    moved = np.abs(start.q).max() > _AT_REST
    where = "the state next to zero that its conditions allow" if moved else "zero"
    return [
        f"The run starts from {where}, which is no equilibrium: without inputs {system.names[first]}_tt is"
        f" {a[first]:.6g} there; fx.equilibrium(equations) gives the state of rest, which initial= takes."
    ]


def _at_once(system: NonlinearSystem, t: float, start: Start) -> Array:
    """Accelerations without inputs, under what conditions ask; no numbers where the run refuses to begin."""
    M, f = (np.array(one) for one in system.evaluate(t, start.q, start.v, system.rest))
    A, c = np.zeros((0, len(f))), np.zeros(0)
    if system.multipliers:
        c, A = np.array(system.acceleration(t, start.q, start.v)), np.array(system.velocity(t, start.q)[0])
    rows, right = bordered(M, A), np.concatenate([f, -c])
    if not (np.all(np.isfinite(rows)) and np.all(np.isfinite(right))):
        return np.full(len(f), np.nan)
    return np.asarray(np.linalg.lstsq(rows, right, rcond=None)[0][: len(f)], dtype=np.float64)
