"""What `fx.modes` gives, whatever the modes are of: eigenvalues, shapes, and the certificate of their count.

>>> found = fx.modes(equations, 8)
>>> found.frequencies, found.shape(0), print(found.certificate)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked_methods
from flexura.derivation.equations.equations import Equations
from flexura.errors import FlexuraError
from flexura.solve.exact.shapes import Shape


@dataclass(frozen=True)
class ModesCertificate:
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

    def __str__(self) -> str:
        return self.text


@checked_methods
@dataclass(frozen=True)
class Modes:
    """`frequencies` in rad/s (|s| where damped), `eigenvalues` s, `damping_ratios`, `shape(k)`, the `certificate`.

    `equations` and `values` say whose modes they are, where that is known: pictures need it.
    """

    eigenvalues: NDArray[np.complex128]
    certificate: ModesCertificate
    _shape: Callable[[int], Shape] = field(repr=False, compare=False)
    equations: Equations | None = field(default=None, repr=False, compare=False)
    values: Mapping[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @property
    def frequencies(self) -> NDArray[np.float64]:
        """omega = |s|, ascending."""
        return np.abs(self.eigenvalues)

    @property
    def damping_ratios(self) -> NDArray[np.float64]:
        """-Re(s)/|s|; zero where s is zero."""
        size = np.abs(self.eigenvalues)
        return -self.eigenvalues.real / np.where(size > 0, size, 1.0) + 0.0

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


def zero_modes(motions: int, roots: int) -> str:
    """How often s = 0 is a root, in words: a motion and its drift are one entry and two roots."""
    times = "once" if roots == 1 else f"{roots} times"
    those = f"{motions} motion{'s' * (motions > 1)} without stiffness, found by rank"
    if roots == motions:
        return f"s = 0 is a root {times}: {those}, which do{'es' * (motions == 1)} not drift."
    drift = "with its drift" if motions == 1 else "each with its drift" if roots == 2 * motions else "some with drift"
    return f"s = 0 is a root {times}: {those}, {drift}."
