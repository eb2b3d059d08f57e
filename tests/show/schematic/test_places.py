"""Where parts stand on the page: nothing on one another, springs along their axes, loops closed, labels off lines."""

import itertools
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.gallery import example
from flexura.show.schematic.labels import _crossed, _segments
from flexura.show.schematic.layout import Layout
from flexura.show.schematic.sketch import sketch

EXAMPLES = Path(__file__).parents[3] / "examples"
FILES = sorted(path.stem for path in EXAMPLES.glob("*.toml"))


def read(name: str) -> fx.Model:
    return fx.read_model(EXAMPLES / f"{name}.toml")


def centres(layout: Layout) -> dict[str, np.ndarray]:
    return {name: layout.page(layout.vector(body.position), name) for name, body in layout.bodies.items()}


@pytest.mark.filterwarnings("ignore:The member left is held")
@pytest.mark.parametrize("name", FILES)
def test_labels_of_the_example_files_are_off_the_lines_and_off_one_another(name):
    sheet = sketch(fx.derive(read(name)))
    lines = _segments(sheet)
    assert [label.text for label in sheet.labels if _crossed(label.box, lines)] == []
    for a, b in itertools.combinations([label.box for label in sheet.labels], 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


@pytest.mark.parametrize("name", ["quarter_car", "tuned_mass_damper", "isolated_machine", "washing_machine"])
def test_bodies_that_slide_side_by_side_on_ground_stand_apart(name):
    layout = Layout(fx.derive(read(name)))
    welded = {frozenset(("tub", "drum"))}  # a revolute joint holds them in one place
    for (one, a), (other, b) in itertools.combinations(centres(layout).items(), 2):
        assert np.hypot(*(a - b)) > 40 or frozenset((one, other)) in welded


def test_several_bodies_on_springs_from_one_body_stand_beside_one_another():
    base, others = fx.Mass("base", 1.0), [fx.Mass(f"m{i}", 1.0) for i in range(4)]
    slides = [fx.Slide(fx.ground, one) for one in (base, *others)]
    layout = Layout(fx.derive(fx.Model(*slides, *(fx.Spring(base, one, k=1.0) for one in others))))
    assert min(np.hypot(*(a - b)) for a, b in itertools.combinations(centres(layout).values(), 2)) > 40


def test_a_machine_that_only_slides_on_ground_stands_over_its_spring():
    layout = Layout(fx.derive(read("isolated_machine")))
    spring = next(join for join in layout.geometry.joins if join.kind == "Spring")
    p, q = layout.ends(spring)
    assert q - p == pytest.approx([0, 52])
    middle = layout.page(layout.curve("floor"), "floor").mean(axis=0)
    assert p == pytest.approx(middle, abs=1e-9)


def test_a_loop_is_drawn_closed_and_says_how():
    layout = Layout(fx.derive(example("slider-crank")), {"l": 0.7, "r": 0.3})
    cut = layout.geometry.joins[-1]
    p, q = (layout.at(end) for end in (cut.p, cut.q))
    assert p == pytest.approx(q, abs=1e-9)
    assert layout.notes == ["drawn with s = 1"]


def four_bar(ground: float) -> fx.Equations:
    crank, coupler, rocker = (fx.RigidBody(name, m=1.0, I=0.1) for name in ("crank", "coupler", "rocker"))
    return fx.derive(
        fx.Model(
            fx.Revolute(fx.ground, crank.at(-0.5), name="a"),
            fx.Revolute(crank.at(0.5), coupler.at(-1), name="b"),
            fx.Revolute(coupler.at(1), rocker.at(0, 0.5), name="c"),
            fx.Revolute(fx.ground.at(ground), rocker.at(0, -1), name="d"),
        )
    )


@pytest.mark.parametrize("ground", [2.5, 1.0, 50.0])
def test_four_bars_close_where_they_can(ground):
    layout = Layout(four_bar(ground))
    cut = layout.geometry.joins[-1]
    p, q = (layout.at(end) for end in (cut.p, cut.q))
    if ground < 10:
        assert p == pytest.approx(q, abs=1e-8)
    else:
        assert layout.notes == []  # too far apart: drawn as it is described
        assert np.linalg.norm(p - q) > 10


def test_what_is_written_beside_springs_is_set_as_a_formula_or_named():
    labels = {label.text for label in sketch(fx.derive(read("tuned_mass_damper"))).labels}
    assert any(r"\frac" in text for text in labels)
    assert not any("sqrt(" in text for text in labels)
    body = fx.RigidBody("b", m=1.0, I=1.0)
    cases = "Piecewise((1, t < 1), (0, True))"
    model = fx.Model(
        fx.Slide(fx.ground, body, along="x", name="x"),
        fx.Force(body, cases, along="x"),
        fx.Spring(fx.ground, body, law="Piecewise((k*s, s < 0), (2*k*s, True))", along="x"),
    )
    fx.plot(model)
    free = fx.free_bodies(model)
    fx.plot(free)
    assert [load.name for load in free["b"].loads if load.kind == "reaction"] == ["R_x_y", "M_x_z"]


def test_modes_of_what_an_input_shakes_are_drawn():
    picture = fx.plot(fx.modes(read("shaken_frame"), 2))
    assert len(picture.axes) == 2
