"""Frequency responses of systems of matrices, small or large, free or held.

>>> matrix_response(system, omega, load=F, output=c)

One solve per frequency. A free structure's rigid part is kept apart, with K Q = 0 known exactly, because at low
frequency it is almost all of the answer and the dynamic stiffness alone would hold it to few digits.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.operating.inverse import mass_metric_inverse
from flexura.operating.rigid import RigidModes, kept_rows
from flexura.systems.factor import factorize
from flexura.systems.second_order import SecondOrderSystem, as_dense, required

Complex = NDArray[np.complex128]
_KINDS = {"receptance": 0, "mobility": 1, "accelerance": 2}
_DENSE = 250


def matrix_response(system: SecondOrderSystem, omega: Any, load: Any, output: Any, kind: str = "receptance") -> Complex:
    """X of x = Re(X e^{i omega t}) per unit of the load, seen by the output.

    `load`: a vector of n, or the name of an input or a dof. `output`: a vector of n, the name of a dof or of an output,
    or several outputs as rows (then the last axis runs over them). A reduced system takes vectors of the full one, too.
    """
    system = required(system)
    if kind not in _KINDS:
        raise FlexuraError(f"kind is {kind!r}; use 'receptance', 'mobility' or 'accelerance'.")
    points = np.asarray(omega, dtype=np.float64)
    if points.size and not np.all(np.isfinite(points)):
        raise FlexuraError("omega holds values that are not finite; give frequencies in rad/s.")
    F, rows = _vector(system, load, "load"), _rows(system, output)
    seen = [
        rows @ x if np.isfinite(x[0]) else np.full(len(rows), np.inf) for x in _solutions(system, points.ravel(), F)
    ]
    X: Any = np.array(seen, dtype=np.complex128).reshape(-1, len(rows))
    infinite: Any = ~np.isfinite(X).all(axis=1)
    if infinite.any():
        at = ", ".join(f"{one:.9g}" for one in points.ravel()[infinite][:5])
        warnings.warn(f"The response is infinite: an undamped resonance lies at omega = {at} rad/s.", stacklevel=3)
    factor = (1j * points.ravel()) ** _KINDS[kind]
    with np.errstate(invalid="ignore"):
        X = np.where(infinite[:, None], np.inf, X * factor[:, None])
    return np.asarray(X.reshape(points.shape if np.ndim(output) < 2 else (*points.shape, len(rows))))


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
            f"There is no {what} {given!r}; it may be a vector of {system.n} numbers, or one of {known}."
        )
    vector = np.asarray(given, dtype=np.float64).ravel()
    if system.basis is not None and len(vector) == len(system.basis) != system.n:
        vector = system.basis.T @ vector
    if len(vector) != system.n:
        raise FlexuraError(f"The {what} has {len(vector)} numbers; give {system.n}, one for each degree of freedom.")
    if not np.all(np.isfinite(vector)):
        raise FlexuraError(f"The {what} holds values that are not finite; give finite numbers.")
    return np.asarray(vector)


def _rows(system: SecondOrderSystem, output: Any) -> NDArray[np.float64]:
    if not isinstance(output, str) and np.ndim(output) == 2:
        return np.array([_vector(system, one, "output") for one in output])
    return _vector(system, output, "output")[None]


def _solutions(system: SecondOrderSystem, omega: NDArray[np.float64], F: NDArray[np.float64]) -> Any:
    """x at each omega, inf where there is none."""
    try:
        rigid = mass_metric_inverse(system).rigid
    except FlexuraError:
        rigid = None
    free = rigid if rigid is not None and rigid.count and system.H is None else None
    for one in omega:
        if free is None:
            yield _plain(system, float(one), F)
        elif one == 0:
            yield _at_rest(system, F, free.Q)
        else:
            yield _free(system, float(one), F, free)


def _stiffness(system: SecondOrderSystem, omega: float) -> Any:
    """Real where nothing damps: half the work."""
    if system.rates is None:
        return system.displacements - omega**2 * system.M
    return system.dynamic_stiffness(1j * omega)


def _solver(system: SecondOrderSystem, omega: float) -> Any:
    A = _stiffness(system, omega)
    if system.n <= _DENSE:
        A = as_dense(A)
    rows, natural = kept_rows(system, np.zeros(0, dtype=np.int64))
    factor = factorize(A[rows][:, rows], what="The dynamic stiffness", symmetric=system.symmetric, natural=natural)

    def solve(b: Any) -> Any:
        x = np.empty_like(b)
        x[rows] = factor.solve(b[rows])
        return x

    return A, _any_numbers(solve, real=system.rates is None)


def _plain(system: SecondOrderSystem, omega: float, F: NDArray[np.float64]) -> Any:
    try:
        A, solve = _solver(system, omega)
    except FlexuraError:
        return np.full(system.n, np.inf)
    x = solve(F)
    r = F - A @ x
    x = x + solve(r)
    lost = np.linalg.norm(F - A @ x) > 1e-4 * np.linalg.norm(F)
    return np.full(system.n, np.inf) if lost or not np.all(np.isfinite(x)) else x


class _Free:
    """x = Q z + e with e zero at rows that hold every rigid motion: both parts are well posed however low omega is.

    The rows that are kept say A_kk e_k + (A Q)_k z = F_k, and the rigid equations Q'(F - A x) = 0 know Q'K = 0 exactly.
    """

    def __init__(self, system: SecondOrderSystem, rigid: RigidModes, omega: float) -> None:
        self.Q, self.A = rigid.Q, _stiffness(system, omega)
        C = system.rates
        self.moving = -(omega**2) * rigid.MQ + (0 if C is None else 1j * omega * (C @ rigid.Q))  # A Q
        self.left = -(omega**2) * rigid.MQ.T + (0 if C is None else 1j * omega * (C.T @ rigid.Q).T)  # Q'A
        self.kept, natural = kept_rows(system, rigid.held)
        inner = self.A[self.kept][:, self.kept]
        factor = factorize(inner, what="The dynamic stiffness", symmetric=system.symmetric, natural=natural)
        self.solve = _any_numbers(factor.solve, real=C is None)
        self.dragged = self.solve(self.moving[self.kept])
        self.small = self.left @ self.Q - self.left[:, self.kept] @ self.dragged

    def response(self, F: NDArray[np.float64]) -> Any:
        """x with one step of refinement; inf on a resonance."""
        z, e = np.zeros(self.Q.shape[1], dtype=complex), np.zeros(len(F), dtype=complex)
        for _ in range(3):
            rest = F - self.moving @ z - self.A @ e
            rigid = self.Q.T @ F - (self.left @ self.Q) @ z - self.left @ e
            step = self.solve(rest[self.kept])
            change = np.linalg.solve(self.small, rigid - self.left[:, self.kept] @ step)
            z = z + change
            e[self.kept] += step - self.dragged @ change
        lost = np.linalg.norm(F - self.moving @ z - self.A @ e) > 1e-4 * np.linalg.norm(F)
        x = self.Q @ z + e
        return np.full(len(F), np.inf) if lost or not np.all(np.isfinite(x)) else x


def _any_numbers(solve: Any, real: bool) -> Any:
    """Real factors solve complex right-hand sides in two parts, complex factors want complex ones."""

    def split(b: Any) -> Any:
        b = np.asarray(b)
        if real:
            return solve(b.real) + 1j * solve(b.imag) if np.iscomplexobj(b) else solve(b)
        return solve(b.astype(complex))

    return split


def _free(system: SecondOrderSystem, omega: float, F: NDArray[np.float64], rigid: RigidModes) -> Any:
    try:
        x = _Free(system, rigid, omega).response(F)
    except (FlexuraError, np.linalg.LinAlgError):
        x = np.full(system.n, np.inf)
    # the rows may resonate where the structure does not: then ask again without holding them
    return x if np.all(np.isfinite(x)) else _plain(system, omega, F)


def _at_rest(system: SecondOrderSystem, F: NDArray[np.float64], Q: NDArray[np.float64]) -> Any:
    """Zero frequency: finite only for a load in equilibrium, and then up to a rigid motion, which is left out."""
    if np.linalg.norm(Q.T @ F) > 1e-9 * np.linalg.norm(np.abs(Q).T @ np.abs(F)):
        return np.full(system.n, np.inf)
    return mass_metric_inverse(system)(F)
