"""`fx.view`: a model, modes, a run or a state of rest in space, in a page that a mouse turns; no network is needed.

>>> fx.view(model), fx.view(fx.modes(model, 6), "modes.html"), fx.view(run, frames=200)
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from typing import Any

from flexura.arguments import checked, checked_methods
from flexura.derivation.equations.equations import Equations
from flexura.derivation.routes import can_be_derived, equations_of
from flexura.errors import FlexuraError
from flexura.files.writing import check_place, replacing
from flexura.show.space import Space, of_equations, of_frame, of_modes, of_rest, of_run
from flexura.solve.roots.found import Modes
from flexura.solve.statics.rest_state import Equilibrium
from flexura.solve.steppers.trajectory import Trajectory
from flexura.structures.moving.frame import BeamFrame

VIEWS: dict[type, Callable[..., Space]] = {
    BeamFrame: of_frame,
    Equations: of_equations,
    Equilibrium: of_rest,
    Modes: of_modes,
    Trajectory: of_run,
}
"""What says of each kind of result where everything stands."""
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline'; \
style-src 'unsafe-inline'; img-src data:">
<title>TITLE</title>
<!-- The picture is drawn by three.js.

LICENCE-->
<style>body { margin: 0; color-scheme: light dark } #view { height: 100vh; overflow: hidden }</style></head>
<body><div id="view"></div>
<script>VIEWER</script>
<script>flexuraView(document.getElementById("view"), DATA);</script>
</body></html>
"""


@checked_methods
@dataclass(frozen=True, eq=False)
class ThreeView:
    """What fx.view gives: a notebook shows it, `save(path)` writes it as a page, `space` is what stands where."""

    space: Space = field(repr=False)
    title: str

    def page(self) -> str:
        """The whole page."""
        data = json.dumps(self.space, ensure_ascii=True, allow_nan=False).replace("<", "\\u003c")
        put = {
            "TITLE": html.escape(self.title),
            "LICENCE": _file("LICENSE").replace("--", "- -"),
            "VIEWER": _file("view.min.js"),
            "DATA": data,
        }
        page = _PAGE
        for word, text in put.items():  # in this order: names of the user's are in the last
            before, _, after = page.rpartition(word)
            page = before + text + after
        return page

    def save(self, path: str | Path) -> Path:
        """As .html; gives the path."""
        path = _check(path)
        with replacing(path) as unfinished:
            unfinished.write_text(self.page(), encoding="utf-8", newline="\n")
        return path

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.page())}" style="width: 100%; height: 32em; border: 0"'
            f' title="{html.escape(self.title)}"></iframe>'
        )


def view(result: Any, path: str | Path | None = None, **options: Any) -> ThreeView:
    """A picture in space that a mouse turns, shifts and magnifies: in a notebook, or as a page that needs no network.

    Arguments:
        `result`: a model or its equations, modes, a run, a state of rest or an fx.BeamFrame.
        `path`: ends in .html; without one nothing is written.
        `options`: `equations` and `values` of modes that do not know theirs, `values` of lengths of a model, `frames`
            of a run (150), `magnification` of a state of rest.
    Returns fx.ThreeView, with `.save(path)` and `.space`, plain data in m: lines, arms, bodies, supports, labels and
    states. Modes swing, runs play; the page has a list of states, a slider, and one for the magnification.

    >>> import flexura as fx
    >>> beam = fx.EulerBernoulliBeam("beam", EI=50.0, rho=1.2, length=1.3)
    >>> model = fx.Model(fx.Fixed(fx.ground, beam.start), fx.Force(beam.end, "F"))
    >>> len(fx.view(fx.modes(model, 3)).space["states"])
    3
    """
    path = None if path is None else _check(path)
    known = isinstance(result, tuple(VIEWS))
    shown = equations_of(result) if not known and can_be_derived(result) else result
    make = next((make for kind, make in VIEWS.items() if isinstance(shown, kind)), None)
    if make is None:
        raise FlexuraError(
            f"There is no picture in space of a {type(result).__name__}",
            advice="fx.view shows models, modes, runs, states of rest and frames",
        )
    space = checked(make, f"fx.view of a {type(shown).__name__}", 1, ("path",))(shown, **options)
    made = ThreeView(space, type(result).__name__)
    if path is not None:
        made.save(path)
    return made


def _check(path: str | Path) -> Path:
    path = Path(path)
    if path.suffix.lower() != ".html":
        raise FlexuraError(f"The view {path.name} cannot be written", advice="end its name in .html")
    check_place(path)
    return path


def _file(name: str) -> str:
    return files("flexura.show").joinpath("three", name).read_text(encoding="utf-8")
