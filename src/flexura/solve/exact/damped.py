"""Damped and gyroscopic systems: all eigenvalues s inside a circle, found, confirmed and counted.

The argument principle says how many roots a circle holds; the pencil gives them; each must make the dynamic stiffness
D(s), which comes from other functions, singular at the same place, or it is no eigenvalue of the system. Where internal
damping makes roots accumulate (at s = -1/eta, where the stiffness of a line vanishes) no circle may reach: there are
infinitely many beyond, so fewer are returned, and `how` says so. Where something absorbs what a line sends to it (a
damper that matches a string), there may be no roots at all: the search ends where there would be many without damping.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.solve.exact.companion import around
from flexura.solve.exact.dynamic_stiffness import DynamicStiffness
from flexura.solve.exact.kernels import Kernel, Settled, null_space
from flexura.solve.exact.lines import Array, Line, LinearSystem, split
from flexura.solve.exact.pencil import Pencil, refuse_negative_inertia
from flexura.solve.exact.segments import INNER
from flexura.solve.exact.slow import SLOW, Polish
from flexura.solve.exact.winding import Region, cleared, zeros_inside
from flexura.solve.exact.window import scale_of
from flexura.systems.zero_roots import zero_roots

Complex = NDArray[np.complex128]
Flags = NDArray[np.bool_]
_REAL = 1e-9
_EDGE = 0.995  # how far a circle reaches towards a point of accumulation
_BESIDE = 1.013  # times the radius of a circle on which a root lies, of one on which it does not
_SAME = 1e-7
_NEAR = 0.3  # of the distance to the next root: a step that stays with its own
_SPLIT, _REACH = 4.0, 0.1  # times the farthest root that should be zero; of the radius, beyond which none is one
_HIDDEN = 0.01  # of a root: rounding of D that leaves it untold
_EPS = float(np.finfo(np.float64).eps)
_MANY = 8  # times the modes asked for: an absorbing system without them is searched no further


@dataclass(frozen=True)
class Damped:
    """Eigenvalues with Im >= 0 and their vectors in `pencil`; `below` are listed inside the circle, `upto` counted.

    `unstable` are those inside the circle that grow, whether asked for or not.
    """

    eigenvalues: Complex
    vectors: Complex
    pencil: Pencil
    residual: float
    below: int
    upto: int
    agrees: bool
    how: str
    unstable: Complex
    zeros: tuple[int, int] = (0, 0)  # motions without stiffness, and how often s = 0 is a root


@dataclass(frozen=True)
class _Searched:
    """A region, the roots it holds by the argument principle, and those that were found in it."""

    region: Region
    counted: int
    s: Complex
    vectors: Complex
    residuals: NDArray[np.float64]
    untold: Flags  # by the dynamic stiffness, whose rounding hides them
    pencil: Pencil
    listed: int
    zeros: tuple[int, int]


def solve_damped(settled: Settled, count: int, near: complex | None = None) -> Damped:
    """The `count` eigenvalues of smallest |s|, or nearest to `near`; fewer if no more exist or can be told apart."""
    system, stiffness = settled.system, settled.stiffness
    refuse_negative_inertia(stiffness, scale_of(stiffness))
    counter = DynamicStiffness(system, INNER + 6)
    centre = 0j if near is None else complex(near)
    points = accumulation(system)
    limit = _EDGE * min((float(np.abs(one - centre)) for one in points), default=np.inf)
    radius = min(_guess(stiffness, count) + (abs(centre) if near is not None else 0.0) * 0.1, limit)
    degree = None if stiffness.lines else _degree(stiffness)
    region, full = Region(centre, radius), False
    for _ in range(40):
        found = _searched(stiffness, counter, region, settled.kernel)
        if found.counted != found.listed and not region.cut:
            clear = cleared(stiffness, region)
            if clear == region:  # a root may lie on the circle itself, where nothing tells inside from outside
                beside = region.radius * _BESIDE
                clear = replace(region, radius=beside if beside <= limit else region.radius / _BESIDE)
            again = _searched(stiffness, counter, clear, settled.kernel)
            found = again if clear.cut or again.counted == again.listed else found
        full, region = region.radius >= limit, found.region
        every = degree is not None and min(found.counted, found.listed) >= degree
        if len(found.s) > count or full or every:
            break
        if region.cut and stiffness.count(np.array([region.radius**2]))[0] > _MANY * (count + 4):
            break
        region = replace(region, radius=min(region.radius * (2.0 if len(found.s) < count // 2 else 1.4), limit))
    return _finished(found, count, near is not None, points if full else [])


def _searched(stiffness: DynamicStiffness, counter: DynamicStiffness, region: Region, kernel: Kernel) -> _Searched:
    """Everything inside a region; the counter's lines are of other functions."""
    centre, radius = region.centre, region.radius
    counted = zeros_inside(counter, region)
    ring = centre + radius * np.exp(1j * np.linspace(0, 2 * np.pi, 25))
    pencil = Pencil(stiffness, (abs(centre) + radius) ** 2, reach=np.append(ring, 0.0))
    shift = centre + (0.031 + (0.017j if centre else 0)) * radius
    s, X = around(pencil, shift, radius, region.inside, max(counted, 0))
    motions = kernel.motions
    null = pencil.rigid_shapes(motions if region.inside(0.0) else motions[:, :0]).astype(np.complex128)
    rigid = null.shape[1]
    roots = zero_roots(pencil.K, pencil.C, pencil.M, null.real, radius)
    slow = 0 if centre else int((np.abs(s) < max(SLOW * radius, _split(s, roots, radius))).sum())
    polish = Polish(pencil, null.real, kernel.definite)
    s, X = polish.apart.again(s, X, slow, roots) if slow > roots and polish.apart is not None else (s, X)
    zeros = np.zeros(len(s), bool)
    zeros[np.argsort(np.abs(s), kind="stable")[:roots]] = True
    wanted = np.flatnonzero((s.imag >= -_REAL * np.abs(s)) & (np.abs(s - centre) < 1.0001 * radius) & ~zeros)
    kept, vectors, residuals = [], [], []
    for k in wanted:
        start = complex(s[k].real) if abs(s[k].imag) <= _REAL * abs(s[k]) else complex(s[k])
        found, x, residual = polish(start, X[:, k])
        if abs(found - start) > max(1e-5 * abs(start), _NEAR * _room(s, k)):
            found, x = start, X[:, k]  # a repeated root pulled it away
        if region.inside(found):
            kept.append(found)
            vectors.append(x)
            residuals.append(residual)
    values = np.array(kept, dtype=np.complex128)
    true, hidden = _confirmed(stiffness.system, values, SLOW * radius)
    values, columns = values[true], np.array(vectors, dtype=np.complex128).reshape(len(kept), pencil.size)[true].T
    pairs = int(((values.imag > 0) & region.inside(values.conj())).sum())
    listed = len(values) + pairs + roots
    values, columns = np.concatenate([np.zeros(rigid), values]), np.hstack([null, columns])
    rest = np.concatenate([np.zeros(rigid), np.array(residuals)[true]])
    order = np.argsort(np.abs(values - centre), kind="stable")
    untold = np.concatenate([np.zeros(rigid, bool), hidden[true]])[order]
    return _Searched(
        region, counted, values[order], columns[:, order], rest[order], untold, pencil, listed, (rigid, roots)
    )


def _split(s: Complex, roots: int, radius: float) -> float:
    """As far as rounding may have split so many roots at zero: slow ones among them are not told apart from these."""
    return min(_SPLIT * float(np.sort(np.abs(s))[:roots].max(initial=0.0)), _REACH * radius)


def _room(s: Complex, k: np.intp) -> float:
    """How far the next root is."""
    return float(np.delete(np.abs(s - s[k]), k).min(initial=abs(s[k])))


def _confirmed(system: LinearSystem, s: Complex, slow: float) -> tuple[Flags, Flags]:
    """Whether D, with a joint inside each line, is singular there too: by the Newton step it asks for.

    Also which of them rounding of the stiffest members hides in D; below `slow`, where a pencil has no roots that its
    system has not, these are taken for true, and the count decides.
    """
    none = np.zeros(len(s), bool)
    if not len(s):
        return none, none
    stiffness = DynamicStiffness(split(system))
    if not stiffness.n:
        return ~none, none
    step = 1e-5
    points = np.concatenate([s, s * (1 + step), s * (1 - step)])
    unit = 1 / np.sqrt(stiffness.sizes(s * s).T)
    D = stiffness(points, points**2)[0].reshape(3, len(s), stiffness.n, stiffness.n)
    D, up, down = D * unit[:, :, None] * unit[:, None, :]
    left, _, right = np.linalg.svd(D)
    u, v = left[:, :, -1].conj(), right[:, -1].conj()
    value = np.einsum("pi,pij,pj->p", u, D, v)
    slope = np.einsum("pi,pij,pj->p", u, up - down, v) / (2 * step)
    with np.errstate(divide="ignore", invalid="ignore"):
        rounding = 4 * stiffness.n * _EPS / np.abs(slope)
        hidden = np.asarray((rounding > _HIDDEN) & (np.abs(s) < slow))
        return np.asarray(np.abs(value / slope) < np.clip(rounding, _SAME, _HIDDEN)) | hidden, hidden


def accumulation(system: LinearSystem) -> list[complex]:
    """Where roots accumulate: s at which the highest derivatives of a line lose their stiffness somewhere along it."""
    found: list[complex] = []
    for line in system.lines:
        found += _vanishing(line)
    return list(dict.fromkeys(complex(round(one.real, 12), round(one.imag, 12)) for one in found))


def _vanishing(line: Line) -> list[complex]:
    places = [line.slots.index((i, order)) for i, order in enumerate(line.orders) if (i, order) in line.slots]
    x = np.linspace(line.start, line.end, 1 if not line.varying else 33)
    A = np.zeros((3, len(x), len(places), len(places)))
    for (power, i, j), c in line.coefficients(x).items():
        if i in places and j in places:
            A[power, :, places.index(i), places.index(j)] = c
    found: list[complex] = []
    if np.any(A[1]) or np.any(A[2]):
        n = len(places)
        for k in range(len(x)):
            top = np.hstack([-A[1, k], -A[0, k]])
            left = np.block([[A[2, k], np.zeros((n, n))], [np.zeros((n, n)), np.eye(n)]])
            s = scipy.linalg.eigvals(np.vstack([top, np.eye(n, 2 * n)]), left)
            found += [complex(one) for one in s if np.isfinite(one)]
    return found


def _guess(stiffness: DynamicStiffness, count: int) -> float:
    """Some |s| that holds about as many eigenvalues as are asked for: counted without damping."""
    size = scale_of(stiffness)
    if not stiffness.lines:
        return 2 * float(np.sqrt(size))
    sizes: Array = size * 1.6 ** np.arange(-40.0, 1.0)
    for some in np.array_split(sizes, 5):  # from below: soft members take many stretches at what is high for stiff ones
        J = stiffness.count(some)
        if J[-1] > count:
            return 1.02 * float(np.sqrt(some[np.searchsorted(J, count, side="right")]))
    for _ in range(60):
        size *= 1.6
        if stiffness.count(np.array([size]))[0] > count:
            break
    return 1.02 * float(np.sqrt(size))


def _degree(stiffness: DynamicStiffness) -> int:
    """How many roots a system without lines has: those at infinity are zeros of M + s C + s^2 K, counted by rank."""
    K, C, M = stiffness.rigid
    n = len(K)
    unit = float(np.sqrt(scale_of(stiffness)))
    return 2 * n - zero_roots(M, C, K, null_space(M, n), 1 / unit) if n else 0


def _finished(found: _Searched, count: int, near: bool, points: list[complex]) -> Damped:
    s, region = found.s[:count], found.region
    where = f"around s = {region.centre:.6g}" if near else "around s = 0"
    agrees = found.counted == found.listed
    right = f" to the right of Re s = {region.left:.3g}" if region.cut else ""
    how = "each confirmed by the dynamic stiffness; " if len(s) else ""
    how += (
        f"the circle of radius {region.radius:.6g} {where} holds"
        f" {found.counted} roots{right} by the argument principle, {found.listed} by this list"
    )
    if not agrees:
        how += " (they differ)"
    untold = ", ".join(f"{one:.6g}" for one in s[found.untold[:count]])
    if untold:
        how += f"; the count alone confirms s = {untold}, hidden in the dynamic stiffness by rounding of stiff members"
    if region.cut:
        how += (
            "; further to the left the digits of the numbers given tell no roots: something absorbs what a line sends"
            " to it (a damper that matches its impedance)"
        )
    if len(s) < count:
        how += _fewer(count, points)
    residual = float(found.residuals[: len(s)].max(initial=0.0))
    unstable = found.s[found.s.real > 1e-11 * np.abs(found.s)]
    vectors = found.vectors[:, :count]
    return Damped(s, vectors, found.pencil, residual, found.listed, found.counted, agrees, how, unstable, found.zeros)


def _fewer(count: int, points: list[complex]) -> str:
    """Why fewer than were asked for are returned."""
    if not points:
        return f"; fewer than {count} are returned, because the circle holds no others"
    names = ", ".join(f"{one.real:.6g}" if one.imag == 0 else f"{one:.6g}" for one in points[:3])
    return (
        f"; fewer than {count} are returned, because infinitely many roots accumulate at s = {names} (internal"
        f" damping): a neighbourhood of {1 - _EDGE:.1%} of the distance is excepted, and what lies beyond has no"
        " order by distance; ask for others with near=s0"
    )
