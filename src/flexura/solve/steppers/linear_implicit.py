"""Implicit steps of large sparse systems: one factorization for all steps of one length.

The trapezoidal rule keeps the energy of an undamped system and closes the energy balance exactly: over a step
E1 - E0 = h v'(load) - h v' D v with v and load averaged. Generalized-alpha (Chung, Hulbert 1993) damps what the step
cannot follow; `radius` is its spectral radius at infinite frequency (1 keeps energy, 0 removes the fastest at once).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.steppers.generalized_alpha import TRAPEZOIDAL, Parameters
from flexura.solve.steppers.linear_exact import LinearMotion
from flexura.solve.steppers.linear_inputs import Signals
from flexura.solve.steppers.varying import AlphaStepper, MatricesAt
from flexura.systems.deadline import out_of_time
from flexura.systems.factor import factorize
from flexura.systems.second_order import SecondOrderSystem

Array = NDArray[np.float64]
_SAME = 1e-12  # of the run: times that near are one
_JUMPS = 1e-6  # of a load, by which it jumps between two intervals
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
) -> LinearMotion:
    """Step from point to point of t and through the breaks of inputs, each interval cut into equal steps.

    They are no longer than `step`. Where time is up the motion ends early, and says so.
    """
    points = _points(t, signals.breaks)
    run = _Run(system, signals, radius, t, x0, v0)
    message = ""
    for i in range(1, len(points)):
        run.interval(points[i - 1], points[i], step)
        if points[i] == t[run.row + 1]:
            run.keep()
            message = out_of_time(points[i]) if i < len(points) - 1 else ""
            if message:
                break
    done = run.row + 1
    X, V, A, energies = run.X[:done], run.V[:done], run.A[:done], run.energies[:, :done]
    notes = [] if radius == 1 else [f"Generalized-alpha with radius {radius:g} takes energy out of fast motion."]
    notes += [*_stepped_over(signals, points, step), *_too_long(run.drift, run.longest, X)]
    errors = np.minimum(2 * (run.scheme.method.beta - 1 / 6) * run.missed, np.ptp(X, axis=0))
    return LinearMotion(X, V, A, energies[0], energies[1], tuple(notes), errors, _BASIS, message)


def _points(t: Array, breaks: tuple[float, ...]) -> Array:
    """The times t and all breaks between them that are none of them."""
    inside = np.array([one for one in breaks if t[0] < one < t[-1]])
    if not len(inside):
        return t
    right = np.clip(np.searchsorted(t, inside), 1, len(t) - 1)
    apart = np.minimum(np.abs(inside - t[right - 1]), np.abs(t[right] - inside))
    return np.union1d(t, inside[apart > _SAME * (t[-1] - t[0])])


class _Run:
    """One run while it happens: the state, what is kept at the points of t, and what single steps err by."""

    def __init__(self, system: SecondOrderSystem, signals: Signals, radius: float, t: Array, x: Array, v: Array):
        self.system, self.signals = system, signals
        self.scheme = AlphaStepper(TRAPEZOIDAL if radius == 1 else Parameters.of(radius), self._factorized)
        self.still = MatricesAt(system.M, system.D, system.G, system.K, system.H, np.zeros(system.n))
        self.x, self.v, self.a, self.row = x, v, np.zeros_like(x), 0
        self.X, self.V, self.A = (np.empty((len(t), system.n)) for _ in range(3))
        self.energies, self.spent = np.zeros((2, len(t))), np.zeros(2)  # dissipated and supplied
        self.drift, self.longest, self.missed = 0.0, 0.0, np.zeros(system.n)
        self._accelerate(signals.at(t[:1])[0])
        self.X[0], self.V[0], self.A[0] = self.x, self.v, self.a

    def _factorized(self, A: Any) -> Callable[[Array], Array]:
        return factorize(A, what="The matrix of a time step", symmetric=self.system.symmetric).solve

    def _accelerate(self, u: Array) -> None:
        self.load = self.signals.B @ u
        force = self.load - self.still.restoring(self.x) - self.still.rate(self.v)
        found = self._over_mass(force) if force.any() else np.zeros_like(self.x)
        self.a = found if np.all(np.isfinite(found)) else np.zeros_like(self.x)

    @cached_property
    def _over_mass(self) -> Callable[[Array], Array]:
        """a of M a = force; a mass matrix that does not say is left to the next step."""
        try:
            return factorize(self.system.M, what="The mass matrix").solve
        except FlexuraError:
            return np.zeros_like

    def keep(self) -> None:
        """The state belongs to the next point of t."""
        self.row += 1
        self.X[self.row], self.V[self.row], self.A[self.row] = self.x, self.v, self.a
        self.energies[:, self.row] = self.spent

    def interval(self, start: float, end: float, step: float | None) -> None:
        """From one point to the next, over which no input jumps."""
        cuts = 1 if step is None else max(1, int(np.ceil((end - start) / step * (1 - 1e-9))))
        times = np.array([start, end]) if cuts == 1 else np.linspace(start, end, cuts + 1)
        h = (end - start) / cuts
        if self.signals.breaks:  # at a jump, the value from inside
            slack = 8 * np.spacing(max(abs(start), abs(end)))
            times[0], times[-1] = start + slack, end - slack
        loads = (self.signals.B @ self.signals.at(times).T).T
        if np.abs(loads[0] - self.load).max(initial=0.0) > _JUMPS * np.abs(loads[0]).max(initial=0.0):
            self._accelerate(self.signals.at(times[:1])[0])
        for before, after in pairwise(loads):
            self._step(h, before, after)
        self.load = loads[-1]

    def _step(self, h: float, before: Array, after: Array) -> None:
        system, (x, v, a) = self.system, (self.x, self.v, self.a)
        between = (1 - self.scheme.method.alpha_f) * after + self.scheme.method.alpha_f * before
        x1, v1, a1 = self.scheme.step(replace(self.still, f=between), h, x, v, a)
        self.spent[0] += 0.0 if system.D is None else float((x1 - x) @ (system.D @ (v + v1))) / 2
        self.spent[1] += float((x1 - x) @ (before + after)) / 2
        self.spent[1] -= 0.0 if system.H is None else float((x1 - x) @ (system.H @ (x + x1))) / 2
        self.drift += h * h / 12 * float(np.linalg.norm(a1 - a))
        self.longest = max(self.longest, h)
        self.missed += h * h * np.abs(a1 - a)
        self.x, self.v, self.a = x1, v1, a1


def _stepped_over(signals: Signals, t: Array, step: float | None) -> tuple[str, ...]:
    """A note where an input has features that are shorter than the steps; where it jumps, steps end."""
    grid = t
    if step is not None:
        cuts = [max(1, math.ceil(h / step * (1 - 1e-9))) for h in np.diff(t)]
        pieces = [np.linspace(a, b, n, endpoint=False) for a, b, n in zip(t, t[1:], cuts, strict=False)]
        grid = np.concatenate([*pieces, t[-1:]])
    missed = np.flatnonzero(signals.scales.crowded(grid[:-1], grid[1:]))
    if not len(missed):
        return ()
    h = float(np.diff(grid)[missed].max())
    shortest = min(h, signals.scales.shortest) / 16
    return (
        f"An input changes faster than the steps follow it: from t = {grid[missed[0]]:.6g} on they are {h:.3g} long;"
        f" give step={shortest:.2g}.",
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
