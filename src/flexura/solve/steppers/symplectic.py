"""The explicit way for waves: symmetric compositions of drifts and kicks, whose energy errors stay where they are.

>>> for state in symplectic(mechanics, norm, start, end, tolerance, pace): ...

A drift moves coordinates with steady rates, a kick changes rates at steady coordinates: one evaluation where forces do
not depend on rates, else a step of the classical Runge-Kutta method in the rates alone. Of order four with four kicks
(PEFRL of Omelyan, Mryglod & Folk 2002), of order two with one (leapfrog) where little accuracy is asked for. Soft
members through which waves run let no step be much longer than the fastest wave's time from node to node: there these
need least work. Steps are equal between looks at what halving them changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.solve.steppers.mechanics import Mechanics, State
from flexura.solve.steppers.norm import Norm
from flexura.solve.steppers.pace import Pace
from flexura.solve.steppers.stiffness import fastest

Array = NDArray[np.float64]
_XI, _LAMBDA, _CHI = 0.1786178958448091, -0.2123418310626054, -0.06626458266981849


class Composition(NamedTuple):
    """Drifts and the kicks between them, as parts of a step; and how far steps may go, in radians."""

    drifts: tuple[float, ...]
    kicks: tuple[float, ...]
    order: int
    reach: float


LEAPFROG = Composition((0.5, 0.5), (1.0,), 2, 1.8)
PEFRL = Composition(
    (_XI, _CHI, 1 - 2 * (_CHI + _XI), _CHI, _XI), (0.5 - _LAMBDA, _LAMBDA, _LAMBDA, 0.5 - _LAMBDA), 4, 2.2
)
_ROUGH = 1e-6  # tolerances from here on are for quick looks
_BLOCK = 256  # steps between looks
_EVERY = 2  # steps from one state that is kept to the next: the curve through them is of a higher order than they are
# What a step may miss: errors of energies do not add up, and are of one order less than those of steps.
_SHARE, _POWER, _MOST = 2e6, 1.25, 1e-3
_LARGER = 1.5  # growth of steps from look to look
_TRIES = 30


def symplectic(
    mechanics: Mechanics, norm: Norm, start: State, end: float, tolerance: float, pace: Pace
) -> Iterator[State]:
    """The accepted states after `start`, up to `end` exactly."""
    method = LEAPFROG if tolerance >= _ROUGH and mechanics.system.rate_free else PEFRL
    state, allowed, h = start, min(_MOST, _SHARE * tolerance**_POWER), np.inf
    while state.t < end:
        h = min(h, pace.largest, pace.scales.reach(state.t), _steady(mechanics, method, state))
        h = _settled(mechanics, method, norm, state, min(h, end - state.t), allowed, pace)
        left = end - state.t
        count = max(_EVERY, int(np.ceil(left / h / _EVERY - 1e-9)) * _EVERY)
        steps, h = min(count, _BLOCK), left / count if count <= _BLOCK else h
        begin, q, v = state.t, state.q, state.v
        for k in range(0, steps, _EVERY):
            pace.alive(state.t, h)
            for i in range(_EVERY):
                q, v = _step(mechanics, method, begin + (k + i) * h, h, q, v)
            t = end if steps == count and k + _EVERY == steps else begin + (k + _EVERY) * h
            state = mechanics.state(t, q, v)
            norm.see(state)
            pace.accept(_EVERY * h, _EVERY * h)
            yield state
        h *= _LARGER


def _step(mechanics: Mechanics, method: Composition, t: float, h: float, q: Array, v: Array) -> tuple[Array, Array]:
    for drift, kick in zip(method.drifts, method.kicks, strict=False):
        q, t = q + drift * h * v, t + drift * h
        v = _kicked(mechanics, t, q, v, kick * h)
    return q + method.drifts[-1] * h * v, v


def _kicked(mechanics: Mechanics, t: float, q: Array, v: Array, h: float) -> Array:
    """The rates after forces have acted for a while on coordinates that stand still."""
    first = mechanics.acceleration(t, q, v)[0]
    if mechanics.system.rate_free:
        return v + h * first
    second = mechanics.acceleration(t, q, v + h / 2 * first)[0]
    third = mechanics.acceleration(t, q, v + h / 2 * second)[0]
    fourth = mechanics.acceleration(t, q, v + h * third)[0]
    return v + h / 6 * (first + 2 * second + 2 * third + fourth)


def _steady(mechanics: Mechanics, method: Composition, state: State) -> float:
    """The longest step at which vibrations stay what they are."""
    speed = fastest(mechanics.newton(state))
    return method.reach / speed if speed else np.inf


def _settled(
    mechanics: Mechanics, method: Composition, norm: Norm, state: State, h: float, allowed: float, pace: Pace
) -> float:
    """A step no longer than h that misses no more than is allowed: halving it tells."""
    for _ in range(_TRIES):
        pace.alive(state.t, h)
        whole = _step(mechanics, method, state.t, h, state.q, state.v)
        half = _step(mechanics, method, state.t, h / 2, state.q, state.v)
        q, v = _step(mechanics, method, state.t + h / 2, h / 2, *half)
        error = norm.relative(whole[0] - q, whole[1] - v, h, v)
        if error <= allowed:
            return h
        factor = 0.9 * (allowed / error) ** (1 / (method.order + 1)) if np.isfinite(error) else 0.1
        h *= min(0.9, max(0.1, factor))
        pace.rejected += 1
    return h
