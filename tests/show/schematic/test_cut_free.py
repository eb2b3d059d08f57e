"""Free bodies drawn: one by itself, those of a step, moments about the axes they have."""

from pathlib import Path

import pytest

import flexura as fx
from flexura.gallery import example
from flexura.show.schematic.free_bodies import sheet_of

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture(scope="module")
def car():
    return fx.derive(fx.read_model(EXAMPLES / "quarter_car.toml"))


def drawn(sheet):
    return {thing.name: thing for thing in sheet.things}


@pytest.mark.parametrize(("method", "which"), [("surrogate", 3), ("newton_euler", 1)])
def test_the_step_that_cuts_bodies_free_draws_them(car, method, which):
    equations = fx.derive(car.lagrangian, method)
    assert [step.number for step in equations.steps if step.cuts] == [which]
    step = equations.steps[which - 1]
    assert "<img" in step._repr_html_()
    ids = {text.get_gid() for text in fx.plot(step).axes[0].texts}
    assert {"road.label", "wheel.label", "body.label"} <= ids


def test_of_a_system_with_members_it_is_the_step_of_forces(tmp_path):
    equations = fx.derive(fx.read_model(EXAMPLES / "example_one.toml"))
    (step,) = (one for one in equations.steps if one.cuts)
    assert step.title == "Generalized forces"
    fx.plot(step, tmp_path / "cut.svg")
    text = (tmp_path / "cut.svg").read_text(encoding="utf-8")
    for name in ("beam", "beam.V_beam_end", "a", "b", "c"):
        assert f'id="{name}"' in text
    again = fx.Equations.from_json(equations.to_json())
    assert [one.cuts for one in again.steps] == [one.cuts for one in equations.steps]


def test_other_steps_have_no_picture(car):
    with pytest.raises(fx.FlexuraError, match=r"Step 1, Degrees of freedom, has no picture; the step that cuts"):
        fx.plot(car.steps[0])
    assert "<img" not in car.steps[0]._repr_html_()


def test_one_body_is_drawn_by_itself(car, tmp_path):
    diagrams = fx.free_bodies(car)
    fx.plot(diagrams["wheel"], tmp_path / "wheel.svg")
    text = (tmp_path / "wheel.svg").read_text(encoding="utf-8")
    assert 'id="wheel"' in text
    assert 'id="road"' not in text
    fx.plot(diagrams["wheel"], tmp_path / "wheel.tikz")
    assert "% wheel" in (tmp_path / "wheel.tikz").read_text(encoding="utf-8")


def test_torques_of_shafts_point_along_them_and_moments_in_the_plane_are_round():
    shafts = drawn(sheet_of(fx.free_bodies(example("stepped-shaft"))))
    axis = shafts["shaft1"].strokes[0].points
    torque = shafts["shaft1.T_shaft1_end"].strokes[0].points
    way, along = torque[-1] - torque[0], axis[-1] - axis[0]
    assert len(torque) == 2
    assert way[0] * along[1] - way[1] * along[0] == pytest.approx(0, abs=1e-9)
    frame = drawn(sheet_of(fx.free_bodies(example("portal-frame"))))
    assert len(frame["beam.M_beam_end"].strokes[0].points) > 10


def test_what_drives_a_prescribed_motion_is_no_virtual_work(car):
    """Its reaction stands in the last step; the step of forces does not say that it is zero."""
    names = [row.name for row in car.steps[6].content]
    assert names == ["Q_zw", "Q_zb"] or names == ["zw", "zb"]
    assert "Q_road" in str(car.steps[7])
    assert "Q_road" not in str(car.steps[6])
