"""The state a simulation starts from: what is given by name, the rest at zero, dependent coordinates solved for.

>>> start = read_initial(equations, mechanics, {"q1": 0.1, "w": "x**2/10"}, known, 0.0)
>>> start.q, start.v, start.notes
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.errors import FlexuraError
from flexura.solve.runs.bare import Bare
from flexura.solve.runs.given import initial_number, read_state
from flexura.solve.runs.inputs import unknown
from flexura.solve.steppers.mechanics import Mechanics
from flexura.symbolic.engine import SPINE, TIME
from flexura.symbolic.machine import machine_function
from flexura.systems.conditions import contradicting, contradiction
from flexura.systems.signals.functions import values_along
from flexura.systems.signals.signal import formula_of, is_formula, real_array, real_number

Array = NDArray[np.float64]
Shape = Callable[[Array], Array]
_MET = 1e-9  # conditions met to this part of what stands in them are met
_SHAPE_MET = 1e-6


@dataclass(frozen=True)
class Start:
    """Where a run starts, and what was changed to make that possible."""

    q: Array
    v: Array
    notes: tuple[str, ...] = ()


@dataclass
class _Given:
    """Numbers and shapes by the names of what they are values of."""

    numbers: dict[str, float] = field(default_factory=dict)
    shapes: dict[str, Shape] = field(default_factory=dict)


def read_initial(
    equations: Equations,
    mechanics: Mechanics,
    initial: Any,
    known: Mapping[str, float],
    t: float,
    inconsistent: str = "correct",
) -> Start:
    """The start; what contradicts conditions is corrected and reported, or refused, as `inconsistent` says."""
    if inconsistent not in ("correct", "refuse"):
        raise FlexuraError(f"inconsistent is {inconsistent!r}", advice="use 'correct' or 'refuse'")
    finder, system = _Finder(equations, mechanics, t, inconsistent), mechanics.system
    if initial is not None and not isinstance(initial, Mapping):  # a whole state, as a run leaves it
        q, v = read_state(initial, system.names)
        whole = _Given(dict.fromkeys(system.names, 0.0))
        q = finder.positions(q, whole)
        return Start(q, finder.rates(q, v, whole), tuple(finder.notes))
    places, rates = _sorted(equations, mechanics, initial or {}, known)
    q, missed = system.fit(t, places.numbers, places.shapes)
    finder.shapes_met(places, missed, "")
    q = finder.positions(q, places)
    v, missed = system.fit_rates(t, q, rates.numbers, rates.shapes)
    finder.shapes_met(rates, missed, "_t")
    v = finder.rates(q, v, rates)
    return Start(q, v, tuple(finder.notes))


def _sorted(
    equations: Equations, mechanics: Mechanics, initial: Mapping[str, Any], known: Mapping[str, float]
) -> tuple[_Given, _Given]:
    energies, names = equations.lagrangian, mechanics.system.names
    places, rates = _Given(), _Given()
    for key, value in initial.items():
        if key in mechanics.system.multiplier_fields:  # as a state of rest has them: they follow from the motion
            continue
        still = key in names or key in energies.fields or not isinstance(key, str)
        name, given = (key, places) if still else (key.removesuffix("_t"), rates)
        if name in energies.prescribed:
            raise FlexuraError(f"The initial {key} cannot be given: {name} moves as prescribed", advice="leave it out")
        if name in energies.fields:
            given.shapes[name] = _shape(key, value, known)
        elif name in names:
            given.numbers[name] = initial_number(key, value, None if isinstance(equations, Bare) else known)
        else:
            free = (*(one for one in names if "[" not in one), *energies.fields)
            raise unknown(f"There is no {key!r} to start from", str(name), free)
    return places, rates


def _shape(key: str, value: Any, known: Mapping[str, float]) -> Shape:
    if callable(value) and not hasattr(value, "engine"):
        return _finite(key, value)
    if not is_formula(value):
        number = real_number(value, f"The initial {key}", "give a number, a function of x, or text in x")
        return lambda x: np.full(x.shape, number)
    tree = formula_of(value, f"the initial {key}", known, spine=True)
    if TIME in tree.free_symbols:
        raise FlexuraError(f"The initial {key} holds t", advice="write it in x and names that have values")
    made = machine_function([SPINE], [tree])
    return _finite(key, lambda x: np.asarray(made(np.asarray(x, dtype=np.float64).reshape(-1, 1))).reshape(x.shape))


def _finite(key: str, function: Callable[[Array], Any]) -> Shape:
    def checked(x: Array) -> Array:
        advice = "let the function give a number for each x"
        found = np.broadcast_to(real_array(values_along(function, x), f"The initial {key}", advice), x.shape)
        if not np.all(np.isfinite(found)):
            where = x[~np.isfinite(found)][0]
            raise FlexuraError(
                f"The initial {key} is not finite along its member, first at x = {where:.4g}",
                advice="give finite values",
            )
        return found

    return checked


class _Finder:
    """Puts a start onto the conditions, changing as little of what was given as it can."""

    def __init__(self, equations: Equations, mechanics: Mechanics, t: float, inconsistent: str) -> None:
        self.mechanics, self.system, self.t = mechanics, mechanics.system, t
        self.refuse = inconsistent == "refuse"
        self.notes: list[str] = []
        energies = equations.lagrangian
        bending = {jet.name for f in energies.settled_boundary.values() for jet in energies.jets.unknowns(f)}
        joints = [name in energies.coordinates and name not in bending for name in self.system.names]
        self.joints = np.array(joints, dtype=bool)

    def shapes_met(self, given: _Given, missed: float, ending: str) -> None:
        """Whether the fields can have the given shapes."""
        if missed > _SHAPE_MET:
            names = ", ".join(name + ending for name in given.shapes)
            self._tell(
                f"The initial {names} cannot be met: the nearest motion differs by {100 * missed:.2g} percent, because"
                " of the conditions at the ends or of sharp changes along x"
            )

    def positions(self, q: Array, given: _Given) -> Array:
        """Coordinates on the constraints: first the joints that were not given move, then all that were not."""
        if not any(self.system.holonomic):
            return q
        fixed = self._fixed(given)
        size = max(1.0, float(np.abs(q).max(initial=0.0)))
        for free in (~fixed & self.joints, ~fixed):
            for aside in (0.0, 0.5 * size, -0.5 * size):  # where nothing leads to the constraints, look beside
                found = self._solved(q + aside * free, free)
                if found is not None:
                    return found
        found = self.mechanics.onto_positions(self.t, q)
        held = np.array(self.system.holonomic, dtype=bool)
        g = self.system.position(self.t, found).copy()
        self._refuse_contradiction(g, self.system.velocity(self.t, found)[0][held], found, held)
        self._changed(q, found, "")
        return found

    def _solved(self, q: Array, free: NDArray[np.bool_]) -> Array | None:
        """Newton's method with some coordinates only; None where that does not end on the constraints."""
        held, q = np.array(self.system.holonomic, dtype=bool), q.copy()
        for _ in range(50):
            g = self.system.position(self.t, q).copy()
            A = self.system.velocity(self.t, q)[0][held]
            if _small(g, A, q):
                return q
            if not free.any():
                return None
            step = np.linalg.lstsq(A[:, free], -g, rcond=1e-10)[0]
            length = np.abs(step).max()
            q[free] += step * min(1.0, 0.5 / length if length else 1.0)
        return None

    def rates(self, q: Array, v: Array, given: _Given) -> Array:
        """Rates on the constraints, likewise."""
        if not self.system.m:
            return v
        A, b = (one.copy() for one in self.system.velocity(self.t, q))
        fixed = self._fixed(given)
        for free in (np.zeros_like(fixed), ~fixed & self.joints, ~fixed):
            found = v.copy()
            if free.any():
                found[free] += np.linalg.lstsq(A[:, free], -(A @ v + b), rcond=1e-10)[0]
            if _small(A @ found + b, A, found, np.abs(b).max(initial=0.0)):
                return found
        found = self.mechanics.onto_rates(self.t, q, v)
        more = float(np.abs(b).max(initial=0.0))
        self._refuse_contradiction(A @ found + b, A, found, np.ones(len(A), dtype=bool), more)
        self._changed(v, found, "_t")
        return found

    def _refuse_contradiction(
        self, left: Array, A: Array, x: Array, which: NDArray[np.bool_], more: float = 0.0
    ) -> None:
        """What the nearest state leaves over is the combination of conditions that no state satisfies."""
        missed = contradicting(left, A, x, more)
        if len(missed):
            names = [name for name, held in zip(self.system.multipliers, which, strict=True) if held]
            raise contradiction([names[i] for i in missed])

    def _fixed(self, given: _Given) -> NDArray[np.bool_]:
        shaped = tuple(f"{name}{mark}" for name in given.shapes for mark in "[@_")
        return np.array([name in given.numbers or name.startswith(shaped) for name in self.system.names], dtype=bool)

    def _changed(self, old: Array, new: Array, ending: str) -> None:
        size = np.abs(new).max(initial=0.0)
        moved = [i for i in range(len(old)) if abs(new[i] - old[i]) > _MET * max(size, abs(old[i]))]
        listed = ", ".join(f"{self.system.names[i]}{ending} from {old[i]:.6g} to {new[i]:.6g}" for i in moved)
        self._tell(f"The initial values contradict the constraints; the nearest that do not change {listed}")

    def _tell(self, sentence: str) -> None:
        if self.refuse:
            raise FlexuraError(
                f"{sentence}", advice="give others, or let them be corrected with inconsistent='correct'"
            )
        self.notes.append(sentence + ".")


def _small(g: Array, A: Array, x: Array, more: float = 0.0) -> bool:
    """Whether conditions are met, against the size of what stands in them."""
    scale = np.abs(A) @ np.maximum(np.abs(x), 1e-3) + more
    scale = np.maximum(scale, 1e-2 * scale.max(initial=0.0))  # a condition that holds by itself has no size of its own
    return bool(np.all(np.abs(g) <= _MET * 1e-3 * np.maximum(scale, 1e-30)))
