"""The modes of a turning frame at one speed, as ground sees them.

In the turning frame a mode has an eigenvalue s and an orbit across the axis, P and Q along the two axes across it. An
orbit is the sum of a circle that runs ahead with the rotation and one that runs against it, P + iQ and P - iQ. Where
there is only one, ground sees a circular whirl at the speed Im s + Omega or Omega - Im s: positive is forward, negative
backward. Such a mode is turned into the form that runs ahead (s or its conjugate), which changes smoothly with speed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse.linalg as spla
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.structures.moving.assembly import Constants
from flexura.structures.moving.attachments import stiffnesses
from flexura.structures.moving.axial import factor
from flexura.structures.moving.body import Instant, tilde
from flexura.structures.moving.frame import BeamFrame

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]

AXES = {"x": 0, "y": 1, "z": 2}
DENSE = 300
_MOST = 2000  # of the modes, and of the motions where all modes can be found
_CIRCLE = 1e-3  # how much of the other circle an orbit may hold and still be called a circle


@dataclass(frozen=True)
class Turning:
    """A frame that turns about an axis (0, 1, 2) through its origin, ready for any speed."""

    constants: Constants
    axis: int
    geometric: bool

    @staticmethod
    def of(constants: Constants, axis: str, geometric: bool, springs_turn: bool = False) -> Turning:
        """Refuse an axis that is none, and springs that could not stand on ground without a word that they turn."""
        if axis not in AXES:
            raise FlexuraError(f"The frame cannot turn about {axis!r}", advice="say 'x', 'y' or 'z'")
        if not springs_turn:
            _check_alike(constants.frame, axis)
        return Turning(constants, AXES[axis], geometric)

    def matrices(self, speed: float) -> tuple[Any, Any, Any]:
        """M, the matrix of rates (or None) and K with what the rotation adds, at a speed."""
        constants, omega = self.constants, speed * np.eye(3)[self.axis]
        K = constants.stiffness(Instant(omega, np.zeros(3), np.zeros(3)), self.geometric)
        skew = constants.circulatory(omega, np.zeros(3))
        if skew is not None:
            K = K + skew
        rates = constants.gyroscopic(omega)
        if constants.damping is not None:
            rates = constants.damping if rates is None else rates + constants.damping
        pattern = constants.pattern
        return pattern.matrix(constants.mass), None if rates is None else pattern.matrix(rates), pattern.matrix(K)


def _check_alike(frame: BeamFrame, axis: str) -> None:
    """Springs and dampers turn with the frame; those alike in all directions across the axis might stand on ground."""
    turn = np.kron(np.eye(2), tilde(np.eye(3)[AXES[axis]]))
    for what, given in (("springs", frame.springs), ("dampers", frame.dampers)):
        for node, matrix in stiffnesses(given, len(frame.nodes), what[:-1]).items():
            if np.abs(turn @ matrix - matrix @ turn).max() > 1e-9 * np.abs(matrix).max():
                raise FlexuraError(
                    f"The {what} of node {node} differ across the axis {axis}, and {what} turn with the frame",
                    advice=(
                        f"say springs_turn=True if these do, or give what stands on ground as bearings={{{node}: ("
                        f"{axis!r}, k, c)}}, alike in all directions"
                    ),
                )


@dataclass(frozen=True)
class SeenModes:
    """Modes by their size as seen: `roots` in the turning frame (Im >= 0), `whirl` (nan: none), `shapes` (modes, n).

    `ground` is Re s + i whirl for a mode that whirls, else s. `counts` says how many roots each stands for: a pair, one
    real root, or 0 at zero.
    """

    roots: Complex
    whirl: Array
    shapes: Complex
    counts: NDArray[np.int64]

    @property
    def ground(self) -> Complex:
        """What ground sees of a whirl; the turning frame's root of all else."""
        return np.where(np.isnan(self.whirl), self.roots, self.roots.real + 1j * np.nan_to_num(self.whirl))

    def take(self, which: Any) -> SeenModes:
        """Some of the modes, in this order."""
        return SeenModes(self.roots[which], self.whirl[which], self.shapes[which], self.counts[which])


def modes_at(turning: Turning, speed: float, count: int) -> SeenModes:
    """The modes at a speed by |ground|: at least the lowest `count`, all of them where the frame is small."""
    M, C, K = turning.matrices(speed)
    if M.shape[0] <= DENSE:
        return _seen(turning, *_dense(M, C, K, turning), speed)
    wanted = 2 * count + 8
    while wanted < min(M.shape[0], _MOST):
        try:
            roots, shapes, radius = _nearest(M, C, K, turning, 0.5j * speed, wanted)
        except spla.ArpackNoConvergence:
            wanted *= 2
            continue
        found = _seen(turning, roots, shapes, speed)
        sure = int(np.count_nonzero(np.abs(found.ground) < radius - 0.5 * abs(speed)))
        if sure >= count:  # |s - i speed/2| <= |ground| + |speed|/2 for every mode, so none that is lower is missed
            return found.take(slice(sure))
        wanted *= 2
    if M.shape[0] > _MOST:
        raise FlexuraError(
            f"At the speed {speed:g} the lowest {count} modes are not found among {_MOST}",
            advice="ask for fewer modes with count=, or describe the frame by fewer elements",
        )
    return _seen(turning, *_dense(M, C, K, turning), speed)


def _dense(M: Any, C: Any, K: Any, turning: Turning) -> tuple[Complex, Complex]:
    """All roots, in the coordinates of the modes without rates and scaled by them, where rounding is least."""
    K, M = K.toarray(), M.toarray()
    symmetric, skew = (K + K.T) / 2, (K - K.T) / 2
    try:
        squares, modes = scipy.linalg.eigh(symmetric, M)
    except np.linalg.LinAlgError:
        raise FlexuraError(
            f"The mass of the frame is singular: nothing that moves with {_massless(M, turning)} has mass",
            advice="give the section there a density, or put a body on the node",
        ) from None
    if C is None and not np.any(np.abs(skew) > 1e-12 * np.abs(K).max()):
        return 1j * np.emath.sqrt(squares).astype(complex), modes.T.astype(complex)
    size = np.sqrt(np.maximum(np.abs(squares), 1e-12 * np.abs(squares).max()))
    rates = np.zeros_like(M) if C is None else C.toarray()
    below = -(np.diag(squares) + modes.T @ skew @ modes) / size
    A = np.block([[np.zeros_like(M), np.diag(size)], [below, -modes.T @ rates @ modes]])
    roots, vectors = scipy.linalg.eig(A)
    return roots, ((modes / size) @ vectors[: len(M)]).T


def _massless(M: Array, turning: Turning) -> str:
    place = int(np.argmin(np.diag(M)))
    return turning.constants.frame.dofs[place]


def _nearest(M: Any, C: Any, K: Any, turning: Turning, shift: complex, wanted: int) -> tuple[Complex, Complex, float]:
    """The roots nearest a shift, and how far the last is: powers of (A - shift)^-1 of the first-order form A."""
    n = M.shape[0]
    rates = 0 * M if C is None else C
    kind = np.complex128 if shift else np.float64
    solve = factor(K, turning.constants.frame) if not shift else spla.splu((K + shift * rates + shift**2 * M).tocsc())

    def apply(z: Any) -> Any:
        f, g = z[:n].ravel(), z[n:].ravel()
        x = -solve.solve(np.asarray(M @ (g + (shift * f if shift else 0)) + rates @ f, dtype=kind))
        return np.concatenate([x, f + shift * x if shift else f])

    operator = spla.LinearOperator((2 * n, 2 * n), matvec=apply, dtype=kind)
    how: dict[str, Any] = {"k": wanted, "ncv": min(3 * wanted, 2 * n), "tol": 1e-11}  # rounding is above eps here
    inverse, vectors = spla.eigs(operator, which="LM", v0=np.ones(2 * n, dtype=kind), **how)
    roots, shapes = shift + 1 / inverse, vectors[:n]
    return _quotients(M, rates, K, roots, shapes), shapes.T, float(np.abs(roots - shift).max())


def _quotients(M: Any, C: Any, K: Any, roots: Complex, shapes: Complex) -> Complex:
    """The root of x* (s^2 M + s C + K) x nearest each s: it errs by the square of what the shape errs.

    In a conservative system it is imaginary to the last digit, so rounding does not look like growth.
    """
    m, c, k = (np.einsum("ij,ij->j", shapes.conj(), one @ shapes) for one in (M, C, K))
    half, apart = -c / (2 * m), np.sqrt((c / (2 * m)) ** 2 - k / m + 0j)
    both = np.array([half + apart, half - apart])
    return np.asarray(np.take_along_axis(both, np.argmin(np.abs(both - roots), axis=0)[None], axis=0)[0])


def _seen(turning: Turning, roots: Complex, shapes: Complex, speed: float) -> SeenModes:
    tiny = 1e-9 * float(np.sort(np.abs(roots))[: max(2, len(roots) // 4)].max())
    roots = np.where(np.abs(roots.real) < tiny, 0, roots.real) + 1j * np.where(np.abs(roots.imag) < tiny, 0, roots.imag)
    upper = np.flatnonzero(roots.imag >= 0)
    upper = upper[np.argsort(np.abs(roots[upper]), kind="stable")]
    twins = np.array([_twin(roots[upper], k) for k in range(len(upper))], dtype=bool)
    counts = np.where(roots[upper] == 0, 0, np.where((roots[upper].imag > 0) | twins, 2, 1))
    kept = ~(twins & (roots[upper].real < 0))
    upper, counts = upper[kept], counts[kept]
    roots, shapes = roots[upper], shapes[upper]
    if speed == 0:
        shapes = _circles_at_rest(turning, roots, shapes)
    ahead, behind = _circles(turning, shapes)
    most = np.maximum(np.linalg.norm(ahead, axis=1), np.linalg.norm(behind, axis=1))
    least = np.minimum(np.linalg.norm(ahead, axis=1), np.linalg.norm(behind, axis=1))
    round_ = (most > 1e-6 * np.linalg.norm(shapes, axis=1)) & (least <= _CIRCLE * most)
    runs = np.linalg.norm(ahead, axis=1) > np.linalg.norm(behind, axis=1)
    whirl = np.where(round_, np.where(runs, roots.imag + speed, speed - roots.imag), np.nan)
    made = SeenModes(roots, whirl, np.where((round_ & ~runs)[:, None], shapes.conj(), shapes), counts)
    equal = 1 + 1e-8 * (whirl < 0)  # of two that are equal at rest, forward first
    return made.take(np.argsort(np.abs(made.ground) * equal, kind="stable"))


def _twin(roots: Complex, k: int) -> bool:
    """Whether a root is of a pair of real ones -a, a, which a frequency becomes where it turns unstable."""
    one = roots[k]
    return bool(one.imag == 0 and one != 0 and np.any(np.abs(roots + one) <= 1e-9 * abs(one)))


def _circles(turning: Turning, shapes: Complex) -> tuple[Complex, Complex]:
    """P + iQ and P - iQ of each shape (modes, nodes)."""
    moved = (turning.constants.pattern.T @ shapes.T).T.reshape(len(shapes), -1, 6)
    P, Q = moved[..., (turning.axis + 1) % 3], moved[..., (turning.axis + 2) % 3]
    return P + 1j * Q, P - 1j * Q


def _circles_at_rest(turning: Turning, roots: Complex, shapes: Complex) -> Complex:
    """Without rotation two equal frequencies across the axis are one circle ahead and one behind: write them so."""
    shapes, k = shapes.copy(), 0
    while k < len(roots) - 1:
        if roots[k].imag > 0 and abs(roots[k + 1] - roots[k]) < 1e-6 * abs(roots[k]):
            pair = shapes[k : k + 2]
            ahead, behind = _circles(turning, pair)
            only_ahead, only_behind = (np.linalg.svd(one.T)[2][-1].conj() for one in (behind, ahead))
            shapes[k : k + 2] = only_ahead @ pair, only_behind @ pair
            k += 1
        k += 1
    return shapes
