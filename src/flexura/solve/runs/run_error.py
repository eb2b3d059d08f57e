"""What may separate a run from the true motion: estimates by steps in time, shapes and theory.

>>> error, notes = motion_error(case, curve)
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from flexura.solve.runs.case import Case, Coarser
from flexura.solve.runs.highest import highest_share
from flexura.solve.runs.theory import Bending, bending, field_state, theory_errors, theory_notes
from flexura.solve.steppers.accuracy import MotionError
from flexura.solve.steppers.error import affordable, time_errors
from flexura.solve.steppers.history import Curve
from flexura.systems.nonlinear import NonlinearSystem

Array = NDArray[np.float64]
_SAFETY = 3.0  # the estimate is of first order, with slopes taken once a step
_LOST = 0.01  # errors as a part of the motion that are told
_HUGE = 1e140  # errors that grew beyond that are no better known, and their squares shall be numbers
_PLACES = 5
_STATES = 32  # of a run, at which deflections and masses are looked at
_THIN = 0.1  # the smallest inertia, of that at the start, below which it is told


def motion_error(case: Case, curve: Curve) -> tuple[MotionError, list[str]]:
    """The estimates for a run along its curve, and what to note of them."""
    most = affordable(case.mechanics, curve, case.question.deadline)
    t, errors, growth = time_errors(case.mechanics, curve, *([] if most is None else [most]))
    q, e = case.all(curve.q), _SAFETY * case.all(np.clip(errors, -_HUGE, _HUGE))
    names, rows = _quantities(case.whole)
    worst = np.abs(e @ rows.T).max(axis=0)
    moved = np.ptp(case.all(curve.q) @ rows.T, axis=0)
    worst = np.where(moved > 0, np.minimum(worst, moved), worst)  # an error as large as the whole way says all
    shares = _shares(case, q, e)
    share = float(min(1.0, shares.max()))
    bent = _bending(case, curve.t, q)
    left_out, rough = _left_out(case, curve.t, q)
    found = MotionError(_largest(names, worst), share, left_out, theory_errors(bent), growth)
    hasty = [] if most is None else [_hasty(len(t) - 1, len(curve.t) - 1)]
    return found, [*_told(found, t, shares), *hasty, *rough, *theory_notes(bent)]


def _left_out(case: Case, t: Array, q: Array) -> tuple[dict[str, float], list[str]]:
    """What the functions that members move in leave out, and what to say of it."""
    if case.coarser is not None:
        differ = _between_orders(case, case.coarser, t, q)
        return differ, [_rough(case.coarser, differ)]
    if not case.chosen:
        return dict(case.left_out), []
    some = np.unique(np.linspace(0, len(t) - 1, _STATES).astype(int))
    shares = highest_share(case, q[some])
    return shares, _coarse({name: share for name, share in shares.items() if share > _LOST})


def _coarse(shares: Mapping[str, float]) -> list[str]:
    if not shares:
        return []
    listed = ", ".join(f"{name} {share:.1g}" for name, share in shares.items())
    return [
        "The highest polynomials of the order that was asked for still carry much of a motion. After sudden loads"
        f" members may move otherwise by as much as {listed} of it, after slow ones by far less; compare a higher"
        " order=."
    ]


def _between_orders(case: Case, coarser: Coarser, t: Array, mine: Array) -> dict[str, float]:
    """What members move differently by fewer polynomials, as a part of their motion, at some of the times."""
    both = np.flatnonzero(t <= coarser.end)
    some = both[np.unique(np.linspace(0, len(both) - 1, _STATES).astype(int))]
    t, mine, system = t[some], mine[some], case.whole
    q = coarser.at(t)
    found = dict.fromkeys(coarser.groups, 0.0)
    for group, fields in coarser.groups.items():
        for name in fields:
            x = np.linspace(system.fields[name].start, system.fields[name].end, 2 * _PLACES)
            here, there = system.values(name, x, t, mine), coarser.system.values(name, x, t, q)
            off, moved = (float(np.abs(one).max()) for one in (here - there, here - here[0]))
            found[group] = max(found[group], min(1.0, off / moved) if moved else 0.0)
    return found


def _rough(coarser: Coarser, left_out: Mapping[str, float]) -> str:
    listed = ", ".join(f"{name} {share:.1g}" for name, share in left_out.items())
    return (
        f"Polynomials of degree {coarser.order} move members otherwise by these parts of their motion: {listed}. What"
        " is left out is about that at most where more polynomials follow better; compare two orders to know it."
    )


def _hasty(seen: int, steps: int) -> str:
    return (
        f"There was time to estimate the error of the motion from {seen} of {steps} steps only; raise max_seconds to"
        " know it better."
    )


def exact_error(case: Case, times: Array, q: Array, missed: float) -> tuple[MotionError, list[str]]:
    """That of linear equations that were propagated exactly: what their energies miss, as a part of the motion."""
    q, (names, rows) = case.all(q), _quantities(case.whole)
    bent = _bending(case, times, q)
    left_out, rough = _left_out(case, times, q)
    sizes = _largest(names, missed * np.ptp(q @ rows.T, axis=0))
    return MotionError(sizes, missed, left_out, theory_errors(bent)), [*rough, *theory_notes(bent)]


def _bending(case: Case, t: Array, q: Array) -> dict[str, Bending]:
    """How far members bend at some times."""
    system, question = case.whole, case.question
    if not system.fields:
        return {}
    some = np.unique(np.linspace(0, len(t) - 1, _STATES).astype(int))
    t, q = t[some], q[some]
    return bending(question.equations, question.values, field_state(system, t, q), t)


def thin_mass(case: Case, curve: Curve) -> list[str]:
    """What to say where deflections took most of an inertia away: second-order terms of the shortening do."""
    system, some = case.system, np.unique(np.linspace(0, len(curve.t) - 1, _STATES).astype(int))
    if system.constant_mass or system.m or not system.n or not system.stacks:
        return []
    t, q, v = curve.t[some], curve.q[some], curve.v[some]
    M = system.evaluate(t, q, v, case.mechanics.loads(t))[0]
    scale = 1 / np.sqrt(np.abs(np.einsum("kii->ki", M[:1])))
    least = np.linalg.eigvalsh(M * scale[:, :, None] * scale[:, None, :])[:, 0]
    if least.min() >= _THIN * least[0]:
        return []
    fell = f"The smallest inertia fell to {max(least.min() / least[0], 0.0):.1g} of what it was at the start"
    if not system.fields:
        return [
            f"{fell}: the coordinates came near a singular position, as three angles have one where the second is a"
            " quarter turn, so some of them change fast there; run.error says how well the motion is known."
        ]
    return [
        f"{fell}: terms of"
        " second order in the deflections take it away, and the motion is not to be trusted there; give joints on bent"
        " members bodies with more inertia, or stiffen the members."
    ]


def _largest(names: list[str], sizes: Array) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, size in zip(names, sizes.tolist(), strict=True):
        found[name] = max(found.get(name, 0.0), size)
    return found


def _quantities(system: NonlinearSystem) -> tuple[list[str], Array]:
    """Coordinates and fields by name, a field at several places, as rows of the unknowns."""
    coordinates = [i for i, name in enumerate(system.names) if "[" not in name and "@" not in name]
    names, rows = [system.names[i] for i in coordinates], [np.eye(system.n)[coordinates]]
    for name, one in system.fields.items():
        rows.append(one.matrix(np.linspace(one.start, one.end, _PLACES), 0)[:, : system.n])
        names += [name] * _PLACES
    return names, np.vstack(rows)


def _shares(case: Case, q: Array, e: Array) -> Array:
    """Errors as parts of the motion since the start, both in the metric of the masses."""
    system = case.whole
    masses = np.abs(np.diag(system.evaluate(float(case.question.times[0]), q[0], 0 * q[0], system.rest)[0]))
    size = np.sqrt((((q - q[0]) ** 2) @ masses).max())
    if not size:
        return np.zeros(len(e))
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(np.nan_to_num(np.sqrt((e * e) @ masses) / size, nan=np.inf, posinf=np.inf))


def _told(error: MotionError, t: Array, shares: Array) -> list[str]:
    if error.time_share <= _LOST:
        return []
    worst = ", ".join(f"{name} {size:.1g}" for name, size in error.time.items())
    until = t[np.argmax(shares > _LOST)]
    grew = f", because small changes grew {error.growth:.0e} times" if error.growth > 1e3 else ""
    return [
        f"The motion may be off by as much as {worst}{grew}; up to t = {until:.4g} it is known to a percent. Energies"
        " do not show that; lower the tolerance to know it for longer."
    ]
