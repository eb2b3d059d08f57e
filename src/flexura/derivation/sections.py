"""What sections of members carry, read off their energies: the boundary loads of theory.md 2 at any x.

    >>> section_loads(equations.lagrangian, "w_beam")["moment"].own        # EI*w_beam_xx

The part beyond a section exerts -p and -m on the part before it. Tension turns with the section: what it does through
the slope, P w_x, is part of the load across the axis at rest, but not of the shear force in the section's own axes. It
is told from the rest by a turn of the member as a whole, against which only tension has an energy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from flexura.energy.lagrangian import Lagrangian
from flexura.errors import FlexuraError
from flexura.symbolic.engine import ZERO, Basic, Symbol, partial
from flexura.symbolic.jets import Jet, Jets

_KINDS = {"shear": "transverse", "moment": "rotation", "axial": "axial", "torque": "twist"}
_KINDS |= {"shear_z": "lateral", "moment_y": "tilt"}
_PLANES = (("transverse", "rotation"), ("lateral", "tilt"))
_TURN, _TURNING = Symbol("$turn"), Symbol("$turning")


@dataclass(frozen=True)
class SectionLoad:
    """One load that a section carries: `total` works on `value` (a field or its slope), `own` is in section axes.

    `sign` is that of `own` against the load on `value`; `steady` is a tension that nothing in the motion changes, None
    where the equations do not tell it from others.
    """

    value: Jet
    sign: int
    total: Basic
    own: Basic
    steady: Basic | None = ZERO


def section_loads(energies: Lagrangian, spine: str) -> dict[str, SectionLoad]:
    """All that sections of a line carry, by kind: "moment", "shear", ..."""
    carriers = _carriers(energies, spine)
    jets = energies.jets
    L, R = energies.settled(energies.density.get(spine, ZERO)), energies.dissipation_density.get(spine, ZERO)
    pulled_L, pulled_R, tension = _tension(L, energies.settled(R), carriers, energies, spine)
    found: dict[str, SectionLoad] = {}
    turned = forces_along(energies, spine) is not None
    for kind, motion in _KINDS.items():
        value = carriers.get(motion)
        if value is None or (turned and kind in ("axial", "shear")):  # not in the section's axes, which turn far
            continue
        sign = -1 if kind == "moment_y" else 1
        total, share = _load(L, R, jets, value), _load(pulled_L, pulled_R, jets, value)
        own = (sign * (total - share)).expand()
        if own != 0:
            steady = _given_tension(energies, spine, carriers, tension) if kind == "axial" else ZERO
            found[kind] = SectionLoad(value, sign, total, own, steady)
    if "axial" not in carriers and tension != 0 and not jets.unknowns(tension):
        found["axial"] = SectionLoad(Jet(spine), 1, ZERO, ZERO, tension)
    return found


def end_loads(energies: Lagrangian, spine: str) -> dict[str, tuple[Jet, Basic]]:
    """By motion of a section, the value that it moves by, and what the part beyond exerts on the part before along it.

    Across the axis that is along the axes of the member at rest: tension and slope are in it.
    """
    L, R = (energies.settled(f.get(spine, ZERO)) for f in (energies.density, energies.dissipation_density))
    found = carriers_of(energies, spine)
    return {motion: (value, _load(L, R, energies.jets, value)) for motion, value in found.items()}


def forces_along(energies: Lagrangian, spine: str) -> tuple[Basic, Basic, Jet] | None:
    """The forces along x and y of a member whose sections turn far against them, and the field they turn by; else None.

    What turns so stands in the load along x: that of a member for small deflections does not know it.
    """
    carriers = carriers_of(energies, spine)
    fields = [carriers.get(motion) for motion in ("axial", "transverse", "rotation")]
    axial, across, turned = fields
    if axial is None or across is None or turned is None or turned.x:
        return None
    L, R = (energies.settled(f.get(spine, ZERO)) for f in (energies.density, energies.dissipation_density))
    along = _load(L, R, energies.jets, axial)
    twist = carriers.get("twist")
    if twist is not None and twist.symbol in along.free_symbols:
        raise FlexuraError(
            f"The sections of the line of {axial.name} turn far in space, where forces and moments about axes that turn"
            " with them are not told",
            advice="leave EA, kGAy, kGAz or GJ out where that is stiff: its force is a field then, which .place tells",
        )
    return (along, _load(L, R, energies.jets, across), turned) if turned.symbol in along.free_symbols else None


def carriers_of(energies: Lagrangian, spine: str) -> dict[str, Jet]:
    """The field, or slope of one, by which a section of a line moves or turns; empty where that is not known."""
    known = {} if energies.geometry is None else energies.geometry.carriers.get(spine, {})
    found = {motion: energies.jets.find(Symbol(label)) for motion, label in known.items()}
    return {motion: jet for motion, jet in found.items() if jet is not None}


def _carriers(energies: Lagrangian, spine: str) -> dict[str, Jet]:
    found = carriers_of(energies, spine)
    if not found:
        raise FlexuraError(
            f"These equations do not say which motions of a section the fields of {spine} are, because they were"
            " written as energies",
            advice="describe the system by parts with fx.Model, or write the load from the fields yourself",
        )
    return found


def _load(L: Basic, R: Basic, jets: Jets, value: Jet) -> Basic:
    """-p of a field, or -m of a slope: what lies beyond exerts it on what lies before."""
    e = Jet(value.name)
    m = _d(L, e, x=2) - _d(R, e, x=2, t=1)
    if value.x:
        return -m
    return -(_d(L, e, x=1) - jets.D_x(m) - jets.D_t(_d(L, e, x=1, t=1)) - _d(R, e, x=1, t=1))


def _tension(
    L: Basic, R: Basic, carriers: dict[str, Jet], energies: Lagrangian, spine: str
) -> tuple[Basic, Basic, Basic]:
    """The shares of L and R that a turn of the whole line has, and the tension."""
    pulled, lost, tension = ZERO, ZERO, ZERO
    for across, turning in _PLANES:
        if across not in carriers:
            continue
        e, about = carriers[across], carriers.get(turning)
        found = _turned(L, e, about, energies, spine)
        damped = _turned(R, e, about, energies, spine)
        slope, rate = replace(e, x=1).symbol, replace(e, x=1, t=1).symbol
        stiff = _second(found, _TURN, _TURN)
        pulled += stiff * slope**2 / 2 + _second(found, _TURN, _TURNING) * slope * rate
        lost += _second(damped, _TURNING, _TURNING) * rate**2 / 2
        tension = -stiff if tension == 0 else tension
    return pulled, lost, tension


def _turned(f: Basic, across: Jet, about: Jet | None, energies: Lagrangian, spine: str) -> Basic:
    """A density while the line turns as a whole and does not bend."""
    replaced: dict[Symbol, Basic] = {}
    for jet in energies.jets.unknowns(f):
        if jet.end or jet.name not in energies.spine_of(spine).fields:
            continue
        slope = jet.name == across.name and jet.x == 1
        own = about is not None and about.x == 0 and jet.name == about.name and jet.x == 0
        replaced[jet.symbol] = ((_TURN, _TURNING)[jet.t] if jet.t < 2 else ZERO) if slope or own else ZERO
    return f.xreplace(replaced)


def _second(f: Basic, a: Symbol, b: Symbol) -> Basic:
    return partial(partial(f, a), b).xreplace({_TURN: ZERO, _TURNING: ZERO}).expand()


def _given_tension(energies: Lagrangian, spine: str, carriers: dict[str, Jet], tension: Basic) -> Basic | None:
    """The axial force that a member was given; what stretches it besides is in its own field."""
    if tension == 0:
        return ZERO
    stored: Any = getattr(energies.motion, "stored", None)
    if stored is None:
        return None
    return _tension(-stored[spine], ZERO, carriers, energies, spine)[2]


def _d(f: Basic, jet: Jet, x: int = 0, t: int = 0) -> Basic:
    return partial(f, replace(jet, x=jet.x + x, t=jet.t + t).symbol)
