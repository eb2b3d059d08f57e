"""How commands print: one JSON document, or text with headings; what is no terminal gets no colours."""

from __future__ import annotations

import json
import shutil
import sys
from typing import Annotated, Any, TypeAlias

import typer

from flexura.display import Displayed

Name: TypeAlias = Annotated[
    str,
    typer.Argument(
        help="A model file (.toml), or an example's name; `flexura examples` lists them.",
        metavar="MODEL",
        show_default=False,
    ),
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


def told(result: Displayed) -> None:
    """Print all that a result tells of itself."""
    typer.echo("\n\n".join(map(str, result.told())))


def complex_data(one: Any) -> float | dict[str, float]:
    """A number for JSON: real ones plain, others by their parts."""
    found = complex(one)
    return {"re": found.real, "im": found.imag} if isinstance(one, complex) or _is_complex(one) else found.real


def _is_complex(one: Any) -> bool:
    return getattr(getattr(one, "dtype", None), "kind", "") == "c"
