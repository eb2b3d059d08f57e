"""The names in the texts of loads, motions and constraints: what they mean, and those that only look like something.

A name that nobody declared is a parameter; one that reads like a motion, an end or a field of the model is refused,
since as a parameter it would be a constant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from flexura.errors import FlexuraError
from flexura.model.assembly import END_MOTIONS
from flexura.model.motion_names import default_name
from flexura.model.placing import Placed
from flexura.model.structure import Segment
from flexura.parts.control import State
from flexura.parts.joints import Joint
from flexura.parts.loads import Constraint, Load
from flexura.symbolic.engine import SPINE, TIME, Basic, symbol_name
from flexura.symbolic.expression import Expression, ParameterDeclaration
from flexura.symbolic.jets import Jets

_STEMS = ("x", "y", "z", "s", "theta", "beta", "phi", "psi")
_FIELD_STEMS = (*_STEMS, "u", "v", "w")
_RATE = re.compile(r"(?:(.+?)_?(d{1,2}ot)|d(.+?)_?dt)\Z")
_DERIVATIVE = re.compile(r"(.+)_(x+t*|t+)\Z")


def value_of(model: Placed, load: Load, seg: Segment | None = None) -> Basic:
    """The value of a load in the jets of the model: fields of the member it acts on, where it acts on it.

    A force at the end of a beam may hold the slope there, `w_x`; along a member (on its segment `seg`) a load may hold
    its fields.
    """
    value = load.value.engine
    if seg is not None:
        return _checked(model, load, seg.own(value), seg)
    spot = model.structure.spot(load.acts_on)
    if isinstance(spot.part, Segment):
        value = model.jets.at(spot.part.own(value), spot.end, spot.point[0], spot.part.spine)
        _refuse_loads_of_ends(model, load, value, spot.part)
    return _checked(model, load, value, None)


def _refuse_loads_of_ends(model: Placed, load: Load, value: Basic, seg: Segment) -> None:
    """Curvatures and the like are what the end carries, not how it moves; inside a member they jump."""
    member = seg.member
    for jet in model.jets.unknowns(value):
        trees = [seg.own(f.engine) for f in (member.potential, member.dissipation)]
        held = [one.x for f in trees for one in model.jets.unknowns(f) if one.name == jet.name]
        if jet.end and jet.x >= max(held, default=0):
            motions = ", ".join(symbol_name(seg.own(one.engine)) for one in member.ends.values())
            raise FlexuraError(
                f"{_words(load)} holds {jet.label.partition('@')[0]}, but what moves there is {motions}",
                advice="write it in these",
                part=_part(load),
            )


def _checked(model: Placed, load: Load, value: Basic, seg: Segment | None) -> Basic:
    """Refuse the fields of members on which a load does not act: they have no one value there."""
    mine = {one.name for one in seg.fields} if seg is not None else set()
    for jet in model.jets.unknowns(value):
        if jet.name in model.jets.fields and not jet.end and jet.name not in mine:
            owner = next(one for one in model.structure.segments if any(f.name == jet.name for f in one.fields))
            raise FlexuraError(
                f"{_words(load)} holds {jet.label}, which varies along {owner.name}, where it does not act",
                advice=(
                    f"write a coordinate instead, such as that of an end: names={{{owner.member.name}.end: ...}} gives"
                    " it one"
                ),
                part=_part(load),
            )
    return value


def new_parameters(model: Placed) -> Iterator[ParameterDeclaration]:
    """The parameters that only a load, a motion or a constraint names; what looks like something else is refused."""
    jets = model.jets
    declared = {one.name for part in (*model.structure.bodies, *model.structure.members) for one in _declared(part)}
    for thing, text in _texts(model.things):
        known = {one.name for one in text.declarations} | declared
        for symbol in sorted(text.engine.free_symbols - {SPINE, TIME}, key=str):
            if symbol.name not in known and not _moves(model, jets, thing, symbol):
                _refuse_likeness(model, thing, symbol.name)
                yield ParameterDeclaration(symbol.name, parts=(_words(thing, middle=True),), new=True)


def _texts(things: Iterable[Any]) -> Iterator[tuple[Any, Expression]]:
    for one in things:
        if isinstance(one, Load):
            yield one, one.value
        elif isinstance(one, Constraint):
            yield one, one.expression
        elif isinstance(one, State):
            yield one, one.rate
        elif isinstance(one, Joint) and one.motion is not None:
            yield one, one.motion


def _declared(part: Any) -> Iterable[Any]:
    if hasattr(part, "inertia"):
        return list(part.declarations)
    return [d for f in (part.kinetic, part.potential, part.dissipation, part.rho, part.length) for d in f.declarations]


def _moves(model: Placed, jets: Jets, thing: Any, symbol: Any) -> bool:
    """Whether a name is a coordinate, field or input, or a field of the member that a load acts on, cut or not."""
    if symbol.name in model.inputs or jets.find(symbol) is not None:
        return True
    acted_on = thing.acts_on if isinstance(thing, Load) else None
    member = getattr(acted_on, "member", acted_on)
    return any(seg.own(symbol) != symbol for seg in model.structure.segments if seg.member is member)


def _refuse_likeness(model: Placed, thing: Any, name: str) -> None:
    derived = _DERIVATIVE.match(name)
    rate = _rate_of(model, name)
    if rate:
        raise FlexuraError(f"{_words(thing)} holds {name}: {rate}", part=_part(thing))
    for base in (name, derived[1] if derived else name):
        meant = _meaning(model, base, name != base)
        if meant:
            raise FlexuraError(f"{_words(thing)} holds {name}, which is no coordinate: {meant}", part=_part(thing))


def _rate_of(model: Placed, name: str) -> str:
    """What to write for a name that reads like the rate of a coordinate or field: theta_dot, dtheta_dt."""
    found = _RATE.match(name)
    if found is None:
        return ""
    base, order = (found[1], len(found[2]) - 2) if found[1] else (found[3], 1)
    fields = [one.name for seg in model.structure.segments for one in seg.fields]
    if base not in (*model.coordinates, *model.prescribed, *fields):
        return ""
    kind = "rate" if order == 1 else "acceleration"
    return f"the {kind} of {base} is called {base}_{'t' * order}, so write that"


def _meaning(model: Placed, base: str, derived: bool) -> str:
    """What a name that nothing has may stand for, and the right word; "" if it looks like nothing in the model."""
    for seg in model.structure.segments:
        for end, where in (("a", "start"), ("b", "end")):
            for motion in END_MOTIONS:
                if base in (default_name(seg, end, motion), _uncut(model, seg, end, motion)):
                    return _at_end(model, seg, end, motion, where)
    for link in model.structure.joints:
        names = model.joint_names[id(link.source)]
        if not isinstance(link.source, Joint):
            continue
        for default, own in zip(model.names.default_names(link.source, link), names, strict=True):
            if base == default and own:
                return f"the motion of {link.source!r} is called {own}, so write that"
    for member in model.structure.members:
        fields = [one.name for seg in model.segments_of(member) for one in seg.fields]
        if base in (f"{stem}_{member.name}" for stem in _FIELD_STEMS):
            return f"the fields of {member.name} are {', '.join(fields)}, so write one of them, or a coordinate"
        if derived and base in _FIELD_STEMS and any(one.startswith(f"{base}_") for one in fields):
            return (
                f"the fields of {member.name} are {', '.join(fields)}, so write their derivatives, like {fields[0]}_x"
            )
    for body in model.structure.bodies:
        if base in (f"{stem}_{body.name}" for stem in _STEMS):
            known = ", ".join((*model.coordinates, *model.prescribed)) or "none"
            return f"the coordinates are {known}, so write one of them"
    return ""


def _uncut(model: Placed, seg: Segment, end: str, motion: str) -> str:
    """The name that an outer end of a member would have if nothing cut it."""
    outer = model.segments_of(seg.member)[0 if end == "a" else -1]
    own = default_name(seg, end, motion)
    return own.replace(f"_{seg.name}_", f"_{seg.member.name}_") if seg is outer else own


def _at_end(model: Placed, seg: Segment, end: str, motion: str, where: str) -> str:
    """The right word for a motion of an end that is no coordinate under that name."""
    place = f"{seg.member.name}.{where}"
    jet = seg.carrier(motion, end)
    if jet is None:
        return f"{seg.member.name} does not move so, its ends carry {', '.join(seg.member.ends)}; leave it out"
    value = model.frame(seg).motions.values[jet.symbol]
    free = jet.symbol in value.free_symbols
    if not free:
        return f"at {place} it is {value}, so write that"
    names = tuple(default_name(seg, end, one) for one in END_MOTIONS if seg.carrier(one, end))
    field = jet.label.partition("@")[0]
    coordinates = f"names={{{place}: {names}}}"
    return f"{place} is free, so write {field} in a load that acts there, or give it coordinates, {coordinates}"


def _part(thing: Any) -> str:
    return getattr(thing, "words", "") or repr(thing)


def _words(thing: Any, middle: bool = False) -> str:
    found = getattr(thing, "words", "") or f"the motion of {thing!r}"
    return found if middle else f"{found[0].upper()}{found[1:]}"
