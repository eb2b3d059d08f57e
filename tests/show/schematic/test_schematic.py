"""The schematic: every part is on the page, no two labels lie on one another, and nothing leaves the page."""

import io
import itertools
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import flexura as fx
from flexura.gallery import EXAMPLES, example
from flexura.show.schematic.layout import Layout
from flexura.show.schematic.sketch import sketch
from random_models import Drawn, models

BY_PARTS = [name for name in EXAMPLES if fx.derive(example(name)).lagrangian.geometry is not None]


def apart(sheet) -> bool:
    boxes = [label.box for label in sheet.labels]
    return not any(
        a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3] for a, b in itertools.combinations(boxes, 2)
    )


def holds(equations: fx.Equations) -> None:
    sheet = sketch(equations)
    geometry, names = equations.lagrangian.geometry, [thing.name for thing in sheet.things]
    assert apart(sheet)
    bodies = {part.name for part in geometry.parts if not part.spine}
    assert bodies | {*equations.lagrangian.members} <= {*names}
    assert len(names) == len(bodies) + len(equations.lagrangian.members) + len(geometry.joins) + len(geometry.marks) + 1
    points = np.concatenate([stroke.points for thing in sheet.things for stroke in thing.strokes])
    assert np.all(np.isfinite(points))
    low, high = sheet.bounds
    assert np.all(points >= low)
    assert np.all(points <= high)
    assert np.all(high - low < 2500)


@pytest.mark.parametrize("name", BY_PARTS)
def test_every_example_by_parts_is_drawn_whole(name):
    holds(fx.derive(example(name)))


@pytest.mark.parametrize("spatial", [False, True])
def test_random_models_are_drawn_whole(spatial):
    @settings(max_examples=12, database=None, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(models(spatial=spatial, wide=True, size=(2, 4)))
    def drawn(one: Drawn) -> None:
        holds(fx.derive(one.model))

    drawn()


def oscillator(**more):
    cart, bar = fx.RigidBody("cart", m=1.0, I=1.0), fx.RigidBody("bar", m=1.0, I=0.1)
    return fx.Model(
        fx.Slide(fx.ground, cart, along="x", name="x"),
        fx.Revolute(cart, bar.at(0, 0.5), name="theta"),
        fx.Spring(fx.ground, cart, k="k", along="x"),
        fx.Damper(fx.ground, cart, c="c", along="x"),
        fx.Force(cart, "F", along="x"),
        fx.Gravity(),
    )


def test_a_vector_file_names_every_part():
    picture = io.BytesIO()
    fx.plot(oscillator()).savefig(picture, format="svg")
    ids = set(re.findall(r'id="([^"]+)"', picture.getvalue().decode()))
    assert {"cart", "bar", "Slide-0", "Revolute-1", "Spring-2", "Damper-3", "force-F", "gravity", "axes"} <= ids


def test_places_on_the_page_are_those_in_space():
    """Lengths keep their ratios, also between parts: a pendulum of 0.5 beside a beam of 2."""
    hub, bob = fx.RigidBody("hub", m=1.0, I=1.0), fx.Mass("bob", 1.0)
    beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=2.0)
    model = fx.Model(fx.Revolute(fx.ground, hub), fx.Fixed(hub.at(0, -0.5), bob), fx.Fixed(hub, beam.start))
    layout = Layout(fx.derive(model))
    drawn = {name: layout.page(layout.vector(part.position)) for name, part in layout.bodies.items()}
    down = np.hypot(*(drawn["bob"] - drawn["hub"]))
    curve = layout.page(layout.curve("beam"), "beam")
    assert np.hypot(*(curve[-1] - curve[0])) == pytest.approx(4 * down, rel=1e-12)
    assert curve[0] == pytest.approx(drawn["hub"], abs=1e-9)


def test_what_slides_from_one_place_stands_apart():
    a, b = fx.Mass("a", 1.0), fx.Mass("b", 1.0)
    model = fx.Model(fx.Slide(fx.ground, a), fx.Slide(a, b), fx.Spring(a, b, k="k"))
    layout = Layout(fx.derive(model))
    first, second = (layout.page(layout.vector(layout.bodies[name].position), name) for name in "ab")
    assert second - first == pytest.approx([0, 52])


def test_lengths_without_a_value_are_one_and_said_so():
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    equations = fx.derive(fx.Model(fx.Fixed(fx.ground, beam.start)))
    assert sketch(equations).notes == ["drawn with l = 1"]
    assert sketch(equations, {"l": "1300 mm"}).notes == []


def test_a_name_with_markup_is_shown_as_text(tmp_path):
    rod = fx.Rod(r"$\frac{1}$ <b>", EA=1.0, rho=1.0, length=1.0)
    path = tmp_path / "rod.svg"
    fx.plot(fx.Model(fx.Fixed(fx.ground, rod.start)), path)
    assert b"<b>" not in path.read_bytes()


def test_equations_keep_their_picture_through_json():
    equations = fx.derive(oscillator())
    again = fx.Equations.from_json(equations.to_json())
    assert again.lagrangian.geometry == equations.lagrangian.geometry
    assert [thing.name for thing in sketch(again).things] == [thing.name for thing in sketch(equations).things]


def test_energies_have_no_places():
    q = fx.Coordinate("q")
    with pytest.raises(fx.FlexuraError, match=r"written as energies; describe the system by parts"):
        fx.plot(fx.Lagrangian(kinetic=q.t**2 / 2))
