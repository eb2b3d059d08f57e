"""Critical speeds of rotors on bearings that stand on ground, and the speed from which on they are unstable.

>>> fx.critical_speeds(rotor, count=4), fx.stability_limit(rotor, between=(0, 900))
"""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse.linalg as spla
from numpy.typing import NDArray
from scipy.optimize import brentq

from flexura.errors import FlexuraError
from flexura.solve.modes import modes
from flexura.structures.moving.rotor import Rotor

Array = NDArray[np.float64]
_DENSE = 400
_GROWS = 1e-9
_WHIRLS = 1e-6  # of a shape, that lies across the axis: torsion and stretching do not
_DOUBLINGS = 40


def rotor_critical_speeds(rotor: Rotor, count: int) -> Array:
    """The lowest speeds at which a whirl of the undamped rotor, forward or backward, keeps pace with the rotation.

    There s = i Omega, so K x = Omega^2 (M - i G) x, G at unit speed: an eigenproblem of Hermitian matrices. Where
    bearings change with the speed, each is followed to the speed at which it holds.
    """
    steady = not any(callable(part) or (isinstance(part, tuple) and np.ndim(part[0]) == 1)
                     for one in rotor.bearings.values() for part in (one.k,))  # fmt: skip
    if steady:
        return _speeds(rotor, 0.0, count)
    start = _lowest_speed(rotor)
    return np.array([one for k in range(count) if (one := _followed(rotor, k, start)) is not None])


def _lowest_speed(rotor: Rotor) -> float:
    tables = [part[0][0] for one in rotor.bearings.values() for part in (one.k, one.c)
              if isinstance(part, tuple) and np.ndim(part[0]) == 1]  # fmt: skip
    return float(max(tables, default=0.0))


def _speeds(rotor: Rotor, at: float, count: int) -> Array:
    """Those with the bearings as at one speed; fewer if there are fewer."""
    M, G, K = rotor.undamped(at)
    inertia = (M - 1j * G).tocsc()
    if K.shape[0] <= _DENSE:
        try:
            squares, shapes = scipy.linalg.eigh(inertia.toarray(), K.toarray())
        except np.linalg.LinAlgError:
            raise FlexuraError(
                "Nothing holds the rotor against some motion",
                advice="hold it along and about its axis, and add bearings",
            ) from None
    else:
        solve = spla.splu(K.tocsc().astype(complex))
        inverse = spla.LinearOperator(K.shape, matvec=solve.solve, dtype=complex)
        start = np.ones(K.shape[0], dtype=complex)
        wanted = min(3 * count + 8, K.shape[0] - 2)
        squares, shapes = spla.eigsh(inertia, k=wanted, M=K.astype(complex), Minv=inverse, which="LA", v0=start)
    whirls = np.linalg.norm(rotor.turn @ shapes, axis=0) > _WHIRLS * np.linalg.norm(shapes, axis=0)
    squares = np.sort(squares[whirls & (squares > 1e-12 * np.max(squares))])[::-1]
    return np.asarray(1 / np.sqrt(squares[:count]))


def _followed(rotor: Rotor, k: int, start: float) -> float | None:
    """The speed Omega at which the k-th critical speed of the bearings at Omega is Omega."""

    def ahead(speed: float) -> float:
        found = _speeds(rotor, speed, k + 1)
        return float(found[k] - speed) if len(found) > k else np.inf

    low, high = start, start
    for _ in range(_DOUBLINGS):
        gap = ahead(high)
        if gap <= 0:
            return float(brentq(ahead, low, high, xtol=1e-10 * max(high, 1e-300), rtol=1e-12)) if high > low else high
        low, high = high, high + min(gap, max(high, gap / 8)) * 1.1
    return None


def stability_limit(rotor: Rotor, between: Any, count: int = 6) -> float:
    """The speed in rad/s, between two, at which one of the `count` lowest modes begins to grow; inf if none does."""
    if not isinstance(rotor, Rotor):
        raise FlexuraError(f"This is a {type(rotor).__name__}, no rotor", advice="give fx.Rotor(frame, bearings={...})")
    ends = np.asarray(between, dtype=np.float64)
    if ends.shape != (2,) or not np.all(np.isfinite(ends)) or not 0 <= ends[0] < ends[1]:
        raise FlexuraError(f"between is {between!r}", advice="give two ascending speeds in rad/s")

    def growth(speed: float) -> float:
        s = modes(rotor.system(speed), count).eigenvalues
        return float(np.max(s.real / np.maximum(np.abs(s), 1e-300)) - _GROWS)

    calm = float(ends[0])
    for speed in np.linspace(ends[0], ends[1], 33).tolist():
        if growth(speed) > 0:
            return speed if speed == ends[0] else float(brentq(growth, calm, speed, rtol=1e-10))
        calm = speed
    return float("inf")
