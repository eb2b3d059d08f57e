"""Examples written as parts and connections, the way a machine is drawn.

A script writes the same with `fx.` before every name: `fx.Model(fx.Fixed(fx.ground, beam.start), ...)`.
"""

from __future__ import annotations

from flexura.model.model import Model
from flexura.parts.bodies import Mass, RigidBody, ground
from flexura.parts.joints import Fixed, Free, Pin, Revolute, Slide
from flexura.parts.loads import Torque
from flexura.parts.members.euler_bernoulli import EulerBernoulliBeam
from flexura.parts.members.shaft import Shaft
from flexura.parts.members.spatial import SpatialBeam
from flexura.parts.members.string import String


def base_excitation() -> Model:
    """A cantilever with a tip mass on a base that is shaken: the motion is given, and its reaction is asked for."""
    base, tip = RigidBody("base", m="M", I=0), Mass("tip", m="m")
    beam = EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l", field="w")
    return Model(
        Slide(ground, base, name="y", motion="y0*sin(Omega*t)"),
        Fixed(base, beam.start),
        Fixed(beam.end, tip),
        names={beam.end: "w_tip"},
    )


def stepped_shaft() -> Model:
    """Three discs on a shaft of two diameters, free to turn: torsion, and one rigid rotation."""
    discs = [RigidBody(f"disc{i}", m=f"m{i}", I=f"I{i}") for i in (1, 2, 3)]
    shafts = [Shaft(f"shaft{i}", GJ=f"GJ{i}", rotary_inertia=f"J{i}", length=f"l{i}", field=f"phi{i}") for i in (1, 2)]
    ends = {shafts[0].start: "theta1", shafts[0].end: "theta2", shafts[1].end: "theta3"}
    welds = [Fixed(discs[i], shafts[i].start) for i in (0, 1)] + [Fixed(shafts[i].end, discs[i + 1]) for i in (0, 1)]
    return Model(welds, names=ends)


def string_mid_mass() -> Model:
    """A stretched string with a particle at its middle, where the slope jumps."""
    string, bead = String("string", tension="P", rho="rho", length="l", field="w"), Mass("bead", m="m")
    middle = string.at("l/2")
    return Model(Fixed(ground, string.start), Fixed(middle, bead), Fixed(string.end, ground), names={middle: "w_mid"})


def three_span_beam() -> Model:
    """A beam over four supports: deflection zero, slope and moment continuous at the inner two."""
    first, second, third = _beams("first", "second", "third")
    return Model(
        Pin(ground, first.start),
        Fixed(first.end, second.start),
        Pin(ground, first.end),
        Fixed(second.end, third.start),
        Pin(ground, second.end),
        Pin(ground, third.end),
        names={first.end: (None, "alpha1"), second.end: (None, "alpha2")},
    )


def hinged_beams() -> Model:
    """Two clamped beams joined by a hinge: equal deflection, no moment, each with a slope of its own."""
    left, right = _beams("left", "right")
    return Model(Fixed(ground, left.start), Pin(left.end, right.start), Fixed(right.end, ground), names={left.end: "y"})


def portal_frame(EA: str | None = "EA") -> Model:
    """A portal of two columns and a beam that bend and stretch; with EA=None they only bend."""
    left, beam, right = _beams("left", "beam", "right", EA=EA)
    return Model(
        Fixed(ground, left.start, angle="pi/2"),
        Fixed(left.end, beam.start, angle="-pi/2"),
        Fixed(beam.end, right.start, angle="-pi/2"),
        Fixed(right.end, ground),
    )


def two_link_arm() -> Model:
    """A manipulator with two flexible links, motors at shoulder and elbow, and a payload; horizontal.

    The rotors carry the roots of the links: without them a joint's angle and the bending beside it share one inertia.
    """
    shoulder, rotor = RigidBody("shoulder", m=0, I="I_s"), RigidBody("rotor", m="m_r", I="I_r")
    elbow, payload = RigidBody("elbow", m="m_e", I="I_e"), RigidBody("payload", m="m_p", I="I_p")
    upper, lower = (
        EulerBernoulliBeam(name, EI=f"EI{i}", rho=f"rho{i}", length=f"l{i}", field=f"w{i}")
        for i, name in enumerate(("upper", "lower"), 1)
    )
    return Model(
        Revolute(ground, shoulder, name="theta1"),
        Fixed(shoulder, upper.start),
        Fixed(upper.end, elbow),
        Revolute(elbow, rotor, name="theta2"),
        Fixed(rotor, lower.start),
        Fixed(lower.end, payload),
        Torque(shoulder, "tau1"),
        Torque(rotor, "tau2", reaction=elbow),
        names={upper.end: ("y1", "alpha1"), lower.end: ("y2", "alpha2")},
    )


def slider_crank() -> Model:
    """A slider-crank with a flexible connecting rod: a loop, closed exactly by the joint listed last."""
    crank, slider = RigidBody("crank", m="m_c", I="I_c"), Mass("slider", m="m_s")
    bearing = RigidBody("bearing", m="m_b", I="I_b")
    rod = EulerBernoulliBeam("rod", EI="EI", rho="rho", length="l", field="w")
    return Model(
        Revolute(ground, crank.at("-r/2"), name="theta"),
        Revolute(crank.at("r/2"), bearing, name="phi"),
        Fixed(bearing, rod.start),
        Slide(ground, slider, along="x", name="s"),
        Revolute(rod.end, slider, name="pin"),
        Torque(crank, "tau"),
        names={rod.end: ("y", "alpha")},
    )


def satellite() -> Model:
    """A hub that floats in the plane with two flexible panels: no load, so its momenta stay."""
    hub = RigidBody("hub", m="M", I="J")
    right, left = (
        EulerBernoulliBeam(name, EI="EI", rho="rho", length="l", field=f"w{i}")
        for i, name in enumerate(("right", "left"), 1)
    )
    return Model(
        Free(ground, hub, names=("X", "Y", "theta")),
        Fixed(hub.at("r"), right.start),
        Fixed(hub.at("-r"), left.start, angle="pi"),
    )


def rotating_blade() -> Model:
    """A blade on a hub at constant speed, in space: lag, flap, torsion and stretching, with centrifugal stiffening."""
    hub = RigidBody("hub", m=0, I="I_h")
    blade = SpatialBeam(
        "blade",
        EA="EA",
        EIy="EIy",
        EIz="EIz",
        GJ="GJ",
        rho="rho",
        rotary_inertia=("Jx", "Jy", "Jz"),
        length="l",
        field=("u", "v", "w", "phi"),
    )
    return Model(Revolute(ground, hub, name="theta", motion="Omega*t"), Fixed(hub.at("r"), blade.start))


def _beams(*names: str, EA: str | None = None) -> list[EulerBernoulliBeam]:
    """Beams of one section, each with its own length: l_<name>."""
    return [EulerBernoulliBeam(name, EI="EI", rho="rho", length=f"l_{name}", EA=EA) for name in names]
