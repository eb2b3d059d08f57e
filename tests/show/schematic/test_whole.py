"""Every gallery and example model drawn, and cut free: nothing is missing, on one another or outside the page."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.gallery import EXAMPLES, example
from flexura.show.schematic.free_bodies import sheet_of
from flexura.show.schematic.sketch import sketch

FILES = {path.stem: path for path in sorted((Path(__file__).parents[3] / "examples").glob("*.toml"))}
BY_PARTS = [name for name in EXAMPLES if fx.derive(example(name)).lagrangian.geometry is not None]


@pytest.fixture(scope="module")
def equations():
    made = {}

    def get(name):
        if name not in made:
            made[name] = fx.derive(fx.read_model(FILES[name]) if name in FILES else example(name))
        return made[name]

    return get


def apart(sheet):
    for a, b in itertools.combinations([label.box for label in sheet.labels], 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def on_the_page(figure, sheet):
    """Everything of a sheet is inside the limits of its axes, which are the page; letters are as wide as they say."""
    (axes,) = figure.axes
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    points = [stroke.points for thing in sheet.things for stroke in thing.strokes]
    points += [np.reshape(label.box, (2, 2)) for label in sheet.labels]
    every = np.concatenate(points)
    assert np.all(every >= [left, low])
    assert np.all(every <= [right, high])
    renderer = figure.canvas.get_renderer()
    width, height = figure.canvas.get_width_height()
    for text in (text for text in axes.texts if text.get_gid()):
        box = text.get_window_extent(renderer)
        assert min(box.x0, box.y0) >= -1
        assert box.x1 <= width + 1
        assert box.y1 <= height + 1


@pytest.mark.filterwarnings("ignore:The member")
@pytest.mark.parametrize("name", [*BY_PARTS, *FILES])
def test_every_part_is_in_the_schematic_and_nothing_lies_on_anything(equations, name, tmp_path):
    held = equations(name)
    sheet, geometry = sketch(held), held.lagrangian.geometry
    apart(sheet)
    figure = fx.plot(held, tmp_path / "drawn.svg")
    on_the_page(figure, sheet)
    ids = set(re.findall(r'id="([^"]+)"', (tmp_path / "drawn.svg").read_text(encoding="utf-8")))
    assert {*held.lagrangian.members, *(part.name for part in geometry.parts if not part.spine)} <= ids
    joins = {f"{one.kind}-{i}" for i, one in enumerate(geometry.joins) if one.kind not in ("Free", "Rolling")}
    assert joins <= ids
    marks = {"gravity" if one.kind == "gravity" else f"{one.kind}-{one.name}" for one in geometry.marks}
    assert marks <= ids


@pytest.mark.filterwarnings("ignore:The member")
@pytest.mark.parametrize("name", [*BY_PARTS, *FILES])
def test_every_free_body_has_all_that_acts_on_it(equations, name):
    diagrams = fx.free_bodies(equations(name))
    sheet = sheet_of(diagrams)
    apart(sheet)
    drawn = {thing.name for thing in sheet.things}
    for diagram in diagrams:
        assert diagram.body in drawn
        seen = {one for one in diagram.wrenches if any(part != 0 for part in (*one.force, *one.couple))}
        missing = {one.name for one in seen if f"{diagram.body}.{one.name or one.kind}" not in drawn}
        assert not missing, diagram.body
