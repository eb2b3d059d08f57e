"""Frames that close are given in floating point: all of them close, and their modes are those of another program."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np
import pytest
from tests.plain_frames import axes_of, frequencies

import flexura as fx

PLANE = {"EI": 37.0, "EA": 9e3, "rho": 1.3}
SPACE = {"EA": 9e3, "EIy": 21.0, "EIz": 37.0, "GJ": 15.0, "rho": 1.3, "rotary_inertia": 0.4}


def drawn(number: int, space: bool) -> tuple[dict[int, Any], list[tuple[int, int]]]:
    """Nodes far enough from one another and members between them, with one loop or more."""
    rng = np.random.default_rng(number)
    count, size = int(rng.integers(3, 6)), 3 if space else 2
    nodes: dict[int, Any] = {0: tuple(rng.uniform(-1, 1, size).tolist())}
    while len(nodes) < count:
        new = rng.uniform(-2, 2, size)
        if all(0.6 < math.dist(new, one) < 4 for one in nodes.values()):
            nodes[len(nodes)] = tuple(new.tolist())
    pairs = [(int(rng.integers(0, k)), k) for k in range(1, count)]
    others = [(a, b) for b in range(count) for a in range(b) if (a, b) not in pairs]
    extra = rng.choice(len(others), size=min(len(others), int(rng.integers(1, 3))), replace=False)
    members = [*pairs, *(others[i] for i in extra)]
    return nodes, [(b, a) if rng.random() < 0.4 else (a, b) for a, b in members]


def turn(rows: Any) -> tuple[float, tuple[float, ...]]:
    """Angle and axis of the rotation whose columns are these axes."""
    R = np.asarray(rows).T
    cosine = np.clip((np.trace(R) - 1) / 2, -1, 1)
    axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    if np.linalg.norm(axis) < 1e-6:
        axis = np.array([0.0, 0.0, 1.0]) if cosine > 0 else np.sqrt(np.maximum(np.diag(R) + 1, 0) / 2)
    return float(np.arctan2(np.linalg.norm(axis) / 2, cosine)), tuple((axis / np.linalg.norm(axis)).tolist())


def axes_in_plane(span: Any) -> Any:
    x, y = span / np.linalg.norm(span)
    return np.array([[x, y, 0], [-y, x, 0], [0, 0, 1]])


def welded(nodes: dict[int, Any], members: list[tuple[int, int]], space: bool, spoil: float = 0.0) -> fx.Model:
    """Member by member in floats: at each node the ends are welded to the first of them; node 0 stands on ground."""
    parts, things, hubs = [], [], dict[int, Any]()
    for i, (a, b) in enumerate(members):
        span = np.subtract(nodes[b], nodes[a])
        length = float(np.linalg.norm(span)) + (spoil if i == len(members) - 1 else 0.0)
        kind, given = (fx.SpatialBeam, SPACE) if space else (fx.EulerBernoulliBeam, PLANE)
        beam = kind(f"b{i}", length=length, **given)
        axes = axes_of(span) if space else axes_in_plane(span)
        parts.append((beam, axes))
        for node, place in ((a, beam.start), (b, beam.end)):
            if node not in hubs:
                hubs[node] = (place, axes)
                if node == 0:
                    angle, about = turn(axes)
                    things.append(fx.Fixed(fx.ground, place, angle=angle, about=about))
            else:
                hub, base = hubs[node]
                angle, about = turn(axes @ base.T)
                things.append(fx.Fixed(hub, place, angle=angle, about=about))
    return fx.Model(*things)


@pytest.mark.parametrize("number", range(int(os.environ.get("FLEXURA_FRAMES", "60"))))
def test_planar_frames_in_floats_close_and_have_the_modes_of_polynomials(number: int) -> None:
    nodes, members = drawn(number, space=False)
    modes = fx.modes(fx.derive(welded(nodes, members, space=False)), 6)
    other = frequencies(nodes, [(a, b, PLANE) for a, b in members], {0: range(6)})
    assert modes.frequencies == pytest.approx(other[:6], rel=1e-8)


@pytest.mark.parametrize("number", range(int(os.environ.get("FLEXURA_FRAMES", "48")) // 4))
def test_spatial_frames_in_floats_close_and_have_the_modes_of_polynomials(number: int) -> None:
    nodes, members = drawn(1000 + number, space=True)
    modes = fx.modes(fx.derive(welded(nodes, members, space=True)), 6)
    other = frequencies(nodes, [(a, b, SPACE) for a, b in members], {0: range(6)})
    assert modes.frequencies == pytest.approx(other[:6], rel=1e-8)


@pytest.mark.parametrize("number", range(12))
def test_open_frames_are_refused_with_the_gap_and_both_members(number: int) -> None:
    nodes, members = drawn(number, space=number % 2 == 1)
    space = number % 2 == 1
    with pytest.raises(fx.FlexuraError, match="does not close") as refused:
        fx.derive(welded(nodes, members, space, spoil=1e-4))
    text = str(refused.value)
    assert len({f"b{i}" for i in range(len(members)) if f"b{i}." in text}) == 2
    gap = [float(one) for one in text.partition("places are (")[2].partition(")")[0].split(",")]
    assert math.hypot(*gap) == pytest.approx(1e-4, rel=1e-4)


def test_closed_frames_in_floats_are_proved() -> None:
    for space, number in ((False, 3), (True, 1001)):
        assert fx.verify(fx.derive(welded(*drawn(number, space), space)))


def triangle(angle: Any, lengths: tuple[Any, Any, Any], back: Any) -> fx.Model:
    base, side, slope = (
        fx.EulerBernoulliBeam(name, EI=50.0, rho=1.0, EA=1e4, length=one)
        for name, one in zip(("base", "side", "slope"), lengths, strict=True)
    )
    return fx.Model(
        fx.Fixed(fx.ground, base.start),
        fx.Fixed(base.end, side.start, angle="pi/2"),
        fx.Fixed(base.start, slope.start, angle=angle),
        fx.Fixed(slope.end, side.end, angle=back),
    )


def test_exact_geometry_closes_however_it_is_written() -> None:
    given = [
        ("atan2(3, 4)", (4.0, 3.0, 5.0), "pi/2 - atan2(3, 4)"),
        (math.atan2(3, 4), (4.0, 3.0, 5.0), math.pi / 2 - math.atan2(3, 4)),
        (math.atan2(3, 4), ("4*a", "3*a", "5*a"), math.pi / 2 - math.atan2(3, 4)),
        ("atan(h/b)", ("b", "h", "sqrt(b**2 + h**2)"), "pi/2 - atan(h/b)"),
    ]
    values: list[dict[str, float] | None] = [None, None, {"a": 1.0}, {"b": 4.0, "h": 3.0}]
    modes = [fx.modes(triangle(*one), 4, values=v).frequencies for one, v in zip(given, values, strict=True)]
    for other in modes[1:]:
        assert other == pytest.approx(modes[0], rel=1e-10)


def test_names_must_close_for_all_their_values() -> None:
    with pytest.raises(fx.FlexuraError, match="does not close"):
        fx.derive(triangle("atan(h/b)", ("b", "h", "c"), "pi/2 - atan(h/b)"))
    with pytest.raises(fx.FlexuraError, match=r"angle of .* contradicts"):
        fx.derive(triangle(math.atan2(3, 4), (4.0, 3.0, 5.0), 0.5))


def test_other_values_may_not_open_a_loop_that_numbers_close() -> None:
    equations = fx.derive(triangle(math.atan2(3, 4), (4.0, 3.0, 5.0), math.pi / 2 - math.atan2(3, 4)))
    for same in (equations, fx.Equations.from_json(equations.to_json())):
        with pytest.raises(fx.FlexuraError, match=r"length_slope the loop closed by .* does not close"):
            fx.modes(same, 2, values={"length_slope": 5.2})
        larger = {"length_base": 8.0, "length_side": 6.0, "length_slope": 10.0}
        assert fx.modes(same, 2, values=larger).frequencies == pytest.approx(
            fx.modes(triangle(math.atan2(3, 4), (8.0, 6.0, 10.0), math.pi / 2 - math.atan2(3, 4)), 2).frequencies
        )


def test_the_slope_of_a_frequency_by_a_length_that_would_open_a_loop_is_refused() -> None:
    angle, back = math.atan2(3, 4), math.pi / 2 - math.atan2(3, 4)
    equations = fx.derive(triangle(angle, (4.0, 3.0, 5.0), back))
    with pytest.raises(fx.FlexuraError, match=r"If length_slope alone changes, the loop closed by .* opens"):
        fx.sensitivity(equations, "length_slope", count=2)
    with pytest.raises(fx.FlexuraError, match="no sensitivity to 'length_slope'"):
        fx.sensitivity(equations, count=2)["length_slope"]
    named = fx.derive(triangle(angle, ("4*a", "3*a", "5*a"), back))
    slope = fx.sensitivity(named, "a", count=2, values={"a": 1.0})["a"]
    low, high = (fx.modes(named, 2, values={"a": a}).frequencies for a in (1 - 1e-5, 1 + 1e-5))
    assert slope == pytest.approx((high - low) / 2e-5, rel=1e-5)


def parallelogram(angle: Any, tilt: Any) -> fx.Model:
    """Two stiff columns and a middle one, all leaning alike, under a beam of two spans; nothing stretches."""
    names = ("left", "middle", "right", "first", "second")
    left, middle, right, first, second = (
        fx.EulerBernoulliBeam(name, EI=50.0, rho=1.0, length=1.5 if name in names[:3] else 0.7) for name in names
    )
    return fx.Model(
        fx.Fixed(fx.ground, left.start, angle=angle),
        fx.Fixed(left.end, first.start, angle=tilt),
        fx.Fixed(first.end, second.start),
        fx.Fixed(second.start, middle.end, angle=angle),
        fx.Fixed(second.end, right.end, angle=angle),
        fx.Fixed(fx.ground, middle.start, angle=angle),
        fx.Fixed(fx.ground, right.start, angle=angle),
    )


def test_members_that_do_not_stretch_leave_the_motion_they_share_whatever_rounding_says() -> None:
    exact = fx.derive(parallelogram("atan2(7, 3)", "-atan2(7, 3)"))
    third = math.atan2(7, 3) / 3
    rounded = fx.derive(parallelogram(third + third + third, -(math.atan2(0.7, 0.3))))
    assert len(rounded.coordinates) == len(exact.coordinates) == 4
    assert fx.modes(rounded, 5).frequencies == pytest.approx(fx.modes(exact, 5).frequencies, rel=1e-10)


def test_bodies_that_are_welded_twice_are_not_held_by_rounding() -> None:
    """0.1 + 0.2 is not 0.3: the second weld would let neither body turn."""
    beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.0, EA=1e4, length=1.0)
    a, b = fx.RigidBody("a", m=1.0, I=0.2), fx.RigidBody("b", m=2.0, I=0.3)

    def frame(*extra: Any) -> fx.Model:
        return fx.Model(fx.Fixed(fx.ground, beam.start), fx.Fixed(beam.end, a), fx.Fixed(a.at(0.3, 0.1), b), *extra)

    twice = frame(fx.Fixed(a.at(0.1 + 0.2, 0.4), b.at(0.0, 0.1 + 0.2)))
    assert fx.modes(twice, 4).frequencies == pytest.approx(fx.modes(frame(), 4).frequencies, rel=1e-12)
