"""How frequency responses change with parameters: d(response)/dp at every frequency, by one solution more.

>>> found = fx.sensitivity(equations, ["k", "c"], omega=omega, load="F", output="q1")
>>> found["k"], found.response, found.magnitude["k"]               # complex; d|response|/dk

With Z = K + i omega C - omega^2 M, Z x = F and y = R x: Z dx = dF - dZ x, dy = dR x + R dx. The members' polynomials
are as fine as the exact response asks for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.derivation.equations.equations import Equations
from flexura.display import Displayed, Table, counted
from flexura.errors import FlexuraError, warn
from flexura.solve.differences import by_parameter, shifted
from flexura.solve.frequency_response import frequency_response
from flexura.solve.response import read_frequencies
from flexura.solve.response_slopes import quick_slopes
from flexura.solve.state_space import posed
from flexura.solve.transient import listed, several
from flexura.solve.units import called
from flexura.systems.dataframes import dataframe

Complex = NDArray[np.complex128]
Array = NDArray[np.float64]
_ORDERS = (8, 12, 16, 20, 24)
_AGREES, _NOTICED = 1e-10, 1e-6


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class ResponseSensitivity(Displayed, Mapping[str, Complex]):
    """`found["k"]` is d(response)/dk, complex, of the shape of `response`.

    `error` is what it may be off by, as a part of the largest; `notes` say where from.
    """

    omega: Array
    response: Complex
    slopes: Mapping[str, Complex]
    parameters: Mapping[str, float]
    error: float
    label: str = ""
    names: tuple[str, ...] = field(default=(), repr=False)

    __eq__, __hash__ = object.__eq__, object.__hash__

    def __getitem__(self, name: str) -> Complex:
        if name not in self.slopes:
            raise FlexuraError(
                f"There is no sensitivity to {name!r}", advice=f"it was asked for {', '.join(self.slopes)}"
            )
        return self.slopes[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.slopes)

    def __len__(self) -> int:
        return len(self.slopes)

    @property
    def magnitude(self) -> dict[str, Array]:
        """d|response|/dp; 0 where the response is."""
        size = np.abs(self.response)
        whole = {name: np.real(np.conj(self.response) * one) for name, one in self.slopes.items()}
        return {name: np.divide(one, size, out=np.zeros_like(size), where=size > 0) for name, one in whole.items()}

    def summary(self) -> str:
        """Of what, by what."""
        return f"slopes of {self.label} at {counted(len(self.omega), 'frequency', 'frequencies')} by {', '.join(self)}"

    def told(self) -> Iterator[Table | str]:
        """The largest slope of the magnitude by each parameter, and what it may be off by."""
        rows = [(name, f"{np.abs(one).max():.6g}") for name, one in self.magnitude.items()]
        yield self.summary()
        yield Table(("parameter", "largest d|response|/dp"), rows)
        yield f"It may be off by {self.error:.1g} of its largest value."

    def to_dataframe(self) -> Any:
        """A pandas table over the frequencies: a column for each parameter, output and load."""
        columns = {
            f"d({called_as})/d({name})": column
            for name, one in self.slopes.items()
            for called_as, column in zip(self.names, one.reshape(len(self.omega), -1).T, strict=True)
        }
        return dataframe(columns, self.omega, "omega (rad/s)")


@dataclass(frozen=True, eq=False)
class _Matrices:
    """Z(omega) x = F, y = R x + direct u of one value of the parameters; what is driven comes last in `loads`."""

    M: Array
    C: Array
    K: Array
    F: Array
    rows: tuple[Array, Array, Array]
    direct: Array
    driven: tuple[int, ...]
    order: tuple[int, ...]

    @property
    def arrays(self) -> tuple[Array, ...]:
        """Whatever a parameter may change."""
        return (self.M, self.C, self.K, self.F, *self.rows, self.direct)


def response_sensitivity(
    equations: Equations,
    names: Sequence[str],
    known: Mapping[str, float],
    values: Mapping[str, Any] | None,
    omega: Any,
    load: Any,
    output: Any,
) -> ResponseSensitivity:
    """The derivatives of fx.frequency_response by parameters."""
    points = np.atleast_1d(read_frequencies(omega)).ravel()
    loads, outputs = listed(load), listed(output)
    exact = np.asarray(frequency_response(equations, points, loads, outputs, values))
    exact = exact.reshape(len(points), len(outputs), len(loads))
    if not np.all(np.isfinite(exact)):
        raise FlexuraError(
            "An undamped resonance lies at a frequency that was asked for, where the response has no slope",
            advice="ask beside it, or give the system some damping",
        )
    quick = quick_slopes(equations, names, values, points, loads, outputs, exact)
    slopes, error = dict(quick.slopes), quick.missed
    left = [name for name in names if name not in slopes]
    if left:
        others, off = _by_discretising((equations, loads, outputs), left, known, values, points, exact)
        slopes, error = slopes | others, max(error, off)
    if error > _NOTICED:
        warn(f"The slopes of the response may be off by {error:.0e} of their largest value; ask at lower frequencies.")
    label = f"the response of {', '.join(map(called, outputs))} to {', '.join(map(called, loads))}"
    columns = tuple(f"{called(one)} per {called(acting)}" for one in outputs for acting in loads)

    def shaped(values: Complex) -> Complex:
        values = values if several(load) else values[:, :, 0]
        return values if several(output) else values[:, 0]

    return ResponseSensitivity(
        points,
        shaped(exact),
        {name: shaped(slopes[name]) for name in names},
        {name: known[name] for name in names},
        error,
        label,
        columns,
    )


def _by_discretising(
    question: tuple[Equations, list[Any], list[Any]],
    names: Sequence[str],
    known: Mapping[str, float],
    values: Mapping[str, Any] | None,
    points: Array,
    exact: Complex,
) -> tuple[dict[str, Complex], float]:
    """By parameters that change loads, outputs or places as well: the matrices are made at values beside, too."""
    order, found, error = _fine(question, values, points, exact)
    x, Z, _, free = _solved(found, points)
    slopes = {}
    for name in names:

        def beside(k: int, name: str = name) -> Sequence[Array]:
            return _read(question, shifted(values, name, known[name], k), order).arrays

        by, off = by_parameter(beside, known[name], name)
        slopes[name] = _slope(found, by, points, x, Z, free)
        error = max(error, off)
    return slopes, error


def _fine(
    question: tuple[Equations, list[Any], list[Any]], values: Mapping[str, Any] | None, points: Array, exact: Complex
) -> tuple[int | None, _Matrices, float]:
    """Polynomials fine enough for the exact response, and what they still miss of it."""
    best: tuple[int | None, _Matrices, float] | None = None
    size = np.abs(exact).max(axis=0)
    for order in _ORDERS if question[0].fields else (None,):
        found = _read(question, values, order)
        x, *_ = _solved(found, points)
        seen = _seen(found.rows, found.direct, found, points, x)
        missed = float(np.max(np.abs(seen - exact).max(axis=0) / np.where(size > 0, size, 1.0)))
        if best is None or missed < best[2]:
            best = order, found, missed
        if missed <= _AGREES:
            break
    assert best is not None
    return best


def _read(
    question: tuple[Equations, list[Any], list[Any]], values: Mapping[str, Any] | None, order: int | None
) -> _Matrices:
    asked, discrete, rows = posed(*question, values, order)
    system = discrete.system
    n = system.n
    C = np.zeros((n, n)) if system.rates is None else np.asarray(system.rates)
    given = dict(zip(system.input_names, np.zeros((0, n)) if system.F is None else system.F.T, strict=False))
    F = np.array([given.get(name, np.zeros(n)) for name in asked.columns]).reshape(len(asked.columns), n).T
    over = [np.zeros((len(rows), n)) for _ in range(3)]
    direct = np.zeros((len(rows), len(asked.labels)))
    for i, row in enumerate(rows):
        for rate, one in row.rows.items():
            over[rate][i] += one @ discrete.independent
        if row.direct is not None:
            direct[i] += row.direct
    driven = tuple(system.names.index(name) for name in asked.driven)
    return _Matrices(
        np.asarray(system.M), C, np.asarray(system.displacements), F, (over[0], over[1], over[2]), direct, driven,
        asked.order,
    )  # fmt: skip


def _stiffness(one: Sequence[Array], points: Array) -> Complex:
    M, C, K = one[:3]
    s = 1j * points[:, None, None]
    return np.asarray(K + s * C + s**2 * M, dtype=np.complex128)


def _solved(found: _Matrices, points: Array) -> tuple[Complex, Complex, Complex, NDArray[np.int64]]:
    """x of each input, (frequencies, n, inputs), loads first; Z of what is free, its right side, and which are free."""
    n = len(found.M)
    free = np.setdiff1d(np.arange(n), found.driven)
    Z = _stiffness(found.arrays, points)
    held = Z[:, free][:, :, list(found.driven)]
    B = np.concatenate([np.broadcast_to(found.F[free], (len(points), *found.F[free].shape)), -held], axis=2)
    inner = Z[:, free][:, :, free]
    x = np.zeros((len(points), n, B.shape[2]), dtype=np.complex128)
    x[:, free] = np.linalg.solve(inner, B)
    for k, i in enumerate(found.driven):
        x[:, i, found.F.shape[1] + k] = 1.0
    return x, inner, B, free


def _seen(rows: Sequence[Array], direct: Array, found: _Matrices, points: Array, x: Complex) -> Complex:
    """Outputs in the order of the question; a driven motion counts per unit of itself, not of its acceleration."""
    s = 1j * points[:, None, None]
    y = (rows[0] + s * rows[1] + s**2 * rows[2]) @ x
    y = y[:, :, list(found.order)]
    accelerated = [k >= found.F.shape[1] for k in found.order]
    scale = np.where(np.array(accelerated)[None, :], -(points[:, None] ** 2), 1.0)
    return np.asarray(y + direct * scale[:, None, :], dtype=np.complex128)


def _slope(
    found: _Matrices, by: Sequence[Array], points: Array, x: Complex, Z: Complex, free: NDArray[np.int64]
) -> Complex:
    """dy/dp from the derivatives of all matrices."""
    right = -(_stiffness(by, points) @ x)
    right[:, :, : found.F.shape[1]] += by[3]
    dx = np.zeros_like(x)
    dx[:, free] = np.linalg.solve(Z, right[:, free])
    nothing = np.zeros_like(found.direct)
    return _seen(by[4:7], by[7], found, points, x) + _seen(found.rows, nothing, found, points, dx)
