"""`flexura draw`: the schematic of a model, before anything is solved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexura.cli.models import Values, number_pair, system
from flexura.cli.output import Json, Name, document


def draw(
    name: Name,
    path: Annotated[
        Path | None, typer.Argument(help="The file to write: .png, .svg or .pdf; MODEL.svg if not given.")
    ] = None,
    value: Values = None,
    json: Json = False,
) -> None:
    """Draw the schematic: parts, joints, springs, loads and coordinates."""
    from flexura.show.plot import check_picture, plot  # Matplotlib, which other commands do not wait for

    place = path or Path(f"{Path(name).stem}.svg")
    check_picture(place)
    plot(system(name), place, values=dict(number_pair(one) for one in value or ()))
    if json:
        document({"path": str(place)})
    else:
        typer.echo(place)
