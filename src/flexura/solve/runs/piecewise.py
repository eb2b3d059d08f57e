"""Inputs that change over intervals: a basis for each, with the low modes of the one before carried over.

>>> run = fx.simulate_piecewise(system, [(0.0, F1, "sin(t)"), (2.0, F2, 1.0)], t, order=4, carry=2)
>>> run["u3"], run.energy.error, run.notes

When the force F_j stops, its deformation does not: the first modes of F_j stay in the basis of the next interval
(theory, section 5; [S] 6.1). What the next basis cannot hold is left behind, counted as dissipated, and told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.runs.given import read_times
from flexura.solve.runs.matrices import simulate_system
from flexura.solve.steppers.trajectory import Energy, Trajectory
from flexura.structures.operating.inverse import mass_metric_inverse
from flexura.structures.operating.krylov import Expansion, loads_of
from flexura.structures.operating.reduction import project
from flexura.systems.second_order import SecondOrderSystem, real_stiffness, required
from flexura.systems.signals.signal import real_number

Array = NDArray[np.float64]


@dataclass(frozen=True)
class _Interval:
    """The motion over one interval in the coordinates of its own basis."""

    basis: Array
    z: tuple[Array, Array, Array]


@dataclass(frozen=True, eq=False)
class _Expanded(Mapping[str, Array]):
    """Histories of the full system's rows, expanded when they are asked for."""

    names: tuple[str, ...]
    pieces: tuple[_Interval, ...]

    __eq__, __hash__ = object.__eq__, object.__hash__  # never of the arrays that it holds

    @cached_property
    def _rows(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def __getitem__(self, name: str) -> Array:
        for derivative, ending in ((2, "_tt"), (1, "_t"), (0, "")):
            base = name.removesuffix(ending) if ending else name
            if name.endswith(ending) and base in self._rows:
                row = self._rows[base]
                return np.concatenate([one.z[derivative] @ one.basis[row] for one in self.pieces])
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return (name + ending for ending in ("", "_t", "_tt") for name in self.names)

    def __len__(self) -> int:
        return 3 * len(self.names)


def simulate_piecewise(
    system: SecondOrderSystem, intervals: Sequence[tuple[float, Any, Any]], t: Any, order: int = 4, carry: int = 2
) -> Trajectory:
    """Reduced motion from rest under F(t) = a_j(t) F_j from each start on; intervals are (start, F_j, a_j).

    `order` modes of each load, `carry` of the load before; a_j is a number, a function of t, text or an expression.
    """
    system = required(system)
    real_stiffness(system, "a simulation")
    times, starts = read_times(t), [real_number(one[0], "The start of an interval") for one in intervals]
    _check(times, starts)
    inverse = mass_metric_inverse(system)
    pieces, energies, notes = [], [], []
    x, v, lost, before = np.zeros(system.n), np.zeros(system.n), 0.0, None
    for j, (start, F, a) in enumerate(intervals):
        end = starts[j + 1] if j + 1 < len(starts) else times[-1]
        inside = times[(times >= start) & (times < end)] if j + 1 < len(starts) else times[times >= start]
        loads = loads_of(system, F)
        grown = Expansion(inverse, loads).grow(order)
        if before is not None:
            carried = Expansion(inverse, before).grow(carry)
            for column, image in zip(carried.V.T, carried.KV.T, strict=True):
                grown.append(column, image)
        small = project(inverse, grown.V, grown.KV, loads, loads[:, :1])
        z, z_t = small.basis.T @ (system.M @ x), small.basis.T @ (system.M @ v)
        gone = _energy(system, x, v) - (z_t @ z_t + z @ (small.K @ z)) / 2
        if j and gone > 1e-9 * max(_energy(system, x, v), 1e-300):
            notes.append(f"At t = {start:g} the change of basis left {gone:.3g} of energy behind; carry more modes.")
        lost += gone
        points = np.unique(np.concatenate([[start], inside, [end]]))
        run = simulate_system(small, points, (z, z_t), {small.input_names[0]: a})
        notes.extend(run.notes)
        at = np.searchsorted(points, inside)
        tables = tuple(np.column_stack([run[name + ending] for name in small.names]) for ending in ("", "_t", "_tt"))
        pieces.append(_Interval(small.basis, (tables[0][at], tables[1][at], tables[2][at])))
        energies.append((run.energy, at, lost))
        x, v = small.basis @ tables[0][-1], small.basis @ tables[1][-1]
        before = loads
    told = tuple(dict.fromkeys(notes))
    return Trajectory(times, _Expanded(system.names, tuple(pieces)), _balance_of(energies), notes=told)


def _check(times: Array, starts: list[float]) -> None:
    if not starts or sorted(set(starts)) != starts:
        raise FlexuraError(
            f"The intervals start at {starts}", advice="give at least one, each later than the one before"
        )
    if times[0] != starts[0] or times[-1] <= starts[-1]:
        raise FlexuraError(
            f"t runs from {times[0]:g} to {times[-1]:g}",
            advice="it must start with the first interval and pass the last",
        )


def _energy(system: SecondOrderSystem, x: Array, v: Array) -> float:
    return float(v @ (system.M @ v) + x @ (system.K @ x)) / 2


def _balance_of(energies: list[tuple[Energy, Any, float]]) -> Energy:
    """One energy balance: what was left behind at each change of basis counts as dissipated."""
    columns: dict[str, list[Array]] = {"kinetic": [], "potential": [], "dissipated": [], "supplied": []}
    spent = given = 0.0
    for one, at, lost in energies:
        columns["kinetic"].append(one.kinetic[at])
        columns["potential"].append(one.potential[at])
        columns["dissipated"].append(one.dissipated[at] + spent + lost)
        columns["supplied"].append(one.supplied[at] + given)
        spent, given = spent + float(one.dissipated[-1]), given + float(one.supplied[-1])
    return Energy(*(np.concatenate(parts) for parts in columns.values()))
