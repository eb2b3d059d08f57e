"""Jets: every derivative of a coordinate or field is a symbol of its own, and D_t, D_x move between them (theory, 1).

>>> jets = Jets(coordinates=["q"], fields=["w"])
>>> jets.D_t(jets.symbol("w", x=1) ** 2)        # 2*w_x*w_xt
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from flexura.symbolic.engine import ONE, SPINE, TIME, ZERO, Basic, Symbol, partial
from flexura.symbolic.sweeps import Sweeps
from flexura.symbolic.zero import vanishes, within

_SUFFIX = re.compile(r"x*t*\Z")
_LONG = 1000
"""Nodes, written out, up to which the engine's own derivatives are quicker than a sweep; 3x on a chain of 12 links."""


@dataclass(frozen=True, slots=True)
class Jet:
    """One derivative of a variable: `x` along the spine, `t` in time; `end` is "a", "b" or "" (inside the spine).

    A given function has no spine of its own, so its value at an end says which: `f@b_w` is f at the end b of w's spine.
    """

    name: str
    x: int = 0
    t: int = 0
    end: str = ""

    @property
    def symbol(self) -> Symbol:
        """The engine's symbol of this jet."""
        return Symbol(self.label)

    @property
    def label(self) -> str:
        """The symbol's name: `w`, `w_xt`, `w_xt@b`."""
        order = "x" * self.x + "t" * self.t
        return self.name + (f"_{order}" if order else "") + (f"@{self.end}" if self.end else "")


@dataclass(frozen=True)
class Jets:
    """The jet space of one system: which names vary in time, along a spine, or both."""

    coordinates: frozenset[str]
    fields: frozenset[str]
    functions: Mapping[str, frozenset[str]]
    _known: dict[Symbol, Jet | None] = field(default_factory=dict, repr=False, compare=False)
    _sweeps: Sweeps = field(default_factory=Sweeps, repr=False, compare=False)

    def __init__(
        self,
        coordinates: Iterable[str] = (),
        fields: Iterable[str] = (),
        functions: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        """`functions` are given functions: name -> the variables ("x", "t") they depend on."""
        object.__setattr__(self, "coordinates", frozenset(coordinates))
        object.__setattr__(self, "fields", frozenset(fields))
        object.__setattr__(self, "functions", {name: frozenset(of) for name, of in (functions or {}).items()})
        object.__setattr__(self, "_known", {})
        object.__setattr__(self, "_sweeps", Sweeps())

    @staticmethod
    def symbol(name: str, x: int = 0, t: int = 0, end: str = "") -> Symbol:
        """The symbol of one jet."""
        return Jet(name, x, t, end).symbol

    def varies(self, name: str) -> frozenset[str]:
        """The variables a name depends on: {"t"}, {"x", "t"}, or nothing for a parameter."""
        if name in self.fields:
            return frozenset("xt")
        if name in self.coordinates:
            return frozenset("t")
        return self.functions.get(name, frozenset())

    def find(self, symbol: Symbol) -> Jet | None:
        """The jet a symbol stands for, or None for a parameter, x or t."""
        try:
            return self._known[symbol]
        except KeyError:
            jet = self._known[symbol] = self._parse(symbol.name)
            return jet

    def _parse(self, label: str) -> Jet | None:
        body, _, end = label.partition("@")
        return Jet(body, end=end) if self.varies(body) else self.derivative(body, end)

    def derivative(self, body: str, end: str = "") -> Jet | None:
        """The derivative a name reads as (`q_t` of q), whether or not it is also a name of its own."""
        name, _, order = body.rpartition("_")
        if not order or not _SUFFIX.match(order) or not set(order) <= self.varies(name):
            return None
        return Jet(name, order.count("x"), order.count("t"), end)

    def inside(self, f: Basic) -> list[Jet]:
        """The jets `f` depends on, in a stable order."""
        found = (self.find(symbol) for symbol in f.free_symbols)
        return sorted((jet for jet in found if jet), key=lambda jet: jet.label)

    def unknowns(self, f: Basic) -> list[Jet]:
        """The jets of coordinates and fields in `f`: what moves, as opposed to what is given."""
        return [jet for jet in self.inside(f) if jet.name not in self.functions]

    def moves(self, f: Basic) -> bool:
        """Whether `f` changes with any unknown."""
        return any(not vanishes(partial(f, jet.symbol)) for jet in self.unknowns(f))

    def first_order(self, f: Basic, small: Collection[str]) -> Basic:
        """`f` to first order in the coordinates and fields that are `small`."""
        jets = [jet for jet in self.unknowns(f) if jet.name in small]
        if not jets:
            return f
        rest = {jet.symbol: ZERO for jet in jets}
        return f.xreplace(rest) + sum((partial(f, one).xreplace(rest) * one for one in rest), ZERO)

    def slopes(self, f: Basic, jets: Iterable[Jet]) -> list[Basic]:
        """Partial derivatives by several jets; of a long tree by one sweep."""
        symbols = [jet.symbol for jet in jets]
        return [partial(f, one) for one in symbols] if within(f, _LONG) else self._sweeps.adjoints(f, symbols)

    def D_t(self, f: Basic) -> Basic:
        """Total time derivative; of a long tree by one sweep, so that it shares its branches as `f` does."""
        rates = self._rates(f)
        if within(f, _LONG):
            return sum((partial(f, symbol) * rate for symbol, rate in rates.items()), ZERO)
        return self._sweeps.tangents([f], rates)[0]

    def _rates(self, f: Basic) -> dict[Symbol, Basic]:
        """How fast each symbol of a tree changes."""
        rates: dict[Symbol, Basic] = {TIME: ONE}
        for symbol in f.free_symbols:
            jet = self.find(symbol)
            if jet and "t" in self.varies(jet.name):
                rates[symbol] = replace(jet, t=jet.t + 1).symbol
        return rates

    def D_t_of(self, trees: Sequence[Basic]) -> list[Basic]:
        """Total time derivatives of several trees; the long ones by one sweep, which visits what they share once."""
        long = [f for f in trees if not within(f, _LONG)]
        rates = {TIME: ONE} | {rate: moved for f in long for rate, moved in self._rates(f).items()}
        swept = iter(self._sweeps.tangents(long, rates) if long else ())
        return [self.D_t(f) if within(f, _LONG) else next(swept) for f in trees]

    def D_x(self, f: Basic) -> Basic:
        """Total derivative along the spine; coordinates and values at ends do not vary with x."""
        symbols = f.free_symbols
        result = partial(f, SPINE)
        for symbol in symbols:
            jet = self.find(symbol)
            if jet and not jet.end and "x" in self.varies(jet.name):
                result += partial(f, symbol) * replace(jet, x=jet.x + 1).symbol
        return result

    def at(self, f: Basic, end: str, place: Basic, spine: str) -> Basic:
        """Evaluate `f`, a function along a spine, at its end ("a" or "b", which lies at `place`)."""
        moved: dict[Symbol, Basic] = {SPINE: place}
        for symbol in f.free_symbols:
            jet = self.find(symbol)
            if jet and not jet.end and "x" in self.varies(jet.name):
                where = end if jet.name in self.fields else f"{end}_{spine}"
                moved[symbol] = replace(jet, end=where).symbol
        return f.xreplace(moved)
