"""What `fx.modes` gives, whatever the modes are of: eigenvalues, shapes, and the certificate of their count.

>>> found = fx.modes(equations, 8)
>>> found.frequencies, found.shape(0), print(found.certificate)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.derivation.equations.equations import Equations
from flexura.display import Displayed, Table, counted
from flexura.errors import FlexuraError
from flexura.solve.exact.shapes import Shape
from flexura.systems.dataframes import dataframe
from flexura.systems.second_order import SecondOrderSystem


@dataclass(frozen=True, repr=False)
class ModesCertificate(Displayed):
    """How many modes lie below the last one returned, and how that was counted; true if the count confirms all.

    `errors`: how far each eigenvalue may be off, relative to it, by what was left out and by rounding; empty where that
    is not estimated one by one.
    """

    verified: bool
    below: int
    upto: int
    how: str
    unstable: int
    residual: float
    text: str
    errors: tuple[float, ...] = ()

    def __bool__(self) -> bool:
        return self.verified

    def summary(self) -> str:
        """Whether the count confirms all."""
        return f"{'verified' if self.verified else 'NOT verified'}, {self.upto} modes counted"

    def told(self) -> Iterator[Table | str]:
        """How they were counted."""
        yield self.text


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class Modes(Displayed):
    """`frequencies` in rad/s (|s| where damped), `eigenvalues` s, `damping_ratios`, `shape(k)`, the `certificate`.

    `equations` and `values`, or the `system` of matrices, say whose modes they are, where that is known: pictures and
    files need it.
    """

    eigenvalues: NDArray[np.complex128]
    certificate: ModesCertificate
    _shape: Callable[[int], Shape] = field(repr=False, compare=False)
    equations: Equations | None = field(default=None, repr=False, compare=False)
    values: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)
    system: SecondOrderSystem | None = field(default=None, repr=False, compare=False)

    @property
    def frequencies(self) -> NDArray[np.float64]:
        """omega = |s|, ascending."""
        return np.abs(self.eigenvalues)

    @property
    def damping_ratios(self) -> NDArray[np.float64]:
        """-Re(s)/|s|; zero where s is zero."""
        size = np.abs(self.eigenvalues)
        return -self.eigenvalues.real / np.where(size > 0, size, 1.0) + 0.0

    def to_dataframe(self) -> Any:
        """A pandas table, a row for each mode, counted from 0 as by `shape(k)`."""
        columns = {
            "omega (rad/s)": self.frequencies,
            "frequency (Hz)": self.frequencies / (2 * np.pi),
            "damping ratio": self.damping_ratios,
            "s (1/s)": np.asarray(self.eigenvalues),
        }
        return dataframe(columns, np.arange(len(self)), "mode")

    def shape(self, k: int) -> Shape:
        """The k-th mode, from 0: coordinates as numbers, fields as functions of x."""
        if not -len(self) <= k < len(self):
            raise FlexuraError(f"There is no mode {k}", advice=f"modes are numbered from 0 to {len(self) - 1}")
        return self._shape(k % len(self))

    def __getstate__(self) -> dict[str, Any]:
        """With every shape found: what finds them is not pickled."""
        shapes = tuple(self._shape(k) for k in range(len(self)))
        return {**self.__dict__, "_shape": shapes.__getitem__}

    def __len__(self) -> int:
        return len(self.eigenvalues)

    @property
    def is_drawn(self) -> bool:
        """Its shapes."""
        return len(self) > 0

    def summary(self) -> str:
        """How many, and where they lie."""
        if not len(self):
            return "no modes"
        first, last = self.frequencies[0], self.frequencies[-1]
        return f"{counted(len(self), 'mode')}, {first:.6g} to {last:.6g} rad/s, {self.certificate.summary()}"

    def told(self) -> Iterator[Table | str]:
        """A row for each mode, and how they were counted."""
        entries = zip(self.eigenvalues, self.damping_ratios, strict=True)
        rows = [
            (str(k + 1), f"{abs(s):.12g}", f"{abs(s) / (2 * np.pi):.8g}", f"{_clean(zeta, 1.0):.6g}", _root(complex(s)))
            for k, (s, zeta) in enumerate(entries)
        ]
        yield Table(("mode", "rad/s", "Hz", "damping ratio", "s"), rows)
        yield str(self.certificate)


def _root(s: complex) -> str:
    return f"{_clean(s.real, abs(s)):.6g}{_clean(s.imag, abs(s)):+.8g}i"


def _clean(value: float, size: float) -> float:
    """Without the rounding of what is zero."""
    return value if abs(value) > 1e-12 * size else 0.0


def zero_modes(motions: int, roots: int) -> str:
    """How often s = 0 is a root, in words: a motion and its drift are one entry and two roots."""
    times = "once" if roots == 1 else f"{roots} times"
    those = f"{motions} motion{'s' * (motions > 1)} without stiffness, found by rank"
    if roots == motions:
        return f"s = 0 is a root {times}: {those}, which do{'es' * (motions == 1)} not drift."
    drift = "with its drift" if motions == 1 else "each with its drift" if roots == 2 * motions else "some with drift"
    return f"s = 0 is a root {times}: {those}, {drift}."
