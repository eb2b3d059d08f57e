"""Structures in operation: a state on its nodes, before and after; the error of a reduced model over frequency."""

from __future__ import annotations

from typing import Any

import numpy as np

from flexura.errors import FlexuraError
from flexura.show.plots.style import COLOURS, REFERENCE, figure, number, quiet
from flexura.structures.operating.geometry import geometry_of
from flexura.structures.operating.state import OperatingState
from flexura.systems.second_order import SecondOrderSystem

_AMPLITUDE = 0.12  # of the extent of the structure
_MANY = 20_000


def draw_state(state: OperatingState, magnify: float | None = None) -> Any:
    """Nodes where they were and where they are, coloured by how far they moved; bars of nodes in a line as a curve."""
    assert state.system is not None
    geometry = geometry_of(state.system)
    if geometry is None:
        raise FlexuraError(
            "The picture of a state needs node coordinates that fit its rows", advice="give nodes=(nodes, 3)"
        )
    places, moved = geometry.places, geometry.vectors(state.deformation)
    size, extent = float(np.abs(moved).max(initial=0.0)), float(np.ptp(places, axis=0).max())
    factor = magnify if magnify is not None else (_AMPLITUDE * extent / size if size else 1.0)
    step = max(1, len(places) // _MANY)
    flat = [axis for axis in range(3) if np.ptp(places[:, axis]) <= 1e-9 * extent]
    made = figure(6.4, 4.4)
    if len(flat) >= 2:
        _along(made.subplots(), places, moved, next(axis for axis in range(3) if axis not in flat))
    else:
        _cloud(made, places[::step], moved[::step], factor)
    largest = max((abs(value) for value in state.motion.values()), default=0.0)
    moving = [f"{name} {number(value)}" for name, value in state.motion.items() if abs(value) > 1e-9 * largest]
    rate = ", ".join(moving) or "at rest"
    made.suptitle(f"constant {state.kind}: {rate}\nlargest deformation {number(size)}", fontsize=9)
    return made


def _along(axes: Any, places: Any, moved: Any, axis: int) -> None:
    """A straight structure: displacements over its length."""
    order = np.argsort(places[:, axis])
    for i, name in enumerate("xyz"):
        if np.abs(moved[:, i]).max():
            axes.plot(places[order, axis], moved[order, i], color=COLOURS[i], linewidth=1.4, label=f"along {name}")
    axes.axhline(0, color=REFERENCE, linewidth=0.8)
    axes.set_xlabel(f"{'xyz'[axis]} in m")
    axes.set_ylabel("displacement in m")
    axes.legend(frameon=False)
    quiet(axes)


def _cloud(made: Any, places: Any, moved: Any, factor: float) -> None:
    axes = made.add_subplot(projection="3d")
    far = np.linalg.norm(moved, axis=1)
    axes.scatter(*places.T, s=2, color=REFERENCE, alpha=0.35, depthshade=False)
    shown = axes.scatter(*(places + factor * moved).T, s=5, c=far, cmap="viridis", depthshade=False)
    axes.set_xlabel("x in m")
    axes.set_ylabel("y in m")
    axes.set_zlabel("z in m")
    axes.tick_params(labelsize=8)
    for along, spread in zip(
        (axes.xaxis, axes.yaxis, axes.zaxis), np.ptp(places + factor * moved, axis=0), strict=True
    ):
        along.set_major_locator(_ticks(spread / np.ptp(places, axis=0).max()))
    axes.set_box_aspect(np.maximum(np.ptp(places + factor * moved, axis=0), 0.15 * np.ptp(places, axis=0).max()))
    made.colorbar(shown, ax=axes, shrink=0.7, pad=0.1, label=f"displacement (drawn {number(factor)} times)")


def _ticks(share: float) -> Any:
    """Few labels along short axes."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(5 if share > 0.5 else 2)


def draw_error(reduced: SecondOrderSystem, omega: Any = None) -> Any:
    """The estimated error of a reduced model over frequency; its own resonances are marked."""
    if reduced.estimate is None:
        raise FlexuraError("Only a reduced system has an error to draw", advice="reduce one with fx.reduce(...)")
    squares = np.linalg.eigvals(np.linalg.solve(np.asarray(reduced.M), np.asarray(reduced.K))).real
    own = np.sqrt(np.sort(squares[squares > 1e-9 * max(squares.max(), 0.0)]))
    if omega is None:
        last = own[min(2, len(own) - 1)] if len(own) else 1.0
        omega = np.linspace(0.01, 1.2, 119) * last
    points = np.asarray(omega, dtype=np.float64)
    made = figure(6.4, 3.8)
    axes = made.subplots()
    errors = np.asarray(reduced.estimate(points))
    axes.semilogy(points, np.clip(errors, 1e-16, None), color=COLOURS[0], linewidth=1.4)
    axes.set_ylim(top=min(10 * float(errors.max(initial=1e-16)), 30.0))
    for i, one in enumerate(own[own <= points.max()]):
        label = "resonance of the reduced model" if i == 0 else None
        axes.axvline(one, color=COLOURS[1], linewidth=0.8, linestyle=":", label=label)
    if (own <= points.max()).any():
        axes.legend(frameon=False, fontsize=8)
    axes.set_xlabel("frequency in rad/s")
    axes.set_ylabel("relative error, estimated")
    axes.set_title(f"reduced from {reduced.basis.shape[0]} to {reduced.n} degrees of freedom", fontsize=10)
    quiet(axes)
    return made
