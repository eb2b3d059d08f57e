"""What a simulation leaves behind: histories by name, and the energy balance that proves it.

>>> run = fx.simulate(equations, t)
>>> run["q1"], run["q1_t"], run.place(beam, 0.5), run.position(beam.end), run.energy.imbalance
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.display import Displayed, Table, counted
from flexura.errors import FlexuraError
from flexura.solve.steppers.accuracy import ENERGY_PROVES, MotionError

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Energy:
    """The energy balance: kinetic + potential + dissipated - supplied stays what it was at the start.

    `largest` is the largest energy that moved at any time, where more is known than what the times show.
    """

    kinetic: Array
    potential: Array
    dissipated: Array
    supplied: Array
    largest: float = field(default=0.0, kw_only=True)

    @property
    def total(self) -> Array:
        """kinetic + potential."""
        return self.kinetic + self.potential

    @property
    def imbalance(self) -> Array:
        """What the energy balance misses at each time; zero if the motion were exact."""
        held = self.total + self.dissipated - self.supplied
        return held - held[:1]

    @property
    def scale(self) -> float:
        """The largest energy that moved: kinetic, change of potential, dissipated or supplied."""
        moved = (self.kinetic, self.potential - self.potential[:1], self.dissipated, self.supplied)
        return max([self.largest, *(float(np.abs(one).max()) for one in moved if one.size)])

    @property
    def error(self) -> float:
        """The largest imbalance as a part of the largest energy; infinite where one of them is no number."""
        if not (np.all(np.isfinite(self.imbalance)) and np.isfinite(self.scale)):
            return math.inf
        return float(np.abs(self.imbalance).max() / self.scale) if self.scale else 0.0

    def __str__(self) -> str:
        """How well it closes, and what that proves."""
        return f"Energies balance to {self.error:.1g} of the largest, {self.scale:.3g}. {ENERGY_PROVES}"


@dataclass(frozen=True, eq=False)
class Momentum:
    """Linear and angular momentum, and what they miss against the impulse of all that acts from outside.

    `linear` and `angular` are in ground's axes, about its origin: (times, 3), nan in directions that supports hold;
    those are `unchecked`, because the supports' reactions are not known. Energies that were written down know no
    positions: their `generalized` momenta belong to motions that no equation notices. `imbalance` and `errors` go by
    direction ("x", "about z", ...); an error is a part of the largest momentum that the kinetic energy allows.
    `steps` are those in which the forces were looked at, and all there are: of a long run some, each for those beside
    it, unless these seem to miss something. (0, 0) where no steps were taken.
    """

    t: Array
    linear: Array
    angular: Array
    generalized: Mapping[str, Array]
    imbalance: Mapping[str, Array]
    errors: Mapping[str, float]
    unchecked: tuple[str, ...] = ()
    steps: tuple[int, int] = (0, 0)

    @property
    def error(self) -> float:
        """The largest of the errors; zero where nothing could be checked."""
        return max(self.errors.values(), default=0.0)

    def __str__(self) -> str:
        """What was checked, and what it proves."""
        checked = ", ".join(f"{name} to {error:.1g}" for name, error in self.errors.items())
        held, (seen, steps) = ", ".join(self.unchecked), self.steps
        return " ".join(
            [
                f"Momentum balances: {checked} of the largest." if checked else "No momentum could be checked.",
                *([f"Looked at in {seen} of {steps} steps, each for those beside it."] if seen < steps else []),
                *([f"Not checked, because supports hold it or positions do not tell: {held}."] if held else []),
                "The balance proves that the motion as a whole follows the forces from outside, whatever shapes members"
                " move in; it does not prove deflections.",
            ]
        )


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Trajectory(Displayed, Mapping[str, Array]):
    """Histories on `t` by name ("q1", its rate "q1_t", its acceleration "q1_tt"), places, positions and energies.

    `complete` is False where a run stopped early; `message` says why, and `t` ends there. `events` holds the times of
    those that were asked for; `stopped` says that one of them ended the run, and `t` ends with it. `motion` is what
    pictures are drawn from. `error` estimates how far the run may be from the true motion; None where nothing is known
    of that: reduced motions from interval to interval, frames that were followed without a tolerance.
    """

    t: Array
    histories: Mapping[str, Array]
    energy: Energy
    places: Callable[[Any, Any], Array] | None = field(default=None, repr=False)
    positions: Callable[[Any], Array] | None = field(default=None, repr=False)
    complete: bool = True
    message: str = ""
    notes: tuple[str, ...] = ()
    events: Mapping[str, Array] = field(default_factory=dict)
    motion: Any = field(default=None, repr=False)
    momenta: Callable[[], Momentum] | None = field(default=None, repr=False)
    stopped: bool = False
    error: MotionError | None = None

    __eq__, __hash__ = object.__eq__, object.__hash__  # never of the arrays that it holds

    def __getitem__(self, name: Any) -> Array:
        """The history of a name, or of fx.Motion, fx.Reaction, fx.Internal, or a place on a member."""
        if name not in self.histories:
            if f"{name}[0]" in self.histories:
                raise FlexuraError(
                    f"The trajectory has no one history of the field {name}",
                    advice=f"ask for a place on its member: run.place(member, s), or run.place({name!r}, s)",
                )
            known = ", ".join(one for one in self.histories if not one.endswith(("_t", "_tt")) and "[" not in one)
            raise FlexuraError(
                f"The trajectory has no {name!r}", advice=f"it knows {known} and their rates, e.g. q_t, q_tt"
            )
        return self.histories[name]

    def __contains__(self, name: object) -> bool:
        return name in self.histories

    def __iter__(self) -> Iterator[str]:
        return iter(self.histories)

    def __len__(self) -> int:
        return len(self.histories)

    @property
    def rigid_path(self) -> Any:
        """Where the bodies of a rigid model are at any time, for fx.Mechanism."""
        if not hasattr(self.motion, "rigid_path"):
            raise FlexuraError(
                "This trajectory does not tell where bodies are at any time",
                advice="give fx.Mechanism the run of a model of rigid bodies",
            )
        return self.motion.rigid_path

    @property
    def is_drawn(self) -> bool:
        """Histories and energies."""
        return len(self.t) > 1

    def summary(self) -> str:
        """From when to when, and how well energies balance."""
        ended = "" if self.complete else ", stopped early"
        span = f"t = {self.t[0]:.6g} to {self.t[-1]:.6g} s{ended}" if len(self.t) else "no times"
        return f"{counted(len(self.t), 'time')}, {span}, energies balance to {self.energy.error:.1g}"

    def told(self) -> Iterator[Table | str]:
        """First, smallest, largest and last of what moves, how energies balance, and what is to be known."""
        shown = self.motion.shown() if hasattr(self.motion, "shown") else self._unknowns()
        if len(self.t):
            rows = [(name, *extremes(history)) for name, history in shown.items()]
            yield Table(("", "first", "smallest", "largest", "last"), rows)
        yield "\n".join(filter(None, (self._balance(), self.message, *self.notes)))

    def _unknowns(self) -> dict[str, Array]:
        return {name: self[name] for name in self if not name.endswith(("_t", "_tt"))}

    def _balance(self) -> str:
        if self.energy.scale:
            return f"Energies balance to {self.energy.error:.1e} of the largest energy."
        return "Nothing moved, because nothing moves it; give it a start or a load."

    @cached_property
    def momentum(self) -> Momentum:
        """Linear and angular momentum and their balance, computed when first asked for."""
        if self.momenta is None:
            raise FlexuraError(
                "This trajectory is of matrices or has contacts, and tells no momenta",
                advice="simulate equations without contacts instead",
            )
        return self.momenta()

    def to_dataframe(self) -> Any:
        """A pandas table: times as its index, histories and energies with their units."""
        from flexura.systems.dataframes import dataframe, with_unit

        unit = getattr(self.motion, "unit", lambda name: "")
        columns = {with_unit(name, unit(name)): self[name] for name in self if np.ndim(self[name]) == 1}
        parts = ("kinetic", "potential", "dissipated", "supplied")
        energies = {f"energy_{part} (J)": getattr(self.energy, part) for part in parts}
        return dataframe({**columns, **energies}, self.t, "t (s)")

    def place(self, member: Any, s: Any) -> Array:
        """The fields of a member at the distance s from its start, in the frame it is measured from."""
        if self.places is None:
            raise FlexuraError(
                "This trajectory is of matrices and has no members", advice="read it by the names of its dofs"
            )
        return self.places(member, s)

    def position(self, place: Any) -> Array:
        """Where a place is, in ground's axes: an array (times, 3)."""
        if self.positions is None:
            raise FlexuraError("This trajectory has no geometry", advice="simulate equations that came from parts")
        return self.positions(place)


def extremes(history: Array) -> tuple[str, ...]:
    """First, smallest, largest, last; what is round-off beside the largest is 0."""
    largest = abs(history).max()
    shown = (history[0], history.min(), history.max(), history[-1])
    return tuple(f"{0.0 if abs(value) < 1e-12 * largest else value:.6g}" for value in shown)
