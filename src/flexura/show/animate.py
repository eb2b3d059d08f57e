"""Moving pictures of modes and runs: members and bodies where they are, as .gif, .html or .mp4.

>>> fx.animate(run, "arm.gif"), fx.animate(fx.modes(equations), "mode.html", which=2)
"""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.arguments import checked, checked_methods
from flexura.derivation.equations.equations import Equations
from flexura.errors import FlexuraError
from flexura.show.animate_file import RATE, check_film, film_page, save_film
from flexura.show.plots.style import BAD, COLOURS, REFERENCE, figure, number, quiet
from flexura.solve.roots.found import Modes
from flexura.solve.runs.positions import Positions
from flexura.solve.steppers.trajectory import Trajectory

Array = NDArray[np.float64]
_AMPLITUDE = 0.16  # of the extent of the system, for modes
_LONGEST = 2000  # pictures of a film


@dataclass(frozen=True)
class Film:
    """Lines (frames, points, 3) and points (frames, 3) to draw, what stays, and a title for each frame."""

    lines: tuple[Array, ...]
    points: tuple[Array, ...]
    still: tuple[Array, ...]
    titles: tuple[str, ...]
    labels: tuple[str, str] = ("x in m", "y in m")
    equal: bool = True
    bars: tuple[Array, ...] = ()  # from a body's mass centre to what is attached to it
    traces: tuple[Array, ...] = ()  # (frames, 3): the path of a place, drawn as far as it has come
    note: str = ""


@checked_methods
@dataclass(frozen=True, eq=False)
class MovingPicture:
    """What fx.animate gives where no path says where to: a notebook plays it, `save(path)` writes it."""

    film: Film = field(repr=False)
    plane: tuple[int, ...] = field(repr=False)

    def save(self, path: str | Path) -> Path:
        """As .gif, .html or .mp4 (which needs ffmpeg); gives the path."""
        path = check_film(path)
        save_film(*_drawn(self.film, self.plane), path)
        return path

    def __repr__(self) -> str:
        return f"<MovingPicture of {len(self.film.titles)} frames>"

    def _repr_html_(self) -> str:
        page = html.escape(film_page(*_drawn(self.film, self.plane)))
        return f'<iframe srcdoc="{page}" style="width: 100%; height: 36em; border: 0" title="moving picture"></iframe>'


def animate(
    result: Modes | Trajectory, path: str | Path | None = None, frames: int = 100, **options: Any
) -> Path | MovingPicture:
    """A moving picture of modes or of a run.

    Arguments:
        `result`: modes, or a run of fx.simulate.
        `path`: ends in .gif, .html or .mp4 (which needs ffmpeg); without one nothing is written.
        `frames`: how many pictures there are, of which 25 are shown in a second.
        `options`: of both `view` ("xy", "xz", "yz"); of modes `which` one, from 0, `equations` and `values` where they
            do not know theirs, and `magnification` of the shape, chosen so that it is seen, and written into the
            picture; of runs `trace`, places whose paths are drawn, and `speed`, seconds of the run in a second of the
            film, instead of `frames`.
    Returns the path; without one a picture that plays in a notebook and has `.save(path)`.

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    >>> model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    >>> fx.animate(fx.modes(model, 2), which=1, frames=10)
    <MovingPicture of 10 frames>
    """
    path = None if path is None else check_film(path)
    if frames < 1:
        raise FlexuraError(f"frames is {frames}", advice="give how many pictures there shall be, 1 or more")
    view = str(options.pop("view", "xy"))
    if len(view) != 2 or not set(view) <= set("xyz") or view[0] == view[1]:
        raise FlexuraError(f"view is {view!r}", advice="say 'xy', 'xz' or 'yz'")
    if isinstance(result, Modes):
        film = checked(_mode, "fx.animate of modes", 2, ("frames", "view"))(result, frames, **options)
    elif isinstance(result, Trajectory):
        film = checked(_run, "fx.animate of a run", 2, ("frames", "view"))(result, frames, **options)
    else:
        raise FlexuraError(
            f"There is no moving picture of a {type(result).__name__}", advice="give modes or a trajectory"
        )
    picture = MovingPicture(film, tuple("xyz".index(axis) for axis in view) if film.equal else (0, 1))
    return picture if path is None else picture.save(path)


def _run(run: Trajectory, frames: int, trace: Any = (), speed: float | None = None) -> Film:
    motion = run.motion
    if motion is None:
        raise FlexuraError(
            "This trajectory does not know its equations", advice="animate one that fx.simulate made of them"
        )
    chosen = _pictures_of(run, frames, speed)
    titles = tuple(f"t = {run.t[i]:.4g} s" for i in chosen)
    states = [(motion.state(int(i)), float(run.t[i])) for i in chosen]
    if motion.equations.lagrangian.geometry is None:
        return _along(motion.equations, motion.whole.fields, [state for state, _ in states], titles)
    places = Positions(motion.equations, motion.values)
    drawn = places.drawing()
    lines = tuple(np.array([one.point(*at) for at in states]) for one in drawn if one.kind == "member")
    bodies = {one.name: np.array([one.point(*at) for at in states]) for one in drawn if one.kind == "body"}
    sides = [side for join in places.joins for side in (join.p, join.q) if side.part in bodies]
    ends = [(bodies[side.part], np.array([places.anchored(side)(*at) for at in states])) for side in sides]
    bars = tuple(np.stack(one, axis=1) for one in ends if np.abs(one[1] - one[0]).max() > 0)
    wanted = [trace] if isinstance(trace, str) or not isinstance(trace, Sequence) else list(trace)
    traces = tuple(run.position(place)[chosen] for place in wanted)
    note = "" if speed is None else f"{number(speed)} s of the run in a second"
    return Film(lines, tuple(bodies.values()), (), titles, bars=bars, traces=traces, note=note)


def _pictures_of(run: Trajectory, frames: int, speed: float | None) -> NDArray[np.intp]:
    """Which states are shown: evenly many of those there are, or at a speed the nearest to each picture's time."""
    if speed is None:
        return np.unique(np.linspace(0, len(run.t) - 1, min(frames, len(run.t))).astype(np.intp))
    span = float(run.t[-1] - run.t[0])
    if not (np.isfinite(speed) and speed > 0):
        raise FlexuraError(
            f"speed is {speed}", advice="give the seconds of the run in a second of the film, above zero"
        )
    count = int(np.ceil(span / speed * RATE)) + 1
    if count > _LONGEST:
        raise FlexuraError(
            f"At that speed the film has {count} pictures", advice=f"give speed={span * RATE / _LONGEST:.3g} or more"
        )
    times = np.linspace(run.t[0], run.t[-1], count)
    return np.asarray(np.abs(run.t[:, None] - times).argmin(axis=0), dtype=np.intp)


def _along(equations: Equations, fields: Mapping[str, Any], states: list[dict[str, Any]], titles: Any) -> Film:
    """Fields over x where nobody says where members are."""
    if not equations.fields:
        raise FlexuraError(
            "These equations do not say where their parts are", advice="describe the system with fx.Model"
        )
    lines = []
    for name in equations.fields:
        x = np.linspace(fields[name].start, fields[name].end, 61)
        lines.append(np.array([np.column_stack([x, state[name](x), 0 * x]) for state in states]))
    return Film(tuple(lines), (), (), tuple(titles), ("x in m", ", ".join(equations.fields)), equal=False)


def _mode(
    modes: Modes,
    frames: int,
    which: int = 0,
    equations: Equations | None = None,
    values: Mapping[str, Any] | None = None,
    magnification: float | None = None,
) -> Film:
    owner = equations or modes.equations
    if not 0 <= which < len(modes):
        raise FlexuraError(f"There is no mode {which} to draw", advice=f"modes are numbered from 0 to {len(modes) - 1}")
    if owner is None or owner.lagrangian.geometry is None:
        raise FlexuraError("These modes do not say where parts are", advice="give equations= that came from fx.Model")
    shape, places = modes.shape(which), Positions(owner, values if values is not None else modes.values)
    drawn = places.drawing()
    rest = [np.asarray(one.point({})) for one in drawn]
    moved = [one.point.displacement(shape) for one in drawn]
    extent = float(np.ptp(np.concatenate([one.reshape(-1, 3) for one in rest]), axis=0).max())
    grow = _AMPLITUDE * extent / max(max(float(np.abs(one).max()) for one in moved), 1e-300)
    if magnification is not None:
        if not (np.isfinite(magnification) and magnification > 0):
            raise FlexuraError(f"magnification is {magnification}", advice="give a number above zero, like 0.2")
        grow = float(magnification)
    turns = np.exp(2j * np.pi * np.arange(min(frames, 50)) / min(frames, 50))
    series = [
        np.array([at + grow * np.real(way * turn) for turn in turns]) for at, way in zip(rest, moved, strict=True)
    ]
    lines = tuple(one for one, what in zip(series, drawn, strict=True) if what.kind == "member")
    points = tuple(one for one, what in zip(series, drawn, strict=True) if what.kind == "body")
    still = tuple(at for at, what in zip(rest, drawn, strict=True) if what.kind == "member")
    title = f"mode {which + 1}: {modes.frequencies[which]:.5g} rad/s"
    return Film(lines, points, still, (title,) * len(turns), note=f"shape × {number(grow)}")


def _drawn(film: Film, along: tuple[int, ...]) -> tuple[Any, Callable[[int], list[Any]], int]:
    """A figure, what draws each picture in it, and how many there are."""
    plane = list(along)
    centre, half = _window(film, plane)
    made = figure(5.6, float(np.clip(0.8 + 5.0 * half[1] / half[0], 2.4, 5.6)) if film.equal else 4.2)
    axes = made.add_subplot()
    _frame(axes, film, plane, centre, half)
    for one in film.still:
        axes.plot(*one[:, plane].T, color=REFERENCE, linewidth=0.9, linestyle=(0, (4, 3)))
    if film.note:
        axes.text(
            0.995, 0.01, film.note, transform=axes.transAxes, fontsize=7, color="#777777", ha="right", va="bottom"
        )
    traces = [axes.plot([], [], color=BAD, linewidth=1.0)[0] for _ in film.traces]
    lines = [axes.plot([], [], color=COLOURS[k % len(COLOURS)], linewidth=2.2)[0] for k in range(len(film.lines))]
    bars = [axes.plot([], [], color="#222222", linewidth=3.0, solid_capstyle="round")[0] for _ in film.bars]
    points = [axes.plot([], [], "o", color="#222222", markersize=6)[0] for _ in film.points]

    def draw(i: int) -> list[Any]:
        for line, one in zip((*lines, *bars), (*film.lines, *film.bars), strict=True):
            line.set_data(*one[i][:, plane].T)
        for point, one in zip(points, film.points, strict=True):
            point.set_data(*one[i][plane, None])
        for path, one in zip(traces, film.traces, strict=True):
            path.set_data(*one[: i + 1][:, plane].T)
        return [axes.set_title(film.titles[i], fontsize=10), *traces, *lines, *bars, *points]

    return made, draw, len(film.titles)


def _window(film: Film, plane: list[int]) -> tuple[Array, Array]:
    """Centre and half the size of what all pictures need."""
    every = np.concatenate(
        [one.reshape(-1, 3)[:, plane] for one in (*film.lines, *film.bars, *film.points, *film.traces)]
    )
    low, high = every.min(axis=0), every.max(axis=0)
    centre, half = (low + high) / 2, np.maximum((high - low) / 2, 1e-9)
    if film.equal:
        half = np.maximum(half, 0.35 * half.max())
    return centre, 1.1 * half


def _frame(axes: Any, film: Film, plane: list[int], centre: Array, half: Array) -> None:
    quiet(axes)
    if film.equal:
        axes.set_aspect("equal", adjustable="box")
    axes.set_xlim(centre[0] - half[0], centre[0] + half[0])
    axes.set_ylim(centre[1] - half[1], centre[1] + half[1])
    names = ["x in m", "y in m", "z in m"]
    labels = [names[i] for i in plane] if film.equal else list(film.labels)
    axes.set_xlabel(labels[0], fontsize=9)
    axes.set_ylabel(labels[1], fontsize=9)
