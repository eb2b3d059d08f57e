"""What is asked of a nonlinear system that is shaken: its discretisation, its loads over a period, outputs.

>>> shaken = Shaken.of(equations, {"F": Wave(np.array([0, 2.0]))}, values)
>>> balance = shaken.balance(order=6, harmonics=5)
>>> shaken.outputs(balance, x, omega, ["q"])               # over one period
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.errors import FlexuraError
from flexura.solve.discretise import motion_system, shapes_of
from flexura.solve.harmonic.balance import Balance
from flexura.solve.runs.histories import RunMotion
from flexura.solve.steppers.mechanics import Mechanics
from flexura.solve.units import called
from flexura.solve.values import numbers
from flexura.systems.nonlinear import InputSlot, NonlinearSystem

Array = NDArray[np.float64]
SAMPLES = 64
_LARGEST = 60  # unknowns


@dataclass(frozen=True, eq=False)
class Wave:
    """A periodic load by its harmonics: the real part of the sum of c_k exp(i k omega t)."""

    harmonics: NDArray[np.complex128]

    def at(self, t: Array, omega: float, derivative: int, most: int) -> Array:
        """It, or a time derivative of it, with harmonics up to `most`."""
        k = np.flatnonzero(self.harmonics[: most + 1])
        waves = self.harmonics[k] * (1j * k * omega) ** derivative
        return np.asarray(np.real(np.exp(1j * omega * np.outer(t, k)) @ waves))


def refuse_unfit(equations: Equations) -> None:
    """Say what no periodic motion is searched for in."""
    energies = equations.lagrangian
    kinds = {"constraints": energies.constraints, "contacts": energies.contacts, "first-order states": energies.states}
    held = [name for name, there in kinds.items() if there]
    if held:
        raise FlexuraError(
            f"Nonlinear periodic motions are not searched for in systems with {', '.join(held)}",
            advice="linearise the equations, or follow the motion with fx.simulate until it repeats itself",
        )


@dataclass(frozen=True, eq=False)
class Shaken:
    """Equations under periodic loads."""

    equations: Equations
    signals: Mapping[str, Wave]
    values: Mapping[str, Any]
    _systems: dict[int, NonlinearSystem] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, equations: Equations, signals: Mapping[str, Wave], values: Mapping[str, Any] | None) -> Shaken:
        """Checked."""
        refuse_unfit(equations)
        known = set(equations.lagrangian.inputs)
        stray = [name for name in signals if name not in known]
        if stray:
            raise FlexuraError(
                f"There is no load {stray[0]!r}", advice=f"there are {', '.join(sorted(known)) or 'none'}"
            )
        return cls(equations, signals, values or {})

    def system(self, order: int) -> NonlinearSystem:
        """With members in polynomials of that degree."""
        if order not in self._systems:
            found = motion_system(self.equations, self.values, order)
            if found.multipliers or found.n > _LARGEST:
                why = "conditions among them" if found.multipliers else f"more than {_LARGEST}"
                raise FlexuraError(
                    f"The system has {found.n} unknowns, {why}, for which no periodic motions are searched",
                    advice="linearise the equations, or follow the motion with fx.simulate until it repeats itself",
                )
            self._systems[order] = found
        return self._systems[order]

    def balance(self, order: int, harmonics: int) -> Balance:
        """In so many harmonics."""
        system = self.system(order)
        shapes = shapes_of(self.equations, self.values, numbers(self.equations, self.values))
        spread = {slot.start: _spread(slot, shapes) for slot in system.slots}

        def loads(t: Array, omega: float) -> Array:
            found = np.zeros((len(t), system.load_size))
            for slot in system.slots:
                if slot.name in self.signals:
                    over = self.signals[slot.name].at(t, omega, slot.derivative, 2 * harmonics + 1)
                    found[:, slot.where] = over[:, None] * spread[slot.start]
            return found

        return Balance(system, loads, harmonics)

    def outputs(
        self, balance: Balance, x: Array, omega: float, outputs: Sequence[Any], samples: int = SAMPLES
    ) -> Array:
        """Over one period, (samples, outputs)."""
        t, q, v, _ = balance.states(x, omega, 2 * np.pi * np.arange(samples) / samples)

        def loads(at: Any) -> Array:
            found = balance.loads(np.atleast_1d(np.asarray(at, dtype=np.float64)), omega)
            return found if np.ndim(at) else found[0]

        known = numbers(self.equations, self.values)
        motion = RunMotion(
            self.equations, Mechanics(balance.system, loads), known, self.values, t, q, v, balance.system
        )
        for one in outputs:
            if one not in motion.histories:
                raise FlexuraError(
                    f"There is no output {called(one)!r}", advice=f"there are {', '.join(motion.histories)}"
                )
        return np.column_stack([motion.histories[one] for one in outputs])


def _spread(slot: InputSlot, shapes: Mapping[str, Callable[[InputSlot], Array]]) -> Any:
    """How a load is spread over its entries: one, its shape along a member, or evenly."""
    return shapes[slot.name](slot) if slot.points is not None and slot.name in shapes else 1.0
