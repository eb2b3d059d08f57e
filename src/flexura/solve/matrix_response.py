"""Frequency responses of systems of matrices, small or large, free or held.

>>> matrix_response(system, omega, load=F, output=c)

One solve per frequency, in large systems at a few of many, each answer with its `.error`. They are made in the
coordinates of soft motions and deformations: at low frequency the motion of a free structure, or of one on soft mounts,
is almost all of the answer, and the dynamic stiffness alone would hold it to few digits. Structural damping is
i S sign(omega), and nothing at rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Measured, Numbers
from flexura.errors import FlexuraError, warn
from flexura.solve.response import Response, read_frequencies
from flexura.structures.operating.dynamic import SplitPencil
from flexura.structures.operating.responses import responses
from flexura.systems.second_order import SecondOrderSystem, required

Complex = NDArray[np.complex128]
_LARGE, _MANY = 3000, 12
"""Degrees of freedom and frequencies from which on answers at a few frequencies serve all."""
_KINDS = {"receptance": 0, "mobility": 1, "accelerance": 2}


def matrix_response(
    system: SecondOrderSystem,
    omega: Measured,
    load: str | Numbers,
    output: str | Sequence[str] | Numbers,
    kind: str = "receptance",
) -> Complex:
    """X of x = Re(X e^{i omega t}) per unit of the load, seen by the output.

    `load`: a vector of n, or the name of an input or a dof. `output`: a vector of n, the name of a dof or of an output,
    or several outputs as rows (then the last axis runs over them). A reduced system takes vectors of the full one, too.
    """
    system = required(system)
    if kind not in _KINDS:
        raise FlexuraError(f"kind is {kind!r}", advice="use 'receptance', 'mobility' or 'accelerance'")
    points = read_frequencies(omega)
    F, rows = _vector(system, load, "load"), _rows(system, output)
    X, error = _seen(system, points.ravel(), F, rows)
    infinite: Any = ~np.isfinite(X).all(axis=1)
    if infinite.any():
        at = ", ".join(f"{one:.9g}" for one in points.ravel()[infinite][:5])
        warn(f"The response is infinite: an undamped resonance lies at omega = {at} rad/s.")
    factor = (1j * points.ravel()) ** _KINDS[kind]
    with np.errstate(invalid="ignore"):
        X = np.where(infinite[:, None], np.inf, X * factor[:, None])
    found = X.reshape(points.shape if np.ndim(output) < 2 else (*points.shape, len(rows)))
    if error is None:
        return np.asarray(found)
    told = Response.of(found, points, load, output, kind)
    told.error = error.reshape(points.shape)
    return told


def amplitudes(
    system: SecondOrderSystem, omega: NDArray[np.float64], F: NDArray[np.float64], rows: NDArray[np.float64]
) -> Complex:
    """What rows see of the answer to a load, (frequencies, rows): infinite at undamped resonances, which nobody tells.

    >>> amplitudes(system, np.array([1.0, 2.0]), F, np.eye(system.n)[:1])
    """
    return np.asarray(_each(system, omega, F, rows), dtype=np.complex128)


def _seen(
    system: SecondOrderSystem, omega: NDArray[np.float64], F: NDArray[np.float64], rows: NDArray[np.float64]
) -> tuple[Any, Any]:
    """What the rows see, (frequencies, rows), and the error where it was reached through a basis."""
    moving = np.flatnonzero(omega)
    if system.n >= _LARGE and len(moving) >= _MANY:
        spanned = responses(system, np.abs(omega[moving]), F, rows)
        if spanned is not None:
            X, error = np.empty((len(omega), len(rows)), dtype=complex), np.zeros(len(omega))
            X[moving] = np.where(omega[moving, None] > 0, spanned.seen, spanned.seen.conj())
            error[moving] = spanned.error
            still = np.flatnonzero(omega == 0)
            X[still] = _each(system, omega[still], F, rows)
            return X, error
    return _each(system, omega, F, rows), None


def _each(
    system: SecondOrderSystem, omega: NDArray[np.float64], F: NDArray[np.float64], rows: NDArray[np.float64]
) -> Any:
    """One solution for each frequency; infinite where there is none."""
    seen = [rows @ x if np.isfinite(x[0]) else np.full(len(rows), np.inf) for x in _solutions(system, omega, F)]
    return np.array(seen, dtype=np.complex128).reshape(-1, len(rows))


def _vector(system: SecondOrderSystem, given: Any, what: str) -> NDArray[np.float64]:
    if isinstance(given, str):
        named = {"load": (system.input_names, system.F), "output": (system.outputs or (), system.C)}[what]
        if given in named[0]:
            table: NDArray[np.float64] = np.asarray(named[1])
            columns = table.reshape(system.n, -1) if what == "load" else table.T
            return np.asarray(columns[:, named[0].index(given)])
        if given in system.names:
            return np.asarray(np.eye(1, system.n, system.names.index(given))[0], dtype=np.float64)
        known = ", ".join([*named[0], *system.names][:8])
        raise FlexuraError(
            f"There is no {what} {given!r}", advice=f"it may be a vector of {system.n} numbers, or one of {known}"
        )
    if np.iscomplexobj(given):
        raise FlexuraError(f"The {what} is complex", advice="give its real and its imaginary part one after the other")
    vector = np.asarray(given, dtype=np.float64).ravel()
    if system.basis is not None and len(vector) == len(system.basis) != system.n:
        vector = system.basis.T @ vector
    if len(vector) != system.n:
        raise FlexuraError(
            f"The {what} has {len(vector)} numbers", advice=f"give {system.n}, one for each degree of freedom"
        )
    if not np.all(np.isfinite(vector)):
        raise FlexuraError(f"The {what} holds values that are not finite", advice="give finite numbers")
    return np.asarray(vector)


def named_vectors(system: SecondOrderSystem, loads: Any) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Columns of loads and their names, from names or from vectors (n,) or (n, k); None is every column of F."""
    return _several(system, loads, "load", system.input_names)


def named_rows(system: SecondOrderSystem, outputs: Any) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """Rows of outputs and their names, likewise; None is every output, or every coordinate where none is named."""
    columns, names = _several(system, outputs, "output", system.outputs or system.names)
    return columns.T, names


def _several(
    system: SecondOrderSystem, given: Any, what: str, every: tuple[str, ...]
) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    if given is None:
        given = list(every)
    if isinstance(given, str):
        given = [given]
    if isinstance(given, list | tuple) and all(isinstance(one, str) for one in given):
        columns = [_vector(system, one, what) for one in given]
        return np.array(columns).reshape(-1, system.n).T, tuple(given)
    table = given.toarray() if hasattr(given, "toarray") else np.asarray(given)
    columns = [_vector(system, one, what) for one in (table.T if table.ndim == 2 else [table])]
    letter = what[0]
    names = tuple(f"{letter}{i}" for i in range(len(columns))) if len(columns) > 1 else (what,)
    return np.array(columns).reshape(-1, system.n).T, names


def _rows(system: SecondOrderSystem, output: Any) -> NDArray[np.float64]:
    if not isinstance(output, str) and np.ndim(output) == 2:
        return np.array([_vector(system, one, "output") for one in output])
    return _vector(system, output, "output")[None]


def _solutions(system: SecondOrderSystem, omega: NDArray[np.float64], F: NDArray[np.float64]) -> Any:
    """x at each omega, inf where there is none."""
    pencils = {sign: SplitPencil.of(system, loss=sign) for sign in (-1.0, 0.0, 1.0)}
    for one in omega:
        pencil = pencils[float(np.sign(one))]
        yield _at(pencil, float(one), F) if one else _at_rest(pencil, F)


def _at(pencil: SplitPencil, omega: float, F: NDArray[np.float64]) -> Any:
    """x at a frequency; where the held rows resonate and the structure does not, ask again without holding them."""
    for way in (pencil, SplitPencil(pencil.system, None, pencil.loss)):
        try:
            solver = way.at(1j * omega)
            z, e = solver.parts(F, refinements=2)
        except (FlexuraError, np.linalg.LinAlgError):
            continue
        x = way.q @ z + e
        if np.all(np.isfinite(x)) and solver.misses(F, z, e) <= 1e-4:
            return x
    return np.full(len(F), np.inf)


def _at_rest(pencil: SplitPencil, F: NDArray[np.float64]) -> Any:
    """Zero frequency: finite only for a load in equilibrium, and then up to a free motion, which is left out."""
    try:
        rest, other = pencil.at_rest(), pencil.at_rest(transposed=True)
    except FlexuraError:
        return np.full(len(F), np.inf)
    push, size = other.kernel.T @ F, np.abs(other.kernel).T @ np.abs(F)
    if np.any(np.abs(push) > 1e-9 * size):
        return np.full(len(F), np.inf)
    x, N, MN = rest.solve(F), rest.kernel, pencil.system.M @ rest.kernel
    return x - N @ np.linalg.lstsq(N.T @ MN, MN.T @ x, rcond=None)[0] if N.shape[1] else x
