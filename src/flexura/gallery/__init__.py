"""Built-in examples by name, for the command line, the documentation and the tests.

A new example is a function that returns a system, with a line in `EXAMPLES`; its docstring's first line is its title.

Files:

    energies  Examples written as energies, the way the memo writes them
    models    Examples written as parts and connections, the way a machine is drawn
    values    Numbers for the examples, in SI units, so that they can be solved as they stand; others may be given
              instead
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flexura.errors import FlexuraError
from flexura.gallery.energies import (
    appendix_b,
    appendix_b_moving,
    cantilever,
    example_one,
    knife_edge,
    pendulum,
    rotating_arm,
    timoshenko_tip_body,
    von_karman,
)
from flexura.gallery.models import (
    base_excitation,
    hinged_beams,
    portal_frame,
    rotating_blade,
    satellite,
    slider_crank,
    stepped_shaft,
    string_mid_mass,
    three_span_beam,
    two_link_arm,
)

EXAMPLES: dict[str, Callable[[], Any]] = {
    "example-one": example_one,
    "appendix-b": appendix_b,
    "appendix-b-moving": appendix_b_moving,
    "cantilever": cantilever,
    "timoshenko-tip-body": timoshenko_tip_body,
    "rotating-arm": rotating_arm,
    "von-karman": von_karman,
    "double-pendulum": pendulum,
    "knife-edge": knife_edge,
    "base-excitation": base_excitation,
    "stepped-shaft": stepped_shaft,
    "string-mid-mass": string_mid_mass,
    "three-span-beam": three_span_beam,
    "hinged-beams": hinged_beams,
    "portal-frame": portal_frame,
    "two-link-arm": two_link_arm,
    "slider-crank": slider_crank,
    "satellite": satellite,
    "rotating-blade": rotating_blade,
}


def title(name: str) -> str:
    """What an example shows, in one line."""
    return (EXAMPLES[name].__doc__ or "").strip().splitlines()[0]


def example(name: str) -> Any:
    """Build the example of that name."""
    if name not in EXAMPLES:
        raise FlexuraError(f"There is no example called {name!r}", advice=f"the examples are {', '.join(EXAMPLES)}")
    return EXAMPLES[name]()
