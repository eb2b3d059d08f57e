"""How commands print: one JSON document, or text with headings; what is no terminal gets no colours."""

from __future__ import annotations

import json
import shutil
import sys
from typing import Annotated, Any, TypeAlias

import typer

Name: TypeAlias = Annotated[
    str, typer.Argument(help="An example's name; `flexura examples` lists them.", show_default=False)
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def document(data: Any) -> None:
    """Print data as JSON."""
    typer.echo(json.dumps(data, indent=1, ensure_ascii=False))


def heading(text: str) -> None:
    """Print a line that stands out on a terminal."""
    typer.secho(text, bold=True)


def width() -> int:
    """How many columns equations may take: the terminal's, or 100 where there is none."""
    return max(60, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 100
