"""Equations restated in angles that add up along a chain: rows of many links then fit on a page.

>>> print(fx.derive(chain).named)
Equations of motion
  ...
where
  φ2 = q1 + q2

A body that hangs on others turns by the sum of their angles. With a name for each such sum in place of the last angle
in it, cos(q3 + q4) is cos(φ4 − φ2), and what holds for every link beyond stands in one row only, since a variation of
φ2 leaves those turns as they are. `named.proof` holds the two sets against one another.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import symengine

from flexura.arguments import checked_methods
from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.rows import Row, Sum
from flexura.derivation.equivalence import Equivalence, equivalent
from flexura.derivation.routes import derive
from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.engine import ZERO, Basic, Symbol, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.walk import Replacing, branches

_LETTERS = ("phi", "psi", "chi")
_NUMBER = re.compile(r"\d+$")


@checked_methods
@dataclass(frozen=True)
class NamedEquations:
    """`equations` in `names` and the coordinates that are left; `names` maps each to the sum it stands for."""

    equations: Equations
    names: Mapping[str, Basic]
    original: Equations
    replaced: Mapping[str, Basic]

    @property
    def where(self) -> dict[str, Any]:
        """What each name stands for, in SymPy: {"phi2": q1 + q2}."""
        from flexura.derivation.equations.sympy_rows import sympy_form

        form = sympy_form(self._wide)
        return {name: form.tree(f) for name, f in self.names.items()}

    @cached_property
    def proof(self) -> Equivalence:
        """True where both sets do the same virtual work, what each name stands for put in."""
        return equivalent(self.original, self.equations, {name: str(f) for name, f in self.replaced.items()})

    @property
    def _wide(self) -> Lagrangian:
        """Energies that know the names and what they stand for, for printers."""
        energies = self.original.lagrangian
        return energies.changed(coordinates=(*energies.coordinates, *self.names))

    @property
    def _definitions(self) -> list[Row]:
        return [Row("geometric", name, Sum(Symbol(name)), Sum(f)) for name, f in self.names.items()]

    def __str__(self) -> str:
        from flexura.derivation.equations.text import row_text

        told = [f"  {row_text(row, self._wide)}" for row in self._definitions]
        return "\n".join([str(self.equations), *(["", "where", *told] if told else [])])

    def latex(self) -> str:
        """The equations in LaTeX, and below them what the names stand for."""
        from flexura.derivation.equations.latex import row_latex

        told = " \\\\\n".join(f"& {row_latex(row, self._wide)}" for row in self._definitions)
        text, end = self.equations.latex(), "\n\\end{aligned}"
        return f"{text.removesuffix(end)} \\\\[1ex]\n& \\text{{where}} \\\\\n{told}{end}" if told else text

    def __repr__(self) -> str:
        return f"<Equations with names for {len(self.names)} sums of coordinates>"

    def _repr_latex_(self) -> str:
        return f"$$\n{self.latex()}\n$$"


def named(equations: Equations) -> NamedEquations:
    """The equations with a name for every angle by which bodies turn that is a sum of coordinates."""
    energies = equations.lagrangian
    names, replaced = _chosen(energies)
    if not names:
        return NamedEquations(equations, {}, equations, {})
    return NamedEquations(derive(_restated(energies, names, replaced)), names, equations, replaced)


def _restated(energies: Lagrangian, names: Mapping[str, Basic], replaced: Mapping[str, Basic]) -> Lagrangian:
    """The energies in the new coordinates; what only answers in numbers need is left out."""
    instead = dict(zip(replaced, names, strict=True))
    wide = energies.changed(coordinates=(*energies.coordinates, *names))

    def leaf(symbol: Symbol) -> Basic:
        jet = wide.jets.find(symbol)
        if jet is None or jet.x or jet.end or jet.name not in replaced:
            return symbol
        found = replaced[jet.name]
        for _ in range(jet.t):
            found = wide.jets.D_t(found)
        return found

    put = Replacing(leaf)

    def each(trees: Mapping[str, Basic]) -> dict[str, Basic]:
        return {name: put(f) for name, f in trees.items()}

    return energies.changed(
        coordinates=tuple(instead.get(name, name) for name in energies.coordinates),
        kinetic=put(energies.kinetic),
        potential=put(energies.potential),
        dissipation=put(energies.dissipation),
        density=each(energies.density),
        dissipation_density=each(energies.dissipation_density),
        work=_on_names(each(energies.work), replaced, instead),
        work_density={
            spine: _on_names(each(loads), replaced, instead) for spine, loads in energies.work_density.items()
        },
        boundary=each(energies.boundary),
        constraints=each(energies.constraints),
        contacts={name: each(laws) for name, laws in energies.contacts.items()},
        motion=None,
        source=None,
        loads={},
        release=None,
        origin=None,
    )


def _on_names(work: Mapping[str, Basic], replaced: Mapping[str, Basic], instead: Mapping[str, str]) -> dict[str, Basic]:
    """Generalized forces: with q3 = phi3 - phi2 what works on q3 works on phi3, and backwards on phi2."""
    found = {label: f for label, f in work.items() if label not in replaced}
    for last, f in work.items():
        if last in replaced:
            for symbol in replaced[last].free_symbols:
                found[symbol.name] = found.get(symbol.name, ZERO) + f * partial(replaced[last], symbol)
    return found


def _chosen(energies: Lagrangian) -> tuple[dict[str, Basic], dict[str, Basic]]:
    """The names with their sums, and what the last coordinate of each is in the new ones; both in one order."""
    taken = {*energies.moving, *energies.fields, *energies.parameters, *energies.inputs, *energies.states}
    letter = next((one for one in _LETTERS if not any(name.startswith(one) for name in taken)), "sum")
    kept = {jet.name for f in energies.boundary.values() for jet in energies.jets.unknowns(f)} | set(energies.states)
    names: dict[str, Basic] = {}
    replaced: dict[str, Basic] = {}
    for summed in _sums(energies):
        last = next((name for name in reversed(summed) if name not in kept and name not in replaced), None)
        if last is None:
            continue
        number = _NUMBER.search(last)
        name = f"{letter}{number[0]}" if number and f"{letter}{number[0]}" not in names else f"{letter}_{last}"
        others = symengine.Add(*(replaced.get(one, Symbol(one)) for one in summed if one != last)).expand()
        names[name] = symengine.Add(*map(Symbol, summed))
        replaced[last] = (Symbol(name) - others).expand()
        kept |= {symbol.name for symbol in others.free_symbols}
    return names, replaced


def _sums(energies: Lagrangian) -> list[tuple[str, ...]]:
    """The sums of coordinates whose rates stand in the kinetic energy as a sum, short ones first.

    What rides on a member keeps the coordinates in which it is held to that.
    """
    order = {name: i for i, name in enumerate(energies.moving)}
    rides = [laws for laws in energies.contacts.values() if "place" in laws]
    riding = {one.name for laws in rides for key in ("place", "across") for one in laws[key].free_symbols}
    found: dict[tuple[str, ...], None] = {}
    for one in branches([energies.kinetic, *energies.density.values()]):
        if isinstance(one, symengine.Add):
            jets = [energies.jets.find(part) if isinstance(part, Symbol) else None for part in one.args]
            rates = [jet for jet in jets if jet is not None and _is_rate(jet, energies)]
            if len(rates) == len(jets) and not any(jet.name in riding for jet in rates):
                found[tuple(sorted((jet.name for jet in rates), key=order.__getitem__))] = None
    return sorted(found, key=lambda one: (len(one), [order[name] for name in one]))


def _is_rate(jet: Jet, energies: Lagrangian) -> bool:
    return jet.t == 1 and not jet.x and not jet.end and jet.name in energies.coordinates
