"""Exact steps of small linear systems: matrix exponentials of the motion and of the polynomial inputs together.

Between two points of time every input is a polynomial, so that displacement, rate and input obey one linear equation
with constant coefficients, w' = A w. Its exponential is the step. The dissipated and the supplied energy are integrals
of quadratic forms, int w'Qw, and have matrices of their own: the ledger is as exact as the motion.
Real modes (no damping, or damping that respects them) are stepped each alone; everything else as one block, in the
coordinates of these modes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.integrate.deadline import between_pieces
from flexura.integrate.linear_inputs import Pieces, Signals, cut
from flexura.integrate.linear_step import Blocks, step_of
from flexura.systems.graded import GradedModes, graded_modes
from flexura.systems.second_order import SecondOrderSystem, as_dense
from flexura.systems.soft import ROUNDING

Array = NDArray[np.float64]
_CHECKED = 256  # steps after which the time is looked at
_TOLD = 0.01  # of the motion
_DOUBT = (
    "What rounding of K can make of motions that are soft beside it could change the motion by {:.1g} of itself; give"
    " soft springs apart, SecondOrderSystem(M, D, K, springs=...), and they keep every digit."
)


@dataclass(frozen=True)
class Motion:
    """x, v, a (times, n), the energies dissipated and supplied since the start, and what may be wrong in each of x.

    `booked` holds these two energies between the times, too (pieces, 2): a pulse may come and go there.
    """

    x: Array
    v: Array
    a: Array
    dissipated: Array
    supplied: Array
    notes: tuple[str, ...] = ()
    errors: Array | None = None
    basis: str = ""
    booked: Array = field(default_factory=lambda: np.zeros((0, 2)))


def exact_steps(
    system: SecondOrderSystem, t: Array, x0: Array, v0: Array, signals: Signals, held: Array | None = None
) -> Motion:
    """Propagate from x0, v0 through all points of t; the work of forces that a potential holds is not supplied."""
    blocks, modes = _blocks(system, np.asarray(as_dense(signals.B)))
    pieces = cut(signals, t)
    q = blocks.E.shape[2]
    degree = pieces.coefficients.shape[1] - 1
    forces = np.einsum("bqk,pik->pbiq", blocks.loads, pieces.coefficients) if q else None
    b, m = blocks.L.shape[:2]
    z = np.concatenate([(blocks.to_blocks @ x0).reshape(b, m), (blocks.to_blocks @ v0).reshape(b, m)], axis=1)
    history, losses, gains = _march(blocks, pieces, forces, degree, z)
    at = np.concatenate([[0], pieces.last + 1])
    y, y_t = history[at, :, :m].reshape(len(t), -1), history[at, :, m:].reshape(len(t), -1)
    x, v = y @ blocks.shapes.T, y_t @ blocks.shapes.T
    x[0], v[0] = x0, v0
    u = signals.at(t)
    a = _accelerations(blocks, history[at], np.einsum("bqk,tk->tbq", blocks.loads, u), m) @ blocks.shapes.T
    booked = np.cumsum(np.column_stack([np.append(0.0, losses), np.append(0.0, gains)]), axis=0)
    if held is not None:
        moved = history[:, :, :m].reshape(len(history), -1)
        booked[:, 1] -= (moved - moved[0]) @ (held @ blocks.shapes)
    basis = "Steps are exact; what the polynomials on them miss of the inputs, and the balance of energies"
    late = _late(modes, float(t[-1] - t[0])) * np.abs(y).max(axis=0)
    share = float(np.linalg.norm(late) / (np.linalg.norm(y, axis=1).max(initial=0.0) or 1.0))
    errors = pieces.missed * np.ptp(x, axis=0) + np.abs(modes.shapes) @ late
    notes = (*pieces.notes, *([_DOUBT.format(share)] if share > _TOLD else []))
    return Motion(x, v, a, booked[at, 0], booked[at, 1], notes, errors, basis, booked)


def _late(modes: GradedModes, span: float) -> Array:
    """What rounding of K could change of each mode: by it a vibration comes early or late, a free motion vibrates."""
    frequencies = np.sqrt(np.abs(modes.squares))
    doubts = np.divide(modes.doubts, frequencies, out=np.zeros(len(frequencies)), where=frequencies > 0)
    free = np.where(frequencies > 0, 0.0, modes.dropped)
    return np.asarray(np.minimum(1.0, doubts / 2 * span + free / 2 * span**2))


def _blocks(system: SecondOrderSystem, B: Array) -> tuple[Blocks, GradedModes]:
    """Real modes each alone where nothing couples them; else one block of all, in the coordinates of these modes.

    In those a soft motion stays apart from stiff ones, whatever the ratio of their frequencies.
    """
    M, (n, k) = as_dense(system.M), B.shape
    try:
        np.linalg.cholesky(M)
    except np.linalg.LinAlgError:
        raise FlexuraError(
            f"The mass matrix is not positive definite ({_without_mass(system, M)}), so there is no unique motion;"
            " give every degree of freedom some mass, or remove it."
        ) from None
    modes = graded_modes(system)
    shapes, squares, to_modes = modes.shapes, modes.squares, modes.shapes.T @ M
    D, G, H = (None if one is None else as_dense(one) for one in (system.D, system.G, system.H))
    loss = np.zeros((n, n)) if D is None else shapes.T @ D @ shapes
    if G is None and H is None and _apart(loss, D, shapes):
        one, rates = np.ones((n, 1, 1)), loss.diagonal().reshape(n, 1, 1)
        loads = (shapes.T @ B).reshape(n, 1, k)
        return Blocks(squares.reshape(n, 1, 1), rates, one, rates, one, 0 * one, shapes, to_modes, loads), modes
    turning, circulating = (np.zeros((n, n)) if A is None else shapes.T @ A @ shapes for A in (G, H))
    E, loads = (shapes.T @ B)[None], np.eye(k)[None]
    L, C = np.diag(squares) + circulating, loss + turning
    return Blocks(L[None], C[None], E, loss[None], E, circulating[None], shapes, to_modes, loads), modes


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
    count, m = len(pieces.start), blocks.L.shape[1]
    history = np.empty((count + 1, *z.shape))
    history[0] = z
    losses, gains = np.zeros(count), np.zeros(count)
    scale = np.array([factorial(i) for i in range(degree + 1)], dtype=np.float64)
    inputs = None if forces is None else (forces * scale[:, None]).reshape(count, z.shape[0], -1)
    steps = {}
    group, spans = _spans(pieces.end - pieces.start)
    for which, h in enumerate(spans):
        between_pieces()
        steps[which] = step_of(blocks, degree if inputs is not None else -1, float(h))
    driven = None
    if inputs is not None:
        driven = np.empty_like(history[1:])
        for which, (forward, _, _) in steps.items():
            mine = group == which
            driven[mine] = np.einsum("bij,pbj->pbi", forward[:, : 2 * m, 2 * m :], inputs[mine])
    for i in range(count):
        if i % _CHECKED == 0:
            between_pieces()
        forward = steps[int(group[i])][0]
        z = (forward[:, : 2 * m, : 2 * m] @ z[:, :, None])[:, :, 0]
        if driven is not None:
            z = z + driven[i]
        history[i + 1] = z
    for which, (_, lost, gained) in steps.items():
        mine = np.flatnonzero(group == which)
        for part in np.array_split(mine, max(1, len(mine) * z.size // 2_000_000 + 1)):
            between_pieces()
            w = history[part] if inputs is None else np.concatenate([history[part], inputs[part]], axis=2)
            for total, form in ((losses, lost), (gains, gained)):
                if form is not None:
                    total[part] = np.einsum("pbi,bij,pbj->p", w, form, w, optimize=True)
    return history, losses, gains


def _spans(h: Array) -> tuple[NDArray[np.int64], Array]:
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
