"""`flexura campbell` for a file about a frame on a moving body: whirl against speed, critical speeds, stability."""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from flexura.cli.models import number_pair
from flexura.cli.output import complex_data, document, heading, table
from flexura.errors import FlexuraError

if TYPE_CHECKING:
    from flexura.solve.whirl import Whirl


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
    head = ["speed", *(f"mode {k + 1}" for k in range(chart.whirl.shape[1]))]
    typer.echo(table(head, [_row(chart, k) for k in range(len(chart.speeds))]))
    typer.echo("\n" + "\n".join(_sentences(chart, critical, top)))
    if plot is not None:
        typer.echo(f"\n{plot}")


def _row(chart: Whirl, k: int) -> list[str]:
    marks = [" " if math.isnan(one) else "F" if one > 0 else "B" for one in chart.whirl[k]]
    grows = (chart.eigenvalues[k].real > 0) & ~chart.stable[k]
    cells = [
        "-  " if math.isnan(one) else f"{one:.7g} {mark}{'*' if bad else ' '}"
        for one, mark, bad in zip(chart.seen[k], marks, grows, strict=True)
    ]
    return [f"{chart.speeds[k]:.6g}", *cells]


def _sentences(chart: Whirl, critical: list[float], top: float) -> Iterable[str]:
    yield "In rad/s. F forward and B backward whirl as seen from ground; unmarked modes in the turning frame."
    if not chart.stable.all():
        yield f"* grows. The motion is unstable from {chart.limit:.6g} rad/s on."
    else:
        yield "No mode grows at these speeds."
    if critical:
        yield f"Critical speeds up to {top:g}: {', '.join(f'{one:.7g}' for one in critical)}."
    else:
        yield f"There is no critical speed up to {top:g}."


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
