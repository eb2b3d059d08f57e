"""How far a reduced model's response is from the full one, without solving the full one.

The basis is enlarged, by K+ M V and K+ D V, until its answer stays: the difference to the reduced answer is then the
error. Whether it stays is judged by its residual, probed by a few random vectors, with the distance to resonance; where
it does not stay after many more modes, the full system is solved at that frequency.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.structures.operating.inverse import MassMetricInverse
from flexura.structures.operating.krylov import Expansion
from flexura.systems.factor import factorize
from flexura.systems.second_order import SecondOrderSystem, as_dense

Array = NDArray[np.float64]
_PROBES = 6
_ROUNDS = 12
_MOST = 120


@checked_methods
class Accuracy:
    """`accuracy(omega)`: the relative error of the displacements, in the plain or the mass metric, the larger one."""

    def __init__(self, inverse: MassMetricInverse, reduced: SecondOrderSystem, loads: Array, KV: Array) -> None:
        self.inverse, self.reduced, self.loads = inverse, reduced, loads
        system, rigid = inverse.system, inverse.rigid
        self.space = Expansion(inverse, loads)
        self.space.V, self.space.KV = reduced.basis[:, rigid.count :], KV[:, rigid.count :]
        self._first = 0  # where the last block of the enlarged basis starts
        self._terms = [one for one in (system.M, system.rates, system.H) if one is not None and abs(one).max()]
        self._levels: list[_Projected] = []
        self._probes: Array | None = None
        self._defect: tuple[float, float] | None = None

    def __call__(self, omega: Any, round_off: bool = True) -> Any:
        """The estimate at each omega (rad/s), with what round-off does to a full solution unless told otherwise."""
        points = np.abs(np.asarray(omega, dtype=np.float64))
        errors = np.full(points.size, np.nan)
        flat, open_ = points.ravel(), np.ones(points.size, dtype=bool)
        for level in range(_ROUNDS):
            large = self._enlarged(level) if open_.any() else None
            if large is None:
                break
            for i in np.flatnonzero(open_):
                difference, doubt = self._compared(large, float(flat[i]))
                floor = self._round_off(large, float(flat[i]))
                if doubt <= max(0.1 * difference, floor):
                    errors[i], open_[i] = difference + doubt + floor * round_off, False
        for i in np.flatnonzero(open_):
            errors[i] = self._solved(float(flat[i]))
        result = errors.reshape(points.shape)
        return float(result) if result.ndim == 0 else result

    def _enlarged(self, level: int) -> _Projected | None:
        """The basis with so many blocks more, kept from earlier calls: every call goes the same way. None: no more."""
        while len(self._levels) <= level:
            most = min(_MOST + self.reduced.n, self.inverse.system.n)
            if self._levels and (self.space.count >= most or self.space.count == self._first):
                return None
            self._grow()
        return self._levels[level]

    def _grow(self) -> None:
        space, start = self.space, self._first
        self._first = space.count
        block = space.V[:, start:]
        space.add(np.column_stack([term @ block for term in self._terms] or [block[:, :0]]))
        if not self._levels and not self.reduced.n - self.inverse.rigid.count:
            space.add(self.loads)
        self._levels.append(_Projected(self.inverse, space, self.loads))

    def _compared(self, large: _Projected, omega: float) -> tuple[float, float]:
        """The distance between the answers, and how much the larger one may still be wrong, as parts of the answer."""
        z = large.solve(omega)
        small = np.zeros_like(z)
        small[: self.reduced.n] = _answer(self.reduced, self.reduced.F.reshape(self.reduced.n, -1), omega)
        worst, doubt = 0.0, 0.0
        residual = self._residual(large, omega, z)
        for j in range(z.shape[1]):
            for gram in (large.mass_gram, large.plain_gram):
                size = _norm(z[:, j], gram)
                worst = max(worst, _norm(z[:, j] - small[:, j], gram) / size if size else 0.0)
            size = _norm(z[:, j], large.mass_gram)
            doubt = max(doubt, residual[j] * large.amplification(omega) / size if size else 0.0)
        return worst, doubt

    def _residual(self, large: _Projected, omega: float, z: Array) -> Array:
        """The size of K+ r in the mass metric, r the residual of the enlarged answer, by random vectors (h = K+ g)."""
        if self._probes is None:
            spread = np.sqrt(np.abs(self.inverse.system.M.diagonal()))
            random = np.random.default_rng(4).standard_normal((self.inverse.system.n, _PROBES))
            self._probes = self.inverse(random * spread[:, None])
        found = large.probed(self._probes, omega, z)
        return np.asarray(np.sqrt(np.mean(np.abs(found) ** 2, axis=0)))

    def _round_off(self, large: _Projected, omega: float) -> float:
        """What a full solution misses by round-off: the defect of K x = b, as rigid motion and as deformation."""
        if self._defect is None:
            V, rigid = self.space.V[:, :2], self.inverse.rigid
            defect = self.inverse.system.K @ V - self.space.KV[:, :2]
            deformed = self.inverse(defect)
            stiffness = np.abs(np.einsum("ij,ij->j", deformed, self.inverse.system.M @ deformed))
            self._defect = (
                float(np.abs(rigid.Q.T @ defect).max(initial=0.0)),
                float(np.sqrt(stiffness.max(initial=0.0))),
            )
        turned, deformed_part = self._defect
        drift = turned / omega**2 if omega else 0.0
        return 8 * (min(drift, 1.0) + deformed_part + 4e-15) * large.amplification(omega)

    def _solved(self, omega: float) -> float:
        """The error itself, by a solution of the full system."""
        system, basis = self.inverse.system, self.reduced.basis
        x = factorize(system.dynamic_stiffness(1j * omega), symmetric=system.symmetric).solve(
            self.loads.astype(complex)
        )
        e = x - basis @ _answer(self.reduced, self.reduced.F.reshape(self.reduced.n, -1), omega)
        plain = np.linalg.norm(e, axis=0) / np.linalg.norm(x, axis=0)
        mass = [
            np.sqrt(abs(np.vdot(a, system.M @ a)) / abs(np.vdot(b, system.M @ b)))
            for a, b in zip(e.T, x.T, strict=True)
        ]
        return float(max(plain.max(), *mass))


def _answer(system: SecondOrderSystem, F: Array, omega: float) -> Array:
    """z of a small system; at zero frequency only the deformation, the rest being without bound."""
    A = as_dense(system.dynamic_stiffness(1j * omega))
    if omega:
        return np.asarray(np.linalg.solve(A, F.astype(complex)))
    return np.asarray(np.linalg.lstsq(A, F.astype(complex), rcond=1e-12)[0])


def _norm(z: Array, gram: Array) -> float:
    return float(np.sqrt(abs(np.vdot(z, gram @ z))))


class _Projected:
    """The system on the enlarged basis [Q, V], and what its residual is."""

    def __init__(self, inverse: MassMetricInverse, space: Expansion, loads: Array) -> None:
        system, Q = inverse.system, inverse.rigid.Q
        r = Q.shape[1]
        self.V = np.column_stack([Q, space.V])
        self.images = {"M": system.M @ self.V, "K": np.column_stack([0 * Q, space.KV])}
        if system.rates is not None:
            self.images["C"] = system.rates @ self.V
        if system.H is not None:
            self.images["K"] = self.images["K"] + system.H @ self.V
        small = {name: self.V.T @ image for name, image in self.images.items()}
        if system.H is None:
            small["K"][:r] = small["K"][:, :r] = 0.0
        self.mass_gram, self.plain_gram = small["M"], self.V.T @ self.V
        self.small, self.loads, self.F = small, loads, self.V.T @ loads
        elastic = small["K"][r:, r:]
        self.squares = (
            np.abs(np.linalg.eigvals(np.linalg.solve(small["M"][r:, r:], elastic))) if len(elastic) else np.ones(0)
        )

    def solve(self, omega: float) -> Array:
        A = self._at(self.small, omega)
        F = self.F.astype(complex)
        return np.asarray(np.linalg.solve(A, F) if omega else np.linalg.lstsq(A, F, rcond=1e-12)[0])

    def probed(self, probes: Array, omega: float, z: Array) -> Array:
        """h'(F - A V z) for every probe h and load."""
        key = id(probes)
        if getattr(self, "_key", None) != key:
            self._key = key
            self._seen = {name: probes.T @ image for name, image in self.images.items()}
            self._seen_loads = probes.T @ self.loads
        return np.asarray(self._seen_loads - self._at(self._seen, omega) @ z)

    def amplification(self, omega: float) -> float:
        """How much a deformation grows on the way to resonance: 1/min |1 - omega^2/omega_k^2|, at least 1."""
        if not len(self.squares):
            return 1.0
        return float(max(1.0, 1 / max(np.abs(1 - omega**2 / np.maximum(self.squares, 1e-300)).min(), 1e-12)))

    @staticmethod
    def _at(parts: dict[str, Array], omega: float) -> Array:
        A = parts["K"] - omega**2 * parts["M"] + 0j
        return np.asarray(A + 1j * omega * parts["C"] if "C" in parts else A)
