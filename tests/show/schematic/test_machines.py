"""Wheels, gears, stops, friction and rides on the schematic; what nothing ties together stands apart."""

import itertools

import numpy as np
import pytest

import flexura as fx
from flexura.show.schematic.layout import Layout
from flexura.show.schematic.sketch import sketch


def named(model):
    return {thing.name: thing for thing in sketch(fx.derive(model)).things}


def box(thing):
    points = np.concatenate([stroke.points for stroke in thing.strokes])
    return points.min(axis=0), points.max(axis=0)


def rolling(**options):
    wheel = fx.RigidBody("wheel", m=1.0, I=0.1)
    return fx.Model(fx.Free(fx.ground, wheel), fx.Rolling(wheel, 0.3, **options))


def test_a_wheel_is_as_large_as_its_radius_and_touches_its_ground():
    model = rolling()
    layout, things = Layout(fx.derive(model)), named(model)
    rim, spoke, ground = things["wheel-0"].strokes[:3]
    centre = layout.page(layout.centre_of("wheel"), "wheel")
    assert np.hypot(*(rim.points - centre).T) == pytest.approx(0.3 * layout.scale, rel=1e-9)
    assert spoke.points[0] == pytest.approx(centre)
    assert ground.points[:, 1] == pytest.approx(centre[1] - 0.3 * layout.scale)
    assert not any(name.startswith("Rolling") for name in things)


def test_a_wheel_on_a_wall_touches_the_wall():
    layout = Layout(fx.derive(rolling(normal="x", along="y")))
    centre, contact = layout.touching(layout.geometry.wheels[0])
    assert contact - centre == pytest.approx([-0.3, 0, 0])


def test_a_disc_in_space_lies_across_its_axis_and_a_sphere_is_round():
    disc = fx.RigidBody("disc", m=1.0, I=(0.2, 0.1, 0.1))
    model = fx.Model(fx.Free(fx.ground, disc), fx.Rolling(disc, 0.5, normal="z", axis="x"), fx.Gravity(along="-z"))
    layout = Layout(fx.derive(model))
    rim = layout.rim(layout.geometry.wheels[0])
    assert np.ptp(rim[:, 0]) == pytest.approx(0, abs=1e-12)
    assert np.ptp(rim[:, 1:], axis=0) == pytest.approx([1.0, 1.0], rel=2e-3)
    ball = fx.RigidBody("ball", m=1.0, I=(0.1, 0.1, 0.1))
    model = fx.Model(fx.Free(fx.ground, ball), fx.Rolling(ball, 0.5, normal="z", axis=None), fx.Gravity(along="-z"))
    layout = Layout(fx.derive(model))
    page = np.array([layout.page(point) for point in layout.rim(layout.geometry.wheels[0])])
    assert np.ptp(page[:, 0]) == pytest.approx(np.ptp(page[:, 1]), rel=0.05)


def gears(ratio):
    a, b = fx.RigidBody("a", m=1.0, I=0.1), fx.RigidBody("b", m=1.0, I=0.1)
    first, second = (fx.Revolute(fx.ground.at(x, 1), body) for x, body in ((3, a), (4, b)))
    return fx.Model(first, second, fx.Gear(first, second, ratio))


@pytest.mark.parametrize("ratio", [-2.0, -0.25, 3.0])
def test_gears_are_as_large_as_their_ratio_says(ratio):
    model = gears(ratio)
    layout, gear = Layout(fx.derive(model)), named(model)["gear-0"]
    (p, q), circles = (layout.page(layout.centre_of(name)) for name in "ab"), gear.strokes[:2]
    radii = [np.hypot(*(one.points - at).T) for one, at in zip(circles, (p, q), strict=True)]
    assert [np.ptp(one) for one in radii] == pytest.approx([0, 0], abs=1e-9)
    assert radii[1][0] / radii[0][0] == pytest.approx(abs(ratio))
    if ratio < 0:  # they touch
        assert radii[0][0] + radii[1][0] == pytest.approx(np.hypot(*(p - q)))
    else:  # a belt: tangents of both circles
        for line in gear.strokes[2:]:
            way = line.points[1] - line.points[0]
            for end, centre, radius in zip(line.points, (p, q), radii, strict=True):
                assert (end - centre) @ way == pytest.approx(0, abs=1e-6)
                assert np.hypot(*(end - centre)) == pytest.approx(radius[0])


def test_stops_stand_where_the_motion_runs_to_and_have_their_names():
    mass = fx.Mass("m", 1.0)
    slide = fx.Slide(fx.ground, mass, along="x", name="s")
    contact = fx.Stop(fx.ground, mass, gap=0.1, along="x", name="wall")
    things = named(fx.Model(slide, contact, fx.Friction(fx.ground, mass, 2.0, along="x", name="rub")))
    body = box(things["m"])[0][0]
    assert box(things["Stop-1"])[1][0] > body + 40
    assert box(things["Friction-2"])[0][0] < body - 40
    assert {label.text for name in ("Stop-1", "Friction-2") for label in things[name].labels} == {
        "$wall$",
        "$rub$",
    } or {label.text for name in ("Stop-1", "Friction-2") for label in things[name].labels} == {
        r"$\mathit{wall}$",
        r"$\mathit{rub}$",
    }


def test_what_a_member_and_its_rider_do_to_each_other_is_no_load():
    beam, car = fx.EulerBernoulliBeam("beam", EI=100.0, rho=1.0, length=2.0), fx.Mass("car", 1.0)
    supports = (fx.Pin(fx.ground, beam.start), fx.Roller(fx.ground, beam.end))
    things = named(fx.Model(*supports, fx.Ride(beam, car, motion="0.5*t"), fx.Force(beam.end, "M_0")))
    assert [name for name in things if name.startswith(("force", "line load"))] == ["force-M_0"]


def test_what_nothing_ties_together_does_not_lie_on_one_another():
    one, other = (fx.EulerBernoulliBeam(name, EI=1.0, rho=1.0, length=2.0) for name in ("one", "other"))
    wheel = fx.RigidBody("wheel", m=1.0, I=0.1)
    held = (fx.Fixed(fx.ground, one.start), fx.Fixed(fx.ground, other.start))
    model = fx.Model(*held, fx.Free(fx.ground, wheel), fx.Rolling(wheel, 0.2))
    things, layout = named(model), Layout(fx.derive(model))
    for a, b in itertools.combinations([box(things[name]) for name in ("one", "other", "wheel", "wheel-0")][:3], 2):
        assert np.any(a[1] < b[0]) or np.any(b[1] < a[0])
    placed = fx.Model(fx.Fixed(fx.ground.at(0, 0), one.start), fx.Fixed(fx.ground.at(0, 1), other.start))
    offsets = Layout(fx.derive(placed)).offset
    assert all(not one.any() for one in offsets.values())  # ground says where these are
    assert any(one.any() for one in layout.offset.values())


def test_wheels_and_gears_stay_with_equations_that_were_written_down():
    for model in (rolling(), gears(-2.0)):
        equations = fx.derive(model)
        assert fx.Equations.from_json(equations.to_json()).lagrangian.geometry == equations.lagrangian.geometry
