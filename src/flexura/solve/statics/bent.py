"""States of rest of members that bend far: Newton's method on Ritz's equations, finer until the shapes stand still.

>>> found = bent(equations, values, guess, order=None, elements=None)
>>> found.y, found.error, found.stable
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.solve.statics.load_steps import LoadHistory, NotHeld, loaded
from flexura.solve.statics.newton import settled, sizes
from flexura.solve.statics.resolution import LADDER, UNKNOWNS, apart, moved_to, tail
from flexura.solve.statics.rest_system import LOADS, RestSystem, rest_system
from flexura.solve.statics.stability import stability

Array = NDArray[np.float64]
AGREE = 1e-11  # of shapes with those before
_FINE = 1e-9  # what highest powers may hold where only rounding still moves the shapes
_ROUNDED = 1e-13  # what strains of order one, rounded, may move
_SAME = 1e-6  # limit loads that agree
_FAILS = 5  # degrees, after which finer ones are not tried
_STANDS = 0.3  # what a finer one must move less, or it is rounding


@dataclass(frozen=True, eq=False)
class BentState:
    """A state of rest in polynomials, and how it was found."""

    rest: RestSystem
    y: Array
    history: LoadHistory
    error: float | None
    """How far it is from the one before, coarser; None where only one was asked for."""
    tail: float
    """What its highest powers hold."""

    @property
    def settled(self) -> bool:
        """Whether finer polynomials would not change it any more than rounding does."""
        return self.error is not None and (self.error <= AGREE or self.tail <= _FINE or self.rounded)

    @property
    def rounded(self) -> bool:
        """Whether what finer polynomials changed is next to nothing, in sizes of the structure."""
        if self.error is None or not self.rest.floor:
            return False
        x = self.y[: self.rest.n]
        return self.error * float(np.sqrt(max(0.0, float(x @ self.rest.metric @ x)))) <= _ROUNDED

    @property
    def stable(self) -> bool:
        """Whether the tangent stiffness is positive on what constraints leave."""
        return stability(self.rest, self.y, 1.0).stable

    @property
    def residual(self) -> float:
        """The largest imbalance, beside what balances there."""
        B, _ = self.rest.slopes(self.y, 1.0)
        d = sizes(B, self.rest.n)
        terms = np.abs(B) @ np.abs(self.y) / d
        return float(np.abs(self.rest.residual(self.y, 1.0) / d).max(initial=0.0) / (terms.max(initial=0.0) or 1.0))


def bent(
    equations: Equations,
    values: Mapping[str, Any] | None,
    guess: Mapping[str, float] | None = None,
    order: int | None = None,
    elements: int | None = None,
) -> BentState:
    """The state under all loads, in polynomials that are fine enough, or in those that are asked for."""
    if order is not None or not equations.fields:
        rest = rest_system(equations, values, LOADS, order or 1, elements or 1)
        y, history = loaded(rest, rest.start(guess))
        return BentState(rest, y, history, None, tail(rest, y, 1.0))
    ladder = [(degree, elements or number) for degree, number in LADDER if elements is None or number == 1]
    found: BentState | None = None
    failed = list[NotHeld]()
    for degree, number in ladder:
        rest = rest_system(equations, values, LOADS, degree, number)
        if found is not None and rest.size > UNKNOWNS:
            break
        try:
            finer = _finer(rest, found, guess)
        except NotHeld as error:
            failed.append(error)
            if _confirmed(failed):
                raise
            continue
        if found is not None:
            standing = found.error is not None and finer.error is not None and finer.error > _STANDS * found.error
            if finer.settled and (finer.error is None or finer.error <= AGREE or finer.rounded or standing):
                return finer
        found = finer
    if found is None:
        raise failed[-1]
    return found


def _confirmed(failed: Sequence[NotHeld]) -> bool:
    """Whether finer polynomials say the same as coarser ones: stiff members may lock in coarse ones, and hold less."""
    if len(failed) < 2:
        return False
    before, last = failed[-2:]
    if last.limits and before.limits:
        return abs(last.limits[0] - before.limits[0]) <= _SAME * abs(last.limits[0])
    return len(failed) >= _FAILS


def _finer(rest: RestSystem, before: BentState | None, guess: Mapping[str, float] | None) -> BentState:
    """The state in finer polynomials, from the one before where that leads to it."""
    if before is not None and before.history.steps:
        y = settled(rest, moved_to(rest, before.rest, before.y, 1.0), 1.0)
        if y is not None:
            gap = apart(before.rest, before.y, rest, y, 1.0)
            return BentState(rest, y, before.history, gap, tail(rest, y, 1.0))
    y, history = loaded(rest, rest.start(guess))
    gap = np.inf if before is None else apart(before.rest, before.y, rest, y, 1.0)
    return BentState(rest, y, history, float(gap) if before is not None else None, tail(rest, y, 1.0))
