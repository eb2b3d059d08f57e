"""A Lagrangian discretised and made ready for an integrator.

    >>> system = nonlinear_system(equations.lagrangian, numbers, order=8)
    >>> M, f = system.evaluate(t, q, v, system.rest)

Each function runs on NumPy until it has been called often enough, and is then compiled as a whole: for a beam of eight
unknowns that takes some milliseconds and makes a call tens of times quicker.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.discretise import flags
from flexura.discretise.gather import Gathered
from flexura.discretise.layout import Layout, Numbers
from flexura.discretise.program import Traced
from flexura.discretise.reconstruct import field_maps
from flexura.discretise.ritz import NONE, RitzSystem
from flexura.energy.lagrangian import Lagrangian
from flexura.symbols.engine import TIME, Symbol
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_BUILD = 12e-6  # seconds by the cube of the number of unknowns: 6 ms for 8, 50 ms for 16
_LARGEST = 48


def nonlinear_system(
    energies: Lagrangian,
    numbers: Mapping[str, float],
    order: int = 8,
    elements: int = 1,
    basis: Mapping[str, Any] | None = None,
) -> NonlinearSystem:
    """Discretise a Lagrangian with a number for every parameter; `basis` gives functions of x by field."""
    layout = Layout(energies, Numbers.of(energies, numbers), order, elements, basis or {})
    return Functions(RitzSystem(Gathered(layout))).system()


class Functions:
    """The functions of a system, each traced by itself."""

    def __init__(self, ritz: RitzSystem) -> None:
        self.ritz, s, p = ritz, ritz.scalars, ritz.np
        amplitudes = ritz.layout.names[ritz.ns :]
        q, v, a = ([*known[p:], *(Symbol(name + rate) for name in amplitudes)]
                   for known, rate in ((s.s0, ""), (s.s1, "_t"), (s.s2, "_tt")))  # fmt: skip
        u = [Symbol(f"$in{i}") for i in range(sum(slot.size for slot in ritz.slots))]
        self.symbols: dict[str, list[Symbol]] = {"t": [TIME], "q": q, "v": v, "a": a, "u": u, "lam": s.multipliers}
        self.rest = np.zeros(len(u))
        self.still = np.zeros(ritz.N - p)
        self.evaluate = self._traced(ritz.evaluate, "q v u", 1)
        self.jacobians = self._traced(ritz.jacobians, "q v a u lam", 3)
        self.held = self._traced(ritz.held, "q v u", 0.2)
        self.energies = self._traced(ritz.energies, "q v", 1)
        self.powers = self._traced(ritz.powers, "q v a u lam", 2)

    def _traced(self, function: Callable[..., Any], vectors: str, work: float) -> Traced:
        size = self.ritz.N + len(self.rest)
        small = size <= _LARGEST and not self.ritz.gathered.points
        build = work * _BUILD * max(size, 6) ** 3 if small else np.inf
        return Traced(function, [np.array(self.symbols[one], dtype=object) for one in ("t", *vectors.split())], build)

    def mass_and_forces(self, t: float, q: Array, v: Array, u: Array) -> tuple[Array, Array]:
        """M and f."""
        M, f = self.evaluate(t, q, v, u)
        return M, f

    def slopes(self, t: float, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Array, Array]:
        """dR/dq and dR/dv."""
        K, C = self.jacobians(t, q, v, a, u, lam)
        return K, C

    def position(self, t: float, q: Array) -> Array:
        """g."""
        return self.held(t, q, self.still, self.rest)[0]

    def velocity(self, t: float, q: Array) -> tuple[Array, Array]:
        """A and b."""
        _, A, b, _ = self.held(t, q, self.still, self.rest)
        return A, b

    def acceleration(self, t: float, q: Array, v: Array) -> Array:
        """c."""
        return self.held(t, q, v, self.rest)[3]

    def kinetic_and_potential(self, t: float, q: Array, v: Array) -> tuple[float, float]:
        """T and V."""
        T, V = self.energies(t, q, v)[0].tolist()
        return T, V

    def lost_and_given(self, t: float, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[float, float]:
        """Dissipated and supplied."""
        lost, given = self.powers(t, q, v, a, u, lam)[0].tolist()
        return lost, given

    def reactions(self, t: float, q: Array, v: Array, a: Array, u: Array, lam: Array) -> Array:
        """The loads that drive prescribed coordinates."""
        return self.ritz.reactions(t, q, v, a, u, lam)[0] if self.ritz.np else NONE

    def system(self) -> NonlinearSystem:
        """All of them, with names and flags."""
        ritz, names = self.ritz, self.ritz.layout.names
        linear = flags.linear(ritz)
        return NonlinearSystem(
            names=names[ritz.np :],
            multipliers=tuple(ritz.gathered.constraints),
            inputs=tuple(dict.fromkeys(slot.name for slot in ritz.slots)),
            slots=ritz.slots,
            prescribed=names[: ritz.np],
            holonomic=tuple(not rated for rated in ritz.scalars.rated.values()),
            constant_mass=flags.constant_mass(ritz),
            linear=linear,
            explicit_time=ritz.scalars.holds_time or bool(ritz.np),
            evaluate=self.mass_and_forces,
            jacobians=self.slopes,
            position=self.position,
            velocity=self.velocity,
            acceleration=self.acceleration,
            motion=ritz.motion,
            energies=self.kinetic_and_potential,
            powers=self.lost_and_given,
            reactions=self.reactions,
            fields=field_maps(ritz.layout),
            steady=linear and flags.steady(ritz),
        )
