"""The view of control: what a smooth input does to the structure, and its first correction (theory, section 5).

>>> answer = fx.smooth_response(system, F, [0, 0, 3.0, -1.0])      # F(t) = (3 t^2 - t^3) F
>>> answer.deformation(t), answer.position(t)
>>> H = fx.first_correction(system, F)
>>> H(1j*omega), H.delay
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.errors import FlexuraError
from flexura.structures.operating.inverse import mass_metric_inverse
from flexura.structures.operating.krylov import loads_of, raw_modes
from flexura.systems.second_order import SecondOrderSystem, real_stiffness, required

Array = NDArray[np.float64]


@checked_methods
@dataclass(frozen=True, eq=False)
class SmoothResponse:
    """x(t) = sum over n of (-1)^n a^(2n)(t) (K+ M)^n x_0, with the rigid motion beside it; exact for a polynomial a."""

    a: Polynomial
    terms: Array
    """x_0, - K+M x_0, ...: the deformations that go with a, a'', a'''', ..."""
    push: Array
    Q: Array

    def deformation(self, t: Any, derivative: int = 0) -> Array:
        """The particular deformation at t: (n,), or (times, n)."""
        weights = [
            self.a.deriv(2 * n + derivative)(np.asarray(t, dtype=np.float64)) for n in range(self.terms.shape[1])
        ]
        return np.asarray(np.stack(np.broadcast_arrays(*weights), axis=-1) @ self.terms.T)

    def position(self, t: Any, derivative: int = 0) -> Array:
        """Deformation and rigid motion, which starts from rest at t = 0."""
        rigid = self.a.integ(2).deriv(derivative) if derivative else self.a.integ(2)
        travelled = rigid(np.asarray(t, dtype=np.float64))
        return np.asarray(self.deformation(t, derivative) + np.multiply.outer(travelled, self.Q @ self.push))


def smooth_response(system: SecondOrderSystem, F: Any, coefficients: Any) -> SmoothResponse:
    """The particular solution for F(t) = (c_0 + c_1 t + c_2 t^2 + ...) F without damping."""
    system = required(system)
    real_stiffness(system, "a response in time")
    if not system.conservative:
        raise FlexuraError(
            "The series of a smooth input is for undamped systems", advice="leave D, G and H out, or simulate"
        )
    a = coefficients if isinstance(coefficients, Polynomial) else Polynomial(np.asarray(coefficients, dtype=np.float64))
    load = loads_of(system, F)[:, 0]
    count = a.degree() // 2 + 1
    signs = (-1.0) ** np.arange(count)
    Q = mass_metric_inverse(system).rigid.Q
    return SmoothResponse(a.convert(), raw_modes(system, load, count) * signs, Q.T @ load, Q)


@checked_methods
@dataclass(frozen=True)
class FirstCorrection:
    """beta/alpha = H(s) = - (m s^2 + d s)/(m s^2 + d s + k): how the deformation lags behind its static value."""

    m: float
    d: float
    k: float

    def __call__(self, s: Any) -> Any:
        """H(s)."""
        s = np.asarray(s)
        inertia = self.m * s * s + self.d * s
        return -inertia / (inertia + self.k)

    @property
    def delay(self) -> float:
        """m/k, the low-frequency measure of lag, in s^2."""
        return self.m / self.k

    @property
    def frequency(self) -> float:
        """sqrt(k/m): where the parallel deformation resonates."""
        return float(np.sqrt(self.k / self.m))


def first_correction(system: SecondOrderSystem, F: Any) -> FirstCorrection:
    """m = x'Mx, d = x'Dx, k = x'Kx of the static deformation x = K+ F."""
    system = required(system)
    real_stiffness(system, "a response in time")
    load = loads_of(system, F)[:, 0]
    inverse = mass_metric_inverse(system)
    x, deforming = inverse(load), inverse.split(load)[1]
    k = float(x @ deforming)
    if not k > 1e-14 * float(np.abs(x) @ np.abs(load)):
        raise FlexuraError("The load moves the structure without deforming it, so there is nothing to correct.")
    return FirstCorrection(float(x @ (system.M @ x)), 0.0 if system.D is None else float(x @ (system.D @ x)), k)
