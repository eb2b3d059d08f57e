"""Where random machines come from: every family, with its weight in the hunt."""

from __future__ import annotations

from collections.abc import Callable

from flexura.model.files.kinds import CONNECTIONS, LOADS, PARTS
from hunt.bending import bending
from hunt.branches import branches
from hunt.chains import chains
from hunt.contacts import bouncing, sticking
from hunt.energies import pencils, pushed
from hunt.far import far, hinged
from hunt.frames import frames, lines
from hunt.hubs import hubs
from hunt.inputs import grazing, pulses, rubbing, shaken, texts
from hunt.machines import carts, loops, machines
from hunt.mutants import mutants
from hunt.rides import rides
from hunt.rotors import rotors
from hunt.space import space
from hunt.steps import steps
from hunt.structures import halves, hysteretic, mounts, spins
from hunt.trial import Trial
from hunt.tumbling import still, tumbling
from hunt.twisted import twisted

FAMILIES: dict[str, tuple[Callable[[int], Trial], float]] = {
    "frames": (frames, 24),
    "lines": (lines, 12),
    "space": (space, 10),
    "steps": (steps, 6),
    "machines": (machines, 14),
    "loops": (loops, 4),
    "carts": (carts, 3),
    "pencils": (pencils, 4),
    "pushed": (pushed, 3),
    "mounts": (mounts, 4),
    "hysteretic": (hysteretic, 2.5),
    "spins": (spins, 4),
    "halves": (halves, 2.5),
    "rotors": (rotors, 2.5),
    "rides": (rides, 3),
    "shaken": (shaken, 2.5),
    "pulses": (pulses, 2.5),
    "mutants": (mutants, 2.5),
    "grazing": (grazing, 2.5),
    "rubbing": (rubbing, 2.5),
    "sticking": (sticking, 2.5),
    "bouncing": (bouncing, 2.5),
    "texts": (texts, 2.5),
    "bending": (bending, 2.5),
    "far": (far, 3),
    "hinged": (hinged, 2.5),
    "hubs": (hubs, 3),
    "branches": (branches, 3),
    "still": (still, 2.5),
    "tumbling": (tumbling, 2.5),
    "twisted": (twisted, 2.5),
    "chains": (chains, 4),
}
KINDS = frozenset({*PARTS, *CONNECTIONS, *LOADS, "Gravity", "Constraint"})
"""Every kind of part that is registered."""
