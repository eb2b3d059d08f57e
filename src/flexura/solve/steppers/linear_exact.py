"""Exact steps of small linear systems: matrix exponentials of the motion and of the polynomial inputs together.

Between two points of time every input is a polynomial, so that displacement, rate and input obey one linear equation
with constant coefficients, w' = A w. Its exponential is the step. The dissipated and the supplied energy are integrals
of quadratic forms, int w'Qw, and have matrices of their own: the energy balance is as exact as the motion.
Real modes (no damping, or damping that hardly couples them) are stepped each alone; everything else as one block, in
the coordinates of these modes. A step of a length that hardly another one has is not worth such matrices: its action on
the one state is found instead (`linear_action.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.steppers.linear_action import Action
from flexura.solve.steppers.linear_inputs import Pieces, Signals, cut
from flexura.solve.steppers.linear_step import Blocks, step_of
from flexura.solve.steppers.modal import AllModes, all_modes
from flexura.systems.deadline import between_pieces
from flexura.systems.graded import graded_modes
from flexura.systems.inertia import definite
from flexura.systems.second_order import SecondOrderSystem, as_dense
from flexura.systems.soft import ROUNDING

Array = NDArray[np.float64]
Step = tuple[Array, Array | None, Array | None]  # the exponential, and the forms of energies lost and gained
_NUMBERS = 2e7  # that steps of different lengths may hold together
_COUPLED = 1e-6  # rates beside a frequency, of modes that are followed alone
_CHECKED = 256  # steps after which the time is looked at
_TOLD = 0.01  # of the motion
_DOUBT = (
    "What rounding of K can make of motions that are soft beside it could change the motion by {:.1g} of itself; give"
    " soft springs apart, SecondOrderSystem(M, D, K, springs=...), and they keep every digit."
)


@dataclass(frozen=True)
class LinearMotion:
    """x, v, a (times, n), the energies dissipated and supplied since the start, and what may be wrong in each of x.

    `booked` holds these two energies between the times, too (pieces, 2): a pulse may come and go there. `stored` holds
    the kinetic energy and that of the strains, mode by mode, so that stiff members round none of it away; `late`
    what rounding of the frequencies could change of each mode, in the metric of the masses.
    """

    x: Array
    v: Array
    a: Array
    dissipated: Array
    supplied: Array
    notes: tuple[str, ...] = ()
    errors: Array | None = None
    basis: str = ""
    message: str = ""  # why it ends early, if it does
    booked: Array = field(default_factory=lambda: np.zeros((0, 2)))
    stored: Array = field(default_factory=lambda: np.zeros((0, 2)))
    late: Array = field(default_factory=lambda: np.zeros(0))


def exact_steps(
    system: SecondOrderSystem,
    t: Array,
    x0: Array,
    v0: Array,
    signals: Signals,
    held: Array | None = None,
    zeros: int | None = None,
) -> LinearMotion:
    """Propagate from x0, v0 through all points of t; the work of forces that a potential holds is not supplied.

    `zeros`: how many motions have no stiffness, where that is known.
    """
    pieces = cut(signals, t)
    groups = _blocks(system, np.asarray(as_dense(signals.B)), float(t[-1] - t[0]), zeros, (x0, v0))
    parts = [_followed(one, pieces, x0, v0, signals.at(t), held) for one in groups]
    x, v, a, booked, stored = (np.sum([part[i] for part in parts], axis=0) for i in range(5))
    x[0], v[0] = x0, v0
    basis = "Steps are exact; what the polynomials on them miss of the inputs, and the balance of energies"
    at = np.concatenate([[0], pieces.last + 1])
    late = np.concatenate([part[5] for part in parts])
    errors = pieces.missed * np.ptp(x, axis=0)
    errors += sum(np.abs(group.shapes) @ part[5] for group, part in zip(groups, parts, strict=True))
    share = float(np.linalg.norm(late) / (np.sqrt(_sizes(system, x).max(initial=0.0)) or 1.0))
    doubt = (_DOUBT.format(min(1.0, share)),) if zeros is None and share > _TOLD else ()
    notes = (*pieces.notes, *doubt)
    energies = {"booked": booked, "stored": stored}
    return LinearMotion(x, v, a, booked[at, 0], booked[at, 1], notes, errors, basis, late=late, **energies)


def _sizes(system: SecondOrderSystem, x: Array) -> Array:
    """x'Mx at each time."""
    return np.asarray(np.einsum("ti,ti->t", x, (system.M @ x.T).T))


def _followed(
    blocks: Blocks, pieces: Pieces, x0: Array, v0: Array, u: Array, held: Array | None
) -> tuple[Array, Array, Array, Array, Array, Array]:
    """What blocks of one size add to x, v, a, the energies booked and stored, and what rounding may change of them."""
    q, (b, m) = blocks.E.shape[2], blocks.L.shape[:2]
    degree, count = pieces.coefficients.shape[1] - 1, len(u)
    forces = np.einsum("bqk,pik->pbiq", blocks.loads, pieces.coefficients) if q else None
    z = np.concatenate([(blocks.to_blocks @ x0).reshape(b, m), (blocks.to_blocks @ v0).reshape(b, m)], axis=1)
    history, losses, gains = _march(blocks, pieces, forces, degree, z)
    at = np.concatenate([[0], pieces.last + 1])
    y, y_t = history[at, :, :m].reshape(count, -1), history[at, :, m:].reshape(count, -1)
    a = _accelerations(blocks, history[at], np.einsum("bqk,tk->tbq", blocks.loads, u), m) @ blocks.shapes.T
    booked = np.cumsum(np.column_stack([np.append(0.0, losses), np.append(0.0, gains)]), axis=0)
    if held is not None:
        moved = history[:, :, :m].reshape(len(history), -1)
        booked[:, 1] -= (moved - moved[0]) @ (held @ blocks.shapes)
    squares = np.einsum("bii->bi", blocks.L).ravel()
    stored = np.column_stack([(y_t**2).sum(axis=1) / 2, (y**2 @ squares) / 2])
    return y @ blocks.shapes.T, y_t @ blocks.shapes.T, a, booked, stored, np.abs(y).max(axis=0) * blocks.late


def _blocks(
    system: SecondOrderSystem, B: Array, span: float, zeros: int | None, start: tuple[Array, Array]
) -> list[Blocks]:
    """Modes that damping or turning couples as one block, all others each alone."""
    M, n = as_dense(system.M), system.n
    if not definite(M):
        raise FlexuraError(
            f"The mass matrix is not positive definite ({_without_mass(system, M)}), so there is no unique motion",
            advice="give every degree of freedom some mass, or remove it",
        )
    modes = _modes(system, M, span, zeros)
    D, G, H = (_matrix(one) for one in (system.D, system.G, system.H))
    loss, turning, circulating = (
        np.zeros((n, n)) if one is None else np.asarray(modes.X.T @ one @ modes.X) for one in (D, G, H)
    )
    rates = loss + turning
    apart = np.abs(rates - np.diag(rates.diagonal()))
    if H is None and G is None and _apart(loss, D, modes.X):
        alone = np.ones(n, bool)
    else:
        begun = [np.abs(modes.X.T @ (M @ one)) for one in start]
        alone = _hardly_coupled(apart, modes.squares, *begun) if H is None else np.zeros(n, bool)
    late = modes.late(span)

    def chosen(which: NDArray[np.bool_]) -> tuple[Array, Array, Array, Array]:
        X = modes.X[:, which]
        return X, X.T @ M, X.T @ B, late[which]

    found = []
    if alone.any():
        X, to_blocks, forces, own = chosen(alone)
        one, c = np.ones((len(own), 1, 1)), loss.diagonal()[alone].reshape(-1, 1, 1)
        L = modes.squares[alone].reshape(-1, 1, 1)
        found.append(Blocks(L, c, one, c, one, 0 * one, X, to_blocks, forces[:, None], own))
    if not alone.all():
        X, to_blocks, forces, own = chosen(~alone)
        C, lost, turned = (one[np.ix_(~alone, ~alone)][None] for one in (rates, loss, circulating))
        L, E, loads = np.diag(modes.squares[~alone])[None] + turned, forces[None], np.eye(B.shape[1])[None]
        found.append(Blocks(L, C, E, lost, E, turned, X, to_blocks, loads, own))
    return found


def _modes(system: SecondOrderSystem, M: Array, span: float, zeros: int | None) -> AllModes:
    """Where the number of free motions is known, by K and its inverse; else decided in energy, as K was given."""
    if zeros is not None:
        return all_modes(M, as_dense(system.K), span, zeros)
    graded = graded_modes(system)  # of a free motion all that K has is in doubt
    return AllModes(graded.shapes, graded.squares, np.where(graded.squares != 0, graded.doubts, graded.dropped))


def _hardly_coupled(rates: Array, squares: Array, y: Array, y_t: Array) -> NDArray[np.bool_]:
    """Modes so fast that what couples them to others, and gives back the square of rate over frequency, is rounding.

    Beside them powers of a step would lose the digits of slow ones. One that is under way at the start, by y and its
    rate, pushes the others by the rate that couples them times its displacement, whatever its frequency.
    """
    frequencies, coupling = np.sqrt(np.maximum(squares, 0.0)), np.linalg.norm(rates, axis=1)
    fast = coupling <= _COUPLED * frequencies
    size = np.max(np.where(fast, 0.0, y_t + frequencies * y), initial=0.0)
    pushes = coupling * (y + np.divide(y_t, frequencies, out=np.zeros_like(y), where=frequencies > 0))
    return np.asarray(fast & (pushes <= _COUPLED**2 * size))


def _matrix(given: Any) -> Array | None:
    """A matrix; None where there is none, or nothing in it."""
    if given is None:
        return None
    found = as_dense(given)
    return found if np.any(found) else None


def _apart(loss: Array, D: Array | None, shapes: Array) -> bool:
    """Whether damping couples no two modes by more than a rounding, of their own damping or of D."""
    if D is None:
        return True
    own = np.abs(loss.diagonal())
    rounded = ROUNDING * np.abs(shapes).T @ np.abs(D) @ np.abs(shapes)
    allowed = np.maximum(1e-12 * np.maximum(own[:, None], own), rounded)
    return bool(np.all((np.abs(loss) <= allowed) | np.eye(len(own), dtype=bool)))


def _without_mass(system: SecondOrderSystem, M: Array) -> str:
    values, vectors = np.linalg.eigh(M)
    row = int(np.abs(vectors[:, 0]).argmax())
    return f"{system.names[row]} moves with a mass of {values[0]:.3g}"


def _march(blocks: Blocks, pieces: Pieces, forces: Array | None, degree: int, z: Array) -> tuple[Array, Array, Array]:
    """States before every piece and after the last, and the energies lost and gained on each piece."""
    count, steps = len(pieces.start), dict[int, Step]()
    scale = np.array([factorial(i) for i in range(degree + 1)], dtype=np.float64)
    inputs = None if forces is None else (forces * scale[:, None]).reshape(count, z.shape[0], -1)
    group, spans = lengths(pieces.end - pieces.start)
    action, often = Action(blocks, degree if inputs is not None else -1), np.bincount(group)
    rare = {i for i, h in enumerate(spans) if action.is_cheap(float(h), int(often[i]))}
    unknowns = z.shape[1] + (0 if inputs is None else inputs.shape[2])
    states, losses, gains = [z[None]], [np.zeros(0)], [np.zeros(0)]
    for part in _parts(group, max(1, int(_NUMBERS / (3 * len(z) * unknowns**2)))):
        needed = [which for which in dict.fromkeys(group[part].tolist()) if which not in rare]
        steps = {which: step for which, step in steps.items() if which in needed}
        for which in needed:
            between_pieces()
            if which not in steps:
                steps[which] = step_of(blocks, action.degree, float(spans[which]))
        given = None if inputs is None else inputs[part]
        found = _along(steps, group[part], given, states[-1][-1], action, spans)
        for total, one in zip((states, losses, gains), found, strict=True):
            total.append(one)
    return np.concatenate(states), np.concatenate(losses), np.concatenate(gains)


def _parts(group: NDArray[np.int64], most: int) -> Iterator[slice]:
    """Pieces in a row that have at most so many lengths: each length has matrices of its own, which take memory."""
    first, seen = 0, set[int]()
    for i, which in enumerate(group.tolist()):
        if which not in seen and len(seen) == most:
            yield slice(first, i)
            first, seen = i, set()
        seen.add(which)
    if first < len(group):
        yield slice(first, len(group))


def _along(
    steps: Mapping[int, Step], group: NDArray[np.int64], inputs: Array | None, z: Array, action: Action, spans: Array
) -> tuple[Array, Array, Array]:
    """States after each of some pieces in a row, and the energies lost and gained on them.

    A length without matrices is stepped by the action on the state.
    """
    count, both = len(group), z.shape[1]
    history = np.empty((count + 1, *z.shape))
    history[0], driven = z, np.zeros((count, *z.shape))
    if inputs is not None:
        for which, (forward, _, _) in steps.items():
            mine = group == which
            driven[mine] = np.einsum("bij,pbj->pbi", forward[:, :both, both:], inputs[mine])
    losses, gains = np.zeros(count), np.zeros(count)
    for i, which in enumerate(group.tolist()):
        if i % _CHECKED == 0:
            between_pieces()
        if which in steps:
            forward = steps[which][0]
            history[i + 1] = (forward[:, :both, :both] @ history[i][:, :, None])[:, :, 0] + driven[i]
        else:
            between_pieces()
            given = np.zeros(0) if inputs is None else inputs[i, 0]
            history[i + 1, 0], losses[i], gains[i] = action.step(float(spans[which]), history[i, 0], given)
    for which, (_, lost, gained) in steps.items():
        mine = np.flatnonzero(group == which)
        for part in np.array_split(mine, max(1, len(mine) * z.size // 2_000_000 + 1)):
            between_pieces()
            w = history[part] if inputs is None else np.concatenate([history[part], inputs[part]], axis=2)
            for total, form in ((losses, lost), (gains, gained)):
                if form is not None:
                    total[part] = np.einsum("pbi,bij,pbj->p", w, form, w, optimize=True)
    return history[1:], losses, gains


def lengths(h: Array) -> tuple[NDArray[np.int64], Array]:
    """Which length each step has; lengths that differ by round-off are one."""
    order = np.argsort(h, kind="stable")
    new = np.concatenate([[0], np.cumsum(np.diff(h[order]) > 1e-9 * h[order][:-1])])
    group = np.empty(len(h), dtype=np.int64)
    group[order] = new
    return group, np.array([h[group == one].mean() for one in range(int(new[-1]) + 1)]) if len(h) else h


def _accelerations(blocks: Blocks, states: Array, forces: Array, m: int) -> Array:
    y, y_t = states[:, :, :m], states[:, :, m:]
    a: Any = np.einsum("bij,tbj->tbi", blocks.E, forces) if forces.shape[2] else 0.0
    a = a - np.einsum("bij,tbj->tbi", blocks.L, y) - np.einsum("bij,tbj->tbi", blocks.C, y_t)
    return np.asarray(a).reshape(len(states), -1)
