"""All elements of a frame at once: shape functions in the frame's axes, stiffness, and where mass and slopes are.

Arrays run over elements first; nothing here loops over them. Long frames are taken in chunks to keep arrays in cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from flexura.structures.moving.body import tilde
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.inertia import Lumps
from flexura.structures.moving.shapes import Plane, Rule, bending_flexibility, gauss, inverse, plane, stretch

Array = NDArray[np.float64]

UNIFORM_POINTS, VARYING_POINTS = 4, 12
"""Four Gauss points integrate all polynomials of a uniform element exactly; a varying one is smooth, not polynomial."""
CHUNK = 2048


def _unit_rows() -> Array:
    """Which axis each deformation takes from (u1, theta1, u2, theta2): (24, 3)."""
    rows = np.zeros((6, 4, 3))
    for deformation, motion, axis, sign in (
        (0, 0, 0, -1), (0, 2, 0, 1), (1, 1, 0, -1), (1, 3, 0, 1), (2, 1, 2, -1), (2, 3, 2, 1),
        (3, 0, 1, 1), (3, 2, 1, -1), (4, 1, 1, 1), (4, 3, 1, -1), (5, 0, 2, 1), (5, 2, 2, -1),
    ):  # fmt: skip
        rows[deformation, motion, axis] = sign
    return rows.reshape(24, 3)


_ROWS = _unit_rows()


@dataclass(frozen=True)
class Flexibilities:
    """1/EA, 1/GJ, 1/EI and 1/kGA of both planes at the Gauss points, (elements, points); shear is 0 if left out."""

    axial: Array
    torsion: Array
    bending: tuple[Array, Array]
    shear: tuple[Array, Array]


@dataclass(frozen=True)
class Batch:
    """The elements `which` of a frame: their integrals come from here."""

    frame: BeamFrame
    which: slice

    @cached_property
    def rule(self) -> Rule:
        """The Gauss rule along the elements."""
        return gauss(VARYING_POINTS if self.frame.varies else UNIFORM_POINTS)

    @cached_property
    def lengths(self) -> Array:
        """The lengths of the elements."""
        return self.frame.lengths[self.which]

    @cached_property
    def axes(self) -> Array:
        """The axes (elements, 3, 3), one a row."""
        return self.frame.axes[self.which]

    def property(self, name: str) -> Array:
        """A section's property (elements, points) at the Gauss points, or (elements, 1) where nothing varies."""
        points = self.rule.points if self.frame.varies else np.array([0.5])
        return self.frame.properties(name, points)[self.which]

    @cached_property
    def flexibilities(self) -> Flexibilities:
        """What the section does under unit force, torque, moment and shear force."""
        shape = (len(self.lengths), len(self.rule.points))
        E, G, A = self.property("E"), self.property("G"), self.property("A")
        full = [
            np.broadcast_to(one, shape)
            for one in (1 / (E * A), 1 / (G * self.property("J")), 1 / (E * self.property("Iz")),
                        1 / (E * self.property("Iy")), 1 / (self.property("ky") * G * A),
                        1 / (self.property("kz") * G * A))
        ]  # fmt: skip
        shear = (full[4], full[5]) if self.frame.shear else (np.zeros(shape), np.zeros(shape))
        return Flexibilities(full[0], full[1], (full[2], full[3]), shear)

    @cached_property
    def axial_stiffness(self) -> Array:
        """1/int dx/EA."""
        return np.asarray(1 / (self.flexibilities.axial @ self.rule.weights * self.lengths))

    # -- stiffness ---------------------------------------------------------------------------------------------------

    @cached_property
    def stiffness(self) -> Array:
        """`K()`, kept."""
        return self.K()

    def K(self) -> Array:
        """Bending in two planes, axial and torsion: (elements, 12, 12), in the frame's axes ([E] eqs. 33, 35, 37)."""
        rows, stiffness = self.deformations, self.deformation_stiffness
        coupled = stiffness @ rows if stiffness.ndim == 3 else stiffness[..., None] * rows
        return np.asarray(rows.transpose(0, 2, 1) @ coupled)

    @cached_property
    def deformations(self) -> Array:
        """Six deformations as rows (elements, 6, 12) over the motions of the nodes.

        Stretch, twist, and for each plane the change of slope and v1 - v2 + L (slope1 + slope2)/2.
        """
        rows = (_ROWS @ self.axes).reshape(-1, 6, 12)
        half = self.lengths[:, None] / 2
        rows[:, 3, 3:6] = rows[:, 3, 9:12] = half * self.axes[:, 2]
        rows[:, 5, 3:6] = rows[:, 5, 9:12] = -half * self.axes[:, 1]
        return self._on_nodes(rows)

    @cached_property
    def deformation_stiffness(self) -> Array:
        """What the deformations cost: (elements, 6) in uniform sections, where none couples, else (elements, 6, 6)."""
        f, L = self.flexibilities, self.lengths
        if not self.frame.varies:
            first = [one[:, 0] for one in (f.axial, f.torsion, *f.bending, *f.shear)]
            bent = [one for k in (2, 3) for one in (L * first[k], L**3 * first[k] / 12 + L * first[k + 2])]
            return np.asarray(1 / np.stack([L * first[0], L * first[1], *bent], axis=1))
        F = [bending_flexibility(f.bending[k], f.shear[k], L, self.rule) for k in (0, 1)]
        stiffness = np.zeros((len(L), 6, 6))
        stiffness[:, 0, 0] = self.axial_stiffness
        stiffness[:, 1, 1] = 1 / (f.torsion @ self.rule.weights * L)
        stiffness[:, 2:4, 2:4], stiffness[:, 4:6, 4:6] = inverse(F[0]), inverse(F[1])
        return stiffness

    # -- shape functions ---------------------------------------------------------------------------------------------

    @cached_property
    def planes(self) -> tuple[Plane, Plane]:
        """Bending in x-y (v, gamma) and in x-z (w, -beta)."""
        f = self.flexibilities
        first = plane(f.bending[0], f.shear[0], self.lengths, self.rule)
        return first, plane(f.bending[1], f.shear[1], self.lengths, self.rule)

    def _dyads(self) -> tuple[Array, Array, Array, Array, Array]:
        e1, e2, e3 = (self.axes[:, None, k] for k in range(3))
        return _outer(e1, e1), _outer(e2, e2), _outer(e3, e3), _outer(e2, e3), _outer(e3, e2)

    @cached_property
    def translation(self) -> Array:
        """N_t (elements, points, 3, 12)."""
        xx, yy, zz, yz, zy = self._dyads()
        v, w = self.planes[0].deflection[..., None, None], self.planes[1].deflection[..., None, None]
        u = stretch(self.flexibilities.axial, self.rule)[..., None, None]
        blocks = []
        for k in (0, 1):
            blocks.append(u[:, :, k] * xx + v[:, :, 2 * k] * yy + w[:, :, 2 * k] * zz)
            blocks.append(v[:, :, 2 * k + 1] * yz - w[:, :, 2 * k + 1] * zy)
        return self._on_nodes(np.concatenate(blocks, axis=-1))

    @cached_property
    def rotation(self) -> Array:
        """N_r (elements, points, 3, 12): alpha, beta = -w_x and gamma = v_x without shear."""
        xx, yy, zz, yz, zy = self._dyads()
        v, w = self.planes[0].rotation[..., None, None], self.planes[1].rotation[..., None, None]
        a = stretch(self.flexibilities.torsion, self.rule)[..., None, None]
        blocks = []
        for k in (0, 1):
            blocks.append(v[:, :, 2 * k] * zy - w[:, :, 2 * k] * yz)
            blocks.append(a[:, :, k] * xx + v[:, :, 2 * k + 1] * zz + w[:, :, 2 * k + 1] * yy)
        return self._on_nodes(np.concatenate(blocks, axis=-1))

    @cached_property
    def slopes(self) -> Array:
        """v_x and w_x along the section's axes: (elements, points, 2, 12)."""
        e2, e3 = self.axes[:, None, 1], self.axes[:, None, 2]
        v, w = self.planes[0].slope[..., None], self.planes[1].slope[..., None]
        rows = np.zeros((*v.shape[:2], 2, 4, 3))
        for k in range(2):
            rows[:, :, 0, 2 * k], rows[:, :, 0, 2 * k + 1] = v[:, :, 2 * k] * e2, v[:, :, 2 * k + 1] * e3
            rows[:, :, 1, 2 * k], rows[:, :, 1, 2 * k + 1] = w[:, :, 2 * k] * e3, -w[:, :, 2 * k + 1] * e2
        return self._on_nodes(rows.reshape(*v.shape[:2], 2, 12))

    def _on_nodes(self, rows: Array) -> Array:
        """Rows (..., 12) over the motions of the ends, as rows over those of the nodes: an end is u + theta x arm."""
        arms = self.frame.arms[self.which]
        if not arms.any():
            return rows
        rows = rows.copy()
        lead = (slice(None), *([None] * (rows.ndim - 3)))
        for k in (0, 1):
            lever = -tilde(arms[:, k])[lead]
            rows[..., 6 * k + 3 : 6 * k + 6] += rows[..., 6 * k : 6 * k + 3] @ lever
        return rows

    # -- mass and geometric stiffness --------------------------------------------------------------------------------

    @cached_property
    def mass(self) -> Array:
        """rhoA dx at the Gauss points."""
        return np.asarray(self.property("rho") * self.property("A") * self.rule.weights * self.lengths[:, None])

    @cached_property
    def lumps(self) -> Lumps:
        """The Gauss points with their mass and section inertia; the polar moment is Iy + Iz."""
        Iy, Iz = self.property("Iy"), self.property("Iz")
        rho = self.property("rho") * self.rule.weights * self.lengths[:, None]
        moments = np.stack(np.broadcast_arrays((Iy + Iz) * rho, Iy * rho, Iz * rho), axis=-1)
        axes = self.axes[:, None]
        inertia = axes.transpose(0, 1, 3, 2) @ (moments[..., None] * axes)
        along = self.rule.points[:, None] * self.lengths[:, None, None] * self.axes[:, None, 0]
        position = self.frame.ends[self.which][:, None, 0] + along
        return Lumps(self.translation, self.rotation, self.mass, inertia, position)

    def K_G(self, force: Array) -> Array:
        """int P (v_x'v_x + w_x'w_x) dx for the axial force P (elements, points) at the Gauss points."""
        count, points = force.shape
        weight = force * self.rule.weights * self.lengths[:, None]
        left = self.slopes.reshape(count, 2 * points, 12).transpose(0, 2, 1)
        return np.asarray(left @ (weight[..., None, None] * self.slopes).reshape(count, 2 * points, 12))


def batches(frame: BeamFrame, size: int = CHUNK) -> Iterator[Batch]:
    """The frame's elements in chunks."""
    for start in range(0, max(len(frame.elements), 1), size):  # a rigid body has no elements, and one empty chunk
        yield Batch(frame, slice(start, min(start + size, len(frame.elements))))


def _outer(a: Array, b: Array) -> Array:
    return a[..., :, None] * b[..., None, :]
