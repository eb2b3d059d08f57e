"""`flexura report`: the derivation and its proof as a document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from flexura.cli.models import system
from flexura.cli.models import title as title_of
from flexura.cli.output import Json, Name, document
from flexura.derivation.routes import derive
from flexura.derivation.verify import verify


def report(
    name: Name,
    path: Annotated[
        Path, typer.Argument(help="The file to write: .html, .pdf, .typ, .tex, .md or .docx.", show_default=False)
    ],
    json: Json = False,
) -> None:
    """Write a report as .html, .pdf, .typ, .tex, .md or .docx."""
    from flexura.show.report import write_report  # pictures load Matplotlib, which other commands do not wait for

    equations = derive(system(name))
    certificate = verify(equations)
    written = write_report(equations, certificate, path, title_of(name))
    if json:
        document({"path": str(written), "verified": bool(certificate)})
    else:
        typer.echo(written)
