"""Linear systems whose matrices change with time: M x'' + (D + G) x' + (K + H) x = f(t), each a function of time.

Generalized-alpha (Chung, Hulbert 1993), with one factorization kept as long as it serves: where the matrices have moved
on since it was made, a step repeats its correction until the equations of the step hold, and asks for a new
factorization when that takes long. `frozen` keeps the matrices constant from one output time to the next ([E],
conclusions). Runs with half the step show the error, and together they give a better answer (Romberg).

>>> motion = varying_motion(problem, t, x0, v0)
>>> motion.x, motion.error, motion.steps
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import scipy.linalg
import scipy.sparse as sparse
from numpy.typing import NDArray
from scipy.linalg.lapack import dgetrs
from scipy.sparse.linalg import splu

from flexura.errors import FlexuraError
from flexura.solve.steppers.generalized_alpha import Parameters
from flexura.systems.deadline import out_of_time

Array = NDArray[np.float64]

_CORRECTIONS = 6
"""How many corrections a step takes before the matrices are factored again."""
_EXACT = 1e-11
"""A step's equations hold when their residual is this part of the forces in them."""
_HISTORIES = ("x", "v", "a", "kinetic", "potential", "dissipated", "supplied")
_SINGULAR = "The mass matrix or a step's matrix is singular"
_INERTIA = "give every free motion some inertia"


@dataclass(frozen=True)
class MatricesAt:
    """The matrices and the load at one time; D, G and H may be None."""

    M: Any
    D: Any
    G: Any
    K: Any
    H: Any
    f: Array
    skew: bool = True
    """Whether G is skew, so that it does no work."""

    @property
    def rates(self) -> Any:
        """D + G, or None."""
        return _sum(self.D, self.G)

    @property
    def displacements(self) -> Any:
        """K + H."""
        return _sum(self.K, self.H)

    def rate(self, v: Array) -> Array:
        """(D + G) v."""
        if self.D is None or self.G is None:
            return np.asarray(_times(self.G if self.D is None else self.D, v))
        return np.asarray(self.D @ v + self.G @ v)

    def restoring(self, x: Array) -> Array:
        """(K + H) x."""
        return np.asarray(self.K @ x if self.H is None else self.K @ x + self.H @ x)

    def effective(self, m: float, c: float, k: float) -> Any:
        """m M + c (D + G) + k (K + H)."""
        total = m * self.M + k * self.K
        for weight, one in ((c, self.D), (c, self.G), (k, self.H)):
            if one is not None:
                total = total + weight * one
        return total


class Varying(Protocol):
    """What is stepped. While its matrices stay the same objects, one factorization serves."""

    @property
    def n(self) -> int:
        """How many unknowns there are."""

    def matrices(self, t: float) -> MatricesAt:
        """The matrices at t, and the load that goes with them."""

    def external(self, t: float) -> Array:
        """The load from outside at t."""


@dataclass(frozen=True)
class VaryingMotion:
    """x, v, a (times, n), the energy balance's entries, the estimated error, and how it was found."""

    x: Array
    v: Array
    a: Array
    kinetic: Array
    potential: Array
    dissipated: Array
    supplied: Array
    error: float = np.nan
    steps: int = 0
    factorizations: int = 0
    solves: int = 0
    complete: bool = True
    message: str = ""  # why it ends early, if it is known


def varying_motion(
    problem: Varying,
    t: Array,
    x0: Array,
    v0: Array,
    *,
    frozen: bool = False,
    step: float | None = None,
    tolerance: float = 1e-4,
    radius: float = 1.0,
    groups: NDArray[np.intp] | None = None,
    most: int = 1024,
    through: Array | None = None,
) -> VaryingMotion:
    """The motion at the times t. With `step`, steps no longer than it; else steps are halved until runs agree.

    Runs are improved by Romberg's table, and agree when the last improvements differ by less than `tolerance` of the
    largest displacement in the same group (`groups` (n,): translations and rotations have different units). Steps
    also end at the times `through`, which hold those of t: where loads jump, and close enough to step over nothing.
    """
    points = t if through is None else through
    kept = np.searchsorted(points, t)
    middles = ((t[:-1] + t[1:]) / 2)[np.searchsorted(t, points[:-1], side="right") - 1] if frozen else None
    if step is not None:
        cuts = np.maximum(1, np.ceil(np.diff(points) / step * (1 - 1e-9)).astype(int))
        return _only(_run(problem, points, x0, v0, cuts, middles, radius), kept)
    groups = np.zeros(problem.n, dtype=np.intp) if groups is None else groups
    cuts = np.ones(len(points) - 1, dtype=int)
    row = [_run(problem, points, x0, v0, cuts, middles, radius)]
    spent, error = row[0].steps, np.inf
    while not row[0].message:
        cuts = 2 * cuts
        fine = _run(problem, points, x0, v0, cuts, middles, radius)
        spent += fine.steps
        if fine.message:  # time is up: what the steps before came to, as far as that is known
            return _only(replace(row[-1], error=error, steps=spent, message=fine.message, complete=False), kept)
        if not (fine.complete and row[0].complete):
            return _only(replace(fine, error=np.inf, steps=spent), kept)
        row, last = _romberg(row, fine, 1 if radius < 1 else 4), row
        errors = [_difference(one.x, row[-1].x, groups) for one in (*row[:-1][-1:], last[-1])]
        error = min(errors)
        if error <= tolerance or 2 * cuts[0] > most:
            found = replace(row[-1], error=error, steps=spent, factorizations=fine.factorizations)
            return _only(found, kept)
    return _only(replace(row[0], error=np.inf), kept)


def _only(motion: VaryingMotion, kept: NDArray[np.intp]) -> VaryingMotion:
    """The motion at the times that were asked for, as far as it came."""
    at = kept[kept < len(motion.x)]
    return replace(motion, **{name: getattr(motion, name)[at] for name in _HISTORIES})


def _romberg(row: list[VaryingMotion], fine: VaryingMotion, columns: int) -> list[VaryingMotion]:
    """The next row of Romberg's table: the error of a symmetric step goes with h^2, then h^4, ..."""
    new = [fine]
    for k, coarse in enumerate(row[:columns], start=1):
        better = {name: (4**k * getattr(new[-1], name) - getattr(coarse, name)) / (4**k - 1) for name in _HISTORIES}
        new.append(replace(fine, **better))
    return new


def _difference(better: Array, fine: Array, groups: NDArray[np.intp]) -> float:
    error = 0.0
    for group in np.unique(groups):
        of = groups == group
        largest = np.abs(better[:, of]).max(initial=0.0)
        if largest > 0:
            error = max(error, float(np.abs(better[:, of] - fine[:, of]).max() / largest))
    return error


# -- one run -----------------------------------------------------------------------------------------------------------


class AlphaStepper:
    """Generalized-alpha steps of linear systems, with factorizations that are kept while they serve.

    The equations hold between the ends of a step, at the average by alpha_f. While the matrices stay the same objects
    this is, number for number, what `generalized_alpha.py` does: there the equations hold at the ends, and so does
    their average; its inner acceleration is the one here.
    """

    def __init__(self, method: Parameters, factorize: Callable[[Any], Callable[[Array], Array]] | None = None) -> None:
        self.method, self.factorize = method, factorize or solver
        self.factorizations = self.solves = 0
        self._kept: dict[str, tuple[float, Any, Callable[[Array], Array]]] = {}  # by the length of the step

    def step(self, now: MatricesAt, h: float, x: Array, v: Array, a: Array) -> tuple[Array, Array, Array]:
        """One step of length h with the matrices `now`, the load in them that of the average."""
        am, af, beta, gamma = self.method.alpha_m, self.method.alpha_f, self.method.beta, self.method.gamma
        h, made_of, solve = self._factors(now, h)
        exact = made_of is now.K
        new, solved = a.copy(), False
        for trial in range(200):
            x1 = x + h * v + h * h * ((0.5 - beta) * a + beta * new)
            v1 = v + h * ((1 - gamma) * a + gamma * new)
            if solved:
                return x1, v1, new
            inertia = now.M @ ((1 - am) * new + am * a)
            rate, restoring = now.rate((1 - af) * v1 + af * v), now.restoring((1 - af) * x1 + af * x)
            residual = now.f - inertia - rate - restoring
            if trial and (_small(residual, now.f, inertia, rate, restoring) or _rounding(residual, now.K, x1)):
                return x1, v1, new
            if trial == _CORRECTIONS:
                self._kept.clear()
                h, _, solve = self._factors(now, h)  # start over, should the corrections have grown
                exact, new = True, a.copy()
                continue
            new, solved = new + solve(residual), exact
            self.solves += 1
        raise FlexuraError("A step did not come to an end", advice="give a smaller step")

    def _factors(self, now: MatricesAt, h: float) -> tuple[float, Any, Callable[[Array], Array]]:
        """Those for this length of step, and the K that they are of; lengths that differ by round-off are the first.

        Of matrices that do not change they are kept for every length, of others for the last one.
        """
        key = f"{h:.9g}"
        if key not in self._kept:
            if any(one[1] is not now.K for one in self._kept.values()):
                self._kept.clear()
            p, weight = self.method, 1 - self.method.alpha_f
            A = now.effective(1 - p.alpha_m, weight * p.gamma * h, weight * p.beta * h * h)
            self._kept[key] = h, now.K, self.factorize(A)
            self.factorizations += 1
        return self._kept[key]


def _small(residual: Array, *forces: Array) -> bool:
    scale = max(float(np.abs(one).max(initial=0.0)) for one in forces)
    return float(np.abs(residual).max(initial=0.0)) <= _EXACT * scale


def _rounding(residual: Array, K: Any, x: Array) -> bool:
    """Whether the residual is what rounding leaves of K x: short elements are stiff, and their forces cancel."""
    entries = K.data if sparse.issparse(K) else K
    largest = max(float(entries.max(initial=0.0)), -float(entries.min(initial=0.0)))
    floor = np.finfo(np.float64).eps * largest * float(np.abs(x).max(initial=0.0))
    return bool(np.abs(residual).max(initial=0.0) <= floor)


def _run(
    problem: Varying, t: Array, x: Array, v: Array, cuts: NDArray[np.int_], middles: Array | None, radius: float
) -> VaryingMotion:
    """With the matrices of every time, or with those of `middles`, a time for each interval."""
    if not 0 <= radius <= 1:
        raise FlexuraError(f"radius is {radius!r}", advice="give a number from 0 to 1")
    stepper, n = AlphaStepper(Parameters.of(radius)), problem.n
    X, V, A = (np.zeros((len(t), n)) for _ in range(3))
    energies = np.zeros((4, len(t)))
    here = _loaded(problem, t[0])
    accelerate = _accelerations()
    a = accelerate(here, x, v)
    X[0], V[0], A[0], energies[:, 0] = x, v, a, _energies(here, x, v, 0.0, 0.0)
    lost = gained = 0.0
    done, message = 1, ""
    for i in range(1, len(t)):
        last, h = here, (t[i] - t[i - 1]) / cuts[i - 1]
        middle = None if middles is None else problem.matrices(float(middles[i - 1]))
        for j in range(cuts[i - 1]):
            when = t[i - 1] + (j + 1 - stepper.method.alpha_f) * h
            now = _loaded(problem, when, middle)
            gained += _parametric(last, now, x, v)
            x1, v1, a = stepper.step(now, h, x, v, a)
            moved, between = x1 - x, (x1 + x) / 2
            lost += float(moved @ _times(now.D, (v1 + v) / 2))
            gained += float(moved @ (now.f - _times(now.H, between)))
            gained -= 0.0 if now.skew else float(moved @ _times(now.G, (v1 + v) / 2))
            x, v, last = x1, v1, now
        here = _loaded(problem, t[i])
        gained += _parametric(last, here, x, v)
        X[i], V[i], A[i], energies[:, i] = x, v, accelerate(here, x, v), _energies(here, x, v, lost, gained)
        done = i + 1
        message = out_of_time(float(t[i])) if done < len(t) else ""
        if message or not (np.all(np.isfinite(x)) and np.abs(x).max(initial=0.0) < 1e100):
            break
    return VaryingMotion(
        X[:done],
        V[:done],
        A[:done],
        energies[0, :done],
        energies[1, :done],
        energies[2, :done],
        energies[3, :done],
        steps=int(cuts[: done - 1].sum()),
        complete=done == len(t),
        factorizations=stepper.factorizations,
        solves=stepper.solves,
        message=message,
    )


def _loaded(problem: Varying, t: float, frozen: MatricesAt | None = None) -> MatricesAt:
    held = problem.matrices(t) if frozen is None else frozen
    return replace(held, f=held.f + problem.external(t))


def _parametric(last: MatricesAt, now: MatricesAt, x: Array, v: Array) -> float:
    """What a change of the matrices gives: x'(K_now - K_last)x/2 + v'(M_now - M_last)v/2."""
    work = 0.0
    if now.K is not last.K:
        work += float(x @ (now.K @ x) - x @ (last.K @ x)) / 2
    if now.M is not last.M:
        work += float(v @ (now.M @ v) - v @ (last.M @ v)) / 2
    return work


def _energies(here: MatricesAt, x: Array, v: Array, lost: float, gained: float) -> tuple[float, float, float, float]:
    return float(v @ (here.M @ v)) / 2, float(x @ (here.K @ x)) / 2, lost, gained


def _accelerations() -> Callable[[MatricesAt, Array, Array], Array]:
    """M a = f - (D + G) v - (K + H) x; one factorization while M stays the same object."""
    known: dict[str, Any] = {}

    def accelerate(here: MatricesAt, x: Array, v: Array) -> Array:
        if known.get("M") is not here.M:
            known["M"], known["solve"] = here.M, solver(here.M)
        return np.asarray(known["solve"](here.f - here.rate(v) - here.restoring(x)))

    return accelerate


def solver(A: Any) -> Callable[[Array], Array]:
    """A factorization of a dense or sparse matrix, as a function of the right-hand side."""
    if not sparse.issparse(A):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", scipy.linalg.LinAlgWarning)
            factors = scipy.linalg.lu_factor(A, check_finite=False)
        if not np.abs(factors[0].diagonal()).min() > 0:
            raise FlexuraError(_SINGULAR, advice=_INERTIA)
        return lambda b: np.asarray(dgetrs(*factors, b)[0])
    try:
        made = splu(A.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.01, options={"SymmetricMode": True})
    except RuntimeError:
        raise FlexuraError(_SINGULAR, advice=_INERTIA) from None
    return lambda b: np.asarray(made.solve(b))


def _sum(first: Any, second: Any) -> Any:
    if first is None or second is None:
        return second if first is None else first
    return first + second


def _times(matrix: Any, vector: Array) -> Any:
    return 0 * vector if matrix is None else matrix @ vector
