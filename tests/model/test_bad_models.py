"""What a model cannot mean: one sentence that names the part and says what to do, and doing so works."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import flexura as fx

BAD: dict[str, tuple[str, Callable[[], Any], Callable[[], Any]]] = {}


def refused(sentence: str) -> Callable[[type], type]:
    """A bad model, the sentence it raises, and the model that follows the advice."""

    def keep(one: type) -> type:
        BAD[one.__name__] = (sentence, one.bad, one.good)  # type: ignore[attr-defined]
        return one

    return keep


def derive(*things: Any, **options: Any) -> fx.Equations:
    return fx.derive(fx.Model(*things, **options))


def beam(name: str = "beam", length: str = "l", **more: Any) -> fx.EulerBernoulliBeam:
    return fx.EulerBernoulliBeam(name, EI="EI", rho="rho", length=length, **more)


def body(name: str = "body", m: Any = "m", I: Any = "I") -> fx.RigidBody:
    return fx.RigidBody(name, m=m, I=I)


def shaft(name: str = "shaft") -> fx.Shaft:
    return fx.Shaft(name, GJ="GJ", rotary_inertia="J", length="l")


@pytest.mark.parametrize("name", ["__all__"])
def test_every_case_is_here(name: str) -> None:
    assert len(BAD) >= 40


# -- loops -----------------------------------------------------------------------------------------------------------


@refused(r"loop closed by Revolute\(a.at\(r, 0, 0\), ground.at\(5, 0, 0\)\) contradicts itself: along x .* 5 - r apart")
class LoopOfJointsThatContradictsItself:
    def bad(point: Any = 5) -> fx.Equations:  # type: ignore[misc]
        a = body("a")
        return derive(fx.Slide(fx.ground, a, name="q"), fx.Revolute(a.at("r"), fx.ground.at(point)))

    def good() -> fx.Equations:  # type: ignore[misc]
        return LoopOfJointsThatContradictsItself.bad("r")


@refused(
    r"loop closed by Fixed\(right.end, ground.at\(l, 0, 0\)\) does not close: its two places are \(0, h - h2, 0\) apart"
)
class LoopOfWeldsThatDoesNotClose:
    def bad(height: str = "h2") -> fx.Equations:  # type: ignore[misc]
        left, top, right = beam("left", "h"), beam("top"), beam("right", height)
        return derive(
            fx.Fixed(fx.ground.at(0, 0), left.start, angle=math.pi / 2),
            fx.Fixed(left.end, top.start, angle=-math.pi / 2),
            fx.Fixed(top.end, right.start, angle=-math.pi / 2),
            fx.Fixed(right.end, fx.ground.at("l", 0), angle=math.pi / 2),
        )

    def good() -> fx.Equations:  # type: ignore[misc]
        return LoopOfWeldsThatDoesNotClose.bad("h")


@refused(
    r"angle of Fixed\(second.end, plate.at\(2\*l, 0, 0\)\) contradicts the other connections of its loop; give the"
)
class AngleThatContradictsItsLoop:
    def bad(angle: float = 0.3) -> fx.Equations:  # type: ignore[misc]
        plate, first, second = body("plate"), beam("first"), beam("second")
        return derive(
            fx.Free(fx.ground, plate),
            fx.Fixed(plate, first.start),
            fx.Fixed(first.end, second.start),
            fx.Fixed(second.end, plate.at("2*l"), angle=angle),
        )

    def good() -> fx.Equations:  # type: ignore[misc]
        return AngleThatContradictsItsLoop.bad(0)


@refused(r"Roller\(ground, cart\) cannot close a loop of joints; use Revolute, Pin, Slide or Fixed there")
class RollerInALoopOfJoints:
    def bad(closing: Any = fx.Roller) -> fx.Equations:  # type: ignore[misc]
        table, cart = body("table"), body("cart")
        return derive(
            fx.Revolute(fx.ground, table, name="q"),
            fx.Slide(table, cart, name="s"),
            closing(fx.ground, cart, along="x"),
        )

    def good() -> fx.Equations:  # type: ignore[misc]
        return RollerInALoopOfJoints.bad(fx.Slide)


# -- springs and loads -------------------------------------------------------------------------------------------------


@refused(r"Spring\(ground, m\) acts along a direction in which its ends cannot move against each other; choose another")
class SpringAcrossASlide:
    def bad(along: str = "x") -> fx.Equations:  # type: ignore[misc]
        m = fx.Mass("m", m="m")
        return derive(fx.Slide(fx.ground, m), fx.Spring(fx.ground, m, k="k", along=along))

    def good() -> fx.Equations:  # type: ignore[misc]
        return SpringAcrossASlide.bad("y")


@refused(r"Damper\(tip.at\(0, h, 0\), tip\) acts along a direction in which its ends cannot move against each other")
class DamperInsideABodyThatTurnsALittle:
    """Along the body's own axes: its points do not move against each other, however it turns."""

    def bad(other: bool = False) -> fx.Equations:  # type: ignore[misc]
        arm, tip = beam("arm"), body("tip")
        q = fx.ground if other else tip
        held = [fx.Fixed(fx.ground, arm.start), fx.Fixed(arm.end, tip)]
        return derive(*held, fx.Damper(tip.at(0, "h"), q, c="c", along="x"))

    def good() -> fx.Equations:  # type: ignore[misc]
        return DamperInsideABodyThatTurnsALittle.bad(True)


@refused(r"Spring\(ground, m\) acts along the line to ground, which is everywhere; say where with fx.ground.at")
class LineToGround:
    def bad(place: Any = fx.ground) -> fx.Equations:  # type: ignore[misc]
        m = fx.Mass("m", m="m")
        return derive(fx.Slide(fx.ground, m), fx.Spring(place, m, k="k", along="line"))

    def good() -> fx.Equations:  # type: ignore[misc]
        return LineToGround.bad(fx.ground.at("d"))


@refused(r"Spring\(a, b.at\(d, 0, 0\)\) joins two places whose distance never changes; leave it out")
class LineThatNeverChanges:
    def bad(spring: bool = True) -> fx.Equations:  # type: ignore[misc]
        a, b = body("a"), body("b")
        springs = [fx.Spring(a, b.at("d"), k="k", along="line")] if spring else []
        return derive(fx.Slide(fx.ground, a), fx.Fixed(a, b), *springs)

    def good() -> fx.Equations:  # type: ignore[misc]
        return LineThatNeverChanges.bad(False)


@refused(r"TorsionSpring\(ground, a\) acts on a rotation that does not exist: .* connect them with a Revolute or a Pin")
class TorsionSpringWithoutATurn:
    def bad(joint: Any = fx.Slide) -> fx.Equations:  # type: ignore[misc]
        a = body("a")
        return derive(joint(fx.ground, a), fx.TorsionSpring(fx.ground, a, k="k"))

    def good() -> fx.Equations:  # type: ignore[misc]
        LineThatNeverChanges.bad(False)
        TorsionSpringWithoutATurn.bad(fx.Pin)
        return TorsionSpringWithoutATurn.bad(fx.Revolute)


@refused(r"A Force names the member beam; name a place on it: .start, .end or .at\(s\)")
class ForceOnAWholeMember:
    def bad(place: Callable[[fx.Member], Any] = lambda one: one) -> fx.Equations:  # type: ignore[misc]
        one = beam()
        return derive(fx.Fixed(fx.ground, one.start), fx.Force(place(one), "F"))

    def good() -> fx.Equations:  # type: ignore[misc]
        for place in (lambda one: one.end, lambda one: one.at("l/2")):
            ForceOnAWholeMember.bad(place)
        return ForceOnAWholeMember.bad(lambda one: one.end)


@refused(r"A DistributedForce acts on beam.end, which is not a member; use Force for a place")
class DistributedForceOnAPlace:
    def bad(load: Any = fx.DistributedForce) -> fx.Equations:  # type: ignore[misc]
        one = beam()
        return derive(fx.Fixed(fx.ground, one.start), load(one.end, "f"))

    def good() -> fx.Equations:  # type: ignore[misc]
        return DistributedForceOnAPlace.bad(fx.Force)


@refused(r"The input f is written with different arguments; write it one way")
class OneInputInTwoWays:
    def bad(second: str = "f(t)") -> fx.Equations:  # type: ignore[misc]
        one, two = beam("one"), beam("two")
        held = [fx.Fixed(fx.ground, one.start), fx.Fixed(fx.ground, two.start)]
        return derive(*held, fx.DistributedForce(one, "f(x)"), fx.DistributedForce(two, second))

    def good() -> fx.Equations:  # type: ignore[misc]
        return OneInputInTwoWays.bad("f(x)")


@refused(r"The mass or load along arm cannot be integrated in closed form.* or derive with foreshortening=False")
class MassThatCannotBeIntegrated:
    def bad(rho: str = "rho*exp(-x**2)*sin(x)/(1 + x**3)", **options: Any) -> fx.Equations:  # type: ignore[misc]
        hub, arm = body("hub"), fx.EulerBernoulliBeam("arm", EI="EI", rho=rho, length="l")
        return derive(fx.Revolute(fx.ground, hub), fx.Fixed(hub, arm.start), **options)

    def good() -> fx.Equations:  # type: ignore[misc]
        MassThatCannotBeIntegrated.bad("rho*(1 - x/l)")
        return MassThatCannotBeIntegrated.bad(foreshortening=False)


# -- shafts and planes -------------------------------------------------------------------------------------------------


@refused(
    r"The shaft shaft hangs on a body that turns about another axis than its own; put it on ground or on a body that"
)
class ShaftOnAPlanarTurn:
    def bad(about: str = "z") -> fx.Equations:  # type: ignore[misc]
        hub, one = body("hub"), shaft()
        return derive(fx.Revolute(fx.ground, hub, about=about), fx.Fixed(hub, one.start))

    def good() -> fx.Equations:  # type: ignore[misc]
        return ShaftOnAPlanarTurn.bad("x")


@refused(r"Fixed\(beam.end, shaft.start\) connects two parts that share no motion, .* connect it to bodies that turn")
class ShaftOnABeam:
    def bad(between: bool = False) -> fx.Equations:  # type: ignore[misc]
        one, two, disc = beam(), shaft(), body("disc")
        welds = [fx.Fixed(one.end, disc), fx.Fixed(disc, two.start)] if between else [fx.Fixed(one.end, two.start)]
        return derive(fx.Fixed(fx.ground, one.start), *welds)

    def good() -> fx.Equations:  # type: ignore[misc]
        return ShaftOnABeam.bad(True)


@refused(
    r"Fixed\(first.end, second.start\) joins members that do not bend in one plane; use fx.SpatialBeam for motion in"
)
class BeamsInTwoPlanes:
    def bad(make: Callable[[str], Any] = beam) -> fx.Equations:  # type: ignore[misc]
        first, second = make("first"), make("second")
        bent = fx.Fixed(first.end, second.start, angle="90 deg", about="x")
        return derive(fx.Fixed(fx.ground, first.start), bent)

    def good() -> fx.Equations:  # type: ignore[misc]
        stiff = dict.fromkeys(("EA", "EIy", "EIz", "GJ", "rho", "rotary_inertia"), "k")
        return BeamsInTwoPlanes.bad(lambda name: fx.SpatialBeam(name, **stiff, length="l"))


@refused(r"Free\(ground, hub\) is given three names, but the model leaves the plane; give six")
class ThreeNamesInSpace:
    def bad(names: tuple[str, ...] = ("X", "Y", "theta")) -> fx.Equations:  # type: ignore[misc]
        hub, arm = body("hub"), body("arm")
        return derive(fx.Free(fx.ground, hub, names=names), fx.Revolute(hub, arm, about="x"))

    def good() -> fx.Equations:  # type: ignore[misc]
        return ThreeNamesInSpace.bad(("X", "Y", "Z", "psi", "theta", "phi"))


# -- masses ------------------------------------------------------------------------------------------------------------


@refused(
    r"The coordinate q of Slide\(ground, a\) moves nothing that has mass or inertia; give a mass or inertia to a body"
)
class NothingThatHasMass:
    def bad(m: Any = 0) -> fx.Equations:  # type: ignore[misc]
        return derive(fx.Slide(fx.ground, body("a", m=m, I=0), name="q"))

    def good() -> fx.Equations:  # type: ignore[misc]
        a, b = body("a", 0, 0), body("b")
        derive(fx.Slide(fx.ground, a, name="q"), fx.Slide(a, b, along="x"))
        return NothingThatHasMass.bad("m")


@refused(
    r"The coordinate theta_p of Revolute\(ground, p\) moves nothing that has mass or inertia; give a mass or inertia"
)
class ParticleThatOnlyTurns:
    def bad(arm: Any = 0) -> fx.Equations:  # type: ignore[misc]
        return derive(fx.Revolute(fx.ground, fx.Mass("p", m="m").at(arm)))

    def good() -> fx.Equations:  # type: ignore[misc]
        return ParticleThatOnlyTurns.bad("r")


@refused(r"The member pipe has a kinetic energy of its own and hangs on a moving body.* put it on ground, or write the")
class OwnKineticEnergyOnAMovingBody:
    def bad(moves: bool = True) -> fx.Equations:  # type: ignore[misc]
        w = fx.Field("w", length="l")
        pipe = fx.Member(
            "pipe",
            fields=(w,),
            potential="EI*w_xx**2/2",
            kinetic="rho*w_t**2/2 + U*w_t*w_x",
            ends={"transverse": w, "rotation": w.x},
            displacement=(0, w, 0),
            rho="rho",
        )
        cart = body("cart")
        return derive(fx.Slide(fx.ground, cart), fx.Fixed(cart if moves else fx.ground, pipe.start))

    def good() -> fx.Equations:  # type: ignore[misc]
        return OwnKineticEnergyOnAMovingBody.bad(False)


# -- names -------------------------------------------------------------------------------------------------------------


@refused(r"Two different parts are called a; give each part a name of its own")
class TwoPartsOfOneName:
    def bad(second: str = "a") -> fx.Equations:  # type: ignore[misc]
        return derive(fx.Slide(fx.ground, fx.Mass("a", m="m")), fx.Fixed(fx.ground, beam(second).start))

    def good() -> fx.Equations:  # type: ignore[misc]
        return TwoPartsOfOneName.bad("b")


@refused(r"Two different coordinates are called q; rename one of them")
class TwoCoordinatesOfOneName:
    def bad(second: str = "q") -> fx.Equations:  # type: ignore[misc]
        a, b = body("a"), body("b")
        return derive(fx.Slide(fx.ground, a, name="q"), fx.Slide(a, b, name=second))

    def good() -> fx.Equations:  # type: ignore[misc]
        return TwoCoordinatesOfOneName.bad("p")


@refused(r"Two different coordinates are called q; rename one of them")
class AJointAndAnEndOfOneName:
    def bad(second: str = "q") -> fx.Equations:  # type: ignore[misc]
        cart, one = body("cart"), beam()
        things = [fx.Slide(fx.ground, cart, name="q"), fx.Fixed(cart, one.start), fx.Fixed(one.end, body("tip"))]
        return derive(*things, names={one.end: (second,)})

    def good() -> fx.Equations:  # type: ignore[misc]
        return AJointAndAnEndOfOneName.bad("p")


@refused(r"Two different fields are called w, of one and two; rename one of them with field=")
class TwoFieldsOfOneName:
    def bad(second: str = "w") -> fx.Equations:  # type: ignore[misc]
        one, two = beam("one", field="w"), beam("two", field=second)
        return derive(fx.Fixed(fx.ground, one.start), fx.Fixed(one.end, two.start))

    def good() -> fx.Equations:  # type: ignore[misc]
        return TwoFieldsOfOneName.bad("v")


@refused(r"The name w is both a coordinate and a field of beam; rename one of them")
class ACoordinateAndAFieldOfOneName:
    def bad(name: str = "w") -> fx.Equations:  # type: ignore[misc]
        cart, one = body("cart"), beam(field="w")
        return derive(fx.Slide(fx.ground, cart, name=name), fx.Fixed(cart, one.start))

    def good() -> fx.Equations:  # type: ignore[misc]
        return ACoordinateAndAFieldOfOneName.bad("q")


@refused(r"The name k is both a parameter and a coordinate; rename one of them")
class ACoordinateAndAParameterOfOneName:
    def bad(name: str = "k") -> fx.Equations:  # type: ignore[misc]
        m = fx.Mass("m", m="m")
        return derive(fx.Slide(fx.ground, m, name=name), fx.Spring(fx.ground, m, k="k"))

    def good() -> fx.Equations:  # type: ignore[misc]
        return ACoordinateAndAParameterOfOneName.bad("q")


@refused(
    r"Names are given for other.end, but other is not in the model; connect it, or name a place on a member that is"
)
class NamesForAPlaceOfAnotherMember:
    def bad(mine: bool = False) -> fx.Equations:  # type: ignore[misc]
        one, other = beam("one"), beam("other")
        return derive(fx.Fixed(fx.ground, one.start), names={(one if mine else other).end: ("q",)})

    def good() -> fx.Equations:  # type: ignore[misc]
        return NamesForAPlaceOfAnotherMember.bad(True)


@refused(
    r"The name 'q' is given to the transverse of beam.start, which the connections hold or tie.* leave that name out"
)
class NamesForAHeldEnd:
    def bad(names: Any = ("q", "p")) -> fx.Equations:  # type: ignore[misc]
        one = beam()
        return derive(fx.Pin(fx.ground, one.start), names={one.start: names})

    def good() -> fx.Equations:  # type: ignore[misc]
        equations = NamesForAHeldEnd.bad((None, "p"))
        assert "p" in equations.coordinates
        return equations


@refused(r"beam.end is given 3 names, but only transverse, rotation exist there; give one each")
class TooManyNames:
    def bad(names: Any = ("q", "p", "r")) -> fx.Equations:  # type: ignore[misc]
        one = beam()
        return derive(fx.Fixed(fx.ground, one.start), names={one.end: names})

    def good() -> fx.Equations:  # type: ignore[misc]
        return TooManyNames.bad(("q", "p"))


@refused(r"Names are given for cart, which is not a place on a member; joints have name=")
class NamesForABody:
    def bad(name: str | None = None) -> fx.Equations:  # type: ignore[misc]
        cart = body("cart")
        return derive(fx.Slide(fx.ground, cart, name=name), names={} if name else {cart: ("q",)})

    def good() -> fx.Equations:  # type: ignore[misc]
        return NamesForABody.bad("q")


@refused(r"The symbol m has two values, 1 in a and 2 in b; give it one value, or use two names")
class OneSymbolWithTwoValues:
    def bad(value: Any = 2) -> fx.Equations:  # type: ignore[misc]
        a, b = fx.Mass("a", m=("m", 1)), fx.Mass("b", m=("m", value))
        return derive(fx.Slide(fx.ground, a), fx.Slide(fx.ground, b))

    def good() -> fx.Equations:  # type: ignore[misc]
        return OneSymbolWithTwoValues.bad(1)


# -- measured from -----------------------------------------------------------------------------------------------------


def measured(by: Callable[[fx.RigidBody, fx.RigidBody, fx.Member], dict[Any, Any]], joint: Any) -> fx.Equations:
    cart, other, arm = body("cart"), body("other"), beam("arm")
    things = [joint(fx.ground, cart), fx.Fixed(cart, arm.start), fx.Slide(fx.ground, other)]
    return derive(*things, measured_from=by(cart, other, arm))


@refused(r"The deflection of arm turns against the body it is measured from; measure it from one that turns with it")
class MeasuredFromAcrossATurn:
    def bad() -> fx.Equations:  # type: ignore[misc]
        return measured(lambda cart, other, arm: {arm: fx.ground}, fx.Revolute)

    def good() -> fx.Equations:  # type: ignore[misc]
        return measured(lambda cart, other, arm: {arm: cart}, fx.Revolute)


@refused(r"The deflection of arm is measured from other, which does not come before it; use a body it hangs on")
class MeasuredFromABodyBeside:
    def bad() -> fx.Equations:  # type: ignore[misc]
        return measured(lambda cart, other, arm: {arm: other}, fx.Slide)

    def good() -> fx.Equations:  # type: ignore[misc]
        return measured(lambda cart, other, arm: {arm: fx.ground}, fx.Slide)


@refused(r"measured_from names cart, which is not a member; write measured_from={member: body}")
class MeasuredTheOtherWayRound:
    def bad() -> fx.Equations:  # type: ignore[misc]
        return measured(lambda cart, other, arm: {cart: arm}, fx.Slide)

    def good() -> fx.Equations:  # type: ignore[misc]
        return measured(lambda cart, other, arm: {arm: cart}, fx.Slide)


@refused(
    r"measured_from names stranger, which is not in the model; write measured_from={member: body} with a member of"
)
class MeasuredAMemberThatIsNotThere:
    def bad() -> fx.Equations:  # type: ignore[misc]
        return measured(lambda cart, other, arm: {beam("stranger"): cart}, fx.Slide)

    def good() -> fx.Equations:  # type: ignore[misc]
        return measured(lambda cart, other, arm: {arm: cart}, fx.Slide)


# -- what is loose -----------------------------------------------------------------------------------------------------


@refused(r"Nothing says how b can move: connect it to ground or to another part with Fixed, Slide, Revolute or Free")
class LooseBody:
    def bad(*more: Any) -> fx.Equations:  # type: ignore[misc]
        a, b = body("a"), body("b")
        return derive(fx.Slide(fx.ground, a), b, *(one(a, b) for one in more))

    def good() -> fx.Equations:  # type: ignore[misc]
        for joint in (fx.Fixed, fx.Slide, fx.Revolute, fx.Free):
            LooseBody.bad(joint)
        return LooseBody.bad(fx.Fixed)


@refused(r"Nothing in the model can move; connect a body with Slide, Revolute or Free, or attach a member")
class NothingMoves:
    def bad(joint: Any = fx.Fixed) -> fx.Equations:  # type: ignore[misc]
        return derive(joint(fx.ground, body()))

    def good() -> fx.Equations:  # type: ignore[misc]
        for joint in (fx.Slide, fx.Revolute, fx.Free):
            NothingMoves.bad(joint)
        return derive(fx.Fixed(fx.ground, beam().start))


@refused(r"The model holds 3, which is not a part; see the list of parts in the manual")
class NotAPart:
    def bad(one: Any = 3) -> fx.Equations:  # type: ignore[misc]
        return derive(fx.Slide(fx.ground, body()), one)

    def good() -> fx.Equations:  # type: ignore[misc]
        return NotAPart.bad([])


@refused(r"The order of the places on beam is not known, because s1 has no value; give them as parts of the length")
class PlacesInNoOrder:
    def bad(first: Any = "s1", second: Any = "s2") -> fx.Equations:  # type: ignore[misc]
        one = beam()
        masses = [fx.Fixed(one.at(s), fx.Mass(f"m{i}", m="m")) for i, s in enumerate((first, second))]
        return derive(fx.Fixed(fx.ground, one.start), *masses)

    def good() -> fx.Equations:  # type: ignore[misc]
        return PlacesInNoOrder.bad("l/3", "l/2")


@refused(r"The prescribed motion of p is 2\*q; give a function of t and parameters only")
class MotionThatDependsOnACoordinate:
    def bad(motion: str = "2*q") -> fx.Equations:  # type: ignore[misc]
        a, b = body("a"), body("b")
        return derive(fx.Slide(fx.ground, a, name="q"), fx.Slide(fx.ground, b, name="p", motion=motion))

    def good() -> fx.Equations:  # type: ignore[misc]
        return MotionThatDependsOnACoordinate.bad("2*A*sin(Omega*t)")


@refused(r"The constraint q_t - z_t holds z_t, which is the rate of no coordinate; the coordinates are q, p")
class ConstraintOnNothing:
    def bad(text: str = "q_t - z_t") -> fx.Equations:  # type: ignore[misc]
        a, b = body("a"), body("b")
        return derive(fx.Slide(fx.ground, a, name="q"), fx.Slide(fx.ground, b, name="p"), fx.Constraint(text))

    def good() -> fx.Equations:  # type: ignore[misc]
        return ConstraintOnNothing.bad("q_t - p_t")


@pytest.mark.parametrize("case", list(BAD))
def test_a_bad_model_is_refused_in_one_sentence_and_its_advice_works(case: str) -> None:
    sentence, bad, good = BAD[case]
    with pytest.raises(fx.FlexuraError, match=sentence) as caught:
        bad()
    said = str(caught.value)
    assert said.endswith(".")
    assert "\n" not in said
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert fx.verify(good())


# -- nothing is dropped in silence ------------------------------------------------------------------------------------


def step_four(*things: Any, **options: Any) -> str:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return derive(*things, **options).steps[3].text


def test_a_condition_that_the_others_satisfy_is_told() -> None:
    one = beam()
    said = step_four(fx.Fixed(fx.ground, one.start), fx.Fixed(one.end, fx.ground))
    assert "1 of the conditions that close loops is satisfied by the others and dropped" in said


def test_two_supports_too_many_are_told() -> None:
    first, second = beam("first"), beam("second")
    supports = [fx.Pin(fx.ground, first.start), fx.Pin(fx.ground, first.end), fx.Pin(fx.ground, second.end)]
    said = step_four(*supports, fx.Fixed(first.end, second.start))
    assert "2 of the conditions that close loops are satisfied by the others and dropped" in said


@pytest.mark.parametrize("along", ["x", "-x"])
def test_a_rigid_shift_that_gets_no_coordinate_is_told(along: str) -> None:
    one = beam()
    said = step_four(fx.Roller(fx.ground, one.start, along=along), fx.Roller(fx.ground, one.end, along=along))
    assert "Nothing drives the motion of beam along its axis, so it gets no coordinate" in said


def test_a_rigid_shift_of_what_is_connected_is_told() -> None:
    one = beam()
    said = step_four(fx.Fixed(one.start, fx.Mass("a", m="m")), fx.Fixed(one.end, fx.Mass("b", m="m")))
    assert "nothing drives the motion of beam along its axis, so it gets no coordinate" in said


def test_members_that_stretch_or_are_held_have_nothing_to_tell() -> None:
    stretchy, held = beam(EA="EA"), beam()
    assert "nothing drives" not in step_four(stretchy).lower()
    assert "nothing drives" not in step_four(fx.Fixed(fx.ground, held.start)).lower()
    assert "nothing drives" not in step_four(fx.Fixed(fx.ground, shaft().start)).lower()


def test_a_cut_that_holds_by_itself_is_told() -> None:
    table, cart, arm = body("table"), body("cart"), beam("arm")
    said = step_four(
        fx.Revolute(fx.ground, table, name="q"),
        fx.Slide(table, cart, along="x", name="s"),
        fx.Slide(table.at(0, 1), cart.at(0, 1), along="x"),
        fx.Fixed(cart, arm.start),
    )
    assert "2 conditions hold by themselves and are dropped where Slide(table.at(0, 1, 0), cart.at(0, 1, 0))" in said


def test_two_cuts_between_the_same_parts_are_both_kept() -> None:
    plate = body("plate")
    free = fx.Free(fx.ground, plate, names=("X", "Y", "theta"))
    model = fx.Model(free, fx.Pin(fx.ground, plate.at("d")), fx.Pin(fx.ground, plate.at("-d")))
    assert set(model.lagrangian.constraints) == {
        f"lambda_ground_plate{number}_{axis}" for number in ("", "_2") for axis in "xy"
    }
    assert fx.verify(fx.derive(model))


def test_a_loop_out_of_the_plane_is_closed_in_all_directions() -> None:
    """What is turned about x by a weld leaves the plane, so its pin holds along z too."""
    a, b, c = body("a"), body("b"), body("c")
    model = fx.Model(
        fx.Fixed(fx.ground, a, angle="90 deg", about="x"),
        fx.Slide(a, b, along="y", name="q"),
        fx.Slide(b, c, along="x", name="p"),
        fx.Pin(fx.ground.at("L", 0, "H"), c),
    )
    constraints = model.lagrangian.constraints
    assert set(constraints) == {"lambda_ground_c_x", "lambda_ground_c_z"}
    assert str(constraints["lambda_ground_c_z"]) in ("-H + q", "H - q")


def test_the_origin_is_a_place_and_ground_is_everywhere() -> None:
    """fx.ground.at(0, 0) is the origin: a spring may lead there, and a loop that misses it does not close."""
    m = fx.Mass("m", m="m")
    spring = fx.Spring(fx.ground.at(0, 0), m.at("d"), k="k", along="line")
    assert fx.verify(derive(fx.Slide(fx.ground, m, name="q"), spring))
    a = body("a")
    held = fx.Model(fx.Slide(fx.ground, a, along="x", name="q"), fx.Pin(fx.ground, a.at("r")))
    assert str(held.lagrangian.constraints["lambda_ground_a_x"]) in ("q", "-q")
    moved = fx.Model(fx.Slide(fx.ground, a, along="x", name="q"), fx.Pin(fx.ground.at(0, 0), a.at("r")))
    assert str(moved.lagrangian.constraints["lambda_ground_a_x"]) in ("q + r", "r + q")


def test_the_order_of_connections_does_not_say_where_things_are() -> None:
    """Ground is everywhere, so a pin to it places nothing that a weld places too, and a pin gives no angle."""
    first, second = beam("first"), beam("second")
    pins = [fx.Pin(fx.ground, first.start), fx.Pin(fx.ground, first.end), fx.Roller(fx.ground, second.end)]
    weld = fx.Fixed(first.end, second.start)
    assert fx.equivalent(derive(*pins, weld), derive(weld, *pins))
    column = beam("column")
    standing = fx.Fixed(fx.ground, column.start, angle="90 deg")
    sliding = fx.Roller(fx.ground, column.end, along="y")
    heavy = [derive(*pair, fx.Gravity("g")) for pair in ((standing, sliding), (sliding, standing))]
    assert fx.equivalent(*heavy)
    assert "column" in str(heavy[0]) or heavy[0].partial
