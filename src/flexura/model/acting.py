"""What acts: springs, dampers, forces, torques and line loads on the motion of a model, and the work they do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from flexura.errors import FlexuraError
from flexura.model.elongation import extent, sense
from flexura.model.energies import spin_orders
from flexura.model.frames import Frame, direction_between, scalar_position, velocity_at
from flexura.model.placing import Placed
from flexura.model.shortening import Pull
from flexura.model.structure import Segment, Spot
from flexura.model.wording import value_of
from flexura.parts.joints import Free
from flexura.parts.loads import Couple, LineForce, Load, PointForce
from flexura.parts.springs import StraightLink
from flexura.symbolic.engine import ONE, ZERO, Basic, Symbol
from flexura.symbolic.jets import Jet, Jets
from flexura.symbolic.kinematics.motion import STRETCH, Acting, Carried, Law, LineLoad, ModelMotion
from flexura.symbolic.kinematics.vectors import NULL, Vector, add, change, dot, scale, turn, turn_back
from flexura.symbolic.walk import Replacing
from flexura.symbolic.zero import vanishes


def springs(model: Placed, jets: Jets) -> Iterator[Law]:
    """What is stored at elongations and angles."""
    for link in model.links:
        stored = link.energy(STRETCH)
        if stored != 0:
            yield Law(link.name, extent(model, link, jets), stored)


def dampers(model: Placed, jets: Jets) -> Iterator[Law]:
    """What is lost at the rates of elongations and angles."""
    for link in model.links:
        lost = link.dissipation(STRETCH)
        if lost != 0:
            yield Law(link.name, extent(model, link, jets), lost)


def forces(model: Placed, jets: Jets, pulling: set[int]) -> Iterator[Acting]:
    """Forces on positions, torques on rates of turning; `pulling` are those that work on what bending draws in."""
    for load in model.loads:
        for force in load.point_forces:
            spot = model.structure.spot(force.place)
            frame = model.frame(spot.part)
            if force.axes is not None:
                rate = _followed(model, force, jets)
                if id(load) not in pulling:
                    _note_idle(model, load, rate, jets)
                yield Acting(load.name, value_of(model, load), None, rate)
                continue
            along = scalar_position(frame, frame.locate(spot)[0], force.along)
            if id(load) not in pulling:
                _note_idle(model, load, along, jets)
            yield Acting(load.name, value_of(model, load), along)
        rates = [_turning(model, couple, jets) for couple in load.couples]
        if rates:
            _note_idle(model, load, next((rate for rate in rates if rate != 0), ZERO), jets)
        for couple, rate in zip(load.couples, rates, strict=True):
            yield Acting(load.name, couple.sense * value_of(model, load), None, rate)


def contacts(model: Placed, jets: Jets) -> Iterator[Acting]:
    """What contacts exert along their displacements."""
    for link in model.links:
        if link.acting != 0:
            yield Acting(link.name, link.acting, extent(model, link, jets))


def line_loads(model: Placed, lines: list[Carried], pulling: set[int]) -> Iterator[LineLoad]:
    """Distributed forces, segment by segment."""
    by_spine = {one.spine: one for one in lines}
    for load in model.loads:
        for force in load.line_forces:
            for seg in model.segments_of(force.member):
                along = dot(_in_axes_of_velocity(model.frame(seg), seg, force), by_spine[seg.spine].velocity)
                if id(load) not in pulling:
                    _note_idle(model, load, along, model.jets)
                yield LineLoad(load.name, seg.spine, value_of(model, load, seg), along)


def per_length(model: Placed) -> tuple[str, ...]:
    """The inputs that distributed forces are given by."""
    spread = [one.name for load in model.loads if load.line_forces for one in load.value.declarations]
    return tuple(name for name in model.inputs if name in spread)


def _in_axes_of_velocity(frame: Frame, seg: Segment, force: LineForce) -> Vector:
    """The direction of a distributed force: where the frame stands still, velocities are in the segment's own axes."""
    axes = frame.assembly.orientation[id(seg)]
    if not force.in_space:
        return turn(axes, force.along) if frame.moves else force.along
    way = frame.from_space(force.along)
    return way if frame.moves else turn_back(axes, way)


def pulls(model: Placed, jets: Jets) -> Iterator[Pull]:
    """Loads that pull on what bending draws in."""
    for load in model.loads:
        for force in load.point_forces:
            if not jets.unknowns(value_of(model, load)) and not carried_along(model, force):
                spot = model.structure.spot(force.place)
                frame, along = model.frame(spot.part), _undeformed(model, force)
                yield Pull(frame, spot, scale(load.value.engine, along), source=load)
        for line in load.line_forces:
            for seg in model.segments_of(line.member) if not line.in_space else ():
                if not jets.unknowns(value_of(model, load, seg)):
                    pull = scale(load.value.engine, line.along)
                    yield Pull(model.frame(seg), Spot(seg, NULL), pull, along=True, source=load)


def dependent_forces(model: Placed, jets: Jets) -> Iterator[str]:
    """What to say of forces that depend on the motion of joints: they have no potential on what bending draws in."""
    joints = {*model.states, *(name for names in model.joint_names.values() for name in names)}
    for load in model.loads if deflects(model) else ():
        if load.across_only:
            continue
        values = [value_of(model, load) for _ in load.point_forces]
        values += [value_of(model, load, seg) for line in load.line_forces for seg in model.segments_of(line.member)]
        carried = any(carried_along(model, force) for force in load.point_forces)
        lines = [line for line in load.line_forces if line.in_space]
        travels = any(model.frame(seg).moves for line in lines for seg in model.segments_of(line.member))
        if travels or carried or any(jet.name in joints for f in values for jet in jets.unknowns(f)):
            drawn = "the shortening of bent members" if model.structure.members else "what small turns draw in"
            how = "travels" if travels else "depends on the motion"
            left = "its work on {} is left out" if _draws_in(model) else "linear answers leave out its work on {}"
            yield f"{load.words} {how}, so {left.format(drawn)}"
    yield from (
        f"{link!r} acts along a bent member, and its work on the shortening is left out" for link in _pushing(model)
    )


def _pushing(model: Placed) -> Iterator[StraightLink]:
    """Contacts that push along members that bend little, or on what hangs on them."""
    for link in model.links:
        if link.acting == 0 or not isinstance(link, StraightLink) or link.along is None:
            continue
        spots = [model.structure.spot(place) for place in (link.p, link.q)]
        frames = [model.frame(spot.part) for spot in spots if not spot.everywhere]
        axes = [
            _first_axis(frame, seg)
            for frame in frames
            for seg in frame.assembly.parts
            if isinstance(seg, Segment) and not seg.member.bends_far
        ]
        if any(dot(axis, link.along) != 0 for axis in axes):
            yield link


def _first_axis(frame: Frame, seg: Segment) -> Vector:
    """The axis of a member at rest, in its frame."""
    x, y, z = (row[0] for row in frame.assembly.orientation[id(seg)])
    return (x, y, z)


def deflects(model: Placed) -> bool:
    """Whether anything moves a little inside a frame: a member, or a body on a pin or roller."""
    far = model.far
    moved = (name for frame in model.frames for name, _, _ in frame.motions.coordinates)
    return any(not one.bends_far for one in model.structure.members) or any(name not in far for name in moved)


def _draws_in(model: Placed) -> bool:
    """Whether bending or small turns draw in what no field of its own tells: that of a tied member does."""
    far = model.far
    loose = [frame for frame in model.frames if not any(getattr(part, "tied", None) for part in frame.assembly.parts)]
    moved = (name for frame in loose for name, _, _ in frame.motions.coordinates)
    return any(not (seg.bends_far or seg.tied) for seg in model.structure.segments) or any(
        name not in far for name in moved
    )


def couples(model: Placed, jets: Jets, still: Replacing) -> Iterator[Pull]:
    """Torques, and torsion springs that the motion of joints stretches, on turns of second order; in ground's axes."""
    if not deflects(model):
        return
    for load in model.loads:
        for couple in load.couples:
            if not jets.unknowns(value_of(model, load)):
                spot, holder = model.structure.spot(couple.place), model.structure.spot(couple.axis_of)
                frame = model.frame(holder.part)
                axis = turn(frame.assembly.orientation[id(holder.part)], couple.about)
                axis = change(frame.direction_in_space(axis), still)
                yield Pull(model.frame(spot.part), spot, scale(couple.sense * load.value.engine, axis), source=load)


def held_back(model: Placed, jets: Jets, still: Replacing) -> Iterator[Pull]:
    """Springs and dampers that the motion of joints stretches: to first order they pull on what is shortened."""
    for link in model.links if deflects(model) else ():
        if not isinstance(link, StraightLink):
            continue
        stretch = still(extent(model, link, jets))
        force = Law(link.name, stretch, link.energy(STRETCH)).force(stretch)
        drag = Law(link.name, stretch, link.dissipation(STRETCH)).force(jets.D_t(stretch))
        if vanishes(force) and vanishes(drag):
            continue
        away = change(sense(model, link), still)
        for place, sign in ((link.p, 1), (link.q, -1)):
            spot = model.structure.spot(place)
            if not vanishes(drag):
                yield Pull(model.frame(spot.part), spot, away, drag=-sign * drag)
            if not vanishes(force):
                yield Pull(model.frame(spot.part), spot, scale(sign * force, away))


def _turning(model: Placed, couple: Couple, jets: Jets) -> Basic:
    """The rate at which the place of a couple turns about its axis in space."""
    spot, holder = model.structure.spot(couple.place), model.structure.spot(couple.axis_of)
    frame, seen_from = model.frame(holder.part), model.frame(spot.part)
    axis = turn(frame.assembly.orientation[id(holder.part)], couple.about)
    if couple.place is couple.axis_of:  # an axis that turns with the place, on its spin in its own axes
        if isinstance(spot.part, Segment) and spot.part.quaternion is not None:
            return dot(turn_back(frame.turn_of(spot), add(frame.spin, frame.spin_of(spot, jets))), axis)
        return dot(add(*spin_orders(frame.spin, frame.locate(spot)[1], jets)), axis)
    axis = direction_between(frame, turn(frame.turn_of(holder), axis), seen_from)
    return dot(add(seen_from.spin, seen_from.spin_of(spot, jets)), axis)


def across_the_plane(model: Placed) -> Iterator[str]:
    """What to say of loads that would take a free body out of the plane in which a planar model keeps it."""
    if model.structure.spatial or not any(isinstance(one, Free) for one in model.structure.connections):
        return
    across = ["gravity"] if model.gravity[2] != 0 else []
    across += [one.words for one in model.loads if any(force.along[2] != 0 for force in one.point_forces)]
    for load in across:
        yield (
            f"{load} acts across the plane in which this model moves, and does no work; give Free six names where"
            " bodies are to leave the plane"
        )


def _note_idle(model: Placed, load: Load, motion: Basic, jets: Jets) -> None:
    """A load that does no work is told; it enters the reactions."""
    note = f"{load.words} does no work, because nothing moves that way there; only reactions feel it"
    if not jets.moves(motion) and note not in model.notes:
        model.notes.append(note)


def _axis_of(model: Placed, force: PointForce) -> tuple[Frame, Spot, Vector]:
    """The frame and spot whose axes a force follows, and its direction there, undeformed, in that frame's axes."""
    holder = model.structure.spot(force.axes)
    frame = model.frame(holder.part)
    return frame, holder, turn(frame.assembly.orientation[id(holder.part)], force.along)


def _undeformed(model: Placed, force: PointForce) -> Vector:
    """The direction of a force in ground's axes, without deflections."""
    if force.axes is None:
        return force.along
    frame, _, axis = _axis_of(model, force)
    return frame.direction_in_space(axis)


def carried_along(model: Placed, force: PointForce) -> bool:
    """Whether a force follows axes that joints move: it then has no potential on what bending draws in."""
    return force.axes is not None and _axis_of(model, force)[0].moves


def _followed(model: Placed, force: PointForce, jets: Jets) -> Basic:
    """The speed of a place along a direction that turns with a section or body."""
    (holder_frame, holder, axis), spot = _axis_of(model, force), model.structure.spot(force.place)
    frame = model.frame(spot.part)
    turned = turn(holder_frame.turn_of(holder), axis)
    velocity = velocity_at(frame, frame.locate(spot)[0], jets)[0]
    return dot(velocity, direction_between(holder_frame, turned, frame))


def work(motion: ModelMotion, jets: Jets) -> dict[str, Basic]:
    """Generalized forces of loads at places."""
    found: dict[str, Basic] = {}
    for one in motion.forces:
        _collect(found, one.value, _rate(one, jets), jets)
    _add_follower_work(found, motion, "", jets)
    return found


def work_density(model: Placed, motion: ModelMotion, jets: Jets) -> dict[str, dict[str, Basic]]:
    """Generalized forces per length, spine by spine."""
    found: dict[str, dict[str, Basic]] = {seg.spine: {} for seg in model.structure.segments}
    for one in motion.line_loads:
        _collect(found[one.spine], one.value, one.extent, jets)
    for spine, loads in found.items():
        _add_follower_work(loads, motion, spine, jets)
    return found


def unit_loads(model: Placed, motion: ModelMotion, jets: Jets) -> dict[str, dict[str, dict[str, Basic]]]:
    """What each load with a name of its own does to the coordinates per unit of its value.

    Loads that go by the name of their input are not here: all that an input is in answers to it.
    """
    inputs = model.inputs
    own = [load for load in model.loads if load.name and load.name not in inputs and not _follows(load, jets)]
    called = Counter(load.name for load in own)
    for load in own:
        if called[load.name] > 1:
            raise FlexuraError(
                f"Two loads are called {load.name}", advice="give each a name of its own", part=load.words
            )
    values = {load.name: None if load.line_forces else value_of(model, load) for load in own}
    found: dict[str, dict[str, dict[str, Basic]]] = {name: {} for name in values}
    for force in motion.forces:
        if force.name in values:
            sense = ONE if force.value == values[force.name] else -ONE
            _collect(found[force.name].setdefault("", {}), sense, _rate(force, jets), jets)
    for line in motion.line_loads:
        if line.name in values:
            _collect(found[line.name].setdefault(line.spine, {}), ONE, line.extent, jets)
    return found


def _follows(load: Load, jets: Jets) -> bool:
    """Whether a load is given by the bare name of a coordinate, a state or a rate, and has no name of its own."""
    own = Symbol(load.name)
    return load.value.engine == own and jets.find(own) is not None


def _rate(one: Acting, jets: Jets) -> Basic:
    rate = jets.D_t(one.extent) if one.extent is not None else one.rate
    assert rate is not None
    return rate


def _add_follower_work(found: dict[str, Basic], motion: ModelMotion, spine: str, jets: Jets) -> None:
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
