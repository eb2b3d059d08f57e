"""Chains of rigid links in the plane, in absolute angles, written by hand: what bends far, hinges and tumbles.

    >>> chain = Links([Link(1.0, 0.5), Link(1.0, 0.5)], g=9.81)
    >>> phi = chain.motion([2.0, 2.0], [0.0, 0.0], t)        # (times, links)

A beam is many links with springs between them (`beam`), with an error that falls as the square of their length. The
links know nothing of small deflections, of shortening, or of the package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

_ROOT = -1  # the spring of a link that is held by ground


@dataclass(frozen=True)
class Link:
    """A bar from one joint to the next: its mass centre lies `centre` from the first, `tip` sits on the second."""

    length: float
    mass: float
    inertia: float = 0.0
    centre: float | None = None
    tip: float = 0.0


@dataclass(frozen=True)
class Links:
    """Links one after the other from a hinge at ground; springs as (link, link, stiffness), with _ROOT for ground."""

    links: Sequence[Link]
    springs: Sequence[tuple[int, int, float]] = ()
    g: float = 0.0
    force: tuple[float, float] = (0.0, 0.0)  # at the end, in ground's axes
    spread: float = 0.0  # along y, per length of the axis at rest
    torques: dict[int, Callable[[float], float]] = field(default_factory=dict)

    @cached_property
    def arms(self) -> Any:
        """(points, links): how far each mass centre and each tip lies along each link."""
        count = len(self.links)
        rows = np.zeros((2 * count, count))
        for j, one in enumerate(self.links):
            before = [link.length for link in self.links[:j]]
            rows[j, :j] = rows[count + j, :j] = before
            rows[j, j] = one.length / 2 if one.centre is None else one.centre
            rows[count + j, j] = one.length
        return rows

    @cached_property
    def _masses(self) -> Any:
        return np.array([one.mass for one in self.links] + [one.tip for one in self.links])

    @cached_property
    def _coupling(self) -> Any:
        return self.arms.T @ (self._masses[:, None] * self.arms)

    @cached_property
    def _inertia(self) -> Any:
        return np.diag([one.inertia for one in self.links])

    @cached_property
    def _stiffness(self) -> Any:
        K = np.zeros((len(self.links),) * 2)
        for i, j, k in self.springs:
            row = np.zeros(len(self.links))
            row[j] = 1.0
            if i != _ROOT:
                row[i] = -1.0
            K += k * np.outer(row, row)
        return K

    @cached_property
    def _upward(self) -> Any:
        """What pulls along y, by link: weight, the load spread along the axis, the force at the end."""
        count = len(self.links)
        lengths = np.array([one.length for one in self.links])
        loads = -self.g * self._masses
        loads[:count] += self.spread * lengths
        return self.arms.T @ loads + self.force[1] * lengths

    def _forces(self, t: float, phi: Any) -> Any:
        lengths = np.array([one.length for one in self.links])
        found = self._upward * np.cos(phi) - self.force[0] * lengths * np.sin(phi) - self._stiffness @ phi
        for i, torque in self.torques.items():
            found[i] += torque(t)
        return found

    def accelerations(self, t: float, phi: Any, rates: Any) -> Any:
        apart = phi[:, None] - phi[None, :]
        M = self._coupling * np.cos(apart) + self._inertia
        return np.linalg.solve(M, self._forces(t, phi) - (self._coupling * np.sin(apart)) @ rates**2)

    def motion(self, phi: Sequence[float], rates: Sequence[float], t: Any, tolerance: float = 1e-10) -> Any:
        """Angles at the times."""
        n = len(self.links)

        def slope(now: float, state: Any) -> Any:
            return np.concatenate([state[n:], self.accelerations(now, state[:n], state[n:])])

        start = np.concatenate([phi, rates])
        run = solve_ivp(slope, (t[0], t[-1]), start, "DOP853", t, rtol=tolerance, atol=tolerance)
        return run.y[:n].T

    def rest(self) -> Any:
        """Angles at rest, by Newton's method from the straight chain, the loads growing in steps."""
        phi = np.zeros(len(self.links))
        lengths = np.array([one.length for one in self.links])
        across, along = self._upward, self.force[0] * lengths
        ends = np.array([torque(0.0) for torque in (self.torques.get(i, float) for i in range(len(phi)))])
        for share in np.linspace(0.1, 1.0, 10):
            for _ in range(30):
                left = share * (across * np.cos(phi) - along * np.sin(phi) + ends) - self._stiffness @ phi
                slope = self._stiffness + share * np.diag(across * np.sin(phi) + along * np.cos(phi))
                step = np.linalg.solve(slope, left)
                phi = phi + step
                if np.abs(step).max() < 1e-12:
                    break
        return phi

    def end(self, phi: Any, upto: int | None = None) -> Any:
        """Where the chain ends, or the first `upto` links of it: (..., 2)."""
        lengths = np.array([one.length for one in self.links])[:upto]
        return np.stack([np.cos(phi[..., :upto]) @ lengths, np.sin(phi[..., :upto]) @ lengths], axis=-1)


def beam(
    count: int, EI: float, rho: float, length: float, first: int, root: int = _ROOT
) -> tuple[list[Link], list[tuple[int, int, float]]]:
    """The links of a uniform beam, numbered from `first`, and their springs; it is clamped to the link `root`.

    A link stands for the angle at its middle, so the clamp is half a link away and twice as stiff.
    """
    h = length / count
    bars = [Link(h, rho * h, rho * h**3 / 12) for _ in range(count)]
    springs = [(first + i - 1, first + i, EI / h) for i in range(1, count)]
    return bars, [(root, first, 2 * EI / h), *springs]


def refined(answer: Callable[[int], Any], coarse: int) -> tuple[Any, float]:
    """What answers with `coarse` and with twice as many links tend to, and how far that may be off."""
    rough, fine = np.asarray(answer(coarse)), np.asarray(answer(2 * coarse))
    return fine + (fine - rough) / 3, float(np.abs(fine - rough).max()) / 6
