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
    if system.apart is None:
        return found
    image, noise = found.image + system.apart @ q, found.noise + _APART * _products(system.apart, q)
    return replace(found, image=np.asarray(image), noise=noise)


def without_rounding(A: Any, q: Array, rounding: float = 0.0) -> Soft:
    """Motions and their image under a positive semidefinite A: zero where A leaves them free but for rounding."""
    image, noise = A @ q, max(ROUNDING, rounding) * _products(A, q)
    energy = (q.T @ image + image.T @ q) / 2
    found = decided(energy, noise)
    free, stiff = found.free, found.stiff
    doubt, hidden = 1 / _in_noise(energy, noise, stiff), _in_noise(energy, noise, free)
    if free.shape[1]:
        back = np.linalg.inv(np.column_stack([free, stiff]))[free.shape[1] :]
        image, kept = (image @ stiff) @ back, stiff @ back  # of every motion only the part that is not free
        noise = np.abs(kept).T @ noise @ np.abs(kept)
    return Soft(q, image, noise, float(doubt.max(initial=0.0)), float(hidden.max(initial=0.0)))


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
    r = len(form)
    own = np.diagonal(noise)
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


def _products(K: Any, q: Array) -> Array:
    """|q|'|K||q|."""
    return np.asarray(np.abs(q).T @ (abs(K) @ np.abs(q)))
