"""Impulse and step responses of undamped members by their exact modes, with what the modes beyond leave out.

    >>> found = by_modes(equations, times, ["F"], [beam.end], values, step=True)
    >>> found.values, found.error                             # (times, outputs, loads); None where motions are damped

The exact response is H = sum r_k/(l_k - l) with l = omega^2, so that a step answers by sum r_k/l_k (1 - cos omega_k t)
and an impulse by sum r_k/omega_k sin omega_k t. Residues are read off the exact response on both sides of each pole,
whatever the output is. Modes beyond the last keep their static share in a step; `error` is the sum of what they may
swing by, from how residues fall, as a part of the largest value.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.errors import FlexuraError
from flexura.solve.frequency_response import frequency_response
from flexura.solve.modes import modes

Array = NDArray[np.float64]
_COUNTS = (24, 48, 96)
_ENOUGH = 1e-10
_BESIDE = 0.01  # of the way to the next pole: where residues are looked at
_SIXTH = {1: 3 / 4, 2: -3 / 10, 3: 1 / 20}  # of what is seen at -3..3, to the value in the middle
_FOURTH = {1: 2 / 3, 2: -1 / 6, 3: 0.0}
_SAME = 1e-8  # of a square: poles that are one
_REAL = 1e-9


class ByModes(NamedTuple):
    """Values (times, outputs, loads), and what they may be off by."""

    values: Array
    error: float


class _Poles(NamedTuple):
    """Squares of frequencies and residues (poles, outputs, loads), that of free motion, and the static rest."""

    squares: Array
    residues: Array
    free: Array
    rest: Array
    missed: float
    rate: NDArray[np.bool_]  # of outputs that are rates of motions


def by_modes(
    equations: Equations,
    times: Array,
    loads: Sequence[Any],
    outputs: Sequence[Any],
    values: Mapping[str, Any] | None,
    step: bool,
) -> ByModes | None:
    """The response by as many modes as it takes; None where they are damped, turning, unstable or too close."""
    best: ByModes | None = None
    for count in _COUNTS:
        try:
            poles = _poles(equations, loads, outputs, values, count)
        except FlexuraError:  # what has no exact modes; a wrong question is told by whoever answers it
            poles = None
        if poles is None:
            return best
        found = _added(poles, times, step)
        if best is None or found.error <= best.error:
            best = found
        if found.error <= _ENOUGH or len(poles.squares) < count // 2:
            break
    return best


def _poles(
    equations: Equations, loads: Sequence[Any], outputs: Sequence[Any], values: Mapping[str, Any] | None, count: int
) -> _Poles | None:
    found = modes(equations, count + 1, values)
    s = found.eigenvalues
    if not found.certificate or np.any(s.real) or len(found) < count + 1:
        return None
    squares = s.imag**2
    apart = [float(one) for k, one in enumerate(squares) if one and (not k or one - squares[k - 1] > _SAME * one)]
    poles, last = np.array(apart[:-1]), apart[-1]
    gaps = np.diff([0.0, *poles, last])
    steps = _BESIDE * np.minimum(gaps[:-1], gaps[1:])
    places = poles[:, None] + steps[:, None] * np.array([-3, -2, -1, 1, 2, 3])
    low = poles[0] * np.array([0.2, 0.5, 0.8])
    asked = np.sqrt(np.concatenate([low, places.ravel()]))
    with warnings.catch_warnings():  # so near to resonances some digits are lost, which are counted below
        warnings.simplefilter("ignore")
        H = np.asarray(frequency_response(equations, asked, list(loads), list(outputs), values))
    if not np.all(np.isfinite(H)):
        return None
    H, rate = _real(H, asked)
    if H is None:
        return None
    near = H[3:].reshape(len(poles), 6, *H.shape[1:]) * (poles[:, None] - places)[..., None, None]
    residues, rough = (_middle(near, weights) for weights in (_SIXTH, _FOURTH))
    size = np.abs(residues).max(axis=0)
    missed = float(np.max(np.abs(residues - rough).max(axis=0) / np.where(size > 0, size, 1.0)))
    shares = 1 / (poles[:, None] - low)
    tail = H[:3] - np.einsum("kp,kol->pol", shares, residues)
    free, rest = _rest(tail, low, bool(np.any(squares == 0)))
    return _Poles(poles, residues, free, rest, missed, rate)


def _real(H: Any, omega: Array) -> tuple[Any, NDArray[np.bool_]]:
    """Responses of motions; those of rates are i omega times as much, and None is neither."""
    size = np.abs(H).max(axis=0)
    real = np.abs(H.imag).max(axis=0) <= _REAL * size
    turned = np.abs(H.real).max(axis=0) <= _REAL * size
    if not np.all(real | turned):
        return None, turned
    rate = turned & ~real
    return np.where(rate, H.imag / omega[:, None, None], H.real), rate


def _middle(near: Array, weights: Mapping[int, float]) -> Array:
    """What is seen at -3, -2, -1, 1, 2, 3, in the middle."""
    return np.asarray(sum(w * (near[:, 3 - k] + near[:, 2 + k]) for k, w in weights.items()))


def _rest(tail: Array, low: Array, free: bool) -> tuple[Array, Array]:
    """-r_0/l + c_0 + c_1 l through what the poles leave at three low frequencies: r_0 and c_0."""
    if not free:  # c_0 + c_1 l + c_2 l^2
        return np.zeros(tail.shape[1:]), np.linalg.solve(np.vander(low, increasing=True), tail.reshape(3, -1))[
            0
        ].reshape(tail.shape[1:])
    table = np.column_stack([-1 / low, np.ones(3), low / low[0]])
    found = np.linalg.solve(table, tail.reshape(3, -1)).reshape(tail.shape)
    return found[0], found[1]


def _added(poles: _Poles, times: Array, step: bool) -> ByModes:
    """All modes at the times, and what those beyond may swing by."""
    omega, r, t = np.sqrt(poles.squares), poles.residues, times[:, None]
    sine, cosine = np.sin(t * omega), np.cos(t * omega)
    over = (1 / omega)[:, None, None]

    def total(of_time: Array, shares: Array, free: Array, rest: Array | float) -> Array:
        return np.asarray(np.einsum("tk,kol->tol", of_time, shares) + free[:, None, None] * poles.free + rest)

    still = np.ones_like(times)
    if step:
        moved = total(1 - cosine, r * over**2, times**2 / 2, poles.rest)
        rates, sizes = total(sine, r * over, times, 0.0), (np.abs(r) * over**2, np.abs(r) * over)
    else:
        moved = total(sine, r * over, times, 0.0)
        rates, sizes = total(cosine, r, still, 0.0), (np.abs(r) * over, np.abs(r))
    values = np.where(poles.rate, rates, moved)
    beyond = np.where(poles.rate, _beyond(sizes[1]), _beyond(sizes[0]))
    size = np.abs(values).max(axis=0)
    share = np.divide(beyond, size, out=np.zeros_like(size), where=size > 0)
    return ByModes(values, min(1.0, float(share.max()) + poles.missed))


def _beyond(sizes: Array) -> Array:
    """The sum of all terms beyond the last, from the power by which the largest of them fall; infinite if too slow."""
    n = len(sizes)
    early, late = sizes[n // 2 : 3 * n // 4].max(axis=0), sizes[3 * n // 4 :].max(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        power = np.log(early / late) / np.log(1.4)
        found = np.where(power > 1.1, late * n / (power - 1), np.inf)
    return np.where(late > 0, found, 0.0)
