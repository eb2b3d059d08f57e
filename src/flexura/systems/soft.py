"""Motions that are soft beside the structure, and which of them are free: decided in energy, against rounding.

A motion q is soft where K q is small beside |K||q|: a free body, or one on soft mounts. Whether it is free does not
depend on how small: q'Kq is compared with what the rounding of K can make of it, eps sum |K_ij||q_i||q_j|. Stiffness
that was given apart from K (`springs`) is judged by its own rounding, so it survives beside any structure.

>>> soft = soft_motions(system, q)
>>> soft.image, soft.noise              # K q, and what rounding can make of q'Kq
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[np.float64]

ROUNDING = 16 * float(np.finfo(np.float64).eps)
"""The relative error of an entry of K: a few roundings while it is integrated and summed."""
_APART = 1e-12  # what is given apart may come out of a solution, as the forces that stiffen a turning frame do


@dataclass(frozen=True)
class Soft:
    """Motions `q` (n, r), their `image` K q without the rounding of what is free in K, and the `noise` in q'Kq (r, r).

    `doubt` is what rounding can change of the stiffness of those that K itself (not springs given apart) holds softly,
    relative to it, and `hidden` the stiffness of those taken for free, relative to what rounding can make; 0 where
    there are none.
    """

    q: Array
    image: Array
    noise: Array
    doubt: float = 0.0
    hidden: float = 0.0

    @property
    def count(self) -> int:
        """How many there are."""
        return int(self.q.shape[1])


def soft_motions(system: SecondOrderSystem, q: Array) -> Soft:
    """The motions with their image under K: exactly zero where the bare K leaves them free but for rounding."""
    found = without_rounding(system.bare, q, system.rounding)
    return found if system.apart is None else _beside(found, system.apart)


def free_first(system: SecondOrderSystem, q: Array) -> tuple[Soft, Array]:
    """The same of motions turned by T (r, r), q T, so that those which the bare K leaves free come first; and T.

    Nothing that rounding made of them is left then, beside which others are held only a little.
    """
    known = _Energies.of(system.bare, q, system.rounding)
    free, stiff = known.found.free, known.found.stiff
    if not (free.shape[1] and stiff.shape[1]):
        return soft_motions(system, q), np.eye(q.shape[1])
    turn, first = np.column_stack([free, stiff]), np.arange(q.shape[1]) < free.shape[1]
    turned, image, noise = q @ turn, known.image @ turn, np.abs(turn).T @ known.noise @ np.abs(turn)
    image[:, first], noise[first], noise[:, first] = 0.0, 0.0, 0.0
    soft = Soft(turned, known.workless(image), noise, *known.doubts)
    return soft if system.apart is None else _beside(soft, system.apart), turn


def without_rounding(A: Any, q: Array, rounding: float = 0.0) -> Soft:
    """Motions and their image under a positive semidefinite A: zero where A leaves them free but for rounding."""
    known = _Energies.of(A, q, rounding)
    free, stiff = known.found.free, known.found.stiff
    image, noise = known.image, known.noise
    if free.shape[1]:
        back = np.linalg.inv(np.column_stack([free, stiff]))[free.shape[1] :]
        image, kept = known.workless((image @ stiff) @ back), stiff @ back  # of each motion what is not free
        noise = np.abs(kept).T @ noise @ np.abs(kept)
    return Soft(q, image, noise, *known.doubts)


def _beside(soft: Soft, springs: Any) -> Soft:
    """The same with stiffness that was given apart."""
    image, noise = soft.image + springs @ soft.q, soft.noise + _APART * _products(springs, soft.q)
    return replace(soft, image=np.asarray(image), noise=noise)


@dataclass(frozen=True)
class _Energies:
    """Motions under a positive semidefinite A: their image, the noise in their energies, and which are free.

    `sizes` is what meets in each row of the image, in units of the motions' largest value.
    """

    q: Array
    image: Array
    energy: Array
    noise: Array
    sizes: Array
    found: Decided

    @classmethod
    def of(cls, A: Any, q: Array, rounding: float) -> _Energies:
        image, met = A @ q, abs(A) @ np.abs(q)
        energy, noise = (q.T @ image + image.T @ q) / 2, max(ROUNDING, rounding) * (np.abs(q).T @ met)
        largest = np.abs(q).max(axis=0, initial=0.0)
        sizes = (met / np.where(largest > 0, largest, 1.0)).sum(axis=1)
        return cls(q, np.asarray(image), energy, noise, sizes, decided(energy, noise))

    @property
    def doubts(self) -> tuple[float, float]:
        """`Soft.doubt` and `Soft.hidden`."""
        held, free = (_in_noise(self.energy, self.noise, one) for one in (self.found.stiff, self.found.free))
        return float((1 / held).max(initial=0.0)), float(free.max(initial=0.0))

    def workless(self, image: Array) -> Array:
        """Forces that do no work on what is free, each changed only as far as what meets in its row rounds.

        A does none on Ker A. What rounding leaves of it would count beside motions that are held a little.
        """
        free = self.q @ self.found.free
        free = free / np.abs(free).max(axis=0)
        pushed = self.sizes[:, None] * free
        return np.asarray(image - pushed @ np.linalg.pinv(free.T @ pushed, hermitian=True) @ (free.T @ image))


def _in_noise(energy: Array, noise: Array, motions: Array) -> Array:
    """The energy of each of some motions in units of what rounding can make of it."""
    size = np.diagonal(np.abs(motions).T @ noise @ np.abs(motions))
    return np.asarray(np.abs(np.diagonal(motions.T @ energy @ motions)) / np.where(size > 0, size, np.inf))


@dataclass(frozen=True)
class Decided:
    """Combinations of motions: `free` (r, k) and `left` (r, k), the kernels of a form and of its transpose, the others
    `stiff` (r, r - k), and the form's `inverse` on those (r, r).
    """

    free: Array
    left: Array
    stiff: Array
    inverse: Array


def decided(form: Any, noise: Array) -> Decided:
    """Which combinations a form (r, r) of motions leaves free but for noise.

    In units of the noise of each motion, what rounding makes of the form has no entry above 1, so no singular value
    above r.
    """
    own, r = np.diagonal(noise), len(form)
    exact = (own == 0) & (np.diagonal(form) == 0)
    if exact.any() and not exact.all():
        return _beside_exact(form, noise, exact)
    unit = 1 / np.sqrt(np.where(own > 0, own, 1.0))
    scaled = form * unit[:, None] * unit
    if not np.any(np.abs(scaled) > 1.0):
        return Decided(np.eye(r), np.eye(r), np.zeros((r, 0)), np.zeros((r, r)))
    columns, sizes, rows = np.linalg.svd(scaled)
    held = sizes > r
    if held.all():
        return Decided(np.zeros((r, 0)), np.zeros((r, 0)), np.eye(r), np.linalg.inv(scaled) * unit[:, None] * unit)
    right, left = rows.conj().T * unit[:, None], columns * unit[:, None]
    right, left = (one / np.abs(one).max(axis=0, initial=0.0) for one in (right, left))
    turned = (rows.conj().T[:, held] / sizes[held]) @ columns.conj().T[held]
    return Decided(right[:, ~held], left[:, ~held], right[:, held], turned * unit[:, None] * unit)


def _beside_exact(form: Any, noise: Array, exact: NDArray[np.bool_]) -> Decided:
    """Where some motions are free without any noise: what else is, decided among the others alone."""
    units, others = np.eye(len(form)), ~exact
    found, wide = decided(form[np.ix_(others, others)], noise[np.ix_(others, others)]), units[:, others]
    free, left = (np.column_stack([units[:, exact], wide @ one]) for one in (found.free, found.left))
    return Decided(free, left, wide @ found.stiff, wide @ found.inverse @ wide.T)


def _products(K: Any, q: Array) -> Array:
    """|q|'|K||q|."""
    return np.asarray(np.abs(q).T @ (abs(K) @ np.abs(q)))
