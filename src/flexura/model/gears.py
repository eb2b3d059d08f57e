"""Gears as conditions among coordinates, or as springs: q1 = ratio * q2 (api, Gear)."""

from __future__ import annotations

from collections.abc import Iterator

from flexura.errors import FlexuraError
from flexura.model.placing import Placed
from flexura.parts.gears import Gear
from flexura.parts.joints import Joint
from flexura.symbolic.engine import ONE, Basic, Symbol
from flexura.symbolic.kinematics.motion import STRETCH, Law
from flexura.symbolic.zero import verdict


def gears_of(placed: Placed) -> list[Gear]:
    """The gears of a model."""
    return [one for one in placed.things if isinstance(one, Gear)]


def geared(placed: Placed, gear: Gear) -> tuple[str, str]:
    """The two coordinates of a gear."""
    screw = gear.first is gear.second and isinstance(gear.first, Joint)
    if screw and len(_coordinates(placed, gear, gear.first)) == 2:
        first, second = _coordinates(placed, gear, gear.first)
    else:
        first, second = (_coordinate(placed, gear, one) for one in (gear.first, gear.second))
    if first == second:
        raise FlexuraError(f"{gear!r} ties {first} to itself", advice="name two coordinates", part=repr(gear))
    return first, second


def difference(placed: Placed, gear: Gear) -> Basic:
    """q1 - ratio*q2."""
    first, second = geared(placed, gear)
    return Symbol(first) - gear.ratio.engine * Symbol(second)


def gear_name(placed: Placed, gear: Gear) -> str:
    """Its own, or after its coordinates."""
    return gear.name or "gear_" + "_".join(geared(placed, gear))


def gear_laws(placed: Placed) -> Iterator[Law]:
    """What elastic gears store."""
    for gear in gears_of(placed):
        if gear.rate is not None:
            yield Law(gear_name(placed, gear), difference(placed, gear), gear.energy(STRETCH))


def gear_conditions(placed: Placed) -> tuple[dict[str, Basic], dict[str, str]]:
    """The conditions of rigid gears; and those that repeat others, each with what to say of it.

    Gears that close a ring must agree on its ratio, or else they lock every shaft of it.
    """
    found: dict[str, Basic] = {}
    repeated: dict[str, str] = {}
    ratios: dict[str, tuple[str, Basic]] = {}  # each coordinate as a multiple of the first one it is geared to
    for gear in (one for one in gears_of(placed) if one.rate is None):
        (first, second), ratio = geared(placed, gear), gear.known_ratio
        (root, a), (other, b) = (ratios.get(one, (one, ONE)) for one in (first, second))
        if root == other and (apart := _apart(a / b, ratio)) is not None:
            if apart:
                ring = ", ".join(name for name, (of, _) in ratios.items() if of == root)
                raise FlexuraError(
                    f"{gear!r} contradicts the other gears of its ring, so that {ring} could not move",
                    advice=f"leave it out, or give it the ratio {a / b} that the others make",
                    part=repr(gear),
                )
            told = f"{gear!r} repeats what the other gears of its ring say, and is dropped"
            repeated[f"lambda_{gear_name(placed, gear)}_{len(repeated) + 1}"] = told
            continue
        for name, (of, by) in list(ratios.items()):
            if of == root != other:
                ratios[name] = (other, by * ratio * b / a)
        if root != other:
            ratios[first], ratios[root] = (other, ratio * b), (other, ratio * b / a)
        ratios.setdefault(second, (other, b))
        name = f"lambda_{gear_name(placed, gear)}"
        found[name if name not in found else f"{name}_{len(found)}"] = difference(placed, gear)
    return found, repeated


def _apart(expected: Basic, ratio: Basic) -> bool | None:
    """Whether a ratio is another than the ring makes; None where that is not known before values are."""
    gap = expected - ratio
    if not gap.free_symbols:
        return abs(float(gap)) > 1e-12 * abs(float(ratio))
    return False if verdict(gap) else None


def _coordinates(placed: Placed, gear: Gear, joint: Joint | str) -> tuple[str, ...]:
    known = (*placed.coordinates, *placed.prescribed)
    if isinstance(joint, str):
        if joint not in known:
            raise FlexuraError(
                f"{gear!r} names {joint}, which is no coordinate",
                advice=f"the coordinates are {', '.join(known)}",
                part=repr(gear),
            )
        return (joint,)
    names = placed.joint_names.get(id(joint))
    if names is not None:
        return tuple(filter(None, names))
    if any(cut.source is joint for cut in placed.structure.cuts):
        raise FlexuraError(
            f"{gear!r} names {joint!r}, which closes its loop and so owns no coordinate",
            advice="list another joint of the loop last",
            part=repr(gear),
        )
    raise FlexuraError(
        f"{gear!r} names {joint!r}, which is not in the model", advice="list the joint too", part=repr(gear)
    )


def _coordinate(placed: Placed, gear: Gear, joint: Joint | str) -> str:
    names = _coordinates(placed, gear, joint)
    if len(names) != 1:
        raise FlexuraError(
            f"{gear!r} names {joint!r}, which has {len(names)} coordinates",
            advice=f"give the name of one: {', '.join(names)}",
            part=repr(gear),
        )
    return names[0]
