"""The words a model file may use: every kind of part, connection and load, and the keywords each one takes.

Keywords come from the signature of the part itself, so a file can say whatever Python can.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from flexura.arguments import nearest
from flexura.errors import FlexuraError
from flexura.parts.bodies import Mass, RigidBody
from flexura.parts.contacts import Friction, Stop
from flexura.parts.control import State
from flexura.parts.gears import Gear
from flexura.parts.joints import Fixed, Free, Pin, Revolute, Roller, Slide
from flexura.parts.loads import DistributedForce, Force, Torque
from flexura.parts.members.euler_bernoulli import EulerBernoulliBeam
from flexura.parts.members.exact import ExactBeam
from flexura.parts.members.exact_spatial import ExactSpatialBeam
from flexura.parts.members.rayleigh import RayleighBeam
from flexura.parts.members.rod import Rod
from flexura.parts.members.shaft import Shaft
from flexura.parts.members.spatial import SpatialBeam
from flexura.parts.members.string import String
from flexura.parts.members.timoshenko import TimoshenkoBeam
from flexura.parts.rides import Ride
from flexura.parts.rolling import Rolling
from flexura.parts.spatial_joints import Cylindrical, Planar, Spherical, Universal
from flexura.parts.springs import Damper, Spring, TorsionDamper, TorsionSpring

_MEMBERS = (
    EulerBernoulliBeam,
    RayleighBeam,
    TimoshenkoBeam,
    Rod,
    Shaft,
    String,
    SpatialBeam,
    ExactBeam,
    ExactSpatialBeam,
)
_SPATIAL = (Spherical, Universal, Cylindrical, Planar)
_LINKS = (Spring, Damper, TorsionSpring, TorsionDamper)
PARTS: dict[str, Any] = {kind.__name__: kind for kind in (Mass, RigidBody, *_MEMBERS)}
CONNECTIONS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (Fixed, Pin, Roller, Slide, Revolute, Free, *_SPATIAL, *_LINKS, Gear, Rolling, Friction, Stop, Ride)
}
LOADS: dict[str, Any] = {kind.__name__: kind for kind in (Force, Torque, DistributedForce)}

_BETWEEN = ("joint1", "joint2", "body", "on")  # said by `between` as well
PLACES = {"p": "at", "member": "member", "reaction": "reaction", "axes": "axes"}
"""Arguments that are places or parts, and the words for them in a file; a connection has both places in `between`."""

TEXTS = frozenset({"along", "about", "normal", "axis", "name", "names", "field", "held"})
"""Keywords that are words, directions or true and false, not quantities."""


def choose(kinds: dict[str, Any], entry: dict[str, Any], what: str) -> Any:
    """The class an entry's kind names."""
    kind = entry.get("kind")
    if kind is None:
        raise FlexuraError(f"{what} has no kind", advice=f"give kind = one of {', '.join(kinds)}")
    if not isinstance(kind, str) or kind not in kinds:
        raise FlexuraError(
            f"{what} is of the kind {kind!r}, which does not exist", advice=f"{nearest(str(kind), kinds)}"
        )
    return kinds[kind]


def keywords(kind: Any) -> dict[str, bool]:
    """The keywords of a kind, in order, and whether each must be given; its own name and places left out."""
    found = inspect.signature(kind.__init__).parameters
    named = kind is State or kind in PARTS.values()
    skipped = {"self", "p", "q", *PLACES, *_BETWEEN, *(("name",) if named else ())}
    return {name: one.default is inspect.Parameter.empty for name, one in found.items() if name not in skipped}


def check_keywords(kind: Any, given: Iterable[str], what: str) -> None:
    """Refuse keywords that a kind does not take, and say which ones it misses."""
    known = keywords(kind)
    for key in given:
        if key not in known:
            raise FlexuraError(f"{what} ({kind.__name__}) takes no {key!r}", advice=f"{nearest(key, known)}")
    missing = [key for key, needed in known.items() if needed and key not in given]
    if missing:
        raise FlexuraError(
            f"{what} ({kind.__name__}) needs {', '.join(missing)}", advice=f"add {missing[0]} = ... to it"
        )
