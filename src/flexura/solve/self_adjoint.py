"""Whether the operators of small motions are self-adjoint, for the user's own ends: shown term by term, in symbols.

>>> found = fx.self_adjoint(equations)
>>> bool(found), print(found)

With two motions u and v, (u, K v) - (v, K u) is integrated by parts: inside each member it vanishes by itself, and at
its ends it is the work of one motion's boundary loads on the other, less the reverse. What an end holds does no such
work, what is free carries no load, and what hangs there returns it symmetrically, unless a load follows the motion.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from flexura.arguments import checked_methods
from flexura.derivation.family import linear_at
from flexura.derivation.routes import small_equations_of
from flexura.display import Displayed, Table
from flexura.energy.lagrangian import Lagrangian
from flexura.solve.exact.reading import Reader
from flexura.solve.values import numbers
from flexura.symbolic.engine import ZERO, Basic, symbol_name
from flexura.symbolic.jets import Jet
from flexura.symbolic.zero import vanishes

_OPERATORS = ("stiffness", "damping", "inertia")


@checked_methods
@dataclass(frozen=True, eq=False, repr=False)
class SelfAdjoint(Displayed):
    """True if stiffness and inertia are self-adjoint: real squares of frequencies, orthogonal modes.

    `operators` says so of "stiffness", "damping" and "inertia" each; `unlike` lists what is not returned alike,
    (operator, what moves, what is loaded, difference); `ends` says of each end value why its work cancels.
    """

    operators: Mapping[str, bool]
    unlike: tuple[tuple[str, str, str, str], ...]
    ends: tuple[tuple[str, str], ...]

    def __bool__(self) -> bool:
        return self.operators["stiffness"] and self.operators["inertia"]

    def summary(self) -> str:
        """Which operators are."""
        told = [f"{name} {'is' if good else 'is NOT'} self-adjoint" for name, good in self.operators.items()]
        return ", ".join(told)

    def told(self) -> Iterator[Table | str]:
        """Why, end by end, and what breaks it."""
        yield f"{self.summary()[0].upper()}{self.summary()[1:]}."
        if self.ends:
            yield Table(("end value", "its work cancels because"), list(self.ends))
        if self.unlike:
            yield Table(("operator", "motion", "load on", "not returned"), list(self.unlike))


def self_adjoint(equations: Any, values: Mapping[str, Any] | None = None) -> SelfAdjoint:
    """Whether the stiffness, damping and inertia of small motions are symmetric, ends and all; `values` are not needed.

    >>> bool(fx.self_adjoint(fx.Model(fx.Fixed(fx.ground, beam.start))))
    """
    linear = small_equations_of(equations)
    if values is not None or not linear.lagrangian.linear:
        linear = linear_at(linear, values)
    energies = linear.lagrangian
    reader = Reader(energies, numbers(linear, values) if values is not None else {})
    sums: dict[tuple[int, str, str, str], Basic] = {}
    for spine in ("", *(one.name for one in energies.spines)):
        for loaded, moving, power, c, _ in reader._terms(spine):
            key = power, spine, loaded.label, moving.label
            sums[key] = sums.get(key, ZERO) + c
    unlike = []
    for (power, spine, a, b), c in sums.items():  # a is what is loaded, b what moves
        back = sums.get((power, spine, b, a), ZERO)
        if a < b or (power, spine, b, a) not in sums:
            difference = (c - back).expand()
            if not vanishes(difference):
                unlike.append((_OPERATORS[power], b, a, str(difference)))
    broken = {one[0] for one in unlike}
    return SelfAdjoint({name: name not in broken for name in _OPERATORS}, tuple(unlike), _ends(energies))


def _ends(energies: Lagrangian) -> tuple[tuple[str, str], ...]:
    """What becomes of the boundary work of each end value."""
    found = []
    for jet in energies.boundary_values:
        value = energies.boundary.get(jet.label)
        if value is None:
            loaded = jet.label in energies.work
            why = "it is free: what acts there balances its load" if loaded else "it is free: its load vanishes"
        elif value == 0:
            why = "it is held at 0: its load does no work"
        else:
            name = symbol_name(value) or str(value)
            why = f"it is {name}, whose equation takes its load"
        found.append((_shown(jet, energies), why))
    return tuple(found)


def _shown(jet: Jet, energies: Lagrangian) -> str:
    spine = energies.spine_of(jet.name)
    place = spine.start if jet.end == "a" else spine.end
    return f"{jet.name}{'_' + 'x' * jet.x if jet.x else ''}({place})"
