"""What pieces that stretch where they bend store and lose by that, read off plain geometry.

>>> Strained(state, piece, x).misses(piece.mechanics.potential.engine, -density)

A particle of length dx that moves by u, v, w ends as long as |(1 + u_x, v_x, w_x)| dx; that strain stands for u_x in
the member's own energy. It counts to the order at which small deflections hold it: slopes are s and u_x is s^2.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from flexura.derivation.prove.moving import RandomState
from flexura.derivation.prove.program import STEP, DigitsProgram, Number, mp
from flexura.derivation.prove.read import ReadPiece
from flexura.derivation.prove.vectors import ZERO
from flexura.symbolic.engine import SPINE, TIME, Basic, Symbol, symbol_name
from flexura.symbolic.engine import ZERO as NOTHING
from flexura.symbolic.jets import Jet

_SLOPE = mp.mpf(10) ** -12
_LEFT_OUT = mp.mpf(10) ** -15  # of what the strain adds: far above the square of slopes, far below one
_ROUNDED = mp.mpf(10) ** -80
_SHARES = (mp.mpf(1) / 3, mp.mpf(7) / 9)
"""Of the length: where is looked."""


def misread(state: RandomState, piece: ReadPiece) -> Iterator[str]:
    """Which energies of a piece are not those of its strain: what it "stores", what it "loses"."""
    start, end = piece.ends
    points = [Strained(state, piece, start + (end - start) * share) for share in _SHARES]
    density = state.energies.density.get(piece.spine, NOTHING)
    lost = state.energies.dissipation_density.get(piece.spine, NOTHING)
    if any(one.misses(piece.mechanics.potential.engine, -density) for one in points):
        yield "stores"
    if any(one.misses(piece.mechanics.dissipation.engine, lost) for one in points):
        yield "loses"


@dataclass(frozen=True, eq=False)
class Strained:
    """A particle whose axis is stretched and inclined, and goes on to be; nothing else moves."""

    state: RandomState
    piece: ReadPiece
    x: Number

    def misses(self, own: Basic, written: Basic) -> bool:
        """Whether what was written is another energy than the member's own with the strain of its axis for u_x."""
        own = self.piece.own(own)
        expected, unstretched = self._gained(own, self._strains), self._gained(own, {})
        apart = abs(self._gained(written, {}) - expected)
        return bool(apart > _LEFT_OUT * abs(expected - unstretched) + _ROUNDED)

    @cached_property
    def _names(self) -> list[str]:
        """The fields by which it moves along and across; none where it cannot."""
        return [symbol_name(self.piece.own(one.engine)) for one in self.piece.mechanics.displacement]

    def _slopes(self, tau: Number) -> list[Number]:
        """u_x, v_x and w_x at a time."""
        draw, orders = self.state.draw, (2, 1, 1)
        return [
            _SLOPE**order * (draw.any(f"slope {i} of a strain") + tau * draw.any(f"its rate {i}")) if name else ZERO
            for i, (order, name) in enumerate(zip(orders, self._names, strict=True))
        ]

    def _strain(self, tau: Number) -> Number:
        u_x, v_x, w_x = self._slopes(tau)
        return mp.sqrt((1 + u_x) ** 2 + v_x**2 + w_x**2) - 1

    @cached_property
    def _strains(self) -> dict[str, Number]:
        """The strain and its rate, under the names of u_x and u_xt."""
        rate = (self._strain(STEP) - self._strain(-STEP)) / (2 * STEP)
        return {Jet(self._names[0], 1).label: self._strain(ZERO), Jet(self._names[0], 1, 1).label: rate}

    @cached_property
    def _inclined(self) -> dict[str, Number]:
        """Slopes and their rates by name."""
        here, ahead = self._slopes(ZERO), self._slopes(mp.mpf(1))
        found = {Jet(name, 1).label: slope for name, slope in zip(self._names, here, strict=True) if name}
        rates = zip(self._names, here, ahead, strict=True)
        return found | {Jet(name, 1, 1).label: later - now for name, now, later in rates if name}

    def _gained(self, f: Basic, instead: dict[str, Number]) -> Number:
        """What an energy gains over that of the straight axis."""
        program = DigitsProgram([f])
        return program(self._value({**self._inclined, **instead}))[0] - program(self._value({}))[0]

    def _value(self, given: dict[str, Number]) -> Callable[[str], Number]:
        def value(name: str) -> Number:
            if name in (SPINE.name, TIME.name):
                return self.x if name == SPINE.name else self.state.now
            if name in given:
                return given[name]
            unknown = self.state.energies.jets.find(Symbol(name)) is not None
            return ZERO if unknown else self.state.reading.value(name)

        return value
