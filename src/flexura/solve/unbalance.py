"""How a rotor answers to unbalance: orbits over the speed, as ground sees them.

>>> run = fx.unbalance_response(rotor, speeds, {4: 1e-4})       # mass times eccentricity at node 4, in kg m
>>> run.amplitude(4), run.minor(4), run.orbit(4, 0)             # half axes of the ellipse; points of the first orbit
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Numbers, checked_methods
from flexura.errors import FlexuraError
from flexura.structures.moving.rotor import Rotor
from flexura.systems.factor import factorize

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]


@checked_methods
@dataclass(frozen=True, eq=False)
class UnbalanceResponse:
    """`response` (speeds, n), complex: the displacements are Re(X e^{i Omega t}); rows are named by `rotor.dofs`."""

    rotor: Rotor
    speeds: Array
    response: Complex

    def __getitem__(self, name: str) -> Complex:
        """The complex amplitude of one motion, "v4", over the speeds."""
        if name not in self.rotor.dofs:
            raise FlexuraError(f"The rotor has no motion {name!r}", advice=f"it has {', '.join(self.rotor.dofs[:6])}")
        return np.asarray(self.response[:, self.rotor.dofs.index(name)])

    def across(self, node: int) -> Complex:
        """The two complex amplitudes across the axis at a node, (speeds, 2)."""
        return np.asarray((self.rotor.across(node) @ self.response.T).T)

    def amplitude(self, node: int) -> Array:
        """The larger half axis of the orbit at each speed."""
        ahead, behind = self._circles(node)
        return np.asarray(np.abs(ahead) + np.abs(behind))

    def minor(self, node: int) -> Array:
        """The smaller half axis: positive where the orbit runs with the rotation, negative where it runs against."""
        ahead, behind = self._circles(node)
        return np.asarray(np.abs(ahead) - np.abs(behind))

    def orbit(self, node: int, speed: int, points: int = 181) -> Array:
        """Points (points, 2) of the closed orbit at the k-th speed, across the axis (y, z about x)."""
        turn = np.exp(2j * np.pi * np.linspace(0, 1, points))
        return np.asarray(np.real(turn[:, None] * self.across(node)[speed]))

    def _circles(self, node: int) -> tuple[Complex, Complex]:
        P, Q = self.across(node).T
        return (P + 1j * Q) / 2, (P.conj() + 1j * Q.conj()) / 2


def unbalance_response(rotor: Rotor, speeds: Numbers, unbalance: Mapping[int, Any]) -> UnbalanceResponse:
    """The steady response to unbalance {node: m e} or {node: (m e, phase in rad)} at speeds in rad/s.

    Infinite where an undamped rotor runs at a critical speed.

    >>> fx.unbalance_response(rotor, np.linspace(0, 800, 401), {4: (1e-4, 0.0), 9: (5e-5, np.pi)}).amplitude(4)
    """
    if not isinstance(rotor, Rotor):
        raise FlexuraError(f"This is a {type(rotor).__name__}, no rotor", advice="give fx.Rotor(frame, bearings={...})")
    points = np.atleast_1d(np.asarray(speeds, dtype=np.float64))
    if points.ndim != 1 or not points.size or not np.all(np.isfinite(points)):
        raise FlexuraError("The speeds are not a row of finite numbers", advice="give them in rad/s")
    whole = _uneven(rotor, unbalance)
    found = np.array([_at(rotor, float(speed), whole) for speed in points])
    return UnbalanceResponse(rotor, points, found)


def _uneven(rotor: Rotor, unbalance: Mapping[int, Any]) -> Complex:
    """The force at unit speed, along y and a quarter turn later along z."""
    if not isinstance(unbalance, Mapping) or not unbalance:
        raise FlexuraError(f"unbalance is {unbalance!r}", advice="write {node: mass times eccentricity, in kg m}")
    total = np.zeros(len(rotor.dofs), dtype=complex)
    for node, given in unbalance.items():
        size, phase = given if isinstance(given, tuple | list) and len(given) == 2 else (given, 0.0)
        try:
            amount = float(size) * np.exp(1j * float(phase))
        except (TypeError, ValueError):
            amount = complex(np.nan)
        if not np.isfinite(amount):
            raise FlexuraError(
                f"The unbalance of node {node} is {given!r}", advice="give m e, or (m e, phase in rad)", entry=node
            )
        total += rotor.across(node).T @ (amount * np.array([1, -1j]))
    return total


def _at(rotor: Rotor, speed: float, uneven: Complex) -> Complex:
    A = rotor.system(speed).dynamic_stiffness(1j * speed)
    try:
        x = factorize(A.astype(complex), what="The dynamic stiffness", symmetric=False).solve(speed**2 * uneven)
    except FlexuraError:
        return np.full(len(uneven), np.inf, dtype=complex)
    return np.asarray(x if np.all(np.isfinite(x)) else np.full(len(uneven), np.inf))
