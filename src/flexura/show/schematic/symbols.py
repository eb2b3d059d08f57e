"""Strokes of each kind of joint, spring, load and body, in points of the page, along the first axis.

>>> spring(np.zeros(2), np.array([60.0, 0.0]))        # zigzag between two points
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from flexura.show.schematic.sheet import Array, Stroke

LINE = "#222222"
LOAD = "#b2182b"
COORDINATE = "#1f4e79"
BODY = "#e8e8e8"
_HATCH = "#666666"


def _points(*pairs: tuple[float, float]) -> Array:
    return np.array(pairs, dtype=np.float64)


def _circle(radius: float, centre: tuple[float, float] = (0.0, 0.0), part: float = 1.0, start: float = 0.0) -> Array:
    angles = start + np.linspace(0, 2 * np.pi * part, 33)
    return np.array(centre) + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)


def hatch(start: tuple[float, float], end: tuple[float, float], count: int = 6, depth: float = 5.0) -> list[Stroke]:
    """A line that is ground: short strokes on its right-hand side, seen from start to end."""
    a, b = np.array(start), np.array(end)
    along = (b - a) / np.hypot(*(b - a))
    back = np.array([along[1], -along[0]])
    strokes = [Stroke(np.stack([a, b]), _HATCH, 1.4)]
    for share in np.linspace(0.08, 1.0, count):
        foot = a + share * (b - a)
        strokes.append(Stroke(np.stack([foot, foot + depth * (back - along)]), _HATCH, 0.8))
    return strokes


def wall() -> list[Stroke]:
    """What is fixed comes out of it along the first axis."""
    return hatch((0, 13), (0, -13), 7)


def triangle(rollers: bool = False) -> list[Stroke]:
    """A pin on ground, below; with rollers where it is free to move."""
    strokes = [Stroke(_points((0, 0), (-8, -13), (8, -13)), LINE, 1.2, closed=True, fill="white")]
    base = -13.0
    if rollers:
        strokes += [Stroke(_circle(2.2, (x, -15.4)), LINE, 1.0, closed=True, fill="white") for x in (-5.0, 5.0)]
        base = -17.8
    return [*strokes, *hatch((-12, base), (12, base)), *pin()]


def pin(radius: float = 2.8) -> list[Stroke]:
    """A hinge."""
    return [Stroke(_circle(radius), LINE, 1.3, closed=True, fill="white", level=6)]


def weld() -> list[Stroke]:
    """Two parts that are one."""
    return [Stroke(_points((-2.2, -2.2), (2.2, -2.2), (2.2, 2.2), (-2.2, 2.2)), LINE, 0.8, True, LINE, level=5)]


def ball() -> list[Stroke]:
    """A ball in its socket."""
    socket = _circle(5.2, part=0.62, start=0.38 * np.pi)
    return [Stroke(_circle(3.2), LINE, 1.2, True, "white", level=6), Stroke(socket, LINE, 1.3, level=6)]


def guide(grounded: bool, half: float = 24.0, wide: float = 12.0) -> list[Stroke]:
    """Two rails along the first axis."""
    if not grounded:
        return [Stroke(_points((-half, s * wide), (half, s * wide)), LINE, 1.0, level=1) for s in (-1, 1)]
    return [*hatch((-half, -wide), (half, -wide), 9), *hatch((half, wide), (-half, wide), 9)]


def turning_axis(half: float = 17.0) -> list[Stroke]:
    """A hinge whose axis lies in the page: a barrel around a dash-dotted line."""
    barrel = _points((-7, -4), (7, -4), (7, 4), (-7, 4))
    return [
        Stroke(_points((-half, 0), (half, 0)), _HATCH, 0.8, dashed=True, level=5),
        Stroke(barrel, LINE, 1.2, closed=True, fill="white", level=5),
    ]


def spring(start: Array, end: Array, side: float = 0.0) -> list[Stroke]:
    """A zigzag; `side` shifts it across where several stand between two points."""

    def shape(n: float) -> list[Array]:
        return [_points((0, 0), (0.22 * n, 0), *_zigzag(0.22 * n, 0.78 * n), (n, 0))]

    return _between(start, end, side, shape)


def _zigzag(start: float, end: float, turns: int = 9) -> list[tuple[float, float]]:
    xs = np.linspace(start, end, turns + 2)[1:-1]
    return [(float(x), 5.0 * (-1) ** i) for i, x in enumerate(xs)] + [(end, 0.0)]


def _between(start: Array, end: Array, side: float, shape: Callable[[float], list[Array]]) -> list[Stroke]:
    length = float(np.hypot(*(end - start)))
    along = (end - start) / length if length else np.array([0.0, 1.0])
    across = np.array([-along[1], along[0]])
    strokes = [Stroke(line, LINE, 1.1).moved(start + side * across, along) for line in shape(length)]
    if side:
        feet = [Stroke(np.stack([place, place + side * across]), LINE, 1.1) for place in (start, end)]
        strokes += feet
    return strokes


def damper(start: Array, end: Array, side: float = 0.0) -> list[Stroke]:
    """A piston in its pot."""

    def shape(n: float) -> list[Array]:
        a, b = 0.38 * n, 0.66 * n
        pot = _points((b, 6), (a, 6), (a, -6), (b, -6))
        return [
            _points((0, 0), (a, 0)),
            pot,
            _points((0.54 * n, -4.5), (0.54 * n, 4.5)),
            _points((0.54 * n, 0), (n, 0)),
        ]

    return _between(start, end, side, shape)


def element(start: Array, end: Array, side: float = 0.0) -> list[Stroke]:
    """What acts between two places and is neither spring nor damper: a box on a line."""

    def shape(n: float) -> list[Array]:
        a, b = 0.35 * n, 0.65 * n
        box = _points((a, -5), (b, -5), (b, 5), (a, 5), (a, -5))
        return [_points((0, 0), (a, 0)), box, _points((b, 0), (n, 0))]

    return _between(start, end, side, shape)


def stop(start: Array, end: Array, side: float = 0.0) -> list[Stroke]:
    """One-sided contact: a plate at each end of a gap."""

    def shape(n: float) -> list[Array]:
        a, b = 0.52 * n, 0.66 * n
        return [_points((0, 0), (a, 0)), _points((a, 7), (a, -7)), _points((b, 4), (b, -4)), _points((b, 0), (n, 0))]

    return _between(start, end, side, shape)


def friction(start: Array, end: Array, side: float = 0.0) -> list[Stroke]:
    """Two plates, one on the other, and what roughens them."""

    def shape(n: float) -> list[Array]:
        a, b = 0.3 * n, 0.7 * n
        ticks = [_points((x, -1.5), (x + 3, 1.5)) for x in np.linspace(a + 2, b - 5, 5)]
        above, below = _points((0, 0), (a, 0), (a, 2), (b, 2)), _points((a, -2), (b, -2), (b, 0), (n, 0))
        return [above, below, *ticks]

    return _between(start, end, side, shape)


def rim(points: Array) -> list[Stroke]:
    """The rim of a wheel or of a gear."""
    return [Stroke(points, LINE, 1.1, closed=True, level=3)]


def pitch(points: Array) -> list[Stroke]:
    """The pitch circle of a gear, dash-dotted in drawings of machines."""
    return [Stroke(points, "#8c6d00", 1.0, closed=True, dashed=True, level=3)]


def belt(start: Array, end: Array, radii: tuple[float, float]) -> list[Stroke]:
    """What two wheels that turn alike run in: both outer tangents of their pitch circles."""
    apart = end - start
    long = float(np.hypot(*apart))
    along, lean = apart / long, (radii[0] - radii[1]) / long
    across = np.array([-along[1], along[0]])
    lines = []
    for side in (1.0, -1.0):
        way = lean * along + side * np.sqrt(max(1 - lean**2, 0.0)) * across
        lines.append(Stroke(np.stack([start + radii[0] * way, end + radii[1] * way]), "#8c6d00", 1.0, level=3))
    return lines


def tie(start: Array, end: Array) -> list[Stroke]:
    """Two joints that a gear ties without a picture of how."""
    return [Stroke(np.stack([start, end]), "#8c6d00", 0.9, dashed=True, level=3)]


def spiral(damped: bool = False) -> list[Stroke]:
    """A spring that turns; with a bar across where it is a damper."""
    angles = np.linspace(0, 4.5 * np.pi, 61)
    radius = 5 + 8 * angles / angles[-1]
    strokes = [Stroke(np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1), LINE, 1.0, level=4)]
    return [*strokes, Stroke(_points((-4, 13), (4, 13)), LINE, 2.2, level=4)] if damped else strokes


def arrow(length: float = 30.0, colour: str = LOAD) -> list[Stroke]:
    """An arrow that ends at the origin: a load pushes there."""
    return [Stroke(_points((-length, 0), (0, 0)), colour, 1.4, head=True, level=7)]


def sense(length: float = 24.0, colour: str = COORDINATE) -> list[Stroke]:
    """An arrow that starts at the origin: the positive sense of a coordinate."""
    return [Stroke(_points((0, 0), (length, 0)), colour, 1.1, head=True, level=7)]


def facing(colour: str, away: bool = False) -> list[Stroke]:
    """An arrow towards whoever looks at the page, by its point; or away, by its feathers."""
    ring = Stroke(_circle(5.0), colour, 1.2, closed=True, fill="white", level=7)
    if away:
        cross = [Stroke(_points((-3.4, s * -3.4), (3.4, s * 3.4)), colour, 1.0, level=7) for s in (1, -1)]
        return [ring, *cross]
    return [ring, Stroke(_circle(1.4), colour, 1.0, closed=True, fill=colour, level=7)]


def turning(radius: float, colour: str, clockwise: bool = False) -> list[Stroke]:
    """A round arrow about the origin."""
    arc = _circle(radius, part=0.62, start=-0.35 * np.pi)
    return [Stroke(arc[::-1] if clockwise else arc, colour, 1.3, head=True, level=7)]


def double_arrow(length: float, colour: str) -> list[Stroke]:
    """A turn about an axis in the page, by the right-hand rule: an arrow with two heads."""
    return [
        Stroke(_points((0, 0), (length, 0)), colour, 1.2, head=True, level=7),
        Stroke(_points((0, 0), (length - 6, 0)), colour, 1.2, head=True, level=7),
    ]


def comb(line: Array, along: Array, depth: float = 20.0) -> list[Stroke]:
    """Arrows along a line, with a line over their tails."""
    feet = line[np.linspace(0, len(line) - 1, 7).astype(int)]
    tails = feet - depth * along
    arrows = [
        Stroke(np.stack([tail, foot]), LOAD, 0.9, head=True, level=7) for tail, foot in zip(tails, feet, strict=True)
    ]
    return [*arrows, Stroke(tails, LOAD, 0.9, level=7)]


def particle() -> list[Stroke]:
    """A mass without extent."""
    return [Stroke(_circle(4.5), LINE, 1.0, closed=True, fill=LINE, level=4)]


def node() -> list[Stroke]:
    """Where members of a frame meet."""
    return [Stroke(_circle(2.6), LINE, 0.8, closed=True, fill=LINE, level=4)]


def block(half: float = 8.0) -> list[Stroke]:
    """A rigid body at its mass centre."""
    box = _points((-half, -half), (half, -half), (half, half), (-half, half))
    return [Stroke(box, LINE, 1.3, closed=True, fill=BODY, level=4)]


def arm(start: Array, end: Array) -> list[Stroke]:
    """From a body's mass centre to a point of it."""
    return [Stroke(np.stack([start, end]), "#8a8a8a", 3.2, level=3)]


MEMBERS: dict[str, tuple[float, str, bool]] = {
    "EulerBernoulliBeam": (3.0, COORDINATE, False),
    "RayleighBeam": (3.0, COORDINATE, False),
    "TimoshenkoBeam": (4.2, COORDINATE, False),
    "SpatialBeam": (3.6, COORDINATE, False),
    "ExactBeam": (3.0, "#2e7d32", False),
    "ExactSpatialBeam": (3.6, "#2e7d32", False),
    "Rod": (2.2, "#7b3294", False),
    "Shaft": (5.0, "#8c6d00", False),
    "String": (1.2, COORDINATE, True),
}
"""Width, colour and whether dashed, by the kind of member."""
