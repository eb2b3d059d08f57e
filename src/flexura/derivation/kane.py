"""Kane's route: F_r + F_r* = 0 for every generalized speed, from velocities; no energy of motion is written anywhere.

The speeds are the rates of the coordinates, of the fields and of the free boundary values. With V the velocity of a
mass centre or of the representative particle, w its spin (in its own axes) and W the rate of turning of the axes V is
written in,

    F_r* = - m a . dV/du_r - (J w_t + w x J w) . dw/du_r,        a = D_t V + W x V,

and F_r is the power per unit u_r of weight, springs, dampers, loads and of the stresses along the spines. What is exact
to second order in the deflections is cut off there, deflection rates counting as one order of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Literal

from flexura.derivation.equations.rows import Row, Sum
from flexura.derivation.kane_lines import ForceTable, Power, total
from flexura.energy.lagrangian import Lagrangian
from flexura.symbolic.engine import ONE, ZERO, Basic, Symbol, partial
from flexura.symbolic.jets import Jet, Jets
from flexura.symbolic.kinematics.motion import Acting, Carried, ModelMotion, Shift
from flexura.symbolic.kinematics.vectors import NULL, Vector, add, change, cross, dot, scale, slope, turn
from flexura.symbolic.shorten import shorter

MINUS = -ONE

Partials = Mapping[Jet, Vector]
"""Partial velocities: u -> dV/d(u_t)."""


def kane_rows(energies: Lagrangian, table: ForceTable) -> tuple[Row, ...]:
    """All equations of the system: F_r* and what resists on the left, loads, ends and reactions on the right."""
    ordinary = [_row("ordinary", name, table) for name in energies.moving]
    natural = [_row("natural", jet.label, table) for jet in energies.free]
    partials = [_field_row(spine.name, name, table) for spine in energies.spines for name in spine.fields]
    given = energies.settled_boundary
    geometric = [Row("geometric", label, Sum(Symbol(label)), Sum(given[label])) for label in energies.boundary]
    constraints = [Row("constraint", name, Sum(energies.settled(f)), Sum()) for name, f in energies.constraints.items()]
    return (*ordinary, *partials, *natural, *geometric, *constraints)


def _row(kind: Literal["ordinary", "natural"], label: str, table: ForceTable) -> Row:
    left = (-table.entry(label, "inertia", "inner")).map(shorter)
    return Row(kind, label, left, table.entry(label, "applied", "ends", "reactions"))


def _field_row(spine: str, name: str, table: ForceTable) -> Row:
    left, right = shorter(-table.along(name, "inertia", "inner")), table.along(name, "applied")
    return Row("partial", name, Sum(left), Sum(right), spine)


def generalized_forces(energies: Lagrangian, motion: ModelMotion) -> ForceTable:
    """Everything that has power, entered for every speed."""
    table, jets = ForceTable(energies), energies.jets
    for spine in ("", *(one.name for one in energies.spines)):
        things = [one for one in motion.carried if one.spine == spine]
        shifts = [one for one in motion.shifts if one.spine == spine]
        table.add("inertia", (inertia_power(one, jets) for one in things), spine)
        table.add("inertia", (shift_inertia(one, jets) for one in shifts), spine)
        table.add("inner", (weight_power(one, jets) for one in things), spine)
        table.add("inner", (pull_power(one, jets) for one in shifts), spine)
        if spine:
            table.add("inner", stress_powers(motion, spine, jets), spine)
            table.add("inertia", (energy_force(motion.extra_kinetic.get(spine, ZERO), jets),), spine)
        loads = (scaled(partial_rates(one.extent, jets), one.value) for one in motion.line_loads if one.spine == spine)
        table.add("applied", loads, spine)
        table.add("applied", (follower_power(one, jets) for one in shifts), spine)
    table.add("inner", link_powers(motion, jets))
    table.add("applied", (scaled(acting_rates(one, jets), one.value) for one in motion.forces))
    table.add("reactions", reaction_powers(energies))
    return table


# -- partial velocities ----------------------------------------------------------------------------------------------


def partial_rates(rate: Basic, jets: Jets) -> Power:
    """d(rate)/du_r of a scalar rate, by u_r = the rate of each jet in it."""
    rates = [jet for jet in jets.unknowns(rate) if jet.t == 1]
    return {replace(jet, t=0): partial(rate, jet.symbol) for jet in rates}


def partial_velocities(velocity: Vector, jets: Jets) -> Partials:
    """dV/du_r."""
    rates = {jet: None for part in velocity for jet in jets.unknowns(part) if jet.t == 1}
    return {replace(jet, t=0): slope(velocity, jet.symbol) for jet in rates}


def power_of(force: Vector, partials: Partials) -> Power:
    """A force on the partial velocities of the point it acts at."""
    return {jet: dot(force, one) for jet, one in partials.items()}


def scaled(power: Power, factor: Basic) -> Power:
    """A multiple."""
    return {jet: factor * one for jet, one in power.items()}


def derivative(v: Vector, axes_rate: Vector, jets: Jets) -> Vector:
    """The rate of a vector whose components are along axes that turn."""
    return add(change(v, jets.D_t), cross(axes_rate, v))


# -- inertia forces --------------------------------------------------------------------------------------------------


def inertia_power(one: Carried, jets: Jets) -> Power:
    """-m a on the partial velocities, and the inertia torque on the partial spins."""
    partials = partial_velocities(one.velocity, jets) if one.mass != 0 else {}
    force = scale(-one.mass, derivative(one.velocity, one.axes_rate, jets)) if partials else NULL
    return total((power_of(force, partials), *_turning(one, jets)))


def _turning(one: Carried, jets: Jets) -> Iterator[Power]:
    """-(J w_t + w x J w) . dw/du, the orders of torque and partial spin adding up to two at most.

    The spin is known to second order; a row of the frame's motion then holds second order, one of a deflection first,
    as its rate is an order of its own. In the plane nothing is cut off.
    """
    if all(entry == 0 for row in one.inertia for entry in row):
        return
    spins = one.spin
    momenta = [turn(one.inertia, spin) for spin in spins]
    partials = [partial_velocities(spin, jets) for spin in spins]
    for order in range(3):
        turned = (cross(spins[i], momenta[order - i]) for i in range(order + 1))
        torque = scale(MINUS, add(change(momenta[order], jets.D_t), *turned))
        for other in range(3 - order):
            yield power_of(torque, partials[other])


def shift_inertia(one: Shift, jets: Jets) -> Power:
    """Masses of momentum p, displaced by d = amount n to second order, move at V2 = d_t + W x d besides:

    -(p_t + W x p) . dV2/du - dp/du . (V2_t + W x V2).

    The first is the foreshortening's tension P = -int e1 . a dm on the shortening's rate (theory, the P form).
    """
    p = add(NULL, *(moved.momentum for moved in one.moved))
    d = scale(one.amount, one.direction)
    second = derivative(d, one.axes_rate, jets)
    tension = derivative(p, one.axes_rate, jets)
    drawn = derivative(second, one.axes_rate, jets)
    powers = power_of(tension, partial_velocities(second, jets)), power_of(drawn, partial_velocities(p, jets))
    return scaled(total(powers), MINUS)


def energy_force(energy: Basic, jets: Jets) -> Power:
    """The force of an energy (kinetic minus potential) that has no particle to its name: dL/du - D_t(dL/du_t).

    Of a potential these are the stresses along a spine: moment dV/dw_xx, shear, restoring force; of an element's
    kinetic energy beyond that of its mass (a fluid in a pipe) the rate of its own momentum, on frames at rest only.
    """
    unknowns = jets.unknowns(energy)
    still = {jet: partial(energy, jet.symbol) for jet in unknowns if not jet.t}
    moving = {replace(jet, t=0): -jets.D_t(partial(energy, jet.symbol)) for jet in unknowns if jet.t == 1}
    return total((still, moving))


# -- active forces ---------------------------------------------------------------------------------------------------


def weight_power(one: Carried, jets: Jets) -> Power:
    """m g at the mass centre."""
    if one.mass == 0 or one.gravity == NULL:
        return {}
    return power_of(scale(one.mass, one.gravity), partial_velocities(one.velocity, jets))


def pull_power(one: Shift, jets: Jets) -> Power:
    """What pulls on a second-order displacement: potentials on its rate and on what turns it, and dampers."""
    dead = partial_rates(jets.D_t(one.amount * one.pull), jets) if one.pull != 0 else {}
    return total((dead, scaled(partial_rates(one.lost, jets), MINUS)))


def follower_power(one: Shift, jets: Jets) -> Power:
    """Loads that turn with members, on the velocity d_t + W x d of a second-order displacement."""
    if one.follower == NULL:
        return {}
    velocity = derivative(scale(one.amount, one.direction), one.axes_rate, jets)
    return power_of(one.follower, partial_velocities(velocity, jets))


def stress_powers(motion: ModelMotion, spine: str, jets: Jets) -> Iterator[Power]:
    """What is stored and lost per length: elastic and viscous stresses on the rates of strain."""
    yield energy_force(-motion.stored.get(spine, ZERO), jets)
    yield scaled(partial_rates(motion.lost.get(spine, ZERO), jets), MINUS)


def link_powers(motion: ModelMotion, jets: Jets) -> Iterator[Power]:
    """The forces of springs, on the rates of their extents, and of dampers."""
    for spring in motion.springs:
        yield scaled(extent_rates(spring.extent, jets), -spring.force(spring.extent))
    for damper in motion.dampers:
        yield scaled(extent_rates(damper.extent, jets), -damper.force(jets.D_t(damper.extent)))


def acting_rates(one: Acting, jets: Jets) -> Power:
    """The partial rates of the scalar something acts on."""
    if one.extent is not None:
        return extent_rates(one.extent, jets)
    return {} if one.rate is None else partial_rates(one.rate, jets)


def extent_rates(extent: Basic, jets: Jets) -> Power:
    """The partial rates of an extent e(q): de/dq."""
    return {jet: partial(extent, jet.symbol) for jet in jets.unknowns(extent)}


def reaction_powers(energies: Lagrangian) -> Iterator[Power]:
    """A multiplier on the rate of its constraint; a constraint in rates is one already."""
    for name, constraint in energies.constraints.items():
        f, jets = energies.settled(constraint), energies.jets
        rate = f if any(jet.t for jet in jets.unknowns(f)) else jets.D_t(f)
        yield scaled(partial_rates(rate, jets), Jet(name).symbol)
