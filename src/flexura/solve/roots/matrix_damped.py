"""Damped, gyroscopic and circulatory modes of matrices: eigenvalues s of s^2 M + s (D + G) + K + H.

Roots at zero are found first, by rank: the kernel of the whole K with its chains of drifts (`operating.chains`). They
are taken out, and what remains is solved from a shift (`shift_invert`), all roots of small systems, the nearest of
large ones. Where residuals of small systems do not hold, the plain pencil is asked too (`plain_roots`), and the better
answer given. Structural damping adds i S to K; roots are then those with Im s >= 0.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.roots.found import Modes, ModesCertificate
from flexura.solve.roots.matrix_modes import shapes_of
from flexura.solve.roots.plain_roots import plain_roots
from flexura.solve.roots.shift_invert import Shifted, all_roots, groups, slow_again, some_roots
from flexura.structures.operating.chains import zero_roots
from flexura.structures.operating.dynamic import SplitPencil
from flexura.structures.operating.elastic import elastic_modes
from flexura.structures.operating.inverse import mass_metric_inverse
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[Any]
_DENSE = 500
_REAL = 1e-9
_SHIFT = 0.4321  # of the lowest elastic frequency: beside no root that a rule would give
_SOUND = 1e-8
_NEAR = 0.3  # of the distance to the next root: a correction that stays with its own
_FULL = 1e-9  # a defect that steps hardly improve: solutions on fine meshes are known to that


@dataclass(frozen=True)
class _DampedAnswer:
    """Roots and shapes by ascending distance, and how far each is from a mode (`Shifted.defects`)."""

    s: Array
    X: Array
    defects: Array

    @property
    def residual(self) -> float:
        """The largest defect; infinite where one is not a number."""
        return float(np.nan_to_num(self.defects, nan=np.inf).max(initial=0.0))


def damped_modes(system: SecondOrderSystem, count: int, near: complex | None) -> Modes:
    """One of each conjugate pair and every real root, by ascending |s|, or by distance from `near`."""
    pencil = SplitPencil.of(system)
    zeros = zero_roots(pencil)
    operator = Shifted(pencil, zeros, _shift(system, near))
    s, X = _found(operator, count, near or 0)
    s, X = np.concatenate([np.zeros(zeros.kernel.shape[1]), s]), np.column_stack([zeros.kernel.astype(complex), X])
    answer = _first(operator, s, X, count, near or 0)
    if operator.n <= _DENSE and answer.residual >= _SOUND:
        plain = _first(operator, *_plain(operator, count, near or 0), count, near or 0)
        if len(plain.s) >= len(answer.s) and plain.residual < answer.residual**2:  # an error of sqrt: of double roots
            return Modes(plain.s, _second_opinion(operator, plain, answer.residual), shapes_of(system, plain.X))
    return Modes(answer.s, _certificate(operator, answer, count), shapes_of(system, answer.X))


def _first(operator: Shifted, s: Array, X: Array, count: int, centre: complex) -> _DampedAnswer:
    """The first of some roots, with their defects."""
    order = _order(s, centre)[:count]
    s, X = s[order], X[:, order]
    return _DampedAnswer(s, X, operator.defects(s, X))


def _plain(operator: Shifted, count: int, centre: complex) -> tuple[Array, Array]:
    """The first roots of the plain pencil, each improved alone."""
    s, X = plain_roots(operator.pencil)
    keep = s.imag >= -_REAL * np.abs(s)
    s, X = s[keep], X[:, keep]
    order = np.argsort(np.abs(s - centre), kind="stable")[: count + 6]
    s, X = s[order], X[:, order]
    for k in np.flatnonzero(operator.defects(s, X) > _FULL).tolist():
        root, shape = _polished(operator, s[k], X[:, k])
        if abs(root - s[k]) <= _NEAR * np.delete(np.abs(s - s[k]), k).min(initial=np.inf):
            s[k], X[:, k] = root, shape  # a step that leads to another root would list that one twice
    return _real(s), X


def _order(s: Array, centre: complex) -> list[int]:
    """By distance from the centre; of roots that are equally far, as -a and a, the one to the left first."""
    order = np.argsort(np.abs(s - centre), kind="stable").tolist()
    far = np.abs(s - centre)[order]
    level = np.cumsum(np.r_[0, np.diff(far) > 1e-9 * far[1:]]) if len(far) else far
    return [k for _, _, k in sorted(zip(level, s[order].real.round(9), order, strict=True))]


def _shift(system: SecondOrderSystem, near: complex | None) -> complex:
    """Small systems are solved whole, from a real shift; of large ones the roots about `near` are found."""
    return _SHIFT * _lowest(system) if near is None or near == 0 or system.n <= _DENSE else near * (1 + 1e-7)


def _found(operator: Shifted, count: int, centre: complex) -> tuple[Array, Array]:
    """The first roots that are not zero, each to its last digits, and a few more."""
    several = 2 * (count + 3 + operator.pencil.q.shape[1])
    s, X = all_roots(operator) if operator.n <= _DENSE else some_roots(operator, several)
    s, X = slow_again(operator, s.astype(complex), X.astype(complex))
    keep = s.imag >= -_REAL * np.abs(s)
    s, X = s[keep], X[:, keep]
    order = np.argsort(np.abs(s - centre), kind="stable")[: count + 6]
    s, X = s[order], X[:, order] / np.linalg.norm(X[:, order], axis=0)
    alone = set(range(len(s)))
    for group in groups(operator.pencil, operator.zeros, s):
        s[group.places], X[:, group.places] = group.roots, group.shapes
        alone -= set(group.places)
    for k in alone & set(np.flatnonzero(operator.defects(s, X) > _FULL).tolist()):
        s[k], X[:, k] = _polished(operator, s[k], X[:, k])
    return _real(s), X


def _real(s: Array) -> Array:
    return np.where(np.abs(s.imag) <= _REAL * np.abs(s), s.real + 0j, s)


def _lowest(system: SecondOrderSystem) -> float:
    """The lowest frequency above those on soft mounts; of the bare K where springs make it indefinite; or 1."""
    plain = SecondOrderSystem(system.M, None, system.bare, nodes=system.nodes, dofs=system.dofs)
    for one in (system, plain):
        try:
            inverse = mass_metric_inverse(one)
        except FlexuraError:
            continue
        mounted = 0 if inverse.rigid.mounted is None else inverse.rigid.mounted.q.shape[1]
        squares, _ = elastic_modes(inverse, mounted + 1)
        return float(np.sqrt(squares[-1])) if len(squares) else 1.0
    return 1.0


def _polished(operator: Shifted, s: complex, x: Array) -> tuple[complex, Array]:
    """Newton's steps on T(s) x = 0 by inverse iteration, as long as the defect falls."""
    M, C = operator.pencil.system.M, operator.pencil.system.rates
    best = _defect(operator, s, x)
    for _ in range(4):
        slope = 2 * s * (M @ x) + (0 if C is None else C @ x)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # T is singular at a root: that is what is wanted
                step = operator.pencil.at(s).solve(slope, refinements=0)
        except (FlexuraError, np.linalg.LinAlgError):
            break
        size = np.vdot(x, step) / np.vdot(x, x)
        if not np.all(np.isfinite(step)) or size == 0:
            break
        root, tried = s - 1 / size, step / np.linalg.norm(step)
        left = _defect(operator, root, tried)
        if not left < best:
            break
        s, x, best = root, tried, left
    return s, x


def _defect(operator: Shifted, s: complex, x: Array) -> float:
    return float(operator.defects(np.array([s]), x[:, None])[0])


def _second_opinion(operator: Shifted, found: _DampedAnswer, other: float) -> ModesCertificate:
    """Of the plain pencil: never verified, because a root that is zero, or multiple, is split there by rounding."""
    how = "all roots of the plain pencil of twice the size (QZ)"
    text = (
        f"{len(found.s)} eigenvalues, {how}; largest residual {found.residual:.1e}, where roots from a shift have"
        f" {other:.1e}. Not certified: rounding splits roots at zero and other multiple ones here."
    )
    unstable, words = _growing(operator, found.s)
    return ModesCertificate(False, len(found.s), len(found.s), how, unstable, found.residual, text + words)


def _growing(operator: Shifted, s: Array) -> tuple[int, str]:
    """How many roots grow, in words too."""
    unstable = int((s.real > _REAL * np.abs(s)).sum())
    if unstable and operator.pencil.system.conservative:
        return unstable, f" UNSTABLE: {unstable} modes grow without oscillating (omega^2 < 0)."
    return unstable, f" UNSTABLE: {unstable} of them have a positive real part." if unstable else ""


def _certificate(operator: Shifted, found: _DampedAnswer, asked: int) -> ModesCertificate:
    s, residual = found.s, found.residual
    whole = operator.n <= _DENSE
    how = "all roots of the linear problem of twice the size" if whole else "Arnoldi around a shift, not counted"
    text = f"{len(s)} eigenvalues, {how}; largest residual {residual:.1e}."
    if not whole and len(s) < min(asked, operator.n):
        text += f" Of the {asked} asked for the others did not settle; ask for them with near=..."
    zeros = operator.zeros
    if zeros.multiplicity:
        text += (
            f" Zero is a root {zeros.multiplicity} times, in {zeros.kernel.shape[1]} entries: a motion with its drift"
            " is one entry."
        )
    unstable, words = _growing(operator, s)
    text += words
    return ModesCertificate(whole and residual < _SOUND, len(s), len(s), how, unstable, residual, text)
