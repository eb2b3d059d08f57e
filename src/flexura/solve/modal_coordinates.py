"""Modal coordinates of a state, and the orthogonality of modes shown: products of exact shapes over mass and stiffness.

>>> found = fx.modal_coordinates(fx.modes(equations, 5), {"w": "x**2"})
>>> found.coordinates, found.masses, found.stiffnesses, found.orthogonality, found.left_out

A state u is the sum of coordinates[k] times mode k, with coordinates[k] = phi_k' M u / phi_k' M phi_k: what a motion
that starts there is made of.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.display import Displayed, Table, counted
from flexura.errors import FlexuraError
from flexura.solve.exact.kernels import settle
from flexura.solve.exact.reading import read_linear
from flexura.solve.rayleigh import Trial
from flexura.solve.roots.found import Modes
from flexura.solve.slopes import Forms
from flexura.solve.values import numbers
from flexura.systems.dataframes import dataframe
from flexura.systems.second_order import as_dense
from flexura.systems.signals.signal import real_array

Array = NDArray[np.float64]
_LARGEST = 3000  # degrees of freedom of matrices
_FINER = 8  # times as many cells, over which integrals of a state are taken again
_TOLD = 1e-9


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class ModalCoordinates(Displayed):
    """`masses` and `stiffnesses` hold phi_j' M phi_k and phi_j' K phi_k; `coordinates` those of a state, if given.

    `left_out` is the part of u' M u, as of a kinetic energy, that these modes do not hold; `error` what integrals over
    a state with kinks may miss of its size.
    """

    frequencies: Array
    masses: Array
    stiffnesses: Array
    coordinates: Array
    left_out: float
    error: float = 0.0

    @property
    def orthogonality(self) -> float:
        """The largest product of two different modes, beside their own: zero but for rounding."""
        largest = 0.0
        for table in (self.masses, self.stiffnesses + self.frequencies.max(initial=0.0) ** 2 * self.masses):
            size = np.sqrt(np.abs(np.diagonal(table)))
            off = np.abs(table - np.diag(np.diagonal(table))) / np.where(size > 0, np.outer(size, size), 1.0)
            largest = max(largest, float(off.max(initial=0.0)))
        return largest

    def summary(self) -> str:
        """How many, and how orthogonal."""
        held = "" if np.isnan(self.left_out) else f", which leave out {self.left_out:.3g} of the state"
        return f"{counted(len(self.frequencies), 'mode')}, orthogonal to {self.orthogonality:.1g}{held}"

    def told(self) -> Iterator[Table | str]:
        """A row for each mode."""
        rows = zip(
            self.frequencies, np.diagonal(self.masses), np.diagonal(self.stiffnesses), self.coordinates, strict=True
        )
        texts = [(str(k + 1), *("-" if np.isnan(one) else f"{one:.9g}" for one in row)) for k, row in enumerate(rows)]
        yield Table(("mode", "rad/s", "modal mass", "modal stiffness", "coordinate"), texts)
        yield self.summary()
        if self.error > _TOLD:
            yield f"The state bends sharply somewhere: its coordinates may be off by {self.error:.1g} of its size."

    def to_dataframe(self) -> Any:
        """A pandas table, one row for each mode."""
        columns = {
            "omega (rad/s)": self.frequencies,
            "modal mass": np.diagonal(self.masses),
            "modal stiffness": np.diagonal(self.stiffnesses),
            "coordinate": self.coordinates,
        }
        return dataframe(columns, np.arange(len(self.frequencies)), "mode")


def modal_coordinates(modes: Modes, state: Any = None) -> ModalCoordinates:
    """Products of undamped modes over mass and stiffness, and what a state holds of each.

    Arguments:
        `modes`: what fx.modes gives, undamped.
        `state`: {"w": "x**2", "q1": 0.5}, or the text alone where one field is all there is, as for
            fx.rayleigh_quotient; of modes of matrices a vector (n,). Without one the coordinates are nan.
    Returns fx.ModalCoordinates: `.coordinates` (count,), what the modes leave out of the state, and their products.

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3, field="w")
    >>> modes = fx.modes(fx.Model(fx.Fixed(fx.ground, beam.start)), 3)
    >>> found = fx.modal_coordinates(modes, {"w": "x**2"})
    >>> abs(found.coordinates / found.coordinates[0]).round(4).tolist()
    [1.0, 0.0884, 0.0185]
    """
    if np.any(np.abs(modes.eigenvalues.real) > 1e-9 * np.abs(modes.eigenvalues)):
        raise _not_plain("damped or unstable")
    if modes.equations is None:
        return _of_matrices(modes, state)
    known = numbers(modes.equations, modes.values)
    system = settle(read_linear(modes.equations, known)).system
    if not system.conservative:
        raise _not_plain("of a system with damping or gyroscopic terms")
    forms = Forms(system, cells=4 + len(modes))
    shapes = [forms.shape(modes.shape(k)) for k in range(len(modes))]
    table = np.array([[np.real(forms.values(a, b)) for b in shapes] for a in shapes]).reshape(len(shapes), -1, 3)
    if state is None:
        return _found(modes, table[:, :, 2], table[:, :, 0], None, np.nan)
    given: Any = Trial(modes.equations.lagrangian, known, state).shape
    coarse, fine = (_seen(Forms(system, cells), modes, given) for cells in (4 + len(modes), _FINER * (4 + len(modes))))
    found = _found(modes, table[:, :, 2], table[:, :, 0], *fine)
    missed = (
        np.abs(coarse[0] - fine[0]) / np.sqrt(np.diagonal(table[:, :, 2]) * fine[1]) if fine[1] > 0 else np.zeros(1)
    )
    return replace(found, error=float(missed.max(initial=0.0)))


def _seen(forms: Forms, modes: Modes, state: Any) -> tuple[Array, float]:
    """phi_k' M u of every mode, and u' M u."""
    u = forms.shape(state)
    products = [np.real(forms.values(forms.shape(modes.shape(k)), u))[2] for k in range(len(modes))]
    return np.array(products), float(np.real(forms.values(u, u))[2])


def _of_matrices(modes: Modes, state: Any) -> ModalCoordinates:
    system = modes.system
    if system is None or system.n > _LARGEST:
        raise FlexuraError(
            f"Modal coordinates are those of modes of a model, of equations, or of up to {_LARGEST} degrees of freedom",
            advice="ask fx.modes(equations), or fx.modes(system) of a reduced system",
        )
    if system.G is not None or system.H is not None:
        raise _not_plain("of a system with gyroscopic or circulatory terms")
    M, K = (np.asarray(as_dense(one)) for one in (system.M, system.K))
    X = np.array([[modes.shape(k)[name] for name in system.names] for k in range(len(modes))]).real
    masses, stiffnesses = X @ M @ X.T, X @ K @ X.T
    if state is None:
        return _found(modes, masses, stiffnesses, None, np.nan)
    u = real_array(state, "state", f"give a vector of {system.n} numbers").ravel()
    if len(u) != system.n or not np.all(np.isfinite(u)):
        raise FlexuraError(f"state holds {len(u)} numbers", advice=f"give {system.n} finite ones, one for each dof")
    return _found(modes, masses, stiffnesses, X @ M @ u, float(u @ M @ u))


def _found(modes: Modes, masses: Array, stiffnesses: Array, seen: Array | None, whole: float) -> ModalCoordinates:
    own = np.diagonal(masses)
    if seen is None:
        return ModalCoordinates(modes.frequencies, masses, stiffnesses, np.full(len(own), np.nan), np.nan)
    coordinates = seen / own
    left = 1 - float(coordinates**2 @ own) / whole if whole > 0 else 0.0
    return ModalCoordinates(modes.frequencies, masses, stiffnesses, coordinates, max(left, 0.0))


def _not_plain(what: str) -> FlexuraError:
    return FlexuraError(
        f"Modal coordinates are those of undamped modes, and these are {what}",
        advice="ask for modes without damping: fx.modes(equations, values={...: 0})",
    )
