"""The argument principle: how many roots of det(K + s C + s^2 M) a region holds, from the turns of its phase.

The determinant is that of D times those of everything that was condensed. A region is a circle; where a line ends in
what absorbs its waves (a damper that matches its impedance), D is nothing but rounding far to the left, so the circle
is cut off there and the region says so.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.solve.exact.dynamic_stiffness import DynamicStiffness
from flexura.solve.exact.line_stiffness import LineStiffness

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
_POINTS = 48
_DEPTH = 22
_STEP = 1e-7
_CLEAR = 1e-10  # of its size: where D is nearer to singular than this on a contour, its phase may be rounding


@dataclass(frozen=True)
class Region:
    """|s - centre| < radius and Re s > left.

    >>> region = Region(0j, 20.0)
    >>> zeros_inside(stiffness, region), region.inside(s)
    """

    centre: complex
    radius: float
    left: float = -np.inf

    @property
    def cut(self) -> bool:
        """Not a whole circle."""
        return self.left > self.centre.real - self.radius

    @property
    def turn(self) -> float:
        """What one root inside adds to the phase along the contour; around a real centre half of it is enough."""
        return float(np.pi if self.centre.imag == 0 and not self.cut else 2 * np.pi)

    def inside(self, s: Any) -> Any:
        """Whether each s lies in it."""
        return (np.abs(s - self.centre) < self.radius) & (np.real(s) > self.left)

    def along(self, t: Array) -> Complex:
        """The contour, t from 0 to 1: the circle, or its arc and the chord that cuts it off."""
        if not self.cut:
            return np.asarray(self.centre + self.radius * np.exp(1j * self.turn * t))
        end = float(np.arccos((self.left - self.centre.real) / self.radius))
        t = t % 1.0
        arc = self.radius * np.exp(1j * end * (4 * t - 1))
        top = self.radius * np.exp(1j * end)
        return np.asarray(self.centre + np.where(t < 0.5, arc, top.real + 1j * top.imag * (3 - 4 * t)))


def zeros_inside(stiffness: DynamicStiffness, region: Region) -> int:
    """Roots inside, with their multiplicities.

    A step along the contour is halved until the rate of the phase, measured by a tiny step, says that it turns by less
    than one, and until it is not much longer than its neighbours: what is fast in one is not slow in the next.
    """
    t = np.linspace(0, 1, round(_POINTS * region.turn / (2 * np.pi)) + 1)
    levels = stiffness.levels(region.along(np.linspace(0, 1, 4 * _POINTS + 1)))
    phases, rates = _phases(stiffness, region, t, levels)
    for _ in range(_DEPTH):
        lengths = np.diff(t)
        steps = np.maximum(rates[1:], rates[:-1]) * lengths
        uneven = lengths > 2.5 * np.minimum(np.append(lengths[1:], 1.0), np.append(1.0, lengths[:-1]))
        wide = np.flatnonzero(uneven | (steps > 1.2) | (np.abs(_wrapped(np.diff(phases))) > 1.2))
        if not len(wide):
            break
        middle = (t[wide] + t[wide + 1]) / 2
        new, rate = _phases(stiffness, region, middle, levels)
        t = np.insert(t, wide + 1, middle)
        phases, rates = np.insert(phases, wide + 1, new), np.insert(rates, wide + 1, rate)
    return round(float(_wrapped(np.diff(phases)).sum() / region.turn))


def cleared(stiffness: DynamicStiffness, region: Region) -> Region:
    """The region without what lies so far to the left that D is rounding there; as it was if that is not the cause."""
    smaller = region
    for _ in range(24):
        contour = smaller.along(np.linspace(0, 1, 4 * _POINTS, endpoint=False))
        blurred = contour[_nearness(stiffness, contour) < _CLEAR].real
        if not len(blurred):
            return smaller
        left = max(float(blurred.max()), 0.9 * smaller.left if smaller.cut else -np.inf)
        if left >= min(0.0, region.centre.real):
            break
        smaller = replace(smaller, left=left)
    return region


def _nearness(stiffness: DynamicStiffness, s: Complex) -> Array:
    """How near D is to a singular matrix, against its size."""
    unit = 1 / np.sqrt(stiffness.sizes(s * s).T)
    D = stiffness(s, s * s)[0] * unit[:, :, None] * unit[:, None, :]
    return np.asarray(np.linalg.svd(D, compute_uv=False).min(axis=1, initial=1.0))


def _phases(
    stiffness: DynamicStiffness, region: Region, t: Array, levels: dict[LineStiffness, int]
) -> tuple[Array, Array]:
    """The phase of the determinant, and how fast it turns along the contour; all lines cut alike everywhere on it."""
    s = region.along(np.concatenate([t, t + _STEP]))
    D, condensed = stiffness.determinants(s, levels)
    unit = 1 / np.sqrt(stiffness.sizes(s * s).T)
    phase = condensed + np.angle(np.linalg.slogdet(D * unit[:, :, None] * unit[:, None, :])[0])
    first, second = phase[: len(t)], phase[len(t) :]
    return first, np.abs(_wrapped(second - first)) / _STEP


def _wrapped(steps: Array) -> Array:
    return (steps + np.pi) % (2 * np.pi) - np.pi
