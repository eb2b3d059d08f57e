"""Where a formula goes to infinity, so that what it drives has no answer: 1/t at 0, tan(t) at pi/2.

>>> refuse_poles(tan(TIME), "the input F", TIME, 0.0, 3.0)
FlexuraError: The input F goes to infinity at t = 1.5708; ...

Places are found by bounds over intervals, so that none is missed. Bounds may be infinite where the function is not
(sin(t)/t at 0), so what it is beside such a place decides: there, a piece too short to be looked at must hold next to
nothing of the integral. It does for log(t); for 1/sqrt(t) it holds a millionth.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.symbolic.engine import Basic, Symbol
from flexura.symbolic.machine import machine_function
from flexura.systems.signals.intervals import Bounded

Array = NDArray[np.float64]
_HALVINGS = 44  # of the span: down to rounding
_MOST = 256  # intervals at a time; of more the first are looked at
_BESIDE = 1e-12  # of the span: the piece that is too short to be looked at
_ROUNDED = 64  # units in the last place: where a place so near another is still another
_LARGE = 100.0  # times the mean: more than logarithms come to so near their poles
_SAMPLES = 257


def refuse_poles(
    tree: Basic, what: str, symbol: Symbol, start: float, end: float, corners: tuple[float, ...] = ()
) -> None:
    """Refuse a formula that goes to infinity between start and end, unless its integral is known all the same."""
    if not start < end:
        return
    compiled = machine_function([symbol], [tree], backend="lambda")

    def sizes(at: Array) -> Array:
        with np.errstate(all="ignore"):
            return np.abs(np.asarray(compiled(at.reshape(-1, 1)), dtype=np.float64)).reshape(at.shape)

    span = end - start
    beside = max(_BESIDE * span, _ROUNDED * float(np.spacing(max(abs(start), abs(end)))))
    places = _unbounded(tree, symbol, np.array([start, *corners, end]))
    if not len(places):
        return
    near = np.stack([places - beside, places + beside])
    inside = (near >= start) & (near <= end)
    held = np.where(inside, sizes(np.clip(near, start, end)), 0.0).max(axis=0)
    usual = sizes(start + span * (np.arange(_SAMPLES) + np.sqrt(0.5)) / _SAMPLES)  # on no round places
    mean = float(np.mean(usual[np.isfinite(usual)])) if np.isfinite(usual).any() else 0.0
    name, digits = symbol.name.removeprefix("$"), int(np.floor(-np.log10(beside)))
    for at in places[~(held <= _LARGE * mean)]:
        raise FlexuraError(
            f"{what[0].upper()}{what[1:]} goes to infinity at {name} = {float(np.round(at, digits)):.6g}",
            advice=f"write it so that it stays finite, or leave that {_WORDS.get(name, 'place')} out",
        )


def _unbounded(tree: Basic, symbol: Symbol, corners: Array) -> Array:
    """Places around which bounds stay infinite however short an interval is."""
    bounded = Bounded(tree)
    low, high = corners[:-1], corners[1:]
    for _ in range(_HALVINGS):
        ((least, most),) = bounded({symbol: (low, high)})
        lost = ~(np.isfinite(least) & np.isfinite(most))
        low, high = low[lost][:_MOST], high[lost][:_MOST]
        if not len(low):
            break
        middle = (low + high) / 2
        low, high = np.column_stack([low, middle]).ravel(), np.column_stack([middle, high]).ravel()
    return np.asarray((low + high) / 2)


_WORDS = {"t": "time"}
