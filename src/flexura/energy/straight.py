"""Conditions that are linear in what moves, with constants or functions of time beside it.

>>> straight_conditions(energies)       # "x - y - a": (("lambda_1", {"x": 1, "y": -1}, -a), and its rate)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from flexura.symbolic.engine import ZERO, Basic, Symbol, kinks, partial

if TYPE_CHECKING:
    from flexura.energy.lagrangian import Lagrangian

Straight = tuple[str, dict[str, Basic], Basic]
"""Whose condition, the slope by each jet in it, and what is left without them."""


def straight_conditions(energies: Lagrangian) -> tuple[Straight, ...]:
    """Those of a system, and the rates of those on coordinates; none where zero satisfies all of them.

    A motion must satisfy both: x = 0 holds x_t = 0, too.
    """
    trees = {name: energies.driven(energies.settled(f)) for name, f in energies.constraints.items()}
    if not any(_alone(f, energies) != 0 for f in trees.values()):
        return ()
    found = list[Straight]()
    for name, f in trees.items():
        on_rates = any(jet.t for jet in energies.jets.unknowns(f))
        for one in (f,) if on_rates else (f, energies.jets.D_t(f)):
            if (slopes := _slopes(one, energies)) is not None:
                found.append((name, slopes, _alone(one, energies)))
    return tuple(found)


def _alone(f: Basic, energies: Lagrangian) -> Basic:
    """A tree without what moves."""
    off: dict[Symbol, Basic] = {jet.symbol: ZERO for jet in energies.jets.unknowns(f)}
    return f.xreplace(off)


def _slopes(f: Basic, energies: Lagrangian) -> dict[str, Basic] | None:
    """By each jet of a tree; None where it is not linear in them."""
    jets = energies.jets.unknowns(f)
    moving, slopes = {jet.symbol for jet in jets}, dict[str, Basic]()
    for jet in jets:
        slopes[jet.label] = slope = partial(f, jet.symbol)
        if slope.free_symbols & moving:
            return None
    return None if any(one.free_symbols & moving for one in kinks(f)) else slopes
