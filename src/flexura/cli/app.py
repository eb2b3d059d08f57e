"""The application: its commands, its version, and the one place where errors become exit codes.

$ flexura derive example-one --steps
$ flexura verify example-one --json
"""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from flexura.errors import FlexuraError

COMMANDS = {
    "examples": ("examples", "List the built-in examples."),
    "problems": ("problems", "List the problems of the book, or check them all."),
    "problem": ("problems", "Solve a problem: statement, model, answer, check."),
    "new": ("new", "Write a commented model file to start from."),
    "draw": ("draw", "Draw the schematic, or every part cut free."),
    "derive": ("derivation", "Derive the equations of motion."),
    "verify": ("derivation", "Prove the equations by every other route."),
    "modes": ("modes", "Find frequencies and modes, counted."),
    "respond": ("respond", "Answer a harmonic load over frequency."),
    "campbell": ("respond", "Follow frequencies over a parameter or a speed."),
    "simulate": ("simulate", "Follow the motion in time."),
    "sweep": ("sweep", "Ask for modes over a grid of parameters."),
    "reduce": ("reduce", "Reduce a system to a few motions."),
    "state": ("reduce", "Find how a structure bends as it moves steadily."),
    "report": ("report", "Write a report: .html, .pdf, .typ, .tex, .md, .docx."),
    "export": ("export", "Write the equations as code or data."),
    "members": ("members", "Print the table of flexible elements."),
    "schema": ("schema", "Print the JSON Schema of model files."),
}
"""The commands in the order of their list: each one's file, and what the list says of it."""
_PLAIN: dict[str, Any] = {"add_completion": False, "rich_markup_mode": None, "pretty_exceptions_enable": False}


class Commands(TyperGroup):
    """Commands whose files are read when they are called: to list them, or to fail, costs nothing of what they need."""

    def __init__(self, **given: Any) -> None:
        """The names are known, so that a misspelt one is told the nearest."""
        super().__init__(**given)
        self.commands = {name: TyperCommand(name) for name in COMMANDS}

    def list_commands(self, ctx: Any) -> list[str]:
        """In the order in which people meet them."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The function of that name, as a command."""
        if cmd_name not in COMMANDS:
            return None
        alone = typer.Typer(**_PLAIN)
        alone.command(cmd_name)(getattr(import_module(f"flexura.cli.{COMMANDS[cmd_name][0]}"), cmd_name))
        return typer.main.get_command(alone)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Names, and what the table says of them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, told) for name, (_, told) in COMMANDS.items()])


app = typer.Typer(
    cls=Commands,
    help="Exact equations of motion of rigid and flexible members, step by step, proved by independent routes.",
    invoke_without_command=True,
    **_PLAIN,
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            typer.echo(f"flexura {version('flexura')}")
        except PackageNotFoundError:
            raise FlexuraError("flexura runs from its source and is not installed, so it has no version.") from None
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """What stands before a command; without one there is help."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit(2)  # as wrong usage leaves; no_args_is_help would leave with 0 or 2 by the version below typer


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and leave with 0 (done), 1 (the model or the data is wrong) or 2 (usage)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    with warnings.catch_warnings():
        warnings.showwarning = _note  # type: ignore[assignment]  # it takes all that Python gives and needs two
        try:
            app(args=arguments, prog_name="flexura")
        except FlexuraError as error:
            typer.echo(str(error), err=True)
            sys.exit(1)


def _note(message: Warning | str, category: type[Warning], *_: Any) -> None:
    """What is worth knowing goes beside the answer, without the line of code that noticed it; not what packages say."""
    if not issubclass(category, DeprecationWarning | PendingDeprecationWarning):
        typer.echo(f"Note: {message}", err=True)
