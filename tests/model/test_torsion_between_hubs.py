"""A torsion spring between parts on joints of their own feels how far these have turned them against each other."""

import numpy as np
import pytest
import sympy

import flexura as fx


def hubs(with_beams: bool) -> fx.Model:
    """Two hubs that turn on ground, by themselves or with beams, and a torsion spring between hubs or beams' ends."""
    first, second = fx.RigidBody("first", m=1, I=2.0), fx.RigidBody("second", m=1, I=3.0)
    turns = fx.Revolute(fx.ground, first, name="t1"), fx.Revolute(fx.ground, second, name="t2")
    if not with_beams:
        return fx.Model(turns, fx.TorsionSpring(first, second, k=60.0))
    beams = [fx.EulerBernoulliBeam(f"b{i}", EI=1e7, rho=1e-7, length=1.0) for i in (1, 2)]
    welds = [fx.Fixed(hub, beam.start) for hub, beam in zip((first, second), beams, strict=True)]
    return fx.Model(turns, welds, fx.TorsionSpring(beams[0].end, beams[1].end, k=60.0))


@pytest.mark.parametrize("with_beams", [False, True])
def test_the_hubs_oscillate_against_each_other(with_beams: bool) -> None:
    """omega^2 = k (1/I1 + 1/I2), as on a shaft; stiff, light beams between hubs and spring change nothing."""
    model = hubs(with_beams)
    assert fx.modes(model, 2).frequencies == pytest.approx([0, np.sqrt(60 * (1 / 2 + 1 / 3))], rel=1e-4)
    assert fx.verify(fx.derive(model))


def test_arms_one_on_the_other_and_a_third_on_ground() -> None:
    """The spring between the second link and a body on ground feels both angles of the chain."""
    one, two, other = (fx.RigidBody(name, m=1, I=1.0) for name in ("one", "two", "other"))
    model = fx.Model(
        fx.Revolute(fx.ground, one, name="a"),
        fx.Revolute(one, two, name="b"),
        fx.Revolute(fx.ground, other, name="c"),
        fx.TorsionSpring(other, two, k=5.0),
    )
    equations = fx.derive(model)
    state = dict.fromkeys(("a_t", "b_t", "c_t"), 0.0) | {"a": 0.3, "b": 0.4, "c": 0.2}
    assert fx.accelerations(equations, state)["c"] == pytest.approx(5.0 * (0.3 + 0.4 - 0.2))
    assert fx.verify(equations)


def test_welded_parts_feel_the_joint_between_their_bodies_about_minus_z() -> None:
    hub, arm, lug = fx.RigidBody("hub", m=1, I=2.0), fx.RigidBody("arm", m=1, I=3.0), fx.Mass("lug", m=0)
    joints = fx.Revolute(fx.ground, hub), fx.Revolute(hub, arm, about="-z"), fx.Fixed(hub, lug)
    model = fx.Model(joints, fx.TorsionSpring(lug, arm, k=60.0))
    assert fx.modes(model, 2).frequencies == pytest.approx([0, np.sqrt(60 * (1 / 2 + 1 / 3))])
    assert fx.verify(fx.derive(model))


def test_the_slope_at_the_far_end_of_a_beam_turns_as_its_hinge_does() -> None:
    """Seen from ground the tip turns by -q about z, and by its slope theta: the spring feels what is left of both."""
    beam, tip = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l"), fx.RigidBody("tip", "m", "I")
    held = fx.Revolute(fx.ground, beam.start, about="-z", name="q"), fx.Fixed(beam.end, tip)
    at_end = fx.derive(fx.Model(held, fx.TorsionSpring(fx.ground, beam.end, k="k")))
    at_tip = fx.derive(fx.Model(held, fx.TorsionSpring(fx.ground, tip, k="k")))
    assert fx.equivalent(at_end, at_tip)
    assert fx.verify(at_end)


@pytest.mark.parametrize(
    ("about", "turned"),
    [("x", "phi_beam_end"), ("y", "-beta_beam_end"), ("-y", "beta_beam_end"), ("z", "theta_beam_end")],
)
def test_a_beam_in_space_turns_on_about_the_axis_of_its_hinge(about: str, turned: str) -> None:
    """Its sections turn by (phi, -w_x, v_x)."""
    beam = fx.SpatialBeam("beam", EA="EA", EIy="EIy", EIz="EIz", GJ="GJ", rho="rho", length="l")
    tip = fx.RigidBody("tip", "m", "I")
    held = fx.Revolute(fx.ground, beam.start, about=about, name="q"), fx.Fixed(beam.end, tip)
    equations = fx.derive(fx.Model(held, fx.TorsionSpring(fx.ground, beam.end, k="k")))
    felt = sympy.sympify(str(equations.lagrangian.potential))
    assert sympy.expand(felt - sympy.sympify(f"k*(q + {turned})**2/2")) == 0
    assert fx.verify(equations)


def test_a_twist_and_a_slope_have_no_difference() -> None:
    """Unless the axis is told: about z the shaft does not turn."""
    shaft = fx.Shaft("shaft", GJ="GJ", rotary_inertia="J", length="l")
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    held = fx.Fixed(fx.ground, shaft.start), fx.Fixed(fx.ground, beam.start)
    with pytest.raises(fx.FlexuraError, match="about two axes, one about x and one about z; say about which"):
        fx.derive(fx.Model(held, fx.TorsionSpring(shaft.end, beam.end, k="k")))
    assert fx.verify(fx.derive(fx.Model(held, fx.TorsionSpring(shaft.end, beam.end, k="k", about="z"))))


def test_joints_about_other_axes_are_refused() -> None:
    one, two = fx.RigidBody("one", m=1, I=1.0), fx.RigidBody("two", m=1, I=1.0)
    tilted = fx.Revolute(fx.ground, one, about="x"), fx.Revolute(fx.ground, two)
    with pytest.raises(fx.FlexuraError, match="other axes than it does"):
        fx.derive(fx.Model(tilted, fx.TorsionSpring(one, two, k=1.0)))


def test_discs_on_hinges_about_x_with_a_shaft_between_them() -> None:
    """About x, too: the spring from ground feels the angle of the hinge and the twist of the shaft."""
    first, second = fx.RigidBody("d1", 1.0, (2.0, 0, 0)), fx.RigidBody("d2", 1.0, (3.0, 1.0, 1.0))
    shaft = fx.Shaft("s", GJ=1e9, rotary_inertia=1e-9, length=1.0)
    model = fx.Model(
        fx.Revolute(fx.ground, first, about="x", name="phi"),
        fx.Fixed(first, shaft.start),
        fx.Fixed(shaft.end, second),
        fx.TorsionSpring(fx.ground, second, k=80.0),
    )
    assert fx.modes(model, 1).frequencies == pytest.approx([4.0], rel=1e-6)  # sqrt(80/(2 + 3)): they turn as one
    assert fx.verify(fx.derive(model))


def on_a_slide(*between: str) -> fx.Model:
    """A body that slides at the end of a cantilever turns with its slope; a torsion spring between two places."""
    beam, body = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l"), fx.RigidBody("body", m="m", I="I")
    places = {"ground": fx.ground, "end": beam.end, "middle": beam.at("l/2"), "body": body}
    slide = fx.Slide(beam.end, body, along="x", name="s")
    spring = fx.TorsionSpring(*(places[one] for one in between), law="k*s + T")
    return fx.Model(fx.Fixed(fx.ground, beam.start), slide, spring)


@pytest.mark.parametrize("other", ["ground", "middle"])
@pytest.mark.parametrize("flipped", [False, True])
def test_what_slides_on_a_section_turns_with_it(other: str, flipped: bool) -> None:
    """So a spring on the body is one on the end of the beam."""
    energies = [fx.derive(on_a_slide(*((other, one)[:: -1 if flipped else 1]))) for one in ("body", "end")]
    if other == "middle":
        assert energies[0].lagrangian.potential == energies[1].lagrangian.potential
    assert fx.equivalent(*energies)
    assert fx.verify(energies[0])


def test_a_spring_between_a_section_and_what_turns_with_it_is_refused() -> None:
    """On a slide at the end of a beam, or welded to an end that turns far."""
    beam, body = fx.ExactBeam("beam", EI="EI", rho="rho", length="l"), fx.RigidBody("body", m="m", I="I")
    held = fx.Roller(fx.ground, beam.start, along="x"), fx.Fixed(beam.start, body)
    welded = fx.Model(*held, fx.TorsionSpring(body, beam.start, k="k"))
    for model in (on_a_slide("end", "body"), on_a_slide("body", "end"), welded):
        with pytest.raises(fx.FlexuraError, match="do not turn against each other"):
            fx.derive(model)
