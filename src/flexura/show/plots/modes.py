"""Modes: every member in its place, bodies drawn, nodes marked; one panel for each mode.

Systems that do not say where their parts are (written as energies) are drawn by name: fields over x, coordinates as
bars.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from flexura.derivation.equations.equations import Equations
from flexura.errors import FlexuraError
from flexura.show.plots.scene import Scene
from flexura.show.plots.style import COLOURS, REFERENCE, figure, number, quiet
from flexura.solve.buckling import Buckling
from flexura.solve.exact.shapes import Shape
from flexura.solve.roots.found import Modes
from flexura.solve.runs.positions import Positions

_AMPLITUDE = 0.16  # of the extent of the system
_JOINTS = {"Spherical": "^", "Universal": "^", "Cylindrical": "D", "Planar": "D"}
_SUPPORT = {"Fixed": "s", "Pin": "^", "Roller": "o", "Revolute": "^", "Slide": "D", "Free": "", **_JOINTS}


def draw_modes(
    modes: Modes,
    which: int | Iterable[int] | None = None,
    equations: Equations | None = None,
    values: Mapping[str, Any] | None = None,
    magnification: float | None = None,
) -> Any:
    """`which` modes, from 0: the first six if nothing is said; `equations` where the modes do not know theirs.

    `magnification` of the shapes is chosen so that they are seen, if it is not given.
    """
    if magnification is not None and not (np.isfinite(magnification) and magnification > 0):
        raise FlexuraError(f"magnification is {magnification}", advice="give a number above zero, like 0.2")
    chosen = _chosen(modes, which)
    owner, numbers = equations or modes.equations, values if values is not None else modes.values
    shapes = [modes.shape(k) for k in chosen]
    scenes = None
    if owner is not None and owner.lagrangian.geometry is not None:
        places = Positions(owner, numbers, still=True)
        scenes = [Scene(places, shape) for shape in shapes]
        if max(scene.size for scene in scenes) <= 0:
            scenes = None  # everything is in one place: names say more
    titles = [_title(modes, k) for k in chosen]
    return _in_place(scenes, titles, magnification) if scenes else _by_name(shapes, titles)


def draw_buckling(buckling: Buckling) -> Any:
    """The shape that a system buckles into."""
    made = draw_modes(buckling.modes, buckling.mode)
    made.axes[0].set_title(f"buckles {buckling.summary()}", fontsize=9)
    return made


def _chosen(modes: Modes, which: int | Iterable[int] | None) -> list[int]:
    wanted = range(min(6, len(modes))) if which is None else [which] if isinstance(which, int) else list(which)
    for k in wanted:
        if not 0 <= k < len(modes):
            raise FlexuraError(f"There is no mode {k} to draw", advice=f"modes are numbered from 0 to {len(modes) - 1}")
    if not len(list(wanted)):
        raise FlexuraError("There are no modes to draw", advice="ask fx.modes for some with count=")
    return list(wanted)


def _title(modes: Modes, k: int) -> str:
    s = modes.eigenvalues[k]
    omega = abs(s)
    text = f"mode {k + 1}: {number(omega)} rad/s, {number(omega / (2 * math.pi))} Hz"
    if s.imag == 0 and s.real:
        return f"mode {k + 1}: s = {number(s.real)} 1/s"
    zeta = modes.damping_ratios[k]
    return f"{text}, ζ = {zeta:.2g}" if abs(zeta) > 1e-9 else text


def _panels(count: int, wide: float, high: float) -> tuple[Any, int, int]:
    columns = 1 if count == 1 else 2
    rows = math.ceil(count / columns)
    return figure(wide * columns, high * rows), rows, columns


def _in_place(scenes: list[Scene], titles: list[str], magnification: float | None) -> Any:
    size = scenes[0].size
    grow = [magnification or (_AMPLITUDE * size / scene.largest if scene.largest else 0.0) for scene in scenes]
    axes_used = _dimensions(scenes, grow)
    spatial = len(axes_used) == 3
    low, high = _limits(scenes, grow)
    if not spatial:
        low, high = _no_strip(low, high, *axes_used)
    ratio = float((high - low)[axes_used[1]] / (high - low)[axes_used[0]]) if not spatial else 0.7
    wide = 3.6 if len(scenes) > 1 else 5.2
    made, rows, columns = _panels(len(scenes), wide, 0.75 + wide * ratio * 0.86)
    for i, (scene, factor, title) in enumerate(zip(scenes, grow, titles, strict=True)):
        axes = made.add_subplot(rows, columns, i + 1, projection="3d" if spatial else None)
        _draw(axes, scene, factor, axes_used)
        axes.set_title(title, fontsize=9)
        _told(axes, factor, scene.across is not None)
        _frame(axes, low, high, axes_used, first=i % columns == 0, last=i >= len(scenes) - columns)
    return made


def _told(axes: Any, factor: float, across: bool) -> None:
    """By how much the shape is magnified, and that it is drawn across its axis."""
    told = f"shape \u00d7 {number(factor)}" + (", drawn across the axis" if across else "")
    put = axes.text2D if hasattr(axes, "text2D") else axes.text
    put(0.995, 0.01, told, transform=axes.transAxes, fontsize=6, color="#777777", ha="right", va="bottom")


def _dimensions(scenes: list[Scene], grow: list[float]) -> list[int]:
    """The axes that are used: at least two, the plane's own first."""
    used = np.zeros(3)
    for scene, factor in zip(scenes, grow, strict=True):
        used = np.maximum(used, np.ptp(scene.points, axis=0))
        for one in scene.moving:
            used = np.maximum(used, factor * np.abs(one.moved).reshape(-1, 3).max(axis=0))
    found = [i for i in range(3) if used[i] > 1e-6 * used.max()]
    for extra in (0, 1, 2):
        if len(found) < 2 and extra not in found:
            found.append(extra)
    return sorted(found)


def _limits(scenes: list[Scene], grow: list[float]) -> tuple[Any, Any]:
    every = []
    for scene, factor in zip(scenes, grow, strict=True):
        for one in scene.moving:
            rest = one.rest.reshape(-1, 3)
            reach = factor * np.abs(one.moved).reshape(-1, 3)
            every += [rest - reach, rest + reach]
    points = np.concatenate(every)
    low, high = points.min(axis=0), points.max(axis=0)
    margin = 0.06 * float((high - low).max())
    return low - margin, high + margin


def _no_strip(low: Any, high: Any, a: int, b: int) -> tuple[Any, Any]:
    """Wider limits where a panel would be a strip, or a tower."""
    low, high = low.copy(), high.copy()
    for long, short, least in ((a, b, 0.3), (b, a, 0.6)):
        lacking = least * (high[long] - low[long]) - (high[short] - low[short])
        if lacking > 0:
            low[short] -= lacking / 2
            high[short] += lacking / 2
    return low, high


def _draw(axes: Any, scene: Scene, factor: float, used: list[int]) -> None:
    def place(points: Any) -> Any:
        return tuple(np.asarray(points)[..., i] for i in used)

    lines, bodies, arms = scene.displaced(factor)
    for arm in arms:
        axes.plot(*place(arm), color="#8a8a8a", linewidth=3.2, zorder=2.5, solid_capstyle="round")
    for line, drawn in zip(scene.lines, lines, strict=True):
        axes.plot(*place(line.rest), color=REFERENCE, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
        later = factor * np.imag(line.moved)
        if np.abs(later).max() > 0.02 * factor * max(scene.largest, 1e-300):
            axes.plot(*place(line.rest + later), color=COLOURS[0], linewidth=1.0, alpha=0.35, zorder=2)
        style = ":" if line.across else "-"
        axes.plot(*place(drawn), style, color=COLOURS[0], linewidth=2.0, zorder=3)
        if len(line.nodes):
            axes.plot(
                *place(line.nodes), "o", markerfacecolor="white", markeredgecolor=COLOURS[1], markersize=4.5,
                markeredgewidth=1.2, linestyle="none", zorder=5,
            )  # fmt: skip
    for here in bodies:
        axes.plot(*([one] for one in place(here)), "o", color="#222222", markersize=6, zorder=4)
    for support in scene.supports:
        if marker := _SUPPORT.get(support.kind, ""):
            axes.plot(
                *([one] for one in place(support.at)), marker, markerfacecolor="#d9d9d9", markeredgecolor="#555555",
                markersize=8, zorder=2,
            )  # fmt: skip


def _frame(axes: Any, low: Any, high: Any, used: list[int], first: bool, last: bool) -> None:
    names = [f"{'xyz'[i]} in m" for i in used]
    axes.tick_params(labelsize=7)
    if len(used) == 3:
        axes.set_box_aspect(np.maximum(high - low, 0.25 * (high - low).max()))
        for put, name in zip((axes.set_xlabel, axes.set_ylabel, axes.set_zlabel), names, strict=True):
            put(name, fontsize=8)
        axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
        axes.locator_params(nbins=4)
        return
    quiet(axes)
    axes.set_aspect("equal", adjustable="box")
    axes.set_xlim(low[used[0]], high[used[0]])
    axes.set_ylim(low[used[1]], high[used[1]])
    axes.locator_params(axis="y", nbins=5)
    axes.set_xlabel(names[0] if last else "", fontsize=8)
    axes.set_ylabel(names[1] if first else "", fontsize=8)


def _by_name(shapes: list[Shape], titles: list[str]) -> Any:
    """Fields over x, and coordinates as bars, each panel to the scale of its largest value."""
    fields = bool(shapes[0].fields)
    made, rows, columns = _panels(len(shapes), 3.6 if len(shapes) > 1 else 5.2, 2.4)
    for i, (shape, title) in enumerate(zip(shapes, titles, strict=True)):
        axes = made.add_subplot(rows, columns, i + 1)
        quiet(axes)
        axes.set_title(title, fontsize=9)
        axes.axhline(0, color="#888888", linewidth=0.8)
        axes.tick_params(labelsize=7)
        _fields(axes, shape) if fields else _bars(axes, shape)
        axes.set_ylabel("shape (largest = 1)" if i % columns == 0 else "", fontsize=8)
        axes.set_xlabel("x in m" if fields and i >= len(shapes) - columns else "", fontsize=8)
    return made


def _fields(axes: Any, shape: Shape) -> None:
    lines = {name: np.linspace(*one.span, 161) for name, one in shape.fields.items()}
    values = {name: np.asarray(shape.fields[name](x)) for name, x in lines.items()}
    phase, largest = _turned(np.concatenate([np.ravel(one) for one in values.values()]))
    for k, (name, x) in enumerate(lines.items()):
        real = np.real(values[name] * phase) / largest
        axes.plot(x, real, color=COLOURS[k % len(COLOURS)], linewidth=1.8, label=name)
        signs = np.flatnonzero(real[:-1] * real[1:] < 0)
        at = [x[j] + (x[j + 1] - x[j]) * real[j] / (real[j] - real[j + 1]) for j in signs]
        axes.plot(at, np.zeros(len(at)), "o", markerfacecolor="white", color=COLOURS[1], markersize=4.5, zorder=5)
    axes.set_ylim(-1.15, 1.15)
    if len(lines) > 1:
        axes.legend(frameon=False, fontsize=7, loc="best")


def _bars(axes: Any, shape: Shape) -> None:
    names = list(shape.coordinates)
    values = np.array([shape.coordinates[name] for name in names])
    phase, largest = _turned(values)
    axes.bar(names, np.real(values * phase) / largest, color=COLOURS[0], width=0.5)
    axes.set_ylim(-1.15, 1.15)


def _turned(values: Any) -> tuple[complex, float]:
    """The phase that makes values as real as can be, and their size."""
    total = complex(np.sum(values**2)) if values.size else 0j
    phase = complex(np.exp(-0.5j * np.angle(total))) if total else 1.0
    return phase, float(np.abs(values).max(initial=0.0)) or 1.0
