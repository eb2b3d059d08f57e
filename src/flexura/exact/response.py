"""Frequency responses: the load's amplitude and the outputs are coordinates of D that stay when all others are gone.

[ D   -F   C ] [z]   [0]
[-F'   0   E ] [1] = [.]          Y = E + C' D^-1 F     is what elimination leaves between load and outputs.
[ C'   E'  0 ] [0]   [Y]

So a load spread along a line and a place inside one are condensed with the line they are on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from flexura.exact.dynamic_stiffness import DynamicStiffness
from flexura.exact.lines import Array, Function, Line, LinearSystem, Slot, halves, widened, with_loads
from flexura.exact.segments import Matrices
from flexura.exact.window import scale_of
from flexura.systems.polynomials import gauss
from flexura.systems.projection import Projection

Complex = NDArray[np.complex128]
Flags = NDArray[np.bool_]
_WEAK = 1e-7  # a pivot that small is looked at again
_GROWTH = 1e4
_CHUNK = 1024
_APART = 0.02  # of a line, between places at which it is cut


@dataclass(frozen=True)
class LineLoad:
    """A load along a line: what it works on (a field's slot or a coordinate's), and how much at x.

    It is smooth between its `breaks`.
    """

    line: int
    slot: Slot
    amount: float | Function
    breaks: tuple[float, ...] = ()


@dataclass(frozen=True)
class Load:
    """Generalized forces per unit amplitude, and loads along lines."""

    forces: Array
    along: tuple[LineLoad, ...] = ()


@dataclass(frozen=True)
class Output:
    """Combinations of generalized coordinates (rows), or all fields of a line at x inside it."""

    rows: Array
    inside: tuple[int, float] | None = None


def respond(system: LinearSystem, omega: Array, load: Load, output: Output) -> tuple[Complex, Flags]:
    """(frequency, output): amplitudes for a unit load, and where an undamped resonance makes them infinite."""
    augmented, outputs = _augmented(system, load, output)
    solve = _Solver(augmented, outputs, damped=not system.conservative)
    found, near = solve(omega)
    resonant = np.zeros(found.shape, bool)
    if solve.damped:  # a motion without stiffness is free at rest, whatever damps it
        near = near & (omega == 0)
    if not near.any():
        return found, resonant
    shifts = np.array([-1e-5, -1e-6, 1e-6, 1e-5])
    for i in np.flatnonzero(near):
        y, _ = solve(omega[i] * (1 + shifts) if omega[i] else np.abs(shifts) * np.sqrt(scale_of(solve.stiffness)))
        closer, further = np.abs(y[1:3]).mean(axis=0), np.abs(y[[0, 3]]).mean(axis=0)
        resonant[i] = closer > 5 * further
        found[i] = np.where(resonant[i], np.inf, y[1:3].mean(axis=0))
    return found, resonant


class _Solver:
    """Answers at many frequencies: by elimination where D is symmetric, by full matrices elsewhere and in doubt.

    Where lines are so stiff that D would lose what they weigh, they enter in mixed form.
    """

    def __init__(self, system: LinearSystem, outputs: int, damped: bool) -> None:
        self.stiffness = DynamicStiffness(system, kept=1 + outputs)
        self.outputs, self.damped, self.symmetric = outputs, damped, system.symmetric

    def __call__(self, omega: Array) -> tuple[Complex, Flags]:
        """(frequency, output), and whether D is nearly singular there."""
        stiff = self.stiffness.stiff(omega**2)
        some = stiff.any(axis=0)
        if not some.any():
            return self._each(omega)
        found, near = np.zeros((len(omega), self.outputs), np.complex128), np.zeros(len(omega), bool)
        lines = np.flatnonzero(stiff.any(axis=1)).tolist()
        mixed = _Solver(with_loads(self.stiffness.system, lines, 1 + self.outputs), self.outputs, self.damped)
        for here, solver in ((some, mixed), (~some, self)):
            if here.any():
                found[here], near[here] = solver._each(omega[here])
        return found, near

    def _each(self, omega: Array) -> tuple[Complex, Flags]:
        found, near = np.zeros((len(omega), self.outputs), np.complex128), np.zeros(len(omega), bool)
        chunks = self.stiffness.chunks(len(omega)) if self.symmetric else _steps(len(omega))
        for part in chunks:
            s2 = -(omega[part] ** 2)
            found[part], near[part] = self._part(
                1j * omega[part] if self.damped else None, s2 + 0j if self.damped else s2
            )
        return found, near

    def _part(self, s: Matrices | None, s2: Matrices) -> tuple[Complex, Flags]:
        if not self.symmetric:
            return self._full(self.stiffness(s, s2)[0], s2)
        V, _ = self.stiffness.entries(s, s2)
        left, order, n = V.copy(), self.stiffness.elimination, self.stiffness.n
        _, growth, smallest = order(left, self.stiffness.sizes(s2))
        first = n - 1 - self.outputs
        found = left[[order.places[first, first + 1 + k] for k in range(self.outputs)]].T.astype(np.complex128)
        near = np.zeros(len(s2), bool)
        weak = np.flatnonzero(~((growth < _GROWTH) & (smallest > _WEAK)))
        if len(weak):
            found[weak], near[weak] = self._full(self.stiffness.dense(V[:, weak]), s2[weak])
        return found, near

    def _full(self, D: Matrices, s2: Matrices) -> tuple[Complex, Flags]:
        """The same by full matrices, and whether D is nearly singular: seen from how it answers an arbitrary load."""
        n = D.shape[-1] - 1 - self.outputs
        inner, rows, direct = D[:, :n, :n], D[:, n + 1 :, :n], D[:, n + 1 :, n]
        if n == 0:
            return direct.astype(np.complex128), np.zeros(len(D), bool)
        size = np.sqrt(self.stiffness.sizes(s2).T[:, :n])
        right = np.zeros((len(D), n, 2), D.dtype)
        right[:, :, 0] = -D[:, :n, n] / size
        right[:, :, 1] = np.cos(1.0 + 2.0 * np.arange(n))
        z = _solved(inner / (size[:, :, None] * size[:, None, :]), right)
        near = ~(np.abs(z[:, :, 1]).max(axis=1) < 1e9)
        with np.errstate(invalid="ignore"):
            y = np.einsum("pki,pi->pk", rows, z[:, :, 0] / size) + direct
        return y.astype(np.complex128), near


def _steps(points: int) -> list[slice]:
    return [slice(first, first + _CHUNK) for first in range(0, points, _CHUNK)]


def _solved(matrix: Matrices, right: Matrices) -> Matrices:
    try:
        return np.asarray(np.linalg.solve(matrix, right))
    except np.linalg.LinAlgError:
        found = np.full_like(right, np.inf)
        for i, (one, b) in enumerate(zip(matrix, right, strict=True)):
            if np.linalg.matrix_rank(one) == len(one):
                found[i] = np.linalg.solve(one, b)
        return found


def _augmented(system: LinearSystem, load: Load, output: Output) -> tuple[LinearSystem, int]:
    """The system with the load's amplitude and the outputs as its last coordinates, and how many outputs there are."""
    names = [line.name for line in system.lines]
    system, rows, inside = _with_joint(system, output)
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
    wide = widened(system, tuple(f"joint {i}" for i in range(e)))
    lines = (*wide.lines[:which], *halves(line, at, n, n + e), *wide.lines[which + 1 :])
    rows = np.zeros((len(line.fields), n + e))
    rows[np.arange(len(line.fields)), n + np.cumsum([0, *line.orders[:-1]])] = 1.0
    return replace(wide, lines=lines), rows, None


def _with_slots(line: Line, slots: Sequence[Slot]) -> Line:
    new = [slot for slot in slots if slot not in line.slots]
    constant = np.zeros((3, len(line.slots) + len(new), len(line.slots) + len(new)))
    constant[:, : len(line.slots), : len(line.slots)] = line.constant
    return replace(line, slots=(*line.slots, *new), constant=constant)


def _loaded(line: Line, load: LineLoad, amplitude: int) -> Line:
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
