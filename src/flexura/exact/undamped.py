"""Undamped modes: roots by the count, the last digits where D cannot give them, and a certificate of the count."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexura.exact.dynamic_stiffness import DynamicStiffness
from flexura.exact.lines import Array, LinearSystem, split
from flexura.exact.pencil import Pencil, eigenspace, pencil_at
from flexura.exact.roots import Roots, search_roots

_CLOSE = 1e-5  # roots closer than this are polished as a group
_ZERO = 1e-14  # of the first elastic omega^2
_SPLITS = (0.4142135623, 0.3719, 0.4583)


@dataclass(frozen=True)
class Count:
    """What the count said: `below` modes under `omega_low`, `upto` under `omega_high`, beside the last frequency."""

    below: int
    upto: int
    omega_low: float
    omega_high: float
    negative: int
    total: int | None
    agrees: bool


@dataclass(frozen=True)
class Undamped:
    """Eigenvalues omega^2, ascending, exact zeros where the system moves freely; `count` certifies them."""

    eigenvalues: Array
    stiffness: DynamicStiffness
    count: Count

    def group(self, k: int) -> tuple[int, int]:
        """The first and the last index (exclusive) of the eigenvalues that are close to the k-th."""
        groups = _groups(self.eigenvalues, self.reference)
        return next((a, b) for a, b in groups if a <= k < b)

    @property
    def reference(self) -> float:
        """The size of omega^2 that elastic modes have."""
        elastic = np.abs(self.eigenvalues[self.eigenvalues != 0])
        return float(elastic.min()) if len(elastic) else 1.0

    def vectors(self, k: int) -> tuple[Pencil, Array]:
        """The shapes of the k-th eigenvalue's whole group, with unit modal mass."""
        a, b = self.group(k)
        pencil, _, X = _vectors(self.stiffness, self.eigenvalues[a:b], self.reference)
        return pencil, X


def solve_undamped(system: LinearSystem, count: int) -> Undamped:
    """All negative omega^2 and the first `count` of the others (fewer if there are fewer)."""
    plain = DynamicStiffness(system)
    divided = [DynamicStiffness(split(system, at)) for at in _SPLITS]
    roots = _enough(divided[0], count)
    found = roots.eigenvalues.copy()
    reference = _reference(found)
    groups = _groups(found, reference)
    for (a, b), doubtful in zip(groups, _doubtful(divided[0], found, groups, reference), strict=True):
        if doubtful:
            found[a:b] = _polished(plain, divided, found, a, b, reference)
    reference = _reference(found)
    found[np.abs(found) <= _ZERO * reference] = 0.0
    negative = int((found < 0).sum())
    found = np.sort(found)[: count + negative]
    return Undamped(found, plain, _certify(divided[1], found, roots, reference))


def _enough(stiffness: DynamicStiffness, count: int) -> Roots:
    """One root more than is asked for, and at least one that is not zero."""
    more = count + 1
    while True:
        roots = search_roots(stiffness, more)
        found = np.abs(roots.eigenvalues)
        done = roots.total is not None and len(found) >= roots.total
        if done or not len(found) or (found.max() > 0 and _reference(found) < np.inf and _elastic(roots)):
            return roots
        more = 2 * more + 4


def _elastic(roots: Roots) -> bool:
    return bool((np.abs(roots.eigenvalues) > 1e-9 * roots.scale).any())


def _reference(found: Array) -> float:
    """The first elastic omega^2: the smallest that is not dwarfed by the next."""
    sizes = np.sort(np.abs(found))
    for i in range(len(sizes) - 1, 0, -1):
        if sizes[i - 1] <= 1e-9 * sizes[i]:
            return float(sizes[i])
    return float(sizes[0]) if len(sizes) and sizes[0] > 0 else 1.0


def _groups(found: Array, reference: float) -> list[tuple[int, int]]:
    edges = [0]
    for i in range(1, len(found)):
        near = found[i] - found[i - 1] <= _CLOSE * max(abs(found[i]), abs(found[i - 1]))
        if not near and max(abs(found[i]), abs(found[i - 1])) > 1e-8 * reference:
            edges.append(i)
    return list(zip(edges, [*edges[1:], len(found)], strict=True)) if len(found) else []


def _doubtful(stiffness: DynamicStiffness, found: Array, groups: list[tuple[int, int]], reference: float) -> list[bool]:
    """Whether rounding in D may have cost digits of a group: close to zero, to a pole, or on a flat crossing."""
    middle = np.array([found[a:b].mean() for a, b in groups])
    apart = np.array([max(1e-6 * abs(m), float(np.ptp(found[a:b]))) for m, (a, b) in zip(middle, groups, strict=True)])
    if not groups:
        return []
    sizes, J0 = stiffness.pivots(np.concatenate([middle - apart, middle + apart]))
    low, high = np.split(np.arange(2 * len(groups)), 2)
    verdicts = []
    for i, (a, b) in enumerate(groups):
        which = np.arange(a, b) - J0[low[i]]
        outside = which.min() < 0 or which.max() >= sizes.shape[1]
        if abs(middle[i]) < 1e-8 * reference or J0[low[i]] != J0[high[i]] or outside:
            verdicts.append(True)
            continue
        slope = (sizes[low[i], which] - sizes[high[i], which]).min() / (2 * apart[i] / abs(middle[i]))
        noise = 2e-16 * max(1.0, np.abs(sizes[low[i]]).max())
        verdicts.append(bool(slope <= 0 or noise > 1e-13 * slope))
    return verdicts


def _polished(
    plain: DynamicStiffness, divided: list[DynamicStiffness], found: Array, a: int, b: int, reference: float
) -> Array:
    if abs(found[a:b]).max() <= 1e-8 * reference or pencil_at(plain, float(np.abs(found[a:b]).max())).dense:
        return _vectors(plain, found[a:b], reference)[1]
    for other in divided[1:]:  # too fine for a pencil: a joint at another place moves the poles away
        if not _doubtful(other, found, [(a, b)], reference)[0]:
            return search_roots(other, b - a, within=(a, found[a:b])).eigenvalues
    return found[a:b]


def _vectors(stiffness: DynamicStiffness, group: Array, reference: float) -> tuple[Pencil, Array, Array]:
    size = float(np.abs(group).max())
    zero = size <= 1e-8 * reference
    pencil = pencil_at(stiffness, reference if zero else size)
    eigenvalues, X = eigenspace(
        pencil, np.zeros(len(group)) if zero else group, (-1e-3 * reference if zero else 3e-6 * size)
    )
    return pencil, eigenvalues, X


def _certify(stiffness: DynamicStiffness, found: Array, roots: Roots, reference: float) -> Count:
    """Count just beside the last group, with lines cut elsewhere than in the search."""
    if not len(found):
        return Count(0, 0, 0.0, 0.0, 0, roots.total, True)
    groups = _groups(found, reference)
    edges = np.array([[_beside(found[a], -1, reference), _beside(found[b - 1], 1, reference)] for a, b in groups])
    J = stiffness.count(edges.ravel()).reshape(-1, 2)
    whole = J[:-1] if len(J) > 1 else J[:0]
    expected = np.array(groups)[: len(whole)]
    agrees = bool(np.array_equal(whole, expected) and J[-1, 0] == groups[-1][0] and J[-1, 1] >= groups[-1][1])
    low, high = (np.sign(x) * np.sqrt(abs(x)) for x in edges[-1])
    negative = int((found < 0).sum())
    return Count(int(J[-1, 0]), int(J[-1, 1]), float(low), float(high), negative, roots.total, agrees)


def _beside(value: float, side: int, reference: float) -> float:
    return value + side * (1e-7 * abs(value) if value else 1e-8 * reference)
