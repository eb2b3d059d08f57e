"""The application: its commands, its version, and the one place where errors become exit codes.

$ flexura derive example-one --steps
$ flexura verify example-one --json
"""

from __future__ import annotations

import io
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from flexura.cli.derivation import derive, verify
from flexura.cli.draw import draw
from flexura.cli.examples import examples
from flexura.cli.export import export
from flexura.cli.members import members
from flexura.cli.modes import modes
from flexura.cli.new import new
from flexura.cli.problems import problem, problems
from flexura.cli.reduce import reduce, state
from flexura.cli.report import report
from flexura.cli.respond import campbell, respond
from flexura.cli.schema import schema
from flexura.cli.simulate import simulate
from flexura.cli.sweep import sweep
from flexura.errors import FlexuraError

app = typer.Typer(
    help="Exact equations of motion of rigid and flexible members, step by step, proved by independent routes.",
    invoke_without_command=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for command in (
    examples,
    problems,
    problem,
    new,
    draw,
    derive,
    verify,
    modes,
    respond,
    campbell,
    simulate,
    sweep,
    reduce,
    state,
    report,
    export,
    members,
    schema,
):
    app.command()(command)


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
