"""Frequency responses: the load's amplitude and the output are one more column and row of D, condensed with the rest.

[ D    -F ] [z]   [0]
[ c'    e ] [1] = [y]          y = e + c' D^-1 F
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from flexura.exact.dynamic_stiffness import DynamicStiffness
from flexura.exact.lines import Array, Function, Line, LinearSystem, Slot, halves

Complex = NDArray[np.complex128]
_CHUNK = 1024


@dataclass(frozen=True)
class LineLoad:
    """A load along a line: what it works on (a field's slot or a coordinate's), and how much at x."""

    line: int
    slot: Slot
    amount: float | Function


@dataclass(frozen=True)
class Load:
    """Generalized forces per unit amplitude, and loads along lines."""

    forces: Array
    along: tuple[LineLoad, ...] = ()


@dataclass(frozen=True)
class Output:
    """A combination of generalized coordinates, or the value of a field at x inside a line."""

    row: Array
    inside: tuple[int, int, float] | None = None


def respond(system: LinearSystem, omega: Array, load: Load, output: Output) -> tuple[Complex, NDArray[np.bool_]]:
    """Amplitude of the output for a unit load at each omega, and where an undamped resonance makes it infinite."""
    damped = not system.conservative
    stiffness = DynamicStiffness(_augmented(system, load, output))
    found, near = _solve(stiffness, omega, damped)
    if damped or not near.any():
        return found, np.zeros(len(omega), bool)
    resonant = np.zeros(len(omega), bool)
    shifts = np.array([-1e-5, -1e-6, 1e-6, 1e-5])
    for i in np.flatnonzero(near):
        around = omega[i] * (1 + shifts) if omega[i] else np.abs(shifts) * _first(stiffness)
        y, _ = _solve(stiffness, around, damped)
        closer, further = np.abs(y[1:3]).mean(), np.abs(y[[0, 3]]).mean()
        resonant[i] = closer > 5 * further
        found[i] = np.inf if resonant[i] else y[1:3].mean()
    return found, resonant


def _first(stiffness: DynamicStiffness) -> float:
    """A frequency of the size of elastic ones, to step away from zero by."""
    tops = [line.top(line.level(0.0)) for line in stiffness.lines]
    finite = [top for top in tops if np.isfinite(top)]
    return float(np.sqrt(min(finite))) if finite else 1.0


def _solve(stiffness: DynamicStiffness, omega: Array, damped: bool) -> tuple[Complex, NDArray[np.bool_]]:
    found, near = np.zeros(len(omega), np.complex128), np.zeros(len(omega), bool)
    for first in range(0, len(omega), _CHUNK):
        part = slice(first, first + _CHUNK)
        s2 = -(omega[part] ** 2)
        D, _ = stiffness(1j * omega[part] if damped else None, s2 + 0j if damped else s2)
        found[part], near[part] = _close(D)
    return found, near


def _close(D: NDArray[np.complex128]) -> tuple[Complex, NDArray[np.bool_]]:
    """y of each D, and whether D is nearly singular there: seen from how it answers a second, arbitrary load."""
    n = D.shape[-1] - 2
    inner = D[:, :n, :n]
    if n == 0:
        return D[:, 1, 0].astype(np.complex128), np.zeros(len(D), bool)
    size = np.sqrt(np.abs(np.einsum("pii->pi", inner)))
    size[size == 0] = 1.0
    scaled = inner / (size[:, :, None] * size[:, None, :])
    right = np.zeros((len(D), n, 2), D.dtype)
    right[:, :, 0] = -D[:, :n, n] / size
    right[:, :, 1] = np.cos(1.0 + 2.0 * np.arange(n))
    z = _each(scaled, right)
    near = ~(np.abs(z[:, :, 1]).max(axis=1) < 1e9)
    with np.errstate(invalid="ignore"):
        y = np.einsum("pi,pi->p", D[:, n + 1, :n], z[:, :, 0] / size) + D[:, n + 1, n]
    return y.astype(np.complex128), near


def _each(matrix: NDArray[np.complex128], right: NDArray[np.complex128]) -> NDArray[np.complex128]:
    try:
        return np.asarray(np.linalg.solve(matrix, right))
    except np.linalg.LinAlgError:
        found = np.full_like(right, np.inf)
        for i, (one, b) in enumerate(zip(matrix, right, strict=True)):
            if np.linalg.matrix_rank(one) == len(one):
                found[i] = np.linalg.solve(one, b)
        return found


def _augmented(system: LinearSystem, load: Load, output: Output) -> LinearSystem:
    """The system with the load's amplitude and the output as its last two coordinates."""
    system, row, inside = _with_joint(system, output)
    n = len(system.names)
    rigid = np.zeros((3, n + 2, n + 2))
    rigid[:, :n, :n] = system.rigid
    rigid[0, : len(load.forces), n] = -load.forces
    rigid[0, n + 1, :n] = row
    independent = np.zeros((n + 2, system.independent.shape[1] + 2))
    independent[:n, :-2], independent[n:, -2:] = system.independent, np.eye(2)
    lines = []
    for line in system.lines:
        line = replace(line, ends=np.hstack([line.ends, np.zeros((len(line.ends), 2))]))
        for one in load.along:
            if system_line(system, line) == one.line:
                line = _loaded(line, one, n)
        if inside and line.name == inside[0] and line.start <= inside[2] <= line.end:
            line = _with_slots(line, [(-1, n + 1)])
            line = replace(line, points=((n + 1, inside[1], inside[2]),))
        lines.append(line)
    return LinearSystem((*system.names, "load", "output"), rigid, tuple(lines), independent)


def system_line(system: LinearSystem, line: Line) -> int:
    """The number of the line a (part of a) line belongs to."""
    return list(dict.fromkeys(one.name for one in system.lines)).index(line.name)


def _with_joint(system: LinearSystem, output: Output) -> tuple[LinearSystem, Array, tuple[str, int, float] | None]:
    """Cut the line where the output is, so that it is a coordinate; too close to an end, it stays a value inside."""
    if output.inside is None:
        return system, output.row, None
    which, field, x = output.inside
    line = system.lines[which]
    at, e, n = (x - line.start) / (line.end - line.start), line.end_values, len(system.names)
    if not 0.05 < at < 0.95 or line.orders[field] == 0:
        return system, np.zeros(n), (line.name, field, x)
    rigid = np.zeros((3, n + e, n + e))
    rigid[:, :n, :n] = system.rigid
    independent = np.zeros((n + e, system.independent.shape[1] + e))
    independent[:n, : system.independent.shape[1]], independent[n:, system.independent.shape[1] :] = (
        system.independent,
        np.eye(e),
    )
    others = [replace(one, ends=np.hstack([one.ends, np.zeros((len(one.ends), e))])) for one in system.lines]
    lines = [*others[:which], *halves(line, at, n, n + e), *others[which + 1 :]]
    row = np.zeros(n + e)
    row[n + sum(line.orders[:field])] = 1.0
    names = (*system.names, *(f"joint {i}" for i in range(e)))
    return LinearSystem(names, rigid, tuple(lines), independent), row, None


def _with_slots(line: Line, slots: Sequence[Slot]) -> Line:
    new = [slot for slot in slots if slot not in line.slots]
    constant = np.zeros((3, len(line.slots) + len(new), len(line.slots) + len(new)))
    constant[:, : len(line.slots), : len(line.slots)] = line.constant
    return replace(line, slots=(*line.slots, *new), constant=constant)


def _loaded(line: Line, load: LineLoad, amplitude: int) -> Line:
    line = _with_slots(line, [load.slot, (-1, amplitude)])
    i, j = line.slots.index(load.slot), line.slots.index((-1, amplitude))
    if callable(load.amount):
        f = load.amount
        return replace(line, varying=(*line.varying, (0, i, j, lambda x: -f(x))))
    constant = line.constant.copy()
    constant[0, i, j] -= load.amount
    return replace(line, constant=constant)
