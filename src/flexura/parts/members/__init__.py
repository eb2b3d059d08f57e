"""Flexible elements, one per file: fields, energy densities, and what the ends carry.

A new element is one file that imports `member.py` and nothing else of this room, and one line in `REGISTERED`. Its
boundary loads are derived from its density, never typed in.

Files:

    euler_bernoulli  The Bernoulli-Euler beam: sections stay plane and normal to the axis, so bending is all it
                     stores
    exact            The exact beam in the plane (Reissner): any deflection, any rotation of its sections (theory,
                     section 7)
    exact_spatial    The exact beam in space (Simo and Reissner): any deflection, any rotation of its sections (theory,
                     section 7)
    member           The base of every element: fields on one spine, their energy densities, and what the ends carry
    rayleigh         The Rayleigh beam: Bernoulli-Euler bending, and sections that resist being turned
    rod              The rod: it stretches along its axis and does nothing else
    shaft            The shaft: it twists about its own axis
    spatial          The beam in space: it stretches, bends in two planes and twists
    string           The string: its tension is all that holds it straight
    tied             A member whose displacement along its axis is a field of its own, tied to bending by its tension
                     (theory, section 7)
    timoshenko       The Timoshenko beam: sections turn by phi on their own and shear by w_x - phi
"""

from __future__ import annotations

from flexura.parts.members.euler_bernoulli import EulerBernoulliBeam
from flexura.parts.members.exact import ExactBeam
from flexura.parts.members.exact_spatial import ExactSpatialBeam
from flexura.parts.members.member import MOTIONS, Member, Place
from flexura.parts.members.rayleigh import RayleighBeam
from flexura.parts.members.rod import Rod
from flexura.parts.members.shaft import Shaft
from flexura.parts.members.spatial import SpatialBeam
from flexura.parts.members.string import String
from flexura.parts.members.timoshenko import TimoshenkoBeam

REGISTERED: tuple[Member, ...] = (
    EulerBernoulliBeam("Bernoulli-Euler beam", EI="EI", rho="rho", length="l", field="y"),
    RayleighBeam("Rayleigh beam", EI="EI", rho="rho", length="l", rotary_inertia="I_rho", field="y"),
    TimoshenkoBeam(
        "Timoshenko beam", EI="EI", kGA="kGA", rho="rho", rotary_inertia="I_rho", length="l", field=("eta", "phi")
    ),
    Rod("uniaxial rod", EA="EA", rho="rho", length="l", field="xi"),
    Shaft("torsion shaft", GJ="GJ", rotary_inertia="I_rho", length="l", field="phi"),
    String("string in tension", tension="P", rho="rho", length="l", field="eta"),
    ExactBeam("exact beam", EI="EI", rho="rho", length="l", rotary_inertia="I_rho", field=("v", "phi", "u", "N", "Q")),
)
"""Every element of this room, in the symbols of [M] Table 1."""

__all__ = [
    "EulerBernoulliBeam", "RayleighBeam", "TimoshenkoBeam", "Rod", "Shaft", "String", "SpatialBeam",
    "ExactBeam", "ExactSpatialBeam", "Member", "Place", "MOTIONS",
    "REGISTERED",
]  # fmt: skip
