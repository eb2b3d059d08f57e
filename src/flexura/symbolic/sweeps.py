"""Derivatives of many trees at once, in time and size proportional to the trees: each branch is visited once.

>>> Sweeps().adjoints(L, [q_t, r_t])                     # dL/dq_t, dL/dr_t: backwards, from the whole to its symbols
>>> Sweeps().tangents([f, g], {q: q_t, r: r_t})          # how both change along a direction: forwards, symbols first

What comes out shares its branches again, so sweeps may follow one another: the tangents of adjoints are second
derivatives along a direction. Differentiating by each symbol alone writes the shared branches anew for each.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import symengine

from flexura.symbolic.engine import ONE, ZERO, Basic, Symbol, hangs, partial
from flexura.symbolic.walk import branches, remade


class Sweeps:
    """Sweeps one after another, whose results share branches too: equal ones are found as they are made and kept once.

    To tell that two branches are equal, all that is below them is compared, which may take for ever; but not where they
    are made of the same parts. So whatever comes in is put into parts that are known; trees that come in at once should
    share what they have in common.
    """

    def __init__(self) -> None:
        self._pool: dict[Basic, Basic] = {}

    def tangents(self, trees: Sequence[Basic], direction: Mapping[Symbol, Basic]) -> list[Basic]:
        """The sum of df/ds times the direction's entry for s, for each tree f."""
        trees, found = self._known(trees), dict[Basic, Basic]()
        for one in branches(trees):
            if isinstance(one, symengine.Symbol):
                found[one] = direction.get(one, ZERO)
            elif all(found[part] == 0 for part in one.args):
                found[one] = ZERO
            elif isinstance(one, symengine.Piecewise):
                found[one] = self._one(_pieces(one, [found[part] for part in one.args[::2]]))
            else:
                parts = [(slope, found[part]) for slope, part in zip(_slopes(one), one.args, strict=True)]
                found[one] = self._sum([(slope, moved) for slope, moved in parts if moved != 0])
        return [found[f] for f in trees]

    def adjoints(self, f: Basic, symbols: Sequence[Symbol]) -> list[Basic]:
        """df/ds for each symbol s."""
        (f,) = self._known([f])
        weights: dict[Basic, list[tuple[Basic, Basic]]] = {f: [(ONE, ONE)]}
        for one in reversed(branches([f])):
            if one not in weights or isinstance(one, symengine.Symbol) or not one.args:
                continue
            weight = self._sum(weights.pop(one))
            if weight == 0:
                continue
            for part, slope in zip(one.args, _slopes(one), strict=True):
                if slope != 0:
                    weights.setdefault(part, []).append((weight, slope))
        return [self._sum(weights.get(one, [])) for one in symbols]

    def _known(self, trees: Sequence[Basic]) -> list[Basic]:
        """The same trees, of branches that are known where there are such."""
        found: dict[Basic, Basic] = {}
        for one in branches(trees):
            found[one] = self._pool.setdefault(remade(one, [found[part] for part in one.args]), one)
        return [found[f] for f in trees]

    def _sum(self, products: list[tuple[Basic, Basic]]) -> Basic:
        return self._one(symengine.Add(*(self._one(self._one(a) * self._one(b)) for a, b in products)))

    def _one(self, f: Basic) -> Basic:
        return self._pool.setdefault(f, f)


def _slopes(one: Basic) -> list[Basic]:
    """How a branch changes with each of those it is made of."""
    parts = one.args
    if isinstance(one, symengine.Add):
        return [ZERO if part.is_Number else ONE for part in parts]
    if isinstance(one, symengine.Mul):
        return [ZERO if part.is_Number else symengine.Mul(*parts[:i], *parts[i + 1 :]) for i, part in enumerate(parts)]
    if isinstance(one, symengine.Pow) and parts[1].is_Number:
        return [parts[1] * parts[0] ** (parts[1] - 1), ZERO]
    if isinstance(one, symengine.sin):
        return [symengine.cos(parts[0])]
    if isinstance(one, symengine.cos):
        return [-symengine.sin(parts[0])]
    if isinstance(one, symengine.Abs):
        return [parts[0] / one if hangs("sign", parts) else symengine.sign(parts[0])]
    if isinstance(one, symengine.Piecewise):
        chosen = [[ONE if i == j else ZERO for j in range(0, len(parts), 2)] for i in range(0, len(parts), 2)]
        return [slope for row in chosen for slope in (_pieces(one, row), ZERO)]
    return _general(one)


def _pieces(one: Basic, values: Sequence[Basic]) -> Basic:
    """Other values under the conditions of a Piecewise."""
    return symengine.Piecewise(*zip(values, one.args[1::2], strict=True))


def _general(one: Basic) -> list[Basic]:
    """Of any other function: the engine's derivative, with stand-ins for what it is made of."""
    if not isinstance(one, symengine.Function | symengine.Pow):
        return [ZERO for _ in one.args]  # a condition, which is not differentiated
    stand_ins = [Symbol(f"$part{i}") for i in range(len(one.args))]
    put = dict(zip(stand_ins, one.args, strict=True))
    plain = one.func(*stand_ins)
    return [partial(plain, symbol).xreplace(put) for symbol in stand_ins]
