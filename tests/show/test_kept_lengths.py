"""Modes drawn: rigid ones keep every length, joined ends coincide, and nothing is torn off."""

import itertools

import numpy as np
import pytest

import flexura as fx
from flexura.gallery import example
from flexura.gallery.values import VALUES
from flexura.show.plots.scene import Scene
from flexura.solve.runs.positions import Positions


def free_frame(spatial: bool) -> fx.Model:
    """A frame that nothing holds."""
    nodes = {"A": (0, 0), "B": (0, 2), "C": (3, 2), "D": (3, 0), "E": (1.5, 3)}
    bars = {"AB": ("A", "B"), "BC": ("B", "C"), "CD": ("C", "D"), "BE": ("B", "E"), "EC": ("E", "C")}
    planar = {"EI": 50.0, "EA": 9e3, "rho": 1.2}
    in_space = {"EIy": 50.0, "EIz": 60.0, "GJ": 40.0, "EA": 9e3, "rho": 1.2, "rotary_inertia": 0.01}
    placed = {name: (*at, 0.3 * i) if spatial else at for i, (name, at) in enumerate(nodes.items())}
    return fx.frame(placed, bars, section=in_space if spatial else planar)


def lengths(curve) -> float:
    return float(np.linalg.norm(np.diff(curve, axis=0), axis=1).sum())


def scenes(model: fx.Model, count: int, values=None):
    equations = fx.derive(model)
    modes = fx.modes(equations, count, values)
    places = Positions(equations, modes.values, still=True)
    for k in range(count):
        scene = Scene(places, modes.shape(k))
        yield modes.frequencies[k], scene, 0.16 * scene.size / scene.largest


def corners(scene: Scene, lines) -> None:
    """Ends in one place at rest are in one place in the picture."""
    ends = [(line.rest[i], drawn[i]) for line, drawn in zip(scene.lines, lines, strict=True) for i in (0, -1)]
    for (rest, here), (other, there) in itertools.combinations(ends, 2):
        if np.linalg.norm(rest - other) < 1e-9:
            assert here == pytest.approx(there, abs=1e-9 * scene.size)


@pytest.mark.parametrize(("spatial", "rigid"), [(False, 3), (True, 6)])
def test_a_free_frame_keeps_its_lengths_and_corners(spatial, rigid):
    for k, (omega, scene, factor) in enumerate(scenes(free_frame(spatial), rigid + 1)):
        lines, _, _ = scene.displaced(factor)
        corners(scene, lines)
        if k < rigid:
            assert omega == 0
            for line, drawn in zip(scene.lines, lines, strict=True):
                assert lengths(drawn) == pytest.approx(lengths(line.rest), rel=1e-6)
                middle = drawn - drawn[0] - np.outer(np.linspace(0, 1, len(drawn)), drawn[-1] - drawn[0])
                assert np.abs(middle).max() < 1e-6 * scene.size  # straight
        moved = max(np.abs(drawn - line.rest).max() for line, drawn in zip(scene.lines, lines, strict=True))
        assert moved > 0.05 * scene.size


def test_panels_of_a_satellite_stay_on_its_hub_and_turn_with_it():
    """Its first three modes are rigid: two ways along, one turn; the hub's arms reach the panels."""
    for _, scene, factor in itertools.islice(scenes(example("satellite"), 4, VALUES["satellite"]), 4):
        lines, (hub,), arms = scene.displaced(factor)
        assert not any(line.across for line in scene.lines)
        for drawn in lines:
            near = min(arms, key=lambda arm: np.linalg.norm(arm[1] - drawn[0]))
            assert near[1] == pytest.approx(drawn[0], abs=1e-9)
            assert near[0] == pytest.approx(hub, abs=1e-9)
        every = np.concatenate([line.moved for line in scene.lines])
        if np.ptp(every, axis=0).max() < 1e-9 * np.abs(every).max():  # it moves as a whole, along its axis too
            assert lines[0] - scene.lines[0].rest == pytest.approx(factor * every[:121], abs=1e-9)
            assert hub - scene.bodies[0].rest == pytest.approx(factor * every[0], abs=1e-9)


def test_a_hub_is_rigid_where_its_panels_bend():
    """In the first bending mode both panels swing up and the hub down, without a turn: its arms stay level."""
    *_, (omega, scene, factor) = scenes(example("satellite"), 4, VALUES["satellite"])
    assert omega > 1
    lines, (hub,), arms = scene.displaced(factor)
    for arm in arms:
        assert arm[1, 1] == pytest.approx(hub[1], abs=1e-6 * scene.size)
        assert min(np.linalg.norm(line[0] - arm[1]) for line in lines) < 1e-9 * scene.size


def test_links_that_turn_against_each_other_keep_their_lengths():
    found = list(scenes(example("two-link-arm"), 3, VALUES["two-link-arm"]))
    for omega, scene, factor in found[:2]:
        assert omega == 0
        lines, bodies, _ = scene.displaced(factor)
        for line, drawn in zip(scene.lines, lines, strict=True):
            assert lengths(drawn) == pytest.approx(lengths(line.rest), rel=1e-6)
        corners(scene, lines)
        assert bodies[0] == pytest.approx([0, 0, 0], abs=1e-12)  # the shoulder does not move


def test_one_axis_systems_are_drawn_across_with_their_bodies_and_say_so():
    rod, mass = fx.Rod("rod", EA=50.0, rho=1.0, length=1.0), fx.Mass("mass", 0.5)
    model = fx.Model(fx.Fixed(fx.ground, rod.start), fx.Fixed(rod.end, mass))
    (_, scene, factor), *_ = scenes(model, 1)
    lines, (body,), _ = scene.displaced(factor)
    assert body == pytest.approx(lines[0][-1], abs=1e-9)
    assert abs(body[1]) > 0.1
    texts = [text.get_text() for text in fx.plot(fx.modes(model, 1)).axes[0].texts]
    assert any("drawn across the axis" in text for text in texts)
    assert any(text.startswith("shape ×") for text in texts)
