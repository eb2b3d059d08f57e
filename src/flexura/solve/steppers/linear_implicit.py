"""Implicit steps of large sparse systems: one factorization for all steps of one length.

The trapezoidal rule keeps the energy of an undamped system and closes the ledger exactly: over a step
E1 - E0 = h v'(load) - h v' D v with v and load averaged. Generalized-alpha (Chung, Hulbert 1993) damps what the step
cannot follow; `radius` is its spectral radius at infinite frequency (1 keeps energy, 0 removes the fastest at once).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.steppers.linear_exact import Motion
from flexura.solve.steppers.linear_inputs import Signals
from flexura.systems.factor import Factor, factorize
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[np.float64]
# a step errs by (beta - 1/6) h^2 (a1 - a0) in displacement; what it errs by in the rate moves a vibration as far again
_BASIS = "Errors of single steps, (beta - 1/6) h^2 times the change of acceleration, added up without their signs"


def implicit_steps(
    system: SecondOrderSystem,
    t: Array,
    x0: Array,
    v0: Array,
    signals: Signals,
    *,
    radius: float = 1.0,
    step: float | None = None,
) -> Motion:
    """Step from point to point of t, each interval cut into equal steps no longer than `step`."""
    n, C, K = system.n, system.rates, system.displacements
    scheme = _Scheme(system, radius)
    x, v = x0, v0
    u = signals.at(t[:1])[0]
    a = _start(system, signals.B @ u - K @ x - (0 if C is None else C @ v), x0)
    shape = (len(t), n)
    X, V, A = np.empty(shape), np.empty(shape), np.empty(shape)
    X[0], V[0], A[0] = x, v, a
    dissipated, supplied = np.zeros(len(t)), np.zeros(len(t))
    drift, longest, missed = 0.0, 0.0, np.zeros(n)
    for i in range(1, len(t)):
        cuts = 1 if step is None else max(1, int(np.ceil((t[i] - t[i - 1]) / step * (1 - 1e-9))))
        times = np.linspace(t[i - 1], t[i], cuts + 1)
        loads, lost, gained = signals.at(times), 0.0, 0.0
        for j in range(cuts):
            new = scheme.step((t[i] - t[i - 1]) / cuts, x, v, a, signals.B @ loads[j], signals.B @ loads[j + 1])
            lost += 0.0 if system.D is None else float((new[0] - x) @ (system.D @ (v + new[1]))) / 2
            gained += float((new[0] - x) @ (signals.B @ (loads[j] + loads[j + 1]))) / 2
            gained -= 0.0 if system.H is None else float((new[0] - x) @ (system.H @ (x + new[0]))) / 2
            h = (t[i] - t[i - 1]) / cuts
            drift, longest = drift + h * h / 12 * float(np.linalg.norm(new[2] - a)), max(longest, h)
            missed += h * h * np.abs(new[2] - a)
            x, v, a = new
        X[i], V[i], A[i] = x, v, a
        dissipated[i], supplied[i] = dissipated[i - 1] + lost, supplied[i - 1] + gained
    notes = [] if radius == 1 else [f"Generalized-alpha with radius {radius:g} takes energy out of fast motion."]
    notes += [*_stepped_over(signals, t, step), *_too_long(drift, longest, X)]
    errors = np.minimum(2 * (scheme.beta - 1 / 6) * missed, np.ptp(X, axis=0))
    return Motion(X, V, A, dissipated, supplied, tuple(notes), errors, _BASIS)


def _stepped_over(signals: Signals, t: Array, step: float | None) -> tuple[str, ...]:
    """A note where an input jumps inside a step, or has features that are shorter than the steps."""
    cuts = [1 if step is None else max(1, math.ceil(h / step * (1 - 1e-9))) for h in np.diff(t)]
    grid = np.concatenate(
        [*(np.linspace(a, b, n, endpoint=False) for a, b, n in zip(t, t[1:], cuts, strict=False)), t[-1:]]
    )
    breaks = np.array([x for x in signals.breaks if np.abs(grid - x).min() > 1e-12 * max(abs(x), 1.0)])
    jumps = np.diff(np.searchsorted(breaks, grid)) > 0
    missed = np.flatnonzero(jumps | signals.scales.crowded(grid[:-1], grid[1:]))
    if not len(missed):
        return ()
    h = float(np.diff(grid)[missed].max())
    shortest = min([h, signals.scales.shortest, *np.diff(signals.breaks)]) / 16
    return (
        f"An input jumps or changes faster than the steps follow it: from t = {grid[missed[0]]:.6g} on they are {h:.3g}"
        f" long; give step={shortest:.2g}, and points of t where it jumps.",
    )


def _too_long(drift: float, step: float, X: Array) -> tuple[str, ...]:
    """A note where the local errors h^2/12 |a1 - a0| (displacement, trapezoidal rule) add up to something."""
    size = float(np.sqrt(np.einsum("ij,ij->i", X, X).max(initial=0.0)))
    share = drift / size if size else 0.0
    if share < 1e-3:
        return ()
    return (
        f"Steps of {step:.3g} may be too long: their errors add up to {share:.1g} of the largest displacement; give"
        " step= for shorter ones.",
    )


def _start(system: SecondOrderSystem, force: Array, like: Array) -> Array:
    """M a = force; a mass matrix that does not say is left to the first step."""
    if not force.any():
        return np.zeros_like(like)
    try:
        found = factorize(system.M, what="The mass matrix").solve(force)
    except FlexuraError:
        return np.zeros_like(like)
    return found if np.all(np.isfinite(found)) else np.zeros_like(like)


class _Scheme:
    """Generalized-alpha; radius 1 with equal weights is the trapezoidal rule."""

    def __init__(self, system: SecondOrderSystem, radius: float) -> None:
        self.system = system
        trapezoidal = radius == 1
        self.mass = 0.0 if trapezoidal else (2 * radius - 1) / (radius + 1)
        self.stiffness = 0.0 if trapezoidal else radius / (radius + 1)
        self.gamma = 0.5 - self.mass + self.stiffness
        self.beta = (1 - self.mass + self.stiffness) ** 2 / 4
        self.factors: dict[str, tuple[float, Factor]] = {}

    def step(self, h: float, x: Array, v: Array, a: Array, load: Array, next_load: Array) -> tuple[Array, Array, Array]:
        """One step; the unknown is the acceleration at its end."""
        mass, stiffness, gamma, beta = self.mass, self.stiffness, self.gamma, self.beta
        h, factor = self._factor(h)
        M, C, K = self.system.M, self.system.rates, self.system.displacements
        x_free = x + h * v + h * h * (0.5 - beta) * a
        v_free = v + h * (1 - gamma) * a
        x_mid, v_mid = (1 - stiffness) * x_free + stiffness * x, (1 - stiffness) * v_free + stiffness * v
        right: Any = (1 - stiffness) * next_load + stiffness * load - mass * (M @ a) - K @ x_mid
        right = right if C is None else right - C @ v_mid
        new = factor.solve(right)
        return x_free + h * h * beta * new, v_free + h * gamma * new, new

    def _factor(self, h: float) -> tuple[float, Factor]:
        """The factors for a step of this length; lengths that differ by round-off share them, and the first length."""
        key = f"{h:.9g}"
        if key not in self.factors:
            M, C, K, weight = self.system.M, self.system.rates, self.system.displacements, 1 - self.stiffness
            total = (1 - self.mass) * M + weight * self.beta * h * h * K
            total = total if C is None else total + weight * self.gamma * h * C
            made = factorize(total, what="The matrix of a time step", symmetric=self.system.symmetric)
            self.factors[key] = h, made
        return self.factors[key]
