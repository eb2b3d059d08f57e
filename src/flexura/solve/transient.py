"""Responses to an impulse and to a step: the linear system from rest, by exact exponentials of its matrices.

>>> fx.step_response(equations, t, "F", beam.end), fx.impulse_response(equations, t, "F", fx.Internal(beam, 0))

Undamped members answer by their exact modes, and `.error` is what the modes beyond may add. Damped ones are followed by
polynomials whose degree is raised until the answer stays; `.error` is then what the last two degrees differ by. Above
1e-6 of the largest value a warning says so: an impulse at a place sends waves of every length along a member, of which
no finite number is followed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm

from flexura.arguments import Measured
from flexura.derivation.opened import prescribed_motions
from flexura.derivation.routes import can_be_derived, small_equations_of
from flexura.errors import FlexuraError, warn
from flexura.solve.modal_transient import by_modes
from flexura.solve.state_space import state_space
from flexura.solve.time_response import TimeResponse
from flexura.solve.units import ratio_columns
from flexura.systems.signals.signal import real_array
from flexura.systems.state_space import StateSpace

Array = NDArray[np.float64]
_ORDERS = (8, 12, 16, 20, 24, 28)
_STAYS, _NOTICED = 1e-10, 1e-6


def impulse_response(
    equations: Any, t: Measured, load: Any, output: Any, values: Mapping[str, Any] | None = None
) -> TimeResponse:
    """What a unit impulse of a load at t = 0 does to a system at rest.

    Arguments:
        `equations`: a model, linear equations, or matrices.
        `t`: times >= 0 in s, (n,).
        `load`, `output`: as for fx.frequency_response, one or lists; of a prescribed motion the displacement is the
            impulse.
        `values`: numbers for parameters without one.
    Returns an array (n,), with lists of outputs and loads (n, outputs, loads), with `.t` and `.names`.

    >>> import flexura as fx
    >>> mass = fx.Mass("m", 2.0)
    >>> model = fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=8.0), fx.Force(mass, "F"))
    >>> fx.impulse_response(model, [0.0, 0.5], "F", "y").round(6).tolist()     # sin(2 t)/4
    [0.0, 0.210368]
    """
    return _transient(equations, t, load, output, values, order=0)


def step_response(
    equations: Any, t: Measured, load: Any, output: Any, values: Mapping[str, Any] | None = None
) -> TimeResponse:
    """What a load of 1 from t = 0 on does to a system at rest.

    Arguments:
        `equations`: a model, linear equations, or matrices.
        `t`: times >= 0 in s, (n,).
        `load`, `output`: as for fx.frequency_response, one or lists.
        `values`: numbers for parameters without one.
    Returns an array (n,), with lists of outputs and loads (n, outputs, loads), with `.t` and `.names`.

    >>> import flexura as fx
    >>> mass = fx.Mass("m", 2.0)
    >>> model = fx.Model(fx.Slide(fx.ground, mass, name="y"), fx.Spring(fx.ground, mass, k=8.0), fx.Force(mass, "F"))
    >>> fx.step_response(model, [0.0, 0.5], "F", "y").round(6).tolist()        # (1 - cos(2 t))/8
    [0.0, 0.057462]
    """
    return _transient(equations, t, load, output, values, order=-1)


def _transient(equations: Any, t: Measured, load: Any, output: Any, values: Any, order: int) -> TimeResponse:
    times = read_times(t)
    loads, outputs, fields, motions = load, output, False, tuple[str, ...]()
    if can_be_derived(equations):
        equations, loads, outputs = small_equations_of(equations), listed(load), listed(output)
        fields, motions = bool(equations.fields), prescribed_motions(equations)

    def at(degree: int | None) -> Array:
        space = state_space(equations, loads, outputs, values, degree)
        raised = [2 if one in motions else 0 for one in loads] if motions else [0] * len(space.inputs)
        return np.stack(  # the input of a prescribed motion is its acceleration
            [_history(space, j, times, order + up) for j, up in enumerate(raised)], axis=2
        )

    exact = None
    if fields and not equations.lagrangian.multiplier_fields and not any(one in motions for one in loads):
        exact = by_modes(equations, times, loads, outputs, values, order < 0)
    found, error = settled(at, fields) if exact is None else exact
    what = "impulse" if order == 0 else "step"
    label = f"{what} response of {_text(output)} per unit {_text(load)}"
    if error > _NOTICED:
        warn(
            f"The {what} response may be off by {error:.0e} of its largest value: the load sends waves along members"
            " that are shorter than what follows them. Internal damping takes them out; or simulate a"
            " load that grows over a short time."
        )
    found = found if several(load) else found[:, :, 0]
    columns = ratio_columns(equations, output, load)
    return TimeResponse.of(found if several(output) else found[:, 0], times, label, error, (), columns)


def settled(at: Callable[[int | None], Array], fields: bool) -> tuple[Array, float]:
    """An answer whose degree is raised until it stays, and what the last two differ by."""
    if not fields:
        return at(None), 0.0
    before, error = at(_ORDERS[0]), np.inf
    for degree in _ORDERS[1:]:
        found = at(degree)
        error = largest_share(found - before, found)
        before = found
        if error <= _STAYS:
            break
    return before, error


def largest_share(change: Array, found: Array) -> float:
    """The largest change of any column as a part of that column's largest: a moment must not hide a displacement."""
    size, moved = (np.abs(one).max(axis=0, initial=0.0) for one in (found, change))
    return float(np.max(np.divide(moved, size, out=np.zeros_like(size), where=size > 0), initial=0.0))


def _history(space: StateSpace, j: int, times: Array, order: int) -> Array:
    """C A^order e^(A t) B of one input, (times, outputs): 0 is an impulse, -1 a step, 2 an impulse of a motion."""
    A, B, C, D = space.A, space.B[:, j], space.C, space.D[:, j]
    n = len(A)
    if order < 0:  # the step is one more state
        A = np.block([[A, B[:, None]], [np.zeros((1, n + 1))]])
        B, C = np.concatenate([np.zeros(n), [1.0]]), np.hstack([C, D[:, None]])
    elif np.any(D) and order == 0:
        raise FlexuraError(
            f"The output {space.outputs[int(np.flatnonzero(D)[0])]} follows the load at once, so that an impulse of one"
            " is an impulse of the other",
            advice="ask for fx.step_response",
        )
    for _ in range(max(order, 0)):
        B = A @ B
    states = propagated(A, B, times)
    return np.asarray(states @ C.T)


def propagated(A: Array, start: Array, times: Array) -> Array:
    """e^(A t) start at each time, (times, n); equal steps share one exponential."""
    order = np.argsort(times, kind="stable")
    found, x, now = np.empty((len(times), len(start))), start, 0.0
    known: dict[float, Array] = {}
    for i in order:
        step = round(float(times[i]) - now, 15)
        if step > 0:
            key = next((one for one in known if abs(one - step) <= 1e-13 * max(1.0, float(times[i]))), step)
            if key not in known:
                known[key] = expm(A * key)
            x, now = known[key] @ x, float(times[i])
        found[i] = x
    return found


def read_times(t: Any) -> Array:
    """Finite times from zero on."""
    times = np.atleast_1d(real_array(t, "t", "give times in s", "s"))
    if times.ndim != 1 or not np.all(np.isfinite(times)) or np.any(times < 0):
        raise FlexuraError("t holds values that are no times from zero on", advice="give times in s, 0 or later")
    return times


def several(given: Any) -> bool:
    """A list, or a tuple that is no (place, field); of vectors two axes."""
    if _numeric(given):
        return np.ndim(given) > 1
    pair = isinstance(given, tuple) and len(given) == 2 and hasattr(given[0], "member")
    return isinstance(given, list | tuple) and not pair


def _numeric(given: Any) -> bool:
    """A vector, or several, as matrices take them."""
    if isinstance(given, list | tuple):
        return bool(given) and all(isinstance(one, int | float) or _numeric(one) for one in given)
    return isinstance(given, np.ndarray) or hasattr(given, "toarray")


def listed(given: Any) -> list[Any]:
    """One or several as a list."""
    return list(given) if several(given) else [given]


def _text(one: Any) -> str:
    if isinstance(one, Sequence) and not isinstance(one, str):
        return ", ".join(map(_text, one))
    return one if isinstance(one, str) else repr(one)
