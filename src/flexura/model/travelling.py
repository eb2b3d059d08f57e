"""Loads that travel along members: where they are, over time or by a coordinate."""

from __future__ import annotations

from flexura.errors import FlexuraError
from flexura.model.placing import Placed
from flexura.parts.loads import Force
from flexura.parts.rides import Reaction
from flexura.symbolic.engine import Basic
from flexura.symbolic.jets import Jets


def travelling(model: Placed, jets: Jets) -> dict[str, Basic]:
    """The place of each unit load that travels, by the name of its given function of x and t."""
    found: dict[str, Basic] = {}
    for load in model.loads:
        if isinstance(load, Reaction):
            found[load.travelling] = load.ride.place.engine
        if isinstance(load, Force) and load.travels:
            place = load.place.position.engine
            if jets.unknowns(place):
                names = ", ".join(jet.label for jet in jets.unknowns(place))
                raise FlexuraError(
                    f"The place of {load.words} depends on {names}, but it may depend on t and parameters only",
                    advice="write where it is at each time, like beam.at('v*t')",
                    part=load.words,
                )
            found[load.travelling] = place
    return found
