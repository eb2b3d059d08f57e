"""The inertia of whatever moves with a frame, as integrals over shape functions ([E] Theorem 1, theory.md section 4).

`Lumps` are places with mass and section inertia: the Gauss points of elements, or rigid bodies on nodes. Both give the
same integrals, so each formula is here once. What a frame's motion does is a sum over twelve cases, the products of
omega's components, then epsilon's, then a0's; `coefficients` weighs them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexura.structures.moving.body import Instant, tilde

Array = NDArray[np.float64]

PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Cases 0..5 are the products omega_i omega_j, 6..8 epsilon, 9..11 a0."""

UNIT = np.eye(3)


def _turning(a: int, b: int) -> Array:
    """The part of omega~ omega~ = omega omega' - |omega|^2 I that goes with omega_a omega_b."""
    outer = np.outer(UNIT[a], UNIT[b])
    return outer - UNIT if a == b else outer + outer.T


FIELDS = np.stack([*(_turning(a, b) for a, b in PAIRS), *(tilde(e) for e in UNIT), *np.zeros((3, 3, 3))])
"""The acceleration field of each case is FIELDS[case] r + SHIFTS[case]."""
SHIFTS = np.vstack([np.zeros((9, 3)), UNIT])


def coefficients(instant: Instant) -> Array:
    """The weights (12,) of the cases."""
    w = instant.omega
    return np.concatenate([[w[a] * w[b] for a, b in PAIRS], instant.epsilon, instant.a0])


@dataclass(frozen=True)
class Lumps:
    """Places (groups, points) with mass and inertia, moved by k motions of their group.

    `translation` and `rotation` (groups, points, 3, k) are N_t and N_r, `mass` (groups, points) is rhoA dx, `inertia`
    (groups, points, 3, 3) is rho J dx, `position` (groups, points, 3) is r; all in the frame's axes.
    """

    translation: Array
    rotation: Array
    mass: Array
    inertia: Array
    position: Array

    def _sum(self, of_translation: Array | None, of_rotation: Array | None) -> Array:
        """int N_t' X N_t + N_r' Y N_r, with X N_t and Y N_r given."""
        total: Array | None = None
        for shapes, product in ((self.translation, of_translation), (self.rotation, of_rotation)):
            if product is None:
                continue
            groups, points, _, k = shapes.shape
            left = shapes.reshape(groups, 3 * points, k).transpose(0, 2, 1)
            part = left @ product.reshape(groups, 3 * points, k)
            total = part if total is None else total + part
        assert total is not None
        return total

    def _moved(self, field: Array) -> Array:
        return np.asarray((self.mass[..., None, None] * field) @ self.translation)

    def M(self) -> Array:
        """int rhoA N_t'N_t + rho N_r' J N_r."""
        return self._sum(self.mass[..., None, None] * self.translation, self.inertia @ self.rotation)

    def C(self, omega: Array) -> Array:
        """int rhoA N_t' omega~ N_t; with epsilon for omega it is K_eps."""
        return self._sum(self._moved(tilde(omega)), None)

    def K_omega2(self, case: int) -> Array:
        """The part of int rhoA N_t' omega~ omega~ N_t that goes with a product of omega's components."""
        return self._sum(self._moved(FIELDS[case]), None)

    def G_s(self, omega: Array) -> Array:
        """int rho N_r' [omega~ J + J omega~ - (J omega)~] N_r."""
        w, J = tilde(omega), self.inertia
        return self._sum(None, (w @ J + J @ w - tilde(J @ omega)) @ self.rotation)

    def K_s_omega(self, case: int) -> Array:
        """The part of int rho N_r' [omega~ J omega~ - (h omega' + omega h')/2 + (h.omega) I] N_r, h = J omega."""
        a, b = PAIRS[case]
        tensor = self._spin(UNIT[a], UNIT[b])
        return self._sum(None, (tensor if a == b else tensor + self._spin(UNIT[b], UNIT[a])) @ self.rotation)

    def _spin(self, a: Array, b: Array) -> Array:
        """The bilinear form of K_s, one omega being a, the other b."""
        J = self.inertia
        h = J @ a
        outer = h[..., :, None] * b
        dot = (h @ b)[..., None, None]
        return np.asarray(tilde(a) @ J @ tilde(b) - (outer + np.swapaxes(outer, -1, -2)) / 2 + dot * UNIT)

    def K_s_epsilon(self, epsilon: Array) -> Array:
        """The symmetric part of int rho N_r' [J eps~ - (J eps)~/2] N_r; the skew part is G_s(eps)/2."""
        J, e = self.inertia, tilde(epsilon)
        return self._sum(None, (J @ e - e @ J) / 2 @ self.rotation)

    def acceleration(self) -> Array:
        """The frame's acceleration (cases, groups, points, 3) at the places."""
        return np.asarray(np.einsum("cij,gpj->cgpi", FIELDS, self.position) + SHIFTS[:, None, None, :])

    def load(self, acceleration: Array) -> Array:
        """int rhoA N_t' a: (cases, groups, k), for accelerations (cases, groups, points, 3)."""
        return np.asarray(np.einsum("gp,gpik,cgpi->cgk", self.mass, self.translation, acceleration, optimize=True))

    def section_load(self, consistent: bool) -> Iterator[tuple[int, Array]]:
        """int rho N_r' (J eps + omega~ J omega) by case, (groups, k) each; without the second term in the paper."""
        if consistent:
            for case, (a, b) in enumerate(PAIRS):
                torque = np.cross(UNIT[a], self.inertia @ UNIT[b])
                torque = torque if a == b else torque + np.cross(UNIT[b], self.inertia @ UNIT[a])
                yield case, np.einsum("gpik,gpi->gk", self.rotation, torque)
        for k in range(3):
            yield 6 + k, np.einsum("gpik,gpi->gk", self.rotation, self.inertia @ UNIT[k])
