"""What acts: springs, dampers, forces, torques and line loads on the motion of a model, and the work they do."""

from __future__ import annotations

from collections.abc import Iterator

from flexura.errors import FlexuraError
from flexura.kinematics.motion import Acting, Carried, LineLoad, Motion
from flexura.kinematics.vectors import NULL, add, change, dot, scale, turn
from flexura.model.elongation import angle_between, elongation, sense
from flexura.model.energies import spin_orders
from flexura.model.frames import direction_between, scalar_position, small_rotation, small_spin
from flexura.model.placing import Placed
from flexura.model.shortening import Pull
from flexura.model.wording import value_along, value_of
from flexura.parts.loads import DistributedForce, Force, PointLoad, Torque
from flexura.parts.springs import Damper, Spring, TorsionDamper, TorsionSpring
from flexura.symbols.engine import ONE, ZERO, Basic
from flexura.symbols.jets import Jet, Jets
from flexura.symbols.walk import Replacing
from flexura.symbols.zero import vanishes


def springs(model: Placed, jets: Jets) -> Iterator[Acting]:
    """Springs on elongations and angles."""
    for link in model.links:
        if isinstance(link, Spring):
            yield Acting(link.name, link.rate.engine, elongation(model, link, link.along, link.free_length, jets))
        elif isinstance(link, TorsionSpring):
            yield Acting(link.name, link.rate.engine, angle_between(model, link, jets))


def dampers(model: Placed, jets: Jets) -> Iterator[Acting]:
    """Dampers on the rates of elongations and angles."""
    for link in model.links:
        if isinstance(link, Damper):
            yield Acting(link.name, link.rate.engine, elongation(model, link, link.along, None, jets))
        elif isinstance(link, TorsionDamper):
            yield Acting(link.name, link.rate.engine, angle_between(model, link, jets))


def forces(model: Placed, jets: Jets, pulling: set[int]) -> Iterator[Acting]:
    """Forces on positions, torques on rates of turning; `pulling` are those that work on what bending draws in."""
    for load in model.loads:
        if isinstance(load, Force):
            spot = model.structure.spot(load.place)
            frame = model.frame(spot.part)
            extent = scalar_position(frame, frame.locate(spot)[0], load.along)
            if id(load) not in pulling:
                _refuse_idle(f"The force on {load.place!r}", extent, jets)
            yield Acting(load.name, value_of(model, load), extent)
        elif isinstance(load, Torque):
            turning = _turning(model, load, jets)
            back = ZERO if load.reaction is None else _turning_back(model, load, jets)
            _refuse_idle(f"The torque on {load.place!r}", turning if turning != 0 else back, jets)
            yield Acting(load.name, value_of(model, load), None, turning)
            if load.reaction is not None:
                yield Acting(load.name, -value_of(model, load), None, back)


def line_loads(model: Placed, lines: list[Carried], pulling: set[int]) -> Iterator[LineLoad]:
    """Distributed forces, segment by segment."""
    by_spine = {one.spine: one for one in lines}
    for load in model.loads:
        if isinstance(load, DistributedForce):
            for seg in model.segments_of(load.member):
                axes = model.frame(seg).assembly.orientation[id(seg)]
                along = dot(turn(axes, load.along), by_spine[seg.spine].velocity)
                if id(load) not in pulling:
                    _refuse_idle(f"The distributed force on {load.member.name}", along, model.jets)
                yield LineLoad(load.name, seg.spine, value_along(model, load, seg), along)


def pulls(model: Placed, jets: Jets) -> Iterator[Pull]:
    """Loads that pull on what bending draws in."""
    for load in model.loads:
        if isinstance(load, Force) and not jets.unknowns(value_of(model, load)):
            spot = model.structure.spot(load.place)
            yield Pull(model.frame(spot.part), spot, scale(load.value.engine, load.along), source=load)
        elif isinstance(load, DistributedForce):
            for seg in model.segments_of(load.member):
                if jets.unknowns(value_along(model, load, seg)):
                    continue
                spot = model.structure.spot(load.member.start)
                force = scale(load.value.engine, load.along)
                yield Pull(model.frame(seg), type(spot)(seg, NULL), force, along=True, source=load)


def dependent_forces(model: Placed, jets: Jets) -> Iterator[str]:
    """What to say of forces that depend on the motion of joints: they have no potential on what bending draws in."""
    joints = {name for names in model.joint_names.values() for name in names}
    for load in model.loads:
        if isinstance(load, Force | DistributedForce) and model.structure.members:
            if isinstance(load, Force):
                values = [value_of(model, load)]
            else:
                values = [value_along(model, load, seg) for seg in model.segments_of(load.member)]
            if any(jet.name in joints for f in values for jet in jets.unknowns(f)):
                where = load.member.name if isinstance(load, DistributedForce) else repr(load.place)
                told = "depends on the motion, so its work on the shortening of bent members is left out"
                yield f"the force on {where} {told}"


def held_back(model: Placed, jets: Jets, still: Replacing) -> Iterator[Pull]:
    """Springs and dampers that the motion of joints stretches: to first order they pull on what is shortened."""
    for link in model.links:
        if not isinstance(link, Spring | Damper) or not model.structure.members:
            continue
        stretch = still(elongation(model, link, link.along, getattr(link, "free_length", None), jets))
        if vanishes(jets.D_t(stretch) if isinstance(link, Damper) else stretch):
            continue
        away = change(sense(model, link, link.along), still)
        for place, sign in ((link.p, 1), (link.q, -1)):
            spot = model.structure.spot(place)
            if isinstance(link, Damper):
                drag = -sign * link.rate.engine * jets.D_t(stretch)
                yield Pull(model.frame(spot.part), spot, away, drag=drag)
            else:
                yield Pull(model.frame(spot.part), spot, scale(sign * link.rate.engine * stretch, away))


def _turning(model: Placed, load: Torque, jets: Jets) -> Basic:
    """The rate of turning of what a torque acts on, about one of its own axes, which turn with it."""
    spot = model.structure.spot(load.place)
    frame = model.frame(spot.part)
    spin = spin_orders(frame.spin, frame.locate(spot)[1], jets)
    return dot(add(*spin), turn(frame.assembly.orientation[id(spot.part)], load.about))


def _turning_back(model: Placed, load: Torque, jets: Jets) -> Basic:
    """The rate of turning of what the reaction acts on, about the same axis in space: the opposite torque."""
    spot, other = model.structure.spot(load.place), model.structure.spot(load.reaction)
    frame, seen_from = model.frame(spot.part), model.frame(other.part)
    axis = turn(frame.assembly.orientation[id(spot.part)], load.about)
    axis = direction_between(frame, turn(small_rotation(frame.locate(spot)[1]), axis), seen_from)
    return dot(add(seen_from.spin, small_spin(seen_from.locate(other)[1], jets)), axis)


def _refuse_idle(what: str, motion: Basic, jets: Jets) -> None:
    if not jets.moves(motion):
        raise FlexuraError(f"{what} does no work, because nothing moves that way there; choose another direction.")


def work(motion: Motion, jets: Jets) -> dict[str, Basic]:
    """Generalized forces of loads at places."""
    found: dict[str, Basic] = {}
    for one in motion.forces:
        _collect(found, one.value, _rate(one, jets), jets)
    _add_follower_work(found, motion, "", jets)
    return found


def work_density(model: Placed, motion: Motion, jets: Jets) -> dict[str, dict[str, Basic]]:
    """Generalized forces per length, spine by spine."""
    found: dict[str, dict[str, Basic]] = {seg.spine: {} for seg in model.structure.segments}
    for one in motion.line_loads:
        _collect(found[one.spine], one.value, one.extent, jets)
    for spine, loads in found.items():
        _add_follower_work(loads, motion, spine, jets)
    return found


def unit_loads(model: Placed, motion: Motion, jets: Jets) -> dict[str, dict[str, dict[str, Basic]]]:
    """What each load with a name of its own does to the coordinates per unit of its value.

    Loads that go by the name of their input are not here: all that an input is in answers to it.
    """
    own = [load for load in model.loads if load.name and load.name not in model.inputs]
    for load in own:
        if sum(one.name == load.name for one in own) > 1:
            raise FlexuraError(f"Two loads are called {load.name}; give each a name of its own.")
    values = {load.name: value_of(model, load) if isinstance(load, PointLoad) else None for load in own}
    found: dict[str, dict[str, dict[str, Basic]]] = {name: {} for name in values}
    for force in motion.forces:
        if force.name in values:
            sense = ONE if force.value == values[force.name] else -ONE
            _collect(found[force.name].setdefault("", {}), sense, _rate(force, jets), jets)
    for line in motion.line_loads:
        if line.name in values:
            _collect(found[line.name].setdefault(line.spine, {}), ONE, line.extent, jets)
    return found


def _rate(one: Acting, jets: Jets) -> Basic:
    rate = jets.D_t(one.extent) if one.extent is not None else one.rate
    assert rate is not None
    return rate


def _add_follower_work(found: dict[str, Basic], motion: Motion, spine: str, jets: Jets) -> None:
    for one in motion.shifts:
        if one.spine == spine and one.follower != NULL:
            for name, force in one.follower_work(jets).items():
                found[name] = found.get(name, ZERO) + force


def _collect(found: dict[str, Basic], value: Basic, rate: Basic, jets: Jets) -> None:
    """Add the generalized forces of a load to what they act on: value times d(rate)/d(rate of the coordinate)."""
    moving = [jet for jet in jets.unknowns(rate) if jet.t == 1]
    for jet, slope in zip(moving, jets.slopes(rate, moving), strict=True):
        target = Jet(jet.name, jet.x, 0, jet.end).label
        found[target] = found.get(target, ZERO) + value * slope
