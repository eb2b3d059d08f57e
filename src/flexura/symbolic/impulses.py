"""Impulses in expressions: impulse(t - 1), Dirac's delta, whose integral across t = 1 is 1.

>>> impulse(TIME - 1)                        # as the text "impulse(t - 1)" is read
>>> refuse_impulses(f, "The potential")      # where a force that lasts no time means nothing

An impulse is no function: a load may hold one, which makes speeds jump; an energy, a property or a motion may not.
"""

from __future__ import annotations

from typing import Any

import symengine

from flexura.errors import FlexuraError
from flexura.symbolic.engine import SPINE, TIME, Basic
from flexura.symbolic.walk import branches

IMPULSE = "impulse"
ADVICE = (
    "a load may hold one: fx.Force(place, 'impulse(t - 1)'), or inputs={'F': 'impulse(t - 1)'} of"
    " fx.simulate(model, ...)"
)


def impulse(since: Any) -> Basic:
    """A unit impulse where its argument is zero."""
    return symengine.Function(IMPULSE)(since)


def is_impulse(f: Basic) -> bool:
    """Whether a tree is an impulse itself."""
    return isinstance(f, symengine.FunctionSymbol) and f.get_name() == IMPULSE


def impulses_in(f: Basic) -> list[Basic]:
    """The impulses in a tree, each once."""
    return [one for one in branches([f]) if is_impulse(one)]


def refuse_impulses(f: Basic, what: str) -> None:
    """Refuse impulses where they have no meaning."""
    found = impulses_in(f)
    if found:
        raise FlexuraError(f"{what} holds {found[0]}, an impulse, which is no function", advice=ADVICE)


def check_impulses(f: Basic, what: str) -> Basic:
    """A load, refused where its impulses are not at times of their own, or not proportional to it."""
    found, what = impulses_in(f), f"{what[0].upper()}{what[1:]}"
    marks = {one: symengine.Symbol(f"$blow{k}") for k, one in enumerate(found)}
    for one in found:
        rate = one.args[0].diff(TIME)
        if rate == 0 or TIME in rate.free_symbols or SPINE in one.args[0].free_symbols:
            raise FlexuraError(f"{what} holds {one}, whose time cannot be told", advice="write impulse(t - 1)")
    marked = f.xreplace(marks)
    for mark in marks.values():
        slope = marked.diff(mark).expand()
        if slope.free_symbols & set(marks.values()):
            raise FlexuraError(
                f"{what} is {f}, in which an impulse is no plain factor",
                advice="write a sum of impulses, each times a factor: 2*impulse(t - 1)",
            )
    return f
