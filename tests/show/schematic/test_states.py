"""Runs, states of rest and paths on the schematic: parts are where the answers say, magnified as is written."""

import io
import itertools
import re
from pathlib import Path

import numpy as np
import pytest

import flexura as fx
from flexura.gallery import example
from flexura.gallery.values import values as example_values
from flexura.show.schematic.layout import Layout
from flexura.show.schematic.states import path_sheet, rest_sheet, run_sheet

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module")
def arm():
    equations = fx.derive(example("two-link-arm"))
    start = {"theta1_t": 1.0, "theta2_t": 1.0}
    values = example_values("two-link-arm")
    return fx.simulate(equations, np.linspace(0, 1, 11), initial=start, values=values, order=3)


@pytest.fixture(scope="module")
def portal():
    return fx.equilibrium(fx.read_model(EXAMPLES / "portal.toml"), values={"F": 100.0})


def strokes(sheet, name):
    return next(thing.strokes for thing in sheet.things if thing.name == name)


def apart(sheet):
    for a, b in itertools.combinations([label.box for label in sheet.labels], 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_a_run_stands_where_its_positions_say(arm):
    sheet = run_sheet(arm, at=[0.3, 1.0], trace="lower.end")
    layout = Layout(arm.motion.equations, arm.motion.values)
    for k, drawn in ((3, strokes(sheet, "state-0")), (10, (strokes(sheet, "upper")[0], strokes(sheet, "lower")[0]))):
        for stroke, member in zip(drawn, ("upper", "lower"), strict=False):
            for place, point in (("start", stroke.points[0]), ("end", stroke.points[-1])):
                assert point == pytest.approx(layout.page(arm.position(f"{member}.{place}")[k]), abs=1e-6)
    (trace,) = strokes(sheet, "trace-lower.end")
    assert trace.points == pytest.approx(layout.page(arm.position("lower.end")), abs=1e-9)
    assert sheet.notes[0] == "t = 1 s"
    assert "×" not in "".join(sheet.notes)
    apart(sheet)


def test_small_displacements_are_magnified_by_what_is_written(portal):
    sheet = rest_sheet(portal)
    (note,) = (one for one in sheet.notes if "×" in one)
    factor = float(re.search(r"displacements × (\S+)", note)[1])
    layout = Layout(portal.equations, {})
    line = layout.curve("beam")
    middle = layout.page(line)[len(line) // 2]
    trolley = strokes(sheet, "trolley")[-1].points.mean(axis=0)
    rest = layout.page(layout.centre_of("trolley"))
    true = layout.page(portal.position("trolley")) - rest
    assert trolley - rest == pytest.approx(factor * true, rel=1e-3, abs=0.2)  # the ring's mean is its centre, nearly
    assert 12 <= np.hypot(*(factor * true)) <= 45
    assert middle[1] > trolley[1]
    left, beam = strokes(sheet, "left")[0].points, strokes(sheet, "beam")[0].points
    assert left[-1] == pytest.approx(beam[0], abs=1e-6)
    apart(sheet)


def test_a_given_magnification_is_kept(portal):
    one, ten = (strokes(rest_sheet(portal, magnification=f), "beam")[0].points for f in (1e3, 2e3))
    still = strokes(rest_sheet(portal, magnification=1e3), "reference")
    rest = min(
        (stroke.points for stroke in still if len(stroke.points) == len(one)), key=lambda p: np.abs(p - one).max()
    )
    assert ten - rest == pytest.approx(2 * (one - rest), abs=1e-6)
    for wrong in (0.0, -1.0, float("nan")):
        with pytest.raises(fx.FlexuraError, match=r"magnification is .*; give a number above zero"):
            fx.plot(portal, magnification=wrong)


def test_a_path_shows_its_states_and_ends_in_the_last():
    beam = fx.ExactBeam("beam", EI=1.0, rho=1.0, length=1.0)
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F", along="-y"))
    path = fx.equilibrium_path(fx.derive(model), "F", (0, 4))
    sheet = path_sheet(path)
    layout = Layout(path.equations, {})
    end = strokes(sheet, "beam")[0].points[-1]
    assert end == pytest.approx(layout.page(path.position(beam.end)[-1]), abs=1e-6)
    wall = strokes(sheet, "Fixed-0")[0].points
    assert np.ptp(wall[:, 0]) == pytest.approx(0, abs=1e-9)  # it stays upright, however the beam leaves it
    assert {"F = 0"} < {label.plain for label in sheet.labels}
    apart(sheet)
    assert "<img" in path._repr_html_()


def test_what_slides_on_ground_leaves_its_rails_and_stretches_its_springs():
    equations = fx.derive(fx.read_model(EXAMPLES / "quarter_car.toml"))
    run = fx.simulate(equations, np.linspace(0, 0.5, 51), initial={"zb": 0.03})
    sheet, still = run_sheet(run, at=0.0), Layout(equations, {})
    assert "not to scale" in sheet.notes[1]
    body = strokes(sheet, "body")[0].points.mean(axis=0)
    before = still.page(still.centre_of("body"), "body")
    assert body[1] > before[1] + 10
    names = {thing.name for thing in sheet.things}
    rails = next(
        name for name in names if name.startswith("Slide") and still.geometry.joins[int(name[6:])].q.part == "body"
    )
    assert strokes(sheet, rails)[0].points.mean(axis=0)[1] == pytest.approx(before[1], abs=1e-6)


def test_a_vector_file_names_the_parts_of_a_state(portal):
    file = io.BytesIO()
    fx.plot(portal).savefig(file, format="svg")
    ids = set(re.findall(r'id="([^"]+)"', file.getvalue().decode()))
    assert {"left", "beam", "right", "trolley", "force-F", "reference", "axes"} <= ids
    assert not any(one.startswith("translation") for one in ids)


def test_states_are_written_as_tikz(portal, arm, tmp_path):
    fx.plot(portal, tmp_path / "rest.tikz")
    fx.plot(arm, tmp_path / "run.tex", at=0.5)
    assert "% reference" in (tmp_path / "rest.tikz").read_text()
    assert "t = 0.5 s" in (tmp_path / "run.tex").read_text()


def test_what_cannot_be_drawn_is_said(arm):
    with pytest.raises(fx.FlexuraError, match=r"The run has no time 2; give at= between 0 and 1 s"):
        fx.plot(arm, at=[0.5, 2.0])
    matrices = fx.SecondOrderSystem(np.eye(1), None, np.eye(1))
    with pytest.raises(fx.FlexuraError, match="does not know its equations"):
        fx.plot(fx.simulate(matrices, [0.0, 1.0]), at=0.5)
    with pytest.raises(fx.FlexuraError, match="does not know its equations"):
        fx.plot(type(fx.equilibrium(example("portal-frame"), values=example_values("portal-frame")))({"q": 0.0}))
    q = fx.Coordinate("q")
    energies = fx.derive(fx.Lagrangian(kinetic=q.t**2 / 2, potential=q**2 / 2))
    with pytest.raises(fx.FlexuraError, match="written as energies"):
        fx.plot(fx.equilibrium(energies))
