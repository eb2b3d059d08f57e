"""Matrix iteration (Stodola, Vianello): the lowest modes by repeated multiplication with K^-1 M, as by hand.

>>> found = fx.matrix_iteration(equations, count=2)
>>> found.frequencies, found.history[0]               # estimates of the first frequency, step by step

Each step is a static deflection under the inertia loads of the last shape; shapes that were found are swept out, so
that the next one comes up. fx.modes is the better tool: this one shows the way, and how fast it converges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.derivation.family import linear_at
from flexura.derivation.routes import can_be_derived, small_equations_of
from flexura.display import Displayed, Table
from flexura.errors import FlexuraError
from flexura.solve.discretise import linear_matrices, motion_system
from flexura.solve.rayleigh import plain_matrices
from flexura.solve.values import free_motions
from flexura.systems.dataframes import dataframe
from flexura.systems.second_order import as_dense

Array = NDArray[np.float64]
_STEPS, _ORDER = 10_000, 12
_BELOW = 1e-6  # of a frequency: as near as that are modes that an iteration does not tell apart


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class MatrixIteration(Displayed):
    """`frequencies` in rad/s, `shapes` in columns over `names`, and `history`: the estimates of each, step by step."""

    frequencies: Array
    shapes: Array
    history: tuple[Array, ...]
    names: tuple[str, ...]

    def summary(self) -> str:
        """How many steps each mode took."""
        steps = ", ".join(str(len(one)) for one in self.history)
        return f"{len(self.frequencies)} modes by matrix iteration, in {steps} steps"

    def told(self) -> Iterator[Table | str]:
        """The first steps of each mode."""
        rows = [
            (str(k + 1), str(len(one)), *(f"{value:.8g}" for value in one[:4]), f"{one[-1]:.10g}")
            for k, one in enumerate(self.history)
        ]
        rows = [(*row[:2], *row[2:-1], *("",) * (7 - len(row)), row[-1]) for row in rows]
        yield Table(("mode", "steps", "1", "2", "3", "4", "last, rad/s"), rows)

    def to_dataframe(self) -> Any:
        """A pandas table of the estimates, a column for each mode."""
        longest = max(map(len, self.history))
        columns = {
            f"mode {k + 1} (rad/s)": np.append(one, np.full(longest - len(one), np.nan))
            for k, one in enumerate(self.history)
        }
        return dataframe(columns, np.arange(1, longest + 1), "step")


def matrix_iteration(
    equations: Any,
    count: int = 1,
    values: Mapping[str, Any] | None = None,
    start: Any = None,
    tolerance: float = 1e-12,
) -> MatrixIteration:
    """The lowest `count` modes of undamped equations or matrices, by powers of K^-1 M and sweeping.

    `start` is the first shape, all ones where it is not given. Members move in polynomials of degree 12.

    >>> fx.matrix_iteration(system, 2).history[1]
    """
    M, K, names = _matrices(equations, values)
    n = len(M)
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= n:
        raise FlexuraError(f"count is {count!r}", advice=f"give a whole number from 1 to {n}")
    size = np.sqrt(np.abs(np.diagonal(K)))
    if np.any(size == 0) or not np.all(np.linalg.eigvalsh(K / np.outer(size, size)) > 1e-13):
        raise FlexuraError(
            "Matrix iteration needs stiffness against every motion, and something moves freely here",
            advice="hold it, or ask fx.modes",
        )
    first = np.ones(n) if start is None else np.asarray(start, dtype=np.float64).ravel()
    if len(first) != n or not np.any(first):
        raise FlexuraError(f"start holds {len(first)} numbers", advice=f"give {n}, not all of them zero")
    flexibility = np.asarray(np.linalg.solve(K, M), dtype=np.float64)
    shapes, history = np.zeros((n, 0)), []
    for k in range(count):
        x = first if not k else first + np.cos(1.0 + k * np.arange(n))  # not orthogonal to what is left
        x, seen = _iterated(flexibility, M, K, shapes, x, tolerance)
        _refuse_missed(M, K, seen[-1], k)
        shapes = np.column_stack([shapes, x])
        history.append(np.array(seen))
    frequencies = np.array([one[-1] for one in history])
    return MatrixIteration(frequencies, shapes, tuple(history), names)


def _refuse_missed(M: Array, K: Array, frequency: float, known: int) -> None:
    """What a start holds nothing of, as a symmetric one of shapes that are not, never comes up: counted (Sylvester)."""
    size = np.sqrt(np.diagonal(K))
    shifted = (K - (frequency * (1 - _BELOW)) ** 2 * M) / np.outer(size, size)
    below = int((np.linalg.eigvalsh(shifted) < 0).sum())
    if below > known:
        raise FlexuraError(
            f"The start holds nothing of {below - known} modes below {frequency:.6g} rad/s",
            advice="give another start, which is not as symmetric as they are",
        )


def _iterated(
    flexibility: Array, M: Array, K: Array, shapes: Array, x: Array, tolerance: float
) -> tuple[Array, list[float]]:
    seen: list[float] = []
    for _ in range(_STEPS):
        x = flexibility @ x
        x = x - shapes @ (shapes.T @ M @ x)  # sweeping
        mass = float(x @ M @ x)
        if not mass > 0:
            raise FlexuraError("The start holds nothing of this mode", advice="give another start")
        x = x / np.sqrt(mass)
        seen.append(float(np.sqrt(x @ K @ x)))
        if len(seen) > 1 and abs(seen[-1] - seen[-2]) <= tolerance * seen[-1]:
            return x, seen
    raise FlexuraError(
        f"The iteration did not settle in {_STEPS} steps: two frequencies are close", advice="ask fx.modes"
    )


def _matrices(equations: Any, values: Mapping[str, Any] | None) -> tuple[Array, Array, tuple[str, ...]]:
    if not can_be_derived(equations):
        M, K = plain_matrices(equations, "fx.matrix_iteration", values)
        return M, K, tuple(f"x{i}" for i in range(len(M)))
    linear = free_motions(linear_at(small_equations_of(equations), values), values)
    order = _ORDER if linear.fields else None
    system = linear_matrices(linear, motion_system(linear, values, order), values).system
    if system.G is not None or system.H is not None:
        raise FlexuraError(
            "Matrix iteration is for systems without gyroscopic and circulatory terms", advice="ask fx.modes"
        )
    return np.asarray(as_dense(system.M)), np.asarray(as_dense(system.K)), system.names
