"""Modes of systems of matrices, small or large: the same answer as for equations, with its count.

>>> found = matrix_modes(system, 8)
>>> found.frequencies, found.shape(0)["x3"], found.shape(0) @ system.M, print(found.certificate)

Undamped: Lanczos on the generalized inverse of K, so that zero modes are exactly zero and counted by their names; a
Sturm count (negative pivots of K - omega^2 M) says that none is missing. Damped: `matrix_damped`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.solve.roots.found import Modes, ModesCertificate
from flexura.structures.operating.dynamic import SplitPencil
from flexura.structures.operating.elastic import elastic_modes
from flexura.structures.operating.inverse import MassMetricInverse, mass_metric_inverse
from flexura.structures.operating.kernel import IndefiniteStiffness
from flexura.systems.inertia import refuse_indefinite
from flexura.systems.labelled import Labelled
from flexura.systems.second_order import SecondOrderSystem, required

Array = NDArray[Any]
_COUNT = "negative pivots of K - omega^2 M (Sylvester)"


class VectorShape(Labelled, np.ndarray):
    """A mode as the vector it is, that also knows the names of its rows: shape["x3"]."""

    names: tuple[str, ...]

    def __array_finalize__(self, made: Any) -> None:
        self.names = getattr(made, "names", ())

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, str):
            if key not in self.names:
                shown = ", ".join(self.names[:8])
                raise FlexuraError(
                    f"The shape has no {key!r}", advice=f"it knows {shown}{', ...' if len(self.names) > 8 else ''}"
                )
            key = self.names.index(key)
        return super().__getitem__(key)

    @property
    def coordinates(self) -> dict[str, Any]:
        """The rows by name."""
        return dict(zip(self.names, self.tolist(), strict=True))

    @property
    def fields(self) -> dict[str, Any]:
        """None: matrices have no fields."""
        return {}


def shapes_of(system: SecondOrderSystem, columns: Array) -> Callable[[int], Any]:
    """shape(k) of columns."""

    def shape(k: int) -> Any:
        made = np.ascontiguousarray(columns[:, k]).view(VectorShape)
        made.names = system.names
        return made

    return shape


def matrix_modes(system: SecondOrderSystem, count: int = 10, near: complex | None = None) -> Modes:
    """The first `count` modes, or the `count` eigenvalues nearest to `near`."""
    system = required(system)
    if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 1:
        raise FlexuraError(f"count is {count!r}", advice="give a whole number of modes, 1 or more")
    if not system.conservative or near is not None:
        return _damped(system, int(count), near)
    refuse_indefinite(system.M, system.K)
    try:
        return replace(_undamped(system, int(count)), system=system)
    except IndefiniteStiffness as error:
        found = _damped(system, int(count), None)  # K takes energy from some motion: both exponents of each such mode
        told = f"{found.certificate.text} {error}"
        return replace(found, certificate=replace(found.certificate, text=told))


def _damped(system: SecondOrderSystem, count: int, near: complex | None) -> Modes:
    from flexura.solve.roots.matrix_damped import damped_modes

    return replace(damped_modes(system, count, near), system=system)


def _undamped(system: SecondOrderSystem, count: int) -> Modes:
    inverse = mass_metric_inverse(system)
    rigid = inverse.rigid
    wanted = max(count - rigid.count, 0) + 2
    squares, shapes = elastic_modes(inverse, wanted)
    everything = np.concatenate([np.zeros(rigid.count), squares])
    verified, sigma, counted = _counted(system, everything, count, rigid.count)
    kept = everything[:count]
    columns = np.column_stack([rigid.Q, shapes])[:, :count]
    notes = "".join(f" {one}" for one in rigid.notes)
    text = (
        f"{len(kept)} modes, {min(rigid.count, count)} of them zero ({', '.join(rigid.names[:count]) or 'none'})."
        f" Below omega = {np.sqrt(sigma):.12g} rad/s lie {counted} modes by {_COUNT}, which"
        f" {'agrees' if verified else 'DOES NOT AGREE'} with the list.{notes}"
    )
    residual = _residual(inverse, squares[: len(kept) - rigid.count], shapes)
    certificate = ModesCertificate(verified, counted, counted, _COUNT, 0, residual, text)
    return Modes(1j * np.sqrt(kept), certificate, shapes_of(system, columns))


def _residual(inverse: MassMetricInverse, squares: Array, X: Array) -> float:
    """omega^2 K+ M x - x by its energy, relative to that of x: as strict for slow modes as for fast ones."""
    if not len(squares):
        return 0.0
    omega = np.sqrt(squares)
    signs = np.random.default_rng(8).choice([-1.0, 1.0], len(squares))  # all modes at once, each of unit energy
    X = X[:, : len(squares)]
    left = inverse(inverse.system.M @ (X @ (signs * omega))) - X @ (signs / omega)
    return float(np.sqrt(abs(left @ (inverse.system.K @ left))))


def _counted(system: SecondOrderSystem, squares: Array, count: int, rigid: int) -> tuple[bool, float, int]:
    """A Sturm count between the last mode returned and the next that differs."""
    last = squares[min(count, len(squares)) - 1]
    beyond = squares[squares > last * (1 + 1e-6)]
    if last == 0 and len(beyond):
        sigma = 1e-2 * float(beyond[0])
    elif len(beyond):
        sigma = float(last + min(beyond[0] - last, last) / 2)
    else:
        sigma = float(last) * (1 + 1e-6) + 1e-300
    found = SplitPencil.of(system).negative(1j * np.sqrt(sigma))
    listed = int((squares < sigma).sum())
    return found == listed, sigma, -1 if found is None else found
