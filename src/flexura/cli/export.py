"""`flexura export`: a model as a file for other programs, by the ending of the path."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from flexura.cli.models import Values, solvable
from flexura.cli.output import Json, Name, document


def export(
    name: Name,
    path: Annotated[Path, typer.Argument(help="The file to write: .c, .m, .py, .json and others.", show_default=False)],
    value: Values = None,
    order: Annotated[int | None, typer.Option(help="The polynomial degree along members.", show_default=False)] = None,
    output: Annotated[
        list[str] | None,
        typer.Option(help="An output, a coordinate or a place like beam.at(0.5); may be repeated.", show_default=False),
    ] = None,
    json: Json = False,
) -> None:
    """Write the equations of motion as code or data; the ending of the path says the format."""
    from flexura.exports.registry import check_export
    from flexura.exports.registry import export as write
    from flexura.solve.named_places import output_of

    check_export(path)
    model = solvable(name, value)
    options: dict[str, Any] = {}
    if path.suffix.lower() in _CODE:
        options = {"values": model.values, "order": order}
        if output:
            options["outputs"] = [output_of(model.equations, one) for one in output]
    elif order is not None or output:
        raise typer.BadParameter(f"--order and --output are for {', '.join(_CODE)}.")
    write(model.equations, path, **options)
    if json:
        document({"file": str(path)})
        return
    typer.echo(path)


_CODE = (".c", ".fmu", ".m", ".mo", ".py")
