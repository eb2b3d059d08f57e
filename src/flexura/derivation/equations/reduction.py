"""Integrals along a spine brought to one form, so that equal ones look equal: derivatives moved to the ends by parts.

int c w_xx dx = [c w_x - c_x w] + int c_xx w dx
"""

from __future__ import annotations

from dataclasses import replace

import symengine

from flexura.derivation.equations.rows import Sum, integrals_done
from flexura.energy.lagrangian import Lagrangian, Spine
from flexura.symbolic.engine import SPINE, Basic
from flexura.symbolic.integrals import factors, terms
from flexura.symbolic.jets import Jet
from flexura.symbolic.walk import atoms
from flexura.symbolic.zero import pythagoras


def reduced(side: Sum, energies: Lagrangian) -> Sum:
    """The same sum with every derivative along x moved to the ends that can be, and given end values put in."""
    result = Sum(energies.settled(side.local))
    for spine in energies.spines:
        if spine.name in side.integrals:
            result += _reduce(energies.settled(side.integrals[spine.name]), spine, energies)
    return integrals_done(result, energies)


def _reduce(integrand: Basic, spine: Spine, energies: Lagrangian) -> Sum:
    local, kept, waiting = list[Basic](), list[Basic](), _without_squares(integrand.expand())
    while waiting != 0:
        again: list[Basic] = []
        for term in terms(waiting):
            step = _by_parts(term, spine, energies)
            if step is None:
                kept.append(term)
                continue
            antiderivative, rest = step
            local.append(energies.settled(_ends(antiderivative, spine, energies)))
            again.append(rest)
        waiting = symengine.Add(*again).expand()
    left = symengine.Add(*kept)
    return Sum(symengine.Add(*local), {spine.name: left} if left != 0 else {})


def _without_squares(f: Basic) -> Basic:
    """With sin^2 + cos^2 = 1 put in where a curved axis brings in functions of x: what is left may be a known power."""
    curved = any(SPINE in one.free_symbols for one in atoms(f, symengine.sin, symengine.cos))
    return pythagoras(f) if curved else f


def _ends(f: Basic, spine: Spine, energies: Lagrangian) -> Basic:
    at = energies.jets.at
    return at(f, "b", spine.end, spine.name) - at(f, "a", spine.start, spine.name)


def _by_parts(term: Basic, spine: Spine, energies: Lagrangian) -> tuple[Basic, Basic] | None:
    """(antiderivative, remaining integrand) if the term's highest derivative can be moved off, else None."""
    jets = energies.jets
    inside = [jet for jet in jets.unknowns(term) if jet.name in spine.fields and not jet.end]
    top = max(inside, key=lambda jet: (jet.x, jet.label), default=None)
    if top is None or top.x == 0 or top.symbol not in factors(term):
        return None
    lower = replace(top, x=top.x - 1)
    power, rest = _power(term / top.symbol, lower)
    if rest.has(lower.symbol) or rest.has(top.symbol) or _highest(rest, inside) > top.x - 2:
        return None
    raised = lower.symbol ** (power + 1) / (power + 1)
    return rest * raised, -(jets.D_x(rest) * raised)


def _power(f: Basic, jet: Jet) -> tuple[int, Basic]:
    for factor in factors(f):
        if factor == jet.symbol:
            return 1, f / factor
        if isinstance(factor, symengine.Pow) and factor.args[0] == jet.symbol and factor.args[1].is_Integer:
            return int(factor.args[1]), f / factor
    return 0, f


def _highest(f: Basic, inside: list[Jet]) -> int:
    return max((jet.x for jet in inside if f.has(jet.symbol)), default=-2)
