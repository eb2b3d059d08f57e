"""Frequencies against a parameter, usually a speed, as branches that stay together through crossings.

    >>> chart = fx.campbell(equations, "Omega", over=np.linspace(0, 12, 25), count=4, values={"EI": 1.0})
    >>> chart.values, chart.frequencies[:, 0], chart.unstable

Branches start as the first modes at the first value and are followed by their eigenvalues and shapes (`branches.py`).
Where two real roots merge into a pair one of their branches ends, in nan; where a pair parts, one begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import Measured, checked_methods
from flexura.derivation.family import is_speed, linear_family
from flexura.derivation.routes import small_equations_of
from flexura.display import Displayed, Table, counted
from flexura.errors import FlexuraError
from flexura.solve.equilibrium import equilibrium
from flexura.solve.exact.shapes import Shape
from flexura.solve.modes import modes
from flexura.solve.roots.branches import Branches, Entry
from flexura.solve.roots.found import Modes
from flexura.structures.moving.rotor import Rotor
from flexura.systems.dataframes import dataframe, with_unit
from flexura.systems.second_order import refuse_for_matrices
from flexura.systems.signals.signal import real_array

Array = NDArray[np.float64]
Complex = NDArray[np.complex128]
_POINTS = 9  # of a field, that tell its shape
_BEYOND = 1.2  # of |s| of the farthest branch, to which modes must reach


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Campbell(Displayed):
    """`frequencies` and `eigenvalues` (values, branches) over the `values` of a parameter.

    `unstable` says where an eigenvalue grows, Re s > 0. A frequency is |s|; `speed`: the parameter is one, in rad/s. A
    branch is nan where it does not exist: two real roots that merge are one branch afterwards.
    """

    parameter: str
    values: Array
    eigenvalues: Complex
    speed: bool = False

    @property
    def frequencies(self) -> Array:
        """|s| of every branch, in rad/s."""
        return np.abs(self.eigenvalues)

    @property
    def unstable(self) -> NDArray[np.bool_]:
        """Where a branch grows: (values, branches)."""
        size = np.abs(self.eigenvalues)
        size = np.maximum(size, 1e-9 * size[np.isfinite(size)].max(initial=0.0))
        return np.asarray(self.eigenvalues.real > 1e-9 * size)

    def to_dataframe(self) -> Any:
        """A pandas table over the parameter: frequency and eigenvalue of each branch."""
        columns: dict[str, Any] = {}
        for k in range(self.eigenvalues.shape[1]):
            columns |= {f"omega[{k}] (rad/s)": self.frequencies[:, k], f"s[{k}] (1/s)": self.eigenvalues[:, k]}
        return dataframe(columns, self.values, with_unit(self.parameter, "rad/s" * self.speed))

    def crossings(self, order: float = 1.0) -> list[tuple[float, int]]:
        """Where a branch has `order` times the value as its frequency, as (value, branch), between the given values.

        They are the critical speeds if the parameter is a speed in rad/s; each is interpolated by a straight line.
        """
        gap = self.frequencies - order * self.values[:, None]
        found = []
        for branch in range(gap.shape[1]):
            change = np.diff(np.sign(gap[:, branch]))
            for i in np.flatnonzero(np.isfinite(change) & (change != 0)):
                a, b = gap[i, branch], gap[i + 1, branch]
                found.append((float(self.values[i] + (self.values[i + 1] - self.values[i]) * a / (a - b)), branch))
        return sorted(found)

    def __len__(self) -> int:
        return len(self.values)

    @property
    def is_drawn(self) -> bool:
        """The chart."""
        return True

    def summary(self) -> str:
        """How many branches over what."""
        grows = ", unstable somewhere" if self.unstable.any() else ""
        return f"{counted(self.eigenvalues.shape[1], 'branch', 'branches')} over {self._span}{grows}"

    @property
    def _span(self) -> str:
        return f"{self.parameter} = {self.values[0]:.6g} to {self.values[-1]:.6g}" if len(self) else self.parameter

    def told(self) -> Iterator[Table | str]:
        """A row for each value, frequencies in rad/s."""
        rows = [
            (
                f"{at:.6g}",
                *("-" if np.isnan(w) else f"{w:.8g}{' *' if bad else ''}" for w, bad in zip(row, grows, strict=True)),
            )
            for at, row, grows in zip(self.values, self.frequencies, self.unstable, strict=True)
        ]
        yield Table((self.parameter, *(f"branch {k + 1}" for k in range(self.eigenvalues.shape[1]))), rows)
        if self.unstable.any():
            yield "* unstable: the eigenvalue has a positive real part"


def campbell(
    equations: Any, parameter: str, over: Measured, count: int = 6, values: Mapping[str, Any] | None = None
) -> Campbell:
    """Frequencies over a parameter, usually a speed, as branches that are followed through crossings.

    Arguments:
        `equations`: a model, equations or an fx.Rotor; `parameter`: a name, whatever it says of a rotor.
        `over`: values of the parameter, (n,), a speed in rad/s.
        `count`: how many branches; `values`: numbers for parameters without one.
    Returns fx.Campbell: `.values` (n,), `.frequencies` (n, count) in rad/s, `.unstable`. Linearised about zero; where
    zero is no equilibrium (a blade that stretches as it turns), about the equilibrium at each value.

    >>> import flexura as fx
    >>> hub, blade = fx.RigidBody("hub", m=0, I=1.0), fx.EulerBernoulliBeam("blade", EI=50.0, rho=1.2, length=1.3)
    >>> turn = fx.Revolute(fx.ground, hub, about="y", motion="Omega*t")
    >>> chart = fx.campbell(fx.Model(turn, fx.Fixed(hub, blade.start)), "Omega", [0.0, 20.0], count=2)
    >>> chart.frequencies.shape, bool((chart.frequencies[1] > chart.frequencies[0]).all())
    ((2, 2), True)
    """
    if isinstance(equations, Rotor):
        refuse_for_matrices("fx.campbell", values=values)
        rotor = equations
        return _followed(lambda speed, asked: modes(rotor.system(speed), asked), parameter, over, count, True)
    equations = small_equations_of(equations)
    linear = linear_family(equations, parameter, values, equilibrium)

    def found_at(place: float, asked: int) -> Modes:
        return modes(linear(place), asked, {**(values or {}), parameter: place})

    return _followed(found_at, parameter, over, count, is_speed(equations, parameter))


def _followed(found_at: Callable[[float, int], Modes], parameter: str, over: Any, count: int, speed: bool) -> Campbell:
    places = np.atleast_1d(real_array(over, "over", "give numbers to go over"))
    if places.ndim != 1 or not len(places) or not np.all(np.isfinite(places)):
        raise FlexuraError(f"The values of {parameter} to go over must be a list of finite numbers.")

    def solve(place: float, far: float) -> list[Entry]:
        several = count + max(3, count // 2)
        for asked in range(several, 2 * several, max(2, count // 2)):
            found = found_at(place, asked)
            if len(found.eigenvalues) < asked or np.abs(found.eigenvalues).max(initial=0.0) >= _BEYOND * far:
                break
        return _entries(found)

    branches = Branches(solve, count)
    for place in map(float, places):
        branches.advance(place)
    return Campbell(parameter, places, branches.table(), speed=speed)


def _entries(found: Modes) -> list[Entry]:
    s = found.eigenvalues
    kept, mirrored = _without_mirrors(s)
    shapes = _vectors(found, kept)
    roots = [0 if s[k] == 0 else 2 if s[k].imag or k in mirrored else 1 for k in kept]
    rows = zip(kept, shapes, roots, strict=True)
    return [Entry(complex(s[k]), shape, count, abs(s[k])) for k, shape, count in rows]


def _without_mirrors(s: Complex) -> tuple[list[int], set[int]]:
    """Of a pair of real roots -a, a, which a frequency becomes where it turns unstable, only a: kept, and those a."""
    kept, mirrored = [], set[int]()
    for k, one in enumerate(s):
        twins = np.flatnonzero(np.abs(s + one) <= 1e-9 * abs(one)) if one.imag == 0 and one != 0 else np.zeros(0)
        if one.real < 0 and len(twins):
            continue
        kept.append(k)
        if len(twins):
            mirrored.add(k)
    return kept, mirrored


def _vectors(found: Modes, which: list[int]) -> Complex:
    """Shapes as unit vectors: coordinates, and fields at a few places."""
    rows = np.array([_vector(found.shape(k)) for k in which], dtype=np.complex128)
    size = np.linalg.norm(rows, axis=-1, keepdims=True)
    return np.asarray(rows / np.where(size > 0, size, 1.0))


def _vector(shape: Shape | Complex) -> Complex:
    if isinstance(shape, np.ndarray):
        return np.asarray(shape, dtype=np.complex128)
    parts = [np.asarray(list(shape.coordinates.values()), dtype=np.complex128)]
    for one in shape.fields.values():
        parts.append(np.asarray(one(np.linspace(*one.span, _POINTS)), dtype=np.complex128))
    return np.concatenate(parts)
