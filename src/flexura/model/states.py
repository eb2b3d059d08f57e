"""First-order states of a model: each is a coordinate without energy whose generalized force is rate - z_t."""

from __future__ import annotations

from collections.abc import Mapping

from flexura.errors import FlexuraError
from flexura.model.placing import Placed
from flexura.parts.control import State
from flexura.parts.loads import Constraint
from flexura.symbolic.engine import Basic, Symbol
from flexura.symbolic.jets import Jet, Jets


def state_work(model: Placed, jets: Jets) -> dict[str, Basic]:
    """What stands on the right of Lagrange's equation of each state."""
    rates = {name: _checked(state, jets) for name, state in model.states.items()}
    return {name: _explicit(name, rates, ()) - Jet(name, t=1).symbol for name in rates}


def refuse_states(model: Placed, constraint: Constraint, jets: Jets) -> None:
    """A condition pushes what it holds, and nothing can push a state."""
    for jet in jets.unknowns(constraint.expression.engine):
        if jet.name in model.states:
            raise FlexuraError(
                f"The constraint {constraint.text} holds the state {jet.name}, on which no reaction can act",
                advice="let a force depend on the state instead",
                part=constraint.words,
            )


def refuse_unused(model: Placed) -> None:
    """A sampled controller must have something to control, and one input must have one controller."""
    trees = [one.engine for one in (*(load.value for load in model.loads), *(s.rate for s in model.states.values()))]
    seen: set[str] = set()
    for one in model.sampled:
        if one.name in seen:
            raise FlexuraError(
                f"Two sampled controllers give the input {one.name}", advice="give each its own", part=one.words
            )
        seen.add(one.name)
        if not any(Symbol(one.name) in f.free_symbols for f in trees):
            raise FlexuraError(
                f"No load and no state holds {one.name}, which {one.words} gives",
                advice=f"write it in a load, like fx.Torque(hub, {one.name!r})",
                part=one.words,
                keyword="name",
            )


def _checked(state: State, jets: Jets) -> Basic:
    tree = state.rate.engine
    for jet in jets.unknowns(tree):
        if jet.name in jets.fields:
            raise FlexuraError(
                f"The rate of {state.words} holds {jet.label}, which varies along its member",
                advice="write a coordinate instead, such as that of an end: names={beam.end: ...} gives it one",
                part=state.words,
                keyword="rate",
            )
        if jet.t > 1:
            raise FlexuraError(
                f"The rate of {state.words} holds the acceleration {jet.label}",
                advice="write it in coordinates and their rates; an accelerometer is a state that follows a rate",
                part=state.words,
                keyword="rate",
            )
    return tree


def _explicit(name: str, rates: Mapping[str, Basic], through: tuple[str, ...]) -> Basic:
    """The rate with the rates of other states put in; round in a circle there is none."""
    tree = rates[name]
    held = {Jet(one, t=1).symbol: one for one in rates}
    inside: list[Symbol] = sorted((one for one in tree.free_symbols if one in held), key=str)
    for symbol in inside:
        if held[symbol] in (*through, name):
            again = " and ".join(dict.fromkeys((*through, name)))
            raise FlexuraError(
                f"The rate of the state {name} depends on itself, through {symbol} of {again}",
                advice="write it in coordinates, their rates and states, without the rate that it defines",
                part=f"the state {name}",
                keyword="rate",
            )
    return tree.xreplace({one: _explicit(held[one], rates, (*through, name)) for one in inside}) if inside else tree
