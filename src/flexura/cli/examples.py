"""`flexura examples`: what there is to try."""

from __future__ import annotations

import typer

from flexura.cli.output import Json, document
from flexura.gallery import EXAMPLES, title


def examples(json: Json = False) -> None:
    """List the built-in examples."""
    titles = {name: title(name) for name in EXAMPLES}
    if json:
        document([{"name": name, "title": text} for name, text in titles.items()])
        return
    column = max(map(len, titles))
    for name, text in titles.items():
        typer.echo(f"{typer.style(name.ljust(column), bold=True)}  {text}")
