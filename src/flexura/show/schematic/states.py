"""Runs, states of rest and paths of them, drawn on the schematic: the last state in full, those before it lightly.

    >>> fx.plot(fx.equilibrium(model)), fx.plot(run, at=[0.1, 0.2]), fx.plot(path)

Where nothing would be seen of the displacements they are magnified, by a factor that is written below the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from flexura.derivation.equations.equations import Equations
from flexura.errors import FlexuraError
from flexura.show.schematic import symbols
from flexura.show.schematic.displaced import Displaced
from flexura.show.schematic.drawing import drawn
from flexura.show.schematic.labels import label, placed
from flexura.show.schematic.layout import Layout
from flexura.show.schematic.sheet import Array, Sheet, Stroke
from flexura.show.schematic.sketch import LOADS, Sketch
from flexura.solve.runs.positions import Positions
from flexura.solve.statics.path import EquilibriumPath
from flexura.solve.statics.rest_state import Equilibrium
from flexura.solve.steppers.trajectory import Trajectory

_SEEN, _AIM = 12.0, 40.0  # points of the page by which displacements are seen, and that magnified ones reach
_GHOSTS = 5  # states of a path that are drawn lightly
_REST, _GHOST = "#b5b5b5", "#7f9db9"


@dataclass(frozen=True, eq=False)
class Moment:
    """A state to draw, what is said of it, and the values that it holds for."""

    told: str
    state: Mapping[str, Any]
    t: float = 0.0
    values: Mapping[str, Any] = field(default_factory=dict)


def rest_sheet(rest: Equilibrium, magnification: float | None = None) -> Sheet:
    """A state of rest with its loads, and dashed where everything was; `magnification` is chosen if not given."""
    return _sheet(_known(rest.equations), [_at_rest(rest, "at rest")], magnification)


def path_sheet(path: EquilibriumPath, magnification: float | None = None) -> Sheet:
    """The last state of a path in full, and some before it lightly, each with its parameter."""
    last = len(path) - 1
    chosen = np.unique(np.linspace(0, last, min(_GHOSTS + 1, len(path))).astype(int))
    told = [f"{path.name} = {path.parameter[k]:.4g}" for k in chosen]
    return _sheet(
        path.equations, [_at_rest(path.point(int(k)), one) for k, one in zip(chosen, told, strict=True)], magnification
    )


def run_sheet(
    run: Trajectory, at: float | Iterable[float] | None = None, magnification: float | None = None, trace: Any = ()
) -> Sheet:
    """A run at times `at` (the last if none), each the nearest it holds; the paths of the places in `trace`."""
    motion = run.motion
    if motion is None or not isinstance(getattr(motion, "equations", None), Equations):
        raise FlexuraError(
            "This trajectory does not know its equations", advice="draw one that fx.simulate made of a model"
        )
    times = [float(run.t[-1])] if at is None else sorted(float(one) for one in np.atleast_1d(np.asarray(at)))
    slack = 1e-9 * (run.t[-1] - run.t[0])
    outside = [one for one in times if not run.t[0] - slack <= one <= run.t[-1] + slack]
    if outside or not times:
        raise FlexuraError(
            f"The run has no time {outside[0]:g}" if outside else "No time is given",
            advice=f"give at= between {run.t[0]:g} and {run.t[-1]:g} s",
        )
    rows = [int(np.argmin(np.abs(run.t - one))) for one in times]
    moments = [Moment(f"t = {run.t[k]:.4g} s", motion.state(k), float(run.t[k]), motion.values) for k in rows]
    places = [trace] if isinstance(trace, str) or not isinstance(trace, Sequence) else list(trace)
    traces = {str(place): (place, run.position(place)[: rows[-1] + 1]) for place in places}
    return _sheet(motion.equations, moments, magnification, traces)


def _known(equations: Equations | None) -> Equations:
    if equations is None:
        raise FlexuraError(
            "This state does not know its equations", advice="ask fx.equilibrium(equations) for one that does"
        )
    return equations


def _at_rest(rest: Equilibrium, told: str) -> Moment:
    return Moment(told, rest.motion.state(0), 0.0, rest.given)


def draw_rest(rest: Equilibrium, magnification: float | None = None) -> Any:
    """A state of rest on the schematic."""
    return drawn(rest_sheet(rest, magnification))


def draw_path(path: EquilibriumPath, magnification: float | None = None) -> Any:
    """States of a path on the schematic."""
    return drawn(path_sheet(path, magnification))


def _sheet(
    equations: Equations,
    moments: Sequence[Moment],
    magnification: float | None,
    traces: Mapping[str, tuple[Any, Array]] | None = None,
) -> Sheet:
    still = Layout(equations, _numbers(equations, moments[-1].values))
    start = {symbol.name: float(value) for symbol, value in still.moved.items()}
    shown = [Displaced(Positions(equations, one.values), one.state, one.t, reference=start) for one in moments]
    if not still.spatial and any(_leaves_plane(still, one) for one in shown):
        still = Layout(equations, _numbers(equations, moments[-1].values), spatial=True)
    factor, largest = _factor(still, shown, magnification)
    layouts = [still.displaced(replace(one, factor=factor)) for one in shown]
    sheet = Sheet()
    _lightly(sheet, still, "reference", _REST, "")
    for number, (layout, moment) in enumerate(zip(layouts[:-1], moments, strict=False)):
        _lightly(sheet, layout, f"state-{number}", _GHOST, moment.told)
    for name, (place, history) in (traces or {}).items():
        start_at = np.asarray(shown[-1].positions.point(place)(start, 0.0))
        part = shown[-1].positions.anchor(place).part
        curve = np.array([still.page(start_at + factor * (point - start_at), part) for point in history])
        sheet.add(f"trace-{name}", [Stroke(curve, symbols.LOAD, 0.9, level=2)], label(name, curve[-1], symbols.LOAD))
    own = Sketch(layouts[-1], LOADS).sheet()
    sheet.things += own.things
    sheet.notes += [moments[-1].told, _told(still, factor, largest), *own.notes]
    return placed(sheet)


def _numbers(equations: Equations, values: Mapping[str, Any]) -> dict[str, Any]:
    """Values without those of inputs, on which places do not depend."""
    return {name: one for name, one in values.items() if name not in equations.lagrangian.inputs}


def _apart(still: Layout, now: Displaced) -> Array:
    """How far everything is from where it was: (points, 3)."""
    reached, layout = [], still.displaced(now)
    for member in still.energies.members:
        reached.append(layout.curve(member) - still.curve(member))
    bodies = [layout.centre_of(name) - still.centre_of(name) for name in still.bodies]
    return np.concatenate([*reached, np.array(bodies).reshape(-1, 3)])


def _leaves_plane(still: Layout, now: Displaced) -> bool:
    apart = np.abs(_apart(still, now))
    return bool(apart[:, 2].max(initial=0.0) > 1e-6 * apart.max(initial=0.0))


def _factor(still: Layout, shown: Sequence[Displaced], wanted: float | None) -> tuple[float, float]:
    """By how much displacements are magnified, and the largest of them in m."""
    apart = np.concatenate([_apart(still, one) for one in shown])
    largest = float(np.linalg.norm(apart, axis=1).max(initial=0.0))
    if wanted is not None:
        if not (np.isfinite(wanted) and wanted > 0):
            raise FlexuraError(f"magnification is {wanted}", advice="give a number above zero, like 20")
        return float(wanted), largest
    on_page = still.scale * float(np.hypot(*(apart @ still.view.T).T).max(initial=0.0))
    if on_page == 0.0 or on_page >= _SEEN:
        return 1.0, largest
    return _round(_AIM / on_page), largest


def _round(factor: float) -> float:
    """The next below of 1, 2, 5, 10, 20, ..."""
    power = 10.0 ** np.floor(np.log10(factor))
    return float(power * max(one for one in (1, 2, 5) if one * power <= factor * (1 + 1e-12)))


def _told(still: Layout, factor: float, largest: float) -> str:
    size = f"largest displacement {largest:.3g} m"
    if not still.extended:
        return f"{size}, not to scale"
    return size if factor == 1.0 else f"{size}, displacements × {factor:g}"


def _lightly(sheet: Sheet, layout: Layout, name: str, colour: str, told: str) -> None:
    """Members and bodies as thin lines; dashed where everything was."""
    strokes, dashed = [], not told
    for member in layout.energies.members:
        strokes.append(Stroke(layout.page(layout.curve(member), member), colour, 1.0, dashed=dashed, level=1))
    for body in layout.bodies:
        box = symbols.block(4.5)[0]
        at = layout.page(layout.centre_of(body), body)
        strokes.append(Stroke(box.points + at, colour, 0.8, closed=True, dashed=dashed, level=1))
    if strokes:
        tip = strokes[0].points[-1]
        sheet.add(name, strokes, *([label(told, tip, "#5b7690", mathematics=False)] if told else []))
