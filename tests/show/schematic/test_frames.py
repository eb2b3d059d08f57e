"""Frames drawn: supports by what they hold, welds and hinges at nodes, masses as such."""

import pytest

import flexura as fx
from flexura.show.schematic import sketch as sketches
from flexura.show.schematic.sketch import sketch
from flexura.solve.runs.positions import Positions

NODES = {"A": (0, 0), "B": (0, 2), "C": (3, 2), "D": (3, 0)}
BARS = {"AB": ("A", "B"), "BC": ("B", "C"), "CD": ("C", "D")}
SECTION = {"EI": 50.0, "EA": 9e3, "rho": 1.2}


def kinds(**given):
    equations = fx.derive(fx.frame(NODES, BARS, section=SECTION, **given))
    joins = equations.lagrangian.geometry.joins
    return equations, {join.q.part: join for join in joins if join.p.part == "ground"}


@pytest.mark.parametrize(
    ("held", "kind", "axis"),
    [
        ("fixed", "Fixed", (0, 0, 0)),
        ("pinned", "Pin", (0, 0, 0)),
        ("y", "Roller", (1, 0, 0)),
        ("x", "Roller", (0, 1, 0)),
        ("y theta", "Slide", (1, 0, 0)),
        ("theta", "Held", (0, 0, 0)),
    ],
)
def test_a_support_is_drawn_by_what_it_holds(held, kind, axis):
    equations, supports = kinds(supports={"A": "fixed", "D": held})
    assert supports["A"].kind == "Fixed"
    assert (supports["D"].kind, supports["D"].axis) == (kind, axis)
    drawn = {thing.name for thing in sketch(equations).things}
    assert any(name.startswith(f"{kind}-") for name in drawn)
    if kind == "Held":
        assert supports["D"].name == "holds theta"
        assert any(label.plain == "holds theta" for label in sketch(equations).labels)


def test_nodes_are_welds_or_hinges_and_masses_where_they_have_some():
    bars = {**BARS, "BC": ("B", "C", {**SECTION, "pinned": "end"})}
    model = fx.frame(
        NODES, bars, supports={"A": "fixed", "D": "fixed"}, masses={"B": 2.0, "C": (3.0, 0.1)}, section=SECTION
    )
    geometry = fx.derive(model).lagrangian.geometry
    kind = {part.name: part.kind for part in geometry.parts if not part.spine}
    assert kind == {"A": "Node", "B": "Mass", "C": "RigidBody", "D": "Node"}
    seats = {frozenset((join.p.part, join.q.part)): join.kind for join in geometry.joins}
    assert seats[frozenset(("BC", "C"))] == "Pin"
    assert seats[frozenset(("BC", "B"))] == seats[frozenset(("CD", "C"))] == "Fixed"


def test_pictures_of_modes_show_the_supports_of_frames_too():
    equations, _ = kinds(supports={"A": "fixed", "D": "pinned"})
    modes = fx.modes(equations, 1)
    drawn = fx.plot(modes).axes[0].get_lines()
    assert {line.get_marker() for line in drawn} >= {"s", "^"}
    assert Positions(equations).point("A")({}) == pytest.approx([0, 0, 0])


@pytest.mark.parametrize(("many", "crowded"), [(6, 300), (6, 6), (7, 7)])
def test_what_a_page_has_no_room_for_is_counted_and_said(many, crowded, monkeypatch):
    """Four nodes and three members: seven parts."""
    equations, _ = kinds(supports={"A": "fixed", "D": "pinned"})
    whole = {thing.name for thing in sketch(equations).things}
    coordinates = {name for name in whole if name.startswith(("translation", "rotation"))}
    monkeypatch.setattr(sketches, "MANY", many)
    monkeypatch.setattr(sketches, "CROWDED", crowded)
    sheet = sketch(equations)
    drawn = {thing.name for thing in sheet.things}
    assert drawn == (whole - coordinates if many == 6 else whole)  # every part stays
    named = {label.plain for label in sheet.labels} & {*NODES, *BARS}
    assert named == (set() if crowded == 6 else {*NODES, *BARS})
    assert (f"{len(coordinates)} coordinates are left out" in sheet.notes) == (many == 6)
    assert ("the names of 7 parts are left out" in sheet.notes) == (crowded == 6)


def test_in_space_what_is_hidden_lies_behind():
    """Seen from the front, where y is small: bars farther away end at the border of those before them."""
    nodes = {"A": (0, 0, 0), "B": (2, 0, 1), "C": (0, 1, 1), "D": (2, 1, 0)}
    bars = {"front": ("A", "B"), "back": ("C", "D"), "between": ("A", "D")}
    section = {"EIy": 50.0, "EIz": 60.0, "GJ": 40.0, "EA": 9e3, "rho": 1.2, "rotary_inertia": 0.01}
    frame = fx.frame(nodes, bars, supports=dict.fromkeys(nodes, "fixed"), section=section)
    drawn = {thing.name: thing.strokes for thing in sketch(fx.derive(frame)).things}
    levels = {name: drawn[name][-1].level for name in bars}
    assert levels["back"] < levels["between"] < levels["front"]
    assert max(stroke.level for stroke in drawn["D"]) < min(stroke.level for stroke in drawn["A"])
    border, line = drawn["front"]
    assert (border.colour, border.level) == ("white", line.level)
    assert border.width > line.width
    (flat,) = {thing.name: thing for thing in sketch(kinds(supports={"A": "fixed"})[0]).things}["AB"].strokes
    assert flat.level == 3


def test_a_support_that_holds_a_turn_about_a_bar_is_drawn_and_said():
    """A bar pinned at both ends in space is held against spinning about its own axis, which lies askew."""
    section = {"EIy": 50.0, "EIz": 60.0, "GJ": 40.0, "EA": 9e3, "rho": 1.2, "rotary_inertia": 0.01, "pinned": "both"}
    nodes = {"A": (0, 0, 0), "B": (1, 1, 1)}
    model = fx.frame(nodes, {"bar": ("A", "B", section)}, supports={"A": "pinned", "B": "pinned"})
    equations = fx.derive(model)
    assert {"bar", "A", "B"} <= {thing.name for thing in sketch(equations).things}
    told = [join.name for join in equations.lagrangian.geometry.joins if join.kind == "Held"]
    assert told
    assert all("turn" in one or "holds" in one for one in told)
