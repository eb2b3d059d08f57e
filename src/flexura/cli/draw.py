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
        Path | None, typer.Argument(help="The file to write: .svg, .pdf, .png, .tikz or .tex; MODEL.svg if not given.")
    ] = None,
    free_bodies: Annotated[bool, typer.Option(help="Draw every body and member cut free.")] = False,
    dimensions: Annotated[bool, typer.Option(help="Write the lengths of members and arms, too.")] = False,
    value: Values = None,
    json: Json = False,
) -> None:
    """Draw the schematic: parts, joints, springs, loads and coordinates."""
    from flexura.derivation.diagrams import free_bodies as cut_free
    from flexura.show.plot import check_drawing, plot  # Matplotlib, which other commands do not wait for

    place = path or Path(f"{Path(name).stem}.svg")
    check_drawing(place)
    if free_bodies and dimensions:
        raise typer.BadParameter("--free-bodies are drawn without --dimensions; keep one of them.")
    drawn = cut_free(system(name)) if free_bodies else system(name)
    more = {"dimensions": True} if dimensions else {}
    plot(drawn, place, values=dict(number_pair(one) for one in value or ()), **more)
    if json:
        document({"path": str(place)})
    else:
        typer.echo(place)
