"""`flexura derive` and `flexura verify`: the equations of a system, and their proof."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from flexura.cli.models import system
from flexura.cli.output import Json, Name, heading, width
from flexura.derivation import routes
from flexura.derivation.equations.equations import Equations
from flexura.derivation.equations.latex import rows_latex
from flexura.derivation.equations.text import rows_text, step_text
from flexura.derivation.verify import verify as certify
from flexura.errors import FlexuraError

METHODS = ", ".join((*routes.ROUTES, *routes.MOTION_ROUTES))


class Format(StrEnum):
    """How equations are printed."""

    text = "text"
    latex = "latex"
    json = "json"


def derive(
    name: Name,
    method: Annotated[str, typer.Option(help=f"The route: {METHODS}.")] = "surrogate",
    steps: Annotated[bool, typer.Option("--steps", help="Print the derivation step by step first.")] = False,
    format: Annotated[
        Format | None, typer.Option(help="Text (the default), LaTeX, or JSON.", show_default=False)
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="The same as --format json, which always holds the steps.")
    ] = False,
) -> None:
    """Derive the equations of motion."""
    if json and format not in (None, Format.json):
        raise typer.BadParameter(f"--json and --format {format} ask for two formats; keep one of them.")
    equations = routes.derive(system(name), method)
    if json or format is Format.json:
        typer.echo(equations.to_json())
    elif format is Format.latex:
        _print_latex(equations, steps)
    else:
        _print_text(equations, steps)


def verify(name: Name, json: Json = False) -> None:
    """Prove the equations by every other route."""
    certificate = certify(routes.derive(system(name)))
    typer.echo(certificate.to_json() if json else str(certificate))
    if not certificate:
        raise FlexuraError(
            f"The equations of {name} are not verified", advice="the certificate says where the routes differ"
        )


def _print_text(equations: Equations, steps: bool) -> None:
    energies = equations.lagrangian
    for step in equations.steps if steps else ():
        heading(f"{step.number}. {step.title}")
        typer.echo(step.text)
        if step.content:
            typer.echo(step_text(step.content, energies, width()))
        typer.echo()
    if steps:
        heading("Result")
    typer.echo(rows_text(equations.shown, energies, width()))


def _print_latex(equations: Equations, steps: bool) -> None:
    for step in equations.steps if steps else ():
        typer.echo(f"% {step.number}. {step.title}\n% {step.text}")
        if step.content:
            typer.echo(rows_latex(step.content, equations.lagrangian))
        typer.echo()
    typer.echo(equations.latex())
