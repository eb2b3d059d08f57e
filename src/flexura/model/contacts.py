"""What contacts feel and obey: displacements, limits and directions, as data for whoever follows them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from flexura.errors import FlexuraError
from flexura.model.elongation import extent, sense, turning_joint
from flexura.model.placing import Placed
from flexura.model.riding import ride_laws
from flexura.parts.contacts import Contact
from flexura.symbolic.engine import Basic, Symbol
from flexura.symbolic.jets import Jets
from flexura.symbolic.kinematics.motion import ModelMotion


def contact_laws(model: Placed, jets: Jets) -> dict[str, dict[str, Basic]]:
    """By name: the displacement of q ("extent"), its direction in space, and the law (limits, or a gap)."""
    found: dict[str, dict[str, Basic]] = {}
    for link in model.links:
        if not isinstance(link, Contact):
            continue
        if link.name in found:
            raise FlexuraError(f"Two contacts are called {link.name}", advice="give one another name=", part=repr(link))
        laws = {word: law.engine for word, law in link.laws.items()}
        turns = turning_joint(model, link) is not None
        axis = {} if turns else dict(zip(("along_x", "along_y", "along_z"), sense(model, link), strict=True))
        found[link.name] = {"extent": extent(model, link, jets), **axis, **laws}
    return found | ride_laws(model)


def normal_forces(contacts: Mapping[str, Mapping[str, Basic]]) -> dict[str, frozenset[str]]:
    """The normal forces N_<connection> that limits name."""
    limits = [laws[word] for laws in contacts.values() for word in ("force", "static") if word in laws]
    named: set[Symbol] = {one for f in limits for one in f.free_symbols if one.name.startswith("N_")}
    return {one.name: frozenset[str]() for one in sorted(named, key=str)}


def transmitted(contacts: Mapping[str, Mapping[str, Basic]], motion: ModelMotion) -> Iterator[Basic]:
    """What normal forces depend on, though no energy may hold it: the weight of a body on a level rail."""
    if normal_forces(contacts) and motion.free_bodies is not None:
        for body in motion.free_bodies.bodies:
            yield body.mass
        for one in motion.free_bodies.wrenches:
            yield from (one.amount, *one.force, *one.couple)
