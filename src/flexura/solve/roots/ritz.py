"""Modes by Ritz: the discretised matrices solved, and refined until the frequencies stay.

>>> fx.modes(equations, 8, method="ritz")                  # refined until they agree to 1e-10
>>> fx.modes(equations, 8, method="ritz", order=3, elements=20)        # Hermite elements, as they are
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import scipy.linalg
from numpy.typing import NDArray

from flexura.arguments import Numbers, checked_methods
from flexura.derivation.equations.equations import Equations
from flexura.discretisation.balanced import balanced
from flexura.discretisation.damped import damped
from flexura.discretisation.eigen import undamped
from flexura.discretisation.linear import LinearDiscrete
from flexura.errors import FlexuraError
from flexura.solve.discretise import linear_matrices, motion_system
from flexura.solve.exact.kernels import Settled, settle
from flexura.solve.exact.reading import read_linear
from flexura.solve.exact.shapes import Shape
from flexura.solve.roots.found import Modes, ModesCertificate, zero_modes
from flexura.solve.values import numbers
from flexura.systems.inertia import rank
from flexura.systems.nonlinear import FieldMap

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
AGREEMENT = 1e-10
ROUGH = 1e-8
_ORDERS = range(8, 33, 4)
_DIGITS = 4e-15
_MOST = 600  # unknowns: what does not settle with so many takes minutes to settle, if it does
_MODES_IN_ELEMENT = 4  # with degree 20, the fourth mode of an element is exact to rounding


@checked_methods
@dataclass(frozen=True, eq=False)
class RitzFieldShape:
    """A field along its line: call it with x, a number or an array; `derivative` counts derivatives along x."""

    name: str
    field: FieldMap
    amplitudes: NDArray[Any]

    @property
    def span(self) -> tuple[float, float]:
        """Where the line starts and ends."""
        return self.field.start, self.field.end

    def __call__(self, x: Numbers, derivative: int = 0) -> Any:
        """The field, or a derivative of it, at x."""
        if derivative < 0:
            raise FlexuraError(
                f"derivative is {derivative}", advice="give how often to differentiate along x, 0 for the field"
            )
        at = np.asarray(x, dtype=np.float64)
        if not at.size:
            return np.zeros(at.shape, dtype=self.amplitudes.dtype)
        slack = 1e-9 * (self.field.end - self.field.start)
        if at.min() < self.field.start - slack or at.max() > self.field.end + slack:
            raise FlexuraError(
                f"The field {self.name} lives on x from {self.field.start:g} to {self.field.end:g}",
                advice="give x there",
            )
        return (self.field.matrix(at.ravel(), derivative) @ self.amplitudes).reshape(at.shape)[()]


@dataclass(frozen=True)
class _Solution:
    """Eigenvalues s with Im >= 0, their vectors over the unknowns, and what was solved."""

    s: Complex
    vectors: NDArray[Any]
    discrete: LinearDiscrete
    conservative: bool
    residual: float
    order: int
    elements: int
    zeros: tuple[int, int]  # motions without stiffness, and how often s = 0 is a root
    rounding: Array  # of each, relative: what the rounding of the matrices may do


def ritz_modes(
    equations: Equations,
    count: int,
    values: Mapping[str, Any] | None = None,
    near: complex | None = None,
    order: int | None = None,
    elements: int | None = None,
) -> Modes:
    """The first `count` modes of linear equations, or the eigenvalues nearest to `near`, from discretised energies.

    Without `elements` each line has one for every four modes asked for.
    """
    cut = max(1, -(-count // _MODES_IN_ELEMENT)) if elements is None else elements
    question = _RitzQuestion(equations, count, values, near, _settled(equations, values))
    if order is not None:
        return _modes(_solve(question, order, cut), question, None)
    found, moved = _refined(question, cut, elements is None)
    return _modes(found, question, moved)


def _refined(question: _RitzQuestion, cut: int, finer: bool) -> tuple[_Solution, Array]:
    """The first solution that agrees with the one before, or differs by rounding only, and how far each root moved.

    `finer`: elements may be halved. Where nothing settles before matrices are large, the last one is returned.
    """
    before, found, moved = None, None, np.full(1, np.inf)
    for elements in (cut, 2 * cut, 4 * cut, 8 * cut)[: 4 if finer else 1]:
        for degree in _ORDERS:
            if before is not None and found is not None and _unknowns(found, degree, elements) > _MOST:
                return found, moved
            before, found = found, _solve(question, degree, elements)
            if before is None:
                continue
            moved = _moved(before, found)
            if np.all(moved <= np.maximum(AGREEMENT, _allowed(before, found))):
                return found, moved
    assert found is not None
    return found, moved


@dataclass(frozen=True)
class _RitzQuestion:
    """What is asked, and what is known of motions without stiffness (None: nothing, and rounding decides)."""

    equations: Equations
    count: int
    values: Mapping[str, Any] | None
    near: complex | None
    settled: Settled | None

    @property
    def zeros(self) -> int | None:
        """How many motions have no stiffness, where no other can be zero."""
        known = self.settled is not None and self.settled.kernel.definite
        return self.settled.kernel.motions.shape[1] if known and self.settled is not None else None


def _settled(equations: Equations, values: Mapping[str, Any] | None) -> Settled | None:
    known = numbers(equations, values)
    try:
        system = read_linear(equations, known)
    except FlexuraError:  # what only Ritz can take
        return None
    return settle(system)


def _solve(question: _RitzQuestion, order: int, elements: int) -> _Solution:
    system = motion_system(question.equations, question.values, order, elements)
    discrete = linear_matrices(question.equations, system, question.values)
    one, N = discrete.system, discrete.independent
    kept = _kept(question.settled, discrete)
    M, K, displacements, N = one.M[kept][:, kept], one.K[kept][:, kept], one.displacements[kept][:, kept], N[:, kept]
    if one.conservative and question.near is None:
        found = undamped(M, K, question.zeros)
        pairs = [(s, k) for k, square in enumerate(found.squares) for s in _exponents(float(square))]
        pairs = sorted(pairs, key=lambda pair: abs(pair[0]))[: question.count]
        s = np.array([s for s, _ in pairs], dtype=np.complex128)
        zeros = int((found.squares == 0).sum())
        chosen = [k for _, k in pairs]
        rounding = found.rounding[chosen] / 2
        if len(chosen) < min(question.count, rank(M)):
            rounding = np.ones(len(chosen))  # the highest are below the rounding of the lowest
        vectors = N @ found.vectors[:, chosen]
        return _Solution(s, vectors, discrete, True, 0.0, order, elements, (zeros, 2 * zeros), rounding)
    rates = np.zeros(M.shape) if one.rates is None else one.rates[kept][:, kept]
    free = _motions(question, discrete, kept) if not discrete.multipliers else None
    states, names = question.equations.lagrangian.states, one.dofs or ()
    rows, columns = balanced(M, rates, displacements, [i for i, k in enumerate(kept) if names[k] in states])
    if states and discrete.whole_matrices is not None:
        rates, displacements = (matrix[kept][:, kept] for matrix in discrete.whole_matrices)
        M, rates, displacements = (matrix * rows[:, None] * columns for matrix in (M, rates, displacements))
        free = None if free is None else free / columns[:, None]
    roots = damped(M, rates, displacements, question.count, question.near, free, discrete.multipliers)
    shapes = N @ (columns[:, None] * roots.vectors)
    return _Solution(roots.s, shapes, discrete, False, roots.residual, order, elements, roots.zeros, roots.rounding)


def _kept(settled: Settled | None, discrete: LinearDiscrete) -> NDArray[np.int64]:
    """The unknowns without one for each idle motion, which is held."""
    n = discrete.system.n
    if settled is None or not settled.dropped.shape[1]:
        return np.arange(n)
    idle = np.zeros((discrete.whole.n, settled.dropped.shape[1]))
    for name, row in zip(settled.system.names, settled.dropped, strict=True):
        if name in discrete.whole.names:
            idle[discrete.whole.names.index(name)] = row
    own = np.linalg.lstsq(discrete.independent, idle, rcond=None)[0]
    held = scipy.linalg.qr(own.T, pivoting=True, mode="economic")[2][: own.shape[1]]
    return np.setdiff1d(np.arange(n), held)


def _motions(question: _RitzQuestion, discrete: LinearDiscrete, kept: NDArray[np.int64]) -> Array | None:
    """The motions without stiffness over the unknowns kept, from the rank of strains; None where they are not known.

    Scalars move as they do in exact modes, and amplitudes follow so that lines are not strained.
    """
    settled = question.settled
    if question.zeros is None or settled is None:
        return None
    dofs, K = discrete.system.dofs or (), discrete.system.K[kept][:, kept]
    names = [dofs[i] for i in kept]
    moved = dict(zip(settled.system.names, settled.system.independent @ settled.kernel.motions, strict=True))
    inside = np.array(["[" in name for name in names], dtype=bool)
    if any(name not in moved for name, one in zip(names, inside, strict=True) if not one):
        return None
    Z = np.array([moved.get(name, np.zeros(question.zeros)) for name in names]).reshape(len(names), question.zeros)
    if Z.size and inside.any():
        size = np.sqrt(np.abs(np.diagonal(K)[inside]))
        size[size == 0] = 1.0
        own, load = K[np.ix_(inside, inside)] / np.outer(size, size), K[np.ix_(inside, ~inside)] / size[:, None]
        Z[inside] = -np.linalg.lstsq(own, load @ Z[~inside], rcond=None)[0] / size[:, None]
    return Z


def _exponents(square: float) -> tuple[complex, ...]:
    root = float(np.sqrt(abs(square)))
    return (complex(0.0, root),) if square >= 0 else (complex(-root), complex(root))


def _unknowns(found: _Solution, degree: int, elements: int) -> float:
    """About how many there would be."""
    return found.discrete.system.n * degree * elements / (found.order * found.elements)


def _moved(before: _Solution, after: _Solution) -> Array:
    """The relative change of each root; infinite where their number changed."""
    if len(before.s) != len(after.s):
        return np.full(max(1, len(after.s)), np.inf)
    size = np.maximum(np.abs(after.s), 1e-300)
    still = np.maximum(np.abs(before.s), np.abs(after.s)) == 0
    return np.asarray(np.where(still, 0.0, np.abs(after.s - before.s) / size))


def _allowed(before: _Solution, after: _Solution) -> Array:
    """What of that change may be rounding: no degree would make it less."""
    return before.rounding + after.rounding if len(before.s) == len(after.s) else np.zeros(1)


def _modes(found: _Solution, question: _RitzQuestion, moved: Array | None) -> Modes:
    system, equations = found.discrete.whole, question.equations

    def shape(k: int) -> Shape:
        x = found.vectors[:, k]
        if not found.conservative:
            scalars = [i for i, name in enumerate(system.names) if "[" not in name and abs(x[i]) > 0]
            x = x / x[max(scalars or range(len(x)), key=lambda i: abs(x[i]))]
        coordinates = {name: x[system.names.index(name)].item() for name in equations.coordinates}
        fields = {name: RitzFieldShape(name, one, x) for name, one in system.fields.items()}
        return Shape(coordinates, cast(Any, fields))

    return Modes(found.s, _certificate(found, moved, question.settled), shape)


def _certificate(found: _Solution, moved: Array | None, settled: Settled | None) -> ModesCertificate:
    how = (
        f"Ritz with polynomials of degree {found.order} in {found.elements} element{'s' * (found.elements > 1)} a line"
    )
    last = float(np.abs(found.s).max(initial=0.0))
    below, upto = (int((np.abs(found.s) <= last * (1 + sign * 1e-9)).sum()) for sign in (-1, 1))
    refined, settles = _told(found, moved)
    text = f"{len(found.s)} modes by {how}; {refined}"
    rough = found.rounding.max(initial=0.0) > ROUGH
    text += f" {_rough(found)}" if rough else ""
    verified = moved is not None and settles and not rough
    unstable = int((found.s.real > 1e-12 * np.maximum(np.abs(found.s), 1e-300)).sum())
    if unstable:
        text += f" UNSTABLE: {unstable} of them grow."
    text += f" {zero_modes(*found.zeros)}" if found.zeros[0] and not np.all(found.s) else ""
    text += f" {settled.note}" if settled is not None and settled.note else ""
    errors = () if moved is None or len(moved) != len(found.s) else tuple(_errors(found, moved).tolist())
    return ModesCertificate(verified, below, upto, how, unstable, found.residual, text, errors)


def _errors(found: _Solution, moved: Array) -> Array:
    """Of each root: the last change holds what polynomials leave out, and the last digits are rounded in any case."""
    return np.where(found.s == 0, 0.0, np.maximum(np.maximum(moved, found.rounding), _DIGITS))


def _told(found: _Solution, moved: Array | None) -> tuple[str, bool]:
    """What refining came to, and whether it came to rest."""
    if moved is None:
        return "not refined, since order was given. Without damping the frequencies are upper bounds.", False
    change = float(moved.max(initial=0.0))
    if change <= AGREEMENT:
        return f"refined until they agree to {AGREEMENT:.0e} with the degree before (they moved by {change:.1e}).", True
    if len(moved) == len(found.s) and np.all(moved <= np.maximum(AGREEMENT, 2 * found.rounding)):
        worst = found.s[np.argmax(moved)]
        return (
            f"refined until rounding decides what still moves: s = {worst:.6g} moved by {change:.1e} of it, and"
            f" rounding of the matrices may move it by {found.rounding[np.argmax(moved)]:.1e}, whatever the degree."
        ), True
    return (
        f"NOT CONVERGED: they still moved by {change:.1e}, which is the estimate of their error. Give elements=, or use"
        " method='exact'."
    ), False


def _rough(found: _Solution) -> str:
    """Which root rounding may change the most, and by how much."""
    worst = int(np.argmax(found.rounding))
    advice = (
        "use method='exact', which keeps them apart"
        if found.conservative
        else "ask method='exact' too, which counts its roots"
    )
    return (
        f"ROUGH: stiffnesses differ so much that rounding of their sums alone may change a frequency by"
        f" {found.rounding[worst]:.0e} of it (s = {found.s[worst]:.6g}), and hide the highest; {advice}."
    )
