"""`flexura respond` and `flexura campbell`: answers over a range, of frequencies or of a parameter."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from flexura.cli.models import Picture, Rest, Values, linear, solvable
from flexura.cli.output import Json, Name, complex_data, document, table
from flexura.derive.family import is_speed, linear_family

First = Annotated[float, typer.Option("--from", help="Where the range starts.", show_default=False)]
Last = Annotated[float, typer.Option("--to", help="Where it ends.", show_default=False)]


class Kind(StrEnum):
    """What is answered: displacement, velocity or acceleration per unit load."""

    receptance = "receptance"
    mobility = "mobility"
    accelerance = "accelerance"


def respond(
    name: Name,
    load: Annotated[str, typer.Option(help="A load's, input's or coordinate's name.", show_default=False)],
    output: Annotated[str, typer.Option(help="A coordinate, or a place like beam.end or beam.at(0.5).")],
    first: First,
    last: Last,
    points: Annotated[int, typer.Option(help="How many frequencies.", min=1)] = 25,
    kind: Annotated[Kind, typer.Option(help="Displacement, velocity or acceleration.")] = Kind.receptance,
    value: Values = None,
    rest: Rest = False,
    json: Json = False,
    plot: Picture = None,
) -> None:
    """Answer a harmonic load: magnitude and phase over frequency, exact at every frequency."""
    import numpy as np

    from flexura.analyse.frequency_response import frequency_response
    from flexura.analyse.named_places import output_of
    from flexura.analyse.response import Response

    model, omega = solvable(name, value), np.linspace(first, last, points)
    equations = linear(model, rest)
    found = frequency_response(equations, omega, load, output_of(equations, output), model.values, str(kind))
    response = Response.of(found, omega, load, output, str(kind))
    _picture(response, plot)
    if json:
        data = {"load": load, "output": output, "kind": str(kind), "omega": omega.tolist()}
        document(data | {"response": [complex_data(one) for one in found]} | _path(plot))
        return
    rows = [
        [f"{w:.8g}", f"{abs(one):.8g}", f"{np.degrees(np.angle(one)) + 0.0:.4f}"]
        for w, one in zip(omega, found, strict=True)
    ]
    typer.echo(table(["omega rad/s", response.label, "phase deg"], rows))
    if plot is not None:
        typer.echo(f"\n{plot}")


def campbell(
    name: Name,
    parameter: Annotated[str, typer.Option(help="The name to vary, usually a speed.", show_default=False)],
    first: First,
    last: Last,
    points: Annotated[int, typer.Option(help="How many values.", min=1)] = 13,
    count: Annotated[int, typer.Option(help="How many branches.", min=1)] = 4,
    order: Annotated[list[float] | None, typer.Option(help="A multiple of the speed to draw; may be repeated.")] = None,
    value: Values = None,
    json: Json = False,
    plot: Picture = None,
) -> None:
    """Follow frequencies over a parameter: the data of a Campbell chart."""
    from dataclasses import replace

    import numpy as np

    from flexura.analyse.campbell import campbell as solve
    from flexura.analyse.equilibrium import equilibrium

    model, over = solvable(name, value, vary=parameter), np.linspace(first, last, points)
    family = linear_family(model.equations, parameter, model.values, equilibrium)
    chart = solve(family, parameter, over, count, model.values)
    chart = replace(chart, speed=is_speed(model.equations, parameter))
    _picture(chart, plot, orders=order or None)
    if json:
        rows: Any = [[complex_data(one) for one in row] for row in chart.eigenvalues]
        data = {"parameter": parameter, "values": over.tolist(), "frequencies": chart.frequencies.tolist()}
        document(data | {"eigenvalues": rows, "unstable": chart.unstable.tolist()} | _path(plot))
        return
    lines = [
        [f"{at:.6g}", *(f"{one:.8g}{' *' if bad else ''}" for one, bad in zip(row, grows, strict=True))]
        for at, row, grows in zip(over, chart.frequencies, chart.unstable, strict=True)
    ]
    typer.echo(table([parameter, *(f"branch {k + 1}" for k in range(chart.eigenvalues.shape[1]))], lines))
    if chart.unstable.any():
        typer.echo("\n* unstable: the eigenvalue has a positive real part")
    if plot is not None:
        typer.echo(f"\n{plot}")


def _picture(result: Any, path: Path | None, **options: Any) -> None:
    if path is not None:
        from flexura.present.plots import plot as draw

        draw(result, path, **options)


def _path(path: Path | None) -> dict[str, str]:
    return {"picture": str(path)} if path is not None else {}
