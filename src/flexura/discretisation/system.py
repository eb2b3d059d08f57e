"""A Lagrangian discretised and made ready for an integrator.

    >>> system = nonlinear_system(equations.lagrangian, numbers, order=8)
    >>> M, f = system.evaluate(t, q, v, system.rest)

Each function runs on NumPy until it has been called often enough, and is then compiled as a whole: for a beam of eight
unknowns that takes some milliseconds and makes a call tens of times quicker.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.discretisation import cache, flags
from flexura.discretisation.fingerprint import fingerprint
from flexura.discretisation.gather import Gathered
from flexura.discretisation.layout import Numbers, Unknowns
from flexura.discretisation.program import Traced
from flexura.discretisation.quick import quick_forces
from flexura.discretisation.reconstruct import field_maps, multiplier_maps
from flexura.discretisation.ritz import NONE, RitzSystem
from flexura.discretisation.tied import tied_system
from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.engine import TIME, Symbol
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_BUILD = 25e-6  # seconds by the cube of the number of unknowns: 13 ms for 8, 100 ms for 16
_LARGEST = 48


def nonlinear_system(
    energies: Lagrangian,
    numbers: Mapping[str, float],
    order: int = 8,
    elements: int = 1,
    basis: Mapping[str, Any] | None = None,
) -> NonlinearSystem:
    """Discretise a Lagrangian with a number for every parameter; `basis` gives functions of x by field."""
    layout = Unknowns(energies, Numbers.of(energies, numbers), order, elements, basis or {})
    gathered = Gathered(layout)
    return tied_system(TracedFunctions(RitzSystem(gathered)).system(), gathered.ties)


class TracedFunctions:
    """The functions of a system, each traced by itself."""

    def __init__(self, ritz: RitzSystem, names: tuple[str, ...] | None = None) -> None:
        """`names` of the unknowns, where they are not those of the layout."""
        self.ritz, s = ritz, ritz.scalars
        self.names = ritz.layout.names[ritz.np :] if names is None else names
        q, v, a = ([Symbol(name + rate) for name in self.names] for rate in ("", "_t", "_tt"))
        u = [Symbol(f"$in{i}") for i in range(sum(slot.size for slot in ritz.slots))]
        lam = [*s.multipliers, *(Symbol(name) for one in ritz.gathered.along for name in one.names)]
        self.symbols: dict[str, list[Symbol]] = {"t": [TIME], "q": q, "v": v, "a": a, "u": u, "lam": lam}
        self.rest = np.zeros(len(u))
        self._last: list[tuple[float, bytes, tuple[Array, Array, Array]]] = []
        self.evaluate = self._traced(ritz.evaluate, "q v u", 1)
        self.quick = quick_forces(ritz)
        self.jacobians = self._traced((self.quick or ritz).jacobians, "q v a u lam", 3)
        self.held = self._traced(ritz.held, "q v u", 0.2)
        self.energies = self._traced(ritz.energies, "q v", 1)
        self.powers = self._traced((self.quick or ritz).powers, "q v a u lam", 2)

    @cached_property
    def _forces(self) -> Callable[[Any, Array, Array, Array], Array] | None:
        """f alone, where the whole is not compiled and M never changes."""
        ritz = self.ritz
        if self.quick is not None:
            return self.quick.forces
        held = ritz.gathered.along or ritz.scalars.multipliers
        return ritz.forces if ritz.gathered.points and not held and flags.constant_mass(ritz) else None

    def __reduce__(self) -> tuple[Any, ...]:
        return TracedFunctions, (self.ritz, self.names)  # what is compiled stays here

    def anew(self) -> TracedFunctions:
        """The same functions as if they had not been called yet: which form a call takes depends on those before it."""
        other = copy(self)
        other._last = []
        for name in ("evaluate", "jacobians", "held", "energies", "powers"):
            setattr(other, name, getattr(self, name).anew())
        return other

    def _anew(self) -> NonlinearSystem:
        other = self.anew()
        return replace(self._system, **other._functions(), anew=other._anew)

    def _traced(self, function: Callable[..., Any], vectors: str, work: float) -> Traced:
        size = self.ritz.N + len(self.rest)
        small = size <= _LARGEST and not (
            self.ritz.gathered.points or self.ritz.gathered.along or self.ritz.scalars.large
        )
        build = work * _BUILD * max(size, 6) ** 3 if small else np.inf
        arguments = [np.array(self.symbols[one], dtype=object) for one in ("t", *vectors.split())]
        return Traced(
            function, arguments, build, lambda: cache.key(function.__name__, self._made_of), self.ritz.driving
        )

    @cached_property
    def _made_of(self) -> str:
        return fingerprint(self.ritz.gathered, self.ritz.T)

    def mass_and_forces(self, t: Any, q: Array, v: Array, u: Array) -> tuple[Array, Array]:
        """M and f."""
        M, f = self.evaluate(t, q, v, u)
        return M, f

    def slopes(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Array, Array]:
        """dR/dq and dR/dv."""
        K, C = self.jacobians(t, q, v, a, u, lam)
        return K, C

    def position(self, t: Any, q: Array) -> Array:
        """g."""
        return self._held_at(t, q)[0]

    def velocity(self, t: Any, q: Array) -> tuple[Array, Array]:
        """A and b."""
        _, A, b = self._held_at(t, q)
        return A, b

    def acceleration(self, t: Any, q: Array, v: Array) -> Array:
        """c."""
        g, A, b, c = self.held(t, q, v, self._quiet(q))
        if q.ndim == 1:
            self._last[:] = [(float(t), q.tobytes(), (g, A, b))]
        return c

    def _held_at(self, t: Any, q: Array) -> tuple[Array, Array, Array]:
        """g, A and b, which the last question may have asked for already."""
        if q.ndim == 1 and self._last and self._last[0][:2] == (float(t), q.tobytes()):
            return self._last[0][2]
        g, A, b, _ = self.held(t, q, np.zeros_like(q), self._quiet(q))
        if q.ndim == 1:
            self._last[:] = [(float(t), q.tobytes(), (g, A, b))]
        return g, A, b

    def _quiet(self, q: Array) -> Array:
        return self.rest if q.ndim == 1 else np.zeros((len(q), len(self.rest)))

    def kinetic_and_potential(self, t: Any, q: Array, v: Array) -> tuple[Any, Any]:
        """T and V."""
        T, V = self.energies(t, q, v)[0].T
        return T, V

    def lost_and_given(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> tuple[Any, Any]:
        """Dissipated and supplied."""
        lost, given = self.powers(t, q, v, a, u, lam)[0].T
        return lost, given

    def reactions(self, t: Any, q: Array, v: Array, a: Array, u: Array, lam: Array) -> Array:
        """The loads that drive prescribed coordinates."""
        return self.ritz.reactions(t, q, v, a, u, lam)[0] if self.ritz.np else NONE

    def system(self) -> NonlinearSystem:
        """All of them, with names and flags."""
        return self._system

    @cached_property
    def _system(self) -> NonlinearSystem:
        ritz, rated = self.ritz, self.ritz.scalars.rated
        linear = flags.linear(ritz)
        return NonlinearSystem(
            names=self.names,
            multipliers=tuple(one.name for one in self.symbols["lam"]),
            inputs=tuple(dict.fromkeys(slot.name for slot in ritz.slots if not slot.idle)),
            slots=ritz.slots,
            prescribed=ritz.layout.names[: ritz.np],
            holonomic=(*(not one for one in rated.values()), *(True for one in ritz.gathered.along for _ in one.names)),
            constant_mass=flags.constant_mass(ritz),
            linear=linear,
            explicit_time=ritz.scalars.holds_time or bool(ritz.np),
            fields=field_maps(ritz.layout),
            steady=linear and flags.steady(ritz),
            stacks=True,
            within=None if ritz.gathered.points or ritz.gathered.along else self._within,
            multiplier_fields=multiplier_maps(ritz.gathered),
            strain_points=ritz.gathered.strain_points,
            far=ritz.gathered.far or not all(one.linear for one in ritz.gathered.along),
            anew=self._anew,
            shapes=(ritz.layout.order, ritz.layout.elements, ritz.layout.basis),
            forces=self._forces,
            rate_free=self.quick is not None and self.quick.rate_free,
            **self._functions(),
        )

    def _functions(self) -> dict[str, Any]:
        return {
            "evaluate": self.mass_and_forces,
            "jacobians": self.slopes,
            "position": self.position,
            "velocity": self.velocity,
            "acceleration": self.acceleration,
            "motion": self.ritz.motion,
            "energies": self.kinetic_and_potential,
            "powers": self.lost_and_given,
            "reactions": self.reactions,
            "residual": None if self.ritz.gathered.points or self.ritz.gathered.along else self.ritz.residual,
        }

    def _within(self, T: Array, names: tuple[str, ...]) -> NonlinearSystem:
        """The system on a subspace: its forms are those of the combinations, so that it is as small as they are few."""
        fields = {name: one.within(T) for name, one in field_maps(self.ritz.layout).items()}
        functions = TracedFunctions(self.ritz.within(T), names)._functions()
        return replace(self._system, names=names, fields=fields, within=None, anew=None, **functions)
