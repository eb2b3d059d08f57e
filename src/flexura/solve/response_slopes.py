"""Slopes of frequency responses from one solution: derivatives of the energies' coefficients, no discretisation more.

    >>> found = quick_slopes(equations, ["k"], values, points, loads, outputs, exact)
    >>> found.slopes["k"], found.missed                        # (frequencies, outputs, loads)

With Z x = F and y = r x, of polynomials inside members as fine as the exact response asks for: Z x_p = -Z_p x. A
parameter that also stands in a load, in what an output counts, or in the places of ends and bodies is left to others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.derivation.opened import opened
from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.solve.exact.asked import HarmonicLoad, Output, SectionOutput
from flexura.solve.exact.lines import LinearSystem
from flexura.solve.linear_answers import LinearAnswers
from flexura.solve.ritz_forms import RitzForms, fit, unknowns
from flexura.solve.slope_reader import SlopeReader
from flexura.solve.slopes import Sample
from flexura.solve.values import numbers
from flexura.symbolic.engine import partial
from flexura.symbolic.kinematics.vectors import dot
from flexura.symbolic.outputs import Motion
from flexura.symbolic.quantities import text_or_expression

Complex = NDArray[np.complex128]
Array = NDArray[np.float64]
_ORDERS = (8, 12, 16, 20)
_AGREES = 1e-10
_TOGETHER = 4_000_000  # numbers
_LARGEST = 500  # unknowns


@dataclass(frozen=True)
class QuickSlopes:
    """Slopes by those parameters that were in reach, and what the response misses of the exact one."""

    slopes: Mapping[str, Complex]
    missed: float


def quick_slopes(
    equations: Equations,
    names: Sequence[str],
    values: Mapping[str, Any] | None,
    points: Array,
    loads: Sequence[Any],
    outputs: Sequence[Any],
    exact: Complex,
) -> QuickSlopes:
    """Slopes by `names`, as many as are in reach; `exact` is the response, (frequencies, outputs, loads)."""
    answers = LinearAnswers(equations, values)
    named = [str(getattr(load, "name", load)) for load in loads]
    still = [answers.still(output) for output in outputs]
    seen = [_places(one, answers) for one, _ in still]
    energies = equations.lagrangian
    if energies.multiplier_fields or energies.origin is not None or None in seen:
        return QuickSlopes({}, 0.0)
    held = frozenset().union(*(one for one in seen if one is not None))
    held = held.union(*(_put_in(equations, one, answers) for one in named))
    tables: dict[str, list[Complex]] = {name: [] for name in names if name not in held}
    missed = 0.0
    for j, load in enumerate(named):
        found = _column(answers, load, still, tables, points, exact[:, :, j])
        if found is None:
            return QuickSlopes({}, 0.0)
        columns, off = found
        missed = max(missed, off)
        tables = {name: [*tables[name], columns[name]] for name in columns}
    return QuickSlopes({name: np.stack(one, axis=2) for name, one in tables.items()}, missed)


def _put_in(equations: Equations, load: str, answers: LinearAnswers) -> Mapping[str, Any]:
    """The parameters that linear equations hold as numbers only, because these were put in to find them."""
    energies = equations.lagrangian
    linear = opened(energies.of_small_motions, load).linear if load in answers.motions else energies.linear
    return {} if linear else answers.given


def _places(output: Any, answers: LinearAnswers) -> frozenset[str] | None:
    """The names of parameters in what an output counts and where it is; None for outputs of forces and others."""
    energies = answers.equations.lagrangian
    if isinstance(output, str):
        known = {*energies.coordinates, *energies.settled_boundary, *(jet.label for jet in energies.generalized)}
        return frozenset() if output in known else None
    if not isinstance(output, Motion):
        output = output[0] if isinstance(output, tuple) and len(output) == 2 else output
        return _at(output, energies) if hasattr(output, "position") else None
    ends = [_at(one, energies) for one in (output.place, output.relative_to) if one is not None]
    if energies.geometry is None or any(one is None for one in ends):
        return None
    return _counted(output, energies).union(*(one for one in ends if one is not None))


def _counted(output: Motion, energies: Lagrangian) -> frozenset[str]:
    """The names in what each motion counts for in an output: of a plain one in its part's position, else anywhere."""
    assert energies.geometry is not None
    parts = energies.geometry.parts
    trees = [f for one in parts for row in (one.position, *one.rotation) for f in row]
    place = output.place
    member = energies.members.get(place.member.name, ()) if hasattr(place, "member") else ()
    plain = bool(member) or (hasattr(place, "tensor") and not hasattr(place, "offset"))
    if plain and output.along is not None and output.relative_to is None:
        mine = [one for one in parts if (one.spine in member if member else one.name == place.name and not one.spine)]
        whole = [energies.followed(dot(one.position, output.along)) for one in mine]
        trees = [partial(f, jet.symbol) for f in whole for jet in energies.jets.inside(f)]
    return frozenset(symbol.name for f in trees for symbol in f.free_symbols)


def _at(place: Any, energies: Lagrangian) -> frozenset[str] | None:
    """The names in where a place is, on its part; at the ends of a member none. None where it is text."""
    if isinstance(place, str):
        return None
    given = [place.position] if hasattr(place, "member") else list(getattr(place, "offset", ()))
    trees = [one.engine if hasattr(one, "engine") else text_or_expression(one, what="a place").engine for one in given]
    if hasattr(place, "member"):
        spines = [energies.spine_of(one) for one in energies.members.get(place.member.name, ())]
        if spines and trees[0] in (spines[0].start, spines[-1].end):
            return frozenset()
    return frozenset(symbol.name for f in trees for symbol in f.free_symbols)


def _column(
    answers: LinearAnswers,
    load: str,
    outputs: Sequence[tuple[Any, int]],
    names: Iterable[str],
    points: Array,
    exact: Complex,
) -> tuple[dict[str, Complex], float] | None:
    """Slopes of all outputs by the load, (frequencies, outputs) each, and what polynomials miss; None if too much."""
    case = answers.case(load if load in answers.motions else "")
    acting, free = case.load(load), case.held_by(load)
    parts = [_picked(case.output(one, acting.driven is not None)) for one, _ in outputs]
    system = case.system
    if not fit(system) or unknowns(system, _ORDERS[-1]) > _LARGEST or any(one is None for one in parts):
        return None
    rates = np.array([rate for _, rate in outputs])
    question = _Question(acting, [one for one in parts if one is not None], rates, points)
    size, missed = np.abs(exact).max(axis=0), np.inf
    for order in _ORDERS if system.lines else _ORDERS[:1]:
        forms = RitzForms(system, order)
        if missed <= _AGREES:
            break  # one degree more than the response asks for: slopes are not smoother than it
        y = question.answered(forms, ())[0]
        missed = float(np.max(np.abs(y - exact).max(axis=0) / np.where(size > 0, size, 1.0), initial=0.0))
    if missed > _AGREES:
        return None
    energies, numbers_of = case.equations.lagrangian, numbers(case.equations, answers.given)
    changes: dict[str, Array] = {}
    for name in names:
        if name in energies.parameters and name not in free:
            by = SlopeReader(energies, numbers_of, name).sample(system, forms.xi)
            if _steady(by, system, acting, parts):
                changes[name] = forms.change(by)
    found = question.answered(forms, list(changes.values()))[1]
    return dict(zip(changes, found, strict=True)), missed


@dataclass(frozen=True)
class _Question:
    """A load, outputs as parts, how often each is differentiated, and where."""

    load: HarmonicLoad
    outputs: Sequence[Sequence[tuple[Any, slice]]]
    rates: NDArray[np.int64]
    points: Array

    def answered(self, forms: RitzForms, changes: Sequence[Array]) -> tuple[Complex, Complex]:
        """(frequencies, outputs), and (parameters, frequencies, outputs), few at once where they are many."""
        count = max(1, len(self.points) * forms.n * (forms.n + len(changes)) // _TOGETHER)
        found = []
        for points in np.array_split(self.points, min(count, len(self.points))):
            solved = _Solved(forms, self.load, points)
            rows = np.stack([_row(forms, one, points) for one in self.outputs], axis=1)
            factor = (1j * points[:, None]) ** self.rates
            slopes = np.einsum("pon,pnk->kpo", rows, solved.slopes(changes)) * factor
            found.append((np.einsum("pon,pn->po", rows, solved.x) * factor, slopes))
        y, slopes = (np.concatenate([one[k] for one in found], axis=k) for k in range(2))
        return y, slopes


def _steady(by: Sample, system: LinearSystem, load: HarmonicLoad, parts: Sequence[Any]) -> bool:
    """Whether a parameter leaves loads and outputs what they are: they stand at ends that count what they did."""
    if np.any(by.N) or any(np.any(one) for one in by.ends):
        return False
    if not any(np.any(one.ends) for pieces in by.pieces for one in pieces):
        return True
    inside = [one for output in parts for one, _ in output if isinstance(one, SectionOutput) or one.inside]
    ends = ((system.lines[one.line], one.x) for one in inside if isinstance(one, SectionOutput))
    at_ends = all(x in (line.start, line.end) for line, x in ends)
    return not load.along and at_ends and all(isinstance(one, SectionOutput) for one in inside)


def _picked(read: tuple[list[Any], tuple[str, ...], slice]) -> list[Any] | None:
    """The parts of one output; None for what polynomials do not give exactly: what a section carries."""
    parts, fields, picked = read
    if len(fields) > 1:
        parts = parts if len(parts) == 1 else parts[picked]
    plain = [one for one in parts if not isinstance(one, SectionOutput) or one.load is None]
    if len(plain) < len(parts) or any(isinstance(one, Output) and one.held is not None for one in parts):
        return None
    return [(one, picked if len(fields) > 1 and isinstance(one, Output) else slice(None)) for one in parts]


def _row(forms: RitzForms, parts: Sequence[tuple[Any, slice]], points: Array) -> Complex:
    """An output over the unknowns at each frequency."""
    total = np.zeros((len(points), forms.n), dtype=np.complex128)
    for part, picked in parts:
        if isinstance(part, SectionOutput):
            table = np.vstack([forms.values(part.line, part.x), forms.over_unknowns(part.rows)])
            weights = np.asarray(part.weights(np.asarray(1j * points, dtype=np.complex128)))
            total += np.broadcast_to(weights, (len(points), weights.shape[-1]))[:, 1:] @ table
            continue
        rows = forms.over_unknowns(part.rows) if part.inside is None else forms.fields(*part.inside)
        (row,) = rows[picked] if len(rows) > 1 else rows
        total += row
    return total


class _Solved:
    """Z x = F at every frequency, or what a unit of a driven coordinate does."""

    def __init__(self, forms: RitzForms, load: HarmonicLoad, points: Array) -> None:
        s = 1j * points
        self.powers = np.stack([s**k for k in range(3)], axis=1)
        Z = np.einsum("pk,kab->pab", self.powers, forms.matrices)
        self.x = np.zeros((len(points), forms.n), dtype=np.complex128)
        self.free = np.arange(forms.n)
        right: Any = np.broadcast_to(forms.loaded(load), self.x.shape)
        if load.driven is not None:
            driven = int(np.flatnonzero(forms.system.independent[load.driven])[0])
            self.free = np.delete(self.free, driven)
            self.x[:, driven] = 1.0
            right = right - Z[:, :, driven]
        self.scale = 1 / np.sqrt(np.abs(np.einsum("paa->pa", Z[:, self.free][:, :, self.free])).max(axis=0))
        self.Z = Z[:, self.free][:, :, self.free] * self.scale[:, None] * self.scale
        self.x[:, self.free] = self._over(right[:, self.free, None])[:, :, 0]

    def _over(self, right: Complex) -> Complex:
        try:
            found = np.linalg.solve(self.Z, right * self.scale[:, None])
        except np.linalg.LinAlgError:
            raise FlexuraError("The response has no slope where it is infinite", advice="ask beside it") from None
        return np.asarray(found * self.scale[:, None])

    def slopes(self, changes: Sequence[Array]) -> Complex:
        """x by each parameter, (frequencies, unknowns, parameters)."""
        moved = np.zeros((*self.x.shape, len(changes)), dtype=np.complex128)
        for k, change in enumerate(changes):
            for power in _powers(change):
                moved[:, :, k] -= self.powers[:, [power]] * (self.x @ change[power].T)
        found = np.zeros_like(moved)
        found[:, self.free] = self._over(moved[:, self.free])
        return found


def _powers(change: Array) -> Iterator[int]:
    """Those of s that a parameter stands with."""
    return (power for power in range(3) if np.any(change[power]))
