"""What an integrator may rely on: read off the symbolic coefficients, never off numbers."""

from __future__ import annotations

import numpy as np

from flexura.discretisation.gather import SpineForms
from flexura.discretisation.ritz import RitzSystem
from flexura.symbolic.engine import TIME, ZERO, Symbol, partial


def constant_mass(ritz: RitzSystem) -> bool:
    """M of the unknowns never changes."""
    s, p = ritz.scalars, ritz.np
    if not all(term.still for term in ritz.gathered.points) or any(spine.varying for spine in ritz.spines):
        return False
    direction = {one: Symbol(f"$d{i}") for i, one in enumerate(s.s1[p:])}
    allowed = set(direction.values())
    for spine in ritz.spines:
        for moved, rows in zip(s.sweeps.tangents(spine.forms.energy, direction), spine.rows_v, strict=True):
            if moved.free_symbols - allowed or (moved != 0 and np.any(rows)):
                return False
    return all(moved.free_symbols <= allowed for moved in s.sweeps.tangents(s.momenta[p:], direction))


def linear(ritz: RitzSystem) -> bool:
    """R is linear in the unknowns, their rates and accelerations; coefficients may depend on t."""
    return not ritz.gathered.points and linear_beside_points(ritz)


def linear_beside_points(ritz: RitzSystem) -> bool:
    """The same, whatever is taken at points."""
    s, g, p = ritz.scalars, ritz.gathered, ritz.np
    if any(one.lifts for one in ritz.layout.fields.values()) or not all(one.linear for one in g.along):
        return False
    free = [*s.s0[p:], *s.s1[p:]]
    degrees = {symbol: of for forms in g.spines for symbol, of in _degrees(forms, p).items()}
    for forms in g.spines:
        for symbol, c, r in zip(forms.symbols, forms.energy, forms.loss, strict=True):
            if not s.linear_in([c, r], free, 2 - degrees[symbol]):
                return False
        if not s.linear_in([one[0] for one in (*forms.loads, *forms.spread)], free, 0):
            return False
    still = dict.fromkeys(s.mu, ZERO)
    rigid = [g.lagrangian.xreplace(still), g.loss.xreplace(still)]
    straight = [f.xreplace(still) for f in (*g.force, *g.constraints.values())]
    pushed = [(partial(f, m), degrees[m]) for f in g.force for m in s.mu if m in f.free_symbols]
    fine = s.linear_in(rigid, free, 2) and s.linear_in(straight, free, 1)
    return fine and all(of == 1 and s.linear_in([f], free, 0) for f, of in pushed)


def _degrees(forms: SpineForms, prescribed: int) -> dict[Symbol, int]:
    """The degree of each moment in the unknowns; the first columns are those of prescribed motions."""
    own = np.tile(forms.columns >= prescribed, 2)
    both = zip(forms.symbols, forms.H, strict=True)
    return {symbol: 2 if np.any(H[np.ix_(own, own)]) else 1 for symbol, H in both}


def steady(ritz: RitzSystem) -> bool:
    """M, dR/dv and dR/dq of a linear system do not change; prescribed coordinates and rates count as t."""
    s, g, varying = ritz.scalars, ritz.gathered, {TIME}
    for i, f in enumerate(ritz.layout.energies.prescribed.values()):
        rate, driven = partial(f, TIME), bool(ritz.layout.inputs(f))
        varying |= {s.s0[i], s.s1[i]} if driven else set()
        varying |= {s.s0[i]} if rate != 0 else set()
        varying |= {s.s1[i]} if partial(rate, TIME) != 0 else set()
    free = [*s.s0[ritz.np :], *s.s1[ritz.np :], *s.mu]
    direction = {one: Symbol(f"$d{i}") for i, one in enumerate([*s.s0, *s.s1, *s.mu])}
    trees = s.sweeps.tangents(s.momenta, {one: direction[one] for one in s.s1})
    trees += s.sweeps.tangents(
        [*s.residuals[ritz.np :], *g.constraints.values()], {one: direction[one] for one in free}
    )
    unknowns = {*s.s0[ritz.np :], *s.s1[ritz.np :]}
    for forms in g.spines:
        degrees = _degrees(forms, ritz.np)
        for symbol, c, r in zip(forms.symbols, forms.energy, forms.loss, strict=True):
            if degrees[symbol] == 2 or (c.free_symbols | r.free_symbols) & unknowns:
                trees += [c, r]  # of what is linear in the unknowns a coefficient of t is a force
    trees += [one[0] for forms in g.spines for one in forms.loads if np.any(one[1])]
    return not any(f.free_symbols & varying for f in trees)
