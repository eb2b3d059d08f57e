"""What every run is given, whatever moves: the times, and a state to start from by name or as arrays.

>>> times = read_times(np.linspace(0, 1, 101))
>>> x, v = read_state({"x0": 0.1, "x0_t": "pi/4"}, system.names)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.runs.inputs import unknown
from flexura.symbolic.engine import SPINE, TIME
from flexura.systems.signals.signal import formula_of, is_formula, real_array, real_number

Array = NDArray[np.float64]
_TIMES = "give increasing times, like np.linspace(0, 1, 101)"


def read_times(t: Any) -> Array:
    """Times as an array: finite, two at least, each later than the one before."""
    times = real_array(t, "t", _TIMES, "s")
    if times.ndim != 1 or len(times) < 2:
        raise FlexuraError("t needs at least two times in a row", advice=_TIMES)
    if not np.all(np.isfinite(times)):
        raise FlexuraError(
            f"t is not finite at its point {int(np.argmin(np.isfinite(times)))}", advice="give finite times"
        )
    back = np.flatnonzero(np.diff(times) <= 0)
    if len(back):
        i = int(back[0]) + 1
        raise FlexuraError(
            f"t does not increase: its point {i} is {times[i]:.6g} after {times[i - 1]:.6g}",
            advice="sort the times and leave out those that repeat",
        )
    return times


def initial_number(key: str, value: Any, known: Mapping[str, float] | None = None) -> float:
    """One number to start from; text may hold names that have values."""
    what = f"the initial {key}"
    if not is_formula(value):
        return real_number(value, f"The initial {key}")
    tree = formula_of(value, what, known)
    if tree.free_symbols & {TIME, SPINE}:
        raise FlexuraError(f"The initial {key} is {value!s}, which depends on t", advice="give a finite number")
    try:
        found = float(tree)
    except (RuntimeError, TypeError):  # the engine's word for what is not real
        found = float("nan")
    return real_number(found, f"The initial {key}")


def read_state(
    initial: Any, names: Sequence[str], refuse: Callable[[str], None] = lambda name: None
) -> tuple[Array, Array]:
    """Displacements and rates by the names of rows, "q" and "q_t", or as arrays (x, x_t); what is not given is zero.

    `refuse` may say more than that there is no row of a name.
    """
    n = len(names)
    x, v = np.zeros(n), np.zeros(n)
    if initial is None:
        return x, v
    if isinstance(initial, Mapping):
        rows = {name: i for i, name in enumerate(names)}
        for key, value in initial.items():
            base = key if key in rows or not isinstance(key, str) else key.removesuffix("_t")
            if base not in rows:
                refuse(base)
                raise unknown(f"There is no {key!r} to start from", str(base), names)
            (x if key in rows else v)[rows[base]] = initial_number(key, value)
        return x, v
    given = initial if isinstance(initial, tuple) and len(initial) == 2 else (initial, v)
    advice = "give numbers by name, like {'x0': 0.1, 'x0_t': 0}, or arrays (x, x_t)"
    x, v = (real_array(one, "initial", advice).ravel() for one in given)
    if len(x) != n or len(v) != n:
        raise FlexuraError(f"initial has {len(x)} displacements and {len(v)} rates", advice=f"give {n} of each")
    if not (np.all(np.isfinite(x)) and np.all(np.isfinite(v))):
        raise FlexuraError("initial is not finite", advice="give finite numbers")
    return x.copy(), v.copy()
