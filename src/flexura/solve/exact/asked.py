"""What a frequency response is asked for, as coordinates of a system that stay when all others are gone.

[ D   -F   C ] [z]   [0]
[-F'   0   E ] [1] = [.]          Y = E + C' D^-1 F     is what elimination leaves between load and outputs.
[ C'   E'  0 ] [0]   [Y]

So a load spread along a line and a place inside one are condensed with the line they are on. A coordinate that is
driven stands in the place of the load, one that is held in that of an output: elimination leaves what holds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from flexura.solve.exact.lines import Array, Function, Line, LinearSystem, Slot, halves, widened
from flexura.systems.polynomials import gauss
from flexura.systems.signals.projection import Projection

Complex = NDArray[np.complex128]
_APART = 0.02  # of a line, between places at which it is cut


@dataclass(frozen=True)
class HarmonicLineLoad:
    """A load along a line: what it works on (a field's slot or a coordinate's), and how much at x.

    It is smooth between its `breaks`.
    """

    line: int
    slot: Slot
    amount: float | Function
    breaks: tuple[float, ...] = ()


@dataclass(frozen=True)
class HarmonicLoad:
    """Generalized forces per unit amplitude, and loads along lines; or a coordinate `driven` by a unit amplitude."""

    forces: Array
    along: tuple[HarmonicLineLoad, ...] = ()
    driven: int | None = None


@dataclass(frozen=True)
class Output:
    """Combinations of generalized coordinates (rows), or all fields of a line at x inside it.

    `held` is a coordinate whose driving load is read instead.
    """

    rows: Array
    inside: tuple[int, float] | None = None
    held: int | None = None


@dataclass(frozen=True)
class SectionOutput:
    """One output where a line is cut at x: the values there, some coordinates, and the load on one of the values.

    `weights(s)` gives (points, 1 + values + rows): what the load that lies beyond x exerts on that value, each value of
    the line there, and each combination of coordinates in `rows` count for. Without `load` the first has none.
    """

    line: int
    x: float
    load: int | None
    rows: Array
    weights: Callable[[Complex], Complex]


def augmented(system: LinearSystem, load: HarmonicLoad, output: Output) -> tuple[LinearSystem, int]:
    """The system with the load's amplitude and the outputs as its last coordinates, and how many outputs there are."""
    names = [line.name for line in system.lines]
    system, rows, inside = _with_joint(system, output)
    if load.driven is not None or output.held is not None:
        return _held_apart(system, load, rows, names, output.held)
    outputs = len(rows) if inside is None else len(system.lines[names.index(inside[0])].fields)
    n = len(system.names)
    labels = ("load", *(f"output {k}" for k in range(outputs)))
    wide = widened(system, labels)
    rigid = wide.rigid.copy()
    rigid[0, : len(load.forces), n] = rigid[0, n, : len(load.forces)] = -load.forces
    if inside is None:
        rigid[0, n + 1 :, :n], rigid[0, :n, n + 1 :] = rows, rows.T
    lines = []
    for line in wide.lines:
        for one in load.along:
            if line.name == names[one.line]:
                line = _loaded(line, one, n)
                line = replace(line, breaks=_apart(line, one.breaks)) if inside and line.name == inside[0] else line
        if inside and line.name == inside[0]:
            places = range(n + 1, n + 1 + outputs)
            line = _with_slots(line, [(-1, place) for place in places])
            line = replace(line, points=tuple((place, k, inside[1]) for k, place in enumerate(places)))
        lines.append(line)
    return replace(wide, rigid=rigid, lines=tuple(lines)), outputs


def _with_joint(system: LinearSystem, output: Output) -> tuple[LinearSystem, Array, tuple[str, float] | None]:
    """Cut the line where the output is, so that it is a coordinate; too close to an end, it stays a value inside."""
    if output.inside is None:
        return system, output.rows, None
    which, x = output.inside
    line = system.lines[which]
    at, e, n = (x - line.start) / (line.end - line.start), line.end_values, len(system.names)
    if not 0.05 < at < 0.95 or 0 in line.orders:
        return system, np.zeros((0, n)), (line.name, x)
    cut = cut_at(system, which, at)
    rows = np.zeros((len(line.fields), n + e))
    rows[np.arange(len(line.fields)), n + np.cumsum([0, *line.orders[:-1]])] = 1.0
    return cut, rows, None


def cut_at(system: LinearSystem, which: int, at: float) -> LinearSystem:
    """The same system with a joint in one line, whose values are its last coordinates."""
    line, n = system.lines[which], len(system.names)
    wide = widened(system, tuple(f"joint {i}" for i in range(line.end_values)))
    lines = (*wide.lines[:which], *halves(line, at, n, n + line.end_values), *wide.lines[which + 1 :])
    return replace(wide, lines=lines)


def augmented_by_section(system: LinearSystem, load: HarmonicLoad, output: SectionOutput) -> tuple[LinearSystem, int]:
    """The system cut at a section: its coordinates with the load on one value there, all values, and the rows asked."""
    names = [line.name for line in system.lines]
    which, line = output.line, system.lines[output.line]
    at, e, n = (output.x - line.start) / (line.end - line.start), line.end_values, len(system.names)
    before = not at > 1e-9  # there is nothing before the start, so the line itself is looked at, from the other side
    if 1e-9 < at < 1 - 1e-9:
        system = cut_at(system, which, at)
        values = np.hstack([np.zeros((e, n)), np.eye(e)])
    else:
        values = line.ends[:e] if before else line.ends[e:]
    wide = widened(system, ("gap",))
    line, sign = wide.lines[which], -1.0 if before else 1.0
    ends = line.ends.copy()
    if output.load is not None:  # what is applied to a gap at the end of a line is what lies beyond exerts there
        ends[(0 if before else e) + output.load, -1] = sign
    lines = (*wide.lines[:which], replace(line, ends=ends), *wide.lines[which + 1 :])
    rows = np.zeros((e + len(output.rows), len(wide.names)))
    rows[:e, : values.shape[1]], rows[e:, : output.rows.shape[1]] = values, output.rows
    return _held_apart(replace(wide, lines=lines), load, rows, names, len(wide.names) - 1)


def _held_apart(
    system: LinearSystem, load: HarmonicLoad, rows: Array, names: Sequence[str], held: int | None
) -> tuple[LinearSystem, int]:
    """As `augmented`, where a coordinate is driven in place of a load, or the load that holds one is an output.

    A held coordinate needs no row: what elimination leaves in its own is the load on it.
    """
    n, m = len(system.names), system.independent.shape[1]
    labels = (*(["load"] if load.driven is None else []), *(f"output {k}" for k in range(len(rows))))
    wide = widened(system, labels)
    rigid, first = wide.rigid.copy(), n + len(labels) - len(rows)
    rigid[0, first:, :n], rigid[0, :n, first:] = rows, rows.T
    lines = []
    if load.driven is None:
        rigid[0, : len(load.forces), n] = rigid[0, n, : len(load.forces)] = -load.forces
    for line in wide.lines:
        for one in load.along if load.driven is None else ():
            if line.name == names[one.line]:
                line = _loaded(line, one, n)
        lines.append(line)
    acting = m if load.driven is None else _column(wide, load.driven)
    seen = [] if held is None else [_column(wide, held)]
    seen += range(m + first - n, m + len(labels))
    kept = [acting, *seen]
    order = [*(i for i in range(m + len(labels)) if i not in kept), *kept]
    return replace(wide, rigid=rigid, lines=tuple(lines), independent=wide.independent[:, order]), len(seen)


def _column(system: LinearSystem, coordinate: int) -> int:
    """The independent coordinate that a coordinate is."""
    return int(np.flatnonzero(system.independent[coordinate])[0])


def _with_slots(line: Line, slots: Sequence[Slot]) -> Line:
    new = [slot for slot in slots if slot not in line.slots]
    constant = np.zeros((3, len(line.slots) + len(new), len(line.slots) + len(new)))
    constant[:, : len(line.slots), : len(line.slots)] = line.constant
    return replace(line, slots=(*line.slots, *new), constant=constant)


def _loaded(line: Line, load: HarmonicLineLoad, amplitude: int) -> Line:
    line = _with_slots(line, [load.slot, (-1, amplitude)])
    i, j = line.slots.index(load.slot), line.slots.index((-1, amplitude))
    if callable(load.amount):
        f = _projected(load.amount, load.breaks) if load.breaks else load.amount
        return replace(line, varying=(*line.varying, (0, i, j, lambda x: -f(x)), (0, j, i, lambda x: -f(x))))
    constant = line.constant.copy()
    constant[0, i, j] -= load.amount
    constant[0, j, i] -= load.amount
    return replace(line, constant=constant)


def _projected(load: Function, breaks: Sequence[float]) -> Function:
    """A load that jumps or is narrow, as stretches ask for it: at their Gauss points, (stretch, point).

    To cut the line at every jump would leave stretches so short that their stiffness swamps that of the others.
    """

    def at(x: Array) -> Array:
        if x.ndim != 2:
            return load(x)
        xi, middle = gauss(x.shape[1])[0], (x[:, 0] + x[:, -1]) / 2
        half = (x[:, -1] - x[:, 0]) / (xi[-1] - xi[0])
        stretches = Projection(np.append(middle - half, middle[-1] + half[-1]), x.shape[1])
        return stretches.moving(lambda places, _: load(places), np.array([breaks])).reshape(x.shape)

    return at


def _apart(line: Line, more: Sequence[float]) -> tuple[float, ...]:
    """Breaks of a line and of a load on it, if far from one another: for a place that is read inside a stretch."""
    found, least = [line.start, *line.breaks, line.end], _APART * (line.end - line.start)
    for x in more:
        if min(abs(x - other) for other in found) > least:
            found.append(x)
    return tuple(sorted(found)[1:-1])
