"""Moving pictures of frames and mechanisms: members where they are, bent by what was found, as .gif, .html or .mp4.

>>> fx.animate_frame(run, "crank.gif", frame=mechanism, scale=50)
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.errors import FlexuraError
from flexura.show.animate_file import check_film, save_film
from flexura.show.plots.frame import lines_of
from flexura.show.plots.style import COLOURS, figure, quiet
from flexura.structures.moving.body import MovingFrame
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.mechanism import Mechanism

Array = NDArray[np.float64]


def animate_frame(
    run: Any,
    path: str | Path,
    frame: BeamFrame | Mechanism,
    body: MovingFrame | None = None,
    scale: float = 1.0,
    frames: int = 100,
    view: str = "xy",
) -> Path:
    """Write the motion of a frame's run on its body, or of a mechanism's, in ground's axes; displacements x `scale`."""
    path = check_film(path)
    if len(view) != 2 or not set(view) <= set("xyz"):
        raise FlexuraError(f"view is {view!r}", advice="say 'xy', 'xz' or 'yz'")
    chosen = np.unique(np.linspace(0, len(run.t) - 1, min(frames, len(run.t))).astype(int))
    moving = [_places(one, motion, own, chosen, scale) for one, motion, own in _members(run, frame, body)]
    plane = ["xyz".index(one) for one in view]
    _write([one[..., plane] for one in moving], run.t[chosen], path, view)
    return path


def _members(
    run: Any, frame: BeamFrame | Mechanism, body: MovingFrame | None
) -> list[tuple[BeamFrame, MovingFrame, Any]]:
    if isinstance(frame, Mechanism):
        return [(one, frame.bodies[name], run[name]) for name, one in frame.members.items()]
    return [(frame, body or MovingFrame(), run)]


def _places(frame: BeamFrame, body: MovingFrame, run: Any, chosen: NDArray[np.intp], scale: float) -> Array:
    """Points (times, elements, points, 3) along the bars in ground's axes."""
    x = np.column_stack([run[name][chosen] for name in frame.dofs])
    found = []
    for t, row in zip(run.t[chosen], x, strict=True):
        origin = np.zeros(3) if body.origin is None else body.origin
        start = np.asarray(origin(float(t)) if callable(origin) else origin)
        found.append(start + lines_of(frame, scale * row) @ body.axes(float(t)).T)
    return np.array(found)


def _write(moving: list[Array], times: Array, path: Path, view: str) -> None:
    made = figure(5.6, 4.2)
    axes = made.add_subplot()
    quiet(axes)
    every = np.concatenate([one.reshape(-1, 2) for one in moving])
    centre, half = (every.max(axis=0) + every.min(axis=0)) / 2, 0.55 * max(float(np.ptp(every, axis=0).max()), 1e-9)
    axes.set_xlim(centre[0] - half, centre[0] + half)
    axes.set_ylim(centre[1] - half, centre[1] + half)
    axes.set_aspect("equal")
    axes.set_xlabel(f"{view[0]} in m")
    axes.set_ylabel(f"{view[1]} in m")
    bars = [
        [axes.plot([], [], color=COLOURS[k % len(COLOURS)], linewidth=2)[0] for _ in range(one.shape[1])]
        for k, one in enumerate(moving)
    ]

    def draw(i: int) -> list[Any]:
        for lines, points in zip(bars, moving, strict=True):
            for line, place in zip(lines, points[i], strict=True):
                line.set_data(place[:, 0], place[:, 1])
        return [axes.set_title(f"t = {times[i]:.4g} s", fontsize=10), *(line for lines in bars for line in lines)]

    save_film(made, draw, len(times), path)
