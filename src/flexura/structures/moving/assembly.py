"""The constant integrals of a frame, each assembled once; any omega, epsilon and a0 is a sum of them (theory.md 4).

    M d'' + (D + G) d' + (K + H) d = q - sum of coefficient x load over the twelve cases
    G = 2 C(omega) + G_s(omega) = sum omega_k gyroscopic[k]              H = K_eps + skew part of K_s = G(epsilon)/2
    K = elastic + sum of coefficient x stiffening: K_omega2 + K_s (symmetric part) + K_G

>>> constants = Constants.of(frame)
>>> constants.stiffness(instant), constants.gyroscopic(instant.omega)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from scipy.linalg.blas import daxpy

from flexura.structures.moving.axial import arm_stiffness, end_forces, link_forces, static
from flexura.structures.moving.batch import Batch, batches
from flexura.structures.moving.body import Instant, tilde
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.inertia import UNIT, Lumps, coefficients
from flexura.structures.moving.pattern import Pattern
from flexura.structures.moving.rigid import rigid_motions

Array = NDArray[np.float64]
Cases = dict[int, Array]
"""Data of the pattern by case (0..11); a case that is zero is left out."""

_KNOWN: WeakKeyDictionary[BeamFrame, Constants] = WeakKeyDictionary()


@dataclass(frozen=True, eq=False)
class Constants:
    """Everything of a frame that does not depend on its motion, assembled when first asked for."""

    frame: BeamFrame
    pattern: Pattern = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pattern", Pattern(self.frame))

    @staticmethod
    def of(frame: BeamFrame) -> Constants:
        """The frame's constants, kept as long as the frame lives."""
        if frame not in _KNOWN:
            _KNOWN[frame] = Constants(frame)
        return _KNOWN[frame]

    @property
    def consistent(self) -> bool:
        """Whether the section's frame turns in the kinetic energy."""
        return self.frame.section_energy == "consistent"

    @cached_property
    def batches(self) -> tuple[Batch, ...]:
        """The elements in chunks, with their shape functions kept from one integral to the next."""
        return tuple(batches(self.frame))

    # -- sums over elements and bodies -------------------------------------------------------------------------------

    def summed(self, element: Callable[[Batch], Array] | None, body: Callable[[Lumps], Array] | None) -> Array:
        """Data of the pattern from a formula for elements and one for rigid bodies."""
        matrices = None if element is None else self._each(element)
        return self.pattern.data(matrices, self._on_nodes(body(self.bodies)) if body and self.frame.masses else None)

    def _each(self, formula: Callable[[Batch], Array]) -> Array:
        """A formula's matrices (elements, 12, 12) as blocks (elements, 2, 2, 6, 6), one for each pair of ends."""
        blocks = np.empty((len(self.frame.elements), 2, 2, 6, 6))
        for one in self.batches:
            blocks[one.which] = formula(one).reshape(-1, 2, 6, 2, 6).transpose(0, 1, 3, 2, 4)
        return blocks

    def _on_nodes(self, matrices: Array) -> dict[int, Array]:
        return {body.node: one for body, one in zip(self.frame.masses, matrices, strict=True)}

    @cached_property
    def bodies(self) -> Lumps:
        """The rigid bodies as places with mass: u + theta x c and theta over the motions of their nodes."""
        masses = self.frame.masses
        centre = np.array([one.centre for one in masses]).reshape(-1, 3)
        translation = np.zeros((len(masses), 1, 3, 6))
        translation[:, 0, :, :3], translation[:, 0, :, 3:] = UNIT, -tilde(centre)
        rotation = np.broadcast_to(np.concatenate([np.zeros((3, 3)), UNIT], axis=1), translation.shape)
        return Lumps(
            translation,
            rotation,
            np.array([[one.mass] for one in masses]).reshape(-1, 1),
            np.array([[one.inertia] for one in masses]).reshape(-1, 1, 3, 3),
            (self.frame.nodes[[one.node for one in masses]] + centre)[:, None],
        )

    # -- matrices ----------------------------------------------------------------------------------------------------

    @cached_property
    def elements(self) -> Array:
        """K of the elements alone."""
        return self.pattern.data(self._each(Batch.K))

    @cached_property
    def mounts(self) -> Array:
        """K of springs and bearings alone."""
        return self.pattern.data(None, {node: (k + k.T) / 2 for node, k in self.frame.stiffnesses.items()})

    @cached_property
    def elastic(self) -> Array:
        """K of elements and springs."""
        return self.elements + self.mounts if self.frame.stiffnesses else self.elements

    @cached_property
    def mass(self) -> Array:
        """M."""
        return self.summed(lambda one: one.lumps.M(), Lumps.M)

    @cached_property
    def damping(self) -> Array | None:
        """D of dampers and of a M + b K; None where there is none."""
        a, b = self.frame.damping
        given = {node: (c + c.T) / 2 for node, c in self.frame.dashpots.items()}
        if not given and not a and not b:
            return None
        return self.pattern.data(None, given) + a * self.mass + b * self.elastic

    @cached_property
    def skew_springs(self) -> Array | None:
        """The skew part of springs given as matrices (seals, say); None where there is none."""
        skew = {node: (k - k.T) / 2 for node, k in self.frame.stiffnesses.items() if (k != k.T).any()}
        return self.pattern.data(None, skew) if skew else None

    @cached_property
    def dragging(self) -> Cases:
        """c P omega~ P for unit omega: bearings damp the motion seen from ground, d' + omega x d."""
        damped = {node: one for node, one in self.frame.journals.items() if one.damping}
        cases = {}
        for k, axis in enumerate(UNIT):
            points = {
                n: np.pad(one.damping * one.across @ tilde(axis) @ one.across, (0, 3)) for n, one in damped.items()
            }
            if any(one.any() for one in points.values()):
                cases[k] = self.pattern.data(None, points)
        return cases

    def circulatory(self, omega: Array, epsilon: Array) -> Array | None:
        """H: the skew part of K_eps and K_s, of springs, and what bearings drag along; None where nothing is."""
        parts = [] if self.skew_springs is None else [self.skew_springs]
        if epsilon.any():
            parts.append(combined(None, dict(enumerate(self.turning)), epsilon / 2))
        if self.dragging and omega.any():
            parts.append(combined(None, self.dragging, omega))
        return None if not parts else np.asarray(sum(parts[1:], start=parts[0]))

    @cached_property
    def turning(self) -> tuple[Array, Array, Array]:
        """2 C + G_s for unit omega about x, y and z."""

        def rate(axis: Array) -> Callable[[Lumps], Array]:
            def formula(one: Lumps) -> Array:
                return 2 * one.C(axis) + (one.G_s(axis) if self.consistent else 0)

            return formula

        found = [self.summed(_of_lumps(rate(axis)), rate(axis)) for axis in UNIT]
        return found[0], found[1], found[2]

    @cached_property
    def inertial(self) -> Cases:
        """K_omega2 and the symmetric part of K_s by case."""
        cases = {case: self.summed(_of_lumps(self._spun(case)), self._spun(case)) for case in range(6)}
        if self.consistent:
            for k, axis in enumerate(UNIT):
                formula = _with(Lumps.K_s_epsilon, axis)
                cases[6 + k] = self.summed(_of_lumps(formula), formula)
        for case, one in self.levers.items():
            cases[case] = cases.get(case, 0) + one
        return _without_zeros(cases)

    def _spun(self, case: int) -> Callable[[Lumps], Array]:
        return lambda one: one.K_omega2(case) + (one.K_s_omega(case) if self.consistent else 0)

    @cached_property
    def levers(self) -> Cases:
        """A body's mass centre off its node moves by theta x (theta x c)/2 too: m [(a c' + c a')/2 - (a.c) I]."""
        masses = self.frame.masses
        if not any(one.centre.any() for one in masses):
            return {}
        acceleration = self.bodies.acceleration()[:, :, 0]
        cases = {}
        for case in range(12):
            points = {}
            for body, a in zip(masses, acceleration[case], strict=True):
                outer = np.outer(a, body.centre)
                points[body.node] = np.zeros((6, 6))
                points[body.node][3:, 3:] = body.mass * ((outer + outer.T) / 2 - a @ body.centre * UNIT)
            cases[case] = self.pattern.data(None, points)
        return cases

    @cached_property
    def geometric(self) -> Cases:
        """K_G by case."""
        load, section, own, inside = self._loads
        ends = self.end_forces(-(load + section), -own)
        direct = self.pattern.vector(own) - load - section
        return {case: one for case in range(12) if (one := self.stiffened(ends, inside, direct, case)) is not None}

    def stiffened(self, ends: Array, inside: Array, direct: Array, case: int) -> Array | None:
        """K_G of one case: of the axial forces in the elements, and of the forces on rigid arms.

        `ends` (cases, elements, 2, 3) are the forces on the elements' ends, `inside` (cases, elements, points) what is
        added to the axial force along them, `direct` (cases, 6 nodes) what loads the nodes themselves.
        """
        axial = np.einsum("ei,ei->e", ends[case, :, 1], self.frame.axes[:, 0])[:, None] + inside[case]
        if not (axial.any() or ends[case].any()):
            return None
        data = self.summed(lambda one: one.K_G(axial[one.which]), None)
        if self.frame.offsets:
            data = data + self._on_arms(ends[case])
        if self.frame.ties:
            data = data + self._on_links(ends[case : case + 1], direct[case : case + 1])
        return data

    def _on_arms(self, ends: Array) -> Array:
        blocks = np.zeros((len(self.frame.elements), 2, 2, 6, 6))
        for k in (0, 1):
            blocks[:, k, k, 3:, 3:] = arm_stiffness(ends[:, k], self.frame.arms[:, k])
        return self.pattern.data(blocks)

    def _on_links(self, ends: Array, direct: Array) -> Array:
        loads = direct.reshape(len(direct), -1, 6)[:, :, :3]
        points: dict[int, Array] = {}
        for (to, node), force in link_forces(self.frame, ends, loads).items():
            tied = np.isin(np.arange(3), self.frame.ties[to, node])
            block = np.zeros((6, 6))
            block[3:, 3:] = arm_stiffness(force[0] * tied, self.frame.nodes[node] - self.frame.nodes[to])
            points[to] = points.get(to, 0) + block
        return self.pattern.data(None, points)

    @cached_property
    def stiffening(self) -> Cases:
        """All that a case adds to the stiffness: K_omega2 + K_s + K_G."""
        cases = dict(self.inertial)
        for case, one in self.geometric.items():
            cases[case] = cases[case] + one if case in cases else one
        return cases

    # -- loads and axial forces --------------------------------------------------------------------------------------

    @cached_property
    def _loads(self) -> tuple[Array, Array, Array, Array]:
        """By case: int rhoA N_t'a and the sections' loads (12, 6 nodes), the elements' shares (12, elements, 12) in
        both, and the axial force that acts between each Gauss point and the second end.
        """
        inside, parts, sections = [], [], []
        for one in self.batches:
            acceleration = one.lumps.acceleration()
            parts.append(one.lumps.load(acceleration))
            turned = np.zeros_like(parts[-1])
            for case, torque in one.lumps.section_load(self.consistent):
                turned[case] = torque
            sections.append(turned)
            along = np.einsum("cgpi,gi->cgp", acceleration, one.axes[:, 0])
            inside.append(-one.rule.rest(one.mass / one.rule.weights * along))  # rhoA L, along 0..1
        shares, turned = np.concatenate(parts, axis=1), np.concatenate(sections, axis=1)
        load, section = self.pattern.vector(shares), self.pattern.vector(turned)
        self._add_bodies(load, section)
        return load, section, shares + turned, np.concatenate(inside, axis=1)

    def _add_bodies(self, load: Array, section: Array) -> None:
        if not self.frame.masses:
            return
        where = 6 * np.array([one.node for one in self.frame.masses])[:, None] + np.arange(6)
        load[:, where] += self.bodies.load(self.bodies.acceleration())
        for case, torque in self.bodies.section_load(self.consistent):
            section[case, where] += torque

    @cached_property
    def loads(self) -> Array:
        """The inertia of the given motion (12, n) by case; it acts with a minus sign."""
        return self.part_loads[0] + self.part_loads[1]

    @cached_property
    def part_loads(self) -> tuple[Array, Array]:
        """The two parts of `loads` (12, n): of the masses, of the sections' inertia."""
        load, section, _, _ = self._loads
        return np.asarray((self.pattern.T.T @ load.T).T), np.asarray((self.pattern.T.T @ section.T).T)

    def along(self, weights: Array) -> tuple[Array, Array]:
        """Of the frame's motion: the elements' shares (elements, 12) in its load, and what is added to the axial force
        along them (elements, points).
        """
        _, _, own, inside = self._loads
        return -np.tensordot(weights, own, 1), np.tensordot(weights, inside, 1)

    def on_bodies(self, weights: Array) -> Array:
        """The part of the load of the frame's motion that acts on nodes through their bodies: (6 nodes,)."""
        load, section, own, _ = self._loads
        return np.asarray(-weights @ (load + section - self.pattern.vector(own)))

    def element_forces(self, moved: Array) -> Array:
        """Forces on the elements' ends (elements, 12) where their nodes have moved by (elements, 12)."""
        return np.concatenate([np.einsum("gkl,gl->gk", one.stiffness, moved[one.which]) for one in self.batches])

    def end_forces(self, nodal: Array, own: Array) -> Array:
        """Forces (cases, elements, 2, 3) on the elements' ends under loads (cases, 6 nodes)."""

        def statics(loads: Array) -> Array:
            K, M = self.pattern.matrix(self.elastic), self.pattern.matrix(self.mass)
            return static(self.pattern, K, M, self.rigid, loads)

        return end_forces(self.pattern, self.batches, statics, nodal.reshape(len(nodal), -1, 6), own)

    @cached_property
    def rigid(self) -> Array:
        """The rigid motions that nothing holds, over all motions."""
        return rigid_motions(self.frame)

    # -- at an instant -----------------------------------------------------------------------------------------------

    def stiffness(self, instant: Instant, geometric: bool = True) -> Array:
        """The symmetric stiffness at an instant: a few additions of data."""
        weights = coefficients(instant)
        if not weights.any():
            return self.elastic.copy()
        return combined(self.elastic, self.stiffening if geometric else self.inertial, weights)

    def apart(self, instant: Instant, geometric: bool = True) -> Array:
        """What springs and the motion add to the stiffness of the elements, never rounded beside it."""
        cases = self.stiffening if geometric else self.inertial
        return combined(self.mounts, cases, coefficients(instant))

    def gyroscopic(self, omega: Array) -> Array | None:
        """G at an instant, or None where nothing turns."""
        if not omega.any():
            return None
        return combined(None, dict(enumerate(self.turning)), omega)

    def load(self, instant: Instant) -> Array:
        """The load of the frame's motion: - q_eps - q_omega2 - m_eps - m_0 a_0 and the sections' own."""
        return np.asarray(-coefficients(instant) @ self.loads)

    def matrix(self, data: Array | None) -> Any:
        """The sparse matrix with these data, or None."""
        return None if data is None else self.pattern.matrix(data)


def combined(start: Array | None, cases: Cases, weights: Array) -> Array:
    """start + sum of weight x case, each added in place."""
    total = np.zeros_like(next(iter(cases.values()))) if start is None else start.copy()
    for case, data in cases.items():
        if weights[case]:
            total = daxpy(data, total, a=float(weights[case]))
    return total


def _of_lumps(formula: Callable[[Lumps], Array]) -> Callable[[Batch], Array]:
    return lambda one: formula(one.lumps)


def _with(formula: Callable[[Lumps, Array], Array], axis: Array) -> Callable[[Lumps], Array]:
    return lambda one: formula(one, axis)


def _without_zeros(cases: Cases) -> Cases:
    return {case: one for case, one in cases.items() if one.any()}
