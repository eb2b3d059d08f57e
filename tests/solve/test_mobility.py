"""Mobility before any run: what is free and what repeats, against counts by screws, by hand, and of random machines."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import flexura as fx


def body(name: str) -> Any:
    return fx.RigidBody(name, m=1.0, I=(0.1, 0.2, 0.25))


def loop(places: Any, axes: Any) -> fx.Model:
    """Bodies from hinge to hinge in a ring whose first and last link is ground: `places` and `axes` are the hinges'."""
    bodies = [body(f"b{i}") for i in range(len(places) - 1)]
    links = [fx.ground, *bodies, fx.ground]
    joints = [
        fx.Revolute(links[i].at(*at), links[i + 1].at(*at), about=tuple(axis), name=f"q{i}")
        for i, (at, axis) in enumerate(zip(places, axes, strict=True))
    ]
    return fx.Model(*joints)


def motions_of_screws(places: Any, axes: Any) -> int:
    """How many motions a ring of hinges begins: their axes as lines in space, n less the rank of their coordinates."""
    lines = [np.concatenate([axis, np.cross(at, axis)]) for at, axis in zip(places, axes, strict=True)]
    return len(lines) - int(np.linalg.matrix_rank(np.array(lines, dtype=float), tol=1e-9))


BRICARD = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], np.eye(3)[[1, 2, 0, 1, 2, 0]]
# Sarrus: two bent arms, square to one another, between two plates that stay parallel
SARRUS = (
    [(1, 0, 0), (2, 0, 1), (1, 0, 2), (0, 1, 2), (0, 2, 1), (0, 1, 0)],
    np.eye(3)[[1, 1, 1, 0, 0, 0]],
)


@pytest.mark.parametrize(("places", "axes"), [BRICARD, SARRUS], ids=["Bricard", "Sarrus"])
def test_rings_that_move_though_counted_stiff(places: Any, axes: Any) -> None:
    """Six hinges: Gruebler counts 0 motions, both have 1 and so 1 condition too many."""
    found = fx.derive(loop(places, axes)).mobility
    assert (int(found), found.redundant, found.infinitesimal) == (1, 1, 0)
    assert motions_of_screws(places, axes) == 1
    assert len(found.conditions) == 1
    assert str(found).startswith("1 motion is free: 5 coordinates under 5 conditions. 1 condition repeats the others")


@given(st.integers(3, 6), st.integers(0, 2**16))
@settings(max_examples=8, deadline=None)
def test_rings_of_hinges_anywhere_are_counted_as_lines_are(count: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    places = random.integers(-3, 4, (count, 3)).tolist()
    axes = np.eye(3)[random.integers(0, 3, count)].tolist()
    found = fx.mobility(loop(places, axes))
    begun = motions_of_screws(places, axes)
    if found.notes:  # singular where it stands: fewer motions go on nearby
        assert found.freedoms + found.infinitesimal <= begun
    else:
        assert found.freedoms + found.infinitesimal == begun
    spatial = len({tuple(axis) for axis in axes}) > 1
    if spatial:
        assert found.freedoms + found.infinitesimal - found.redundant == count - 6


KINDS = {  # of a joint whose axes are (a, b, c): the axes it turns about and the directions it moves along
    "Revolute": lambda a, b, c: ([a], []),
    "Slide": lambda a, b, c: ([], [a]),
    "Cylindrical": lambda a, b, c: ([a], [a]),
    "Universal": lambda a, b, c: ([a, b], []),
    "Planar": lambda a, b, c: ([a], [b, c]),
    "Spherical": lambda a, b, c: ([a, b, c], []),
}
WORDS = {"Revolute": "about", "Slide": "along", "Cylindrical": "along", "Universal": "about", "Planar": "normal"}


def ring(kinds: list[str], places: Any, axes: Any) -> tuple[fx.Model, int]:
    """A ring of any joints, and how many motions it begins: all that they leave free, less the rank of the loop."""
    links = [fx.ground, *(body(f"b{i}") for i in range(len(kinds) - 1)), fx.ground]
    joints, twists = [], []
    for i, (kind, at, first) in enumerate(zip(kinds, places, axes, strict=True)):
        a, b, c = np.roll(np.eye(3), -first, axis=0)
        word = {WORDS[kind]: tuple(map(tuple, (a, b))) if kind == "Universal" else tuple(a)} if kind in WORDS else {}
        joints.append(getattr(fx, kind)(links[i].at(*at), links[i + 1].at(*at), **word))
        turns, slides = KINDS[kind](a, b, c)
        twists += [np.concatenate([axis, np.cross(at, axis)]) for axis in turns]
        twists += [np.concatenate([np.zeros(3), axis]) for axis in slides]
    return fx.Model(*joints), len(twists) - int(np.linalg.matrix_rank(np.array(twists, dtype=float), tol=1e-9))


PLANAR = st.sampled_from([("Revolute", 2), ("Slide", 0), ("Slide", 1)])
ANY = st.tuples(st.sampled_from(sorted(KINDS)), st.integers(0, 2))


@given(st.data(), st.integers(2, 4), st.booleans(), st.integers(0, 2**16))
@settings(max_examples=12, deadline=None)
def test_what_closes_a_ring_holds_all_that_it_holds(data: Any, count: int, flat: bool, seed: int) -> None:
    """Also a hinge across the plane in which everything before it moves: the last joint makes a model spatial, too."""
    tree = data.draw(st.lists(PLANAR if flat else ANY, min_size=count, max_size=count))
    kinds, axes = zip(*tree, data.draw(ANY), strict=True)
    places = np.random.default_rng(seed).integers(-3, 4, (count + 1, 3)).tolist()
    model, begun = ring(list(kinds), places, axes)
    found = fx.mobility(model)
    if found.notes:  # singular where it stands: fewer motions go on nearby
        assert found.freedoms + found.infinitesimal <= begun
    else:
        assert found.freedoms + found.infinitesimal == begun


@pytest.mark.parametrize("kind", sorted(KINDS))
@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_four_bar_closed_by_any_joint(kind: str, axis: int) -> None:
    places = [(0, 0, 0), (0, 1, 0), (2, 2, 0), (2, 0, 0)]
    model, begun = ring(["Revolute"] * 3 + [kind], places, [2, 2, 2, axis])
    assert fx.mobility(model).freedoms == begun


def test_a_four_bar_on_a_turntable() -> None:
    """Two motions; in space a plane loop of four hinges has three conditions too many, wherever its plane turns."""
    table, crank, coupler, rocker = map(body, ("table", "crank", "coupler", "rocker"))
    model = fx.Model(
        fx.Revolute(fx.ground, table, about="z", name="phi"),
        fx.Revolute(table.at(0, 0, 0), crank.at(0, -0.5, 0), about="x", name="a"),
        fx.Revolute(crank.at(0, 0.5, 0), coupler.at(0, 0, -1), about="x", name="b"),
        fx.Revolute(table.at(0, 0, 2), rocker.at(0, -0.5, 0), about="x", name="c"),
        fx.Revolute(coupler.at(0, 0, 1), rocker.at(0, 0.5, 0), about="x", name="d"),
    )
    found = fx.derive(model).mobility
    assert (int(found), found.redundant) == (2, 3)
    # x of the loop's plane is lost to the turning: y stays, and of the directions held square none counts
    assert set(found.conditions) == {"lambda_d_rz", "lambda_d_x", "lambda_d_ry"}


def test_a_door_on_hinges_in_line() -> None:
    """Six less five a hinge: each hinge after the first has five too many; in any line, and on a frame that is free."""
    for axis in ((1, 0, 0), (1, 2, -2)):
        for hinges in (1, 2, 3):
            door, frame = body("door"), body("frame")
            at = [tuple(k * a for a in axis) for k in range(hinges)]
            joints = [fx.Revolute(frame.at(*one), door.at(*one), about=axis) for one in at]
            found = fx.mobility(fx.Model(fx.Free(fx.ground, frame), *joints))
            assert (int(found), found.redundant) == (7, 5 * (hinges - 1))
            assert len(found.conditions) == found.redundant


def test_parallel_cranks_under_one_platform() -> None:
    """In the plane two cranks do; each more brings two conditions and a coordinate, and leaves one motion."""
    for count in (2, 3, 4):
        feet = [(0.0, 0.0), (1.0, 0.0), (0.4, 0.8), (-0.3, 0.5)][:count]
        cranks = [fx.RigidBody(f"crank{i}", 1.0, 0.1) for i in range(count)]
        platform = fx.RigidBody("platform", 1.0, 0.1)
        lower = [fx.Revolute(fx.ground.at(*at), one.at(0, -0.5)) for at, one in zip(feet, cranks, strict=True)]
        upper = [fx.Revolute(one.at(0, 0.5), platform.at(*at)) for at, one in zip(feet, cranks, strict=True)]
        found = fx.mobility(fx.Model(*lower, *upper))
        assert (int(found), found.redundant) == (1, count - 2)


def test_bars_in_one_line_begin_to_move_and_do_not_go_on() -> None:
    """Maxwell and Calladine: freedoms + infinitesimal ones - states of stress = coordinates - conditions = 1 here."""
    left, right, swing = (fx.RigidBody(name, 1.0, 0.1) for name in ("left", "right", "swing"))
    model = fx.Model(
        fx.Revolute(fx.ground, left.at(-0.5, 0)),
        fx.Revolute(left.at(0.5, 0), right.at(-0.5, 0)),
        fx.Revolute(right.at(0.5, 0), fx.ground.at(2, 0)),
        fx.Revolute(fx.ground.at(5, 0), swing.at(0, 1)),
    )
    found = fx.mobility(model)
    assert (found.freedoms, found.infinitesimal, found.redundant) == (1, 1, 1)
    assert "1 more motion can begin, but not go on" in str(found)


def test_a_flat_parallelogram_is_told_as_it_is_beside_that_position() -> None:
    crank, coupler, rocker = (fx.RigidBody(name, 1.0, 0.1) for name in ("crank", "coupler", "rocker"))
    model = fx.Model(
        fx.Revolute(fx.ground, crank.at(-0.5, 0), name="a"),
        fx.Revolute(crank.at(0.5, 0), coupler.at(-1, 0), name="b"),
        fx.Revolute(fx.ground.at(2, 0), rocker.at(-0.5, 0), name="c"),
        fx.Revolute(coupler.at(1, 0), rocker.at(0.5, 0), name="d"),
    )
    found, away = fx.mobility(model), fx.mobility(model, about={"a": 0.3, "b": -0.3, "c": 0.3})
    assert (int(found), found.redundant, found.infinitesimal) == (1, 0, 0)
    assert "singular" in found.notes[0]
    assert (int(away), away.notes) == (1, ())


def test_conditions_in_coordinates_and_rates() -> None:
    """A pendulum in x and y, the length without a value; a skate, whose condition holds rates."""
    x, y = fx.Coordinate("x"), fx.Coordinate("y")
    energies = fx.Lagrangian(kinetic=(x.t**2 + y.t**2) / 2, potential=y * 9.81, constraints=["x**2 + y**2 - L**2"])
    for found in (fx.derive(energies).mobility, fx.mobility(energies, values={"L": 2})):
        assert (int(found), found.redundant, found.infinitesimal) == (1, 0, 0)
    assert "L has no value" in fx.mobility(energies).notes[0]
    skate = fx.RigidBody("skate", 1.0, 1.0)
    free = fx.Free(fx.ground, skate, names=("x", "y", "a"))
    blade = "x_t*sin(a) - y_t*cos(a)"
    assert int(fx.mobility(fx.Model(free, fx.Constraint(blade)))) == 2
    twice = fx.mobility(fx.Model(free, fx.Constraint(blade), fx.Constraint(f"3*({blade})")))
    assert (int(twice), twice.conditions) == (2, ("lambda_2",))


def test_gears_in_a_ring() -> None:
    shafts = [fx.RigidBody(f"shaft{i}", 1.0, 0.1) for i in range(3)]
    joints = [fx.Revolute(fx.ground.at(i, 0), one, name=f"q{i}") for i, one in enumerate(shafts)]
    gears = [fx.Gear(f"q{i}", f"q{j}", -2 if (i, j) != (0, 2) else 4) for i, j in itertools.combinations(range(3), 2)]
    found = fx.mobility(fx.Model(*joints, *gears))
    assert (int(found), found.redundant) == (1, 1)


@given(st.integers(1, 7), st.integers(0, 2**16), st.booleans())
@settings(max_examples=10, deadline=None)
def test_trees_move_as_their_coordinates_do_and_welds_across_take_what_they_hold(
    count: int, seed: int, tied: bool
) -> None:
    """In the plane; a bar with two hinges between two bodies of different branches holds one motion."""
    random = np.random.default_rng(seed)
    bodies: list[Any] = [fx.ground]
    joints = []
    for i in range(count):
        parent = bodies[int(random.integers(len(bodies)))]
        bodies.append(fx.RigidBody(f"b{i}", 1.0, 0.1))
        spots = random.integers(-9, 10, (2, 2)) / 4
        places = parent.at(*spots[0].tolist()), bodies[-1].at(*spots[1].tolist())
        joints.append(fx.Revolute(*places, name=f"q{i}") if random.random() < 0.7 else fx.Slide(*places, name=f"q{i}"))
    equations = fx.derive(fx.Model(*joints))
    found = equations.mobility
    assert (int(found), found.redundant) == (len(equations.coordinates), 0) == (count, 0)
    assert fx.Equations.from_json(equations.to_json()).mobility == found
    if tied:
        doubled = fx.Model(*joints, fx.Constraint("q0"), fx.Constraint("sin(q0)*2"))
        assert fx.mobility(doubled).conditions == ("lambda_2",)
        assert int(fx.mobility(doubled)) == count - 1


def test_members_deform_besides_and_states_do_not_move() -> None:
    hub = fx.RigidBody("hub", 1.0, 0.1)
    beam = fx.EulerBernoulliBeam("beam", EI="EI", rho="rho", length="l")
    model = fx.Model(fx.Revolute(fx.ground, hub), fx.Fixed(hub, beam.start), fx.State("z", "-z"))
    found = fx.derive(model).mobility
    assert (int(found), found.fields) == (1, ("w_beam",))
    assert str(found) == "1 motion is free: 1 coordinate. Besides, w_beam deform."


def test_what_cannot_be_met_is_refused() -> None:
    x = fx.Coordinate("x")
    energies = fx.Lagrangian(kinetic=x.t**2 / 2, constraints=["x**2 + 1"])
    with pytest.raises(fx.FlexuraError, match="No position near the reference configuration"):
        fx.mobility(energies)
    with pytest.raises(fx.FlexuraError, match="'y', which is no coordinate; the coordinates are x"):
        fx.mobility(fx.Lagrangian(kinetic=x.t**2 / 2), about={"y": 1.0})
