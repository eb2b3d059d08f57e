"""What stands where in space, as plain data that the viewer in a page draws: lines, bodies, supports, states.

>>> space_of(equations), space_of(fx.modes(equations, 4)), space_of(run, frames=100)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from flexura.derivation.equations.equations import Equations
from flexura.errors import FlexuraError
from flexura.show.plots.style import number
from flexura.show.schematic import symbols
from flexura.show.schematic.displaced import Displaced
from flexura.show.schematic.layout import Layout
from flexura.solve.exact.shapes import Shape
from flexura.solve.roots.found import Modes
from flexura.solve.runs.positions import Positions
from flexura.solve.statics.rest_state import Equilibrium
from flexura.solve.steppers.trajectory import Trajectory
from flexura.structures.moving.frame import BeamFrame
from flexura.symbolic.kinematics.geometry import Anchor
from flexura.symbolic.kinematics.vectors import NULL

Places = dict[str, list[NDArray[Any]]]
Space = dict[str, Any]
_AMPLITUDE, _PHASES, _POINTS = 0.16, 40, 33
_DIGITS = 6  # of the largest extent, or of the largest displacement
_LINKS = ("Spring", "Damper", "TorsionSpring", "TorsionDamper", "Stop", "Friction")


def of_equations(equations: Equations, values: Mapping[str, Any] | None = None) -> Space:
    """The reference configuration; a length without a value is 1."""
    return _space(Layout(equations, values), [])


def of_rest(rest: Equilibrium, magnification: float = 1.0) -> Space:
    """A state of rest beside the reference configuration; the page can change the magnification of displacements."""
    owner = _known(rest.equations, "state", "ask fx.equilibrium(equations) for one that does")
    layout = Layout(owner, _without_inputs(owner, rest.given))
    there = layout.displaced(Displaced(Positions(owner, rest.given), rest.motion.state(0)))
    moved = {kind: [b - a for a, b in zip(every, _of(there)[kind], strict=True)] for kind, every in _of(layout).items()}
    state = {"label": "at rest", "count": 1, "factor": magnification, "re": _rounded(moved)}
    return _space(layout, [state])


def of_modes(modes: Modes, equations: Equations | None = None, values: Mapping[str, Any] | None = None) -> Space:
    """Every mode about the reference configuration, swinging."""
    owner = _known(equations or modes.equations, "list of modes", "give equations= that came from fx.Model")
    known = values if values is not None else modes.values
    layout, places = Layout(owner, _without_inputs(owner, known or {})), Positions(owner, known, still=True)
    return _space(layout, [_mode(layout, places, modes.shape(k), _called(modes, k)) for k in range(len(modes))])


def of_run(run: Trajectory, frames: int = 150) -> Space:
    """A run, picture by picture."""
    owner = _known(getattr(run.motion, "equations", None), "trajectory", "draw one that fx.simulate made of a model")
    if frames < 1:
        raise FlexuraError(f"frames is {frames}", advice="give how many pictures there shall be, 1 or more")
    layout = Layout(owner, _without_inputs(owner, run.motion.values))
    places = Positions(owner, run.motion.values)
    chosen = np.unique(np.linspace(0, len(run.t) - 1, min(frames, len(run.t))).astype(int))
    shown = [
        _rounded(_of(layout.displaced(Displaced(places, run.motion.state(int(k)), float(run.t[k]))))) for k in chosen
    ]
    labels = [f"t = {run.t[k]:.4g} s" for k in chosen]
    return _space(layout, [{"label": "run", "count": len(chosen), "labels": labels, "frames": shown}])


def of_frame(frame: BeamFrame) -> Space:
    """The bars of a frame."""
    bars = [np.asarray(frame.nodes, dtype=np.float64)[list(pair)] for pair in frame.elements]
    places: Places = {"lines": [*bars], "arms": [], "bodies": []}
    drawn = [_line(bar, symbols.COORDINATE, 3.0) for bar in _rounded(places)["lines"]]
    return _whole([places], drawn, [], [], [], [])


def _known(equations: Any, what: str, advice: str) -> Equations:
    if not isinstance(equations, Equations):
        raise FlexuraError(f"This {what} does not know its equations", advice=advice)
    return equations


def _without_inputs(equations: Equations, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: one for name, one in values.items() if name not in equations.lagrangian.inputs}


def _called(modes: Modes, k: int) -> str:
    return f"mode {k + 1}: {number(float(modes.frequencies[k]))} rad/s"


# -- where things are ------------------------------------------------------------------------------------------------


def _of(layout: Layout) -> Places:
    """Where everything is."""

    def point(anchor: Anchor) -> NDArray[Any]:
        place = layout.at(anchor)
        return np.zeros(3) if place is None else place

    return _each(layout, layout.curve, point)


def _each(layout: Layout, curve: Callable[[str], NDArray[Any]], point: Callable[[Anchor], NDArray[Any]]) -> Places:
    """Members as lines, arms from mass centres to what is held there, mass centres."""
    centre = {name: Anchor(name, NULL) for name in layout.bodies}
    return {
        "lines": [curve(name) for name in layout.energies.members],
        "arms": [np.stack([point(centre[end.part]), point(end)]) for end in _held(layout)],
        "bodies": [point(one) for one in centre.values()],
    }


def _held(layout: Layout) -> list[Anchor]:
    """Places of bodies, away from their mass centres, where something is attached; each once."""
    ends = dict.fromkeys(end for join in layout.geometry.joins for end in (join.p, join.q))
    return [end for end in ends if end.part in layout.bodies and any(one != 0 for one in end.point)]


def _mode(layout: Layout, places: Positions, shape: Shape, label: str) -> Space:
    def curve(member: str) -> NDArray[Any]:
        spines = (layout.energies.spine_of(one).name for one in layout.energies.members[member])
        return np.concatenate([places.line(one, _POINTS).displacement(shape) for one in spines])

    moved = _each(layout, curve, lambda anchor: places.anchored(anchor).displacement(shape))
    every = np.concatenate([np.ravel(one) for kind in moved.values() for one in kind] or [np.zeros(1)])
    total, largest = complex(np.sum(every**2)), float(np.abs(every).max())
    if largest == 0.0:
        return {"label": f"{label} (moves no axis)", "count": 1, "factor": 1.0, "re": _rounded(moved)}
    phase = np.exp(-0.5j * np.angle(total)) if total else 1.0
    turned = {kind: [one * phase / largest for one in several] for kind, several in moved.items()}
    re, im = ({kind: [part(one) for one in many] for kind, many in turned.items()} for part in (np.real, np.imag))
    state: Space = {"label": label, "count": _PHASES, "factor": _AMPLITUDE * _size(_of(layout)), "re": _rounded(re)}
    late = max(float(np.abs(one).max(initial=0.0)) for many in im.values() for one in many)
    return state | ({"im": _rounded(im)} if late > 1e-6 else {})


# -- as data ---------------------------------------------------------------------------------------------------------


def _space(layout: Layout, states: Sequence[Space]) -> Space:
    places, rounded = _of(layout), _rounded(_of(layout))
    kinds = {name: next(line.kind for line, _, _ in layout.spines(name)) for name in layout.energies.members}
    looks = [symbols.MEMBERS.get(kinds[name], (2.6, symbols.COORDINATE, False)) for name in layout.energies.members]
    lines = [_line(points, look[1], look[0]) for points, look in zip(rounded["lines"], looks, strict=True)]
    supports = []
    for join in layout.geometry.joins:
        held = join.q if join.p.part == "ground" else join.p
        place = layout.at(held)
        if "ground" in (join.p.part, join.q.part) and join.kind not in (*_LINKS, "Free") and place is not None:
            supports.append({"kind": join.kind, "at": place.tolist()})
    box = [places, *({"lines": [np.reshape(one, (-1, 3)) for many in frame.values() for one in many]}
                     for state in states for frame in state.get("frames", ()))]  # fmt: skip
    told = _labels(layout, places)
    return _whole(box, lines, rounded["arms"], rounded["bodies"], supports, told) | {"states": list(states)}


def _labels(layout: Layout, places: Places) -> list[Space]:
    """A name at the middle of each member and at each body; bodies in one place share a label."""
    found = []
    for i, (name, curve) in enumerate(zip(layout.energies.members, places["lines"], strict=True)):
        found.append({"text": name, "at": curve[len(curve) // 2].tolist(), "of": ["lines", i]})
    here: dict[tuple[float, ...], Space] = {}
    for i, (name, at) in enumerate(zip(layout.bodies, places["bodies"], strict=True)):
        key = tuple(np.round(at / _size(places), 9).tolist())
        if key in here:
            here[key]["text"] += f", {name}"
        else:
            here[key] = {"text": name, "at": at.tolist(), "of": ["bodies", i]}
    return [*found, *here.values()]


def _whole(box: list[Places], lines: list[Space], arms: Any, bodies: Any, supports: Any, labels: Any) -> Space:
    points = np.concatenate([_points(places) for places in box])
    points = points if len(points) else np.zeros((1, 3))
    low, high = points.min(axis=0), points.max(axis=0)
    size = float((high - low).max()) or 1.0
    return {
        "size": size,
        "box": [low.tolist(), high.tolist()],
        "flat": bool(high[2] - low[2] <= 1e-9 * size),
        "lines": lines,
        "arms": [{"points": one} for one in arms],
        "bodies": [{"at": one} for one in bodies],
        "supports": supports,
        "labels": labels,
        "states": [],
    }


def _line(points: Any, colour: str, width: float) -> Space:
    return {"points": points, "colour": colour, "width": width}


def _size(places: Places) -> float:
    """The largest extent; 1 where everything is in one place."""
    points = _points(places)
    return (float(np.ptp(points, axis=0).max()) if len(points) else 0.0) or 1.0


def _points(places: Places) -> NDArray[Any]:
    return np.concatenate([np.zeros((0, 3)), *(one.reshape(-1, 3) for kind in places.values() for one in kind)])


def _rounded(places: Places) -> dict[str, list[list[float]]]:
    """As lists, to six digits of what is largest."""
    size = max((float(np.abs(one).max(initial=0.0)) for kind in places.values() for one in kind), default=0.0)
    digits = _DIGITS - int(np.floor(np.log10(size))) if size > 0 else 0
    return {kind: [np.round(np.ravel(one), digits).tolist() for one in every] for kind, every in places.items()}
