"""Dry friction that laws and loads write with signs of rates, 4*sign(v), as contacts that stick and slide.

>>> with_contacts(equations, values)        # the same equations; sign(x_t) is the contact "sign_1" with its limit

sign(0) is 0, and holds nothing; what comes to rest would be thrown to and fro by forces that jump. The part of a force
that jumps where a rate g passes zero, -F sign(g) along the slope of g, is taken out of the energies; a contact that
exerts at most F takes its place. What does not jump stays. F is a number: where it changes, the signs stay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import symengine

from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import derive
from flexura.energy.lagrangian import Lagrangian
from flexura.solve.values import numbers
from flexura.symbolic.engine import ONE, ZERO, Basic, Symbol, exact, partial
from flexura.symbolic.jets import Jet
from flexura.symbolic.values import real_value
from flexura.symbolic.walk import atoms
from flexura.symbolic.zero import vanishes

_SIGN, _SPEED = Symbol("$sign"), Symbol("$speed")


@dataclass(frozen=True)
class Rub:
    """A rate g, its slopes by rates, and the limits that jump there: of the dissipation, and of loads."""

    rate: Basic
    slopes: Mapping[Jet, Basic]
    lost: Basic
    loaded: Basic

    @property
    def limit(self) -> Basic:
        """What it can hold."""
        return (self.lost + self.loaded).expand()


def with_contacts(equations: Equations, values: Mapping[str, Any]) -> tuple[Equations, dict[str, str]]:
    """Equations whose dry friction is a contact, and how each of these was written."""
    energies = equations.lagrangian
    if not any(True for _ in rates_in_signs(energies)):
        return equations, {}
    given = {name: one for name, one in values.items() if name not in energies.inputs}
    known = {Symbol(name): symengine.RealDouble(one) for name, one in numbers(equations, given).items()}
    changed = rubbing(energies, known)
    new = {name: str(laws["rate"]) for name, laws in changed.contacts.items() if name not in energies.contacts}
    return (replace(derive(changed, "surrogate"), method=equations.method), new) if new else (equations, {})


def rests_at_start(equations: Equations, motion: Mapping[str, Any]) -> bool:
    """Whether a rate whose sign acts is zero where a motion starts: sign(0) = 0 is not what pushes it from there on."""
    for g in rates_in_signs(equations.lagrangian):
        names = [one.name for one in g.free_symbols]
        moving = {Symbol(name): exact(float(motion[name][0])) for name in names if name in motion}
        if vanishes(g.xreplace(moving)):
            return True
    return False


def rubbing(energies: Lagrangian, known: Mapping[Symbol, Basic]) -> Lagrangian:
    """Energies in which signs of rates are contacts."""
    rubs = [one for one in (_rub(energies, g) for g in rates_in_signs(energies)) if one and _positive(one.limit, known)]
    dissipation, work = energies.dissipation, dict(energies.work)
    contacts, inputs = dict(energies.contacts), dict(energies.inputs)
    for k, one in enumerate(rubs, 1):
        name = f"sign_{k}"
        dissipation = (dissipation - one.lost * symengine.Abs(one.rate)).expand()
        for jet, slope in one.slopes.items():
            left = work.get(jet.label, ZERO) + one.loaded * slope * symengine.sign(one.rate)
            work[jet.label] = (left + Symbol(f"R_{name}") * slope).expand()
        contacts[name] = {"rate": one.rate, "force": one.limit, "static": one.limit}
        inputs[f"R_{name}"] = frozenset()
    if not rubs:
        return energies
    return energies.changed(
        dissipation=dissipation, work=work, contacts=contacts, inputs=inputs,
        origin=energies.origin, release=_released(energies.release, known),
    )  # fmt: skip


def told(found: Mapping[str, str]) -> list[str]:
    """What to say of them."""
    return [
        f"sign({rate}) is dry friction, followed as the contact {name} that sticks and slides, as fx.Friction does."
        for name, rate in found.items()
    ]


def _released(release: Any, known: Mapping[Symbol, Basic]) -> Callable[..., Lagrangian] | None:
    """The same of energies with a connection that gives way."""
    return None if release is None else lambda *how: rubbing(release(*how), known)


def rates_in_signs(energies: Lagrangian) -> Iterator[Basic]:
    """What signs and absolute values of rates are of, whatever gaps in connections are called."""
    found = set[Basic]()
    for f in (energies.dissipation, *energies.work.values()):
        for one in (*atoms(f, symengine.sign), *atoms(f, symengine.Abs)):
            if any(jet.t for jet in energies.jets.unknowns(one.args[0])):
                found.add(one.args[0])
    shut = {Symbol(f"$gap{k}{rate}"): ZERO for k in range(1, 7) for rate in ("", "_t")}
    yield from sorted(found, key=lambda g: str(g.xreplace(shut)))


def _rub(energies: Lagrangian, g: Basic) -> Rub | None:
    """The dry friction along a rate; None where the forces are of another form."""
    jets = [jet for jet in energies.jets.unknowns(g) if jet.t]
    slopes = {replace(jet, t=0): partial(g, jet.symbol) for jet in jets}
    varied = set(energies.generalized)
    if any(jet.t > 1 for jet in jets) or not set(slopes) <= varied:
        return None
    if any(other.symbol in slope.free_symbols for slope in slopes.values() for other in jets):
        return None
    pivot = next((jet for jet in jets if slopes[replace(jet, t=0)].is_Number), jets[0])
    rest = (g - slopes[replace(pivot, t=0)] * pivot.symbol).expand()
    still = {pivot.symbol: -rest / slopes[replace(pivot, t=0)]}

    def jump(f: Basic) -> Basic:
        """What a tree changes by, halved, where g passes zero upwards."""
        f = f.xreplace({symengine.Abs(g): _SPEED * _SIGN, symengine.sign(g): _SIGN})
        return ((f.xreplace({_SIGN: ONE}) - f.xreplace({_SIGN: -ONE})) / 2).expand()

    drawn = jump(energies.dissipation)  # its slope along g needs no division, which might not cancel in full
    ahead = partial(drawn, _SPEED).subs({**still, _SPEED: ZERO}).expand()
    lost = {jet: partial(drawn, replace(jet, t=1).symbol).xreplace({_SPEED: ZERO}) for jet in slopes}
    loaded = {label: -jump(f).xreplace({_SPEED: ZERO}) for label, f in energies.work.items()}
    if any(not vanishes(f) and label not in {jet.label for jet in slopes} for label, f in loaded.items()):
        return None
    limits = []
    for along, forces in ((ahead, lost), (ZERO, {jet: loaded.get(jet.label, ZERO) for jet in slopes})):
        at = {jet: f.subs(still).expand() for jet, f in forces.items()}
        limit = (at[replace(pivot, t=0)] / slopes[replace(pivot, t=0)]).expand()
        if any(not vanishes((at[jet] - limit * slope).expand()) for jet, slope in slopes.items()):
            return None
        limits.append(along + limit)
    return Rub(g, slopes, *limits)


def _positive(limit: Basic, known: Mapping[Symbol, Basic]) -> bool:
    """Whether a limit is a number, and holds."""
    value = limit.xreplace(dict(known))
    return not value.free_symbols and real_value(value) > 0
