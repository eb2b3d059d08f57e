"""Motion of systems of matrices, M x'' + (D + G) x' + (K + H) x = F u(t), with its ledger of energies.

>>> run = simulate_system(system, t, initial={"x0": 0.1}, inputs={"F": "sin(3*t)"})
>>> run["x0"], run["x0_t"], run.energy.error
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Numbers
from flexura.errors import FlexuraError
from flexura.solve.steppers.accuracy import MotionError
from flexura.solve.steppers.linear_exact import Motion, exact_steps
from flexura.solve.steppers.linear_implicit import implicit_steps
from flexura.solve.steppers.linear_inputs import read_signals
from flexura.solve.steppers.trajectory import Energy, Trajectory, increasing_times
from flexura.systems.second_order import SecondOrderSystem, real_stiffness

Array = NDArray[np.float64]
_SMALL = 400
_METHODS = ("exact", "trapezoidal", "generalized_alpha")


def simulate_system(
    system: SecondOrderSystem,
    t: Numbers,
    initial: Mapping[str, Numbers] | Numbers = None,
    inputs: Mapping[str, Any] | Callable[..., Any] | str | Numbers = None,
    *,
    method: str | None = None,
    step: float | None = None,
    radius: float = 0.9,
) -> Trajectory:
    """The motion at the points of t; histories by the names of the dofs, and "name_t", "name_tt".

    `initial`: {"x0": 0.1, "x0_t": 0.0}, or (x, x_t) as arrays; what is not given is zero. `inputs`: by the names of
    inputs (columns of F) or of dofs, each a number, a function of t, an array on t (straight between its points) or
    text like "sin(3*t)"; or, not named, one such value for all columns. `method`: "exact" (the default of small
    systems), "trapezoidal" (of large ones; `step` is its longest step, by default the spacing of t), or
    "generalized_alpha" (`radius`).
    """
    real_stiffness(system, "a simulation")
    times = increasing_times(t)
    x, v = _initial(system, initial)
    signals = read_signals(system, inputs, times)
    method = method or ("exact" if system.n <= _SMALL else "trapezoidal")
    if method not in _METHODS:
        raise FlexuraError(f"method is {method!r}", advice=f"use {', '.join(map(repr, _METHODS))}")
    if step is not None and not step > 0:
        raise FlexuraError(f"step is {step!r}", advice="give a length of time greater than 0")
    if not 0 <= radius <= 1:
        raise FlexuraError(f"radius is {radius!r}", advice="give a number from 0 to 1")
    if method == "exact":
        motion = exact_steps(system, times, x, v, signals)
    else:
        radius = 1.0 if method == "trapezoidal" else radius
        motion = implicit_steps(system, times, x, v, signals, radius=radius, step=step)
    return _trajectory(system, times, motion, signals.notes)


@dataclass(frozen=True)
class Histories(Mapping[str, Array]):
    """Columns by name: x of every dof, its rate name_t, its acceleration name_tt."""

    names: tuple[str, ...]
    motion: Motion

    def __getitem__(self, name: str) -> Array:
        for ending, table in (("_tt", self.motion.a), ("_t", self.motion.v), ("", self.motion.x)):
            base = name.removesuffix(ending) if ending else name
            if name.endswith(ending) and base in self._rows:
                return table[:, self._rows[base]]
        raise KeyError(name)

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and any(
            name.endswith(ending) and name[: len(name) - len(ending)] in self._rows for ending in ("", "_t", "_tt")
        )

    def __iter__(self) -> Iterator[str]:
        return (name + ending for ending in ("", "_t", "_tt") for name in self.names)

    def __len__(self) -> int:
        return 3 * len(self.names)


def _trajectory(system: SecondOrderSystem, t: Array, motion: Motion, notes: tuple[str, ...]) -> Trajectory:
    kinetic = np.einsum("ti,ti->t", motion.v, (system.M @ motion.v.T).T) / 2
    potential = np.einsum("ti,ti->t", motion.x, (system.K @ motion.x.T).T) / 2
    largest = float(np.abs(motion.booked).max(initial=0.0))
    energy = Energy(kinetic, potential, motion.dissipated, motion.supplied, largest=largest)
    return Trajectory(
        t,
        Histories(system.names, motion),
        energy,
        notes=(*notes, *motion.notes),
        error=_error(system, motion, energy.error),
    )


def _error(system: SecondOrderSystem, motion: Motion, missed: float) -> MotionError | None:
    """What the steps may be wrong by and what the energies miss: of each dof, and of all in the metric of masses."""
    if motion.errors is None:
        return None
    moved = motion.x - motion.x[0]
    errors = motion.errors + missed * np.abs(moved).max(axis=0)
    size = np.sqrt(np.einsum("ti,ti->t", moved, (system.M @ moved.T).T).max(initial=0.0))
    share = float(np.sqrt(max(errors @ (system.M @ errors), 0.0)) / size) if size else 0.0
    time = dict(zip(system.names, errors.tolist(), strict=True))
    return MotionError(time, min(1.0, share), basis=motion.basis, members=False)


def _initial(system: SecondOrderSystem, initial: Any) -> tuple[Array, Array]:
    x, v = np.zeros(system.n), np.zeros(system.n)
    if initial is None:
        return x, v
    if isinstance(initial, Mapping):
        rows = {name: i for i, name in enumerate(system.names)}
        for name, value in initial.items():
            if name in rows:
                x[rows[name]] = float(value)
            elif name.endswith("_t") and name[:-2] in rows:
                v[rows[name[:-2]]] = float(value)
            else:
                shown = ", ".join(system.names[:6]) + (", ..." if system.n > 6 else "")
                raise FlexuraError(
                    f"The system has no {name!r} to start from", advice=f"it has {shown} and their rates, e.g. q_t"
                )
    else:
        given = initial if isinstance(initial, tuple) else (initial, v)
        x, v = (np.array(one, dtype=np.float64).ravel() for one in given)
        if len(x) != system.n or len(v) != system.n:
            raise FlexuraError(
                f"initial has {len(x)} displacements and {len(v)} rates", advice=f"give {system.n} of each"
            )
    if not np.all(np.isfinite(x)) or not np.all(np.isfinite(v)):
        raise FlexuraError("initial holds values that are not finite", advice="give finite numbers")
    return x, v
