"""Pictures of answers, one file for each: `fx.plot(modes)`, `fx.plot(response)`, `fx.plot(chart)`.

`plot` looks at what it is given and calls the file that draws it. A new picture is one file with a function that draws
on a Matplotlib figure, and a line here. Matplotlib loads on first use; figures are made without pyplot, so nothing is
shown or kept by itself and no display is needed.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np

from flexura.arguments import checked
from flexura.errors import FlexuraError
from flexura.files.writing import check_place, replacing
from flexura.solve.campbell import Campbell
from flexura.solve.modes import Modes
from flexura.solve.steppers.trajectory import Trajectory


def plot(result: Any, path: str | Path | None = None, **options: Any) -> Any:
    """Draw a result; with a path (.png, .svg, .pdf) write it there too. Returns the Matplotlib figure."""
    figure = _draw(result, **options)
    if path is not None:
        save(figure, Path(path))
    return figure


def save(figure: Any, path: Path) -> None:
    """Write a figure in the format its ending says."""
    check_picture(path)
    picture = io.BytesIO()  # a full disk in the middle of a .pdf is no OSError
    figure.savefig(picture, format=path.suffix.lstrip(".").lower(), dpi=200, bbox_inches="tight")
    with replacing(path) as unfinished:
        unfinished.write_bytes(picture.getvalue())


def check_picture(path: Path) -> None:
    """Raise where no picture can be written; long runs ask before they begin."""
    from matplotlib.backend_bases import FigureCanvasBase

    if path.suffix.lstrip(".").lower() not in FigureCanvasBase.get_supported_filetypes():
        raise FlexuraError(f"The picture {path} has no ending that can be written; use .png, .svg or .pdf.")
    check_place(path)


def _draw(result: Any, **options: Any) -> Any:
    if type(result).__name__ in ("BeamFrame", "Whirl"):
        from flexura.show.plots import frame

        of_frame: Any = frame.draw_whirl if type(result).__name__ == "Whirl" else frame.draw_frame
        return _with(of_frame, result, options)
    if type(result).__name__ == "Resultants":
        from flexura.show.plots.resultants import draw_resultants

        return _with(draw_resultants, result, options)
    if type(result).__name__ in ("OperatingState", "SecondOrderSystem"):
        from flexura.show.plots import operating

        drawn = operating.draw_state if type(result).__name__ == "OperatingState" else operating.draw_error
        return _with(drawn, result, options)
    if isinstance(result, Trajectory):
        from flexura.show.plots.trajectory import draw_trajectory

        return _with(draw_trajectory, result, options)
    if isinstance(result, Campbell):
        from flexura.show.plots.campbell import draw_campbell

        return _with(draw_campbell, result, options)
    if isinstance(result, Modes):
        kind = options.pop("kind", "shapes")
        if kind == "roots":
            from flexura.show.plots.roots import draw_roots

            return _with(draw_roots, result.eigenvalues, options)
        if kind != "shapes":
            raise FlexuraError(f"kind is {kind!r}; modes are drawn as 'shapes' or 'roots'.")
        from flexura.show.plots.modes import draw_modes

        return _with(draw_modes, result, options)
    if isinstance(result, np.ndarray | list | tuple) and np.ndim(result) >= 1:
        return _draw_array(np.asanyarray(result), **options)
    raise FlexuraError(
        f"There is no picture of a {type(result).__name__}; fx.plot draws modes, frequency responses, runs and"
        " Campbell charts."
    )


def _with(draw: Any, result: Any, options: dict[str, Any]) -> Any:
    """What each kind of picture takes is its own; what it does not is said."""
    also = ("path", "kind") if isinstance(result, Modes | np.ndarray) else ("path",)
    return checked(draw, f"fx.plot of a {type(result).__name__}", 1, also)(result, **options)


def _draw_array(values: Any, **options: Any) -> Any:
    """Eigenvalues if asked for; else a frequency response."""
    if options.pop("kind", "response") == "roots":
        from flexura.show.plots.roots import draw_roots

        return _with(draw_roots, values, options)
    from flexura.show.plots.response import draw_response

    return _with(draw_response, values, options)
