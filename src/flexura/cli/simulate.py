"""`flexura simulate`: motion in time, with the energy balance."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from flexura.cli.models import Picture, Values, solvable
from flexura.cli.output import Json, Name, document, heading, told
from flexura.errors import FlexuraError

if TYPE_CHECKING:
    from flexura.solve.steppers.trajectory import Trajectory


def simulate(
    name: Name,
    until: Annotated[float, typer.Option("--until", help="The last time, in s.")] = 1.0,
    points: Annotated[int, typer.Option(help="How many times, from 0 on.", min=2)] = 201,
    initial: Annotated[
        list[str] | None, typer.Option("--initial", "-i", help="A start, like theta=0.1 or theta_t=2; may be repeated.")
    ] = None,
    inputs: Annotated[
        list[str] | None, typer.Option("--input", help="An input, like tau='sin(3*t)'; may be repeated.")
    ] = None,
    value: Values = None,
    order: Annotated[
        int | None, typer.Option(help="The polynomial degree in each element.", show_default=False)
    ] = None,
    elements: Annotated[int | None, typer.Option(help="Elements in each member.", show_default=False)] = None,
    tolerance: Annotated[float, typer.Option(help="What the energy balance may miss, of the largest energy.")] = 1e-8,
    json: Json = False,
    plot: Picture = None,
    save: Annotated[
        Path | None, typer.Option("--save", help="Write all histories into this netCDF file (.nc).", show_default=False)
    ] = None,
    film: Annotated[
        Path | None, typer.Option("--animate", help="Write a moving picture: .gif, .html, .mp4.", show_default=False)
    ] = None,
) -> None:
    """Follow the motion in time; the energy balance proves the run."""
    import numpy as np

    from flexura.solve.simulate import simulate as follow

    if not until > 0:
        raise FlexuraError(f"--until is {until:g}", advice="give a time after 0")
    _check_files(plot, save, film)
    model = solvable(name, value)
    times = np.linspace(0.0, until, points)
    run = follow(
        model.equations, times, _pairs(initial, "--initial"), _pairs(inputs, "--input"), model.values, order, elements,
        tolerance=tolerance,
    )  # fmt: skip
    written = _files(run, plot, save, film)
    if json:
        document(_data(run) | written)
        return
    heading("Run")
    told(run)
    if not run.energy.scale:
        typer.echo(_start(run))
    for path in written.values():
        typer.echo(f"Written: {path}")


def _start(run: Trajectory) -> str:
    """How to move it from here."""
    energies = run.motion.equations.lagrangian
    start = [f"--initial {name}_t=NUMBER" for name in (*energies.coordinates, *energies.fields)[:1]]
    load = [f"--input {name}=NUMBER" for name in list(energies.inputs)[:1]]
    return f"Like {' or '.join(start + load)}."


def _pairs(given: list[str] | None, option: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for text in given or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip() or not value.strip():
            raise typer.BadParameter(f"{option} takes NAME=VALUE; {text!r} is not that.")
        try:
            found[name.strip()] = float(value)
        except ValueError:
            found[name.strip()] = value.strip().strip("'\"")
    return found


def _check_files(plot: Path | None, save: Path | None, film: Path | None) -> None:
    """What cannot be written is told before the run, not after it."""
    if plot is not None:
        from flexura.show.plot import check_picture

        check_picture(plot)
    if save is not None:
        from flexura.exports.netcdf import check_netcdf

        check_netcdf(save)
    if film is not None:
        from flexura.show.animate_file import check_film

        check_film(film)


def _files(run: Trajectory, plot: Path | None, save: Path | None, film: Path | None) -> dict[str, str]:
    written: dict[str, str] = {}
    if plot is not None:
        from flexura.show.plot import plot as draw

        draw(run, plot)
        written["picture"] = str(plot)
    if save is not None:
        from flexura.exports.netcdf import write_netcdf

        written["file"] = str(write_netcdf(run, save))
    if film is not None:
        from flexura.show.animate import animate

        written["film"] = str(animate(run, film))
    return written


def _shown(run: Trajectory) -> list[str]:
    energies = run.motion.equations.lagrangian
    return [*energies.coordinates, *energies.prescribed]


def _data(run: Trajectory) -> dict[str, Any]:
    energy = run.energy
    fields = {}
    for name in run.motion.equations.fields:
        end = run.motion.whole.fields[name].end
        fields[name] = {"x": end, "values": run.place(name, end).tolist()}
    return {
        "t": run.t.tolist(),
        "coordinates": {name: run[name].tolist() for name in _shown(run)},
        "rates": {name: run[f"{name}_t"].tolist() for name in _shown(run)},
        "ends": fields,
        "energy": {
            "kinetic": energy.kinetic.tolist(),
            "potential": energy.potential.tolist(),
            "dissipated": energy.dissipated.tolist(),
            "supplied": energy.supplied.tolist(),
            "error": energy.error,
        },
        "complete": run.complete,
        "message": run.message,
        "notes": list(run.notes),
    }
