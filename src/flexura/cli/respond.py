"""`flexura respond` and `flexura campbell`: answers over a range, of frequencies or of a parameter."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from flexura.cli.frames import campbell_of_frame, is_frame
from flexura.cli.models import Picture, Rest, Values, linear, solvable
from flexura.cli.output import Json, Name, complex_data, document, told

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
    field: Annotated[str | None, typer.Option(help="One field of the member, where it has several.")] = None,
    points: Annotated[int, typer.Option(help="How many frequencies.", min=1)] = 25,
    kind: Annotated[Kind, typer.Option(help="Displacement, velocity or acceleration.")] = Kind.receptance,
    value: Values = None,
    rest: Rest = False,
    json: Json = False,
    plot: Picture = None,
) -> None:
    """Answer a harmonic load: magnitude and phase over frequency, exact at every frequency."""
    import numpy as np

    from flexura.solve.frequency_response import frequency_response
    from flexura.solve.named_places import output_of
    from flexura.solve.response import Response

    model, omega = solvable(name, value), np.linspace(first, last, points)
    equations = linear(model, rest)
    place = output_of(equations, output)
    found = frequency_response(equations, omega, load, (place, field) if field else place, model.values, str(kind))
    response = Response.of(found, omega, load, (output, field) if field else output, str(kind), found.fields)
    _picture(response, plot)
    columns = found.reshape(len(omega), -1)
    if json:
        data: dict[str, Any] = {"load": load, "output": output, "kind": str(kind), "omega": omega.tolist()}
        data |= {"fields": list(found.fields)} if found.fields else {}
        rows: Any = [[complex_data(one) for one in row] for row in columns]
        document(data | {"response": rows if found.ndim > 1 else [row[0] for row in rows]} | _path(plot))
        return
    told(response)
    if plot is not None:
        typer.echo(f"\n{plot}")


def campbell(
    name: Name,
    first: First,
    last: Last,
    parameter: Annotated[
        str | None,
        typer.Option(help="The name to vary, usually a speed; a frame has only its speed.", show_default=False),
    ] = None,
    points: Annotated[int, typer.Option(help="How many values.", min=1)] = 13,
    count: Annotated[int, typer.Option(help="How many branches.", min=1)] = 4,
    order: Annotated[list[float] | None, typer.Option(help="A multiple of the speed to draw; may be repeated.")] = None,
    value: Values = None,
    json: Json = False,
    plot: Picture = None,
) -> None:
    """Follow frequencies over a parameter, or over the speed of a frame: the data of a Campbell chart."""
    import numpy as np

    from flexura.solve.campbell import campbell as solve

    over = np.linspace(first, last, points)
    if is_frame(name):
        if parameter is not None:
            raise typer.BadParameter("a frame is followed over its speed alone; leave --parameter out.")
        campbell_of_frame(name, over, count, value, order or None, json, plot)
        return
    if parameter is None:
        raise typer.BadParameter("--parameter is missing; say which name to vary.")
    model = solvable(name, value, vary=parameter)
    chart = solve(model.equations, parameter, over, count, model.values)
    _picture(chart, plot, orders=order or None)
    if json:
        rows: Any = [[None if np.isnan(one) else complex_data(one) for one in row] for row in chart.eigenvalues]
        sizes = [[None if np.isnan(one) else float(one) for one in row] for row in chart.frequencies]
        data = {"parameter": parameter, "values": over.tolist(), "frequencies": sizes}
        document(data | {"eigenvalues": rows, "unstable": chart.unstable.tolist()} | _path(plot))
        return
    told(chart)
    if plot is not None:
        typer.echo(f"\n{plot}")


def _picture(result: Any, path: Path | None, **options: Any) -> None:
    if path is not None:
        from flexura.show.plot import plot as draw

        draw(result, path, **options)


def _path(path: Path | None) -> dict[str, str]:
    return {"picture": str(path)} if path is not None else {}
