"""Motions without stiffness: found where all strains vanish, by rank, whatever the stiffnesses are.

>>> kernel = kernel_of(DynamicStiffness(system))
>>> kernel.motions, kernel.idle              # over the independent coordinates, one motion a column

K = B' E B vanishes where B does, and B is geometry: its rank does not see that one member is 10^12 times as stiff as
another. So the strains of each line (at Gauss points, with the squares of its energy completed) and those of each
spring (a contribution of its own to the energies) are brought to one size before the rank is decided.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg

from flexura.errors import FlexuraError
from flexura.solve.exact.dynamic_stiffness import DynamicStiffness
from flexura.solve.exact.line_stiffness import LineStiffness
from flexura.solve.exact.lines import Array, Line, LinearSystem
from flexura.solve.exact.sparse_rank import few_of_kernel
from flexura.solve.exact.strains import strain_rows

_LARGE = 400  # coordinates from which on conditions are taken as sparse
_RANK = 1e-10  # of geometry: what rounding of angles and lengths may leave
_ROUNDING = 1e-13
_ALONE = 1e-12  # of D(0), where stiffness and geometry are not apart


@dataclass(frozen=True)
class Kernel:
    """`motions` have no stiffness; `idle` ones have no damping and no inertia either: nothing depends on them.

    `definite`: every contribution to the stiffness is positive, so that no other motion has none, and none a negative.
    """

    motions: Array
    idle: Array
    definite: bool


def kernel_of(stiffness: DynamicStiffness) -> Kernel:
    """The kernel of K, and of K, C and M at once."""
    n = stiffness.n
    if stiffness.system.multipliers:
        return _balanced(stiffness)
    rows, definite = _conditions(stiffness, 0)
    kernel = null_space(rows, n)
    if not definite and not stiffness.lines:  # parts of opposite signs may cancel, as in what spins steadily
        whole = _balanced(stiffness).motions
        kernel = whole if whole.shape[1] > kernel.shape[1] else kernel
    if not kernel.shape[1]:
        return Kernel(kernel, kernel, definite)
    inertia = _conditions(stiffness, 2, both=True)[0]
    if not null_space(_product(inertia, kernel), kernel.shape[1]).shape[1]:  # whatever has no stiffness has inertia
        return Kernel(kernel, kernel[:, :0], definite)
    others = [_conditions(stiffness, power, both=True)[0] for power in (0, 1)]
    idle = null_space(np.vstack([*others, inertia]), n)
    return Kernel(_beside(kernel, idle), idle, definite)


def _balanced(stiffness: DynamicStiffness) -> Kernel:
    """The kernel beside conditions on rates, whose multipliers may balance strains: the rank of D(0) itself."""
    zero = np.zeros(1)
    unit = np.sqrt(stiffness.sizes(zero)[:, 0])
    D = stiffness(None, zero)[0][0] / np.outer(unit, unit)
    _, found, V = np.linalg.svd(D)
    rank = int((found > _ALONE * found.max(initial=0.0)).sum())
    kernel = _neat(V[rank:].T) / unit[:, None]
    return Kernel(kernel, np.zeros((stiffness.n, 0)), False)


@dataclass(frozen=True)
class Settled:
    """A system without its idle motions, the kernel of what is left, and what was dropped: (coordinate, motion)."""

    system: LinearSystem
    stiffness: DynamicStiffness
    kernel: Kernel
    dropped: Array

    @property
    def names(self) -> tuple[str, ...]:
        """The coordinates that idle motions hold."""
        moved = np.any(np.abs(self.dropped) > _RANK, axis=1)
        return tuple(name for name, one in zip(self.system.names, moved, strict=True) if one)

    @property
    def note(self) -> str:
        """What was dropped, as a sentence; empty if nothing was."""
        if not self.dropped.shape[1]:
            return ""
        several = len(self.names) > self.dropped.shape[1]
        what = f"A motion of {' and '.join(self.names)}" if several else ", ".join(self.names)
        verb = "has" if several or len(self.names) == 1 else "have"
        return f"{what} {verb} no inertia, no stiffness and no damping, so nothing depends on it; it is left out."


def settle(system: LinearSystem) -> Settled:
    """Hold what is idle; refuse coordinates that describe the motion of a member twice."""
    stiffness = DynamicStiffness(system)
    kernel = kernel_of(stiffness)
    idle = kernel.idle
    if not idle.shape[1]:
        return Settled(system, stiffness, kernel, np.zeros((len(system.names), 0)))
    moved = [line for line in system.lines if np.any(np.abs(line.ends @ system.independent @ idle) > _RANK)]
    if moved:
        raise _twice(system, idle, moved)
    held = scipy.linalg.qr(idle.T, pivoting=True, mode="economic")[2][: idle.shape[1]]
    kept = np.setdiff1d(np.arange(stiffness.n), held)
    motions = kernel.motions - idle @ np.linalg.solve(idle[held], kernel.motions[held])
    left = Kernel(motions[kept], np.zeros((len(kept), 0)), kernel.definite)
    rest = replace(system, independent=system.independent[:, kept])
    return Settled(rest, DynamicStiffness(rest), left, system.independent @ idle)


def _twice(system: LinearSystem, idle: Array, lines: list[Line]) -> FlexuraError:
    moved = np.any(np.abs(system.independent @ idle) > _RANK, axis=1)
    names = [name for name, one in zip(system.names, moved, strict=True) if one and "@" not in name]
    fields = [name for line in lines for name in line.fields]
    ends = {name.partition("@")[0] for name, one in zip(system.names, moved, strict=True) if one and "@" in name}
    if not names and ends <= set(fields):  # a free member by itself
        return FlexuraError(
            f"A motion of {' and '.join(name for name in fields if name in ends)} has no inertia, no stiffness and no"
            " damping",
            advice="give the member inertia in it (rotary_inertia, where it twists), or hold an end of it",
        )
    return FlexuraError(
        f"The coordinate{'s' * (len(names) > 1)} {', '.join(names) or 'at the ends'} and the deflection"
        f"{'s' * (len(fields) > 1)} {', '.join(fields)} describe one motion twice, which nothing resists",
        advice="let the joint act on the member itself, or give inertia to the body between them",
    )


def null_space(rows: Array, n: int) -> Array:
    """Vectors that satisfy all conditions, (n, motions); rows and columns are brought to one size first."""
    columns = np.abs(rows).max(axis=0, initial=0.0)
    columns[columns == 0] = 1.0
    rows = rows / columns
    sizes = np.abs(rows).max(axis=1, initial=0.0)
    rows = rows[sizes > 0] / sizes[sizes > 0][:, None]
    if not len(rows):
        return np.eye(n)
    if n > _LARGE and len(rows) >= n:
        few = few_of_kernel(rows, _RANK)
        if few is not None:
            return _sized(_neat(few) / columns[:, None])
    if len(rows) > n:
        rows = np.asarray(np.linalg.qr(rows, mode="r"))
    _, found, V = np.linalg.svd(rows)
    rank = int((found > _RANK * found[0]).sum())
    return _sized(_neat(V[rank:].T) / columns[:, None])


def _sized(vectors: Array) -> Array:
    return np.asarray(vectors / np.abs(vectors).max(axis=0, initial=0.0))


def _neat(vectors: Array) -> Array:
    """The same span, each vector with a coordinate of its own at one: what rounding left is taken out."""
    if not vectors.shape[1]:
        return vectors
    own = scipy.linalg.qr(vectors.T, pivoting=True, mode="economic")[2][: vectors.shape[1]]
    found = np.linalg.solve(vectors[own].T, vectors.T).T
    return np.asarray(np.where(np.abs(found) <= _ROUNDING * np.abs(found).max(axis=0), 0.0, found))


def _beside(kernel: Array, idle: Array) -> Array:
    """What of the kernel is not idle."""
    if not idle.shape[1]:
        return kernel
    size = np.abs(kernel).max(axis=1)
    size[size == 0] = 1.0
    inside = np.linalg.lstsq(kernel / size[:, None], idle / size[:, None], rcond=None)[0]
    return np.asarray(kernel @ scipy.linalg.null_space(inside.T))


def _conditions(stiffness: DynamicStiffness, power: int, both: bool = False) -> tuple[Array, bool]:
    """Rows over the independent coordinates that vanish where the form of a power does, and whether it is positive.

    `both`: also those that vanish where nothing pushes on a motion, which differ if the form is not symmetric.
    """
    N, found, definite = stiffness.system.independent, [np.zeros((0, stiffness.n))], True
    for part in stiffness.system.contributions(power):
        rows, positive = _factor(part, both)
        found.append(_product(rows, N))
        definite = definite and positive
    made: dict[bytes, tuple[Array, bool]] = {}
    each = {line: _held(line, power, made) for line in dict.fromkeys(stiffness.lines)}
    for line, map_ in zip(stiffness.lines, stiffness.maps, strict=True):
        rows, positive = each[line]
        found.append(_product(rows, map_))
        definite = definite and positive
    return np.vstack(found), definite


def _product(rows: Array, map_: Array) -> Array:
    """rows @ map, without what rounding leaves where terms cancel."""
    found = rows @ map_
    return np.asarray(np.where(np.abs(found) <= _ROUNDING * (np.abs(rows) @ np.abs(map_)), 0.0, found))


def _factor(part: Array, both: bool) -> tuple[Array, bool]:
    """Rows that vanish where a contribution does: its eigenvectors, in units that make its diagonal one."""
    used = np.flatnonzero(np.any(part, axis=0) | np.any(part, axis=1))
    own = part[np.ix_(used, used)]
    size = np.sqrt(np.abs(np.diagonal(own)))
    size = np.where(size > 0, size, np.sqrt(np.abs(own).max(initial=0.0)))
    own = own / np.outer(size, size)
    rows = np.zeros((len(used), len(part)))
    if np.array_equal(own, own.T):
        values, V = np.linalg.eigh(own)
        kept = np.abs(values) > _RANK * np.abs(values).max(initial=0.0)
        rows[:, used] = V.T * size
        return rows[kept], bool(np.all(values[kept] > 0))
    rows[:, used] = own * size
    back = np.zeros_like(rows)
    back[:, used] = own.T * size
    return np.vstack([rows, back]) if both else rows, False


def _held(line: LineStiffness, power: int, made: dict[bytes, tuple[Array, bool]]) -> tuple[Array, bool]:
    """Conditions on (end a, end b, coordinates) under which a line can move without any of its strains.

    Strains of lines that differ only in how stiff they are, or how long, are the same: `made` keeps what was found.
    """
    stretches = line.simple
    rows, positive = strain_rows(stretches, power)
    key = rows.tobytes() + bytes([stretches.outer])
    if key not in made:
        made[key] = _complement(null_space(rows, rows.shape[1])[: stretches.outer]), positive
    units = np.concatenate([np.tile(stretches.end_scales, 2), np.ones(len(line.line.coordinates))])
    return made[key][0] * units, positive


def _complement(free: Array) -> Array:
    """Rows that vanish on all columns of `free`."""
    size = np.abs(free).max(axis=1, initial=0.0)
    size[size == 0] = 1.0
    rows = scipy.linalg.null_space((free / size[:, None]).T, rcond=_RANK).T
    return np.asarray(np.where(np.abs(rows) <= _ROUNDING, 0.0, rows) / size)
