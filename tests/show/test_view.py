"""Pictures in space: plain data that agrees with the answers, in pages that need nothing else and run no name."""

import json
import re

import numpy as np
import pytest

import flexura as fx
from flexura.gallery import example
from flexura.gallery.values import values as example_values


def frame():
    nodes = {"A": (0, 0, 0), "B": (0, 0, 2), "C": (2, 0, 2), "D": (2, 1.5, 2), "E": (2, 1.5, 0)}
    bars = {"AB": ("A", "B"), "BC": ("B", "C"), "CD": ("C", "D"), "DE": ("D", "E")}
    section = {"EIy": 50.0, "EIz": 60.0, "GJ": 40.0, "EA": 9e3, "rho": 1.2, "rotary_inertia": 0.01}
    return fx.frame(nodes, bars, supports={"A": "fixed", "E": "fixed"}, section=section)


def points(flat):
    return np.reshape(flat, (-1, 3))


@pytest.fixture(scope="module")
def modes():
    return fx.modes(frame(), 3)


@pytest.fixture(scope="module")
def run():
    equations = fx.derive(example("two-link-arm"))
    start = {"theta1_t": 1.0, "theta2_t": -2.0}
    values = example_values("two-link-arm")
    return fx.simulate(equations, np.linspace(0, 1, 11), initial=start, values=values, order=3)


def test_a_frame_in_space_stands_where_its_nodes_are():
    space = fx.view(frame()).space
    assert not space["flat"]
    ends = [points(line["points"])[[0, -1]] for line in space["lines"]]
    assert np.allclose(ends[0], [[0, 0, 0], [0, 0, 2]])
    assert np.allclose(ends[2], [[2, 0, 2], [2, 1.5, 2]])
    assert {label["text"] for label in space["labels"]} == {"AB", "BC", "CD", "DE", "A", "B", "C", "D", "E"}
    assert [support["kind"] for support in space["supports"]] == ["Fixed", "Fixed"]
    assert space["box"] == [[0, 0, 0], [2, 1.5, 2]]
    assert space["states"] == []


def test_modes_swing_as_their_shapes_and_joined_ends_stay_together(modes):
    space = fx.view(modes).space
    assert len(space["states"]) == 3
    corner = next(label["of"][1] for label in space["labels"] if label["text"] == "B")
    for k, state in enumerate(space["states"]):
        assert f"{modes.frequencies[k]:.4g} rad/s" in state["label"]
        lines = [points(one) for one in state["re"]["lines"]]
        for a, b in ((0, 1), (1, 2), (2, 3)):
            assert lines[a][-1] == pytest.approx(lines[b][0], abs=1e-6)
        nodes = [np.array(one) for one in state["re"]["bodies"]]
        assert nodes[corner] == pytest.approx(lines[0][-1], abs=1e-6)
        assert max(np.abs(one).max() for one in lines) == pytest.approx(1.0, rel=1e-5)
        assert state["factor"] == pytest.approx(0.16 * 2)


def test_a_run_is_where_its_positions_are_in_every_picture(run):
    space = fx.view(run).space
    (state,) = space["states"]
    assert state["count"] == 11
    ends = np.array([points(frame["lines"][1])[-1] for frame in state["frames"]])
    assert ends == pytest.approx(run.position("lower.end"), abs=1e-5)
    low, high = np.array(space["box"])
    assert np.all(ends >= low - 1e-5)
    assert np.all(ends <= high + 1e-5)
    assert state["labels"][-1] == "t = 1 s"
    assert space["flat"]
    (elbow,) = (label["text"] for label in space["labels"] if "elbow" in label["text"])
    assert elbow == "elbow, rotor"  # one place, one label
    assert fx.view(run, frames=3).space["states"][0]["count"] == 3


def test_a_state_of_rest_and_a_frame_of_bars():
    beam = fx.ExactBeam("beam", EI=1.0, rho=1.0, length=1.0)
    model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F", along="-y"))
    rest = fx.equilibrium(fx.derive(model), values={"F": 2.0})
    space = fx.view(rest).space
    at, moved = points(space["lines"][0]["points"]), points(space["states"][0]["re"]["lines"][0])
    assert at[-1] + moved[-1] == pytest.approx(rest.position(beam.end), abs=1e-5)
    section = fx.Section(E=2e11, G=8e10, rho=7800, A=1e-4, Iy=1e-9, Iz=1e-9)
    bars = fx.BeamFrame([(0, 0, 0), (0.5, 0, 0), (1, 0.5, 0)], [(0, 1), (1, 2)], section, {0: "all"})
    assert points(fx.view(bars).space["lines"][1]["points"])[-1] == pytest.approx([1, 0.5, 0])


def test_a_page_needs_nothing_else_and_runs_no_name(tmp_path):
    name = "</script><img src=x onerror=alert(1)>"
    rod = fx.Rod(name, EA=1.0, rho=1.0, length=1.0)
    path = tmp_path / "rod.html"
    shown = fx.view(fx.Model(fx.Fixed(fx.ground, rod.start)), path)
    page = path.read_text(encoding="utf-8")
    assert page == shown.page()
    assert "default-src 'none'" in page
    assert page.count("</script>") == page.count("<script>") == 2
    assert not re.search(r"<(?:link|iframe|img)\b|@import|\bimport\(|fetch\(", page.split("<script>")[0])
    data = re.search(r'getElementById\("view"\), (\{.*\})\);</script>', page)[1]
    assert [label["text"] for label in json.loads(data)["labels"]] == [name]
    assert "The MIT License" in page
    assert len(page.encode()) < 700_000
    element = shown._repr_html_()
    assert element.startswith("<iframe srcdoc=")
    assert "<script" not in element


def test_what_cannot_be_shown_is_said(tmp_path):
    with pytest.raises(fx.FlexuraError, match="There is no picture in space of a dict"):
        fx.view({})
    with pytest.raises(fx.FlexuraError, match=r"The view model\.png cannot be written; end its name in \.html"):
        fx.view(frame(), tmp_path / "model.png")
    with pytest.raises(fx.FlexuraError, match="does not exist; make it first"):
        fx.view(frame(), tmp_path / "nowhere" / "model.html")
    with pytest.raises(fx.FlexuraError, match="written as energies"):
        fx.view(example("cantilever"))
    with pytest.raises(fx.FlexuraError, match="frames is 0; give how many pictures"):
        fx.view(fx.simulate(fx.Model(fx.Slide(fx.ground, fx.Mass("m", 1.0))), [0.0, 1.0]), frames=0)
    with pytest.raises(fx.FlexuraError, match=r"fx\.view of a Equations takes no 'frames'"):
        fx.view(frame(), frames=3)
