"""`flexura campbell` for a file about a frame on a moving body: whirl against speed, critical speeds, stability."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from flexura.cli.models import number_pair
from flexura.cli.output import complex_data, document, heading, told
from flexura.errors import FlexuraError

if TYPE_CHECKING:
    from flexura.solve.whirl import Whirl
    from flexura.structures.moving.frame_file import FrameFile


def is_frame(name: str) -> bool:
    """Whether MODEL is a file with a [frame]; what is no file or no TOML is left to whoever reads models."""
    from flexura.files.toml_source import text_of, toml_of

    if not name.endswith(".toml"):
        return False
    try:
        return "frame" in toml_of(text_of(Path(name)), name)
    except FlexuraError:
        return False


def campbell_of_frame(
    name: str, speeds: Any, count: int, given: Iterable[str] | None, orders: Any, json: bool, plot: Path | None
) -> None:
    """Print the chart of a frame that turns about the axis its file names."""
    from flexura.solve.critical_speed import critical_speeds
    from flexura.solve.whirl import whirl
    from flexura.structures.moving.frame_file import read_frame

    file = read_frame(name, dict(number_pair(one) for one in given or ()))
    if file.rotor is not None:
        _of_rotor(file, speeds, count, orders, json, plot)
        return
    chart = whirl(file.frame, speeds, file.about, count)
    top = float(max(abs(speeds)))
    critical = [float(one) for one in critical_speeds(file.frame, file.about, 4 * count) if one <= top]
    if plot is not None:
        from flexura.show.plot import plot as draw

        draw(chart, plot, orders=orders)
    if json:
        document({"title": file.title} | _data(chart, critical) | ({"picture": str(plot)} if plot else {}))
        return
    heading(f"{file.title}, turning about {chart.axis}")
    told(chart)
    typer.echo(f"\n{_critical(critical, top)}")
    if plot is not None:
        typer.echo(f"\n{plot}")


def _of_rotor(file: FrameFile, speeds: Any, count: int, orders: Any, json: bool, plot: Path | None) -> None:
    """The chart of a rotor as ground sees it, its critical speeds, and where it begins to whirl by itself."""
    from flexura.solve.campbell import campbell

    chart = campbell(file.rotor, "speed", speeds, count)
    top = float(max(abs(speeds)))
    critical = _within(file.rotor, 2 * count, top)
    if plot is not None:
        from flexura.show.plot import plot as draw

        draw(chart, plot, orders=orders)
    if json:
        data = {
            "axis": file.about,
            "speeds": [float(one) for one in speeds],
            "eigenvalues": [
                [None if cmath.isnan(one) else complex_data(one) for one in row] for row in chart.eigenvalues
            ],
            "frequencies": [[None if math.isnan(one) else one for one in row] for row in chart.frequencies.tolist()],
            "critical_speeds": critical,
        }
        document({"title": file.title} | data | ({"picture": str(plot)} if plot else {}))
        return
    heading(f"{file.title}, turning about {file.about} on bearings that stand on ground")
    told(chart)
    typer.echo(f"\n{_critical(critical, top)}")
    if plot is not None:
        typer.echo(f"\n{plot}")


def _within(rotor: Any, count: int, top: float) -> list[float]:
    """Critical speeds up to `top`; a bearing's table that ends before the last of them ends them, too."""
    from flexura.solve.critical_speed import critical_speeds

    for several in range(count, 0, -1):
        try:
            return [float(one) for one in critical_speeds(rotor, count=several) if one <= top]
        except FlexuraError as error:
            if error.keyword not in ("k", "c", "bearings"):
                raise
    return []


def _critical(critical: list[float], top: float) -> str:
    if not critical:
        return f"There is no critical speed up to {top:g}."
    return f"Critical speeds up to {top:g}: {', '.join(f'{speed:.7g}' for speed in critical)}."


def _data(chart: Whirl, critical: list[float]) -> dict[str, Any]:
    return {
        "axis": chart.axis,
        "speeds": chart.speeds.tolist(),
        "eigenvalues": [[None if cmath.isnan(one) else complex_data(one) for one in row] for row in chart.eigenvalues],
        "frequencies": [[None if math.isnan(one) else one for one in row] for row in chart.seen.tolist()],
        "whirl": [[None if math.isnan(one) else one for one in row] for row in chart.whirl.tolist()],
        "stable": chart.stable.tolist(),
        "stability_limit": chart.limit if math.isfinite(chart.limit) else None,
        "critical_speeds": critical,
    }
