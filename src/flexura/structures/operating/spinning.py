"""Constant rotation, and constant torque under friction (theory, section 5; [S] 2.4, 2.5).

In the frame that turns with the structure, x is constant and the nodes are at r + x from the axis. With Z the generator
of the rotation (the right-handed one; [S] prints its transpose) the centrifugal load is W^2 Z'MZ (r + x), which is
W^2 M E (r + x) where M = m (x) I3, and friction is - W D Z (r + x). All is balanced on the deformations q'Mx = 0:

    K x + M q lambda = F + W^2 Z'MZ (r + x) - W D Z (r + x),      q'Mx = 0

so x = K+ (right-hand side), a fixed point that Krylov iterations find with the one factorization of K.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sparse
from numpy.typing import NDArray
from scipy.sparse.linalg import LinearOperator, eigs, gmres

from flexura.errors import FlexuraError
from flexura.structures.operating.inverse import MassMetricInverse
from flexura.structures.operating.state import OperatingState, Reactions, backward_residual

Array = NDArray[np.float64]
_SMALL = 150


class Spin:
    """A structure about an axis: where its nodes are from it, and what turning does to them."""

    def __init__(self, inverse: MassMetricInverse, axis: Array, point: Any = None) -> None:
        self.inverse, self.axis = inverse, axis
        rigid = inverse.rigid
        assert rigid.geometry is not None
        self.geometry = rigid.geometry
        self.point = self._point(point)

    def _point(self, point: Any) -> Array:
        """The mass centre, if the structure is free to turn about it; the origin for one that is held elsewhere."""
        rigid = self.inverse.rigid
        if point is not None:
            given = np.zeros(3)
            given[: np.size(point)] = np.asarray(point, dtype=np.float64).ravel()[:3]
            return given
        sliding = sum(name.startswith("translation") for name in rigid.names)
        planar = not (self.geometry.motion == 2).any()
        free = sliding >= (2 if planar else 3) or (sliding == 1 and not (self.geometry.motion == 1).any())
        assert rigid.centre is not None
        return rigid.centre if free else np.zeros(3)

    @cached_property
    def Z(self) -> Any:
        """The generator as a sparse matrix: axis x (.) at every node."""
        geometry, a = self.geometry, self.axis
        rows = np.full((len(geometry.places), 3), -1)
        moving = np.flatnonzero(geometry.motion < 3)
        rows[geometry.node[moving], geometry.motion[moving]] = moving
        cross = np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])
        i, j, v = [], [], []
        for p in range(3):
            for q in range(3):
                both = (rows[:, p] >= 0) & (rows[:, q] >= 0)
                if cross[p, q]:
                    i.append(rows[both, p])
                    j.append(rows[both, q])
                    v.append(np.full(int(both.sum()), cross[p, q]))
        n = self.inverse.system.n
        if not i:
            return sparse.csr_array((n, n))
        return sparse.csr_array((np.concatenate(v), (np.concatenate(i), np.concatenate(j))), shape=(n, n))

    @cached_property
    def r(self) -> Array:
        """Where every row is, from a point of the axis."""
        places = self.geometry.places - self.point
        r = np.zeros(self.inverse.system.n)
        moving = self.geometry.motion < 3
        r[moving] = places[self.geometry.node[moving], self.geometry.motion[moving]]
        return r

    def centrifugal(self, x: Array) -> Array:
        """Z'MZ x; where rows are missing (a bar along x), the part that is there: M E x."""
        if self._complete:
            return np.asarray(self.Z.T @ (self.inverse.system.M @ (self.Z @ x)))
        return np.asarray(self.inverse.system.M @ self._radial(x))

    @cached_property
    def _complete(self) -> bool:
        """Whether every motion across the axis has a row at every node that moves."""
        across = {p for p in range(3) if abs(self.axis[p]) < 1 - 1e-12}
        found = {int(one) for one in np.unique(self.geometry.motion[self.geometry.motion < 3])}
        counts = [int((self.geometry.motion == p).sum()) for p in across]
        return across <= found and len(set(counts)) == 1

    def _radial(self, x: Array) -> Array:
        """E x: the part across the axis."""
        table = self.geometry.vectors(x)
        table = table - np.outer(table @ self.axis, self.axis)
        result = np.zeros_like(x)
        moving = self.geometry.motion < 3
        result[moving] = table[self.geometry.node[moving], self.geometry.motion[moving]]
        return result

    @cached_property
    def turning(self) -> Array:
        """The unit rotation about the axis, rotations of nodes included."""
        return np.asarray(self.geometry.rigid(self.point)[:, 3:] @ self.axis)

    def reactions(self, right: Array) -> dict[str, float]:
        """What the bearings exert on each rigid motion: - q'(right-hand side), q'Kx being zero."""
        rigid = self.inverse.rigid
        values = -(rigid.motions.T @ right)
        sizes = np.abs(rigid.motions).max(axis=0, initial=0.0) * np.abs(right).sum()
        return {
            name: 0.0 if abs(value) <= 1e-9 * size else float(value)
            for name, value, size in zip(rigid.names, values, sizes, strict=True)
        }


def fixed_point(inverse: MassMetricInverse, constant: Array, linear: Callable[[Array], Array]) -> tuple[Array, int]:
    """x = K+ (constant + linear(x)) by GMRES, and how many products it took."""
    count = 0

    def product(x: Array) -> Array:
        nonlocal count
        count += 1
        return x - inverse(linear(x))

    n = inverse.system.n
    operator = LinearOperator((n, n), matvec=product, dtype=np.float64)
    x = inverse(constant)
    for _ in range(4):
        rest = inverse(constant + linear(x)) - x
        if np.linalg.norm(rest) <= 1e-15 * np.linalg.norm(x):
            break
        step, _ = gmres(operator, rest, rtol=1e-10, atol=0.0, restart=min(n, 80), maxiter=4)
        x = inverse.deformation(x + step)
    return x, count


def constant_rotation(spin: Spin, F: Array, W: float, stiffening: Any = None) -> OperatingState:
    """(K - W^2 Z'MZ [+ W^2 K_G]) x = W^2 Z'MZ r + F on q'Mx = 0, if that is definite there."""
    inverse, system = spin.inverse, spin.inverse.system
    softening = _softening(spin, stiffening)
    critical = _critical(spin, softening)
    if abs(W) >= critical:
        raise FlexuraError(
            f"At {abs(W):.6g} rad/s the centrifugal load overcomes the stiffness: K - W^2 M E is not definite on the"
            f" deformations, and would not be from {critical:.6g} rad/s on",
            advice="give a lower speed" + (", or the geometric stiffness (stiffening=)" if stiffening is None else ""),
        )
    constant = F + W * W * spin.centrifugal(spin.r)
    x, count = fixed_point(inverse, constant, lambda x: W * W * softening(x))
    right = constant + W * W * softening(x)
    residual = backward_residual(system.K, x, inverse.split(right)[1])
    notes = _notes(spin, stiffening)
    if system.D is not None and abs(system.D).max():
        notes += ("Friction is not in this state; kind='torque' has it.",)
    reactions = Reactions(spin.reactions(right))
    motion = {"rotation": W}
    return OperatingState(
        "rotation", x, W, reactions, residual, motion, spin.axis, critical, count, notes, system, F
    )  # fmt: skip


def _softening(spin: Spin, stiffening: Any) -> Callable[[Array], Array]:
    if stiffening is None:
        return spin.centrifugal
    n = spin.inverse.system.n
    if getattr(stiffening, "shape", None) != (n, n):
        raise FlexuraError(
            f"stiffening is not a matrix of {n} x {n}", advice="give the geometric stiffness at unit speed"
        )
    return lambda x: spin.centrifugal(x) - stiffening @ x


def _critical(spin: Spin, softening: Callable[[Array], Array]) -> float:
    """The speed at which K - W^2 (...) is first singular on q'Mx = 0: 1/sqrt of the largest eigenvalue of K+ (...)."""
    inverse, n = spin.inverse, spin.inverse.system.n
    if n <= _SMALL:
        columns = np.column_stack([softening(one) for one in np.eye(n)])
        values = np.linalg.eigvals(inverse(columns)).real
    else:
        operator = LinearOperator((n, n), matvec=lambda x: inverse(softening(x)), dtype=np.float64)
        start = inverse(spin.inverse.system.M @ np.random.default_rng(6).standard_normal(n))
        values = eigs(operator, 1, which="LR", v0=start, tol=1e-9, return_eigenvectors=False).real
    largest = float(values.max(initial=0.0))
    scale = float(np.abs(values).max(initial=0.0))
    return float(1 / np.sqrt(largest)) if largest > 1e-13 * scale and largest > 0 else float(np.inf)


def _notes(spin: Spin, stiffening: Any) -> tuple[str, ...]:
    notes = []
    if stiffening is None:
        notes.append(
            "Unstiffened: without geometric stiffness, the linear state; give stiffening= for the stiffened one."
        )
    if spin.geometry.turning:
        notes.append("Rows that turn carry no centrifugal load here; displacements do.")
    return tuple(notes)


def constant_torque(spin: Spin, F: Array, D: Any, stiffening: Any = None) -> OperatingState:
    """The speed W at which nothing is left to turn the structure: the torque of the right-hand side vanishes."""
    inverse, system = spin.inverse, spin.inverse.system
    if D is None or not abs(D).max():
        raise FlexuraError(
            "There is no friction to balance the torque", advice="give the system damping D, or external="
        )
    turning, r = spin.turning, spin.r
    resistance, torque = float(turning @ (D @ (spin.Z @ r))), float(turning @ F)
    if not resistance > 1e-12 * float(np.abs(turning) @ (abs(D) @ np.abs(spin.Z @ r))):
        raise FlexuraError(
            f"Friction does not resist the rotation about {_shown(spin.axis)}, which a torque of {torque:.6g} drives",
            advice="give D resistance to that rotation",
        )
    softening, count = _softening(spin, stiffening), 0

    def at(W: float) -> tuple[Array, Array, float]:
        nonlocal count
        constant = F + W * W * spin.centrifugal(r) - W * (D @ (spin.Z @ r))

        def linear(x: Array) -> Array:
            return np.asarray(W * W * softening(x) - W * (D @ (spin.Z @ x)))

        x, used = fixed_point(inverse, constant, linear)
        count += used
        right = constant + linear(x)
        return x, right, float(turning @ right)

    critical = _critical(spin, softening)
    W, x, right, left, steps = _root(at, torque / resistance, resistance, abs(torque), critical)
    residual = max(
        backward_residual(system.K, x, inverse.split(right)[1]), abs(left) / max(abs(torque), 1e-300) * (torque != 0)
    )
    notes = (*_notes(spin, stiffening), f"The speed converged in {steps} steps; {count} solutions with K.")
    reactions = Reactions(spin.reactions(right))
    return OperatingState(
        "torque", x, W, reactions, residual, {"rotation": W}, spin.axis, critical, steps, notes, system, F
    )  # fmt: skip


def _root(
    at: Callable[[float], tuple[Array, Array, float]], W: float, resistance: float, torque: float, critical: float
) -> tuple[float, Array, Array, float, int]:
    """Secant steps on the torque that is left; the first slope is that of the undeformed structure."""
    _below(W, critical)
    best, slope, steps = (W, *at(W)), -resistance, 0
    left = best[3]
    for steps in range(1, 40):
        if abs(left) <= 1e-14 * torque:
            break
        change = -left / slope
        _below(W + change, critical)
        x, right, new = at(W + change)
        W += change
        if abs(new) >= abs(best[3]) and steps > 4:
            break
        slope, left = (new - left) / change if new != left else slope, new
        if abs(left) <= abs(best[3]):
            best = (W, x, right, left)
    if abs(best[3]) > 1e-9 * torque:
        raise FlexuraError(
            f"No speed balances the torque: at {best[0]:.6g} rad/s a torque of {best[3]:.6g} is left",
            advice=(
                "the deformation changes the load as fast as friction does, so give a stiffer structure or a smaller"
                " load"
            ),
        )
    return (*best, steps)


def _below(W: float, critical: float) -> None:
    if abs(W) >= critical:
        raise FlexuraError(
            f"The torque would drive the structure to about {abs(W):.6g} rad/s, beyond {critical:.6g} rad/s, where"
            " the centrifugal load overcomes the stiffness",
            advice="give a smaller load, or more friction",
        )


def _shown(axis: Array) -> str:
    return "(" + ", ".join(f"{one:g}" for one in axis) + ")"
