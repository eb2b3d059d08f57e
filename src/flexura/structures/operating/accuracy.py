"""How far a reduced model's response is from the full one.

A system of moderate size is solved in full at the frequencies asked for, so its error is known. In a large one the
error e of an answer obeys T e = r, r its residual, and g'e = y'r for the solution y of T'y = g. A few random g tell the
size of e (E|g'e|^2 = e'e for normal numbers), and their y are found in a basis of solutions at a few frequencies
(randomized residual estimates, Smetana, Zahm and Patera 2019). Frequencies are added where two such bases disagree,
and solved in full where they go on to. The estimate is three times the mean: below the error only with odds of 1e-3.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.structures.operating.dynamic import SplitPencil
from flexura.structures.operating.frequencies import Frequency
from flexura.structures.operating.inverse import MassMetricInverse
from flexura.structures.operating.krylov import Expansion
from flexura.systems.second_order import SecondOrderSystem, as_dense

Array = NDArray[Any]
_SOLVED = 1500  # degrees of freedom up to which the full system is solved
_PROBES = 8
_MARGIN = 3.0
_ROUNDS = 12
_ROUNDED = 1e-11  # relative errors from here on are rounding
_APART = 2.0  # how far two estimates may be from each other and still be believed


class Truth:
    """Answers of the full system, kept by frequency, and random probes of what is not solved."""

    def __init__(self, inverse: MassMetricInverse, loads: Array) -> None:
        self.inverse, self.loads = inverse, loads
        self.pencil = SplitPencil.of(inverse.system)
        self._answers: dict[float, Array] = {}
        self.probes = None if inverse.system.n <= _SOLVED else Probes(inverse, loads)

    def at(self, omega: float) -> Array:
        """x at a frequency; at rest the deformation alone."""
        if omega not in self._answers and omega:
            self.visit(omega)
        elif omega not in self._answers:
            self._answers[omega] = self.at_rest()
        return self._answers[omega]

    def at_rest(self) -> Array:
        """The deformation under the constant loads."""
        if self.inverse.system.H is None:
            return self.inverse(self.loads)
        return self.inverse.deformation(self.pencil.at_rest().solve(self.loads))

    def visit(self, omega: float) -> Frequency:
        """Factorize at a frequency; what is learned there is kept."""
        frequency = Frequency(self.pencil, omega)
        if omega not in self._answers:
            self._answers[omega] = frequency.solve(self.loads.astype(complex))
            if self.probes is not None:
                self.probes.learn(frequency)
        return frequency

    def known(self, omega: float) -> bool:
        """Whether the full answer is at hand."""
        return omega in self._answers

    def error(self, reduced: SecondOrderSystem, omega: float) -> float:
        """The error itself, in the plain or the mass metric, the larger one, of the load where it is largest."""
        x = self.at(omega)
        e = x - reduced.basis @ answer(reduced, omega)
        ratios = [
            size(e) / np.where(size(x) > 0, size(x), 1.0)
            for size in (lambda v: np.linalg.norm(v, axis=0), self._mass_norm)
        ]
        return float(np.max(ratios))

    def _mass_norm(self, x: Array) -> Array:
        return np.asarray(np.sqrt(np.abs(np.einsum("ij,ij->j", x.conj(), self.inverse.system.M @ x))))


@checked_methods
class Accuracy:
    """`accuracy(omega)`: the relative error of the displacements, in the plain or the mass metric, the larger one."""

    def __init__(self, reduced: SecondOrderSystem, truth: Truth) -> None:
        self.reduced, self.truth = reduced, truth
        self._defect: tuple[float, float] | None = None

    def __call__(self, omega: Any, round_off: bool = True, enough: float = 0.0) -> Any:
        """The error at each omega (rad/s), with what round-off does to a full solution unless told otherwise.

        Far below `enough` two estimates need not agree.
        """
        points = np.abs(np.asarray(omega, dtype=np.float64))
        flat = points.ravel()
        errors = self._of(flat.tolist(), max(_ROUNDED, enough / 10))
        if round_off:
            errors = errors + [self._round_off(one) for one in flat.tolist()]
        result = errors.reshape(points.shape)
        return float(result) if result.ndim == 0 else result

    def _of(self, points: list[float], enough: float) -> Array:
        truth, probes = self.truth, self.truth.probes
        if probes is None or len(points) < 3:
            return np.array([truth.error(self.reduced, one) for one in points], dtype=float)
        for _ in range(_ROUNDS):
            open_ = [one for one in points if one and not truth.known(one)]
            doubts = [probes.doubt(self.reduced, one, enough) for one in open_]
            if not open_ or max(doubts) <= _APART:
                break
            truth.visit(open_[int(np.argmax(doubts))])
        return np.array([self._one(one, enough) for one in points], dtype=float)

    def _one(self, omega: float, enough: float) -> float:
        probes = self.truth.probes
        assert probes is not None
        if not omega or self.truth.known(omega) or probes.doubt(self.reduced, omega, enough) > _APART:
            return self.truth.error(self.reduced, omega)
        return _MARGIN * probes.estimate(self.reduced, omega)

    def _round_off(self, omega: float) -> float:
        """What a full solution misses by round-off: the defect of K x = b, as rigid motion and as deformation."""
        inverse, basis = self.truth.inverse, self.reduced.basis
        if self._defect is None:
            V = basis[:, inverse.rigid.count :][:, :2]
            right = inverse.split(inverse.system.K @ V)[1]
            defect = inverse.system.K @ V - right
            off = V - inverse(right)
            size = np.sqrt(np.abs(np.einsum("ij,ij->j", off, inverse.system.M @ off)))
            self._defect = (float(np.abs(inverse.rigid.Q.T @ defect).max(initial=0.0)), float(size.max(initial=0.0)))
        turned, deformed = self._defect
        drift = turned / omega**2 if omega else 0.0
        return 8 * (min(drift, 1.0) + deformed + 4e-15) * self._amplification(omega)

    def _amplification(self, omega: float) -> float:
        """How much a deformation grows on the way to resonance: 1/min |1 - omega^2/omega_k^2|, at least 1."""
        r = self.truth.inverse.rigid.count
        if not hasattr(self, "_squares"):
            M, K = as_dense(self.reduced.M)[r:, r:], as_dense(self.reduced.K)[r:, r:]
            self._squares = np.abs(np.linalg.eigvals(np.linalg.solve(M, K))) if len(K) else np.ones(0)
        near = np.abs(1 - omega**2 / np.maximum(self._squares, 1e-300)).min(initial=1.0)
        return float(max(1.0, 1 / max(near, 1e-12)))


class Probes:
    """Random vectors g and a basis W for the solutions of T'y = g: g'e of any reduced answer costs nothing of size n.

    The basis is that of K+ of right sides, as reduced models have it; a rigid motion is in both, so that residuals
    have no part along it. `_levels` holds the two last bases: that they agree is why an estimate is believed.
    """

    def __init__(self, inverse: MassMetricInverse, loads: Array) -> None:
        mass = np.sqrt(np.abs(inverse.system.M.diagonal()))
        normal = np.random.default_rng(4).standard_normal((inverse.system.n, 2 * _PROBES))
        self.G = np.column_stack([normal[:, :_PROBES], mass[:, None] * normal[:, _PROBES:]])
        self.inverse, self.loads = inverse, loads
        self.W = Expansion(inverse, loads)
        self._levels: list[_Projected] = []
        self._seen: tuple[SecondOrderSystem, list[dict[str, Array]]] | None = None

    def learn(self, frequency: Frequency) -> None:
        """Add the solutions at a frequency."""
        self.W.add(frequency.dual_right_sides(self.G.astype(complex)))
        self._levels = [*self._levels[-1:], _Projected(self.inverse, self.W, self.G, self.loads)]
        self._seen = None

    def doubt(self, reduced: SecondOrderSystem, omega: float, enough: float) -> float:
        """By what factor the last two estimates differ, unless both are small enough; infinite without two."""
        if len(self._levels) < 2:
            return np.inf
        both = [self._at(reduced, level, omega) for level in (0, 1)]
        return max(both) / max(min(both), _ROUNDED) if max(both) > enough else 1.0

    def estimate(self, reduced: SecondOrderSystem, omega: float) -> float:
        """The relative size of the error by the larger basis."""
        return self._at(reduced, 1, omega)

    def _at(self, reduced: SecondOrderSystem, level: int, omega: float) -> float:
        if self._seen is None or self._seen[0] is not reduced:
            self._seen = (reduced, [one.against(reduced) for one in self._levels])
        z, basis = answer(reduced, omega), reduced.basis
        projected = self._levels[level]
        weights = projected.weights(omega).T
        missed = _means(weights @ projected.residual(self._seen[1][level], omega, z))
        whole = _means(weights @ projected.F)
        ratios = []
        for part, full, gram in zip(missed, whole, self._grams(reduced, basis), strict=True):
            size = np.minimum(full, np.sqrt(np.abs(np.einsum("ij,ij->j", z.conj(), gram @ z))))
            ratios.append(part / np.where(size > 0, size, 1.0))
        return float(np.max(ratios))

    def _grams(self, reduced: SecondOrderSystem, basis: Array) -> tuple[Array, Array]:
        if getattr(self, "_gram_of", None) is not reduced:
            self._gram_of, lumped = reduced, np.abs(self.inverse.system.M.diagonal())[:, None]
            self._gram = basis.T @ basis, basis.T @ (lumped * basis)
        return self._gram


class _Projected:
    """The transposed system on [Q, W], and what it says of residuals."""

    def __init__(self, inverse: MassMetricInverse, W: Expansion, G: Array, loads: Array) -> None:
        system, Q = inverse.system, inverse.rigid.Q
        self.inverse, self.W = inverse, np.column_stack([Q, W.V])
        images = {"M": system.M @ self.W, "K": np.column_stack([0 * Q, W.KV])}
        for name in ("D", "G", "H", "structural"):
            if getattr(system, name) is not None:
                images[name] = getattr(system, name) @ self.W
        self.small = {name: self.W.T @ image for name, image in images.items()}
        self.images, self.G, self.F = images, self.W.T @ G, self.W.T @ loads

    def weights(self, omega: float) -> Array:
        """The coefficients of y, T'y = g."""
        return np.asarray(np.linalg.solve(_combined(self.small, omega).T, self.G.astype(complex)))

    def against(self, reduced: SecondOrderSystem) -> dict[str, Array]:
        """W' times each matrix times the reduced basis; K, M, D symmetric, G, H skew."""
        signs = {"G": -1, "H": -1}
        return {name: signs.get(name, 1) * image.T @ reduced.basis for name, image in self.images.items()}

    def residual(self, seen: dict[str, Array], omega: float, z: Array) -> Array:
        """W'(F - T V z)."""
        return np.asarray(self.F - _combined(seen, omega) @ z)


def _means(seen: Array) -> tuple[Array, Array]:
    """The sizes that g'x of the plain and of the weighted probes tell."""
    squares = np.abs(seen) ** 2
    return np.sqrt(squares[:_PROBES].mean(axis=0)), np.sqrt(squares[_PROBES:].mean(axis=0))


def _combined(parts: dict[str, Array], omega: float) -> Array:
    s = 1j * omega
    factors = {"M": s * s, "K": 1.0, "D": s, "G": s, "H": 1.0, "structural": 1j}
    return np.asarray(sum(factors[name] * one for name, one in parts.items()))


def answer(system: SecondOrderSystem, omega: float) -> Array:
    """z of a small system; at zero frequency only the deformation, the rest being without bound."""
    A, F = as_dense(system.dynamic_stiffness(1j * omega)), system.F.reshape(system.n, -1).astype(complex)
    if omega:
        return np.asarray(np.linalg.solve(A, F))
    return np.asarray(np.linalg.lstsq(A, F, rcond=1e-12)[0])
