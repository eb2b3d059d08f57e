"""`fx.plot`: pictures of answers, one file for each kind in `plots/`.

    >>> fx.plot(fx.modes(equations, 4), "modes.png"), fx.plot(run), fx.plot(chart)

A new picture is one file with a function that draws on a Matplotlib figure, and a line in `PICTURES`. Matplotlib loads
on first use; figures are made without pyplot, so nothing is shown or kept by itself and no display is needed.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from flexura.arguments import checked
from flexura.derivation.diagrams import FreeBodyDiagram, FreeBodyDiagrams
from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.steps import Step
from flexura.derivation.routes import can_be_derived, equations_of
from flexura.errors import FlexuraError
from flexura.files.writing import check_place, replacing
from flexura.show.plots.campbell import draw_campbell
from flexura.show.plots.curves import draw_curve, draw_densities, draw_over_time
from flexura.show.plots.frame import draw_frame, draw_whirl
from flexura.show.plots.modes import draw_buckling, draw_modes
from flexura.show.plots.operating import draw_error, draw_state
from flexura.show.plots.response import draw_nyquist, draw_response
from flexura.show.plots.resultants import draw_resultants
from flexura.show.plots.roots import draw_locus, draw_roots
from flexura.show.plots.rotor import draw_rotor
from flexura.show.plots.trajectory import draw_trajectory
from flexura.show.schematic.drawing import draw_schematic
from flexura.show.schematic.free_bodies import draw_cut, draw_free_bodies, draw_free_body, sheet_of, sheet_of_one
from flexura.show.schematic.sketch import sketch
from flexura.show.schematic.states import draw_path, draw_rest, path_sheet, rest_sheet, run_sheet
from flexura.show.schematic.tikz import ENDINGS, tikz
from flexura.solve.buckling import Buckling
from flexura.solve.campbell import Campbell
from flexura.solve.random_response import RandomResponse
from flexura.solve.response_curve import ResponseCurve
from flexura.solve.roots.found import Modes
from flexura.solve.statics.path import EquilibriumPath
from flexura.solve.statics.rest_state import Equilibrium
from flexura.solve.steppers.trajectory import Trajectory
from flexura.solve.time_response import OverTime
from flexura.solve.whirl import Whirl
from flexura.structures.moving.frame import BeamFrame
from flexura.structures.moving.resultants import Resultants
from flexura.structures.moving.rotor import Rotor
from flexura.structures.operating.state import OperatingState
from flexura.systems.second_order import SecondOrderSystem

PICTURES: dict[type, Callable[..., Any]] = {
    BeamFrame: draw_frame,
    Buckling: draw_buckling,
    Campbell: draw_campbell,
    Equilibrium: draw_rest,
    EquilibriumPath: draw_path,
    Equations: draw_schematic,
    FreeBodyDiagram: draw_free_body,
    FreeBodyDiagrams: draw_free_bodies,
    Modes: draw_modes,
    OperatingState: draw_state,
    OverTime: draw_over_time,
    RandomResponse: draw_densities,
    Resultants: draw_resultants,
    ResponseCurve: draw_curve,
    Rotor: draw_rotor,
    SecondOrderSystem: draw_error,
    Step: draw_cut,
    Trajectory: draw_trajectory,
    Whirl: draw_whirl,
}
"""What draws which kind of answer."""
SHEETS: dict[type, Callable[..., Any]] = {
    Equations: sketch,
    Equilibrium: rest_sheet,
    EquilibriumPath: path_sheet,
    FreeBodyDiagram: sheet_of_one,
    FreeBodyDiagrams: sheet_of,
    Trajectory: run_sheet,
}
"""What gives the strokes and labels of a picture, which TikZ draws as well."""
_OF_ARRAYS: dict[str, Callable[..., Any]] = {"response": draw_response, "nyquist": draw_nyquist, "roots": draw_roots}
_ROOTS = "roots"  # the other picture of modes, of charts, and of an array of eigenvalues


def plot(result: Any, path: str | Path | None = None, **options: Any) -> Any:
    r"""A picture of a model, of free bodies, or of an answer, as a Matplotlib figure; a path writes it too.

    Arguments:
        `result`: a model or equations (the schematic), free bodies, modes, a response or a list of them, a run, a
            state of rest, a path of them, a chart, a frame, a buckling load, ...
        `path`: ends in .png, .svg or .pdf; schematics, states on them and free bodies also in .tikz to \input, or
            .tex.
        `options`: of schematics `values` for lengths without one, and `dimensions`; of responses `unit="Hz"`,
            `scale="dB"` or "linear", `kind="nyquist"`, and `omega` for a plain array; of modes `which=[0, 3]`,
            `kind="roots"`, `magnification`; of runs `names`, or `at` times in s with `trace` and `magnification`,
            which draw the schematic; of Campbell charts `orders=(1, 2)`, multiples of speed, or `kind="roots"`, their
            locus over the parameter.
    Returns the figure; nothing is shown by itself, but where it is the last thing of a notebook's cell.

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    >>> model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    >>> len(fx.plot(fx.modes(model, 4), "modes.png").axes)
    4
    """
    if path is not None and Path(path).suffix.lower() in ENDINGS:
        _write_tikz(result, Path(path), options)
        path = None
    figure = _draw(result, **options)
    if path is not None:
        save(figure, Path(path))
    return figure


def _write_tikz(result: Any, path: Path, options: dict[str, Any]) -> None:
    """What is drawn of strokes and labels, as TikZ."""
    result = _in_equations(result)
    make = next((make for kind, make in SHEETS.items() if isinstance(result, kind)), None)
    if make is None:
        raise FlexuraError(
            f"The picture of a {type(result).__name__} is not written as TikZ",
            advice="use .svg or .pdf; TikZ is for schematics and free bodies",
        )
    check_place(path)
    text = tikz(_with(make, result, dict(options)), path.suffix.lower())
    with replacing(path) as unfinished:
        unfinished.write_text(text, encoding="utf-8", newline="\n")


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
        raise FlexuraError(f"The picture {path} has no ending that can be written", advice="use .png, .svg or .pdf")
    check_place(path)


def check_drawing(path: Path) -> None:
    """The same for what is drawn of strokes and labels, which is written as TikZ too."""
    if path.suffix.lower() in ENDINGS:
        check_place(path)
    else:
        check_picture(path)


def _draw(result: Any, **options: Any) -> Any:
    if isinstance(result, Modes):
        kind = options.pop("kind", "shapes")
        if kind not in ("shapes", _ROOTS):
            raise FlexuraError(f"kind is {kind!r}", advice="modes are drawn as 'shapes' or 'roots'")
        return _with(draw_roots, result.eigenvalues, options) if kind == _ROOTS else _with(draw_modes, result, options)
    if isinstance(result, Campbell) and "kind" in options:
        kind = options.pop("kind")
        if kind not in ("campbell", _ROOTS):
            raise FlexuraError(f"kind is {kind!r}", advice="charts are drawn as 'campbell' or 'roots'")
        return _with(draw_locus if kind == _ROOTS else draw_campbell, result, options)
    result = _in_equations(result)
    for kind_of, draw in PICTURES.items():
        if isinstance(result, kind_of):
            return _with(draw, result, options)
    several = isinstance(result, list | tuple) and any(hasattr(one, "omega") for one in result)
    if several or (isinstance(result, np.ndarray | list | tuple) and np.ndim(result) >= 1):
        drawn = _OF_ARRAYS.get(options.pop("kind", "response"))
        if drawn is None:
            raise FlexuraError("There is no such picture of numbers", advice=f"kind is one of {', '.join(_OF_ARRAYS)}")
        return _with(drawn, result if several else np.asanyarray(result), options)
    raise FlexuraError(
        f"There is no picture of a {type(result).__name__}",
        advice="fx.plot draws models, modes, frequency responses, runs and Campbell charts",
    )


def _in_equations(result: Any) -> Any:
    """What has a picture of its own as it is, models and energies as their equations."""
    own = isinstance(result, tuple(PICTURES))
    return equations_of(result) if not own and can_be_derived(result) else result


def _with(draw: Callable[..., Any], result: Any, options: dict[str, Any]) -> Any:
    """What each kind of picture takes is its own; what it does not is said."""
    also = ("path", "kind") if isinstance(result, Modes | np.ndarray | list | tuple) else ("path",)
    return checked(draw, f"fx.plot of a {type(result).__name__}", 1, also)(result, **options)
