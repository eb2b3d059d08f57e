"""Dimensions: as long as what they measure, with the length as it was given; numbers only where somebody gave them."""

import numpy as np
import pytest

import flexura as fx
from flexura.gallery import example
from flexura.show.schematic.layout import Layout
from flexura.show.schematic.sketch import sketch


def found(model, values=None):
    equations = fx.derive(model)
    sheet = sketch(equations, values, dimensions=True)
    kept = {thing.name.removeprefix("dimension-"): thing for thing in sheet.things if thing.name.startswith("dim")}
    return Layout(equations, values), kept, sheet


def test_a_dimension_is_as_long_as_its_member_and_beside_it():
    layout, kept, _ = found(example("satellite"), {"l": 2, "r": 0.5})
    curve = layout.page(layout.curve("left"))
    tips = np.array([stroke.points[-1] for stroke in kept["left"].strokes[:2]])
    assert tips[1] - tips[0] == pytest.approx(curve[-1] - curve[0])
    assert tips[0] - curve[0] == pytest.approx(tips[1] - curve[-1])
    assert kept["left"].labels[0].text == r"$l = 2\,\mathrm{m}$"
    arms = [thing.labels[0].text for name, thing in kept.items() if name.startswith("hub-")]
    assert arms == [r"$r = 0.5\,\mathrm{m}$"] * 2


def test_what_has_no_value_has_no_number():
    _, kept, sheet = found(example("slider-crank"))
    assert kept["rod"].labels[0].text == "$l$"
    assert "m}" not in "".join(thing.labels[0].text for thing in kept.values())
    assert any("= 1" in note for note in sheet.notes)
    beam = fx.EulerBernoulliBeam("beam", EI=1.0, rho=1.0, length=1.5)
    _, kept, _ = found(fx.Model(fx.Fixed(fx.ground, beam.start)))
    assert kept["beam"].labels[0].text.endswith(r"1.5\,\mathrm{m}$")


def test_none_are_drawn_unless_they_are_asked_for():
    names = {thing.name for thing in sketch(fx.derive(example("satellite"))).things}
    assert not any(name.startswith("dimension") for name in names)
    texts = fx.plot(example("satellite"), dimensions=True).axes[0].texts
    assert "dimension-left.label" in {text.get_gid() for text in texts}
